"""Connections to DuckDB: no statement dies, and nobody who has the same file open does harm."""

import lzma
import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from duckdb import DuckDBPyConnection

import ingest
from dashboard import launch
from ingest import metrics
from ingest.facts.build import derive
from ingest.facts.files import open_facts
from ingest.store import database, rows
from ingest.store.warehouse import (
    POINTER,
    SCHEMA_VERSION,
    WarehouseError,
    current_snapshot,
    facts_file,
    hands,
    open_snapshot,
)
from replay.rulesets.ruleset import load_variant
from tests.kit.log_lines import generated, write_hands

GAME = generated("pedro", 1)
DECLARED = {"ask": "asks", "reveal": "reveals", "pair": "pairs"} | dict.fromkeys(
    ("double", "redouble", "super"), "doubles"
)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of one game with its facts, to be copied only."""
    folder = tmp_path_factory.mktemp("loaded")
    ingest.load(write_hands(folder / "log.jsonl", GAME), db=folder / "db")
    open_facts(folder / "db").close()
    return folder / "db"


@pytest.fixture
def db(tmp_path: Path, loaded: Path) -> Path:
    return shutil.copytree(loaded, tmp_path / "db")


def snapshot_of(db: Path) -> Path:
    snapshot = current_snapshot(db)
    assert snapshot is not None
    return snapshot


def facts_of(db: Path) -> Path:
    return facts_file(snapshot_of(db))


def hands_in(connection: DuckDBPyConnection, table: str = "hands") -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0]  # noqa: S608 - our own
    return int(count)


# --- DuckDB loses no dictionary


@pytest.fixture
def mixed(repository: Path, tmp_path: Path) -> Path:
    """4,096 hands of all games, on which DuckDB 2.0 loses a dictionary while it gathers chunks.

    It does so because of how these rows lie in their file, so what a later version of the tables or
    of the rules says otherwise is changed in place.
    """
    packed = repository / "tests" / "data" / "mixed-hands.duckdb.xz"
    snapshot = tmp_path / "games-000001.duckdb"
    snapshot.write_bytes(lzma.decompress(packed.read_bytes()))
    (tmp_path / POINTER).write_text("games-000001.duckdb\n")
    with duckdb.connect(str(snapshot)) as connection:
        connection.execute("UPDATE warehouse SET schema_version = $1", [SCHEMA_VERSION])
        stored = connection.execute("SELECT variant, ruleset FROM rulesets").fetchall()
        for variant, of_rules in stored:
            now = dict(
                zip(rows.RULESET_TYPES, rows.ruleset_row(load_variant(variant)), strict=True)
            )
            assert now["ruleset"] == of_rules
            connection.execute(
                "UPDATE rulesets SET policies = $1 WHERE ruleset = $2", [now["policies"], of_rules]
            )
    return tmp_path


@pytest.mark.skipif(duckdb.__version__ != "2.0.0", reason="what a version fails at is its own")
def test_mixed_hands_show_what_the_setting_is_for(
    mixed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_CONFIG", {"debug_enable_caching_operators": True})
    with pytest.raises(duckdb.InternalException, match="dict-surviving cache"):
        derive(snapshot_of(mixed), tmp_path / "facts.duckdb")


def test_the_facts_of_mixed_hands_are_derived(mixed: Path) -> None:
    expected: Counter[tuple[str, int, str]] = Counter()
    seats = 0
    with open_snapshot(mixed) as games:
        for stored in hands(games):
            hand = stored.hand
            seats += len(hand.players)
            for action in hand.actions:
                seat, verb = action.split(" ")[:2]
                if verb in DECLARED:
                    expected[hand.id, int(seat), DECLARED[verb]] += 1
    with open_facts(mixed) as facts:
        assert hands_in(facts, "seat_facts") == seats
        found = facts.execute(
            "SELECT hands.id, seat, asks, reveals, pairs, doubles FROM seat_facts "
            "JOIN games.hands ON hands.rowid = hand"
        ).fetchall()
        made = metrics.measure(facts, "made-rate", by=["variant"])
    counted = Counter(
        {
            (hand_id, seat, name): count
            for hand_id, seat, *counts in found
            for name, count in zip(("asks", "reveals", "pairs", "doubles"), counts, strict=True)
            if count
        }
    )
    assert len(expected) > 1_000
    assert counted == expected
    assert len(made) == 14


def test_every_connection_is_opened_by_one_module(repository: Path) -> None:
    opens = re.compile(r"\bduckdb\.connect\(|\bfrom duckdb import .*\bconnect\b")
    found = [
        path.relative_to(repository).as_posix()
        for package in ("dashboard", "ingest")
        for path in sorted((repository / package).rglob("*.py"))
        if opens.search(path.read_text("utf-8"))
    ]
    assert found == ["ingest/store/database.py"]


def test_cursors_gather_no_chunks_either(db: Path) -> None:
    query = "SELECT current_setting('debug_enable_caching_operators')"
    with open_snapshot(db) as games, open_facts(db) as facts:
        for each in (games, facts):
            assert each.execute(query).fetchall() == [(False,)]
            assert each.cursor().execute(query).fetchall() == [(False,)]


# --- The same file, opened by somebody else


@pytest.mark.parametrize("path_of", [snapshot_of, facts_of])
@pytest.mark.parametrize("config", [{}, {"threads": "1"}])
def test_whoever_reads_a_file_in_the_same_process_is_no_trouble(
    db: Path, path_of: Callable[[Path], Path], config: dict[str, str]
) -> None:
    made_at = facts_of(db).stat().st_mtime_ns
    with duckdb.connect(
        str(path_of(db)),
        read_only=True,
        config=dict[str, str | bool | int | float | list[str]](config),
    ) as theirs:
        with open_snapshot(db) as games, open_facts(db) as facts, open_facts(db) as again:
            assert hands_in(games.cursor()) == len(GAME)
            assert hands_in(facts.cursor(), "games.hands") == len(GAME)
            assert hands_in(again, "games.hands") == len(GAME)
            with pytest.raises(duckdb.PermissionException):
                facts.execute("FROM read_csv('/etc/hosts')")
        # What they may do with their connection is theirs to say.
        theirs.execute("SET threads = 2")
        assert theirs.execute("SELECT current_setting('enable_external_access')").fetchall() == [
            (True,)
        ]
    assert facts_of(db).stat().st_mtime_ns == made_at


@pytest.mark.parametrize("path_of", [snapshot_of, facts_of])
def test_who_has_a_file_open_for_writing_in_the_same_process_is_the_reason_given(
    db: Path, path_of: Callable[[Path], Path]
) -> None:
    with (
        duckdb.connect(str(path_of(db))),
        pytest.raises(WarehouseError, match="another connection has it open for writing") as raised,
    ):
        open_facts(db)
    assert path_of(db).name in str(raised.value)
    assert "from its logs" not in str(raised.value)
    with open_facts(db) as facts:
        assert hands_in(facts, "games.hands") == len(GAME)


def test_a_snapshot_that_another_process_writes_is_the_reason_given(db: Path) -> None:
    script = textwrap.dedent(
        """
        import sys

        import duckdb

        with duckdb.connect(sys.argv[1]):
            print("open", flush=True)
            sys.stdin.read()
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(snapshot_of(db))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(WarehouseError, match="another connection has it open") as raised:
            open_snapshot(db)
        assert "from its logs" not in str(raised.value)
        other.communicate()


# --- At the end of a process


def test_nothing_of_duckdb_is_left_when_a_process_that_showed_a_page_ends(
    small_warehouse: Path, repository: Path
) -> None:
    script = textwrap.dedent(
        """
        import sys
        from pathlib import Path

        from streamlit.testing.v1 import AppTest

        from dashboard import launch

        sys.argv = ["app.py"]
        entry = Path(launch.__file__).with_name("app.py")
        app = AppTest.from_file(str(entry), default_timeout=60).run()
        assert not app.exception, app.exception
        print(len(app.header))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {launch.DATABASE_SETTING: str(small_warehouse)},
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "1\n"
    assert "leaked" not in done.stderr
