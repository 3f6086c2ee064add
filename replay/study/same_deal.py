"""One deal played at several tables: which hands are of one deal, and how they compare.

``docs/same-deal.md`` says when deals are the same. What a side did with its cards is its *balance*:
what the hand adds to its score less the mean of what it adds to each of the others. *Duplicate
scores* and *matchpoints* compare it with those who held the same cards at the other tables.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import Any, Final, Literal, NamedTuple

from msgspec import UNSET

from tricklog.core.judging.replayer import Replay
from tricklog.core.judging.replayer import replay as replay_hand
from tricklog.core.model import Verdict
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.core.study.elsewhere import bare, value_at_first_card
from tricklog.core.study.open_cards import Value
from tricklog.schemas.cards import HIDDEN, NOT_RECORDED, parse_cards
from tricklog.schemas.codes import ZERO
from tricklog.schemas.hand import Hand

Against = Literal["mean", "median"]
KEY_LENGTH: Final = 16
"""Hex digits of the name of a deal."""
WHOLE: Final = 99
"""More cards than a packet has: all cards of a seat are one packet."""
UNUSED, SET, ORDER = 0, 1, 2
"""What of the stock belongs to a deal: nothing, as nobody draws; its cards; their order."""


class Shape(NamedTuple):
    """What of a deal matters under rules."""

    packet: int
    """Cards of the first packet, which a seat holds during the auction."""
    last_in_order: bool
    """Whether the order of what comes after it decides something."""
    stock: int
    """``UNUSED``, ``SET`` or ``ORDER``."""
    kitty: int
    """``UNUSED``, also where it is all that the hands leave over; or ``SET``."""


def shape_of(values: Mapping[str, Any]) -> Shape:
    """Return what of a deal matters under rules, from the values of their policies."""
    whole = values["deal"] == "whole-pack"
    stock = UNUSED
    if values["refill"] != "nobody":
        stock = ORDER
    elif values["rob"] != "nothing" or values["odd_card"] != "nobody":
        stock = SET
    dealt = sum(values["packets"]) * values["players"][0] + values["kitty_size"]
    rest = 4 * len(values["ranks"]) + values["joker"] - dealt
    kitty = SET if values["kitty_size"] and (whole or rest) else UNUSED
    return Shape(
        WHOLE if whole else values["packets"][0], bool(values["seventh_card"]), stock, kitty
    )


def deal_key(hand: Hand, ruleset: Ruleset) -> str | None:
    """Return the name of a hand's deal, ``KEY_LENGTH`` hex digits; ``None`` where it has none.

    It is made of the rules, the hands from the dealer on, stock and kitty. Raises ``ValueError``
    for a list of cards that cannot be read.
    """
    shape = shape_of(ruleset.values)
    lost = (shape.stock and hand.stock is UNSET) or (shape.kitty and hand.kitty is UNSET)
    if hand.deal is UNSET or hand.dealer is UNSET or lost:
        return None
    hands = []
    for seat in (*range(hand.dealer, len(hand.deal)), *range(hand.dealer)):
        cards = _code(hand.deal[seat])
        last = cards[shape.packet :]
        last = last if shape.last_in_order else _sorted(last)
        hands.append(f"{_sorted(cards[: shape.packet])}+{last}")
    stock = _code(hand.stock) if shape.stock and hand.stock is not UNSET else ""
    stock = stock if shape.stock == ORDER else _sorted(stock)
    kitty = _sorted(_code(hand.kitty)) if shape.kitty and hand.kitty is not UNSET else ""
    text = ",".join((ruleset.hash, " ".join(hands), stock, kitty))
    if _UNNAMED & set(text):
        return None
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:KEY_LENGTH]


_UNNAMED: Final = frozenset(chr(ZERO + card) for card in (NOT_RECORDED, HIDDEN))


def _code(cards: str) -> str:
    return "".join(chr(ZERO + card) for card in parse_cards(cards))


def _sorted(code: str) -> str:
    return "".join(sorted(code))


# --- Tables


@dataclass(frozen=True, slots=True)
class Table:
    """What became of a deal at one table. Places count from the dealer, clockwise from 0."""

    hand: str
    """The id of the hand."""
    players: tuple[str, ...]
    """By place: who sat there."""
    sides: tuple[tuple[int, ...], ...]
    """The places of each side, that of the dealer first."""
    maker: int | None
    """The place of the maker; ``None`` for a deal thrown in."""
    bid: int | None
    trump: int | None
    result: str
    need: int | None
    points: tuple[int, ...]
    """By side, in the order of ``sides``: card points."""
    change: tuple[int, ...]
    """By side: what the hand adds, without regard to scores before it."""
    par: Value | None = None
    """What the makers take with all cards open from the first card on, with the contract that was
    played; ``None`` where nothing was played, or it was not asked for, or is refused."""

    @property
    def balances(self) -> tuple[Fraction, ...]:
        """By side: what it adds less the mean of what each of the others adds."""
        others = len(self.change) - 1
        total = sum(self.change)
        return tuple(each - Fraction(total - each, others) for each in self.change)

    def side_players(self, side: int) -> tuple[str, ...]:
        """Return who played together on a side, by place."""
        return tuple(self.players[place] for place in self.sides[side])


def table_of(replay: Replay, *, solve: bool = False) -> Table | None:
    """Return what became of a deal at the table of a replayed hand; with ``solve`` its par, too.

    ``None`` for a hand that is not valid or has no result: it cannot be compared.
    """
    hand, rules = replay.hand, replay.ruleset
    plain = replay if hand.scores is UNSET else replay_hand(bare(hand), ruleset=rules)
    outcome = plain.outcome
    if replay.verdict != Verdict.VALID or outcome is None:
        return None
    seats = len(hand.players)
    by_place = [(hand.dealt_by + place) % seats for place in range(seats)]
    sides = sides_by_place([rules.side_of(seat) for seat in by_place])
    old = [rules.side_of(by_place[places[0]]) for places in sides]
    played = outcome.result != "thrown_in"
    found = value_at_first_card(replay) if solve and played else ""
    par = None if isinstance(found, str) else found[0]
    players = tuple(hand.players[seat].id for seat in by_place)
    maker = None if outcome.maker is None else by_place.index(outcome.maker)
    told = outcome.bid, outcome.trump, outcome.result, outcome.need
    points, change = (tuple(row[side] for side in old) for row in (outcome.points, outcome.change))
    return Table(hand.id, players, sides, maker, *told, points, change, par)


def sides_by_place(sides: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the places of each side, the side of the first place first; ``sides`` by place."""
    return tuple(
        tuple(place for place, each in enumerate(sides) if each == side)
        for side in dict.fromkeys(sides)
    )


def once_each(tables: Iterable[Table]) -> list[Table]:
    """Return the first table of each set of players: who sits as before knows the cards."""
    first: dict[tuple[str, ...], Table] = {}
    for table in tables:
        first.setdefault(table.players, table)
    return list(first.values())


# --- Comparing


@dataclass(frozen=True, slots=True)
class Compared:
    """One side at one table, against those with the same cards at the other tables."""

    table: int
    """Index into the tables compared."""
    side: int
    balance: Fraction
    datum: Fraction
    """The mean, or median, of the balances at the other tables."""
    matchpoints: Fraction
    """One for each other table that did worse, half of one for each that did as well."""
    others: int
    """How many other tables there are."""

    @property
    def score(self) -> Fraction:
        """The duplicate score."""
        return self.balance - self.datum

    @property
    def share(self) -> Fraction:
        """Matchpoints as a share of those there were."""
        return self.matchpoints / self.others


def compare(tables: Sequence[Table], against: Against = "mean") -> list[Compared]:
    """Return every side of every table against the others; nothing for fewer than two tables.

    ``tables`` are of one deal, each with other players (``once_each``).
    """
    others = len(tables) - 1
    if others < 1:
        return []
    found = []
    for side in range(len(tables[0].sides)):
        balances = [table.balances[side] for table in tables]
        for number, balance in enumerate(balances):
            rest = balances[:number] + balances[number + 1 :]
            datum = Fraction(sum(rest), others) if against == "mean" else Fraction(median(rest))
            beaten = sum(each < balance for each in rest)
            tied = sum(each == balance for each in rest)
            points = beaten + Fraction(tied, 2)
            found.append(Compared(number, side, balance, datum, points, others))
    return sorted(found, key=lambda each: (each.table, each.side))


def by_side(compared: Iterable[Compared]) -> list[Compared]:
    """Return rows of ``compare`` side by side with those of the same cards, the best first."""
    return sorted(compared, key=lambda each: (each.side, -each.score, each.table))
