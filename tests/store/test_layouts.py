"""Files without rows: made once by a process, copied from then on, each one's own."""

from pathlib import Path

import duckdb
import pytest
from duckdb import DuckDBPyConnection

from tests.kit.log_lines import generated, write_hands
from tricklog import ingest
from tricklog.ingest.store import database, layouts, publishing
from tricklog.ingest.store.warehouse import current_snapshot

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
        with duckdb.connect(str(current_snapshot(tmp_path / name)), read_only=True) as connection:
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
        layouts.lay_out(tmp_path / "first", "new", make)
    for name in ("second", "third"):
        layouts.lay_out(tmp_path / name, "new", make)
        with database.connect(tmp_path / name) as connection:
            assert connection.execute("FROM one").fetchall() == []
    assert len(tries) == 2
