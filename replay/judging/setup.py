"""From a hand log to the first state: who holds what, and whether the deal can be true.

Sources: 0.deal, 0.conservation.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import UNSET

from replay.engine.records import Rules, State
from replay.engine.rules import opening
from replay.model import BadRecord
from replay.rulesets.ruleset import Ruleset
from schemas.actions import Action, ActionError, parse_action
from schemas.cards import parse_cards
from schemas.hand import Hand
from schemas.words import counted


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
            raise BadRecord("/deal", f"holds {counted(len(hand.deal), 'hand')} for {seats} players")
        places = [
            (f"/deal/{seat}", seat, _cards_at(f"/deal/{seat}", text))
            for seat, text in enumerate(hand.deal)
        ]
    stock = _cards_at("/stock", hand.stock) if hand.stock is not UNSET else None
    listed = -1 if stock is None else len(stock)
    undealt = opening.leaves_undealt(rules, actions, len(actions), listed)
    undealt = undealt and _is_short(rules, places)
    _deal_hands(state, rules, places, faults, undealt=undealt)
    kitty = _cards_at("/kitty", hand.kitty) if hand.kitty is not UNSET else None
    if kitty is not None and len(kitty) != rules.kitty_size:
        faults.append(_size_fault("kitty-size", "/kitty", None, len(kitty), rules.kitty_size))
    opening.lay_kitty(state, rules, kitty or [], 0, -1 if kitty is None else len(kitty))
    wanted = opening.undealt(rules) if undealt else opening.stock_size(state, rules)
    if stock is not None and len(stock) != wanted:
        faults.append(_size_fault("stock-size", "/stock", None, len(stock), wanted))
    opening.lay_stock(state, rules, stock or [], 0, len(stock or ()), wanted)
    places += [("/kitty", None, kitty or []), ("/stock", None, stock or [])]
    faults += _conservation(rules, places)
    if hand.scores is not UNSET and len(hand.scores) != rules.side_count:
        count = len(hand.scores)
        faults.append(_size_fault("score-count", "/scores", None, count, rules.side_count))
    faults += _players_twice(hand)
    opening.look_ahead(state, rules, actions, len(actions))
    opening.look_at_trumps(state, actions, len(actions))
    return state, rules, faults


def _size_fault(code: str, pointer: str, seat: int | None, count: int, wanted: int) -> DealFault:
    return DealFault(code, pointer, seat, {"count": count, "wanted": wanted})


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
    *,
    undealt: bool,
) -> None:
    """Deal to every seat what the record lists for it.

    A deal that ended after its first packet lists no more than that; ``undealt``: the cards of the
    later ones stand as the stock. The odd card that goes to the dealer may be listed with the
    dealer's, or stand as the stock (S74).
    """
    short = _is_short(rules, places)
    for seat in range(rules.seats):
        cards = places[seat][2] if places else []
        size = len(cards) if places and (undealt or not short) else rules.dealt
        odd = opening.odd_cards(rules) if seat == state.dealer else 0
        if not undealt and size not in (rules.dealt, rules.dealt + odd):
            fault = _size_fault("deal-size", f"/deal/{seat}", seat, size, rules.dealt)
            faults.append(fault)
        opening.deal_seat(state, rules, seat, cards, 0, len(cards), size)


def _is_short(rules: Rules, places: list[tuple[str, int | None, list[int]]]) -> bool:
    """Does the record list just the first packet of every seat?"""
    return bool(places) and all(len(cards) == rules.packet for _, _, cards in places)


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
