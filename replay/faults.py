"""What can be wrong with an action, one bit each, so that one integer holds all of it.

The engine returns these bits; ``findings`` turns them into sentences with their citation. A fault
is *fatal* when no defined state follows from it: the replay then keeps what came before.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Fault(IntEnum):
    """A way to break a rule. The name in lower case with hyphens is the finding's code."""

    NOT_NOW = 1 << 0
    """The action has no place at this moment of the hand."""
    NO_SUCH_SEAT = 1 << 1
    """Nobody sits at the seat."""
    AFTER_THE_END = 1 << 2
    """The hand was already over."""
    CARD_NOT_HELD = 1 << 3
    """The seat does not hold the card."""
    BID_NOT_HIGHER = 1 << 4
    """The bid does not go over the standing bid."""
    SPOKE_TWICE = 1 << 5
    """A second call where each seat has one."""
    BID_AFTER_PASS = 1 << 6
    """A bid by a seat whose pass was final."""
    BID_UNKNOWN = 1 << 7
    """A special bid that the rules of the table do not have."""
    DEALER_MUST_BID = 1 << 8
    """The dealer passed where he is forced to bid."""
    TRUMP_UNKNOWN = 1 << 9
    """A trump that the rules of the table do not have."""
    CARD_NOT_IN_STOCK = 1 << 10
    """The card cannot come from the stock."""
    CARD_NOT_IN_KITTY = 1 << 11
    """The card is not in the kitty."""
    PLAYED_TWICE = 1 << 12
    """A second card of one seat to the same trick."""
    REVEAL_DIFFERS = 1 << 13
    """The trump shown is not the trump that was chosen."""
    BID_OUT_OF_TURN = 1 << 14
    """A call by a seat whose turn it was not."""
    PASS_AFTER_PASS = 1 << 15
    """A second pass of a seat whose pass was final."""
    BID_TOO_LOW = 1 << 16
    """The bid is below the minimum."""
    BID_TOO_HIGH = 1 << 17
    """The bid is above the maximum."""
    FORCED_BID_WRONG = 1 << 18
    """The forced dealer bid something else than the forced bid."""
    TRUMP_BY_OTHER = 1 << 19
    """Trumps were named by a seat that did not win the auction."""
    KITTY_BY_OTHER = 1 << 20
    """The kitty was taken by a seat that did not win the auction."""
    KITTY_COUNT = 1 << 21
    """The kitty was not taken whole."""
    KEPT_PLAIN = 1 << 22
    """A plain card was kept that had to be laid off."""
    DISCARDED_TRUMP = 1 << 23
    """A trump was laid off that had to be kept."""
    DISCARDED_POINTS = 1 << 24
    """A point card was laid off."""
    DISCARD_COUNT = 1 << 25
    """The wrong number of cards was laid off."""
    DRAW_OUT_OF_TURN = 1 << 26
    """A seat drew before its turn, or has nothing to draw."""
    DRAW_COUNT = 1 << 27
    """The wrong number of cards was drawn."""
    DRAW_ORDER = 1 << 28
    """The cards drawn are not the next of the stock."""
    ROB_BY_OTHER = 1 << 29
    """A seat other than the dealer robbed the stock."""
    ROB_LEFT_TRUMPS = 1 << 30
    """The dealer left a card in the stock that he must take."""
    ROB_COUNT = 1 << 31
    """The dealer took the wrong number of cards."""
    BURIED_POINTS = 1 << 32
    """A point card was put under the first trick."""
    BURY_COUNT = 1 << 33
    """The wrong number of surplus cards was put under the first trick."""
    NOT_BURIED = 1 << 34
    """Surplus cards were not put under the first trick."""
    WRONG_LEADER = 1 << 35
    """The lead was another seat's."""
    PLAYED_OUT_OF_TURN = 1 << 36
    """A card was played before the seat's turn."""
    REVOKE = 1 << 37
    """A card was played that the lead did not allow, with a card in hand that it demanded."""
    PLAIN_LEAD = 1 << 38
    """A plain card was led where a trump was due."""
    PLAYED_WHEN_OUT = 1 << 39
    """A card was played by a player who is out of the hand."""
    OUT_WITH_TRUMPS = 1 << 40
    """A player with trumps said that he is out."""
    NOT_ASKED = 1 << 41
    """A player who could not follow did not ask for the trump."""
    NOT_SHOWN = 1 << 42
    """The maker did not show the trump when he had to."""
    ASK_WITHOUT_CAUSE = 1 << 43
    """The trump was asked for by a player who may not."""
    REVEAL_WITHOUT_CAUSE = 1 << 44
    """The trump was shown without a cause."""
    REVEAL_BY_OTHER = 1 << 45
    """The trump was shown by a player who did not choose it."""
    PAIR_NOT_NOW = 1 << 46
    """King and queen of trumps were declared at the wrong moment."""
    PAIR_NOT_HELD = 1 << 47
    """King and queen of trumps were declared by a player who does not hold both."""
    GIVE_COUNT = 1 << 49
    """The wrong number of cards was given to the partner."""
    GIVE_NOT_ALLOWED = 1 << 50
    """Cards were given to a partner who may not get them, or by a player who may not give."""
    FOLD_WITH_TRUMPS = 1 << 51
    """A player folded who had to stay in."""
    NOT_FOLDED = 1 << 52
    """A player without trumps did not fold."""
    DISCARD_NOT_SHOWN = 1 << 53
    """A card that had to be shown was laid off, or left, face down."""
    CLAIM_NOT_ALLOWED = 1 << 54
    """A discarded card was claimed by a player who may not, or a wrong card was given for it."""
    DOUBLE_NOT_ALLOWED = 1 << 55
    """The stake was raised by the wrong side or too far."""
    DITTO_NOT_ALLOWED = 1 << 56
    """The standing bid was held by a player who may not hold it."""
    SOLO_NOT_ALLOWED = 1 << 57
    """A player undertook all tricks alone who may not."""
    NOT_TRUMPED = 1 << 58
    """A player who asked for the trump, or showed it, held one and did not play it."""
    SEVENTH_CARD_HIDDEN = 1 << 59
    """The seventh card was played before it was shown."""
    NOT_THROWN_IN = 1 << 60
    """The deal went on where it had to be thrown in."""
    STOPPED_WITHOUT_CAUSE = 1 << 61
    """The hand was stopped, or thrown in, although nothing called for it."""
    BID_NOT_ALLOWED = 1 << 62
    """A special bid was made by a player, or on cards, that may not make it."""
    TRUMP_NOT_RECORDED = 1 << 48
    """No breach of a rule: the record does not say what is trumps, so nothing can be judged."""


FATAL: Final = (
    Fault.NOT_NOW
    | Fault.NO_SUCH_SEAT
    | Fault.AFTER_THE_END
    | Fault.CARD_NOT_HELD
    | Fault.BID_NOT_HIGHER
    | Fault.SPOKE_TWICE
    | Fault.BID_AFTER_PASS
    | Fault.BID_UNKNOWN
    | Fault.DEALER_MUST_BID
    | Fault.TRUMP_UNKNOWN
    | Fault.CARD_NOT_IN_STOCK
    | Fault.CARD_NOT_IN_KITTY
    | Fault.PLAYED_TWICE
    | Fault.REVEAL_DIFFERS
    | Fault.TRUMP_NOT_RECORDED
    | Fault.DITTO_NOT_ALLOWED
)
"""Faults after which no state is defined."""


def faults_in(bits: int) -> list[Fault]:
    """Return the single faults of a result of the engine, in the order of the enum."""
    return [fault for fault in Fault if bits & fault]
