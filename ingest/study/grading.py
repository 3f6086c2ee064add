"""Grading stored hands by what their players knew: in processes, a few hands at a time.

It takes a tenth of a second to some seconds a hand, most of it in plain Python, so that each core
has a process of its own. Blocks are written every few seconds: that is what a run loses that is
killed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ingest.facts import kept
from ingest.loading import workers
from ingest.loading.workers import Aside, Done, Task, Team
from ingest.reading.progress import OnProgress, Progress, Stage
from ingest.store.warehouse import NO_RECORD, RecordError, read_record
from ingest.study import hidden_rows
from ingest.study.homes import Home, Numbers
from ingest.study.lanes import Outcome
from ingest.study.records import KnownRules, Record, read_records
from replay import replay
from replay.engine.records import Rules
from replay.study import Solver, refusal

READ: Final = 200
"""Hands whose records are read at a time."""
TOGETHER: Final = 2
"""Hands of a task."""
SECONDS: Final = 10.0
"""Seconds after which what was graded is written into a block."""
SOLVERS_KEPT: Final = 16


@dataclass(frozen=True, slots=True)
class GradeTask:
    """Some hands to grade."""

    records: tuple[Record, ...]
    worlds: int
    """Deals for each decision."""
    until: float | None
    """When to begin no other hand, by the clock of the wall; the first is graded in any case."""


@dataclass(frozen=True, slots=True)
class Graded:
    """What came of a task."""

    rows: tuple[hidden_rows.Row, ...]
    outdated: int
    unreadable: int


def grade_hands(task: GradeTask) -> Graded:
    """Grade some hands, until the time is over."""
    rows: list[hidden_rows.Row] = []
    outdated = unreadable = 0
    for number, each in enumerate(task.records):
        if number and task.until is not None and time.time() >= task.until:
            break
        known = _RULES.of(each.rules, each.seats)
        if known is None or known[0] != each.ruleset:
            outdated += 1
            continue
        try:
            hand = read_record(each.columns)[1]
        except (RecordError, *NO_RECORD):
            unreadable += 1
            continue
        row = hidden_rows.row_of(replay(hand), _solver(*known), task.worlds)
        rows.append({**row, "content_hash": each.key, "ruleset": each.ruleset})
    return Graded(tuple(rows), outdated, unreadable)


_RULES: Final = KnownRules()
_solvers: dict[tuple[str, int], Solver | str] = {}


def _solver(ruleset: str, rules: Rules) -> Solver | str:
    """Return the solver for rules, or why they are refused; this process keeps some."""
    key = ruleset, rules.seats
    found = _solvers.pop(key, None)
    if found is None:
        while len(_solvers) >= SOLVERS_KEPT:
            del _solvers[next(iter(_solvers))]
        found = refusal(rules) or Solver(rules)
    _solvers[key] = found
    return found


class Grading:
    """One run over the hands that are wanted."""

    def __init__(
        self, home: Home, worlds: int, on_progress: OnProgress | None, until: float | None
    ) -> None:
        """Grade by ``worlds`` deals; begin no more after ``until``, by the clock of the wall."""
        self._home = home
        self._worlds = worlds
        self._on_progress = on_progress
        self._until = until

    def grade(self, wanted: Numbers, jobs: int) -> Outcome:
        """Grade hands until all are, or the time is over; return what came of them."""
        outcome, total = Outcome(), len(wanted)
        if not total:
            return outcome
        waiting: list[hidden_rows.Row] = []
        written = time.monotonic()
        try:
            with Team(jobs) as team:
                parts: Iterator[Task[GradeTask, Graded] | Aside[None]]
                parts = self._tasks(self._home.order(wanted))
                for done in team.do(parts):
                    assert isinstance(done, Done)
                    waiting += done.result.rows
                    outcome += _counted(done.result)
                    self._tell(outcome, total)
                    if time.monotonic() - written >= SECONDS:
                        outcome += self._write(waiting)
                        written = time.monotonic()
        finally:
            # However it ends, what was graded is kept.
            outcome += self._write(waiting)
        return outcome

    def _tasks(self, wanted: Numbers) -> Iterator[Task[GradeTask, Graded] | Aside[None]]:
        begun = False
        with self._home.tables() as tables:
            for first in range(0, len(wanted), READ):
                numbers: Numbers = np.asarray(wanted[first : first + READ])
                records = read_records(tables, numbers)
                for place in range(0, len(records), TOGETHER):
                    some = tuple(records[place : place + TOGETHER])
                    if begun and self._until is not None and time.time() >= self._until:
                        return
                    task = GradeTask(some, self._worlds, self._until)
                    # As many at a time as there are processes, and one more.
                    yield Task(grade_hands, task, workers.IN_FLIGHT)
                    begun = True

    def _write(self, waiting: list[hidden_rows.Row]) -> Outcome:
        if not waiting:
            return Outcome()
        table = hidden_rows.table_of(waiting)
        waiting.clear()
        return Outcome(blocks=(self._home.write(kept.HIDDEN, table),))

    def _tell(self, outcome: Outcome, total: int) -> None:
        if self._on_progress:
            done = outcome.hands
            self._on_progress(Progress(Stage.GRADING, hands=done, done=done, total=total))


def _counted(graded: Graded) -> Outcome:
    found = Counter(row["status"] for row in graded.rows)
    return Outcome(
        found[hidden_rows.GRADED],
        found[hidden_rows.PARTLY],
        found[hidden_rows.REFUSED],
        graded.outdated,
        graded.unreadable,
    )
