"""What findings say of the exchange: why a gift or claim was wrong, which cards it is about."""

from __future__ import annotations

from typing import Final

from replay.engine.policies import EmptyStock, Fold, Shown
from replay.engine.records import Rules, State
from replay.engine.rules import claim, give, rob
from replay.engine.rules.table import laid_off_cards, named_trump, partner_of, side_of
from schemas.actions import Action, Verb
from schemas.cards import pretty_card, pretty_cards
from schemas.languages.messages import Message, message, plain

_FROM_STOCK: Final = (Verb.DRAW, Verb.ROB, Verb.SHOW)


def exchange_words(rules: Rules, state: State, action: Action) -> dict[str, object]:
    """Return what the sentences about the exchange are filled with."""
    because = plain("")
    if action.verb == Verb.GIVE:
        because = _why_not_given(rules, state, action)
    elif action.verb == Verb.CLAIM:
        because = _why_not_claimed(rules, state, action)
    return {
        "because": because,
        "claimed": pretty_card(action.card) if action.card >= 0 else message("a card"),
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


def _why_not_given(rules: Rules, state: State, action: Action) -> Message:
    partner = 1 << partner_of(rules, action.seat)
    trumps = rules.trump_cards[named_trump(state)]
    point_cards = trumps & rules.point_cards[named_trump(state)]
    may = point_cards if give.gives_points_only(state, rules) else trumps
    over = ((state.holding[action.seat] | action.cards) & may).bit_count() > rules.hand_size
    folds = rules.fold != Fold.NEVER
    size = rules.hand_size
    reasons = (
        (state.folded & partner, message("the partner had folded")),
        (state.gave & partner, message("gifts between partners go one way only")),
        (state.gave >> action.seat & 1, message("had given before")),
        (folds and action.seat == state.maker, message("the maker has to lead a trump")),
        (state.laid_off & partner, message("the partner had laid off before")),
        (action.cards & ~trumps, message("only trumps may be given")),
        (
            rules.fold == Fold.WITHOUT_TRUMPS,
            message("only a single trump may be given, or two with the two among them"),
        ),
        (folds, message("only one trump may be given, or two")),
        # Where more than points may be given, what may not is no trump, as said above.
        (action.cards & ~may, message("only point cards may be given")),
        (
            (state.holding[action.seat] & point_cards & ~action.cards).bit_count() > size,
            message("more point cards than {size} would stay, and none may be laid off", size=size),
        ),
        (
            action.cards & point_cards and over,
            message("no hand may come to hold more than {size} point cards", size=size),
        ),
        (may == trumps, message("only trumps beyond {size} may be given", size=size)),
    )
    otherwise = message("only point cards beyond {size} may be given", size=size)
    return next((reason for holds, reason in reasons if holds), otherwise)


def _why_not_claimed(rules: Rules, state: State, action: Action) -> Message:
    trumps = rules.trump_cards[named_trump(state)]
    owner = claim.claimed_from(state, rules, action)
    given = claim.given_for(action)
    held = (state.holding[action.seat] & trumps).bit_count()
    reasons = (
        (
            owner >= 0 and side_of(rules, owner) == side_of(rules, action.seat),
            message("no opponent had laid it off"),
        ),
        (action.card >= 0 and not trumps >> action.card & 1, message("it is no trump")),
        (state.filled >> action.seat & 1, message("had drawn before")),
        (held >= rules.hand_size, message("held {held} trumps already", held=held)),
        (given & trumps, message("gave {cards} for it, a trump", cards=pretty_cards(given))),
    )
    return next(
        (reason for holds, reason in reasons if holds), message("gave no plain card for it")
    )
