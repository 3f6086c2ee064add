"""What comes next in a hand that is being recorded: who acts, what the rules offer, what they ask.

Everything here is the engine's answer to the choices made so far. Source: 0.record.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from tricklog.core.engine import engine, policies
from tricklog.core.engine.faults import FATAL
from tricklog.core.engine.records import Rules, State, copy_state, union
from tricklog.core.engine.rules import early_end, play, scoring
from tricklog.core.engine.rules.table import Legal, laid_off_cards, out_of_stock
from tricklog.core.judging import setup
from tricklog.core.judging.replayer import replay
from tricklog.core.judging.views import choice_of, on_table
from tricklog.core.model import Verdict
from tricklog.core.recording.draft import (
    LEFT_OUT,
    PASSED_OVER,
    Draft,
    RecordingError,
    Told,
    hand_of,
)
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.schemas.actions import (
    TAKES_ONE_CARD,
    TRUMP_HIDDEN,
    WITH_CARDS,
    Action,
    Verb,
    parse_action,
)
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.messages import say

_FROM_ELSEWHERE: Final = frozenset({Verb.DRAW, Verb.ROB, Verb.KITTY, Verb.SHOW})
"""Verbs whose cards are not in the hand of who acts."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that a seat may do now."""

    seat: int
    verb: Verb
    bids: tuple[int, ...] = ()
    trumps: tuple[int, ...] = ()
    """Codes of the trumps that may be named, or ``TRUMP_HIDDEN``."""
    cards: int = 0
    """Set of the cards that may be named, those that the record does not place among them."""
    must: int = 0
    least: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after the choices of a draft."""

    hand: Hand
    rules: Rules
    state: State
    turn: int | None
    """Who is waited for; ``None`` where nobody is, or where anybody may speak."""
    offers: tuple[Offer, ...]
    may_pass_over: bool
    """Whether the hand may go on without a word of who is waited for."""
    is_over: bool
    is_broken: bool
    """Whether something happened after which no table is defined."""
    sentence: str

    @property
    def phase(self) -> str:
        """The name of the phase that the hand is in."""
        return policies.value_name(policies.Phase(self.state.phase))

    @property
    def gone(self) -> int:
        """The cards that are known to have left every hand and that nobody may take back."""
        robbed = union(offer.cards for offer in self.offers if offer.verb == Verb.ROB)
        laid_off = laid_off_cards(self.state, self.rules) & ~robbed
        return self.state.seen | self.state.on_table | laid_off

    @property
    def trick(self) -> tuple[tuple[int, int], ...]:
        """(seat, card) of the trick on the table, in the order played."""
        return on_table(self.rules, self.state)

    def offer(self, seat: int, verb: Verb) -> Offer | None:
        """Return the offer to a seat of one verb; ``None`` where the rules have none."""
        found = (each for each in self.offers if each.seat == seat and each.verb == verb)
        return next(found, None)


def moment_of(draft: Draft) -> Moment:
    """Return the table after the choices of a draft."""
    told = draft.told()
    hand, ruleset = hand_of(draft, told), draft.ruleset()
    state, rules, broken = _carried_on(hand, ruleset, told)
    over = state.phase == policies.Phase.OVER
    turn = engine.to_act(state)
    seats = () if broken else range(rules.seats)
    offers = tuple(offer for seat in seats for offer in _all_offers(state, rules, seat))
    goes_on = not (over or broken)
    may_pass = goes_on and (turn < 0 or bool(engine.may_pass_over(state, rules)))
    awaited = turn if turn >= 0 and not over else None
    sentence = choice_of(hand, state, rules, turn).sentence
    return Moment(hand, rules, state, awaited, offers, may_pass, over, broken, sentence)


def _carried_on(hand: Hand, ruleset: Ruleset, told: Told) -> tuple[State, Rules, bool]:
    """Return the table after the deeds told, the rules, and whether none is defined any more."""
    if hand.gaps:
        return _carried_over_gaps(hand, ruleset, told)
    actions = setup.read_actions(hand)
    state, rules, _ = setup.first_state(hand, ruleset, actions)
    # Calls about the stake may follow: the hand is still being played.
    state.will_raise = -1
    # Nor is anybody taken to be out because the record does not show them play on.
    for seat in range(rules.seats):
        if state.unknown[seat] or state.reserve_unknown[seat]:
            state.hidden_plays[seat] = rules.pack_size
    engine.start(state, rules)
    deeds = [None if deed == PASSED_OVER else parse_action(deed) for deed in told.deeds]
    for index, deed in enumerate(deeds):
        if deed is None:
            engine.pass_over(state, rules)
        else:
            _let_drop_out(state, rules, deeds, index)
            if engine.apply(state, rules, deed) & FATAL:
                return state, rules, True
        _pass_silence(state, rules)
    return state, rules, False


def _carried_over_gaps(hand: Hand, ruleset: Ruleset, told: Told) -> tuple[State, Rules, bool]:
    """Return the same of a record that leaves something out: a gap ends where play goes on.

    What comes next decides what a gap means, so the table is asked for before cards that nobody
    names, of everybody who has not said that they are out.
    """
    place = len(hand.actions)
    out = {each.seat for each in setup.read_actions(hand) if each.verb == Verb.OUT}
    rules = ruleset.rules(len(hand.players))
    leader = _leader_after(hand, ruleset, told)
    seats = [leader, *(seat for seat in range(rules.seats) if seat not in out)]
    supposed = [f"{seat} play ?" for seat in (seats[0], *seats[1:] * rules.hand_size)]
    replayed = replay(replace(hand, actions=[*hand.actions, *supposed]), ruleset=ruleset)
    broken = replay(hand, ruleset=ruleset).verdict == Verdict.REJECTED
    return copy_state(replayed.state_at(place)), rules, broken


def _leader_after(hand: Hand, ruleset: Ruleset, told: Told) -> int:
    rules = ruleset.rules(len(hand.players))
    before = told.deeds[: max(n for n, deed in enumerate(told.deeds) if deed.startswith(LEFT_OUT))]
    kept = [deed for deed in before if not deed.startswith(LEFT_OUT)]
    bare = replace(hand, actions=[deed for deed in kept if deed != PASSED_OVER], gaps=UNSET)
    state, _, _ = _carried_on(replace(bare, known=UNSET), ruleset, Told(deeds=kept))
    if hand.known and hand.known.maker is not UNSET:
        state.maker = hand.known.maker
    return max(play.first_leader(state, rules), 0)


def _let_drop_out(state: State, rules: Rules, deeds: Sequence[Action | None], index: int) -> None:
    """Note who plays nothing after deed ``index`` and is out: they say so, or are left out."""
    for seat in range(rules.seats):
        later = [deed for deed in deeds[index + 1 :] if deed is not None]
        if any(deed.verb == Verb.PLAY and deed.seat == seat for deed in later):
            continue
        says_out = any(deed.verb == Verb.OUT and deed.seat == seat for deed in later)
        by_others = Counter(deed.seat for deed in later if deed.verb == Verb.PLAY)
        if says_out or any(count > 2 for count in by_others.values()):
            state.hidden_plays[seat] = 0


def _pass_silence(state: State, rules: Rules) -> None:
    """Leave stages in which nobody is waited for and nobody may do anything."""
    while state.phase != policies.Phase.OVER and engine.to_act(state) < 0:
        if any(_offers(state, rules, seat) for seat in range(rules.seats)):
            return
        engine.pass_over(state, rules)


def _offers(state: State, rules: Rules, seat: int) -> list[Offer]:
    found: dict[Verb, Offer] = {}
    for options in (engine.legal(state, rules, seat), engine.legal_aside(state, rules, seat)):
        for verb in Verb:
            if options.verbs >> verb & 1 and verb not in found:
                found[verb] = _offer(state, rules, seat, verb, options)
    return [found[verb] for verb in sorted(found)]


def _offer(state: State, rules: Rules, seat: int, verb: Verb, options: Legal) -> Offer:
    if verb == Verb.BID:
        numbers = tuple(range(options.low, options.high + 1)) if options.low else ()
        return Offer(seat, verb, bids=(*numbers, *filter(None, (options.top, options.special))))
    if verb == Verb.TRUMP:
        named = tuple(n for n in range(32) if options.trumps >> n & 1)
        # Who records may not know those that only the maker knows; who plays alone hides none.
        is_hidden = rules.trump_call == policies.TrumpCall.SECRET and state.solo < 0
        return Offer(seat, verb, trumps=(*named, *[TRUMP_HIDDEN] * is_hidden))
    if verb not in WITH_CARDS:
        return Offer(seat, verb)
    least, most = (1, 1) if verb in TAKES_ONE_CARD else (options.least, options.most)
    cards = options.may
    if verb in _FROM_ELSEWHERE or state.unknown[seat]:
        cards |= rules.pack & ~out_of_stock(state, rules)
    return Offer(seat, verb, cards=cards, must=options.must, least=least, most=most)


def _all_offers(state: State, rules: Rules, seat: int) -> list[Offer]:
    """Return what a seat may do, also with cards that nobody has named.

    The engine asks for nothing that hangs on cards it does not know: somebody with unknown cards
    may lay plain ones off, draw, play although they would have had to show the trump, hold a pair,
    or hold what a deal is thrown in for.
    """
    offers = _offers(state, rules, seat)
    is_due = state.due_thrown_in == early_end.DUE
    if not state.unknown[seat] or is_due or state.phase == policies.Phase.OVER:
        return offers
    offered = {offer.verb for offer in offers}
    for verb in _open_verbs(state, rules, seat):
        if verb not in offered:
            held = 0 if verb in _FROM_ELSEWHERE else state.holding[seat]
            options = Legal(1 << verb, may=held, least=1, most=rules.pack_size)
            offers.append(_offer(state, rules, seat, verb, options))
    return offers


def _open_verbs(state: State, rules: Rules, seat: int) -> list[Verb]:
    """Return what hands that are not known leave open at this moment to a seat."""
    is_before_play = state.phase > policies.Phase.DOUBLE and state.trick <= 1 and state.played == 0
    exchanges = is_before_play and not state.folded >> seat & 1
    lays_off = exchanges and rules.discard != policies.Discard.NOTHING
    leads = is_before_play and state.trick == 0 and seat == play.first_leader(state, rules)
    is_due = state.phase == policies.Phase.PLAY and seat == state.turn and state.asker < 0
    folds = rules.fold != policies.Fold.NEVER
    has = {
        Verb.FOLD: exchanges and folds,
        Verb.GIVE: exchanges and (folds or rules.surplus == policies.Surplus.TO_PARTNER),
        Verb.DISCARD: lays_off and rules.discards_shown != policies.DiscardsShown.ALL,
        Verb.DISCARD_UP: lays_off and rules.discards_shown != policies.DiscardsShown.NONE,
        Verb.DRAW: exchanges and rules.refill != policies.Refill.NOBODY,
        Verb.ROB: exchanges and rules.rob != policies.Rob.NOTHING and seat == state.dealer,
        Verb.PLAY: leads or is_due,
        Verb.OUT: is_due and rules.drop_out != policies.DropOut.NEVER,
        Verb.THROW_IN: state.due_thrown_in == early_end.OPEN and seat == state.turn,
        Verb.PAIR: state.phase == policies.Phase.PLAY
        and scoring.may_pair(state, rules, seat)
        and not scoring.cannot_hold_pair(state, rules, seat),
    }
    return [verb for verb, is_so in has.items() if is_so]


def passed_over(draft: Draft) -> Draft:
    """Return the draft after somebody lets the turn pass. Raises ``RecordingError`` if none may."""
    if not moment_of(draft).may_pass_over:
        raise RecordingError(say("somebody is waited for who has to do something"))
    return draft.taking(PASSED_OVER)
