"""What the cards are and who sits with whom: a ruleset read in words."""

from collections.abc import Iterable, Mapping
from typing import Any

from tricklog import Hand, ruleset_of

MATE = {"S": "C", "C": "S", "H": "D", "D": "H"}
JOKER = "JO"


class Game:
    """The rules of a table, as `values` of a ruleset write them. A trump of "" is none."""

    def __init__(self, values: Mapping[str, Any], seats: int) -> None:
        self.values = values
        self.seats = seats
        self.order: str = values["ranks"]
        self.worth: dict[str, int] = values["points"]
        self.pack = [rank + suit for suit in "SHDC" for rank in self.order]
        if values["joker"]:
            self.pack.append(JOKER)
        ranks = {"off_five": "5", "off_jack": "J"}
        off = {kind: rank for kind, rank in ranks.items() if values[kind]}
        # By trump: the trumps of the other suit of the colour, by their kind.
        self.off_cards: dict[str, dict[str, str]] = {
            trump: {kind: rank + MATE[trump] for kind, rank in off.items()} for trump in MATE
        }
        self.packets: list[int] = list(values["packets"])
        self.hand_size: int = values["hand_size"]
        if values["deal"] == "whole-pack":
            self.packets = [len(self.pack) // seats]
            self.hand_size = self.packets[0]
        self.step = 1 if values["direction"] == "clockwise" else -1
        against = values["call_direction"] == "against-play"
        self.call_step = -self.step if against else self.step
        self.partners: bool = values["sides"] == "partners"
        self.secret: bool = values["trump_call"] == "secret"

    def has(self, policy: str, *answers: object) -> bool:
        return self.values[policy] in answers

    # --- Seats

    def next(self, seat: int) -> int:
        return (seat + self.step) % self.seats

    def next_to_call(self, seat: int) -> int:
        return (seat + self.call_step) % self.seats

    def callers_from(self, seat: int) -> list[int]:
        """Return all seats in the direction of the calls, beginning with `seat`."""
        return [(seat + self.call_step * place) % self.seats for place in range(self.seats)]

    def binds(self) -> bool:
        """Does somebody have to bid when nobody wants to?"""
        return self.has(
            "all_pass", "dealer-forced", "dealer-at-least", "first-forced", "first-opens"
        )

    def from_seat(self, seat: int) -> list[int]:
        """Return all seats in the direction of play, beginning with `seat`."""
        return [(seat + self.step * place) % self.seats for place in range(self.seats)]

    def side(self, seat: int) -> int:
        return seat % 2 if self.partners else seat

    @property
    def sides(self) -> int:
        return 2 if self.partners else self.seats

    # --- Cards

    def suit(self, card: str, trump: str) -> str:
        """Return the suit a card belongs to in play."""
        if card == JOKER:
            return trump or JOKER
        if trump and card in self.off_cards[trump].values():
            return trump
        return card[1]

    def is_trump(self, card: str, trump: str) -> bool:
        return bool(trump) and self.suit(card, trump) == trump

    def trumps(self, cards: Iterable[str], trump: str) -> set[str]:
        return {card for card in cards if self.is_trump(card, trump)}

    def plain(self, cards: Iterable[str], trump: str) -> set[str]:
        return {card for card in cards if not self.is_trump(card, trump)}

    def height(self, card: str, trump: str, *, reversed_ranks: bool = False) -> float:
        """Return how high a card stands within its suit."""
        if card == JOKER:
            return -99.0
        is_off = self.is_trump(card, trump) and card[1] != trump
        height = -self.order.index(card[0]) - (0.5 if is_off else 0.0)
        return -height if reversed_ranks else height

    def points(self, card: str, trump: str) -> int:
        """Return the worth of a card; `trump` is the suit chosen, shown or not."""
        if card == JOKER:
            return self.worth.get("joker", 0) if trump else 0
        for kind, off_card in self.off_cards.get(trump, {}).items():
            if card == off_card:
                return self.worth.get(kind, 0)
        if self.is_trump(card, trump) or self.values["points_in"] == "every-suit":
            return self.worth.get(card[0], 0)
        return 0

    def card_of(self, kind: str, trump: str) -> str:
        """Return the card that a kind of point card is when a suit is trump."""
        special = {"joker": JOKER, **self.off_cards[trump]}
        return special.get(kind, kind + trump)

    def point_trumps(self, cards: Iterable[str], trump: str) -> set[str]:
        return {card for card in self.trumps(cards, trump) if self.points(card, trump)}

    def blanks(self, cards: Iterable[str], trump: str) -> set[str]:
        """Return the trumps without points."""
        return {card for card in self.trumps(cards, trump) if not self.points(card, trump)}

    def two(self, trump: str) -> str:
        """Return the two of trumps where it carries points and somebody has a claim to it."""
        if not trump or "2" not in self.order or not self.points("2" + trump, trump):
            return ""
        return "2" + trump

    def all_points(self) -> int:
        game = 1 if self.values["game_point"] == "count" else 0
        cards = sum(self.points(card, "S") for card in self.pack)
        return cards + int(self.values["last_trick_points"]) + game


def game_of(hand: Hand) -> Game:
    """Return the game a hand was played by."""
    return Game(ruleset_of(hand).values, len(hand.players))
