"""What can be wrong with an action, in one integer: a fatal fault by its number, others by bits.

The engine returns these integers; ``findings`` makes findings of them by the sentence of each.
A fault is *fatal* when no defined state follows from it: the replay then keeps what came before. An
action has one fatal fault at most, so all of them share the lowest bits as a number, and each of
the others has a bit of its own. Fatal or not, ``faults & FATAL`` tells.
"""

from enum import IntEnum
from typing import Final, Self

FATAL_BITS: Final = 5
"""So many bits hold the number of a fatal fault, 0 for none."""
FATAL: Final = (1 << FATAL_BITS) - 1
"""The bits of the fault after which no state is defined."""


# A fault begins on the line of its number, also where it has more than one.
# fmt: off


class Fault(IntEnum):
    """A way to break a rule. The name in lower case with hyphens is the finding's code."""

    cites: str
    """Policies whose citations the finding carries, or where it has a dot a citation itself."""
    sentence: str
    """What is said of it, but for what the table shows besides."""

    def __new__(cls, number: int, cites: str, sentence: str) -> Self:
        """Return the fault of a number."""
        fault = int.__new__(cls, number)
        fault._value_ = number
        fault.cites, fault.sentence = cites, sentence
        return fault

    NOT_NOW = 1, "phases", "{player} cannot {verb} now: {due} is to {due_verbs}."
    NO_SUCH_SEAT = 2, "players", "There is no seat {seat} at a table of {seats}."
    AFTER_THE_END = 3, "0.record", "The hand was over before {player} did this."
    CARD_NOT_HELD = 4, "0.conservation", "{player} does not hold {strangers}."
    SPOKE_TWICE = 5, "auction", "{player} has already spoken, and everybody speaks just once."
    BID_AFTER_PASS = 6, "pass_final", "{player} {called} after a pass, and a pass is final."
    BID_UNKNOWN = 7, "max_bid", "{player} bid {bid}, a bid this game does not have."
    DEALER_MUST_BID = 8, "all_pass forced_bid first_caller", (
        "{player} passed, but after the passes of all others must bid {bids}.")
    TRUMP_UNKNOWN = 9, "trump_call", "{player} named {trump_named}, which this game does not have."
    CARD_NOT_IN_STOCK = 10, "0.conservation", (
        "{player} took {strangers}, which cannot come from the stock.")
    CARD_NOT_IN_KITTY = 11, "kitty_size 0.conservation", (
        "{player} took {strangers}, which was not in the kitty.")
    PLAYED_TWICE = 12, "0.order", (
        "{player} played {card} but had nothing more to play to this trick.")
    REVEAL_DIFFERS = 13, "ask trump_call", "{player} showed {trump_named}, but had chosen {trump}."
    DITTO_NOT_ALLOWED = 14, "ditto", "{player} said ditto, but {no_ditto}."
    TRUMP_NOT_RECORDED = 15, "", ""
    """No breach of a rule: the record does not say what is trumps, so nothing can be judged."""
    BID_OUT_OF_TURN = 1 << 5, "auction first_caller", (
        "{player} called out of turn: it was {due}'s turn to speak.")
    PASS_AFTER_PASS = 1 << 6, "pass_final", (
        "{player} had already passed, and a pass is final: nobody asks again.")
    BID_TOO_LOW = 1 << 7, "min_bid", "{player} bid {bid}, below the minimum of {min}."
    BID_TOO_HIGH = 1 << 8, "max_bid", "{player} bid {bid}, above the maximum of {max}."
    FORCED_BID_WRONG = 1 << 9, "forced_bid first_caller", (
        "{player} bid {bid}, but after the passes of all others must bid {bids}.")
    TRUMP_BY_OTHER = 1 << 10, "trump_call", "{player} named trumps, which was {maker}'s to do."
    KITTY_BY_OTHER = 1 << 11, "kitty_size", "{player} took the kitty, but {maker} won the auction."
    KITTY_COUNT = 1 << 12, "kitty_size", (
        "{player} took {counted} of the kitty; the maker takes all {wanted}.")
    KEPT_PLAIN = 1 << 13, "discard", "{player} kept {kept}, which had to be laid off."
    DISCARDED_TRUMP = 1 << 14, "discard surplus", (
        "{player} laid off {barred}, a trump that has to be kept.")
    DISCARDED_POINTS = 1 << 15, "discard surplus", (
        "{player} laid off {barred_points}: point cards have to be kept.")
    DISCARD_COUNT = 1 << 16, "discard hand_size", "{player} laid off {counted} instead of {wanted}."
    DRAW_OUT_OF_TURN = 1 << 17, "refill", "{player} drew cards although {draws}."
    DRAW_COUNT = 1 << 18, "refill", "{player} drew {counted} instead of {wanted}."
    DRAW_ORDER = 1 << 19, "refill", (
        "{player} drew {cards}; the next cards of the stock were {must}.")
    ROB_BY_OTHER = 1 << 20, "rob", (
        "{player} took from the rest of the stock, which only the dealer may.")
    ROB_LEFT_TRUMPS = 1 << 21, "rob", (
        "{player} left {kept} in the stock, which the dealer must take.")
    ROB_COUNT = 1 << 22, "rob", "{player} took {counted} instead of {wanted}."
    BURIED_POINTS = 1 << 23, "surplus_points", (
        "{player} put {card} with the surplus of the first trick, one point card too many.")
    BURY_COUNT = 1 << 24, "surplus", (
        "{player} put {counted} under the first trick instead of {wanted}.")
    NOT_BURIED = 1 << 25, "surplus", (
        "{player} played {card} without putting surplus under it, {wanted} to be buried.")
    WRONG_LEADER = 1 << 26, "first_leader", "{player} led {card}, but the lead was {due}'s."
    PLAYED_OUT_OF_TURN = 1 << 27, "0.order", (
        "{player} played {card} out of turn: {due} was to play.")
    REVOKE = 1 << 28, "plain_follow", (
        "{player} played {card} to a lead of {led} while holding {legal}.")
    PLAIN_LEAD = 1 << 29, "first_lead", (
        "{player} led {card}, but had to lead a trump and held {legal}.")
    PLAYED_WHEN_OUT = 1 << 30, "drop_out", "{player} played {card}, but was out of the hand."
    OUT_WITH_TRUMPS = 1 << 31, "drop_out", "{player} dropped out while holding {trumps}."
    NOT_ASKED = 1 << 32, "ask", (
        "{player} could not follow {led} and played {card} without asking for the trump.")
    NOT_SHOWN = 1 << 33, "ask", (
        "{player} played {card} before {maker} had shown the trump, which was due.")
    ASK_WITHOUT_CAUSE = 1 << 34, "ask", (
        "{player} asked for the trump, but {because}.")
    REVEAL_WITHOUT_CAUSE = 1 << 35, "ask", (
        "{player} showed the trump, but {because}.")
    REVEAL_BY_OTHER = 1 << 36, "ask", "{player} showed the trump, which was {maker}'s to show."
    PAIR_NOT_NOW = 1 << 37, "pair", (
        "{player} declared king and queen of trumps at a moment when it does not count.")
    PAIR_NOT_HELD = 1 << 38, "pair", (
        "{player} declared king and queen of trumps without holding both.")
    GIVE_COUNT = 1 << 39, "surplus", "{player} gave the partner {counted} instead of {wanted}."
    GIVE_NOT_ALLOWED = 1 << 40, "surplus", "{player} gave the partner {cards}, but {because}."
    FOLD_WITH_TRUMPS = 1 << 41, "fold", "{player} folded, but had to stay in with {trumps}."
    NOT_FOLDED = 1 << 42, "fold", "{player} had no trump left and went on without folding."
    DISCARD_NOT_SHOWN = 1 << 43, "discards_shown", (
        "{player} laid off {hidden} face down, which had to be shown.")
    CLAIM_NOT_ALLOWED = 1 << 44, "discards_claimed", (
        "{player} claimed {claimed} out of the discards, but {because}.")
    DOUBLE_NOT_ALLOWED = 1 << 45, "doubling auto_double", "{player} was not allowed to {verb} here."
    SOLO_NOT_ALLOWED = 1 << 46, "solo certain_solo", (
        "{player} undertook all tricks alone, but {because}.")
    NOT_TRUMPED = 1 << 47, "ask", (
        "{player} had the trump shown and played {card} while holding {legal}.")
    SEVENTH_CARD_HIDDEN = 1 << 48, "seventh_card", (
        "{player} played {card}, the seventh card, before it was shown.")
    NOT_THROWN_IN = 1 << 49, "weak_start bare_seventh weak_defence four_jacks", (
        "{player} went on although the deal had to be thrown in.")
    STOPPED_WITHOUT_CAUSE = 1 << 50, "all_pass weak_start bare_seventh weak_defence four_jacks", (
        "{player} stopped the hand although nothing called for it.")
    BID_NOT_ALLOWED = 1 << 51, "special_bid", (
        "{player} {called}, a bid only for a dealer who holds ace, king and two of trumps.")
    DISCARD_OUT_OF_TURN = 1 << 52, "discard hand_size", (
        "{player} laid off {counted} more, though nothing was due to go.")
    NOT_ROBBED = 1 << 53, "rob", (
        "{dealer} left the rest of the stock, which the dealer has to take.")
    DRAW_SPLIT = 1 << 54, "refill", "{player} drew {counted} more: each hand is filled in one go."
    BID_NOT_HIGHER = 1 << 55, "auction equal_bid", (
        "{player} bid {bid}, which does not go over the standing bid of {standing}.")


# fmt: on


def faults_in(bits: int) -> list[Fault]:
    """Return the single faults of a result of the engine, in the order of the enum."""
    fatal = bits & FATAL
    return [fault for fault in Fault if fault == fatal or (fault > FATAL and bits & fault)]
