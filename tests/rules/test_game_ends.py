"""Games: who deals next, when they end, what they count in a match (docs/rules, game of each)."""

from collections.abc import Sequence

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.sound_hands import instead, twenty_nine
from tests.kit.support import hand_of, places, rules_of, ruleset_for
from tricklog.core import Replay, RulesetError, check_game, match_scores, replay
from tricklog.core.engine.rules import game_end
from tricklog.core.render.sentences import result_text
from tricklog.schemas.hand import Hand, OptionValue


# --- The deal goes round
def thrown_in(number: int, dealer: int, order: Sequence[int]) -> Hand:
    hand = hand_of("bangladesh", [f"{seat} pass" for seat in order], dealer=dealer)
    return replace(hand, id=f"hand-{number}", game="g", hand=number, scores=[0, 0])


def test_s02_s84_the_deal_passes_to_the_right_in_an_anticlockwise_game() -> None:
    hands = [thrown_in(1, 3, (2, 0, 1)), thrown_in(2, 2, (1, 3, 0)), thrown_in(3, 1, (0, 2, 3))]
    assert check_game([replay(hand) for hand in hands]) == [[], [], []]
    assert [replay(hand).outcome is not None for hand in hands] == [True] * 3
    left = [hands[0], replace(hands[1], dealer=0, actions=[])]
    assert places(check_game([replay(hand) for hand in left])[1]) == [("wrong-dealer", "/dealer")]


def test_s01_s84_direction_decides_who_deals_next() -> None:
    for direction, dealer in (("clockwise", 0), ("anticlockwise", 2)):
        hands = [
            replace(
                hand_of("twenty-nine", [], options={"direction": direction}, dealer=seat),
                id=f"hand-{number}",
                game="g",
                hand=number,
            )
            for number, seat in ((1, 3), (2, dealer))
        ]
        assert check_game([replay(hand) for hand in hands]) == [[], []]
        other = replace(hands[1], dealer=2 - dealer)
        found = check_game([replay(hands[0]), replay(other)])[1]
        assert places(found) == [("wrong-dealer", "/dealer")]


# --- Matches
def game(match_score: str, *, won: bool = True, scores: Sequence[int] = (5, -5)) -> list[Replay]:
    """A game of one recorded hand, which side 0 wins or loses with it."""
    hand = replace(twenty_nine(), claimed=UNSET, scores=list(scores))
    hand = replace(hand, rules=replace(hand.rules, options={"match_score": match_score}))
    if not won:
        hand = instead(replace(hand, scores=[-5, 5]), "0 bid 16", "0 bid 17")
    return [replay(hand)]


@pytest.mark.parametrize(
    ("match_score", "totals", "one"),
    [("won-two-lost-one", [3, 0], (2, -1)), ("won-one-lost-one", [1, -1], (1, -1))],
)
def test_t127_o50_games_won_and_lost_make_up_a_match(
    match_score: str, totals: list[int], one: tuple[int, int]
) -> None:
    games = [game(match_score) for _ in range(2)]
    games.append(game(match_score, won=False))
    assert match_scores(games) == totals
    last = games[0][0]
    assert last.outcome is not None
    assert last.outcome.match == one
    assert result_text(last)[-1] == f"In the match: ann & cy +{one[0]}, bo & dee -1."


def test_o50_a_game_that_goes_on_counts_nothing_and_without_matches_none_does() -> None:
    undecided = game("won-two-lost-one", scores=(3, -3))
    assert undecided[0].outcome is not None
    assert undecided[0].outcome.match is None
    assert match_scores([undecided]) == [0, 0]
    assert match_scores([game("none")]) == [0, 0]
    outcome = game("none")[0].outcome
    assert outcome is not None
    assert (outcome.winner_side, outcome.match) == (0, None)


def test_o50_a_game_is_followed_from_hand_to_hand() -> None:
    options: dict[str, OptionValue] = {"match_score": "won-two-lost-one", "target": 2}
    hand = replace(twenty_nine(), claimed=UNSET, scores=UNSET, game="g")
    hand = replace(hand, rules=replace(hand.rules, options=options))
    hands = [replay(replace(hand, id=f"h{number}", hand=number)) for number in (1, 2)]
    assert match_scores([hands]) == [2, -1]
    assert match_scores([hands[:1]]) == [0, 0]


# --- Rules that do not go together
@pytest.mark.parametrize(
    ("variant", "key", "value"),
    [
        ("twenty-nine", "slam", "double-if-made"),
        ("twenty-nine", "special_bid", "double"),
        ("twenty-nine", "all_pass", "no-contract"),
        ("sancho", "made", "bid"),
        ("sancho", "defenders", "nothing"),
    ],
)
def test_prices_in_card_points_need_games_with_them(variant: str, key: str, value: str) -> None:
    with pytest.raises(RulesetError) as caught:
        ruleset_for(variant, {key: value})
    pointer = "/rules/options" if variant == "sancho" else f"/rules/options/{key}"
    assert caught.value.pointer == pointer


# --- Limits of a game
def test_s83_scores_stop_only_at_limits_that_the_game_has() -> None:
    rules = rules_of("twenty-nine")
    assert [game_end.clamped(rules, total) for total in (-9, -6, 0, 6, 9)] == [-6, -6, 0, 6, 6]
    rules = rules_of("twenty-nine", {"lose_at": 0})
    assert [game_end.clamped(rules, total) for total in (-9, 9)] == [-9, 6]


def test_o56_a_long_game_stops_at_the_smaller_number_agreed() -> None:
    for option in ruleset_for("lucknow").house_rules:
        if option.cite == "O56":
            limits = zip(option.choices("target"), option.choices("lose_at"), strict=True)
            assert [target == -lose for target, lose in limits if isinstance(lose, int)] == [
                True
            ] * 4
            return
    pytest.fail("no such option")
