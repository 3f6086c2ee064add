"""Tasks of a lake on a cluster of Spark, for those who have one; each is a small job of its own.

The session is the caller's, so that nothing here needs Spark to be installed. It is that of a
driver, with a ``SparkContext``, and not one of Spark Connect.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from typing import TYPE_CHECKING, Any, Final, Self

from ingest.lake.engines import ClusterError, Lanes, Lost, attempt

if TYPE_CHECKING:
    import pyarrow as pa

ASKED: Final = "request binary, pause double"
ANSWERED: Final = "answer binary"
"""The columns of what ``attempts`` takes and gives."""


def attempts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Do the tasks of batches with the columns ``ASKED``, for ``DataFrame.mapInArrow``."""
    import pyarrow as pa

    for batch in batches:
        for asked in batch.to_pylist():
            answer = attempt(bytes(asked["request"]), asked["pause"])
            yield pa.record_batch({"answer": pa.array([answer], pa.binary())})


class OnSpark(Lanes[Future[bytes]]):
    """An engine of a ``SparkSession``; see ``engines.Engine``. Used as a context manager.

    Executors need the same Python and Tricklog as the driver. How much memory a task has is set for
    them. Spark does lost tasks again by itself before they count as lost here.
    """

    def __init__(self, session: Any, slots: int | None = None) -> None:  # noqa: ANN401 - Spark's
        """``slots``: how many tasks are done at a time; by default one for each core of Spark."""
        self._session = session
        self._slots = slots or int(session.sparkContext.defaultParallelism)
        # A thread of this process waits for each task.
        self._pool = ThreadPoolExecutor(2 * self._slots)
        self._tags: dict[Future[bytes], str] = {}
        """What the jobs of tasks are called."""
        self._dropped: dict[Future[bytes], str] = {}
        """Likewise, of those that are to end."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop(list(self._tags))
        while self._dropped:
            # What was dropped just before Spark knew of it is to be dropped once more.
            wait_for(self._dropped, timeout=0.5)
            self._cancel(list(self._dropped))
        self._pool.shutdown()

    @property
    def slots(self) -> int:
        """How many tasks are done at the same time."""
        return self._slots

    def begin(self, request: bytes, pause: float, memory: int) -> Future[bytes]:
        """See ``Lanes.begin``."""
        del memory
        tag = uuid.uuid4().hex
        task = self._pool.submit(self._do, request, pause, tag)
        self._tags[task] = tag
        return task

    def wait(self, tasks: Collection[Future[bytes]]) -> tuple[Future[bytes], bytes | Lost]:
        """See ``Lanes.wait``. Raises ``ClusterError`` where executors have no Tricklog."""
        done, _ = wait_for(tasks, return_when=FIRST_COMPLETED)
        task = done.pop()
        del self._tags[task]
        error = task.exception()
        if error is None:
            return task, task.result()
        said = str(error)
        if "ModuleNotFoundError" in said:
            raise ClusterError(
                "Executors of Spark find no Tricklog. Install it in their environment: "
                "pip install 'tricklog[lake]'."
            ) from error
        return task, Lost(f"Spark gave it up: {said.splitlines()[0] if said else type(error)}")

    def drop(self, tasks: Collection[Future[bytes]]) -> None:
        """See ``Lanes.drop``."""
        for task in tasks:
            if task in self._tags:
                self._dropped[task] = self._tags.pop(task)
        self._cancel([task for task in self._dropped if not task.cancel()])

    def _cancel(self, tasks: Collection[Future[bytes]]) -> None:
        self._dropped = {task: self._dropped[task] for task in tasks if not task.done()}
        for tag in self._dropped.values():
            self._session.sparkContext.cancelJobGroup(tag)

    def _do(self, request: bytes, pause: float, tag: str) -> bytes:
        session = self._session
        session.sparkContext.setJobGroup(tag, "a task of Tricklog", interruptOnCancel=True)
        frame = session.createDataFrame([(bytearray(request), pause)], ASKED)
        (row,) = frame.coalesce(1).mapInArrow(attempts, ANSWERED).collect()
        return bytes(row["answer"])
