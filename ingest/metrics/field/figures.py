"""Figures of players against the field with the same cards: calls, bids and play, each by itself.

The field of a player is the mean of the other players' figures, each counting once: counted by
hands, whoever wins the most auctions would be what is usual. A game is one draw, and a
difference is named only after correction for all that the frame compares, and only from a size on
that matters at the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ingest.metrics.field.holdings import Flags, Floats, Integers
from ingest.metrics.field.intervals import (
    FEWEST_CONTRACTS,
    FEWEST_GAMES,
    HOLM,
    Means,
    Tallies,
    chance_of,
    holm,
    means_of,
    scatter_of,
    student,
    tallied,
)
from ingest.metrics.field.judging import Judged, Study
from ingest.metrics.field.reading import Hands
from schemas.languages.messages import Message, message, message_of, say, say_counted
from schemas.languages.numbers import MINUS, localised, number

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
    above: tuple[Message, Message]
    """What a player does whose figure is above zero, at one kind of table and over several."""
    below: tuple[Message, Message]
    cases: Message


_CALLS_MORE: Final = message(
    "bids in {amount} more of 100 free calls than the field with the same cards and price ({low} "
    "to {high})"
)
_CALLS_FEWER: Final = message(
    "bids in {amount} fewer of 100 free calls than the field with the same cards and price ({low} "
    "to {high})"
)
CALLS: Final = Question(
    name="calls",
    title=message("Bids in free calls"),
    sentence=(
        "How much more often than the field the player bids in free calls, with the same cards, "
        "the same price and the same side holding the bid."
    ),
    unit=message("bids a free call"),
    fewest=100,
    of_pack=0.1,
    of_spread=0.1,
    above=(_CALLS_MORE, _CALLS_MORE),
    below=(_CALLS_FEWER, _CALLS_FEWER),
    cases=message("free calls"),
)
BID: Final = Question(
    name="bid",
    title=message("Bid on the same cards"),
    sentence="Points the player bids above what the field bids with the same cards.",
    unit=message("card points a contract"),
    fewest=FEWEST_CONTRACTS,
    of_pack=0.02,
    of_spread=0.2,
    above=(
        message("bids {amount} points more than the field on the same cards ({low} to {high})"),
        message(
            "bids {amount} standard deviations more than the field on the same cards ({low} to "
            "{high})"
        ),
    ),
    below=(
        message("bids {amount} points less than the field on the same cards ({low} to {high})"),
        message(
            "bids {amount} standard deviations less than the field on the same cards ({low} to "
            "{high})"
        ),
    ),
    cases=message("contracts"),
)
PLAY: Final = Question(
    name="play",
    title=message("Points taken with the same cards"),
    sentence=(
        "Points the player takes as maker above what the field takes with the same cards and the "
        "same bid."
    ),
    unit=message("card points a contract"),
    fewest=FEWEST_CONTRACTS,
    of_pack=0.02,
    of_spread=0.2,
    above=(
        message(
            "takes {amount} points more than the field with the same cards and bid ({low} to "
            "{high})"
        ),
        message(
            "takes {amount} standard deviations more than the field with the same cards and bid "
            "({low} to {high})"
        ),
    ),
    below=(
        message(
            "takes {amount} points fewer than the field with the same cards and bid ({low} to "
            "{high})"
        ),
        message(
            "takes {amount} standard deviations fewer than the field with the same cards and bid "
            "({low} to {high})"
        ),
    ),
    cases=message("contracts"),
)
QUESTIONS: Final = (CALLS, BID, PLAY)
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
    return _frame(
        [(question, _over([compared], spreads=False)) for question, compared in _compared([study])],
        {each.name: _size(each, study) for each in QUESTIONS},
    )


def figures_over_tables(studies: Sequence[Study]) -> pl.DataFrame:
    """Return how each player differs from the field at several kinds of tables together.

    Each contract is compared within its own kind of table. Columns as in ``player_figures``; the
    unit of ``bid`` and ``play`` is the standard deviation of single contracts about what the cards
    say, at that kind of table. Tables without a field are left out.
    """
    by_question: dict[str, list[_Compared]] = {each.name: [] for each in QUESTIONS}
    for question, compared in _compared(studies):
        by_question[question.name].append(compared)
    return _frame(
        [
            (question, _over(by_question[question.name], spreads=True))
            for question in QUESTIONS
            if by_question[question.name]
        ],
        {each.name: each.of_spread for each in QUESTIONS},
    )


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
    template = (question.above if row["value"] > 0 else question.below)[over_tables]
    numbers = {"amount": scale * abs(row["value"]), "low": low, "high": high}
    return str(
        message_of(template.text, {name: _plain(each, digits) for name, each in numbers.items()})
    )


def _plain(value: float, digits: int) -> str:
    return localised(f"{value:z.{digits}f}")


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
    tallies: Tallies
    """What the filters let through."""
    field: Floats
    """By player: the mean of the others' figures."""
    field_variance: Floats
    scatter: float
    """Variance that a case adds to a sum, as the games of all show."""
    spread: float
    """Standard deviation of single cases, 1 where they need no unit."""


def _compared(studies: Sequence[Study]) -> list[tuple[Question, _Compared]]:
    found = []
    for study in studies:
        if study.judged is None:
            continue
        for question in QUESTIONS:
            place, chosen, residual = _cases(question, study.judged)
            spread = 1.0 if question is CALLS else float(residual.std())
            found.append((question, _compare(study.hands, place, chosen, residual, spread)))
    return found


def _cases(question: Question, judged: Judged) -> tuple[Integers, Flags, Floats]:
    """Return sitting and seat of each case, whether it is chosen, and what the cards leave open."""
    contracts, calls = judged.contracts, judged.calls
    if question is CALLS:
        return calls.place, calls.chosen, calls.is_bid - calls.rate
    return contracts.place, contracts.chosen, contracts.bid if question is BID else contracts.played


def _compare(
    hands: Hands, place: Integers, chosen: Flags, residual: Floats, spread: float
) -> _Compared:
    tallies = _tallies_of(hands, place, residual)
    scatter = scatter_of(tallies, len(hands.players))
    everybody = means_of(tallies, len(hands.players), scatter)
    field, variance = _others(everybody)
    return _Compared(
        players=hands.players,
        tallies=_tallies_of(hands, place[chosen], residual[chosen]),
        field=field,
        field_variance=variance,
        scatter=scatter,
        spread=spread,
    )


def _tallies_of(hands: Hands, place: Integers, residual: Floats) -> Tallies:
    """Return sums by player and game; ``place`` is a sitting and a seat of it."""
    cells = hands.sitting_player.size
    w = np.bincount(place, minlength=cells).astype(float)
    y = np.bincount(place, weights=residual, minlength=cells).astype(float)
    used = np.flatnonzero(w)
    # A player who changes seats within a game is one player in one game.
    player = hands.sitting_player.reshape(-1)[used]
    return tallied(player, hands.sitting_game[used // hands.seats], y[used], w[used])


def _others(everybody: Means) -> tuple[Floats, Floats]:
    """Return the mean of the others' figures, and its variance, for each player."""
    counts = everybody.games >= FIELD_GAMES
    value = np.where(counts, everybody.value, 0.0)
    variance = np.where(counts, everybody.variance, 0.0)
    others = counts.sum() - counts.astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (value.sum() - value) / others, (variance.sum() - variance) / others**2


# --- Several kinds of tables, or one


@dataclass(frozen=True, slots=True)
class _Difference:
    """How players differ from the field, an entry for each."""

    players: tuple[str, ...]
    means: Means
    variance: Floats
    """Of their own value and of the field's."""


def _over(compared: Sequence[_Compared], *, spreads: bool) -> _Difference:
    """Put one question at several kinds of tables together, in units of each with ``spreads``."""
    players = tuple(sorted({name for each in compared for name in each.players}))
    place = {name: number for number, name in enumerate(players)}
    parts, scattered = [], np.zeros(len(players))
    shifted: list[tuple[Floats, Floats, float]] = []
    for each in compared:
        unit = each.spread if spreads else 1.0
        # Whoever has no others to be compared with is left out.
        tallies = each.tallies.only(np.isfinite(each.field)[each.tallies.player])
        at = np.array([place[name] for name in each.players], dtype=np.int64)
        player = at[tallies.player]
        y = (tallies.y - each.field[tallies.player] * tallies.w) / unit
        # Nobody meets a game of one kind of table at another, so games need no common numbers.
        parts.append(replace(tallies, player=player, y=y))
        w = np.bincount(player, weights=tallies.w, minlength=len(players)).astype(float)
        scattered += np.where(w > 0, w * each.scatter / unit**2, 0.0)
        field_variance = np.zeros(len(players))
        field_variance[at] = np.where(np.isfinite(each.field), each.field_variance, 0.0)
        shifted.append((w, field_variance, unit))
    tallies = Tallies(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("player", "game", "y", "w")
        )
    )
    total = np.bincount(tallies.player, weights=tallies.w, minlength=len(players))
    with np.errstate(divide="ignore", invalid="ignore"):
        means = means_of(tallies, len(players), scattered / total)
        variance = means.variance + sum(
            (w / total) ** 2 * field_variance / unit**2 for w, field_variance, unit in shifted
        )
    return _Difference(players, means, variance)


def _size(question: Question, study: Study) -> float:
    return question.of_pack * (1 if question is CALLS else study.hands.pack_points)


def _frame(
    found: Sequence[tuple[Question, _Difference]], sizes: Mapping[str, float]
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
    frames = [_rows(question, difference, sizes[question.name]) for question, difference in found]
    frame = pl.concat(
        [pl.DataFrame(rows, schema=schema) for rows in frames] or [pl.DataFrame(schema=schema)]
    )
    adjusted = holm(frame["p"].to_numpy())
    return frame.with_columns(adjusted=pl.Series(adjusted, dtype=pl.Float64)).with_columns(
        pl.col("p", "adjusted").fill_nan(None),
        named=(pl.col("adjusted") < HOLM).fill_null(value=False)
        & (pl.col("value").abs() >= pl.col("size")).fill_null(value=False),
    )


def _rows(question: Question, difference: _Difference, size: float) -> dict[str, Any]:
    means = difference.means
    enough = (means.n >= question.fewest) & (means.games >= FEWEST_GAMES)
    enough &= np.isfinite(means.value) & np.isfinite(difference.variance)
    error = np.sqrt(np.where(enough, difference.variance, np.nan))
    value = np.where(enough, means.value, np.nan)
    margin = student(means.df) * error
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error > 0, value / error, np.where(value == 0, 0.0, np.inf))
    p = np.where(enough, chance_of(np.abs(t), means.df), np.nan)
    listed = np.flatnonzero(means.n > 0)

    def shown(numbers: Floats) -> list[float | None]:
        return [float(each) if np.isfinite(each) else None for each in numbers[listed]]

    return {
        "question": [question.name] * len(listed),
        "player": [difference.players[each] for each in listed],
        "value": shown(value),
        "low": shown(value - margin),
        "high": shown(value + margin),
        "n": means.n[listed].tolist(),
        "games": means.games[listed].tolist(),
        "enough": enough[listed].tolist(),
        "p": shown(p),
        "size": [size] * len(listed),
    }
