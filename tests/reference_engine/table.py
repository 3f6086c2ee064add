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
    "trump": "trump",
    "kitty": "kitty",
    "draw": "refill",
    "rob": "rob",
    "give": "give",
    "fold": "fold",
    "solo": "solo",
    "show": "show",
}
"""By verb: the first phase it belongs to."""
SPECIAL = 1000
"""Stands above every number: 28-56, or the highest number doubled."""
RAISES = ("double", "redouble", "super")


@dataclass(frozen=True)
class Trick:
    """A complete trick; `buried` are surplus cards under it, by seat."""

    number: int
    plays: tuple[tuple[int, str], ...]
    buried: tuple[tuple[int, frozenset[str]], ...]
    winner: int


@dataclass
class Table:
    """The table at one moment."""

    game: Game
    dealer: int
    hands: list[frozenset[str]]
    reserve: list[list[str]]
    last_but_one: list[str]
    stock: list[str]
    kitty: frozenset[str]
    index: int = 0
    """How many actions have been done."""
    rest_dealt: bool = False
    discards: list[frozenset[str]] = field(default_factory=list)
    filled: frozenset[int] = frozenset()
    calls: tuple[tuple[int, str], ...] = ()
    standing: int = 0
    maker: int = -1
    held: bool = False
    """Whether the standing bid was held by ditto or at the same number."""
    trump: str = ""
    trump_word: str = ""
    reversed_ranks: bool = False
    shown: bool = False
    shown_in: int = 0
    """Number of the trick in which trumps were shown."""
    dead: frozenset[str] = frozenset()
    """Trumps thrown to that trick before, where they are none."""
    seventh: str = ""
    doubles: int = 0
    doubling_side: int = -1
    no_contract: bool = False
    alone: int = -1
    tenny: bool = False
    out: frozenset[int] = frozenset()
    folded: frozenset[int] = frozenset()
    gave: frozenset[int] = frozenset()
    at_play: tuple[frozenset[str], ...] = ()
    number: int = 0
    """Of the trick on the table, from 1; 0 before play."""
    turn: int = -1
    """Whose turn it is to play a card."""
    waiting: frozenset[int] = frozenset()
    """Who has still to play to the trick."""
    trick: tuple[tuple[int, str], ...] = ()
    buried: tuple[tuple[int, frozenset[str]], ...] = ()
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
        twin.hands = list(self.hands)
        twin.stock = list(self.stock)
        twin.discards = list(self.discards)
        return twin

    # --- Who has called what

    def spoken(self) -> set[int]:
        return {seat for seat, _ in self.calls}

    def passed(self) -> set[int]:
        """Return who has passed and not called since."""
        last = dict(self.calls)
        return {seat for seat, word in last.items() if word == "pass"}

    def in_auction(self) -> bool:
        return not self.trump_word and not self.number and self.alone < 0 and not self.thrown_in

    def forced(self, seat: int) -> bool:
        """Is this the one whom the passes of the others oblige to bid: the last, or the first?"""
        if not self.game.binds() or self.standing:
            return False
        first = self.dealer
        if not self.game.has("first_caller", "dealer"):
            first = self.game.next_to_call(self.dealer)
        order = self.game.callers_from(first)
        if self.game.has("all_pass", "first-opens"):
            return seat == order[0]
        bound = order[0] if self.game.has("all_pass", "first-forced") else order[-1]
        return seat == bound and self.passed() | {seat} == set(self.seats)

    # --- What is trumps

    def live(self) -> str:
        """Return the suit that is trumps for play now, "" while it is hidden or there is none."""
        return self.trump if self.shown else ""

    def reversed_now(self) -> bool:
        return self.reversed_ranks and self.shown

    # --- Doing

    def do(self, text: str) -> None:
        """Carry out an action of a record that keeps the rules."""
        self.ready_for(text)
        words = text.split(" ")
        seat, verb, rest = int(words[0]), words[1], words[2:]
        self.index += 1
        if PHASE_OF.get(verb) == "auction":
            if self.in_auction() or verb == "tenny":
                self._call(seat, verb, rest)
        elif verb == "play":
            self._play(seat, rest[0])
        else:
            handler = getattr(self, "_" + verb.replace("-", "_"), None)
            if handler is not None:
                handler(seat, rest)

    def ready_for(self, text: str) -> None:
        """Do what nobody does: deal the rest, and open the first trick."""
        verb = text.split(" ")[1]
        self._deal_rest_before(verb)
        if PHASE_OF.get(verb) == "play" or verb in ("decided", "concede"):
            self.begin_play()

    def _deal_rest_before(self, verb: str) -> None:
        phases = self.game.values["phases"]
        if self.rest_dealt or self.tenny or verb not in PHASE_OF:
            return
        phase = PHASE_OF[verb]
        later = phases[phases.index("deal-rest") :] if "deal-rest" in phases else []
        if phase not in later:
            return
        self.rest_dealt = True
        for seat in self.seats:
            self.hands[seat] |= frozenset(self.reserve[seat])
        if self.game.has("odd_card", "dealer") and len(self.stock) < self.game.seats:
            self.hands[self.dealer] |= frozenset(self.stock)
            self.stock = []
        if self.trump_word == "seventh":
            self.seventh = self.last_but_one[self.maker]
            self.hands[self.maker] -= {self.seventh}
            self.trump = self.seventh[1]

    def _call(self, seat: int, verb: str, rest: list[str]) -> None:
        self.calls += ((seat, rest[0] if verb == "bid" else verb),)
        if verb == "bid":
            self.standing = int(rest[0]) if rest[0].isdigit() else SPECIAL
            self.maker, self.held = seat, False
        elif verb == "ditto":
            self.maker, self.held = seat, True
        elif verb == "tenny":
            self.maker = self.alone = seat
            self.tenny = True

    def _trump(self, seat: int, rest: list[str]) -> None:  # noqa: ARG002 - all verbs are called alike
        if self.maker < 0:
            self.maker, self.no_contract = self.dealer, True
        word = rest[0]
        self.trump_word = word
        self.reversed_ranks = word.endswith("-reversed")
        suit = word.removesuffix("-reversed")
        self.trump = suit if suit in "SHDC" else ""
        self.shown = not self.game.secret or self.alone >= 0

    def _double(self, seat: int, rest: list[str]) -> None:  # noqa: ARG002 - all verbs are called alike
        self.doubles += 1
        if self.doubling_side < 0:
            self.doubling_side = self.game.side(seat)

    _redouble = _double
    _super = _double

    def _throw_in(self, seat: int, rest: list[str]) -> None:  # noqa: ARG002 - all verbs are called alike
        self.thrown_in = True

    def _solo(self, seat: int, rest: list[str]) -> None:  # noqa: ARG002 - all verbs are called alike
        self.alone = seat
        self.trump, self.reversed_ranks = "", False
        if self.seventh:
            self.hands[self.maker] |= {self.seventh}
            self.seventh = ""

    def _kitty(self, seat: int, rest: list[str]) -> None:
        self.hands[seat] |= frozenset(rest)
        self.kitty = frozenset()

    def _discard(self, seat: int, rest: list[str]) -> None:
        self.hands[seat] -= frozenset(rest)
        self.discards[seat] |= frozenset(rest)

    _discard_up = _discard

    def _claim(self, seat: int, rest: list[str]) -> None:
        card = rest[0]
        for other in self.seats:
            self.discards[other] -= {card}
        self.hands[seat] |= {card}
        for given in rest[1:]:
            self.hands[seat] -= {given}
            self.discards[seat] |= {given}

    def _draw(self, seat: int, rest: list[str]) -> None:
        self._take(seat, rest)
        self.filled |= {seat}

    def _rob(self, seat: int, rest: list[str]) -> None:
        self._take(seat, rest)

    def _take(self, seat: int, cards: list[str]) -> None:
        taken = frozenset(cards)
        self.stock = [card for card in self.stock if card not in taken]
        for other in self.seats:
            self.discards[other] -= taken
        self.hands[seat] |= taken

    def _give(self, seat: int, rest: list[str]) -> None:
        partner = (seat + 2) % 4
        self.hands[seat] -= frozenset(rest)
        self.hands[partner] |= frozenset(rest)
        self.gave |= {seat}

    def _fold(self, seat: int, rest: list[str]) -> None:  # noqa: ARG002 - all verbs are called alike
        self.discards[seat] |= self.hands[seat]
        self.hands[seat] = frozenset()
        self.folded |= {seat}
        self.out |= {seat}

    def _ask(self, seat: int, rest: list[str]) -> None:  # noqa: ARG002 - all verbs are called alike
        self.asked = seat

    def _reveal(self, seat: int, rest: list[str]) -> None:  # noqa: ARG002 - all verbs are called alike
        self.unsaid = False
        if self.shown:
            return
        if self.game.has("ask", "optional", "optional-thrown-dead"):
            self.must_trump = self.asked if self.asked >= 0 else seat
        self.had_shown = self.asked if self.asked >= 0 else seat
        self.asked = -1
        self._come_to_light()

    def _come_to_light(self) -> None:
        self.shown = True
        self.shown_in = self.number
        if self.game.has("ask", "optional-thrown-dead") and self.trick:
            thrown = self.game.trumps({card for _, card in self.trick}, self.trump)
            self.dead = frozenset() if self.trick[0][1] in thrown else frozenset(thrown)
        if self.seventh:
            self.hands[self.maker] |= {self.seventh}

    def _pair(self, seat: int, rest: list[str]) -> None:  # noqa: ARG002 - all verbs are called alike
        self.pair_side = self.game.side(seat)

    def _bury(self, seat: int, rest: list[str]) -> None:
        self.hands[seat] -= frozenset(rest)
        self.buried += ((seat, frozenset(rest)),)

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
        self.must_trump = -1
        self.had_shown = -1
        if self.game.has("drop_out", "without-trumps"):
            self.out |= {
                seat for seat in self.seats if not self.game.trumps(self.hands[seat], self.trump)
            }
        self.waiting = frozenset(
            seat for seat in self.seats if self.playable_cards(seat) and seat not in self.out
        )
        self.turn = self._first_waiting(leader)

    def _first_waiting(self, seat: int) -> int:
        return next((each for each in self.game.from_seat(seat) if each in self.waiting), -1)

    def playable_cards(self, seat: int) -> frozenset[str]:
        """Return the hand, or the seventh card when the maker has nothing else."""
        if not self.hands[seat] and seat == self.maker and self.seventh and not self.shown:
            return frozenset() if self.seventh_played() else frozenset({self.seventh})
        return self.hands[seat]

    def seventh_played(self) -> bool:
        return any(card == self.seventh for trick in self.tricks for _, card in trick.plays)

    def _play(self, seat: int, card: str) -> None:
        if card == self.seventh and not self.shown:
            self._come_to_light()
        self.unsaid = False
        self.hands[seat] -= {card}
        self.trick += ((seat, card),)
        self.waiting -= {seat}
        if self.must_trump == seat:
            self.must_trump = -1
        if len(self.trick) == 1 and self.game.has("drop_out", "when-trump-led"):
            self._leave_trump_lead(card)
        if self.waiting:
            self.turn = self._first_waiting(self.game.next(seat))
            return
        self._show_at_the_end()
        winner = self.winner()
        buried = self.buried if self.number == 1 else ()
        self.tricks += (Trick(self.number, self.trick, buried, winner),)
        self.next_trick(winner)

    def _leave_trump_lead(self, card: str) -> None:
        """Who has no trump for the trump led is out."""
        if self.game.is_trump(card, self.trump):
            self.out |= {
                seat for seat in self.waiting if not self.game.trumps(self.hands[seat], self.trump)
            }
            self.waiting -= self.out

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
        trump = self.live()
        put = list(self.trick)
        if self.number == 1 and self.game.values["buried_wins"]:
            put += [(seat, card) for seat, cards in self.buried for card in cards]
        live = [play for play in put if play[1] not in self.dead]
        trumps = [play for play in live if self.game.is_trump(play[1], trump)]
        if not trumps and self.game.has("trumpless_trick", "leader"):
            return self.trick[0][0]
        led = self.game.suit(self.trick[0][1], trump)
        rivals = trumps or [play for play in put if self.game.suit(play[1], trump) == led]
        turned = self.reversed_now()
        return max(
            rivals, key=lambda play: self.game.height(play[1], trump, reversed_ranks=turned)
        )[0]

    def over(self) -> bool:
        return self.thrown_in or (self.number > 0 and not self.waiting)


def table_of(hand: Hand) -> Table:
    """Return the table of a fully recorded hand before its first action."""
    game = game_of(hand)
    assert hand.deal is not UNSET
    dealt = [text.split() for text in hand.deal]
    first = game.packets[0]
    return Table(
        game=game,
        dealer=hand.dealt_by,
        hands=[frozenset(cards[:first]) for cards in dealt],
        reserve=[cards[first:] for cards in dealt],
        last_but_one=[cards[-2] for cards in dealt],
        stock=(hand.stock or "").split() if hand.stock is not UNSET else [],
        kitty=frozenset((hand.kitty or "").split() if hand.kitty is not UNSET else []),
        discards=[frozenset() for _ in dealt],
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
