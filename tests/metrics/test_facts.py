"""The file of facts beside a snapshot: when it is made, replaced, refused and removed."""

import errno
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from collections import Counter
from itertools import accumulate
from pathlib import Path
from typing import NoReturn

import duckdb
import pytest
from duckdb import DuckDBPyConnection
from filelock import FileLock
from msgspec import UNSET
from msgspec.structs import replace

import ingest
from ingest.facts import build, files
from ingest.facts.files import facts_are_ready, open_facts
from ingest.metrics import METRICS, FigureError, UnsolvedError, dimensions_of, measure
from ingest.metrics.filters import Filters
from ingest.reading.progress import Progress, Stage
from ingest.store import publishing
from ingest.store.warehouse import (
    NoSnapshotError,
    WarehouseError,
    checksum,
    current_snapshot,
    facts_file,
    open_snapshot,
)
from ingest.upkeep.reauditing import reaudit
from ingest.upkeep.rebuilding import rebuild
from ingest.upkeep.verifying import verify
from schemas.hand import Hand, encode_hand
from tests.kit.log_lines import SOUND_LINE, generated, moved_on, write_hands, write_lines
from tests.kit.solved import ANY_TIME, OF_SOLVED

GAME = generated("pedro", 1)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of one game without facts, to be copied only."""
    folder = tmp_path_factory.mktemp("loaded")
    ingest.load(write_hands(folder / "log.jsonl", GAME), db=folder / "db", facts=False)
    return folder / "db"


@pytest.fixture
def db(tmp_path: Path, loaded: Path) -> Path:
    return shutil.copytree(loaded, tmp_path / "db")


def facts_of(db: Path) -> Path:
    snapshot = current_snapshot(db)
    assert snapshot is not None
    return facts_file(snapshot)


def hands_in(connection: DuckDBPyConnection) -> int:
    return int(measure(connection, "verdicts")["n"].item())


BARE = {"CURRENT", "LOCK", "games-000001.duckdb", "games-000001.seal"}
"""What a warehouse without facts consists of."""


def names_in(db: Path) -> set[str]:
    return {path.name for path in db.iterdir()}


def made_at(db: Path) -> int:
    return facts_of(db).stat().st_mtime_ns


# --- When facts are made


def test_facts_are_made_when_first_asked_for_and_then_only_opened(db: Path) -> None:
    told: list[Progress] = []
    assert not facts_of(db).exists()
    with open_facts(db, told.append) as connection:
        assert hands_in(connection) == len(GAME)
    assert [(each.stage, each.done) for each in told] == [
        (Stage.DERIVING, 0),
        (Stage.DERIVING, told[-1].total),
    ]
    assert (told[-1].done, told[-1].total) == (len(GAME), len(GAME))
    before = made_at(db)
    with open_facts(db, told.append):
        assert len(told) == 2
    assert made_at(db) == before


def test_facts_are_ready_once_they_are_made(db: Path) -> None:
    snapshot = current_snapshot(db)
    assert snapshot is not None
    assert not facts_are_ready(snapshot)
    open_facts(db).close()
    assert facts_are_ready(snapshot)


def test_a_snapshot_that_is_open_can_have_its_facts_made(db: Path) -> None:
    with open_snapshot(db) as snapshot, open_facts(db) as facts:
        stored = snapshot.execute("SELECT count(*) FROM hands").fetchall()
        assert stored == facts.execute("SELECT count(*) FROM games.hands").fetchall()


def test_chunks_do_not_show_and_games_stay_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "db"
    hands = [*GAME, *generated("pidro", 2), *generated("cinch", 1)]
    ingest.load(write_hands(tmp_path / "log.jsonl", hands), db=db, facts=False)
    games = Counter(hand.game for hand in hands)

    def content() -> list[object]:
        with open_facts(db) as connection:
            return [
                connection.execute(f"FROM {table} ORDER BY ALL").fetchall()
                for table in ("seat_facts", "card_facts", "game_facts", "finding_facts")
            ]

    at_once = content()
    facts_of(db).unlink()
    monkeypatch.setattr(build, "CHUNK", 4)
    told: list[Progress] = []
    open_facts(db, told.append).close()
    assert [each.done for each in told] == [0, *accumulate(games.values())]
    assert content() == at_once


@pytest.mark.parametrize("statement", ["UPDATE facts SET version = 0", "DROP TABLE facts"])
def test_facts_of_another_version_are_made_again(db: Path, statement: str) -> None:
    open_facts(db).close()
    with duckdb.connect(str(facts_of(db))) as connection:
        connection.execute(statement)
    with open_facts(db) as connection:
        assert connection.execute("SELECT version FROM facts").fetchall() == [
            (build.FACTS_VERSION,)
        ]


def test_facts_by_another_definition_are_made_again(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_facts(db).close()
    snapshot = current_snapshot(db)
    assert snapshot is not None
    monkeypatch.setattr(files, "definition", lambda: "of another version")
    assert not facts_are_ready(snapshot)
    open_facts(db).close()
    assert facts_are_ready(snapshot)


def test_facts_of_other_hands_of_the_same_number_are_made_again(tmp_path: Path, db: Path) -> None:
    other = tmp_path / "other"
    ingest.load(write_hands(tmp_path / "other.jsonl", GAME[:3]), db=other)
    open_facts(other).close()
    facts_of(other).rename(facts_of(db))
    with open_facts(db) as connection:
        assert hands_in(connection) == len(GAME)


def test_facts_of_a_snapshot_are_those_of_no_other(tmp_path: Path, db: Path) -> None:
    open_facts(db).close()
    facts = facts_of(db).read_bytes()
    reaudit(db)
    ingest.load(write_hands(tmp_path / "more.jsonl", generated("pidro", 1)), db=db, facts=False)
    facts_of(db).write_bytes(facts)
    snapshot = current_snapshot(db)
    assert snapshot is not None
    assert not facts_are_ready(snapshot)


@pytest.mark.parametrize("content", [b"", b"no database at all", None])
def test_damaged_facts_are_made_again(db: Path, content: bytes | None) -> None:
    open_facts(db).close()
    half = facts_of(db).read_bytes()[:20_000]
    facts_of(db).write_bytes(half if content is None else content)
    with open_facts(db) as connection:
        assert hands_in(connection) == len(GAME)


def test_each_load_has_facts_of_its_own(tmp_path: Path, db: Path) -> None:
    with open_facts(db) as before:
        ingest.load(write_hands(tmp_path / "more.jsonl", generated("pidro", 1)), db=db)
        with open_facts(db) as after:
            assert hands_in(after) == len(GAME) + len(generated("pidro", 1))
        assert hands_in(before) == len(GAME)


# --- Trouble


def test_no_warehouse(tmp_path: Path) -> None:
    with pytest.raises(NoSnapshotError, match="holds no warehouse yet"):
        open_facts(tmp_path)


def test_the_connection_reads_its_two_files_and_nothing_more(tmp_path: Path, db: Path) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    with open_facts(db) as connection:
        for statement in (
            "DELETE FROM seat_facts",
            "DELETE FROM games.hands",
            f"FROM '{tmp_path}/secret.csv'",
            f"ATTACH '{tmp_path}/new.duckdb'",
            "SET enable_external_access = true",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(statement)


@pytest.mark.posix
def test_a_run_that_is_killed_while_deriving_leaves_no_half_facts(
    db: Path, repository: Path
) -> None:
    script = f"""
        import os
        from ingest.facts import build, files
        build.CHUNK = 4
        files.open_facts({str(db)!r}, lambda _: os.kill(os.getpid(), 9))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], cwd=repository, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert not facts_of(db).exists()
    assert any(name.startswith("facts-000001.duckdb.draft") for name in names_in(db))
    with open_facts(db) as connection:
        assert hands_in(connection) == len(GAME)
    assert names_in(db) == {
        "CURRENT",
        "LOCK",
        files.LOCK,
        *("games-000001.duckdb", "games-000001.seal"),
        *("facts-000001.duckdb", "facts-000001.seal"),
    }


def test_ctrl_c_while_deriving_leaves_nothing(db: Path) -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_facts(db, interrupt)
    assert names_in(db) == {*BARE, files.LOCK}


def test_a_folder_that_cannot_be_written_is_reported_with_what_to_do(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **_named: object) -> NoReturn:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(FileLock, "acquire", refused)
    with pytest.raises(WarehouseError, match=r"cannot be written: Read-only .* copy the warehouse"):
        open_facts(db)


def test_facts_that_are_there_need_no_folder_that_can_be_written(db: Path) -> None:
    open_facts(db).close()
    (db / files.LOCK).unlink()
    with open_facts(db) as connection:
        assert hands_in(connection) == len(GAME)
    assert files.LOCK not in names_in(db)


def test_a_full_disk_is_reported_and_leaves_nothing(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise duckdb.IOException("No space left on device")

    monkeypatch.setattr(build, "_derive_chunk", full)
    with pytest.raises(WarehouseError, match="No space left on device"):
        open_facts(db)
    assert names_in(db) == {*BARE, files.LOCK}


def test_what_does_not_fit_into_memory_goes_beside_the_facts(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def look(connection: DuckDBPyConnection, *_: int, **__: bool) -> None:
        seen.append(connection.execute("SELECT current_setting('temp_directory')").fetchall()[0][0])

    monkeypatch.setattr(build, "_derive_chunk", look)
    open_facts(db).close()
    assert [Path(folder).parent for folder in seen] == [db]


# --- Several at once


def test_two_processes_that_ask_at_once_make_facts_once(db: Path, repository: Path) -> None:
    script = f"""
        from ingest.facts.files import open_facts
        from ingest.metrics import measure
        made = []
        with open_facts({str(db)!r}, lambda each: made.append(each.done)) as connection:
            print(measure(connection, "verdicts")["n"].item(), any(made))
    """
    running = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script)],
            cwd=repository,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    said = sorted(each.communicate(timeout=60)[0].strip() for each in running)
    assert said == [f"{len(GAME)} False", f"{len(GAME)} True"]


def test_whoever_waits_for_facts_is_reported_so(db: Path) -> None:
    stages: list[Stage] = []
    waited = threading.Event()
    found: list[int] = []

    def on_progress(progress: Progress) -> None:
        stages.append(progress.stage)
        waited.set()

    def ask() -> None:
        with open_facts(db, on_progress) as connection:
            found.append(hands_in(connection))

    with publishing.lock_at(db / files.LOCK):
        second = threading.Thread(target=ask)
        second.start()
        assert waited.wait(30)
        assert not found
    second.join()
    assert found == [len(GAME)]
    assert stages[0] == Stage.AWAITING
    assert stages[-1] == Stage.DERIVING


def test_many_threads_of_one_process_can_ask(db: Path) -> None:
    found: list[int] = []

    def ask() -> None:
        for _ in range(5):
            with open_facts(db) as connection:
                found.append(hands_in(connection))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    with open_facts(db) as connection:
        for thread in threads:
            thread.join()
        assert hands_in(connection) == len(GAME)
    assert found == [len(GAME)] * 20


# --- In a warehouse that goes on


def test_facts_go_with_their_snapshot(tmp_path: Path, db: Path) -> None:
    open_facts(db).close()
    (db / "facts-000001.duckdb.draft").write_bytes(b"of a run that was killed")
    for number, hand in enumerate(generated("pidro", 1)[: publishing.KEPT - 1]):
        ingest.load(write_hands(tmp_path / f"{number}.jsonl", [hand]), db=db, facts=False)
        assert {"facts-000001.duckdb", "facts-000001.duckdb.draft"} <= names_in(db)
    last = write_hands(tmp_path / "last.jsonl", generated("cinch", 1)[:1])
    ingest.load(last, db=db, facts=False)
    assert not [name for name in names_in(db) if name.startswith("facts-")]


def test_commands_on_the_warehouse_are_not_disturbed_by_facts(db: Path) -> None:
    open_facts(db).close()
    with open_snapshot(db) as connection:
        before = checksum(connection)
    assert verify(db, everything=True).problems == ()
    assert reaudit(db).changed == 0
    rebuilt = rebuild(db=db)
    assert rebuilt.equal
    assert rebuilt.after == before
    with open_facts(db) as connection:
        assert hands_in(connection) == len(GAME)


# --- Odd warehouses

ODD: dict[str, list[Hand] | list[bytes]] = {
    "empty": [b"oops"],
    "one hand": [GAME[0]],
    "no kinds of players": [
        replace(hand, players=[replace(player, kind=UNSET) for player in hand.players])
        for hand in GAME
    ],
    "no games": [replace(hand, game=UNSET, hand=UNSET) for hand in GAME],
    "no days": [replace(hand, started_at=UNSET) for hand in GAME],
    "no deals": [replace(hand, deal=UNSET, stock=UNSET) for hand in GAME],
    "cut": [replace(hand, actions=hand.actions[:5]) for hand in GAME],
    "all rejected": [moved_on(hand) for hand in GAME],
    "a few cards known": [SOUND_LINE],
}


@pytest.mark.parametrize("kind", ODD)
def test_every_figure_can_be_asked_of_an_odd_warehouse(tmp_path: Path, kind: str) -> None:
    lines = [each if isinstance(each, bytes) else encode_hand(each) for each in ODD[kind]]
    report = ingest.load(write_lines(tmp_path / "log.jsonl", lines), db=tmp_path / "db")
    with open_facts(tmp_path / "db") as connection:
        assert hands_in(connection) == report.accepted
        stored = dict(measure(connection, "verdicts", ["verdict"]).select("verdict", "n").rows())
        assert stored == report.verdicts
        for metric in OF_SOLVED:
            with pytest.raises(UnsolvedError, match="tricklog solve"):
                measure(connection, metric.name)
        for metric in ANY_TIME:
            frame = measure(connection, metric.name)
            assert frame.height <= 1
            assert {"n", "value", "low", "high", "enough"} <= set(frame.columns)
        for dimension in dimensions_of(METRICS[0]):
            measure(connection, METRICS[0].name, [dimension.name])


def test_variants_are_not_mixed_only_where_there_are_several(tmp_path: Path, db: Path) -> None:
    with open_facts(db) as connection:
        assert measure(connection, "margin").height == 1
    ingest.load(write_hands(tmp_path / "more.jsonl", generated("pidro", 1)), db=db)
    with open_facts(db) as connection, pytest.raises(FigureError, match="Choose one variant"):
        measure(connection, "margin")


@pytest.mark.parametrize("variant", ["pedro", "pitch-with-fives"])
def test_what_players_share_counts_once_whatever_lets_them_through(
    tmp_path: Path, variant: str
) -> None:
    hands = generated(variant, 1)
    ingest.load(write_hands(tmp_path / "log.jsonl", hands), db=tmp_path / "db")
    with open_facts(tmp_path / "db") as connection:
        for metric in ("score-share", "points-share", "win-rate", "thrown-in-rate"):
            whole = measure(connection, metric).rows()
            assert whole
            # All who play are bots.
            bots = Filters.of({"kind": "bot"})
            assert measure(connection, metric, filters=bots).rows() == whole, metric
            everybody = Filters.of({"player": tuple(player.id for player in hands[0].players)})
            assert measure(connection, metric, filters=everybody).rows() == whole, metric
