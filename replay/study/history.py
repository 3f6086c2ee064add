"""What happened from the deal to a moment, filled in backwards once the cards are placed."""

import random
from dataclasses import replace
from typing import Final

from tricklog.core.engine.records import NO_TRUMPS, Rules
from tricklog.core.engine.rules.table import partner_of
from tricklog.core.study.knowledge import Known
from tricklog.core.study.places import Placed, trumps_of
from tricklog.schemas.actions import TRUMP_HIDDEN, Action, Verb
from tricklog.schemas.cards import cards_in, mask_of

_RECEIVES: Final = (Verb.DRAW, Verb.ROB, Verb.KITTY)
_PUTS_AWAY: Final = (Verb.DISCARD, Verb.DISCARD_UP, Verb.FOLD)


class History:
    """Fills in what happened from the moment back to the deal."""

    def __init__(self, known: Known, placed: Placed, chance: random.Random) -> None:
        self._known = known
        self._rules: Rules = known.rules
        self._placed = placed
        self._chance = chance
        self._hands: dict[int, int] = dict(placed.held)
        self._gone = dict(placed.gone)
        self._rest = placed.rest
        self._stock: list[list[int]] = []
        self._put_aside = -1
        self.seats = known.rules.seats
        self.actions = list(known.actions)
        self.kitty = 0
        self.stock: list[int] = []

    def fill(self) -> bool:
        """Fill everything in; return whether it comes out right."""
        known = self._known
        for index in range(len(self.actions) - 1, -1, -1):
            action = self.actions[index]
            if action.seat != known.seat and not self._undo(index, action):
                return False
            if action.seat == known.seat:
                self._undo_own(action)
        if self._placed.under:
            self._hands[known.maker] |= self._placed.under
        rest = cards_in(self._rest | known.rest_seen)
        self._chance.shuffle(rest)
        self.stock = [card for batch in reversed(self._stock) for card in batch] + rest
        return self._name_trumps() and self._right_sizes()

    def _undo_own(self, action: Action) -> None:
        verb = action.verb
        if verb == Verb.GIVE:
            partner = partner_of(self._rules, action.seat)
            self._hands[partner] = self._hands[partner] & ~action.cards
        elif verb == Verb.KITTY:
            self.kitty = action.cards
        elif verb in (Verb.DRAW, Verb.ROB):
            self._stock.append(cards_in(action.cards & ~self._laid_off()))

    def _laid_off(self) -> int:
        cards = 0
        for action in self.actions:
            if action.verb == Verb.ROB:
                break
            if action.verb in _PUTS_AWAY:
                cards |= action.cards
        return cards

    def _undo(self, index: int, action: Action) -> bool:
        """Give back what somebody else did; return whether there is a way."""
        verb, seat = action.verb, action.seat
        hands = self._hands
        if verb in (Verb.PLAY, Verb.BURY):
            hands[seat] |= action.cards
        elif verb in _PUTS_AWAY:
            cards = self._gone.get(index, action.cards)
            hands[seat] |= cards
            if verb != Verb.FOLD:
                self._name(index, cards)
        elif verb == Verb.CLAIM:
            claimed = 1 << action.card
            hands[seat] = hands[seat] & ~claimed | action.cards & ~claimed
        elif verb == Verb.GIVE:
            return self._undo_gift(index, action)
        elif verb == Verb.ROB and self._known.pooled:
            return self._undo_pool(index, action)
        elif verb in _RECEIVES:
            return self._undo_receipt(index, action)
        return True

    def _undo_receipt(self, index: int, action: Action) -> bool:
        """Take out of a hand what it drew, or the kitty: any of its cards that need not be kept."""
        seat, kitty = action.seat, action.verb == Verb.KITTY
        held = self._hands[seat]
        _, may_keep = self._known.kept.get(seat, (0, self._rules.pack))
        kept = self._drawn(held if kitty else held & may_keep, held.bit_count() - action.size)
        if kept is None:
            return False
        batch = self._take(index, held & ~kept)
        if kitty:
            self.kitty = batch
        else:
            self._stock.append(cards_in(batch))
        return True

    def _undo_gift(self, index: int, action: Action) -> bool:
        """Take a gift, of trumps, from who was given it, and put it into the hand of the giver."""
        giver, taker = action.seat, partner_of(self._rules, action.seat)
        if taker == self._known.seat:
            self._hands[giver] |= action.cards
            return True
        held = self._hands[taker]
        certain = self._known.given[taker][1] & held
        more = self._drawn(
            held & trumps_of(self._known) & ~certain, action.size - certain.bit_count()
        )
        if more is None:
            return False
        self._hands[giver] |= self._take(index, certain | more, taker)
        return True

    def _undo_pool(self, index: int, action: Action) -> bool:
        held = self._hands[action.seat]
        laid_off = self._laid_off()
        certain = held & laid_off
        more = self._drawn(held & ~certain, action.size - certain.bit_count())
        if more is None:
            return False
        batch = self._take(index, certain | more)
        pool = cards_in((self._rest | batch) & ~laid_off)
        self._chance.shuffle(pool)
        for each in self._known.leaves:
            if each.robbed:
                self._gone[each.action] = mask_of(pool[: each.size])
                del pool[: each.size]
                if self._gone[each.action] & ~(each.may | each.may_when_full):
                    return False
        self._rest = mask_of(pool) & ~batch
        self._stock.append([card for card in pool if batch >> card & 1])
        return True

    def _drawn(self, cards: int, count: int) -> int | None:
        among = cards_in(cards)
        if not 0 <= count <= len(among):
            return None
        return mask_of(self._chance.sample(among, count))

    def _take(self, index: int, cards: int, seat: int | None = None) -> int:
        self._hands[self.actions[index].seat if seat is None else seat] &= ~cards
        self._name(index, cards)
        return cards

    def _name(self, index: int, cards: int) -> None:
        action = self.actions[index]
        if action.cards != cards:
            first = cards_in(cards)[0] if cards else -1
            self.actions[index] = replace(action, card=first, cards=cards)

    def _name_trumps(self) -> bool:
        known, rules = self._known, self._rules
        if known.secret_maker < 0:
            return True
        dealt = cards_in(self._hands[known.secret_maker])
        if known.trump is not None:
            # The number of them was weighed where nothing else has changed hands since the deal.
            trumps = [card for card in dealt if trumps_of(known) >> card & 1]
            if not trumps:
                return False
            card = self._chance.choice(trumps)
        else:
            card = self._chance.choice(dealt)
        self._put_aside = card
        for index, action in enumerate(self.actions):
            if action.verb == Verb.TRUMP and action.amount == TRUMP_HIDDEN:
                suit = rules.suit[NO_TRUMPS][card] if known.trump is None else known.trump
                self.actions[index] = replace(action, amount=suit)
        return True

    def _right_sizes(self) -> bool:
        rules, known = self._rules, self._known
        odd = rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
        if known.first_only:
            return all(hand.bit_count() == rules.packet for hand in self._hands.values())
        return all(
            hand.bit_count() == rules.dealt
            or (seat == known.dealer and hand.bit_count() == rules.dealt + odd)
            for seat, hand in self._hands.items()
        )

    def dealt(self, seat: int) -> list[int]:
        """Return the cards dealt to a seat in the order in which they were."""
        known = self._known
        if seat == known.seat:
            first, later = known.dealt
            cards = [*cards_in(first), *cards_in(later)]
            under = known.last_but_one
        else:
            cards = cards_in(self._hands[seat])
            self._chance.shuffle(cards)
            cards.sort(key=lambda card: card != self._put_aside)
            under = -1
            if seat == known.maker:
                under = (self._placed.under | known.shown_under).bit_length() - 1
        if under in cards:
            cards.remove(under)
            cards.insert(len(cards) - 1, under)
        return cards
