"""The arithmetic behind the field: fits, holdings, intervals, against plain references."""

import json
import math
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from tests.kit.solved import warehouse
from tests.kit.sound_hands import sound
from tests.kit.tiers import some
from tricklog import decode_hand, encode_hand, ruleset_of
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics.field import Table, holdings, tables
from tricklog.ingest.metrics.field.decisions import chances_of
from tricklog.ingest.metrics.field.holdings import NOT_KNOWN, feature_tables, features_of, worth
from tricklog.ingest.metrics.field.judging import Contracts, Sums, rates_of
from tricklog.ingest.metrics.field.reading import FOLDS, Hands, read_hands
from tricklog.ingest.metrics.filters import EVERYTHING
from tricklog.ingest.metrics.intervals import Scale, by_game, interval, pooled, variances
from tricklog.schemas.cards import FIVE, JACK, RANK_COUNT, mask_of, parse_cards

Numbers = NDArray[np.float64]
PLAYERS = 6
OFF_FIVE, OFF_JACK = 1 << FIVE, 1 << JACK


def plain_fit(x: Numbers, y: Numbers, who: NDArray[np.int64], around: Numbers) -> Numbers:
    """Least squares with a row for each penalty, and a column for everybody."""
    own = np.eye(PLAYERS)[who]
    whole = np.column_stack([x, around, own])
    ridge = np.concatenate(
        [[0.0], x[:, 1:].var(axis=0), np.full(around.shape[1], 8.0), np.full(PLAYERS, 0.5)]
    )
    stacked = np.vstack([whole, np.diag(np.sqrt(ridge))])
    found, *_ = np.linalg.lstsq(stacked, np.concatenate([y, np.zeros(len(ridge))]), rcond=None)
    return np.asarray(found[: x.shape[1]])


@pytest.mark.parametrize("around", [0, PLAYERS])
def test_the_fit_is_that_of_plain_least_squares(around: int) -> None:
    chance = np.random.default_rng(7)
    n = 400
    who = chance.integers(0, PLAYERS, n)
    x = np.column_stack([np.ones(n), chance.normal(size=(n, 3)) * [1.0, 5.0, 0.2]])
    others = (chance.random((n, around)) < 0.3).astype(float)
    y = x @ [3.0, 1.0, -0.5, 4.0] + who + chance.normal(size=n)
    fold = chance.integers(0, FOLDS, n)
    sums = Sums(columns=5, around=around, players=PLAYERS)
    rows = np.column_stack([x, y, others])
    for part in np.array_split(np.arange(n), 7):
        sums.add(rows[part], who[part], fold[part])
    found = sums.fit(4, np.arange(4))
    for number in range(FOLDS):
        seen = fold != number
        expected = plain_fit(x[seen], y[seen], who[seen], others[seen])
        np.testing.assert_allclose(found[number], expected, rtol=1e-7)


def test_a_column_that_says_nothing_changes_nothing() -> None:
    chance = np.random.default_rng(1)
    n = 200
    x = np.column_stack([np.ones(n), chance.normal(size=n), np.zeros(n), np.full(n, 4.0)])
    y = 2 + 3 * x[:, 1] + chance.normal(size=n)
    who, fold = chance.integers(0, PLAYERS, n), chance.integers(0, FOLDS, n)
    fits = []
    for columns in ([0, 1], [0, 1, 2, 3]):
        sums = Sums(columns=len(columns) + 1, around=0, players=PLAYERS)
        sums.add(np.column_stack([x[:, columns], y]), who, fold)
        fits.append(sums.fit(len(columns), np.arange(len(columns))))
    np.testing.assert_allclose(fits[1][:, 1], fits[0][:, 1], rtol=1e-6)
    np.testing.assert_allclose(fits[1][:, 2], 0, atol=1e-9)
    # Somebody who bids two more on good cards, and holds them more often, teaches nobody that.
    chance = np.random.default_rng(2)
    n = 3000
    who = chance.integers(0, 2, n)
    cards = chance.normal(size=n) + who
    y = cards + 2 * who + chance.normal(size=n) * 0.1
    sums = Sums(columns=3, around=0, players=2)
    sums.add(np.column_stack([np.ones(n), cards, y]), who, chance.integers(0, FOLDS, n))
    np.testing.assert_allclose(sums.fit(2, np.arange(2))[:, 1], 1.0, atol=0.02)


# --- Holdings
def coded(*seats: str) -> str:
    """Seats as the warehouse writes them; ``?`` and ``*`` come right before the first card."""
    signs = {"?": "/", "*": "."}
    codes = (
        "".join(signs.get(card) or chr(48 + parse_cards(card)[0]) for card in seat.split())
        for seat in seats
    )
    return " ".join(codes) + ","


def test_holdings_with_a_card_that_is_not_named_are_not_known() -> None:
    deals = [
        *(coded(own, other) for own, other in (("AS KS 2C", "3D 4D 5D"), ("AS ? 2C", "3D 4D 5D"))),
        coded("AS KS", "3D 4D *"),
        "-,",
        coded("", "JO 4D 5D"),
        coded("AS KS 2C", "3D 4D 5D", "6D 7D 8D"),
        coded("AS KS 2C ?", "3D 4D 5D 6D"),
    ]
    held = holdings.read_holdings(pa.chunked_array([deals[:3], deals[3:]]), seats=2, packet=3)
    ann, bo = mask_of(parse_cards("AS KS 2C")), mask_of(parse_cards("3D 4D 5D"))
    joker = mask_of(parse_cards("JO 4D 5D"))
    no = NOT_KNOWN
    rows = [[ann, bo], [no, bo], [no, no], [no, no], [no, joker], [no, no], [ann, bo]]
    assert held.tolist() == rows
    none = holdings.read_holdings(pa.chunked_array([], pa.string()), seats=4, packet=9)
    assert none.shape == (0, 4)


FREE_CALLS = """
    SELECT hand_no, seat, verb <> 'pass', standing_of, lowest
    FROM games.call_facts JOIN games.hands USING (hand_id)
    WHERE had_choice AND lowest IS NOT NULL AND verb <> 'tenny' AND standing_of <> 'own'
"""


def calls_of(hands: Hands) -> set[tuple[Any, ...]]:
    """Free calls as the view has them, but for their numbers."""
    calls = hands.calls
    found = set()
    for hand, seat, is_bid, over, lowest in zip(
        calls.hand, calls.seat, calls.is_bid, calls.over, calls.lowest, strict=True
    ):
        same = hands.side[hand, over] == hands.side[hand, seat]
        holder = "none" if over < 0 else "partner" if same else "opponents"
        found.add((int(hands.hand[hand]), int(seat), bool(is_bid), holder, int(lowest)))
    return found


def test_holdings_calls_and_seats_are_read_in_every_game(repository: Path, tmp_path: Path) -> None:
    """At four to seven seats, in both families, with cards not recorded, and the off jack (O88)."""
    logs = some(sorted((repository / "sample_logs" / "valid").glob("*/*.jsonl")), 14)
    found = [json.loads(line) for path in logs for line in path.read_bytes().splitlines()[:3]]
    found.append(json.loads(encode_hand(sound("pitch-with-fives-O88"))))
    db = warehouse(tmp_path, [decode_hand(json.dumps(each)) for each in found])
    records = {each["id"]: each for each in found}
    known, off_ranks = set(), set()
    with open_facts(db) as connection:
        ids = dict(connection.sql("SELECT hand_no, hand_id FROM games.hands").fetchall())
        listed = set(connection.sql(FREE_CALLS).fetchall())
        query = "SELECT hand_no, seat, from_dealer FROM seat_facts"
        places_of_seats = set(connection.sql(query).fetchall())
        for row in tables(connection).to_dicts():
            hands = read_hands(connection, Table(row["variant"], row["seating"]), EVERYTHING)
            assert hands.seats == int(row["seating"][0])
            of_table = {int(number) for number in hands.hand}
            assert calls_of(hands) == {each for each in listed if each[0] in of_table}
            assert {
                (int(number), seat, int(place))
                for number, places in zip(hands.hand, hands.from_dealer, strict=True)
                for seat, place in enumerate(places)
            } == {each for each in places_of_seats if each[0] in of_table}
            for place, number in enumerate(hands.hand):
                record = records[ids[int(number)]]
                hand = decode_hand(json.dumps(record))
                rules = ruleset_of(hand).rules(len(hand.players))
                # With spades as trumps: the clubs that are trumps, too.
                clubs = rules.trump_cards[0] >> 3 * RANK_COUNT & (1 << RANK_COUNT) - 1
                assert hands.off_ranks[place] == clubs
                off_ranks.add(clubs)
                for seat in range(hands.seats):
                    cards = record["deal"][seat].split(" ")[: rules.packet]
                    if {"?", "*", ""} & set(cards):
                        assert hands.held[place, seat] == -1
                        continue
                    expected = mask_of(parse_cards(" ".join(cards)))
                    assert hands.held[place, seat] == expected, (record["id"], seat)
                    known.add(hands.table)
    assert len({each.variant for each in known}) > 6
    assert len({each.seating for each in known}) > 1
    assert off_ranks == {0, OFF_FIVE, OFF_JACK}


def test_the_features_of_a_holding() -> None:
    features = feature_tables("pedro", many=True)
    held = np.array([mask_of(parse_cards("AH JH 5H 5D 2H 9H KS 3C AC"))])
    found = features_of(features, held, 1, off_ranks=OFF_FIVE)[0]
    hearts = dict(zip(features.names, found, strict=True))
    assert {name for name, value in hearts.items() if value} == {
        *("trumps", "trumps over 4", "A of trumps", "J of trumps", "5 of trumps", "off five"),
        *("2 of trumps", "9 of trumps", "plain K", "plain A", "suits without a card"),
    }
    assert (hearts["trumps"], hearts["trumps over 4"], hearts["trumps over 6"]) == (6, 2, 0)
    assert hearts["suits without a card"] == 1
    without = dict(zip(features.names, features_of(features, held, 1, off_ranks=0)[0], strict=True))
    assert (without["trumps"], without["off five"], without["suits without a card"]) == (5, 0, 0)
    with_jack = np.array([mask_of(parse_cards("AH JD JS"))])
    found = features_of(features, with_jack, 1, off_ranks=OFF_FIVE | OFF_JACK)[0]
    assert {name for name, value in zip(features.names, found, strict=True) if value} == {
        *("trumps", "A of trumps", "off jack", "suits without a card")
    }
    # Twenty-Nine counts the points outside trumps.
    features = feature_tables("twenty-nine", many=False)
    held = np.array([mask_of(parse_cards("JS 9S JH TD"))])
    spades = dict(zip(features.names, features_of(features, held, 0, off_ranks=0)[0], strict=True))
    assert {name for name, value in spades.items() if value} == {
        *("trumps", "J of trumps", "9 of trumps", "plain J", "plain T", "suits without a card")
    }


def test_what_a_holding_is_worth_follows_from_its_features() -> None:
    chance = random.Random(5)
    features = feature_tables("pedro", many=True)
    weights = np.random.default_rng(5).normal(size=len(features.names))
    held = np.array([mask_of(chance.sample(range(53), 9)) for _ in range(50)])
    for off_ranks in (0, OFF_FIVE, OFF_FIVE | OFF_JACK):
        found = worth(features, weights, held, off_ranks=off_ranks)
        for suit in range(4):
            found_features = features_of(features, held, suit, off_ranks=off_ranks)
            np.testing.assert_allclose(found[:, suit], found_features @ weights)


# --- Intervals
def test_means_mix_the_own_spread_with_that_of_all() -> None:
    chance = random.Random(3)
    rows = [
        (who, game, chance.gauss(who, 1 + game % 2))
        for who in range(3)
        for game in range(4 + who * 5)
        for _ in range(1 + (game + who) % 3)
    ]
    who, game = (np.array([row[place] for row in rows]) for place in (0, 1))
    sums = by_game(who, game, np.array([row[2] for row in rows])).sums(4)
    variance_of, freedom = variances(sums, np.full(4, pooled(sums)))
    games: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for player, number, value in rows:
        games[player][number].append(value)
    spreads, sizes, means = {}, {}, {}
    for player, own in games.items():
        sizes[player] = [len(values) for values in own.values()]
        means[player] = sum(map(sum, own.values())) / sum(sizes[player])
        off = [sum(value - means[player] for value in values) for values in own.values()]
        spreads[player] = sum(each**2 for each in off) * len(own) / (len(own) - 1)
    scatter = sum(spreads.values()) / sum(map(sum, sizes.values()))
    assert pooled(sums) == pytest.approx(scatter)
    for player, own_sizes in sizes.items():
        w = sum(own_sizes)
        d = w**2 / sum(each**2 for each in own_sizes) - 1
        variance = (d * spreads[player] + 4 * scatter * w) / (d + 4) / w**2
        assert sums.ratio[player] == pytest.approx(means[player])
        assert variance_of[player] == pytest.approx(variance)
        assert freedom[player] == pytest.approx((d + 4) ** 2 / d)
    assert sums.w.tolist() == [sum(each) for each in sizes.values()] + [0]
    assert math.isnan(sums.ratio[3])


def test_a_share_without_games_that_tell_has_wilsons_interval() -> None:
    one_game = np.zeros(20, dtype=np.int64)
    sums = by_game(one_game, one_game, np.array([1.0] * 5 + [0.0] * 15)).sums(1)
    low, high = interval(sums, np.zeros(1), Scale.SHARE)
    assert [low[0], high[0]] == pytest.approx([0.1119, 0.4687], abs=1e-4)


# --- Rates and chances
def test_a_rate_is_that_of_the_other_folds() -> None:
    cell = np.array([0] * 8 + [1] * 4)
    fold = np.array([0, 0, 1, 1, 1, 1, 2, 2, 0, 0, 0, 0])
    is_bid = np.array([1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1], dtype=bool)
    rates = rates_of(cell, is_bid, fold)
    whole = 8 / 12
    np.testing.assert_allclose(rates[:2], (2 + whole) / 7)
    np.testing.assert_allclose(rates[2:6], (3 + whole) / 5)
    np.testing.assert_allclose(rates[8:], whole)


def test_chances_are_shares_of_like_hands() -> None:
    chance = np.random.default_rng(4)
    n = 4000
    expected = chance.normal(20, 4, n)
    fold = chance.integers(0, FOLDS, n)
    nothing = np.zeros(n)
    contracts = Contracts(
        *(np.arange(n), np.arange(n), np.ones(n, dtype=bool), expected),
        *(chance.normal(0, 3, n), nothing, nothing),
    )
    chances = chances_of(contracts, fold, range(10, 31))
    bids = np.arange(15, 26)
    found = chances.chance(np.full(len(bids), 20.0), bids)
    normal = [0.5 * math.erfc((bid - 20) / 3 / math.sqrt(2)) for bid in bids]
    np.testing.assert_allclose(found, normal, atol=0.04)
    moved = contracts.taken + np.where(fold == 0, 100, 0)
    parts = (contracts.hand, contracts.place, contracts.chosen, expected, moved, nothing, nothing)
    other = chances_of(Contracts(*parts), fold, range(10, 31))
    np.testing.assert_allclose(other.of_folds[0], chances.of_folds[0], atol=1e-12)
    assert (other.of_folds[1] >= chances.of_folds[1] - 1e-9).all()
    assert other.of_folds[1].sum() > chances.of_folds[1].sum()
