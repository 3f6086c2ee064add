"""Claims about a result are held against the ways in which a hand may have ended, all at once."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given, note, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.gap_records import NOTHING, cut, known_of, record
from tests.kit.random_play import random_hand, some_options
from tests.kit.tiers import scaled
from tricklog.core import Outcome, Replay, Verdict, replay, variants
from tricklog.schemas.hand import FORMAT_WITH_GAPS, Claimed, Hand, Known, decode_hand

PIDRO = "pidro"
SOUND = Path(__file__).parents[1] / "data" / "sound_records.jsonl"


def found(variant: str, known: Any = UNSET, before: Any = UNSET, **claimed: Any) -> list[str]:  # noqa: ANN401 - fields of any type
    hand = record(
        variant=variant, known=known, gaps=NOTHING, scores=before, claimed=Claimed(**claimed)
    )
    return [each.code for each in replay(hand).findings]


def test_what_no_maker_bid_and_points_bring_together_is_found() -> None:
    """4.score, 8.score, 14.score: the pair of changes is tested, not each side by itself."""
    bo = Known(maker=1, bid=8)
    wrong = [
        (change, codes)
        for known, changes in (
            (UNSET, ([-4, 12], [16, -2], [3, 12], [15, 0])),
            (bo, ([3, 12], [14, 14], [4, 9], [6, 14], [0, 7], [15, 8])),
            (Known(maker=0, bid=8), ([9, 6],)),
            (Known(bid=8), ([7, 7], [-6, 10])),
        )
        for change in changes
        if (codes := found(PIDRO, known, change=change))
        not in (["claimed-change"], ["score-count"])
    ]
    assert wrong == []
    sound = [
        codes
        for known, change in (
            (UNSET, [-6, 12]),
            (UNSET, [9, 5]),
            (UNSET, [None, 12]),
            (UNSET, [0, 0]),
            (bo, [6, 8]),
            (bo, [7, -8]),
            (Known(maker=0, bid=8), [9, 5]),
        )
        if (codes := found(PIDRO, known, change=change))
    ]
    assert sound == []
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
    """0.record, C15, O07, O85: each was accused of what it leaves out, as its id says."""
    found = [
        (hand.id, finding.code)
        for hand in map(decode_hand, SOUND.read_bytes().splitlines())
        for finding in replay(hand).findings
    ]
    assert found == []


def on_a_sheet(whole: Replay, chance: random.Random) -> Hand:
    """A line of a score sheet with some of the contract."""
    known = known_of(whole)
    kept = {
        each: getattr(known, each) for each in ("maker", "bid", "trump") if chance.random() < 0.6
    }
    return replace(
        whole.hand,
        format=FORMAT_WITH_GAPS,
        actions=[],
        gaps=list(NOTHING),
        known=known if known.alone else Known(**{each: getattr(known, each) for each in kept}),
        **dict.fromkeys(("times", "notes", "deal", "stock", "kitty", "status"), UNSET),
    )


def some_of(outcome: Outcome, chance: random.Random) -> Claimed:
    """Some of a result, and some sides of it."""

    def part(values: Sequence[int] | None) -> Any:  # noqa: ANN401 - unset, or numbers
        if values is None or chance.random() < 0.35:
            return UNSET
        return [None if chance.random() < 0.2 else each for each in values]

    fields = {each: part(getattr(outcome, each)) for each in ("points", "change", "scores")}
    if outcome.result in ("made", "set") and chance.random() < 0.5:
        fields["result"] = outcome.result
    return Claimed(**fields)
