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
from tricklog.ingest.store.warehouse import DamagedError, RecordError, WarehouseError
from tricklog.ingest.study import lakes as study
from tricklog.ingest.study.blocks import Blocks
from tricklog.ingest.upkeep import rederive, salvaging
from tricklog.ingest.upkeep.rebuilding import Numbers, Rebuilding, RebuildReport, nothing
from tricklog.schemas.hand import content_hash

REBUILD: Final = "rebuild"
"""What a lake is said to be held by while it is rebuilt."""
_OLD_NUMBERS: Final = 8
"""Loads of the lake that nobody sees have lower numbers than this."""
_NAMED: Final = 20
"""Lost hands that are named."""
TAKEN: Final = (*salvaging.TAKEN, "imports", "ids")
"""Tables that a rebuild takes rows from, and the index of hands."""


def rebuild(
    source: LakeWarehouse,
    target: LakeWarehouse,
    logs: Sequence[str],
    *,
    on: str | None,
    take_over: bool,
    on_progress: OnProgress | None,
) -> RebuildReport:
    """Rebuild the lake ``source`` as ``rebuilding.rebuild`` says; ``target`` may be the same."""
    before = source.lake.current()
    is_in_place = source.storage == target.storage
    if before is None and not logs:
        source.lake.opened()
    if not is_in_place and target.lake.current() is not None:
        raise WarehouseError(
            f"{target.name} holds a lake already. Name a new address with --output."
        )
    report = RebuildReport()
    with engine_of(on) as engine, ExitStack() as held:
        begun = held.enter_context(_begun(target, take_over=take_over))
        if is_in_place:
            before = begun.before
        folder = held.enter_context(set_aside(target.storage, REBUILD))
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
    """Begin a load with a number above those of the lake that nobody sees, as later ones have."""
    begun = target.lake.begin(REBUILD, take_over=take_over, outdated=True)
    while begun.number < _OLD_NUMBERS:
        begun.release()
        begun = target.lake.begin(REBUILD, outdated=True)
    return begun


@dataclass(frozen=True, slots=True)
class _Left:
    """What can be read of a snapshot."""

    lake: Lake
    snapshot: Snapshot
    damaged: frozenset[str]
    """Tables and files, by their names below the root of the lake, that cannot be read."""

    def tables(self) -> DuckDBPyConnection:
        """Open the tables that a rebuild takes rows from, as far as they can be read."""
        there = self.snapshot.versions.keys() - self.damaged
        files = {
            table: [
                file
                for file in self.lake.files(self.snapshot, table)
                if file.name not in self.damaged
            ]
            for table in there.intersection(TAKEN)
        }
        return reading.open_tables(self.lake, self.snapshot, once=True, files=files)


def _left(lake: Lake, snapshot: Snapshot, engine: Engine, report: RebuildReport) -> _Left:
    """Read every file that is needed, and note those that cannot be read."""
    damaged = {name for name, _ in checking.damaged(lake, snapshot, TAKEN, engine)}
    report.unreadable = [f"{lake.storage}/{name}" for name in sorted(damaged)]
    report.knows_all_logs = not any(name.partition("/")[0] == "imports" for name in damaged)
    if not damaged:
        # Games and players count as well, of which a rebuild takes no rows.
        with suppress(DamagedError), closing(reading.open_tables(lake, snapshot, once=True)) as old:
            report.before = warehouse.checksum(old)
    return _Left(lake, snapshot, frozenset(damaged))


class _Rebuild(Rebuilding):
    def __init__(
        self,
        left: _Left | None,
        storage: Storage,
        folder: str,
        engine: Engine,
        report: RebuildReport,
        on_progress: OnProgress | None,
    ) -> None:
        self.left = left
        self.storage = storage
        self.aside = folder
        self.engine = engine
        self.on_progress = on_progress
        self.forgotten = forgotten.read(left.lake.storage if left else storage)
        hands = 0
        if left and "hands" not in left.damaged:
            hands = sum(file.rows for file in left.lake.files(left.snapshot, "hands"))
        with closing(self.old()) as old:
            named = old.execute("SELECT paths FROM imports ORDER BY import_id").fetchall()
        super().__init__(report, [paths for (paths,) in named], hands)

    @property
    def made(self) -> Lake:
        """The lake that nobody sees."""
        return Lake(replace(self.storage, root=self.storage.path(f"{self.aside}/{self.folder}")))

    def load_some(self, paths: Sequence[str], adapter: str | None, on_reject: OnReject) -> None:
        if self.forgotten:
            forgotten.write(self.made.storage, self.forgotten)
        load(
            paths,
            self.made.storage,
            self.engine,
            how=How(adapter=adapter),
            on_progress=self.on_progress,
            on_reject=on_reject,
        )

    def old(self) -> DuckDBPyConnection:
        return self.left.tables() if self.left else nothing()

    def new(self) -> DuckDBPyConnection:
        made = self.made.current()
        return _Left(self.made, made, frozenset()).tables() if made else nothing()

    def write(self, lacking: Numbers) -> list[str]:
        """See ``Rebuilding.write``; a hand of which no sound record is stored is ``lost``."""
        assert self.left
        files: Counter[str] = Counter()
        self.lost.update(lacking.tolist())
        log = f"{self.aside}/{rederive.STORED_LOG}"
        with closing(self.old()) as stored, self.storage.open_output(log) as lines:
            for number, hand in recalling.stored_hands(stored, lacking.tolist()):
                with suppress(RecordError):
                    if content_hash(hand.hand) == hand.content_hash:
                        lines.write(kept_line(hand))
                        files[hand.file] += 1
                        self.lost.discard(number)
            named = stored.execute(_IDS_OF, [sorted(self.lost), _NAMED]).fetchall()
        self.report.files_of_kept = dict(sorted(files.items()))
        of_lake = f"of {self.left.lake.storage}"
        self.report.unreadable += [f"hand {hand_id} {of_lake}" for (hand_id,) in named]
        return [self.storage.file_uri(log)] if files else []

    def require_all(self) -> None:
        """Raise ``WarehouseError`` where a sound hand would be lost: a lake takes over no rows."""
        if not len(self.unplayable):
            return
        with closing(self.old()) as old:
            first = old.execute(_IDS_OF, [[int(self.unplayable[0])], 1]).fetchall()
        more = len(self.unplayable) - 1
        raise WarehouseError(
            f"The stored hand {first[0][0] if first else ''!r}{f' and {more:,} more' * bool(more)} "
            "cannot be replayed any more and is in none of the logs, so a rebuild would lose it. "
            "Nothing was published, the lake is as it was. tricklog db reaudit keeps what is "
            "stored of such hands."
        )

    def keep_rejects(self) -> None:
        """Take over the lines in quarantine that no log gives, and note what was kept."""
        kept, rejects = self.report.kept, len(self.rejects)
        if not (kept or rejects):
            return
        counts = Counts(lines=kept + rejects, accepted=kept, quarantined=rejects)
        with (
            self.made.begin(REBUILD) as begun,
            closing(self.old()) as old,
            closing(self.new()) as new,
        ):
            load_no = self.from_stored or begun.number
            assert load_no < _OLD_NUMBERS
            # Under one load that names the logs it once came from.
            mine = import_of(load_no, self.missing, counts)
            others = tables.batches(new, "imports", " WHERE import_id <> $load", {"load": load_no})
            imports = [pa.Table.from_batches([each]).cast(mine.schema) for each in others]
            keys = {"keys": self.rejects}
            stored = tables.batches(old, "rejects", _KEPT, keys)
            rows = {
                "rejects": (_of_load(each, load_no) for each in stored),
                "long_texts": tables.batches(old, "long_texts", _KEPT_TEXTS, keys),
                "imports": pa.concat_tables([*imports, mine]).sort_by("import_id"),
            }
            written = [tables.write(self.made.storage, *each, load_no, 0) for each in rows.items()]
            begun.publish([*filter(None, written)], {}, replaced=["imports"])

    def publish(self, begun: Begun) -> None:
        """Make the files of the lake that nobody sees those of the target, all at once."""
        snapshot = self.made.current()
        files = self.made.all_files(snapshot) if snapshot else {}
        added = [file for those in files.values() for file in those]
        begun.check()
        at_once(self._copy, added)
        before = begun.before.versions.keys() if begun.before else set()
        begun.publish(added, {"hands": self.report.hands, REBUILD: True}, replaced=before)

    def _copy(self, file: File) -> None:
        here, there = self.made.storage.path(file.name), self.storage.path(file.name)
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


def _of_load(rejects: pa.RecordBatch, load_no: int) -> pa.RecordBatch:
    place = rejects.schema.get_field_index("import_id")
    return rejects.set_column(place, "import_id", pa.array([load_no] * len(rejects)))


_CHOSEN: Final = "reject IN (SELECT unnest($keys::VARCHAR[]))"
_KEPT: Final = f" WHERE {_CHOSEN}"
_KEPT_TEXTS: Final = (
    f" WHERE text_hash IN (SELECT {long_texts.HASH_OF} "  # noqa: S608 - names of our own
    f"FROM ({long_texts.references(tables=['rejects'], where=_CHOSEN)}))"
)
_IDS_OF: Final = """
SELECT DISTINCT hand_id
FROM hands
WHERE hand_no IN (SELECT unnest($1::BIGINT[]))
ORDER BY hand_id
LIMIT $2
"""
