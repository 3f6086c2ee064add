"""Counting all legal ways to play an ending out, against rules written a second time.

The count of continuations and the points that side 0 takes over all of them change with nearly
any mistake in what may be led, followed or dropped, and in who wins a trick. The second version
of the rules is written here from the rules pages, with sets of card names instead of bit masks.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from replay import engine
from replay.records import Rules, State, copy_state
from schemas.actions import Verb, format_action, parse_action
from schemas.cards import cards_in
from tests.support import Options, play_table, rules_of

MATE = {"S": "C", "C": "S", "H": "D", "D": "H"}


@dataclass(frozen=True)
class Ending:
    """Hands before a lead. In Twenty-Nine `maker` alone knows the trumps while they are hidden."""

    trumps: str
    hands: tuple[str, ...]
    leader: int = 0
    maker: int = 0
    shown: bool = True


@dataclass(frozen=True)
class System:
    """The answers of a system, in words of its rules page."""

    variant: str
    options: Options = field(default_factory=dict)
    order: str = "AKQJT98765432"
    worth: dict[str, int] = field(default_factory=lambda: {"A": 1, "J": 1, "T": 1, "5": 5, "2": 1})
    off_five: int = 5
    plain_points: bool = False
    with_suit: str = "suit or trump"
    without_suit: str = "any"
    up_without_trumps: bool = False
    only_trumps: bool = False
    leader_keeps_plain: bool = False
    two_to: str = "holder"
    hidden: bool = False


PEDRO = System("pedro")
SYSTEMS = {
    "pedro": PEDRO,
    "pedro-O11": System("pedro", {"plain_follow": "follow"}, with_suit="suit"),
    "pedro-O12": System("pedro", {"plain_follow": "any"}, with_suit="any"),
    "pedro-O16": System("pedro", {"plain_void": "must-trump"}, without_suit="trump"),
    "pedro-O17": System("pedro", {"low_to": "winner"}, two_to="winner"),
    "pidro": System("pidro", up_without_trumps=True, only_trumps=True),
    "king-pedro": System(
        "king-pedro",
        worth={"A": 1, "K": 30, "J": 1, "T": 1, "5": 5, "2": 1},
        with_suit="any",
        up_without_trumps=True,
        leader_keeps_plain=True,
    ),
    "king-pedro-C17": System(
        "king-pedro",
        {"trumpless_trick": "highest-of-suit"},
        worth={"A": 1, "K": 30, "J": 1, "T": 1, "5": 5, "2": 1},
        with_suit="any",
        up_without_trumps=True,
    ),
    "twenty-nine": System(
        "twenty-nine",
        order="J9ATKQ87",
        worth={"J": 3, "9": 2, "A": 1, "T": 1},
        off_five=0,
        plain_points=True,
        with_suit="suit",
        hidden=True,
    ),
}


# --- The rules a second time


class Table:
    """Cards as names, hands as sets; nothing is shared with the engine."""

    def __init__(self, system: System, ending: Ending) -> None:
        self.system = system
        self.trumps = ending.trumps
        self.maker = ending.maker
        self.holder_of_two = next(
            (seat for seat, hand in enumerate(ending.hands) if f"2{ending.trumps}" in hand), None
        )

    def suit(self, card: str) -> str:
        if self.system.off_five and card == "5" + MATE[self.trumps]:
            return self.trumps
        return card[1]

    def is_trump(self, card: str) -> bool:
        return self.suit(card) == self.trumps

    def height(self, card: str) -> float:
        low = 0.5 if self.is_trump(card) and card[1] != self.trumps else 0.0
        return -self.system.order.index(card[0]) - low

    def points(self, card: str) -> int:
        if self.is_trump(card) and card[1] != self.trumps:
            return self.system.off_five
        if self.is_trump(card) or self.system.plain_points:
            return self.system.worth.get(card[0], 0)
        return 0

    def is_up(self, hand: frozenset[str]) -> bool:
        return self.system.up_without_trumps and not any(self.is_trump(card) for card in hand)

    def choices(
        self, hand: frozenset[str], trick: list[tuple[int, str]], *, shown: bool
    ) -> set[str]:
        """Return the cards that may be played, `shown` says whether trumps are known."""
        trumps = {card for card in hand if self.is_trump(card)} if shown else set()
        if self.system.only_trumps:
            return trumps
        if not trick:
            return set(hand)
        led = self.suit(trick[0][1])
        if shown and led == self.trumps:
            return trumps or set(hand)
        suited = {card for card in hand if self.suit(card) == led}
        if suited:
            return {
                "suit": suited,
                "suit or trump": suited | trumps,
                "any": set(hand),
            }[self.system.with_suit]
        return (trumps or set(hand)) if self.system.without_suit == "trump" else set(hand)

    def winner(self, trick: list[tuple[int, str]], *, shown: bool) -> int:
        trumps = [play for play in trick if self.is_trump(play[1])] if shown else []
        if not trumps and self.system.leader_keeps_plain:
            return trick[0][0]
        led = self.suit(trick[0][1])
        rivals = trumps or [play for play in trick if self.suit(play[1]) == led]
        return max(rivals, key=lambda play: self.height(play[1]))[0]

    def score(self, trick: list[tuple[int, str]], winner: int) -> int:
        """Return what side 0 takes."""
        total = 0
        for seat, card in trick:
            taker = winner
            if card == "2" + self.trumps and self.system.two_to != "winner":
                taker = seat if self.system.variant == "king-pedro" else (self.holder_of_two or 0)
            if taker % 2 == 0:
                total += self.points(card)
        return total

    def play_out(
        self,
        hands: tuple[frozenset[str], ...],
        turn: int,
        trick: list[tuple[int, str]],
        *,
        shown: bool,
    ) -> Iterator[int]:
        """Yield side 0's points of every way to play on."""
        waiting = [seat for seat in range(4) if hands[seat] and seat not in dict(trick)]
        waiting = [seat for seat in waiting if not self.is_up(hands[seat])]
        if not waiting and not trick:
            yield 0
            return
        if not waiting:
            winner = self.winner(trick, shown=shown)
            taken = self.score(trick, winner)
            for rest in self.play_out(hands, winner, [], shown=shown):
                yield taken + rest
            return
        while turn not in waiting:
            turn = (turn + 1) % 4
        void = bool(trick) and not any(
            self.suit(card) == self.suit(trick[0][1]) for card in hands[turn]
        )
        known = shown or (self.system.hidden and void)
        for card in sorted(self.choices(hands[turn], trick, shown=known)):
            left = tuple(hand - {card} if seat == turn else hand for seat, hand in enumerate(hands))
            yield from self.play_out(left, (turn + 1) % 4, [*trick, (turn, card)], shown=known)


def counted_by_hand(system: System, ending: Ending) -> tuple[int, int]:
    table = Table(system, ending)
    hands = tuple(frozenset(hand.split()) for hand in ending.hands)
    results = list(table.play_out(hands, ending.leader, [], shown=ending.shown))
    return len(results), sum(results)


# --- The engine


def counted_by_engine(system: System, ending: Ending) -> tuple[int, int]:
    rules = rules_of(system.variant, system.options)
    state = play_table(
        rules,
        ending.trumps,
        dict(enumerate(ending.hands)),
        leader=ending.leader,
        trick=rules.hand_size - len(ending.hands[0].split()) + 1,
        shown=ending.shown,
    )
    state.maker = ending.maker
    results = list(continuations(state, rules))
    return len(results), sum(results)


def continuations(state: State, rules: Rules) -> Iterator[int]:
    """Yield side 0's points at the end of every legal way to play on."""
    seat = engine.to_act(state)
    if seat < 0:
        yield state.points[0]
        return
    options = engine.legal(state, rules, seat)
    texts = [format_action(seat, Verb.PLAY, cards=[card]) for card in cards_in(options.may)]
    if options.verbs >> Verb.ASK & 1:
        texts = [format_action(seat, Verb.ASK)]
    elif options.verbs >> Verb.REVEAL & 1:
        texts = [format_action(seat, Verb.REVEAL, state.trump)]
    for text in texts:
        following = copy_state(state)
        assert engine.apply(following, rules, parse_action(text)) == 0
        yield from continuations(following, rules)


# --- Both


def some_ending(system: System, chance: random.Random, size: int) -> Ending:
    """Return an ending rich in trumps, with few plain suits, so that following matters."""
    trumps = chance.choice("SHDC")
    suits = [trumps, *chance.sample([suit for suit in "SHDC" if suit != trumps], 2)]
    pack = [rank + suit for suit in suits for rank in system.order]
    if system.off_five:
        pack.append("5" + MATE[trumps])
    cards = chance.sample(sorted(set(pack)), 4 * size)
    hands = tuple(" ".join(cards[seat * size : (seat + 1) * size]) for seat in range(4))
    return Ending(
        trumps,
        hands,
        leader=chance.randrange(4),
        maker=chance.randrange(4),
        shown=not system.hidden or chance.random() < 0.4,
    )


@pytest.mark.parametrize("name", SYSTEMS)
def test_small_endings_have_as_many_continuations_as_rules_written_anew(name: str) -> None:
    system = SYSTEMS[name]
    chance = random.Random(name)
    counts = set()
    for size in (1, *[2] * 40, *[3] * 8):
        ending = some_ending(system, chance, size)
        counted = counted_by_hand(system, ending)
        assert counted_by_engine(system, ending) == counted, ending
        counts.add(counted)
    assert len(counts) > 10


PINNED = (
    # Plain leads may be followed or trumped; the off five calls for trumps.
    ("pedro", Ending("S", ("AS 5C 2H", "KS 3S 4H", "9H TH 2D", "5S 2S 8H")), 368, 1798),
    ("pedro-O11", Ending("S", ("AS 5C 2H", "KS 3S 4H", "9H TH 2D", "5S 2S 8H")), 112, 532),
    ("pedro-O12", Ending("S", ("AS 5C 2H", "KS 3S 4H", "9H TH 2D", "5S 2S 8H")), 624, 3054),
    ("pedro-O16", Ending("S", ("AS 5C 2H", "KS 3S 4D", "9H TH 2D", "5S 2S 8H")), 200, 1070),
    # Two trumps, one, none, three: the lead passes on.
    ("pidro", Ending("H", ("AH 5D 9S", "KH 3S 4S", "9C TC 2D", "5H 2H 8H")), 12, 42),
    ("king-pedro", Ending("H", ("AH 5D 9S", "KH 3S 4S", "9C 3H 2D", "5H 2H 8S")), 192, 3027),
    # Seat 1 cannot follow hearts and asks; a lead of spades shows nothing.
    (
        "twenty-nine",
        Ending("S", ("JH 7S 8D", "9S 9C 7D", "TH KS AD", "QH 8S JC"), maker=2, shown=False),
        34,
        186,
    ),
    (
        "twenty-nine",
        Ending("C", ("JH 7S 8D", "9S 9C 7D", "TH KS AD", "QH 8S JC"), maker=1, shown=False),
        30,
        86,
    ),
)


@pytest.mark.parametrize(("name", "ending", "count", "points"), PINNED)
def test_pinned_counts(name: str, ending: Ending, count: int, points: int) -> None:
    """Continuations, and the points that side 0 takes over all of them together."""
    assert counted_by_engine(SYSTEMS[name], ending) == (count, points)
    assert counted_by_hand(SYSTEMS[name], ending) == (count, points)
