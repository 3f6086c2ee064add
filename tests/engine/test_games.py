"""Games: what the hands of one game tell about each other, when they end, what a match counts."""

import random
from collections.abc import Callable, Sequence

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.sound_hands import SOUND, instead, king_pedro, pedro, pidro, twenty_nine
from tests.kit.support import Options, codes, hand_of, places
from tests.kit.tables import sancho
from tests.kit.tiers import scaled, some
from tricklog import Claimed, Gap, Hand, Replay, check_game, generate, match_scores, replay
from tricklog.core.render.sentences import result_text
from tricklog.schemas.hand import FORMAT_WITH_GAPS as GAPS

SYSTEMS = sorted(SOUND)
REST = Gap(before=0, missing="rest")
POINTERS = {
    "wrong-dealer": "/dealer",
    "score-not-carried": "/scores",
    "hand-number-twice": "/hand",
    "after-the-game": "/hand",
}


def found(*hands: Hand) -> list[list[tuple[str, str]]]:
    return [places(each) for each in check_game([replay(hand) for hand in hands])]


def unclaimed(hand: Hand) -> Hand:
    return replace(hand, claimed=UNSET)


def doubtful() -> Hand:
    hand = instead(pedro(), "2 play 7S", "2 play ?")
    return unclaimed(instead(hand, "2 play 5C", "2 play ?"))


OF_PEDRO: dict[str, Callable[[], Hand]] = {
    "sound": lambda: unclaimed(pedro()),
    "doubtful": doubtful,
    "stopped": lambda: replace(unclaimed(pedro()), actions=pedro().actions[:20]),
    "rejected": lambda: unclaimed(instead(pedro(), "0 play KS", "0 play KD")),
}
"""Hands of 9 : 5, and three whose result is open."""


def hand_in(text: str, variant: str = "king-pedro") -> Hand:
    """Return a hand of a game: what it is, its number and dealer, the scores before it.

    `passed 2@0` or `opened 2@0 30:2`, a hand of `OF_PEDRO`, or `silent 2`, of which nobody noted
    anything; `-` for a number or for scores that are not recorded.
    """
    kind, place, *scores = text.split()
    number, _, dealt = place.partition("@")
    dealer = int(dealt or 0)
    order = [(dealer + (step if variant != "bangladesh" else -step)) % 4 for step in (1, 2, 3, 4)]
    passes = [f"{seat} pass" for seat in order[: 3 if variant == "bangladesh" else 4]]
    if kind in OF_PEDRO:
        hand = replace(OF_PEDRO[kind](), dealer=dealer)
    else:
        hand = hand_of(variant, passes if kind == "passed" else [], dealer=dealer)
    if kind == "silent":
        hand = replace(hand, dealer=UNSET, gaps=[REST], format=GAPS)
    points = "".join(scores) or "0:0"
    return replace(
        hand,
        id=f"hand-{number}",
        game="g",
        hand=UNSET if number == "-" else int(number),
        scores=UNSET if points == "-" else [int(word) for word in points.split(":")],
    )


def hands_in(text: str) -> list[Hand]:
    """Return the hands of a game, of King Pedro where no other is named: `pedro: sound 1@3, …`."""
    variant, colon, rest = text.rpartition(": ")
    return [hand_in(each, variant if colon else "king-pedro") for each in rest.split(", ")]


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
        outcomes = [replay(hand).outcome for hand in hands]
        over = [each is not None and each.game_over for each in outcomes]
        assert over == [False] * (len(hands) - 1) + [True]
        assert outcomes[-1]
        assert outcomes[-1].winner_side is not None


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_missing_hand_leaves_the_others_sound(system: str) -> None:
    hands = list(generate(system, 1, seed=8))
    for gap in some(range(len(hands) - 1), 4):
        rest = hands[:gap] + hands[gap + 1 :]
        assert found(*rest) == [[] for _ in rest]


# --- Hands in their order
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        # Numbers and the deal
        ("passed 1@3, passed 2@0, opened 3@1", ["", "", ""]),
        ("passed 1@3, passed 2@3, opened 3@0", ["", "wrong-dealer", ""]),
        ("passed 1@2, passed 2@3, passed 3@0, passed 4@1, passed 5@2, passed 6@3", [""] * 6),
        ("passed 1@3, passed 2@2, passed 3@3", ["", "wrong-dealer", ""]),
        *((f"passed 1@3, opened 4@{dealer} 30:2", ["", ""]) for dealer in range(4)),
        ("passed -@3, opened -@1", ["", "wrong-dealer"]),
        ("passed 2@3, opened 2@3", ["", "hand-number-twice"]),
        ("bangladesh: passed 1@3, passed 2@2, passed 3@1", ["", "", ""]),
        ("bangladesh: passed 1@3, opened 2@0", ["", "wrong-dealer"]),
        # Scores carried over
        ("opened 1@3 5:0", ["score-not-carried"]),
        ("opened 2@3 5:0", [""]),
        ("opened 1@3 -", [""]),
        ("pedro: sound 1@3, opened 2@0 9:5", ["", ""]),
        ("pedro: sound 1@3, opened 2@0 9:4", ["", "score-not-carried"]),
        ("pedro: sound 1@3 0:0:0, opened 2@0 1:1", ["", ""]),
        # Not after a hand whose result is open
        ("pedro: doubtful 1@3, opened 2@0 33:3", ["", ""]),
        ("pedro: stopped 1@3, opened 2@0 33:3", ["", ""]),
        ("pedro: rejected 1@3, opened 2@0 33:3", ["", ""]),
        ("pedro: doubtful 1@3, opened 2@1 33:3", ["", "wrong-dealer"]),
        ("pedro: stopped 1@3, opened 2@1 33:3", ["", "wrong-dealer"]),
        ("pedro: rejected 1@3, opened 2@1 33:3", ["", "wrong-dealer"]),
        # The end: nothing follows, though hands are missing, and that is said once
        *(
            (f"pedro: sound 6@3 55:40, opened {number}@0 64:45", ["", "after-the-game"])
            for number in (7, 8, 13)
        ),
        (
            "pedro: sound 6@3 55:40, opened 7@0 64:45, opened 8@1 64:45, opened 9@2 64:45",
            ["", "after-the-game", "", ""],
        ),
        ("pedro: sound 6@3 55:40, sound 6@3 55:40", ["", "hand-number-twice"]),
        ("pedro: doubtful 6@3 55:40, opened 7@0 0:0", ["", ""]),
        # T31 and T32: 54:58 and 9:5 make 63:63, and one more hand decides.
        ("pedro: sound 8@3 54:58, sound 9@3 63:63", ["", "wrong-dealer"]),
    ],
)
def test_s02_s84_what_hands_tell_about_each_other(text: str, wrong: list[str]) -> None:
    expected = [[(code, POINTERS[code])] if code else [] for code in wrong]
    assert found(*hands_in(text)) == expected


@pytest.mark.parametrize(("direction", "step"), [("clockwise", 1), ("anticlockwise", 3)])
def test_s01_s84_anybody_deals_first_and_then_the_next_in_the_direction_of_play(
    direction: str, step: int
) -> None:
    options: Options = {"direction": direction}
    for dealer in range(4):
        for then in range(4):
            deals = enumerate((dealer, then), 1)
            hands = [
                replace(hand_of("pedro", options=options, dealer=seat), game="g", hand=number)
                for number, seat in deals
            ]
            first, second = check_game(map(replay, hands))
            wrong = [("wrong-dealer", (dealer + step) % 4)] * (then != (dealer + step) % 4)
            assert not first
            assert [(each.code, each.facts["due"]) for each in second] == wrong


@pytest.mark.parametrize("silent", [1, 2, 5])
def test_the_deal_passes_on_in_hands_of_which_nobody_noted_the_dealer(silent: int) -> None:
    """0.deal: what two known dealers with so many hands between them allow."""
    first = hand_in("passed 1@3")
    between = [hand_in(f"silent {2 + number} -") for number in range(silent)]
    for dealer in range(4):
        last = hand_in(f"opened {2 + silent}@{dealer}")
        wrong = [] if dealer == silent % 4 else [("wrong-dealer", "/dealer")]
        assert found(first, *between, last) == [*([] for _ in range(silent + 1)), wrong]
        missing = replace(last, hand=3 + silent)
        assert found(first, *between, missing)[-1] == []
    assert found(hand_in("silent 1"), *between, hand_in(f"opened {2 + silent}@2"))[-1] == []


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
    hands = hands_in("passed 1@3, passed 2@0, passed 3@1")
    timed = [replace(each, started_at=at or UNSET) for each, at in zip(hands, times, strict=True)]
    expected = [("began-before", "/started_at")]
    assert found(*timed) == [expected if at in wrong else [] for at in range(3)]


# --- What such a finding says
def second_finding(text: str) -> tuple[dict[str, object], str]:
    """Return facts and sentence of the one finding about the second hand of a game."""
    (finding,) = check_game(map(replay, hands_in(text)))[1]
    return dict(finding.facts), finding.message


def test_findings_say_which_hand_and_which_scores() -> None:
    assert second_finding("passed 2@3, opened 2@3")[0] == {"number": 2, "other": "hand-2"}
    facts, _ = second_finding("pedro: sound 1@3, opened 2@0 9:4")
    assert facts == {"recorded": [9, 4], "carried": [9, 5]}
    facts, message = second_finding("pedro: sound 6@3 55:40, opened 8@0 64:45")
    assert facts == {"winner": 0, "ended_by": "hand-6"}
    assert message == "The game was over: ann and cy had won it with hand-6."


def test_results_are_open_in_three_ways() -> None:
    assert [replay(make()).verdict.value for make in OF_PEDRO.values()] == [
        *("valid", "doubtful", "incomplete", "rejected")
    ]


def test_what_is_wrong_in_one_hand_is_found_there_alone() -> None:
    """Scores of another number of sides, claimed scores, and wrong claims carried over."""
    replayed = replay(hand_in("sound 1@3 0:0:0"))
    assert places(replayed.findings) == [("score-count", "/scores")]
    assert replayed.outcome is not None
    assert replayed.outcome.scores is None
    wrong = replace(pedro(), claimed=Claimed(scores=[0, 0]))
    assert codes(replay(wrong)) == ["claimed-score"]
    assert replay(replace(wrong, scores=UNSET)).findings == ()
    first = hand_in("sound 1@3")
    first = replace(first, claimed=Claimed(points=[9, 5], change=[9, 5], scores=[10, 5]))
    assert codes(replay(first)) == ["claimed-score"]
    # The right score may be carried on as well; a third one may not.
    for scores, found_then in (
        ("10:5", []),
        ("9:5", []),
        ("11:5", [("score-not-carried", "/scores")]),
    ):
        assert found(first, hand_in(f"opened 2@0 {scores}", "pedro")) == [[], found_then]


def test_a_game_that_went_on_because_it_was_counted_wrongly_is_found_in_that_count_alone() -> None:
    """With 9 points from 53 the makers have won; the record adds 8, and plays on."""
    last = hand_in("sound 6@3 53:40")
    wrong = replace(last, claimed=Claimed(points=[9, 5], change=[8, 5], scores=[61, 45]))
    assert places(replay(wrong).findings) == [("claimed-change", "/claimed/change")]
    assert found(wrong, hand_in("opened 7@0 61:45", "pedro")) == [[], []]
    # A count that is right, or one with which the game was over all the same, excuses nothing.
    for change in (9, 10):
        claimed = Claimed(points=[9, 5], change=[change, 5], scores=[53 + change, 45])
        after = hand_in(f"opened 7@0 {53 + change}:45", "pedro")
        assert found(replace(last, claimed=claimed), after)[1] == [("after-the-game", "/hand")]


def test_a_game_without_recorded_scores_is_counted_from_its_first_hand() -> None:
    """Eight hands of 9:5 bring the makers from 0 over 62 with the seventh."""
    hands = [hand_in(f"sound {number}@3 -") for number in range(1, 9)]
    codes = [[code for code, _ in each if code != "wrong-dealer"] for each in found(*hands)]
    assert codes == [[]] * 7 + [["after-the-game"]]
    assert [code for each in found(*hands[1:]) for code, _ in each if code != "wrong-dealer"] == []


def test_s47_the_game_is_over_where_somebody_has_counted_out() -> None:
    # Both reach 100, and the five of ann is counted before the nine of bo.
    first = sancho(4, scores=[95, 98, 0, 0], game="g", hand=7)
    second = sancho(4, id="two", scores=[103, 99, 0, 0], game="g", hand=8, actions=[])
    second = replace(second, dealer=0)
    findings = check_game([replay(first), replay(second)])[1]
    assert places(findings) == [("after-the-game", "/hand")]
    assert findings[0].facts["winner"] == 0
    assert places(check_game([replay(second)])[0]) == [("after-the-game", "/scores")]


@pytest.mark.parametrize(("dealer", "wrong"), [(0, []), (3, [("wrong-dealer", "/dealer")])])
def test_s42_the_deal_passes_on_among_five(dealer: int, wrong: list[tuple[str, str]]) -> None:
    first = sancho(5, scores=[0] * 5, game="g", hand=1)
    second = sancho(5, id="two", scores=[8, 10, 0, 0, 0], game="g", hand=2, actions=[])
    assert found(first, replace(second, dealer=dealer))[1] == wrong


# --- The table
def test_the_same_table_all_game_long() -> None:
    first, second = hands_in("pedro: sound 1@3, opened 2@0 9:5")
    seats = [second.players[2], *second.players[1:2], second.players[0], second.players[3]]
    other = replace(second.rules, options={"target": 51})
    same = replace(second.rules, version=1, options={"min_bid": 7})
    for after, wrong in (
        (replace(second, players=seats), [("players-changed", "/players")]),
        (replace(second, rules=other), [("rules-changed", "/rules")]),
        (replace(second, rules=same), []),
    ):
        assert found(first, after) == [[], wrong]


def test_findings_come_in_the_order_of_the_hands_given() -> None:
    chance = random.Random(3)
    hands = list(generate("pedro", 1, seed=4))
    broken = list(hands)
    broken[2::3] = [replace(hand, scores=[1, 2]) for hand in hands[2::3]]
    expected = dict(zip((hand.id for hand in broken), found(*broken), strict=True))
    shuffled = list(broken)
    chance.shuffle(shuffled)
    shuffled.sort(key=lambda hand: int(str(hand.hand)))
    assert dict(zip((hand.id for hand in shuffled), found(*shuffled), strict=True)) == expected
    assert any(expected.values())


@pytest.mark.parametrize(("first", "second"), [(4, 5), (5, 4), (7, 4)])
def test_scores_are_not_carried_to_a_table_with_other_sides(first: int, second: int) -> None:
    before, after = (
        replace(next(iter(generate("sancho", 1, seed=3, players=players))), game="g", hand=number)
        for number, players in enumerate((first, second), 1)
    )
    after = replace(after, scores=UNSET, claimed=UNSET)
    assert ("players-changed", "/players") in found(before, after)[1]


# --- The end of a game
LOST = {"pedro": 10, "twenty-nine": 17, "king-pedro": 44}
"""By game: what the makers of its sound hand bid in vain."""


@pytest.mark.parametrize(
    ("hand", "made", "scores", "winner"),
    [
        (pedro(), True, [0, 57], 1),
        (pedro(), True, [53, 0], 0),
        (pedro(), True, [54, 58], None),
        (pedro(), True, [55, 58], 0),
        (pedro(), True, [0, 56], None),
        (pedro(), True, [63, 63], 0),
        (pedro(), False, [63, 63], 1),
        (pedro(), False, [-500, 0], None),
        (pidro(), True, [54, 58], 0),
        (king_pedro(), True, [157, 0], 0),
        (king_pedro(), True, [156, 500], None),
        (king_pedro(), True, [0, 199], None),
        (king_pedro(), False, [-56, 0], 1),
        (king_pedro(), False, [-55, 0], None),
        (king_pedro(), False, [300, 0], None),
        (twenty_nine(), True, [5, 5], 0),
        (twenty_nine(), True, [4, 5], None),
        (twenty_nine(), False, [-5, 0], 1),
        (twenty_nine(), False, [-4, -6], 0),
    ],
)
def test_who_has_won(hand: Hand, scores: list[int], winner: int | None, *, made: bool) -> None:
    if not made:
        hand = instead(hand, hand.actions[0], f"0 bid {LOST[hand.rules.variant]}")
    outcome = replay(replace(unclaimed(hand), scores=scores)).outcome
    assert outcome is not None
    assert outcome.winner_side == winner


# --- Matches
def game(match_score: str, *, won: bool = True, scores: Sequence[int] = (5, -5)) -> list[Replay]:
    """A game of one recorded hand, which side 0 wins or loses with it."""
    hand = replace(unclaimed(twenty_nine()), scores=list(scores))
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
    games = [game(match_score), game(match_score), game(match_score, won=False)]
    assert match_scores(games) == totals
    last = games[0][0]
    assert last.outcome is not None
    assert last.outcome.match == one
    assert result_text(last)[-1] == f"In the match: ann & cy +{one[0]}, bo & dee -1."


def test_o50_a_game_that_goes_on_counts_nothing_and_without_matches_none_does() -> None:
    undecided, plain = game("won-two-lost-one", scores=(3, -3)), game("none")
    for games in (undecided, plain):
        assert games[0].outcome is not None
        assert games[0].outcome.match is None
        assert match_scores([games]) == [0, 0]
    assert plain[0].outcome
    assert plain[0].outcome.winner_side == 0


def test_o50_a_game_is_followed_from_hand_to_hand() -> None:
    options: Options = {"match_score": "won-two-lost-one", "target": 2}
    hand = replace(unclaimed(twenty_nine()), scores=UNSET, game="g")
    hand = replace(hand, rules=replace(hand.rules, options=dict(options)))
    hands = [replay(replace(hand, id=f"h{number}", hand=number)) for number in (1, 2)]
    assert match_scores([hands]) == [2, -1]
    assert match_scores([hands[:1]]) == [0, 0]
