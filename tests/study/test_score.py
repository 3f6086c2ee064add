"""What points are worth in score, and the rules under which points do not tell."""

from copy import deepcopy

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.open_play import SHAPES, some_plays
from tests.kit.support import Options, card_set, play_table, rules_of
from tests.kit.tiers import scaled
from tricklog.core.engine.policies import Defenders
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.solver import score
from tricklog.core.study import OpenScore, Refused
from tricklog.core.study.refusals import NO_SCORE
from tricklog.schemas.actions import TRUMP_CODES
from tricklog.schemas.cards import parse_cards

PEDRO_HANDS = {0: "AS KS 9C", 1: "5S 2H 3H", 2: "JS 4H 6H", 3: "TS 7H 8H"}
EVEN = {
    0: "JS 9S JH 9H JD 9D JC 9C",
    1: "AS TS AH TH AD TD AC TC",
    2: "KS 8S KH 8H KD 8D KC 8C",
    3: "QS 7S QH 7H QD 7D QC 7C",
}
"""As many cards of each suit in all hands, king and queen of no suit in one of them."""
UNEVEN = EVEN | {0: "JS 9S JH 9H JD 9D 8D JC", 2: "KS 8S KH 8H KD KC 8C 9C"}
LONG = {
    0: "JS 9S AS JH 9H JD 9D JC",
    1: "TS AH TH AD TD AC TC 9C",
    2: "KS QS KH 8H KD 8D KC 8C",
    3: "8S 7S QH 7H QD 7D QC 7C",
}
"""King and queen of spades are in one hand."""


def pedro(points: int, **options: str) -> int:
    """What the makers' score less that of the others comes to, of 14 points with 7 bid."""
    rules = rules_of("pedro", options)
    return OpenScore(bid(play_table(rules, "S", PEDRO_HANDS), 7), rules, 7).change(points)


def bid(state: State, number: int) -> State:
    state.high_bid = number
    return state


# On the table lie AS JS TS, 1 each, and 5S: 8 points.


def test_makers_score_what_they_take_and_others_too() -> None:
    assert pedro(8) == 8
    assert pedro(7) == 7 - 1


def test_makers_who_fail_lose_the_bid_and_the_others_score_what_they_take() -> None:
    assert pedro(6) == -7 - 2
    assert pedro(0) == -7 - 8


def test_by_the_difference_only_the_side_ahead_scores() -> None:
    o13 = {"made": "difference", "failed": "nothing", "defenders": "bid-and-own-if-set"}
    assert pedro(7, **o13) == 7 - 1
    assert pedro(6, **o13) == -(7 + 2)


def refused(
    variant: str,
    hands: dict[int, str],
    options: Options | None = None,
    *,
    number: int = 7,
    shown: bool = False,
) -> str | None:
    """Return why there is no score by points, if there is none."""
    rules = rules_of(variant, options)
    state = bid(play_table(rules, "S", hands, shown=shown), number)
    return reason(state, rules, number)


def reason(state: State, rules: Rules, need: int) -> str | None:
    before = copy_state(state)
    try:
        OpenScore(state, rules, need)
    except Refused as why:
        assert state == before
        return str(why)
    assert state == before
    return None


def test_minus_the_points_taken_is_no_score_by_points_where_others_score_nothing() -> None:
    c18: Options = {"failed": "minus-points"}
    assert refused("king-pedro", PEDRO_HANDS, c18) is None
    rules = deepcopy(rules_of("king-pedro", c18))
    rules.defenders = Defenders.NOTHING
    state = bid(play_table(rules, "S", PEDRO_HANDS), 7)
    assert reason(state, rules, 7) == score_sentence("NOT_MONOTONE")


def test_minus_the_points_taken_leaves_a_set_hand_the_same_where_others_score_theirs() -> None:
    rules = rules_of("king-pedro", {"failed": "minus-points"})
    found = OpenScore(bid(play_table(rules, "S", PEDRO_HANDS), 7), rules, 7)
    spades = rules.points[TRUMP_CODES["S"]]
    there = sum(spades[card] for card in parse_cards("AS KS 5S JS TS"))
    assert {found.change(points) for points in range(7)} == {-there}


def score_sentence(name: str) -> str:
    return NO_SCORE[getattr(score, name)]


def test_a_hand_that_can_be_void_has_no_score_by_points() -> None:
    # 2 of each suit in all hands: trumps may never come out, and the hand is void (S81).
    assert refused("twenty-nine", EVEN, number=16) == score_sentence("MAY_BE_VOID")
    assert refused("twenty-nine", UNEVEN, number=16) is None
    assert refused("twenty-nine", EVEN, number=16, shown=True) is None
    assert refused("twenty-nine", EVEN, {"unshown": "counts"}, number=16) is None


def test_where_asking_is_free_any_hand_can_be_void() -> None:
    free: Options = {"ask": "optional"}
    assert refused("twenty-nine", UNEVEN, free, number=16) == score_sentence("MAY_BE_VOID")
    assert refused("twenty-nine", UNEVEN, free, number=16, shown=True) is None


def test_every_trick_doubling_the_stake_is_no_score_by_points() -> None:
    found = refused("twenty-nine", UNEVEN, {"sweep": "doubles"}, number=16)
    assert found == score_sentence("SWEEP")


def test_half_of_the_bid_and_a_pair_are_no_score_by_points() -> None:
    half: Options = {"half_rule": "less-than-half"}
    assert refused("twenty-nine", LONG, half, number=16) == score_sentence("PAIR_AND_POINTS")
    assert refused("twenty-nine", LONG, number=16) is None
    assert refused("twenty-nine", UNEVEN, half, number=16) is None


def test_half_of_the_bid_costs_double() -> None:
    rules = rules_of("twenty-nine", {"half_rule": "less-than-half"})
    found = OpenScore(bid(play_table(rules, "S", UNEVEN, shown=False), 16), rules, 16)
    assert [found.change(points) for points in (0, 7, 8, 15, 16, 28)] == [-2, -2, -1, -1, 1, 1]


def test_a_doubled_stake_is_in_the_score() -> None:
    rules = rules_of("twenty-nine")
    state = bid(play_table(rules, "S", UNEVEN, shown=False), 16)
    state.doubles = 2
    found = OpenScore(state, rules, 16)
    assert (found.change(15), found.change(16)) == (-4, 4)


def test_a_hand_alone_is_scored_by_its_tricks() -> None:
    rules = rules_of("twenty-nine", {"solo": "partner-hidden"})
    state = play_table(rules, "S", UNEVEN)
    state.solo = 0
    found = OpenScore(state, rules, 8)
    stake = rules.solo_stake
    assert [found.change(tricks) for tricks in (0, 7, 8)] == [-stake, -stake, stake]


def test_the_game_point_by_count_is_no_score_by_points() -> None:
    rules = SHAPES["pitch-with-fives-C15"].rules
    state = bid(play_table(rules, "S", PEDRO_HANDS), 7)
    assert reason(state, rules, 7) == score_sentence("GAME_BY_COUNT")


def test_the_best_of_several_others_is_not_told_by_the_makers_points() -> None:
    rules = deepcopy(rules_of("sancho", seats=5))
    hands = PEDRO_HANDS | {4: "9S 9H TH"}
    assert reason(bid(play_table(rules, "S", hands), 7), rules, 7) is None
    rules.made = rules_of("cinch", {"made": "bid-less-others"}).made
    assert reason(bid(play_table(rules, "S", hands), 7), rules, 7) == score_sentence("SHARED")


def test_points_that_are_thrown_in_are_not_told_by_the_makers_points() -> None:
    rules = deepcopy(rules_of("king-pedro"))
    ace_of_clubs = card_set("AC").bit_length() - 1
    spades = TRUMP_CODES["S"]
    rules.points[spades][ace_of_clubs] = 1
    rules.point_cards[spades] |= 1 << ace_of_clubs
    state = bid(play_table(rules, "S", PEDRO_HANDS), 7)
    assert reason(state, rules, 7) == score_sentence("POINTS_LOST")


def test_without_a_maker_there_is_no_score() -> None:
    rules = rules_of("pedro")
    state = play_table(rules, "S", PEDRO_HANDS)
    state.maker = -1
    assert reason(state, rules, 0) == score_sentence("NO_MAKER")


@settings(max_examples=scaled(20))
@given(st.sampled_from(sorted(SHAPES)), st.integers(0, 5), st.integers(0, 14), st.integers(0, 30))
def test_more_points_are_never_a_worse_score(name: str, play: int, bid: int, points: int) -> None:
    played = some_plays(name, 6)[play]
    state = copy_state(played.first)
    state.high_bid = state.high_bid and max(state.high_bid, bid)
    try:
        found = OpenScore(state, played.rules, state.high_bid)
    except Refused:
        return
    assert found.change(points) <= found.change(points + 1)
