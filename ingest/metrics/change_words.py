"""Whether and when a player has changed, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tricklog.ingest.metrics import METRIC, wording
from tricklog.ingest.metrics.comparing import FEWEST_COMPARED
from tricklog.ingest.metrics.figure_words import change_text, when_text
from tricklog.ingest.metrics.trend import FEWEST_DAYS
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import plain_day

if TYPE_CHECKING:
    import polars as pl

FAMILY: Final = (
    *("made-rate", "aggression", "score-share", "points-share", "pedros-lost", "cards-kept"),
)
"""Figures that a change is looked for in, all compared with each other."""


def changed_texts(found: pl.DataFrame, player: str) -> list[str]:
    """Return what the rows of ``trend.changes`` say of one player, who is called ``player``.

    That is each change that is sure, with the day it was on, or that none is.
    """
    if found.is_empty():
        return [
            say(
                "Whether {player} has changed cannot be told yet: it takes {games} games on {days} "
                "days.",
                player=player,
                games=FEWEST_COMPARED,
                days=FEWEST_DAYS,
            )
        ]
    named = found.filter("named")
    if named.is_empty():
        return [
            say(
                "No figure of {player} has surely changed from {first} to {last}, with all "
                "{number} compared.",
                player=player,
                first=plain_day(min(found["first"].to_list())),
                last=plain_day(max(found["last"].to_list())),
                number=len(found),
            )
        ]
    return [
        say(
            "{player}: {figure} {change} from {first} to {last}, surely.",
            player=player,
            figure=wording.title(METRIC[row["metric"]]).lower(),
            change=change_text(METRIC[row["metric"]], row),
            first=plain_day(row["first"]),
            last=plain_day(row["last"]),
        )
        + " "
        + when_text(row)
        for row in named.iter_rows(named=True)
    ]
