"""Reauditing a lake says and makes what it does to a folder, wherever it ends."""

import errno
import itertools
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import ingest
from ingest.lake import portions, reading, tables
from ingest.lake.engines import Here
from ingest.lake.load import How, load
from ingest.lake.publish import Begun, FencedError, Lake
from ingest.lake.storage import Storage, storage_of
from ingest.lake.tables import Added
from ingest.store.warehouse import checksum, hand, open_snapshot
from ingest.upkeep.reauditing import HandChange, reaudit
from replay import RulesetError
from replay.engine.rules import scoring
from replay.rulesets import ruleset
from schemas.hand import encode_hand
from tests.kit.log_lines import SOUND_LINE, generated, moved_on, write_lines

PEDRO, PIDRO = generated("pedro", 1), generated("pidro", 1)
LINES = [
    *map(encode_hand, (*PEDRO, *PIDRO[:2], moved_on(PIDRO[2]), *PIDRO[3:])),
    SOUND_LINE,
    b"oops",
]


def content(db: Storage | Path) -> str:
    if isinstance(db, Path):
        with open_snapshot(db) as connection:
            return checksum(connection)
    with reading.open_tables(Lake(db), Lake(db).opened()) as connection:
        return checksum(connection)


def rows(db: Storage | Path, query: str) -> list[tuple[Any, ...]]:
    if isinstance(db, Path):
        with open_snapshot(db) as connection:
            return connection.execute(query).fetchall()
    with reading.open_tables(Lake(db), Lake(db).opened()) as connection:
        return connection.execute(query).fetchall()


def numbers(storage: Storage) -> list[tuple[Any, ...]]:
    return rows(storage, "SELECT id, hand_no, import_id, file, line FROM hands ORDER BY id")


def files_of(storage: Storage) -> set[str]:
    """Return the files of tables, without those of the ledger and of their logs."""
    return {
        each.name
        for each in storage.list()
        if "_delta_log" not in each.name and not each.name.startswith("snapshots/")
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "folder"


@pytest.fixture
def lake(tmp_path: Path) -> Storage:
    return storage_of(f"lake:{tmp_path / 'lake'}")


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portions, "PORTION", 7)


def load_both(log: Path, lake: Storage, folder: Path) -> None:
    """Load in two loads, of which the second continues games of the first."""
    first = write_lines(log.with_name("first.jsonl"), LINES[:4])
    for path, buckets in ((first, 2), (log, 3)):
        load([path], lake, Here(), how=How(buckets=buckets))
        ingest.load(path, db=folder)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "log.jsonl", LINES)


def forget_rules() -> None:
    ruleset._resolved.clear()
    ruleset.load_variant.cache_clear()


@pytest.fixture
def under_other_rules(
    log: Path, lake: Storage, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Load while a rule is wrong."""
    forget_rules()
    with monkeypatch.context() as changed:
        changed.setattr(scoring, "change_when_made", lambda *_: 3)
        load_both(log, lake, folder)
    forget_rules()


def told_by(db: Path | Storage) -> tuple[dict[str, Any], list[HandChange]]:
    told: list[HandChange] = []
    is_lake = isinstance(db, Storage)
    where = f"lake:{db.root}" if is_lake else str(db)
    report = reaudit(where, on_change=told.append, on="here" if is_lake else None)
    said = asdict(report)
    assert said.pop("snapshot") is not None
    return said, told


def test_nothing_changed_and_nothing_is_published(log: Path, lake: Storage, folder: Path) -> None:
    load_both(log, lake, folder)
    before, files = Lake(lake).opened(), files_of(lake)
    said, told = told_by(lake)
    assert (said, told) == told_by(folder)
    assert (told, said["published"]) == ([], False)
    assert Lake(lake).opened() == before
    assert files_of(lake) == files


@pytest.mark.usefixtures("under_other_rules")
def test_hands_that_cannot_be_replayed_keep_what_is_stored(
    lake: Storage, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve = ruleset.resolve

    def forgetful(reference: object) -> ruleset.Ruleset:
        if getattr(reference, "variant", "") == "pidro":
            raise RulesetError("the log", "/rules/variant", "is 'pidro', which is not known")
        return resolve(reference)  # type: ignore[arg-type]  # as resolve is called

    stood = numbers(lake)
    with monkeypatch.context() as changed:
        changed.setattr(ruleset, "resolve", forgetful)
        said, told = told_by(lake)
        assert (said, told) == told_by(folder)
    forget_rules()
    assert (said["unplayable"], said["published"]) == (len(PIDRO), True)
    assert content(lake) == content(folder)
    assert numbers(lake) == stood
    with reading.open_tables(Lake(lake), Lake(lake).opened()) as connection:
        assert reading.hand(connection, PIDRO[0].id) == PIDRO[0] == stored(folder, PIDRO[0].id)


def stored(folder: Path, hand_id: str) -> object:
    with open_snapshot(folder) as connection:
        return hand(connection, hand_id)


@pytest.mark.usefixtures("under_other_rules")
def test_a_run_that_is_fenced_publishes_nothing(
    lake: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, stood = Lake(lake).opened(), content(lake)
    publish = Begun.publish

    def too_late(
        begun: Begun, added: list[Added], counts: dict[str, int], *, replaced: set[str]
    ) -> object:
        with Lake(lake).begin("another", take_over=True):
            return publish(begun, added, counts, replaced=replaced)

    with monkeypatch.context() as changed:
        changed.setattr(Begun, "publish", too_late)
        with pytest.raises(FencedError):
            told_by(lake)
    assert Lake(lake).opened() == before
    assert content(lake) == stood
    assert told_by(lake)[0]["published"]


@pytest.mark.usefixtures("under_other_rules")
def test_a_task_that_fails_leaves_all_as_it_was(
    lake: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, files = Lake(lake).opened(), files_of(lake)
    export, calls = tables.export, itertools.count()

    def failing(*given: Any, **named: Any) -> list[Added]:  # noqa: ANN401 - passed on
        if next(calls):
            raise OSError(errno.ENOSPC, "the disk is full")
        return export(*given, **named)

    with monkeypatch.context() as changed:
        changed.setattr(tables, "export", failing)
        with pytest.raises(OSError, match="the disk is full"):
            told_by(lake)
    assert Lake(lake).opened() == before
    assert files_of(lake) == files
