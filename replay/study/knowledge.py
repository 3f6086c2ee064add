"""What a seat knows at a moment of the play, as ``docs/solver.md`` has it.

What follows from the rules is asked of the engine's own functions, card by card: would what the
seat did have been legal with this card in hand? What that leaves out, such as how many surplus
cards there were, is proved when a whole deal is replayed (``tricklog.core.study.worlds``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from tricklog.core.engine import engine
from tricklog.core.engine.policies import DropOut, Fold, NoTrump, Phase, TrumpCall, Twos
from tricklog.core.engine.records import Rules, State, copy_state, lowest_first, union
from tricklog.core.engine.rules import discard, hidden_trump, play, stock
from tricklog.core.engine.rules.table import Legal, hand_count, named_trump, partner_of, trump_code
from tricklog.core.judging.replayer import Replay
from tricklog.core.model import Verdict
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.core.study import sight
from tricklog.core.study.open_cards import state_in_play
from tricklog.core.study.refusals import Refused
from tricklog.schemas.actions import SEVENTH_CARD, TRUMP_HIDDEN, Action, Verb
from tricklog.schemas.cards import cards_in

_LEAVES: Final = (Verb.DISCARD, Verb.FOLD)


@dataclass(frozen=True, slots=True)
class Leave:
    """Cards that another seat put away face down, which nobody else has seen."""

    action: int
    seat: int
    size: int
    may: int
    """The cards that may be among them, unless all that the seat kept were trumps."""
    left: int
    """How many cards the seat had left after it."""
    may_when_full: int
    """The cards that may be among them when all it kept were trumps; 0 where that cannot be."""
    robbed: bool
    """Whether the dealer may have taken cards out of them later."""


@dataclass(frozen=True, slots=True)
class Loose:
    """Where a card may be that the seat gave, laid off or saw shown, and cannot place."""

    seat: int
    """Who may hold it, or have laid it off again."""
    since: int
    """Index of the action after which they had it."""
    pool: bool
    """Whether it may lie among the discards all the same."""


@dataclass(slots=True)
class Known:
    """What a seat knows: nothing else goes into the deals it can think of."""

    ruleset: Ruleset
    rules: Rules
    seat: int
    dealer: int
    dealt: tuple[int, int]
    """The seat's own first packet, and its cards dealt later, as sets."""
    last_but_one: int
    """The last card but one of its own deal, below 0 where the rules do not ask for it."""
    actions: tuple[Action, ...] = ()
    """All there was until now, without the cards that the seat did not see."""
    trump: int | None = None
    """The trump suit, or none of the suits; ``None`` while it is hidden from the seat."""
    unseen: int = 0
    """The cards it has not seen, or cannot place."""
    hidden: dict[int, int] = field(default_factory=dict)
    """By other seat: cards it holds, or held when it went out, that the seat has not seen."""
    may_hold: dict[int, int] = field(default_factory=dict)
    """By other seat: the cards that may be among them."""
    shown: dict[int, int] = field(default_factory=dict)
    """By other seat: the cards it has played or put under the first trick."""
    needs_trump: int = 0
    """Seats, as a bit mask, that have a trump besides those they have shown."""
    had_trump: int = 0
    """Seats, as a bit mask, that had at least one trump at the deal."""
    leaves: tuple[Leave, ...] = ()
    kept: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By seat that laid cards off: how many it had left before it drew, and which they may be."""
    given: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By seat that was given cards the seat has not seen: how many, and which are certain."""
    drew: dict[int, int] = field(default_factory=dict)
    """By seat that drew or robbed: index of the action with which it first did."""
    in_hand: int = 0
    """Seats, as a bit mask, that have not folded or gone out."""
    maker: int = -1
    secret_maker: int = -1
    """The seat of another that has put a card aside in secret for its suit; -1 without."""
    first_only: bool = False
    """Whether only the first packet was dealt (O52)."""
    rest: int = 0
    """How many cards lie in the stock that the seat has not seen."""
    may_rest: int = 0
    """The cards that may lie there."""
    rest_seen: int = 0
    """The cards left in the stock that the seat has seen there."""
    loose: dict[int, Loose] = field(default_factory=dict)
    """By card that the seat has seen and cannot place: where it may be."""
    under: bool = False
    """Whether another seat has its seventh card under the pile."""
    shown_under: int = 0
    """The seventh card of another that was shown, as a set."""
    pooled: bool = False
    """Whether the dealer has taken cards out of the stock and discards together."""


def _codes_vary(rules: Rules) -> bool:
    """Can a card put aside in secret mean something else than its suit?"""
    return rules.no_trump != NoTrump.NEVER or rules.twos != Twos.SUIT


def known_to(replay: Replay, action: int, seat: int) -> Known:
    """Return what ``seat`` knows before ``action`` of a replayed hand, a moment of the play.

    Raises ``Refused`` for records that are not valid or do not name the cards of the seat.
    """
    now = in_play(replay, action)
    states = [replay.state_at(index) for index in range(action + 1)]
    return knowledge(replay.ruleset, replay.rules, states, replay.actions[:action], seat, now)


def in_play(replay: Replay, action: int) -> State:
    """Return the state before an action of a play. Raises ``Refused`` for invalid records."""
    if replay.verdict not in (Verdict.VALID, Verdict.INCOMPLETE):
        raise Refused(f"the record is {replay.verdict}: only valid play has a value")
    return state_in_play(replay, action)


def knowledge(
    ruleset: Ruleset,
    rules: Rules,
    states: Sequence[State],
    actions: Sequence[Action],
    seat: int,
    now: State,
) -> Known:
    """Return what ``seat`` knows after legal ``actions`` that lead to ``now``, in the play.

    ``states``: those before each action, and after the last. Refuses what ``known_to`` refuses.
    """
    if reason := _refusal_of_cards(states[0], now, rules, seat):
        raise Refused(reason)
    if hidden_trump.is_hidden(now, rules) and now.maker != seat and _codes_vary(rules):
        raise Refused(
            "no_trump or twos lets a hidden card stand for more than its suit, and the rules do "
            "not say how often that is so"
        )
    watcher = _Watcher(ruleset, rules, states[0], seat, alone=now.tenny == 1)
    return watcher.watch(states, actions, now)


def _refusal_of_cards(first: State, now: State, rules: Rules, seat: int) -> str | None:
    if now.phase != Phase.PLAY or now.trick < 1:
        return "the play has not begun, or is over: deals are thought of from the first trick on"
    if first.unknown[seat] or first.reserve_unknown[seat]:
        return "the record does not name every card that was dealt to this seat"
    if any(now.unknown[each] for each in range(rules.seats)):
        return "the record does not name every card in hand"
    return None


class _Watcher:
    """Passes over a hand once, and notes what one seat sees of it."""

    def __init__(
        self, ruleset: Ruleset, rules: Rules, first: State, seat: int, *, alone: bool
    ) -> None:
        self.rules = rules
        self.state = first
        self.seat = seat
        dealt = first.holding[seat], 0 if alone else first.reserve[seat]
        self.own = union(dealt)
        """Cards that were ever in the seat's own hand, or lay open to it."""
        under = first.last_but_one[seat]
        self.known = Known(ruleset, rules, seat, first.dealer, dealt, under, first_only=alone)
        self.seen: list[Action] = []
        self.leaves: list[Leave] = []
        self.laid_off: dict[int, Action] = {}
        """The actions of ``leaves`` as recorded, for a dealer who looks through the discards."""
        self.barred = [0] * rules.seats
        self.loose: dict[int, Loose] = {}
        self.trick = 0
        self.last_trump = [0] * rules.seats
        """By seat: the last trick to which it has played a trump."""
        self.last_active = [0] * rules.seats
        """By seat: the last trick that it was in."""

    def watch(self, states: Sequence[State], actions: Sequence[Action], now: State) -> Known:
        """Note all ``actions``, and what there is ``now``."""
        for index, action in enumerate(actions):
            # What others look at as well is not to be written into.
            self.state = copy_state(states[index])
            self._before(index, action)
            self.state = states[index + 1]
            self._after(action)
            self.seen.append(self._as_seen(action))
        self._close(now)
        return self.known

    def _as_seen(self, action: Action) -> Action:
        if action.verb == Verb.TRUMP:
            secret = self.rules.trump_call == TrumpCall.SECRET and action.seat != self.seat
            # Who plays alone names trumps aloud (O87).
            hides = secret and action.amount != SEVENTH_CARD and self.state.solo < 0
            return replace(action, amount=TRUMP_HIDDEN) if hides else action
        if sight.sees(self.rules, self.seat, action):
            return action
        return replace(action, card=-1, cards=0)

    def _before(self, index: int, action: Action) -> None:
        verb, seat, state, rules = action.verb, action.seat, self.state, self.rules
        if verb in (Verb.PLAY, Verb.ASK, Verb.REVEAL, Verb.BURY):
            engine.go_on_to(state, rules, action)
            self._note_trick()
        if verb in (Verb.DISCARD, Verb.DISCARD_UP) and discard.replaces(state, rules, action):
            raise Refused("a discard was changed, and who saw what of it the record does not say")
        if verb == Verb.DRAW and action.size > stock.stock_left(state):
            raise Refused("cards laid off were dealt again, and nobody knows whose they were")
        self.own |= sight.seen_by(rules, self.seat, state, action)
        if seat == self.seat:
            self._own_before(index, action)
            return
        if verb == Verb.PLAY:
            if state.trick != 1 or not state.buriers >> seat & 1:
                played = 1 << action.card
                self._bar(seat, played, lambda: play.legal_cards(state, rules, seat) & played != 0)
        elif verb == Verb.ASK or (verb == Verb.REVEAL and state.asker < 0):
            # With a card to follow with, the seat could not have had the trump shown.
            self._bar(seat, 0, lambda: hidden_trump.may_be_void(state, rules, seat))
        elif verb in _LEAVES:
            self._note_leave(index, action)
        elif verb == Verb.GIVE and partner_of(rules, seat) != self.seat:
            self._note_gift(index, action)
        elif verb == Verb.ROB:
            self._note_rob(index, seat, action.size)
        if verb in (Verb.DRAW, Verb.ROB):
            self.known.drew.setdefault(seat, index)

    def _after(self, action: Action) -> None:
        verb, seat = action.verb, action.seat
        if verb in (Verb.PLAY, Verb.BURY):
            self.known.shown[seat] = self.known.shown.get(seat, 0) | action.cards
        trump = named_trump(self.state)
        if verb == Verb.PAIR and seat != self.seat:
            # King and queen were shown, and are in the hand of who declared them.
            for card in cards_in(self.rules.pair_cards[trump] & ~self.own):
                self.loose[card] = Loose(seat, -1, pool=False)
        if verb == Verb.PLAY and action.cards & self.rules.trump_cards[trump]:
            self.last_trump[seat] = self.trick

    # --- What the seat does itself

    def _own_before(self, index: int, action: Action) -> None:
        if action.verb == Verb.GIVE:
            for card in cards_in(action.cards):
                self.loose[card] = Loose(partner_of(self.rules, self.seat), index, pool=False)
        elif action.verb == Verb.ROB:
            rest = self.state.stock_set
            if rest.bit_count() != stock.stock_left(self.state):
                raise Refused("the record does not name the cards of the stock that the seat saw")
            self.known.rest_seen = rest & ~action.cards
            if sight.looks_through_discards(self.rules):
                self._see_discards()

    def _see_discards(self) -> None:
        """A dealer who looks through the discards has seen what everybody laid off."""
        if any(self.state.discarded_unknown[: self.rules.seats]):
            raise Refused("the record does not name the discards that the seat looked through")
        for leave in self.leaves:
            if self.laid_off[leave.action].verb != Verb.FOLD:
                self.seen[leave.action] = self.laid_off[leave.action]
        self.leaves = [each for each in self.leaves if self.laid_off[each.action].verb == Verb.FOLD]

    # --- What others do

    def _note_leave(self, index: int, action: Action) -> None:
        state, seat = self.state, action.seat
        trumps = self.rules.trump_cards[named_trump(state)]
        self.laid_off[index] = action
        if action.verb == Verb.FOLD:
            size, plain = hand_count(state, seat), self.rules.pack & ~trumps
            self.leaves.append(Leave(index, seat, size, plain, 0, 0, robbed=False))
            return
        may, full, kept = 0, 0, 0
        held, gone = state.holding[seat], state.discarded[seat]
        state.discarded[seat] = 0
        for card in cards_in(self.rules.pack):
            state.holding[seat] = 1 << card
            options = self._legal_discard(seat)
            may |= options.may & 1 << card
            kept |= 1 << card & ~options.must
            state.holding[seat] = trumps | 1 << card
            full |= self._legal_discard(seat).may & 1 << card
        state.holding[seat], state.discarded[seat] = held, gone
        left = hand_count(state, seat) - action.size
        if self.rules.discards_shown:
            # Trumps that are laid off lie open.
            may, full = may & ~trumps, 0
        full = full if full & ~may and left >= self.rules.hand_size else 0
        if seat not in self.known.drew:
            self.known.kept[seat] = (left, kept)
        self.leaves.append(Leave(index, seat, action.size, may, left, full, robbed=False))

    def _legal_discard(self, seat: int) -> Legal:
        if self.state.phase == Phase.DISCARD:
            return discard.legal_discard(self.state, self.rules, seat, 0)
        return discard.legal_come_down(self.state, self.rules, seat, 0)

    def _note_rob(self, index: int, seat: int, size: int) -> None:
        looks = sight.looks_through_discards(self.rules)
        if looks or size > stock.stock_left(self.state):
            self.known.pooled = True
            # Who only makes up a hand that the stock is too short for takes discards of their own.
            self.leaves = [replace(each, robbed=looks or each.seat == seat) for each in self.leaves]
        for card in cards_in(self.state.discarded[self.seat] if looks else 0):
            self.loose[card] = Loose(seat, index, pool=True)
        if not self.known.pooled:
            self.known.may_rest = self._may_be_left(seat)

    def _note_gift(self, index: int, action: Action) -> None:
        """Note a gift the seat does not see. Of two trumps given to fold one is the two (S59)."""
        rules, taker = self.rules, partner_of(self.rules, action.seat)
        size, certain = self.known.given.get(taker, (0, 0))
        low = rules.low_card[named_trump(self.state)]
        if rules.fold == Fold.WITHOUT_TRUMPS and action.size > 1 and low >= 0:
            certain |= 1 << low
            self.loose[low] = Loose(taker, index, pool=False)
        self.known.given[taker] = size + action.size, certain

    def _may_be_left(self, seat: int) -> int:
        """Return the cards that a dealer with a full hand may leave in the stock, by the rules."""
        state, rules = copy_state(self.state), self.rules
        for other in range(rules.seats):
            state.holding[other] = state.reserve[other] = state.discarded[other] = 0
        state.undrawn = 0
        trumps = rules.trump_cards[named_trump(state)]
        blanks = trumps & ~rules.point_cards[named_trump(state)]
        fillers = [*cards_in(blanks), *cards_in(rules.pack & ~trumps)]
        may = 0
        for card in cards_in(rules.pack):
            full = [filler for filler in fillers if filler != card][: rules.hand_size]
            state.holding[seat] = sum(1 << filler for filler in full)
            state.stock[0] = card
            state.stock_size, state.stock_next, state.stock_set = 1, 0, 1 << card
            may |= 1 << card & ~stock.legal_rob(state, rules, seat).must
        return may

    def _bar(self, seat: int, held: int, is_legal: Callable[[], bool]) -> None:
        """Bar the cards with which, beside those ``held``, what a seat did was not legal."""
        state = self.state
        before = state.holding[seat]
        for other in cards_in(self.rules.pack & ~self.barred[seat] & ~state.seen & ~held):
            state.holding[seat] = held | 1 << other
            if not is_legal():
                self.barred[seat] |= 1 << other
        state.holding[seat] = before

    def _note_trick(self) -> None:
        self.trick = self.state.trick
        for seat in lowest_first(self.state.active):
            self.last_active[seat] = self.trick

    # --- What there is now

    def _close(self, now: State) -> None:
        known, rules = self.known, self.rules
        self.state = now
        self._note_trick()
        known.actions = tuple(self.seen)
        hidden = hidden_trump.is_hidden(now, rules) and now.maker != self.seat
        known.trump = None if hidden else now.trump
        known.maker = now.maker
        known.in_hand = now.active
        self._note_trump(now)
        known.under = now.seventh != 0 and now.maker != self.seat
        self.own |= now.holding[self.seat] | now.shown
        if now.maker == self.seat:
            self.own |= now.seventh
        elif now.seventh_called and now.revealed:
            # The card under the pile was shown.
            card = now.last_but_one[now.maker]
            if card >= 0 and not now.seen >> card & 1:
                self.loose[card] = Loose(now.maker, -1, pool=False)
            known.shown_under = 1 << card if card >= 0 else 0
        self._count(now)

    def _note_trump(self, now: State) -> None:
        known, rules = self.known, self.rules
        named = now.maker == self.seat or now.seventh_called or now.solo >= 0
        if rules.trump_call != TrumpCall.SECRET or named:
            return
        if not _codes_vary(rules) and any(each.verb == Verb.TRUMP for each in known.actions):
            known.secret_maker = now.maker
        if known.trump is not None:
            known.actions = tuple(
                replace(each, amount=trump_code(now)) if each.amount == TRUMP_HIDDEN else each
                for each in known.actions
            )

    def _count(self, now: State) -> None:
        known, rules = self.known, self.rules
        self.loose = {card: at for card, at in self.loose.items() if not now.seen >> card & 1}
        loose = sum(1 << card for card in self.loose)
        known.unseen = rules.pack & ~(self.own | now.seen) | loose
        known.loose = self.loose
        known.leaves = tuple(self.leaves)
        for seat in range(rules.seats):
            if seat == self.seat:
                continue
            held = now.at_play[seat]
            if seat == now.maker and now.seventh_called and now.revealed:
                held |= 1 << now.last_but_one[seat]
            known.hidden[seat] = (held & ~now.seen).bit_count()
            known.may_hold[seat] = self._may_hold(now, seat, known.hidden[seat])
        sizes = sum(known.hidden.values()) + known.under
        sizes += sum(each.size for each in known.leaves if not each.robbed)
        known.may_rest = (known.may_rest or rules.pack) & ~known.rest_seen
        for card, where in self.loose.items():
            known.may_rest &= -1 if where.pool else ~(1 << card)
        known.rest = known.unseen.bit_count() - sizes

    def _may_hold(self, now: State, seat: int, size: int) -> int:
        """Return the cards a seat may hold, and note whether a trump is among them for sure."""
        known, rules = self.known, self.rules
        may = rules.pack & ~self.barred[seat]
        for card, loose in self.loose.items():
            may &= -1 if loose.seat == seat else ~(1 << card)
        if known.trump is None:
            return may
        trumps = rules.trump_cards[known.trump]
        if rules.fold != Fold.NEVER and not now.folded >> seat & 1:
            known.had_trump |= 1 << seat
        if rules.drop_out != DropOut.NEVER and not now.folded >> seat & 1:
            if not now.active >> seat & 1:
                return may & ~trumps
            stayed = self.last_trump[seat] < self.last_active[seat]
            if rules.drop_out == DropOut.WHEN_TRUMP_LED:
                waits = now.played > 0 and now.pending >> seat & 1 == 1
                stayed = waits and now.led_card >= 0 and trumps >> now.led_card & 1 == 1
            if size and stayed:
                known.needs_trump |= 1 << seat
        return may
