"""The names of findings, as people say them: ``wrong leader``."""

from __future__ import annotations

from typing import Final

from tricklog.core.engine.faults import Fault
from tricklog.core.judging.deal_findings import DEAL_ROWS
from tricklog.core.judging.findings import code_of
from tricklog.schemas.languages.messages import Message

CONTEXT: Final = "a finding"
OTHER_CODES: Final = (
    "after-the-game",
    "began-before",
    "claimed-change",
    "claimed-points",
    "claimed-result",
    "claimed-score",
    "claimed-winner",
    "hand-number-twice",
    "known-otherwise",
    "players-changed",
    "rules-changed",
    "score-not-carried",
    "wrong-dealer",
)
"""Codes of what is found in claims and beside the other hands of a game."""


def finding_codes() -> tuple[str, ...]:
    """Return the codes of all findings there can be."""
    faults = [code_of(fault) for fault in Fault]
    return tuple(dict.fromkeys([*faults, *DEAL_ROWS, *OTHER_CODES]))


def finding_said(code: str) -> Message:
    """Return the name of a finding by its code, to be shown."""
    return Message(code.replace("-", " "), context=CONTEXT)
