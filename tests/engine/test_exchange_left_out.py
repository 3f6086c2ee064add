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
from tricklog.schemas.hand import Hand

EXCHANGE = {
    *(Verb.KITTY, Verb.DISCARD, Verb.DISCARD_UP, Verb.CLAIM, Verb.DRAW, Verb.ROB, Verb.GIVE),
    *(Verb.FOLD, Verb.BURY),
}


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


def test_what_is_written_of_the_exchange_is_judged() -> None:
    hand = next(each for each in played("pedro", 1, 5) if "trump" in " ".join(each.actions))
    first = next(deed for deed in hand.actions if parse_action(deed).verb == Verb.DISCARD)
    kept = [deed for deed in hand.actions if deed != first]
    assert replay(replace(hand, actions=kept)).findings
