"""Where on its sheet a hand stands, and which of its cells a finding is about."""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET

from tricklog.core.model import Finding
from tricklog.ingest.score_sheets.hands import EXT
from tricklog.ingest.score_sheets.words import Means
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.messages import Listing, say

_CELLS: Final = {
    "/known/maker": (Means.MAKER, Means.BID),
    "/known/bid": (Means.BID,),
    "/known/trump": (Means.TRUMP, Means.BID),
    "/known/stake": (Means.STAKE,),
    "/claimed/points": (Means.POINTS,),
    "/claimed/change": (Means.CHANGE,),
    "/claimed/scores": (Means.SCORE,),
    "/claimed/result": (Means.RESULT, Means.SET, Means.BY),
    "/claimed/by": (Means.BY, Means.RESULT, Means.SET),
    "/scores": (Means.BEFORE, Means.SCORE, Means.CHANGE),
    "/dealer": (Means.DEALER,),
    "/hand": (Means.HAND, Means.GAME),
    "/game": (Means.GAME,),
}
"""By what a finding points to, the columns that say it, the nearest first."""


def is_of_sheet(hand: Hand) -> bool:
    """Whether a hand was read from a score sheet."""
    return hand.ext is not UNSET and EXT in hand.ext


def cells_of(hand: Hand, finding: Finding) -> str:
    """Return the cells of a sheet that a finding is about: ``D14``, or ``G14 H14`` for two sides.

    Empty for a hand of no sheet; the row alone, ``14``, where no one column says it.
    """
    place: Any = hand.ext.get(EXT) if hand.ext is not UNSET else None
    if not isinstance(place, dict) or not isinstance(place.get("row"), int):
        return ""
    row, columns = place["row"], place.get("columns")
    for means in _CELLS.get(finding.pointer, ()):
        if isinstance(columns, dict) and isinstance(found := columns.get(means.value), str):
            return " ".join(f"{letter}{row}" for letter in found.split())
    return str(row)


def cell_words(hand: Hand, finding: Finding) -> str:
    """Return the cells of a finding as people are told them: ``cell D14``, ``row 14``."""
    cells = cells_of(hand, finding)
    if not cells or cells.isdecimal():
        return say("row {number}", number=cells) if cells else ""
    named = cells.split()
    if len(named) == 1:
        return say("cell {cell}", cell=named[0])
    return say("cells {cells}", cells=Listing(named, commas=False))
