"""A process that loads logs into a lake, and may be killed at a point of its way.

    python -m tests.kit.lake_load_child LAKE POINT BUCKETS LOG...

``POINT`` is a task and how many of its kind are done, as ``store_games 2``; a point of the publish
and its table, as ``committed hands``; or ``-``. What the environment calls ``TRICKLOG_TEST_SIGNAL``
is sent there in the place of SIGKILL.
"""

import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import TypeVar
from unittest import mock

from ingest.lake import publish
from ingest.lake.engines import Here
from ingest.lake.load import How, load
from ingest.lake.storage import storage_of
from ingest.reading.interrupts import ended_in_order

A = TypeVar("A")
R = TypeVar("R")
SIGNAL = signal.Signals[f"SIG{os.environ.get('TRICKLOG_TEST_SIGNAL', 'KILL')}"]


class Killing(Here):
    """Does tasks until so many of a kind are done."""

    def __init__(self, point: str) -> None:
        self._point = point
        self._done: Counter[str] = Counter()

    def map(self, work: Callable[[A], R], items: Iterable[A], *, memory: int = 0) -> Iterator[R]:
        for result in super().map(work, items, memory=memory):
            self._done[work.__name__] += 1
            if self._point == f"{work.__name__} {self._done[work.__name__]}":
                signal.raise_signal(SIGNAL)
            yield result


def main() -> None:
    """Load, and die where it was told to."""
    db, point, buckets, *logs = sys.argv[1:]

    def reached(where: StrEnum, table: str = "") -> None:
        if point == f"{where} {table}".strip():
            signal.raise_signal(SIGNAL)

    mock.patch.object(publish, "_reached", reached).start()
    how = How(buckets=int(buckets), take_over=True)
    with ended_in_order():
        load(logs, storage_of(db), Killing(point), how=how)


if __name__ == "__main__":
    main()
