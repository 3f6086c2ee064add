"""Figures of players against the field with the same cards: calls, bids and play, each by itself.

The field of a player is the mean of the other players' figures, each counting once: counted by
hands, whoever wins the most auctions would be what is usual. A game is one draw, and a
difference is named only after correction for all that the frame compares, and only from a size on
that matters at the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from tricklog.ingest.metrics import intervals
from tricklog.ingest.metrics.field.holdings import Floats, Integers
from tricklog.ingest.metrics.field.judging import Judged, Study
from tricklog.ingest.metrics.field.reading import Hands
from tricklog.ingest.metrics.intervals import FEWEST_GAMES_OF_AMOUNTS, ByGame, Numbers, Sums
from tricklog.ingest.metrics.naming import NAMED_AT, corrected_among
from tricklog.ingest.sql import toml_data
from tricklog.schemas.languages.messages import Message, message_of, say, say_counted
from tricklog.schemas.languages.numbers import MINUS, localised, number

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
    alike: tuple[Message, ...]
    """What is said, likewise, of a difference that is not named."""
    cases: Message


def _question(name: str, row: dict[str, Any]) -> Question:
    said = {each: Message(row[each]) for each in ("title", "unit", "cases")}
    apart = {each: tuple(map(Message, row[each])) for each in ("above", "below", "alike")}
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
    numbers = {name: scale * row[name] for name in ("low", "high")}
    templates, sign = question.alike, "+"
    if row["named"]:
        templates, sign = question.above, ""
        numbers["amount"] = scale * abs(row["value"])
        if row["value"] < 0:
            templates = question.below
            numbers |= {"low": -numbers["high"], "high": -numbers["low"]}
    said = {
        name: localised(f"{each:{sign}z.{digits}f}".replace("-", MINUS))
        for name, each in numbers.items()
    }
    return str(message_of(templates[-1 if over_tables else 0].text, said))


def _figures(
    studies: Sequence[Study], sizes: Mapping[str, float], *, spreads: bool
) -> pl.DataFrame:
    """Return the figures of studies, in units of the spread of each with ``spreads``."""
    names = ("question", "player", "value", "low", "high", "n", "games", "enough", "p", "size")
    kinds = {"question": pl.String, "player": pl.String, "enough": pl.Boolean}
    kinds |= dict.fromkeys(("n", "games"), pl.Int64)
    schema = {name: kinds.get(name, pl.Float64) for name in names}
    known = [(each.hands, each.judged) for each in studies if each.judged is not None]
    rows: list[tuple[Any, ...]] = []
    for question in QUESTIONS if known else ():
        players, sums, variance, freedom = _over(question, known, spreads=spreads)
        enough = (sums.w >= question.fewest) & (sums.games >= FEWEST_GAMES_OF_AMOUNTS)
        enough &= np.isfinite(sums.ratio) & np.isfinite(variance)
        reach = intervals.student(freedom, intervals.Z_95) * np.sqrt(variance)
        for each in np.flatnonzero(sums.w).tolist():
            told: tuple[float | None, ...] = (None, None, None)
            chance = None
            if enough[each]:
                value, off = float(sums.ratio[each]), float(reach[each])
                told = (value, value - off, value + off)
                chance = intervals.chance_of(value, float(variance[each]), float(freedom[each]))
            counts = (int(sums.w[each]), int(sums.games[each]), bool(enough[each]))
            size = sizes[question.name]
            rows.append((question.name, players[each], *told, *counts, chance, size))
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    adjusted = pl.Series("adjusted", corrected_among(frame["p"]), pl.Float64)
    named = (adjusted < NAMED_AT) & (frame["value"].abs() >= frame["size"])
    return frame.with_columns(adjusted, named=named.fill_null(value=False))


def _over(
    question: Question, tables: Sequence[tuple[Hands, Judged]], *, spreads: bool
) -> tuple[list[str], Sums, Numbers, Numbers]:
    """Put one question at several kinds of tables together, in units of each with ``spreads``.

    Returns players, their sums, and the variance of their own mean and the field's, with its
    degrees of freedom.
    """
    players = sorted({name for hands, _ in tables for name in hands.players})
    place = {name: number for number, name in enumerate(players)}
    parts, scattered = [], np.zeros(len(players))
    shifted: list[Floats] = []
    for hands, judged in tables:
        cases, unit = judged.contracts, 1.0
        if question is CALLS:
            calls = judged.calls
            at_seat, chosen, residual = calls.place, calls.chosen, calls.is_bid - calls.rate
        else:
            at_seat, chosen = cases.place, cases.chosen
            residual = cases.bid if question is BID else cases.played
            unit = float(residual.std()) if spreads else 1.0
        everybody = _by_game(hands, at_seat, residual).sums(len(hands.players))
        scatter = intervals.pooled(everybody)
        field, field_variance = _others(everybody, scatter)
        games = _by_game(hands, at_seat[chosen], residual[chosen])
        at = np.array([place[name] for name in hands.players], dtype=np.int64)
        # Whoever has no others to be compared with is left out.
        compared = np.isfinite(field)
        known = compared[games.group]
        group, w = games.group[known], games.w[known]
        # Nobody meets a game of one kind of table at another, so games need no common numbers.
        parts.append((at[group], (games.y[known] - field[group] * w) / unit, w))
        weight = np.bincount(at[group], w, len(players))
        scattered += np.where(weight > 0, weight * scatter / unit**2, 0.0)
        of_field = np.zeros(len(players))
        of_field[at] = np.where(compared, field_variance, 0.0)
        shifted.append(weight**2 * of_field / unit**2)
    sums = ByGame(*map(np.concatenate, zip(*parts, strict=True))).sums(len(players))
    with np.errstate(divide="ignore", invalid="ignore"):
        variance, freedom = intervals.variances(sums, scattered / sums.w)
        return players, sums, variance + sum(shifted) / sums.w**2, freedom


def _by_game(hands: Hands, place: Integers, residual: Floats) -> ByGame:
    """Return sums by player and game; ``place`` is a sitting and a seat of it."""
    cells = hands.sitting_player.size
    w, y = np.bincount(place, minlength=cells), np.bincount(place, residual, cells)
    used = np.flatnonzero(w)
    # A player who changes seats within a game is one player in one game.
    player, game = hands.sitting_player.reshape(-1)[used], hands.sitting_game[used // hands.seats]
    return intervals.by_game(player, game, y[used].astype(float), w[used].astype(float))


def _others(everybody: Sums, scatter: float) -> tuple[Floats, Floats]:
    """Return the mean of the others' figures, and its variance, for each player."""
    counts = everybody.games >= FIELD_GAMES
    of_each, _ = intervals.variances(everybody, np.full(len(counts), scatter))
    value, variance = np.where(counts, [everybody.ratio, of_each], 0.0)
    others = counts.sum() - counts.astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (value.sum() - value) / others, (variance.sum() - variance) / others**2
