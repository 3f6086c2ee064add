"""Whole hands under the options about hidden trumps (docs/rules/14; O37 to O40, O48, O49)."""

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.sound_hands import PASSES, instead, twenty_nine
from tests.kit.support import Options
from tricklog import Hand, replay

# The sound hand: seat 1 has no heart, seats 1 and 2 have no spade, and seat 0 leads to the end.


def under(options: Options, *changes: tuple[str, str]) -> Hand:
    """Return the sound hand with actions replaced; several are separated by a comma."""
    hand = replace(twenty_nine(), claimed=UNSET)
    for old, new in changes:
        hand = instead(hand, old, *filter(None, new.split(", ")))
    return replace(hand, rules=replace(hand.rules, options=dict(options)))


# --- Asking is a choice
OPTIONAL: Options = {"ask": "optional"}


def asked_by_3(card: str, options: Options = OPTIONAL) -> Hand:
    """Seat 1 throws a diamond in silence, and seat 3, without hearts too, asks."""
    before = ["0 bid 16", *PASSES, "0 trump S", "0 play JH", "1 play 7D", "2 play 7H"]
    hand = under(options)
    return replace(hand, actions=[*before, "3 ask", "0 reveal S", f"3 play {card}"])


def test_o48_a_trump_not_recorded_may_have_been_in_the_hand() -> None:
    hand = replace(asked_by_3("7C"), deal=UNSET)
    replayed = replay(hand)
    assert replayed.findings == ()
    trumps = replayed.state_at(len(replayed)).doubt_cards
    assert trumps.bit_count() >= 8
