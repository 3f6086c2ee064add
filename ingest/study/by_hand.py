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
from tricklog.ingest.study.homes import Home, Numbers, Which
from tricklog.ingest.study.lanes import Outcome, Record, known_rules, read_records
from tricklog.ingest.study.rows import REFUSED, Row, Solvers

READ: Final = 200
"""Hands whose records are read at a time."""
TOGETHER: Final = 2
"""Hands of a task."""
SECONDS: Final = 10.0
"""Seconds after which what was found is written into a block."""
OUTDATED: Final = "outdated"
UNREADABLE: Final = "unreadable"
_SOLVERS: Final = Solvers()
RowOf = Callable[[Replay, Solver | str, int], Row]
"""A function of a module: gives the row of a hand but for its key, from its replay, the solver for
its rules or why they are refused, and how much is asked."""


@dataclass(frozen=True, slots=True)
class Work:
    """What is found out about each hand."""

    kind: Kind | None
    """The kind of its blocks; ``None`` where what is found is kept elsewhere."""
    stage: Stage
    asked: int
    """How much is asked of each hand."""
    row_of: RowOf
    write: Callable[[Home, Sequence[Row]], object]
    """Keeps rows."""
    keeps_all: bool = False
    """Whether rows are kept of hands that could not be looked at, too: their status alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What a run that looks at hands has done."""

    hands: int
    """Valid hands that it was to look at."""
    known: int
    """Those of them that had been looked at before, by as much as is asked or more."""
    outcome: Outcome
    """What came of the others, as far as it got."""
    asked: int = 0
    """How much was asked of each hand: deals for a decision, or stocks."""
    seconds: float = 0.0
    published: str | None = None
    """What readers see: a file, or a snapshot of a lake; ``None`` where nothing was ever found."""

    @property
    def left(self) -> int:
        """How many it did not come to."""
        return self.hands - self.known - self.outcome.hands


@dataclass(frozen=True, slots=True)
class HandTask:
    """Some hands to work on."""

    records: tuple[Record, ...]
    row_of: RowOf
    asked: int
    until: float | None
    """When to begin no other hand, by the clock of the wall; the first is done in any case."""


def find_rows(task: HandTask) -> list[Row]:
    """Return the rows of some hands, until the time is over."""
    rows: list[Row] = []
    for each in task.records:
        if rows and is_over(task.until):
            break
        rows.append({**_row(task, each), "content_hash": each.key, "ruleset": each.ruleset})
    return rows


def _row(task: HandTask, record: Record) -> Row:
    known = known_rules(*record.rules)
    if known is None or known[0] != record.ruleset:
        return {"status": OUTDATED}
    try:
        hand = read_record(record.columns)[1]
    except (RecordError, *NO_RECORD):
        return {"status": UNREADABLE}
    return task.row_of(replay(hand), _SOLVERS.of(*known), task.asked)


def is_over(until: float | None) -> bool:
    """Whether the time is over, by the clock of the wall."""
    return until is not None and time.time() >= until


def look_at(
    home: Home,
    work: Work,
    which: Which,
    jobs: int,
    on_progress: OnProgress | None = None,
    until: float | None = None,
) -> Looked:
    """Work on the hands that no block has yet, as ``run`` does."""
    assert work.kind
    wanted, count = home.wanted(work.kind, which)
    outcome = run(home, work, wanted, jobs, on_progress, until)
    return Looked(hands=count, known=count - len(wanted), outcome=outcome, asked=which.asked)


def run(
    home: Home,
    work: Work,
    wanted: Numbers,
    jobs: int,
    on_progress: OnProgress | None = None,
    until: float | None = None,
) -> Outcome:
    """Work on hands until all are done, or no other may begin; return what came of them."""
    outcome, total = Outcome(), len(wanted)
    waiting: list[Row] = []

    def keep() -> None:
        if waiting:
            work.write(home, waiting.copy())
            waiting.clear()

    written = time.monotonic()
    try:
        with Team(jobs) as team, what_is_kept():
            for part in team.do(_tasks(home, work, home.order(wanted), until)):
                if isinstance(part, Done):
                    count = Counter(row["status"] for row in part.result)
                    others = "partly", REFUSED, OUTDATED, UNREADABLE
                    found = [count[each] for each in others]
                    outcome += Outcome(len(part.result) - sum(found), *found)
                    waiting += (
                        row
                        for row in part.result
                        if work.keeps_all or row["status"] not in (OUTDATED, UNREADABLE)
                    )
                else:
                    outcome += part.part
                if on_progress:
                    done = outcome.hands
                    share = 1.0 if done == total else None
                    on_progress(
                        Progress(work.stage, hands=done, done=done, total=total, share=share)
                    )
                if time.monotonic() - written >= SECONDS:
                    keep()
                    written = time.monotonic()
    finally:
        # However it ends, what was found is kept.
        keep()
    return outcome


def _tasks(
    home: Home, work: Work, wanted: Numbers, until: float | None
) -> Iterator[Task[HandTask, list[Row]] | Aside[Outcome]]:
    if not len(wanted):
        return
    begun = False
    with home.tables() as tables:
        for first in range(0, len(wanted), READ):
            read = read_records(tables, np.asarray(wanted[first : first + READ]))
            for place in range(0, len(read), TOGETHER):
                others = home.others(work.kind) if work.kind else ()
                some = read[place : place + TOGETHER]
                left = tuple(each for each in some if each.key not in others)
                if len(left) < len(some):
                    yield Aside(Outcome(elsewhere=len(some) - len(left)))
                if begun and is_over(until):
                    return
                if left:
                    # As many at a time as there are processes, and one more.
                    task = HandTask(left, work.row_of, work.asked, until)
                    yield Task(find_rows, task, workers.IN_FLIGHT)
                    begun = True


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
