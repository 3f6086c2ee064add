"""Solving the hands of a warehouse that nobody has solved: block by block, on all cores.

One run at a time solves hands of a warehouse. It may be ended at any moment: what has been solved
is kept in blocks, and the next run goes on from there. Readers see all of it when a run comes to
its end, see ``ingest.facts.solved``.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ingest.facts import files as facts_files
from ingest.facts import solved
from ingest.loading import workers
from ingest.metrics.filters import EVERYTHING, Filters
from ingest.metrics.query import hands_behind
from ingest.reading.progress import OnProgress, Progress, Stage
from ingest.store import database, publishing, warehouse
from ingest.store.publishing import BusyError, StorageError
from ingest.store.warehouse import NoSnapshotError, WarehouseError, first_line
from ingest.study import blocks
from ingest.study.lanes import Lane, Outcome, Stop
from ingest.warehouses import is_lake
from replay.compiled import build, kernel

LOCK: Final = "STUDY-LOCK"
WAIT: Final = 60.0
"""Seconds to wait for another run that solves hands of the same warehouse."""
BLOCK: Final = 2_000
"""Hands of a block: some seconds of work, which is what a run that is killed loses."""
FEWEST: Final = 50
"""Hands of a block at the least, however many processors there are."""
WORTH_COMPILING: Final = 10_000
"""Hands from which on compiling all that they go through costs less than it saves."""
_TICK: Final = 0.25
"""Seconds between two looks at the clock."""
_MEMORY: Final = "400MB"

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SolveReport:
    """What a run that solves hands has done."""

    hands: int
    """Valid hands that it was to look at."""
    known: int
    """Those of them that had been looked at before."""
    outcome: Outcome
    """What came of the others, as far as it got."""
    seconds: float
    published: Path | None
    """The file that readers see; ``None`` where nothing has ever been solved."""

    @property
    def left(self) -> int:
        """How many it did not come to."""
        return self.hands - self.known - self.outcome.hands


def solve(
    db: str | Path,
    *,
    filters: Filters = EVERYTHING,
    budget: float | None = None,
    jobs: int | None = None,
    on_progress: OnProgress | None = None,
    patience: float = WAIT,
) -> SolveReport:
    """Solve the valid hands of the warehouse ``db`` that nobody has solved yet, and publish them.

    Args:
        db: the warehouse's folder.
        filters: which hands to solve, as figures have them; all by default.
        budget: seconds after which to stop; what is left is for another run.
        jobs: how many processor cores to take; all by default.
        on_progress: called now and then with how far the run is.
        patience: seconds to wait for another run that solves hands of this warehouse.

    Raises ``NoSnapshotError`` when nothing has been loaded yet, ``BusyError`` when the other run
    does not end in time, and ``WarehouseError`` for a lake, and for files that cannot be read or
    written.
    """
    began = time.monotonic()
    if is_lake(db):
        raise WarehouseError(
            f"{db} is a lake, and hands are solved in a warehouse of one machine: load the logs "
            "into a folder, and solve them there."
        )
    folder = Path(db)
    snapshot = warehouse.current_snapshot(folder)
    if snapshot is None:
        raise NoSnapshotError(
            f"{db} holds no warehouse yet: tricklog load LOGS --db {db} makes one."
        )
    with _alone(folder, patience, on_progress):
        blocks.clear(folder)
        kept = blocks.sound(folder)
        chosen = _chosen(folder, filters, on_progress)
        wanted, count = _wanted(snapshot, kept, chosen)
        run = _Run(folder, snapshot, on_progress, None if budget is None else began + budget)
        outcome = run.solve(wanted, jobs or workers.cores())
        path = facts_files.publish_solved(
            folder, [*(each.name for each in kept), *outcome.blocks], on_progress
        )
    return SolveReport(count, count - len(wanted), outcome, time.monotonic() - began, path)


@contextmanager
def _alone(db: Path, patience: float, on_progress: OnProgress | None) -> Iterator[None]:
    """Hold the lock of whoever solves hands; the system frees it in any case."""
    lock = publishing.lock_at(db / LOCK)
    try:
        held = publishing.take(lock, 0)
        if held is None and patience > 0:
            if on_progress:
                on_progress(Progress(Stage.QUEUEING))
            held = publishing.take(lock, patience)
    except OSError as error:
        raise StorageError(
            f"{db} cannot be written: {error.strerror}. What is solved is kept there: make it "
            "writable, or copy the warehouse to a folder that is."
        ) from error
    if held is None:
        raise BusyError(
            f"Another run is solving hands of {db}. It goes on by itself; try again when it has "
            "finished."
        )
    with held:
        yield


# --- Which hands


def _chosen(db: Path, filters: Filters, on_progress: OnProgress | None) -> Numbers | None:
    """Return the numbers of the hands that filters choose; ``None`` for all."""
    if filters == EVERYTHING:
        return None
    query, parameters = hands_behind(None, filters)
    with facts_files.open_facts(db, on_progress) as facts:
        found = facts.execute(f"SELECT hand FROM ({query})", parameters).fetchnumpy()  # noqa: S608 - our own
    return np.asarray(found["hand"], np.int64)


def _wanted(snapshot: Path, kept: Sequence[Path], chosen: Numbers | None) -> tuple[Numbers, int]:
    """Return the numbers of the hands to solve, the newest first, and of how many these are."""
    with database.connect(memory_limit=_MEMORY) as connection, database.interruptible(connection):
        database.attach(connection, "games", snapshot)
        connection.execute(
            "CREATE TABLE valid AS SELECT hand_no, content_hash, ruleset "
            "FROM games.hands JOIN games.seatings USING (seating_id) WHERE verdict = 'valid'"
        )
        if chosen is not None:
            connection.register("chosen", {"hand_no": chosen})
            connection.execute(
                "DELETE FROM valid WHERE hand_no NOT IN (SELECT hand_no FROM chosen)"
            )
        ((count,),) = connection.execute("SELECT count(*) FROM valid").fetchall()
        if kept:
            listed = ", ".join(f"'{str(path).replace(chr(39), chr(39) * 2)}'" for path in kept)
            connection.execute(f"CREATE VIEW known AS FROM read_parquet([{listed}])")
        else:
            connection.execute("CREATE VIEW known AS FROM valid LIMIT 0")
        found = connection.execute(
            "SELECT hand_no FROM valid ANTI JOIN known USING (content_hash, ruleset) "
            "ORDER BY hand_no DESC"
        ).fetchnumpy()
    return np.asarray(found["hand_no"], np.int64), int(count)


# --- The run


class _Run:
    """One run over the hands that are wanted."""

    def __init__(
        self,
        db: Path,
        snapshot: Path,
        on_progress: OnProgress | None,
        deadline: float | None,
    ) -> None:
        self._db = db
        self._snapshot = snapshot
        self._on_progress = on_progress
        self._deadline = deadline
        self._stop = Stop()

    def solve(self, wanted: Numbers, jobs: int) -> Outcome:
        """Solve hands until all are, or the time is over; return what came of them."""
        if not len(wanted):
            return Outcome()
        self._compile(len(wanted))
        size = max(FEWEST, min(BLOCK, -(-len(wanted) // jobs)))
        portions = [wanted[first : first + size] for first in range(0, len(wanted), size)]
        jobs = min(jobs, len(portions))
        with (
            warehouse.open_file(self._snapshot, once=True) as connection,
            ThreadPoolExecutor(jobs) as pool,
        ):
            lanes = [Lane(connection.cursor(), self._stop) for _ in range(jobs)]
            try:
                return self._give_out(pool, lanes, portions, len(wanted))
            except BaseException:
                # Whatever is being solved comes to its end within a hand, and is kept.
                self._stop.set()
                raise

    def _compile(self, hands: int) -> None:
        """Compile what so many hands are worth. Where it cannot be kept that is for this run."""
        wanted = []
        if not kernel.solver_is_ready():
            wanted.append(build.build_solver)
        if hands >= WORTH_COMPILING and not kernel.study_is_ready():
            wanted.append(build.build_study)
        if wanted and kernel.can_keep():
            if self._on_progress:
                self._on_progress(Progress(Stage.COMPILING_SOLVER))
            for each in wanted:
                each()

    def _give_out(
        self,
        pool: ThreadPoolExecutor,
        lanes: list[Lane],
        portions: list[Numbers],
        total: int,
    ) -> Outcome:
        """Have blocks solved, so many at a time that no lane waits; look at the clock."""
        outcome = Outcome()
        free = list(lanes)
        waiting: dict[Future[Outcome], Lane] = {}
        coming = iter(portions)
        while True:
            while free and not self._stop.is_set:
                numbers = next(coming, None)
                if numbers is None:
                    break
                lane = free.pop()
                waiting[pool.submit(self._block, lane, numbers)] = lane
            if not waiting:
                return outcome
            done, _ = wait(waiting, timeout=_TICK, return_when=FIRST_COMPLETED)
            for each in done:
                free.append(waiting.pop(each))
                outcome += each.result()
            self._tell(lanes, total)
            if self._deadline is not None and time.monotonic() >= self._deadline:
                self._stop.set()

    def _block(self, lane: Lane, numbers: Numbers) -> Outcome:
        """Solve the hands of these numbers, and keep what came of them."""
        table, outcome = lane.solve(numbers)
        if not len(table):
            return outcome
        try:
            name = blocks.write(self._db, table)
        except OSError as error:
            raise StorageError(
                f"{solved.blocks_folder(self._db)} cannot be written: {first_line(error)}. Free "
                "space there, or make it writable, and do the same again: blocks of hands that "
                "are complete are kept, and it goes on after them."
            ) from error
        return outcome + Outcome(blocks=(name,))

    def _tell(self, lanes: Sequence[Lane], total: int) -> None:
        if self._on_progress:
            done = sum(lane.done for lane in lanes)
            self._on_progress(Progress(Stage.SOLVING, hands=done, done=done, total=total))
