"""The seventh card in whole hands (docs/rules/15; O41, S77, S88, C26)."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from replay import Verdict, replay
from schemas.hand import Hand
from tests.kit.sound_hands import PASSES, instead, twenty_nine, up_to
from tests.kit.support import Options, card_set, codes, hand_of, places, plays
from tests.rules.test_twenty_nine import EVEN

SEVENTH: Options = {"seventh_card": True}

# Seat 0 of the sound hand is dealt JH 9H AH TH JS 9S KS QS: the seventh card is the king of spades.
UNDER = "KS"


def called(hand: Hand | None = None, options: Options = SEVENTH) -> Hand:
    """Return the sound hand with the seventh card called instead of spades."""
    hand = hand or replace(twenty_nine(), claimed=UNSET)
    hand = instead(hand, "0 trump S", "0 trump seventh")
    return replace(hand, rules=replace(hand.rules, options=dict(options)))


def test_o41_the_whole_hand_is_as_with_the_suit_named() -> None:
    replayed = replay(called())
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    plain = replay(replace(twenty_nine(), claimed=UNSET)).outcome
    assert replayed.outcome == plain


def test_o41_without_the_option_there_is_no_such_call() -> None:
    replayed = replay(called(options={}))
    assert places(replayed.findings) == [("trump-unknown", "/actions/4")]
    assert replayed.findings[0].rule == "14.trump-call"
    assert "the seventh card" in replayed.findings[0].message


def test_s77_it_is_the_third_of_the_second_four() -> None:
    replayed = replay(called())
    # Nobody knows it while four cards are dealt; then it leaves the hand for the pile.
    assert replayed.at(5).holdings[0] == card_set("JH 9H AH TH JS 9S QS")
    assert replayed.state_at(5).seventh == card_set(UNDER)
    assert replayed.at(8).holdings[0] == card_set("9H AH TH JS 9S KS QS")


def test_s77_before_it_is_dealt_it_is_nobodys() -> None:
    hand = instead(called(), "0 trump seventh", "0 trump seventh", "1 double")
    hand = replace(hand, rules=replace(hand.rules, options={**SEVENTH, "doubling": "double"}))
    view = replay(hand).at(5)
    assert view.phase == "double"
    assert (view.trump, view.trump_public) == (10, False)
    assert view.holdings[0] == card_set("JH 9H AH TH")


def test_o41_it_shows_as_the_suit_it_is() -> None:
    wrong = replay(instead(called(), "0 reveal S", "0 reveal H"))
    assert places(wrong.findings) == [("reveal-differs", "/actions/7")]
    no_trumps = replay(instead(called(), "0 reveal S", "0 reveal NT"))
    assert codes(no_trumps) == ["trump-unknown"]


def test_s88_half_of_a_pair_once_shown() -> None:
    # Seat 0 holds the queen, and has the king again when trick 1 is over.
    paired = instead(called(), "3 play 7C", "3 play 7C", "0 pair")
    assert replay(paired).findings == ()
    hidden = instead(called(), "0 play JH", "0 pair", "0 play JH")
    assert codes(replay(hidden)) == ["pair-not-now"]


def leading_it(hand: Hand) -> Hand:
    """Return the hand up to a first lead of the seventh card."""
    hand = up_to(hand, "0 trump seventh")
    return replace(hand, actions=[*hand.actions, f"0 play {UNDER}"])


def test_o41_it_may_not_be_played_before() -> None:
    early = replay(leading_it(called()))
    assert places(early.findings) == [("seventh-card-hidden", "/actions/5")]
    assert early.findings[0].rule == "O41 14.trump-call"
    assert early.findings[0].legal == "QS JS 9S AH JH TH 9H"
    # It is on the table now, and trumps are known.
    assert early.at(6).trump_public
    assert early.at(6).trick == ((0, card_set(UNDER).bit_length() - 1),)


# Everybody has two cards of each suit. Seat 0 wins every trick; the jack of spades is its seventh.
EVEN_TRICKS = plays(
    *(
        " ".join(f"{seat} {rank}{suit}" for seat, rank in enumerate(ranks))
        for suit in "HDC"
        for ranks in ("JAK8", "9TQ7")
    ),
    *("0 9S 1 AS 2 KS 3 8S", "0 JS 1 TS 2 QS 3 7S"),
)


def even_hand(call: str, options: Options = SEVENTH) -> Hand:
    actions = ["0 bid 28", *PASSES, f"0 trump {call}", *EVEN_TRICKS]
    return hand_of("twenty-nine", actions, options=options, deal=EVEN)


def test_s88_in_the_last_trick_playing_it_shows_it() -> None:
    replayed = replay(even_hand("seventh"))
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    assert replayed.outcome is not None
    assert (replayed.outcome.result, replayed.outcome.points) == ("made", (28, 0))
    assert replayed.at(len(replayed) - 4).choice.sentence == "ann may play J♠."
    # With spades named the same cards never show trumps, and the hand is void.
    void = replay(even_hand("S")).outcome
    assert void is not None
    assert void.result == "void"


def test_o41_not_to_the_trick_before_the_last() -> None:
    swapped = even_hand("seventh")
    actions = [*swapped.actions[:-8], "0 play JS", *swapped.actions[-7:-4], "0 play 9S"]
    replayed = replay(replace(swapped, actions=[*actions, *swapped.actions[-3:]]))
    assert codes(replayed) == ["seventh-card-hidden"]
    assert replayed.verdict == Verdict.IRREGULAR


def test_s88_it_may_lead_the_last_trick() -> None:
    replayed = replay(even_hand("seventh"))
    state = replayed.state_at(len(replayed) - 4)
    assert state.holding[0] == 0
    assert (state.turn, state.pending) == (0, 0b1111)


# --- The card is not recorded


UNKNOWN_CARD = "JH 9H AH TH JS 9S ? QS"


@pytest.mark.parametrize("share", ["the card", "the hand", "the deal"])
def test_a_seventh_card_not_recorded_is_no_fault(share: str) -> None:
    hand = called()
    assert hand.deal is not UNSET
    others = list(hand.deal[1:])
    if share == "the card":
        hand = replace(hand, deal=[UNKNOWN_CARD, *others])
    elif share == "the hand":
        hand = replace(hand, deal=[" ".join("?" * 8), *others])
    else:
        hand = replace(hand, deal=UNSET)
    replayed = replay(hand)
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    assert replayed.outcome == replay(called()).outcome
    paired = replay(instead(hand, "3 play 7C", "3 play 7C", "0 pair"))
    assert paired.findings == ()


@pytest.mark.parametrize("deal", [UNSET, [EVEN[0].replace("JS", "?"), *EVEN[1:]]])
def test_a_card_not_recorded_may_be_played_last(deal: list[str]) -> None:
    replayed = replay(replace(even_hand("seventh"), deal=deal))
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    assert replayed.outcome == replay(even_hand("seventh")).outcome


def test_a_last_card_not_recorded_leaves_the_hand_in_doubt() -> None:
    hand = instead(replace(even_hand("seventh"), deal=UNSET), "0 play JS", "0 play ?")
    replayed = replay(hand)
    assert (replayed.verdict, replayed.findings) == (Verdict.DOUBTFUL, ())
    assert replayed.outcome is not None
    assert replayed.outcome.result != "void"


def test_what_can_be_no_other_card_is_the_one_under_the_pile() -> None:
    # Seven cards of seat 0 are named; the king of spades can come from nowhere else.
    hand = called()
    assert hand.deal is not UNSET
    hand = replace(hand, deal=[UNKNOWN_CARD, *hand.deal[1:]])
    assert codes(replay(leading_it(hand))) == ["seventh-card-hidden"]


# --- C26: void in the suit of the seventh card


# Seat 1 plays the hand, with the jack of clubs under the pile and no other club.
C26_DEAL = [
    "7C JH 9H AH TH KH QH 8H",
    "JS 9S AS TS KS QS JC 8S",
    "9C AC TC KC QC 8C 7H 7S",
    "JD 9D AD TD KD QD 8D 7D",
]


def void_maker(*actions: str, options: Options = SEVENTH) -> Hand:
    calls = ["0 pass", "1 bid 16", "2 pass", "3 pass", "0 pass", "1 trump seventh"]
    return hand_of("twenty-nine", [*calls, *actions], options=options, deal=C26_DEAL)


def test_c26_the_maker_may_keep_it_hidden() -> None:
    thrown = void_maker("0 play 7C", "1 play 8S", "2 play 9C", "3 ask", "1 reveal C", "3 play JD")
    assert replay(thrown).findings == ()
    shown = void_maker("0 play 7C", "1 reveal C", "1 play JC", "2 play 8C", "3 play 7D")
    assert replay(shown).findings == ()
    assert replay(shown).tricks[0].winner == 1
    refused = void_maker("0 play 7C", "1 reveal C", "1 play 8S")
    assert codes(replay(refused)) == ["revoke"]


def test_c26_in_another_suit_the_base_duty_holds() -> None:
    heart = void_maker("0 play JH", "1 play 8S")
    found = replay(heart)
    assert codes(found) == ["not-shown"]
    assert replay(void_maker("0 play JH", "1 reveal C", "1 play 8S")).findings == ()
    optional: Options = {**SEVENTH, "ask": "optional"}
    assert replay(void_maker("0 play JH", "1 play 8S", options=optional)).findings == ()


def test_c26_with_the_card_not_recorded_what_is_shown_later_decides() -> None:
    thrown = ("0 play 7C", "1 play 8S", "2 play 9C", "3 ask", "1 reveal C", "3 play JD")
    deal = [C26_DEAL[0], C26_DEAL[1].replace("JC", "?"), *C26_DEAL[2:]]
    assert replay(replace(void_maker(*thrown), deal=deal)).findings == ()
    heart = ("0 play JH", "1 play 8S", "2 play 7H", "3 ask", "1 reveal C", "3 play JD")
    assert codes(replay(replace(void_maker(*heart), deal=deal))) == ["not-shown"]
    # Nothing shows it later: then it stays open.
    open_card = replay(replace(void_maker("0 play JH", "1 play 8S"), deal=deal))
    assert open_card.findings == ()
    assert open_card.state_at(8).doubt == 1
