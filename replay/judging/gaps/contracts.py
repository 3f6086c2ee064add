"""The contract of a record with gaps: what is known of it, and whether there can be such a one.

Sources: the auction, trump and score sections of each system; 0.record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from msgspec import UNSET

from tricklog.core.engine.policies import AllPass, Pair, Phase, Solo, TrumpCall
from tricklog.core.engine.rules import auction, play
from tricklog.core.engine.rules.auction import trumps_to_show
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.findings import cite, player_name
from tricklog.core.judging.gaps import readings
from tricklog.core.judging.gaps.readings import NOBODY, bid_code, least_bid, names_alone
from tricklog.core.model import Alone, Fact, Finding
from tricklog.schemas.actions import (
    MAX_BID,
    SEVENTH_CARD,
    TAKES_TRUMP,
    TRUMP_CODES,
    Verb,
    bid_name,
    trump_name,
)
from tricklog.schemas.hand import Known
from tricklog.schemas.languages.messages import Message, mark, message, message_of
from tricklog.schemas.render import trump_said

if TYPE_CHECKING:
    from tricklog.core.judging.replayer import GapReplay, Replay

Said = Mapping[str, object] | None
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
    alone: Alone | None = None if state.solo < 0 else "tenny" if state.tenny else "solo"
    return Contract(
        maker=maker if known.maker is UNSET else known.maker,
        bid=bid if known.bid is UNSET else bid_code(known.bid),
        trump=trump if known.trump is UNSET else TRUMP_CODES[known.trump],
        doubles=_doubles(replayed, known),
        alone=alone if known.alone is UNSET else known.alone,
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
    if state.phase == Phase.AUCTION or state.maker < 0 or state.thrown_in:
        return None, None
    return state.maker, state.high_bid


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
    covered = recorded and not readings.may_miss_raises(replayed.hand, replayed.actions)
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

_ABSENT: Final = {
    "trump": mark("Trumps were {trump}, which this game does not have."),
    "double": mark("The stake was raised by a double, which this game does not have."),
    "redouble": mark("The stake was raised by a redouble, which this game does not have."),
    "super": mark("The stake was raised by a super, which this game does not have."),
    "solo": mark("All tricks were undertaken by a solo, which this game has not."),
    "tenny": mark("All tricks were undertaken by a tenny, which this game has not."),
    "pair": mark("King and queen of trumps were declared, which do not count in this game."),
}
"""By what the game lacks: a field of ``Known``, or what it says."""
_OTHERWISE: Final = {
    "maker": mark(
        "The record says that {known} won the auction, but by its actions it was {recorded}."
    ),
    "bid": mark(
        "The record says that the auction was won with {known}, but by its actions it was "
        "{recorded}."
    ),
    "trump": mark(
        "The record says that trumps were {known}, but by its actions they were {recorded}."
    ),
    "outbid": mark(
        "The record says that the auction was won with {known}, but {player} bid {bid} in it."
    ),
}
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


def findings_of(replayed: GapReplay) -> list[Finding]:
    """Return what is wrong with the contract that a record states without an action."""
    known = replayed.hand.known
    if known is UNSET:
        return []
    parts = _bid_findings, _other_findings, _contradictions
    return [each for part in parts for each in part(replayed, known)]


def _bid_findings(replayed: GapReplay, known: Known) -> Iterator[Finding]:
    if known.bid is UNSET:
        return
    rules, code = replayed.rules, bid_code(known.bid)
    least, special = least_bid(rules), auction.special_amount(rules)
    legal = f"{least}-{rules.max_bid}" + (f" {bid_name(special)}" if special else "")
    facts: dict[str, Fact] = {"bid": bid_name(code) if code else "none"}
    if code == 0:
        if rules.all_pass != AllPass.NO_CONTRACT:
            sentence = message("The hand was played although nobody bid.")
            yield finding(replayed, "bid-unknown", "/known/bid", facts, legal, "all_pass", sentence)
        return
    kind, code_of, policy, limit = "", "", "", 0
    if code > MAX_BID and code != special:
        kind, code_of, policy = "unknown", "bid-unknown", "special_bid"
    elif code < least:
        kind, code_of, policy, limit = "low", "bid-too-low", "min_bid", least
    elif rules.max_bid < code <= MAX_BID:
        kind, code_of, policy, limit = "high", "bid-too-high", "max_bid", rules.max_bid
    if kind:
        whose = "" if known.maker is UNSET else player_name(replayed.hand, known.maker)
        bid = bid_name(code) if kind == "unknown" else code
        values = {"maker": whose, "bid": bid, "limit": limit}
        sentence = message_of(_WON_WITH[kind, bool(whose)], values)
        yield finding(replayed, code_of, "/known/bid", facts, legal, policy, sentence)


def _other_findings(replayed: GapReplay, known: Known) -> Iterator[Finding]:
    rules = replayed.rules
    allows_alone = rules.tenny if known.alone == "tenny" else rules.solo != Solo.NONE
    trump, pair = TRUMP_CODES.get(known.trump or "", 0), known.pair is not UNSET
    lacks_trump = known.trump and not trumps_to_show(rules) >> trump & 1
    lacks_stake = known.stake and _STAKES.index(known.stake) + 1 > rules.doubling
    for field, code, policy, is_absent in (
        ("trump", "trump-unknown", "trump_call", lacks_trump),
        ("stake", "double-not-allowed", "doubling", lacks_stake),
        ("alone", "solo-not-allowed", "solo", known.alone and not allows_alone),
        ("pair", "pair-not-now", "pair", pair and rules.pair == Pair.NONE),
    ):
        if is_absent:
            value = getattr(known, field)
            text = _ABSENT[field] if field in _ABSENT else _ABSENT[value]
            sentence = message_of(text, {"trump": trump_said(trump)})
            yield finding(replayed, code, f"/known/{field}", {field: value}, "", policy, sentence)


def _contradictions(replayed: GapReplay, known: Known) -> Iterator[Finding]:
    hand = replayed.hand
    maker, bid = _recorded(replayed)
    if known.maker is not UNSET and maker is not None and maker != known.maker:
        said: Said = {"known": player_name(hand, known.maker), "recorded": player_name(hand, maker)}
        yield _otherwise(replayed, "maker", known.maker, maker, said)
    if known.bid is not UNSET and bid and bid != bid_code(known.bid):
        yield _otherwise(replayed, "bid", str(known.bid), bid_name(bid))
    bids = [each for each in replayed.actions if each.verb == Verb.BID]
    highest = max(bids, key=lambda each: each.amount, default=None)
    # A bid that is recorded and higher than the one said to have won the auction.
    if known.bid is not UNSET and not bid and highest and highest.amount > bid_code(known.bid):
        won, over = bid_code(known.bid), bid_name(highest.amount)
        bid_said = bid_name(won) if won else message("no bid")
        said = {"known": bid_said, "player": player_name(hand, highest.seat), "bid": over}
        won_with = bid_name(won) if won else "none"
        yield _otherwise(replayed, "bid", won_with, over, said, "outbid")
    told = [code for code in _named(replayed) if 0 <= code < SEVENTH_CARD]
    if known.trump is not UNSET and told and TRUMP_CODES[known.trump] not in told:
        said = {"known": trump_said(TRUMP_CODES[known.trump]), "recorded": trump_said(told[-1])}
        found = _otherwise(replayed, "trump", known.trump, trump_name(told[-1]), said)
        found.facts["hidden"] = int(replayed.rules.trump_call == TrumpCall.SECRET)
        yield found


def _named(replayed: GapReplay) -> list[int]:
    """Return what actions say of trumps: for a hand alone what its player chose (O87)."""
    hand, rules, actions = replayed.hand, replayed.rules, replayed.actions
    first = max(readings.solo_gaps(hand, actions), default=0) if rules.solo_trump else 0
    places = [place for place, each in enumerate(actions) if each.verb in TAKES_TRUMP]
    alone = [place for place in places if names_alone(hand, rules, actions, place)]
    return [actions[place].amount for place in alone or places if place >= first]


def _otherwise(
    replayed: GapReplay, field: str, known: Fact, recorded: Fact, said: Said = None, text: str = ""
) -> Finding:
    facts, pointer = {"known": known, "recorded": recorded}, f"/known/{field}"
    sentence = message_of(_OTHERWISE[text or field], said or facts)
    return finding(replayed, "known-otherwise", pointer, facts, "", "0.record", sentence)


def finding(
    replayed: Replay,
    code: str,
    pointer: str,
    facts: dict[str, Fact],
    legal: str,
    cites: str,
    said: Message,
) -> Finding:
    """Return a finding about a claim or the contract as stated; ``cites``: policies or sections."""
    known = replayed.hand.known or Known()
    seat = known.maker if pointer.startswith("/known") and known.maker is not UNSET else None
    rule = cite(replayed.ruleset, tuple(cites.split()))
    return Finding(code, pointer, facts, rule, said, seat=seat, legal=legal)
