"""The kinds of losses in the language of the viewer."""

from __future__ import annotations

from ingest.reports.player import LOSS
from schemas.languages.messages import translated_in


def loss_words(kind: str) -> str:
    """Return what was done where something was lost: ``cinch missed``."""
    return translated_in(LOSS, kind)
