"""A lake is read as a warehouse of the same logs is, and lets nobody at anything else."""

import itertools
import os
import shutil
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from ingest.facts import content
from ingest.lake import reading, tables
from ingest.lake.publish import Lake
from ingest.lake.storage import storage_of
from ingest.metrics import METRICS, Grain, clusters, measure, measuring, moments, rolls
from ingest.metrics.filters import EVERYTHING, Filters
from ingest.metrics.fives import where_lost
from ingest.metrics.rolled import are_rolled
from ingest.store import long_texts, warehouse
from ingest.store.scopes import EVERYBODY, Scope
from ingest.store.warehouse import DamagedError, WarehouseError
from schemas.sql import table_names
from tests.conftest import REPOSITORY
from tests.kit.lake_pair import Pair, answer, lists, make_pair, some_figures, stored_lists
from tests.kit.made_once import made_once

WIDER = {"seating_id", "chair"}
"""Columns whose numbers have 64 bits in a lake."""


def some_lines() -> list[bytes]:
    """Hands of whole games of all systems."""
    samples = sorted((REPOSITORY / "sample_logs" / "valid").rglob("*.jsonl"))
    return [
        line for path in samples for line in itertools.islice(path.read_bytes().splitlines(), 20)
    ]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    folder = made_once(
        tmp_path_factory,
        "pair",
        lambda folder: make_pair(some_lines(), storage_of(folder / "lake"), folder),
    )
    return Pair(Lake(storage_of(folder / "lake")), folder / "db")


def test_what_is_stored_is_the_same(pair: Pair) -> None:
    with pair.tables() as (there, here):
        assert warehouse.checksum(there) == warehouse.checksum(here)
        for name, ask in stored_lists(here):
            assert answer(ask(there)) == answer(ask(here)), name


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux lists open files")
def test_files_are_closed_when_nobody_reads_them(pair: Pair) -> None:
    """A page asks for hundreds, and a server lives for weeks."""

    def held() -> list[str]:
        # What is told of a file that another thread closes meanwhile is nothing.
        found = [os.path.realpath(each) for each in Path("/proc/self/fd").iterdir()]
        return [each for each in found if each.endswith(".parquet")]

    before = held()
    with pair.tables() as (there, _):
        for _, ask in stored_lists(there):
            ask(there)
    assert held() == before


def test_games_that_went_on_are_there_once(pair: Pair) -> None:
    """There are some, so that all else here is about them, too."""
    counts = {
        name: sum(file.rows for file in pair.lake.files(pair.snapshot, name))
        for name in ("superseded", "games", "rulesets")
    }
    assert counts["superseded"] > 3
    with pair.tables() as (there, _):
        ((games, rulesets),) = there.execute(
            "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM rulesets)"
        ).fetchall()
    assert games == counts["games"] - counts["superseded"]
    assert rulesets < counts["rulesets"]


def test_what_several_loads_brought_is_as_the_first_or_the_least_has_it(tmp_path: Path) -> None:
    lake = Lake(storage_of(tmp_path / "lake"))
    for load, (title, hint) in enumerate((("B", "first"), ("A", "second")), 1):
        rejects = pa.table(
            {
                "reject": ["one", f"only {load}"],
                "import_id": [load] * 2,
                "file": ["log", "log"],
                "line": [9 - load, 1],
                "byte": [1, 1],
                "code": ["json"] * 2,
                "pointer": [""] * 2,
                "message": [""] * 2,
                "hint": [hint] * 2,
                "text": [b"x"] * 2,
            }
        )
        rules = {name: ["x"] for name in ("ruleset", "variant", "family", "scored_in", "policies")}
        rulesets = pa.table(
            {**rules, "version": [1], "title": [title], "total_points": [1], "options": ["{}"]}
        )
        with lake.begin(f"load {load}") as begun:
            files = [
                tables.write(lake.storage, "rejects", rejects, load, 0),
                tables.write(lake.storage, "rulesets", rulesets, load, 0),
            ]
            begun.publish([each for each in files if each], {})
    with reading.open_tables(lake, lake.opened()) as there:
        found = there.execute("SELECT reject, import_id, line, hint FROM rejects ORDER BY ALL")
        assert found.fetchall() == [
            ("one", 1, 8, "first"),
            ("only 1", 1, 1, "first"),
            ("only 2", 2, 1, "second"),
        ]
        assert there.execute("SELECT title FROM rulesets").fetchall() == [("A",)]


def test_facts_are_the_same(pair: Pair) -> None:
    with pair.facts() as (there, here):
        # Tallies are kept of all games of a lake, and of an embedded warehouse of long games.
        assert there.execute("SELECT tallied FROM facts").fetchall() == [(True,)]
        tallied = here.execute("SELECT tallied FROM facts").fetchall() == [(True,)]
        assert tallied
        assert content.checksum(there) == content.checksum(here)


def test_columns_have_the_same_names_and_types(pair: Pair) -> None:
    with pair.facts() as (there, here):
        names = here.execute(
            "SELECT DISTINCT table_name FROM duckdb_columns() "
            "WHERE database_name = current_database() AND NOT internal"
        ).fetchall()
        for name in [*(name for (name,) in names), *(f"games.{name}" for name in table_names())]:
            far, near = (each.table(name) for each in (there, here))
            assert [column for column in far.columns if column != "rowid"] == near.columns
            for column, kind, usual in zip(near.columns, far.types, near.types, strict=False):
                if column in WIDER:
                    assert str(kind) == "BIGINT"
                elif name.startswith("games."):
                    assert str(kind) == str(usual), (name, column)
                else:
                    allowed = {str(usual), tables.stored_type(str(usual))}
                    assert str(kind) in allowed, (name, column)


def test_figures_are_the_same_to_the_last_digit(pair: Pair) -> None:
    with pair.facts() as (there, here):
        for name, ask in some_figures():
            assert ask(there) == ask(here), name


def test_intervals_are_the_same_where_games_are_put_together(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "MANY_GAMES", 0)
    monkeypatch.setattr(clusters, "CLUSTERS", 12)
    monkeypatch.setattr(measuring, "_GAMES_OF_FIELD", 10)
    with pair.facts() as (there, here):
        ((player,),) = here.execute(
            "SELECT player FROM seat_facts GROUP BY ALL ORDER BY count(*) DESC, player LIMIT 1"
        ).fetchall()
        of_somebody = Filters.of({"player": player})
        assert clusters.games_in(here) == clusters.games_in(there) > 30
        assert where_lost(there).rows() == where_lost(here).rows()
        for metric in [each for each in METRICS if each.grain in (Grain.SEAT, Grain.CARD)]:
            for by, filters in (
                (("variant",), EVERYTHING),
                (("variant", "from-dealer"), of_somebody),
            ):
                found, same = (measure(each, metric, by, filters).rows() for each in (there, here))
                assert same, metric.name
                assert found == same, metric.name


def test_lists_are_the_same(pair: Pair) -> None:
    with pair.facts() as (there, here):
        for name, ask in lists(here):
            assert answer(ask(there)) == answer(ask(here)), name


def test_scopes_are_the_same(pair: Pair) -> None:
    with pair.facts() as (_, here):
        players = here.execute(
            "SELECT sitting FROM chairs GROUP BY sitting ORDER BY count(*) DESC, sitting LIMIT 1"
        ).fetchall()[0][0]
    for scope in (Scope(people=tuple(players)), Scope(variants=("pedro",)), EVERYBODY):
        with pair.scoped(scope) as (there, here):
            hands = "SELECT count(*) FROM games.hands"
            assert there.execute(hands).fetchall() == here.execute(hands).fetchall() != [(0,)]
            for name, ask in itertools.islice(some_figures(), 0, None, 4):
                assert ask(there) == ask(here), name


def test_a_hand_is_found_by_its_id(pair: Pair) -> None:
    with pair.tables() as (there, here), pair.facts() as (facts, _):
        ids = [hand for (hand,) in here.execute("SELECT id FROM hands ORDER BY id").fetchall()]
        assert any(each.startswith("long ") for each in ids)
        for each in [*ids[::7], "long 0"]:
            stored = warehouse.hand(here, each)
            assert reading.hand(there, each) == stored
            assert reading.hand(facts, each) == stored
        assert not list(long_texts.lost(there))
        with pytest.raises(LookupError, match="no hand 'nobody'"):
            reading.hand(there, "nobody")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_csv('{root}/hands/_delta_log/00000000000000000000.json')",
        "SELECT * FROM read_blob('s3://lake/hands/_delta_log/00000000000000000000.json')",
        "SELECT * FROM glob('{root}/*')",
        "SELECT * FROM glob('s3://lake/*')",
        "SELECT * FROM read_parquet('s3://lake/*/*.parquet')",
        "SELECT * FROM read_parquet('{file}')",
        "COPY (SELECT 1) TO '{file}'",
        "COPY (SELECT 1) TO '{shown}' (USE_TMP_FILE false)",
        "COPY (SELECT 1) TO '{shown}' (FORMAT csv, OVERWRITE_OR_IGNORE true, USE_TMP_FILE false)",
        "COPY (SELECT 1) TO 's3://lake/new.parquet'",
        "ATTACH '{root}/new.duckdb'",
        "ATTACH '{shown}' AS other",
        "ATTACH '{db}' AS other (READ_ONLY)",
        "SET allowed_paths = ['/etc/passwd']",
        "SET enable_external_access = true",
        "SET memory_limit = '9GB'",
        "INSTALL httpfs",
        "EXPORT DATABASE '{root}/copy'",
    ],
)
def test_nothing_else_can_be_read_or_written(pair: Pair, sql: str) -> None:
    root = Path(pair.lake.storage.root)
    file = pair.lake.files(pair.snapshot, "hands")[0].path
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()}
    said = sql.format(
        root=root, file=root / "hands" / file, shown=f"s3://lake/hands/{file}", db=pair.file
    )
    with pair.facts() as (there, _):
        with pytest.raises((duckdb.Error, PermissionError)):
            there.execute(said).fetchall()
        # It goes on working.
        assert there.execute("SELECT count(*) > 0 FROM games.hands").fetchall() == [(True,)]
    after = {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()}
    assert after == before


def test_two_states_are_told_apart(pair: Pair) -> None:
    with pair.tables() as (one, _), pair.tables() as (same, _):
        state = one.execute("FROM warehouse").fetchall()
        assert state == same.execute("FROM warehouse").fetchall()
    older = pair.lake.snapshots()[0]
    with reading.open_tables(pair.lake, older) as there, pair.tables() as (now, _):
        assert there.execute("FROM warehouse").fetchall() != state
        hands = "SELECT count(*) FROM hands"
        assert there.execute(hands).fetchall() < now.execute(hands).fetchall()


def test_a_lake_without_facts_is_told(pair: Pair, tmp_path: Path) -> None:
    lake = Lake(storage_of(tmp_path / "lake"))
    with lake.begin("a load") as begun:
        draft = tmp_path / "draft.duckdb"
        draft.write_bytes(pair.file.read_bytes())
        begun.publish(tables.export(draft, None, lake.storage, begun.number, 0, 1), {})
    with reading.open_tables(lake, lake.opened()) as there:
        assert there.execute("SELECT count(*) FROM hands").fetchall() > [(0,)]
    with pytest.raises(WarehouseError, match="without what figures are counted from"):
        reading.open_facts(lake, lake.opened())


@pytest.mark.parametrize("table", ["hands", "chairs"])
def test_a_file_that_is_gone_is_told(pair: Pair, tmp_path: Path, table: str) -> None:
    copied = shutil.copytree(pair.lake.storage.root, tmp_path / "lake")
    lake = Lake(storage_of(copied))
    with reading.open_facts(lake, lake.opened()):
        gone = [*(copied / table).glob("*.parquet")]
        for path in gone:
            path.unlink()
        with pytest.raises(DamagedError, match=r"lake is damaged: .*parquet is missing"):
            reading.open_scope(lake, lake.opened(), EVERYBODY)


def test_a_lake_on_an_object_store_is_the_same(pair: Pair, s3_prefix: str) -> None:
    there = Lake(storage_of(s3_prefix))
    root = Path(pair.lake.storage.root)
    for path in root.rglob("*"):
        if path.is_file():
            with there.storage.open_output(path.relative_to(root).as_posix()) as stream:
                stream.write(path.read_bytes())
    with (
        reading.open_facts(there, there.opened()) as far,
        reading.open_tables(there, there.opened()) as tables_there,
        pair.facts() as (near, _),
        pair.tables() as (_, here),
    ):
        assert warehouse.checksum(tables_there) == warehouse.checksum(here)
        assert content.checksum(far) == content.checksum(near)
        assert reading.hand(far, "long 0") == warehouse.hand(here, "long 0")


def test_figures_come_from_a_roll_up_where_there_is_one(pair: Pair, tmp_path: Path) -> None:
    copied = shutil.copytree(pair.lake.storage.root, tmp_path / "lake")
    lake = Lake(storage_of(copied))
    with reading.open_facts(lake, lake.opened()) as facts, lake.begin("a roll-up") as begun:
        parts = {
            rolls.TABLE: (batch for part in moments.rows(facts) for batch in part.to_batches()),
            rolls.REST: facts.sql(moments.rest()).to_arrow_table(),
        }
        files = [
            tables.write(lake.storage, table, rows, begun.number, 0)
            for table, rows in parts.items()
        ]
        begun.publish([each for each in files if each], {})
    with reading.open_facts(lake, lake.opened()) as there, pair.facts() as (plain, here):
        assert are_rolled(there)
        assert not are_rolled(plain)
        for name, ask in itertools.islice(some_figures(), 0, None, 3):
            assert ask(there) == ask(here), name
