"""What all tasks of a load know: its parts in their order, and which numbers its hands get."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import msgspec
import numpy as np

from tricklog.ingest.lake import groups
from tricklog.ingest.lake.groups import Groups, Places
from tricklog.ingest.lake.publish import Snapshot
from tricklog.ingest.lake.staging import CAREFUL, VALID, Part
from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.lake.tables import BUCKET_BITS, LOAD_BITS

BUCKETS: Final = 1 << LOAD_BITS - BUCKET_BITS
"""Buckets of a load, at most."""


def bucket_of(hand_nos: Places) -> Places:
    """Return the bucket of hands by their numbers."""
    return (hand_nos >> BUCKET_BITS) & (BUCKETS - 1)


class Settled(msgspec.Struct, frozen=True):
    """Where what became of the hands is written that are not new."""

    path: str
    groups: Groups
    """By the bucket of the game."""


class Plan(msgspec.Struct, frozen=True, dict=True):
    """A load, once all its logs are staged."""

    load: int
    """Its number."""
    buckets: int
    before: Snapshot | None
    """What is published already."""
    parts: list[Part]
    """In the order in which hands come first."""
    settled: list[Settled]
    """Empty until ids are settled."""

    @cached_property
    def first_lines(self) -> list[int]:
        """Lines of its log before each part: more than none where it is a later range."""
        before = []
        lines: dict[int, int] = {}
        for part in self.parts:
            before.append(0 if part.log is None else lines.get(part.log, 0))
            if part.log is not None:
                lines[part.log] = before[-1] + part.counts.lines
        return before

    @cached_property
    def first_files(self) -> list[int]:
        """Number of the first log of each part among all logs."""
        counts = [len(part.files) for part in self.parts]
        return (np.cumsum(counts) - counts).tolist() if counts else []

    @cached_property
    def _valid(self) -> Places:
        return self._sizes(VALID)

    @cached_property
    def _careful(self) -> Places:
        return self._sizes(CAREFUL)

    def _sizes(self, name: str) -> Places:
        sizes = [groups.sizes(part.groups.get(name, []), self.buckets) for part in self.parts]
        return np.array(sizes, np.int64).reshape(len(self.parts), self.buckets)

    def first_places(self, part: int, *, careful: bool) -> Places:
        """Return of each bucket the place of the first hand that a part puts there.

        Valid hands come first, part by part, then those that are replayed with care.
        """
        of = self._careful if careful else self._valid
        before: Places = of[:part].sum(axis=0)
        return before + self._valid.sum(axis=0) if careful else before

    def write(self, storage: Storage, name: str) -> None:
        """Write the plan into a file, for tasks to read."""
        with storage.open_output(name) as file:
            file.write(msgspec.msgpack.encode(self))


@dataclass(frozen=True, slots=True)
class BucketTask:
    """A bucket of ids to be settled, or of games to be stored."""

    bucket: int
    plan: str
    """The file with the plan of the load, which lies where the load sets things aside."""
    storage: Storage

    @property
    def folder(self) -> str:
        """Where the load sets things aside."""
        return self.plan.rpartition("/")[0]


@lru_cache(maxsize=2)
def read_plan(storage: Storage, name: str) -> Plan:
    """Return the plan in a file; it is kept, as a process does one task of a load after another.

    Raises ``OSError`` when it cannot be read.
    """
    return msgspec.msgpack.decode(storage.read(name), type=Plan)
