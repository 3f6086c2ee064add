"""Damaged files of a warehouse: noticed or harmless, told in a sentence, and made whole again.

So are full disks, calls of the system that fail, and processes with little memory.
"""

import errno
import gc
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from tests.cli.command_line import run_python
from tests.kit.faults import SCENES, Bench, Call
from tests.kit.in_process import run_here
from tests.kit.log_lines import SOUND_LINE, generated, moved_on, write_hands, write_lines
from tests.kit.made_once import copied, once
from tests.kit.stored import BLOCK, content, damage_table
from tests.kit.tiers import is_thorough, some
from tricklog import encode_hand, ingest
from tricklog.ingest.cli import _ADDRESSES, WITH_STORE
from tricklog.ingest.store import seals, userdata, warehouse
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.userdata import UserStorageError
from tricklog.ingest.store.warehouse import (
    DamagedError,
    LostPointerError,
    current_snapshot,
    open_snapshot,
    pointer_to,
    snapshots,
)
from tricklog.ingest.upkeep import verifying
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.upkeep.verifying import verify

CONTENT = ("hands", "seatings", "findings", "rulesets", "rejects", "games", "players")


@once()
def made(folder: Path) -> None:
    """Two logs, and the warehouse ``db`` into which they were loaded one after the other."""
    hands = generated("pedro", 1)
    write_lines(folder / "a.jsonl", [*map(encode_hand, hands[:3]), b"oops"])
    write_hands(folder / "b.jsonl", [moved_on(hands[3]), *hands[4:]])
    for name in ("a", "b"):
        ingest.load(folder / f"{name}.jsonl", db=folder / "db")


@pytest.fixture
def sound(made: Path) -> str:
    return content(made / "db")


db = copied("made", "db")


@pytest.fixture
def no_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have hands not replayed, as upkeep/test_verify.py has them, where it is about files."""
    monkeypatch.setattr(verifying.Run, "facts", lambda _: iter(()))


def newest(db: Path) -> Path:
    return snapshots(db)[-1]


@pytest.mark.usefixtures("no_replays")
def test_a_bit_that_flips_in_any_table_is_noticed(db: Path) -> None:
    whole = newest(db).read_bytes()
    for table in some(["imports", *CONTENT], 1):
        damage_table(newest(db), table)
        assert newest(db).name in {problem.table for problem in verify(db).problems}, table
        newest(db).write_bytes(whole)
    assert verify(db).problems == ()


def test_what_is_damaged_is_not_published_once_more(db: Path, tmp_path: Path) -> None:
    more = write_lines(tmp_path / "more.jsonl", [SOUND_LINE])
    # A load does not read the findings of stored hands: it would copy them as they are.
    damage_table(newest(db), "findings")
    before = sorted(db.iterdir())
    ran = run_here(["load", str(more), "--db", str(db)], tmp_path)
    assert ran.status == 3
    assert ran.err.startswith(f"tricklog: {newest(db)} is damaged: its bytes are not those")
    assert sorted(db.iterdir()) == before
    report = rebuild(more, db=db)
    assert (report.hands, report.lost) == (len(generated("pedro", 1)) + 1, 0)


def test_hands_of_lost_logs_are_taken_from_what_can_be_read(tmp_path: Path, made: Path) -> None:
    db = tmp_path / "db"
    logs = [shutil.copy(made / f"{name}.jsonl", tmp_path) for name in ("a", "b")]
    for log in logs:
        ingest.load(log, db=db)
    sound = content(db)
    whole = shutil.copytree(db, tmp_path / "whole")
    for log in logs:
        Path(log).unlink()
    # The newest snapshot lacks its findings, the hands are all there.
    damage_table(newest(db), "games")
    report = rebuild(db=db)
    assert (report.kept, report.lost) == (len(generated("pedro", 1)), 0)
    assert report.missing == [*map(str, logs)]
    assert content(db) == sound
    # Now the hands of the second log stand in no snapshot that can be read, and in no log.
    for path in snapshots(db)[1:]:
        damage_table(path, "hands")
    report = rebuild(db=db)
    assert (report.hands, report.lost) == (3, len(generated("pedro", 1)) - 3)
    # Nothing is left but what can be said of the logs.
    for path in snapshots(whole):
        path.unlink()
    with pytest.raises(DamagedError, match=r"not there: .*a\.jsonl, .*b\.jsonl\. Name the logs"):
        rebuild(db=whole)
    assert not report.complete
    if is_thorough():
        ran = run_here(["db", "rebuild", "--db", str(db)], tmp_path)
        assert "are not there" in ran.out or "is not there" in ran.out


@pytest.mark.parametrize("lost", ["snapshots", "snapshots and seals"])
def test_without_a_snapshot_the_logs_are_named_by_the_seals_or_asked_for(
    db: Path, made: Path, sound: str, lost: str
) -> None:
    for path in snapshots(db):
        path.write_bytes(b"junk")
        if "seals" in lost:
            seals.seal_of(path).unlink()
    logs = []
    if "seals" in lost:
        with pytest.raises(DamagedError, match="Name the logs: tricklog db rebuild LOGS"):
            rebuild(db=db)
        logs = [made / "a.jsonl", made / "b.jsonl"]
    report = rebuild(*logs, db=db)
    assert report.knows_all_logs == ("seals" not in lost)
    assert content(db) == sound


# --- The pointer
def into_a_folder(pointer: Path) -> None:
    pointer.unlink()
    pointer.mkdir()
    (pointer / "note.txt").write_text("somebody put this here")


def into_a_pipe(pointer: Path) -> None:
    pointer.unlink()
    os.mkfifo(pointer)


POINTERS: dict[str, Callable[[Path], object]] = {
    "a folder": into_a_folder,
    "a pipe": into_a_pipe,
    "lost": lambda pointer: pointer.unlink(),
    "empty": lambda pointer: pointer.write_bytes(b""),
    "foreign": lambda pointer: pointer.write_bytes(b"\x7fELF" * 99),
    "of an older snapshot": lambda pointer: pointer.write_bytes(
        pointer.read_bytes().replace(b"games-000002", b"games-000001")
    ),
    "of a snapshot that is not there": lambda pointer: pointer.write_text(
        pointer_to(Path("games-000009.duckdb"))
    ),
}


@pytest.mark.usefixtures("no_replays")
def test_a_pointer_that_is_not_what_it_was_is_reported_and_repaired(
    made: Path, db: Path, tmp_path: Path, sound: str
) -> None:
    repaired = some(list(POINTERS), 1)
    more = write_lines(tmp_path / "more.jsonl", [SOUND_LINE])
    for kind, damage in POINTERS.items():
        damage(db / "CURRENT")
        for number, command in enumerate(("stats", "stats --summary", "db rejects")):
            if not is_thorough() and (list(POINTERS).index(kind) - number) % 3:
                continue
            ran = run_here([*command.split(), "--db", str(db)], tmp_path)
            assert ran.status == 3, (kind, ran)
            assert "no warehouse yet" not in ran.err, kind
            assert f"tricklog: {db}/" in ran.err, kind
            assert "tricklog db rebuild" in ran.err, kind
        (problem,) = verify(db).problems
        assert (problem.check, "tricklog" in problem.hint) == ("file", True), kind
        if kind in ("empty", "foreign"):
            with pytest.raises(ingest.WarehouseError, match="does not name a snapshot"):
                ingest.load(more, db=db)
        names = [path.name for path in snapshots(db)]
        assert names == [f"games-00000{number}.duckdb" for number in (1, 2)], kind
        if kind in repaired:
            ran = run_here(["db", "rebuild", "--db", str(db)], tmp_path)
            assert ran.status == (1 if "not there" in kind else 0), ran
            assert content(db) == sound, kind
            assert verify(db).problems == (), kind
            if kind == "a folder":
                note = db / "CURRENT.aside-1" / "note.txt"
                assert note.read_text() == "somebody put this here"
                assert "CURRENT.aside-1" in ran.out
        shutil.rmtree(db)
        shutil.copytree(made / "db", db)


@pytest.mark.posix
def test_something_else_for_a_lock_is_refused_and_not_waited_for(db: Path, tmp_path: Path) -> None:
    puts: tuple[Callable[[Path], object], ...] = (
        os.mkfifo,
        Path.mkdir,
        lambda lock: lock.symlink_to("/dev/null"),
    )
    log = write_lines(tmp_path / "log.jsonl", [])
    for name, command in (("LOCK", "db rebuild"), ("LOCK", "load"), ("FACTS-LOCK", "stats")):
        lock = db / name
        for put in puts:
            lock.unlink(missing_ok=True)
            put(lock)
            given = [str(log)] if command == "load" else []
            words = [*command.split(), *given, "--db", str(db)]
            ran = run_here(words, tmp_path)
            assert (ran.status, ran.raised) == (3, ""), (name, ran)
            assert f"{lock} is not a plain file" in ran.err
            if lock.is_dir():
                lock.rmdir()
        lock.unlink(missing_ok=True)


@pytest.mark.posix
def test_a_folder_that_cannot_be_locked_is_not_taken_for_busy(
    db: Path, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", no_locks)
    with pytest.raises(StorageError, match="cannot be locked"):
        ingest.load(made / "a.jsonl", db=db)


def test_a_pointer_written_by_hand_is_followed_and_a_lost_one_found(
    db: Path, sound: str, made: Path, tmp_path: Path
) -> None:
    (db / "CURRENT").write_text("games-000002.duckdb\n")
    assert content(db) == sound
    (db / "CURRENT").write_text("games-000001.duckdb\n")
    assert content(db) != sound
    # A lost one is told, and found again by a load.
    (db / "CURRENT").unlink()
    with pytest.raises(LostPointerError, match=r"takes up games-000002\.duckdb"):
        open_snapshot(db)
    assert not ingest.load(made / "a.jsonl", db=db).published
    assert content(db) == sound
    (db / "CURRENT").unlink()
    more = write_lines(tmp_path / "more.jsonl", [SOUND_LINE])
    assert ingest.load(more, db=db).published
    assert current_snapshot(db) == db / "games-000003.duckdb"


# --- Other files
@pytest.mark.usefixtures("no_replays")
def test_a_seal_that_is_damaged_or_lost_is_reported_and_made_again(db: Path, sound: str) -> None:
    seal = seals.seal_of(newest(db))
    data = bytearray(seal.read_bytes())
    data[10] ^= 1
    for damaged in some([None, bytes(data), b""], 2):
        if damaged is None:
            seal.unlink()
        else:
            seal.write_bytes(damaged)
        assert {problem.table for problem in verify(db).problems} == {seal.name}
        assert content(db) == sound
    assert rebuild(db=db).complete
    assert verify(db).problems == ()


@pytest.mark.usefixtures("no_replays")
def test_damaged_facts_are_reported_and_counted_again(db: Path, tmp_path: Path) -> None:
    command = ["stats", "--summary", "--json", "--db", str(db)]
    says = run_here(command, tmp_path).out
    facts = warehouse.facts_file(newest(db))
    damage_table(facts, "seat_rows")
    assert facts.name in {problem.table for problem in verify(db).problems}
    ran = run_here(command, tmp_path)
    assert (ran.status, ran.out) == (3, "")
    assert ran.err.startswith(f"tricklog: {facts} is damaged")
    assert run_here(command, tmp_path).out == says


def test_files_in_place_of_our_folders_are_no_trouble(db: Path, tmp_path: Path, sound: str) -> None:
    for name in ("drafts", "scratch"):
        (db / name).write_text("a file")
    more = write_lines(tmp_path / "more.jsonl", [SOUND_LINE])
    ran = run_here(["load", str(more), "--db", str(db)], tmp_path)
    assert not ran.raised
    assert "Published" in ran.out
    assert content(db) != sound


@pytest.mark.usefixtures("no_replays")
def test_a_snapshot_that_is_cut_off_or_replaced_by_a_folder(db: Path, sound: str) -> None:
    snapshot = newest(db)
    whole = snapshot.read_bytes()
    snapshot.write_bytes(b"not a database" * 1000)
    with pytest.raises(ingest.WarehouseError, match="cannot be opened"):
        open_snapshot(db)
    for size in (0, 5_000, BLOCK, len(whole) - 1):
        snapshot.write_bytes(whole[:size])
        assert "file" in {problem.check for problem in verify(db).problems}
    snapshot.unlink()
    snapshot.mkdir()
    assert {problem.check for problem in verify(db).problems} == {"file"}
    assert rebuild(db=db).unreadable
    assert content(db) == sound


def test_what_duckdb_says_of_its_statements_is_not_taken_for_damage() -> None:
    with pytest.raises(duckdb.CatalogException) as caught:
        duckdb.connect().execute("FROM nowhere")
    assert not warehouse.is_trouble(caught.value)


@pytest.mark.posix
@pytest.mark.thorough("a process that makes a warehouse, and forks for each change of its files")
def test_flips_and_cuts_of_every_file(tmp_path: Path) -> None:
    """Whatever libraries make of it, all commands are used on it."""
    each = 24
    tally = json.loads(run_python("-m", "tests.kit.flips", tmp_path, str(each)).stdout)
    assert tally["failures"] == []
    assert len(tally["mutations"]) >= 9
    assert set(tally["mutations"].values()) == {each}


# --- A full disk
@pytest.mark.posix
def test_a_full_disk_is_what_is_said(tmp_path: Path) -> None:
    userdata.save_view(tmp_path, "first", "bids", {})
    size = userdata.user_file(tmp_path).stat().st_size
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        with pytest.raises(UserStorageError) as told:
            fill(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "rollback" not in str(told.value)
    assert "first" in [each.name for each in userdata.views(tmp_path)]


def fill(folder: Path) -> None:
    for number in range(200):
        userdata.save_view(folder, f"view {number} {'x' * 60}", "bids", {"a": ["b" * 500]})


def test_a_statement_that_ended_the_transaction_itself_is_not_hidden(tmp_path: Path) -> None:
    refused = pytest.raises(userdata.UserDataError, match="disk is full")
    with refused, userdata.writing(tmp_path) as tables:
        tables.execute("ROLLBACK")
        raise sqlite3.OperationalError("database or disk is full")


# --- Any call may fail once: a sentence, exit status 3, the old state, and work goes on
# The first tier lets each write of a load fail, and of what else is done a few calls at places that
# are far apart; the second each call once for each line of the program, in both ways.
SCENE = {scene.name: scene for scene in SCENES}
WRITES = {
    *("mkdir", "replace", "fsync", "copy_file_range", "write"),
    *some(["INSERT", "BEGIN", "COMMIT", "UPDATE", "DELETE", "CHECKPOINT", "CREATE", "register"], 3),
}
"""Calls that change something, the statements of DuckDB among them."""
PUBLISHING = ("ingest/store/", "ingest/loading/storing.py", "ingest/loading/games.py")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    yield Bench(tmp_path_factory.mktemp("faults"))
    gc.unfreeze()


def checked(bench: Bench) -> None:
    failures, bench.failures = bench.failures, []
    assert not failures, "\n".join(failures)


@pytest.mark.posix
def test_every_write_of_a_load_may_fail(bench: Bench) -> None:
    calls = bench.calls_of(SCENE["load"])
    # What a failure leaves does not depend on how often a line of the program was come to before,
    # but for the last time that the disk is waited for, when the pointer has been replaced.
    # A statement of DuckDB is undone with its transaction wherever it stands.
    first = {
        (call.name, place_of(call)): number
        for number, call in reversed(list(enumerate(calls)))
        if call.name.split()[-1] in WRITES and call.place.startswith(PUBLISHING)
    }
    chosen = some(sorted(first.values()), 4)
    last = max(number for number, call in enumerate(calls) if call.name == "fsync")
    said = [bench.fail(SCENE["load"], number).said for number in (*chosen, last)]
    checked(bench)
    assert [each for each in said if "is published" in each] == said[-1:]
    assert "tricklog db verify" in said[-1]


def place_of(call: Call) -> str:
    """Return where a call stands; the first tier tries one call for each file, or one of all."""
    if is_thorough():
        return call.place
    return "" if call.kind == "duckdb" else call.place.partition(":")[0]


@pytest.mark.posix
@pytest.mark.parametrize("name", SCENE)
@pytest.mark.thorough("each write of a load fails in the first tier; others mostly read")
def test_a_call_that_fails_is_reported(bench: Bench, name: str) -> None:
    calls = bench.calls_of(SCENE[name])
    # What a failure leaves does not depend on how often a line of the program was come to before.
    first = {call: number for number, call in reversed(list(enumerate(calls)))}
    for number in sorted(first.values()):
        for out_of_memory in (False, True):
            bench.fail(SCENE[name], number, out_of_memory=out_of_memory)
    checked(bench)


PLACES: dict[str, list[tuple[str, str]]] = {
    "rebuild": [
        # A log that cannot be read just now is no reason to do without its hands.
        ("system", "ingest/reading/sources.py"),
        # What cannot be read just now is not damaged.
        ("sqlite", "ingest/store/userdata.py"),
        *([("duckdb", "ingest/upkeep/salvaging.py")] if is_thorough() else []),
        # The last words of a command come when all is published.
        *([("system", "ingest/cli/output.py")] if is_thorough() else []),
    ],
    "load": [
        # Without its seal a snapshot must not be copied.
        ("system", "ingest/store/seals.py"),
        ("system", "ingest/cli/output.py"),
    ],
    "verify": [
        ("system", "ingest/reading/sources.py"),
        ("system", "ingest/store/seals.py"),
        ("duckdb", "ingest/upkeep/verifying.py"),
        ("sqlite", "ingest/store/userdata.py"),
    ],
    "reaudit": [("system", "ingest/reading/sources.py")],
}


@pytest.mark.posix
@pytest.mark.parametrize("command", some(list(PLACES), 1))
def test_a_disk_that_fails_once_is_reported_as_what_it_is(bench: Bench, command: str) -> None:
    calls = bench.calls_of(SCENE[command])
    for kind, place in PLACES[command]:
        those = [call.kind == kind and call.place.startswith(f"{place}:") for call in calls]
        numbers = [number for number, is_it in enumerate(those) if is_it]
        bench.fail(SCENE[command], numbers[0])
        if is_thorough():
            bench.fail(SCENE[command], numbers[-1])
    checked(bench)


# --- Little memory
ALIKE = pytest.mark.thorough("a process each; a load shows it")
OTHER_ROOMS = (("load {log}", 1.2), ("stats", 0.9), ("db rebuild", 0.9), ("db rebuild", 1.2))


@pytest.mark.posix
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of addresses")
@pytest.mark.parametrize(
    ("command", "room"),
    [
        ("load {log}", 0.6),
        *(pytest.param(*each, marks=ALIKE) for each in OTHER_ROOMS),
    ],
)
def test_a_process_that_may_address_little_memory_says_so(
    tmp_path: Path, repository: Path, command: str, room: float
) -> None:
    db = tmp_path / "db"
    ingest.load(write_hands(tmp_path / "a.jsonl", generated("pedro", 1)[:2]), db=db)
    before = content(str(db))
    log = write_lines(tmp_path / "b.jsonl", [SOUND_LINE])
    limit = int(_ADDRESSES * room) >> 10
    words = [*command.format(log=log).split(), "--db", str(db)]
    program = [sys.executable, "-m", "tricklog.ingest.cli", *words]
    done = subprocess.run(
        ["/bin/sh", "-c", f'ulimit -v {limit} && exec "$@"', "sh", *program],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(repository)},
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert words[0] in WITH_STORE
    if room < 1 or done.returncode == 3:
        assert done.returncode == 3, done.stderr
        assert done.stderr.startswith("tricklog: ")
        assert str(db) in done.stderr
        assert content(str(db)) == before
    else:
        assert done.returncode in (0, 1)
