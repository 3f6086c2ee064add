"""``tricklog show ledger``: where the results of many hands came from, and what of it was luck."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal

import polars as pl

from tricklog.core.study.averages import Averages
from tricklog.ingest.cli.arguments import (
    DEFAULT_DB,
    AtLeastOne,
    Budget,
    Flag,
    Jobs,
    Told,
    Warehouse,
    seconds_of,
)
from tricklog.ingest.cli.conditions import ALL, Chosen
from tricklog.ingest.cli.failure_state import working
from tricklog.ingest.cli.output import UserError, own_command, put, remark, show, values_of
from tricklog.ingest.cli.progress import duration, progress_objects
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.metrics import measure
from tricklog.ingest.metrics.theme_costs import cells, heads, theme_costs
from tricklog.ingest.sessions.evening import names_of, titles_of
from tricklog.ingest.study.kept_ledgers import KeptLedgers
from tricklog.ingest.study.ledger_run import Missing, Worked, work_out
from tricklog.ingest.study.season import Line, Season, by_variant, season_of, seats_of
from tricklog.ingest.study.season_words import head_of, left_out_words, whose_words
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted

EXAMPLES = """\
  tricklog show ledger --db club --where player=ann --where variant=pedro
  tricklog show ledger --db club --by player --since 2026-01-01    # this year
  tricklog show ledger --db club --by side --unit points    # pairs, in card points
  tricklog show ledger --db club --by theme --where player=ann    # what Ann loses
  tricklog show ledger --db club --budget 10m    # ten minutes; again to go on"""

Sums = Literal["makers", "player", "side", "theme"]


def ledger(  # noqa: PLR0913 - each is an option of the command
    *,
    by: Sums | None = None,
    unit: Literal["score", "points"] = "score",
    chosen: Chosen = ALL,
    budget: Budget = None,
    hands: AtLeastOne = None,
    jobs: Jobs = None,
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
    progress: Told = False,
) -> None:
    """Print where the results of many hands came from.

    The mean a hand of each part of the ledger: the deal, the draw, what was bid, laid off and
    played, and by whom; with 95 % intervals by games. The parts sum to the result exactly. What has
    not been worked out is worked out first: ledgers, the newest hands before others, then the
    average deals that they start from. It is kept for the next time, and the run may be ended at
    any moment. A hand takes from a twentieth of a second to some seconds of one processor core.
    That of one hand is shown by tricklog replay.

    Args:
        by: For whom results are added up: makers (whoever they were), player, or side (pairs);
            player where the conditions name one, else makers. Or theme: what the choices of one
            player cost in solved hands by theme, in card points, beside those of others.
        unit: In score, the own side's less that of the others, or in points: what the makers take,
            for their side and against the other.
        chosen: Which hands count.
        hands: How many hands to work out at the most, the newest first.
        json: One JSON object for each game.
    """
    seconds = seconds_of(budget)
    if by == "theme":
        if budget or hands or jobs:
            raise UserError(
                "--by theme works nothing out, so --budget, --hands and --jobs say nothing",
                "Leave them out; tricklog solve solves hands.",
            )
        _show_themes(db, chosen, json=json)
        return
    with chosen.opened(db) as (facts, filters):
        for_whom = by or ("player" if filters.values("player") else "makers")
        seats, names, titles = seats_of(facts, filters), names_of(facts), titles_of(facts)
    if seats.is_empty():
        raise UserError("no hand fits these conditions", "Leave one of them out.")
    budgeted = {"budget": seconds, "most": hands, "jobs": jobs}
    worked = _work_out(db, seats, progress=progress, **budgeted)
    kept = KeptLedgers().of_rules(set(seats["ruleset"]))
    averaged = cache(Averages)
    for part in by_variant(seats):
        season = season_of(part, kept, averaged, by=for_whom, unit=unit)
        lines = season_lines(season, names, titles.get(season.variant, season.variant))
        show(_season_json(season), lines, json=json)
    if (worked.left or worked.deals_left) and not json:
        put(
            f"Not all is worked out: {_amounts(worked.left, worked.deals_left)} left. "
            f"{own_command()} show ledger --db {shlex.quote(db)} with the same options goes on "
            "from there."
        )


def _amounts(hands: int, deals: int) -> str:
    amounts = ((hands, "ledger"), (deals, "average deal"))
    return " and ".join(counted(number, what) for number, what in amounts if number)


def _show_themes(db: str, chosen: Chosen, *, json: bool) -> None:
    """Show what one player loses by theme, in each game by itself."""
    asked = chosen.filters()
    if len(asked.values("player")) != 1:
        raise UserError("--by theme is about one player", "Name them: --where player=ID.")
    with chosen.opened(db, asked) as (facts, filters):
        (player,) = filters.values("player")
        name, titles = one_line(names_of(facts).get(player, player)), titles_of(facts)
        for variant in measure(facts, "decisions", ("variant",), filters)["variant"]:
            frame = theme_costs(facts, player, filters.also("variant", variant))
            rows = frame.to_dicts()
            table = aligned(heads(), [False, *[True] * 7, False], [*map(cells, rows)])
            lines = [f"{name} in {titles.get(variant, variant)}", *table, ""]
            told = {"variant": variant, "player_id": player, "themes": rows}
            show(told, lines, json=json)


def _work_out(db: str, seats: pl.DataFrame, *, progress: bool, **asked: Any) -> Worked:  # noqa: ANN401 - as work_out takes it
    """Work out what is missing, with a progress line. An interrupt says what stands."""

    def interrupted(_: str) -> str:
        return (
            "interrupted; the ledgers worked out so far are kept, and the same command goes on "
            "from there"
        )

    with working("Ledgers", db, is_shown=not progress, interrupted=interrupted) as line:
        return work_out(
            db,
            seats,
            KeptLedgers(),
            on_progress=progress_objects() if progress else line.report,
            on_begin=None if progress else _tell_what_is_missing,
            **asked,
        )


def _tell_what_is_missing(missing: Missing) -> None:
    """Say on standard error what a run is about to work out, and how long that takes."""
    least, most = map(duration, missing.seconds)
    work = _amounts(missing.hands, missing.deals)
    remark(
        f"To be worked out first: {work}. This takes from {least} to {most}, by the game, on "
        f"{counted(missing.jobs, 'processor core')}; --budget ends it sooner, and what was worked "
        "out is kept."
    )


_MOST_TABLES: Final = 20
"""Players or sides that have a table of their own."""


def season_lines(season: Season, names: Mapping[str, str], title: str) -> list[str]:
    """Return the lines that are printed of one game."""
    lines = [head_of(season, title), ""]
    titles = ["part", "whose", "hands", f"{season.unit} a hand, 95 %"]
    for total in season.totals[:_MOST_TABLES]:
        who = " & ".join(one_line(names.get(each) or each) for each in total.players)
        told = f"{counted(total.hands, 'hand')} in {counted(total.games, 'game')}"
        rows = [
            (each.name, whose_words(each), f"{each.mean.hands:,}", _mean_text(each))
            for each in total.lines
        ]
        table = aligned(titles, [False, False, True, False], rows)
        lines += [f"{who}: {told}" if who else told, *table, ""]
    if len(season.totals) > _MOST_TABLES:
        more = len(season.totals) - _MOST_TABLES
        lines += [f"Not shown: {more:,} more, who have fewer hands; --json has all.", ""]
    return [*lines, *left_out_words(season), ""]


def _mean_text(line: Line) -> str:
    mean, text = line.mean, f"{line.shown:+.2f}"
    if mean.low is None or mean.high is None:
        return f"{text}  too few games"
    return f"{text}  ({mean.low:+.2f} to {mean.high:+.2f})"


def _season_json(season: Season) -> dict[str, Any]:
    totals = [
        values_of(total, without=["summary", "lines"], players="player_ids")
        | {
            "parts": [
                {"name": each.name, "whose": each.whose}
                | values_of(each.mean, without=["games"], value="mean")
                for each in total.lines
            ]
        }
        for total in season.totals
    ]
    told = values_of(season, without=["course"])
    return told | {"left_out": dict(season.left_out), "totals": totals}
