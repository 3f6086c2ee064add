"""Finnish Pidro: dropping out, the lead passing on, the last player (docs/rules/04-pidro.md)."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from replay import Verdict, replay
from tests.kit.sound_hands import instead, pidro, up_to
from tests.kit.support import codes, do, judged, places, play_table, rules_of

RULES = rules_of("pidro")


def test_t50_the_lead_passes_to_the_next_player_with_trumps() -> None:
    state = play_table(RULES, "S", {0: "AS", 1: "2S KD", 2: "3S 5S 6S", 3: "4S 7S"})
    for text in ("0 play AS", "1 play 2S", "2 play 3S", "3 play 4S"):
        assert do(state, RULES, text) == []
    assert (state.winner, state.turn) == (0, 2)
    assert judged(state, RULES, "3 play 7S") == ["wrong-leader"]
    assert judged(state, RULES, "2 play 5S") == []


def test_t52_a_player_without_trumps_plays_no_card() -> None:
    state = play_table(RULES, "S", {0: "AS 6S", 1: "AH KD", 2: "3S 5S", 3: "4S 7S"})
    assert do(state, RULES, "0 play AS") == []
    assert state.turn == 2
    assert judged(state, RULES, "1 play AH") == ["played-when-out"]
    assert do(state, RULES, "1 play AH") == ["played-when-out"]
    assert (state.turn, state.played) == (2, 1)
    assert judged(state, RULES, "1 play ?") == ["played-when-out"]
    assert judged(state, RULES, "1 play QC") == ["card-not-held"]


def test_s33_a_bidder_without_trumps_does_not_lead() -> None:
    state = play_table(RULES, "S", {0: "AH KH", 1: "KD QD", 2: "3S 5S", 3: "4S 7S"})
    assert state.turn == 2


def test_s33_a_hand_without_any_trump_in_play_is_over_at_once() -> None:
    state = play_table(RULES, "S", {0: "AH KH", 1: "KD QD", 2: "3H 5C", 3: "4H 7H"})
    # The off five is the only trump.
    assert (state.turn, state.pending) == (2, 0b100)
    state = play_table(RULES, "S", {0: "AH KH", 1: "KD QD", 2: "3H 5H", 3: "4H 7H"})
    assert state.pending == 0


def test_s34_a_trump_must_be_played_while_one_is_held() -> None:
    state = play_table(RULES, "S", {0: "AS 6S", 1: "2S KD", 2: "3S 5S", 3: "4S 7S"})
    do(state, RULES, "0 play AS")
    assert judged(state, RULES, "1 play KD") == ["revoke"]
    assert judged(state, RULES, "1 out") == ["out-with-trumps"]
    assert judged(state, RULES, "2 play 3S") == ["played-out-of-turn"]


def test_saying_that_one_is_out_changes_nothing() -> None:
    hand = instead(pidro(), "3 play 4S", "3 play 4S", "3 out")
    assert replay(hand).verdict == Verdict.VALID


def test_the_last_player_takes_what_is_left_played_out_or_not() -> None:
    full = replay(pidro())
    assert full.verdict == Verdict.VALID
    short = replay(up_to(pidro(), "2 play 5C"))
    assert short.verdict == Verdict.VALID
    assert short.outcome == full.outcome
    assert full.outcome is not None
    assert full.outcome.points == (9, 5)
    last = {(each.card, each.trick) for each in short.captures if each.trick > 3}
    assert [trick for _, trick in last] == [4]
    assert sum(each.points for each in short.captures) == 14


def test_a_record_that_stops_while_two_have_trumps_is_incomplete() -> None:
    for text in ("3 play 4S", "0 play 2S", "1 play 9S", "0 play JS"):
        stopped = replay(up_to(pidro(), text))
        assert stopped.verdict == Verdict.INCOMPLETE
        assert stopped.outcome is None


def test_the_winner_of_a_trick_without_trumps_may_not_lead_on() -> None:
    hand = instead(pidro(), "0 play TS", "1 play KC", "0 play TS")
    assert places(replay(hand).findings) == [("played-when-out", "/actions/24")]


def test_s32_the_dealer_comes_down_with_plain_cards_first() -> None:
    six = "3 discard QH KH AH 8D 9D TD"
    hand = replace(pidro(), claimed=UNSET)
    assert codes(replay(instead(hand, six, "3 discard QH KH AH 8D 9D 4S"))) == [
        "discarded-trump",
        # The four of spades is gone, and after the three they are out; they play it all the same.
        "played-when-out",
    ]
    assert codes(replay(instead(hand, six, "3 discard QH KH AH 8D 9D"))) == ["discard-count"]
    assert codes(replay(instead(hand, six)))[:1] == ["not-now"]


def test_s31_laying_off_face_up_is_the_same() -> None:
    hand = pidro()
    actions = [text.replace("discard", "discard-up") for text in hand.actions]
    shown = replay(replace(hand, actions=actions))
    assert shown.verdict == Verdict.VALID
    assert shown.outcome == replay(hand).outcome


@pytest.mark.parametrize("variant", ["pidro", "king-pedro"])
def test_4_drop_out_8_drop_out_who_has_played_the_last_trump_may_say_so_at_once(
    variant: str,
) -> None:
    rules = rules_of(variant)
    state = play_table(rules, "S", {0: "AS 6S", 1: "2S KD", 2: "3S 5S", 3: "4S 7S"})
    assert do(state, rules, "0 play AS") == []
    assert judged(state, rules, "1 out") == ["out-with-trumps"]
    assert do(state, rules, "1 play 2S") == []
    assert do(state, rules, "1 out") == []
    assert judged(state, rules, "0 out") == ["out-with-trumps"]
    for text in ("2 play 3S", "3 play 4S"):
        assert do(state, rules, text) == []
    assert do(state, rules, "1 out") == []


def test_4_drop_out_a_hand_with_every_such_word_is_valid() -> None:
    hand = instead(pidro(), "3 play 4S", "3 play 4S", "3 out")
    hand = instead(hand, "1 play 9S", "1 play 9S", "1 out")
    replayed = replay(instead(hand, "2 play 5C", "2 play 5C", "2 out"))
    assert (replayed.findings, replayed.verdict) == ((), Verdict.VALID)
