"""``tricklog load --dry-run``: it tells what the load would do, and leaves everything as it is."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cli.command_line import write_log
from tests.kit.dashboard_logs import first_hands, with_revoke
from tests.kit.in_process import run_here
from tests.kit.log_lines import SOUND_LINE, moved_on
from tricklog.ingest.loading.loading import load
from tricklog.ingest.store.publishing import StorageError


def content(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_dry_run_tells_what_the_load_then_does(tmp_path: Path) -> None:
    db = tmp_path / "db"
    load(write_log(tmp_path / "first.jsonl", *first_hands("pedro", 6)[:3]), db=db)
    log = write_log(
        tmp_path / "second.jsonl",
        *first_hands("pedro", 6)[1:4],
        moved_on(first_hands("pedro", 6)[4]),
        replace(first_hands("pedro", 6)[0], dealer=3 - first_hands("pedro", 6)[0].dealt_by),
        with_revoke()[0],
        SOUND_LINE,
        b"oops",
        b"",
    )
    before = content(db)
    told = load(log, db=db, dry_run=True)
    assert content(db) == before
    assert not told.published
    assert (told.lines, told.accepted, told.duplicate, told.quarantined) == (9, 4, 2, 2)
    done = load(log, db=db)
    assert done.published
    for name in ("lines", "accepted", "duplicate", "quarantined", "blank", "verdicts", "findings"):
        assert getattr(told, name) == getattr(done, name), name


def test_a_dry_run_makes_no_folder(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", *first_hands("pedro", 6))
    report = load(log, db=tmp_path / "db", dry_run=True)
    assert report.accepted == len(first_hands("pedro", 6))
    assert report.snapshot is None
    assert not (tmp_path / "db").exists()


def test_a_dry_run_without_room_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "db"
    load(write_log(tmp_path / "first.jsonl", *first_hands("pedro", 6)[:3]), db=db)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tricklog.ingest.store.publishing.shutil.copyfile", full)
    with pytest.raises(StorageError, match="Temporary files cannot be written"):
        load(write_log(tmp_path / "log.jsonl", *first_hands("pedro", 6)), db=db, dry_run=True)


def test_the_command_tells_lines_and_progress_as_objects(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", *first_hands("pedro", 6), b"oops", *[b""] * 200)
    flags = ("--dry-run", "--json", "--progress")
    ran = run_here(["load", str(log), "--db", str(tmp_path / "db"), *flags], tmp_path)
    assert ran.status == 3
    counts = json.loads(ran.out)
    assert counts["accepted"] == len(first_hands("pedro", 6))
    assert counts["snapshot"] is None
    told = [json.loads(line) for line in ran.err.splitlines() if line.startswith("{")]
    assert [each["code"] for each in told if "code" in each] == ["not-json"]
    stages = [each for each in told if "stage" in each]
    assert {"stage", "lines", "hands", "findings", "done", "total", "share"} == set(stages[0])
    assert not (tmp_path / "db").exists()


def test_the_command_says_that_it_was_a_dry_run(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", *first_hands("pedro", 6))
    ran = run_here(["load", str(log), "--db", str(tmp_path / "db"), "--dry-run"], tmp_path)
    assert ran.status == 0
    assert "this was a dry run" in " ".join(ran.out.split())
