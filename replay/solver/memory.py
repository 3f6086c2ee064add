"""What is known of positions met before: a table of bounds, and which positions are the same.

A bound rests on some ranks only: those of cards that took a trick from a lower card of their suit
somewhere in its proof. It holds for all positions in which each player has as many cards of each
suit and kind, and in which the cards down to the lowest of these ranks have the same owners and
kinds in the same order. So an entry has three parts: the shape of a position, which is numbers of
cards only; its highest cards, as far as they matter; and the bounds.
"""

from typing import Final

from tricklog.core.engine.records import TRUMPS, highest_first, union
from tricklog.core.solver import position
from tricklog.core.solver.position import ENTRY, LONGEST_SUIT, WAYS, Board, Position, down_to_lowest
from tricklog.schemas.cards import CARD_COUNT

NO_HINT: Final = 63
"""In place of a card: none was best."""
NOTHING: Final = -1
_OFFSET: Final = 512
"""Added to a value, so that it is not below 0."""
_VALUE: Final = 0xFFF
LEAST: Final = -_OFFSET
"""Below every value."""
MOST: Final = _VALUE - _OFFSET
"""Above every value."""
_TOP: Final = 1
"""In an entry: the cards whose order matters, lifted as in ``highest_alike``."""
_WHICH: Final = 2
"""All places of these suits down to the lowest of them."""
BOUNDS: Final = 3
"""What the makers get, as ``low_in`` and ``high_in`` read it, and the best move in the low bits."""
_LEADER: Final = CARD_COUNT
_FLAGS: Final = CARD_COUNT + 3
_HIGH: Final = 6
_LOW: Final = 18
_AHEAD: Final = 30
_GENERATION: Final = 39
_AHEAD_OFFSET: Final = 256
_SURE: Final = 200
"""What the makers are ahead or behind where nothing can change who is."""
_CARDS: Final = (1 << CARD_COUNT) - 1
_SUIT: Final = (1 << LONGEST_SUIT) - 1
"""As many bits as a suit may have cards."""
_MIXER: Final = 0x2545F4914F6CDD1D & 0x7FFFFFFF
_MIXED: Final = (1 << 31) - 1


def forms_of(board: Board, left: int) -> tuple[int, int]:
    """Return what cards left are compared by: the like set that lies highest, and the shape.

    The cards of the like set keep their order, owners and kinds: both have the same value. The
    shape is the lowest set with as many cards of each suit, owner and kind.
    """
    if not board.switches & position.USE_KEYS:
        return left, left
    like, shape = 0, 0
    for suit in range(TRUMPS):
        cards = left & board.suit_set[suit]
        if cards:
            start = board.suit_start[suit]
            place = (suit << LONGEST_SUIT) + (cards >> start)
            form = board.forms[place]
            if form >> 2 * LONGEST_SUIT != board.generation:
                lifted, lowered = lift(board, suit, cards), lower(board, suit, cards)
                form = (board.generation << LONGEST_SUIT | lifted >> start) << LONGEST_SUIT
                form |= lowered >> start
                board.forms[place] = form
            like |= (form >> LONGEST_SUIT & _SUIT) << start
            shape |= (form & _SUIT) << start
    return like, shape


def lift(board: Board, suit: int, cards: int) -> int:
    """Return the set that is like the ``cards`` of a suit and lies highest."""
    like = 0
    number = board.suit_start[suit] + board.suit_size[suit] - 1
    for card in highest_first(cards):
        while board.owner[number] != board.owner[card] or board.kind[number] != board.kind[card]:
            number -= 1
        like |= 1 << number
        number -= 1
    return like


def lower(board: Board, suit: int, cards: int) -> int:
    """Return the lowest set with as many of each owner and kind as the ``cards`` of a suit."""
    shape = 0
    start = board.suit_start[suit]
    end = start + board.suit_size[suit]
    for card in highest_first(cards):
        for number in range(start, end):
            same = board.owner[number] == board.owner[card]
            if same and board.kind[number] == board.kind[card] and not shape >> number & 1:
                shape |= 1 << number
                break
    return shape


def key_of(at: Position, shape: int) -> int:
    """Return a number that positions at the beginning of a trick share only if they are alike.

    That they are alike is not sure while some ranks matter: see ``find``.
    """
    return shape | at.leader << _LEADER | (at.flags & position.LASTING) << _FLAGS


def tag_of(board: Board, at: Position) -> int:
    """Return what an entry of this hand begins with: its number, and how game stands."""
    return board.generation << (_GENERATION - _AHEAD) | (standing(board, at) + _AHEAD_OFFSET)


def standing(board: Board, at: Position) -> int:
    """Return what the makers are ahead in the count called game, as far as it matters."""
    if not board.by_count:
        return 0
    left = at.weight >> position.COUNTED
    if at.ahead > left:
        return _SURE
    return -_SURE if at.ahead + left <= 0 else at.ahead


def bucket_of(key: int) -> int:
    """Return the place of a key in the table."""
    mixed = (key ^ key >> 29) & _MIXED
    mixed = (mixed * _MIXER) & _MIXED
    mixed ^= (key >> 17) & _MIXED
    mixed = ((mixed ^ mixed >> 15) * _MIXER) & ((1 << 46) - 1)
    return WAYS * ENTRY * ((mixed >> 16) & (position.BUCKETS - 1))


def find(board: Board, key: int, like: int, tag: int, edge: int) -> int:
    """Return an entry that settles ``edge``, else one for a position like this, or ``NOTHING``."""
    if not board.switches & position.USE_TABLE:
        return NOTHING
    first = bucket_of(key)
    known = board.known
    found = NOTHING
    for place in range(first, first + WAYS * ENTRY, ENTRY):
        entry = known[place + BOUNDS]
        same = known[place] == key and entry >> _AHEAD == tag
        if same and like & known[place + _WHICH] == known[place + _TOP]:
            found = place
            if low_in(entry) >= edge or high_in(entry) < edge:
                break
    return found


def ranks_at(board: Board, place: int, left: int) -> int:
    """Return the ranks that an entry rests on, for a position with these cards left."""
    pattern = board.known[place + _TOP]
    ranks = 0
    for suit in range(TRUMPS):
        count = (pattern & board.suit_set[suit]).bit_count()
        if count:
            ranks |= down_to_lowest(board, position.highest(left & board.suit_set[suit], count))
    return ranks


def low_in(entry: int) -> int:
    """Return what the makers get at the least, by an entry."""
    return (entry >> _LOW & _VALUE) - _OFFSET


def high_in(entry: int) -> int:
    """Return what the makers get at the most, by an entry."""
    return (entry >> _HIGH & _VALUE) - _OFFSET


def pattern_of(board: Board, like: int, left: int, ranks: int) -> int:
    """Return the highest cards of ``like``: as many of each suit as ``left`` has of the ranks."""
    if not board.switches & position.USE_RANKS:
        return like
    pattern = 0
    for suit in range(TRUMPS):
        count = (left & ranks & board.suit_set[suit]).bit_count()
        if count:
            pattern |= position.highest(like & board.suit_set[suit], count)
    return pattern


def keep(board: Board, key: int, pattern: int, tag: int, low: int, high: int, hint: int) -> None:
    """Keep bounds; of others at their place those of the fewest cards have to go."""
    first = bucket_of(key)
    known = board.known
    chosen, fewest = first, CARD_COUNT + 1
    for place in range(first, first + WAYS * ENTRY, ENTRY):
        entry = known[place + BOUNDS]
        if entry >> _GENERATION != board.generation:
            if fewest >= 0:
                chosen, fewest = place, -1
        elif known[place] == key and known[place + _TOP] == pattern and entry >> _AHEAD == tag:
            low, high = max(low, low_in(entry)), min(high, high_in(entry))
            chosen = place
            break
        elif (known[place] & _CARDS).bit_count() < fewest:
            chosen, fewest = place, (known[place] & _CARDS).bit_count()
    known[chosen] = key
    known[chosen + _TOP] = pattern
    known[chosen + _WHICH] = union(
        down_to_lowest(board, pattern & board.suit_set[suit])
        for suit in range(TRUMPS)
        if pattern & board.suit_set[suit]
    )
    bounds = (low + _OFFSET) << _LOW | (high + _OFFSET) << _HIGH
    known[chosen + BOUNDS] = tag << _AHEAD | bounds | hint
