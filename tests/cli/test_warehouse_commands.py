"""Commands that check, tidy and remake a warehouse; progress, Ctrl-C and a full disk."""

import errno
import os
import re
import shutil
import signal
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from tests.cli.command_line import WAIT, CommandLine, Terminal, run_python, started, write_log
from tests.conftest import REPOSITORY
from tests.kit import stored
from tests.kit.log_lines import SOUND_LINE, generated, line
from tests.kit.made_once import once
from tests.kit.publish_points import Point, applied, watched
from tests.kit.stored import content, reseal, wrong_scores
from tests.kit.tiers import is_thorough, some
from tricklog import ingest
from tricklog.ingest.cli.progress import progress_text
from tricklog.ingest.facts import build, files
from tricklog.ingest.lake import tables
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.loading import games
from tricklog.ingest.reading.intake import Intake
from tricklog.ingest.reading.progress import Progress, Stage
from tricklog.ingest.store.seals import seal_of
from tricklog.ingest.store.warehouse import current_snapshot, snapshots

pytestmark = pytest.mark.posix


@once()
def loaded(folder: Path) -> None:
    log = write_log(folder / "log.jsonl", *generated("pedro", 1), SOUND_LINE, b"oops")
    ingest.load(log, db=folder / "db")


@pytest.fixture
def log(loaded: Path) -> Path:
    return loaded / "log.jsonl"


@pytest.fixture
def db(tmp_path: Path, loaded: Path) -> Path:
    return shutil.copytree(loaded / "db", tmp_path / "db")


@pytest.fixture
def more(tmp_path: Path) -> Path:
    return write_log(tmp_path / "more.jsonl", *generated("pidro", 1)[:2], line(id="more"))


def count() -> int:
    return len(generated("pedro", 1)) + 1


# --- rejects
def test_text_in_quarantine_is_told_as_an_audit_tells_it(tricklog: CommandLine) -> None:
    log = Path("evening.trick")
    log.write_text("hand a\nfoo bar\n1 bidx 9\n", encoding="utf-8")
    told = tricklog("load --db db", log).stderr.rstrip()
    assert told.count(f"\n    {log}:") >= 2
    assert told in tricklog("audit", log).text
    assert told in tricklog("db rejects --db db").text
    (reject,) = tricklog("db rejects --db db --json").objects
    assert reject["problems"][0]["line"] == 1


def test_a_conflict_is_shown_with_both_places(tricklog: CommandLine, log: Path, db: Path) -> None:
    tricklog("load --db", db, write_log("other.jsonl", b"", line(dealer=0)), status=3)
    ran = tricklog("db rejects --db", db, status=0)
    assert "other.jsonl:2  quarantined" in ran.text
    assert f"The id 'club-1' belongs to another hand, {log}:{count()}." in ran.text
    assert "2 lines in quarantine" in ran.text
    # The hand that was read first is kept.
    assert stored.rows(db, "SELECT dealer FROM hands WHERE hand_id = 'club-1'") == [(3,)]
    (row,) = tricklog("db rejects --code id-conflict --json --db", db).objects
    assert row["text"].encode() == line(dealer=0)
    assert (row["file"], row["line"]) == ("other.jsonl", 2)
    assert "id-conflict" in tricklog("db rejects --code nothing --db", db, status=2).stderr


# --- verify, reaudit, rebuild
def test_a_sound_warehouse_and_one_with_a_problem(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("db verify --all --db", db, status=0)
    assert ran.text.startswith("No problem in ")
    assert f"{count()} records checked, {count()} hands replayed" in ran.text
    with duckdb.connect(str(current_snapshot(db))) as connection:
        connection.execute("UPDATE hands SET verdict = 'doubtful' WHERE hand_id = 'pedro-5-1-1'")
    reseal(db)
    ran = tricklog("db verify --db", db, status=1)
    for says in ("✗ hands pedro-5-1-1  facts: ", "verdict", "tricklog db reaudit", "1 problem in "):
        assert says in ran.text
    (told,) = tricklog("db verify --json --db", db).objects
    (problem,) = told["problems"]
    assert problem.keys() == {"check", "table", "row", "message", "hint"}


def test_changes_are_told_hand_by_hand(tricklog: CommandLine, tmp_path: Path, log: Path) -> None:
    with tricklog.patch.context() as patch:
        wrong_scores(patch)
        ingest.load(log, db="db")
    before = content(tmp_path / "db")
    ran = tricklog("db reaudit --db db --dry-run", status=0)
    assert f"pedro-5-1-2  {log}:2" in ran.text
    assert "verdict: irregular → valid" in ran.text
    assert "- claimed-change at /claimed/change" in ran.text
    assert "this was a dry run" in ran.text
    assert content(tmp_path / "db") == before
    *changes, counts = tricklog("db reaudit --db db --json").objects
    assert counts["changed"] == len(changes) > 0
    assert counts["published"]
    assert {"before": "irregular", "now": "valid"} in [
        change["facts"].get("verdict") for change in changes
    ]


def test_a_warehouse_made_again(tricklog: CommandLine, log: Path, tmp_path: Path) -> None:
    log = Path(shutil.copy(log, tmp_path))
    ingest.load(log, db="db")
    ran = tricklog("db rebuild --db db", status=0)
    assert f"{count()} hands = {count()} from the logs + 0 kept + 0 new" in ran.text
    assert "says exactly what it said before" in ran.text
    log.unlink()
    ran = tricklog("db rebuild --db db --output new", status=1)
    assert f"✗ {log} is not there" in ran.text
    assert f"{count()} hands = 0 from the logs + {count()} kept + 0 new" in ran.text


# --- tidy
LOADS = 5


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[Lake]:
    lake = Lake(storage_of(f"lake:{tmp_path / 'lake'}"))
    for load in range(1, LOADS + 1):
        with lake.begin("load") as begun:
            numbers = range(load, load + 100, 10)
            columns = {"id_hash": numbers, "content": [b"x"] * 10, "hand_no": numbers}
            rows = pa.table(columns, tables.schema_of("ids"))
            file = tables.write(lake.storage, "ids", rows, load, 0)
            assert file
            begun.publish([file], {})
    yield lake
    assert sum(file.rows for file in lake.files(lake.opened(), "ids")) == 10 * LOADS


def test_files_become_fewer_unless_the_lake_is_held(tricklog: CommandLine, lake: Lake) -> None:
    tidy = ("db tidy --db", str(lake.storage))
    tricklog(*tidy, "--keep", "-1", status=2)
    ran = tricklog(*tidy, "--dry-run")
    assert f"{LOADS} files (0.0 MB) would become 1 file, about" in ran.text
    assert "this was a dry run" in ran.text
    assert len(lake.files(lake.opened(), "ids")) == LOADS
    lake.begin("a long load")
    # Whatever is asked is told of a command that lets go of it.
    ran = tricklog("db undo --db", str(lake.storage), status=3)
    assert "held by a long load" in ran.stderr
    found = re.search(r"tricklog (db tidy .*) ends that", ran.advice)
    assert found
    ran = tricklog(found[1], status=0)
    assert ran.text.startswith(f"{LOADS} files (0.0 MB) became 1 file (0.0 MB)\n")
    assert "Removed 0 files (0.0 MB) that nobody needs" in ran.text
    ran = tricklog("db tidy --db", lake.storage.root)
    assert ran.text.startswith("In shape already: 1 file (0.0 MB)\n")


def test_what_is_old_goes_with_a_word_about_readers(tricklog: CommandLine, lake: Lake) -> None:
    ran = tricklog("db tidy --keep 0 --json --db", str(lake.storage))
    assert "whoever reads the lake now may fail" in ran.stderr
    (told,) = ran.objects
    assert told["before"]["files"] == LOADS
    assert told["after"] == told["tables"]["ids"]["after"]
    assert told["after"]["files"] == len(lake.snapshots()) == 1
    assert (told["games"], told["rows"], told["snapshots"]) == (0, 0, LOADS)
    assert (told["busy"], told["dry_run"]) == (None, False)
    assert told["snapshot"] == lake.opened().number


# --- Trouble
NO_SPACE = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    ("place", "name", "trouble"),
    [
        (Intake, "enter", sqlite3.OperationalError("database or disk is full")),
        (Intake, "claim", sqlite3.OperationalError("database or disk is full")),
        (pa.ipc, "new_stream", NO_SPACE),
        (os, "copy_file_range", NO_SPACE),
    ],
)
def test_a_full_disk_is_reported_and_leaves_the_warehouse(
    tricklog: CommandLine, db: Path, more: Path, place: object, name: str, trouble: Exception
) -> None:
    def full(*_: object) -> None:
        raise trouble

    before = content(db)
    tricklog.patch.setattr(place, name, full)
    command = ("audit", more) if name == "enter" else ("load", more, "--db", db)
    said = tricklog(*command, status=3).stderr
    if place is os:
        assert f"{trouble.args[-1]}. Nothing was published, the warehouse is as it was" in said
    else:
        assert "Temporary files cannot be written" in said
        assert str(trouble.args[-1]) in said
        assert "TMPDIR" in said
    assert content(db) == before


def as_it_was(db: Path) -> str:
    return f"tricklog: interrupted; the warehouse in {db} is as it was\n"


@pytest.mark.parametrize(
    "point", Point if is_thorough() else (Point.DRAFT_COPIED, Point.POINTER_REPLACED)
)
def test_ctrl_c_at_each_point(tricklog: CommandLine, more: Path, db: Path, point: Point) -> None:
    def reached(at: Point) -> None:
        if at == point:
            signal.raise_signal(signal.SIGINT)

    before = content(db)
    with applied(watched(reached)):
        ran = tricklog("load", more, "--db", db, status=130)
    points = list(Point)
    if points.index(point) < points.index(Point.POINTER_REPLACED):
        assert ran.stderr == as_it_was(db)
        assert content(db) == before
    else:
        published = f"the new snapshot of {db} had just been published"
        assert ran.stderr == f"tricklog: interrupted; {published}\n"
        assert content(db) != before
    assert {path.name for path in db.iterdir()} == {
        *("CURRENT", "LOCK"),
        *(each.name for path in snapshots(db) for each in (path, seal_of(path))),
    }


def long_query(connection: duckdb.DuckDBPyConnection, *_: int, **__: bool) -> None:
    """Ask what has no end in sight where nothing ends it, and press Ctrl-C."""
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    connection.execute("SELECT sum(sin(a.i) * b.i) FROM range(9999999) a(i), range(9999) b(i)")


def test_ctrl_c_while_the_store_is_at_work(tricklog: CommandLine, more: Path, db: Path) -> None:
    before = content(db)
    tricklog.patch.setattr(games, "_refresh_touched", long_query)
    assert tricklog("load", more, "--db", db, status=130).stderr == as_it_was(db)
    assert content(db) == before


@pytest.mark.parametrize("command", some(["stats", "list ratings"], 1))
def test_ctrl_c_while_facts_are_derived(tricklog: CommandLine, db: Path, command: str) -> None:
    tricklog.patch.setattr(build, "_derive_chunk", long_query)
    before = {path.name for path in db.iterdir()}
    assert tricklog(command, "--db", db, status=130).stderr == as_it_was(db)
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
    process = started("load", pipe, "--db", db)
    writer = fed(pipe, [line(id="one more")])
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=WAIT)
    os.close(writer)
    assert process.returncode == 130
    assert said == ("", as_it_was(db))
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
    run_python("-m", "interrupted", status=130, PYTHONPATH=f"{REPOSITORY}:{tmp_path}")


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


READ = Progress(Stage.READING, 4000, done=1000, total=4000)


def test_progress_in_words() -> None:
    for progress, seconds, shown in (
        (Progress(Stage.WAITING), 5, "waiting for another load"),
        (Progress(Stage.READING, 400, done=1000, total=4000), 0.5, "reading, 400 lines"),
        (READ, 2, "reading, 4,000 lines, 2,000 lines/s, 6 s left"),
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
    ):
        assert progress_text(progress, seconds, seconds) == shown


def test_the_time_left_is_that_of_the_whole_load() -> None:
    progress = Progress(Stage.DERIVING, 9000, 3000, done=3000, total=9000, share=0.75)
    shown = "counting what figures are made of, 3,000 of 9,000 hands, 1,500 hands/s, 10 s left"
    assert progress_text(progress, 2, 30) == shown


def test_the_name_of_a_warehouse_steers_no_terminal(tricklog: CommandLine, log: Path) -> None:
    ran = tricklog("load", log, "--db", "a\x1b[31mb\x07")
    assert "a\\x1b[31mb\\x07" in ran.text
    # No terminal, so nothing of how far it is.
    assert "Loading" not in ran.stderr + ran.text
    assert not {"\x1b", "\x07"} & {*ran.text, *ran.stderr}
