"""Scores: whole hands, counting, hands alone, claims (docs/rules, score of each system)."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace as with_values
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from replay import Outcome, Replay, Trick, Verdict, check_game, replay
from replay.engine.policies import Phase
from replay.engine.records import Rules, State, copy_state
from replay.engine.rules import counting, play, scoring
from replay.engine.rules.result import fill_result
from replay.judging import result_claims
from replay.render.sentences import result_text
from schemas.actions import NO_TRUMP
from schemas.cards import RANKS, cards_in, parse_card
from schemas.hand import Claimed, Hand, OptionValue, Player
from tests.kit.random_play import random_hand
from tests.kit.sound_hands import instead, king_pedro, pedro, pidro, twenty_nine, up_to
from tests.kit.support import (
    NAMES,
    card_set,
    codes,
    do,
    hand_of,
    places,
    play_table,
    plays,
    rules_of,
    table_in,
)

# The hand of T62: seat 0 takes ace, two and ten, seat 1 jack and nine, seat 2 the five.
SANCHO_DEAL = [
    "AS KH QD TS 5D TD",
    "3S JS 9S AD KC QC",
    "4S 5S QH AC 2C 4C",
    "2S JH KD 3C 3D 5C",
]
SANCHO_TRICKS = plays(
    *("0 AS 1 3S 2 4S 3 2S", "0 KH 1 JS 2 QH 3 JH", "1 AD 2 5S 3 KD 0 QD"),
    *("2 AC 3 3C 0 TS 1 KC", "0 5D 1 9S 2 2C 3 3D", "1 QC 2 4C 3 5C 0 TD"),
)


def sancho(bid: int = 3, **fields: Any) -> Hand:  # noqa: ANN401 - any field
    calls = [f"0 bid {bid}", "1 pass", "2 pass", "3 pass", "0 trump S"]
    return hand_of("sancho", [*calls, *SANCHO_TRICKS], deal=SANCHO_DEAL, **fields)


def outcome_of(hand: Hand) -> Outcome:
    outcome = replay(hand).outcome
    assert outcome is not None
    return outcome


# --- Each alone


def test_t62_the_whole_hand() -> None:
    replayed = replay(sancho(scores=[40, 90, 95, 0]))
    assert replayed.verdict == Verdict.VALID
    outcome = outcome_of(replayed.hand)
    # Jack and nine make ten, but the nine is not reached: only the jack is added.
    assert (outcome.points, outcome.change) == ((3, 10, 5, 0), (3, 1, 5, 0))
    assert outcome.taken == tuple(map(card_set, ("AS 2S TS", "JS 9S", "5S", "")))
    assert outcome.scores == (43, 91, 100, 0)
    assert outcome.winner_side == 2
    assert result_text(replayed) == [
        "ann bid 3 with spades as trumps and made it: 3 points of 3 needed.",
        "Points: ann 3, bo 10, cy 5, dee 0.",
        "Score change: ann +3, bo +1, cy +5, dee +0.",
        "Scores: ann 43, bo 91, cy 100, dee 0.",
        "The game is won by cy.",
    ]


def test_s46_the_others_keep_their_points_when_the_bid_fails() -> None:
    outcome = outcome_of(sancho(4, scores=[40, 90, 80, 0]))
    assert (outcome.result, outcome.change) == ("set", (-4, 10, 5, 0))
    assert outcome.scores == (36, 100, 85, 0)
    assert outcome.winner_side == 1


def test_s42_five_players_have_five_scores() -> None:
    hands = [*SANCHO_DEAL, "6H 7H 8H 9H TH 2D"]
    tricks = plays(
        *("0 AS 1 3S 2 4S 3 2S 4 7H", "0 KH 1 JS 2 QH 3 JH 4 6H", "1 AD 2 5S 3 KD 4 2D 0 QD"),
        *("2 AC 3 3C 4 8H 0 TS 1 KC", "0 5D 1 9S 2 2C 3 3D 4 9H", "1 QC 2 4C 3 5C 4 TH 0 TD"),
    )
    calls = ["0 bid 3", "1 pass", "2 pass", "3 pass", "4 pass", "0 trump S"]
    claimed = Claimed(points=[3, 10, 5, 0, 0], change=[3, 10, 5, 0, 0], scores=[3, 11, 7, 3, 4])
    hand = hand_of("sancho", [*calls, *tricks], deal=hands, dealer=4, scores=[0, 1, 2, 3, 4])
    players = [Player(id=name) for name in (*NAMES, "eve")]
    replayed = replay(replace(hand, players=players, claimed=claimed))
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    for key in ("points", "change", "scores"):
        wrong = replace(claimed, **{key: [9, 9, 9, 9, 9]})
        assert codes(replay(replace(replayed.hand, claimed=wrong))) == [
            f"claimed-{key.removesuffix('s') if key == 'scores' else key}"
        ]
    first = replace(replayed.hand, game="g", hand=1, scores=[0] * 5, claimed=UNSET)
    for dealer, found in ((0, []), (3, ["wrong-dealer"])):
        after = replace(first, id="two", hand=2, dealer=dealer, scores=[3, 10, 5, 0, 0], actions=[])
        assert [item.code for item in check_game([replay(first), replay(after)])[1]] == found


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([43, 91, 100, 0], []),
        ([43, 100, 100, 0], []),
        ([43, 100, 95, 0], ["claimed-score"]),
    ],
)
def test_s47_what_follows_the_last_point_may_be_written_down(
    scores: list[int], found: list[str]
) -> None:
    hand = sancho(scores=[40, 90, 95, 0], claimed=Claimed(scores=scores))
    assert codes(replay(hand)) == found


def test_s47_the_game_is_over_where_somebody_has_counted_out() -> None:
    first = replace(sancho(scores=[40, 90, 95, 0]), game="g", hand=7)
    second = replace(sancho(), id="two", game="g", hand=8, dealer=0, scores=[43, 91, 100, 0])
    findings = check_game([replay(first), replay(replace(second, actions=[]))])[1]
    assert places(findings) == [("after-the-game", "/hand")]
    assert findings[0].facts["winner"] == 2
    alone = check_game([replay(replace(second, actions=[]))])[0]
    assert places(alone) == [("after-the-game", "/scores")]


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


def unbid(**options: OptionValue) -> Hand:
    """All pass, and the dealer, seat 3, leads the two of trumps."""
    calls = ["0 pass", "1 pass", "2 pass", "3 pass", "3 trump S"]
    first = plays("3 2S 0 AS 1 3S 2 4S")
    return hand_of(
        "sancho",
        [*calls, *first, *SANCHO_TRICKS[4:]],
        deal=SANCHO_DEAL,
        options={"players": [4], "sides": "partners", "all_pass": "no-contract", **options},
    )


def test_t38_o20_s21_a_hand_without_a_bid_scores_the_difference() -> None:
    replayed = replay(unbid())
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    outcome = outcome_of(replayed.hand)
    assert (outcome.no_contract, outcome.maker) == (True, 3)
    assert (outcome.bid, outcome.need, outcome.forced) == (None, None, False)
    assert (outcome.points, outcome.change) == ((8, 10), (0, 2))
    assert result_text(replayed)[0] == (
        "Nobody bid, and dee played without a number to reach with spades as trumps."
    )


def test_s21_s47_a_difference_is_not_counted_out() -> None:
    outcome = outcome_of(replace(unbid(), scores=[99, 98]))
    assert (outcome.scores, outcome.winner_side) == ((99, 100), 1)


def test_s21_nobody_wins_a_game_with_a_bid_that_nobody_made() -> None:
    hand = unbid(won_by="made-bid", both_over="makers")
    assert outcome_of(replace(hand, scores=[0, 99])).winner_side is None
    assert outcome_of(replace(unbid(), scores=[0, 99])).winner_side == 1


def test_s21_each_for_himself_only_who_is_ahead_of_all_scores() -> None:
    rules = rules_of("sancho", {"all_pass": "no-contract"})
    state = State(maker=3, no_contract=1, trump=0)
    state.points[:4] = [3, 10, 5, 0]
    score = scoring.score_hand(state, rules)
    assert [scoring.change_of(state, rules, score, side) for side in range(4)] == [0, 5, 0, 0]


# --- Counting


def last_trick(rules: Rules, trick: str, trumps: str = "S") -> State:
    """Return the table after a last trick; `trick` is written as `0 AS 1 KS 2 QS 3 JS`."""
    words = trick.split()
    hands = {int(seat): card for seat, card in zip(words[::2], words[1::2], strict=True)}
    state = play_table(rules, trumps, hands, leader=int(words[0]), trick=rules.hand_size, size=0)
    for text in plays(trick):
        assert do(state, rules, text) == []
    assert state.phase == Phase.OVER
    return state


def counting_rules(variant: str = "pitch-with-fives", **options: OptionValue) -> Rules:
    points: dict[str, int] = {"A": 1, "J": 1, "5": 5, "2": 1}
    return rules_of(variant, {"game_point": "count", "points": points, **options})


@pytest.mark.parametrize(
    ("card", "count"),
    [("TH", 10), ("AD", 4), ("KC", 3), ("QS", 2), ("JH", 1), ("9H", 0), ("2C", 0), ("JO", 0)],
)
def test_c15_what_a_card_adds_to_the_count_called_game(card: str, count: int) -> None:
    assert counting.game_count(parse_card(card)) == count


def test_c15_the_side_that_counted_more_gets_the_point_called_game() -> None:
    rules = counting_rules()
    # Ten and king of plain suits count as well: 4 + 10 + 3 + 2 for the taker.
    state = last_trick(rules, "0 AS 1 TH 2 KD 3 QC")
    assert state.counted[:2] == [19, 0]
    assert state.points[:2] == [2, 0]
    ten_as_game = last_trick(rules_of("pitch-with-fives"), "0 AS 1 TH 2 KD 3 QC")
    assert ten_as_game.points[:2] == [1, 0]


def test_c15_as_much_for_both_is_a_point_for_nobody() -> None:
    rules = counting_rules()
    words = "0 AS 1 TH 2 9D 3 8C"
    state = play_table(rules, "S", {0: "AS", 1: "TH", 2: "9D", 3: "8C"}, trick=6, size=0)
    state.counted[1] = 14
    for text in plays(words):
        assert do(state, rules, text) == []
    assert (state.counted[:2], state.points[:2]) == ([14, 14], [1, 0])
    assert rules.all_points == 9


def test_c15_of_many_sides_only_one_that_is_ahead_of_all_gets_it() -> None:
    rules = rules_of("sancho", seats=5)
    assert counting.ahead_in_count(rules, [3, 9, 4, 9, 0]) == counting.NO_SIDE
    assert counting.ahead_in_count(rules, [3, 9, 4, 10, 0]) == 3
    assert counting.ahead_in_count(rules, [9, 9, 4, 10, 0]) == 3
    assert counting.ahead_in_count(rules, [0, 0, 0, 0, 0]) == counting.NO_SIDE


def test_o35_the_last_trick_counts_a_point() -> None:
    tricks = "3 7C 0 JC 1 8C 2 QC"
    for options, points in (({}, 3), ({"last_trick_points": 1, "max_bid": 29, "pair_cap": 29}, 4)):
        rules = rules_of("twenty-nine", options)
        state = last_trick(rules, tricks)
        assert (state.points[:2], state.trick_points) == ([points, 0], points)
        earlier = play_table(rules, "S", {0: "JC 7S", 1: "8C 8S", 2: "QC 9S", 3: "7C TS"}, leader=3)
        for text in plays(tricks):
            assert do(earlier, rules, text) == []
        assert earlier.points[:2] == [3, 0]


def test_o35_who_is_alone_in_the_hand_takes_the_last_trick_too() -> None:
    whole = replace(pidro(), claimed=UNSET)
    whole = replace(whole, rules=replace(whole.rules, options={"last_trick_points": 1}))
    assert outcome_of(whole).points == (10, 5)
    # Seat 0 is alone after the third trick, so the record may stop there.
    assert outcome_of(up_to(whole, "2 play 5C")).points == (10, 5)


def after_exchange(variant: str, discarded: str) -> State:
    rules = rules_of(variant)
    state = table_in(rules, Phase.PLAY, "S", {0: "AS", 1: "KS", 2: "QS", 3: "JS"})
    state.discarded[1] = card_set(discarded)
    play.start_play(state, rules, 0)
    return state


def test_s61_a_two_laid_off_counts_for_the_side_that_had_it() -> None:
    state = after_exchange("ukrainian", "2S 7H")
    assert (state.points[:2], state.low_seat) == ([0, 1], 1)
    assert state.taken[:2] == [0, card_set("2S")]
    assert after_exchange("ukrainian", "3S 7H").points[:2] == [0, 0]


def test_s61_s25_elsewhere_a_two_laid_off_counts_for_nobody() -> None:
    for variant in ("pedro", "nicaragua"):
        state = after_exchange(variant, "2S 7H")
        assert (state.points[:2], state.low_seat) == ([0, 0], -1)


def test_s61_a_two_given_to_the_partner_counts_for_the_same_side() -> None:
    rules = rules_of("ukrainian")
    state = play_table(rules, "S", {0: "AS", 1: "KS", 2: "QS", 3: "2S"}, leader=0)
    for text in plays("0 AS 1 KS 2 QS 3 2S"):
        assert do(state, rules, text) == []
    # The ace side takes 31, the two stays where it was held.
    assert state.points[:2] == [31, 1]


@pytest.mark.parametrize("make", [pedro, pidro, king_pedro, twenty_nine])
def test_the_point_cards_of_each_side_are_its_captures(make: Callable[[], Hand]) -> None:
    replayed = replay(make())
    for side, taken in enumerate(outcome_of(replayed.hand).taken):
        captured = [capture.card for capture in replayed.captures if capture.side == side]
        assert sorted(captured) == sorted(cards_in(taken))


# --- Playing alone


def alone(tricks: Sequence[int], *, tenny: int = 0) -> tuple[Rules, State]:
    rules = rules_of("lucknow")
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
    workspace.state.solo = 2
    fill_result(workspace.state, replayed.rules, workspace.result)
    outcome = replayed.outcome
    assert outcome is not None
    assert (outcome.maker, outcome.bid, outcome.need, outcome.alone) == (2, None, None, "solo")
    assert (outcome.trump, outcome.result, outcome.change) == (NO_TRUMP, "set", (-3, 0))
    assert result_text(replayed)[0] == "cy played alone for all tricks and was set."


# --- What was really added


@pytest.mark.parametrize(("before", "added", "after"), [(3, 1, 4), (6, 0, 6), (5, 1, 6)])
def test_s83_no_more_is_added_than_up_to_the_limit(before: int, added: int, after: int) -> None:
    hand = replace(twenty_nine(), scores=[before, 0], claimed=UNSET)
    outcome = outcome_of(hand)
    assert (outcome.change, outcome.scores) == ((added, 0), (after, 0))


def test_s83_what_a_table_claims_was_added_is_what_was_really_added() -> None:
    hand = raised_by_two(5)
    outcome = outcome_of(hand)
    assert (outcome.stake, outcome.change, outcome.scores) == (2, (1, 0), (6, 0))
    for claimed, found in (
        (Claimed(change=[1, 0], scores=[6, 0]), []),
        (Claimed(change=[2, 0], scores=[6, 0]), ["claimed-change"]),
        (Claimed(change=[1, 0]), []),
    ):
        assert [item.code for item in replay(replace(hand, claimed=claimed)).findings] == found
    # Without the scores before it the whole stake counts.
    bare = replace(hand, scores=UNSET, claimed=Claimed(change=[2, 0]))
    assert replay(bare).findings == ()


def raised_by_two(before: int) -> Hand:
    hand = instead(twenty_nine(), "0 trump S", "0 trump S", "1 double")
    rules = replace(hand.rules, options={"doubling": "double"})
    return replace(hand, rules=rules, scores=[before, 0], claimed=UNSET)


def test_s47_counted_out_the_whole_hand_may_be_claimed_as_well() -> None:
    hand = sancho(scores=[40, 90, 95, 0])
    for change, found in (
        ([3, 1, 5, 0], []),
        ([3, 10, 5, 0], []),
        ([3, 2, 5, 0], ["claimed-change"]),
    ):
        claimed = replace(hand, claimed=Claimed(change=change))
        assert [item.code for item in replay(claimed).findings] == found
