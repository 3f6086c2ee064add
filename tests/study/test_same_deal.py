"""One deal at several tables: recognised by its cards, compared as duplicate clubs compare."""

from collections.abc import Iterator
from dataclasses import replace as with_fields
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from duckdb import DuckDBPyConnection
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.at_table import club, dealt, played
from tests.kit.log_lines import with_revoke
from tests.kit.solved import warehouse
from tests.kit.tiers import some
from tricklog import Hand, Player, RulesRef, generate, open_snapshot, replay, ruleset_of, variants
from tricklog.core.study import open_hand, same_deal
from tricklog.ingest.study import same_deals
from tricklog.ingest.study.same_deals import FEWEST_DEALS
from tricklog.schemas.cards import JOKER, parse_cards

GAMES = ("pedro", "king-pedro", "eighty-three", "sixty-three", "twenty-nine", "bangladesh")
PLAYERS = ["ann", "bo", "cy", "di"]


def key_of(hand: Hand) -> str | None:
    return same_deal.deal_key(hand, ruleset_of(hand))


def shuffled(cards: str, first: int | None = None) -> str:
    """Cards in another order, of which the first ones stay among the first."""
    listed = cards.split()
    middle = len(listed) if first is None else first
    return " ".join([*reversed(listed[:middle]), *reversed(listed[middle:])])


# --- The name of a deal
@pytest.mark.parametrize("variant", variants())
def test_the_name_of_a_deal_is_of_cards_and_places_alone(variant: str) -> None:
    deal = dealt(variant, 1)
    key = key_of(deal)
    assert key is not None
    assert deal.deal is not UNSET
    assert key_of(replace(deal, players=[Player(each) for each in PLAYERS], id="x")) == key
    for by in range(1, 4):
        # Everybody some seats further on, and then the dealer alone.
        other = replace(deal, dealer=(deal.dealt_by + by) % 4)
        assert key_of(replace(other, deal=[*deal.deal[-by:], *deal.deal[:-by]])) == key
        assert key_of(other) != key
    assert key_of(dealt(variant, 2)) != key


@pytest.mark.parametrize("variant", GAMES)
def test_the_order_within_a_packet_says_nothing_unless_it_decides_the_trump(variant: str) -> None:
    deal = dealt(variant, 1)
    rules = ruleset_of(deal).rules(4)
    assert deal.deal is not UNSET
    within = replace(deal, deal=[shuffled(each, rules.packet) for each in deal.deal])
    if rules.seventh_card:
        assert key_of(within) != key_of(deal)
        # Of the first packet it says nothing there either.
        kept = [" ".join([*each.split()[3::-1], *each.split()[4:]]) for each in deal.deal]
        within = replace(deal, deal=kept)
    assert key_of(within) == key_of(deal)
    across = replace(deal, deal=[shuffled(each) for each in deal.deal])
    assert (key_of(across) == key_of(deal)) == (rules.packet == rules.dealt)


def test_the_order_of_the_stock_counts_where_cards_are_drawn_and_nowhere_else() -> None:
    drawn, over = dealt("pedro", 1), dealt("twenty-nine", 1)
    assert drawn.stock is not UNSET
    assert key_of(replace(drawn, stock=shuffled(drawn.stock))) != key_of(drawn)
    assert key_of(replace(drawn, stock=UNSET)) is None
    assert key_of(replace(over, stock=UNSET)) == key_of(over)
    # The same cards under other rules are another deal.
    pedro = dealt("pedro", 1)
    assert key_of(replace(pedro, rules=RulesRef("cinch"))) != key_of(pedro)
    strict = RulesRef("pedro", options={"plain_follow": "follow"})
    assert key_of(replace(pedro, rules=strict)) != key_of(pedro)
    assert key_of(replace(pedro, rules=RulesRef("pedro", 1))) == key_of(pedro)
    # A deal with a card that is not named has no name.
    deal = dealt("pedro", 1)
    assert deal.deal is not UNSET
    assert key_of(replace(deal, deal=["? " + deal.deal[0][3:], *deal.deal[1:]])) is None
    assert key_of(replace(deal, deal=UNSET)) is None


# --- Comparing
def a_table(hand: str, *changes: int) -> same_deal.Table:
    """A table with two sides, or a side for each change."""
    alone = len(changes) > 2
    places = tuple((each,) for each in range(len(changes))) if alone else ((0, 2), (1, 3))
    players = tuple(f"{hand}{place}" for place in range(max(4, len(changes))))
    return same_deal.Table(hand, players, places, 0, 7, 0, "made", 7, changes, changes)


def of_dealers(tables: list[same_deal.Table], *how: same_deal.Against) -> list[same_deal.Compared]:
    found = [each for each in same_deal.compare(tables, *how) if each.side == 0]
    return sorted(found, key=lambda each: each.table)


def test_scores_and_matchpoints_by_hand() -> None:
    tables = [a_table("a", 9, 5), a_table("b", -8, 10), a_table("c", 10, 4), a_table("d", 9, 5)]
    found = of_dealers(tables)
    # Balances of the dealer's sides: 4, -18, 6, 4.
    assert [each.balance for each in found] == [4, -18, 6, 4]
    others = (-18 + 6 + 4, 4 + 6 + 4, 4 - 18 + 4, 4 - 18 + 6)
    due = [own - Fraction(rest, 3) for own, rest in zip((4, -18, 6, 4), others, strict=True)]
    assert [each.score for each in found] == due
    assert [each.matchpoints for each in found] == [Fraction(3, 2), 0, 3, Fraction(3, 2)]
    assert found[2].share == 1
    against = of_dealers(tables, "median")
    assert [each.score for each in against] == [0, -22, 2, 0]
    # One table has nothing to be compared with; players who sit as before have seen the cards.
    assert same_deal.compare(tables[:1]) == []
    again = with_fields(tables[0], hand="e")
    assert same_deal.once_each([*tables[:2], again]) == tables[:2]
    # Where each plays alone a balance is against the mean of the rest.
    assert list(a_table("a", 6, 0, 3, 0).balances) == [5, -3, 1, -3]


@given(
    changes=st.lists(st.tuples(st.integers(-40, 40), st.integers(-40, 40)), min_size=2, max_size=9)
)
def test_scores_sum_to_nothing_and_matchpoints_to_half(changes: list[tuple[int, int]]) -> None:
    tables = [a_table(f"t{number}", *each) for number, each in enumerate(changes)]
    found = same_deal.compare(tables)
    assert len(found) == 2 * len(tables)
    for side in (0, 1):
        own = [each for each in found if each.side == side]
        assert sum(each.score for each in own) == 0
        assert sum(each.matchpoints for each in own) == Fraction(len(tables) * (len(tables) - 1), 2)
    mirrored = {(each.table, each.side): each for each in found}
    for number in range(len(tables)):
        assert mirrored[number, 0].score == -mirrored[number, 1].score
    assert [each.side for each in same_deal.by_side(found)] == sorted(each.side for each in found)


@pytest.mark.parametrize("variant", GAMES)
def test_a_table_is_what_its_replay_says_counted_from_the_dealer(variant: str) -> None:
    hand = played(dealt(variant, 4, dealer=2), "one", PLAYERS, 1)
    replayed, table = replay(hand), same_deal.table_of(replay(hand), solve=True)
    outcome = replayed.outcome
    assert table is not None
    assert outcome is not None
    assert table.players == ("cy", "di", "ann", "bo")
    assert table.side_players(0) == ("cy", "ann")
    assert table.points == outcome.points
    assert table.change == outcome.change
    if outcome.maker is not None:
        assert table.maker == (outcome.maker - 2) % 4
        assert table.par == open_hand(replayed).par


def test_hands_that_are_not_valid_are_not_compared() -> None:
    wrong, _ = with_revoke(list(generate("pedro", games=1, seed=7)))
    assert same_deal.table_of(replay(wrong)) is None


# --- In a warehouse
@cache
def hands() -> list[Hand]:
    """Deals at three tables, one at one table, one that the same players have twice, a revoke."""
    several = [each for name in ("twenty-nine", "king-pedro") for each in club(name, 2, 3)]
    many = list(club("pedro", FEWEST_DEALS, 2))
    alone = played(dealt("pedro", 77), "alone", PLAYERS, 1)
    again = [played(dealt("pedro", 78), f"again-{time}", PLAYERS, time) for time in (1, 2)]
    seats = list(club("sancho", 2, 2, seats=5))
    return [*several, *many, alone, *again, *seats, *generate("pidro", games=1, seed=1)]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    with open_snapshot(warehouse(tmp_path_factory.mktemp("deals"), hands())) as connection:
        yield connection


def test_a_warehouse_names_deals_as_the_replay_does(snapshot: DuckDBPyConnection) -> None:
    keys: dict[str, list[str]] = {}
    for hand in hands():
        keys.setdefault(str(key_of(hand)), []).append(hand.id)
    shared = {key: ids for key, ids in keys.items() if len(ids) > 1 and "again-1" not in ids}
    found = same_deals.shared_deals(snapshot)
    assert {each.key for each in found} == set(shared)
    for each in found:
        assert each.hands == each.tables == len(shared[each.key])
        assert same_deals.hands_of(snapshot, each.key) == sorted(shared[each.key])
    assert [each.tables for each in found] == sorted((each.tables for each in found), reverse=True)
    # A deal of the same players alone is not shared.
    again = str(key_of(next(each for each in hands() if each.id == "again-1")))
    assert again not in {each.key for each in found}
    tables, left = same_deals.tables_of(snapshot, again, solve=False)
    assert [each.hand for each in tables] == ["again-1"]
    assert left == ["again-2"]


@pytest.mark.parametrize("variant", some(["king-pedro", "twenty-nine", "sancho"], 1))
def test_tables_of_a_deal_come_with_their_par(snapshot: DuckDBPyConnection, variant: str) -> None:
    shared = same_deals.shared_deals(snapshot)
    (deal, *_) = (each for each in shared if each.variant == variant)
    tables, left = same_deals.tables_of(snapshot, deal.key)
    assert left == []
    by_id = {each.id: each for each in hands()}
    for table in tables:
        replayed = replay(by_id[table.hand])
        assert replayed.outcome is not None
        if table.maker is not None:
            assert table.par is not None
            par = open_hand(replayed).par
            assert table.par.low <= par.low <= table.par.high
            assert table.par == par or not table.par.is_exact
    hand = by_id[tables[0].hand]
    assert hand.deal is not UNSET
    cards = parse_cards(hand.deal[hand.dealt_by])
    assert JOKER not in cards
    assert same_deals.dealt_in(hand)[0] == sum(1 << card for card in cards)


def test_totals_are_those_of_the_deals_one_by_one(snapshot: DuckDBPyConnection) -> None:
    scores: dict[tuple[str, tuple[str, ...]], list[tuple[Fraction, Fraction]]] = {}
    for deal in same_deals.shared_deals(snapshot):
        tables, _ = same_deals.tables_of(snapshot, deal.key, solve=False)
        for row in same_deal.compare(tables):
            players = tuple(sorted(tables[row.table].side_players(row.side)))
            scores.setdefault((deal.ruleset, players), []).append((row.score, row.share))
    totals = same_deals.pair_totals(snapshot)
    assert {(each.ruleset, each.players) for each in totals} == set(scores)
    for total in totals:
        own = scores[total.ruleset, total.players]
        assert total.deals == len(own)
        assert total.score == pytest.approx(float(sum(score for score, _ in own) / len(own)))
        assert total.share == pytest.approx(float(sum(share for _, share in own) / len(own)))
        # It has an interval from enough deals on.
        if total.deals < FEWEST_DEALS:
            assert total.score_low is total.share_low is None
    enough = [each for each in totals if each.score_low is not None]
    assert len(enough) == 4
    for total in enough:
        assert total.title == "Pedro"
        assert total.score_high is not None
        assert total.score_low is not None
        assert total.score_low < total.score < total.score_high
    # An interval over deals is Student's.
    low, high = same_deals._interval([float(each) for each in range(1, 11)])
    assert low == pytest.approx(5.5 - 2.26216 * 3.02765 / 10**0.5, rel=1e-3)
    assert high == pytest.approx(5.5 + 2.26216 * 3.02765 / 10**0.5, rel=1e-3)
    assert same_deals._interval([1.0, 2.0]) == (None, None)
    assert same_deals._interval([1.0] * 20) == (None, None)


def test_scores_cut_at_the_end_of_a_game_are_counted_whole(tmp_path: Path) -> None:
    """At five all in Twenty-Nine a doubled contract is worth one game point, not two."""
    deal = dealt("twenty-nine", 9)
    hands = [
        played(deal, f"cut-{table}", [f"{each}{table}" for each in PLAYERS], table)
        for table in range(2)
    ]
    before = ([0, 0], [5, 5])
    scored = zip(hands, before, strict=True)
    hands = [replace(each, scores=at, claimed=UNSET) for each, at in scored]
    with open_snapshot(warehouse(tmp_path, hands)) as snapshot:
        totals = {each.players: each.score for each in same_deals.pair_totals(snapshot)}
    plain = [same_deal.table_of(replay(replace(each, scores=UNSET))) for each in hands]
    assert None not in plain
    tables = [each for each in plain if each]
    assert totals == {
        tuple(sorted(tables[row.table].side_players(row.side))): float(row.score)
        for row in same_deal.compare(tables)
    }
