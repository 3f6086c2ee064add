"""A seat that acts in the place of the maker is found once, however long it goes on."""

import random

import pytest
from msgspec.structs import replace

from tests.kit.random_play import random_hand
from tests.kit.support import codes, verb_of
from tricklog.core import Mode, Verdict, replay
from tricklog.schemas.hand import Hand


def taken_over(variant: str, *by_the_winner: str) -> Hand:
    """A hand in which one seat won the auction and another acts as the maker.

    It is a sound hand with another auction before it. Of what the maker does, the winner of this
    auction does `by_the_winner`, and the first maker the rest.
    """
    dealt = (random_hand(variant, random.Random(seed)) for seed in range(50))
    hand = next(each for each in dealt if "trump" in map(verb_of, each.actions))
    start = [verb_of(text) for text in hand.actions].index("trump")
    acting = int(hand.actions[start][0])
    seats = [(hand.dealt_by + step) % 4 for step in (1, 2, 3, 4)]
    winner = next(seat for seat in seats if seat != acting)
    calls = [f"{seat} bid 40" if seat == winner else f"{seat} pass" for seat in seats]
    rest = [
        f"{winner}{text[1:]}" if verb_of(text) in by_the_winner else text
        for text in hand.actions[start:]
    ]
    return replace(
        hand,
        rules=replace(hand.rules, options={"max_bid": 44}),
        actions=[*calls, *rest],
    )


def test_who_names_trumps_for_the_maker_goes_on_as_the_maker() -> None:
    result = replay(taken_over("king-pedro"))
    assert codes(result) == ["trump-by-other"]
    assert result.verdict == Verdict.IRREGULAR
    assert result.outcome is not None
    (bid,) = (call for call in result.calls if call.amount)
    assert (result.outcome.maker, result.outcome.bid) == (bid.seat, 40)


def test_who_takes_the_kitty_for_the_maker_goes_on_as_the_maker() -> None:
    assert codes(replay(taken_over("king-pedro", "trump"))) == ["kitty-by-other"]


def test_who_took_nothing_over_may_not_lead_for_the_maker() -> None:
    assert codes(replay(taken_over("pedro"))) == ["trump-by-other"]
    assert codes(replay(taken_over("pedro", "trump"))) == ["wrong-leader"]


@pytest.mark.parametrize("mode", ["strict", "salvage"])
def test_other_modes_stop_at_the_first_fault(mode: Mode) -> None:
    hand = taken_over("king-pedro")
    result = replay(hand, mode=mode)
    assert codes(result) == ["trump-by-other"]
    assert verb_of(hand.actions[result.played]) == "trump"
