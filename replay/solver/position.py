"""The records the search works on: the tables of one hand, and where the play stands.

Each hand has its own numbers for cards, suit by suit and trumps last, by rank within the suit, so
that sets of them are small numbers and the highest card of a set is its highest bit. Seats are
numbered from the maker in the direction of play. The side of the maker, one player where each
plays alone, is called the makers; all others together are the others.
"""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tricklog.core.engine.records import SEATS, TRUMPS, zeros
from tricklog.core.solver.weights import WEIGHTS
from tricklog.schemas.cards import CARD_COUNT

NOBODY: Final = -1
NO_CARD: Final = -1

SHOWN: Final = 1
"""Trumps are known to all."""
PAIR_OF_MAKERS: Final = 2
PAIR_OF_OTHERS: Final = 4
PAIR_SETTLED: Final = PAIR_OF_MAKERS | PAIR_OF_OTHERS
"""King and queen were declared by one side, or by neither and cannot be any more."""
WON_BY_MAKERS: Final = 8
WON_BY_OTHERS: Final = 16
"""The side has won a trick that lets it declare king and queen."""
FIRST_TRICK: Final = 32
LASTING: Final = 63
"""Flags that matter beyond the trick on the table."""
OWES_TRUMP: Final = 64
"""Who is to play has had the trump shown and owes the trick one."""
SHOWN_NOW: Final = 128
"""The trump was shown at this very turn."""
PAIR_DUE: Final = 256
"""King and queen may be declared at this moment."""
LIMIT_USED: Final = 512
"""Shifted by a seat: it has put a limited point card among its surplus."""
THROWN_DEAD: Final = 1 << 16
"""Shifted by a seat: its trump on the table is none, as it was thrown before trumps were shown."""

POINTS: Final = 0xFFFF
COUNTED: Final = 16
"""Weights hold points in their low bits, and above them what a card counts towards game."""

BUCKETS: Final = 1 << 13
"""Places of the table of known values."""
WAYS: Final = 4
"""Entries that each place has room for."""
ENTRY: Final = 4
"""Numbers of an entry."""
LONGEST_SUIT: Final = 16
"""A suit of thirteen, off five, off jack and joker."""
MOVES: Final = 1 << 13
"""Moves of all positions on the way from the root, together."""
MAX_WEIGHT: Final = 1500
"""Points of a hand that the table of known values can hold, at most."""

USE_BOUNDS: Final = 1
USE_LIKENESS: Final = 2
"""Of cards that are worth the same and stand together in one hand only one is tried."""
USE_KEYS: Final = 4
"""Positions that differ only in such cards are one position."""
USE_ORDER: Final = 8
USE_TABLE: Final = 16
USE_RANKS: Final = 32
"""A value holds for all positions that differ only in ranks which it does not depend on."""
ALL_SWITCHES: Final = 63


class Position(NamedTuple):
    """Where the play stands. Every field is an integer."""

    left: int
    """Cards not yet played, of all who are still in."""
    table: int
    """Cards of the trick on the table."""
    turn: int
    """The seat to act; ``NOBODY`` when a trick is to begin."""
    waiting: int
    """Seats, as a bit mask, that have still to play to the trick."""
    leader: int
    """Who led the trick or, before it, who is to lead; without cards, the next who has some."""
    led: int
    """The card led."""
    best: int
    """The card that takes the trick so far. When a trick is to begin: the card that took the last
    one by its rank; ``NO_CARD`` where no rank mattered."""
    stake: int
    """Weight of the trick on the table and of what was buried under it."""
    weight: int
    """Weight of the cards left; with a hand alone, the tricks left."""
    ahead: int
    """What the makers are ahead in the count called game."""
    flags: int


FIELDS: Final = len(Position._fields)


class Following(NamedTuple):
    """What the engine asks of a state to say which cards may be played."""

    trump: int
    revealed: int
    trick: int
    played: int
    led_card: int
    led_suit: int
    shown_for: int
    reveal_trick: int
    must_trump: int


class Standing(NamedTuple):
    """What it asks to say which card beats which."""

    trump: int
    revealed: int
    reversed: int
    dead: int


class Asking(NamedTuple):
    """What it asks to say who has a hidden trump shown."""

    trump: int
    revealed: int
    led_suit: int
    maker: int
    asker: int
    seventh: int
    seventh_unknown: int
    will_show: int


class Moment(NamedTuple):
    """What it asks to say whether king and queen of trumps may be declared."""

    trump: int
    revealed: int
    trick: int
    reveal_trick: int
    played: int
    led_card: int
    unsure: int
    winner: int
    won_any: int
    won_since_shown: int


_per_seat = zeros(SEATS)
_per_card = zeros(CARD_COUNT)
_per_suit = zeros(TRUMPS)
_per_move = zeros(MOVES)


@dataclass(slots=True)
class Board:
    """The tables of one hand, and the memory of the search."""

    seats: int = 4
    trump: int = 0
    maker: int = 0
    """The seat of the engine that is seat 0 here."""
    step: int = 1
    makers: int = 0
    """Seats of the makers, as a bit mask."""
    base: int = 0
    """Points of the makers so far, those that no play can change included."""
    cards: int = 0
    """How many cards the hand has."""
    own: list[int] = field(default_factory=_per_seat)
    """By seat: its cards."""
    owner: list[int] = field(default_factory=_per_card)
    worth: list[int] = field(default_factory=_per_card)
    """By card: the points that go with it to who takes it."""
    weight: list[int] = field(default_factory=_per_card)
    traits: list[int] = field(default_factory=_per_card)
    """By card: a number for all that sets cards apart besides rank and owner."""
    kind: list[int] = field(default_factory=_per_card)
    """By card: the first card with the same traits."""
    card_of: list[int] = field(default_factory=_per_card)
    """By card: which card of the pack it is."""
    suit_of: list[int] = field(default_factory=_per_card)
    suit_set: list[int] = field(default_factory=_per_suit)
    suit_start: list[int] = field(default_factory=_per_suit)
    suit_size: list[int] = field(default_factory=_per_suit)
    trumps: int = 0
    with_points: int = 0
    makers_cards: int = 0
    only_trumps_count: int = 0
    bounded: int = 0
    """1 where bounds at a glance hold as far as the rules of the hand go."""
    partner: list[int] = field(default_factory=_per_seat)
    """By seat: its partner in a partnership of two, or itself."""
    secret: int = 0
    drops_out: int = 0
    """When a player without trumps is out, a value of ``DropOut``."""
    reversed: int = 0
    """1 when ranks turn round as soon as the trump is shown."""
    seventh: int = 0
    """The card under the pile, as a set."""
    lone: int = 0
    """1 for a hand alone, which counts tricks."""
    last_points: int = 0
    by_count: int = 0
    buries: int = 0
    hand_size: int = 0
    one_limited: int = 0
    limited: list[int] = field(default_factory=_per_seat)
    """By seat: the point cards of which few may be buried."""
    allowance: list[int] = field(default_factory=_per_seat)
    pair_cards: int = 0
    pair_holder: int = -1
    pair_for_makers: int = 0
    """By how much the makers' own pair lowers the number that they need."""
    pair_for_others: int = 0
    """By how much the pair of the others raises it."""
    # --- Memory of the search
    switches: int = ALL_SWITCHES
    weights: list[int] = field(default_factory=lambda: [*WEIGHTS])
    order: int = 0
    """Which of the weights the hand goes by: where its set begins."""
    nodes: int = 0
    limit: int = 1 << 60
    stopped: int = 0
    low: int = 0
    high: int = 0
    low_rests: int = 0
    """The ranks that ``low`` rests on, and ``high_rests`` those of ``high``."""
    high_rests: int = 0
    answered: int = 0
    """How many choices were answered last: the positions that they lead to are written down."""
    top: int = 0
    """How many of ``moves`` are in use."""
    generation: int = 0
    moves: list[int] = field(default_factory=_per_move)
    scores: list[int] = field(default_factory=_per_move)
    spans: list[int] = field(default_factory=_per_move)
    """By move: the cards that stand together in the hand with it, itself included; or none."""
    rests: list[int] = field(default_factory=_per_move)
    """By move: the ranks on which it rests that it stands for others."""
    killers: list[int] = field(default_factory=zeros(128))
    """By number of cards left: the card that has cut last, and the one before."""
    forms: list[int] = field(default_factory=zeros(TRUMPS << LONGEST_SUIT))
    """By suit and cards left of it, in one number: ``generation``, the like set that lies highest,
    and the lowest set with as many cards of each owner and kind."""
    known: list[int] = field(default_factory=zeros(BUCKETS * WAYS * ENTRY))
    """By place: its entries, each for positions that agree in some ranks; see ``memory``."""


# --- Ranks that matter


NO_RANKS: Final = 0
ALL_RANKS: Final = -1


def down_to(board: Board, card: int) -> int:
    """Return the ranks of a suit from its highest down to a card."""
    return board.suit_set[board.suit_of[card]] & -(1 << card)


def highest(cards: int, count: int) -> int:
    """Return the ``count`` highest of a set of cards."""
    for _ in range(cards.bit_count() - count):
        cards &= cards - 1
    return cards


def down_to_lowest(board: Board, cards: int) -> int:
    """Return the ranks down to the lowest of some cards of one suit."""
    return down_to(board, (cards & -cards).bit_length() - 1)


def ranks_taken(board: Board, then: Position) -> int:
    """Return the ranks that a trick rests on; none if it goes on. ``then`` is where a move led."""
    if then.turn != NOBODY or then.best == NO_CARD:
        return NO_RANKS
    if board.reversed:
        return board.suit_set[board.suit_of[then.best]]
    return down_to(board, then.best)
