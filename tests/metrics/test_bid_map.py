"""Which bids are made with which holding, counted again in Python from the replays."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from statistics import fmean

import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from hypothesis import given
from hypothesis import strategies as st

import ingest
from ingest.facts.files import open_facts
from ingest.metrics import bid_map, measure
from ingest.metrics.bid_map import FEWEST_AT_END, MOST_GROUPS, BidMap, Group, grouped
from ingest.metrics.filters import Filters
from replay import Replay, Verdict, replay
from schemas.actions import MAX_BID
from tests.kit.log_lines import generated, write_hands
from tests.kit.played_once import played
from tests.kit.recount import seat_rows

PEDRO = Filters.of({"variant": "pedro", "seating": "4 partners"})
SANCHO = Filters.of({"variant": "sancho", "seating": "5 singles"})
HANDS = (*generated("pedro", games=20), *played("sancho", 4, 2, players=5))
REPLAYS = [item for item in map(replay, HANDS) if item.verdict is Verdict.VALID]


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    folder = tmp_path_factory.mktemp("bids")
    ingest.load(write_hands(folder / "log.jsonl", HANDS), db=folder / "db")
    with open_facts(folder / "db") as connection:
        yield connection


def contracts(variant: str, holding: str) -> list[tuple[int, int, bool, float, object]]:
    """Bid, holding, whether it was made, gain and game of each contract that was chosen."""
    return [
        (
            row["bid"],
            row[holding],
            row["result"] == "made",
            _gain(item, row["seat"]),
            item.hand.game,
        )
        for item in REPLAYS
        if item.hand.rules.variant == variant
        for row in seat_rows(item)
        if row["role"] == "maker" and row["result"] in ("made", "set") and not row["forced"]
    ]


def _gain(item: Replay, seat: int) -> float:
    assert item.outcome is not None
    own = item.ruleset.side_of(seat)
    return item.outcome.change[own] - fmean(
        each for side, each in enumerate(item.outcome.change) if side != own
    )


def group_of(groups: tuple[Group, ...], value: int) -> int:
    (found,) = (place for place, each in enumerate(groups) if each.least <= value <= each.most)
    return found


@pytest.mark.parametrize(("variant", "filters"), [("pedro", PEDRO), ("sancho", SANCHO)])
@pytest.mark.parametrize("holding", bid_map.HOLDINGS)
def test_every_contract_is_in_its_cell(
    facts: DuckDBPyConnection, variant: str, filters: Filters, holding: str
) -> None:
    found = map_of(facts, filters, holding)
    due: Counter[tuple[int, int]] = Counter()
    made: Counter[tuple[int, int]] = Counter()
    for bid, held, is_made, _, _ in contracts(variant, holding.replace("-", "_")):
        cell = group_of(found.bids, bid), group_of(found.holdings, held)
        due[cell] += 1
        made[cell] += is_made
    assert {row[:2]: row[2:] for row in found.cells.rows()} == {
        cell: (n, made[cell]) for cell, n in due.items()
    }
    assert len(due) >= 8
    assert found.unknown == 0


def map_of(facts: DuckDBPyConnection, filters: Filters, holding: str) -> BidMap:
    assert holding in ("trumps-held", "points-held")
    return bid_map.bid_map(
        facts, filters, "points-held" if holding == "points-held" else "trumps-held", 5
    )


@pytest.mark.parametrize(("variant", "filters"), [("pedro", PEDRO), ("sancho", SANCHO)])
def test_a_score_is_what_the_makers_got_more_than_the_others(
    facts: DuckDBPyConnection, variant: str, filters: Filters
) -> None:
    found = map_of(facts, filters, "trumps-held")
    gains = defaultdict(list)
    games = defaultdict(set)
    for bid, _, _, gain, game in contracts(variant, "trumps_held"):
        gains[group_of(found.bids, bid)].append(gain)
        games[group_of(found.bids, bid)].add(game)
    rows = {row["bid"]: row for row in found.scores.to_dicts()}
    assert rows.keys() == gains.keys()
    for bid, row in rows.items():
        assert row["n"] == len(gains[bid])
        assert row["games"] == len(games[bid])
        assert row["value"] == pytest.approx(fmean(gains[bid]))
        assert row["enough"] == (row["n"] >= 5 and row["games"] >= bid_map.FEWEST_GAMES)
        if row["enough"]:
            assert row["low"] < row["value"] < row["high"]
            assert not row["named"] or row["low"] > 0 or row["high"] < 0
        else:
            assert (row["low"], row["high"], row["named"]) == (None, None, False)
    if variant == "pedro":
        assert any(row["enough"] for row in rows.values())


def test_forced_contracts_are_left_out_and_counted(facts: DuckDBPyConnection) -> None:
    found = map_of(facts, PEDRO, "trumps-held")
    forced = measure(facts, bid_map.FORCED, (), PEDRO)
    assert found.forced == sum(
        row["role"] == "maker" and bool(row["forced"]) and row["result"] in ("made", "set")
        for item in REPLAYS
        if item.hand.rules.variant == "pedro"
        for row in seat_rows(item)
    )
    assert found.forced == (0 if forced.is_empty() else forced["n"].item())
    chosen = measure(facts, bid_map.METRIC, (), PEDRO)
    assert found.cells.select(pl.sum("n", "made")).row(0) == chosen.select("n", "hits").row(0)
    assert bid_map.tables(facts)["variant"].to_list() == ["pedro", "sancho"]


def test_nothing_comes_of_no_contract(facts: DuckDBPyConnection) -> None:
    found = map_of(facts, PEDRO.also("player", "nobody"), "trumps-held")
    assert (found.bids, found.holdings, found.forced, found.unknown) == ((), (), 0, 0)
    assert found.cells.is_empty()
    assert found.scores.is_empty()


@given(st.lists(st.integers(0, 120) | st.sampled_from([1001, 2030]), max_size=400))
def test_groups_have_every_number_once_and_are_of_one_width(values: list[int]) -> None:
    groups = grouped(values)
    numbers = [each for each in groups if each.most <= MAX_BID]
    assert len(numbers) <= MOST_GROUPS
    assert all(sum(each.least <= value <= each.most for each in groups) == 1 for value in values)
    assert all(before.most + 1 == after.least for before, after in pairwise(numbers))
    assert len({each.most - each.least for each in numbers[1:-1]}) <= 1
    assert [each for each in groups if each.most > MAX_BID] == [
        Group(each, each) for each in sorted({each for each in values if each > MAX_BID})
    ]
    among = [each for each in values if each <= MAX_BID]
    if len(among) >= 2 * FEWEST_AT_END:
        for end in (numbers[0], numbers[-1]):
            assert sum(end.least <= each <= end.most for each in among) >= FEWEST_AT_END


def test_few_bids_stand_for_themselves() -> None:
    assert grouped([7] * 20 + [8] * 30 + [10] * 12) == (
        Group(7, 7),
        Group(8, 8),
        Group(9, 9),
        Group(10, 10),
    )
    assert str(Group(7, 7)) == "7"
    assert str(Group(7, 9)) == "7..9"
