"""Following a record that keeps the rules, action by action."""

import copy
from dataclasses import dataclass, field

from msgspec import UNSET

from tests.reference_engine.game import Game, game_of
from tricklog.schemas.hand import Hand

PHASE_OF = {
    **dict.fromkeys(("bid", "pass", "ditto", "tenny"), "auction"),
    **dict.fromkeys(("double", "redouble", "super"), "double"),
    **dict.fromkeys(("ask", "reveal", "pair", "play", "bury"), "play"),
    **dict.fromkeys(("discard", "discard-up", "claim"), "discard"),
    **{name: name for name in ("trump", "kitty", "rob", "give", "fold", "solo", "show")},
    "draw": "refill",
}
"""By verb: the first phase it belongs to."""
SPECIAL = 1000
"""Stands above every number: 28-56, or the highest number doubled."""
RAISES = ("double", "redouble", "super")

Cards = frozenset[str]


@dataclass(frozen=True)
class Trick:
    """A complete trick; `buried` are surplus cards under it, by seat."""

    number: int
    plays: tuple[tuple[int, str], ...]
    buried: tuple[tuple[int, Cards], ...]
    winner: int

    @property
    def cards(self) -> list[tuple[int, str]]:
        """Return all cards with their seats, those under the trick last."""
        under = [(seat, card) for seat, cards in self.buried for card in cards]
        return [*self.plays, *under]


@dataclass
class Table:
    """The table at one moment."""

    game: Game
    dealer: int
    hands: list[Cards]
    reserve: list[list[str]] = field(default_factory=list)
    """By seat, the cards of the packets after the first."""
    stock: list[str] = field(default_factory=list)
    rest_dealt: bool = False
    discards: list[Cards] = field(default_factory=lambda: [frozenset()] * 7)
    filled: frozenset[int] = frozenset()
    calls: tuple[tuple[int, str], ...] = ()
    standing: int = 0
    maker: int = -1
    trump: str = ""
    trump_word: str = ""
    shown: bool = False
    shown_in: int = 0
    """Number of the trick in which trumps were shown."""
    dead: Cards = frozenset()
    """Trumps thrown to that trick before, where they are none."""
    seventh: str = ""
    doubles: int = 0
    no_contract: bool = False
    alone: int = -1
    tenny: bool = False
    out: frozenset[int] = frozenset()
    folded: frozenset[int] = frozenset()
    at_play: tuple[Cards, ...] = ()
    number: int = 0
    """Of the trick on the table, from 1; 0 before play."""
    turn: int = -1
    """Whose turn it is to play a card."""
    waiting: frozenset[int] = frozenset()
    """Who has still to play to the trick."""
    trick: tuple[tuple[int, str], ...] = ()
    buried: tuple[tuple[int, Cards], ...] = ()
    unsaid: bool = False
    """Whether the maker may still say what trumps the last trick has brought to light."""
    asked: int = -1
    must_trump: int = -1
    had_shown: int = -1
    """Who had trumps shown in the trick on the table."""
    pair_side: int = -1
    tricks: tuple[Trick, ...] = ()
    thrown_in: bool = False

    @property
    def seats(self) -> range:
        return range(self.game.seats)

    def copy(self) -> "Table":
        twin = copy.copy(self)
        twin.hands, twin.stock, twin.discards = [*self.hands], [*self.stock], [*self.discards]
        return twin

    # --- Who has called what
    def spoken(self) -> set[int]:
        return {seat for seat, _ in self.calls}

    def passed(self) -> set[int]:
        """Return who has passed and not called since."""
        return {seat for seat, word in dict(self.calls).items() if word == "pass"}

    def in_auction(self) -> bool:
        return not self.trump_word and not self.number and self.alone < 0 and not self.thrown_in

    def first_caller(self) -> int:
        at_the_dealer = self.game.has("first_caller", "dealer")
        return self.dealer if at_the_dealer else self.game.next_to_call(self.dealer)

    def forced(self, seat: int) -> bool:
        """Is this the one whom the passes of the others oblige to bid: the last, or the first?"""
        if not self.game.binds() or self.standing:
            return False
        order = self.game.callers_from(self.first_caller())
        if self.game.has("all_pass", "first-opens"):
            return seat == order[0]
        bound = order[0] if self.game.has("all_pass", "first-forced") else order[-1]
        return seat == bound and self.passed() | {seat} == set(self.seats)

    def live(self) -> str:
        """Return the suit that is trumps for play now, "" while it is hidden or there is none."""
        return self.trump if self.shown else ""

    # --- Doing
    def do(self, text: str) -> None:
        """Carry out an action of a record that keeps the rules."""
        self.ready_for(text)
        first, verb, *rest = text.split(" ")
        seat = int(first)
        match verb:
            case "bid" | "pass" | "ditto" | "tenny":
                if self.in_auction() or verb == "tenny":
                    self._call(seat, verb, rest)
            case "trump":
                self._name_trumps(rest[0])
            case "double" | "redouble" | "super":
                self.doubles += 1
            case "throw-in":
                self.thrown_in = True
            case "solo":
                self._go_alone(seat)
            case "ask":
                self.asked = seat
            case "reveal":
                self._reveal(seat)
            case "pair":
                self.pair_side = self.game.side(seat)
            case "play":
                self._play(seat, rest[0])
            case _:
                self._move(seat, verb, rest)

    def ready_for(self, text: str) -> None:
        """Do what nobody does: deal the rest, and open the first trick."""
        verb = text.split(" ")[1]
        phases = self.game.values["phases"]
        later = phases[phases.index("deal-rest") :] if "deal-rest" in phases else ()
        if PHASE_OF.get(verb) in later and not self.rest_dealt and not self.tenny:
            self._deal_rest()
        if PHASE_OF.get(verb) == "play" or verb in ("decided", "concede"):
            self.begin_play()

    def _deal_rest(self) -> None:
        self.rest_dealt = True
        for seat in self.seats:
            self.hands[seat] |= set(self.reserve[seat])
        if self.game.has("odd_card", "dealer") and len(self.stock) < self.game.seats:
            self.hands[self.dealer] |= set(self.stock)
            self.stock = []
        if self.trump_word == "seventh":
            self.seventh = self.reserve[self.maker][-2]
            self.hands[self.maker] -= {self.seventh}
            self.trump = self.seventh[1]

    def _call(self, seat: int, verb: str, rest: list[str]) -> None:
        self.calls += ((seat, rest[0] if verb == "bid" else verb),)
        if verb == "bid":
            self.standing = int(rest[0]) if rest[0].isdigit() else SPECIAL
        if verb != "pass":
            self.maker = seat
        if verb == "tenny":
            self.alone, self.tenny = seat, True

    def _name_trumps(self, word: str) -> None:
        if self.maker < 0:
            self.maker, self.no_contract = self.dealer, True
        self.trump_word = word
        suit = word.removesuffix("-reversed")
        self.trump = suit if suit in "SHDC" else ""
        self.shown = not self.game.secret or self.alone >= 0

    def _go_alone(self, seat: int) -> None:
        self.alone, self.trump = seat, ""
        if self.seventh:
            self.hands[self.maker] |= {self.seventh}
            self.seventh = ""

    def _move(self, seat: int, verb: str, rest: list[str]) -> None:
        """Move cards from one place to another before the play, and under the first trick."""
        cards = frozenset(rest)
        match verb:
            case "kitty":
                self.hands[seat] |= cards
            case "discard" | "discard-up":
                self._lay_off(seat, cards)
            case "claim":
                self._take(seat, cards & {rest[0]})
                self._lay_off(seat, cards - {rest[0]})
            case "draw" | "rob":
                self._take(seat, cards)
                self.filled |= {seat} if verb == "draw" else set()
            case "give":
                self.hands[seat] -= cards
                self.hands[(seat + 2) % 4] |= cards
            case "fold":
                self._lay_off(seat, self.hands[seat])
                self.folded |= {seat}
                self.out |= {seat}
            case "bury":
                self.hands[seat] -= cards
                self.buried += ((seat, cards),)

    def _lay_off(self, seat: int, cards: Cards) -> None:
        self.hands[seat] -= cards
        self.discards[seat] |= cards

    def _take(self, seat: int, cards: Cards) -> None:
        self.stock = [card for card in self.stock if card not in cards]
        self.discards = [pile - cards for pile in self.discards]
        self.hands[seat] |= cards

    def _reveal(self, seat: int) -> None:
        self.unsaid = False
        if self.shown:
            return
        self.had_shown = self.asked if self.asked >= 0 else seat
        if self.game.has("ask", "optional", "optional-thrown-dead"):
            self.must_trump = self.had_shown
        self.asked = -1
        self._come_to_light()

    def _come_to_light(self) -> None:
        self.shown, self.shown_in = True, self.number
        if self.game.has("ask", "optional-thrown-dead") and self.trick:
            thrown = self.game.trumps({card for _, card in self.trick}, self.trump)
            self.dead = frozenset() if self.trick[0][1] in thrown else frozenset(thrown)
        if self.seventh:
            self.hands[self.maker] |= {self.seventh}

    # --- Tricks
    def first_leader(self) -> int:
        if self.alone >= 0:
            return self.alone
        if self.game.has("first_leader", "dealer"):
            return self.dealer
        if self.game.has("first_leader", "next-to-dealer"):
            return self.game.next(self.dealer)
        return self.maker

    def begin_play(self) -> None:
        """Open the first trick, once."""
        if self.number:
            return
        if self.alone >= 0:
            self.out |= {(self.alone + 2) % 4}
        self.at_play = tuple(self.hands)
        self.next_trick(self.first_leader())

    def next_trick(self, leader: int) -> None:
        """Who has no trump is out where the game says so; who has no card sits out."""
        self.number += 1
        self.trick = ()
        self.must_trump = self.had_shown = -1
        if self.game.has("drop_out", "without-trumps"):
            self._drop_out(self.seats)
        able = {seat for seat in self.seats if self.playable_cards(seat)}
        self.waiting = frozenset(able - self.out)
        self.turn = self._first_waiting(leader)

    def _drop_out(self, seats: range | frozenset[int]) -> None:
        """Have those of the seats drop out who have no trump."""
        self.out |= {seat for seat in seats if not self.game.trumps(self.hands[seat], self.trump)}

    def _first_waiting(self, seat: int) -> int:
        return next((each for each in self.game.from_seat(seat) if each in self.waiting), -1)

    def playable_cards(self, seat: int) -> Cards:
        """Return the hand, or the seventh card when the maker has nothing else."""
        if self.hands[seat] or seat != self.maker or not self.seventh or self.shown:
            return self.hands[seat]
        played = {card for trick in self.tricks for _, card in trick.plays}
        return frozenset({self.seventh} - played)

    def _play(self, seat: int, card: str) -> None:
        if card == self.seventh and not self.shown:
            self._come_to_light()
        self.unsaid = False
        self.hands[seat] -= {card}
        self.trick += ((seat, card),)
        self.waiting -= {seat}
        if self.must_trump == seat:
            self.must_trump = -1
        leaves = len(self.trick) == 1 and self.game.has("drop_out", "when-trump-led")
        if leaves and self.game.is_trump(card, self.trump):
            self._drop_out(self.waiting)
            self.waiting -= self.out
        if self.waiting:
            self.turn = self._first_waiting(self.game.next(seat))
            return
        self._show_at_the_end()
        winner = self.winner()
        buried = self.buried if self.number == 1 else ()
        self.tricks += (Trick(self.number, self.trick, buried, winner),)
        self.next_trick(winner)

    def _show_at_the_end(self) -> None:
        """The trump is shown after the first trick in which somebody could not follow."""
        if self.shown or not self.game.has("ask", "end-of-trick") or self.alone >= 0:
            return
        led = self.trick[0][1][1]
        if any(card[1] != led for _, card in self.trick):
            self.unsaid = True
            self._come_to_light()

    def winner(self) -> int:
        """Return who wins the trick on the table."""
        game, trump = self.game, self.live()
        put = list(self.trick)
        if self.number == 1 and game.values["buried_wins"]:
            put += [(seat, card) for seat, cards in self.buried for card in cards]
        trumps = [
            (seat, card)
            for seat, card in put
            if card not in self.dead and game.is_trump(card, trump)
        ]
        if not trumps and game.has("trumpless_trick", "leader"):
            return self.trick[0][0]
        led = game.suit(self.trick[0][1], trump)
        rivals = trumps or [play for play in put if game.suit(play[1], trump) == led]
        turned = self.trump_word.endswith("-reversed") and self.shown and self.alone < 0
        return max(rivals, key=lambda play: game.height(play[1], trump, reversed_ranks=turned))[0]

    def over(self) -> bool:
        return self.thrown_in or (self.number > 0 and not self.waiting)


def table_of(hand: Hand) -> Table:
    """Return the table of a fully recorded hand before its first action."""
    game = game_of(hand)
    assert hand.deal is not UNSET
    dealt = [text.split() for text in hand.deal]
    first = game.packets[0]
    return Table(
        game,
        hand.dealt_by,
        hands=[frozenset(cards[:first]) for cards in dealt],
        reserve=[cards[first:] for cards in dealt],
        stock=(hand.stock or "").split(),
    )


def tables_of(hand: Hand) -> list[Table]:
    """Return the table before each action of a hand that keeps the rules, and at its end."""
    table = table_of(hand)
    tables = []
    for text in hand.actions:
        table.ready_for(text)
        tables.append(table.copy())
        table.do(text)
    return [*tables, table]
