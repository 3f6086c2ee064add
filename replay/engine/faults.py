"""What can be wrong with an action, in one integer: a fatal fault by its number, others by bits.

The engine returns these integers; ``findings`` turns them into sentences with their citation. A
fault is *fatal* when no defined state follows from it: the replay then keeps what came before. An
action has one fatal fault at most, so all of them share the lowest bits as a number, and each of
the others has a bit of its own. Fatal or not, ``faults & FATAL`` tells.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

FATAL_BITS: Final = 5
"""So many bits hold the number of a fatal fault, 0 for none."""
FATAL: Final = (1 << FATAL_BITS) - 1
"""The bits of the fault after which no state is defined."""
LAST_BIT: Final = 62
"""The highest bit of a signed integer of 64 bits that is free for a fault."""


class Fault(IntEnum):
    """A way to break a rule. The name in lower case with hyphens is the finding's code."""

    NOT_NOW = 1
    """The action has no place at this moment of the hand."""
    NO_SUCH_SEAT = 2
    """Nobody sits at the seat."""
    AFTER_THE_END = 3
    """The hand was already over."""
    CARD_NOT_HELD = 4
    """The seat does not hold the card."""
    BID_NOT_HIGHER = 5
    """The bid does not go over the standing bid."""
    SPOKE_TWICE = 6
    """A second call where each seat has one."""
    BID_AFTER_PASS = 7
    """A bid by a seat whose pass was final."""
    BID_UNKNOWN = 8
    """A special bid that the rules of the table do not have."""
    DEALER_MUST_BID = 9
    """The dealer passed where the dealer is forced to bid."""
    TRUMP_UNKNOWN = 10
    """A trump that the rules of the table do not have."""
    CARD_NOT_IN_STOCK = 11
    """The card cannot come from the stock."""
    CARD_NOT_IN_KITTY = 12
    """The card is not in the kitty."""
    PLAYED_TWICE = 13
    """A second card of one seat to the same trick."""
    REVEAL_DIFFERS = 14
    """The trump shown is not the trump that was chosen."""
    DITTO_NOT_ALLOWED = 15
    """The standing bid was held by a player who may not hold it."""
    TRUMP_NOT_RECORDED = 16
    """No breach of a rule: the record does not say what is trumps, so nothing can be judged."""
    BID_OUT_OF_TURN = 1 << 5
    """A call by a seat whose turn it was not."""
    PASS_AFTER_PASS = 1 << 6
    """A second pass of a seat whose pass was final."""
    BID_TOO_LOW = 1 << 7
    """The bid is below the minimum."""
    BID_TOO_HIGH = 1 << 8
    """The bid is above the maximum."""
    FORCED_BID_WRONG = 1 << 9
    """The forced dealer bid something else than the forced bid."""
    TRUMP_BY_OTHER = 1 << 10
    """Trumps were named by a seat that did not win the auction."""
    KITTY_BY_OTHER = 1 << 11
    """The kitty was taken by a seat that did not win the auction."""
    KITTY_COUNT = 1 << 12
    """The kitty was not taken whole."""
    KEPT_PLAIN = 1 << 13
    """A plain card was kept that had to be laid off."""
    DISCARDED_TRUMP = 1 << 14
    """A trump was laid off that had to be kept."""
    DISCARDED_POINTS = 1 << 15
    """A point card was laid off."""
    DISCARD_COUNT = 1 << 16
    """The wrong number of cards was laid off."""
    DRAW_OUT_OF_TURN = 1 << 17
    """A seat drew before its turn, or has nothing to draw."""
    DRAW_COUNT = 1 << 18
    """The wrong number of cards was drawn."""
    DRAW_ORDER = 1 << 19
    """The cards drawn are not the next of the stock."""
    ROB_BY_OTHER = 1 << 20
    """A seat other than the dealer robbed the stock."""
    ROB_LEFT_TRUMPS = 1 << 21
    """The dealer left a card in the stock that has to be taken."""
    ROB_COUNT = 1 << 22
    """The dealer took the wrong number of cards."""
    BURIED_POINTS = 1 << 23
    """A point card was put under the first trick."""
    BURY_COUNT = 1 << 24
    """The wrong number of surplus cards was put under the first trick."""
    NOT_BURIED = 1 << 25
    """Surplus cards were not put under the first trick."""
    WRONG_LEADER = 1 << 26
    """The lead was another seat's."""
    PLAYED_OUT_OF_TURN = 1 << 27
    """A card was played before the seat's turn."""
    REVOKE = 1 << 28
    """A card was played that the lead did not allow, with a card in hand that it demanded."""
    PLAIN_LEAD = 1 << 29
    """A plain card was led where a trump was due."""
    PLAYED_WHEN_OUT = 1 << 30
    """A card was played by a player who is out of the hand."""
    OUT_WITH_TRUMPS = 1 << 31
    """A player with trumps said that they are out."""
    NOT_ASKED = 1 << 32
    """A player who could not follow did not ask for the trump."""
    NOT_SHOWN = 1 << 33
    """The maker did not show the trump when they had to."""
    ASK_WITHOUT_CAUSE = 1 << 34
    """The trump was asked for by a player who may not."""
    REVEAL_WITHOUT_CAUSE = 1 << 35
    """The trump was shown without a cause."""
    REVEAL_BY_OTHER = 1 << 36
    """The trump was shown by a player who did not choose it."""
    PAIR_NOT_NOW = 1 << 37
    """King and queen of trumps were declared at the wrong moment."""
    PAIR_NOT_HELD = 1 << 38
    """King and queen of trumps were declared by a player who does not hold both."""
    GIVE_COUNT = 1 << 39
    """The wrong number of cards was given to the partner."""
    GIVE_NOT_ALLOWED = 1 << 40
    """Cards were given to a partner who may not get them, or by a player who may not give."""
    FOLD_WITH_TRUMPS = 1 << 41
    """A player folded who had to stay in."""
    NOT_FOLDED = 1 << 42
    """A player without trumps did not fold."""
    DISCARD_NOT_SHOWN = 1 << 43
    """A card that had to be shown was laid off, or left, face down."""
    CLAIM_NOT_ALLOWED = 1 << 44
    """A discarded card was claimed by a player who may not, or a wrong card was given for it."""
    DOUBLE_NOT_ALLOWED = 1 << 45
    """The stake was raised by the wrong side or too far."""
    SOLO_NOT_ALLOWED = 1 << 46
    """A player undertook all tricks alone who may not."""
    NOT_TRUMPED = 1 << 47
    """A player who asked for the trump, or showed it, held one and did not play it."""
    SEVENTH_CARD_HIDDEN = 1 << 48
    """The seventh card was played before it was shown."""
    NOT_THROWN_IN = 1 << 49
    """The deal went on where it had to be thrown in."""
    STOPPED_WITHOUT_CAUSE = 1 << 50
    """The hand was stopped, or thrown in, although nothing called for it."""
    BID_NOT_ALLOWED = 1 << 51
    """A special bid was made by a player, or on cards, that may not make it."""
    DISCARD_OUT_OF_TURN = 1 << 52
    """Cards were laid off after the moment for it, or by a seat that has nothing to lay off."""
    NOT_ROBBED = 1 << 53
    """The dealer left the rest of the stock that has to be taken."""
    DRAW_SPLIT = 1 << 54
    """A hand was filled in more than one go."""


def faults_in(bits: int) -> list[Fault]:
    """Return the single faults of a result of the engine, in the order of the enum."""
    fatal = bits & FATAL
    return [fault for fault in Fault if fault == fatal or (fault > FATAL and bits & fault)]
