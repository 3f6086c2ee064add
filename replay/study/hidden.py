"""Second grade: what a choice was worth to somebody who could not see all cards.

For every legal choice: its mean value over worlds, deals that fit what the player knew
(``replay.study.worlds``), each played on with all cards open. All choices are tried in the same
worlds. Then, for a decision,

    open loss = judged loss + luck of where the cards lay

- **open loss**: what it cost with all cards open, as ``replay.open_cards`` says;
- **judged loss**: the mean value of the choice that looks best less that of the one made. Which
  looks best is found in one half of the worlds and valued in the other, and the other way round, so
  that it is not good because the worlds drawn happen to suit it. It may come out below 0, when the
  choice made is as good as any;
- **luck**: the rest. A card that only this lie of the cards made dear was unlucky.

Limits. In each world everybody plays on with all cards open, the player too. So they find out for
nothing what they would have to find out by play, and play that finds out, hides or shows something
gets no credit (strategy fusion). Worlds are not weighed by how others would have called and played
in them (non-locality). And what differs by less than twice its error may be chance.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, fields
from time import monotonic
from typing import Final, Literal

from replay.compiled.solving import UNLIMITED
from replay.engine.records import State
from replay.engine.rules import scoring
from replay.engine.rules.table import side_of
from replay.judging.replayer import Replay
from replay.open_cards import Choice, Refused, Solver, open_hand
from replay.open_cards.answers import Kind
from replay.study.knowledge import in_play, known_to
from replay.study.known import Known
from replay.study.sampling import error_of, reach
from replay.study.score import OpenScore
from replay.study.shares import TooMany
from replay.study.worlds import Worlds
from schemas.actions import Verb

Key = tuple[Kind, tuple[int, ...], bool]
"""A choice: what is done, with which cards, and whether the trump is shown first."""
Row = dict[Key, float]
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
    score_mean: float | None
    """Change of score, makers less others; ``None`` where points do not tell it."""


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

    @property
    def cost_nothing(self) -> tuple[HiddenChoice, ...]:
        """The choices with the highest mean for the player's side: mostly more than one."""
        sign = 1 if self.by_makers else -1
        top = max(sign * each.mean for each in self.choices)
        return tuple(each for each in self.choices if sign * each.mean >= top - 1e-9)


@dataclass(frozen=True, slots=True)
class Judged:
    """Values of choices in worlds, for the makers."""

    keys: tuple[Key, ...]
    points: tuple[tuple[float, ...], ...]
    """A row for each world, in it a value for each choice."""
    scores: tuple[tuple[float, ...], ...] | None
    """Change of score likewise; ``None`` where points do not tell it."""
    no_score: str | None
    by_makers: bool

    @property
    def best(self) -> Key:
        """The first choice with the highest mean for its side, in score where there is one."""
        rows = self.scores or self.points
        return self.keys[_best(rows, 1 if self.by_makers else -1, 0)]


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
    which no more is begun, which does not repeat exactly. Fewer worlds come out when one of these
    runs out. Raises ``Refused`` where the ways to share out cards are too many to count.
    """
    until = None if seconds is None else monotonic() + seconds
    points: list[Row] = []
    scores: list[Row] = []
    no_score = None
    by_makers = True
    thought = _worlds_of(known, chance)
    while len(points) < worlds and budget > 0 and (until is None or monotonic() < until):
        world = thought.draw()
        if world is None:
            break
        state = world.state
        choices = solver.choices(state, budget=budget)
        budget -= solver.place.nodes
        if not all(each.value.is_exact for each in choices):
            break
        by_makers = _is_makers(state, known)
        score, reason = _score_of(state, known, solver)
        no_score = no_score or reason
        points.append(_row(known, choices, None, by_makers=by_makers))
        if score is not None:
            scores.append(_row(known, choices, score, by_makers=by_makers))
    keys = tuple(key for key in points[0] if all(key in row for row in points)) if points else ()
    return Judged(
        keys,
        _rows(keys, points),
        _rows(keys, scores) if no_score is None else None,
        no_score,
        by_makers,
    )


def _worlds_of(known: Known, chance: random.Random) -> Worlds:
    try:
        return Worlds(known, chance)
    except TooMany:
        raise Refused("too much is known of single cards to count the deals that fit") from None


def _is_makers(state: State, known: Known) -> bool:
    maker = scoring.maker_of(state)
    return side_of(known.rules, maker) == side_of(known.rules, known.seat)


def _score_of(state: State, known: Known, solver: Solver) -> tuple[OpenScore | None, str | None]:
    """Return the score of a world by points, or why it has none."""
    try:
        return OpenScore(state, known.rules, solver.need(state)), None
    except Refused as refused:
        return None, str(refused)


def _row(
    known: Known, choices: Sequence[Choice], score: OpenScore | None, *, by_makers: bool
) -> Row:
    """Return the values of one world; after asking, the best one for who has asked."""
    row: Row = {}
    for each in choices:
        low = each.value.low
        value = float(low if score is None else score.change(low))
        key = key_of(known, each)
        if key in row:
            value = max(row[key], value) if by_makers else min(row[key], value)
        row[key] = value
    return row


def _rows(keys: Sequence[Key], rows: Sequence[Row]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row[key] for key in keys) for row in rows)


def key_of(known: Known, choice: Choice) -> Key:
    """Return what is chosen. Who has to see the trump first chooses a card after that."""
    unknown = choice.shows and known.trump is None
    return choice.kind, () if unknown else tuple(sorted(choice.cards)), choice.shows


def _best(rows: Sequence[Sequence[float]], sign: int, made: int) -> int:
    """Return the choice with the highest mean, the one made where it is as high as any."""
    means = [sign * sum(column) for column in zip(*rows, strict=True)]
    top = max(means)
    return made if means[made] >= top - 1e-9 else means.index(top)


def seed_of(known: Known) -> str:
    """Return a seed out of what a seat knows, and of nothing else."""
    told = [known.ruleset.hash]
    told += [repr(getattr(known, item.name)) for item in fields(known) if item.name not in _RECORDS]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def grade(
    replay: Replay,
    action: int,
    *,
    worlds: int = WORLDS,
    budget: int = UNLIMITED,
    seconds: float | None = None,
    seed: str | None = None,
    solver: Solver | None = None,
) -> HiddenGrade | None:
    """Return the grade of a recorded decision; ``None`` where there was nothing to choose.

    ``action``: index of the play, or of the last action that put surplus down. ``worlds``,
    ``budget`` and ``seconds`` as in ``judge``; ``seed`` by default comes from what the player knew,
    so the same decision gets the same grade. Raises ``Refused`` as ``open_hand`` and ``known_to``
    do, and where fewer than ``LEAST`` worlds came out.
    """
    solver = solver or Solver(replay.rules)
    start, choices = _moment(replay, action, solver)
    if len(choices) < LEAST:
        return None
    seat = replay.actions[action].seat
    known = known_to(replay, start, seat)
    chance = random.Random(seed_of(known) if seed is None else seed)
    judged = judge(known, solver, chance, worlds=worlds, budget=budget, seconds=seconds)
    if len(judged.points) < LEAST:
        raise Refused("the budget is too small, or too few deals fit what the player knew")
    truth = in_play(replay, start)
    made = judged.keys.index(_made(replay, start, action, known, choices))
    score, reason = _score_of(truth, known, solver)
    no_score = judged.no_score or reason
    loss = _loss(judged, judged.points, made, _row_of(known, choices, None, judged))
    score_loss = None
    if judged.scores is not None and score is not None:
        score_loss = _loss(judged, judged.scores, made, _row_of(known, choices, score, judged))
    return HiddenGrade(
        action,
        seat,
        judged.by_makers,
        "tricks" if truth.solo >= 0 else "points",
        worlds,
        len(judged.points),
        _means(judged),
        made,
        loss,
        score_loss,
        no_score,
    )


def hand_grades(
    replay: Replay,
    *,
    worlds: int = WORLDS,
    budget: int = UNLIMITED,
    seconds: float | None = None,
    solver: Solver | None = None,
) -> tuple[HiddenGrade, ...]:
    """Return the grades of all decisions of a hand that left something to choose, in order.

    Arguments as in ``grade``; ``budget`` and ``seconds`` are for each of them. A pair that was not
    declared is none of them. Raises ``Refused`` as ``grade`` does.
    """
    solver = solver or Solver(replay.rules)
    graded = (
        grade(replay, each.action, worlds=worlds, budget=budget, seconds=seconds, solver=solver)
        for each in open_hand(replay, solver).decisions
        if each.kind != "silence"
    )
    return tuple(each for each in graded if each is not None)


def _moment(replay: Replay, action: int, solver: Solver) -> tuple[int, tuple[Choice, ...]]:
    """Return the index at which a decision begins, and what could be chosen there.

    It begins before the trump is shown where that was a choice, and with the first surplus card.
    """
    done = replay.actions[action]
    if done.verb not in (Verb.PLAY, Verb.BURY):
        raise Refused("cards played and surplus put down are graded, and nothing else")
    start = action
    while start and _is_part(replay, start - 1, done.seat, done.verb):
        start -= 1
    choices = solver.choices(in_play(replay, start))
    if start < action and done.verb == Verb.PLAY and not any(each.shows for each in choices):
        return action, solver.choices(in_play(replay, action))
    return start, choices


def _is_part(replay: Replay, index: int, seat: int, verb: int) -> bool:
    before = replay.actions[index]
    if verb == Verb.BURY:
        return before.verb == Verb.BURY and before.seat == seat
    if before.verb == Verb.ASK:
        return before.seat == seat
    asked = index > 0 and replay.actions[index - 1].verb == Verb.ASK
    return before.verb == Verb.REVEAL and (before.seat == seat or asked)


def _made(replay: Replay, start: int, action: int, known: Known, choices: Sequence[Choice]) -> Key:
    """Return the choice that was made."""
    parts = replay.actions[start : action + 1]
    done = parts[-1]
    cards = 0
    for each in parts:
        cards |= each.cards if each.verb == done.verb else 0
    shown = any(each.verb in (Verb.ASK, Verb.REVEAL) for each in parts)
    for choice in choices:
        if sum(1 << card for card in choice.cards) == cards and choice.shows == shown:
            return key_of(known, choice)
    raise Refused("there are more sets of surplus cards than are valued, and this is none of them")


def _row_of(
    known: Known, choices: Sequence[Choice], score: OpenScore | None, judged: Judged
) -> list[float]:
    row = _row(known, choices, score, by_makers=judged.by_makers)
    return [row[key] for key in judged.keys]


def _loss(
    judged: Judged, rows: Sequence[Sequence[float]], made: int, truth: Sequence[float]
) -> HiddenLoss:
    """Return what a choice cost: what looks best in half of the worlds is valued in the others."""
    sign = 1 if judged.by_makers else -1
    halves = rows[::2], rows[1::2]
    lost: list[float] = []
    for chosen_in, valued_in in (halves, halves[::-1]):
        best = _best(chosen_in, sign, made)
        lost += [sign * (row[best] - row[made]) for row in valued_in]
    mean, error = _mean_and_error(lost)
    return HiddenLoss(round(max(sign * each for each in truth) - sign * truth[made]), mean, error)


def _means(judged: Judged) -> tuple[HiddenChoice, ...]:
    choices = []
    for at, (kind, cards, shows) in enumerate(judged.keys):
        mean, error = _mean_and_error([row[at] for row in judged.points])
        scored = None
        if judged.scores is not None:
            scored = _mean_and_error([row[at] for row in judged.scores])[0]
        choices.append(HiddenChoice(kind, cards, shows, mean, error, scored))
    return tuple(choices)


def _mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of two values or more, and its standard error."""
    return sum(values) / len(values), error_of(values)
