"""A recorded hand under other rules: what it would have scored, and what it was worth, there.

``docs/same-deal.md`` has what fits and the two answers. The judge is the engine: the record is
replayed under the other rules. Only the calls may be others: where the recorded ones do not lead to
the same player and number there, the shortest that do stand in for them. Sources: 1.auction,
6.auction, 8.auction, 14.auction; S21, S52, S104.
"""

from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import auction, early_end
from tricklog.core.judging.replayer import Replay
from tricklog.core.judging.replayer import replay as replay_hand
from tricklog.core.judging.setup import first_state
from tricklog.core.model import Finding, Outcome, Verdict
from tricklog.core.rulesets.ruleset import Ruleset, seats_problem
from tricklog.core.study.open_cards import Solver, Value, calls_in, first_card, state_in_play
from tricklog.core.study.refusals import Refused
from tricklog.schemas.actions import MAX_BID, Action, Verb, action_text, bid_name
from tricklog.schemas.cards import JOKER, names_in
from tricklog.schemas.hand import Hand
from tricklog.schemas.words import counted

BUDGET: Final = 5_000_000
"""Nodes for a value: about half a second where the solver is compiled."""
_OF_CONTRACT: Final = (
    *(Verb.BID, Verb.PASS, Verb.DITTO, Verb.TENNY, Verb.SOLO),
    *(Verb.DOUBLE, Verb.REDOUBLE, Verb.SUPER),
)
_UNNAMED: Final = frozenset("?*")


class Reason(StrEnum):
    """What is in the way, in the order in which it is looked for."""

    RECORD = "record"
    """The record is not valid to the end, or does not name every card."""
    SEATS = "seats"
    DIRECTION = "direction"
    PACK = "pack"
    DEAL = "deal"
    """Cards dealt to each, the kitty, or a deal that is thrown in there."""
    CONTRACT = "contract"
    """The contract cannot be bid there; with it the stake, and a hand played alone."""
    TRUMP = "trump"
    EXCHANGE = "exchange"
    """Somebody laid off, drew, gave or took what the rules there do not allow."""
    PLAY = "play"
    """A card that is not legal there, or play that is not over there."""
    SOLVER = "solver"
    """The solver does not take the hand on."""


@dataclass(frozen=True, slots=True)
class NotThere:
    """Why an answer is refused: the first reason, as a sentence, and the rule it rests on."""

    reason: Reason
    sentence: str
    rule: str
    """Citations into ``docs/rules``, separated by spaces; empty where no rule is in the way."""
    action: int | None = None
    """Index into the recorded actions; ``None`` when it hangs on none."""


@dataclass(frozen=True, slots=True)
class NotLegal:
    """A recorded step of the play that the other rules do not allow."""

    action: int
    """Index into the recorded actions."""
    seat: int
    cards: str
    """As a log writes them; empty for what is said without a card."""
    sentence: str
    rule: str


@dataclass(frozen=True, slots=True)
class Rescored:
    """The recorded play under both rules, without scores before the hand."""

    here: Outcome
    there: Outcome

    @property
    def by_side(self) -> tuple[int, ...] | None:
        """What each side adds there less what it adds here; ``None`` where sides are others."""
        here, there = self.here.change, self.there.change
        if len(here) != len(there):
            return None
        return tuple(after - before for before, after in zip(here, there, strict=True))


@dataclass(frozen=True, slots=True)
class Resolved:
    """The value when the first card is to be played, with all cards open."""

    unit: str
    """``points``, or ``tricks`` where the hand is played alone."""
    value: Value
    need: int | None
    """What the makers need there, in ``unit``; ``None`` without a contract."""
    could_be_made: bool | None
    """Whether best play makes the contract; ``None`` without one, or when it is not known."""
    par_here: Value | None
    """The same under the rules of the record; ``None`` where the solver does not take it on."""
    need_here: int | None


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A hand that fits other rules."""

    ruleset: Ruleset
    hand: Hand
    """The hand as it is replayed there: without claims and scores, with the calls of that game."""
    same_calls: bool
    """Whether the recorded calls are legal there; else the shortest that lead to the contract."""
    rescored: Rescored | NotThere
    resolved: Resolved | NotThere
    not_legal: tuple[NotLegal, ...]
    """Recorded steps of the play that are not legal there, in order. Each is judged at the table as
    the cards before it have left it."""


def elsewhere(replay: Replay, ruleset: Ruleset, *, solve: bool = True) -> Elsewhere | NotThere:
    """Return a hand under other rules, or why it does not fit; values only to ``solve``."""
    if misfit := _of_record(replay) or _of_table(replay, ruleset):
        return misfit
    plain = bare(replay.hand)
    spoken = calls_in(replay)
    try:
        calls = calls_to(replay, spoken, plain, ruleset)
    except NoSuchCalls as error:
        return NotThere(Reason.CONTRACT, f"{ruleset.title}: {error}", ruleset.cite(error.policy))
    hand = replace(plain, actions=[*calls, *plain.actions[spoken:]])
    there = replay_hand(hand, ruleset=ruleset)
    moved = spoken - len(calls)
    first = first_card(there)
    for finding in there.findings:
        if reason := _reason_before_play(finding, there, first):
            return _not_there(reason, finding, ruleset, moved)
    if there.played < first:
        return NotThere(Reason.RECORD, f"{ruleset.title}: {' '.join(there.doubts)}", "")
    same_calls = calls == plain.actions[:spoken]
    rescored = _rescored(replay, there, ruleset, moved)
    not_asked = NotThere(Reason.SOLVER, "Values were not asked for.", "")
    resolved = _resolved(replay, there, first) if solve else not_asked
    not_legal = tuple(
        NotLegal(each.action + moved, done.seat, names_in(done.cards), each.message, each.rule)
        for each in there.findings
        if each.action is not None
        for done in [there.actions[each.action]]
    )
    return Elsewhere(ruleset, hand, same_calls, rescored, resolved, not_legal)


def bare(hand: Hand) -> Hand:
    """Return a hand without what is claimed, and without what the actions are not judged by."""
    return replace(
        hand, scores=UNSET, claimed=UNSET, status=UNSET, times=UNSET, notes=UNSET, ext=UNSET
    )


# --- Whether it fits


def _of_record(replay: Replay) -> NotThere | None:
    outcome, deal = replay.outcome, replay.hand.deal
    sentence = ""
    if replay.verdict != Verdict.VALID or outcome is None:
        sentence = f"The record is {replay.verdict}; only valid hands can be taken to other rules."
    elif outcome.result == "thrown_in" or first_card(replay) == len(replay.actions):
        sentence = "No card was played, so there is nothing to score."
    elif outcome.trump is None or outcome.trump < 0:
        sentence = "The record does not say what was trumps."
    elif deal is UNSET or any(set(each) & _UNNAMED for each in deal):
        sentence = "The record does not name every card that was dealt."
    return NotThere(Reason.RECORD, sentence, "") if sentence else None


def _of_table(replay: Replay, ruleset: Ruleset) -> NotThere | None:
    """Return why the deal does not fit: seats, direction, pack, cards dealt, kitty."""
    seats, values = len(replay.hand.players), ruleset.values

    def misfit(reason: Reason, policy: str, sentence: str) -> NotThere:
        return NotThere(reason, f"{ruleset.title} {sentence}.", ruleset.cite(policy))

    if seats_problem(ruleset, seats):
        wanted = " or ".join(map(str, values["players"]))
        wanted = "4, in partnerships" if seats in values["players"] else wanted
        return misfit(Reason.SEATS, "players", f"takes {wanted} players, and here {seats} sat down")
    here, there = replay.rules, ruleset.rules(seats)
    sizes = [counted(each.kitty_size, "card") for each in (there, here)]
    dealt = f"deals {counted(there.dealt, 'card')} to each player, and here it was {here.dealt}"
    way = f"goes round {values['direction']}, and this hand went the other way"
    kitty = f"lays {sizes[0]} aside as the kitty, and here it was {sizes[1]}"
    odd_card = "gives the card that is left over to somebody else"
    deal = "packets" if values["deal"] == "packets" else "deal"
    for differs, reason, policy, words in (
        (here.step != there.step, Reason.DIRECTION, "direction", way),
        (here.pack != there.pack, Reason.PACK, "joker", _pack_words(here, there)),
        (here.dealt != there.dealt, Reason.DEAL, deal, dealt),
        (here.odd_card != there.odd_card, Reason.DEAL, "odd_card", odd_card),
        (here.kitty_size != there.kitty_size, Reason.DEAL, "kitty_size", kitty),
    ):
        if differs:
            return misfit(reason, policy, words)
    return None


def _pack_words(here: Rules, there: Rules) -> str:
    if here.pack ^ there.pack == 1 << JOKER:
        with_joker = there.pack >> JOKER & 1
        return f"is played {'with' if with_joker else 'without'} the joker, unlike this hand"
    if here.pack_size == there.pack_size:
        return f"is played with {there.pack_size} cards, but not those of this hand"
    return f"is played with a pack of {there.pack_size} cards, and here it was {here.pack_size}"


def _reason_before_play(finding: Finding, there: Replay, first: int) -> Reason | None:
    """Return what a finding is about where the hand does not come to its first card; else none."""
    if finding.action is None:
        return Reason.DEAL
    if finding.action > first:
        return None
    state = there.state_at(finding.action)
    if state.due_thrown_in == early_end.DUE:
        return Reason.DEAL
    if finding.action == first:
        on_the_way = copy_state(state)
        left = engine.go_on_to(on_the_way, there.rules, there.actions[first])
        begun = on_the_way.phase in (Phase.SOLO, Phase.PLAY)
        return Reason.EXCHANGE if left or not begun else None
    verb = there.actions[finding.action].verb
    if verb == Verb.TRUMP:
        return Reason.TRUMP
    return Reason.CONTRACT if verb in _OF_CONTRACT else Reason.EXCHANGE


def _not_there(reason: Reason, finding: Finding, ruleset: Ruleset, moved: int) -> NotThere:
    action = None if finding.action is None else finding.action + moved
    return NotThere(reason, f"{ruleset.title}: {finding.message}", finding.rule, action)


# --- The two answers


def _rescored(here: Replay, there: Replay, ruleset: Ruleset, moved: int) -> Rescored | NotThere:
    if there.findings:
        return _not_there(Reason.PLAY, there.findings[0], ruleset, moved)
    if there.verdict == Verdict.INCOMPLETE:
        sentence = f"{ruleset.title}: the play that was recorded ends before it is over there."
        return NotThere(Reason.PLAY, sentence, ruleset.cite("early_end"))
    if there.verdict != Verdict.VALID:
        sentence = f"{ruleset.title}: what the record leaves open could matter there."
        return NotThere(Reason.RECORD, sentence, "")
    before, after = replay_hand(bare(here.hand), ruleset=here.ruleset).outcome, there.outcome
    assert before is not None
    assert after is not None
    return Rescored(before, after)


def _resolved(here: Replay, there: Replay, first: int) -> Resolved | NotThere:
    found = value_at_first_card(there)
    if isinstance(found, str):
        return NotThere(Reason.SOLVER, f"{there.ruleset.title}: {found}.", "")
    value, need = found
    own = value_at_first_card(here)
    par_here, need_here = (None, None) if isinstance(own, str) else own
    unit = "points" if there.state_at(first).solo < 0 else "tricks"
    made = None if need is None or value.low < need <= value.high else value.low >= need
    return Resolved(unit, value, need, made, par_here, need_here)


def value_at_first_card(replay: Replay) -> tuple[Value, int | None] | str:
    """Return value, or its limits, and need at the first card, or why they are refused."""
    state = state_in_play(replay, first_card(replay))
    try:
        solver = Solver(replay.rules)
        return solver.value(state, budget=BUDGET), solver.need(state)
    except Refused as refused:
        return str(refused)


# --- Calls that lead to a contract: those recorded, or the shortest that do


_MOST_CALLS: Final = 100
"""No auction in which all but one pass is longer."""


class NoSuchCalls(ValueError):
    """No calls lead to the contract; the message says why, ``policy`` what it is about."""

    def __init__(self, policy: str, message: str) -> None:
        """Keep the policy beside the sentence."""
        super().__init__(message)
        self.policy = policy


def calls_to(replay: Replay, spoken: int, hand: Hand, ruleset: Ruleset) -> list[str]:
    """Return calls of ``hand``, the same deal, that lead to the recorded contract elsewhere.

    ``spoken``: how many actions of the record are its auction. They are returned where they are
    legal and lead there, and for a hand undertaken alone in the auction. Raises ``NoSuchCalls``.
    """
    recorded = replay.actions[:spoken]
    state, rules, _ = first_state(replace(hand, actions=[]), ruleset, [])
    engine.start(state, rules)
    reached = replay.state_at(spoken)
    alone = any(each.verb == Verb.TENNY for each in recorded)
    if alone or _leads_there(copy_state(state), rules, recorded, reached):
        return list(hand.actions[:spoken])
    if state.due_thrown_in == early_end.DUE:
        raise NoSuchCalls("weak_start", "the deal is thrown in before anybody bids.")
    return [*map(action_text, _shortest(state, rules, reached))]


def _leads_there(state: State, rules: Rules, calls: tuple[Action, ...], reached: State) -> bool:
    """Carry out calls; return whether all are legal and end the auction with the contract."""
    if any(state.phase != Phase.AUCTION or engine.apply(state, rules, call) for call in calls):
        return False
    return state.phase != Phase.AUCTION and _same_contract(state, reached)


def _same_contract(state: State, reached: State) -> bool:
    contract = attrgetter("maker", "high_bid", "no_contract")
    return not state.thrown_in and contract(state) == contract(reached)


def _shortest(state: State, rules: Rules, reached: State) -> list[Action]:
    """Return calls in which the maker names the number at once and nobody else more than need be.

    Where the number cannot be named so, the first of the others opens at the lowest number.
    """
    bid = 0 if reached.no_contract else reached.high_bid
    # Special bids are left to the engine.
    least = rules.min_bid if auction.throws_in(rules) else min(rules.min_bid, rules.forced_bid)
    if bid and not (bid > MAX_BID or least <= bid <= rules.max_bid):
        raise NoSuchCalls(
            "max_bid" if bid > rules.max_bid else "min_bid",
            f"{bid} cannot be bid; bids go from {rules.min_bid} to {rules.max_bid}.",
        )
    try:
        return _called(copy_state(state), rules, reached, bid, opening=False)
    except NoSuchCalls as refused:
        if not bid:
            raise
        try:
            return _called(copy_state(state), rules, reached, bid, opening=True)
        except NoSuchCalls:
            raise refused from None


def _called(state: State, rules: Rules, reached: State, bid: int, *, opening: bool) -> list[Action]:
    calls: list[Action] = []
    while state.phase == Phase.AUCTION and len(calls) < _MOST_CALLS:
        seat = engine.to_act(state)
        lowest = engine.legal(state, rules, seat).low
        if opening and not calls and seat != reached.maker and 0 < lowest < bid:
            calls.append(Action(seat, Verb.BID, lowest))
        else:
            calls.append(_next_call(state, rules, reached.maker, bid))
        engine.apply(state, rules, calls[-1])
    if _same_contract(state, reached):
        return calls
    if state.thrown_in:
        raise NoSuchCalls("all_pass", "the deal is thrown in when nobody bids.")
    if reached.no_contract:
        raise NoSuchCalls("all_pass", "somebody has to bid, and here the hand had no number.")
    raise NoSuchCalls("auction", f"no calls end with {bid_name(bid)} of this player.")


def _next_call(state: State, rules: Rules, maker: int, bid: int) -> Action:
    seat = engine.to_act(state)
    if bid and seat == maker and state.high_bid != bid:
        call = Action(seat, Verb.BID, bid)
        if not engine.apply(copy_state(state), rules, call):
            return call
    options = engine.legal(state, rules, seat)
    if options.verbs >> Verb.PASS & 1:
        return Action(seat, Verb.PASS)
    if options.verbs >> Verb.THROW_IN & 1:
        raise NoSuchCalls("weak_start", "the deal is thrown in before anybody bids.")
    if seat == maker and bid:
        raise NoSuchCalls("forced_bid", f"whoever has to bid cannot bid {bid_name(bid)}.")
    raise NoSuchCalls("all_pass", "somebody else has to bid when all others have passed.")
