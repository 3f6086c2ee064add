"""What findings say of the exchange: why a gift or claim was wrong, which cards it is about."""

from __future__ import annotations

from typing import Final

from replay.engine.policies import EmptyStock, Fold, Shown
from replay.engine.records import Rules, State
from replay.engine.rules import claim, give, rob
from replay.engine.rules.table import laid_off_cards, named_trump, partner_of, side_of
from replay.model import Fact
from schemas.actions import Action, Verb
from schemas.cards import pretty_card, pretty_cards

_FROM_STOCK: Final = (Verb.DRAW, Verb.ROB, Verb.SHOW)


def exchange_words(rules: Rules, state: State, action: Action) -> dict[str, Fact]:
    """Return what the sentences about the exchange are filled with."""
    because = ""
    if action.verb == Verb.GIVE:
        because = _why_not_given(rules, state, action)
    elif action.verb == Verb.CLAIM:
        because = _why_not_claimed(rules, state, action)
    return {
        "because": because,
        "claimed": pretty_card(action.card) if action.card >= 0 else "a card",
        "hidden": pretty_cards(_to_be_shown(rules, state, action)),
        "left": pretty_cards(rob.left_to_show(state, rules)),
    }


def source_of(rules: Rules, state: State, action: Action) -> int:
    """Return the cards known or possible where those of an action come from."""
    if action.verb == Verb.KITTY:
        return state.kitty
    if action.verb not in _FROM_STOCK:
        return state.holding[action.seat]
    cards = state.stock_set
    if action.verb == Verb.ROB:
        cards |= rob.open_discards(state, rules, action.seat)
    if action.verb == Verb.DRAW and rules.empty_stock == EmptyStock.DISCARDS:
        cards |= laid_off_cards(state, rules)
    return cards


def _to_be_shown(rules: Rules, state: State, action: Action) -> int:
    if rules.discards_shown == Shown.ALL:
        return action.cards
    return action.cards & rules.trump_cards[named_trump(state)]


def _why_not_given(rules: Rules, state: State, action: Action) -> str:
    partner = 1 << partner_of(rules, action.seat)
    trumps = rules.trump_cards[named_trump(state)]
    point_cards = trumps & rules.point_cards[named_trump(state)]
    may = point_cards if give.gives_points_only(state, rules) else trumps
    over = ((state.holding[action.seat] | action.cards) & may).bit_count() > rules.hand_size
    folds = rules.fold != Fold.NEVER
    kind = "trumps" if may == trumps else "point cards"
    reasons = (
        (state.folded & partner, "the partner had folded"),
        (state.gave & partner, "gifts between partners go one way only"),
        (folds and action.seat == state.maker, "the maker has to lead a trump"),
        (state.laid_off & partner, "the partner had laid off before"),
        (action.cards & ~trumps, "only trumps may be given"),
        (folds, "only a single trump may be given, or two with the two among them"),
        (action.cards & ~may, f"only {kind} may be given"),
        (
            action.cards & point_cards and over,
            f"no hand may come to hold more than {rules.hand_size} point cards",
        ),
    )
    otherwise = f"only {kind} beyond {rules.hand_size} may be given"
    return next((reason for holds, reason in reasons if holds), otherwise)


def _why_not_claimed(rules: Rules, state: State, action: Action) -> str:
    trumps = rules.trump_cards[named_trump(state)]
    owner = claim.claimed_from(state, rules, action)
    given = claim.given_for(action)
    held = (state.holding[action.seat] & trumps).bit_count()
    reasons = (
        (
            owner >= 0 and side_of(rules, owner) == side_of(rules, action.seat),
            "no opponent had laid it off",
        ),
        (action.card >= 0 and not trumps >> action.card & 1, "it is no trump"),
        (state.filled >> action.seat & 1, "had drawn before"),
        (held >= rules.hand_size, f"held {held} trumps already"),
        (given & trumps, f"gave {pretty_cards(given)} for it, a trump"),
    )
    return next((reason for holds, reason in reasons if holds), "gave no plain card for it")
