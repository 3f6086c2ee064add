"""Finding out about the hands of a warehouse of which nobody has: block by block, on all cores.

They are solved with all cards open and graded by what their players knew, or their auctions are
held against par. What is kept is true of a deal and its rules for ever, and says how much was
asked: a hand is looked at again only when somebody asks for more. A run may be ended at any moment:
what has been found is kept in blocks, and the next run goes on from there. Readers see all of it
when a run comes to its end. Where blocks are kept, and how readers get to see them, is for
``homes`` and ``lakes`` to say.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Final

import numpy as np

from tricklog.ingest.facts import kept
from tricklog.ingest.loading import workers
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.query import hands_behind
from tricklog.ingest.reading.interrupts import is_interrupt
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.warehouse import WarehouseError
from tricklog.ingest.study import by_hand, par, rows
from tricklog.ingest.study.by_hand import Looked, Work
from tricklog.ingest.study.homes import Home, Numbers, Which
from tricklog.ingest.study.kept_ledgers import KeptLedgers
from tricklog.ingest.study.lanes import Lane, Outcome
from tricklog.ingest.study.par import STOCKS
from tricklog.ingest.study.rows import Row
from tricklog.ingest.warehouses import lake_at, warehouse_at

WAIT: Final = 60.0
"""Seconds to wait for another run that solves hands of the same warehouse."""
BLOCK: Final = 2_000
"""Hands of a block at the most: some seconds of work, which is what a run that is killed loses."""
FIRST: Final = 10
"""Hands of the first blocks; each round has twice as many, so that a short run keeps something."""
_TICK: Final = 0.25
"""Seconds between two looks at the clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveReport(Looked):
    """What a run that solves hands has done."""

    getting_ready: float = 0.0
    """Seconds before the first hand: finding out what is to do, and compiling."""
    hidden: Looked | None = None
    """What was done about hidden cards, where that was asked for: of its outcome, ``solved`` are
    graded, ``limits`` in part."""


def solve(  # noqa: PLR0913 - all but one are named
    db: str | Path,
    *,
    filters: Filters = EVERYTHING,
    hidden: int | None = None,
    sample: int | None = None,
    budget: float | None = None,
    jobs: int | None = None,
    on_progress: OnProgress | None = None,
    patience: float = WAIT,
) -> SolveReport:
    """Solve the valid hands of the warehouse ``db`` that nobody has solved yet, and publish them.

    Args:
        db: the warehouse's folder, or the address of a lake.
        filters: which hands to solve, as figures have them; all by default.
        hidden: then also grade their decisions by what each player knew, by so many deals that fit
            it; ``tricklog.core.study.hidden`` says how.
        sample: only so many of these hands, chosen by chance; every run chooses the same.
        budget: seconds after which to stop; what is left is for another run. A few hands are solved
            however short it is.
        jobs: how many processor cores to take; all by default.
        on_progress: called now and then with how far the run is.
        patience: seconds to wait for another run that solves hands of this warehouse.

    Raises ``NoSnapshotError`` when nothing has been loaded yet, ``BusyError`` when the other run
    does not end in time or a load holds the lake, and ``WarehouseError`` for what cannot be read or
    written. What has been solved by then is kept.
    """
    began = time.monotonic()
    home = home_of(db)
    cores = jobs or workers.cores()
    with home.alone(patience, on_progress):
        with _published_if_interrupted(home):
            which = Which(chosen_hands(home, filters, on_progress), sample)
            wanted, count = home.wanted(kept.OPEN, which)
            deadline = began + (inf if budget is None else budget)
            outcome, begun = _solved(home, wanted, cores, deadline, on_progress)
            graded = None
            if hidden is not None:
                until = None if budget is None else time.time() + deadline - time.monotonic()
                work = Work(kept.HIDDEN, Stage.GRADING, hidden, rows.hidden_row_of, _write_hidden)
                which = replace(which, asked=hidden)
                graded = by_hand.look_at(home, work, which, cores, on_progress, until)
        published = home.publish(on_progress)
    return SolveReport(
        hands=count,
        known=count - len(wanted),
        outcome=outcome,
        seconds=time.monotonic() - began,
        published=published,
        getting_ready=begun - began,
        hidden=graded,
    )


@contextmanager
def _published_if_interrupted(home: Home) -> Iterator[None]:
    """Publish what has been done until somebody stops it, so that figures and pages show it."""
    try:
        yield
    except BaseException as error:
        if is_interrupt(error):
            # What cannot be published now is kept, and published by the next run.
            with suppress(WarehouseError):
                home.publish(None)
        raise


def _write_hidden(home: Home, found: Sequence[Row]) -> None:
    home.write(kept.HIDDEN, rows.table_of(found, rows.HIDDEN_SCHEMA))


def value_auctions(  # noqa: PLR0913 - all but one are named
    db: str | Path,
    *,
    stocks: int = STOCKS,
    filters: Filters = EVERYTHING,
    sample: int | None = None,
    budget: float | None = None,
    jobs: int | None = None,
    on_progress: OnProgress | None = None,
    patience: float = WAIT,
) -> Looked:
    """Hold the auctions of valid hands against par, account for their results, and publish it.

    Of the outcome, ``solved`` are valued. Each worth is a mean over ``stocks``; hands valued on as
    many are passed over. For the rest see ``solve``, which raises the same.
    """
    began = time.monotonic()
    until = None if budget is None else time.time() + budget
    home = home_of(db)
    with home.alone(patience, on_progress):
        with _published_if_interrupted(home):
            which = Which(chosen_hands(home, filters, on_progress), sample, asked=stocks)
            work = Work(kept.PAR, Stage.VALUING, stocks, par.row_of, _write_valued)
            done = by_hand.look_at(home, work, which, jobs or workers.cores(), on_progress, until)
        published = home.publish(on_progress)
    return replace(done, seconds=time.monotonic() - began, published=published)


def _write_valued(home: Home, found: Sequence[Row]) -> None:
    home.write(kept.PAR, rows.table_of(found, par.SCHEMA))
    # For sums of ledgers, which are kept for the user: without them these are worked out again.
    with suppress(StorageError):
        KeptLedgers().keep(
            ((each["content_hash"], each["ruleset"]), each["ledger"])
            for each in found
            if "ledger" in each
        )


def home_of(db: str | Path) -> Home:
    """Return where the solved hands of a warehouse are kept.

    Raises ``NoSnapshotError`` when nothing has been loaded yet, and ``WarehouseError`` as
    ``warehouse_at`` does.
    """
    if lake := lake_at(db):
        from tricklog.ingest.study.lakes import LakeHome

        return LakeHome(lake)
    return Home(warehouse_at(db))


def chosen_hands(home: Home, filters: Filters, on_progress: OnProgress | None) -> Numbers | None:
    """Return the numbers of the hands that filters choose; ``None`` for all."""
    if filters == EVERYTHING:
        return None
    query, parameters = hands_behind(None, filters)
    with home.facts(on_progress) as facts:
        found = facts.execute(f"SELECT hand_no FROM ({query})", parameters).fetchnumpy()  # noqa: S608 - our own
    return np.asarray(found["hand_no"], np.int64)


def _solved(
    home: Home, wanted: Numbers, jobs: int, deadline: float, on_progress: OnProgress | None
) -> tuple[Outcome, float]:
    """Solve some hands, and on until time is over; return what came of them, and the beginning."""
    portions = deque(_portions(home.order(wanted), jobs))
    stop = np.zeros(1, np.int64)

    def work(lane: Lane) -> Outcome:
        outcome = Outcome()
        while not stop[0]:
            try:
                numbers = portions.popleft()
            except IndexError:
                break
            table, found = lane.solve(numbers, home.others(kept.OPEN))
            if len(table):
                home.write(kept.OPEN, table)
            outcome += found
            if found.hands and time.monotonic() >= deadline:
                stop[0] = 1
        return outcome

    jobs = min(jobs, len(portions))
    if not jobs:
        return Outcome(), time.monotonic()
    with home.tables() as connection, ThreadPoolExecutor(jobs) as pool:
        lanes = [Lane(connection.cursor(), stop) for _ in range(jobs)]
        began = time.monotonic()
        left = running = {pool.submit(work, lane) for lane in lanes}
        try:
            while left:
                done, left = wait(running, timeout=_TICK, return_when=FIRST_EXCEPTION)
                hands = sum(lane.done for lane in lanes)
                if on_progress:
                    on_progress(Progress(Stage.SOLVING, hands=hands, done=hands, total=len(wanted)))
                for each in done:
                    each.result()  # raises what ended it
                if hands and time.monotonic() >= deadline:
                    stop[0] = 1
            return sum((each.result() for each in running), Outcome()), began
        except BaseException:
            # Whatever is being solved comes to its end within a hand, and is kept.
            stop[0] = 1
            raise


def _portions(wanted: Numbers, jobs: int) -> Iterator[Numbers]:
    """Give hands in portions for so many lanes: small ones first, and all lanes busy to the end."""
    first = 0
    round_number = 0
    while first < len(wanted):
        size = min(BLOCK, FIRST << round_number)
        for _ in range(jobs):
            share = -(-(len(wanted) - first) // jobs)
            step = min(size, max(FIRST, share))
            if first < len(wanted):
                yield wanted[first : first + step]
            first += step
        round_number += 1
