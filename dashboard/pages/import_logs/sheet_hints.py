"""What to do about a score sheet, for people on the page Import in place of a terminal."""

from __future__ import annotations

from typing import Final

from tricklog.ingest.reading.rejects import HINTS, RejectCode
from tricklog.ingest.score_sheets.hands import WHO_SAT
from tricklog.ingest.score_sheets.layout import ADVICE, CORRECT_IT, MAP_IT
from tricklog.schemas.languages.messages import message, say, translated

_ON_PAGE: Final = {
    WHO_SAT: message(
        "Name those who play under “Who plays, by seat”, in the order of the seats, partners "
        "across."
    ),
    MAP_IT: message("Choose under “What the columns mean” what they say."),
    HINTS[RejectCode.BAD_SHEET]: message(
        "Correct the cell there, or choose under “What the columns mean” what its column says."
    ),
    CORRECT_IT: message(
        "If this is another sheet or evening, give the file a name of its own, or its rows the "
        "day. Only if this row was corrected, choose “Correct what was loaded of it before”, and "
        "check first which hands that replaces."
    ),
}


def on_page(hint: str) -> str:
    """Return what to do, without commands for a terminal."""
    said = _ON_PAGE.get(hint)
    return translated(hint) if said is None else str(said)


def told_on_page(told: str) -> str:
    """Return what is said of a sheet, likewise."""
    if not told.endswith(ADVICE):
        return told
    return say(
        "{told}; choose under “What the columns mean” what its column says",
        told=told.removesuffix(ADVICE),
    )
