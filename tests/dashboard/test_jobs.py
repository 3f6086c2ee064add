"""Loads that the dashboard starts as processes, how they end, and what is kept of uploads."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from tests.kit.dashboard_logs import REVOKE, first_hands, with_revoke
from tests.kit.faults import Faults
from tests.kit.log_lines import write_hands
from tests.kit.tiers import some
from tricklog.dashboard.data import jobs, processes, uploads
from tricklog.dashboard.data.jobs import Job, NotStartedError, Request, State
from tricklog.dashboard.kit import exports
from tricklog.ingest.loading.loading import load
from tricklog.ingest.store.publishing import writing
from tricklog.ingest.store.warehouse import current_snapshot, open_snapshot
from tricklog.schemas.hand import Hand, encode_hand

pytestmark = pytest.mark.posix

LIMIT = 300.0


class Sent(io.BytesIO):
    def __init__(self, name: str, *lines: Hand | bytes) -> None:
        texts = [encode_hand(each) if isinstance(each, Hand) else each for each in lines]
        super().__init__(b"".join(text + b"\n" for text in texts))
        self.name = name


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repository: Path) -> Path:
    """A folder of temporary files. That of the process may come to stand in it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("PYTHONPATH", str(repository))
    return folder


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Has every command do what this line of the shell says."""

    def become(line: str) -> None:
        script = tmp_path / "command"
        script.write_text(f"#!/bin/sh\n{line}\n")
        script.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(script))

    return become


def done(request: Request) -> Job:
    job = jobs.start(request)
    assert job.wait(LIMIT)
    return job


def left_in(temporary: Path) -> list[Path]:
    return list(temporary.glob("tricklog-import-*"))


def test_uploads_are_loaded_and_their_copies_taken_away(tmp_path: Path, temporary: Path) -> None:
    db = tmp_path / "db"
    hands = first_hands("pedro", 3)
    sent = (
        Sent("../../games.jsonl", *hands, hands[0], b"oops"),
        Sent("games.jsonl", with_revoke()[0], b""),
    )
    counts = {"lines": 7, "accepted": 4, "duplicate": 1, "quarantined": 1, "blank": 1}
    loaded = done(Request(db, sent))
    assert loaded.state == State.DONE
    assert loaded.result["published"]
    assert counts.items() <= loaded.result.items()
    (reject,) = loaded.rejects
    place = {"file": "uploaded/games.jsonl", "line": 5, "code": "not-json"}
    assert place.items() <= reject.items()
    assert reject["hint"]
    with open_snapshot(db) as connection:
        files = connection.execute("SELECT file FROM hands WHERE hand_id = ?", [REVOKE]).fetchall()
    assert files == [("uploaded/2-games.jsonl",)]
    assert left_in(temporary) == []


@pytest.mark.thorough("uploads are loaded in the first tier")
def test_a_folder_of_this_machine_is_loaded_where_it_is_and_doubts_are_told(tmp_path: Path) -> None:
    logs = tmp_path / "-logs"
    logs.mkdir()
    text = "game Pedro\nplayers Ann, Bo, Cy, Dee\nhand 1; Ann 8, made; points 9 5; after 9 5 4\n"
    (logs / "night.trick").write_text(text, "utf-8")
    job = done(Request(tmp_path / "db", path=logs))
    assert job.state == State.DONE
    assert job.sources == [str(logs)]
    assert not job.rejects
    (told,) = job.warnings
    assert (told["line"], told["column"], told["message"]) == (3, 40, "3 numbers for 2 sides")


def test_a_load_waits_for_another_and_ends_meanwhile(tmp_path: Path, temporary: Path) -> None:
    (db := tmp_path / "db").mkdir()
    with writing(db, wait=1):
        job = jobs.start(Request(db, (Sent("a.jsonl", with_revoke()[0]),)))
        until = time.monotonic() + LIMIT
        while job.progress.get("stage") != "waiting for another load":
            assert time.monotonic() < until
            time.sleep(0.05)
        # So does the server when a signal ends it.
        processes.end_all()
    assert job.state == State.CANCELLED
    assert job.error == "The warehouse is as it was."
    assert left_in(temporary) == []


def test_a_load_that_is_stopped_leaves_the_old_state(tmp_path: Path, temporary: Path) -> None:
    db = tmp_path / "db"
    load(write_hands(tmp_path / "log.jsonl", [with_revoke()[0]]), db=db)
    before = current_snapshot(db)
    job = jobs.start(Request(db, (Sent("more.jsonl", *first_hands("pidro", 40)),)))
    job.stop()
    assert job.wait(LIMIT)
    assert job.state == State.CANCELLED
    assert current_snapshot(db) == before
    assert left_in(temporary) == []


def test_a_process_that_gives_no_result_is_never_passed_over_in_silence(
    tmp_path: Path, command: Callable[[str], None]
) -> None:
    for does, says in (
        ("kill -9 $$", "The system ended tricklog load (SIGKILL), as it does when memory runs out"),
        ("kill -SEGV $$", "tricklog load crashed (SIGSEGV)"),
        ("kill -TERM $$", "tricklog load was ended from outside (SIGTERM)"),
        ("echo Traceback >&2; exit 1", "tricklog load ended with status 1 and did not say why"),
        ("echo 'tricklog: The disk is full.' >&2; exit 3", "The disk is full."),
    ):
        command(does)
        for request in (
            Request(tmp_path / "db", (Sent("a.jsonl", with_revoke()[0]),)),
            Request(tmp_path / "db", (Sent("a.jsonl", b"x"),), adapter="rlcard-29"),
        ):
            job = done(request)
            assert job.state == State.FAILED
            assert says in job.error
            assert job.error.endswith(".")


def test_uploads_that_find_no_room_leave_nothing(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "copyfileobj", raising(OSError(28, os.strerror(28))))
    with pytest.raises(NotStartedError, match="No space left"):
        jobs.start(Request(tmp_path / "db", (Sent("a.jsonl", b"x"),)))
    assert left_in(temporary) == []


def test_without_a_process_or_a_thread_the_sentence_says_so(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = Request(tmp_path / "db", (Sent("a.jsonl", b"x"),))
    for error in (OSError(11, os.strerror(11)), MemoryError(), OSError("odd")):
        with monkeypatch.context() as patch:
            patch.setattr(subprocess, "Popen", raising(error))
            job = done(request)
        assert job.state == State.FAILED
        assert job.error.endswith(".")
    monkeypatch.setattr(threading.Thread, "start", raising(RuntimeError("can't start new thread")))
    with pytest.raises(NotStartedError, match="can't start new thread"):
        jobs.start(request)
    assert left_in(temporary) == []
    assert not processes.RUNNING


def raising(error: Exception) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize("trouble", ["disk", "memory"])
def test_any_call_of_the_dashboard_may_fail_and_the_page_has_a_sentence(
    tmp_path: Path, command: Callable[[str], None], repository: Path, trouble: str
) -> None:
    command("echo '{\"accepted\": 1}'")
    request = Request(tmp_path / "db", (Sent("a.jsonl", b"x"),))
    packages = (f"{repository / 'tricklog' / 'dashboard'}/",)

    def run(faults: Faults) -> str:
        with faults.installed():
            try:
                job = done(request)
            except NotStartedError as error:
                return str(error)
        return job.error if job.state == State.FAILED else job.state.value

    undisturbed = Faults(packages=packages)
    assert run(undisturbed) == State.DONE.value
    assert len(undisturbed.calls) > 10
    told = [
        run(Faults(number, trouble == "memory", packages))
        for number in some(range(len(undisturbed.calls)), 12)
    ]
    assert all(says == State.DONE.value or says.endswith(".") for says in told), told
    assert sum(says != State.DONE.value for says in told) >= len(told) // 3, told


# --- What is kept of uploads
def test_the_name_of_an_upload_leads_nowhere() -> None:
    for name, safe in (
        ("games.jsonl", "games.jsonl"),
        ("Åsas spel 7.jsonl.gz", "Åsas spel 7.jsonl.gz"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("C:\\logs\\a.jsonl", "a.jsonl"),
        ("/", "log"),
        ("", "log"),
        ("..", "log"),
        (".hidden.jsonl", "hidden.jsonl"),
        ("--db=x.jsonl", "db_x.jsonl"),
        ("-", "log"),
        ("<img src=x>.jsonl", "img src_x_.jsonl"),
        ("a\u202elnosj.jsonl", "a_lnosj.jsonl"),
        ("a\x00b\n.jsonl", "a_b_.jsonl"),
        ("$(rm -rf x);.jsonl", "rm -rf x__.jsonl"),
    ):
        assert uploads.safe_name(name) == safe


def test_uploads_of_one_name_are_kept_apart_and_a_long_one_keeps_its_ending(tmp_path: Path) -> None:
    (kept := tmp_path / "kept").mkdir()
    sent = [Sent("a.jsonl", b"1"), Sent("../a.jsonl", b"2"), Sent("A.jsonl", b"3")]
    sent[0].read()
    paths = uploads.keep(sent, kept)
    assert paths == ["uploaded/a.jsonl", "uploaded/2-a.jsonl", "uploaded/3-A.jsonl"]
    assert [(kept / path).read_bytes() for path in paths] == [b"1\n", b"2\n", b"3\n"]
    assert {path.name for path in kept.iterdir()} == {uploads.FOLDER}
    name = uploads.safe_name("x" * 500 + ".jsonl")
    assert len(name) == len(uploads.safe_name("y" * 500)) == uploads.LONGEST
    assert name.endswith(".jsonl")


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1", "\n=1", " =1", "\u202e=1", "=cmd|' /C calc'!A0"],
)
def test_no_cell_of_a_table_begins_a_formula(text: str) -> None:
    told = exports.as_csv(["hand"], [[text]]).decode("utf-8-sig")
    (_, (cell,)) = csv.reader(io.StringIO(told))
    assert cell.startswith("'")
    assert "\u202e" not in cell


def test_numbers_days_and_text_stay_what_they_are_in_a_table_and_in_json() -> None:
    row = [-7, 0.5, None, date(2026, 11, 20), 'Åsa, "Lill"']
    told = exports.as_csv(list("abcde"), [row])
    assert told.startswith(b"\xef\xbb\xbf")
    (_, cells) = csv.reader(io.StringIO(told.decode("utf-8-sig")))
    assert cells == ["-7", "0.5", "", "2026-11-20", 'Åsa, "Lill"']
    rows: list[dict[str, object]] = [
        {"hand": "=1+1", "day": date(2026, 11, 20)},
        {"hand": "b", "day": None},
    ]
    assert json.loads(exports.as_json(rows)) == [
        {"hand": "=1+1", "day": "2026-11-20"},
        {"hand": "b", "day": None},
    ]
    assert json.loads(exports.as_json([])) == []
