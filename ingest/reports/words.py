"""Sentences of reports that stand in several of them."""

from __future__ import annotations

from typing import Final

from replay.render.sentences import rules_text
from schemas.languages.messages import message, say, say_counted

MADE_WITH: Final = message("Tricklog report")
OPEN_CARDS: Final = message(
    "* With all cards open: best play when everybody sees every card. Nobody at the table does, so "
    "a card that cost something need not have been a mistake."
)
INTERVALS: Final = message(
    "Intervals are at 95 %, and at 99 % for differences. They go by games, as partners and "
    "opponents repeat within one."
)


def rule_text(rule: str) -> str:
    """Return citations with their titles: ``Rule 1.follow Following to a trick``; empty of none."""
    return say("Rule {rules}", rules=rules_text(rule)) if rule else ""


def evenings_text(count: int) -> str:
    """Return a number of evenings: ``12 evenings``."""
    return say_counted("{count} evening", "{count} evenings", count)
