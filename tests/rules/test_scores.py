"""Scores: whole hands, counting, hands alone, claims (docs/rules, score of each system)."""

import random
from collections.abc import Sequence
from dataclasses import replace as with_values
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit import support
from tests.kit.random_play import random_hand
from tests.kit.sound_hands import SOUND, pedro, twenty_nine
from tricklog.core import Outcome, Replay, Trick, Verdict, check_game, replay
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import NO_TRUMPS, Rules, State, copy_state
from tricklog.core.engine.rules import play, scoring
from tricklog.core.engine.rules.game_end import fill_result
from tricklog.core.judging import result_claims
from tricklog.core.render.sentences import result_text
from tricklog.schemas.actions import NO_TRUMP
from tricklog.schemas.cards import RANKS, cards_in, parse_card
from tricklog.schemas.hand import Claimed, Hand, OptionValue, Player

# The hand of T62: seat 0 takes ace, two and ten, seat 1 jack and nine, seat 2 the five.
SANCHO_DEAL = ["AS KH QD TS 5D TD", "3S JS 9S AD KC QC", "4S 5S QH AC 2C 4C", "2S JH KD 3C 3D 5C"]
SANCHO_TRICKS = support.plays(
    *("0 AS 1 3S 2 4S 3 2S", "0 KH 1 JS 2 QH 3 JH", "1 AD 2 5S 3 KD 0 QD"),
    *("2 AC 3 3C 0 TS 1 KC", "0 5D 1 9S 2 2C 3 3D", "1 QC 2 4C 3 5C 0 TD"),
)


def sancho(bid: int = 3, **fields: Any) -> Hand:  # noqa: ANN401 - any field
    calls = [f"0 bid {bid}", "1 pass", "2 pass", "3 pass", "0 trump S"]
    return support.hand_of("sancho", [*calls, *SANCHO_TRICKS], deal=SANCHO_DEAL, **fields)


def outcome_of(hand: Hand) -> Outcome:
    outcome = replay(hand).outcome
    assert outcome is not None
    return outcome


# --- Each alone
def test_s42_five_players_have_five_scores() -> None:
    hands = [*SANCHO_DEAL, "6H 7H 8H 9H TH 2D"]
    tricks = support.plays(
        *("0 AS 1 3S 2 4S 3 2S 4 7H", "0 KH 1 JS 2 QH 3 JH 4 6H", "1 AD 2 5S 3 KD 4 2D 0 QD"),
        *("2 AC 3 3C 4 8H 0 TS 1 KC", "0 5D 1 9S 2 2C 3 3D 4 9H", "1 QC 2 4C 3 5C 4 TH 0 TD"),
    )
    calls = ["0 bid 3", "1 pass", "2 pass", "3 pass", "4 pass", "0 trump S"]
    claimed = Claimed(points=[3, 10, 5, 0, 0], change=[3, 10, 5, 0, 0], scores=[3, 11, 7, 3, 4])
    hand = support.hand_of(
        "sancho", [*calls, *tricks], deal=hands, dealer=4, scores=[0, 1, 2, 3, 4]
    )
    players = [Player(id=name) for name in (*support.NAMES, "eve")]
    replayed = replay(replace(hand, players=players, claimed=claimed))
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    for key in ("points", "change", "scores"):
        wrong = replace(claimed, **{key: [9, 9, 9, 9, 9]})
        assert support.codes(replay(replace(replayed.hand, claimed=wrong))) == [
            f"claimed-{key.removesuffix('s') if key == 'scores' else key}"
        ]
    first = replace(replayed.hand, game="g", hand=1, scores=[0] * 5, claimed=UNSET)
    for dealer, found in ((0, []), (3, ["wrong-dealer"])):
        after = replace(first, id="two", hand=2, dealer=dealer, scores=[3, 10, 5, 0, 0], actions=[])
        assert [item.code for item in check_game([replay(first), replay(after)])[1]] == found


def test_s47_the_game_is_over_where_somebody_has_counted_out() -> None:
    first = replace(sancho(scores=[40, 90, 95, 0]), game="g", hand=7)
    second = replace(sancho(), id="two", game="g", hand=8, dealer=0, scores=[43, 91, 100, 0])
    findings = check_game([replay(first), replay(replace(second, actions=[]))])[1]
    assert support.places(findings) == [("after-the-game", "/hand")]
    assert findings[0].facts["winner"] == 2
    alone = check_game([replay(replace(second, actions=[]))])[0]
    assert support.places(alone) == [("after-the-game", "/scores")]


def counted_out(replayed: Replay, before: Sequence[int]) -> tuple[list[int], int | None]:
    """Count a hand of Pedro Sancho out by its captures, as people at the table would."""
    outcome = replayed.outcome
    assert outcome is not None
    scores = list(before)
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
        outcome = outcome_of(replayed.hand)
        expected, winner = counted_out(replayed, scores)
        assert (outcome.scores, outcome.winner_side) == (tuple(expected), winner)
        winners.add(winner)
    assert winners > {None, 0, 1, 2, 3}


# --- A hand without a bid
def test_s21_each_for_himself_only_who_is_ahead_of_all_scores() -> None:
    rules = support.rules_of("sancho", {"all_pass": "no-contract"})
    state = State(maker=3, no_contract=1, trump=0)
    state.points[:4] = [3, 10, 5, 0]
    score = scoring.score_hand(state, rules)
    assert [scoring.change_of(state, rules, score, side) for side in range(4)] == [0, 5, 0, 0]


# --- Counting
def last_trick(rules: Rules, trick: str, trumps: str = "S") -> State:
    """Return the table after a last trick; `trick` is written as `0 AS 1 KS 2 QS 3 JS`."""
    words = trick.split()
    hands = {int(seat): card for seat, card in zip(words[::2], words[1::2], strict=True)}
    state = support.play_table(
        rules, trumps, hands, leader=int(words[0]), trick=rules.hand_size, size=0
    )
    for text in support.plays(trick):
        assert support.do(state, rules, text) == []
    assert state.phase == Phase.OVER
    return state


def counting_rules(variant: str = "pitch-with-fives", **options: OptionValue) -> Rules:
    points: dict[str, int] = {"A": 1, "J": 1, "5": 5, "2": 1}
    return support.rules_of(variant, {"game_point": "count", "points": points, **options})


@pytest.mark.parametrize(
    ("card", "count"),
    [("TH", 10), ("AD", 4), ("KC", 3), ("QS", 2), ("JH", 1), ("9H", 0), ("2C", 0), ("JO", 0)],
)
def test_c15_what_a_card_adds_to_the_count_called_game(card: str, count: int) -> None:
    assert scoring.game_count(parse_card(card)) == count


def test_c15_as_much_for_both_is_a_point_for_nobody() -> None:
    rules = counting_rules()
    words = "0 AS 1 TH 2 9D 3 8C"
    state = support.play_table(rules, "S", {0: "AS", 1: "TH", 2: "9D", 3: "8C"}, trick=6, size=0)
    state.counted[1] = 14
    for text in support.plays(words):
        assert support.do(state, rules, text) == []
    assert (state.counted[:2], state.points[:2]) == ([14, 14], [1, 0])
    assert rules.all_points == 9


def test_c15_of_many_sides_only_one_that_is_ahead_of_all_gets_it() -> None:
    rules = support.rules_of("sancho", seats=5)
    assert scoring.ahead_in_count(rules, [3, 9, 4, 9, 0]) == scoring.NO_SIDE
    assert scoring.ahead_in_count(rules, [3, 9, 4, 10, 0]) == 3
    assert scoring.ahead_in_count(rules, [9, 9, 4, 10, 0]) == 3
    assert scoring.ahead_in_count(rules, [0, 0, 0, 0, 0]) == scoring.NO_SIDE


def after_exchange(variant: str, discarded: str) -> State:
    rules = support.rules_of(variant)
    state = support.table_in(rules, Phase.PLAY, "S", {0: "AS", 1: "KS", 2: "QS", 3: "JS"})
    state.discarded[1] = support.card_set(discarded)
    play.start_play(state, rules, 0)
    return state


def test_s61_a_two_laid_off_counts_for_the_side_that_had_it() -> None:
    state = after_exchange("ukrainian", "2S 7H")
    assert (state.points[:2], state.low_seat) == ([0, 1], 1)
    assert state.taken[:2] == [0, support.card_set("2S")]
    assert after_exchange("ukrainian", "3S 7H").points[:2] == [0, 0]


def test_s61_s25_elsewhere_a_two_laid_off_counts_for_nobody() -> None:
    for variant in ("pedro", "nicaragua"):
        state = after_exchange(variant, "2S 7H")
        assert (state.points[:2], state.low_seat) == ([0, 0], -1)


@pytest.mark.parametrize("name", SOUND)
def test_the_point_cards_of_each_side_are_its_captures(name: str) -> None:
    replayed = replay(SOUND[name]())
    for side, taken in enumerate(outcome_of(replayed.hand).taken):
        captured = [capture.card for capture in replayed.captures if capture.side == side]
        assert sorted(captured) == sorted(cards_in(taken))


# --- Playing alone
def alone(tricks: Sequence[int], *, tenny: int = 0) -> tuple[Rules, State]:
    rules = support.rules_of("lucknow")
    state = State(maker=1, high_bid=20, solo=2, tenny=tenny, doubles=1, trump=0)
    state.tricks_won[:4] = tricks
    return rules, state


def test_t131_t124_s90_all_tricks_alone_win_the_stake_and_one_lost_loses_it() -> None:
    for tenny, stake in ((1, 4), (0, 8)):
        for tricks, change in (([0, 0, 4, 0], stake), ([0, 0, 3, 1], -stake)):
            rules, state = alone(tricks, tenny=tenny)
            score = scoring.score_hand(state, rules)
            assert score.stake == stake
            assert [scoring.change_of(state, rules, score, side) for side in (0, 1)] == [change, 0]


def test_s90_the_record_may_stop_at_the_first_trick_lost() -> None:
    rules, state = alone([0, 1, 2, 0])
    assert scoring.score_hand(state, rules).result == scoring.SET


def test_s90_a_trick_given_to_the_wrong_seat_changes_the_result_of_a_hand_alone() -> None:
    rules, state = alone([0, 1, 7, 0])
    trick = Trick(3, 2, ((2, 0), (1, 1)), 0, winner=1, points=0, first_action=0, last_action=1)
    believed = result_claims.as_taken(rules, state, [(trick, 2)])
    assert believed.tricks_won[:4] == [0, 0, 8, 0]
    assert scoring.score_hand(believed, rules).result == scoring.MADE
    assert state.tricks_won[:4] == [0, 1, 7, 0]


# --- Claims
def test_c15_a_trick_given_to_the_wrong_seat_takes_the_count_with_it() -> None:
    rules = counting_rules()
    state = last_trick(rules, "0 AS 1 TH 2 KD 3 QC")
    cards = ((0, "AS"), (1, "TH"), (2, "KD"), (3, "QC"))
    shown = tuple((seat, parse_card(card)) for seat, card in cards)
    trick = Trick(6, 0, shown, 0, winner=0, points=1, first_action=0, last_action=3)
    believed = result_claims.as_taken(rules, state, [(trick, 1)])
    assert believed.points[:2] == [0, 2]
    assert result_claims.as_taken(rules, state, [(trick, 0)]).points[:2] == [2, 0]


def test_o07_points_of_discards_are_part_of_what_is_claimed() -> None:
    replayed = replay(replace(pedro(), claimed=UNSET))
    state = copy_state(replayed.state_at(len(replayed)))
    assert replayed.outcome is not None
    state.discard_points[1] = 1
    outcome = with_values(replayed.outcome, points=(9, 6), change=(9, 6))
    for points, found in (([9, 6], []), ([9, 5], ["claimed-points"])):
        hand = replace(replayed.hand, claimed=Claimed(points=points, change=points))
        findings = result_claims.score_findings(hand, replayed.ruleset, state, outcome, [])
        assert [item.code for item in findings] == found


# --- Words
def test_o52_a_hand_alone_is_reported_without_bid_or_trumps() -> None:
    hand = replace(twenty_nine(), claimed=UNSET)
    replayed = replay(hand)
    assert outcome_of(hand).trump != NO_TRUMP
    workspace = replayed.workspace
    workspace.state.solo, workspace.state.trump = 2, NO_TRUMPS
    fill_result(workspace.state, replayed.rules, workspace.result)
    outcome = replayed.outcome
    assert outcome is not None
    assert (outcome.maker, outcome.bid, outcome.need, outcome.alone) == (2, None, None, "solo")
    assert (outcome.trump, outcome.result, outcome.change) == (NO_TRUMP, "set", (-3, 0))
    assert result_text(replayed)[0] == "cy played alone for all tricks and was set."
