"""The seventh card in whole hands (docs/rules/14; O41, S77, S88, C26)."""

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.sound_hands import EVEN, PASSES, instead, twenty_nine
from tests.kit.support import Options, card_set, codes, hand_of, plays
from tricklog import Hand, replay

SEVENTH: Options = {"seventh_card": True}

# Seat 0 of the sound hand is dealt JH 9H AH TH JS 9S KS QS: the seventh card is the king of spades.
UNDER = "KS"


def called(hand: Hand | None = None, options: Options = SEVENTH) -> Hand:
    """Return the sound hand with the seventh card called instead of spades."""
    hand = hand or replace(twenty_nine(), claimed=UNSET)
    hand = instead(hand, "0 trump S", "0 trump seventh")
    return replace(hand, rules=replace(hand.rules, options=dict(options)))


def test_s77_it_is_the_third_of_the_second_four() -> None:
    replayed = replay(called())
    # Nobody knows it while four cards are dealt; then it leaves the hand for the pile.
    assert replayed.at(5).holdings[0] == card_set("JH 9H AH TH JS 9S QS")
    assert replayed.state_at(5).seventh == card_set(UNDER)
    assert replayed.at(8).holdings[0] == card_set("9H AH TH JS 9S KS QS")


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


def test_s88_it_may_lead_the_last_trick() -> None:
    replayed = replay(even_hand("seventh"))
    state = replayed.state_at(len(replayed) - 4)
    assert state.holding[0] == 0
    assert (state.turn, state.pending) == (0, 0b1111)


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
