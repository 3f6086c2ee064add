"""What has to be supposed to replay a record with gaps: who dealt, who bid, what was trumps.

The engine knows no table without a dealer. So a record that does not say who dealt is replayed once
for every seat that may have, and likewise for the maker, the trump suit and whether a hidden trump
had been shown. What holds in every reading is so whatever was left out.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET

from tricklog.core.engine.policies import Solo, TrumpCall
from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules import auction
from tricklog.core.engine.rules.auction import trumps_to_show
from tricklog.core.judging.findings import codes_in
from tricklog.schemas.actions import (
    BID_28_56,
    BID_DOUBLE,
    NO_TRUMP,
    SEVENTH_CARD,
    TRUMP_CODES,
    Action,
    Verb,
)
from tricklog.schemas.hand import Gap, Hand, Known
from tricklog.schemas.languages.messages import Message, message

NOBODY: Final = -1
UNKNOWN_TRUMP: Final = -1
STOPS: Final = frozenset({Verb.CONCEDE, Verb.DECIDED})
CALLS: Final = frozenset({Verb.BID, Verb.PASS, Verb.DITTO, Verb.TENNY})
IN_PLAY: Final = frozenset(
    {Verb.PLAY, Verb.BURY, Verb.OUT, Verb.ASK, Verb.REVEAL, Verb.PAIR, Verb.CONCEDE, Verb.DECIDED}
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to fill what a record leaves open."""

    dealer: int
    maker: int
    """``NOBODY`` where the record says who it was, or it does not matter."""
    trump: int
    """Code of the trumps; ``UNKNOWN_TRUMP`` where the record says it, or it does not matter."""
    shown: bool
    """Whether a hidden trump had been shown before tricks that the record has after a gap."""
    chosen: int = UNKNOWN_TRUMP
    """Code of the trumps of a hand alone that the record leaves out, or whose trumps it does
    (O46, O87); ``UNKNOWN_TRUMP`` where nobody plays alone, or the record says it."""

    @property
    def supposes_trump(self) -> bool:
        """Whether it is only supposed what was trumps."""
        return (self.trump, self.chosen) != (UNKNOWN_TRUMP, UNKNOWN_TRUMP)


def readings(hand: Hand, rules: Rules, actions: Sequence[Action]) -> Iterator[Reading]:
    """Yield every way to fill what the record leaves open and its actions may depend on."""
    chosen = _chosen(hand, rules, actions)
    trumps = [*itertools.product(_trumps(hand, rules, actions), _shown(hand, rules, actions))]
    if chosen and _is_alone(hand, actions):
        trumps = []
    seats = itertools.product(_dealers(hand, rules, actions), _makers(hand, rules, actions))
    for dealer, maker in seats:
        for trump, shown in trumps:
            yield Reading(dealer, maker, trump, shown)
        for suit in chosen:
            yield Reading(dealer, maker, UNKNOWN_TRUMP, shown=True, chosen=suit)


def _lacks_tricks(hand: Hand) -> bool:
    return any(gap.missing == "tricks" for gap in hand.gaps or ())


def may_miss_raises(hand: Hand, actions: Sequence[Action]) -> bool:
    """Is there a gap between trumps and the first card, where the stake may have been raised?"""
    verbs = [each.verb for each in actions]
    named = verbs.index(Verb.TRUMP) if Verb.TRUMP in verbs else -1
    played = next((place for place, verb in enumerate(verbs) if verb in IN_PLAY), len(verbs) - 1)
    return any(named < gap.before <= played for gap in hand.gaps or ())


def _dealers(hand: Hand, rules: Rules, actions: Sequence[Action]) -> Sequence[int]:
    if hand.dealer is not UNSET:
        return (hand.dealer,)
    starts_in_play = bool(actions) and hand.gaps is not UNSET and hand.gaps[0].before == 0
    starts_in_play = starts_in_play and _lacks_tricks(hand) and actions[0].verb in IN_PLAY
    return range(rules.seats) if actions and not starts_in_play else (0,)


def _makers(hand: Hand, rules: Rules, actions: Sequence[Action]) -> Sequence[int]:
    said = hand.known is not UNSET and hand.known.maker is not UNSET
    named = maker_named_by(hand, rules, actions) >= 0
    after = any(action.verb not in CALLS for action in actions)
    if said or named or not after or hand.gaps is UNSET:
        return (NOBODY,)
    return range(rules.seats)


def _trumps(hand: Hand, rules: Rules, actions: Sequence[Action]) -> Sequence[int]:
    said = hand.known is not UNSET and hand.known.trump is not UNSET
    # Once cards are played it is too late to name trumps, but not to show them.
    before_play = itertools.takewhile(lambda each: each.verb not in IN_PLAY, actions)
    named = [each for each in before_play if each.verb == Verb.TRUMP]
    shown = [each for each in actions if each.verb == Verb.REVEAL]
    told = any(0 <= each.amount < SEVENTH_CARD for each in (*named, *shown))
    plays = any(action.verb not in CALLS for action in actions)
    if said or told or not plays:
        return (UNKNOWN_TRUMP,)
    # Under a secret call somebody may play alone, without trumps.
    without = 1 << NO_TRUMP if rules.trump_call == TrumpCall.SECRET else 0
    return codes_in(trumps_to_show(rules) | without)


def names_alone(hand: Hand, rules: Rules, actions: Sequence[Action], index: int) -> bool:
    """Does action ``index`` name the trumps of a single hand, and not those of the auction (O87)?

    So it does after ``solo``, and after a gap that reaches beyond the naming by the maker.
    """
    if not rules.solo_trump or actions[index].verb != Verb.TRUMP:
        return False
    reaches = any(gap.before == index and gap.missing == "exchange" for gap in hand.gaps or ())
    return reaches or any(action.verb == Verb.SOLO for action in actions[:index])


def maker_named_by(hand: Hand, rules: Rules, actions: Sequence[Action]) -> int:
    """Return who names the trumps of the auction, ``NOBODY`` where the record does not say it."""
    for index, action in enumerate(actions):
        if action.verb == Verb.TRUMP and not names_alone(hand, rules, actions, index):
            return action.seat
    return NOBODY


def solo_gaps(hand: Hand, actions: Sequence[Action]) -> list[int]:
    """Return where gaps stand that may leave out who announced a single hand."""
    verbs = [action.verb for action in actions]
    led = verbs.index(Verb.PLAY) if Verb.PLAY in verbs else len(verbs)
    return [
        gap.before
        for gap in hand.gaps or ()
        if gap.before <= led
        and (gap.missing != "auction" or verbs[gap.before :][:1] == [Verb.PLAY])
    ]


def _is_alone(hand: Hand, actions: Sequence[Action]) -> bool:
    said = hand.known is not UNSET and hand.known.alone == "solo"
    return said or any(action.verb == Verb.SOLO for action in actions)


def _chosen(hand: Hand, rules: Rules, actions: Sequence[Action]) -> Sequence[int]:
    """Return what may be trumps in a hand alone that is left out: a suit, or none (O46, O52, O87).

    Nothing where it is not left out, or it is certain that there are none.
    """
    known = hand.known or Known()
    count = len(actions)
    begins = max((place for place in solo_gaps(hand, actions) if place < count), default=count)
    named = any(names_alone(hand, rules, actions, index) for index in range(begins, count))
    if named or begins == count or known.alone == "tenny":
        return ()
    codes = [*range(4)] if rules.solo_trump else []
    if rules.tenny or (rules.solo != Solo.NONE and not rules.solo_trump):
        codes.append(NO_TRUMP)
    if _is_alone(hand, actions) and not rules.solo_trump:
        return ()
    if known.trump is UNSET:
        return codes
    return [code for code in codes if code == TRUMP_CODES[known.trump]]


def _shown(hand: Hand, rules: Rules, actions: Sequence[Action]) -> Sequence[bool]:
    if rules.trump_call != TrumpCall.SECRET or not _lacks_tricks(hand):
        return (True,)
    return (True, False) if any(action.verb == Verb.PLAY for action in actions) else (True,)


def known_trump(hand: Hand, reading: Reading) -> int:
    """Return the code of the trumps that no action says, ``UNKNOWN_TRUMP`` when nothing does."""
    if hand.known is not UNSET and hand.known.trump is not UNSET:
        return TRUMP_CODES[hand.known.trump]
    return reading.trump


def bid_code(bid: int | str) -> int:
    """Return the code of a bid that ``known`` has; 0 for none."""
    if isinstance(bid, int):
        return bid
    if bid == "28-56":
        return BID_28_56
    return 0 if bid == "none" else BID_DOUBLE + int(bid.partition("-")[0])


def least_bid(rules: Rules) -> int:
    """Return the lowest number that somebody may bid, a forced bid among them."""
    return min(rules.min_bid, rules.forced_bid) if auction.forces_a_bid(rules) else rules.min_bid


# --- What a record does not say, in words


_PARTS: Final = {
    "auction": message("the auction, or part of it"),
    "trumps": message("the naming of trumps"),
    "exchange": message("the exchange of cards, or part of it"),
    "tricks": message("tricks in between"),
    "rest": message("everything after the last action"),
}


def sentences(hand: Hand) -> Iterator[Message]:
    """Yield what a hand does not say of what figures and rules may ask, a sentence each."""
    if hand.dealer is UNSET:
        yield message("It is not recorded who dealt.")
    gaps = hand.gaps or ()
    if len(gaps) == 1 and gaps[0].missing == "rest" and not hand.actions:
        yield message("Neither calls nor cards are recorded.")
        return
    for gap in gaps:
        part, place = _what(gap), gap.before
        if 0 < place < len(hand.actions):
            yield message("Not recorded before action {action}: {part}.", action=place, part=part)
        else:
            yield message("Not recorded: {part}.", part=part)


def _what(gap: Gap) -> Message:
    if gap.tricks is UNSET:
        return _PARTS[gap.missing]
    first, last = gap.tricks
    if first == last:
        return message("trick {number}", number=first)
    return message("tricks {first} to {last}", first=first, last=last)
