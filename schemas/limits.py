"""The limits of the hand log, each once: for its types, its scanner, its checks and its schema."""

from typing import Final

MIN_SEATS: Final = 4
MAX_SEATS: Final = 7
MAX_NAME: Final = 200
"""Characters of an id or a name."""
MAX_TIME: Final = 40
"""Characters of a time."""
MAX_HAND: Final = 100_000
"""The highest number of a deal within its game."""
MAX_SCORE: Final = 1_000_000
"""Points of a side, above and below 0."""
MAX_LIST: Final = 160
"""Characters of a list of cards: all cards of a pack with a joker, and the spaces between them."""
MAX_ACTION: Final = 180
"""Characters of an action."""
MAX_ACTIONS: Final = 1000
MAX_WINNERS: Final = 53
"""Tricks of a hand: nobody plays more than the pack holds."""
MAX_NOTE: Final = 2000
"""Characters of a remark."""
