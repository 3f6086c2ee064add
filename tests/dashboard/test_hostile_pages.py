"""What logs and addresses contain is text and nothing else, and what is not known is said."""

from contextlib import suppress
from pathlib import Path

import duckdb
import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import go, open_app, warnings_of
from tests.kit.dashboard_logs import HANDS, TEXTS
from tests.kit.solved import ANY_TIME
from tests.kit.tiers import is_thorough, some
from tricklog import Filters, hand_list
from tricklog.dashboard.address import urls
from tricklog.dashboard.data.filters import RANGES, ends_of
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import DIMENSIONS, FigureError, dimensions_of, measure

HEADS = {"Overview": "Tricklog", "Replay": "Hand "}
OF_RANGES = tuple(each for name in RANGES for each in ends_of(name))
OWN = {
    "hands": (
        *("at", "player", "since", "min", "all", "figure", "which", "page", "find", "finding"),
        *("from", "sort", "load", *OF_RANGES),
    ),
    "games": ("game", "find", "page"),
    "evenings": ("evening", "season", "view", "of"),
    "explorer": ("metric", "by", "and"),
    "players": ("view", "rank", "group", "with", "trend", "per", "among"),
    "variants": ("metric", "over", "one", "other", "margin-in", "view"),
    "replay": ("hand", "ply"),
    "audit": ("view", "trouble", "page", "load"),
    "bids": ("view",),
    "capture": ("view",),
    "definitions": ("about",),
}
FIGURES = {"bids", "capture", "evenings", "players", "variants"}
"""Paths of pages of figures, which the second tier asks."""
FILTERS = {"at", "player", "since", "min", "all", *OF_RANGES}
PARAMETERS = (
    *(dimension.name for dimension in DIMENSIONS),
    *("at", "since", "until", "min", "all", "figure", "which", "ply", "page", "view", "about"),
    *("metric", "by", "and", "find", "finding", "hand", "rank", "with", "trend", "per", "group"),
    *("over", "trouble", "saved", "from", "game", "log", "sort", "one", "other", "margin-in"),
    *("load", "evening", "season", "of", "whose"),
    *OF_RANGES,
)
VALUES = (
    *(TEXTS[index] for index in (0, 4, 7, 11, 13, 14, 18, 19)),
    *("", "-1", "0", "9" * 400, "1e309", "nan", "१", "2026-02-30", "0000-00-00", "99999-01-01"),
    *("player:", ":", "player:nobody", "nothing:1", "day:yesterday", "bid:9999999999999999999"),
    *("bid:7..", "bid:..", "bid:9..7", "margin:-1..1", "bid:999999999..", "7..", "12"),
    *("seat:-1", "card:' OR 1=1 --", "variant:pedro", "forced:maybe", "%00", "../../etc/passwd"),
)


# --- Addresses
OF_MORE = pytest.mark.thorough("the same parameters, of more figures")


@pytest.mark.parametrize(
    "screen",
    [
        pytest.param(each, marks=[] if each.path in {*OWN} - FIGURES else OF_MORE, id=each.title)
        for each in urls.MENU
    ],
)
def test_no_address_makes_a_page_fail(
    swept: Path, monkeypatch: pytest.MonkeyPatch, screen: urls.Screen
) -> None:
    """All parameters at once, then those that the page reads itself, and at last each alone."""

    def visit(values: dict[str, str]) -> AppTest:
        return go(open_app(swept, monkeypatch), screen.file, **values)

    for turn in some(range(0, len(VALUES), 14), 1):
        app = visit({name: _value(turn + place) for place, name in enumerate(PARAMETERS)})
        shown = [each.proto.body for each in (*app.header, *app.get("html"))]
        assert any(HEADS.get(screen.title, screen.title) in each for each in shown) or app.error
    own = OWN.get(screen.path, ())
    for turn in some(range(len(VALUES)), 1) if own else ():
        # Filters that nothing fits would leave nothing for the others to do.
        chosen = {name: _value(turn + place) for place, name in enumerate(own)}
        visit({name: value for name, value in chosen.items() if name not in FILTERS})
    for place, name in enumerate(own):
        for turn in range(place % 9, len(VALUES) if is_thorough() else 0, 9):
            visit({"player": "bot-bold-1", name: _value(turn)})


def _value(place: int) -> str:
    return VALUES[place % len(VALUES)]


# --- Values of filters
def test_every_value_is_a_value_and_never_sql(swept: Path) -> None:
    with open_facts(swept) as facts:
        before = facts.sql("SELECT count(*) FROM games.hands").fetchall()
        for dimension in some(DIMENSIONS, 8):
            assert hand_list(facts, Filters.of({dimension.name: TEXTS})).height <= before[0][0]
        for metric in some(ANY_TIME, 8):
            filters = Filters.of({each.name: TEXTS[11] for each in dimensions_of(metric)})
            assert measure(facts, metric.name, filters=filters)["n"].sum() == 0
            with pytest.raises(FigureError, match="no dimension"):
                measure(facts, metric.name, filters=Filters.of({TEXTS[11]: "1"}))
        assert facts.sql("SELECT count(*) FROM games.hands").fetchall() == before


def test_hands_of_hostile_players_are_found_by_their_names(swept: Path) -> None:
    with open_facts(swept) as facts:
        for index, name in some([*enumerate(TEXTS)], 5):
            found = hand_list(facts, Filters.of({"player": name}))["hand_id"].to_list()
            assert HANDS[index - 1] in found


# --- Connections
STATEMENTS = (
    *("ATTACH '{other}' AS other", "COPY (SELECT 1) TO '{other}'", "EXPORT DATABASE '{other}'"),
    *("SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM read_text('/etc/passwd')"),
    *("SELECT * FROM '/etc/passwd'", "SELECT * FROM glob('/*')"),
    *("SET enable_external_access = true", "SET lock_configuration = false"),
    *("RESET enable_external_access", "PRAGMA enable_profiling", "INSTALL httpfs", "LOAD httpfs"),
    *("DELETE FROM seat_facts", "DELETE FROM games.hands", "UPDATE seat_facts SET hand_id = 1"),
    *(
        "INSERT INTO games.hands DEFAULT VALUES",
        "DROP TABLE games.hands",
        "CREATE TABLE made (n INTEGER)",
    ),
)


def test_connections_of_the_pages_can_only_read(swept: Path, tmp_path: Path) -> None:
    carried_out = []
    with open_facts(swept) as connection:
        for statement in STATEMENTS:
            with suppress(duckdb.Error):
                connection.cursor().execute(statement.format(other=tmp_path / "other"))
                carried_out.append(statement)
    assert carried_out == []
    assert not list(tmp_path.iterdir())


def test_a_name_that_is_nearly_known_is_offered_once(app: AppTest) -> None:
    offered = "(did you mean “player”?). It is left out."
    assert offered in warnings_of(go(app, urls.BIDS, plyer="ann"))
    assert offered in warnings_of(app.run())
    assert not warnings_of(go(app, urls.HANDS))
