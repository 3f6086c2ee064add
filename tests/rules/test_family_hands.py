"""A whole hand of each system: valid as recorded, and what breaks it."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.sound_hands import FAMILY, instead, sound
from tests.kit.support import card_set, codes, places
from tricklog.core import Verdict, replay


@pytest.mark.parametrize("name", FAMILY)
def test_0_record_the_whole_hand_is_valid_and_counts_as_claimed(name: str) -> None:
    hand = FAMILY[name]()
    replayed = replay(hand)
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    assert replayed.outcome is not None
    assert hand.claimed is not UNSET
    assert list(replayed.outcome.points) == hand.claimed.points
    assert replayed.outcome.result == "made"


@pytest.mark.parametrize("name", FAMILY)
def test_0_order_no_action_but_a_fold_can_be_left_out(name: str) -> None:
    hand = replace(FAMILY[name](), claimed=UNSET)
    start = next(index for index, text in enumerate(hand.actions) if " trump " in text) + 1
    for index in range(start, len(hand.actions)):
        without = replay(replace(hand, actions=hand.actions[:index] + hand.actions[index + 1 :]))
        said = hand.actions[index].split(" ")[1]
        assert (without.verdict == Verdict.VALID) == (said == "fold"), hand.actions[index]


def test_s62_folded_players_sit_the_tricks_out() -> None:
    replayed = replay(sound("ukrainian"))
    assert [len(trick.plays) for trick in replayed.tricks] == [3] * 6
    assert replayed.at(8).out == (False, True, False, False)
    assert sum(capture.points for capture in replayed.captures) == 62
    late = instead(
        replace(sound("ukrainian"), claimed=UNSET), "2 play 6S", "1 play 5H", "2 play 6S"
    )
    assert places(replay(late).findings) == [("played-when-out", "/actions/11")]
    assert "had folded" in replay(late).findings[0].message


def test_s13_s44_tricks_have_fewer_cards_when_hands_are_empty() -> None:
    tricks = replay(sound("sancho-7")).tricks
    assert [len(trick.plays) for trick in tricks] == [7, 3, 2, 2, 2, 2]


def test_s25_a_point_card_laid_off_is_missing_from_the_count() -> None:
    replayed = replay(sound("nicaragua"))
    assert replayed.outcome is not None
    assert sum(replayed.outcome.points) == 9
    assert card_set("5C") & replayed.state_at(len(replayed)).discarded[2]


def test_c09_keeping_seven_trumps_is_a_wrong_count_and_a_card_too_many() -> None:
    hand = instead(replace(sound("cinch"), claimed=UNSET), "0 discard 2C 3C 9S", "0 discard 2C 3C")
    assert codes(replay(hand)) == ["discard-count"]
