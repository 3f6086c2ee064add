"""One hand of the compiled lane: read from its line, and replayed part by part."""

from typing import Any, Final, NamedTuple, TypeAlias

from tricklog.core.engine import engine, hand_replay
from tricklog.core.engine.records import Rules
from tricklog.schemas.scan.actions import read_actions, read_cards, read_deal
from tricklog.schemas.scan.line import scan_line
from tricklog.schemas.scan.text import SCANNED

Array: TypeAlias = Any
"""A numpy array; compiled code takes it where plain Python has bytes or a list."""

UNREAD: Final = -1
LAY_OUT, CARRY_ON, KEEP_STATES, CARRY_OUT = range(4)
"""The parts of a replay, for ``replay_hand``."""


class Buffers(NamedTuple):
    """What one hand after the other is read into and replayed on."""

    workspace: Any
    """A ``Workspace`` of records and arrays."""
    states: Array
    """The state of the workspace, as an array of one."""
    new_state: Array
    """A new one likewise, and ``new_facts`` new facts."""
    new_facts: Array
    named: Array
    other_cards: Array
    unknown: Array
    """A row for each seating that is not known yet: ``start`` and ``end`` in the text of the log,
    and ``hash_of`` it. One may be there twice."""
    unknown_count: Array
    """One number: how many rows of ``unknown`` are filled."""


def replay_hand(
    part: int, count: int, ending: int, text: Array, rules: Rules, states: Array, place: Buffers
) -> int:
    """Do a part of the replay of one hand, of ``count`` actions.

    ``LAY_OUT`` reads it from its line and lays it out, or returns ``UNREAD``; then ``CARRY_ON`` and
    ``CARRY_OUT`` do as in ``hand_replay`` with the faults ``ending``, or ``KEEP_STATES`` fills
    ``states``.
    """
    workspace = place.workspace
    if part == LAY_OUT:
        if scan_line(text, 0, len(text), workspace.line) != SCANNED:
            return UNREAD
        if read_record(text, place) != count:
            return UNREAD
        begin(place)
        for index in range(count):
            workspace.faults[index] = 0
        return 1 if hand_replay.lay_out(workspace, rules, count) else 0
    if part == CARRY_ON:
        return hand_replay.carry_on(workspace, rules, count, ending)
    if part == CARRY_OUT:
        return 1 if hand_replay.carry_out(workspace, rules, count, ending) else 0
    engine.start(workspace.state, rules)
    states[0] = workspace.state
    for index in range(1, len(states)):
        engine.apply(workspace.state, rules, workspace.actions[index - 1])
        states[index] = workspace.state
    return len(states)


def read_record(text: Array, place: Buffers) -> int:
    """Read cards and actions of the scanned line; return how many actions, below 0 for careful."""
    workspace = place.workspace
    line, bounds, seats = workspace.line, workspace.bounds, workspace.line.seats
    if line.deal_start < 0:
        for seat in range(seats + 1):
            bounds[seat] = 0
    elif read_deal(text, line.deal_start, line.deal_end, seats, workspace.cards, bounds) < 0:
        return -1
    if not read_part(text, place, seats, line.kitty_start, line.kitty_end):
        return -1
    if not read_part(text, place, seats + 1, line.stock_start, line.stock_end):
        return -1
    actions = workspace.actions
    return read_actions(text, line.actions_start, line.actions_end, seats, actions, place.named)


def read_part(text: Array, place: Buffers, part: int, start: int, end: int) -> bool:
    """Read kitty or stock behind the cards read before; return whether that could be done."""
    cards, bounds = place.workspace.cards, place.workspace.bounds
    first = bounds[part]
    count = read_cards(text, start, end, place.other_cards) if start >= 0 else 0
    if count < 0 or first + count > len(cards):
        return False
    for index in range(count):
        cards[first + index] = place.other_cards[index]
    bounds[part + 1] = first + count
    return True


def begin(place: Buffers) -> None:
    """Clear state and history of the hand before."""
    state, history = place.workspace.state, place.workspace.history
    place.states[0] = place.new_state[0]
    state.dealer = place.workspace.line.dealer
    history.calls = 0
    history.plays = 0
    history.on_table = 0
    history.tricks = 0
    history.buried = 0
    history.captures = 0
