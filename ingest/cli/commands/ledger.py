"""``tricklog ledger``: where the results of many hands came from, and what of it was luck."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from ingest.cli.arguments import DEFAULT_DB, Flag, Warehouse
from ingest.cli.commands.solve import Jobs, Several, seconds_of
from ingest.cli.conditions import check_values, day_of, filters_of
from ingest.cli.failure_state import explained_failures, need_warehouse
from ingest.cli.output import SUCCESS, UserError, err, out, own_command, print_json
from schemas.printable import one_line
from schemas.words import counted

if TYPE_CHECKING:
    import polars as pl

    from ingest.metrics.filters import Filters
    from ingest.study.ledger_run import Missing, Worked
    from ingest.study.season import Season

EXAMPLES = """\
  tricklog ledger --db club --where player=ann --where variant=pedro
  tricklog ledger --db club --by player --since 2026-01-01    # all, this year
  tricklog ledger --db club --by side --unit points  # pairs, in card points
  tricklog ledger --db club --by theme --where player=ann  # what Ann loses most
  tricklog ledger --db club --budget 10m  # ten minutes of it; again to go on"""

Most = Annotated[int | None, Parameter(validator=Number(gte=1))]
By = Literal["makers", "player", "side"]
Sums = Literal["makers", "player", "side", "theme"]


def ledger(  # noqa: PLR0913 - each is an option of the command
    *,
    by: Sums | None = None,
    unit: Literal["score", "points"] = "score",
    where: Annotated[tuple[str, ...], Several] = (),
    since: str | None = None,
    until: str | None = None,
    whose: str = "everybody",
    budget: str | None = None,
    hands: Most = None,
    jobs: Jobs = None,
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
    progress: Flag = False,
) -> int:
    """Print where the results of many hands came from.

    The mean a hand of each part of the ledger: the deal, the draw, what was bid, laid off and
    played, and by whom; with 95 % intervals by games. The parts sum to the result exactly. What has
    not been worked out is worked out first, the newest hands before others, and kept for the next
    time; the run may be ended at any moment. A hand takes from a twentieth of a second to some
    seconds of one processor core. That of one hand is shown by
    tricklog replay.

    Args:
        by: For whom results are added up: makers (whoever they were), player, or side (pairs);
            player where the conditions name one, else makers. Or theme: what the choices of one
            player cost in solved hands by theme, in card points, beside those of others.
        unit: In score, the own side's less that of the others, or in points: what the makers take,
            for their side and against the other.
        where: DIMENSION=VALUE, only such hands, as for tricklog stats; may be given several times.
        since: First day, such as 2026-11-20.
        until: Last day, included.
        whose: Whose hands count: everybody, people (no bots, no samples), ours (the table chosen in
            the dashboard), or what stands after whose= in an address of the dashboard.
        budget: How long it may take to work ledgers out, such as 90s, 10m or 2h; no limit unless
            said.
        hands: How many hands to work out at the most, the newest first.
        jobs: Processor cores to use; all unless said.
        db: The folder of the warehouse, or a lake.
        json: One JSON object for each game.
        progress: How far the run is, as JSON objects on standard error.
    """
    need_warehouse(db)
    seconds = None if budget is None else seconds_of(budget)
    filters = _filters(where, since, until)
    if by == "theme":
        if budget or hands or jobs:
            raise UserError(
                "--by theme works nothing out, so --budget, --hands and --jobs say nothing",
                "Leave them out; tricklog solve solves hands.",
            )
        _show_themes(db, whose, filters, as_json=json)
        return SUCCESS
    for_whom = by or ("player" if filters.values("player") else "makers")
    seats, names, titles = _seats(db, whose, filters)
    if seats.is_empty():
        raise UserError("no hand fits these conditions", "Leave one of them out.")
    worked = _work_out(db, seats, seconds, hands, jobs, progress=progress)
    for each in _seasons(seats, for_whom, unit):
        _show(each, names, titles, as_json=json)
    if worked.left and not json:
        out().print(
            f"Not every ledger is worked out: {worked.left:,} left. {own_command()} ledger "
            f"--db {shlex.quote(db)} with the same options goes on from there.",
            soft_wrap=True,
        )
    return SUCCESS


def _show_themes(db: str, whose: str, filters: Filters, *, as_json: bool) -> None:
    """Show what one player loses by theme, in each game by itself."""
    from ingest.cli import figures
    from ingest.cli.text_table import aligned
    from ingest.metrics import measure
    from ingest.metrics.theme_costs import cells, heads, theme_costs
    from ingest.sessions.evening import names_of, titles_of

    if len(filters.values("player")) != 1:
        raise UserError("--by theme is about one player", "Name them: --where player=ID.")
    with figures.opened_facts(db, whose) as facts:
        filters = figures.known_players(facts, filters)
        check_values(facts, filters)
        (player,) = filters.values("player")
        names, titles = names_of(facts), titles_of(facts)
        for variant in measure(facts, "decisions", ("variant",), filters)["variant"]:
            frame = theme_costs(facts, player, filters.also("variant", variant))
            if as_json:
                print_json({"variant": variant, "player_id": player, "themes": frame.to_dicts()})
                continue
            lines = aligned(
                heads(),
                [False, *[True] * 7, False],
                [cells(each) for each in frame.iter_rows(named=True)],
            )
            title = titles.get(variant, variant)
            for line in (f"{one_line(names.get(player, player))} in {title}", *lines, ""):
                out().print(line, soft_wrap=True)


def _filters(where: tuple[str, ...], since: str | None, until: str | None) -> Filters:
    from ingest.metrics import FigureError, dimension_named

    filters = filters_of(where, day_of(since), day_of(until))
    try:
        for name, _ in filters.chosen:
            dimension_named(name)
    except FigureError as error:
        raise UserError(str(error), "tricklog stats --list says what each is.") from error
    return filters


def _seats(
    db: str, whose: str, filters: Filters
) -> tuple[pl.DataFrame, dict[str, str], dict[str, str]]:
    """Return who sat where in the hands asked for, and what players and games are called."""
    from ingest.cli import figures
    from ingest.sessions.evening import names_of, titles_of
    from ingest.study.season import seats_of

    with figures.opened_facts(db, whose) as facts:
        filters = figures.known_players(facts, filters)
        check_values(facts, filters)
        return seats_of(facts, filters), names_of(facts), titles_of(facts)


def _work_out(
    db: str,
    seats: pl.DataFrame,
    seconds: float | None,
    most: int | None,
    jobs: int | None,
    *,
    progress: bool,
) -> Worked:
    """Work out what is missing, with a progress line. An interrupt says what stands."""
    from ingest.cli.progress import ProgressLine, ProgressObjects
    from ingest.study.kept_ledgers import KeptLedgers
    from ingest.study.ledger_run import work_out

    try:
        with explained_failures(db), ProgressLine("Ledgers", is_wanted=not progress) as line:
            return work_out(
                db,
                seats,
                KeptLedgers(),
                budget=seconds,
                most=most,
                jobs=jobs,
                on_progress=ProgressObjects().report if progress else line.report,
                on_begin=None if progress else _tell_what_is_missing,
            )
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(
            "interrupted; the ledgers worked out so far are kept, and the same command goes on "
            "from there"
        ) from error


def _tell_what_is_missing(missing: Missing) -> None:
    """Say on standard error what a run is about to work out, and how long that takes."""
    from ingest.cli.progress import duration

    least, most = map(duration, missing.seconds)
    amounts = ((missing.hands, "ledger"), (missing.deals, "average deal"))
    work = " and ".join(counted(number, what) for number, what in amounts if number)
    err().print(
        f"To be worked out first: {work}. This takes from {least} to {most}, by the game, on "
        f"{counted(missing.jobs, 'processor core')}; --budget ends it sooner, and what was worked "
        "out is kept.",
        soft_wrap=True,
    )


def _seasons(seats: pl.DataFrame, by: By, unit: Literal["score", "points"]) -> list[Season]:
    """Return the ledgers of each game, that of most hands first."""
    from functools import cache

    from ingest.study.kept_ledgers import KeptLedgers
    from ingest.study.season import by_variant, season_of
    from replay.study.averages import Averages

    kept = KeptLedgers().of_rules(set(seats["ruleset"]))
    averaged = cache(Averages)
    return [season_of(part, kept, averaged, by=by, unit=unit) for part in by_variant(seats)]


def _show(season: Season, names: dict[str, str], titles: dict[str, str], *, as_json: bool) -> None:
    from ingest.cli.season_text import season_json, season_lines

    if as_json:
        print_json(season_json(season))
        return
    for line in season_lines(season, names, titles.get(season.variant, season.variant)):
        out().print(line, soft_wrap=True)
