"""What a ledger is counted in: the choice that the pages of one hand and of many share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from tricklog.core.study.sampling import Unit
from tricklog.dashboard.address import asked
from tricklog.dashboard.pages.ledger.words import unit_words
from tricklog.schemas.languages.messages import say_in

UNIT: Final = "unit"
"""Parameter and key of the choice."""


def allow_units(units: Sequence[Unit]) -> None:
    """Say that the address may name one of these units."""
    asked.allows(UNIT, map(unit_words, units))


def choose_unit(units: Sequence[Unit]) -> Unit:
    """Let the viewer choose among units, the first of them at first."""
    chosen: Unit = st.segmented_control(
        say_in("a unit", "In"),
        units,
        format_func=unit_words,
        default=units[0],
        required=True,
        key=UNIT,
        bind="query-params",
    )
    return chosen
