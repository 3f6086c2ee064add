"""The second step on a lake: whose are the ids of a bucket, among those claimed and those stored?

A bucket of ids holds those whose hashes lie in a range, as the index of stored ids is sorted by
them: a task reads the claims of all parts to these ids, and that range of the index.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from tricklog.ingest.lake import index, reading, recalling, tables
from tricklog.ingest.lake.groups import GroupedWriter
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.staging import (
    CLAIMS,
    FATES,
    BucketTask,
    Settled,
    bucket_of,
    read_groups,
    read_hands,
    read_plan,
    shifted,
)
from tricklog.ingest.lake.superseding import GivenWay
from tricklog.ingest.lake.tables import File, first_number
from tricklog.ingest.loading.settling import CLAIM, Claims, settle
from tricklog.ingest.loading.spool import Spool
from tricklog.ingest.reading.scratch import Scratch
from tricklog.schemas.hand import Hand

IDS: Final = "ids"
_CLAIM: Final = pa.schema(
    {
        "hand_id": pa.string(),
        "id_hash": pa.int64(),
        "content": pa.binary(16),
        "file_no": pa.int32(),
        "line": pa.int64(),
        "hand_no": pa.int64(),
        "part": pa.int32(),
        "bucket": pa.int32(),
    }
)
_STORED: Final = pa.schema({"id_hash": pa.int64(), "content": pa.binary(16), "hand_no": pa.int64()})


@dataclass(frozen=True, slots=True)
class SettledIds:
    """What came of a bucket of ids."""

    duplicates: int = 0
    conflicts: int = 0
    fates: Settled | None = None
    """``None`` where all hands are new."""
    added: list[File] = field(default_factory=list)
    """The ids that are new, for the index."""
    given_way: list[GivenWay] = field(default_factory=list)
    """Stored hands in whose place a new one comes."""


def settle_ids(task: BucketTask) -> SettledIds:
    """Settle the claims to the ids of a bucket.

    Raises ``WarehouseError`` when what is stored cannot be read, and ``OSError`` when the store
    fails.
    """
    bucket = _Bucket(task)
    plan, claims = bucket.plan, bucket.claims
    if not len(claims):
        return SettledIds()
    hashes = pa.ExtensionArray.from_storage(pa.uuid(), claims["content"].combine_chunks())
    names = [file for part in plan.parts for file in part.files]
    claimed = Claims(
        claims.append_column("content_hash", hashes).select(CLAIM.names),
        pa.table({"file_no": pa.array(range(len(names)), pa.int32()), "file": names}),
    )
    with Scratch() as scratch:
        fates = settle(claimed, bucket, scratch, bucket.rivals)
    lost, given_way = fates.lost, {name: bucket.found[name] for name in fates.given_way}
    new = claims.filter(pc.invert(pc.is_in(claims["hand_no"], value_set=lost["hand_no"])))
    rows = new.select(_STORED.names).sort_by("id_hash")
    added = tables.write(task.storage, IDS, rows, plan.load, task.bucket)
    completing = new.filter(pc.is_in(new["hand_id"], value_set=pa.array(given_way, pa.string())))
    stored = [given_way[each].hand_no for each in completing["hand_id"].to_pylist()]
    gives_way = completing.select(["hand_no"]).append_column(
        "gives_way", pa.array(stored, pa.int64())
    )
    fate = pa.concat_tables([FATES.empty_table(), lost, gives_way], promote_options="default")
    written = None
    if len(fate):
        folder = task.plan.rpartition("/")[0]
        path = f"{folder}/fates-{task.bucket:04d}-{uuid.uuid4().hex[:12]}.arrow"
        with GroupedWriter(task.storage, path, plan.buckets) as writer:
            writer.add(fate, bucket_of(fate["hand_no"].to_numpy()))
        written = Settled(path, writer.groups)
    same = lost["place"].null_count
    return SettledIds(
        same, len(lost) - same, written, [added] if added else [], list(given_way.values())
    )


class _Bucket:
    """Claims to ids, and the stored hands whose ids have a hash that a claim has, too."""

    def __init__(self, task: BucketTask) -> None:
        self.plan = read_plan(task.storage, task.plan)
        self._task = task
        self._lake, self._snapshot = Lake(task.storage), self.plan.before
        self.claims = self._claims()
        """Who claims which id, with the number that each hand would have."""
        self._stored = _STORED.empty_table()
        """The rows of the index whose hash is that of a claim."""
        self.found: dict[str, GivenWay] = {}
        """Stored hands that were looked up, by their ids."""
        if self._snapshot and len(self.claims):
            hashes = np.unique(self.claims["id_hash"].to_numpy())
            found = index.rows_with(
                self._lake, self._snapshot, IDS, "id_hash", hashes, _STORED.names
            )
            self._stored = found.cast(_STORED)

    def _claims(self) -> pa.Table:
        plan, task = self.plan, self._task
        found = [_CLAIM.empty_table()]
        bases = np.array([first_number(plan.load, each) for each in range(plan.buckets)])
        for number, of_part in read_groups(plan, task.storage, CLAIMS, task.bucket):
            for claims in of_part:
                buckets = claims["bucket"].to_numpy()
                is_careful = claims["careful"].to_numpy(zero_copy_only=False)
                valid, careful = (
                    plan.first_places[each][number][buckets] for each in (False, True)
                )
                places = np.where(is_careful, careful, valid) + claims["place"].to_numpy()
                there = shifted(claims, "file_no", plan.first_files[number])
                there = shifted(there, "line", plan.first_lines[number])
                there = there.append_column("hand_no", pa.array(bases[buckets] + places))
                part = pa.array(np.full(len(claims), number, np.int32))
                found.append(there.append_column("part", part).select(_CLAIM.names))
        return pa.concat_tables(found).combine_chunks()

    def _claiming(self, ids: Sequence[str]) -> pa.Table:
        wanted = pa.array(ids, pa.string())
        return self.claims.filter(pc.is_in(self.claims["hand_id"], value_set=wanted))

    def rivals(self, ids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """See ``settling.Rivals``; the hands are in the buckets of their games."""
        places = self._claiming(ids).group_by("bucket").aggregate([("part", "distinct")])
        with Spool() as spool:
            for each in places.to_pylist():
                read_hands(
                    self.plan,
                    self._task.storage,
                    each["bucket"],
                    spool,
                    sorted(each["part_distinct"]),
                    pa.array(ids, pa.string()),
                )
            yield from spool.lines_of(ids)

    @property
    def is_empty(self) -> bool:
        return self._snapshot is None

    def show(self, connection: DuckDBPyConnection) -> None:
        connection.register("stored", self._stored)
        connection.register("claimed", self.claims)
        # Equal hashes of content, the id within, are the same hand; any other is looked up.
        connection.execute(_SAME)
        others = [number for (number,) in connection.execute(_OTHERS).fetchall()]
        if others:
            assert self._snapshot
            with reading.open_tables(self._lake, self._snapshot) as stored:
                found = stored.sql(_PLACES, params=[others]).to_arrow_table()
            connection.register("looked_up", found)
            connection.execute(_KNOWN_OTHERS)

    def hands(self, ids: Sequence[str]) -> dict[str, Hand]:
        hashes = self._claiming(ids)["id_hash"]
        rows = self._stored.filter(pc.is_in(self._stored["id_hash"], value_set=hashes))
        if self._snapshot is None or not len(rows):
            return {}
        numbers = dict(zip(rows["hand_no"].to_pylist(), rows["id_hash"].to_pylist(), strict=True))
        hands, wanted = {}, set(ids)
        with reading.open_tables(self._lake, self._snapshot) as there:
            for number, stored in recalling.stored_hands(there, list(numbers)):
                if stored.id in wanted:
                    hands[stored.id] = stored.hand
                    self.found[stored.id] = GivenWay(number, numbers[number])
        return hands


_SAME: Final = """
CREATE TABLE known AS
SELECT DISTINCT claimed.hand_id, hex(content)::UUID AS content_hash, NULL::VARCHAR AS place
FROM stored JOIN claimed USING (id_hash, content)
"""
_OTHERS: Final = """
SELECT DISTINCT hand_no
FROM stored JOIN (SELECT id_hash, content AS claimed FROM claimed) USING (id_hash)
WHERE content <> claimed
"""
_KNOWN_OTHERS: Final = """
DELETE FROM known WHERE hand_id IN (SELECT hand_id FROM looked_up);
INSERT INTO known
SELECT hand_id, hex(content)::UUID, place FROM looked_up JOIN stored USING (hand_no);
"""
_PLACES: Final = """
SELECT hand_no, hand_id, file || ':' || line AS place
FROM hands
WHERE hand_no IN (SELECT unnest($1::BIGINT[]))
"""
