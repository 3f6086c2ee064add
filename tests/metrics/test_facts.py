"""The file of facts beside a snapshot: when it is made, replaced, refused and removed."""

import errno
import os
import shutil
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from pathlib import Path
from typing import Any, NoReturn

import duckdb
import pytest
from filelock import FileLock
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.facts import Facts
from tests.kit.log_lines import SOUND_LINE, generated, moved_on, write_hands, write_lines
from tests.kit.made_once import copied, once
from tests.kit.solved import ANY_TIME, OF_SOLVED, warehouse
from tests.kit.stored import facts_file_of, snapshot_of
from tests.kit.tiers import is_thorough, some
from tricklog import Filters, Hand, encode_hand, ingest
from tricklog.ingest.facts import build, files
from tricklog.ingest.facts.files import facts_are_ready, open_facts, open_scope_of
from tricklog.ingest.metrics import METRICS, UnsolvedError, dimensions_of, measure, query
from tricklog.ingest.reading.progress import Progress, Stage
from tricklog.ingest.store import publishing
from tricklog.ingest.store.scopes import EVERYBODY
from tricklog.ingest.store.warehouse import (
    NoSnapshotError,
    WarehouseError,
    open_snapshot,
)


def game() -> tuple[Hand, ...]:
    return generated("pedro", 1)


@once()
def loaded(folder: Path) -> None:
    """Warehouses of one game, ``db`` without facts and ``ready`` with them, to be copied only."""
    ingest.load(write_hands(folder / "log.jsonl", game()), db=folder / "db", facts=False)
    open_facts(shutil.copytree(folder / "db", folder / "ready")).close()


db = copied("loaded", "db")
ready = copied("loaded", "ready")


def hands_in(connection: Facts) -> int:
    return int(measure(connection, "verdicts")["n"].item())


def hands_from(db: Path) -> int:
    with open_facts(db) as connection:
        return hands_in(connection)


BARE = {"CURRENT", "LOCK", "games-000001.duckdb", "games-000001.seal"}
"""What a warehouse without facts consists of."""


def names_in(db: Path) -> set[str]:
    return {path.name for path in db.iterdir()}


# --- When facts are made
def test_facts_are_made_when_first_asked_for_and_then_only_opened(db: Path) -> None:
    told: list[Progress] = []
    snapshot, own = snapshot_of(db), facts_file_of(db)
    assert not own.exists()
    with pytest.raises(NoSnapshotError, match="holds no warehouse yet"):
        open_facts(db / "nowhere")
    # Of a run that was killed.
    (db / "facts-000001.duckdb.draft").write_bytes(b"half")
    assert not facts_are_ready(snapshot)
    # They can be made while the snapshot is open.
    with open_snapshot(db) as tables, open_facts(db, told.append) as facts:
        assert hands_in(facts) == len(game())
        stored = tables.execute("SELECT count(*) FROM hands").fetchall()
        assert stored == facts.execute("SELECT count(*) FROM games.hands").fetchall()
    assert facts_are_ready(snapshot)
    assert names_in(db) == BARE | {files.LOCK, "facts-000001.duckdb", "facts-000001.seal"}
    steps = [(each.stage, each.done) for each in told]
    assert steps == [(Stage.DERIVING, 0), (Stage.DERIVING, len(game()))]
    assert told[-1].total == len(game())
    before = own.stat().st_mtime_ns
    with open_facts(db, told.append):
        assert len(told) == 2
    assert own.stat().st_mtime_ns == before


def test_chunks_do_not_show_in_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "db"
    hands = [*game(), *generated("cinch", 1)]
    ingest.load(write_hands(tmp_path / "log.jsonl", hands), db=db, facts=False)
    games = Counter(hand.game for hand in hands)

    def content() -> list[object]:
        with open_facts(db) as connection:
            return [
                connection.execute(f"FROM {table} ORDER BY ALL").fetchall()
                for table in ("seat_facts", "card_facts", "game_facts", "finding_facts")
            ]

    at_once = content()
    facts_file_of(db).unlink()
    monkeypatch.setattr(build, "CHUNK", 4)
    told: list[Progress] = []
    open_facts(db, told.append).close()
    assert [each.done for each in told] == [0, *accumulate(games.values())]
    assert content() == at_once


def test_what_is_not_the_facts_of_a_snapshot_is_made_again(
    tmp_path: Path, ready: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of another version, definition, warehouse or snapshot, and what is damaged."""
    db = ready
    snapshot, own = snapshot_of(db), facts_file_of(db)
    whole = own.read_bytes()
    other = warehouse(tmp_path / "other", game()[:3])
    open_facts(other).close()
    spoiled = {
        "of other hands": facts_file_of(other).read_bytes(),
        "empty": b"",
        "no database": b"no database at all",
        "half": whole[:20_000],
    }
    for statement in ("UPDATE facts SET facts_version = 0", "DROP TABLE facts"):
        own.write_bytes(whole)
        with duckdb.connect(str(own)) as connection:
            connection.execute(statement)
        spoiled[statement] = own.read_bytes()
    for name, content in spoiled.items():
        own.write_bytes(content)
        assert not facts_are_ready(snapshot), name
        if name not in some([*spoiled], 1):
            continue
        with open_facts(db) as connection:
            assert hands_in(connection) == len(game()), name
            versions = connection.execute("SELECT facts_version FROM facts").fetchall()
            assert versions == [(build.FACTS_VERSION,)], name
    with monkeypatch.context() as patched:
        patched.setattr(build, "definition", lambda: "of another version")
        assert not facts_are_ready(snapshot)
    ingest.load(write_hands(tmp_path / "more.jsonl", generated("pidro", 1)[:1]), db=db, facts=False)
    facts_file_of(db).write_bytes(whole)
    assert not facts_are_ready(snapshot_of(db))


# --- Trouble


def test_ctrl_c_and_a_full_disk_leave_nothing(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    def full(*_: object, **__: object) -> None:
        raise duckdb.IOException("No space left on device")

    with pytest.raises(KeyboardInterrupt):
        open_facts(db, interrupt)
    assert names_in(db) == {*BARE, files.LOCK}
    monkeypatch.setattr(build, "_derive_chunk", full)
    with pytest.raises(WarehouseError, match="No space left on device"):
        open_facts(db)
    assert names_in(db) == {*BARE, files.LOCK}


@pytest.fixture
def unwritable(db: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A warehouse in which nobody can hold a lock."""
    acquire = FileLock.acquire

    def refused(lock: FileLock, *given: Any, **named: Any) -> object:  # noqa: ANN401 - passed on
        if Path(lock.lock_file).parent == db:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return acquire(lock, *given, **named)

    monkeypatch.setattr(FileLock, "acquire", refused)
    return db


def test_facts_can_be_made_elsewhere(unwritable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for facts in (open_facts(unwritable), open_scope_of(snapshot_of(unwritable), EVERYBODY)):
        with facts as connection:
            assert hands_in(connection) == len(game())
    assert names_in(unwritable) == BARE

    def refused() -> NoReturn:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(files, "scratch_of_process", refused)
    with pytest.raises(WarehouseError, match=r"cannot be written: Read-only .* copy the warehouse"):
        open_facts(unwritable)


def test_a_lock_that_was_left_does_no_harm(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (db / files.LOCK).touch()
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != db and access(path, mode))
    assert hands_from(db) == len(game())
    assert names_in(db) == {*BARE, files.LOCK}


def test_facts_that_are_there_need_no_lock(ready: Path, tmp_path: Path) -> None:
    (ready / files.LOCK).unlink()
    assert hands_from(ready) == len(game())
    assert files.LOCK not in names_in(ready)
    # Each load has facts of its own.
    with open_facts(ready) as before:
        ingest.load(write_hands(tmp_path / "more.jsonl", generated("pidro", 1)[:1]), db=ready)
        with open_facts(ready) as after:
            assert hands_in(after) == len(game()) + 1
        assert hands_in(before) == len(game())


def test_what_is_too_large_goes_beside_the_facts(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def look(connection: Facts, *_: int, **__: bool) -> None:
        seen.extend(connection.execute("SELECT current_setting('temp_directory')").fetchall())

    monkeypatch.setattr(build, "_derive_chunk", look)
    open_facts(db).close()
    assert [Path(folder).parent for (folder,) in seen] == [db]


# --- Several at once


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
        assert waited.wait(300)
        assert not found
    second.join()
    assert found == [len(game())]
    assert stages[0] == Stage.AWAITING
    assert stages[-1] == Stage.DERIVING


def test_many_threads_of_one_process_can_ask(db: Path) -> None:
    def ask(_: int) -> list[int]:
        found = []
        for _ in range(5):
            with open_facts(db) as connection:
                found.append(hands_in(connection))
        return found

    with ThreadPoolExecutor(4) as threads, open_facts(db) as connection:
        assert list(threads.map(ask, range(4))) == [[len(game())] * 5] * 4
        assert hands_in(connection) == len(game())


# --- In a warehouse that goes on
def test_facts_go_with_their_snapshot(tmp_path: Path, ready: Path) -> None:
    db = ready
    (db / "facts-000001.duckdb.draft").write_bytes(b"of a run that was killed")
    for number, hand in enumerate(generated("pidro", 1)[: publishing.KEPT - 1]):
        ingest.load(write_hands(tmp_path / f"{number}.jsonl", [hand]), db=db, facts=False)
        assert {"facts-000001.duckdb", "facts-000001.duckdb.draft"} <= names_in(db)
    last = write_hands(tmp_path / "last.jsonl", generated("cinch", 1)[:1])
    ingest.load(last, db=db, facts=False)
    assert not [name for name in names_in(db) if name.startswith("facts-")]


# --- Odd warehouses
def odd() -> dict[str, list[Hand] | list[bytes]]:
    return {
        "empty": [b"oops"],
        "one hand": [game()[0]],
        "no kinds of players": [
            replace(hand, players=[replace(each, kind=UNSET) for each in hand.players])
            for hand in game()
        ],
        "no games": [replace(hand, game=UNSET, hand=UNSET) for hand in game()],
        "no days": [replace(hand, started_at=UNSET) for hand in game()],
        "no deals": [replace(hand, deal=UNSET, stock=UNSET) for hand in game()],
        "cut": [replace(hand, actions=hand.actions[:5]) for hand in game()],
        "all rejected": [moved_on(hand) for hand in game()],
        "a few cards known": [SOUND_LINE],
    }


ODD = (
    *("empty", "one hand", "no kinds of players", "no games", "no days", "no deals", "cut"),
    *("all rejected", "a few cards known"),
)
ASKED = some(ODD, 3)


@pytest.mark.parametrize("kind", ASKED)
def test_every_figure_can_be_asked_of_an_odd_warehouse(tmp_path: Path, kind: str) -> None:
    """Of each another part of the metrics that need nobody to solve hands, and of dimensions."""
    turn = ASKED.index(kind)
    lines = [each if isinstance(each, bytes) else encode_hand(each) for each in odd()[kind]]
    report = ingest.load(write_lines(tmp_path / "log.jsonl", lines), db=tmp_path / "db")
    with open_facts(tmp_path / "db") as connection:
        assert hands_in(connection) == report.accepted
        stored = dict(measure(connection, "verdicts", ["verdict"]).select("verdict", "n").rows())
        assert stored == report.verdicts
        with pytest.raises(UnsolvedError, match="tricklog solve"):
            measure(connection, OF_SOLVED[turn % len(OF_SOLVED)].name)
        for metric in ANY_TIME if is_thorough() else ANY_TIME[turn :: 2 * len(ASKED)]:
            frame = measure(connection, metric.name)
            assert frame.height <= 1
            assert {"n", "value", "low", "high", "enough"} <= set(frame.columns)
        dimensions = dimensions_of(METRICS[0])
        for dimension in dimensions if is_thorough() else dimensions[turn :: len(ASKED)]:
            measure(connection, METRICS[0].name, [dimension.name])
        if kind == "no games":
            assert connection.sql("SELECT count(*) FROM tallies").fetchall() == [(0,)]


@pytest.mark.parametrize("variant", some(["pedro", "pitch-with-fives"], 1))
def test_what_players_share_counts_once_with_any_filter(tmp_path: Path, variant: str) -> None:
    hands = generated(variant, 1)
    with open_facts(warehouse(tmp_path, hands)) as connection:
        for metric in ("score-share", "points-share", "win-rate", "thrown-in-rate"):
            whole = measure(connection, metric).rows()
            assert whole
            # All who play are bots.
            bots = Filters.of({"kind": "bot"})
            assert measure(connection, metric, filters=bots).rows() == whole, metric
            everybody = Filters.of({"player": tuple(player.id for player in hands[0].players)})
            assert measure(connection, metric, filters=everybody).rows() == whole, metric


def test_hands_without_a_game_are_games_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query, "CLUSTERS", 1)
    (condition,) = query.some_games(2)
    db = warehouse(tmp_path, [replace(each, game=UNSET, hand=UNSET) for each in game()])
    count = "SELECT count(DISTINCT game_no) FROM seat_facts"
    with open_facts(db) as connection:
        ((asked,),) = connection.execute(f"{count} WHERE {condition}").fetchall()
        ((stored,),) = connection.execute(count).fetchall()
    assert 0 < asked < stored
