"""The page of deals that several tables have played."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import addresses_in, go, open_app, table_of, text_of
from tests.kit.broken_hands import generated
from tests.kit.same_deals import club, write_club
from tricklog.dashboard.address import urls
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading.loading import load
from tricklog.ingest.study.same_deals import shared_deals
from tricklog.ingest.warehouses import open_snapshot

Visit = Callable[..., AppTest]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deals")
    log = write_club(folder / "club.jsonl", *club("pidro", 2, 3), *generated("pedro"))
    load(log, db=folder / "db")
    open_facts(folder / "db").close()
    return folder / "db"


@pytest.fixture(scope="module")
def keys(warehouse: Path) -> list[str]:
    with open_snapshot(warehouse) as snapshot:
        return [each.key for each in shared_deals(snapshot)]


@pytest.fixture
def deals(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> Visit:
    """Open the page by its address, as in a tab of its own."""
    return lambda **asked: go(open_app(warehouse, monkeypatch), urls.SAME_DEAL, **asked)


def test_the_list_leads_to_each_deal(deals: Visit, keys: list[str]) -> None:
    app = deals(whose="everybody")
    assert [row["Deal"] for row in table_of(app, "Deals")] == keys
    assert {row["Tables"] for row in table_of(app, "Deals")} == {"3"}
    assert any(f"deal={keys[0]}" in each for each in addresses_in(app))
    assert len(table_of(app, "With the same cards")) == 6


def test_a_deal_shows_cards_tables_and_scores(deals: Visit, keys: list[str]) -> None:
    app = deals(deal=keys[0])
    assert [row["Seat"] for row in table_of(app, "Cards")] == [
        "Dealer",
        "1 after",
        "2 after",
        "3 after",
    ]
    tables = table_of(app, "Tables")
    assert len(tables) == 3
    assert all(row["Hand"].startswith("pidro-") and row["All cards open"] for row in tables)
    compared = table_of(app, "Compared")
    assert len(compared) == 6
    assert {row["Side"] for row in compared} >= {"t0-0 & t0-2"} or {
        row["Side"] for row in compared
    } >= {"t0-2 & t0-0"}
    assert any("replay?hand=pidro-" in each for each in addresses_in(app))


def test_a_deal_that_is_not_there_is_said_to_be_missing(deals: Visit) -> None:
    app = deals(deal="0123456789abcdef")
    assert "is in this warehouse" in text_of(app)


def test_the_page_of_hands_leads_to_it(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = go(open_app(warehouse, monkeypatch), urls.HANDS)
    assert "Deals played at several tables" in text_of(app)


def test_nobody_says_what_somebody_should_have_done(deals: Visit, keys: list[str]) -> None:
    said = text_of(deals(deal=keys[0])) + text_of(deals(whose="everybody"))
    assert "should have" not in said
    assert "best card" not in said
