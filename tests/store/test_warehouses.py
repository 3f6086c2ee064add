"""The one door to a warehouse: what a folder and a lake give through it, while others load."""

from pathlib import Path

import pytest

from tests.kit.dashboard_logs import VARIANTS, first_hands
from tests.kit.log_lines import SOUND_LINE, generated, line, write_hands, write_lines
from tests.kit.made_once import copied
from tests.kit.tiers import scaled
from tests.kit.waiting import holding
from tricklog import BusyError, NoSnapshotError, encode_hand, ingest, load
from tricklog.ingest.lake import door
from tricklog.ingest.loading import games
from tricklog.ingest.metrics import listings
from tricklog.ingest.reading.progress import Progress
from tricklog.ingest.store import publishing, queries
from tricklog.ingest.store.scopes import Scope
from tricklog.ingest.store.warehouse import WarehouseError, checksum, current_snapshot
from tricklog.ingest.warehouses import open_facts, open_snapshot, warehouse_at

db = copied("small_warehouse")


def test_a_state_is_the_snapshot_that_is_published_now(db: Path, tmp_path: Path) -> None:
    warehouse = warehouse_at(db)
    state = warehouse.current()
    assert state == str(current_snapshot(db))
    mark = warehouse.mark()
    assert warehouse.is_there(state)
    with warehouse.tables(state) as before:
        hands = queries.overview(before)["hands"].item()
    load(write_lines(tmp_path / "log.jsonl", [SOUND_LINE]), db=db)
    assert warehouse.mark() != mark
    assert warehouse.current() not in (None, state)
    # A state stays what it is for whoever has begun with it.
    with warehouse.tables(state, once=True) as old, warehouse.tables() as new:
        assert queries.overview(old)["hands"].item() == hands
        assert queries.overview(new)["hands"].item() > hands


def test_tables_facts_and_scopes_of_one_state_are_of_the_same_hands(small_warehouse: Path) -> None:
    db = small_warehouse
    warehouse = warehouse_at(str(db))
    state = warehouse.current()
    assert state
    scope = Scope(variants=(VARIANTS[0],))
    with warehouse.facts(state) as facts, warehouse.tables(state) as tables:
        assert listings.hand_list(facts).height == tables.sql("FROM hands").shape[0]
        with warehouse.facts(state, scope=scope) as scoped, open_facts(db) as again:
            here = listings.hand_list(scoped)["variant"].unique().to_list()
            assert here == [VARIANTS[0]]
            assert listings.hand_list(again).equals(listings.hand_list(facts))
        with open_snapshot(db, once=True) as opened:
            assert checksum(opened) == checksum(tables)
    assert warehouse.facts_are_ready(state)


def test_before_the_first_load_there_is_no_state_and_a_name_is_as_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = warehouse_at(tmp_path / "none")
    assert warehouse.current() is None
    assert warehouse.mark() == b""
    for opened in (warehouse.tables, warehouse.facts):
        with pytest.raises(NoSnapshotError, match="holds no warehouse yet"):
            opened()
    warehouse.require_place()
    monkeypatch.chdir(tmp_path)
    warehouse = warehouse_at("club")
    assert (warehouse.name, warehouse.address) == ("club", str(tmp_path / "club"))
    assert warehouse.user_folder() == Path("club")
    (tmp_path / "club").write_text("a file")
    with pytest.raises(NotADirectoryError, match="choose another"):
        warehouse.require_place()


@pytest.mark.thorough("test_publish has readers of two states")
def test_a_state_of_a_lake_is_known_after_others_and_a_made_up_one_is_not(tmp_path: Path) -> None:
    db = f"lake:{tmp_path / 'lake'}"
    states = []
    for variant in VARIANTS[:2]:
        load(write_hands(tmp_path / "log.jsonl", first_hands(variant, 2)), db=db, on="here")
        states.append(warehouse_at(db).current())
    old, new = map(str, states)
    warehouse = warehouse_at(tmp_path / "lake")
    assert not warehouse.is_there(old)
    assert warehouse.is_there(new)
    door._lake_of.cache_clear()
    # Another process has seen neither; a page that has begun with the old one goes on with it.
    told = []
    for state, hands in ((old, 2), (new, 4), (new, 4)):
        with warehouse_at(db).tables(state) as tables, warehouse_at(db).facts(state) as facts:
            told.append(tables.execute("FROM warehouse").fetchall())
            assert tables.sql("FROM hands").shape[0] == hands
            assert listings.hand_list(facts).height == hands
    assert told[0] != told[1] == told[2]
    with pytest.raises(WarehouseError, match="no snapshot"):
        warehouse.tables(f"{warehouse.address} 99")


PUBLISHES = scaled(5, most=12)
"""Each reader sees several of them, and no snapshot that it reads outlives three more."""

READER = """
import sys, threading, time
from tricklog.ingest.store.warehouse import open_snapshot

def read(name):
    newest = looks = 0
    while newest < {publishes}:
        with open_snapshot({db!r}) as connection:
            def one(query):
                return connection.execute(query).fetchall()[0]
            number, accepted, rejected = one(
                "SELECT max(import_id), sum(accepted), sum(quarantined) FROM imports")
            time.sleep(0.02)
            hands, games = one("SELECT count(*), count(DISTINCT game) FROM hands")
            seen = (accepted, rejected, hands, *one("SELECT count(*) FROM rejects"),
                    *one("SELECT count(*) FROM games"), *one("SELECT sum(hands) FROM players"))
        expected = (number, number, number, number, games, 4 * number)
        if seen != expected or number < newest:
            tell(f"{{name}} {{newest}} {{number}} {{seen}}")
        newest, looks = number, looks + 1
        time.sleep(0.2)
    tell(f"read {{looks}}")

def tell(text):
    # One write a line: print would let another thread come between a text and its end.
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

tell("held")
threads = [threading.Thread(target=read, args=(n,)) for n in range({threads})]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""


ONE_MORE = (
    """INSERT INTO hands BY NAME
    SELECT * REPLACE ($n::INTEGER AS import_id, $n::VARCHAR AS hand_id, -$n AS hand_no)
    FROM hands LIMIT 1""",
    """INSERT INTO rejects BY NAME
    SELECT * REPLACE ($n::INTEGER AS import_id, $n::VARCHAR AS reject) FROM rejects LIMIT 1""",
    "INSERT INTO imports BY NAME SELECT * REPLACE ($n::INTEGER AS import_id) FROM imports LIMIT 1",
)


def test_readers_see_whole_snapshots_while_others_are_published(tmp_path: Path) -> None:
    db = tmp_path / "db"
    lines = [encode_hand(generated("pedro", 1)[0]), line(dealer=9)]
    ingest.load(write_lines(tmp_path / "log.jsonl", lines), db=db)
    script = READER.format(db=str(db), publishes=PUBLISHES, threads=4)
    with holding(script) as reader:
        for number in range(2, PUBLISHES + 1):
            with publishing.writing(db, wait=0), publishing.draft(db) as connection:
                for statement in ONE_MORE:
                    connection.execute(statement, {"n": number})
                games.refresh(connection)
        said = reader.communicate()[0].splitlines()
        assert reader.returncode == 0
    assert len(said) == 4
    assert all(each.startswith(b"read ") for each in said)
    assert len(list(db.glob("*.duckdb"))) == publishing.KEPT


def test_a_load_that_another_process_holds_up_is_refused_in_words(tmp_path: Path) -> None:
    log = write_hands(tmp_path / "log.jsonl", generated("pedro", 1))
    script = (
        "import pathlib, sys; from tricklog.ingest.store import publishing\n"
        "with publishing.writing(pathlib.Path(sys.argv[1]), wait=0):\n"
        "    print('held', flush=True); input()"
    )
    told: list[Progress] = []
    with (
        holding(script, tmp_path / "db"),
        pytest.raises(BusyError, match="Another load is publishing"),
    ):
        ingest.load(log, db=tmp_path / "db", wait=0.2, on_progress=told.append)
    assert told[-1].stage == "waiting for another load"
    # The lock of a process that was killed is free.
    assert ingest.load(log, db=tmp_path / "db", wait=0).published
