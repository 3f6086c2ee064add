"""Players made of a few card sense rules, for generated games.

They see only what a player sees: their own cards, the auction, the cards played, trumps once
known. Every choice is made among what the engine says is legal. A temperament shifts how much
they bid and how often they play without thinking.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from replay.bots.hand_evaluation import Judgement
from replay.engine.policies import Phase, PlainFollow, Refill
from replay.engine.records import NO_TRUMPS, Rules, State
from replay.engine.rules.play import beats
from replay.engine.rules.table import (
    Legal,
    hand_count,
    live_trump,
    named_trump,
    side_of,
    trump_code,
)
from schemas.actions import NO_TRUMP, SEVENTH_CARD, Action, Verb
from schemas.cards import cards_in


@dataclass(frozen=True, slots=True)
class Temperament:
    """How a bot differs from a sensible one."""

    name: str
    reach: float
    """How far above what it expects to take it bids, in standard deviations of its judgement."""
    carelessness: float
    """Chance to play any legal card."""


_ENOUGH_SURE: Final = 3
"""With so many sure tricks a hand does without trumps."""
_LONG: Final = 2
_WITH_CARDS: Final = (
    *(Verb.KITTY, Verb.GIVE, Verb.DISCARD_UP, Verb.DISCARD, Verb.DRAW, Verb.ROB, Verb.SHOW),
    Verb.BURY,
)

STEADY: Final = Temperament("steady", -0.1, 0.0)
TEMPERAMENTS: Final = (
    STEADY,
    Temperament("bold", 0.25, 0.0),
    Temperament("careful", -0.4, 0.0),
    Temperament("weak", 0.0, 0.35),
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
        """Return a bid, or 0 to pass. Far below what a hand is worth it goes half of the way."""
        if not options.high:
            return 0
        if not options.verbs >> Verb.PASS & 1:
            return options.low
        worth = min(options.high, self.worth(rules, state.holding[self.seat]))
        if self._is_partners(state, rules):
            worth -= max(1, rules.all_points // 10)
        if worth < options.low:
            return 0
        if options.low * 2 < rules.all_points:
            return options.low + (worth - options.low) // 2
        return options.low

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
        if verbs >> Verb.CLAIM & 1:
            return self._claim(state, rules, options)
        if verbs >> Verb.DOUBLE & 1 and self._defends_well(state, rules):
            return Action(self.seat, Verb.DOUBLE)
        for verb in (Verb.REDOUBLE, Verb.SUPER):
            if verbs >> verb & 1 and self._is_strong(state, rules):
                return Action(self.seat, verb)
        return None

    def decide(self, state: State, rules: Rules, options: Legal) -> Action | None:
        """Return what this player does in turn; nothing where that is allowed and as good."""
        verbs = options.verbs
        if verbs >> Verb.REVEAL & 1 and self._wants_to_know(state, rules, verbs):
            return Action(self.seat, Verb.REVEAL, trump_code(state))
        if verbs >> Verb.ASK & 1 and self._wants_to_know(state, rules, verbs):
            return Action(self.seat, Verb.ASK)
        if verbs >> Verb.PLAY & 1:
            return _of_cards(self.seat, Verb.PLAY, 1 << self.card(state, rules, options))
        if verbs & (1 << Verb.BID | 1 << Verb.PASS):
            return self._call(state, rules, options)
        if verbs >> Verb.TRUMP & 1:
            code = self.trump(rules, state.holding[self.seat], options.trumps)
            return Action(self.seat, Verb.TRUMP, code)
        for verb in (Verb.FOLD, Verb.THROW_IN):
            if verbs >> verb & 1:
                return Action(self.seat, verb)
        for verb in _WITH_CARDS:
            if verbs >> verb & 1:
                cards = self.pick(state, rules, options)
                return _of_cards(self.seat, verb, cards) if cards else None
        return None

    def _call(self, state: State, rules: Rules, options: Legal) -> Action:
        bid = self.call(state, rules, options)
        if bid:
            return Action(self.seat, Verb.BID, bid)
        holds = options.verbs >> Verb.DITTO & 1 and not self._is_partners(state, rules)
        if holds and self.worth(rules, state.holding[self.seat]) >= state.high_bid:
            return Action(self.seat, Verb.DITTO)
        return Action(self.seat, Verb.PASS)

    def _is_partners(self, state: State, rules: Rules) -> bool:
        """Is the standing bid this player's own side's?"""
        return state.maker >= 0 and side_of(rules, state.maker) == side_of(rules, self.seat)

    def trump(self, rules: Rules, held: int, codes: int) -> int:
        """Return the trump to name: a suit; no trumps with the high cards for it; or by chance.

        A short hand leaves it to the seventh card.
        """
        suits = [trump for trump in range(4) if codes >> trump & 1]
        best = max(suits, key=lambda trump: (self.judgement.share(rules, held, trump), -trump))
        if codes >> NO_TRUMP & 1 and self._sure_tricks(rules, held) >= _ENOUGH_SURE:
            return NO_TRUMP
        longest = (held & rules.trump_cards[best]).bit_count()
        if codes >> SEVENTH_CARD & 1 and longest < _LONG:
            return SEVENTH_CARD
        return best

    def _wants_to_know(self, state: State, rules: Rules, verbs: int) -> bool:
        """Is the trump to be seen now? Where nobody has to ask, for the sake of points."""
        if not verbs >> Verb.PLAY & 1:
            return True
        points = 0
        for card in state.trick_cards[: rules.seats]:
            points += rules.points[NO_TRUMPS][card] if card >= 0 else 0
        return points > 0 and self._winner(state, rules) != side_of(rules, self.seat)

    def _winner(self, state: State, rules: Rules) -> int:
        """Return the side that is winning the trick on the table."""
        trump = live_trump(state, rules)
        best = state.leader
        for seat in range(rules.seats):
            card = state.trick_cards[seat]
            if card >= 0 and beats(state, rules, trump, card, state.trick_cards[best]):
                best = seat
        return side_of(rules, best)

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

    def _claim(self, state: State, rules: Rules, options: Legal) -> Action:
        """Take the best trump out of the discards, for the least plain card if there is one."""
        trump = named_trump(state)
        card = max(cards_in(options.may), key=lambda card: self._worth(rules, trump, card))
        plain = cards_in(state.holding[self.seat] & ~rules.trump_cards[trump])
        given = [min(plain, key=lambda card: self._worth(rules, trump, card))] if plain else []
        cards = 1 << card | sum(1 << other for other in given)
        return Action(self.seat, Verb.CLAIM, 0, card, cards, cards.bit_count())

    def _defends_well(self, state: State, rules: Rules) -> bool:
        """Is this hand as good as the bid it defends against?"""
        return self.worth(rules, state.holding[self.seat]) > state.high_bid

    def _is_strong(self, state: State, rules: Rules) -> bool:
        """Is this hand worth clearly more than the bid?"""
        margin = rules.all_points // 5
        return self.worth(rules, state.holding[self.seat]) > state.high_bid + margin

    def pick(self, state: State, rules: Rules, options: Legal) -> int:
        """Return the set of cards to lay off, draw, rob or bury: what must, then what is least.

        Plain cards that new ones come for all go, and the dealer takes the best there is.
        """
        trump = named_trump(state)
        chosen = options.must
        limited = (chosen & options.limited).bit_count()
        takes = options.verbs & (1 << Verb.ROB | 1 << Verb.DRAW) != 0
        wanted = options.most if options.verbs >> Verb.ROB & 1 else options.least
        if state.phase == Phase.DISCARD and rules.refill != Refill.NOBODY:
            plain = options.may & ~rules.trump_cards[trump]
            wanted = min(options.most, max(wanted, (options.must | plain).bit_count()))
        spare = sorted(
            cards_in(options.may & ~options.must),
            key=lambda card: self._worth(rules, trump, card),
            reverse=takes,
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
            if card >= 0 and beats(state, rules, trump, card, state.trick_cards[best_seat]):
                best_seat = seat
        best = state.trick_cards[best_seat]
        winners = [card for card in cards if beats(state, rules, trump, card, best)]
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
            and beats(state, rules, trump, card, best)
            for card in self._unseen(state, rules)
        )


def _of_cards(seat: int, verb: Verb, cards: int) -> Action:
    first = cards_in(cards)[0]
    return Action(seat, verb, 0, first, cards, cards.bit_count())
