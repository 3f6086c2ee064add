"""Ledgers of many hands on the terminal: a table for each player or side, or one for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tricklog.ingest.cli.output import values_of
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.study.season_words import head_of, left_out_words, whose_words
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tricklog.ingest.study.season import Line, Season, Total

_MOST_TABLES: Final = 20
"""Players or sides that have a table of their own."""


def season_lines(season: Season, names: Mapping[str, str], title: str) -> list[str]:
    """Return the lines that are printed of one game."""
    lines = [head_of(season, title), ""]
    for total in season.totals[:_MOST_TABLES]:
        lines += [*_table(season, total, names), ""]
    if len(season.totals) > _MOST_TABLES:
        more = len(season.totals) - _MOST_TABLES
        lines += [f"Not shown: {more:,} more, who have fewer hands; --json has all.", ""]
    return [*lines, *left_out_words(season), ""]


def _table(season: Season, total: Total, names: Mapping[str, str]) -> list[str]:
    who = " & ".join(one_line(names.get(each) or each) for each in total.players)
    told = f"{counted(total.hands, 'hand')} in {counted(total.games, 'game')}"
    rows = [_row(each) for each in total.lines]
    heads = ["part", "whose", "hands", f"{season.unit} a hand, 95 %"]
    return [
        f"{who}: {told}" if who else told,
        *aligned(heads, [False, False, True, False], rows),
    ]


def _row(line: Line) -> tuple[str, str, str, str]:
    return line.name, whose_words(line), f"{line.mean.hands:,}", mean_text(line)


def mean_text(line: Line) -> str:
    """Return the mean of a part with its interval."""
    mean, text = line.mean, f"{line.shown:+.2f}"
    if mean.low is None or mean.high is None:
        return f"{text}  too few games"
    return f"{text}  ({mean.low:+.2f} to {mean.high:+.2f})"


def season_json(season: Season) -> dict[str, Any]:
    """Return the object that ``--json`` prints of one game; players by their ids."""
    told = values_of(season, without=["course"])
    totals = [_total_json(each) for each in season.totals]
    return told | {"left_out": dict(season.left_out), "totals": totals}


def _total_json(total: Total) -> dict[str, Any]:
    parts = [
        {"name": each.name, "whose": each.whose}
        | values_of(each.mean, without=["games"], value="mean")
        for each in total.lines
    ]
    return values_of(total, without=["summary", "lines"], players="player_ids") | {"parts": parts}
