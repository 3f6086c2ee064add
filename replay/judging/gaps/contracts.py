"""The contract of a record with gaps: what is known of it, and whether there can be such a one.

Sources: the auction, trump and score sections of each system; 0.record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from msgspec import UNSET

from replay.engine.constants import PHASE_AUCTION, TRUMP_CALL_SECRET
from replay.engine.policies import AllPass, Pair, Solo
from replay.engine.records import Rules
from replay.engine.rules import auction, play
from replay.engine.rules.naming import trumps_to_show
from replay.engine.rules.table import side_of
from replay.judging.findings import cite, player_name
from replay.judging.gaps.auctions import bid_code, least_bid
from replay.judging.gaps.readings import NOBODY, may_miss_raises, names_alone, solo_gaps
from replay.model import Alone, Fact, Finding
from schemas.actions import (
    MAX_BID,
    SEVENTH_CARD,
    TAKES_TRUMP,
    TRUMP_CODES,
    Verb,
    bid_name,
    trump_name,
)
from schemas.hand import Known
from schemas.languages.messages import Message, mark, message, message_of
from schemas.render import trump_said

if TYPE_CHECKING:
    from replay.judging.gaps.running import GapReplay

_STAKES = ("double", "redouble", "super")


@dataclass(frozen=True, slots=True)
class Contract:
    """What was undertaken; ``None`` where the record does not say."""

    maker: int | None = None
    bid: int | None = None
    """Code of the bid; 0 where nobody bid."""
    trump: int | None = None
    doubles: int | None = None
    """How often the stake was raised."""
    alone: Alone | None = None
    pair_side: int | None = None
    """The side whose pair counts, ``NOBODY`` where none was declared."""

    @property
    def is_open(self) -> bool:
        """Whether nothing is known of it, so that the deal may have been thrown in."""
        return self.maker is None and self.bid is None and self.alone is None

    @property
    def is_known(self) -> bool:
        """Whether it is known who undertook what."""
        return self.maker is not None and (self.bid is not None or self.alone is not None)


def contract_of(replayed: GapReplay) -> Contract:
    """Return the contract of a record with gaps, as its actions and ``known`` tell it."""
    hand, state = replayed.hand, replayed.workspace.state
    known = hand.known or Known()
    outcome = replayed.outcome
    if outcome is not None and outcome.maker is not None:
        return Contract(outcome.maker, outcome.bid or 0, outcome.trump, state.doubles)
    maker, bid = _recorded(replayed)
    open_trump = replayed.carrier.reading.supposes_trump or _may_lack_a_solo(replayed)
    trump = state.trump if state.trump >= 0 and not open_trump else None
    return Contract(
        maker=maker if known.maker is UNSET else known.maker,
        bid=bid if known.bid is UNSET else bid_code(known.bid),
        trump=trump if known.trump is UNSET else TRUMP_CODES[known.trump],
        doubles=_doubles(replayed, known),
        alone=_alone(replayed) if known.alone is UNSET else known.alone,
        pair_side=_pair_side(replayed, known),
    )


def _recorded(replayed: GapReplay) -> tuple[int | None, int | None]:
    """Return who won the auction and with what, as far as the actions tell."""
    state = replayed.workspace.state
    if _may_lack_a_solo(replayed):
        return None, None
    if state.solo >= 0:
        return state.solo, None
    if replayed.carrier.auction is not None:
        return replayed.carrier.auction
    if state.phase == PHASE_AUCTION or state.maker < 0 or state.thrown_in:
        return None, None
    return state.maker, state.high_bid


def _alone(replayed: GapReplay) -> Alone | None:
    state = replayed.workspace.state
    return None if state.solo < 0 else "tenny" if state.tenny else "solo"


def _may_lack_a_solo(replayed: GapReplay) -> bool:
    """May somebody have gone alone, or taken over from who did, which the record leaves out?"""
    state, rules = replayed.workspace.state, replayed.rules
    verbs = [each.verb for each in replayed.actions]
    led = verbs.index(Verb.PLAY) if Verb.PLAY in verbs else len(verbs)
    parts = [gap.missing for gap in replayed.hand.gaps or () if gap.before <= led]
    if state.solo < 0:
        return rules.solo != Solo.NONE and any(part != "auction" for part in parts)
    start = play.first_leader(state, rules)
    if state.tenny:
        start = auction.first_caller(state, rules)
    first_in_turn = replayed.hand.dealer is not UNSET and state.solo == start
    # Who leads to the first trick is alone, whatever was left out before.
    return not first_in_turn and any(part in ("tricks", "rest") for part in parts)


def _doubles(replayed: GapReplay, known: Known) -> int | None:
    if known.stake is not UNSET:
        return _STAKES.index(known.stake) + 1
    if not replayed.rules.doubling:
        return 0
    recorded = any(each.verb == Verb.PLAY for each in replayed.actions)
    covered = recorded and not may_miss_raises(replayed.hand, replayed.actions)
    return replayed.workspace.state.doubles if covered else None


def _pair_side(replayed: GapReplay, known: Known) -> int | None:
    if known.pair is not UNSET:
        return side_of(replayed.rules, known.pair)
    side = replayed.workspace.state.pair_side
    if side >= 0 or replayed.rules.pair == Pair.NONE:
        return side if side >= 0 else NOBODY
    gaps = replayed.hand.gaps or ()
    open_play = any(gap.missing in ("tricks", "rest") for gap in gaps) or not replayed.tricks
    return None if open_play else NOBODY


# --- What cannot be

_STAKE_WORDS: Final = {
    "double": mark("The stake was raised by a double, which this game does not have."),
    "redouble": mark("The stake was raised by a redouble, which this game does not have."),
    "super": mark("The stake was raised by a super, which this game does not have."),
}
_ALONE_WORDS: Final = {
    "solo": mark("All tricks were undertaken by a solo, which this game has not."),
    "tenny": mark("All tricks were undertaken by a tenny, which this game has not."),
}


def findings_of(replayed: GapReplay) -> list[Finding]:
    """Return what is wrong with the contract that a record states without an action."""
    known = replayed.hand.known
    if known is UNSET:
        return []
    return [*_bid_findings(replayed, known), *_other_findings(replayed, known)]


def _bid_findings(replayed: GapReplay, known: Known) -> Iterator[Finding]:
    rules, hand = replayed.rules, replayed.hand
    if known.bid is UNSET:
        return
    code = bid_code(known.bid)
    whose = "" if known.maker is UNSET else player_name(hand, known.maker)
    facts: dict[str, Fact] = {"bid": bid_name(code) if code else "none"}
    legal = _legal_bids(rules)
    if code == 0:
        if rules.all_pass != AllPass.NO_CONTRACT:
            sentence = message("The hand was played although nobody bid.")
            yield _finding(replayed, "bid-unknown", "bid", facts, legal, ("all_pass",), sentence)
    elif code > MAX_BID:
        if code != auction.special_amount(rules):
            sentence = _won_with("unknown", whose, bid_name(code))
            yield _finding(replayed, "bid-unknown", "bid", facts, legal, ("special_bid",), sentence)
    elif code < least_bid(rules):
        sentence = _won_with("low", whose, code, least_bid(rules))
        yield _finding(replayed, "bid-too-low", "bid", facts, legal, ("min_bid",), sentence)
    elif code > rules.max_bid:
        sentence = _won_with("high", whose, code, rules.max_bid)
        yield _finding(replayed, "bid-too-high", "bid", facts, legal, ("max_bid",), sentence)


def _won_with(kind: str, whose: str, bid: int | str, limit: int = 0) -> Message:
    """Return what is said of a bid that cannot have won; ``whose`` is empty if not known."""
    values = {"maker": whose, "bid": bid, "limit": limit}
    return message_of(_WON_WITH[kind, bool(whose)], values)


_WON_WITH: Final = {
    ("unknown", True): mark(
        "{maker} won the auction with {bid}, a bid that this game does not have."
    ),
    ("unknown", False): mark("The auction was won with {bid}, a bid that this game does not have."),
    ("low", True): mark("{maker} won the auction with {bid}, but the lowest bid is {limit}."),
    ("low", False): mark("The auction was won with {bid}, but the lowest bid is {limit}."),
    ("high", True): mark("{maker} won the auction with {bid}, but the highest bid is {limit}."),
    ("high", False): mark("The auction was won with {bid}, but the highest bid is {limit}."),
}
"""By what is wrong with a bid, and by whether it is known whose it was."""


def _legal_bids(rules: Rules) -> str:
    special = auction.special_amount(rules)
    return f"{least_bid(rules)}-{rules.max_bid}" + (f" {bid_name(special)}" if special else "")


def _other_findings(replayed: GapReplay, known: Known) -> Iterator[Finding]:
    rules = replayed.rules
    if known.trump is not UNSET:
        code = TRUMP_CODES[known.trump]
        facts: dict[str, Fact] = {"trump": known.trump}
        if not trumps_to_show(rules) >> code & 1:
            sentence = message(
                "Trumps were {trump}, which this game does not have.", trump=trump_said(code)
            )
            yield _finding(replayed, "trump-unknown", "trump", facts, "", ("trump_call",), sentence)
    if known.stake is not UNSET and _STAKES.index(known.stake) + 1 > rules.doubling:
        sentence = message_of(_STAKE_WORDS[known.stake], {})
        facts = {"stake": known.stake}
        code_of = "double-not-allowed"
        yield _finding(replayed, code_of, "stake", facts, "", ("doubling",), sentence)
    if known.alone is not UNSET:
        allowed = rules.tenny if known.alone == "tenny" else rules.solo != Solo.NONE
        if not allowed:
            sentence = message_of(_ALONE_WORDS[known.alone], {})
            facts = {"alone": known.alone}
            yield _finding(replayed, "solo-not-allowed", "alone", facts, "", ("solo",), sentence)
    if known.pair is not UNSET and rules.pair == Pair.NONE:
        sentence = message(
            "King and queen of trumps were declared, which do not count in this game."
        )
        facts = {"pair": known.pair}
        yield _finding(replayed, "pair-not-now", "pair", facts, "", ("pair",), sentence)
    yield from _contradictions(replayed, known)


def _contradictions(replayed: GapReplay, known: Known) -> Iterator[Finding]:
    """What ``known`` says and the actions say otherwise."""
    hand = replayed.hand
    maker, bid = _recorded(replayed)
    if known.maker is not UNSET and maker is not None and maker != known.maker:
        sentence = message(
            "The record says that {known} won the auction, but by its actions it was {recorded}.",
            known=player_name(hand, known.maker),
            recorded=player_name(hand, maker),
        )
        facts: dict[str, Fact] = {"known": known.maker, "recorded": maker}
        yield _finding(replayed, "known-otherwise", "maker", facts, "", ("0.record",), sentence)
    if known.bid is not UNSET and bid and bid != bid_code(known.bid):
        sentence = message(
            "The record says that the auction was won with {known}, but by its actions it was "
            "{recorded}.",
            known=known.bid,
            recorded=bid_name(bid),
        )
        facts = {"known": str(known.bid), "recorded": bid_name(bid)}
        yield _finding(replayed, "known-otherwise", "bid", facts, "", ("0.record",), sentence)
    if known.bid is not UNSET and not bid:
        yield from _outbid(replayed, bid_code(known.bid))
    told = [code for code in _named(replayed) if 0 <= code < SEVENTH_CARD]
    secret = replayed.rules.trump_call == TRUMP_CALL_SECRET
    if known.trump is not UNSET and told and TRUMP_CODES[known.trump] not in told:
        sentence = message(
            "The record says that trumps were {known}, but by its actions they were {recorded}.",
            known=trump_said(TRUMP_CODES[known.trump]),
            recorded=trump_said(told[-1]),
        )
        facts = {"known": known.trump, "recorded": trump_name(told[-1]), "hidden": int(secret)}
        yield _finding(replayed, "known-otherwise", "trump", facts, "", ("0.record",), sentence)


def _named(replayed: GapReplay) -> list[int]:
    """Return what actions say of trumps: for a hand alone what its player chose (O87)."""
    hand, rules, actions = replayed.hand, replayed.rules, replayed.actions
    first = max(solo_gaps(hand, actions), default=0) if rules.solo_trump else 0
    places = [place for place, each in enumerate(actions) if each.verb in TAKES_TRUMP]
    alone = [place for place in places if names_alone(hand, rules, actions, place)]
    return [actions[place].amount for place in alone or places if place >= first]


def _outbid(replayed: GapReplay, known: int) -> Iterator[Finding]:
    """A bid that is recorded and higher than the one said to have won the auction."""
    bids = [each for each in replayed.actions if each.verb == Verb.BID]
    highest = max(bids, key=lambda each: each.amount, default=None)
    if highest is None or highest.amount <= known:
        return
    sentence = message(
        "The record says that the auction was won with {known}, but {player} bid {bid} in it.",
        known=bid_name(known) if known else message("no bid"),
        player=player_name(replayed.hand, highest.seat),
        bid=bid_name(highest.amount),
    )
    facts: dict[str, Fact] = {
        "known": bid_name(known) if known else "none",
        "recorded": bid_name(highest.amount),
    }
    yield _finding(replayed, "known-otherwise", "bid", facts, "", ("0.record",), sentence)


def _finding(
    replayed: GapReplay,
    code: str,
    field: str,
    facts: dict[str, Fact],
    legal: str,
    cites: tuple[str, ...],
    said: Message,
) -> Finding:
    known = replayed.hand.known or Known()
    seat = known.maker if known.maker is not UNSET else None
    pointer = f"/known/{field}"
    return Finding(code, None, pointer, seat, facts, legal, cite(replayed.ruleset, cites), said)
