"""Valuing the auctions of a warehouse: hand by hand, on all cores, kept in blocks.

What is kept is true of a deal and its rules for ever, and says on how many stocks it was sampled: a
hand is valued again only when somebody asks for more. A run may be ended at any moment; what it
has kept by then stays. One run at a time solves or values hands of a folder; of a lake any number
may, and each passes over what others have valued meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from ingest.facts import kept
from ingest.loading import workers
from ingest.metrics.filters import EVERYTHING, Filters
from ingest.reading.progress import OnProgress, Progress, Stage
from ingest.store.publishing import StorageError
from ingest.store.warehouse import RecordError, read_record
from ingest.study import records, solving
from ingest.study.homes import Home, Which
from ingest.study.kept_ledgers import KeptLedgers, Key
from ingest.study.lanes import Stop
from ingest.study.ledger_rows import LedgerRow
from ingest.study.par import rows
from ingest.study.par.telling import STOCKS
from replay import Replay, RulesetError, replay
from replay.study import Solver, refusal
from replay.study.averages import Averages

PORTION: Final = 64
"""Hands whose records are read at a time."""
KEPT_AFTER: Final = 30.0
"""Seconds after which what was found is kept: what a run that is killed loses."""
_TICK: Final = 0.25
_SOLVERS_KEPT: Final = 12

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ParOutcome:
    """What came of hands, and the names of the blocks that have it."""

    valued: int = 0
    refused: int = 0
    outdated: int = 0
    """Hands whose rules are others now than when they were loaded: not valued."""
    unreadable: int = 0
    """Hands whose columns make no record: not valued."""
    elsewhere: int = 0
    """Hands that another run has valued meanwhile."""
    blocks: tuple[str, ...] = ()

    @property
    def hands(self) -> int:
        """How many hands these are."""
        return self.valued + self.refused + self.outdated + self.unreadable + self.elsewhere

    def __add__(self, other: ParOutcome) -> ParOutcome:
        return ParOutcome(
            self.valued + other.valued,
            self.refused + other.refused,
            self.outdated + other.outdated,
            self.unreadable + other.unreadable,
            self.elsewhere + other.elsewhere,
            self.blocks + other.blocks,
        )


@dataclass(frozen=True, slots=True)
class ParReport:
    """What a run that values auctions has done."""

    hands: int
    """Valid hands that it was to look at."""
    known: int
    """Those of them that had been valued on as many stocks before."""
    outcome: ParOutcome
    """What came of the others, as far as it got."""
    stocks: int
    seconds: float
    published: str | None
    """What readers see: a file, or a snapshot of a lake; ``None`` where nothing was ever found."""

    @property
    def left(self) -> int:
        """How many it did not come to."""
        return self.hands - self.known - self.outcome.hands


def value_auctions(  # noqa: PLR0913 - all but one are named
    db: str | Path,
    *,
    stocks: int = STOCKS,
    filters: Filters = EVERYTHING,
    sample: int | None = None,
    budget: float | None = None,
    jobs: int | None = None,
    on_progress: OnProgress | None = None,
    patience: float = solving.WAIT,
) -> ParReport:
    """Hold the auctions of valid hands against par, account for their results, and publish it.

    Args:
        db: the warehouse's folder, or the address of a lake.
        stocks: how many stocks each worth is a mean over; hands valued on as many are passed over.
        filters: which hands to value, as figures have them; all by default.
        sample: only so many of these hands, chosen by chance; every run chooses the same.
        budget: seconds after which to stop; what is left is for another run.
        jobs: how many processor cores to take; all by default.
        on_progress: called now and then with how far the run is.
        patience: seconds to wait for another run that solves hands of this warehouse.

    Raises what ``solving.solve`` raises.
    """
    began = time.monotonic()
    home = solving.home_of(db)
    with home.alone(patience, on_progress):
        chosen = solving.chosen_hands(home, filters, on_progress)
        wanted, count = home.wanted(kept.PAR, Which(chosen, sample, asked=stocks))
        deadline = None if budget is None else began + budget
        run = _Run(home, stocks, on_progress, deadline)
        outcome = run.value(home.order(wanted), jobs or workers.cores())
        published = home.publish({kept.PAR: outcome.blocks}, on_progress)
    seconds = time.monotonic() - began
    return ParReport(count, count - len(wanted), outcome, stocks, seconds, published)


class _Run:
    """One run over the hands that are wanted."""

    def __init__(
        self,
        home: Home,
        stocks: int,
        on_progress: OnProgress | None,
        deadline: float | None,
    ) -> None:
        self.home = home
        self.stocks = stocks
        self.stop = Stop()
        self.averages = _SharedAverages()
        self._on_progress = on_progress
        self._deadline = deadline
        self._portions: Iterator[Numbers] = iter(())
        self._lock = Lock()

    def value(self, wanted: Numbers, jobs: int) -> ParOutcome:
        """Value auctions until all are, or the time is over; return what came of them."""
        if not len(wanted):
            return ParOutcome()
        size = max(1, min(PORTION, -(-len(wanted) // jobs)))
        self._portions = iter([wanted[at : at + size] for at in range(0, len(wanted), size)])
        jobs = min(jobs, -(-len(wanted) // size))
        with self.home.tables() as connection, ThreadPoolExecutor(jobs) as pool:
            lanes = [_Lane(self, connection.cursor()) for _ in range(jobs)]
            waiting = [pool.submit(lane.work) for lane in lanes]
            try:
                while wait(waiting, timeout=_TICK).not_done:
                    self._look_around(lanes, len(wanted))
                    if any(each.done() and each.exception() for each in waiting):
                        self.stop.set()
            except BaseException:
                # Whatever is being valued comes to its end, and is kept.
                self.stop.set()
                raise
            self._look_around(lanes, len(wanted))
            return sum((each.result() for each in waiting), ParOutcome())

    def next_portion(self) -> Numbers | None:
        """Return the numbers of the next hands; ``None`` when all are given out or it stops."""
        with self._lock:
            return None if self.stop.is_set else next(self._portions, None)

    def _look_around(self, lanes: list[_Lane], total: int) -> None:
        """Say how far it is, and look at the clock."""
        if self._on_progress:
            done = sum(lane.done for lane in lanes)
            self._on_progress(Progress(Stage.VALUING, hands=done, done=done, total=total))
        if self._deadline is not None and time.monotonic() >= self._deadline:
            self.stop.set()


class _SharedAverages:
    """What average deals bring, which a ledger asks for and of which nothing is kept in a row."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], Averages] = {}
        self._lock = Lock()

    def of(self, replayed: Replay, solver: Solver) -> Averages:
        """Return the averages for the rules of a hand, with one deal valued."""
        key = replayed.ruleset.hash, replayed.rules.seats
        with self._lock:
            if key not in self._known:
                self._known[key] = Averages(replayed.ruleset, replayed.rules.seats)
                self._known[key].ensure(1, solver)
            return self._known[key]


class _Lane:
    """Where one hand at a time is valued, on one thread."""

    def __init__(self, run: _Run, reading: DuckDBPyConnection) -> None:
        self.done = 0
        self._run = run
        self._reading = reading
        self._solvers: dict[tuple[str, int], Solver | str] = {}
        self._rows: list[rows.Row] = []
        self._ledgers: list[tuple[Key, LedgerRow]] = []
        self._outcome = ParOutcome()
        self._kept_at = time.monotonic()

    def work(self) -> ParOutcome:
        """Value portions of hands until there are no more; return what came of them."""
        while (numbers := self._run.next_portion()) is not None:
            for record in records.read_records(self._reading, numbers):
                if self._run.stop.is_set:
                    break
                if record.key in self._run.home.others(kept.PAR):
                    self._outcome += ParOutcome(elsewhere=1)
                    self.done += 1
                else:
                    self._value(*record)
                if time.monotonic() - self._kept_at > KEPT_AFTER:
                    self._keep()
        self._keep()
        return self._outcome

    def _value(self, key: bytes, ruleset: str, columns: tuple[object, ...]) -> None:
        try:
            replayed = replay(read_record(columns)[1])
        except RecordError:
            self._outcome += ParOutcome(unreadable=1)
        except RulesetError:
            self._outcome += ParOutcome(outdated=1)
        else:
            if replayed.ruleset.hash != ruleset:
                self._outcome += ParOutcome(outdated=1)
            else:
                row, ledger = self._valued(replayed)
                self._rows.append({**row, "content_hash": key, "ruleset": ruleset})
                self._ledgers += [((key, ruleset), ledger)] if ledger else []
                refused = row["status"] == rows.REFUSED
                self._outcome += ParOutcome(refused=refused, valued=not refused)
        self.done += 1

    def _valued(self, replayed: Replay) -> rows.Valued:
        solver = self._solver(replayed)
        if isinstance(solver, str):
            return rows.Valued(rows.refusal_row(solver, self._run.stocks), None)
        averages = None
        if rows.may_have_ledger(replayed):
            averages = self._run.averages.of(replayed, solver)
        return rows.valued(replayed, solver, averages, self._run.stocks)

    def _solver(self, replayed: Replay) -> Solver | str:
        """Return the solver for the rules of a hand, or why they are refused."""
        key = replayed.ruleset.hash, replayed.rules.seats
        if key not in self._solvers:
            while len(self._solvers) >= _SOLVERS_KEPT:
                del self._solvers[next(iter(self._solvers))]
            why_not = refusal(replayed.rules)
            self._solvers[key] = why_not or Solver(replayed.rules)
        return self._solvers[key]

    def _keep(self) -> None:
        """Put what was found since the last time into a block."""
        self._kept_at = time.monotonic()
        if not self._rows:
            return
        name = self._run.home.write(kept.PAR, rows.table_of(self._rows))
        # For sums of ledgers, which are kept for the user: without them these are worked out again.
        with suppress(StorageError):
            KeptLedgers().keep(self._ledgers)
        self._rows, self._ledgers = [], []
        self._outcome += ParOutcome(blocks=(name,))
