"""From a hand log to the first state: who holds what, and whether the deal can be true.

Sources: 0.deal, 0.conservation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from msgspec import UNSET

from replay.model import BadRecord
from replay.policies import OddCard
from replay.records import Rules, State
from replay.rules.doubles import CALLS as STAKE_CALLS
from replay.rules.naming import suit_of
from replay.rules.table import all_seats, partner_of
from replay.ruleset import Ruleset
from schemas.actions import TRUMP_NOT_RECORDED, Action, ActionError, Verb, parse_action
from schemas.cards import mask_of, parse_cards
from schemas.hand import Hand

_SHOWS_AHEAD: Final = (
    1 << Verb.PLAY
    | 1 << Verb.BURY
    | 1 << Verb.DISCARD
    | 1 << Verb.DISCARD_UP
    | 1 << Verb.GIVE
    | 1 << Verb.FOLD
    | 1 << Verb.DRAW
    | 1 << Verb.ROB
)
"""Verbs that prove something of what their seat held, or meant, before."""


@dataclass(frozen=True, slots=True)
class DealFault:
    """Something wrong with what stands before the first action: ``card-twice`` and so on."""

    code: str
    pointer: str
    seat: int | None
    facts: dict[str, int | str | list[int]]


def read_actions(hand: Hand) -> list[Action]:
    """Return the actions of a hand. Raises ``BadRecord`` at the first that cannot be read."""
    actions = []
    for index, text in enumerate(hand.actions):
        try:
            actions.append(parse_action(text))
        except ActionError as error:
            raise BadRecord(f"/actions/{index}", str(error)) from None
    return actions


def _cards_at(pointer: str, text: str) -> list[int]:
    try:
        return parse_cards(text)
    except ValueError as error:
        raise BadRecord(pointer, str(error)) from None


def first_state(
    hand: Hand, ruleset: Ruleset, actions: list[Action]
) -> tuple[State, Rules, list[DealFault]]:
    """Return the state before the first action, the rules, and what is wrong with the deal.

    Raises ``BadRecord`` when a card list cannot be read or does not fit the players.
    """
    seats = len(hand.players)
    rules = ruleset.rules(seats)
    state = State(dealer=hand.dealer)
    if hand.dealer >= seats:
        raise BadRecord("/dealer", f"is {hand.dealer}, but the seats are 0 to {seats - 1}")
    faults: list[DealFault] = []
    places: list[tuple[str, int | None, list[int]]] = []
    if hand.deal is not UNSET:
        if len(hand.deal) != seats:
            raise BadRecord("/deal", f"holds {len(hand.deal)} hands for {seats} players")
        places = [
            (f"/deal/{seat}", seat, _cards_at(f"/deal/{seat}", text))
            for seat, text in enumerate(hand.deal)
        ]
    _deal_hands(state, rules, places, faults)
    kitty = _cards_at("/kitty", hand.kitty) if hand.kitty is not UNSET else None
    _lay_kitty(state, rules, kitty, faults)
    stock = _cards_at("/stock", hand.stock) if hand.stock is not UNSET else None
    _lay_stock(state, rules, stock, faults)
    places += [("/kitty", None, kitty or []), ("/stock", None, stock or [])]
    faults += _conservation(rules, places)
    if hand.scores is not UNSET and len(hand.scores) != rules.side_count:
        wanted: dict[str, int | str | list[int]] = {
            "count": len(hand.scores),
            "wanted": rules.side_count,
        }
        faults.append(DealFault("score-count", "/scores", None, wanted))
    faults += _players_twice(hand)
    _look_ahead(state, rules, actions)
    _look_at_trumps(state, actions)
    return state, rules, faults


def _look_at_trumps(state: State, actions: list[Action]) -> None:
    """Note what the record shows later of the trump and the stake."""
    verbs = [action.verb for action in actions]
    if Verb.REVEAL in verbs:
        shown = [suit_of(action.amount) for action in actions if action.verb == Verb.REVEAL]
        recorded = [suit for suit in shown if suit != TRUMP_NOT_RECORDED]
        state.will_show = recorded[0] if recorded else TRUMP_NOT_RECORDED
    if actions:
        # Without an action it is no record yet, and anything may follow.
        after_trumps = verbs[verbs.index(Verb.TRUMP) :] if Verb.TRUMP in verbs else []
        state.will_raise = sum(STAKE_CALLS >> verb & 1 for verb in after_trumps)


def _look_ahead(state: State, rules: Rules, actions: list[Action]) -> None:
    """Note what the record shows each seat doing later, which proves what it held and meant.

    A lay-off may be recorded in several actions. It ends where its seat does something else, or is
    given cards; what is laid off after a draw, a gift or the rob is another one.
    """
    going_on = 0
    ended = 0
    begun = 0
    made = [0] * rules.seats
    for action in actions:
        seat = action.seat
        if seat >= rules.seats or not _SHOWS_AHEAD >> action.verb & 1:
            continue
        if action.verb == Verb.PLAY:
            state.will_play[seat] |= action.cards
            if action.card < 0:
                state.hidden_plays[seat] += 1
        elif action.verb == Verb.BURY:
            state.will_play[seat] |= action.cards
            state.buries_ahead[seat] += 1
        elif action.verb in (Verb.DISCARD, Verb.DISCARD_UP):
            if going_on >> seat & 1:
                state.split_discards[seat] |= 1 << made[seat] - 1
            state.discards_ahead[seat] += not ended >> seat & 1
            made[seat] += 1
            going_on |= 1 << seat
            begun |= 1 << seat
        elif action.verb == Verb.GIVE:
            partner = partner_of(rules, seat)
            state.gifts_ahead |= 1 << seat
            going_on &= ~(1 << seat | 1 << partner)
            ended |= 1 << partner & begun
        elif action.verb == Verb.FOLD:
            state.folds_ahead |= 1 << seat
        elif action.verb == Verb.DRAW:
            going_on &= ~(1 << seat)
            ended |= 1 << seat
        elif action.verb == Verb.ROB:
            going_on = 0
            ended = all_seats(rules)


def _players_twice(hand: Hand) -> list[DealFault]:
    """Nobody sits at two seats (0.players)."""
    faults = []
    seats: dict[str, int] = {}
    for seat, player in enumerate(hand.players):
        if player.id in seats:
            facts: dict[str, int | str | list[int]] = {"id": player.id, "other": seats[player.id]}
            faults.append(DealFault("player-twice", f"/players/{seat}", seat, facts))
        seats.setdefault(player.id, seat)
    return faults


def _deal_hands(
    state: State,
    rules: Rules,
    places: list[tuple[str, int | None, list[int]]],
    faults: list[DealFault],
) -> None:
    """Give every seat its first packet now and the later ones to come.

    A deal that ended after its first packet lists no more than that. The odd card that goes to the
    dealer may be listed with his, or stand as the stock (S74).
    """
    short = places and all(len(cards) == rules.packet for _, _, cards in places)
    unlisted = [-1] * (rules.dealt - rules.packet) if short else []
    for seat in range(rules.seats):
        cards = places[seat][2] + unlisted if places else [-1] * rules.dealt
        odd = odd_cards(rules) if seat == state.dealer else 0
        if len(cards) not in (rules.dealt, rules.dealt + odd):
            faults.append(
                DealFault(
                    "deal-size", f"/deal/{seat}", seat, {"count": len(cards), "wanted": rules.dealt}
                )
            )
        now, later = cards[: rules.packet], cards[rules.packet :]
        # A card written twice in one hand stands for some other card the second time.
        state.holding[seat] = mask_of(now)
        state.unknown[seat] = len(now) - state.holding[seat].bit_count()
        state.reserve[seat] = mask_of(later)
        state.reserve_unknown[seat] = len(later) - state.reserve[seat].bit_count()
        if rules.seventh_card and 2 <= len(cards) == rules.dealt:
            state.last_but_one[seat] = cards[-2]


def odd_cards(rules: Rules) -> int:
    """Return how many cards are over when the pack has been dealt, for the dealer to take (S74)."""
    over = rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
    return over if rules.odd_card == OddCard.DEALER and over < rules.seats else 0


def _lay_kitty(
    state: State, rules: Rules, kitty: list[int] | None, faults: list[DealFault]
) -> None:
    cards = [-1] * rules.kitty_size if kitty is None else kitty
    if len(cards) != rules.kitty_size:
        facts: dict[str, int | str | list[int]] = {
            "count": len(cards),
            "wanted": rules.kitty_size,
        }
        faults.append(DealFault("kitty-size", "/kitty", None, facts))
    state.kitty = mask_of(cards)
    state.kitty_unknown = len(cards) - state.kitty.bit_count()


def _lay_stock(
    state: State, rules: Rules, stock: list[int] | None, faults: list[DealFault]
) -> None:
    """Lay the stock; cards nobody is recorded to hold may be in it."""
    size = rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
    dealer = state.dealer
    listed = state.reserve[dealer].bit_count() + state.reserve_unknown[dealer]
    if listed > rules.dealt - rules.packet:
        size -= odd_cards(rules)
    cards = [-1] * size if stock is None else stock
    if len(cards) != size:
        facts: dict[str, int | str | list[int]] = {"count": len(cards), "wanted": size}
        faults.append(DealFault("stock-size", "/stock", None, facts))
        cards = (cards + [-1] * size)[:size]
    for index, card in enumerate(cards):
        state.stock[index] = card if card >= 0 else -1
    state.stock_size = size
    elsewhere = state.kitty
    for seat in range(rules.seats):
        elsewhere |= state.holding[seat] | state.reserve[seat]
    if all(card >= 0 for card in cards):
        state.stock_set = mask_of(cards)
    else:
        state.stock_set = rules.pack & ~elsewhere


def _conservation(rules: Rules, places: list[tuple[str, int | None, list[int]]]) -> list[DealFault]:
    """Every card of the pack exists once."""
    faults = []
    seen: dict[int, str] = {}
    for pointer, seat, cards in places:
        for card in cards:
            if card < 0:
                continue
            if not rules.pack >> card & 1:
                faults.append(DealFault("card-not-in-pack", pointer, seat, {"card": card}))
            elif card in seen:
                facts: dict[str, int | str | list[int]] = {"card": card, "first": seen[card]}
                faults.append(DealFault("card-twice", pointer, seat, facts))
            else:
                seen[card] = pointer
    return faults
