"""One hand that somebody names, against a recount from the records and the weights of the fit."""

from dataclasses import replace

import numpy as np
import pytest

from tests.kit.facts import Facts, facts_in
from tricklog.ingest.metrics import field
from tricklog.ingest.metrics.field import Held, Study, Table
from tricklog.ingest.metrics.field.decisions import Guide
from tricklog.ingest.metrics.field.holdings import features_of
from tricklog.schemas.cards import FIVE, SUITS, mask_of, parse_cards

CLUB = Table("king-pedro", "4 partners")
HELD = Held("AH KH JH 5H 5D 9H 3H 2C 4C 8S 7S 6C", 1, "nobody", 30)
facts = facts_in("season")


@pytest.fixture(scope="module")
def club(facts: Facts) -> Study:
    return field.study(facts, CLUB)


@pytest.fixture(scope="module")
def guide(club: Study) -> Guide:
    found = field.guide_of(club)
    assert found is not None
    return found


def test_a_hand_is_worth_what_its_cards_add_up_to(club: Study, guide: Guide) -> None:
    assert club.judged is not None
    weights = club.judged.weights.mean(axis=0)
    seats, held = club.hands.seats, np.array([mask_of(parse_cards(HELD.cards))])
    by_suit = {}
    for place, suit in enumerate(SUITS):
        counted = features_of(club.judged.features, held, place, off_ranks=1 << FIVE)[0]
        of_cards = float(counted @ weights[seats:])
        by_suit[suit] = float(weights[0] + weights[HELD.from_dealer] + of_cards)
    found = field.given_hand(guide, HELD)
    assert found.suit == max(by_suit, key=lambda suit: by_suit[suit]) == "H"
    assert found.expected == pytest.approx(by_suit["H"])
    assert found.margin == pytest.approx(by_suit["H"] - 30)
    # The example is a hand worth asking for.
    example = guide.example
    assert example is not None
    assert len(example.cards.split(" ")) == guide.packet == 12
    found = field.given_hand(guide, example)
    assert found.decision is not None
    assert found.decision["enough"]
    assert abs(found.margin) < 8
    assert (guide.pack.bit_count(), guide.least) == (52, 30)
    assert guide.holders == ("nobody", "partner", "others")
    assert example.holder in guide.holders


def test_chances_are_those_of_hands_alike(club: Study, guide: Guide) -> None:
    assert club.judged is not None
    contracts = club.judged.contracts
    found = field.given_hand(guide, HELD)
    assert [bid for bid, _ in found.chances] == list(range(30, guide.most + 1))
    spread = np.std(contracts.expected)
    for bid, chance in found.chances:
        made = every = 0.0
        for expected, taken in zip(contracts.expected, contracts.taken, strict=True):
            alike = np.exp(-0.5 * ((found.expected - expected) / (0.7 * spread)) ** 2)
            every += alike
            made += alike * (found.expected + taken >= bid)
        # In steps of a tenth, and between two of the points chances are worked out for.
        assert chance == pytest.approx(made / every, abs=0.06)
        assert chance == round(chance, 1)


@pytest.mark.parametrize(
    "held", [HELD, Held("KH JH 9H 5D 3C 2C 8S 9S 7D TC 6S 4D", 2, "others", 32)]
)
def test_the_decision_is_of_calls_with_such_cards(club: Study, guide: Guide, held: Held) -> None:
    assert club.judged is not None
    calls, hands = club.judged.calls, club.hands
    found = field.given_hand(guide, held)
    below = np.mean(calls.margin <= found.margin)
    assert (found.tenth - 1) / 10 - 0.002 <= below <= found.tenth / 10 + 0.002
    code = {"nobody": 0, "partner": 1, "others": 2}[held.holder]
    low, high = np.quantile(calls.margin, [(found.tenth - 1) / 10, found.tenth / 10])
    seen, rows = set[tuple[int, int]](), []
    for at in range(len(calls.hand)):
        key = (int(calls.hand[at]), int(calls.seat[at]))
        if key in seen:
            continue
        seen.add(key)
        margin = calls.margin[at]
        inside = low <= margin < high or (found.tenth == 10 and margin == high)
        if inside and calls.holder[at] == code:
            game = hands.sitting_game[hands.sitting[key[0]]]
            rows.append((bool(calls.is_bid[at]), float(margin), float(hands.gain[key]), int(game)))
    decision = found.decision
    assert decision is not None
    is_bid, margin, gain, game = (np.array(column) for column in zip(*rows, strict=True))
    assert decision["enough"]
    assert (decision["bids"], decision["passes"]) == (is_bid.sum(), (~is_bid).sum())
    middle = margin - margin.mean()
    for score, flag in (("bid_score", ~is_bid), ("pass_score", is_bid)):
        # With the flag at 0 for those who did so, the level of the line is their score.
        design = np.column_stack([np.ones(len(gain)), flag, middle])
        fitted, *_ = np.linalg.lstsq(design, gain, rcond=None)
        assert decision[score] == pytest.approx(fitted[0], rel=1e-4)
        bread = np.linalg.inv(design.T @ design)
        meat = np.zeros((3, 3))
        for each in set(game.tolist()):
            of_game = design[game == each].T @ (gain - design @ fitted)[game == each]
            meat += np.outer(of_game, of_game)
        games = len(set(game.tolist()))
        error = np.sqrt((bread @ meat @ bread)[0, 0] * games / (games - 1))
        name = score.removesuffix("_score")
        half = (decision[f"{name}_high"] - decision[f"{name}_low"]) / 2
        assert 1.95 < half / error < 2.2
        assert decision[f"{name}_low"] + half == pytest.approx(decision[score])


def test_what_a_table_does_not_have_is_an_error(guide: Guide, facts: Facts) -> None:
    for held, words in (
        (Held("1H", 0, "nobody", 30), "'1H' is not a card"),
        (Held("AH", 4, "nobody", 30), "no place 4"),
        (Held("AH", 0, "both", 30), "'both' is none of"),
        (Held("AH", 0, "nobody", 29), "no bid of 29"),
        (Held("AH", 0, "nobody", guide.most + 1), "no bid of"),
    ):
        with pytest.raises(ValueError, match=words):
            field.given_hand(guide, held)
    # Where nobody decided so there is no decision, and without a field no guide.
    found = field.given_hand(guide, replace(HELD, least=guide.most, holder="nobody"))
    assert found.tenth < 4
    assert found.decision is None
    assert [bid for bid, _ in found.chances] == [guide.most]
    assert field.guide_of(replace(field.study(facts, CLUB), judged=None)) is None
