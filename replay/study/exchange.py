"""The way from the auction to the first card, as the ledger takes it where a record does not say.

Values of contracts and of choices in the exchange are means over stocks, so somebody has to lay
off, draw and rob in each. That is the *reference exchange*, the same for all, by the rules and the
cards of the seat that acts: what has to go goes, and plain cards that new ones come for all go;
beyond that the cards worth least; the dealer robs all they may, those worth most first. Worth is
first points, then trumps before plain cards, then rank. Cards are given to the partner only where
the rules ask for it; nobody raises the stake, plays alone or takes a card out of the discards.
Where trumps are named only after the kitty, the suit worth most with all cards open counts.
"""

from typing import Final

from tricklog.core.card_sense import choices
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import Legal
from tricklog.core.study.stocks import Order
from tricklog.schemas.actions import Action, Verb
from tricklog.schemas.cards import cards_in

SUITS: Final = range(4)
_MAY_PASS: Final = (Phase.FOLD, Phase.GIVE, Phase.DEALER_GIVE, Phase.SHOW)
"""Phases in which the reference exchange does nothing that is not asked for."""


def reference_action(state: State, rules: Rules, seat: int, order: Order) -> Action | None:
    """Return what ``seat`` does in the reference exchange; ``None`` when its turn passes.

    ``order``: which card comes when discards are dealt. Trumps are not named here.
    """
    if state.phase in _MAY_PASS and engine.may_pass_over(state, rules):
        return None
    options = engine.legal(state, rules, seat)
    if options.verbs >> Verb.FOLD & 1:
        return Action(seat, Verb.FOLD)
    for verb in choices.WITH_CARDS:
        if options.verbs >> verb & 1:
            cards = _picked(state, rules, options, order)
            return action_of(seat, verb, cards) if cards else None
    return None


def action_of(seat: int, verb: Verb, cards: int) -> Action:
    """Return the action by which a seat does something with a set of cards."""
    return Action(seat, verb, 0, cards_in(cards)[0], cards, cards.bit_count())


def _picked(state: State, rules: Rules, options: Legal, order: Order) -> int:
    """Return the cards to take, lay off, give or show; those dealt are the next in ``order``."""
    if not options.verbs >> Verb.DRAW & 1:
        return choices.pick(state, rules, options)
    chosen = options.must
    limited = (chosen & options.limited).bit_count()
    for card in sorted(cards_in(options.may & ~options.must), key=order.__getitem__):
        if chosen.bit_count() >= options.least:
            break
        is_limited = options.limited >> card & 1
        if is_limited and limited >= options.limit:
            continue
        limited += is_limited
        chosen |= 1 << card
    return chosen


def plays_on(state: State, rules: Rules, order: Order) -> list[State]:
    """Carry a hand on from after its auction to its first card; return where that may lead.

    That is one state, in the play or over; where trumps are still to be named, one for each suit.
    ``state`` is used up.
    """
    while state.phase not in (Phase.PLAY, Phase.OVER):
        if _is_thrown_in(state, rules):
            break
        if state.phase == Phase.TRUMP or scoring.has_to_name(state):
            return [each for trump in SUITS for each in _named(state, rules, trump, order)]
        if not step(state, rules, order):
            engine.enter(state, rules)
    if _is_thrown_in(state, rules):
        _carry_out(state, rules, Action(state.dealer, Verb.THROW_IN))
    return [state]


def _is_thrown_in(state: State, rules: Rules) -> bool:
    return engine.legal(state, rules, state.dealer).verbs == 1 << Verb.THROW_IN


def step(state: State, rules: Rules, order: Order) -> bool:
    """Do the next thing of the reference exchange; return whether the phase went on by it."""
    if state.phase in (Phase.DOUBLE, Phase.SOLO) or state.turn < 0:
        return False
    action = reference_action(state, rules, state.turn, order)
    if action is None:
        engine.pass_over(state, rules)
    else:
        _carry_out(state, rules, action)
    return True


def name_trumps(state: State, rules: Rules, code: int) -> None:
    """Let the maker name trumps, by their code in a log; not in a deal that must be thrown in."""
    if not _is_thrown_in(state, rules):
        _carry_out(state, rules, Action(state.maker, Verb.TRUMP, code))


def _named(state: State, rules: Rules, trump: int, order: Order) -> list[State]:
    copy = copy_state(state)
    name_trumps(copy, rules, trump)
    return plays_on(copy, rules, order)


def _carry_out(state: State, rules: Rules, action: Action) -> None:
    """Apply an action that is legal. Raises ``AssertionError`` when it is not: that is a bug."""
    if faults := engine.apply(state, rules, action):
        raise AssertionError(f"illegal in the exchange: {action}, faults {faults:#x}")
