"""How a record ends, in words."""

from __future__ import annotations

from tricklog.ingest.text_form.folding import fold
from tricklog.ingest.text_form.vocabulary import STATUSES


def status_of(text: str) -> str | None:
    """Return the status that words stand for, as the log writes it."""
    words = fold(text)
    for spelled in (words, words.replace("_", " "), words.replace("-", " ")):
        if spelled in STATUSES:
            return STATUSES[spelled]
    return None
