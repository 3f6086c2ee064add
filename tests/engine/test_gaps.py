"""Records with gaps, or without their exchange: what they cover is judged, and nothing else."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.gap_records import NOTHING, THIRD, cut, known_of, record
from tests.kit.log_lines import one_game
from tests.kit.made_once import played
from tests.kit.random_play import random_hand, some_options
from tests.kit.support import ruleset_for
from tests.kit.tiers import scaled, some
from tricklog import Outcome, Replay, Verdict, card_name, check_game, replay, variants
from tricklog.core.judging.gaps.totals import have_all_points
from tricklog.schemas.actions import Verb, parse_action
from tricklog.schemas.hand import FORMAT_WITH_GAPS, Claimed, Gap, Hand, Known, decode_hand

SAMPLES: Final = Path(__file__).parents[2] / "sample_logs" / "valid"


def codes(hand: Hand) -> list[str]:
    return [finding.code for finding in replay(hand).findings]


def second_codes(*hands: Hand) -> list[str]:
    """What is found in the second of two hands of a game, in the first of which nothing is."""
    first, second = check_game(map(replay, hands))
    assert first == []
    return [finding.code for finding in second]


def test_a_hand_that_an_agreed_claim_ended_counts_with_what_was_agreed() -> None:
    for variant in ("pedro", "twenty-nine", "cinch", "snoozer"):
        hand = next(each for each in one_game(variant) if len(replay(each).tricks) > 1)
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
    claimed, gaps = Claimed(winners=[None, None, 3]), [gap, Gap(before=4, missing="rest")]
    hand = record(*THIRD, gaps=gaps, known=Known(trump="H"), claimed=claimed)
    (finding,) = replay(hand).findings
    assert (finding.code, finding.pointer) == ("claimed-winner", "/claimed/winners/2")
    right = replace(hand, claimed=Claimed(winners=[None, None, 0]))
    assert replay(right).findings == ()


def test_play_after_a_deal_thrown_in_is_after_the_end() -> None:
    """0.record: also in a game in which a gap leaves open who has dropped out."""
    auction = ("1 bid 30", "2 pass", "3 pass", "0 pass", "1 trump H")
    tricks = ("1 play AH", "2 play 3H", "3 play 4H", "0 play 6H", "0 throw-in", "1 play KH")
    gap = Gap(before=len(auction), missing="exchange")
    hand = record(*auction, *tricks, variant="king-pedro", gaps=[gap])
    assert codes(hand) == ["stopped-without-cause", "after-the-end"]


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
    thirty = Claimed(result="made", scores=[30, 5])
    assert codes(line(0, 8, scores=[0, 0], claimed=thirty)) == ["claimed-score"]
    assert codes(line(0, 8, scores=[3, None], claimed=Claimed(points=[6, None]))) == []


def test_lines_of_a_game_are_checked_beside_each_other() -> None:
    """0.record, 0.deal: numbers, the deal passing on, scores carried over, and the end."""
    first = line(0, 7, id="1", game="g", hand=1, scores=[0, 0], claimed=Claimed(points=[9, 5]))
    taken = Claimed(points=[5, 9])
    second = line(1, 7, id="2", game="g", hand=2, dealer=1, scores=[9, 6], claimed=taken)
    late = replace(second, dealer=3, scores=[9, 5])
    assert second_codes(first, second) == ["score-not-carried"]
    assert second_codes(first, late) == ["wrong-dealer"]
    claimed = Claimed(points=[5, 9], scores=[14, 15])
    unknown = replace(second, dealer=UNSET, scores=UNSET, claimed=claimed)
    assert second_codes(first, unknown) == ["score-not-carried"]


def test_a_game_that_was_won_does_not_go_on() -> None:
    """1.game."""
    last = line(0, 7, id="1", game="g", hand=9, scores=[55, 20], claimed=Claimed(points=[9, 5]))
    after = replace(last, id="2", hand=10, dealer=1, scores=[64, 25])
    assert second_codes(last, after) == ["after-the-game"]


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


# --- Ways
PIDRO = "pidro"
SOUND = Path(__file__).parents[1] / "data" / "sound_records.jsonl"


def found(variant: str, known: Any = UNSET, before: Any = UNSET, **claimed: Any) -> list[str]:  # noqa: ANN401 - fields of any type
    fields = {"known": known, "scores": before, "claimed": Claimed(**claimed)}
    return codes(record(variant=variant, gaps=NOTHING, **fields))


def test_what_no_maker_bid_and_points_bring_together_is_found() -> None:
    """4.score, 8.score, 14.score: the pair of changes is tested, not each side by itself."""
    bo = Known(maker=1, bid=8)
    cases: list[tuple[Any, Sequence[Any], Sequence[Any]]] = [
        (UNSET, ([-4, 12], [16, -2], [3, 12], [15, 0]), ([-6, 12], [9, 5], [None, 12], [0, 0])),
        (bo, ([3, 12], [14, 14], [4, 9], [6, 14], [0, 7], [15, 8]), ([6, 8], [7, -8])),
        (Known(maker=0, bid=8), ([9, 6],), ([9, 5],)),
        (Known(bid=8), ([7, 7], [-6, 10]), ()),
    ]
    other = [
        (known, change, told)
        for known, wrong, sound in cases
        for change in (*wrong, *sound)
        if (told := found(PIDRO, known, change=change))
        not in ([["claimed-change"], ["score-count"]] if change in wrong else [[]])
    ]
    assert other == []
    assert found(PIDRO, points=[9, 5], change=[9, 6]) == ["claimed-change"]
    assert found(PIDRO, points=[9, 5], change=[-10, 5]) == []
    assert found(PIDRO, before=[20, 22], scores=[16, 34]) == ["claimed-score"]
    assert found(PIDRO, before=[20, 22], scores=[14, 34]) == []
    assert found(PIDRO, before=[20, 22], change=[-6, None], scores=[14, 40]) == ["claimed-score"]
    assert found("king-pedro", change=[50, -3]) == ["claimed-change"]
    assert found("eighty-three", change=[53, 30]) == []
    assert found("twenty-nine", change=[1, 1]) == ["claimed-change"]
    assert found("twenty-nine", change=[0, -1]) == []
    assert found("sancho", change=[18, 1, 0, 0]) == ["claimed-change"]
    assert found("sancho", change=[9, 4, 2, 3]) == []


def test_the_sentence_names_what_comes_nearest() -> None:
    hand = record(variant=PIDRO, gaps=NOTHING, claimed=Claimed(change=[-4, 12]))
    (finding,) = replay(hand).findings
    assert "by the rules it is -6 : 12 or" in finding.message
    assert finding.rule == "4.score"


def test_tricks_that_are_recorded_bound_what_is_claimed_of_all() -> None:
    """14.points: what a side has taken by then it has in the end."""
    chance = random.Random(4)
    whole = replay(random_hand("twenty-nine", chance))
    outcome = whole.outcome
    assert outcome is not None
    last = whole.tricks[6].last_action
    actions = whole.hand.actions[: last + 1]
    taken = [0, 0]
    for capture in whole.captures:
        taken[capture.side] += capture.points if capture.trick <= whole.tricks[6].number else 0
    gaps = [replace(NOTHING[0], before=len(actions))]
    hand = replace(whole.hand, format=FORMAT_WITH_GAPS, actions=actions, gaps=gaps, status=UNSET)

    def codes(*points: int | None) -> list[str]:
        claimed = replace(hand, claimed=Claimed(points=list(points)))
        return [each.code for each in replay(claimed).findings]

    ours, theirs = taken
    assert min(taken) > 0
    assert codes(*outcome.points) == codes(outcome.points[0], None) == []
    for wrong in ((ours - 1, 28 - ours + 1), (28 - theirs + 1, theirs - 1), (29 - theirs, None)):
        assert codes(*wrong) == ["claimed-points"], (wrong, taken)


@settings(max_examples=scaled(12, most=400))
@given(st.sampled_from(variants()), st.integers(0, 2**32))
def test_nothing_is_found_in_a_sound_hand_nor_in_what_it_claims_whatever_is_left_out(
    variant: str, seed: int
) -> None:
    """Any game, any house rules, any part of its result; and what is said of it is so."""
    chance = random.Random(seed)
    whole = replay(random_hand(variant, chance, some_options(variant, chance)))
    least, most = (-3, 4) if whole.rules.clamp else (-20, whole.rules.target)
    before = [chance.randrange(least, most) for _ in range(whole.rules.side_count)]
    if chance.random() < 0.5:
        whole = replay(replace(whole.hand, scores=before))
    outcome = whole.outcome
    if whole.verdict != Verdict.VALID or outcome is None:
        return
    gappy = cut(whole.hand, whole, chance) if chance.random() < 0.4 else on_a_sheet(whole, chance)
    if gappy is None:
        return
    gappy = replace(gappy, claimed=some_of(outcome, chance))
    note(f"{gappy} {outcome}")
    result = replay(gappy)
    assert result.findings == ()
    if gappy.actions:
        return
    for name in ("result", "need", "points", "change", "scores", "winner_side", "stake"):
        told = getattr(result.known_outcome, name)
        assert told is None or told == getattr(outcome, name), name


def test_sound_records_of_which_more_was_once_thought_than_they_say() -> None:
    """0.record, C15, O07, O62, O84, O85: each was accused of what it leaves out, as its id says."""
    hands = map(decode_hand, SOUND.read_bytes().splitlines())
    assert [(hand.id, found) for hand in hands if (found := codes(hand))] == []


def on_a_sheet(whole: Replay, chance: random.Random) -> Hand:
    known = known_of(whole)
    names = [each for each in ("maker", "bid", "trump") if chance.random() < 0.6]
    return replace(
        whole.hand,
        format=FORMAT_WITH_GAPS,
        actions=[],
        gaps=list(NOTHING),
        known=known if known.alone else Known(**{each: getattr(known, each) for each in names}),
        **dict.fromkeys(("times", "notes", "deal", "stock", "kitty", "status"), UNSET),
    )


def some_of(outcome: Outcome, chance: random.Random) -> Claimed:
    def part(values: Sequence[int] | None) -> Any:  # noqa: ANN401 - unset, or numbers
        if values is None or chance.random() < 0.35:
            return UNSET
        return [None if chance.random() < 0.2 else each for each in values]

    fields = {each: part(getattr(outcome, each)) for each in ("points", "change", "scores")}
    if outcome.result in ("made", "set") and chance.random() < 0.5:
        fields["result"] = outcome.result
    return Claimed(**fields)


# --- An exchange that is left out
LAID_OFF = {Verb.DISCARD, Verb.DISCARD_UP}
EXCHANGE = LAID_OFF | {
    *(Verb.KITTY, Verb.CLAIM, Verb.DRAW, Verb.ROB, Verb.GIVE, Verb.FOLD, Verb.BURY)
}


def without(hand: Hand, verbs: set[Verb], *seats: int) -> Hand:
    """What is left of a hand when nobody writes down that players, or any of them, did this."""
    kept = []
    for deed in hand.actions:
        did = parse_action(deed)
        if did.verb not in verbs or (seats and did.seat not in seats):
            kept.append(deed)
    return replace(hand, actions=kept, times=UNSET)


def undealt(hand: Hand) -> Hand:
    return replace(hand, deal=UNSET, stock=UNSET, kitty=UNSET)


def nothing_found(hand: Hand) -> Replay:
    """See that nothing is found in a hand, with the deal recorded or not."""
    for each in (undealt(hand), hand):
        result = replay(each)
        assert not result.findings, [str(finding.said) for finding in result.findings]
        assert result.hand is each
    return result


def places_of(hand: Hand, verb: Verb) -> list[int]:
    return [at for at, deed in enumerate(hand.actions) if parse_action(deed).verb == verb]


def with_action(hand: Hand, place: int, deed: str) -> Hand:
    return replace(hand, actions=[*hand.actions[:place], deed, *hand.actions[place + 1 :]])


@pytest.mark.parametrize("variant", some(variants(), 6))
def test_nothing_is_found_in_what_is_not_written(variant: str) -> None:
    """Not where somebody saw the auction, the plays and the pad alone."""
    for hand in played(variant, 1, 5)[: scaled(1, most=3)]:
        result = replay(undealt(without(hand, EXCHANGE)))
        assert not result.findings, [str(each.said) for each in result.findings]
        for index in (0, len(result) // 2, len(result)):
            result.at(index)


@pytest.mark.parametrize("variant", ["pedro", "cinch", "pidro", "nicaragua"])
def test_the_smallest_hand_grows_as_the_page_says(variant: str) -> None:
    players = [{"id": each} for each in ("ann", "bo", "cy", "dee")]
    actions = ["1 bid 7", "2 pass", "3 pass", "0 pass", "1 trump H", "1 play AH"]
    told = {"id": "club-1", "rules": {"variant": variant}, "players": players, "dealer": 0}
    hand = msgspec.convert({"format": "tricklog/1", **told, "actions": actions}, Hand)
    assert not replay(hand).findings


def test_play_before_any_call_is_no_exchange_left_out() -> None:
    hand = played("pedro", 1, 5)[0]
    assert replay(replace(hand, actions=["0 play AS"])).verdict == Verdict.REJECTED


@pytest.mark.parametrize("variant", some(["pedro", "cinch", "pidro", "pitch-with-fives"], 3))
def test_what_one_player_did_may_be_left_out(variant: str) -> None:
    """Whose discards, or whose draws, is not known then; nobody is at fault for it."""
    looked_at = 0
    for hand in played(variant, 1, 5)[: scaled(1, most=3)]:
        for seat in range(len(hand.players)):
            for verbs in (LAID_OFF, {Verb.DRAW}, {Verb.DRAW, *LAID_OFF}, {Verb.ROB}):
                kept = nothing_found(without(hand, verbs, seat)).hand
                looked_at += kept.actions != hand.actions
    assert looked_at > 2


@pytest.mark.parametrize("verbs", [LAID_OFF, {Verb.DRAW}])
def test_what_nobody_did_may_be_left_out(verbs: set[Verb]) -> None:
    hand = without(played("pedro", 1, 5)[0], verbs)
    assert replay(hand).verdict == Verdict.PARTIAL
    assert replay(replace(hand, deal=UNSET, stock=UNSET)).verdict == Verdict.PARTIAL


GIFTS = [("eighty-three", {Verb.GIVE}), ("ukrainian", {Verb.GIVE}), ("ukrainian", {Verb.FOLD})]


@pytest.mark.parametrize(("variant", "verbs"), GIFTS)
@pytest.mark.parametrize("more", [set(), LAID_OFF, {Verb.KITTY}, {Verb.GIVE, Verb.FOLD}])
def test_a_gift_or_a_fold_may_be_left_out(variant: str, verbs: set[Verb], more: set[Verb]) -> None:
    """By whoever gave, or by all, alone and with the rest of what they did."""
    looked_at = 0
    for hand in played(variant, 3, 5):
        seats = sorted({did.seat for did in map(parse_action, hand.actions) if did.verb in verbs})
        for count, seat in enumerate(seats, 1):
            nothing_found(without(hand, verbs | more, seat))
            nothing_found(without(hand, verbs | more, *seats[:count]))
            looked_at += 2
    assert looked_at > 1


@pytest.mark.parametrize("verbs", [LAID_OFF, {Verb.DRAW, *LAID_OFF}, {Verb.ROB, *LAID_OFF}])
def test_the_dealer_may_rob_what_is_not_written_as_laid_off(verbs: set[Verb]) -> None:
    for hand in played("nicaragua", 2, 5):
        for seat in range(len(hand.players)):
            kept = without(hand, verbs, seat)
            for shorter in (kept, replace(kept, deal=UNSET, stock=UNSET)):
                result = replay(shorter)
                assert not result.findings, (seat, [str(each.said) for each in result.findings])
        assert not replay(without(hand, verbs)).findings


def test_a_gift_explains_no_wrong_count() -> None:
    """One card more or less laid off than is due stays a fault where nobody gave anything."""
    looked_at = 0
    for hand in played("eighty-three", 2, 5):
        if places_of(hand, Verb.GIVE):
            continue
        deeds = [parse_action(deed) for deed in hand.actions]
        for place in (at for verb in LAID_OFF for at in places_of(hand, verb)):
            seat, text = deeds[place].seat, hand.actions[place]
            last = [each for each in deeds if (each.seat, each.verb) == (seat, Verb.PLAY)][-1]
            for wrong in (text.rsplit(" ", 1)[0], f"{text} {card_name(last.card)}"):
                assert replay(with_action(hand, place, wrong)).findings, wrong
                looked_at += 1
    assert looked_at > 8


def test_what_is_written_beside_a_gift_left_out_is_judged() -> None:
    hand, gift = next(
        (hand, gifts[0])
        for hand in played("ukrainian", 3, 5)
        if (gifts := places_of(hand, Verb.GIVE))
    )
    kept = without(hand, {Verb.GIVE}, int(hand.actions[gift][0]))
    bid = places_of(kept, Verb.BID)[0]
    assert codes(with_action(kept, bid, f"{kept.actions[bid][0]} bid 1")) == ["bid-too-low"]


def test_a_bury_is_missed_only_where_all_else_is_written() -> None:
    hand = next(hand for hand in played("king-pedro", 2, 9) if places_of(hand, Verb.BURY))
    seat = int(hand.actions[places_of(hand, Verb.BURY)[0]][0])
    kept = without(hand, {Verb.BURY}, seat)
    assert codes(kept) == ["not-buried"]
    assert codes(replace(kept, deal=UNSET, kitty=UNSET)) == []
    assert codes(without(kept, LAID_OFF, seat)) == []


def test_trumps_are_those_named_before_the_play_wherever_the_exchange_has_gaps() -> None:
    """11.trump-call: also after cards that were laid off; and a joker that is led is a trump."""
    auction = ("1 bid 60", "2 pass", "3 pass", "0 pass")
    laid_off, play = "1 discard KS QS TS 3S", ("1 play JO", "2 play 7C")

    def found(*rest: str, gaps: Sequence[Gap] = (Gap(before=4, missing="exchange"),)) -> list[str]:
        return codes(record(*auction, *rest, variant="eighty-three", gaps=[*gaps]))

    assert found(laid_off, "1 trump H", *play) == []
    assert found(laid_off, "2 trump H", *play) == ["trump-by-other"]
    assert found(laid_off, "1 trump NT", *play) == ["trump-unknown"]
    assert found(*play, "1 trump H") == ["not-now"]
    # A bid after the auction is no part of an exchange.
    assert found("1 bid 61", "1 trump H", laid_off, *play, gaps=()) == ["not-now"]


def test_what_is_written_before_something_is_left_out_is_judged() -> None:
    hand = played("pedro", 1, 5)[0]
    draws = places_of(hand, Verb.DRAW)
    place = next(at for at in draws if parse_action(hand.actions[at]).size > 1)
    assert place < draws[-1]
    wrong = with_action(hand, place, hand.actions[place].rsplit(" ", 1)[0])
    assert "draw-count" in codes(wrong)
    del wrong.actions[draws[-1]]
    assert "draw-count" in codes(wrong)
