"""Contracts of Twenty-Nine: made, failed, changed by a pair, void (14.pair, 14.score, 14.game)."""

import pytest
from msgspec import UNSET

from tricklog.core import Outcome, Replay, Verdict, replay
from tricklog.schemas.hand import Claimed, Hand, OptionValue, Player, RulesRef

Options = dict[str, OptionValue]

# Spades are trumps throughout, seat 3 deals and seat 0 leads. Seat 1 has no heart and so is the
# first who cannot follow. Everything below is what seats 0, 1, 2 and 3 play, unless it says more.

# Seat 0 holds king and queen of trumps; side 0 takes six tricks with 16 points, seat 3 two with 12.
STRONG_DEAL = [
    "JH 9H AH TH JS 9S KS QS",
    "JD 9D AD TD KD QD 8D 7D",
    "KH QH 8H 7H JC 9C AC TC",
    "AS TS 8S 7S KC QC 8C 7C",
]
STRONG_TRICKS = [
    "JS 8D 8H 7S",
    "9S QD QH 8S",
    "9H KD KH 8C",
    "AH TD AC QC",
    "TH AD TC KC",
    "KS 9D 9C AS",
]
STRONG_LAST = ["3 play TS", "0 play QS", "1 play JD", "2 play JC"]

# Seat 3 holds king and queen of trumps and ruffs trick 1; the others, with 25 points, go to side 0.
SPLIT_DEAL = [
    "JH 9H AH TH JS 9S AS TS",
    "JD 9D AD TD KD QD 8D 7D",
    "KH QH 8H 7H JC 9C AC TC",
    "KS QS 8S 7S KC QC 8C 7C",
]
SPLIT_SECOND = ["3 play KC", "0 play TS", "1 play 8D", "2 play AC"]
SPLIT_TRICKS = [
    "JS QD 7H 7S",
    "9S KD QH QS",
    "AS TD TC KS",
    "9H AD KH 7C",
    "AH 9D 9C 8C",
    "TH JD JC QC",
]

# Everybody has two cards of each suit, so nobody ever fails to follow.
EVEN_DEAL = [
    "JH 9H JD 9D JC 9C JS 9S",
    "AH TH AD TD AC TC AS TS",
    "KH QH KD QD KC QC KS QS",
    "8H 7H 8D 7D 8C 7C 8S 7S",
]
EVEN_TRICKS = [
    " ".join(rank + suit for rank in ranks) for suit in "HDCS" for ranks in ("JAK8", "9TQ7")
]


def auction(maker: int, bid: int) -> list[str]:
    before = [f"{seat} pass" for seat in range(maker)]
    after = [f"{(maker + step) % 4} pass" for step in (1, 2, 3)]
    return [*before, f"{maker} bid {bid}", *after, f"{maker} trump S"]


def led_by_0(tricks: list[str]) -> list[str]:
    return [f"{seat} play {card}" for trick in tricks for seat, card in enumerate(trick.split())]


def strong_hand(maker: int, bid: int, *, pair: bool = False) -> list[str]:
    first = ["1 play 7D", "2 play 7H", "3 play 7C"]
    return [
        *auction(maker, bid),
        "0 play JH",
        *([] if maker == 1 else ["1 ask"]),
        f"{maker} reveal S",
        *first,
        *(["0 pair"] if pair else []),
        *led_by_0(STRONG_TRICKS),
        *STRONG_LAST,
    ]


def split_hand(bid: int, *, pair: bool = False) -> list[str]:
    first = ["0 play JH", "1 ask", "0 reveal S", "1 play 7D", "2 play 8H", "3 play 8S"]
    return [
        *auction(0, bid),
        *first,
        *(["3 pair"] if pair else []),
        *SPLIT_SECOND,
        *led_by_0(SPLIT_TRICKS),
    ]


def replayed(
    deal: list[str],
    actions: list[str],
    options: Options | None = None,
    scores: list[int] | None = None,
    claimed: Claimed | None = None,
) -> Replay:
    return replay(
        Hand(
            format="tricklog/1",
            id="contract",
            rules=RulesRef(variant="twenty-nine", options=options or UNSET),
            players=[Player(id=name) for name in ("ann", "bo", "cy", "dee")],
            dealer=3,
            actions=actions,
            scores=scores or UNSET,
            deal=deal,
            claimed=claimed or UNSET,
        )
    )


def outcome_of(replayed_hand: Replay) -> Outcome:
    assert replayed_hand.verdict == Verdict.VALID, replayed_hand.findings
    assert replayed_hand.outcome is not None
    return replayed_hand.outcome


@pytest.mark.parametrize(
    ("bid", "result", "change"), [(15, "made", 1), (16, "made", 1), (17, "set", -1)]
)
def test_a_contract_is_worth_one_game_point_either_way(bid: int, result: str, change: int) -> None:
    outcome = outcome_of(replayed(STRONG_DEAL, strong_hand(0, bid)))
    assert (outcome.result, outcome.need, outcome.stake) == (result, bid, 1)
    assert outcome.points == (16, 12)
    assert outcome.change == (change, 0)


def test_the_side_of_the_maker_scores_when_seat_1_is_the_maker() -> None:
    outcome = outcome_of(replayed(STRONG_DEAL, strong_hand(1, 15)))
    assert (outcome.result, outcome.maker) == ("set", 1)
    assert outcome.change == (0, -1)


# T110, and the floor of O36.
@pytest.mark.parametrize(
    ("bid", "options", "need", "result"),
    [
        (20, {}, 16, "made"),
        (21, {}, 17, "set"),
        (17, {}, 15, "made"),
        (15, {}, 15, "made"),
        (17, {"min_bid": 16, "forced_bid": 16}, 16, "made"),
    ],
)
def test_the_makers_pair_lowers_what_they_need(
    bid: int, options: Options, need: int, result: str
) -> None:
    outcome = outcome_of(replayed(STRONG_DEAL, strong_hand(0, bid, pair=True), options))
    assert (outcome.need, outcome.result) == (need, result)
    assert outcome.change == ((1 if result == "made" else -1), 0)


@pytest.mark.parametrize(
    ("bid", "pair", "need", "result"),
    [
        (25, False, 25, "made"),
        (21, True, 25, "made"),
        (22, True, 26, "set"),
        (26, True, 28, "set"),
        (28, True, 28, "set"),
    ],
)
def test_the_defenders_pair_raises_what_the_makers_need(
    bid: int, *, pair: bool, need: int, result: str
) -> None:
    outcome = outcome_of(replayed(SPLIT_DEAL, split_hand(bid, pair=pair)))
    assert (outcome.need, outcome.result) == (need, result)
    assert outcome.points == (25, 3)
    assert outcome.change == ((1 if result == "made" else -1), 0)


def test_the_last_trick_can_make_the_contract() -> None:
    options: Options = {"last_trick_points": 1, "max_bid": 29}
    made = outcome_of(replayed(SPLIT_DEAL, split_hand(26), options))
    assert (made.result, made.points) == ("made", (26, 3))
    assert outcome_of(replayed(SPLIT_DEAL, split_hand(26))).result == "set"


def test_a_bid_of_29_needs_the_option() -> None:
    assert outcome_of(replayed(SPLIT_DEAL, split_hand(29), {"max_bid": 29})).change == (-1, 0)
    too_high = replayed(SPLIT_DEAL, split_hand(29))
    assert [finding.action for finding in too_high.findings] == [0]


def test_a_hand_whose_trump_is_never_shown_is_void() -> None:
    outcome = outcome_of(replayed(EVEN_DEAL, auction(0, 16) + led_by_0(EVEN_TRICKS)))
    assert outcome.result == "void"
    assert outcome.change == (0, 0)


# T115.
@pytest.mark.parametrize(
    ("bid", "before", "after", "winner"),
    [
        (16, [5, 2], (6, 2), 0),
        (17, [-5, 2], (-6, 2), 1),
        (17, [1, 2], (0, 2), None),
        (16, [4, 5], (5, 5), None),
    ],
)
def test_six_game_points_end_the_game(
    bid: int, before: list[int], after: tuple[int, int], winner: int | None
) -> None:
    outcome = outcome_of(replayed(STRONG_DEAL, strong_hand(0, bid), scores=before))
    assert outcome.scores == after
    assert (outcome.winner_side, outcome.game_over) == (winner, winner is not None)


def test_a_made_contract_claimed_as_failed_is_one_finding() -> None:
    claimed = Claimed(points=[16, 12], change=[-1, 0], scores=[-1, 0])
    hand = replayed(STRONG_DEAL, strong_hand(0, 16), scores=[0, 0], claimed=claimed)
    assert [finding.pointer for finding in hand.findings] == ["/claimed/change"]
    assert hand.outcome is not None
    assert hand.outcome.change == (1, 0)


def test_the_right_claims_of_a_made_contract_hold() -> None:
    claimed = Claimed(
        points=[25, 3], change=[1, 0], scores=[1, 0], winners=[3, 0, 0, 0, 0, 0, 0, 0]
    )
    hand = replayed(SPLIT_DEAL, split_hand(25), scores=[0, 0], claimed=claimed)
    assert outcome_of(hand).scores == (1, 0)


def test_the_same_contract_is_made_when_no_card_of_the_deal_is_recorded() -> None:
    unknown = [" ".join("?" * 8)] * 4
    outcome = outcome_of(replayed(unknown, strong_hand(0, 20, pair=True)))
    assert (outcome.result, outcome.need, outcome.points) == ("made", 16, (16, 12))
