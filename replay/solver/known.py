"""What is known of positions met before: a table of bounds, and which positions are the same."""

from __future__ import annotations

from typing import Final

from replay.engine.records import TRUMPS
from replay.solver.moves import top
from replay.solver.position import (
    BUCKETS,
    COUNTED,
    LASTING,
    LONGEST_SUIT,
    USE_KEYS,
    USE_TABLE,
    Board,
    Position,
)
from schemas.cards import CARD_COUNT

NO_HINT: Final = 63
"""In place of a card: none was best."""
NOTHING: Final = -1
_LEADER: Final = CARD_COUNT
_FLAGS: Final = CARD_COUNT + 3
_OFFSET: Final = 512
"""Added to a value, so that it is not below 0."""
_VALUE: Final = 0xFFF
_HIGH: Final = 6
_LOW: Final = 18
_AHEAD: Final = 30
_GENERATION: Final = 39
_AHEAD_OFFSET: Final = 256
_SURE: Final = 200
"""What the makers are ahead or behind where nothing can change who is."""
_CARDS: Final = (1 << CARD_COUNT) - 1
_MIXER: Final = 0x2545F4914F6CDD1D & 0x7FFFFFFF
_MIXED: Final = (1 << 31) - 1


def highest_alike(board: Board, left: int) -> int:
    """Return the set of cards that is like ``left`` and lies highest.

    In each suit the cards keep their order, owners and kinds. As all of them have been in one of
    the hands from the beginning, a set and what it is like have the same value.
    """
    like = 0
    for suit in range(TRUMPS):
        if board.suit_size[suit]:
            start = board.suit_start[suit]
            cards = (left >> start) & ((1 << board.suit_size[suit]) - 1)
            if cards:
                found = board.alike[(suit << LONGEST_SUIT) + cards]
                like |= found or lift(board, suit, cards)
    return like


def lift(board: Board, suit: int, cards: int) -> int:
    """Find the set that is like the ``cards`` of a suit and lies highest, and keep it."""
    like = 0
    start = board.suit_start[suit]
    number = start + board.suit_size[suit] - 1
    rest = cards << start
    while rest:
        card = top(rest)
        rest &= ~(1 << card)
        while board.owner[number] != board.owner[card] or board.kind[number] != board.kind[card]:
            number -= 1
        like |= 1 << number
        number -= 1
    board.alike[(suit << LONGEST_SUIT) + cards] = like
    return like


def key_of(board: Board, at: Position) -> int:
    """Return a number that positions at the beginning of a trick share only if they are alike."""
    like = highest_alike(board, at.left) if board.switches & USE_KEYS else at.left
    return like | at.leader << _LEADER | (at.flags & LASTING) << _FLAGS


def tag_of(board: Board, at: Position) -> int:
    """Return what an entry of this hand begins with: its number, and how game stands."""
    return board.generation << (_GENERATION - _AHEAD) | (standing(board, at) + _AHEAD_OFFSET)


def standing(board: Board, at: Position) -> int:
    """Return what the makers are ahead in the count called game, as far as it matters."""
    if not board.by_count:
        return 0
    left = at.weight >> COUNTED
    if at.ahead > left:
        return _SURE
    return -_SURE if at.ahead + left <= 0 else at.ahead


def bucket_of(key: int) -> int:
    """Return the place of a key in the table."""
    mixed = (key ^ key >> 29) & _MIXED
    mixed = (mixed * _MIXER) & _MIXED
    mixed ^= (key >> 17) & _MIXED
    mixed = ((mixed ^ mixed >> 15) * _MIXER) & ((1 << 46) - 1)
    return 4 * ((mixed >> 16) & (BUCKETS - 1))


def find(board: Board, key: int, tag: int) -> int:
    """Return what is known of a position, or ``NOTHING``."""
    if not board.switches & USE_TABLE:
        return NOTHING
    place = bucket_of(key)
    known = board.known
    if known[place] == key and known[place + 1] >> _AHEAD == tag:
        return known[place + 1]
    if known[place + 2] == key and known[place + 3] >> _AHEAD == tag:
        return known[place + 3]
    return NOTHING


def low_in(entry: int) -> int:
    """Return what the makers get at the least, by an entry."""
    return (entry >> _LOW & _VALUE) - _OFFSET


def high_in(entry: int) -> int:
    """Return what the makers get at the most, by an entry."""
    return (entry >> _HIGH & _VALUE) - _OFFSET


def hint_in(entry: int) -> int:
    """Return the move that was best, by an entry, or ``NO_HINT``."""
    return entry & NO_HINT


def keep(board: Board, key: int, entry: int) -> None:
    """Keep an entry; of others at its place the one with fewer cards has to go."""
    place = bucket_of(key)
    known = board.known
    tag = entry >> _AHEAD
    is_old = known[place + 1] >> _GENERATION != board.generation
    if is_old or (known[place] == key and known[place + 1] >> _AHEAD == tag):
        known[place] = key
        known[place + 1] = entry
        return
    same = known[place + 2] == key and known[place + 3] >> _AHEAD == tag
    if not same and (key & _CARDS).bit_count() >= (known[place] & _CARDS).bit_count():
        known[place + 2] = known[place]
        known[place + 3] = known[place + 1]
        known[place] = key
        known[place + 1] = entry
        return
    known[place + 2] = key
    known[place + 3] = entry


def entry_of(tag: int, low: int, high: int, hint: int) -> int:
    """Return an entry: what the makers get at the least and at the most, and the best move."""
    return tag << _AHEAD | (low + _OFFSET) << _LOW | (high + _OFFSET) << _HIGH | hint
