"""The answer to where fives go, in sentences: how many are lost, on whose lead, and by whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import fives
from tricklog.ingest.metrics.figure_words import between_text
from tricklog.schemas.languages.messages import say, say_counted
from tricklog.schemas.languages.numbers import number

MOST_NAMED: Final = 3


def sentence(where: pl.DataFrame, losers: pl.DataFrame, names: Mapping[str, str]) -> str:
    """Return the answer in markdown, from the frames of ``tricklog.ingest.metrics.fives``.

    ``names`` are those of players. People are told only where they are named among all.
    """
    rows = {(row["part"], row["of"]): row for row in where.iter_rows(named=True)}
    whole = rows.get((fives.ALL, fives.ALL))
    if whole is None or not whole["enough"]:
        of = 0 if whole is None else whole["n"]
        games = 0 if whole is None else whole["games"]
        return say(
            "Too few to say how often makers lose a five: {fives} in {games}.",
            fives=say_counted("{count} five", "{count} fives", of),
            games=say_counted("{count} game", "{count} games", games),
        )
    said = [
        say(
            "Makers lose **{value} of 100 fives they played** ({low} to {high}).",
            **_hundreds(whole),
        )
    ]
    theirs, own = (rows.get((fives.LEAD, each)) for each in ("defenders", "makers"))
    if theirs and own and theirs["enough"] and own["enough"]:
        said.append(
            say(
                "When a defender has the lead it is {theirs}, when they lead themselves {own}.",
                theirs=_with_ends(theirs),
                own=_with_ends(own),
            )
        )
    return " ".join([*said, *_named(losers, names)])


def _named(losers: pl.DataFrame, names: Mapping[str, str]) -> list[str]:
    """Return a sentence for those who lose more than the others, and one for those who lose fewer.

    Only for those who stand among all that are compared.
    """
    named = losers.filter(pl.col("named").fill_null(value=False))
    more = named.filter(pl.col("difference") > 0).sort("difference", descending=True)
    less = named.filter(pl.col("difference") < 0).sort("difference")
    said = [_loser_words(row, names) for row in more.head(MOST_NAMED).iter_rows(named=True)]
    if len(less):
        listed = ", ".join(
            say(
                "**{player}**, {value} ({low} to {high})",
                player=as_markdown(names.get(row["player"], row["player"])),
                **_hundreds(row),
            )
            for row in less.head(MOST_NAMED).iter_rows(named=True)
        )
        said.append(say("Fewest are lost by {players}.", players=listed))
    return said or [_nobody_named(losers["place"].count())]


def _nobody_named(judged: int) -> str:
    if judged <= 1:
        return say("There are too few games to compare players.")
    return say_counted(
        "Nobody stands out among {count} player for sure.",
        "Nobody stands out among {count} players for sure.",
        judged,
    )


def _loser_words(row: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return how many somebody loses, and in which trick most, where one has more than others."""
    values = _hundreds(row) | {"player": as_markdown(names.get(row["player"], row["player"]))}
    tricks = list(row["tricks"])
    most = max(tricks, default=0)
    if not most or tricks.count(most) > 1:
        return say("**{player} loses {value}** ({low} to {high}).", **values)
    return say(
        "**{player} loses {value}** ({low} to {high}), most often in trick {trick}.",
        **values,
        trick=tricks.index(most) + 1,
    )


def _hundreds(row: Mapping[str, Any]) -> dict[str, str]:
    """Return a share and the ends of its interval in hundredths, by their names."""
    return {name: number(100 * row[name]) for name in ("value", "low", "high")}


def _with_ends(row: Mapping[str, Any]) -> str:
    return between_text(*_hundreds(row).values())
