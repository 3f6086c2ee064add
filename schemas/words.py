"""Numbers with their nouns."""

from functools import partial
from typing import Final

from tricklog.schemas.languages.messages import mark_counted, message_counted


def counted(count: int, word: str) -> str:
    """Return a number with its noun: ``1 card``, ``1,204 hands``."""
    return f"{count:,} {noun(count, word)}"


def noun(count: int, word: str) -> str:
    """Return the noun that goes with a number: ``card`` with 1, else ``cards``."""
    return word if count == 1 else f"{word}s"


# Each returns a number with its noun, to be shown: ``1 card``.
cards_counted: Final = partial(message_counted, *mark_counted("{count} card", "{count} cards"))
hands_counted: Final = partial(message_counted, *mark_counted("{count} hand", "{count} hands"))
points_counted: Final = partial(message_counted, *mark_counted("{count} point", "{count} points"))
tricks_counted: Final = partial(message_counted, *mark_counted("{count} trick", "{count} tricks"))
lines_counted: Final = partial(message_counted, *mark_counted("{count} line", "{count} lines"))
