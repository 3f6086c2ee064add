"""What a ledger is counted in: the choice that the pages of one hand and of many share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tricklog.core.study.sampling import Unit
from tricklog.dashboard.kit.choices import choose_beside
from tricklog.dashboard.pages.ledger.words import unit_words
from tricklog.schemas.languages.messages import say_in

UNIT: Final = "unit"
"""Parameter and key of the choice."""


def choose_unit(units: Sequence[Unit]) -> Unit:
    """Let the viewer choose among units, the first of them at first."""
    return choose_beside(say_in("a unit", "In"), UNIT, units, unit_words)
