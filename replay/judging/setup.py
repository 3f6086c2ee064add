"""From a hand log to a workspace, and what carries it out: plain Python, or the library.

Sources: 0.deal, 0.record.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.json import Encoder

from tricklog.core.engine import engine, hand_replay
from tricklog.core.engine.hand_replay import ANY_FAULT, Workspace
from tricklog.core.engine.records import Rules, State, cells_of, copy_state, places_in
from tricklog.core.engine.rules.game_end import Result
from tricklog.core.engine.rules.history import History
from tricklog.core.judging.findings import deal_findings
from tricklog.core.model import BadRecord, Finding
from tricklog.core.native import library
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.schemas.actions import Action, ActionError, parse_action
from tricklog.schemas.cards import parse_cards
from tricklog.schemas.first_version import Claimed
from tricklog.schemas.hand import Hand, needs_version_2
from tricklog.schemas.limits import MAX_SEATS
from tricklog.schemas.scan.line import ScannedLine
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from tricklog.core.compiled.replaying import ReplayPlace

_NOTHING_CLAIMED = Claimed()
_EMPTY = -1
"""In place of the length of a list that is there and empty: it is not as if it were absent."""


def read_actions(hand: Hand) -> tuple[Action, ...]:
    """Return the actions of a hand. Raises ``BadRecord`` at the first that cannot be read."""
    actions = []
    for index, text in enumerate(hand.actions):
        try:
            actions.append(parse_action(text))
        except ActionError as error:
            raise BadRecord(f"/actions/{index}", str(error)) from None
    return tuple(actions)


def first_state(
    hand: Hand, ruleset: Ruleset, actions: Sequence[Action]
) -> tuple[State, Rules, list[Finding]]:
    """Return the state before the first action, the rules, and what is wrong with the deal.

    Raises ``BadRecord`` when a card list cannot be read or does not fit the players.
    """
    rules = ruleset.rules(len(hand.players))
    workspace = workspace_of(hand, actions)
    right = hand_replay.lay_out(workspace, rules, len(actions))
    return workspace.state, rules, deal_findings(hand, ruleset, None if right else workspace)


def workspace_of(hand: Hand, actions: Sequence[Action]) -> Workspace:
    """Return what a hand is replayed on, with nothing laid out yet.

    Raises ``BadRecord`` when a card list cannot be read or does not fit the players.
    """
    seats = len(hand.players)
    if hand.dealt_by >= seats:
        raise BadRecord("/dealer", f"is {hand.dealer}, but the seats are 0 to {seats - 1}")
    cards: list[int] = []
    bounds = [0]
    hands: Sequence[str] = [""] * seats if hand.deal is UNSET else hand.deal
    if len(hands) != seats:
        raise BadRecord("/deal", f"holds {counted(len(hands), 'hand')} for {seats} players")
    for seat, text in enumerate(hands):
        cards += _cards_at(f"/deal/{seat}", text)
        bounds.append(len(cards))
    for pointer, part in (("/kitty", hand.kitty), ("/stock", hand.stock)):
        if part is not UNSET:
            cards += _cards_at(pointer, part)
        bounds.append(len(cards))
    room = [0] * len(actions)
    line, wanted, state = _line_of(hand), [0] * (seats + 2), State(dealer=hand.dealt_by)
    history = History(call_action=room[:], call_amount=room[:], play_action=room[:])
    history.play_seat, history.play_card = room[:], room[:]
    return Workspace(line, cards, bounds, wanted, actions, room, state, history, Result())


def _cards_at(pointer: str, text: str) -> list[int]:
    try:
        return parse_cards(text)
    except ValueError as error:
        raise BadRecord(pointer, str(error)) from None


def _line_of(hand: Hand) -> ScannedLine:
    """Return what a scanned line would say of a hand besides its cards and actions.

    Of the places in the text only those are given that say whether a part is there.
    """
    claimed = hand.whole_claims or _NOTHING_CLAIMED
    line = ScannedLine(seats=len(hand.players), dealer=hand.dealt_by)
    starts = [-1 if part is UNSET else 0 for part in (hand.deal, hand.kitty, hand.stock)]
    line.deal_start, line.kitty_start, line.stock_start = starts
    line.score_count, line.scores = _numbers(hand.whole_scores)
    line.points_count, line.points = _numbers(claimed.points)
    line.change_count, line.change = _numbers(claimed.change)
    line.after_count, line.after = _numbers(claimed.scores)
    if claimed.winners is not UNSET:
        line.winner_count, line.winners = len(claimed.winners), claimed.winners
    return line


def _numbers(listed: list[int] | UnsetType) -> tuple[int, list[int]]:
    return (0, []) if listed is UNSET else (len(listed) or _EMPTY, listed)


# --- What carries it out


R = TypeVar("R", State, Result)


class Carrier:
    """Carries out the record of one hand in plain Python."""

    dealt: tuple[int, ...]
    """Per seat the cards dealt, as far as recorded."""

    def __init__(self, hand: Hand, rules: Rules) -> None:
        """Take a hand, of whose cards nothing is laid out yet."""
        self.hand, self.rules = hand, rules

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """The actions. Raises ``BadRecord`` at the first that cannot be read."""
        return read_actions(self.hand)

    @cached_property
    def workspace(self) -> Workspace:
        """The hand as it was left. Raises ``BadRecord`` when a card list cannot be read."""
        return workspace_of(self.hand, self.actions)

    @property
    def faults(self) -> list[int]:
        """By action, as far as they were carried out: its faults."""
        return [*self.workspace.faults]

    @property
    def state(self) -> State:
        """The state in which the hand was left."""
        return self.workspace.state

    @property
    def doubt(self) -> bool:
        """Whether an unknown card could have changed legality or score."""
        return bool(self.workspace.state.doubt)

    @property
    def history(self) -> History:
        """What was done, as far as it was carried out."""
        return self.workspace.history

    @property
    def result(self) -> Result:
        """How the hand came out, once it is closed."""
        return self.workspace.result

    def lay_out(self) -> bool:
        """Lay the cards out; return whether they are right, as ``hand_replay.lay_out`` does."""
        right = hand_replay.lay_out(self.workspace, self.rules, len(self.actions))
        state = self.workspace.state
        held = zip(state.holding, state.reserve, range(self.rules.seats), strict=False)
        self.dealt = tuple(cards | later for cards, later, _ in held)
        return right

    def carry_on(self, ending: int) -> int:
        """Carry out the actions and close the hand, as ``hand_replay.carry_on`` does."""
        return hand_replay.carry_on(self.workspace, self.rules, len(self.actions), ending)

    def carry_out(self) -> bool:
        """Carry out the actions and leave the hand open; return whether none has a fault."""
        return hand_replay.carry_out(self.workspace, self.rules, len(self.actions), ANY_FAULT)

    def states(self, last: int) -> dict[int, State]:
        """Return the states before each action up to action ``last``."""
        workspace = workspace_of(self.hand, self.actions)
        hand_replay.lay_out(workspace, self.rules, len(self.actions))
        return dict(enumerate(map(copy_state, self._passed(workspace.state, last))))

    def _passed(self, state: State, last: int) -> Iterator[State]:
        engine.start(state, self.rules)
        for action in self.actions[:last]:
            yield state
            engine.apply(state, self.rules, action)
        yield state


class LibraryCarrier(Carrier):
    """Carries it out by the library; objects are made of what that leaves when they are wanted."""

    def __init__(self, hand: Hand, rules: Rules, line: bytes) -> None:
        """Take a hand and what the library is to read of it, and lay the cards out.

        Raises ``ValueError`` where it is to be read with care.
        """
        super().__init__(hand, rules)
        place = _place()
        right = place.lay_out(line, rules, len(hand.actions))
        if right is None:
            raise ValueError("the record is to be read with care")
        self._right = right
        self._wanted = place.wanted[: rules.seats + 2].tolist()
        self._faults: list[int] | None = None
        self._history: History | None = None
        self._state, self._result = place.state[:], place.result[:]
        at = _STATE["holding"], _STATE["reserve"]
        held = zip(*(self._state[each] for each in at), range(rules.seats), strict=False)
        self.dealt = tuple([cards | later for cards, later, _ in held])

    @cached_property
    def workspace(self) -> Workspace:
        """The hand as it was left."""
        bare = workspace_of(self.hand, self.actions)
        laid_out = bare._replace(wanted=self._wanted, faults=self.faults)
        return laid_out._replace(state=self.state, history=self.history, result=self.result)

    @property
    def faults(self) -> list[int]:
        """By action, as far as they were carried out: its faults."""
        return self._faults or [0] * len(self.hand.actions)

    @cached_property
    def state(self) -> State:
        """The state in which the hand was left."""
        return _record(State, self._state)

    @property
    def doubt(self) -> bool:
        """Whether an unknown card could have changed legality or score."""
        return self._state[_DOUBT] != 0

    @property
    def history(self) -> History:
        """What was done, as far as it was carried out."""
        if self._history is None:
            self._history = History()
        return self._history

    @cached_property
    def result(self) -> Result:
        """How the hand came out, once it is closed."""
        return _record(Result, self._result)

    def lay_out(self) -> bool:
        """Return whether the cards are right."""
        return self._right

    def carry_on(self, ending: int) -> int:
        """Carry out the actions and close the hand, as ``hand_replay.carry_on`` does."""
        return self._left_by(_place().carry_on(ending))

    def carry_out(self) -> bool:
        """Carry out the actions and leave the hand open; return whether none has a fault."""
        return self._left_by(_place().carry_on(ANY_FAULT, closing=False)) == 1

    def _left_by(self, far: int) -> int:
        place = _place()
        self._faults = place.faults[: len(self.hand.actions)].tolist()
        self._history = place.written()
        self._state, self._result = place.state[:], place.result[:]
        # They may have been made of what was there before.
        for name in ("workspace", "state", "result"):
            self.__dict__.pop(name, None)
        return far

    def states(self, last: int) -> dict[int, State]:
        """Return the states before each action up to action ``last``."""
        place = _place()
        place.lay_out(_written_line(self.hand), self.rules, len(self.hand.actions))
        return _States(place.states(last + 1))


class _States(dict[int, State]):
    def __init__(self, cells: array[int]) -> None:
        super().__init__()
        self._cells = cells

    def __missing__(self, index: int) -> State:
        state = self[index] = _record(State, self._cells[index * _SIZE : (index + 1) * _SIZE])
        return state


def carrier_of(hand: Hand, rules: Rules) -> Carrier:
    """Return what carries a hand out: the library, where it is there and can read the hand."""
    if library.is_there():
        try:
            return LibraryCarrier(hand, rules, _written_line(hand))
        except (ValueError, TypeError, OverflowError):
            # It may be no text or number at all: careful reading says what is wrong.
            pass
    return Carrier(hand, rules)


_places: Final = threading.local()


def _place() -> ReplayPlace:
    place: ReplayPlace | None = getattr(_places, "place", None)
    if place is None:
        from tricklog.core.compiled.replaying import ReplayPlace

        place = _places.place = ReplayPlace()
    return place


_STATE: Final = places_in(State)
_SIZE: Final = len(cells_of(State()))
_DOUBT: Final[int] = _STATE["doubt"]
_PLACES: Final = {State: [*_STATE.values()], Result: [*places_in(Result).values()]}


def _record(kind: type[R], row: array[int]) -> R:
    cells: list[Any] = row.tolist()
    return kind(*[cells[at] for at in _PLACES[kind]])


class _Line(Struct):
    """The canonical line of a hand from its players on, as far as rules ask about it."""

    players: Raw
    dealer: int | UnsetType
    scores: Sequence[int | None] | UnsetType
    deal: list[str] | UnsetType
    stock: str | UnsetType
    kitty: str | UnsetType
    actions: list[str]
    claimed: object


_encode: Final = Encoder().encode
_OPENING: Final = b'{"format":"tricklog/1","id":"-","rules":{},'
_PLAYERS: Final = [
    Raw(b"[%s]" % b",".join([b'{"id":"-"}'] * seats)) for seats in range(MAX_SEATS + 2)
]


def _written_line(hand: Hand) -> bytes:
    """Return what the library reads of a hand. Raises what ``carrier_of`` catches."""
    is_whole = not needs_version_2(hand)
    players = _PLAYERS[min(len(hand.players), MAX_SEATS + 1)]
    scores: Sequence[int | None] | UnsetType = hand.scores if is_whole else hand.whole_scores
    claimed = hand.claimed if is_whole else hand.whole_claims
    deal = hand.deal, hand.stock, hand.kitty
    line = _Line(players, hand.dealer, scores, *deal, hand.actions, claimed)
    return _OPENING + _encode(line)[1:]
