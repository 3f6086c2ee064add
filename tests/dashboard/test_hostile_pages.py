"""What logs and addresses contain is never taken for anything but text; without a browser."""

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from duckdb import DuckDBPyConnection
from streamlit.testing.v1 import AppTest

from dashboard import urls
from dashboard.filters import RANGES, ends_of
from ingest.facts.files import open_facts
from ingest.metrics import DIMENSIONS, FigureError, dimensions_of, measure
from ingest.metrics.filters import Filters
from ingest.store.queries import hand_list
from ingest.store.warehouse import open_snapshot
from tests.kit.app_pages import go, open_app
from tests.kit.hostile_logs import HANDS, TEXTS, make_hostile_warehouse
from tests.kit.solved import ANY_TIME

Visit = Callable[[urls.Screen, dict[str, str]], AppTest]
HEADS = {"Overview": "Tricklog", "Replay": "Hand "}
OWN = [
    *(("hands", name) for name in ("at", "player", "since", "min", "all", "figure", "which")),
    *(("hands", name) for name in ("page", "find", "finding", "from", "sort", "load")),
    *(("hands", each) for name in RANGES for each in ends_of(name)),
    *(("games", name) for name in ("game", "find", "page")),
    *(("evenings", name) for name in ("evening", "season", "view", "of")),
    *(("explorer", name) for name in ("metric", "by", "and")),
    *(("players", name) for name in ("view", "rank", "group", "with", "trend", "per", "among")),
    *(("variants", name) for name in ("metric", "over", "one", "other", "margin-in", "view")),
    *(("replay", name) for name in ("hand", "ply")),
    *(("audit", name) for name in ("view", "trouble", "page", "load")),
    *(("bids", "view"), ("capture", "view"), ("definitions", "about")),
]
"""Parameters with the pages that read them."""

PARAMETERS = (
    *(dimension.name for dimension in DIMENSIONS),
    *("at", "since", "until", "min", "all", "figure", "which", "ply", "page", "view", "about"),
    *("metric", "by", "and", "find", "finding", "hand", "rank", "with", "trend", "per", "group"),
    *("over", "trouble", "saved", "from", "game", "log", "sort", "one", "other", "margin-in"),
    *("load", "evening", "season", "of", "whose"),
    *(each for name in RANGES for each in ends_of(name)),
)
"""Every parameter some page reads, and more."""
VALUES = (
    *(TEXTS[index] for index in (0, 4, 7, 11, 13, 14, 18, 19)),
    *("", "-1", "0", "9" * 400, "1e309", "nan", "१", "2026-02-30", "0000-00-00", "99999-01-01"),
    *("player:", ":", "player:nobody", "nothing:1", "day:yesterday", "bid:9999999999999999999"),
    *("bid:7..", "bid:..", "bid:9..7", "margin:-1..1", "bid:999999999..", "7..", "12"),
    *("seat:-1", "card:' OR 1=1 --", "variant:pedro", "forced:maybe", "%00", "../../etc/passwd"),
)


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_hostile_warehouse(tmp_path_factory.mktemp("hostile"))


@pytest.fixture
def visit(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> Visit:
    """Open a page by its address, as in a tab of its own; no exception may come of it."""

    def opened(screen: urls.Screen, parameters: dict[str, str]) -> AppTest:
        return go(open_app(warehouse, monkeypatch), screen.file, **parameters)

    return opened


# --- Addresses


@pytest.mark.parametrize("screen", urls.MENU, ids=[screen.title for screen in urls.MENU])
def test_no_address_makes_a_page_fail(visit: Visit, screen: urls.Screen) -> None:
    for turn in range(0, len(VALUES), 14):
        values = {
            name: VALUES[(turn + place) % len(VALUES)] for place, name in enumerate(PARAMETERS)
        }
        app = visit(screen, values)
        shown = [each.proto.body for each in (*app.header, *app.get("html"))]
        assert any(HEADS.get(screen.title, screen.title) in each for each in shown) or app.error


@pytest.mark.parametrize(("path", "parameter"), OWN)
def test_no_value_of_a_parameter_makes_its_page_fail(
    visit: Visit, path: str, parameter: str
) -> None:
    (screen,) = (each for each in urls.MENU if each.path == path)
    for value in VALUES[OWN.index((path, parameter)) % 9 :: 9]:
        visit(screen, {"player": "bot-bold-1", parameter: value})


# --- Values of filters


def test_every_value_is_a_value_and_never_sql(warehouse: Path) -> None:
    with open_facts(warehouse) as facts:
        before = facts.sql("SELECT count(*) FROM games.hands").fetchall()
        for dimension in DIMENSIONS:
            assert hand_list(facts, Filters.of({dimension.name: TEXTS})).height <= before[0][0]
        for metric in ANY_TIME:
            filters = Filters.of({each.name: TEXTS[11] for each in dimensions_of(metric)})
            assert measure(facts, metric.name, filters=filters)["n"].sum() == 0
            with pytest.raises(FigureError, match="no dimension"):
                measure(facts, metric.name, filters=Filters.of({TEXTS[11]: "1"}))
        assert facts.sql("SELECT count(*) FROM games.hands").fetchall() == before


def test_hands_of_hostile_players_are_found_by_their_names(warehouse: Path) -> None:
    with open_facts(warehouse) as facts:
        for index, name in enumerate(TEXTS):
            found = hand_list(facts, Filters.of({"player": name}))["id"].to_list()
            assert HANDS[index - 1] in found


# --- Connections


@pytest.mark.parametrize("opened", [open_facts, open_snapshot])
@pytest.mark.parametrize(
    "statement",
    [
        "ATTACH '{other}' AS other",
        "COPY (SELECT 1) TO '{other}'",
        "EXPORT DATABASE '{other}'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/*')",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "RESET enable_external_access",
        "PRAGMA enable_profiling",
        "INSTALL httpfs",
        "LOAD httpfs",
        "DELETE FROM {table}",
        "UPDATE {table} SET hand_id = 1",
        "INSERT INTO {table} DEFAULT VALUES",
        "DROP TABLE {table}",
        "CREATE TABLE made (n INTEGER)",
    ],
)
def test_connections_of_the_pages_can_only_read(
    warehouse: Path, tmp_path: Path, opened: Callable[[Path], DuckDBPyConnection], statement: str
) -> None:
    with opened(warehouse) as connection:
        table = "hands" if opened is open_snapshot else "seat_facts"
        with pytest.raises(duckdb.Error):
            connection.cursor().execute(statement.format(other=tmp_path / "other", table=table))
    assert not list(tmp_path.iterdir())
