"""What can be wrong with an action, in one integer: a fatal fault by its number, others by bits.

The engine returns these integers; ``findings`` makes findings of them by the sentences in ``ROWS``.
A fault is *fatal* when no defined state follows from it: the replay then keeps what came before. An
action has one fatal fault at most, so all of them share the lowest bits as a number, and each of
the others has a bit of its own. Fatal or not, ``faults & FATAL`` tells.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    SPOKE_TWICE = 5
    """A second call where each seat has one."""
    BID_AFTER_PASS = 6
    """A bid by a seat whose pass was final."""
    BID_UNKNOWN = 7
    """A special bid that the rules of the table do not have."""
    DEALER_MUST_BID = 8
    """The dealer passed where the dealer is forced to bid."""
    TRUMP_UNKNOWN = 9
    """A trump that the rules of the table do not have."""
    CARD_NOT_IN_STOCK = 10
    """The card cannot come from the stock."""
    CARD_NOT_IN_KITTY = 11
    """The card is not in the kitty."""
    PLAYED_TWICE = 12
    """A second card of one seat to the same trick."""
    REVEAL_DIFFERS = 13
    """The trump shown is not the trump that was chosen."""
    DITTO_NOT_ALLOWED = 14
    """The standing bid was held by a player who may not hold it."""
    TRUMP_NOT_RECORDED = 15
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
    BID_NOT_HIGHER = 1 << 55
    """The bid does not go over the standing bid."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a code cites and says."""

    cites: tuple[str, ...]
    """Policies whose citations the finding carries; a citation itself where it has a dot."""
    sentence: str


ROWS: Final[dict[Fault, Row]] = {
    Fault.NOT_NOW: Row(("phases",), "{player} cannot {verb} now: {due} is to {due_verbs}."),
    Fault.NO_SUCH_SEAT: Row(("players",), "There is no seat {seat} at a table of {seats}."),
    Fault.AFTER_THE_END: Row(("0.record",), "The hand was over before {player} did this."),
    Fault.CARD_NOT_HELD: Row(("0.conservation",), "{player} does not hold {strangers}."),
    Fault.BID_NOT_HIGHER: Row(
        ("auction", "equal_bid"),
        "{player} bid {bid}, which does not go over the standing bid of {standing}.",
    ),
    Fault.SPOKE_TWICE: Row(
        ("auction",), "{player} has already spoken, and everybody speaks just once."
    ),
    Fault.BID_AFTER_PASS: Row(
        ("pass_final",), "{player} {called} after a pass, and a pass is final."
    ),
    Fault.BID_UNKNOWN: Row(("max_bid",), "{player} bid {bid}, a bid this game does not have."),
    Fault.DEALER_MUST_BID: Row(
        ("all_pass", "forced_bid", "first_caller"),
        "{player} passed, but after the passes of all others must bid {bids}.",
    ),
    Fault.TRUMP_UNKNOWN: Row(
        ("trump_call",), "{player} named {trump_named}, which this game does not have."
    ),
    Fault.CARD_NOT_IN_STOCK: Row(
        ("0.conservation",), "{player} took {strangers}, which cannot come from the stock."
    ),
    Fault.CARD_NOT_IN_KITTY: Row(
        ("kitty_size", "0.conservation"), "{player} took {strangers}, which was not in the kitty."
    ),
    Fault.PLAYED_TWICE: Row(
        ("0.order",), "{player} played {card} but had nothing more to play to this trick."
    ),
    Fault.REVEAL_DIFFERS: Row(
        ("ask", "trump_call"), "{player} showed {trump_named}, but had chosen {trump}."
    ),
    Fault.BID_OUT_OF_TURN: Row(
        ("auction", "first_caller"),
        "{player} called out of turn: it was {due}'s turn to speak.",
    ),
    Fault.PASS_AFTER_PASS: Row(
        ("pass_final",), "{player} had already passed, and a pass is final: nobody asks again."
    ),
    Fault.BID_TOO_LOW: Row(("min_bid",), "{player} bid {bid}, below the minimum of {min}."),
    Fault.BID_TOO_HIGH: Row(("max_bid",), "{player} bid {bid}, above the maximum of {max}."),
    Fault.FORCED_BID_WRONG: Row(
        ("forced_bid", "first_caller"),
        "{player} bid {bid}, but after the passes of all others must bid {bids}.",
    ),
    Fault.TRUMP_BY_OTHER: Row(("trump_call",), "{player} named trumps, which was {maker}'s to do."),
    Fault.KITTY_BY_OTHER: Row(
        ("kitty_size",), "{player} took the kitty, but {maker} won the auction."
    ),
    Fault.KITTY_COUNT: Row(
        ("kitty_size",), "{player} took {counted} of the kitty; the maker takes all {wanted}."
    ),
    Fault.KEPT_PLAIN: Row(("discard",), "{player} kept {kept}, which had to be laid off."),
    Fault.DISCARDED_TRUMP: Row(
        ("discard", "surplus"), "{player} laid off {barred}, a trump that has to be kept."
    ),
    Fault.DISCARDED_POINTS: Row(
        ("discard", "surplus"),
        "{player} laid off {barred_points}: point cards have to be kept.",
    ),
    Fault.DISCARD_COUNT: Row(
        ("discard", "hand_size"), "{player} laid off {counted} instead of {wanted}."
    ),
    Fault.DRAW_OUT_OF_TURN: Row(("refill",), "{player} drew cards although {draws}."),
    Fault.DRAW_COUNT: Row(("refill",), "{player} drew {counted} instead of {wanted}."),
    Fault.DRAW_ORDER: Row(
        ("refill",), "{player} drew {cards}; the next cards of the stock were {must}."
    ),
    Fault.ROB_BY_OTHER: Row(
        ("rob",), "{player} took from the rest of the stock, which only the dealer may."
    ),
    Fault.ROB_LEFT_TRUMPS: Row(
        ("rob",), "{player} left {kept} in the stock, which the dealer must take."
    ),
    Fault.ROB_COUNT: Row(("rob",), "{player} took {counted} instead of {wanted}."),
    Fault.BURIED_POINTS: Row(
        ("surplus_points",),
        "{player} put {card} with the surplus of the first trick, one point card too many.",
    ),
    Fault.BURY_COUNT: Row(
        ("surplus",), "{player} put {counted} under the first trick instead of {wanted}."
    ),
    Fault.NOT_BURIED: Row(
        ("surplus",),
        "{player} played {card} without putting surplus under it, {wanted} to be buried.",
    ),
    Fault.WRONG_LEADER: Row(("first_leader",), "{player} led {card}, but the lead was {due}'s."),
    Fault.PLAYED_OUT_OF_TURN: Row(
        ("0.order",), "{player} played {card} out of turn: {due} was to play."
    ),
    Fault.REVOKE: Row(
        ("plain_follow",), "{player} played {card} to a lead of {led} while holding {legal}."
    ),
    Fault.PLAIN_LEAD: Row(
        ("first_lead",), "{player} led {card}, but had to lead a trump and held {legal}."
    ),
    Fault.PLAYED_WHEN_OUT: Row(("drop_out",), "{player} played {card}, but was out of the hand."),
    Fault.OUT_WITH_TRUMPS: Row(("drop_out",), "{player} dropped out while holding {trumps}."),
    Fault.NOT_ASKED: Row(
        ("ask",), "{player} could not follow {led} and played {card} without asking for the trump."
    ),
    Fault.NOT_SHOWN: Row(
        ("ask",), "{player} played {card} before {maker} had shown the trump, which was due."
    ),
    Fault.ASK_WITHOUT_CAUSE: Row(
        ("ask",), "{player} asked for the trump, but only who is to play and cannot follow may."
    ),
    Fault.REVEAL_WITHOUT_CAUSE: Row(
        ("ask",), "{player} showed the trump though nobody had asked and {player} could follow."
    ),
    Fault.REVEAL_BY_OTHER: Row(("ask",), "{player} showed the trump, which was {maker}'s to show."),
    Fault.PAIR_NOT_NOW: Row(
        ("pair",), "{player} declared king and queen of trumps at a moment when it does not count."
    ),
    Fault.PAIR_NOT_HELD: Row(
        ("pair",), "{player} declared king and queen of trumps without holding both."
    ),
    Fault.GIVE_COUNT: Row(("surplus",), "{player} gave the partner {counted} instead of {wanted}."),
    Fault.GIVE_NOT_ALLOWED: Row(("surplus",), "{player} gave the partner {cards}, but {because}."),
    Fault.FOLD_WITH_TRUMPS: Row(("fold",), "{player} folded, but had to stay in with {trumps}."),
    Fault.NOT_FOLDED: Row(("fold",), "{player} had no trump left and went on without folding."),
    Fault.DISCARD_NOT_SHOWN: Row(
        ("discards_shown",), "{player} laid off {hidden} face down, which had to be shown."
    ),
    Fault.CLAIM_NOT_ALLOWED: Row(
        ("discards_claimed",), "{player} claimed {claimed} out of the discards, but {because}."
    ),
    Fault.DOUBLE_NOT_ALLOWED: Row(
        ("doubling", "auto_double"), "{player} was not allowed to {verb} here."
    ),
    Fault.DITTO_NOT_ALLOWED: Row(("ditto",), "{player} said ditto, but {no_ditto}."),
    Fault.SOLO_NOT_ALLOWED: Row(
        ("solo", "certain_solo"), "{player} undertook all tricks alone, but may not."
    ),
    Fault.NOT_TRUMPED: Row(
        ("ask",), "{player} had the trump shown and played {card} while holding {legal}."
    ),
    Fault.SEVENTH_CARD_HIDDEN: Row(
        ("seventh_card",), "{player} played {card}, the seventh card, before it was shown."
    ),
    Fault.NOT_THROWN_IN: Row(
        ("weak_start", "bare_seventh", "weak_defence", "four_jacks"),
        "{player} went on although the deal had to be thrown in.",
    ),
    Fault.STOPPED_WITHOUT_CAUSE: Row(
        ("all_pass", "weak_start", "bare_seventh", "weak_defence", "four_jacks"),
        "{player} stopped the hand although nothing called for it.",
    ),
    Fault.BID_NOT_ALLOWED: Row(
        ("special_bid",),
        "{player} {called}, a bid only for a dealer who holds ace, king and two of trumps.",
    ),
    Fault.DISCARD_OUT_OF_TURN: Row(
        ("discard", "hand_size"), "{player} laid off {counted} more, though nothing was due to go."
    ),
    Fault.NOT_ROBBED: Row(
        ("rob",), "{dealer} left the rest of the stock, which the dealer has to take."
    ),
    Fault.DRAW_SPLIT: Row(
        ("refill",), "{player} drew {counted} more: each hand is filled in one go."
    ),
}
"""What each fault says; a missing record is none."""


def faults_in(bits: int) -> list[Fault]:
    """Return the single faults of a result of the engine, in the order of the enum."""
    fatal = bits & FATAL
    return [fault for fault in Fault if fault == fatal or (fault > FATAL and bits & fault)]
