"""A lake is read as a warehouse of the same logs is, and lets nobody at anything else.

Other programs read it, and every page of the dashboard shows what it shows of a folder.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable
from duckdb import DuckDBPyConnection
from playwright.sync_api import expect
from streamlit.testing.v1 import AppTest

import tricklog
from tests.kit.app_pages import go, open_app, text_of
from tests.kit.browsing import WIDE, chromium, serving, settle
from tests.kit.dashboard_logs import first_hands
from tests.kit.log_lines import write_hands
from tests.kit.solved import ANY_TIME
from tests.kit.stored import SILENT, facts_checksum, rows
from tests.kit.tiers import is_thorough, some
from tests.lake.conftest import Both
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import jobs
from tricklog.dashboard.data.jobs import Request, State
from tricklog.dashboard.pages.import_logs import followed
from tricklog.ingest.lake import commits, reading, tables
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.loading import workers
from tricklog.ingest.metrics import (
    DIMENSIONS,
    METRICS,
    Dimension,
    Grain,
    Metric,
    listings,
    measure,
    measuring,
    query,
)
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.fives import where_lost
from tricklog.ingest.reading.rejects import RejectCode
from tricklog.ingest.sessions import evening, records
from tricklog.ingest.sheets import games, sheet
from tricklog.ingest.sql import table_names
from tricklog.ingest.store import long_texts, quarantine, queries, userdata, warehouse
from tricklog.ingest.store.scopes import EVERYBODY, Scope
from tricklog.ingest.warehouses import load, warehouse_at

MANY = 10_000
WIDER = {"seating_id", "chair"}
"""Columns whose numbers have 64 bits in a lake."""


# --- What is asked
Ask = Callable[[DuckDBPyConnection], object]


def answer(found: object) -> object:
    """Return what was found in a form that is the same in whatever order equals are given."""
    if isinstance(found, pl.DataFrame):
        return found.columns, sorted(map(str, found.iter_rows()))
    if isinstance(found, dict):
        return sorted(found.items())
    if isinstance(found, list):
        return list(map(str, found))
    return str(found)


def figures(metrics: Sequence[Metric] = ANY_TIME) -> Iterator[tuple[str, Ask]]:
    """Give figures by every dimension that they have."""
    for metric in metrics:
        for dimension in (None, *(each for each in DIMENSIONS if metric.grain in each.grains)):
            yield _figure(metric, dimension, EVERYTHING)


def some_figures() -> Iterator[tuple[str, Ask]]:
    """Give every figure once, by each dimension in turn, and by each with filters."""
    turns = {
        grain: itertools.cycle([each for each in DIMENSIONS if grain in each.grains])
        for grain in {metric.grain for metric in ANY_TIME}
    }
    chosen = (Filters.of(each) for each in ({"variant": "pedro"}, {"seat": "1"}))
    filters = itertools.cycle((EVERYTHING, Filters(every_verdict=True), *chosen))
    for metric in ANY_TIME:
        yield _figure(metric, next(turns[metric.grain]), next(filters))
    for dimension in DIMENSIONS:
        for metric in [each for each in ANY_TIME if each.grain in dimension.grains][:1]:
            yield _figure(metric, dimension, next(filters))


def _figure(metric: Metric, dimension: Dimension | None, filters: Filters) -> tuple[str, Ask]:
    # Amounts that mean something else in each variant are not thrown together.
    names = () if dimension is None or dimension.name == "variant" else (dimension.name,)
    by = ("variant", *names)

    def ask(facts: DuckDBPyConnection) -> object:
        frame = measure(facts, metric, by, filters)
        return frame.columns, frame.rows()

    return f"{metric.name} by {by} of {filters}", ask


def lists(here: DuckDBPyConnection) -> Iterator[tuple[str, Ask]]:
    """Give every list and page of figures; ``here`` is asked for names to ask about."""
    for order in listings.Order:
        yield f"hands, {order}", partial(listings.hand_list, order=order, limit=MANY)
    for text in ("pedro", "2", "2015-03", "ann"):
        for ask in (listings.hand_list, games.game_list, listings.finding_list):
            yield f"{ask.__name__} of {text}", partial(ask, text=text, limit=MANY)
    yield "hands of a load", partial(listings.hand_count, load=2)
    yield "hands with a finding", partial(listings.hand_list, code="claim-points")
    yield "findings", partial(listings.finding_list, limit=MANY)
    yield "how many findings", listings.finding_count
    yield "left out", listings.left_out
    yield "games left out", listings.games_left_out
    yield "evenings", evening.evenings
    yield "names", evening.names_of
    yield "pairs", records.pairs
    yield "records", records_in
    for dimension in DIMENSIONS:
        yield f"values of {dimension.name}", partial(listings.values, dimension=dimension)
    for (name,) in here.execute("SELECT name FROM session_names ORDER BY name").fetchall()[::9]:
        yield f"the evening {name}", partial(evening.sessions_named, text=name)


def records_in(facts: DuckDBPyConnection) -> object:
    """Return the records as far as the order of games of a day without times does not say them.

    That is the order of their numbers, which loads give.
    """
    return [
        (each.kind, each.variant, each.value, each.times, each.day)
        for each in records.records(facts)
        if each.kind != "run-made"
    ]


def stored_lists(here: DuckDBPyConnection) -> Iterator[tuple[str, Ask]]:
    """Give every list that asks a snapshot; ``here`` is asked for names to ask about."""
    for (game,) in here.execute("SELECT game FROM games ORDER BY game").fetchall()[::9]:
        yield f"sheets of {game}", partial(sheet.sheets_of, game=game)
    yield "overview", queries.overview
    yield "variants", queries.variants
    yield "players", queries.players
    yield "rejects", quarantine.codes
    yield "rejects of a load", partial(quarantine.codes, load=2)
    yield "quarantine", quarantined
    for view in ("seats", "holdings", "calls", "plays", "tricks", "captures", "call_facts"):
        yield view, partial(rows_in, view=view)


def quarantined(tables: DuckDBPyConnection) -> object:
    """Return all lines in quarantine; what to do about an id that is taken differs in a lake."""
    return [
        replace(each, hint="") if each.code is RejectCode.ID_CONFLICT else each
        for each in quarantine.lines(tables)
    ]


def rows_in(tables: DuckDBPyConnection, view: str) -> object:
    """Return all rows of a table or a view."""
    return tables.cursor().table(view).pl()


# --- What is stored, and what is counted
def test_what_is_stored_is_the_same_and_explained(both: Both) -> None:
    with both.tables() as (there, here):
        assert warehouse.checksum(there) == warehouse.checksum(here)
        for name, ask in some(list(stored_lists(here)), 10):
            assert answer(ask(there)) == answer(ask(here)), name
    assert tricklog.sql(both.lake, SILENT).is_empty()


@pytest.mark.thorough("a server that runs for months, not one command")
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux lists open files")
def test_files_are_closed_when_nobody_reads_them(both: Both) -> None:
    """A page asks for hundreds, and a server lives for weeks."""

    def held() -> list[str]:
        # What is told of a file that another thread closes meanwhile is nothing.
        found = [os.path.realpath(each) for each in Path("/proc/self/fd").iterdir()]
        return [each for each in found if each.endswith(".parquet")]

    before = held()
    with both.tables() as (there, _):
        for _, ask in stored_lists(there):
            ask(there)
    assert held() == before


def test_games_that_went_on_are_there_once(both: Both) -> None:
    """There are some, so that all else here is about them, too."""
    counts = {
        name: sum(file.rows for file in both.opened.files(both.opened.opened(), name))
        for name in ("superseded", "games", "rulesets")
    }
    assert counts["superseded"] > 3
    with both.tables() as (there, _):
        ((games, rulesets),) = there.execute(
            "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM rulesets)"
        ).fetchall()
    assert games == counts["games"] - counts["superseded"]
    assert rulesets < counts["rulesets"]


def test_what_several_loads_brought_is_as_the_first_or_the_least_has_it(tmp_path: Path) -> None:
    lake = Lake(storage_of(tmp_path / "lake"))
    for number, (title, hint) in enumerate((("B", "first"), ("A", "second")), 1):
        alike = {"import_id": number, "file": "log", "byte": 1, "code": "json", "pointer": ""}
        alike |= {"message": "", "hint": hint, "text": b"x"}
        names = {"reject": ["one", f"only {number}"], "line": [9 - number, 1]}
        rejects = pa.table(names | {name: [value] * 2 for name, value in alike.items()})
        rules = {name: ["x"] for name in ("ruleset", "variant", "family", "scored_in", "policies")}
        rulesets = pa.table(
            {**rules, "version": [1], "title": [title], "total_points": [1], "options": ["{}"]}
        )
        with lake.begin(f"load {number}") as begun:
            files = [
                tables.write(lake.storage, "rejects", rejects, number, 0),
                tables.write(lake.storage, "rulesets", rulesets, number, 0),
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


def test_columns_have_the_same_names_and_types(both: Both) -> None:
    with both.facts() as (there, here):
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


def test_figures_are_the_same_to_the_last_digit(both: Both) -> None:
    with both.facts() as (there, here):
        # Tallies are kept of all games of a lake.
        assert there.execute("SELECT tallied FROM facts").fetchall() == [(True,)]
        assert facts_checksum(there) == facts_checksum(here)
    with both.facts() as (there, here):
        for name, ask in some(list(lists(here)), 16):
            assert answer(ask(there)) == answer(ask(here)), name
    with both.facts() as (there, here):
        for name, ask in figures() if is_thorough() else some(list(some_figures()), 15):
            assert ask(there) == ask(here), name


@pytest.mark.thorough("figures are compared in the first tier")
def test_intervals_are_the_same_of_many_games(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "MANY_GAMES", 0)
    monkeypatch.setattr(query, "CLUSTERS", 12)
    monkeypatch.setattr(measuring, "_GAMES_OF_FIELD", 10)
    with both.facts() as (there, here):
        ((player,),) = here.execute(
            "SELECT player FROM seat_facts GROUP BY ALL ORDER BY count(*) DESC, player LIMIT 1"
        ).fetchall()
        of_somebody = Filters.of({"player": player})
        assert query.games_in(here) == query.games_in(there) > 10
        assert where_lost(there).rows() == where_lost(here).rows()
        for metric in some([each for each in METRICS if each.grain in (Grain.SEAT, Grain.CARD)], 3):
            for by, filters in (
                (("variant",), EVERYTHING),
                (("variant", "from-dealer"), of_somebody),
            ):
                found, same = (measure(each, metric, by, filters).rows() for each in (there, here))
                assert same, metric.name
                assert found == same, metric.name


@pytest.mark.thorough("figures and lists are compared in the first tier")
def test_scopes_are_the_same(both: Both) -> None:
    with both.facts() as (_, here):
        players = here.execute(
            "SELECT sitting FROM chairs GROUP BY sitting ORDER BY count(*) DESC, sitting LIMIT 1"
        ).fetchall()[0][0]
    for scope in some([Scope(people=tuple(players)), Scope(variants=("pedro",)), EVERYBODY], 1):
        with both.facts(scope) as (there, here):
            hands = "SELECT count(*) FROM games.hands"
            assert there.execute(hands).fetchall() == here.execute(hands).fetchall() != [(0,)]
            for name, ask in some(list(some_figures()), 8):
                assert ask(there) == ask(here), name


def test_a_hand_is_found_by_its_id(both: Both) -> None:
    with both.tables() as (there, here), both.facts() as (facts, _):
        found = here.execute("SELECT hand_id FROM hands ORDER BY hand_id").fetchall()
        ids = [hand for (hand,) in found]
        assert any(each.startswith("long ") for each in ids)
        for each in [*some(ids, 2), "long 0"]:
            stored = warehouse.hand(here, each)
            assert reading.hand(there, each) == stored
            assert reading.hand(facts, each) == stored
        assert not list(long_texts.lost(there))
        with pytest.raises(LookupError, match="no hand 'nobody'"):
            reading.hand(there, "nobody")


FORBIDDEN = [
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
]


def test_nothing_else_can_be_read_or_written(both: Both) -> None:
    root = both.lake
    file = both.opened.files(both.opened.opened(), "hands")[0].path
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()}
    names = {"root": root, "file": root / "hands" / file, "shown": f"s3://lake/hands/{file}"}
    with both.facts() as (there, _):
        for sql in FORBIDDEN:
            with pytest.raises((duckdb.Error, PermissionError)):
                there.execute(sql.format(**names, db=both.file)).fetchall()
            # It goes on working.
            assert there.execute("SELECT count(*) > 0 FROM games.hands").fetchall() == [(True,)]
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()} == before


# --- Other programs
def test_other_programs_read_what_is_published(both: Both, tmp_path: Path) -> None:
    root = shutil.copytree(both.lake, tmp_path / "lake")
    lake = Lake(storage_of(root))
    first = lake.files(lake.opened(), "hands")[0]
    more = tables.write(lake.storage, "hands", pq.read_table(Path(root, first.name)), 99, 0)
    assert more
    # A load that died has committed to the table.
    head = commits.newest(lake.storage, "hands")
    lake.begin("dead")._commit("hands", head, [more], (), whole=False)
    published = pl.read_delta(f"{root}/snapshots").filter(state="published").sort("number").tail(1)
    versions = json.loads(published["versions"].item())
    hands = DeltaTable(f"{root}/hands", version=versions["hands"]).to_pyarrow_dataset()
    with both.tables() as (there, _):
        stored = sorted(there.execute("SELECT hand_id FROM hands").fetchall())
    by_polars = pl.read_delta(f"{root}/hands", version=versions["hands"], columns=["hand_id"])
    assert sorted(by_polars.rows()) == stored
    assert sorted(zip(hands.to_table(["hand_id"])["hand_id"].to_pylist(), strict=True)) == stored
    assert sorted(duckdb.execute("SELECT hand_id FROM hands").fetchall()) == stored


AS_FAR_AS_TIME_ALLOWS = {urls.LEDGER_PATH, urls.PRACTICE_PATH}
"""Pages that say how far they got in the time they have, which no two visits share."""

FIRST = {"import"}
"""Pages of the first tier; the figures and lists that all of them show are compared apart."""


def everything(app: AppTest) -> list[str]:
    """What a page says and shows: texts, tables and the data of charts."""
    assert not app.exception, app.exception
    shown = [text_of(app)]
    shown += [str(each.value) for each in (*app.error, *app.warning, *app.info)]
    shown += [each.proto.spec for each in app.get("vega_lite_chart")]
    return shown


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=() if page.path in FIRST else pytest.mark.thorough("every page"))
        for page in urls.MENU
        if page.path not in AS_FAR_AS_TIME_ALLOWS
    ],
    ids=lambda page: page.title,
)
def test_every_page_shows_the_same_on_a_lake(
    both: Both, monkeypatch: pytest.MonkeyPatch, page: urls.Screen
) -> None:
    # Logs are followed into a folder alone, so the page Import of a lake has no such part.
    monkeypatch.setattr(followed, "show", lambda: None)
    here, there = (
        everything(go(open_app(db, monkeypatch), page.file)) for db in (both.folder, both.lake)
    )
    assert there == here


@pytest.mark.thorough("every page")
@pytest.mark.parametrize("path", sorted(AS_FAR_AS_TIME_ALLOWS))
def test_pages_that_work_something_out_open_on_a_lake(
    both: Both, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    (page,) = (each for each in urls.MENU if each.path == path)
    assert everything(go(open_app(both.lake, monkeypatch), page.file))


@pytest.mark.thorough("tests/dashboard/test_dashboard has it for a folder")
def test_a_new_snapshot_shows_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db, log = f"lake:{tmp_path / 'lake'}", tmp_path / "log.jsonl"
    shown = open_app(db, monkeypatch).run()
    assert "Look at the samples" in text_of(shown)
    load(write_hands(log, first_hands("pedro", 3)), db=db, on="here")
    assert "3 hands" in text_of(shown.run())


@pytest.mark.thorough("a process; tests/dashboard/test_jobs.py has it for a folder")
def test_a_page_loads_into_a_lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "can_start", lambda: False)
    db, log = f"lake:{tmp_path / 'lake'}", tmp_path / "log.jsonl"
    job = jobs.start(Request(db, path=write_hands(log, first_hands("pedro", 3))))
    assert job.wait(600)
    assert (job.state, job.error) == (State.DONE, "")
    assert (job.result["accepted"], job.result["snapshot"]) == (3, warehouse_at(db).current())


@pytest.mark.thorough("where they lie is proved of lakes in general")
def test_saved_views_and_our_table_are_kept_in_the_folder_of_a_lake(
    both: Both, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = shutil.copytree(both.lake, tmp_path / "lake")
    userdata.save_view(warehouse_at(lake).user_folder(), "Mine", "bids", {})
    userdata.choose_scope(warehouse_at(lake).user_folder(), Scope(variants=("pedro",)))
    app = go(open_app(lake, monkeypatch), urls.OVERVIEW)
    assert "Mine" in text_of(app)
    assert "Pedro" in text_of(app).partition("Our table")[2][:200]


def test_a_damaged_lake_is_said_so(
    both: Both, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = shutil.copytree(both.lake, tmp_path / "lake")
    for file in (lake / "hands").glob("*.parquet"):
        file.unlink()
    app = open_app(lake, monkeypatch).run()
    assert not app.exception
    assert "is damaged" in app.error[0].value


@pytest.mark.browser
@pytest.mark.thorough("a server and a browser; the pages are in the first tier")
def test_a_lake_is_looked_at_and_what_is_loaded_meanwhile_shows(
    both: Both, tmp_path: Path, repository: Path, chromium_path: Path
) -> None:
    lake = shutil.copytree(both.lake, tmp_path / "lake")
    log = write_hands(tmp_path / "log.jsonl", first_hands("sixty-three", 3))
    ((count,),) = rows(lake, "SELECT count(*) FROM hands")
    with (
        serving(Path(f"lake:{lake}"), tmp_path, repository) as address,
        chromium(chromium_path) as browser,
    ):
        page = browser.new_context(viewport=WIDE).new_page()
        page.goto(f"{address}/?whose=everybody")
        settle(page)
        expect(page.get_by_text(re.compile(f"{count} hands in"))).to_be_visible()
        page.goto(f"{address}/hands?whose=everybody")
        settle(page)
        expect(page.locator("table tbody tr").first).to_be_visible()
        load(log, db=lake, on="here")
        page.goto(f"{address}/?whose=everybody")
        settle(page)
        expect(page.get_by_text(re.compile(f"{count + 3} hands in"))).to_be_visible()
