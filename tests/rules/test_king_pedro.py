"""King Pedro: kitty, surplus, dropping out, throwing in (docs/rules/08-king-pedro.md)."""

from msgspec import UNSET
from msgspec.structs import replace

from replay import Verdict, check_game, replay
from schemas.hand import Claimed
from tests.kit.sound_hands import instead, king_pedro, swapped, up_to
from tests.kit.support import card_set, codes, do, hand_of, judged, places, play_table, rules_of

RULES = rules_of("king-pedro")


def test_the_whole_hand() -> None:
    replayed = replay(king_pedro())
    assert replayed.verdict == Verdict.VALID, replayed.findings
    assert replayed.outcome is not None
    assert replayed.outcome.points == (43, 1)
    assert replayed.tricks[0].buried == card_set("8S")
    assert [trick.winner for trick in replayed.tricks] == [0] * 6


def test_t68_s02_all_pass_and_the_next_player_deals() -> None:
    passes = ["0 pass", "1 pass", "2 pass", "3 pass"]
    thrown_in = replace(
        hand_of("king-pedro", passes),
        game="g",
        hand=1,
        scores=[0, 0],
        claimed=Claimed(points=[0, 0], change=[0, 0], scores=[0, 0]),
        status="thrown_in",
    )
    first = replay(thrown_in)
    assert first.verdict == Verdict.VALID
    assert first.outcome is not None
    assert (first.outcome.result, first.outcome.maker, first.outcome.bid) == (
        "thrown_in",
        None,
        None,
    )
    following = replace(thrown_in, id="two", hand=2, dealer=0, actions=["1 pass"])
    assert check_game([first, replay(following)]) == [[], []]
    again = replay(replace(following, dealer=3, actions=["0 pass"]))
    assert [item.code for item in check_game([first, again])[1]] == ["wrong-dealer"]


def test_that_all_have_passed_may_be_said() -> None:
    passes = ["0 pass", "1 pass", "2 pass", "3 pass"]
    assert replay(hand_of("king-pedro", [*passes, "3 throw-in"])).verdict == Verdict.VALID
    assert codes(replay(instead(king_pedro(), "0 play 9S", "0 play 9S", "0 throw-in"))) == [
        "after-the-end"
    ]


def test_the_kitty_comes_after_trumps_are_named() -> None:
    hand = king_pedro()
    kitty = "0 kitty 7H 8H 9H TH"
    assert places(replay(swapped(hand, "0 trump S", kitty)).findings) == [("not-now", "/actions/4")]
    hand = replace(hand, claimed=UNSET)
    assert codes(replay(instead(hand, kitty, "0 kitty 7H 8H 9H"))) == ["kitty-count"]
    assert codes(replay(instead(hand, kitty, "0 kitty 7H 8H 9H AC"))) == ["card-not-in-kitty"]
    view = replay(up_to(hand, "0 trump S")).at(5)
    assert (view.choice.verbs, view.choice.must) == (("kitty",), card_set("7H 8H 9H TH"))


def test_s54_a_buried_point_card_goes_to_the_winner_and_the_two_to_its_player() -> None:
    hand = instead(king_pedro(), "0 bury 8S", "0 bury JS")
    hand = instead(swapped(hand, "0 play AS", "0 play 9S"), "0 play JS", "0 play 8S")
    replayed = replay(hand)
    assert replayed.verdict == Verdict.VALID, replayed.findings
    assert replayed.tricks[0].points == 1 + 5
    # All seven point cards: the two may go under, and it counts for the side that played it.
    state = play_table(
        RULES,
        "S",
        {0: "3S 4S", 1: "AS KS JS TS 9S 5S 5C 2S", 2: "QS 6S", 3: "8S 7S"},
    )
    do(state, RULES, "0 play 3S")
    assert do(state, RULES, "1 bury 9S 2S") == []
    assert do(state, RULES, "1 play TS") == []
    assert do(state, RULES, "2 play QS") == []
    assert do(state, RULES, "3 play 7S") == []
    assert state.winner == 2
    assert state.points[:2] == [1, 1]


def test_s56_a_player_without_trumps_is_out_before_trick_1() -> None:
    state = play_table(RULES, "S", {0: "AH KH", 1: "KD 2S", 2: "3H 5H", 3: "4H 7S"})
    assert state.turn == 1
    assert judged(state, RULES, "0 play AH") == ["played-when-out"]
    assert judged(state, RULES, "2 out") == []
    assert judged(state, RULES, "1 out") == ["out-with-trumps"]


def test_s56_the_lead_passes_on_from_a_winner_who_has_dropped_out() -> None:
    state = play_table(RULES, "S", {0: "AS AH", 1: "KD 2S 9S", 2: "3S 5H", 3: "4S 7S"})
    for text in ("0 play AS", "1 play 2S", "2 play 3S", "3 play 4S"):
        assert do(state, RULES, text) == []
    assert (state.winner, state.turn) == (0, 1)
    assert state.pending == 0b1010


def test_a_player_with_a_trump_stays_in_and_may_lead_a_plain_card() -> None:
    state = play_table(RULES, "S", {0: "AS AH", 1: "KD 2S", 2: "3S 5H", 3: "4S 7S"})
    assert do(state, RULES, "0 play AH") == []
    assert do(state, RULES, "1 play KD") == []
    assert do(state, RULES, "2 play 5H") == []
    assert do(state, RULES, "3 play 4S") == []
    assert state.winner == 3
    assert state.pending == 0b1111


def test_s56_play_stops_after_six_tricks_though_somebody_has_a_card_left() -> None:
    # Seat 0 keeps a plain card too many, which is still there after six tricks.
    hand = replace(king_pedro(), claimed=UNSET)
    laid_off = "0 discard 2H 3H 4H 5H 6H 7H 8H 9H TH"
    hand = instead(hand, laid_off, "0 discard 2H 3H 4H 5H 6H 7H 8H 9H")
    replayed = replay(hand)
    assert codes(replayed) == ["kept-plain"]
    assert replayed.verdict == Verdict.IRREGULAR
    assert replayed.outcome == replay(king_pedro()).outcome
    # They may also put it under the first trick.
    rid = instead(hand, "0 bury 8S", "0 bury 8S TH")
    assert codes(replay(rid)) == ["kept-plain"]
    many = instead(hand, "0 bury 8S", "0 bury 8S 9S TH")
    assert codes(replay(many))[:2] == ["kept-plain", "bury-count"]


def test_the_last_player_takes_what_is_left() -> None:
    short = replay(up_to(king_pedro(), "2 play 5C"))
    assert short.verdict == Verdict.VALID
    assert short.outcome == replay(king_pedro()).outcome


def test_s53_trumps_and_cards_of_choice_make_six() -> None:
    hand = replace(king_pedro(), claimed=UNSET)
    six = "3 discard 3C 4C 6C 7C 8C 9C"
    assert replay(instead(hand, six, "3 discard TC JC QC KC AC 3C")).findings == ()
    assert codes(replay(instead(hand, six, "3 discard 3C 4C 6C 7C 8C 2S")))[:1] == [
        "discarded-points"
    ]
    assert codes(replay(instead(hand, six, "3 discard 3C 4C 6C 7C 8C")))[:1] == ["discard-count"]
