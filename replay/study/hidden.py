"""Second grade: what a choice was worth to somebody who could not see all cards.

For every legal choice: its mean value over worlds (``tricklog.core.study.worlds``), the same for
all, each played on with all cards open. Then open loss = judged loss + luck of where the cards lay;
the judged loss is what the choice that looks best is worth more. Which looks best is found in one
half of the worlds and valued in the other, and the other way round, so it may come out below 0.
"""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, fields
from time import monotonic
from typing import Final, Literal

from tricklog.core.compiled.solving import UNLIMITED
from tricklog.core.compiled.study_lines import earlier_moment
from tricklog.core.engine.records import union
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.replayer import Replay
from tricklog.core.solver.answer import CARD, SURPLUS
from tricklog.core.study.knowledge import Known, in_play, known_to
from tricklog.core.study.open_cards import Choice, Kind, Solver, open_hand
from tricklog.core.study.refusals import OpenScore, Refused, score_or_why
from tricklog.core.study.sampling import error_of, reach
from tricklog.core.study.shares import TooMany
from tricklog.core.study.worlds import Worlds
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import mask_of

Key = tuple[Kind, tuple[int, ...], bool]
"""A choice: what is done, with which cards, and whether the trump is shown first."""
Row = dict[Key, int]
WORLDS: Final = 20
"""Worlds for every choice of a hand; for a sentence about one card take 50 or more."""
LEAST: Final = 2
"""Fewer worlds, or choices, say nothing."""
_RECORDS: Final = ("ruleset", "rules")


@dataclass(frozen=True, slots=True)
class HiddenChoice:
    """What a choice is worth on the average of all worlds."""

    kind: Kind
    cards: tuple[int, ...]
    """None where the player first asks for a trump they do not know, and chooses then."""
    shows: bool
    mean: float
    """What the makers take: points, with a hand alone tricks."""
    error: float
    """Standard error of the mean."""


@dataclass(frozen=True, slots=True)
class HiddenLoss:
    """What a decision cost its side: ``open`` = ``judged`` + ``luck``."""

    open: int
    """With all cards open."""
    judged: float
    """As far as its player could know."""
    error: float
    """Standard error of ``judged``, and so of ``luck``."""

    @property
    def luck(self) -> float:
        """What the lie of the cards cost."""
        return self.open - self.judged


@dataclass(frozen=True, slots=True)
class HiddenGrade:
    """A decision as its player could judge it."""

    action: int
    seat: int
    by_makers: bool
    unit: Literal["points", "tricks"]
    asked: int
    """Worlds asked for."""
    worlds: int
    """Worlds there are: fewer where the budget ran out, or no more were found."""
    choices: tuple[HiddenChoice, ...]
    made: int
    """Which of ``choices`` was made."""
    loss: HiddenLoss
    """In ``unit``."""
    score_loss: HiddenLoss | None
    """In score; ``None`` where points do not tell it."""
    no_score: str | None
    """Why there is none, a sentence without a full stop."""

    @property
    def loss_reach(self) -> float:
        """How far the judged loss may be off either way, in 95 of 100 cases."""
        return reach(self.loss.error, self.worlds)

    @property
    def widest_reach(self) -> float:
        """How far the mean of a choice may be off at the most."""
        return reach(max(each.error for each in self.choices), self.worlds)


@dataclass(frozen=True, slots=True)
class Judged:
    """Values of choices in worlds, for the makers."""

    keys: tuple[Key, ...]
    points: tuple[tuple[int, ...], ...]
    """A row for each world, in it a value for each choice."""
    scores: tuple[tuple[int, ...], ...] | None
    """Change of score likewise; ``None`` where points do not tell it."""
    no_score: str | None
    by_makers: bool


def judge(
    known: Known,
    solver: Solver,
    chance: random.Random,
    *,
    worlds: int = WORLDS,
    budget: int = UNLIMITED,
    seconds: float | None = None,
) -> Judged:
    """Return what every choice of the seat to act is worth in worlds it can think of.

    ``worlds``: how many at the most; ``budget``: nodes for all of them together; ``seconds``: after
    which no more is begun. Raises ``Refused`` where the ways to share out cards are too many.
    """
    until = None if seconds is None else monotonic() + seconds
    rows: list[Row] = []
    scores: list[OpenScore] = []
    no_score = None
    by_makers = True
    try:
        thought = Worlds(known, chance)
    except TooMany:
        raise Refused("too much is known of single cards to count the deals that fit") from None
    while len(rows) < worlds and budget > 0 and (until is None or monotonic() < until):
        world = thought.draw()
        if world is None:
            break
        state, rules = world.state, known.rules
        choices = solver.choices(state, budget=budget)
        budget -= solver.place.nodes
        if not all(each.value.is_exact for each in choices):
            break
        by_makers = side_of(rules, scoring.maker_of(state)) == side_of(rules, known.seat)
        score, reason = score_or_why(state, rules, solver.need(state))
        no_score = no_score or reason
        rows.append(_row(known, choices, by_makers=by_makers))
        scores += [score] if score else []
    keys = tuple(key for key in rows[0] if all(key in row for row in rows)) if rows else ()
    points = tuple(tuple(row[key] for key in keys) for row in rows)
    pairs = zip(points, scores, strict=True)
    scored = None if no_score else tuple(tuple(map(score.change, row)) for row, score in pairs)
    return Judged(keys, points, scored, no_score, by_makers)


def _row(known: Known, choices: Sequence[Choice], *, by_makers: bool) -> Row:
    """Return the values of one world; after asking, the best one for who has asked."""
    row: Row = {}
    best = max if by_makers else min
    for each in choices:
        key, value = key_of(known, each), each.value.low
        row[key] = best(row.get(key, value), value)
    return row


def key_of(known: Known, choice: Choice) -> Key:
    """Return what is chosen. Who has to see the trump first chooses a card after that."""
    unknown = choice.shows and known.trump is None
    return choice.kind, () if unknown else tuple(sorted(choice.cards)), choice.shows


def _best(rows: Sequence[Sequence[int]], sign: int, made: int) -> int:
    """Return the choice with the highest mean, the one made where it is as high as any."""
    means = [sign * sum(column) for column in zip(*rows, strict=True)]
    top = max(means)
    return made if means[made] == top else means.index(top)


def grade(
    replay: Replay,
    action: int,
    *,
    worlds: int = WORLDS,
    budget: int = UNLIMITED,
    seconds: float | None = None,
    solver: Solver | None = None,
) -> HiddenGrade | None:
    """Return the grade of a recorded decision; ``None`` where there was nothing to choose.

    ``action``: index of the play, or of the last action that put surplus down; the other arguments
    as in ``judge``. What the player knew gives the seed. Raises ``Refused`` as ``open_hand`` and
    ``known_to`` do, and where fewer than ``LEAST`` worlds came out.
    """
    solver = solver or Solver(replay.rules)
    start, choices = _moment(replay, action, solver)
    if len(choices) < LEAST:
        return None
    seat = replay.actions[action].seat
    known = known_to(replay, start, seat)
    # The seed is made of what the seat knows, and of nothing else.
    told = [known.ruleset.hash]
    told += [repr(getattr(known, item.name)) for item in fields(known) if item.name not in _RECORDS]
    chance = random.Random(hashlib.sha256("\n".join(told).encode()).hexdigest())
    judged = judge(known, solver, chance, worlds=worlds, budget=budget, seconds=seconds)
    if len(judged.points) < LEAST:
        raise Refused("the budget is too small, or too few deals fit what the player knew")
    truth = in_play(replay, start)
    made = judged.keys.index(_made(replay, start, action, known, choices))
    row = _row(known, choices, by_makers=judged.by_makers)
    values = [row[key] for key in judged.keys]
    columns = zip(judged.keys, zip(*judged.points, strict=True), strict=True)
    score, reason = score_or_why(truth, known.rules, solver.need(truth))
    score_loss = None
    if judged.scores is not None and score is not None:
        score_loss = _loss(judged, judged.scores, made, [*map(score.change, values)])
    unit: Literal["points", "tricks"] = "tricks" if truth.solo >= 0 else "points"
    means = tuple(HiddenChoice(*key, *_mean_and_error(each)) for key, each in columns)
    asked = action, seat, judged.by_makers, unit, worlds, len(judged.points)
    loss = _loss(judged, judged.points, made, values)
    return HiddenGrade(*asked, means, made, loss, score_loss, judged.no_score or reason)


def hand_grades(
    replay: Replay, *, worlds: int = WORLDS, solver: Solver | None = None
) -> tuple[HiddenGrade, ...]:
    """Return the grades of all decisions of a hand that left something to choose, in order.

    Arguments and errors as in ``grade``. A pair that was not declared is none of them.
    """
    solver = solver or Solver(replay.rules)
    moves = (each.action for each in open_hand(replay, solver).decisions if each.kind != "silence")
    graded = (grade(replay, action, worlds=worlds, solver=solver) for action in moves)
    return tuple(each for each in graded if each is not None)


def _moment(replay: Replay, action: int, solver: Solver) -> tuple[int, tuple[Choice, ...]]:
    """Return where a decision begins: with its showing or its first surplus, and its choices."""
    done = replay.actions[action]
    if done.verb not in (Verb.PLAY, Verb.BURY):
        raise Refused("cards played and surplus put down are graded, and nothing else")
    kind = SURPLUS if done.verb == Verb.BURY else CARD
    start = earlier_moment(replay.workspace, kind, done.seat, 1, action)
    choices = solver.choices(in_play(replay, start))
    if start < action and kind == CARD and not any(each.shows for each in choices):
        return action, solver.choices(in_play(replay, action))
    return start, choices


def _made(replay: Replay, start: int, action: int, known: Known, choices: Sequence[Choice]) -> Key:
    parts = replay.actions[start : action + 1]
    cards = union(each.cards for each in parts if each.verb == parts[-1].verb)
    shown = any(each.verb in (Verb.ASK, Verb.REVEAL) for each in parts)
    for choice in choices:
        if mask_of(choice.cards) == cards and choice.shows == shown:
            return key_of(known, choice)
    raise Refused("there are more sets of surplus cards than are valued, and this is none of them")


def _loss(
    judged: Judged, rows: Sequence[Sequence[int]], made: int, truth: Sequence[int]
) -> HiddenLoss:
    """Return what a choice cost: what looks best in half of the worlds is valued in the others."""
    sign = 1 if judged.by_makers else -1
    halves = rows[::2], rows[1::2]
    lost: list[int] = []
    for chosen_in, valued_in in (halves, halves[::-1]):
        best = _best(chosen_in, sign, made)
        lost += [sign * (row[best] - row[made]) for row in valued_in]
    mean, error = _mean_and_error(lost)
    return HiddenLoss(max(sign * each for each in truth) - sign * truth[made], mean, error)


def _mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    return sum(values) / len(values), error_of(values)
