"""Figures of players against the field with the same cards: calls, bids and play, each by itself.

The field of a player is the mean of the other players' figures, each counting once: counted by
hands, whoever wins the most auctions would be what is usual. A game is one draw, and a
difference is named only after correction for all that the frame compares, and only from a size on
that matters at the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tricklog.ingest.metrics.field.holdings import Floats, Integers
from tricklog.ingest.metrics.field.judging import Judged, Study
from tricklog.ingest.metrics.field.reading import Hands
from tricklog.ingest.metrics.intervals import (
    FEWEST_GAMES_OF_AMOUNTS,
    Z_95,
    ByGame,
    Numbers,
    Sums,
    by_game,
    chance_of,
    pooled,
    student,
    variances,
)
from tricklog.ingest.metrics.naming import NAMED_AT, corrected_among
from tricklog.ingest.sql import toml_data
from tricklog.schemas.languages.messages import Message, message, message_of, say, say_counted
from tricklog.schemas.languages.numbers import MINUS, localised, number

if TYPE_CHECKING:
    import polars as pl

FIELD_GAMES: Final = 5
"""Games from which on a player is part of the field of the others."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something players are compared in."""

    name: str
    title: Message
    sentence: str
    unit: Message
    fewest: int
    """Cases of a player that a figure takes."""
    of_pack: float
    """The size that matters at one kind of table, as a share of the card points of the pack; of
    calls, as a share of them."""
    of_spread: float
    """The size that matters over several kinds of tables, in the unit of ``over_tables``."""
    above: tuple[Message, ...]
    """What a player does whose figure is above zero, at one kind of table and, where that is said
    otherwise, over several."""
    below: tuple[Message, ...]
    cases: Message


def _question(name: str, row: dict[str, Any]) -> Question:
    said = {each: Message(row[each]) for each in ("title", "unit", "cases")}
    apart = {each: tuple(map(Message, row[each])) for each in ("above", "below")}
    return Question(name=name, **row | said | apart)


QUESTIONS: Final = tuple(
    _question(name, row)
    for name, row in toml_data("tricklog.ingest.metrics.field", "questions.toml").items()
)
CALLS, BID, PLAY = QUESTIONS
QUESTION: Final = {each.name: each for each in QUESTIONS}
"""The questions by name."""


def player_figures(study: Study) -> pl.DataFrame:
    """Return how each player differs from the field at one kind of table.

    One row for each question and player with a case under the filters: ``question``, ``player``,
    ``value`` with its 95 % interval ``low`` to ``high``, in bids a call for ``calls`` and else in
    card points; ``n`` cases in ``games`` games; ``enough``, whether these reach 10 games and 30
    contracts or 100 calls, else value and interval are null; ``p``, the chance of so large a
    difference if there were none; ``adjusted``, the same after correction for all rows with one
    (Holm); ``size`` from which on a difference matters; and ``named``, whether ``adjusted`` is
    below 3 % and the value as large as that.

    Empty where there is no field, see ``Study.scope``; a player without others to compare with is
    left out.
    """
    points = study.hands.pack_points
    sizes = {each.name: each.of_pack * (1 if each is CALLS else points) for each in QUESTIONS}
    return _figures([study], sizes, spreads=False)


def figures_over_tables(studies: Sequence[Study]) -> pl.DataFrame:
    """Return how each player differs from the field at several kinds of tables together.

    Each contract is compared within its own kind of table. Columns as in ``player_figures``; the
    unit of ``bid`` and ``play`` is the standard deviation of single contracts about what the cards
    say, at that kind of table. Tables without a field are left out.
    """
    return _figures(studies, {each.name: each.of_spread for each in QUESTIONS}, spreads=True)


def words(row: Mapping[str, Any], *, over_tables: bool = False) -> str:
    """Return a row of the figures as what the player does, without their name.

    ``bids 2.6 points more than the field on the same cards (2.1 to 3.1)``; of a difference that is
    not named, its interval alone.
    """
    question = QUESTION[row["question"]]
    if not row["enough"]:
        return say(
            "has too few {cases}: {number} in {games}",
            cases=question.cases,
            number=number(row["n"]),
            games=say_counted("{count} game", "{count} games", row["games"]),
        )
    scale, digits = (100, 0) if question is CALLS else (1, 2 if over_tables else 1)
    low, high = scale * row["low"], scale * row["high"]
    if not row["named"]:
        signed = (f"{each:+z.{digits}f}".replace("-", MINUS) for each in (low, high))
        ends = dict(zip(("low", "high"), map(localised, signed), strict=True))
        return str(_no_difference(question, over_tables=over_tables, ends=ends))
    if row["value"] < 0:
        low, high = -high, -low
    templates = question.above if row["value"] > 0 else question.below
    template = templates[-1 if over_tables else 0]
    numbers = {"amount": scale * abs(row["value"]), "low": low, "high": high}
    said = {name: localised(f"{each:z.{digits}f}") for name, each in numbers.items()}
    return str(message_of(template.text, said))


def _no_difference(question: Question, *, over_tables: bool, ends: Mapping[str, str]) -> Message:
    if question is CALLS:
        return message(
            "shows no clear difference from the field ({low} to {high} in 100 free calls)", **ends
        )
    if over_tables:
        return message(
            "shows no clear difference from the field ({low} to {high} standard deviations)", **ends
        )
    return message("shows no clear difference from the field ({low} to {high} points)", **ends)


# --- One kind of table


@dataclass(frozen=True, slots=True)
class _Compared:
    """One question at one kind of table."""

    players: tuple[str, ...]
    games: ByGame
    """What the filters let through, by player."""
    field: Floats
    """By player: the mean of the others' figures."""
    field_variance: Floats
    scatter: float
    """Variance that a case adds to a sum, as the games of all show."""
    spread: float
    """Standard deviation of single cases, 1 where they need no unit."""


def _compare(question: Question, hands: Hands, judged: Judged) -> _Compared:
    contracts, calls = judged.contracts, judged.calls
    place, chosen, spread = contracts.place, contracts.chosen, 1.0
    if question is CALLS:
        place, chosen, residual = calls.place, calls.chosen, calls.is_bid - calls.rate
    else:
        residual = contracts.bid if question is BID else contracts.played
        spread = float(residual.std())
    everybody = _by_game(hands, place, residual).sums(len(hands.players))
    scatter = pooled(everybody)
    field, variance = _others(everybody, scatter)
    return _Compared(
        players=hands.players,
        games=_by_game(hands, place[chosen], residual[chosen]),
        field=field,
        field_variance=variance,
        scatter=scatter,
        spread=spread,
    )


def _by_game(hands: Hands, place: Integers, residual: Floats) -> ByGame:
    """Return sums by player and game; ``place`` is a sitting and a seat of it."""
    cells = hands.sitting_player.size
    w = np.bincount(place, minlength=cells).astype(float)
    y = np.bincount(place, weights=residual, minlength=cells).astype(float)
    used = np.flatnonzero(w)
    # A player who changes seats within a game is one player in one game.
    player = hands.sitting_player.reshape(-1)[used]
    return by_game(player, hands.sitting_game[used // hands.seats], y[used], w[used])


def _others(everybody: Sums, scatter: float) -> tuple[Floats, Floats]:
    """Return the mean of the others' figures, and its variance, for each player."""
    counts = everybody.games >= FIELD_GAMES
    of_each, _ = variances(everybody, np.full(len(counts), scatter))
    value = np.where(counts, everybody.ratio, 0.0)
    variance = np.where(counts, of_each, 0.0)
    others = counts.sum() - counts.astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (value.sum() - value) / others, (variance.sum() - variance) / others**2


# --- Several kinds of tables, or one


def _over(
    compared: Sequence[_Compared], *, spreads: bool
) -> tuple[tuple[str, ...], Sums, Numbers, Numbers]:
    """Put one question at several kinds of tables together, in units of each with ``spreads``.

    Returns players, their sums, and the variance of their own mean and the field's, with its
    degrees of freedom.
    """
    players = tuple(sorted({name for each in compared for name in each.players}))
    place = {name: number for number, name in enumerate(players)}
    parts, scattered = [], np.zeros(len(players))
    shifted: list[tuple[Floats, Floats, float]] = []
    for each in compared:
        unit = each.spread if spreads else 1.0
        at = np.array([place[name] for name in each.players], dtype=np.int64)
        games = each.games
        # Whoever has no others to be compared with is left out.
        known = np.isfinite(each.field)[games.group]
        group, w = games.group[known], games.w[known]
        # Nobody meets a game of one kind of table at another, so games need no common numbers.
        parts.append((at[group], (games.y[known] - each.field[group] * w) / unit, w))
        weight = np.bincount(at[group], weights=w, minlength=len(players)).astype(float)
        scattered += np.where(weight > 0, weight * each.scatter / unit**2, 0.0)
        field_variance = np.zeros(len(players))
        field_variance[at] = np.where(np.isfinite(each.field), each.field_variance, 0.0)
        shifted.append((weight, field_variance, unit))
    sums = ByGame(*map(np.concatenate, zip(*parts, strict=True))).sums(len(players))
    with np.errstate(divide="ignore", invalid="ignore"):
        variance, freedom = variances(sums, scattered / sums.w)
        variance += sum((w / sums.w) ** 2 * of_field / unit**2 for w, of_field, unit in shifted)
    return players, sums, variance, freedom


def _figures(
    studies: Sequence[Study], sizes: Mapping[str, float], *, spreads: bool
) -> pl.DataFrame:
    import polars as pl

    schema = {
        "question": pl.String,
        "player": pl.String,
        **dict.fromkeys(("value", "low", "high"), pl.Float64),
        **dict.fromkeys(("n", "games"), pl.Int64),
        "enough": pl.Boolean,
        **dict.fromkeys(("p", "size"), pl.Float64),
    }
    known = [(each.hands, each.judged) for each in studies if each.judged is not None]
    rows: list[tuple[Any, ...]] = []
    for question in QUESTIONS if known else ():
        found = _over([_compare(question, *each) for each in known], spreads=spreads)
        rows += _rows(question, sizes[question.name], *found)
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    adjusted = pl.Series("adjusted", corrected_among(frame["p"]), pl.Float64)
    named = (adjusted < NAMED_AT) & (frame["value"].abs() >= frame["size"])
    return frame.with_columns(adjusted, named=named.fill_null(value=False))


def _rows(
    question: Question,
    size: float,
    players: Sequence[str],
    sums: Sums,
    variance: Numbers,
    freedom: Numbers,
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of one question, but for what hangs on all of them."""
    enough = (sums.w >= question.fewest) & (sums.games >= FEWEST_GAMES_OF_AMOUNTS)
    enough &= np.isfinite(sums.ratio) & np.isfinite(variance)
    reach = student(freedom, Z_95) * np.sqrt(variance)
    for each in np.flatnonzero(sums.w).tolist():
        value, off = float(sums.ratio[each]), float(reach[each])
        ends: tuple[float | None, ...] = (None, None, None)
        chance = None
        if enough[each]:
            ends = (value, value - off, value + off)
            chance = chance_of(value, float(variance[each]), float(freedom[each]))
        counts = (int(sums.w[each]), int(sums.games[each]), bool(enough[each]))
        yield (question.name, players[each], *ends, *counts, chance, size)
