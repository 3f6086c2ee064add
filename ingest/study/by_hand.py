"""Working on stored hands one by one: in processes, a few hands at a time.

To grade a hand by what its players knew, or to hold its auction against par, takes a tenth of a
second to some seconds, most of it in plain Python, so that each core has a process of its own.
Blocks are written every few seconds: that is what a run loses that is killed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import numpy as np

from tricklog.core import Replay, replay
from tricklog.core.study import Solver
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.loading import workers
from tricklog.ingest.loading.workers import Aside, Done, Task, Team, WorkerError
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.store.warehouse import NO_RECORD, RecordError, WarehouseError, read_record
from tricklog.ingest.study.homes import Home, Numbers
from tricklog.ingest.study.lanes import Outcome
from tricklog.ingest.study.plain import Row, Solvers
from tricklog.ingest.study.records import KnownRules, Record, read_records

READ: Final = 200
"""Hands whose records are read at a time."""
TOGETHER: Final = 2
"""Hands of a task."""
SECONDS: Final = 10.0
"""Seconds after which what was found is written into a block."""


@dataclass(frozen=True, slots=True)
class Work:
    """What is found out about each hand."""

    kind: Kind | None
    """The kind of its blocks; ``None`` where what is found is kept elsewhere."""
    stage: Stage
    asked: int
    """How much is asked of each hand."""
    row_of: Callable[[Replay, Solver | str, int], Row]
    """A function of a module: gives the row of a hand but for its key, from its replay, the solver
    for its rules or why they are refused, and how much is asked."""
    write: Callable[[Home, Sequence[Row]], object]
    """Keeps rows."""
    keeps_all: bool = False
    """Whether rows are kept of hands that could not be looked at, too: their status alone."""


@dataclass(frozen=True, slots=True)
class HandTask:
    """Some hands to work on."""

    records: tuple[Record, ...]
    row_of: Callable[[Replay, Solver | str, int], Row]
    asked: int
    until: float | None
    """When to begin no other hand, by the clock of the wall; the first is done in any case."""


def find_rows(task: HandTask) -> list[Row]:
    """Return the rows of some hands, until the time is over."""
    rows: list[Row] = []
    for each in task.records:
        if rows and task.until is not None and time.time() >= task.until:
            break
        rows.append({**_row(task, each), "content_hash": each.key, "ruleset": each.ruleset})
    return rows


def _row(task: HandTask, record: Record) -> Row:
    known = _RULES.of(record.rules, record.seats)
    if known is None or known[0] != record.ruleset:
        return {"status": OUTDATED}
    try:
        hand = read_record(record.columns)[1]
    except (RecordError, *NO_RECORD):
        return {"status": UNREADABLE}
    return task.row_of(replay(hand), _SOLVERS.of(*known), task.asked)


OUTDATED: Final = "outdated"
UNREADABLE: Final = "unreadable"
_RULES: Final = KnownRules()
_SOLVERS: Final = Solvers()


class ByHand:
    """One run over the hands that are wanted."""

    def __init__(
        self, home: Home, work: Work, on_progress: OnProgress | None, until: float | None
    ) -> None:
        """Begin no hand after ``until``, by the clock of the wall."""
        self._home = home
        self._work = work
        self._on_progress = on_progress
        self._until = until

    def run(self, wanted: Numbers, jobs: int) -> Outcome:
        """Work on hands until all are done, or the time is over; return what came of them."""
        outcome, total = Outcome(), len(wanted)
        if not total:
            return outcome
        waiting: list[Row] = []
        written = time.monotonic()
        try:
            with Team(jobs) as team, what_is_kept():
                for part in team.do(self._tasks(self._home.order(wanted))):
                    if isinstance(part, Done):
                        waiting += filter(self._is_kept, part.result)
                        outcome += _counted(part.result)
                    else:
                        outcome += part.part
                    self._tell(outcome, total)
                    if time.monotonic() - written >= SECONDS:
                        self._write(waiting)
                        written = time.monotonic()
        finally:
            # However it ends, what was found is kept.
            self._write(waiting)
        return outcome

    def _is_kept(self, row: Row) -> bool:
        return self._work.keeps_all or row["status"] not in (OUTDATED, UNREADABLE)

    def _tasks(self, wanted: Numbers) -> Iterator[Task[HandTask, list[Row]] | Aside[Outcome]]:
        work, begun = self._work, False
        with self._home.tables() as tables:
            for first in range(0, len(wanted), READ):
                numbers: Numbers = np.asarray(wanted[first : first + READ])
                records = read_records(tables, numbers)
                for place in range(0, len(records), TOGETHER):
                    others = self._home.others(work.kind) if work.kind else ()
                    some = records[place : place + TOGETHER]
                    left = tuple(each for each in some if each.key not in others)
                    if len(left) < len(some):
                        yield Aside(Outcome(elsewhere=len(some) - len(left)))
                    if begun and self._until is not None and time.time() >= self._until:
                        return
                    if left:
                        # As many at a time as there are processes, and one more.
                        task = HandTask(left, work.row_of, work.asked, self._until)
                        yield Task(find_rows, task, workers.IN_FLIGHT)
                        begun = True

    def _write(self, waiting: list[Row]) -> None:
        if waiting:
            self._work.write(self._home, waiting.copy())
            waiting.clear()

    def _tell(self, outcome: Outcome, total: int) -> None:
        if self._on_progress:
            done, stage = outcome.hands, self._work.stage
            share = 1.0 if done == total else None
            self._on_progress(Progress(stage, hands=done, done=done, total=total, share=share))


@contextmanager
def what_is_kept() -> Iterator[None]:
    """Say what stands, and how to go on, where a process is ended from outside."""
    try:
        yield
    except WorkerError as error:
        raise WarehouseError(
            "A process that worked on hands was ended from outside, as the system does when memory "
            "runs out. What was found before is kept. Close other programs, then do the same again."
        ) from error


def _counted(rows: Sequence[Row]) -> Outcome:
    count = Counter(row["status"] for row in rows)
    partly, refused, outdated = count["partly"], count["refused"], count[OUTDATED]
    solved = len(rows) - partly - refused - outdated - count[UNREADABLE]
    return Outcome(solved, partly, refused, outdated, count[UNREADABLE])
