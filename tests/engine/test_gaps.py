"""Records with gaps: what they cover is judged, what hangs on a gap is never a finding."""

import random
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.broken_hands import generated
from tests.kit.gap_records import NOTHING, THIRD, cut, record
from tests.kit.random_play import random_hand, some_options
from tests.kit.support import ruleset_for
from tests.kit.tiers import some
from tricklog.core import Verdict, replay, variants
from tricklog.core.judging.games import check_game
from tricklog.core.judging.gaps.totals import have_all_points
from tricklog.schemas.hand import Claimed, Gap, Hand, Known, decode_hand

SAMPLES: Final = Path(__file__).parents[2] / "sample_logs" / "valid"


def codes(hand: Hand) -> list[str]:
    return [finding.code for finding in replay(hand).findings]


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


def test_the_winner_of_a_trick_alone_is_judged_by_its_number() -> None:
    """1.trick: the claim stands at the place of the trick, those left out before it are empty."""
    gap = Gap(before=0, missing="tricks", tricks=[1, 2])
    hand = record(
        *THIRD,
        gaps=[gap, Gap(before=4, missing="rest")],
        known=Known(trump="H"),
        claimed=Claimed(winners=[None, None, 3]),
    )
    (finding,) = replay(hand).findings
    assert (finding.code, finding.pointer) == ("claimed-winner", "/claimed/winners/2")
    right = replace(hand, claimed=Claimed(winners=[None, None, 0]))
    assert replay(right).findings == ()


# --- The auction


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


# --- Lines of a score sheet


def line(maker: int, bid: int | str, **fields: Any) -> Hand:  # noqa: ANN401 - fields of any type
    return record(known=Known(maker=maker, bid=bid), gaps=NOTHING, **fields)


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


def test_what_is_not_recorded_of_a_result_leaves_room() -> None:
    """Made with eight or more of fourteen: nine and five may be the score, thirty may not."""
    made = Claimed(result="made", scores=[9, 5])
    assert codes(line(0, 8, scores=[0, 0], claimed=made)) == []
    assert codes(line(0, 8, scores=[0, 0], claimed=Claimed(result="made", scores=[30, 5]))) == [
        "claimed-score"
    ]
    assert codes(line(0, 8, scores=[3, None], claimed=Claimed(points=[6, None]))) == []


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
