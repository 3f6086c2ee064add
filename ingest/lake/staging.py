"""The first step on a lake: part of the logs is read; what it holds is set aside by bucket.

What any log holds goes to many places: hands to the bucket of their game, so that games can be
checked whole, and the claims of hands to ids to the bucket of their id. A task writes a few files
of its own and returns where the rows of which bucket lie in them. The parts in their order make the
plan of a load, which says what numbers its hands get and gives back what is set aside for a bucket.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tricklog.ingest.adapters.registry import UnknownAdapterError
from tricklog.ingest.lake import groups
from tricklog.ingest.lake.groups import GroupedWriter, Groups, Places, hashes_of
from tricklog.ingest.lake.publish import Snapshot
from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.lake.tables import BUCKET_BITS, LOAD_BITS
from tricklog.ingest.loading.auditing import Counts
from tricklog.ingest.loading.foreign import reader_named
from tricklog.ingest.loading.report import Account, Forecast, OnReject
from tricklog.ingest.loading.spool import Spool, entry_in, with_column
from tricklog.ingest.loading.staging import Staged, stage
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.intake import moved
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.reading.rejects import Reject
from tricklog.ingest.reading.sources import Source
from tricklog.ingest.score_sheets.layout import CORRECT_IN_LAKE
from tricklog.ingest.store import database, forgotten, rows
from tricklog.ingest.store.warehouse import WarehouseError
from tricklog.ingest.text_form.problems import Problem

VALID: Final = "valid"
CAREFUL: Final = "careful"
CLAIMS: Final = "claims"
REJECTS: Final = "rejects"
SEATINGS: Final = "seatings"
MANIFEST: Final = "part"
"""The files of a part, which has those that anything is in, and the one that names them."""
NOTED: Final = 100
"""Rejects of a part, and warnings about it, that are told one by one."""
BUCKETS: Final = 1 << LOAD_BITS - BUCKET_BITS
"""Buckets of a load, at most."""
_LONGEST: Final = 4_096
"""Bytes of a line that are told."""


@dataclass(frozen=True, slots=True)
class StageTask:
    """Part of the logs to be staged."""

    number: int
    """Its place among all parts, in the order in which hands come first."""
    sources: tuple[Source, ...]
    """Logs, or one range of a log."""
    log: int | None
    """Of a range, the number of its log; its other ranges have it, too."""
    buckets: int
    storage: Storage
    folder: str
    """Where the load sets things aside."""
    adapter: str | None = None
    """Whose logs they are; ``None`` for hand logs."""


class Part(msgspec.Struct, frozen=True):
    """What was staged of a part of the logs. Lines of a range are counted from its beginning."""

    number: int
    log: int | None
    """That of its task."""
    files: list[str]
    """The logs with hands, as they are called, in the order in which they were read."""
    folder: str
    """Where the files of this part are, below the root of the lake."""
    counts: Counts
    """Its lines; of those accepted the ids are yet to be settled."""
    size: int
    """Bytes that were read, as they are stored."""
    groups: dict[str, Groups]
    """Of each file that is there: where the rows of each bucket are."""
    noted: list[Reject]
    """Those that are told one by one."""
    warned: list[tuple[str, Problem]] = []
    """What may not be meant of hands that are written as text, with the log of each."""
    forgotten: int = 0
    """Hands in which somebody who was forgotten has another id than in the log."""
    listed: str = ""
    """What names the list of those, as it was read."""

    def path(self, name: str) -> str:
        """Return the name of a file below the root of the lake."""
        return f"{self.folder}/{name}.arrow"


def stage_part(task: StageTask) -> Part:
    """Read a part of the logs, and set aside what it holds.

    Every attempt writes to a folder of its own, so two that overlap do each other no harm. Raises
    ``WarehouseError`` when there is no room for temporary files, and ``OSError`` when the store
    fails.
    """
    noted: list[Reject] = []
    warned: list[tuple[str, Problem]] = []

    def warn(file: str, each: Problem) -> None:
        if len(warned) < NOTED:
            warned.append((file, each))

    try:
        foreign = reader_named(task.adapter) if task.adapter is not None else None
    except UnknownAdapterError as error:
        raise WarehouseError(
            f"Where this load is at work, {error}. Install the adapter's package there as well."
        ) from error
    byte_counter = ByteCounter(task.sources)
    folder = f"{task.folder}/{task.number:06d}-{uuid.uuid4().hex[:12]}"
    listed = forgotten.read(task.storage)
    account = Account(Forecast(facts=False), on_reject=noting(noted), on_warning=warn)
    with Staged(account, Forgotten(listed) if listed else None, CORRECT_IN_LAKE) as staged:
        stage(task.sources, staged, byte_counter, lanes=1, foreign=foreign)
        groups = _Files(task, folder).write(staged)
        files = staged.spool.files()
    pa.default_memory_pool().release_unused()
    part = Part(
        number=task.number,
        log=task.log,
        files=files,
        folder=folder,
        counts=account.counts,
        size=byte_counter.done,
        groups=groups,
        noted=noted,
        warned=warned,
        forgotten=account.forgotten,
        listed=forgotten.named(listed),
    )
    with task.storage.open_output(f"{folder}/{MANIFEST}") as file:
        file.write(msgspec.msgpack.encode(part))
    return part


def noting(noted: list[Reject]) -> OnReject:
    """Return what notes the first rejects of a task; of a long line only the beginning travels."""

    def note(reject: Reject) -> None:
        if len(noted) < NOTED:
            noted.append(replace(reject, text=reject.text[:_LONGEST], parts=(), problems=()))

    return note


class _Files:
    """The files of a part, one of each kind."""

    def __init__(self, task: StageTask, folder: str) -> None:
        self._storage, self._buckets = task.storage, task.buckets
        self._files = ExitStack()
        self._writers: dict[str, GroupedWriter] = {}
        self._folder = folder
        self._used: list[Places] = []
        """Which seating has hands in which bucket: its number times the buckets, and the bucket."""
        self._connection = self._files.enter_context(database.connect(threads="1"))

    def write(self, staged: Staged) -> dict[str, Groups]:
        """Write what was staged; return where the rows of each bucket are, by file."""
        with self._files:
            for hands in staged.spool.tables():
                self._add_hands(VALID, hands)
            for seatings in staged.spool.seatings():
                self._add_seatings(seatings)
            for lines in staged.spool.tables_of_lines():
                self._add_hands(CAREFUL, lines.drop_columns("hand_no"))
            for batch in staged.intake.rejects():
                table = rows.to_table(rows.REJECT_TYPES, batch)
                self._add(REJECTS, table, self._bucket_of(table["reject"]))
        return {name: writer.groups for name, writer in self._writers.items() if writer.groups}

    def _add(self, name: str, table: pa.Table, buckets: Places) -> Places:
        if name not in self._writers:
            writer = GroupedWriter(self._storage, f"{self._folder}/{name}.arrow", self._buckets)
            self._writers[name] = self._files.enter_context(writer)
        return self._writers[name].add(table, buckets)

    def _bucket_of(self, keys: pa.ChunkedArray) -> Places:
        return (hashes_of(self._connection, keys) % self._buckets).astype(np.int64)

    def _add_seatings(self, seatings: pa.Table) -> None:
        """Write seatings, each once for every bucket in which it has hands."""
        numbers = seatings["seating_id"].to_numpy().astype(np.int64)
        used = np.unique(np.concatenate(self._used))
        order = np.argsort(numbers)
        places = np.searchsorted(numbers, used // self._buckets, sorter=order)
        here = order[np.minimum(places, len(order) - 1)]
        is_here = numbers[here] == used // self._buckets
        self._add(SEATINGS, seatings.take(pa.array(here[is_here])), (used % self._buckets)[is_here])

    def _add_hands(self, name: str, hands: pa.Table) -> None:
        """Write hands by the buckets of their games, and their claims by those of their ids."""
        buckets = self._bucket_of(pc.coalesce(hands["game"], hands["hand_id"]))
        places = self._add(name, hands, buckets)
        if name == VALID:
            seatings = hands["seating_id"].to_numpy().astype(np.int64)
            self._used.append(np.unique(seatings * self._buckets + buckets))
        hashes = hashes_of(self._connection, hands["hand_id"]).view(np.int64)
        claims = pa.table(
            {
                "hand_id": hands["hand_id"],
                "id_hash": pa.array(hashes),
                "content": hands["content_hash"].combine_chunks().storage,
                "file_no": hands["file_no"],
                "line": hands["line"],
                "bucket": pa.array(buckets.astype(np.int32)),
                "place": pa.array(places),
                "careful": pa.array(np.full(len(hands), name == CAREFUL)),
            }
        )
        # A bucket of ids holds all hashes of a range.
        upper = (hashes >> 32) + (1 << 31)
        self._add(CLAIMS, claims, (upper * self._buckets) >> 32)


# --- The plan of a load


def bucket_of(hand_nos: Places) -> Places:
    """Return the bucket of hands by their numbers."""
    return (hand_nos >> BUCKET_BITS) & (BUCKETS - 1)


FATES: Final = pa.schema({"hand_no": pa.int64(), "place": pa.string(), "gives_way": pa.int64()})
"""What becomes of hands that are not new; or, with ``gives_way``, the number of the stored hand in
whose place a new one comes."""


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
    def first_places(self) -> dict[bool, Places]:
        """By part and bucket the place of the first hand, of valid hands and of careful ones.

        Valid hands come first, part by part, then those that are replayed with care, whose key is
        true.
        """
        valid, careful = (
            np.array(
                [groups.sizes(part.groups.get(name, []), self.buckets) for part in self.parts],
                np.int64,
            ).reshape(len(self.parts), self.buckets)
            for name in (VALID, CAREFUL)
        )
        all_valid = valid.sum(axis=0)
        return {
            False: valid.cumsum(axis=0) - valid,
            True: all_valid + careful.cumsum(axis=0) - careful,
        }


@dataclass(frozen=True, slots=True)
class BucketTask:
    """A bucket of ids to be settled, or of games to be stored."""

    bucket: int
    plan: str
    """The file with the plan of the load, which lies where the load sets things aside."""
    storage: Storage


@lru_cache(maxsize=2)
def read_plan(storage: Storage, name: str) -> Plan:
    """Return the plan in a file; it is kept, as a process does one task of a load after another.

    Raises ``OSError`` when it cannot be read.
    """
    return msgspec.msgpack.decode(storage.read(name), type=Plan)


# --- What is set aside for a bucket


def read_groups(
    plan: Plan, storage: Storage, name: str, bucket: int, parts: Sequence[int] | None = None
) -> Iterator[tuple[int, list[pa.Table]]]:
    """Return what some parts, by default all, have in a file of theirs for a bucket, part by part.

    With the number of each part. Raises ``OSError`` when the store fails.
    """
    numbers = range(len(plan.parts)) if parts is None else parts
    some = [plan.parts[number] for number in numbers]
    files = [(part.path(name), part.groups.get(name, [])) for part in some]
    return zip(numbers, groups.read_each(storage, files, bucket), strict=True)


def read_hands(
    plan: Plan,
    storage: Storage,
    bucket: int,
    to: Spool,
    parts: Sequence[int] | None = None,
    ids: pa.Array | None = None,
) -> None:
    """Put the hands of a bucket of games into a spool, as if they had been read in one process.

    Those of some ``parts`` alone, and those with some ``ids``. Raises ``OSError`` when the store
    fails.
    """
    files = [[to.file_number(file) for file in part.files] for part in plan.parts]
    kinds = (read_groups(plan, storage, each, bucket, parts) for each in (SEATINGS, VALID, CAREFUL))

    def wanted(hands: pa.Table) -> pa.Table:
        return hands if ids is None else hands.filter(pc.is_in(hands["hand_id"], value_set=ids))

    for (number, seatings), (_, valid), (_, careful) in zip(*kinds, strict=True):
        first, shift = to.next_seating, plan.first_lines[number]
        for table in map(wanted, valid):
            logs = pa.array(files[number], pa.int32()).take(table["file_no"])
            there = shifted(with_column(table, "file_no", logs), "line", shift)
            to.add_hands(shifted(there, "seating_id", first))
        for table in seatings:
            to.add_seatings(shifted(table, "seating_id", first))
        for table in map(wanted, careful):
            for row in table.to_pylist():
                file = plan.parts[number].files[row["file_no"]]
                line = LogLine(file, row["line"], row["byte"], text=row["text"])
                to.add_line(*moved(entry_in(row), line, shift))


def shifted(table: pa.Table, name: str, by: int) -> pa.Table:
    """Return a table in which all numbers of a column are greater by the same."""
    return with_column(table, name, pc.add(table[name], pa.scalar(by, table[name].type)))
