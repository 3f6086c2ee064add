"""Records with gaps for tests: written by hand, and sound hands with parts left out."""

import random
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.support import hand_of
from tricklog import trump_name
from tricklog.core import Replay
from tricklog.schemas.actions import MAX_BID, NO_TRUMP, SEVENTH_CARD, Verb, bid_name, parse_action
from tricklog.schemas.hand import FORMAT_WITH_GAPS, Gap, Hand, Known, Missing

AUCTION: Final = ("1 pass", "2 bid 8", "3 pass", "0 pass", "2 trump H")
"""Ann deals, Cy bids eight and names hearts."""
THIRD: Final = ("1 play 8S", "2 play 4S", "3 play 9D", "0 play 9S")
"""A trick in which Dee does not follow to spades."""
NOTHING: Final = (Gap(before=0, missing="rest"),)
"""The gap of a line on a score sheet."""
_CALLS: Final = (Verb.BID, Verb.PASS, Verb.DITTO, Verb.TENNY)


def record(*actions: str, variant: str = "pedro", **fields: Any) -> Hand:  # noqa: ANN401 - fields of any type
    """A record in version 2, dealt by Ann unless said otherwise."""
    given: dict[str, Any] = {"format": FORMAT_WITH_GAPS, "id": "gap", "dealer": 0}
    return hand_of(variant, actions, **given | fields)


def cut(hand: Hand, whole: Replay, chance: random.Random) -> Hand | None:
    """Leave parts of a sound hand out at random, and say so; ``None`` where nothing was."""
    kept, gaps = _kept(hand, whole, chance)
    listed = []
    for before, (missing, tricks) in sorted(gaps.items()):
        at_the_end = before == len(kept)
        gap = Gap(before=before, missing="rest" if at_the_end else missing)
        listed.append(replace(gap, tricks=tricks) if tricks and not at_the_end else gap)
    if not listed:
        return None
    cut_hand = replace(
        hand,
        format=FORMAT_WITH_GAPS,
        actions=[hand.actions[index] for index in kept],
        gaps=listed,
        times=UNSET,
        notes=UNSET,
        known=known_of(whole) if chance.random() < 0.5 else UNSET,
    )
    if chance.random() < 0.3:
        cut_hand = replace(cut_hand, dealer=UNSET)
    if chance.random() < 0.4:
        cut_hand = replace(cut_hand, deal=UNSET, stock=UNSET, kitty=UNSET)
    return cut_hand


Numbers = list[int] | None
_Gaps = dict[int, tuple[Missing, Numbers]]


def _kept(hand: Hand, whole: Replay, chance: random.Random) -> tuple[list[int], _Gaps]:
    """Return the actions to keep, and by place among them what is missing before it."""
    verbs = [parse_action(text).verb for text in hand.actions]
    count = len(verbs)
    plays = (index for index, verb in enumerate(verbs) if verb in (Verb.PLAY, Verb.BURY))
    others = (index for index, verb in enumerate(verbs) if verb not in _CALLS)
    play, calls = next(plays, count), next(others, count)
    cuts: list[tuple[int, int, Missing, Numbers]] = []
    if calls and chance.random() < 0.4:
        start = chance.randrange(calls)
        cuts.append((start, chance.randrange(start + 1, calls + 1), "auction", None))
    if play > calls and chance.random() < 0.4:
        start = chance.randrange(calls, play)
        cuts.append((start, chance.randrange(start + 1, play + 1), "exchange", None))
    if whole.tricks and chance.random() < 0.6:
        cuts.append(_some_tricks(whole, play, verbs, chance))
    if chance.random() < 0.3:
        cuts.append((chance.randrange(count + 1), count, "rest", None))
    gone = {index for start, end, *_ in cuts for index in range(start, end)}
    kept = [index for index in range(count) if index not in gone]
    gaps: _Gaps = {}
    for _, end, missing, numbers in sorted(cuts, key=lambda each: each[1]):
        gaps[sum(1 for index in kept if index < end)] = missing, numbers
    return kept, gaps


def _some_tricks(
    whole: Replay, play: int, verbs: list[int], chance: random.Random
) -> tuple[int, int, Missing, Numbers]:
    """Return where some tricks in a row begin and end, with what is said before their leads."""
    tricks = whole.tricks
    first = chance.randrange(len(tricks))
    last = chance.randrange(first, len(tricks))
    start = tricks[first].first_action if first else play
    while first and verbs[start - 1] != Verb.PLAY:
        start -= 1
    end = tricks[last + 1].first_action if last + 1 < len(tricks) else len(verbs)
    numbers = [first + 1, last + 1] if chance.random() < 0.7 else None
    return start, end, "tricks", numbers


def known_of(whole: Replay) -> Known:
    """Return the contract of a whole hand as a record with gaps says it."""
    outcome = whole.outcome
    if outcome is None or outcome.maker is None:
        return Known()
    fields: dict[str, Any] = {"maker": outcome.maker}
    if outcome.bid:
        fields["bid"] = outcome.bid if outcome.bid <= MAX_BID else bid_name(outcome.bid)
    if outcome.no_contract:
        fields["bid"] = "none"
    if outcome.alone:
        fields["alone"] = outcome.alone
    named = NO_TRUMP if outcome.alone else SEVENTH_CARD
    if outcome.trump is not None and 0 <= outcome.trump < named:
        fields["trump"] = trump_name(outcome.trump)
    return Known(**fields)
