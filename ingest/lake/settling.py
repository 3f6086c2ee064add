"""The second step on a lake: whose are the ids of a bucket, among those claimed and those stored?

A bucket of ids holds those whose hashes lie in a range, as the index of stored ids is sorted by
them: a task reads the claims of all parts to these ids, and that range of the index.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from tricklog.ingest.lake import groups, index, reading, superseding, tables
from tricklog.ingest.lake.groups import GroupedWriter
from tricklog.ingest.lake.plan import BucketTask, Plan, Settled, bucket_of, read_plan
from tricklog.ingest.lake.publish import Lake, Snapshot
from tricklog.ingest.lake.staging import CLAIMS
from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.lake.superseding import GivenWay
from tricklog.ingest.lake.tables import File, first_number
from tricklog.ingest.loading.settling import CLAIM, Claims, settle
from tricklog.ingest.loading.superseding import CONTINUED, completed
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
        "careful": pa.bool_(),
        "part": pa.int32(),
        "bucket": pa.int32(),
        "place": pa.int64(),
    }
)
_STORED: Final = pa.schema({"id_hash": pa.int64(), "content": pa.binary(16), "hand_no": pa.int64()})
_FATES: Final = pa.schema(
    {
        "hand_no": pa.int64(),
        "place": pa.string(),
        "gives_way": pa.int64(),
    }
)
"""What becomes of hands that are not new; or, with ``gives_way``, the number of the stored hand in
whose place a new one comes."""


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
    plan = read_plan(task.storage, task.plan)
    claims = _claims(plan, task)
    if not len(claims):
        return SettledIds()
    known = _Index(task.storage, plan.before, claims)
    with Scratch() as scratch:
        claimed = _as_claims(plan, claims)
        fates = settle(claimed, known, scratch)
        if fates.disputed:
            continued = _continued(plan, task, claims, known, fates.disputed)
            fates = settle(claimed, known, scratch, continued)
    lost = fates.lost
    new = claims.filter(pc.invert(pc.is_in(claims["hand_no"], value_set=lost["hand_no"])))
    rows = new.select(_STORED.names).sort_by("id_hash")
    added = tables.write(task.storage, IDS, rows, plan.load, task.bucket)
    same = lost["place"].null_count
    return SettledIds(
        same,
        len(lost) - same,
        _written(plan, task, lost, _completing(new, known.given_way)),
        [added] if added else [],
        list(known.given_way.values()),
    )


def _continued(
    plan: Plan, task: BucketTask, claims: pa.Table, known: _Index, disputed: Sequence[str]
) -> pa.Table:
    """Return which records go on from others, and note which stored hands give way to one."""
    found = [CONTINUED.empty_table()]
    for first in range(0, len(disputed), superseding.BATCH):
        ids = disputed[first : first + superseding.BATCH]
        stored = known.hands(ids)
        records = superseding.rivals(plan, task.storage, claims, ids)
        given_way, table = completed(records, {name: hand for name, (_, hand) in stored.items()})
        known.let_go({name: stored[name][0] for name in given_way})
        found.append(table)
    return pa.concat_tables(found)


def _completing(new: pa.Table, given_way: Mapping[str, GivenWay]) -> pa.Table:
    """Return the new hands in whose place stored ones give way, which are said in ``gives_way``."""
    hands = new.filter(pc.is_in(new["hand_id"], value_set=pa.array(list(given_way), pa.string())))
    stored = [given_way[each].hand_no for each in hands["hand_id"].to_pylist()]
    gives_way = pa.array(stored, pa.int64())
    return hands.select(["hand_no"]).append_column("gives_way", gives_way)


def _claims(plan: Plan, task: BucketTask) -> pa.Table:
    """Return who claims the ids of the bucket, with the number that each hand would have."""
    found = [_CLAIM.empty_table()]
    files = [(part.path(CLAIMS), part.groups.get(CLAIMS, [])) for part in plan.parts]
    for number, of_part in enumerate(groups.read_each(task.storage, files, task.bucket)):
        for claims in of_part:
            buckets = claims["bucket"].to_numpy()
            places = np.where(
                claims["careful"].to_numpy(zero_copy_only=False),
                plan.first_places(number, careful=True)[buckets],
                plan.first_places(number, careful=False)[buckets],
            )
            bases = np.array([first_number(plan.load, each) for each in range(plan.buckets)])
            hand_nos = bases[buckets] + places + claims["place"].to_numpy()
            columns = {
                **{name: claims[name] for name in ("hand_id", "id_hash", "content", "careful")},
                "file_no": pc.add(
                    claims["file_no"], pa.scalar(plan.first_files[number], pa.int32())
                ),
                "line": pc.add(claims["line"], plan.first_lines[number]),
                "hand_no": pa.array(hand_nos),
                "part": pa.array(np.full(len(claims), number, np.int32)),
                **{name: claims[name] for name in ("bucket", "place")},
            }
            found.append(pa.table(columns).select(_CLAIM.names))
    return pa.concat_tables(found).combine_chunks()


def _as_claims(plan: Plan, claims: pa.Table) -> Claims:
    hashes = pa.ExtensionArray.from_storage(pa.uuid(), claims["content"].combine_chunks())
    names = [file for part in plan.parts for file in part.files]
    return Claims(
        claims.append_column("content_hash", hashes).select(CLAIM.names),
        pa.table({"file_no": pa.array(range(len(names)), pa.int32()), "file": names}),
    )


def _written(plan: Plan, task: BucketTask, *hands: pa.Table) -> Settled | None:
    """Write what became of hands, by the buckets of their games."""
    lost = pa.concat_tables([_FATES.empty_table(), *hands], promote_options="default")
    if not len(lost):
        return None
    path = f"{task.folder}/fates-{task.bucket:04d}-{uuid.uuid4().hex[:12]}.arrow"
    with GroupedWriter(task.storage, path, plan.buckets) as writer:
        writer.add(lost, bucket_of(lost["hand_no"].to_numpy()))
    return Settled(path, writer.groups)


class _Index:
    """The stored hands whose ids have a hash that a claim has, too."""

    def __init__(self, storage: Storage, snapshot: Snapshot | None, claims: pa.Table) -> None:
        self._storage = storage
        self._snapshot = snapshot
        self._claims = claims
        self._stored = self._found()
        self.given_way: dict[str, GivenWay] = {}
        """Stored hands that give way to another with the same id, which are not among them."""

    @property
    def is_empty(self) -> bool:
        return self._snapshot is None

    def show(self, connection: DuckDBPyConnection) -> None:
        connection.register("stored", self._stored)
        connection.register("claimed", self._claims)
        # Equal hashes of content, the id within, are the same hand; any other is looked up.
        connection.execute(_SAME)
        others = [number for (number,) in connection.execute(_OTHERS).fetchall()]
        if others:
            assert self._snapshot
            connection.register("looked_up", self._looked_up(others))
            connection.execute(_KNOWN_OTHERS)
        connection.execute(_WITHOUT, [list(self.given_way)])

    def hands(self, ids: Sequence[str]) -> dict[str, tuple[int, Hand]]:
        wanted = pa.array(ids, pa.string())
        hashes = self._claims.filter(pc.is_in(self._claims["hand_id"], value_set=wanted))["id_hash"]
        found = self._stored.filter(pc.is_in(self._stored["id_hash"], value_set=hashes))
        if self._snapshot is None or not len(found):
            return {}
        lake = Lake(self._storage)
        there = superseding.stored(lake, self._snapshot, found["hand_no"].to_pylist())
        return {name: there[name] for name in ids if name in there}

    def let_go(self, hand_nos: Mapping[str, int]) -> None:
        """Have hands give way, whose numbers are said by id."""
        hashes = dict(
            zip(
                self._stored["hand_no"].to_pylist(),
                self._stored["id_hash"].to_pylist(),
                strict=True,
            )
        )
        self.given_way |= {
            name: GivenWay(number, hashes[number]) for name, number in hand_nos.items()
        }

    def _found(self) -> pa.Table:
        """Return the rows of the index whose hash is that of a claim."""
        if self._snapshot is None:
            return _STORED.empty_table()
        hashes = np.unique(self._claims["id_hash"].to_numpy())
        lake = Lake(self._storage)
        found = index.rows_with(lake, self._snapshot, IDS, "id_hash", hashes, _STORED.names)
        return found.cast(_STORED)

    def _looked_up(self, hand_nos: list[int]) -> pa.Table:
        assert self._snapshot
        with reading.open_tables(Lake(self._storage), self._snapshot) as stored:
            return stored.sql(_PLACES, params=[hand_nos]).to_arrow_table()


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
_WITHOUT: Final = "DELETE FROM known WHERE hand_id IN (SELECT unnest($1::VARCHAR[]))"
_PLACES: Final = """
SELECT hand_no, hand_id, file || ':' || line AS place
FROM hands
WHERE hand_no IN (SELECT unnest($1::BIGINT[]))
"""
