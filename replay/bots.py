"""Players made of a few card sense rules, for generated games.

They see only what a player sees: their own cards, the auction, the cards played, trumps once
known. Every choice is made among what the engine says is legal. A temperament shifts how much
they bid and how often they play without thinking.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from replay.policies import PlainFollow, PointsIn
from replay.records import Rules, State
from replay.rules.play import beats
from replay.rules.table import Legal, live_trump, side_of
from schemas.actions import Verb
from schemas.cards import cards_in


@dataclass(frozen=True, slots=True)
class Temperament:
    """How a bot differs from a sensible one."""

    name: str
    reach: float
    """Added to the share of the points in play that it expects to take."""
    carelessness: float
    """Chance to play any legal card."""


TEMPERAMENTS: Final = (
    Temperament("steady", 0.0, 0.0),
    Temperament("bold", 0.09, 0.0),
    Temperament("careful", -0.07, 0.0),
    Temperament("weak", 0.0, 0.35),
)

_CONTROL: Final = (1.0, 0.75, 0.5, 0.35)
"""What the four highest trumps are worth in command of the suit; every other one 0.2."""


@dataclass(slots=True)
class Bot:
    """One player at the table."""

    temperament: Temperament
    seat: int
    points_in: PointsIn
    chance: random.Random

    def estimate(self, rules: Rules, held: int, trump: int) -> float:
        """Return the share of the points this side may expect to take with ``trump`` named."""
        order = sorted(
            cards_in(rules.trump_cards[trump]), key=lambda card: -rules.strength[trump][card]
        )
        command = 0.0
        for place, card in enumerate(order):
            if held >> card & 1:
                command += _CONTROL[place] if place < len(_CONTROL) else 0.2
        if self.points_in == PointsIn.EVERY_SUIT:
            jacks = sum(0.05 for card in cards_in(held) if rules.points[trump][card] == 3)
            return 0.36 + 0.07 * command + jacks + self.temperament.reach
        base = 0.22 + 0.13 * command
        total = sum(rules.points[trump])
        expected = 0.0
        for place, card in enumerate(order):
            own = held >> card & 1
            hold = 0.4 if place < 2 else 0.15
            sure = base + hold if own else base - 0.05
            expected += rules.points[trump][card] * max(0.0, min(0.97, sure))
        return expected / total + self.temperament.reach

    def best_trump(self, rules: Rules, held: int) -> tuple[int, float]:
        """Return the suit this hand should name, and the share expected with it."""
        suits = [(self.estimate(rules, held, trump), trump) for trump in range(4)]
        share, trump = max(suits)
        return trump, share

    def call(self, state: State, rules: Rules, options: Legal) -> int:
        """Return a bid, or 0 to pass."""
        if not options.high:
            return 0
        if not options.verbs >> Verb.PASS & 1:
            return options.low
        partner_leads = state.maker >= 0 and side_of(rules, state.maker) == side_of(
            rules, self.seat
        )
        trump, share = self.best_trump(rules, state.holding[self.seat])
        total = sum(rules.points[trump])
        worth = int(share * total) - (total // 14 if partner_leads else 0)
        return options.low if worth >= options.low else 0

    def pick(self, rules: Rules, trump: int, options: Legal) -> int:
        """Return the set of cards to lay off, draw, rob or bury: what must, then what is least.

        Free to lay off what it likes, a bot lays off its plain cards.
        """
        chosen = options.must
        limited = (chosen & options.limited).bit_count()
        wanted = options.most if options.verbs >> Verb.ROB & 1 else options.least
        if options.verbs & (1 << Verb.DISCARD | 1 << Verb.DISCARD_UP):
            plain = (options.may & ~rules.trump_cards[trump]).bit_count()
            wanted = max(wanted, min(plain, options.most))
        keeps_best = not options.verbs & (1 << Verb.ROB | 1 << Verb.DRAW)
        spare = sorted(
            cards_in(options.may & ~options.must),
            key=lambda card: self._worth(rules, trump, card),
            reverse=not keeps_best,
        )
        for card in spare:
            if chosen.bit_count() >= wanted:
                break
            if options.limited >> card & 1:
                if limited >= options.limit:
                    continue
                limited += 1
            chosen |= 1 << card
        return chosen

    def _worth(self, rules: Rules, trump: int, card: int) -> tuple[int, int, int]:
        is_trump = rules.trump_cards[trump] >> card & 1
        return rules.points[trump][card], is_trump, rules.strength[trump][card]

    def card(self, state: State, rules: Rules, options: Legal) -> int:
        """Return the card to play."""
        cards = cards_in(options.may)
        if len(cards) > 1 and self.chance.random() < self.temperament.carelessness:
            return self.chance.choice(cards)
        if len(cards) == 1:
            return cards[0]
        return (
            self._lead(state, rules, cards)
            if state.played == 0
            else self._follow(state, rules, cards)
        )

    def _lead(self, state: State, rules: Rules, cards: list[int]) -> int:
        """Lead the best card that is out when it is ours, otherwise something cheap."""
        trump = live_trump(state, rules)
        unseen = self._unseen(state, rules)
        masters = [
            card
            for card in cards
            if not any(
                rules.suit[trump][other] == rules.suit[trump][card]
                and rules.strength[trump][other] > rules.strength[trump][card]
                for other in unseen
            )
        ]
        trumps = [card for card in masters if rules.trump_cards[trump] >> card & 1]
        if trumps:
            return max(trumps, key=lambda card: rules.strength[trump][card])
        if masters and rules.plain_follow != PlainFollow.ANY:
            return max(masters, key=lambda card: self._worth(rules, trump, card))
        return min(cards, key=lambda card: self._worth(rules, trump, card))

    def _unseen(self, state: State, rules: Rules) -> list[int]:
        """Return the cards that may still be in another hand, as this player knows."""
        gone = state.holding[self.seat] | state.discarded[self.seat]
        for seat in range(rules.seats):
            gone |= state.at_play[seat] & ~state.holding[seat] & ~state.discarded[seat]
        return cards_in(rules.pack & ~gone)

    def _follow(self, state: State, rules: Rules, cards: list[int]) -> int:
        """Put points on a trick that is ours, win it cheaply if it is worth it, else duck."""
        trump = live_trump(state, rules)
        best_seat = state.leader
        for seat in range(rules.seats):
            card = state.trick_cards[seat]
            if card >= 0 and beats(state, rules, card, state.trick_cards[best_seat]):
                best_seat = seat
        best = state.trick_cards[best_seat]
        winners = [card for card in cards if beats(state, rules, card, best)]
        last = state.pending == 1 << self.seat
        ours = side_of(rules, best_seat) == side_of(rules, self.seat)
        if ours and (last or not self._threatened(state, rules, best, trump)):
            losers = [card for card in cards if card not in winners]
            return max(
                losers or cards,
                key=lambda card: (rules.points[trump][card], -rules.strength[trump][card]),
            )
        if winners and not ours:
            if last:
                return max(
                    winners,
                    key=lambda card: (rules.points[trump][card], -rules.strength[trump][card]),
                )
            return max(
                winners,
                key=lambda card: (-rules.points[trump][card], rules.strength[trump][card]),
            )
        return min(cards, key=lambda card: self._worth(rules, trump, card))

    def _threatened(self, state: State, rules: Rules, best: int, trump: int) -> bool:
        """Whether a card still out could beat the best card of the trick."""
        return any(
            rules.suit[trump][card] in (rules.suit[trump][best], trump)
            and beats(state, rules, card, best)
            for card in self._unseen(state, rules)
        )
