"""Players made of a few card sense rules, for generated games.

They see only what a player sees: their own cards, the auction, the cards played, trumps once
known. Every choice is made among what the engine says is legal. A temperament shifts how much
they bid and how often they play without thinking.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from replay.judgement import Judgement
from replay.policies import PlainFollow
from replay.records import NO_TRUMPS, Rules, State
from replay.rules.play import beats
from replay.rules.table import Legal, hand_count, live_trump, named_trump, side_of
from schemas.actions import Action, Verb
from schemas.cards import cards_in


@dataclass(frozen=True, slots=True)
class Temperament:
    """How a bot differs from a sensible one."""

    name: str
    reach: float
    """How far above what it expects to take it bids, in standard deviations of its judgement."""
    carelessness: float
    """Chance to play any legal card."""


_ROOM: Final = 20
"""In an auction with more room than this nobody climbs point by point."""

_WITH_CARDS: Final = (
    *(Verb.KITTY, Verb.GIVE, Verb.DISCARD_UP, Verb.DISCARD, Verb.DRAW, Verb.ROB, Verb.SHOW),
    Verb.BURY,
)

STEADY: Final = Temperament("steady", 0.0, 0.0)
TEMPERAMENTS: Final = (
    STEADY,
    Temperament("bold", 0.35, 0.0),
    Temperament("careful", -0.35, 0.0),
    Temperament("weak", 0.05, 0.35),
)


@dataclass(slots=True)
class Bot:
    """One player at the table."""

    temperament: Temperament
    seat: int
    judgement: Judgement
    chance: random.Random

    def best_trump(self, rules: Rules, held: int) -> tuple[int, float]:
        """Return the suit this hand should name, and the share expected with it."""
        suits = [(self.judgement.share(rules, held, trump), -trump) for trump in range(4)]
        share, trump = max(suits)
        return -trump, share

    def worth(self, rules: Rules, held: int) -> int:
        """Return the bid this hand is worth to this player."""
        share = self.best_trump(rules, held)[1] + self.temperament.reach * self.judgement.spread
        return int(share * rules.all_points)

    def call(self, state: State, rules: Rules, options: Legal) -> int:
        """Return a bid, or 0 to pass. Where there is room it goes half of the way at once."""
        if not options.high:
            return 0
        if not options.verbs >> Verb.PASS & 1:
            return options.low
        worth = min(options.high, self.worth(rules, state.holding[self.seat]))
        if state.maker >= 0 and side_of(rules, state.maker) == side_of(rules, self.seat):
            worth -= max(1, rules.all_points // 10)
        if worth < options.low:
            return 0
        room = rules.max_bid - rules.min_bid
        return options.low + (worth - options.low) // 2 if room > _ROOM else options.low

    def volunteer(self, state: State, rules: Rules, options: Legal) -> Action | None:
        """Declare a pair, and raise the stake or play alone with the cards for it."""
        verbs = options.verbs
        held = state.holding[self.seat]
        if verbs >> Verb.PAIR & 1:
            return Action(self.seat, Verb.PAIR)
        if verbs >> Verb.TENNY & 1 and self._sure_tricks(rules, held) == hand_count(
            state, self.seat
        ):
            return Action(self.seat, Verb.TENNY)
        if verbs >> Verb.SOLO & 1 and self._sure_tricks(rules, held) == hand_count(
            state, self.seat
        ):
            return Action(self.seat, Verb.SOLO)
        if verbs >> Verb.DOUBLE & 1 and self._defends_well(state, rules):
            return Action(self.seat, Verb.DOUBLE)
        for verb in (Verb.REDOUBLE, Verb.SUPER):
            if verbs >> verb & 1 and self._is_strong(state, rules):
                return Action(self.seat, verb)
        return None

    def decide(self, state: State, rules: Rules, options: Legal) -> Action | None:
        """Return what this player does in turn."""
        verbs = options.verbs
        held = state.holding[self.seat]
        if verbs >> Verb.PLAY & 1:
            return _of_cards(self.seat, Verb.PLAY, 1 << self.card(state, rules, options))
        if verbs & (1 << Verb.BID | 1 << Verb.PASS):
            bid = self.call(state, rules, options)
            return Action(self.seat, Verb.BID if bid else Verb.PASS, bid)
        if verbs >> Verb.TRUMP & 1:
            return Action(self.seat, Verb.TRUMP, self.best_trump(rules, held)[0])
        if verbs >> Verb.REVEAL & 1:
            return Action(self.seat, Verb.REVEAL, state.trump)
        for verb in (Verb.ASK, Verb.FOLD):
            if verbs >> verb & 1:
                return Action(self.seat, verb)
        for verb in _WITH_CARDS:
            if verbs >> verb & 1:
                cards = self.pick(rules, named_trump(state), options)
                return _of_cards(self.seat, verb, cards) if cards else None
        return None

    def _sure_tricks(self, rules: Rules, held: int) -> int:
        """Return how many tricks without trumps no cards of the others can take."""
        sure = 0
        for suit in range(4):
            own = held & rules.suit_cards[NO_TRUMPS][suit]
            outside = rules.suit_cards[NO_TRUMPS][suit] & ~own
            highest = max(
                (rules.strength[NO_TRUMPS][card] for card in cards_in(outside)), default=0
            )
            top = sum(rules.strength[NO_TRUMPS][card] > highest for card in cards_in(own))
            certain = top >= min(own.bit_count(), outside.bit_count())
            sure += own.bit_count() if certain else top
        return sure

    def _defends_well(self, state: State, rules: Rules) -> bool:
        """Is this hand as good as the bid it defends against?"""
        return self.worth(rules, state.holding[self.seat]) > state.high_bid

    def _is_strong(self, state: State, rules: Rules) -> bool:
        """Is this hand worth clearly more than the bid?"""
        margin = rules.all_points // 5
        return self.worth(rules, state.holding[self.seat]) > state.high_bid + margin

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


def _of_cards(seat: int, verb: Verb, cards: int) -> Action:
    first = cards_in(cards)[0]
    return Action(seat, verb, 0, first, cards, cards.bit_count())
