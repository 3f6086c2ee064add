"""Rebuilding: the same warehouse from its logs, and nothing lost where logs are gone."""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from msgspec.structs import replace

from tests.kit.log_lines import SOUND_LINE, generated, line, write_lines
from tests.kit.stored import content
from tests.kit.tiers import is_thorough, some
from tricklog import Hand, NoSnapshotError, RulesetError, WarehouseError, encode_hand, ingest
from tricklog.core.rulesets import ruleset
from tricklog.ingest.store import disk, publishing
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.seals import seal_of
from tricklog.ingest.store.warehouse import (
    current_snapshot,
    hand,
    open_snapshot,
    snapshots,
)
from tricklog.ingest.upkeep.reauditing import reaudit
from tricklog.ingest.upkeep.rebuilding import RebuildReport, rebuild
from tricklog.ingest.upkeep.verifying import verify

MORE = pytest.mark.thorough("other wrong rows are put right in the first tier")


def pedro() -> tuple[Hand, ...]:
    return generated("pedro", 1)


def pidro() -> tuple[Hand, ...]:
    return generated("pidro", 1)


def places(db: Path) -> set[tuple[object, ...]]:
    with open_snapshot(db) as connection:
        return set(connection.sql("SELECT hand_id, file, line FROM hands").fetchall())


def write_logs(folder: Path) -> tuple[Path, Path]:
    """Write two logs, the second with hands of the first, and a hand in conflict."""
    first = [*map(encode_hand, pedro()), b"oops", SOUND_LINE]
    second = [line(dealer=0), *map(encode_hand, pidro()), encode_hand(pedro()[0]), b"bad"]
    return write_lines(folder / "a.jsonl", first), write_lines(folder / "b.jsonl", second)


def load_logs(folder: Path) -> Path:
    """Load the two logs, one after the other."""
    for log in write_logs(folder):
        ingest.load(log, db=folder / "db")
    return folder / "db"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return load_logs(tmp_path_factory.mktemp("made"))


@pytest.fixture
def db(tmp_path: Path, made: Path, request: pytest.FixtureRequest) -> Path:
    """A warehouse to be changed, with logs of its own for tests that ask for one of them."""
    if {"a", "b"} & {*request.fixturenames}:
        return load_logs(tmp_path)
    return shutil.copytree(made, tmp_path / "db")


@pytest.fixture
def a(db: Path) -> Path:
    return db.parent / "a.jsonl"


@pytest.fixture
def b(db: Path) -> Path:
    return db.parent / "b.jsonl"


def total() -> int:
    """How many hands the warehouse has."""
    return len(pedro()) + len(pidro()) + 1


def checked(report: RebuildReport, db: Path, *, verified: bool = False) -> RebuildReport:
    """What holds of every rebuild that loses nothing."""
    assert report.equal
    assert report.after == content(db)
    assert report.hands == report.from_logs + report.kept + report.unplayable + report.new
    if verified or is_thorough():
        assert verify(db, everything=True).problems == ()
    assert {path.name for path in db.iterdir()} == {
        *("CURRENT", "LOCK"),
        *(each.name for path in snapshots(db) for each in (path, seal_of(path))),
    }
    return report


@pytest.mark.thorough("with what is wrong, and without a log, in the first tier")
def test_in_place(db: Path) -> None:
    before, old, stood = content(db), current_snapshot(db), places(db)
    report = checked(rebuild(db=db), db)
    assert report.complete
    assert (report.from_logs, report.kept, report.new) == (total(), 0, 0)
    assert content(db) == before
    assert current_snapshot(db) != old
    assert places(db) == stood


@pytest.mark.thorough("thousands of hands; the tests around it have few")
def test_thousands_of_hands(tmp_path: Path) -> None:
    hands = [
        replace(hand, id=f"{copy}-{hand.id}", game=f"{copy}-{hand.game}")
        for copy in range(1 + 6_000 // len(pedro()))
        for hand in pedro()
    ]
    log = write_lines(tmp_path / "log.jsonl", list(map(encode_hand, hands)))
    ingest.load(log, db=tmp_path / "db")
    before = content(tmp_path / "db")
    report = rebuild(db=tmp_path / "db")
    assert report.before == report.after == before


@pytest.mark.thorough("rebuilt in place in the first tier")
def test_into_a_new_folder(tmp_path: Path, db: Path) -> None:
    before = current_snapshot(db)
    report = checked(rebuild(db=db, to=tmp_path / "new"), tmp_path / "new")
    assert report.complete
    assert content(tmp_path / "new") == content(db)
    assert current_snapshot(db) == before
    with pytest.raises(WarehouseError, match="holds a warehouse already"):
        rebuild(db=db, to=tmp_path / "new")


def test_what_no_log_has_any_more_is_kept_until_named(tmp_path: Path, db: Path, b: Path) -> None:
    stood = places(db)
    b.rename(tmp_path / "moved.jsonl")
    report = checked(rebuild(db=db), db, verified=True)
    assert not report.complete
    assert (report.from_logs, report.kept) == (len(pedro()) + 1, len(pidro()))
    assert report.kept_rejects == 2
    assert report.missing == [str(b)]
    assert report.files_of_kept == {str(b): len(pidro())}
    assert places(db) == stood
    if is_thorough():
        # And once more, from what was kept.
        assert checked(rebuild(db=db), db).kept == len(pidro())
    report = checked(rebuild(tmp_path / "moved.jsonl", db=db), db)
    assert (report.complete, report.missing) == (True, [str(b)])
    if is_thorough():
        assert checked(rebuild(db=db), db).complete


def test_an_overwritten_log_takes_no_hand_away_and_brings_new_ones(db: Path, a: Path) -> None:
    write_lines(a, [line(dealer=0)])
    report = checked(rebuild(db=db), db)
    # All but the hand that the other log has, too.
    assert report.kept == len(pedro())
    with open_snapshot(db) as connection:
        assert hand(connection, "club-1").dealer == 3
        assert connection.sql("SELECT code FROM rejects WHERE code = 'id-conflict'").fetchall()
    write_lines(a, [line(dealer=0), encode_hand(generated("cinch", 1)[0])])
    report = rebuild(db=db)
    assert (report.equal, report.new, report.kept) == (False, 1, len(pedro()))


@pytest.mark.thorough("what no log has is kept in the first tier")
def test_standard_input_is_kept_of_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    class Stream:
        buffer = io.BytesIO(SOUND_LINE + b"\noops\n")

    monkeypatch.setattr("sys.stdin", Stream)
    ingest.load("-", db=tmp_path / "db")
    report = checked(rebuild(db=tmp_path / "db"), tmp_path / "db")
    assert (report.kept, report.kept_rejects, report.missing) == (1, 1, ["-"])


@pytest.mark.thorough("what no log has is kept in the first tier")
def test_hands_without_their_rules_keep_the_rest(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resolve = ruleset.resolve

    def forgetful(reference: object) -> ruleset.Ruleset:
        if getattr(reference, "variant", "") == "pidro":
            raise RulesetError("the log", "/rules/variant", "is 'pidro', which is not known")
        return resolve(reference)  # type: ignore[arg-type]  # as resolve is called

    before = content(db)
    ruleset._resolved.clear()
    monkeypatch.setattr(ruleset, "resolve", forgetful)
    report = rebuild(db=db)
    monkeypatch.undo()
    ruleset._resolved.clear()
    assert (report.unplayable, report.kept) == (len(pidro()), 0)
    with open_snapshot(db) as connection:
        stored = [hand(connection, each.id) for each in pidro()]
        findings = connection.sql(
            "SELECT verdict FROM hands WHERE hand_id LIKE 'pidro%'"
        ).fetchall()
    assert stored == list(pidro())
    assert len(findings) == len(pidro())
    # With the rules back all is as before, and nothing is left of them in quarantine.
    assert rebuild(db=db).hands == total()
    assert content(db) == before


FAULTS = {
    "a hand twice": "INSERT INTO hands FROM hands WHERE hand_id = 'pedro-5-1-1'",
    "a record that is none": "UPDATE hands SET tail = 'x' WHERE hand_id = 'pedro-5-1-1'",
    "another record": "UPDATE hands SET deeds = '' WHERE hand_id = 'pedro-5-1-1'",
    "other points": "UPDATE hands SET points = [99, 99] WHERE hand_id = 'pedro-5-1-1'",
    "a seating that is gone": "DELETE FROM seatings",
    "a seating twice": "INSERT INTO seatings FROM seatings",
    "rules of no hand": (
        "INSERT INTO rulesets SELECT * REPLACE ('0' AS ruleset) FROM rulesets LIMIT 1"
    ),
}


def corrupt(db: Path, statement: str) -> None:
    with duckdb.connect(str(current_snapshot(db))) as connection:
        connection.execute(statement)


def test_what_a_snapshot_says_wrongly_is_put_right_from_the_logs(db: Path, tmp_path: Path) -> None:
    before, stood = content(db), places(db)
    whole = shutil.copytree(db, tmp_path / "whole")
    for fault in some(list(FAULTS), 1):
        corrupt(db, FAULTS[fault])
        assert verify(db).problems, fault
        report = rebuild(db=db)
        assert (content(db), report.hands, report.complete) == (before, total(), True), fault
        assert places(db) == stood, fault
        assert verify(db, everything=True).problems == (), fault
        shutil.rmtree(db)
        shutil.copytree(whole, db)


@MORE
def test_a_hash_that_is_wrong_is_made_again_from_the_record(db: Path) -> None:
    before = content(db)
    corrupt(db, "UPDATE hands SET content_hash = uuid() WHERE hand_id = 'pedro-5-1-1'")
    report = rebuild(db=db)
    assert (content(db), report.hands, report.kept) == (before, total(), 1)
    assert verify(db, everything=True).problems == ()


@pytest.mark.parametrize(
    "given", [pytest.param("no hand", marks=MORE), pytest.param("another hand")]
)
def test_a_record_that_is_none_and_in_no_log_stays_as_it_is(db: Path, b: Path, given: str) -> None:
    corrupt(db, "UPDATE hands SET tail = 'x' WHERE hand_id = 'pidro-5-1-2'")
    other = encode_hand(replace(pidro()[1], dealer=(pidro()[1].dealt_by + 1) % 4))
    write_lines(b, [encode_hand(pidro()[0]), *([other] if given == "another hand" else [])])
    report = rebuild(db=db)
    assert (report.hands, report.kept, report.unplayable) == (total(), len(pidro()) - 2, 1)
    with open_snapshot(db) as connection:
        assert connection.sql(
            "SELECT tail FROM hands WHERE hand_id = 'pidro-5-1-2'"
        ).fetchall() == [("x",)]
        found = connection.sql("SELECT count(*) FROM seatings WHERE rules LIKE '%pidro%'")
        assert found.fetchall()[0][0] > 1
    ((check, row),) = {(problem.check, problem.row) for problem in verify(db).problems}
    assert (check, row) == ("unreadable", "pidro-5-1-2")


@pytest.mark.parametrize("redo", [rebuild, reaudit])
def test_a_disk_that_fills_up_on_the_way_is_reported_of_the_warehouse(
    db: Path, monkeypatch: pytest.MonkeyPatch, redo: Callable[..., object]
) -> None:

    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    before = content(db)
    monkeypatch.setattr(disk, "flush", full)
    with pytest.raises(StorageError) as raised:
        redo(db=db)
    assert str(raised.value) == (
        f"{db} could not be written: No space left on device. Nothing was published, the warehouse "
        f"is as it was. Free at least as much space as {current_snapshot(db)} takes, then do the "
        "same again."
    )
    assert content(db) == before
    assert not (db / publishing.SCRATCH).exists()


def test_nothing_to_rebuild(tmp_path: Path) -> None:
    with pytest.raises(NoSnapshotError, match="tricklog load"):
        rebuild(db=tmp_path / "db")
