"""What is compiled: reading, replaying and writing down line after line of a log.

The arrays are numpy records with the fields of ``State``, ``Rules``, ``History``, ``Result``,
``ScannedLine`` and ``ScannedAction``. One call works on lines that follow each other in one text,
with buffers and columns of its own, so calls may run side by side.
"""

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from tricklog.core.engine import engine, facts, hand_replay
from tricklog.core.engine.facts import note_facts, trump_suit
from tricklog.core.engine.hand_replay import Workspace
from tricklog.core.engine.records import SEATS, Rules, zeros
from tricklog.schemas.codes import IN_COLUMNS
from tricklog.schemas.scan.actions import read_actions, read_cards, read_deal
from tricklog.schemas.scan.line import ScannedLine, scan_line, scan_opening
from tricklog.schemas.scan.text import SCANNED
from tricklog.schemas.scan.time import read_time

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
    history.calls, history.plays, history.on_table = 0, 0, 0
    history.tricks, history.buried, history.captures = 0, 0, 0


# --- Line after line of a log


WHOLE_SECONDS = 25
"""Bytes of a time without a fraction of a second, at most."""
HOUR_AT = 11
"""Where in a time its hour is."""
BAD_SEATING = -2
"""In place of the rules of a seating that only the careful reader can judge."""
UNKNOWN_SEATING = -1
CLAIM_KEY = len('"claimed":')
_IN_COLUMNS = ord(IN_COLUMNS)


class Lines(NamedTuple):
    """Lines of a log in one text."""

    text: Array
    """Bytes, UTF-8."""
    starts: Array
    ends: Array
    """Where each line ends, its line feed not included."""


class Seatings(NamedTuple):
    """The seatings known so far: the text from ``rules`` to ``players`` of each, and its rules."""

    text: Array
    rows: Array
    """By seating: where its text begins and ends, ``BAD_SEATING`` or the index into ``rules``, and
    ``hash_of`` the text."""
    slots: Array
    """Hash table, a power of two long: seating number or ``UNKNOWN_SEATING``."""
    rules: Array
    """Records of ``Rules``."""


@dataclass(slots=True)
class HandRow:
    """The numbers of one line; what is no valid hand keeps only ``valid`` and ``seating``."""

    valid: int = 0
    seating: int = 0
    number: int = 0
    dealer: int = 0
    started: int = 0
    hour: int = 0
    has_time: int = 0
    has_game: int = 0
    has_scores: int = 0
    """Whether there are scores: without them those of the result, and its winner, count nothing."""
    played: int = 0
    seats: int = 0
    sides: int = 0
    before: list[int] = field(default_factory=zeros(SEATS))


class Columns(NamedTuple):
    """One entry a line. Ends are running totals."""

    hands: Array
    """Records of ``HandRow``."""
    results: Array
    """Records of ``Result``."""
    facts: Array
    """Records of ``SeatFacts``."""
    tricks: Array
    captures: Array
    call_facts: Array
    list_ends: Array
    """By list column (``LISTS``) and line: where its entries end."""
    text_ends: Array
    """By text column (``TEXTS``) and line: where its bytes end."""
    texts: tuple[Array, ...]
    """By text column: its bytes."""


TEXTS = ("id", "game", "deal", "deeds", "tail", "details")
LISTS = ("tricks", "captures", "call_facts")


def judge(
    log: Lines, first: int, place: Buffers, seatings: Seatings, out: Columns, ending: int
) -> int:
    """Read, replay and write down the lines of a log from ``first`` on.

    ``ending``: the faults at which a replay stops. Returns the number of lines, or the first whose
    seating is not known yet: ``place`` has it then, and others to come.
    """
    last, text, workspace = len(log.starts), log.text, place.workspace
    line, seating = workspace.line, UNKNOWN_SEATING
    for index in range(first, last):
        out.hands[index].valid = 0
        keep_ends(out, index)
        if scan_line(text, log.starts[index], log.ends[index], line) != SCANNED:
            continue
        start, end = line.rules_start, line.players_end
        # Hands of one game follow each other, and have the same players at the table.
        if seating == UNKNOWN_SEATING or not is_text_of(text, start, end, seatings, seating):
            number = hash_of(text, start, end)
            seating = find_seating(text, start, end, number, seatings)
            if seating == UNKNOWN_SEATING:
                place.unknown_count[0] = note_unknown(log, index, place, seatings)
                return index
        out.hands[index].seating = seating
        rule = seatings.rows[seating, 2]
        if rule == BAD_SEATING:
            continue
        count = read_record(text, place)
        if count < 0:
            continue
        begin(place)
        if not hand_replay.prove_valid(workspace, seatings.rules[rule], count, ending):
            continue
        if write_texts(text, place, out, index, count):
            write_numbers(seatings.rules[rule], workspace, out, index)
            out.facts[index] = place.new_facts[0]
            facts = out.facts[index]
            note_facts(workspace, seatings.rules[rule], facts, count, 1)
    return last


def keep_ends(out: Columns, index: int) -> None:
    """Start a line with nothing written."""
    for column in range(len(TEXTS)):
        out.text_ends[column, index + 1] = out.text_ends[column, index]
    for column in range(len(LISTS)):
        out.list_ends[column, index + 1] = out.list_ends[column, index]


def find_seating(text: Array, start: int, end: int, number: int, seatings: Seatings) -> int:
    """Return the seating that ``text[start:end]``, hashed to ``number``, tells, if it is known."""
    slot = number & (len(seatings.slots) - 1)
    while True:
        seating = seatings.slots[slot]
        if seating == UNKNOWN_SEATING or is_text_of(text, start, end, seatings, seating):
            return int(seating)
        slot = (slot + 1) & (len(seatings.slots) - 1)


def note_unknown(log: Lines, first: int, place: Buffers, seatings: Seatings) -> int:
    """Note as many unknown seatings as fit, from line ``first`` on; return how many."""
    text, line, noted = log.text, place.workspace.line, place.unknown
    count = 0
    for index in range(first, len(log.starts)):
        if scan_opening(text, log.starts[index], log.ends[index], line) != SCANNED:
            continue
        start, end = line.rules_start, line.players_end
        before = count - 1
        if count and is_same_text(text, start, end, text, noted[before, 0], noted[before, 1]):
            continue
        number = hash_of(text, start, end)
        if find_seating(text, start, end, number, seatings) == UNKNOWN_SEATING:
            noted[count, 0] = start
            noted[count, 1] = end
            noted[count, 2] = number
            count += 1
            if count == len(noted):
                break
    return count


def is_same_text(
    text: Array, start: int, end: int, others: Array, other: int, other_end: int
) -> bool:
    """Is ``text[start:end]`` the same as ``others[other:other_end]``?"""
    if end - start != other_end - other:
        return False
    while start < end and text[start] == others[other]:
        start += 1
        other += 1
    return bool(start == end)


def is_text_of(text: Array, start: int, end: int, seatings: Seatings, seating: int) -> bool:
    """Is this the text of a known seating?"""
    first, last = seatings.rows[seating, 0], seatings.rows[seating, 1]
    return is_same_text(text, start, end, seatings.text, first, last)


def hash_of(text: Array, start: int, end: int) -> int:
    """Return a number of 40 bits that depends on every byte."""
    number = 5381
    for index in range(start, end):
        number = (number * 33 ^ text[index]) & 0xFFFFFFFFFF
    return number ^ number >> 17


def write_texts(text: Array, place: Buffers, out: Columns, index: int, count: int) -> bool:
    """Write the texts of a valid hand; return whether all is so that they give the line back."""
    workspace, hand, ends = place.workspace, out.hands[index], out.text_ends
    line = workspace.line
    is_whole, moment, hour = read_start(text, line)
    if not is_whole:
        return False
    at = index + 1
    ends[0, at] = write_slice(out.texts[0], ends[0, at], text, line.id_start, line.id_end)
    ends[1, at] = write_slice(out.texts[1], ends[1, at], text, line.game_start, line.game_end)
    ends[2, at] = facts.write_deal(out.texts[2], ends[2, at], workspace)
    ends[3, at] = facts.write_deeds(out.texts[3], ends[3, at], workspace, place.named, 0, count)
    ends[4, at] = write_tail(out.texts[4], ends[4, at], text, workspace)
    ends[5, at] = facts.write_details(out.texts[5], ends[5, at], workspace, count)
    hand.has_time = 1 if line.started_start >= 0 else 0
    hand.started = moment
    hand.hour = hour
    hand.has_game = 1 if line.game_start >= 0 else 0
    hand.played = count
    return True


def read_start(text: Array, line: ScannedLine) -> tuple[int, int, int]:
    """Return 1, when the hand began and in which hour since 1970, or 0 for careful reading.

    The hour is that of the offset written. Both are 0 where the line does not say when.
    """
    if line.started_start < 0:
        return 1, 0, 0
    code, moment, day = read_time(text, line.started_start, line.started_end)
    if code != SCANNED or line.started_end - line.started_start > WHOLE_SECONDS:
        return 0, 0, 0
    if text[line.started_start + 19] == ord("."):
        return 0, 0, 0
    tens, ones = text[line.started_start + HOUR_AT], text[line.started_start + HOUR_AT + 1]
    return 1, moment, day * 24 + (tens - ord("0")) * 10 + ones - ord("0")


def write_slice(out: Array, at: int, text: Array, start: int, end: int) -> int:
    """Append ``text[start:end]``, nothing when it is not there, and return the place after it."""
    for index in range(start, end):
        out[at + index - start] = text[index]
    return at + max(0, end - start)


def write_tail(out: Array, at: int, text: Array, workspace: Workspace) -> int:
    """Append what follows the actions, with ``~`` for what other columns say."""
    line, begins = workspace.line, workspace.line.tail_start + 1
    if line.tail_start == line.tail_end:
        return at
    claims_all = line.points_count and line.change_count and line.after_count and line.score_count
    if claims_all and line.winner_count < 0:
        # The hand is valid, so points, change and scores are what other columns say.
        at = write_slice(out, at, text, begins, begins + CLAIM_KEY)
        at = facts.write_byte(out, at, _IN_COLUMNS)
        begins = line.claimed_end
    if line.started_start < 0:
        return write_slice(out, at, text, begins, line.tail_end)
    at = write_slice(out, at, text, begins, line.started_start - 1)
    at = facts.write_byte(out, at, _IN_COLUMNS)
    at = write_slice(out, at, text, line.started_start + 19, line.started_end)
    return write_slice(out, at, text, line.started_end + 1, line.tail_end)


def write_numbers(rules: Rules, workspace: Workspace, out: Columns, index: int) -> None:
    """Write the numbers of a valid hand."""
    line, history, hand = workspace.line, workspace.history, out.hands[index]
    hand.number = line.hand
    hand.dealer = line.dealer
    hand.has_scores = 1 if line.score_count else 0
    hand.seats = rules.seats
    hand.sides = rules.side_count
    for side in range(rules.side_count):
        hand.before[side] = line.scores[side]
    out.results[index] = workspace.result
    first = out.list_ends[0, index]
    for trick in range(history.tricks):
        out.tricks[first + trick] = facts.trick_of(history, trick)
    out.list_ends[0, index + 1] = first + history.tricks
    suit = trump_suit(workspace.result)
    first = out.list_ends[1, index]
    for capture in range(history.captures):
        out.captures[first + capture] = facts.capture_of(workspace, rules, suit, capture)
    out.list_ends[1, index + 1] = first + history.captures
    first = out.list_ends[2, index]
    for call in range(history.calls):
        out.call_facts[first + call] = facts.call_of(workspace, call)
    out.list_ends[2, index + 1] = first + history.calls
    hand.valid = 1
