"""``tricklog solve`` and ``show ledger``: what hands are worth, and where results came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from time import monotonic
from typing import Any, Final, Literal

from tricklog.core.study.averages import Averages
from tricklog.ingest.cli import arguments, figures
from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Warehouse
from tricklog.ingest.cli.conditions import ALL, Chosen
from tricklog.ingest.cli.failure_state import working
from tricklog.ingest.cli.output import (
    UserError,
    form_of,
    own_command,
    print_json,
    put,
    remark,
    show,
    values_of,
    write_frame,
)
from tricklog.ingest.cli.progress import duration, shown
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.metrics import measure
from tricklog.ingest.metrics.filters import EVERYTHING
from tricklog.ingest.metrics.theme_costs import cells, heads, theme_costs
from tricklog.ingest.reading.progress import OnProgress, Progress
from tricklog.ingest.sessions.evening import names_of, titles_of
from tricklog.ingest.store.absent import db_option
from tricklog.ingest.study import solving
from tricklog.ingest.study.by_hand import Looked
from tricklog.ingest.study.frames import study_list
from tricklog.ingest.study.kept_ledgers import KeptLedgers
from tricklog.ingest.study.ledger_run import Missing, work_out
from tricklog.ingest.study.par import STOCKS
from tricklog.ingest.study.season import Season, by_variant, season_of, seats_of
from tricklog.ingest.study.season_words import head_of, left_out_words, whose_words
from tricklog.ingest.study.solving import SolveReport, value_auctions
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted

EXAMPLES: Final = {
    "ledger": """\
  tricklog show ledger --db club --where player=ann --where variant=pedro
  tricklog show ledger --db club --by player --since 2026-01-01    # this year
  tricklog show ledger --db club --by side --unit points    # pairs, in card points
  tricklog show ledger --db club --by theme --where player=ann    # what Ann loses
  tricklog show ledger --db club --budget 10m    # ten minutes; again to go on""",
    "solve": """\
  tricklog solve --db club  # all hands that are not solved yet
  tricklog solve --db club --where variant=pedro --where player=ann
  tricklog solve --db club --output losses.parquet  # every decision into a file
  tricklog solve --db club --budget 10m  # ten minutes; again to go on
  tricklog solve --db club --par --where day=2026-11-20  # auctions against par
  tricklog solve --db club --hidden 20 --sample 500  # and grade 500 hands""",
}
Sums = Literal["makers", "player", "side", "theme"]
_MOST_TABLES: Final = 20
"""Players or sides that have a table of their own."""


def solve(  # noqa: PLR0913 - all of them are named
    *,
    where: arguments.Several = (),
    hidden: arguments.Many = None,
    sample: arguments.AtLeastOne = None,
    budget: arguments.Budget = None,
    jobs: arguments.Jobs = None,
    db: Warehouse = DEFAULT_DB,
    output: str | None = None,
    par: Flag = False,
    stocks: arguments.Many = None,
    json: Flag = False,
    progress: arguments.Told = False,
) -> None:
    """Solve stored hands with all cards open.

    For every valid hand that is not solved yet: par, whether best play makes the contract, and what
    each card cost. What has been solved is kept whatever is loaded later. The run may be ended at
    any moment; the next one goes on where it was. The newest hands come first.

    With --hidden, decisions are graded by what their players knew as well: what they cost on the
    average of deals that fit it, and what the lie of the cards did. That takes up to some seconds a
    hand, so choose hands with --where, --sample or --budget.

    Args:
        where: DIMENSION=VALUE, only such hands, as for tricklog stats; may be given several times.
        hidden: Deals for each decision, from 2 on; 20 will do for figures.
        sample: Only so many of these hands, chosen by chance; every run chooses the same.
        output: A file, .csv or .parquet, for all decisions of these hands that are solved by then,
            each with what it cost; with --par, for their auctions.
        par: Also hold each auction against par, deals passed out among them, and take each result
            apart: deal, auction, exchange, draw and play. It takes a hundred times as long as to
            solve the hand, so name some hands with --where, or a time with --budget.
        stocks: With --par, how many stocks are dealt again for each mean; 8 unless said. Hands
            valued on as many are passed over.
        json: One JSON object with the counts instead of sentences.
    """
    seconds = arguments.seconds_of(budget)
    form = form_of(output)
    if output is not None and form not in ("csv", "parquet"):
        raise UserError(f"{output} is no .csv or .parquet file", "Name one that ends like that.")
    if stocks is not None and not par:
        raise UserError("--stocks is about par of auctions", "Write --par as well.")
    filters = EVERYTHING
    if where:
        with Chosen(where=where).opened(db) as (_, filters):
            pass
    began = monotonic()
    asked: dict[str, Any] = {"filters": filters, "sample": sample, "budget": seconds, "jobs": jobs}
    report = run_solve(db, progress=progress, hidden=hidden, **asked)
    told = report_json(report)
    if not json:
        put(*report_lines(report, db))
    if par:
        if seconds is not None:
            asked["budget"] = max(0.0, seconds - (monotonic() - began))
        kept = "auctions that were held against par are kept. The"
        with _kept_working("Par", db, kept, progress=progress) as on_progress:
            asked |= {"on_progress": on_progress, "stocks": stocks or STOCKS}
            held = value_auctions(db, **asked)
        told["par"] = _looked_json(held, "limits", asked="stocks", solved="valued")
        if not json:
            put(*_par_lines(held, db))
    if json:
        print_json(told)
    if output is not None:
        with figures.opened_facts(db) as facts:
            frame = study_list(facts, "par_hands" if par else "decision_rows", filters)
        write_frame(frame, str(form), output)


def run_solve(db: str, *, progress: bool = False, **asked: Any) -> SolveReport:  # noqa: ANN401 - as solving takes it
    """Solve with a progress line; an interrupt says what stands and how to go on."""
    solved = 0

    def note(told: Progress) -> None:
        nonlocal solved
        solved = max(solved, told.hands)
        tell(told)

    def interrupted(_: str) -> str:
        says = f"interrupted; about {counted(solved, 'hand')} more" if solved else "interrupted"
        what = "are solved and kept" if solved else "before any hand was solved"
        return f"{says} {what}. The same command goes on from there"

    with working("Solving", db, is_shown=not progress, interrupted=interrupted) as line:
        tell = shown(line, as_objects=progress)
        return solving.solve(db, on_progress=note, **asked)


@contextmanager
def _kept_working(title: str, db: str, kept: str, *, progress: bool) -> Iterator[OnProgress]:
    """Show how far work is of which all that is done is ``kept``, as an interrupt then says."""

    def interrupted(_: str) -> str:
        return f"interrupted; {kept} same command goes on from there"

    with working(title, db, is_shown=not progress, interrupted=interrupted) as line:
        yield shown(line, as_objects=progress)


def report_json(report: SolveReport) -> dict[str, Any]:
    """Return what a run has done as plain values for a JSON encoder."""
    told = _looked_json(report, "asked")
    hidden = report.hidden and _looked_json(
        report.hidden,
        *("hands", "seconds", "published", "elsewhere"),
        asked="worlds",
        solved="graded",
        limits="partly",
    )
    return told | {"getting_ready": round(report.getting_ready, 1), "hidden": hidden}


def _looked_json(report: Looked, *without: str, **names: str) -> dict[str, Any]:
    told = values_of(report, without=["outcome", *without], **names)
    told |= values_of(report.outcome, without=without, **names) | {"left": report.left}
    return told | ({} if "seconds" in without else {"seconds": round(report.seconds, 1)})


def report_lines(report: SolveReport, db: str) -> Iterator[str]:
    """Yield what a run has done in sentences."""
    done, left = report.outcome, report.left
    solved = f"{done.solved:,} solved + {done.limits:,} within limits"
    yield from _looked_lines(report, db, "valid hand", solved)
    if report.hidden:
        graded, left = report.hidden.outcome, left + report.hidden.left
        yield (
            f"By what players knew, {report.hidden.asked} deals a decision: "
            f"{report.hidden.known:,} known before + {graded.solved:,} graded + "
            f"{graded.limits:,} in part + {graded.refused:,} refused + "
            f"{graded.outdated + graded.unreadable:,} left out + {report.hidden.left:,} left"
        )
    if left:
        yield (
            f"The time was over after {report.seconds:.1f} s, of which getting ready took "
            f"{report.getting_ready:.1f}. The same again goes on from there"
        )
    if report.published:
        yield f"Published {report.published}"


def _par_lines(report: Looked, db: str) -> Iterator[str]:
    held = f"{report.outcome.solved:,} held against par on {counted(report.asked, 'stock')}"
    yield from _looked_lines(report, db, "auction", held)
    if report.left:
        yield "The time was over. The same command goes on from there"
    if report.published:
        yield f"Published {report.published}"


def _looked_lines(report: Looked, db: str, what: str, solved: str) -> Iterator[str]:
    done, there = report.outcome, db_option(db)
    elsewhere = f"{done.elsewhere:,} by other runs + " if done.elsewhere else ""
    yield (
        f"{counted(report.hands, what)} = {report.known:,} known before + {solved} + "
        f"{done.refused:,} refused + {done.outdated + done.unreadable:,} left out + {elsewhere}"
        f"{report.left:,} left"
    )
    if done.outdated:
        yield (
            f"{counted(done.outdated, 'hand')} left out: their rules are others now than when "
            f"they were loaded. {own_command()} db reaudit {there} comes first"
        )
    if done.unreadable:
        yield (
            f"{counted(done.unreadable, 'hand')} left out: what is stored makes no record. "
            f"{own_command()} db verify {there} says more"
        )


# --- The ledger of many hands


def ledger(  # noqa: PLR0913 - each is an option of the command
    *,
    by: Sums | None = None,
    unit: Literal["score", "points"] = "score",
    chosen: Chosen = ALL,
    budget: arguments.Budget = None,
    hands: arguments.AtLeastOne = None,
    jobs: arguments.Jobs = None,
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
    progress: arguments.Told = False,
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
        hands: How many hands to work out at the most, the newest first.
        json: One JSON object for each game.
    """
    seconds = arguments.seconds_of(budget)
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
    told = "the ledgers worked out so far are kept, and the"
    with _kept_working("Ledgers", db, told, progress=progress) as on_progress:
        worked = work_out(
            *(db, seats, KeptLedgers()),
            on_progress=on_progress,
            on_begin=None if progress else _tell_what_is_missing,
            budget=seconds,
            most=hands,
            jobs=jobs,
        )
    kept = KeptLedgers().of_rules(set(seats["ruleset"]))
    averaged = cache(Averages)
    for part in by_variant(seats):
        season = season_of(part, kept, averaged, by=for_whom, unit=unit)
        lines = _season_lines(season, names, titles.get(season.variant, season.variant))
        show(_season_json(season), lines, json=json)
    if (worked.left or worked.deals_left) and not json:
        put(
            f"Not all is worked out: {_amounts(worked.left, worked.deals_left)} left. "
            f"{own_command()} show ledger {db_option(db)} with the same options goes on "
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


def _tell_what_is_missing(missing: Missing) -> None:
    """Say on standard error what a run is about to work out, and how long that takes."""
    least, most = map(duration, missing.seconds)
    work = _amounts(missing.hands, missing.deals)
    remark(
        f"To be worked out first: {work}. This takes from {least} to {most}, by the game, on "
        f"{counted(missing.jobs, 'processor core')}; --budget ends it sooner, and what was worked "
        "out is kept."
    )


def _season_lines(season: Season, names: Mapping[str, str], title: str) -> list[str]:
    lines = [head_of(season, title), ""]
    titles = ["part", "whose", "hands", f"{season.unit} a hand, 95 %"]
    for total in season.totals[:_MOST_TABLES]:
        who = " & ".join(one_line(names.get(each) or each) for each in total.players)
        told = f"{counted(total.hands, 'hand')} in {counted(total.games, 'game')}"
        rows = []
        for each in total.lines:
            low, high = each.mean.low, each.mean.high
            is_sure = low is not None and high is not None
            sure = f"({low:+.2f} to {high:+.2f})" if is_sure else "too few games"
            mean = f"{each.shown:+.2f}  {sure}"
            rows.append((each.name, whose_words(each), f"{each.mean.hands:,}", mean))
        table = aligned(titles, [False, False, True, False], rows)
        lines += [f"{who}: {told}" if who else told, *table, ""]
    if len(season.totals) > _MOST_TABLES:
        more = len(season.totals) - _MOST_TABLES
        lines += [f"Not shown: {more:,} more, who have fewer hands; --json has all.", ""]
    return [*lines, *left_out_words(season), ""]


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
