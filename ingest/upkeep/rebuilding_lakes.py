"""Rebuilding a lake from the logs it was made from, losing nothing that only it has.

The logs are loaded into a lake that nobody sees, by the steps of every load. Hands that the old
lake has and no log gives any more are then loaded from what is stored of them. When all is there
its files become those of the new snapshot, in one publish.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pyarrow as pa
from duckdb import DuckDBPyConnection

from tricklog.ingest.facts.kept import KINDS
from tricklog.ingest.lake import checking, reading, recalling, tables
from tricklog.ingest.lake.door import LakeWarehouse
from tricklog.ingest.lake.engines import Engine, engine_of
from tricklog.ingest.lake.load import How, import_of, load, set_aside
from tricklog.ingest.lake.publish import Begun, Lake, Snapshot, in_words
from tricklog.ingest.lake.storage import Storage, at_once
from tricklog.ingest.lake.tables import File
from tricklog.ingest.loading.auditing import Counts
from tricklog.ingest.loading.foreign import kept_line
from tricklog.ingest.loading.report import OnReject
from tricklog.ingest.reading.progress import OnProgress
from tricklog.ingest.store import forgotten, long_texts, warehouse
from tricklog.ingest.store.warehouse import (
    DamagedError,
    RecordError,
    StoredHand,
    WarehouseError,
)
from tricklog.ingest.study import lakes as study
from tricklog.ingest.study.blocks import Blocks
from tricklog.ingest.upkeep import rederive
from tricklog.ingest.upkeep.rebuilding import Numbers, Rebuilding, RebuildReport
from tricklog.schemas.hand import content_hash

REBUILD: Final = "rebuild"
"""What a lake is said to be held by while it is rebuilt."""
_OLD_NUMBERS: Final = 8
"""Loads of the lake that nobody sees have lower numbers than this."""
_NAMED: Final = 20
"""Lost hands that are named."""
TAKEN: Final = (
    "hands", "seatings", "rulesets", "findings", "rejects", "long_texts", "imports", "ids"
)  # fmt: skip
"""Tables that a rebuild takes rows from, and the index of hands."""


@dataclass(frozen=True, slots=True)
class Left:
    """What can be read of a snapshot."""

    storage: Storage
    snapshot: Snapshot
    damaged: frozenset[str]
    """Tables and files, by their names below the root of the lake, that cannot be read."""

    def opened(self) -> tuple[Lake, Snapshot]:
        """Return the lake and the snapshot."""
        return Lake(self.storage), self.snapshot

    def files(self) -> dict[str, list[File]]:
        """Return the files that can be read of each table that a rebuild takes rows from."""
        lake, snapshot = self.opened()
        named = [name for name in TAKEN if name in snapshot.versions]
        return {
            table: [file for file in lake.files(snapshot, table) if file.name not in self.damaged]
            for table in named
            if table not in self.damaged
        }

    def tables(self) -> DuckDBPyConnection:
        """Open the tables as far as they can be read."""
        lake, snapshot = self.opened()
        return reading.open_tables(lake, snapshot, once=True, files=self.files())


def rebuild(
    source: LakeWarehouse,
    target: LakeWarehouse,
    logs: Sequence[str],
    *,
    on: str | None,
    take_over: bool,
    on_progress: OnProgress | None,
) -> RebuildReport:
    """Rebuild the lake ``source`` as ``rebuilding.rebuild`` says; ``target`` may be the same.

    ``on`` is what does the tasks, as for a load; ``take_over`` does not wait for another run.
    """
    before = source.lake.current()
    is_in_place = source.storage == target.storage
    if before is None and not logs:
        source.lake.opened()
    if not is_in_place and target.lake.current() is not None:
        raise WarehouseError(
            f"{target.name} holds a lake already. Name a new address with --output."
        )
    with engine_of(on) as engine, ExitStack() as held:
        begun = held.enter_context(_begun(target, take_over=take_over))
        if is_in_place:
            before = begun.before
        folder = held.enter_context(set_aside(target.storage, REBUILD))
        report = RebuildReport()
        left = _left(source.lake, before, engine, report) if before else None
        run = _Rebuild(left, target.storage, folder, engine, report, on_progress)
        run.make(logs)
        run.require_all()
        if not is_in_place:
            with in_words(source.storage):
                for kind in KINDS:
                    Blocks(source.storage).copy_to(Blocks(target.storage), kind)
            if run.forgotten:
                forgotten.write(target.storage, run.forgotten)
        run.keep_rejects()
        run.publish(begun)
    # Hands have other numbers now.
    study.publish_all(target.lake, on_progress)
    report.snapshot = target.current()
    with closing(target.tables(once=True)) as connection:
        report.after = warehouse.checksum(connection)
    return report


def _begun(target: LakeWarehouse, *, take_over: bool) -> Begun:
    """Begin a load whose number is above those of the loads of the lake that nobody sees.

    So whatever is loaded later has numbers that no hand of these has.
    """
    begun = target.lake.begin(REBUILD, take_over=take_over, outdated=True)
    while begun.number < _OLD_NUMBERS:
        begun.release()
        begun = target.lake.begin(REBUILD, outdated=True)
    return begun


# --- What is left


def _left(lake: Lake, snapshot: Snapshot, engine: Engine, report: RebuildReport) -> Left:
    """Read every file that is needed, and note those that cannot be read."""
    damaged = {name for name, _ in checking.damaged(lake, snapshot, TAKEN, engine)}
    report.unreadable = [f"{lake.storage}/{name}" for name in sorted(damaged)]
    report.knows_all_logs = not any(name.partition("/")[0] == "imports" for name in damaged)
    left = Left(lake.storage, snapshot, frozenset(damaged))
    if not damaged:
        # Games and players count as well, of which a rebuild takes no rows.
        with suppress(DamagedError), closing(reading.open_tables(lake, snapshot, once=True)) as old:
            report.before = warehouse.checksum(old)
    return left


# --- Making


class _Rebuild(Rebuilding):
    def __init__(
        self,
        left: Left | None,
        storage: Storage,
        folder: str,
        engine: Engine,
        report: RebuildReport,
        on_progress: OnProgress | None,
    ) -> None:
        self.left = left
        self.storage = storage
        self.folder = folder
        self.engine = engine
        self.on_progress = on_progress
        self.forgotten = forgotten.read(left.storage if left else storage)
        self.scratch = self._new_scratch("made")
        named: list[list[str]] = []
        hands = 0
        if left:
            lake, snapshot = left.opened()
            if "hands" not in left.damaged:
                hands = sum(file.rows for file in lake.files(snapshot, "hands"))
            with closing(left.tables()) as old:
                found = old.execute("SELECT paths FROM imports ORDER BY import_id").fetchall()
                named = [paths for (paths,) in found]
        super().__init__(report, named, hands)

    def _new_scratch(self, name: str) -> Storage:
        made = replace(self.storage, root=f"{self.storage.root}/{self.folder}/{name}")
        if self.forgotten:
            forgotten.write(made, self.forgotten)
        return made

    def load_some(self, paths: Sequence[str], adapter: str | None, on_reject: OnReject) -> None:
        load(
            paths,
            self.scratch,
            self.engine,
            how=How(adapter=adapter),
            on_progress=self.on_progress,
            on_reject=on_reject,
        )

    def begin_again(self) -> None:
        self.scratch = self._new_scratch("again")

    def _made(self) -> Left | None:
        made = Lake(self.scratch).current()
        return Left(self.scratch, made, frozenset()) if made else None

    def write(self, lacking: Numbers) -> list[str]:
        """See ``Rebuilding.write``; a hand of which no sound record is stored is ``lost``."""
        assert self.left
        files: Counter[str] = Counter()
        self.lost.update(lacking.tolist())
        log = f"{self.folder}/{rederive.STORED_LOG}"
        with closing(self.left.tables()) as stored, self.storage.open_output(log) as lines:
            for number, hand in recalling.stored_hands(stored, lacking.tolist()):
                if _is_sound(hand):
                    lines.write(kept_line(hand))
                    files[hand.file] += 1
                    self.lost.discard(number)
            named = stored.execute(_IDS_OF, [sorted(self.lost), _NAMED]).fetchall()
        self.report.files_of_kept = dict(sorted(files.items()))
        of_lake = f"of {self.left.storage}"
        self.report.unreadable += [f"hand {hand_id} {of_lake}" for (hand_id,) in named]
        return [self.storage.file_uri(log)] if files else []

    def require_all(self) -> None:
        """Raise ``WarehouseError`` where a sound hand would be lost: a lake takes over no rows."""
        if not len(self.unplayable):
            return
        assert self.left
        with closing(self.left.tables()) as old:
            first = old.execute(
                "SELECT hand_id FROM hands WHERE hand_no = $1", [int(self.unplayable[0])]
            ).fetchall()
        more = len(self.unplayable) - 1
        raise WarehouseError(
            f"The stored hand {first[0][0] if first else ''!r}{f' and {more:,} more' * bool(more)} "
            "cannot be replayed any more and is in none of the logs, so a rebuild would lose it. "
            "Nothing was published, the lake is as it was. tricklog db reaudit keeps what is "
            "stored of such hands."
        )

    def old_tables(self) -> DuckDBPyConnection | None:
        return self.left.tables() if self.left else None

    def new_tables(self) -> DuckDBPyConnection | None:
        made = self._made()
        return made.tables() if made else None

    # --- What was kept

    def keep_rejects(self) -> None:
        """Take over the lines in quarantine that no log gives, and note what was kept."""
        if not (self.rejects or self.report.kept):
            return
        assert self.left
        keys = {"keys": self.rejects}
        kept, rejects = self.report.kept, len(self.rejects)
        counts = Counts(lines=kept + rejects, accepted=kept, quarantined=rejects)
        with Lake(self.scratch).begin(REBUILD) as begun, closing(self.left.tables()) as old:
            load_no = self.from_stored or begun.number
            assert load_no < _OLD_NUMBERS
            # Under one load that names the logs it once came from.
            mine = import_of(load_no, self.missing, counts)
            imports = pa.concat_tables([self._other_imports(load_no), mine]).sort_by("import_id")
            stored = tables.batches(old, "rejects", f" WHERE {_KEPT}", keys)
            rows = {
                "rejects": (_of_load(each, load_no) for each in stored),
                "long_texts": tables.batches(old, "long_texts", _KEPT_TEXTS, keys),
                "imports": imports,
            }
            written = [tables.write(self.scratch, *each, load_no, 0) for each in rows.items()]
            begun.publish([file for file in written if file], {}, replaced=["imports"])

    def _other_imports(self, load_no: int) -> pa.Table:
        schema, new = tables.schema_of("imports"), self.new_tables()
        if new is None:
            return schema.empty_table()
        with closing(new):
            others = tables.batches(new, "imports", " WHERE import_id <> $load", {"load": load_no})
            found = (pa.Table.from_batches([each]).cast(schema) for each in others)
            return pa.concat_tables([schema.empty_table(), *found])

    # --- Publishing

    def publish(self, begun: Begun) -> None:
        """Make the files of the lake that nobody sees those of the target, all at once."""
        made = Lake(self.scratch)
        snapshot = made.current()
        files = made.all_files(snapshot) if snapshot else {}
        added = [file for those in files.values() for file in those]
        begun.check()
        at_once(self._copy, added)
        before = begun.before.versions.keys() if begun.before else set()
        begun.publish(added, {"hands": self.report.hands, REBUILD: True}, replaced=before)

    def _copy(self, file: File) -> None:
        here, there = self.scratch.path(file.name), self.storage.path(file.name)
        if not self.storage.is_local:
            self.storage.filesystem.copy_file(here, there)
            return
        Path(there).parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(here, there)
        except OSError:
            # Not every file system lets a file have two names.
            shutil.copyfile(here, there)
        self.storage.flush(file.name)


# --- Stored hands


def _is_sound(stored: StoredHand) -> bool:
    try:
        return content_hash(stored.hand) == stored.content_hash
    except RecordError:
        return False


def _of_load(rejects: pa.RecordBatch, load_no: int) -> pa.RecordBatch:
    place = rejects.schema.get_field_index("import_id")
    return rejects.set_column(place, "import_id", pa.array([load_no] * len(rejects)))


_KEPT: Final = "reject IN (SELECT unnest($keys::VARCHAR[]))"
_KEPT_TEXTS: Final = (
    f" WHERE text_hash IN (SELECT {long_texts.HASH_OF} "  # noqa: S608 - names of our own
    f"FROM ({long_texts.references(tables=['rejects'], where=_KEPT)}))"
)
_IDS_OF: Final = """
SELECT DISTINCT hand_id
FROM hands
WHERE hand_no IN (SELECT unnest($1::BIGINT[]))
ORDER BY hand_id
LIMIT $2
"""
