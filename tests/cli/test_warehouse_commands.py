"""Commands that check and remake a warehouse; progress, Ctrl-C and a full disk."""

import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from tests.cli.command_line import CommandLine, write_log
from tests.cli.terminal import Terminal
from tests.kit.log_lines import SOUND_LINE, generated, line
from tests.kit.publish_points import Point, applied, watched
from tests.kit.stored import content, reseal, wrong_scores
from tests.kit.tiers import some
from tricklog import ingest
from tricklog.ingest.cli.progress import progress_text
from tricklog.ingest.facts import build, files
from tricklog.ingest.loading import games
from tricklog.ingest.reading.intake import Intake
from tricklog.ingest.reading.progress import Progress, Stage
from tricklog.ingest.store.seals import seal_of
from tricklog.ingest.store.warehouse import current_snapshot, snapshots

pytestmark = pytest.mark.posix
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("log")
    return write_log(folder / "log.jsonl", *generated("pedro", 1), SOUND_LINE, b"oops")


@pytest.fixture(scope="module")
def loaded(log: Path) -> Path:
    ingest.load(log, db=log.parent / "db")
    return log.parent / "db"


@pytest.fixture
def db(tmp_path: Path, loaded: Path) -> Path:
    return shutil.copytree(loaded, tmp_path / "db")


# --- rejects


def test_text_in_quarantine_is_told_as_an_audit_tells_it(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    log, db = tmp_path / "evening.trick", tmp_path / "db"
    log.write_text("hand a\nfoo bar\n1 bidx 9\n", encoding="utf-8")
    told = tricklog("load", log, "--db", db).stderr.rstrip()
    assert told.count(f"\n    {log}:") >= 2
    assert told in tricklog("audit", log).text
    assert told in tricklog("db", "rejects", "--db", db).text
    (reject,) = tricklog("db", "rejects", "--db", db, "--json").objects
    assert reject["problems"][0]["line"] == 1


def test_a_conflict_is_shown_with_both_places(
    tricklog: CommandLine, tmp_path: Path, log: Path, db: Path
) -> None:
    other = write_log(tmp_path / "other.jsonl", b"", line(dealer=0))
    assert tricklog("load", other, "--db", db).status == 3
    ran = tricklog("db", "rejects", "--db", db)
    assert ran.status == 0
    assert f"{other}:2  quarantined" in ran.text
    assert (
        f"The id 'club-1' belongs to another hand, {log}:{len(generated('pedro', 1)) + 1}."
        in ran.text
    )
    assert "2 lines in quarantine" in ran.text
    (row,) = tricklog("db", "rejects", "--db", db, "--code", "id-conflict", "--json").objects
    assert row["text"].encode() == line(dealer=0)
    assert (row["file"], row["line"]) == (str(other), 2)


def test_a_code_that_does_not_exist(tricklog: CommandLine, loaded: Path) -> None:
    ran = tricklog("db", "rejects", "--db", loaded, "--code", "nothing")
    assert ran.status == 2
    assert "id-conflict" in ran.stderr


@pytest.mark.parametrize("command", ["rejects", "verify", "reaudit", "rebuild"])
def test_no_warehouse(tricklog: CommandLine, command: str) -> None:
    ran = tricklog("db", command, "--db", "nowhere")
    assert ran.status == 2
    assert "holds no warehouse" in ran.stderr


@pytest.mark.parametrize("command", ["db undo", "export --output x", "stats", "report"])
def test_no_warehouse_in_this_folder(
    tricklog: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = tricklog(*command.split())
    assert ran.status == 2
    assert "holds no warehouse yet: tricklog load LOGS" in ran.stderr


# --- verify


def test_a_sound_warehouse(tricklog: CommandLine, loaded: Path) -> None:
    ran = tricklog("db", "verify", "--db", loaded, "--all")
    hands = len(generated("pedro", 1)) + 1
    assert ran.status == 0
    assert ran.text.startswith("No problem in ")
    assert f"{hands} records checked, {hands} hands replayed" in ran.text


def test_a_warehouse_with_a_problem(tricklog: CommandLine, db: Path) -> None:
    with duckdb.connect(str(current_snapshot(db))) as connection:
        connection.execute("UPDATE hands SET verdict = 'doubtful' WHERE hand_id = 'pedro-5-1-1'")
    reseal(db)
    ran = tricklog("db", "verify", "--db", db)
    assert ran.status == 1
    assert "✗ hands pedro-5-1-1  facts: " in ran.text
    assert "verdict" in ran.text
    assert "tricklog db reaudit" in ran.text
    assert "1 problem in " in ran.text
    (told,) = tricklog("db", "verify", "--db", db, "--json").objects
    (problem,) = told["problems"]
    assert problem.keys() == {"check", "table", "row", "message", "hint"}


# --- reaudit


def test_what_changed_is_reported_hand_by_hand(
    tricklog: CommandLine, tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        wrong_scores(patch)
        ingest.load(log, db=tmp_path / "db")
    before = content(tmp_path / "db")
    ran = tricklog("db", "reaudit", "--db", tmp_path / "db", "--dry-run")
    assert ran.status == 0
    assert f"pedro-5-1-2  {log}:2" in ran.text
    assert "verdict: irregular → valid" in ran.text
    assert "- claimed-change at /claimed/change" in ran.text
    assert "this was a dry run" in ran.text
    assert content(tmp_path / "db") == before
    *changes, counts = tricklog("db", "reaudit", "--db", tmp_path / "db", "--json").objects
    assert counts["changed"] == len(changes) > 0
    assert counts["published"]
    assert {"before": "irregular", "now": "valid"} in [
        change["facts"].get("verdict") for change in changes
    ]


# --- rebuild


def test_a_warehouse_made_again(tricklog: CommandLine, log: Path, tmp_path: Path) -> None:
    log, db = Path(shutil.copy(log, tmp_path)), tmp_path / "db"
    ingest.load(log, db=db)
    hands = len(generated("pedro", 1)) + 1
    ran = tricklog("db", "rebuild", "--db", db)
    assert ran.status == 0
    assert f"{hands} hands = {hands} from the logs + 0 kept + 0 new" in ran.text
    assert "says exactly what it said before" in ran.text
    log.unlink()
    ran = tricklog("db", "rebuild", "--db", db, "--output", "new")
    assert ran.status == 1
    assert f"✗ {log} is not there" in ran.text
    assert f"{hands} hands = 0 from the logs + {hands} kept + 0 new" in ran.text


# --- Trouble


@pytest.mark.parametrize(
    ("place", "name", "trouble"),
    [
        (Intake, "enter", sqlite3.OperationalError("database or disk is full")),
        (Intake, "claim", sqlite3.OperationalError("database or disk is full")),
        (pa.ipc, "new_stream", OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))),
    ],
)
def test_no_room_for_temporary_files(
    tricklog: CommandLine,
    tmp_path: Path,
    db: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: object,
    name: str,
    trouble: Exception,
) -> None:
    def full(*_: object) -> None:
        raise trouble

    before = content(db)
    log = write_log(tmp_path / "more.jsonl", line(id="more"))
    monkeypatch.setattr(place, name, full)
    ran = tricklog("audit", log) if name == "enter" else tricklog("load", log, "--db", db)
    assert ran.status == 3
    assert "Temporary files cannot be written" in ran.stderr
    assert str(trouble.args[-1]) in ran.stderr
    assert "TMPDIR" in ran.stderr
    assert content(db) == before


def test_a_full_disk_is_reported_with_status_3(
    tricklog: CommandLine, tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "copy_file_range", full)
    ran = tricklog("load", write_log(tmp_path / "more.jsonl", *generated("pidro", 1)), "--db", db)
    assert ran.status == 3
    assert (
        "No space left on device. Nothing was published, the warehouse is as it was" in ran.stderr
    )


@pytest.mark.parametrize("point", some([*Point], 2))
def test_ctrl_c_at_each_point_says_what_stands(
    tricklog: CommandLine,
    tmp_path: Path,
    db: Path,
    point: Point,
) -> None:
    def reached(at: Point) -> None:
        if at == point:
            signal.raise_signal(signal.SIGINT)

    before = content(db)
    more = write_log(tmp_path / "more.jsonl", *generated("pidro", 1)[:2])
    with applied(watched(reached)):
        ran = tricklog("load", more, "--db", db)
    assert ran.status == 130
    points = list(Point)
    if points.index(point) < points.index(Point.POINTER_REPLACED):
        assert ran.stderr == f"tricklog: interrupted; the warehouse in {db} is as it was\n"
        assert content(db) == before
    else:
        assert (
            ran.stderr
            == f"tricklog: interrupted; the new snapshot of {db} had just been published\n"
        )
        assert content(db) != before
    assert {path.name for path in db.iterdir()} == {
        *("CURRENT", "LOCK"),
        *(each.name for path in snapshots(db) for each in (path, seal_of(path))),
    }


def test_ctrl_c_while_the_store_is_at_work(
    tricklog: CommandLine, tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def long_query(connection: duckdb.DuckDBPyConnection, _: int) -> None:
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        connection.execute("SELECT sum(sin(a.i) * b.i) FROM range(9999999) a(i), range(9999) b(i)")

    before = content(db)
    more = write_log(tmp_path / "more.jsonl", *generated("pidro", 1)[:2])
    monkeypatch.setattr(games, "_refresh_touched", long_query)
    ran = tricklog("load", more, "--db", db)
    assert ran.status == 130
    assert ran.stderr == f"tricklog: interrupted; the warehouse in {db} is as it was\n"
    assert content(db) == before


@pytest.mark.parametrize("command", some(["stats", "list ratings"], 1))
def test_ctrl_c_while_facts_are_derived(
    tricklog: CommandLine, db: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def long_query(connection: duckdb.DuckDBPyConnection, *_: int, **__: bool) -> None:
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        connection.execute("SELECT sum(sin(a.i) * b.i) FROM range(9999999) a(i), range(9999) b(i)")

    monkeypatch.setattr(build, "_derive_chunk", long_query)
    before = {path.name for path in db.iterdir()}
    # The query has no end in sight where nothing ends it.
    ran = tricklog(*command.split(), "--db", db)
    assert ran.status == 130
    assert ran.stderr == f"tricklog: interrupted; the warehouse in {db} is as it was\n"
    assert {path.name for path in db.iterdir()} == before | {files.LOCK}


def fed(pipe: Path, lines: list[bytes]) -> int:
    """Write lines into a named pipe and leave it open, so that its reader waits for more."""
    descriptor = os.open(pipe, os.O_WRONLY)
    os.write(descriptor, b"".join(text + b"\n" for text in lines))
    return descriptor


def test_ctrl_c_while_reading_in_a_process_of_its_own(tmp_path: Path, db: Path) -> None:
    before = content(db)
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-m", "tricklog.ingest.cli", "load", pipe, "--db", db],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )
    writer = fed(pipe, [line(id="one more")])
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=300)
    os.close(writer)
    assert process.returncode == 130
    assert said == ("", f"tricklog: interrupted; the warehouse in {db} is as it was\n")
    assert content(db) == before


INTERRUPTED_WITHIN_A_TEXT = """
import ctypes, sys
from unittest.mock import patch
from tricklog.ingest import cli

def interrupted(_):
    ctypes.pythonapi.PyRun_SimpleString(b"raise KeyboardInterrupt")
    raise KeyboardInterrupt

with patch.object(cli, "make_app", interrupted):
    sys.exit(cli.main(["stats"]))
"""


def test_ctrl_c_within_what_a_library_runs_gives_the_same_status(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(INTERRUPTED_WITHIN_A_TEXT)
    ran = subprocess.run(
        [sys.executable, "-m", "interrupted"],
        env=os.environ | {"PYTHONPATH": f"{REPOSITORY}:{tmp_path}"},
        check=False,
    )
    assert ran.returncode == 130


# --- Progress


def test_a_terminal_shows_how_far_a_load_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    # Without compiled rules, which take lines from a pipe by the megabyte.
    terminal = Terminal("load", pipe, "--db", tmp_path / "db", XDG_CACHE_HOME=str(tmp_path))
    writer = fed(pipe, [b""] * 250)
    terminal.wait_for("Loading: reading, 200 lines")
    os.close(writer)
    assert terminal.ended() == 3
    assert "250 blank" in terminal.shown


@pytest.mark.parametrize(
    ("progress", "seconds", "shown"),
    [
        (Progress(Stage.WAITING), 5, "waiting for another load"),
        (Progress(Stage.READING, 400, done=1000, total=4000), 0.5, "reading, 400 lines"),
        (
            Progress(Stage.READING, 4000, done=1000, total=4000),
            2,
            "reading, 4,000 lines, 2,000 lines/s, 6 s left",
        ),
        (Progress(Stage.READING, 4000, done=1000), 2, "reading, 4,000 lines, 2,000 lines/s"),
        (
            Progress(Stage.REPLAYING, 9000, 2000, 17, 2000, 8000),
            40,
            "replaying, 2,000 of 8,000 hands, 50 hands/s, 17 findings, 2 min 00 s left",
        ),
        (
            Progress(Stage.REPLAYING, 9, 1000, done=1000, total=361_000),
            10,
            "replaying, 1,000 of 361,000 hands, 100 hands/s, 1 h 00 min left",
        ),
    ],
)
def test_progress_in_words(progress: Progress, seconds: float, shown: str) -> None:
    assert progress_text(progress, seconds, seconds) == shown


def test_the_time_left_is_that_of_the_whole_load() -> None:
    progress = Progress(Stage.DERIVING, 9000, 3000, done=3000, total=9000, share=0.75)
    shown = "counting what figures are made of, 3,000 of 9,000 hands, 1,500 hands/s, 10 s left"
    assert progress_text(progress, 2, 30) == shown


def test_the_name_of_a_warehouse_cannot_steer_the_terminal(
    tricklog: CommandLine, log: Path, tmp_path: Path
) -> None:
    ran = tricklog("load", str(log), "--db", str(tmp_path / "a\x1b[31mb\x07"))
    assert "a\\x1b[31mb\\x07" in ran.text
    # No terminal, so nothing of how far it is.
    assert "Loading" not in ran.stderr + ran.text
    assert not {"\x1b", "\x07"} & {*ran.text, *ran.stderr}
