"""Rulings that no case shows: what costs nothing, what is no action, counting, whole hands."""

import random
from collections.abc import Sequence

import duckdb
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit import support
from tests.kit.coded import trick_code
from tests.kit.random_play import dealt_hand, random_hand
from tests.kit.sound_hands import FAMILY, SOUND, instead, twenty_nine, up_to
from tests.kit.support import Options
from tricklog import Outcome, Replay, Trick, Verdict, load_variant, replay
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Doubling
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import hand_count
from tricklog.core.judging import result_claims
from tricklog.core.judging.setup import first_state
from tricklog.core.rulesets.policy_table import POLICIES, Choice
from tricklog.ingest.sql import sql_text
from tricklog.schemas import codes
from tricklog.schemas.actions import VERB_NAMES, ActionError, Verb, parse_action
from tricklog.schemas.cards import RANKS, cards_in, parse_card


# --- The deal, the calls
def test_s23_in_which_packets_the_cards_came_is_not_judged() -> None:
    hand = dealt_hand("nicaragua", random.Random(1))
    ruleset = load_variant("nicaragua")
    before = first_state(hand, ruleset, [])[0]
    turned = [" ".join(reversed(cards.split(" "))) for cards in hand.deal or ()]
    assert first_state(replace(hand, deal=turned), ruleset, [])[0] == before
    assert [hand_count(before, seat) for seat in range(4)] == [7] * 4


@pytest.mark.parametrize(("variant", "joker"), [("sancho", 0), ("snoozer", 1)])
def test_o24_s50_the_whole_pack_is_dealt_in_equal_hands(variant: str, joker: int) -> None:
    for seats, each, left in ((4, 13, 0), (5, 10, 2), (6, 8, 4), (7, 7, 3)):
        rules = support.rules_of(variant, {"deal": "whole-pack"}, seats=seats)
        assert (rules.dealt, rules.hand_size, rules.packet) == (each, each, each)
        assert rules.pack_size - seats * rules.dealt == left + joker
        six = load_variant(variant).rules(seats)
        assert (six.dealt, six.hand_size) == (6, 6)


@pytest.mark.parametrize(
    "bid", ["0", "-1", "7.5", "7,5", "½", "07", "7.0", "", "x", "-7", "28-57", "1000"]
)
def test_s06_a_bid_is_a_whole_number_of_at_least_one(bid: str) -> None:
    assert parse_action("0 bid 1").amount == 1
    with pytest.raises(ActionError, match="whole number from 1"):
        parse_action(f"0 bid {bid}")


@pytest.mark.parametrize("card", ["2S", "5S", "3H", "4D"])
def test_c25_of_the_hidden_card_only_the_suit_is_recorded(card: str) -> None:
    with pytest.raises(ActionError, match="name one trump"):
        parse_action(f"0 trump {card}")
    assert parse_action(f"0 trump {card[1]}").amount == "SHDC".index(card[1])


def test_c27_the_third_step_of_doubling_is_super_and_has_one_name() -> None:
    policy = POLICIES["doubling"]
    assert isinstance(policy, Choice)
    assert policy.names() == ["none", "double", "redouble", "super"]
    assert max(Doubling) is Doubling.SUPER
    assert VERB_NAMES[Verb.SUPER] == "super"
    with pytest.raises(ActionError, match="'set' is not a verb"):
        parse_action("1 set")


# --- The play
def test_c03_how_the_buried_cards_lie_changes_nothing() -> None:
    rules = support.rules_of("pedro")
    ends = []
    for pile in ("9S 3S", "3S 9S"):
        state = support.play_table(rules, "S", {0: "AS KS JS TS 9S 5S 3S 2S"}, size=rules.hand_size)
        for text in (f"0 bury {pile}", "0 play AS"):
            assert support.do(state, rules, text) == []
        ends.append(state)
    assert ends[0] == ends[1]
    assert [name for name in VERB_NAMES.values() if name.startswith("bury")] == ["bury"]


def test_s08_it_is_offered_just_where_it_is_judged_legal() -> None:
    hand = instead(replace(twenty_nine(), claimed=UNSET), "0 bid 16", "0 bid 24")
    rules = replace(hand.rules, options={"early_end": "when-decided"})
    replayed = replay(replace(up_to(hand, "3 play AS"), rules=rules))
    found = set()
    for index in range(len(replayed) + 1):
        state = replayed.state_at(index)
        for seat in range(4):
            offered = engine.legal(state, replayed.rules, seat).verbs
            for word, verb in (("decided", Verb.DECIDED), ("concede", Verb.CONCEDE)):
                judged = support.judged(state, replayed.rules, f"{seat} {word}")
                assert (judged == []) == bool(offered >> verb & 1), (index, seat, word)
                found.add(judged == [])
    assert found == {True, False}


def test_0_record_the_code_of_a_trick_that_nobody_is_known_to_have_won_has_no_seat() -> None:
    assert trick_code(-1, 4, 0) & 7 == codes.UNKNOWN_WINNER
    views = sql_text("tricklog.ingest.store", "warehouse_views.sql")
    with duckdb.connect() as connection:
        connection.execute(views[views.index("CREATE MACRO trick_winner") :].split(";")[0])
        for code, winner in ((trick_code(-1, 4, 0), None), (trick_code(3, 4, 2), 3)):
            found = connection.execute("SELECT trick_winner($1::INTEGER)", [code]).fetchone()
            assert found == (winner,)


# --- High and low: ace and two, or the highest and the lowest trump in play
@pytest.mark.parametrize(
    ("trick", "rest", "fixed", "in_play", "holder"),
    [
        # King and three stand in for ace and two.
        ("KS 3S QS 7H", "9H 8H 6H 4H", [0, 0], [2, 0], [1, 1]),
        ("QS 3S KS 7H", "9H 8H 6H 4H", [0, 0], [2, 0], [1, 1]),
        ("QS KS 3S 7H", "9H 8H 6H 4H", [0, 0], [0, 2], [1, 1]),
        # Ace and two are what they always are, and nothing else is beside them.
        ("KS 3S QS 7H", "AS 2S 6H 4H", [0, 0], [0, 0], [0, 0]),
        ("AS 3S QS 2S", "9H 8H KS 4H", [2, 0], [2, 0], [1, 1]),
        # The ace is in play and the two is not.
        ("AS 3S QS 7H", "9H 8H 6H 4H", [1, 0], [2, 0], [1, 1]),
        # A card may score by itself as well: jack and high, five and low.
        ("JS TS 5S 7H", "9H 8H 6H 4H", [7, 0], [9, 0], [9, 0]),
        # The only trump in play is high and low at once.
        ("9S 8H 6H 4H", "9H 7H QH TH", [0, 0], [2, 0], [2, 0]),
        # Low that is held back counts from the beginning.
        ("KS TS 5S 7H", "9H 3S 6H 4H", [6, 0], [7, 0], [7, 1]),
        # Without a trump there is neither.
        ("9H 8H 6H 4H", "KH 7H QH TH", [0, 0], [0, 0], [0, 0]),
    ],
)
def test_c15_o85_high_and_low_are_fixed_cards_or_what_is_in_play(
    trick: str, rest: str, fixed: list[int], in_play: list[int], holder: list[int]
) -> None:
    plays, others = trick.split(), rest.split()
    hands = {seat: f"{plays[seat]} {others[seat]}" for seat in range(4)}
    ways: list[tuple[Options, list[int]]] = [
        ({"low_to": "winner"}, fixed),
        ({"low_to": "winner", "high_low": "in-play"}, in_play),
        ({"low_to": "holder", "high_low": "in-play"}, holder),
    ]
    for options, points in ways:
        rules = support.rules_of("pitch-with-fives", options)
        state = support.play_table(rules, "S", hands)
        for seat, card in enumerate(plays):
            assert support.do(state, rules, f"{seat} play {card}") == []
        assert state.points[:2] == points, options


def test_c15_the_cards_are_named_when_play_begins() -> None:
    rules = support.rules_of("pitch-with-fives", {"low_to": "winner", "high_low": "in-play"})
    state = support.play_table(rules, "H", {0: "KH 4S", 1: "QH 4D", 2: "3S 2S", 3: "4H AS"})
    assert (state.high_stand_in, state.low_stand_in) == (parse_card("KH"), parse_card("4H"))


# --- Counting
@pytest.mark.parametrize(
    ("card", "count"),
    [("TH", 10), ("AD", 4), ("KC", 3), ("QS", 2), ("JH", 1), ("9H", 0), ("2C", 0), ("JO", 0)],
)
def test_c15_what_a_card_adds_to_the_count_called_game(card: str, count: int) -> None:
    assert scoring.game_count(parse_card(card)) == count


def test_c15_of_many_sides_only_one_that_is_ahead_of_all_gets_it() -> None:
    rules = support.rules_of("sancho", seats=5)
    assert scoring.ahead_in_count(rules, [3, 9, 4, 9, 0]) == scoring.NO_SIDE
    assert scoring.ahead_in_count(rules, [3, 9, 4, 10, 0]) == 3
    assert scoring.ahead_in_count(rules, [9, 9, 4, 10, 0]) == 3
    assert scoring.ahead_in_count(rules, [0, 0, 0, 0, 0]) == scoring.NO_SIDE


def outcome_of(replayed: Replay) -> Outcome:
    assert replayed.outcome is not None
    return replayed.outcome


def counted_out(replayed: Replay, before: Sequence[int]) -> tuple[list[int], int | None]:
    """Count a hand of Pedro Sancho out by its captures, as people at the table would."""
    outcome, scores = outcome_of(replayed), list(before)
    loser = outcome.maker if outcome.result == "set" else None
    if loser is not None and outcome.bid is not None:
        scores[loser] -= outcome.bid
    owners = {RANKS[capture.card % 13]: capture.side for capture in replayed.captures}
    for rank, points in (("A", 1), ("2", 1), ("J", 1), ("T", 1), ("5", 5), ("9", 9)):
        if rank in owners and owners[rank] != loser:
            scores[owners[rank]] += points
            if scores[owners[rank]] >= 100:
                return scores, owners[rank]
    return scores, None


def test_s47_random_hands_are_counted_out_as_at_the_table() -> None:
    chance = random.Random(47)
    winners = set()
    for _ in range(60):
        hand = random_hand("sancho", chance)
        scores = [chance.randint(85, 99) for _ in hand.players]
        replayed = replay(replace(hand, scores=scores))
        outcome = outcome_of(replayed)
        expected, winner = counted_out(replayed, scores)
        assert (outcome.scores, outcome.winner_side) == (tuple(expected), winner)
        winners.add(winner)
    assert winners > {None, 0, 1, 2, 3}


# --- A trick that was given to the wrong seat
def trick_of(number: int, cards: str, winner: int) -> Trick:
    plays = tuple((seat, parse_card(card)) for seat, card in enumerate(cards.split()))
    return Trick(number, 0, plays, 0, winner=winner, points=1, first_action=0, last_action=3)


def test_s90_it_changes_the_result_of_a_hand_alone() -> None:
    rules = support.rules_of("lucknow")
    state = State(maker=1, high_bid=20, solo=2, doubles=1, trump=0)
    state.tricks_won[:4] = [0, 1, 7, 0]
    believed = result_claims.as_taken(rules, state, [(trick_of(3, "AS KS", 1), 2)])
    assert believed.tricks_won[:4] == [0, 0, 8, 0]
    assert scoring.score_hand(believed, rules).result == scoring.MADE
    assert state.tricks_won[:4] == [0, 1, 7, 0]


def test_c15_it_takes_the_count_with_it() -> None:
    points: dict[str, int] = {"A": 1, "J": 1, "5": 5, "2": 1}
    options: Options = {"game_point": "count", "points": points}
    rules: Rules = support.rules_of("pitch-with-fives", options)
    cards = "AS TH KD QC"
    state = support.play_table(rules, "S", dict(enumerate(cards.split())), trick=6, size=0)
    for seat, card in enumerate(cards.split()):
        assert support.do(state, rules, f"{seat} play {card}") == []
    for taker, taken in ((1, [0, 2]), (0, [2, 0])):
        believed = result_claims.as_taken(rules, state, [(trick_of(6, cards, 0), taker)])
        assert believed.points[:2] == taken


# --- A whole hand of each system
EVERY = {**SOUND, **FAMILY}


@pytest.mark.parametrize("name", EVERY)
def test_0_record_the_whole_hand_is_valid_and_counts_as_claimed(name: str) -> None:
    hand = EVERY[name]()
    replayed = replay(hand)
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    outcome = outcome_of(replayed)
    assert hand.claimed is not UNSET
    assert list(outcome.points) == hand.claimed.points
    assert outcome.result == "made"
    for side, taken in enumerate(outcome.taken):
        captured = [capture.card for capture in replayed.captures if capture.side == side]
        assert sorted(captured) == sorted(cards_in(taken))


@pytest.mark.parametrize("name", FAMILY)
def test_0_order_no_action_but_a_fold_can_be_left_out(name: str) -> None:
    hand = replace(FAMILY[name](), claimed=UNSET)
    start = next(index for index, text in enumerate(hand.actions) if " trump " in text) + 1
    for index in range(start, len(hand.actions)):
        without = replay(replace(hand, actions=hand.actions[:index] + hand.actions[index + 1 :]))
        is_fold = support.verb_of(hand.actions[index]) == "fold"
        assert (without.verdict == Verdict.VALID) == is_fold, hand.actions[index]
