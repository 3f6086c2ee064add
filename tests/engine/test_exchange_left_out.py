"""A record that says nothing of the exchange: what is left out is not known, and no fault."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.played_once import played
from tests.kit.tiers import scaled, some
from tricklog.core import Verdict, replay
from tricklog.core.rulesets.variant_names import variants
from tricklog.schemas.actions import Verb, parse_action
from tricklog.schemas.cards import card_name
from tricklog.schemas.hand import Hand

EXCHANGE = {
    *(Verb.KITTY, Verb.DISCARD, Verb.DISCARD_UP, Verb.CLAIM, Verb.DRAW, Verb.ROB, Verb.GIVE),
    *(Verb.FOLD, Verb.BURY),
}


LAID_OFF = {Verb.DISCARD, Verb.DISCARD_UP}
REFILLED = ["pedro", "cinch", "pidro", "pitch-with-fives"]
"""Games in which everybody lays off and draws."""


def without(hand: Hand, seat: int, verbs: set[Verb]) -> Hand:
    """What is left of a hand when nobody writes down that a player did any of this."""
    deeds = [(deed, parse_action(deed)) for deed in hand.actions]
    kept = [deed for deed, did in deeds if did.seat != seat or did.verb not in verbs]
    return replace(hand, actions=kept, times=UNSET)


def without_exchange(hand: Hand) -> Hand:
    """What somebody writes down who saw the auction, the plays and the pad."""
    kept = [deed for deed in hand.actions if parse_action(deed).verb not in EXCHANGE]
    return replace(hand, actions=kept, deal=UNSET, stock=UNSET, kitty=UNSET, times=UNSET)


@pytest.mark.parametrize("variant", some(variants(), 6))
def test_nothing_is_found_in_what_is_not_written(variant: str) -> None:
    for hand in played(variant, 1, 5)[: scaled(1, most=3)]:
        shorter = without_exchange(hand)
        found = replay(shorter)
        assert not found.findings, [str(each.said) for each in found.findings]
        assert found.hand is shorter
        for index in (0, len(found) // 2, len(found)):
            found.at(index)


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


@pytest.mark.parametrize("variant", some(REFILLED, 3))
def test_what_one_player_did_may_be_left_out(variant: str) -> None:
    """Whose discards, or whose draws, is not known then; nobody is at fault for it."""
    looked_at = 0
    for hand in played(variant, 1, 5)[: scaled(1, most=3)]:
        for seat in range(len(hand.players)):
            for verbs in (LAID_OFF, {Verb.DRAW}, {Verb.DRAW, *LAID_OFF}, {Verb.ROB}):
                kept = without(hand, seat, verbs)
                for shorter in (kept, replace(kept, deal=UNSET, stock=UNSET, kitty=UNSET)):
                    found = replay(shorter)
                    assert not found.findings, (seat, verbs, [str(e.said) for e in found.findings])
                looked_at += kept.actions != hand.actions
    assert looked_at > 2


@pytest.mark.parametrize("verbs", [LAID_OFF, {Verb.DRAW}])
def test_what_nobody_did_may_be_left_out(verbs: set[Verb]) -> None:
    hand = played("pedro", 1, 5)[0]
    for seat in range(len(hand.players)):
        hand = without(hand, seat, verbs)
    assert replay(hand).verdict == Verdict.PARTIAL
    assert replay(replace(hand, deal=UNSET, stock=UNSET)).verdict == Verdict.PARTIAL


GIFTS = [("eighty-three", {Verb.GIVE}), ("ukrainian", {Verb.GIVE}), ("ukrainian", {Verb.FOLD})]


@pytest.mark.parametrize(("variant", "verbs"), GIFTS)
@pytest.mark.parametrize("more", [set(), LAID_OFF, {Verb.KITTY}, {Verb.GIVE, Verb.FOLD}])
def test_a_gift_or_a_fold_may_be_left_out(variant: str, verbs: set[Verb], more: set[Verb]) -> None:
    """By whoever gave, or by all, alone and with the rest of what they did."""
    looked_at = 0
    for hand in played(variant, 3, 5):
        seats = {did.seat for did in map(parse_action, hand.actions) if did.verb in verbs}
        silent = hand
        for seat in sorted(seats):
            silent = without(silent, seat, verbs | more)
            for kept in (without(hand, seat, verbs | more), silent):
                for shorter in (kept, replace(kept, deal=UNSET, stock=UNSET, kitty=UNSET)):
                    found = replay(shorter)
                    assert not found.findings, (seat, [str(e.said) for e in found.findings])
                    assert found.hand is shorter
                looked_at += 1
    assert looked_at > 1


@pytest.mark.parametrize("verbs", [LAID_OFF, {Verb.DRAW, *LAID_OFF}, {Verb.ROB, *LAID_OFF}])
def test_the_dealer_may_rob_what_is_not_written_as_laid_off(verbs: set[Verb]) -> None:
    for hand in played("nicaragua", 2, 5):
        silent = hand
        for seat in range(len(hand.players)):
            kept = without(hand, seat, verbs)
            silent = without(silent, seat, verbs)
            for shorter in (kept, replace(kept, deal=UNSET, stock=UNSET)):
                found = replay(shorter)
                assert not found.findings, (seat, [str(e.said) for e in found.findings])
        assert not replay(silent).findings


def test_a_gift_explains_no_wrong_count() -> None:
    """One card more or less laid off than is due stays a fault where nobody gave anything."""
    looked_at = 0
    for hand in played("eighty-three", 2, 5):
        deeds = [parse_action(deed) for deed in hand.actions]
        if any(deed.verb == Verb.GIVE for deed in deeds):
            continue
        for place, deed in enumerate(deeds):
            if deed.verb not in LAID_OFF:
                continue
            last = [each for each in deeds if (each.seat, each.verb) == (deed.seat, Verb.PLAY)][-1]
            more = f"{hand.actions[place]} {card_name(last.card)}"
            for wrong in (hand.actions[place].rsplit(" ", 1)[0], more):
                actions = [*hand.actions[:place], wrong, *hand.actions[place + 1 :]]
                kept = replace(hand, actions=actions)
                assert replay(kept).findings, wrong
                looked_at += 1
    assert looked_at > 8


def test_what_is_written_beside_a_gift_left_out_is_judged() -> None:
    hand, giver = next(
        (hand, did.seat)
        for hand in played("ukrainian", 3, 5)
        for did in map(parse_action, hand.actions)
        if did.verb == Verb.GIVE
    )
    kept = without(hand, giver, {Verb.GIVE})
    bids = [place for place, deed in enumerate(kept.actions) if " bid " in deed]
    actions = list(kept.actions)
    actions[bids[0]] = f"{actions[bids[0]].split()[0]} bid 1"
    assert [each.code for each in replay(replace(kept, actions=actions)).findings] == [
        "bid-too-low"
    ]


def test_a_bury_is_missed_only_where_all_else_is_written() -> None:
    buries = (
        (hand, parse_action(deed).seat)
        for hand in played("king-pedro", 2, 9)
        for deed in hand.actions
        if parse_action(deed).verb == Verb.BURY
    )
    hand, seat = next(buries)
    kept = without(hand, seat, {Verb.BURY})
    assert [each.code for each in replay(kept).findings] == ["not-buried"]
    assert not replay(replace(kept, deal=UNSET, kitty=UNSET)).findings
    assert not replay(without(kept, seat, LAID_OFF)).findings


def test_what_is_written_before_something_is_left_out_is_judged() -> None:
    hand = played("pedro", 1, 5)[0]
    deeds = [parse_action(deed) for deed in hand.actions]
    last = max(place for place, deed in enumerate(deeds) if deed.verb == Verb.DRAW)
    wrong = next(
        place for place, deed in enumerate(deeds) if deed.verb == Verb.DRAW and deed.size > 1
    )
    fewer = hand.actions[wrong].rsplit(" ", 1)[0]
    actions = [fewer if place == wrong else deed for place, deed in enumerate(hand.actions)]
    assert wrong < last
    codes = {each.code for each in replay(replace(hand, actions=actions)).findings}
    assert "draw-count" in codes
    del actions[last]
    assert "draw-count" in {each.code for each in replay(replace(hand, actions=actions)).findings}
