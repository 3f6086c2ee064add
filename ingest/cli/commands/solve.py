"""``tricklog solve``: what stored hands are worth with all cards open, and what each card cost."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any, Final

from tricklog.ingest.cli import figures
from tricklog.ingest.cli.arguments import (
    DEFAULT_DB,
    AtLeastOne,
    Budget,
    Flag,
    Jobs,
    Many,
    Several,
    Told,
    Warehouse,
    seconds_of,
)
from tricklog.ingest.cli.conditions import Chosen
from tricklog.ingest.cli.failure_state import working
from tricklog.ingest.cli.output import (
    UserError,
    own_command,
    print_json,
    put,
    values_of,
    write_frame,
)
from tricklog.ingest.cli.progress import shown
from tricklog.ingest.metrics.filters import EVERYTHING
from tricklog.ingest.reading.progress import Progress
from tricklog.ingest.study import solving
from tricklog.ingest.study.by_hand import Looked
from tricklog.ingest.study.frames import study_list
from tricklog.ingest.study.lanes import Outcome
from tricklog.ingest.study.par import STOCKS
from tricklog.ingest.study.solving import SolveReport, value_auctions
from tricklog.schemas.words import counted

EXAMPLES = """\
  tricklog solve --db club  # all hands that are not solved yet
  tricklog solve --db club --where variant=pedro --where player=ann
  tricklog solve --db club --output losses.parquet  # every decision into a file
  tricklog solve --db club --budget 10m  # ten minutes; again to go on
  tricklog solve --db club --par --where day=2026-11-20  # auctions against par
  tricklog solve --db club --hidden 20 --sample 500  # and grade 500 hands"""

_FORMATS: Final = (".csv", ".parquet")


def solve(  # noqa: PLR0913 - all of them are named
    *,
    where: Several = (),
    hidden: Many = None,
    sample: AtLeastOne = None,
    budget: Budget = None,
    jobs: Jobs = None,
    db: Warehouse = DEFAULT_DB,
    output: str | None = None,
    par: Flag = False,
    stocks: Many = None,
    json: Flag = False,
    progress: Told = False,
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
    seconds = seconds_of(budget)
    if output is not None and Path(output).suffix not in _FORMATS:
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
        held = _run_par(db, progress=progress, stocks=stocks or STOCKS, **asked)
        told["par"] = _looked_json(held, "limits", asked="stocks", solved="valued")
        if not json:
            put(*_par_lines(held, db))
    if json:
        print_json(told)
    if output is not None:
        with figures.opened_facts(db) as facts:
            frame = study_list(facts, "par_hands" if par else "decision_rows", filters)
        write_frame(frame, Path(output).suffix[1:], output)


def run_solve(db: str, *, progress: bool = False, **asked: Any) -> SolveReport:  # noqa: ANN401 - as solving takes it
    """Solve with a progress line. Raises ``UserError`` when the warehouse cannot be used.

    An interrupt says what stands and how to go on.
    """
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


def _run_par(db: str, *, progress: bool, **asked: Any) -> Looked:  # noqa: ANN401 - as value_auctions takes it
    def interrupted(_: str) -> str:
        return (
            "interrupted; auctions that were held against par are kept. The same command goes on "
            "from there"
        )

    with working("Par", db, is_shown=not progress, interrupted=interrupted) as line:
        return value_auctions(db, on_progress=shown(line, as_objects=progress), **asked)


# --- What is told


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
    yield _sum(report, "valid hand", f"{done.solved:,} solved + {done.limits:,} within limits + ")
    yield from _left_out(done, db)
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
    stocks = counted(report.asked, "stock")
    held = f"{report.outcome.solved:,} held against par on {stocks} + "
    yield _sum(report, "auction", held)
    yield from _left_out(report.outcome, db)
    if report.left:
        yield "The time was over. The same command goes on from there"
    if report.published:
        yield f"Published {report.published}"


def _sum(report: Looked, what: str, solved: str) -> str:
    """Return how many there were, as the sum of what became of them."""
    done = report.outcome
    elsewhere = f"{done.elsewhere:,} by other runs + " if done.elsewhere else ""
    return (
        f"{counted(report.hands, what)} = {report.known:,} known before + {solved}"
        f"{done.refused:,} refused + {done.outdated + done.unreadable:,} left out + {elsewhere}"
        f"{report.left:,} left"
    )


def _left_out(outcome: Outcome, db: str) -> Iterator[str]:
    """Yield in sentences which hands a run could not look at, and what to do about it."""
    there = f"--db {shlex.quote(db)}"
    if outcome.outdated:
        yield (
            f"{counted(outcome.outdated, 'hand')} left out: their rules are others now than when "
            f"they were loaded. {own_command()} db reaudit {there} comes first"
        )
    if outcome.unreadable:
        yield (
            f"{counted(outcome.unreadable, 'hand')} left out: what is stored makes no record. "
            f"{own_command()} db verify {there} says more"
        )
