"""A disk that is full or fails, at each single write: the old state stays, a sentence says so."""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import duckdb
import pytest

import ingest
from ingest.store import publishing
from ingest.store.publishing import StorageError
from ingest.store.warehouse import checksum, current_snapshot, open_snapshot
from tests.kit.log_lines import SOUND_LINE, generated, write_hands, write_lines

CALLS = ("copyfile", "mkdir", "write_text", "replace", "fsync", "execute")
ERRORS = (errno.ENOSPC, errno.EIO)


def content(db: Path) -> str:
    with open_snapshot(db) as connection:
        return checksum(connection)


class Faults:
    """Counts the calls that write, and lets one of them fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[str] = []
        self.fail_at = -1
        self.number = errno.EIO
        self._real_connect = duckdb.connect
        monkeypatch.setattr(shutil, "copyfile", self._watched("copyfile", shutil.copyfile))
        monkeypatch.setattr(os, "fsync", self._watched("fsync", os.fsync))
        monkeypatch.setattr(duckdb, "connect", self._connect)
        for name in ("mkdir", "write_text", "replace"):
            monkeypatch.setattr(Path, name, self._watched(name, getattr(Path, name)))

    def begin(self, fail_at: int, number: int) -> None:
        self.seen.clear()
        self.fail_at, self.number = fail_at, number

    def enter(self, name: str) -> None:
        self.seen.append(name)
        if len(self.seen) - 1 == self.fail_at:
            if name == "execute":
                raise duckdb.IOException(f"IO Error: Could not write: {os.strerror(self.number)}")
            raise OSError(self.number, os.strerror(self.number))

    def _watched(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: object, **options: object) -> object:
            self.enter(name)
            return real(*arguments, **options)

        return call

    def _connect(self, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - as duckdb
        # A variable that a statement names is not found past our wrapper otherwise.
        options["config"] = options.get("config", {}) | {"python_scan_all_frames": True}
        connection = self._real_connect(*arguments, **options)
        return connection if options.get("read_only") else Writing(connection, self)


class Writing:
    """A connection that writes, each statement of which may fail."""

    def __init__(self, connection: Any, faults: Faults) -> None:  # noqa: ANN401 - as duckdb
        self._connection = connection
        self._faults = faults

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def execute(self, *arguments: object) -> object:
        self._faults.enter("execute")
        return self._connection.execute(*arguments)

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "more.jsonl", [SOUND_LINE, b"oops"])


@pytest.fixture
def old(tmp_path: Path) -> Path:
    first = write_hands(tmp_path / "first.jsonl", generated("pedro", 1)[:2])
    ingest.load(first, db=tmp_path / "old")
    return tmp_path / "old"


def test_every_write_may_fail(
    tmp_path: Path, old: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(old)
    db = tmp_path / "db"
    shutil.copytree(old, db)
    faults = Faults(monkeypatch)
    faults.begin(-1, 0)
    ingest.load(log, db=db)
    after = content(db)
    writes = list(faults.seen)
    assert set(writes) == set(CALLS)
    assert writes.count("execute") >= 8
    published = 0
    for number, name in enumerate(writes):
        shutil.rmtree(db)
        shutil.copytree(old, db)
        code = ERRORS[number % 2]
        faults.begin(number, code)
        with pytest.raises(StorageError, match=os.strerror(code)) as caught:
            ingest.load(log, db=db)
        assert faults.seen[number] == name
        says = str(caught.value)
        if "is published" in says:
            published += 1
            assert "tricklog verify" in says
            assert content(db) == after
        else:
            assert content(db) == before
            assert "the warehouse is as it was" in says
            assert ("Free at least" in says) == (code == errno.ENOSPC)
            assert ("Check the disk" in says) == (code == errno.EIO)
        assert {path.name for path in db.iterdir()} <= {
            *("CURRENT", "LOCK", "games-000001.duckdb", "games-000001.seal"),
            *("games-000002.duckdb", "games-000002.seal"),
        }
        if number == writes.index(name) or "is published" in says:
            # What a failure leaves does not depend on which call of a kind it met.
            faults.begin(-1, 0)
            ingest.load(log, db=db)
            assert content(db) == after
    # Only the last flush comes after the pointer.
    assert published == 1


def test_a_failure_after_the_pointer_never_takes_the_snapshot_away(
    old: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(point: publishing.Point) -> None:
        if point == publishing.Point.POINTER_REPLACED:
            raise KeyboardInterrupt

    monkeypatch.setattr(publishing, "_reached", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ingest.load(log, db=old)
    with open_snapshot(old) as connection:
        assert connection.sql("FROM rejects").shape[0] == 1


@pytest.mark.parametrize("text", ["", "games-000009.duckdb\nmore", "../elsewhere"])
def test_a_damaged_pointer_costs_no_snapshot(old: Path, log: Path, text: str) -> None:
    (old / "CURRENT").write_text(text)
    with pytest.raises(ingest.WarehouseError, match="does not name a snapshot"):
        ingest.load(log, db=old)
    with pytest.raises(ingest.WarehouseError, match="tricklog rebuild"):
        open_snapshot(old)
    assert (old / "games-000001.duckdb").exists()


def test_a_lost_pointer_is_found_again(old: Path, log: Path) -> None:
    before = content(old)
    (old / "CURRENT").unlink()
    report = ingest.load(write_lines(old.parent / "none.jsonl", []), db=old)
    assert not report.published
    assert content(old) == before
    (old / "CURRENT").unlink()
    assert ingest.load(log, db=old).published
    assert current_snapshot(old) == old / "games-000002.duckdb"


@pytest.mark.posix
def test_a_folder_that_cannot_be_locked_is_not_taken_for_busy(
    old: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", no_locks)
    with pytest.raises(StorageError, match="cannot be locked"):
        ingest.load(log, db=old)
