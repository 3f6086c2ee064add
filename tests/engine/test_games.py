"""Games: what the hands of one game tell about each other."""

import random

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.sound_hands import SOUND, instead, king_pedro, pedro, pidro, twenty_nine
from tests.kit.support import hand_of, places
from tests.kit.tiers import scaled, some
from tricklog import Claimed, Gap, Hand, Verdict, check_game, generate, replay
from tricklog.schemas.hand import FORMAT_WITH_GAPS as GAPS

SYSTEMS = sorted(SOUND)
REST = Gap(before=0, missing="rest")
LOST = {
    "pedro": "0 bid 10",
    "twenty-nine": "0 bid 17",
    "king-pedro": "0 bid 44",
    "pidro": "0 bid 10",
}


def game_of(*hands: Hand) -> list[Hand]:
    """Number hands of one game from 1 and pass the deal on; actions keep seat 3 as dealer."""
    return [
        replace(hand, id=f"hand-{number}", game="g", hand=number)
        for number, hand in enumerate(hands, start=1)
    ]


def found(*hands: Hand) -> list[list[tuple[str, str]]]:
    return [places(each) for each in check_game([replay(hand) for hand in hands])]


def unclaimed(hand: Hand) -> Hand:
    return replace(hand, claimed=UNSET)


def passed_in(number: int, dealer: int, scores: list[int]) -> Hand:
    passes = [f"{(dealer + step) % 4} pass" for step in (1, 2, 3, 4)]
    hand = hand_of("king-pedro", passes, dealer=dealer)
    return replace(hand, id=f"hand-{number}", game="g", hand=number, scores=scores)


def opened(number: int, dealer: int, scores: list[int], variant: str = "king-pedro") -> Hand:
    hand = hand_of(variant, [], dealer=dealer)
    return replace(hand, id=f"hand-{number}", game="g", hand=number, scores=scores)


# --- Generated games
@pytest.mark.parametrize("system", SYSTEMS)
def test_generated_games_are_sound_from_first_to_last(system: str) -> None:
    games: dict[object, list[Hand]] = {}
    count = scaled(1, most=3)
    for hand in generate(system, count, seed=5):
        games.setdefault(hand.game, []).append(hand)
    assert len(games) == count
    for hands in games.values():
        assert found(*hands) == [[] for _ in hands]
        last = replay(hands[-1]).outcome
        assert last is not None
        assert last.winner_side is not None
        assert all(not each.outcome.game_over for each in map(replay, hands[:-1]) if each.outcome)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_missing_hand_leaves_the_others_sound(system: str) -> None:
    hands = list(generate(system, 1, seed=8))
    for gap in some(range(len(hands) - 1), 4):
        rest = hands[:gap] + hands[gap + 1 :]
        assert found(*rest) == [[] for _ in rest]


# --- Numbers and the deal
def test_s02_thrown_in_hands_count_and_move_the_dealer() -> None:
    assert found(passed_in(1, 3, [0, 0]), passed_in(2, 0, [0, 0]), opened(3, 1, [0, 0])) == [[]] * 3
    assert found(passed_in(1, 3, [0, 0]), passed_in(2, 3, [0, 0]), opened(3, 0, [0, 0])) == [
        [],
        [("wrong-dealer", "/dealer")],
        [],
    ]


def test_the_deal_passes_round_the_table() -> None:
    deals = [passed_in(number, (number + 1) % 4, [0, 0]) for number in range(1, 7)]
    assert found(*deals) == [[]] * 6


def test_after_a_gap_any_seat_may_deal() -> None:
    for dealer in range(4):
        assert found(passed_in(1, 3, [0, 0]), opened(4, dealer, [30, 2])) == [[], []]


def test_hands_without_a_number_follow_each_other() -> None:
    first = replace(passed_in(1, 3, [0, 0]), hand=UNSET)
    assert found(first, replace(opened(2, 1, [0, 0]), hand=UNSET)) == [
        [],
        [("wrong-dealer", "/dealer")],
    ]


def test_a_number_twice_says_which_hand_has_it_too() -> None:
    findings = check_game([replay(passed_in(2, 3, [0, 0])), replay(opened(2, 3, [0, 0]))])
    assert places(findings[1]) == [("hand-number-twice", "/hand")]
    assert findings[1][0].facts == {"number": 2, "other": "hand-2"}


@pytest.mark.parametrize(
    ("times", "wrong"),
    [
        (["2026-11-20T19:03:00+01:00", "2026-11-20T18:03:00Z", "2026-11-20T19:30:00+01:00"], []),
        (["2026-11-20T19:03:00+01:00", "2026-11-20T18:02:59Z", "2026-11-20T19:30:00+01:00"], [1]),
        (["2026-11-20T19:03:00Z", None, "1926-11-20T19:03:00Z"], [2]),
        (["2026-11-20", "2026-11-20", "2026-11-19"], [2]),
        (["2026-11-20T19:03", "2026-11-20T18:03", "2026-11-20T18:04"], [1]),
        # Where one does not say its offset, they cannot be compared.
        (["2026-11-20T19:03", "2026-11-20T18:03:00Z", "2026-11-21"], []),
    ],
)
def test_no_hand_begins_before_the_one_before_it(times: list[str | None], wrong: list[int]) -> None:
    """0.record."""
    hands = [
        replace(passed_in(number, (number + 2) % 4, [0, 0]), started_at=time or UNSET)
        for number, time in enumerate(times, 1)
    ]
    findings = check_game(map(replay, hands))
    expected = [("began-before", "/started_at")]
    assert list(map(places, findings)) == [expected if at in wrong else [] for at in range(3)]


def test_one_wrong_deal_is_one_finding() -> None:
    hands = [passed_in(1, 3, [0, 0]), passed_in(2, 2, [0, 0]), passed_in(3, 3, [0, 0])]
    assert found(*hands) == [[], [("wrong-dealer", "/dealer")], []]


@pytest.mark.parametrize("silent", [1, 2, 5])
def test_the_deal_passes_on_in_hands_of_which_nobody_noted_the_dealer(silent: int) -> None:
    """0.deal: what two known dealers with so many hands between them allow."""
    between = [
        replace(passed_in(2 + n, 0, [0, 0]), dealer=UNSET, actions=[], gaps=(REST,), format=GAPS)
        for n in range(silent)
    ]
    due = (silent + 4) % 4
    for dealer in range(4):
        last = opened(2 + silent, dealer, [0, 0])
        wrong = [] if dealer == due else [("wrong-dealer", "/dealer")]
        assert found(passed_in(1, 3, [0, 0]), *between, last) == [[] for _ in range(silent + 1)] + [
            wrong
        ]
        missing = replace(last, hand=3 + silent)
        assert found(passed_in(1, 3, [0, 0]), *between, missing)[-1] == []
    first = replace(passed_in(1, 3, [0, 0]), dealer=UNSET, actions=[], gaps=(REST,), format=GAPS)
    assert found(first, *between, opened(2 + silent, 2, [0, 0]))[-1] == []


# --- Scores carried over
def test_the_first_hand_starts_from_nothing() -> None:
    assert found(opened(1, 3, [5, 0])) == [[("score-not-carried", "/scores")]]
    assert found(opened(2, 3, [5, 0])) == [[]]
    assert found(replace(opened(1, 3, [0, 0]), scores=UNSET)) == [[]]


def test_scores_go_on_where_the_last_hand_left_them() -> None:
    first, second = game_of(pedro(), opened(2, 0, [9, 5], "pedro"))
    assert found(first, second) == [[], []]
    second = replace(second, scores=[9, 4])
    findings = check_game([replay(first), replay(second)])[1]
    assert places(findings) == [("score-not-carried", "/scores")]
    assert findings[0].facts == {"recorded": [9, 4], "carried": [9, 5]}


def test_a_wrong_claim_carried_over_is_found_once() -> None:
    first, second = game_of(pedro(), opened(2, 0, [10, 5], "pedro"))
    claimed = Claimed(points=[9, 5], change=[9, 5], scores=[10, 5])
    first = replace(first, claimed=claimed)
    assert [item.code for item in replay(first).findings] == ["claimed-score"]
    assert found(first, second) == [[], []]
    # The right score may be carried on as well; a third one may not.
    assert found(first, replace(second, scores=[9, 5])) == [[], []]
    assert found(first, replace(second, scores=[11, 5])) == [[], [("score-not-carried", "/scores")]]


def test_scores_are_not_judged_after_a_hand_whose_result_is_open() -> None:
    doubtful = instead(pedro(), "2 play 7S", "2 play ?")
    doubtful = unclaimed(instead(doubtful, "2 play 5C", "2 play ?"))
    stopped = replace(unclaimed(pedro()), actions=pedro().actions[:20])
    rejected = unclaimed(instead(pedro(), "0 play KS", "0 play KD"))
    for hand, verdict in (
        (doubtful, Verdict.DOUBTFUL),
        (stopped, Verdict.INCOMPLETE),
        (rejected, Verdict.REJECTED),
    ):
        assert replay(hand).verdict == verdict
        assert found(*game_of(hand, opened(2, 0, [33, 3], "pedro"))) == [[], []]
        assert found(*game_of(hand, opened(2, 1, [33, 3], "pedro"))) == [
            [],
            [("wrong-dealer", "/dealer")],
        ]


def test_scores_of_another_number_of_sides_are_found_in_the_hand() -> None:
    hand = replace(unclaimed(pedro()), scores=[0, 0, 0])
    replayed = replay(hand)
    assert places(replayed.findings) == [("score-count", "/scores")]
    assert replayed.outcome is not None
    assert replayed.outcome.scores is None
    assert found(*game_of(hand, opened(2, 0, [1, 1], "pedro"))) == [[], []]


# --- The end of a game
def ends(hand: Hand, scores: list[int]) -> int | None:
    outcome = replay(replace(unclaimed(hand), scores=scores)).outcome
    assert outcome is not None
    return outcome.winner_side


@pytest.mark.parametrize(
    ("hand", "scores", "winner"),
    [
        (pedro(), [0, 57], 1),
        (pedro(), [53, 0], 0),
        (pedro(), [54, 58], None),
        (pedro(), [55, 58], 0),
        (pedro(), [0, 56], None),
        (pidro(), [54, 58], 0),
        (king_pedro(), [157, 0], 0),
        (king_pedro(), [156, 500], None),
        (king_pedro(), [0, 199], None),
        (twenty_nine(), [5, 5], 0),
        (twenty_nine(), [4, 5], None),
    ],
)
def test_who_has_won(hand: Hand, scores: list[int], winner: int | None) -> None:
    assert ends(hand, scores) == winner


@pytest.mark.parametrize(
    ("hand", "scores", "winner"),
    [
        (king_pedro(), [-56, 0], 1),
        (king_pedro(), [-55, 0], None),
        (king_pedro(), [300, 0], None),
        (twenty_nine(), [-5, 0], 1),
        (twenty_nine(), [-4, -6], 0),
        (pedro(), [-500, 0], None),
    ],
)
def test_who_has_lost(hand: Hand, scores: list[int], winner: int | None) -> None:
    assert ends(instead(hand, hand.actions[0], LOST[hand.rules.variant]), scores) == winner


def test_after_a_double_62_one_more_hand_decides() -> None:
    # T31 and T32: 54:58 and 9:5 make 63:63, and the makers of the next hand win by making it.
    first, second = game_of(
        replace(unclaimed(pedro()), scores=[54, 58]),
        replace(unclaimed(pedro()), dealer=3, scores=[63, 63]),
    )
    first, second = replace(first, hand=8), replace(second, hand=9)
    assert replay(first).outcome is not None
    assert found(first, second) == [[], [("wrong-dealer", "/dealer")]]
    assert ends(second, [63, 63]) == 0
    assert ends(instead(second, "0 bid 9", "0 bid 10"), [63, 63]) == 1


@pytest.mark.parametrize("gap", [1, 2, 7])
def test_nothing_follows_the_end_though_hands_are_missing(gap: int) -> None:
    last = replace(game_of(unclaimed(pedro()))[0], hand=6, scores=[55, 40])
    later = replace(opened(6 + gap, 0, [64, 45], "pedro"))
    findings = check_game([replay(last), replay(later)])
    assert places(findings[1]) == [("after-the-game", "/hand")]
    assert findings[1][0].facts == {"winner": 0, "ended_by": "hand-1"}
    assert findings[1][0].message == "The game was over: ann and cy had won it with hand-1."


def test_play_after_the_end_is_reported_once() -> None:
    last = replace(game_of(unclaimed(pedro()))[0], hand=6, scores=[55, 40])
    more = [opened(number, (number + 1) % 4, [64, 45], "pedro") for number in (7, 8, 9)]
    assert [bool(each) for each in found(last, *more)] == [False, True, False, False]


def test_a_game_that_went_on_because_it_was_counted_wrongly_is_found_in_that_count_alone() -> None:
    """With 9 points from 53 the makers have won; the record adds 8, and plays on."""
    last = replace(game_of(unclaimed(pedro()))[0], hand=6, scores=[53, 40])
    wrong = replace(last, claimed=Claimed(points=[9, 5], change=[8, 5], scores=[61, 45]))
    assert places(replay(wrong).findings) == [("claimed-change", "/claimed/change")]
    assert found(wrong, opened(7, 0, [61, 45], "pedro")) == [[], []]
    # A count that is right, or one with which the game was over all the same, excuses nothing.
    right = replace(last, claimed=Claimed(points=[9, 5], change=[9, 5], scores=[62, 45]))
    assert found(right, opened(7, 0, [62, 45], "pedro"))[1] == [("after-the-game", "/hand")]
    over = replace(last, claimed=Claimed(points=[9, 5], change=[10, 5], scores=[63, 45]))
    assert found(over, opened(7, 0, [63, 45], "pedro"))[1] == [("after-the-game", "/hand")]


def test_a_second_record_of_the_last_hand_is_not_play_after_the_end() -> None:
    last = replace(game_of(unclaimed(pedro()))[0], hand=6, scores=[55, 40])
    assert found(last, replace(last, id="again")) == [[], [("hand-number-twice", "/hand")]]


def test_a_game_without_recorded_scores_is_counted_from_its_first_hand() -> None:
    """Eight hands of 9:5 bring the makers from 0 over 62 with the seventh."""
    hands = [
        replace(unclaimed(pedro()), id=f"h{number}", game="g", hand=number, scores=UNSET)
        for number in range(1, 9)
    ]
    codes = [[code for code, _ in each if code != "wrong-dealer"] for each in found(*hands)]
    assert codes == [[]] * 7 + [["after-the-game"]]
    assert [code for each in found(*hands[1:]) for code, _ in each if code != "wrong-dealer"] == []


def test_an_undecided_result_ends_no_game() -> None:
    doubtful = instead(pedro(), "2 play 7S", "2 play ?")
    doubtful = unclaimed(instead(doubtful, "2 play 5C", "2 play ?"))
    first, second = game_of(replace(doubtful, scores=[55, 40]), opened(2, 0, [0, 0], "pedro"))
    assert found(replace(first, hand=6), replace(second, hand=7)) == [[], []]


# --- The table
def test_the_same_table_all_game_long() -> None:
    first, second = game_of(unclaimed(pedro()), opened(2, 0, [9, 5], "pedro"))
    seats = [second.players[2], *second.players[1:2], second.players[0], second.players[3]]
    assert found(first, replace(second, players=seats)) == [[], [("players-changed", "/players")]]
    other = replace(second, rules=replace(second.rules, options={"target": 51}))
    assert found(first, other) == [[], [("rules-changed", "/rules")]]
    same = replace(second, rules=replace(second.rules, version=1, options={"min_bid": 7}))
    assert found(first, same) == [[], []]


def test_findings_come_in_the_order_of_the_hands_given() -> None:
    chance = random.Random(3)
    hands = list(generate("pedro", 1, seed=4))
    broken = [
        replace(hand, scores=[1, 2]) if number % 3 == 2 else hand
        for number, hand in enumerate(hands)
    ]
    expected = dict(zip((hand.id for hand in broken), found(*broken), strict=True))
    shuffled = list(broken)
    chance.shuffle(shuffled)
    shuffled.sort(key=lambda hand: int(str(hand.hand)))
    assert dict(zip((hand.id for hand in shuffled), found(*shuffled), strict=True)) == expected
    assert any(expected.values())


def test_a_claimed_score_is_checked_in_the_hand_alone() -> None:
    assert [item.code for item in replay(pedro()).findings] == []
    wrong = replace(pedro(), claimed=Claimed(scores=[0, 0]))
    assert [item.code for item in replay(wrong).findings] == ["claimed-score"]
    open_score = replace(wrong, scores=UNSET)
    assert replay(open_score).findings == ()


@pytest.mark.parametrize(("first", "second"), [(4, 5), (5, 4), (7, 4)])
def test_scores_are_not_carried_to_a_table_with_other_sides(first: int, second: int) -> None:
    hands = [
        next(iter(generate("sancho", 1, seed=3, players=players))) for players in (first, second)
    ]
    game = game_of(hands[0], replace(hands[1], scores=UNSET, claimed=UNSET))
    assert ("players-changed", "/players") in found(*game)[1]
