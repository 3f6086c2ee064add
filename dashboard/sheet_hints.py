"""What to do about a score sheet, for people on the page Import in place of a terminal."""

from __future__ import annotations

from typing import Final

from ingest.loading.staging import CORRECT_IT
from ingest.reading.rejects import HINTS, RejectCode
from ingest.score_sheets.seating import WHO_SAT
from ingest.score_sheets.telling import ADVICE, MAP_IT

_CHOOSE: Final = "choose under “What the columns mean” what its column says"
_ON_PAGE: Final = {
    WHO_SAT: "Name those who play under “Who plays, by seat”, in the order of the seats, partners "
    "across.",
    MAP_IT: "Choose under “What the columns mean” what they say.",
    HINTS[RejectCode.BAD_SHEET]: f"Correct the cell there, or {_CHOOSE}.",
    CORRECT_IT: "If this row was corrected, choose “Correct what was loaded of it before”, and "
    "load the sheet again.",
}


def on_page(hint: str) -> str:
    """Return what to do, without commands for a terminal."""
    return _ON_PAGE.get(hint, hint)


def told_on_page(message: str) -> str:
    """Return what is told of a sheet, likewise."""
    return f"{message.removesuffix(ADVICE)}; {_CHOOSE}" if message.endswith(ADVICE) else message
