"""Sentences of reports that stand in several of them."""

from __future__ import annotations

from typing import Final

from schemas.citations import titles_of

MADE_WITH: Final = "Tricklog report"
OPEN_CARDS: Final = (
    "* With all cards open: best play when everybody sees every card. Nobody at the table does, so "
    "a card that cost something need not have been a mistake."
)
INTERVALS: Final = (
    "Intervals are at 95 %, and at 99 % for differences. They go by games, as partners and "
    "opponents repeat within one."
)
NAMES_HIDDEN: Final = "Names are hidden: each player has a number, the same throughout."


def rule_text(rule: str) -> str:
    """Return citations with their titles: ``Rule 1.follow Following to a trick``; empty of none."""
    named = ", ".join(f"{name} {title}".strip() for name, title in titles_of(rule))
    return f"Rule {named}" if named else ""
