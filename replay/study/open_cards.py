"""Asking what hands are worth with all cards open, by the definitions of ``docs/solver.md``.

The makers are the side of the player whose contract is played, or who plays it alone; all others
together play as one. A value is what the makers take in the whole hand, in card points, with a hand
alone in tricks, points of discarded cards that they score included. In games with king and queen of
trumps a declared pair counts for as many points as it changes what the makers need.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from tricklog.core.compiled.solving import UNLIMITED, Place
from tricklog.core.compiled.study_lines import choices_at, choices_before, earlier_moment
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.replayer import Replay
from tricklog.core.model import Verdict
from tricklog.core.native import library
from tricklog.core.solver import answer, start
from tricklog.core.solver.losses import kind_of_loss
from tricklog.core.solver.score import change_at_end
from tricklog.core.study import refusals
from tricklog.core.study.refusals import OpenScore, Refused, pair_points, score_or_why
from tricklog.schemas.actions import Action, Verb
from tricklog.schemas.cards import cards_in
from tricklog.schemas.scan.actions import ScannedAction

Kind = Literal["card", "surplus", "silence"]
"""A card, a set of surplus cards put under the first trick, or king and queen of trumps that could
be declared and were not."""
KINDS: Final[tuple[Kind, ...]] = ("card", "surplus", "silence")
"""By the numbers of ``tricklog.core.solver.answer``."""
Deed = tuple[int, int, int]
"""What a record shows of the play: verb, seat, and cards as a set."""
_MOVES: Final = (Verb.PLAY, Verb.BURY)
_DEEDS: Final = (*_MOVES, Verb.ASK, Verb.REVEAL, Verb.PAIR)


class LossKind(StrEnum):
    """What was done where a decision cost something, as people are told it."""

    PAIR_NOT_DECLARED = "pair not declared"
    SURPLUS_PUT_DOWN = "surplus put down"
    ASKED = "asked for trumps"
    DID_NOT_ASK = "did not ask for trumps"
    PEDRO_GIVEN = "pedro given away"
    LED_TRUMPS = "led trumps"
    OPENED_SUIT = "opened a suit"
    TRUMPS_NOT_LED = "did not lead trumps"
    CINCH_MISSED = "cinch missed"
    POINT_CARD_GIVEN = "point card given away"
    TRUMP_WASTED = "trump wasted"
    TRICK_LET_GO = "trick let go"
    POINTS_KEPT_BACK = "points kept back"
    OTHER = "other"


LOSS_KINDS: Final = tuple(LossKind)
"""By the numbers of ``tricklog.core.solver.losses.kind_of_loss``, see ``docs/solver.md``."""


@dataclass(frozen=True, slots=True)
class Value:
    """What the makers take with best play of all: a number, or the limits it lies within."""

    low: int
    high: int

    @property
    def is_exact(self) -> bool:
        """Whether the value is known; it is unless a budget of nodes ran out."""
        return self.low == self.high

    @property
    def exact(self) -> int | None:
        """The number; ``None`` where only limits are known."""
        return self.low if self.is_exact else None


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that the seat to act may do, and the value when it does."""

    kind: Kind
    seat: int
    cards: tuple[int, ...]
    shows: bool
    """Whether the player has the trump shown first although they need not."""
    value: Value


class Step(NamedTuple):
    """A decision of recorded play, and the value before it; of the last row the value alone."""

    kind: int
    """Its place in ``KINDS``."""
    seat: int
    cards: int
    """As a set."""
    showed: bool
    action: int
    """Index of the action among those given."""
    value: Value


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a recorded hand: what it cost its side in points and in score, and how."""

    kind: Kind
    seat: int
    by_makers: bool
    cards: tuple[int, ...]
    showed: bool
    """Whether the player had the trump shown for it although they need not have."""
    action: int
    """Index of the recorded action; of several that put surplus down, the last one."""
    before: Value
    after: Value
    trick: int
    """Number of the trick, from 1; of a pair not declared, the one on the table or to be led."""
    turn: int
    """The place in the trick, 0 for the lead."""
    choices: int
    """How many different legal choices there were; with 1 it was none."""
    score_loss: int | None
    """What it cost in score; ``None`` without, or where points do not tell the score."""
    loss_kind: LossKind | None
    """The kind of its loss; ``None`` where nothing was lost, or there was no choice."""

    @property
    def loss(self) -> int | None:
        """What the decision cost its side, 0 or more; ``None`` when the budget ran out."""
        return _lost(self.before.exact, self.after.exact, by_makers=self.by_makers)


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A recorded hand with all cards open."""

    unit: Literal["points", "tricks"]
    need: int | None
    """What the makers needed, in ``unit``, before any pair; ``None`` without a contract."""
    par: Value
    """The value when the first card was to be played."""
    outcome: Value
    """What the makers took; where play stopped early, the value at that moment."""
    decisions: tuple[Decision, ...]
    """In order. ``before`` of the first is ``par``, ``after`` of the last ``outcome``."""
    score: OpenScore | None = field(compare=False)
    no_score: str | None
    """Why there is no score by points, a sentence without a full stop; ``None`` when there is."""

    @property
    def could_be_made(self) -> bool | None:
        """Whether best play makes the contract; ``None`` without one, or when it is not known."""
        return _reached(self.par, self.need)

    @property
    def score_par(self) -> int | None:
        """The change of score with best play from the first card on; ``None`` when not known."""
        return _scored(self.score, self.par)

    @property
    def score_outcome(self) -> int | None:
        """The change of score that came about; ``None`` when not known."""
        return _scored(self.score, self.outcome)


def _scored(score: OpenScore | None, value: Value) -> int | None:
    return None if score is None or value.exact is None else score.change(value.exact)


def _lost(before: int | None, after: int | None, *, by_makers: bool) -> int | None:
    if before is None or after is None:
        return None
    return before - after if by_makers else after - before


def costs_among(values: Sequence[Value], *, by_makers: bool) -> list[int | None]:
    """Return what each choice costs its side, 0 or more; ``None`` where limits do not tell it."""
    pick = max if by_makers else min
    best = Value(pick(each.low for each in values), pick(each.high for each in values))
    return [
        abs(best.low - each.low) if best.is_exact and each.is_exact else None for each in values
    ]


def _reached(value: Value, need: int | None) -> bool | None:
    if need is None or value.low < need <= value.high:
        return None
    return value.low >= need


class Solver:
    """Answers questions about hands of one set of rules; for one thread at a time.

    It keeps some 3 MB of memory for its tables. Where there is no library of machine code it runs
    in plain Python, which gives the same answers some thousand times slower.
    """

    def __init__(self, rules: Rules, *, compiled: bool | None = None) -> None:
        """Take rules as resolved for a number of seats.

        ``compiled``: whether to call the library, or plain Python; by default the library where
        there is one. Raises ``Refused`` for rules that the solver does not take on.
        """
        if reason := refusals.refusal(rules):
            raise Refused(reason)
        self.rules = rules
        self.place = Place(compiled=library.is_there() if compiled is None else compiled)

    def value(self, state: State, *, budget: int = UNLIMITED) -> Value:
        """Return the value of a state in the play, at any point of a trick.

        ``budget``: nodes to search, some ten million a second; when they run out the answer is what
        is known by then. Raises ``Refused`` for a state that the solver does not take on.
        """
        (row,) = self._ask(answer.VALUE, state, budget=budget)
        return _value_in(row, pair_points(state, self.rules))

    def is_made(self, state: State, *, budget: int = UNLIMITED) -> bool | None:
        """Return whether best play makes the contract: much cheaper than the value.

        ``None`` without a contract, or when ``budget`` runs out; budget and errors as in ``value``.
        """
        need = self.need(state)
        if need is None:
            return None
        declared = pair_points(state, self.rules)
        (row,) = self._ask(answer.WINDOW, state, budget=budget, need=need - declared)
        return _reached(_value_in(row, declared), need)

    def need(self, state: State) -> int | None:
        """Return what the makers need, before any pair; ``None`` without a contract."""
        need = start.needed(state, self.rules)
        return None if need == start.NOTHING_TO_MAKE else need + pair_points(state, self.rules)

    def choices(self, state: State, *, budget: int = UNLIMITED) -> tuple[Choice, ...]:
        """Return every legal choice of the seat to act with its value; none when play is over.

        Budget and errors as in ``value``. Of surplus cards at most 127 sets are listed.
        """
        rows = self._ask(answer.CHOICES, state, budget=budget)
        declared = pair_points(state, self.rules)
        return tuple(
            Choice(
                KINDS[row[answer.KIND]],
                row[answer.SEAT],
                tuple(cards_in(row[answer.CARDS])),
                bool(row[answer.SHOWED]),
                _value_in(row, declared),
            )
            for row in rows
        )

    def hand(
        self, state: State, actions: Sequence[Action], *, budget: int = UNLIMITED
    ) -> list[Step]:
        """Return all values of the play that ``actions`` show from ``state`` on, legal throughout.

        Budget and errors as in ``value``; ``Refused``, too, where an action names no cards.
        """
        places = [index for index, each in enumerate(actions) if each.verb in _DEEDS]
        rows = self._ask(answer.HAND, state, budget=budget, deeds=deeds_of(actions))
        declared = pair_points(state, self.rules)
        return [
            Step(
                row[answer.KIND],
                row[answer.SEAT],
                row[answer.CARDS],
                bool(row[answer.SHOWED]),
                places[min(row[answer.DEED], len(places) - 1)] if places else 0,
                _value_in(row, declared),
            )
            for row in rows
        ]

    def _ask(
        self, question: int, state: State, *, budget: int, need: int = 0, deeds: Sequence[Deed] = ()
    ) -> list[list[int]]:
        if reason := refusals.refusal_of_state(state, self.rules):
            raise Refused(reason)
        return self.place.ask(question, state, self.rules, budget=budget, need=need, deeds=deeds)


def deeds_of(actions: Sequence[Action]) -> list[Deed]:
    """Return what actions show of the play. Raises ``Refused`` for one that names no cards."""
    if any(each.verb in _MOVES and each.cards.bit_count() != max(1, each.size) for each in actions):
        raise Refused(refusals.NOT_NAMED)
    return [(int(each.verb), each.seat, each.cards) for each in actions if each.verb in _DEEDS]


def _value_in(row: Sequence[int], declared: int) -> Value:
    return Value(row[answer.LOW] + declared, row[answer.HIGH] + declared)


def first_card(replay: Replay) -> int:
    """Return the index of the first action that puts a card to a trick, or their number."""
    moves = (at for at, each in enumerate(replay.actions) if each.verb in _MOVES)
    return next(moves, len(replay.actions))


def calls_in(replay: Replay) -> int:
    """Return how many of the recorded actions are the auction."""
    ends = (at for at in range(len(replay)) if replay.state_at(at).phase != Phase.AUCTION)
    return next(ends, len(replay))


def state_in_play(replay: Replay, index: int) -> State:
    """Return the state before an action of the play, with the phases before the play closed."""
    state = copy_state(replay.state_at(index))
    while state.phase < Phase.PLAY:
        engine.enter(state, replay.rules)
    return state


def start_of_play(replay: Replay) -> tuple[int, State]:
    """Return index and state of the first action of the play. Raises ``Refused`` without one."""
    first = first_card(replay)
    if first == len(replay.actions):
        raise Refused(refusals.NO_PLAY)
    return first, state_in_play(replay, first)


def open_hand(replay: Replay, solver: Solver | None = None, *, budget: int = UNLIMITED) -> OpenHand:
    """Return a replayed hand with all cards open, and what every decision of its play cost.

    ``solver``: one made for the same rules; ``budget``: nodes for each value. Raises ``Refused``
    for rules, states and records that the solver does not take on: only valid records have values.
    """
    verdict = replay.verdict
    if verdict is Verdict.INCOMPLETE and replay.findings:
        # Of a record that stops early its verdict does not tell what was wrong before.
        verdict = Verdict.IRREGULAR
    if verdict not in (Verdict.VALID, Verdict.INCOMPLETE):
        raise Refused(f"the record is {verdict}: only valid play has a value")
    rules = replay.rules
    solver = solver or Solver(rules)
    first, state = start_of_play(replay)
    steps = solver.hand(state, replay.actions[first : replay.played], budget=budget)
    steps = [each._replace(action=first + each.action) for each in steps]
    outcome, need = steps[-1].value, solver.need(state)
    score, no_score = score_or_why(state, rules, need)
    end = replay.state_at(len(replay.actions))
    change = _scored(score, outcome) if end.decided else None
    if change is not None and change != change_at_end(end, rules):
        score, no_score = None, refusals.STOPPED
    makers = side_of(rules, scoring.maker_of(state))
    decisions = tuple(
        _decision(replay, each, then.value, score, by_makers=side_of(rules, each.seat) == makers)
        for each, then in pairwise(steps)
    )
    unit: Literal["points", "tricks"] = "tricks" if state.solo >= 0 else "points"
    return OpenHand(unit, need, steps[0].value, outcome, decisions, score, no_score)


def _decision(
    replay: Replay, step: Step, after: Value, score: OpenScore | None, *, by_makers: bool
) -> Decision:
    rules, state, work = replay.rules, replay.state_at(step.action), replay.workspace
    kind, seat, showed = step.kind, step.seat, int(step.showed)
    cards, before = tuple(cards_in(step.cards)), step.value
    began = replay.state_at(earlier_moment(work, kind, seat, showed, step.action))
    # Once the trump lies open nothing is written into the copy.
    then, word = state if state.revealed else copy_state(state), ScannedAction()
    choices = choices_before(began, rules, kind, seat, showed, len(cards))
    choices += choices_at(state, then, word, rules, kind, seat, showed)
    loss_kind = None
    if choices > 1 and (_lost(before.exact, after.exact, by_makers=by_makers) or 0) > 0:
        last = cards[-1]
        found = kind_of_loss(state, rules, work.history, kind, seat, last, showed)
        loss_kind = LOSS_KINDS[found]
    score_loss = _lost(_scored(score, before), _scored(score, after), by_makers=by_makers)
    done = KINDS[kind], seat, by_makers, cards, step.showed, step.action, before, after
    return Decision(*done, max(1, state.trick), state.played, choices, score_loss, loss_kind)
