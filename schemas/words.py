"""Numbers with their nouns."""

from tricklog.schemas.languages.messages import Message, message_counted


def counted(count: int, word: str) -> str:
    """Return a number with its noun: ``1 card``, ``1,204 hands``."""
    return f"{count:,} {noun(count, word)}"


def noun(count: int, word: str) -> str:
    """Return the noun that goes with a number: ``card`` with 1, else ``cards``."""
    return word if count == 1 else f"{word}s"


def cards_counted(count: int) -> Message:
    """Return a number of cards, to be shown: ``1 card``."""
    return message_counted("{count} card", "{count} cards", count)


def hands_counted(count: int) -> Message:
    """Return a number of hands, to be shown: ``12 hands``."""
    return message_counted("{count} hand", "{count} hands", count)


def points_counted(count: int) -> Message:
    """Return a number of points, to be shown: ``1 point``."""
    return message_counted("{count} point", "{count} points", count)


def tricks_counted(count: int) -> Message:
    """Return a number of tricks, to be shown: ``3 tricks``."""
    return message_counted("{count} trick", "{count} tricks", count)


def lines_counted(count: int) -> Message:
    """Return a number of lines, to be shown: ``3 lines``."""
    return message_counted("{count} line", "{count} lines", count)
