"""Numbers with their nouns."""

from __future__ import annotations


def counted(count: int, word: str) -> str:
    """Return a number with its noun: ``1 card``, ``1,204 hands``."""
    return f"{count:,} {noun(count, word)}"


def noun(count: int, word: str) -> str:
    """Return the noun that goes with a number: ``card`` with 1, else ``cards``."""
    return word if count == 1 else f"{word}s"
