"""Records with gaps: what they cover is judged, what hangs on a gap is never a finding."""

import random
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.broken_hands import generated
from tests.kit.gap_records import AUCTION, NOTHING, THIRD, cut, record
from tests.kit.random_play import random_hand, some_options
from tests.kit.support import ruleset_for
from tests.kit.tiers import some
from tricklog.core import Verdict, replay, variants
from tricklog.core.judging.games import check_game
from tricklog.core.judging.gaps.totals import have_all_points
from tricklog.schemas.hand import Claimed, Gap, Hand, Known, RulesRef, Then, decode_hand

SAMPLES: Final = Path(__file__).parents[2] / "sample_logs" / "valid"
TO_THIRD: Final = Gap(before=5, missing="tricks", tricks=[1, 2])


def rest(before: int) -> Gap:
    return Gap(before=before, missing="rest")


def codes(hand: Hand) -> list[str]:
    return [finding.code for finding in replay(hand).findings]


# --- The disputed trick


def test_a_disputed_trick_by_itself_is_no_finding() -> None:
    result = replay(record(*AUCTION, *THIRD, gaps=[TO_THIRD, rest(9)]))
    assert (result.verdict, result.findings) == (Verdict.PARTIAL, ())
    assert [(trick.number, trick.winner) for trick in result.tricks] == [(3, 0)]
    assert result.doubts == (
        "Not recorded before action 5: tricks 1 to 2.",
        "Not recorded: everything after the last action.",
    )


def test_a_hand_that_an_agreed_claim_ended_counts_with_what_was_agreed() -> None:
    for variant in ("pedro", "twenty-nine", "cinch", "snoozer"):
        hand = next(each for each in generated(variant) if len(replay(each).tricks) > 1)
        whole = replay(hand)
        assert whole.outcome
        played = hand.actions[: whole.tricks[-2].last_action + 1]
        agreed = replay(replace(hand, actions=played, status="claimed"))
        assert agreed.verdict == Verdict.PARTIAL
        assert agreed.known_outcome
        assert agreed.known_outcome.points == whole.outcome.points
        for other in (UNSET, Claimed()):
            silent = replay(replace(hand, actions=played, status="claimed", claimed=other))
            assert silent.verdict == Verdict.INCOMPLETE


def test_a_card_said_to_be_held_proves_the_revoke() -> None:
    """1.follow: who holds the suit led and plays neither it nor trumps has revoked."""
    held = Then(holdings=[None, None, None, "7S"])
    gap = Gap(before=5, missing="tricks", tricks=[1, 2], then=held)
    result = replay(record(*AUCTION, *THIRD, gaps=[gap, rest(9)]))
    (finding,) = result.findings
    assert (finding.code, finding.action, finding.rule) == ("revoke", 7, "1.follow")
    assert result.verdict == Verdict.IRREGULAR


def test_a_card_shown_later_proves_the_revoke() -> None:
    """1.follow: what is played in a later trick was held before, whatever was left out between."""
    later = ("1 play AH", "2 play 3H", "3 play 7S", "0 play 4H")
    gaps = [TO_THIRD, Gap(before=9, missing="tricks", tricks=[4, 4]), rest(13)]
    result = replay(record(*AUCTION, *THIRD, *later, gaps=gaps))
    assert [(item.code, item.action) for item in result.findings] == [("revoke", 7)]
    assert [trick.number for trick in result.tricks] == [3, 5]


def test_what_may_have_been_trumps_or_trumped_is_no_finding() -> None:
    """Without trumps nine of diamonds may have been one, and then it was no revoke."""
    held = Then(holdings=[None, None, None, "7S"])
    gap = Gap(before=0, missing="tricks", tricks=[1, 2], then=held)
    alone = record(*THIRD, gaps=[gap, rest(4)], dealer=UNSET)
    result = replay(alone)
    assert (result.verdict, result.findings) == (Verdict.PARTIAL, ())
    assert result.tricks[0].winner is None
    assert codes(replace(alone, known=Known(trump="H"))) == ["revoke"]
    assert codes(replace(alone, known=Known(trump="D"))) == []


def test_the_winner_of_a_trick_alone_is_judged_by_its_number() -> None:
    """1.trick: the claim stands at the place of the trick, those left out before it are empty."""
    gap = Gap(before=0, missing="tricks", tricks=[1, 2])
    hand = record(
        *THIRD,
        gaps=[gap, rest(4)],
        known=Known(trump="H"),
        claimed=Claimed(winners=[None, None, 3]),
    )
    (finding,) = replay(hand).findings
    assert (finding.code, finding.pointer) == ("claimed-winner", "/claimed/winners/2")
    right = replace(hand, claimed=Claimed(winners=[None, None, 0]))
    assert replay(right).findings == ()


def test_a_wrong_leader_is_found_only_where_it_is_known_who_took_the_trick_before() -> None:
    """1.lead."""
    taken = Gap(before=5, missing="tricks", tricks=[1, 2], then=Then(winner=2))
    assert codes(record(*AUCTION, *THIRD, gaps=[taken, rest(9)])) == ["wrong-leader"]


def test_half_a_trick_and_a_card_played_twice() -> None:
    half = record(*AUCTION, *THIRD[:2], gaps=[TO_THIRD, rest(7)])
    result = replay(half)
    assert (result.verdict, result.tricks) == (Verdict.PARTIAL, ())
    twice = replace(half, actions=[*AUCTION, "1 play 8S", "2 play 8S"])
    assert replay(twice).verdict == Verdict.REJECTED


# --- The auction


def test_a_bid_after_calls_that_are_not_recorded_is_in_turn() -> None:
    gaps = [Gap(before=0, missing="auction"), rest(1)]
    assert codes(record("2 bid 7", gaps=gaps)) == []
    assert codes(record("2 bid 7")) == ["bid-out-of-turn"]


def test_only_passes_can_be_left_out_before_a_bid_of_the_last_to_speak_that_is_the_lowest() -> None:
    """1.auction, 5.auction: it is forced, but where the dealer may take a bid over."""
    gaps = [Gap(before=1, missing="auction"), rest(3)]
    for variant, number, forced in (("pedro", 7, True), ("pedro", 8, False)):
        hand = record("1 pass", f"0 bid {number}", "0 trump H", gaps=gaps, variant=variant)
        known = replay(hand).known_outcome
        assert known is not None
        assert known.forced is forced


@pytest.mark.parametrize(
    ("maker", "points", "change"),
    [(2, [9, 5], [9, 5]), (2, [8, 6], [-9, 6]), (3, [6, 8], [6, 8]), (3, [7, 7], [7, -8])],
)
def test_who_goes_on_as_maker_says_whether_a_low_bid_was_taken(
    maker: int, points: list[int], change: list[int]
) -> None:
    """0.auction: nine is needed where the first bid stood, and eight where the second did."""
    gaps = [Gap(before=0, missing="auction"), rest(3)]
    calls = ("2 bid 9", "3 bid 8", f"{maker} trump H")
    for claimed, also in ((change, []), (change[::-1], ["claimed-change"])):
        hand = record(*calls, gaps=gaps, claimed=Claimed(points=points, change=claimed))
        assert codes(hand) == ["bid-not-higher", *also]


@pytest.mark.parametrize(
    ("calls", "found"),
    [
        (("2 bid 5",), "bid-too-low"),
        (("2 bid 15",), "bid-too-high"),
        (("2 bid 9", "3 bid 8"), "bid-not-higher"),
        (("2 bid 28-56",), ""),
    ],
)
def test_bids_are_judged_by_what_is_recorded_of_the_auction(
    calls: tuple[str, ...], found: str
) -> None:
    """1.auction: the range, and over what was bid before as far as it is recorded."""
    gaps = [Gap(before=0, missing="auction"), rest(len(calls))]
    hand = record(*calls, gaps=gaps)
    assert codes(hand) == ([found] if found else ["bid-unknown"])


def test_without_a_dealer_any_first_caller_is_right_and_a_turn_passed_over_is_wrong() -> None:
    """0.auction: calls go round, whoever dealt."""
    hand = record(*AUCTION, gaps=[rest(5)], dealer=UNSET)
    result = replay(hand)
    assert (result.verdict, result.findings) == (Verdict.PARTIAL, ())
    assert result.at(0).dealer is None
    low = replace(hand, actions=["1 pass", "2 bid 5"], gaps=[rest(2)])
    assert codes(low) == ["bid-too-low"]


def sound(variant: str, count: int) -> list[Hand]:
    lines = b"".join(log.read_bytes() for log in sorted((SAMPLES / variant).glob("*.jsonl")))
    return [decode_hand(line) for line in lines.splitlines()[:count]]


@pytest.mark.parametrize("variant", ["pedro", "pidro", "king-pedro", "twenty-nine", "sancho"])
def test_a_play_after_an_unknown_auction_is_judged_whole_and_scored(variant: str) -> None:
    checked = 0
    for hand in sound(variant, 12):
        whole = replay(hand)
        outcome = whole.outcome
        assert outcome is not None
        assert outcome.maker is not None
        first = next((n for n, text in enumerate(hand.actions) if " trump " in text), None)
        if first is None or not outcome.bid or outcome.bid > 999:
            continue
        gappy = replace(
            hand,
            actions=hand.actions[first:],
            known=Known(maker=outcome.maker, bid=outcome.bid),
            gaps=[Gap(before=0, missing="auction")],
        )
        result = replay(gappy)
        assert (result.verdict, result.findings) == (Verdict.PARTIAL, ())
        assert result.outcome is not None
        assert result.outcome.points == outcome.points
        if not whole.rules.doubling and not outcome.forced:
            assert result.outcome.change == outcome.change
        wrong = [value + 1 for value in outcome.points]
        spoilt = replace(gappy, claimed=Claimed(points=wrong))
        assert codes(spoilt) == ["claimed-points"]
        checked += 1
    assert checked


# --- Soundness


@pytest.mark.parametrize("seed", some(range(8), 2))
def test_nothing_is_found_in_a_sound_hand_whatever_is_left_out_of_it(seed: int) -> None:
    """And what is known of it is what the whole hand has."""
    chance = random.Random(seed)
    logs = sorted(SAMPLES.rglob("*.jsonl"))
    checked = 0
    for _ in range(40):
        hand = decode_hand(chance.choice(chance.choice(logs).read_bytes().splitlines()))
        whole = replay(hand)
        gappy = cut(hand, whole, chance)
        if gappy is None or whole.verdict != Verdict.VALID:
            continue
        result = replay(gappy)
        assert (result.verdict, result.findings) == (Verdict.PARTIAL, ()), gappy
        known, outcome = result.known_outcome, whole.outcome
        assert known is not None
        for name in ("result", "maker", "bid", "need", "points", "change", "scores", "winner_side"):
            told = getattr(known, name)
            assert told is None or told == getattr(outcome, name), (name, gappy)
        by_plays = {trick.plays: trick for trick in whole.tricks}
        for trick in result.tricks:
            assert trick.winner in (None, by_plays[trick.plays].winner), gappy
        for step in range(len(result) + 1):
            result.at(step)
        checked += 1
    assert checked > 10


ALL_PLAIN: Final = {"discard": "all-plain", "refill": "everybody"}
GIVES_AFTER: Final = {
    "packets": [9],
    "kitty_size": 0,
    "discard": "all-plain",
    "refill": "others",
    "rob": "whole-stock",
    "min_bid": 1,
    "phases": [
        "auction",
        "trump",
        "discard",
        "give",
        "refill",
        "rob",
        "dealer-give",
        "come-down",
        "play",
    ],
}
WHEN_DECIDED: Final = {"early_end": "when-decided"}
AGAINST: Final = {"call_direction": "against-play"}
SOLO: Final = {"solo": "partner-hidden", "certain_solo": False}
CHOSEN: Final = {"solo": "partner-hidden", "solo_trump": True}
ALONE_UNSAID: Final = {3: "auction", 7: "exchange", 10: "tricks"}
LEFT_OPEN: Final[list[tuple[str, Any, str]]] = [
    (
        "how many cards a hand was left with, none for the one who would lead",
        ("sixty-three", ALL_PLAIN, 2, UNSET, {7: "exchange", 14: "rest"}),
        (
            "3 pass, 0 bid 2, 1 pass, 2 pass, 0 trump H, "
            "3 discard AS KS QD TD 9D 8D 7D 6D 3D 2D 3C 2C, "
            "0 discard TS QS JS 9S 8S 7S 6S 4S 2S 4D JC TC 9C, "
            "1 play 7H, 2 play 4H, 3 play 5D, 1 play 9H, 2 play 3H, 1 play AH, 2 play 5H"
        ),
    ),
    (
        "that a tenny made its caller lead, and that it is lost",
        ("lucknow", {}, 1, UNSET, {0: "auction"}),
        "0 play KH, 1 play TH, 3 play 9H, 3 play 7S, 1 decided",
    ),
    (
        "that a tenny made the partner lay the cards open, and who gives up has played no card",
        ("lucknow", {}, 1, UNSET, {0: "auction"}),
        "0 show 9S AC 9C 8C, 2 play 7D, 3 play JD, 1 play 9D, 3 play AD, 1 play 9H, 0 concede",
    ),
    (
        "the calls before a tenny",
        ("lucknow", {}, 0, UNSET, {0: "auction", 1: "rest"}),
        "2 tenny",
    ),
    (
        "how many tricks there were of the few cards of a tenny; who sits out has all of theirs",
        ("lucknow", {}, 0, UNSET, {1: "tricks"}),
        "1 tenny, 1 play AD, 3 show 8S 7S AH KH, 2 play 9D, 0 play JH, 2 play KD, 1 decided",
    ),
    (
        "that somebody before a caller of tenny called it as well, and led",
        ("lucknow", {}, 3, UNSET, {1: "auction", 11: "rest"}),
        (
            "1 tenny, 0 play KS, 1 play 9C, 3 play 7S, 2 show JS, 0 play KH, 1 play KD, "
            "3 play AC, 0 play 7H, 1 play 9D, 3 play 7C"
        ),
    ),
    (
        "the kitty that was taken before trumps were named",
        ("eighty-three", {}, 2, UNSET, {4: "exchange", 21: "rest"}),
        (
            "3 pass, 0 pass, 1 bid 83-double, 2 pass, 1 trump S, "
            "3 discard 7C QH KD QD 8D 4C, 0 discard 3D JH TH 6H QC JC, "
            "1 discard 4D 8S 3H TD 9D 5D AC KC TC 9C 6C, 2 discard KH 6S 3S 7H 4H 2D, "
            "1 play AH, 2 play 5S, 3 play QS, 0 play 5H, 3 play 3C, 0 play 4S, 1 play AS, "
            "2 play 2S, 1 play JD, 2 play 6D, 3 play 5C, 0 play JO"
        ),
    ),
    (
        "that all others had passed before a forced bid",
        ("twenty-nine", {"all_pass": "first-forced", "pass_final": True}, 0, UNSET, {2: "auction"}),
        "1 pass, 2 pass, 1 bid 15, 1 trump H",
    ),
    (
        "whose equal bid stood, though it is their own that is recorded before",
        ("lucknow", {"equal_bid": "anyone-at-maximum"}, 0, UNSET, {2: "auction", 6: "rest"}),
        "1 pass, 2 bid 20, 3 bid 28, 0 bid 28, 1 pass, 2 bid 28",
    ),
    (
        "which bid a ditto took over",
        ("lucknow", {}, 1, Known(maker=0, bid=28), {1: "auction", 7: "rest"}),
        "2 bid 18, 3 pass, 0 ditto, 1 pass, 2 pass, 3 pass, 0 trump C",
    ),
    (
        "that somebody went alone after another had named trumps",
        ("lucknow", SOLO, 3, Known(maker=0, alone="solo"), {2: "auction", 7: "exchange"}),
        (
            "0 pass, 1 pass, 2 bid 28, 3 pass, 0 pass, 1 pass, 2 trump D, "
            "0 play KS, 1 play 7S, 3 play JS, 3 play 9H, 0 concede"
        ),
    ),
    (
        "who named trumps before somebody went alone",
        ("twenty-nine", SOLO | AGAINST, 3, Known(maker=3, alone="solo"), {4: "exchange"}),
        (
            "2 bid 18, 1 pass, 0 bid 21, 3 pass, 3 solo, 3 play AS, 0 play QS, 2 play TS, "
            "3 play 7C, 0 play KC, 2 play 8C, 0 play AH, 2 play TH, 3 concede"
        ),
    ),
    (
        "that somebody alone without trumps had no suit to ask for",
        ("bangladesh", SOLO | {"doubling": "super"}, 3, UNSET, ALONE_UNSAID),
        (
            "2 pass, 0 bid 18, 1 bid 23, 1 trump S, 0 double, 1 redouble, 0 pass, 1 play AC, "
            "0 play QC, 2 play 7D, 1 play TC, 0 play 7C, 2 play TS, 1 play QD, 0 play KD, "
            "2 play JD, 2 play TD, 1 play JS, 0 play 9D, 2 decided"
        ),
    ),
    (
        "which trumps somebody alone had chosen",
        ("twenty-nine", CHOSEN, 3, UNSET, {6: "exchange", 12: "rest"}),
        (
            "0 pass, 1 bid 16, 2 pass, 3 pass, 0 pass, 1 trump H, 0 play AS, 1 play 7S, 3 play JH, "
            "3 play 8C, 0 play QC, 1 play 9C"
        ),
    ),
    (
        "that somebody said that they played alone before they named trumps",
        ("twenty-nine", CHOSEN, 3, UNSET, {6: "exchange", 13: "rest"}),
        (
            "0 pass, 1 bid 16, 2 pass, 3 pass, 0 pass, 1 trump H, 0 trump S, 0 play AS, 1 play 7S, "
            "3 play 8C, 0 play KH, 1 play 9S, 3 play JH"
        ),
    ),
    (
        "which trumps were chosen, though it is said that somebody played alone",
        ("twenty-nine", CHOSEN, 3, Known(maker=0, alone="solo", trump="D"), {6: "exchange"}),
        (
            "0 pass, 1 bid 16, 2 pass, 3 pass, 0 pass, 1 trump H, "
            "0 play AS, 1 play 7D, 3 play 8C, 1 decided"
        ),
    ),
    (
        "of what cards surplus was laid off after a gift",
        ("eighty-three", GIVES_AFTER, 2, UNSET, {12: "rest"}),
        (
            "3 pass, 0 bid 1, 1 bid 83-double, 2 pass, 0 pass, 1 trump S, "
            "3 discard 2H AH JH TH 6H 5H AD JD 9D, 0 discard 8C 7C 6C 4C 3C 2C, 1 give TS JS, "
            "1 discard 6S, 2 discard 7H KH QH 9H 8H 4H, 3 draw 7D 3H KD QD"
        ),
    ),
    (
        "that somebody went alone after all that is recorded",
        ("lucknow", SOLO, 0, Known(maker=3, alone="solo"), {6: "rest"}),
        "1 pass, 2 bid 25, 3 pass, 0 pass, 1 pass, 2 trump D",
    ),
    (
        "the bid that stopped play, decided",
        ("twenty-nine", WHEN_DECIDED, 0, UNSET, {1: "auction"}),
        (
            "1 bid 16, 2 pass, 3 pass, 0 pass, 1 trump H, 1 play JC, 2 play AC, "
            "3 play TC, 0 play 9C, 1 decided"
        ),
    ),
    (
        "the points that stopped play, and the number of its tricks",
        ("ukrainian", WHEN_DECIDED, 0, UNSET, {5: "auction", 10: "tricks"}),
        (
            "1 bid 32, 2 bid 35, 3 bid 37, 0 pass, 1 bid 51, 3 trump S, "
            "1 discard QC 7H 3H 9D 2D TC 4C, 2 discard 8H 6H AD 4D JC 6C 2C, "
            "3 discard JD AH 9H TD 6D 7C 3C, 0 discard 4H 5H 2H QD 8D 5D AC, "
            "2 play TS, 3 play 6S, 0 play 7S, 1 play 2S, 1 concede"
        ),
    ),
    (
        "that low cards were high beside trumps",
        ("twenty-nine", {"twos": "suit-reversed"}, 0, Known(maker=2, bid=16), {0: "tricks"}),
        ("2 play TS, 3 play JC, 0 play JS, 1 play KS, 1 play AC, 2 play AH, 3 play 8D, 0 play TH"),
    ),
    (
        "that another took over the tenny whose partner showed",
        ("lucknow", {}, 2, Known(maker=3, alone="tenny"), {0: "auction", 1: "exchange"}),
        "3 show TC, 3 play 8S, 0 play AC, 2 play AS, 2 decided",
    ),
    (
        "a tenny that was taken over",
        ("lucknow", {}, 2, UNSET, {0: "auction"}),
        "3 show TC, 3 tenny, 3 play 8S, 0 play AC, 2 play AS, 2 decided",
    ),
    (
        "a tenny that was taken over before tricks left out",
        ("lucknow", {}, 2, UNSET, {1: "tricks"}),
        "1 tenny, 3 play 8S, 0 play AC, 2 play AS",
    ),
    (
        "who took over the tenny recorded last",
        ("lucknow", {}, 2, Known(maker=3, alone="tenny"), {1: "rest"}),
        "1 tenny",
    ),
]


def test_what_a_gap_leaves_open_accuses_nobody() -> None:
    wrong = []
    for what, (variant, options, dealer, known, missing), actions in LEFT_OPEN:
        gaps = [Gap(before=before, missing=part) for before, part in missing.items()]
        hand = record(*actions.split(", "), variant=variant, dealer=dealer, known=known, gaps=gaps)
        rules = RulesRef(variant, options=options) if options else hand.rules
        if found := codes(replace(hand, rules=rules)):
            wrong.append((what, found))
    assert wrong == []


def test_trumps_that_a_record_with_gaps_hides_where_they_are_open_end_what_can_be_judged() -> None:
    """O87: those of a single hand are open. After a gap nobody may double what is doubled."""
    alone = ["1 bid 16", "2 pass", "3 pass", "0 pass", "1 trump H", "0 double", "0 solo"]
    doubled: dict[str, Any] = CHOSEN | {"doubling": "double"}
    for rules, gap, calls in (
        (RulesRef("pedro"), Gap(before=2, missing="auction"), [*AUCTION[:4], "2 trump *"]),
        (
            RulesRef("twenty-nine", options=doubled),
            Gap(before=5, missing="exchange"),
            [*alone, "0 trump *"],
        ),
    ):
        hand = record(*calls, "0 play AS", gaps=[gap, rest(len(calls) + 1)])
        result = replay(replace(hand, rules=rules))
        assert (result.verdict, result.findings) == (Verdict.INCOMPLETE, ())
        assert any("what was trumps" in each for each in result.doubts)
        assert all(result.at(step).phase for step in range(len(result) + 1))


def test_a_stake_that_a_gap_may_hide_a_raise_of_is_not_known() -> None:
    """O42 to O44: what is said after trumps, and before the first card, raises it."""
    options: dict[str, Any] = {"doubling": "super", "unshown": "counts", "pair": "none"}
    calls = ["1 bid 28", "2 pass", "3 pass", "0 pass"]
    stake = ["1 trump S", "0 double", "1 redouble"]
    play = ["1 play TH", "2 play JH", "3 play 9H", "0 play AH", "1 concede"]

    def of(lost: int, said: list[str], known: Any = UNSET, **gaps: Any) -> list[str]:  # noqa: ANN401 - fields of any type
        where = [Gap(before=len(calls) + len(said), missing="exchange")]
        hand = record(*calls, *said, *play, variant="twenty-nine", known=known, gaps=where)
        rules = RulesRef("twenty-nine", options=options | WHEN_DECIDED)
        return codes(replace(hand, rules=rules, claimed=Claimed(change=[0, -lost]), **gaps))

    for said, least in ((stake, 4), (stake[:2], 2), (stake[:1], 1), ([], 1)):
        assert of(6, said) == of(4, said) == [], said
        known = Known(maker=1, trump="S", stake="double")
        assert of(least + 2, said, known) == ["claimed-change"], said
        assert of(5, said) == ["claimed-change"], said
    assert of(6, stake, gaps=[Gap(before=1, missing="auction")]) == ["claimed-change"]


def test_a_trick_in_which_play_stopped_counts_for_nobody() -> None:
    """0.record: who did not play to it may have been in, and the trick unfinished."""
    cases: tuple[tuple[str, Any, int, Gap, list[Any], list[Any], str], ...] = (
        (
            "lucknow",
            {},
            3,
            Gap(before=0, missing="auction"),
            [2, 0],
            [3, 0],
            "1 play QC, 2 play JH, 0 play KC, 3 show QS, 0 play TH, 1 play KH, 1 concede",
        ),
        (
            "ukrainian",
            WHEN_DECIDED,
            2,
            Gap(before=5, missing="exchange"),
            [0, 60],
            [0, 61],
            (
                "3 pass, 0 bid 30, 1 pass, 2 pass, 0 trump C, 0 play 4C, 1 play QC, 2 play 5C, "
                "3 play 6C, 1 play TC, 2 play 9C, 3 play 3C, 0 play 5S, 1 play JC, 2 play 8C, "
                "3 play JH, 0 play 7C, 1 play AC, 2 play KC, 3 play TS, 0 play AH, 1 play 2C, "
                "1 decided"
            ),
        ),
    )
    for variant, options, dealer, gap, wrong, right, actions in cases:
        hand = record(*actions.split(", "), variant=variant, dealer=dealer, gaps=[gap])
        hand = replace(hand, rules=RulesRef(variant, options=options))
        assert codes(replace(hand, claimed=Claimed(points=right))) == [], variant
        assert codes(replace(hand, claimed=Claimed(points=wrong))) == ["claimed-points"], variant


# --- Lines of a score sheet


def line(maker: int, bid: int | str, **fields: Any) -> Hand:  # noqa: ANN401 - fields of any type
    return record(known=Known(maker=maker, bid=bid), gaps=NOTHING, **fields)


def test_a_line_says_who_was_set_and_nothing_more_is_claimed_of_it() -> None:
    result = replay(line(2, 7, claimed=Claimed(result="set", by=1)))
    assert (result.verdict, result.findings) == (Verdict.PARTIAL, ())
    known = result.known_outcome
    assert known is not None
    assert (known.maker, known.bid, known.need, known.result) == (2, 7, 7, "set")
    assert (known.points, known.change, known.trump) == (None, None, None)
    assert result.outcome is None


def test_a_line_with_points_is_scored_by_the_rules() -> None:
    """1.score: who is set loses the bid, the others score what they took."""
    result = replay(line(2, 7, scores=[9, 5], claimed=Claimed(points=[6, 8])))
    known = result.known_outcome
    assert known is not None
    assert (known.result, known.change, known.scores) == ("set", (-7, 8), (2, 13))


SHEET: Final = [
    ("a bid below the least", line(2, 5), "bid-too-low", "/known/bid"),
    ("a bid above the highest", line(2, 15), "bid-too-high", "/known/bid"),
    ("a bid of another game", line(2, "28-56"), "bid-unknown", "/known/bid"),
    ("nobody bid", line(0, "none"), "bid-unknown", "/known/bid"),
    ("too many points", line(2, 7, claimed=Claimed(points=[9, 8])), "claimed-points", "/points"),
    (
        "made with too few points",
        line(2, 10, claimed=Claimed(points=[9, 5], result="made")),
        "claimed-result",
        "/claimed/result",
    ),
    (
        "set by another number",
        line(2, 10, claimed=Claimed(points=[8, 6], result="set", by=1)),
        "claimed-result",
        "/claimed/by",
    ),
    (
        "a score that does not follow",
        line(2, 7, scores=[0, 0], claimed=Claimed(points=[9, 5], scores=[9, 6])),
        "claimed-score",
        "/claimed/scores",
    ),
    (
        "a change that does not follow",
        line(2, 9, scores=[20, 5], claimed=Claimed(points=[8, 6], change=[8, 6])),
        "claimed-change",
        "/claimed/change",
    ),
    (
        "a sum that is wrong whatever was played",
        line(2, 7, scores=[10, 10], claimed=Claimed(change=[9, 5], scores=[19, 16])),
        "claimed-score",
        "/claimed/scores",
    ),
    (
        "trumps that the game does not have",
        record(known=Known(trump="NT"), gaps=NOTHING),
        "trump-unknown",
        "/known/trump",
    ),
    (
        "a stake that cannot be raised",
        record(known=Known(stake="double"), gaps=NOTHING),
        "double-not-allowed",
        "/known/stake",
    ),
    (
        "the actions say otherwise",
        record(*AUCTION, known=Known(maker=1), gaps=[rest(5)]),
        "known-otherwise",
        "/known/maker",
    ),
]


@pytest.mark.parametrize(("what", "hand", "code", "pointer"), SHEET, ids=[row[0] for row in SHEET])
def test_what_cannot_be_is_found_without_a_card(
    what: str, hand: Hand, code: str, pointer: str
) -> None:
    result = replay(hand)
    (finding,) = result.findings
    assert finding.code == code, what
    assert finding.pointer.endswith(pointer)
    assert finding.rule
    assert finding.message.endswith(".")
    assert result.verdict == Verdict.IRREGULAR


WHOLE: Final = {
    "pedro": 14, "cinch": 14, "pidro": 14, "king-pedro": 44, "ukrainian": 62, "sixty-three": 63,
    "eighty-three": 83, "twenty-nine": 28, "lucknow": 28, "bangladesh": 28,
}  # fmt: skip
"""Points of the games in which all of them are scored in every hand; elsewhere some may lie in the
stock (5.points, 6.deal) or be laid off (S25)."""


@pytest.mark.parametrize("variant", variants())
def test_points_that_are_too_few_are_found_where_no_point_can_be_lost(variant: str) -> None:
    """1.exchange: the points of the suit are all in play because nobody can lose a trump."""
    rules = ruleset_for(variant).rules(4)
    whole = line(0, rules.min_bid, variant=variant)
    makers = rules.all_points - 3
    points = [makers, 2, *(0 for _ in range(rules.side_count - 2))]
    short = replay(replace(whole, claimed=Claimed(points=points)))
    assert codes(replace(whole, claimed=Claimed(points=[makers, 3, *points[2:]]))) == []
    if variant not in WHOLE:
        assert short.findings == ()
        return
    (finding,) = short.findings
    assert finding.code == "claimed-points"
    assert f"{WHOLE[variant] - 1} together; a hand has {WHOLE[variant]}." in finding.message
    assert finding.rule


@pytest.mark.parametrize("variant", variants())
def test_random_play_scores_all_points_where_none_can_be_lost(variant: str) -> None:
    """Any house rules, anything legal: where the rules fix the total, it comes to that."""
    checked = 0
    for seed in range(12):
        chance = random.Random(f"{variant}-{seed}")
        options = some_options(variant, chance) if seed % 2 else {}
        played = replay(random_hand(variant, chance, options))
        outcome = played.outcome
        if outcome is None or outcome.result == "thrown_in" or outcome.alone:
            continue
        if have_all_points(played.rules, outcome.trump):
            assert sum(outcome.points) == played.rules.all_points, (options, outcome.points)
            checked += 1
    assert checked or variant not in WHOLE


def test_a_point_card_laid_off_or_a_hand_played_alone_explains_too_few_points() -> None:
    """1.exchange, S90: where the record itself shows why, nothing is found with the sum."""
    seen = record(*AUCTION, "1 discard JH 4C 5C", gaps=[rest(6)], claimed=Claimed(points=[7, 6]))
    assert codes(seen) == ["discarded-points"]
    plain = replace(seen, actions=[*AUCTION, "1 discard JS 4C 5C"])
    assert codes(plain) == ["claimed-points"]
    alone = record(
        variant="lucknow",
        known=Known(maker=0, alone="solo"),
        gaps=NOTHING,
        claimed=Claimed(points=[20, 0]),
    )
    assert codes(alone) == []
    assert codes(replace(alone, known=Known(maker=0))) == []
    assert codes(replace(alone, known=Known(maker=0, bid=19))) == ["claimed-points"]


def test_what_is_not_recorded_of_a_result_leaves_room() -> None:
    """Made with eight or more of fourteen: nine and five may be the score, thirty may not."""
    made = Claimed(result="made", scores=[9, 5])
    assert codes(line(0, 8, scores=[0, 0], claimed=made)) == []
    assert codes(line(0, 8, scores=[0, 0], claimed=Claimed(result="made", scores=[30, 5]))) == [
        "claimed-score"
    ]
    assert codes(line(0, 8, scores=[3, None], claimed=Claimed(points=[6, None]))) == []


def test_a_pair_or_a_hidden_trump_that_nobody_noted_leaves_the_contract_open() -> None:
    """14.pair, S81: nineteen of eighteen may be made, set against a pair, or void."""
    twenty_nine = line(0, 18, variant="twenty-nine", scores=[1, 2])
    known = replay(replace(twenty_nine, claimed=Claimed(points=[19, 9]))).known_outcome
    assert known is not None
    assert known.result is None
    told = replay(replace(twenty_nine, claimed=Claimed(points=[19, 9], scores=[2, 2])))
    assert told.known_outcome is not None
    assert (told.known_outcome.result, told.findings) == ("made", ())


def test_lines_of_a_game_are_checked_beside_each_other() -> None:
    """0.record, 0.deal: numbers, the deal passing on, scores carried over, and the end."""
    first = line(0, 7, id="1", game="g", hand=1, scores=[0, 0], claimed=Claimed(points=[9, 5]))
    second = replace(
        line(1, 7, id="2", game="g", hand=2, dealer=1, scores=[9, 6]),
        claimed=Claimed(points=[5, 9]),
    )
    late = replace(second, dealer=3, scores=[9, 5])
    assert [
        [item.code for item in found] for found in check_game(map(replay, [first, second]))
    ] == [
        [],
        ["score-not-carried"],
    ]
    assert [item.code for item in check_game(map(replay, [first, late]))[1]] == ["wrong-dealer"]
    unknown = replace(second, dealer=UNSET, scores=UNSET, claimed=Claimed(scores=[14, 15]))
    unknown = replace(unknown, claimed=Claimed(points=[5, 9], scores=[14, 15]))
    assert [item.code for item in check_game(map(replay, [first, unknown]))[1]] == [
        "score-not-carried"
    ]


def test_a_game_that_was_won_does_not_go_on() -> None:
    """1.game."""
    last = line(0, 7, id="1", game="g", hand=1, scores=[0, 0], claimed=Claimed(points=[9, 5]))
    last = replace(last, hand=9, scores=[55, 20])
    after = replace(last, id="2", hand=10, dealer=1, scores=[64, 25])
    assert [item.code for item in check_game(map(replay, [last, after]))[1]] == ["after-the-game"]


def test_whole_hands_may_claim_what_only_version_2_can_say() -> None:
    (hand,) = sound("pedro", 1)
    outcome = replay(hand).outcome
    assert outcome is not None
    first, second = outcome.points
    said = replace(hand, claimed=Claimed(points=[first, None], result=outcome.result))  # type: ignore[arg-type]  # made or set
    assert (replay(said).verdict, replay(said).findings) == (Verdict.VALID, ())
    wrong = replace(hand, claimed=Claimed(points=[None, second + 1]))
    assert codes(wrong) == ["claimed-points"]
    other = "set" if outcome.result == "made" else "made"
    assert codes(replace(hand, claimed=Claimed(result=other))) == ["claimed-result"]  # type: ignore[arg-type]  # made or set


# --- Claims that no hand can meet


@pytest.mark.parametrize(
    ("claimed", "code", "pointer"),
    [
        (Claimed(result="set", by=100), "claimed-result", "/claimed/by"),
        (Claimed(result="set", by=0), "claimed-result", "/claimed/by"),
        (Claimed(result="made", by=8), "claimed-result", "/claimed/by"),
        (Claimed(result="made", by=20), "claimed-result", "/claimed/by"),
        (Claimed(scores=[7, 7, 7]), "score-count", "/claimed/scores"),
        (Claimed(change=[7, 7, 7]), "score-count", "/claimed/change"),
        (Claimed(winners=[0] * 30), "claimed-winner", "/claimed/winners/6"),
    ],
)
def test_a_claim_that_no_hand_can_meet_is_a_finding(
    claimed: Claimed, code: str, pointer: str
) -> None:
    """0.record, 1.made and 1.failed: a hand of Pedro has 14 points, two sides and six tricks."""
    hand = record(known=Known(maker=1, bid=7), gaps=NOTHING, claimed=claimed)
    result = replay(hand)
    assert [(each.code, each.pointer) for each in result.findings] == [(code, pointer)]
    assert result.verdict == Verdict.IRREGULAR


@pytest.mark.parametrize(
    "claimed",
    [
        Claimed(result="set", by=1),
        Claimed(result="set", by=7),
        Claimed(result="made", by=0),
        Claimed(result="made", by=7),
        Claimed(winners=[0] * 6),
    ],
)
def test_a_claim_that_a_hand_can_just_meet_is_no_finding(claimed: Claimed) -> None:
    """1.made and 1.failed."""
    assert codes(record(known=Known(maker=1, bid=7), gaps=NOTHING, claimed=claimed)) == []


@pytest.mark.parametrize(("bid", "found"), [(7, ["known-otherwise"]), (8, []), (9, [])])
def test_a_higher_bid_than_the_one_that_won_is_a_finding(bid: int, found: list[str]) -> None:
    """0.record: in an auction that is recorded in part, no bid is above the one that won."""
    assert codes(record("1 bid 8", known=Known(maker=2, bid=bid), gaps=[rest(1)])) == found


def test_a_trick_that_a_stop_broke_off_brings_no_points() -> None:
    """S90: where somebody may sit out, two cards on the table are no trick."""
    tricks = ("1 play QC", "2 play JH", "0 play KC", "0 play TH", "1 play KH", "1 concede")
    hand = record(*tricks, variant="lucknow", gaps=[Gap(before=0, missing="auction")])
    assert codes(replace(hand, claimed=Claimed(points=[3, 0]))) == []
    assert codes(replace(hand, claimed=Claimed(points=[2, 0]))) == ["claimed-points"]


# --- Which trick it is


def test_a_trick_too_many_is_told_as_such() -> None:
    """0.order: behind six tricks that are not recorded there is none left."""
    gaps = [Gap(before=5, missing="tricks", tricks=[1, 6]), rest(6)]
    (finding,) = replay(record(*AUCTION, "1 play 8S", gaps=gaps)).findings
    assert finding.code == "played-twice"
    assert finding.message == "bo played 8♠, but every trick of the hand was over."


def test_the_step_before_the_first_card_after_a_gap_shows_the_trick_that_comes() -> None:
    result = replay(record(*AUCTION, *THIRD, gaps=[TO_THIRD, rest(9)]))
    assert [result.at(index).trick_number for index in range(5, 10)] == [3] * 5
