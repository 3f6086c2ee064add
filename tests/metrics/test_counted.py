"""Bids and holdings, margins, and where the fives go: counted again in Python from the replays."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from statistics import fmean
from typing import Any, Literal, get_args

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.facts import Facts
from tests.kit.figures import GAMES, PEOPLE, sound
from tests.kit.recount import card_rows, seat_rows
from tricklog import Filters, Replay
from tricklog.ingest.metrics import METRIC, bid_map, fives, measure
from tricklog.ingest.metrics.bid_map import FEWEST_AT_END, MOST_GROUPS, Group, grouped
from tricklog.ingest.metrics.intervals import FEWEST_GAMES_OF_AMOUNTS
from tricklog.ingest.metrics.measuring import kinds_of_tables
from tricklog.ingest.metrics.standings import standings
from tricklog.schemas.actions import MAX_BID

PEDRO = Filters.of({"variant": "pedro", "seating": "4 partners"})
WHERE = {"pedro": PEDRO, "sancho": Filters.of({"variant": "sancho", "seating": "5 singles"})}
Of = Callable[[str], Facts]
Holding = Literal["trumps-held", "points-held"]


@pytest.fixture(scope="module")
def of(figures: Facts, singles: Facts) -> Of:
    """Return the facts that a variant is among."""
    return lambda variant: singles if variant == "sancho" else figures


def makers(*variants: str) -> list[tuple[Replay, dict[str, Any]]]:
    """Hands of variants with a contract that was played, and the row of its maker."""
    return [
        (item, row)
        for variant in variants
        for item in sound(variant)
        for row in seat_rows(item)
        if row["role"] == "maker" and row["result"] in ("made", "set")
    ]


# --- Bids by holding
def chosen(variant: str) -> list[tuple[Replay, dict[str, Any]]]:
    return [(item, row) for item, row in makers(variant) if not row["forced"]]


def group_of(groups: tuple[Group, ...], value: int) -> int:
    (found,) = (place for place, each in enumerate(groups) if each.least <= value <= each.most)
    return found


@pytest.mark.parametrize("variant", WHERE)
@pytest.mark.parametrize("holding", get_args(Holding))
def test_every_contract_is_in_its_cell(of: Of, variant: str, holding: Holding) -> None:
    found = bid_map.bid_map(of(variant), WHERE[variant], holding, 5)
    due: Counter[tuple[int, int]] = Counter()
    made: Counter[tuple[int, int]] = Counter()
    for _, row in chosen(variant):
        held = row[holding.replace("-", "_")]
        cell = group_of(found.bids, row["bid"]), group_of(found.holdings, held)
        due[cell] += 1
        made[cell] += row["result"] == "made"
    counted = {row[:2]: row[2:] for row in found.cells.rows()}
    assert counted == {cell: (n, made[cell]) for cell, n in due.items()}
    assert len(due) >= 8
    assert found.unknown == 0


@pytest.mark.parametrize("variant", WHERE)
def test_a_score_is_what_the_makers_got_more_than_the_others(of: Of, variant: str) -> None:
    found = bid_map.bid_map(of(variant), WHERE[variant], "trumps-held", 5)
    gains = defaultdict(list)
    games = defaultdict(set)
    for item, row in chosen(variant):
        assert item.outcome is not None
        group, change = group_of(found.bids, row["bid"]), [*item.outcome.change]
        gains[group].append(change.pop(item.ruleset.side_of(row["seat"])) - fmean(change))
        games[group].add(item.hand.game)
    rows = {row["bid"]: row for row in found.scores.to_dicts()}
    assert rows.keys() == gains.keys()
    for bid, row in rows.items():
        assert row["n"] == len(gains[bid])
        assert row["games"] == len(games[bid])
        assert row["value"] == pytest.approx(fmean(gains[bid]))
        assert row["enough"] == (row["n"] >= 5 and row["games"] >= FEWEST_GAMES_OF_AMOUNTS)
        if row["enough"]:
            assert row["low"] < row["value"] < row["high"]
            assert not row["named"] or row["low"] > 0 or row["high"] < 0
        else:
            assert (row["low"], row["high"], row["named"]) == (None, None, False)
    if variant == "pedro":
        assert any(row["enough"] for row in rows.values())


def test_forced_contracts_are_left_out_and_counted(figures: Facts) -> None:
    found = bid_map.bid_map(figures, PEDRO, "trumps-held", 5)
    forced = measure(figures, bid_map.FORCED, (), PEDRO)
    assert found.forced == sum(bool(row["forced"]) for _, row in makers("pedro"))
    assert found.forced == (0 if forced.is_empty() else forced["n"].item())
    whole = measure(figures, bid_map.CHOSEN, (), PEDRO)
    assert found.cells.select(pl.sum("n", "made")).row(0) == whole.select("n", "hits").row(0)
    assert set(kinds_of_tables(figures, METRIC[bid_map.CHOSEN])["variant"]) == set(GAMES)
    assert set(bid_map.margins(figures)["variant"]) == set(GAMES)


def test_nothing_comes_of_nothing(figures: Facts) -> None:
    nothing = PEDRO.also("player", "nobody")
    found = bid_map.bid_map(figures, nothing, "trumps-held", 5)
    assert (found.bids, found.holdings, found.forced, found.unknown) == ((), (), 0, 0)
    for frame in (
        *(found.cells, found.scores, kinds_of_tables(figures, METRIC[fives.KEPT], nothing)),
        *(bid_map.margins(figures, nothing), bid_map.by_one(figures, nothing)),
        *(fives.where_lost(figures, nothing), fives.losers(figures, nothing)),
    ):
        assert frame.is_empty()


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
    alone = tuple(Group(each, each) for each in range(7, 11))
    assert grouped([7] * 20 + [8] * 30 + [10] * 12) == alone
    assert (str(Group(7, 7)), str(Group(7, 9))) == ("7", "7..9")


# --- Margins
@pytest.mark.parametrize("variant", WHERE)
def test_every_contract_is_at_its_margin(of: Of, variant: str) -> None:
    """And set by exactly one is a share of the same contracts."""
    found = bid_map.margins(of(variant), WHERE[variant])
    due = Counter(
        (row["variant"], row["seating"], row["maker_points"] - row["need"], row["result"])
        for _, row in chosen(variant)
    )
    assert {row[:4]: row[4] for row in found.rows()} == due
    assert found["margin"].is_sorted()
    (one,) = bid_map.by_one(of(variant), WHERE[variant], minimum=1).to_dicts()
    assert (one["variant"], one["n"]) == (variant, due.total())
    by_one = {key: count for key, count in due.items() if key[2:] == (-1, "set")}
    assert one["hits"] == sum(by_one.values())
    here = WHERE[variant].also("margin", "-1").also("result", "set")
    told = measure(of(variant), bid_map.CHOSEN, (), here)["n"].sum()
    assert told == one["hits"]
    if variant == "pedro":
        assert 0 < one["low"] < one["value"] < one["high"]


# --- Where the fives go
def fives_of(variant: str) -> list[dict[str, Any]]:
    """The fives that were played in hands with a maker, and what became of each."""
    return [five for item in sound(variant) for five in _fives(item)]


def _fives(item: Replay) -> Iterator[dict[str, Any]]:
    outcome = item.outcome
    if outcome is None or outcome.maker is None:
        return
    names = [each.id for each in item.hand.players]
    sides = [item.ruleset.side_of(seat) for seat in range(len(names))]
    for row in card_rows(item):
        own = sides[row["seat"]]
        if row["point_card"] in ("5", "off five") and row["card_points"] >= 5:
            yield {
                "five": "left" if row["point_card"] == "off five" else "right",
                "holder": row["held_at"],
                "leader": row["led_at"],
                "taker": row["taken_at"],
                "trick": str(row["trick"]),
                "played": {0: "not played", 1: "led"}.get(
                    row["place"], "under" if row["under_trump"] else "over"
                ),
                fives.ALL: fives.ALL,
                fives.LEAD: row["led_by"]
                and ("defenders" if row["led_by"] == "opponents" else "makers"),
                "player": names[row["seat"]],
                "by_whom": row["taker"],
                "against": [name for name, side in zip(names, sides, strict=True) if side != own],
                "side": "makers" if own == sides[outcome.maker] else "defenders",
                "kept": row["kept"],
            }


@pytest.mark.parametrize(("variant", "least"), [("pedro", 100), ("sancho", 10)])
def test_where_the_makers_lose_fives_is_as_counted_again(of: Of, variant: str, least: int) -> None:
    held = [five for five in fives_of(variant) if five["side"] == "makers"]
    due: Counter[tuple[str, str]] = Counter()
    lost: Counter[tuple[str, str]] = Counter()
    for five in held:
        for part in (*fives.PARTS, fives.LEAD, fives.ALL):
            if five[part] is not None:
                due[part, five[part]] += 1
                lost[part, five[part]] += not five["kept"]
        for name in five["against"]:
            due["lost-to", name] += 1
            lost["lost-to", name] += five["by_whom"] == name
        lost["taker", five["taker"]] += not five["kept"]
    due |= Counter({key: len(held) for key, count in lost.items() if key[0] == "taker" and count})
    found = fives.where_lost(of(variant), WHERE[variant])
    counted = {(row["part"], row["of"]): (row["n"], row["hits"]) for row in found.to_dicts()}
    assert counted == {key: (count, lost[key]) for key, count in due.items()}
    assert len(held) >= least
    assert {part for part, _ in counted} >= {*fives.PARTS, *fives.TAKERS, fives.LEAD, fives.ALL}


def test_shares_and_intervals_are_those_of_the_figure(figures: Facts) -> None:
    found = fives.where_lost(figures, PEDRO)
    for name in fives.PARTS:
        figure = measure(figures, fives.LOST, (name,), PEDRO)
        figure = figure.with_columns(pl.col(name).cast(pl.String))
        rows = found.filter(pl.col("part") == name).sort("of")
        assert rows["of"].to_list() == figure[name].sort().to_list()
        for column in ("n", "games", "value", "low", "high", "enough"):
            assert rows[column].to_list() == figure.sort(name)[column].to_list(), column


def test_who_loses_them_in_which_trick_and_to_whom(figures: Facts) -> None:
    found = fives.losers(figures, PEDRO)
    assert found.drop("tricks", "lost", "to", "to_count").equals(
        standings(figures, METRIC[fives.LOST], "player", PEDRO)
    )
    lost = [five for five in fives_of("pedro") if five["side"] == "makers" and not five["kept"]]
    assert {*found["player"]} == {*PEOPLE}
    for row in found.iter_rows(named=True):
        own = [five for five in lost if five["player"] == row["player"]]
        assert row["lost"] == len(own) > 0
        assert {trick: n for trick, n in enumerate(row["tricks"], 1) if n} == Counter(
            int(five["trick"]) for five in own if five["trick"] != "0"
        )
        seats = Counter(five["taker"] for five in own)
        assert row["to_count"] == seats[row["to"]] == max(seats.values())
    # Games without fives are no kind of table.
    found = kinds_of_tables(figures, METRIC[fives.KEPT]).sort("variant")
    assert [row[:2] for row in found.rows()] == [
        (variant, "4 partners") for variant in ("king-pedro", "pedro", "pidro")
    ]
    assert found["n"].to_list() == [len(fives_of(variant)) for variant in found["variant"]]
