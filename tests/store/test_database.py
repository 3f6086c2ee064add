"""Connections to DuckDB: no statement dies, and nobody who has the same file open does harm."""

import lzma
import re
import textwrap
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from duckdb import DuckDBPyConnection

from tests.cli.command_line import run_python
from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import copied, once
from tests.kit.stored import facts_file_of, snapshot_of
from tests.kit.waiting import holding
from tricklog import WarehouseError, ingest
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.sql import filled_in
from tricklog.ingest.store import columns, database, publishing
from tricklog.ingest.store.record_codec import actions_of_code
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.schemas.actions import VERB_NAMES, Verb

DECLARED = {
    VERB_NAMES[verb]: int(verb)
    for verb in (Verb.ASK, Verb.REVEAL, Verb.PAIR, Verb.DOUBLE, Verb.REDOUBLE, Verb.SUPER)
}


@once("db")
def loaded(folder: Path) -> None:
    """A warehouse of one game with its facts, to be copied only."""
    ingest.load(write_hands(folder / "log.jsonl", generated("pedro", 1)), db=folder / "db")
    open_facts(folder / "db").close()


db = copied("loaded")


def hands_in(connection: DuckDBPyConnection, table: str = "hands") -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0]  # noqa: S608 - our own
    return int(count)


# --- DuckDB loses no dictionary
DECLARATIONS = filled_in("""
SELECT id, deed.seat, deed.verb, count(*)
FROM (
    SELECT id, unnest(deeds_of(deeds, seats)[:played]) AS deed
    FROM (FROM work WHERE regexp_matches(deeds, '[$SEAT_LETTERS][$CODE_ASK-$CODE_SUPER]'))
    JOIN layouts USING (seating_id)
)
WHERE deed.verb BETWEEN $VERB_ASK AND $VERB_SUPER
GROUP BY ALL
""")


@pytest.fixture
def mixed(repository: Path, tmp_path: Path) -> Path:
    """4,096 hands of all games, on which DuckDB 2.0.0 lost a dictionary while it gathered chunks.

    It did so because of how these rows lie in their file, which is of an earlier version.
    """
    packed = repository / "tests" / "data" / "mixed-hands.duckdb.xz"
    snapshot = tmp_path / "games-000001.duckdb"
    snapshot.write_bytes(lzma.decompress(packed.read_bytes()))
    return snapshot


def declarations(connection: DuckDBPyConnection, mixed: Path) -> list[tuple[str, int, int, int]]:
    database.attach(connection, "games", mixed)
    connection.execute("SET search_path = 'memory.main,games.main'")
    connection.execute(
        "CREATE TABLE layouts AS SELECT seating_id, len(players) AS seats FROM games.seatings"
    )
    connection.execute("CREATE TABLE work AS FROM games.hands")
    return connection.execute(DECLARATIONS).fetchall()


def test_every_declaration_of_mixed_hands_is_found(mixed: Path) -> None:
    expected: Counter[tuple[str, int, int]] = Counter()
    with database.connect() as connection:
        found = declarations(connection, mixed)
        stored = connection.execute(
            "SELECT id, deeds, len(players) FROM games.hands JOIN games.seatings USING (seating_id)"
        ).fetchall()
    for hand_id, deeds, seats in stored:
        for action in actions_of_code(deeds, seats):
            seat, verb = action.split(" ")[:2]
            if verb in DECLARED:
                expected[hand_id, int(seat), DECLARED[verb]] += 1
    assert len(expected) > 1_000
    assert {(hand_id, seat, verb): n for hand_id, seat, verb, n in found} == expected


def test_every_connection_is_opened_by_one_module(repository: Path) -> None:
    opens = re.compile(r"\bduckdb\.connect\(|\bfrom duckdb import .*\bconnect\b")
    found = [
        path.relative_to(repository).as_posix()
        for package in ("dashboard", "ingest")
        for path in sorted((repository / package).rglob("*.py"))
        if opens.search(path.read_text("utf-8"))
    ]
    # The room of metrics is below the store; what it opens is in memory and has no rows.
    assert found == ["ingest/metrics/own/checks.py", "ingest/store/database.py"]


def test_no_connection_draws_a_bar_on_standard_output(db: Path) -> None:
    script = f"""
        from tricklog.ingest.facts.files import open_facts
        from tricklog.ingest.store import database
        from tricklog.ingest.store.warehouse import open_snapshot
        for opened in (database.connect(), open_snapshot({str(db)!r}), open_facts({str(db)!r})):
            for each in (opened, opened.cursor()):
                print(each.execute("SELECT current_setting('enable_progress_bar')").fetchall())
    """
    # What is given by -c counts as interactive.
    shown = run_python("-c", textwrap.dedent(script)).stdout
    assert shown.splitlines() == ["[(False,)]"] * 6


# --- The same file, opened by somebody else
Config = dict[str, str | bool | int | float | list[str]]


@pytest.mark.parametrize("path_of", [snapshot_of, facts_file_of])
@pytest.mark.parametrize("config", [{}, {"threads": "1"}])
def test_whoever_reads_a_file_in_the_same_process_is_no_trouble(
    db: Path, path_of: Callable[[Path], Path], config: Config
) -> None:
    made_at, count = facts_file_of(db).stat().st_mtime_ns, len(generated("pedro", 1))
    with duckdb.connect(str(path_of(db)), read_only=True, config=config) as theirs:
        with open_snapshot(db) as games, open_facts(db) as facts, open_facts(db) as again:
            assert hands_in(games.cursor()) == count
            for each in (facts.cursor(), again):
                assert hands_in(each, "games.hands") == count
            with pytest.raises(duckdb.PermissionException):
                facts.execute("FROM read_csv('/etc/hosts')")
        # What they may do with their connection is theirs to say.
        theirs.execute("SET threads = 2")
        asked = "SELECT current_setting('enable_external_access')"
        assert theirs.execute(asked).fetchall() == [(True,)]
    assert facts_file_of(db).stat().st_mtime_ns == made_at


@pytest.mark.parametrize("path_of", [snapshot_of, facts_file_of])
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
        assert hands_in(facts, "games.hands") == len(generated("pedro", 1))


def test_a_snapshot_that_another_process_writes_is_the_reason_given(db: Path) -> None:
    script = (
        "import sys, duckdb\n"
        "with duckdb.connect(sys.argv[1]): print('held', flush=True); sys.stdin.read()"
    )
    said = "another connection has it open"
    with holding(script, snapshot_of(db)), pytest.raises(WarehouseError, match=said) as raised:
        open_snapshot(db)
    assert "from its logs" not in str(raised.value)


# --- At the end of a process
@pytest.mark.thorough("a process that shows a page; what it leaves is a message and no more")
def test_nothing_of_duckdb_is_left_when_a_process_that_showed_a_page_ends(
    small_warehouse: Path,
) -> None:
    script = """
        import sys
        from pathlib import Path
        from streamlit.testing.v1 import AppTest
        from tricklog import dashboard
        sys.argv = ["main.py"]
        entry = Path(dashboard.__file__).parent / "app" / "main.py"
        app = AppTest.from_file(str(entry), default_timeout=300).run()
        assert not app.exception, app.exception
        print(len(app.header))
    """
    done = run_python("-c", textwrap.dedent(script), TRICKLOG_DB=str(small_warehouse))
    assert done.stdout == "1\n"
    assert "leaked" not in done.stderr


# --- Files without rows
DEFINED = """
SELECT table_name, sql FROM duckdb_tables() WHERE NOT internal
UNION ALL SELECT view_name, sql FROM duckdb_views() WHERE NOT internal
UNION ALL SELECT function_name, any_value(macro_definition)
    FROM duckdb_functions() WHERE NOT internal GROUP BY function_name
UNION ALL SELECT table_name || '.' || column_name, comment FROM duckdb_columns() WHERE NOT internal
ORDER BY ALL
"""


def defined_in(connection: DuckDBPyConnection) -> list[tuple[object, ...]]:
    return connection.execute(DEFINED).fetchall()


def test_a_copy_is_what_the_statements_make(tmp_path: Path) -> None:
    with database.connect() as connection:
        publishing.create_tables(connection)
        columns.comment(connection)
        expected = defined_in(connection)
    for name in ("first", "second"):
        publishing.put_empty(tmp_path / name)
        with database.connect(tmp_path / name) as connection:
            assert defined_in(connection) == expected
            connection.execute("DELETE FROM warehouse")


def test_each_warehouse_has_a_state_of_its_own(tmp_path: Path) -> None:
    log = write_hands(tmp_path / "log.jsonl", generated("pedro", 1)[:1])
    states = set()
    for name in ("first", "second"):
        ingest.load(log, db=tmp_path / name)
        with duckdb.connect(str(snapshot_of(tmp_path / name)), read_only=True) as connection:
            states.update(connection.execute("SELECT state FROM warehouse").fetchall())
    assert len(states) == 2


def test_what_could_not_be_made_is_made_the_next_time(tmp_path: Path) -> None:
    tries: list[str] = []

    def make(connection: DuckDBPyConnection) -> None:
        tries.append("a try")
        connection.execute("CREATE TABLE new.one (number INTEGER)")
        if len(tries) == 1:
            raise duckdb.IOException("the disk is full")

    with pytest.raises(duckdb.IOException, match="full"):
        database.lay_out(tmp_path / "first", "new", make)
    for name in ("second", "third"):
        database.lay_out(tmp_path / name, "new", make)
        with database.connect(tmp_path / name) as connection:
            assert connection.execute("FROM one").fetchall() == []
    assert len(tries) == 2
