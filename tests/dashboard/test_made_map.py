"""The part of Bid accuracy that lays bids beside holdings: its sentence, map, table and links."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import addresses_in, check_charts, go, open_app, table_of, text_of
from tricklog.dashboard.address import urls
from tricklog.dashboard.pages.bids import made_map
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import bid_map, measure
from tricklog.ingest.metrics.bid_map import BidMap, Group
from tricklog.ingest.metrics.filters import Filters

HERE = Filters.of({"variant": "pedro", "seating": "4 partners"})


def found(*scores: tuple[int, float, bool, bool]) -> BidMap:
    """A map with the scores of bids: number of the group, value, enough, named."""
    bids = (*(Group(7 + 2 * each, 8 + 2 * each) for each in range(5)), Group(1001, 1001))
    rows: list[dict[str, object]] = [
        {"bid": bid, "n": 40, "games": 20, "value": value, "enough": enough, "named": named}
        | {"low": value - 1 if enough else None, "high": value + 1 if enough else None}
        for bid, value, enough, named in scores
    ]
    return BidMap(bids, (Group(3, 3),), pl.DataFrame(), pl.DataFrame(rows), 0, 0)


def test_the_answer_tells_which_bids_pay_and_which_cannot_be_told() -> None:
    said = made_map.sentence(
        found(
            (0, 3.0, True, True),
            (1, 5.5, True, True),
            (2, 0.4, True, False),
            (3, -4.0, True, True),
            (5, -0.04, True, False),
        ),
        30,
    )
    assert said == (
        "**Bids that pay:** 7–10 (means from +3.0 to +5.5 a contract). "
        "**Bids that cost:** 13–14 (−4.0 a contract, −5.0 to −3.0). "
        "Whether these bids pay is not sure yet, with all bids compared: "
        "11–12 (+0.4 a contract, −0.6 to +1.4), "
        "28-56 (0.0 a contract, −1.0 to +1.0)."
    )


def test_bids_with_another_between_them_are_not_put_together() -> None:
    scores = found((0, 3.0, True, True), (1, 9.0, False, False), (2, 3.0, True, True))
    assert made_map.sentence(scores, 30) == (
        "**Bids that pay:** 7–8 (+3.0 a contract, +2.0 to +4.0), "
        "11–12 (+3.0 a contract, +2.0 to +4.0)."
    )
    few = made_map.sentence(found((0, 3.0, False, False)), 30)
    assert few.startswith("There are too few contracts of any bid")
    assert "it takes 30 in 10 games" in few


def test_the_map_has_all_contracts_of_its_game(club: AppTest, club_warehouse: Path) -> None:
    go(club, urls.BIDS, table="Pedro, 4 partners")
    with open_facts(club_warehouse) as facts:
        (whole,) = measure(facts, bid_map.CHOSEN, (), HERE).iter_rows(named=True)
        by_bid = measure(facts, bid_map.CHOSEN, ("bid",), HERE).select("bid", "n").rows()
    rows = table_of(club, "Contracts made by bid and trumps held")
    assert sum(int(row["contracts"].replace(",", "")) for row in rows) == whole["n"]
    assert all((row["made"] == "too few") == (int(row["contracts"]) < 10) for row in rows)
    for bid in {row["bid"] for row in rows}:
        least, _, most = bid.partition("–")
        within = sum(n for each, n in by_bid if int(least) <= each <= int(most or least))
        assert within == sum(int(row["contracts"]) for row in rows if row["bid"] == bid)
    assert f"{whole['n']:,} contracts" in text_of(club)
    check_charts(club)


def test_the_holding_can_be_points_and_stands_in_the_address(club: AppTest) -> None:
    go(club, urls.BIDS, table="Pedro, 4 partners", holding="points held")
    assert table_of(club, "Contracts made by bid and points held")
    assert not table_of(club, "Contracts made by bid and trumps held")
    assert "does not know" not in text_of(club)


def test_a_holding_that_is_not_known_is_said(club: AppTest) -> None:
    go(club, urls.BIDS, holding="luck")
    assert "The address asks for holding “luck”" in text_of(club)


def test_a_cell_leads_to_its_hands(
    club: AppTest, club_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(club, urls.BIDS, table="Pedro, 4 partners")
    rows = table_of(club, "Contracts made by bid and trumps held")
    linked = [
        parse_qs(urlsplit(each).query)
        for each in addresses_in(club)
        if each.startswith("hands?") and "trumps-held-from" in each
    ]
    assert len(linked) == len(rows)
    assert all(each["role"] == ["maker"] and each["figure"] == ["made-rate"] for each in linked)
    most = max(range(len(rows)), key=lambda place: int(rows[place]["contracts"]))
    arrived = open_app(club_warehouse, monkeypatch)
    go(arrived, urls.HANDS, **linked[most])
    assert f"{rows[most]['contracts']} hands: " in text_of(arrived)


def test_nothing_chosen_is_said(club: AppTest) -> None:
    go(club, urls.BIDS, since="2199-01-01")
    assert "No hand matches in which a maker chose to bid" in text_of(club)


def test_odd_filters_leave_a_page(app: AppTest) -> None:
    for variant in ("Twenty-Nine", "King Pedro", "Finnish Pidro"):
        go(app, urls.BIDS, variant=variant, min="1")
        assert "Contracts made out of 100" in text_of(app)
        assert "too few contracts of any bid" in text_of(app)
