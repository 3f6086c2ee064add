"""What counters of scores keep of a game, as the score sheet that it is: bids and scores of sides.

So far that of pidro-counter, which keeps a game in the browser, under ``game``, as JSON.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from tricklog.ingest.score_sheets.grid import MAX_ROWS, Grid, Row

_LARGEST: Final = 1 << 20
"""Bytes of a game, at most."""
_HEADINGS: Final = ("Hand", "Bidder", "Bid", "Change we", "Change they")


class _Points(msgspec.Struct):
    team: str
    points: int | float | str | None
    """Whatever was entered: what cannot be one is told where it stands, as in any sheet."""


class _Set(msgspec.Struct):
    """A hand; of the last one the score may be missing still."""

    round: Annotated[int, Meta(ge=1, le=MAX_ROWS)]
    bid: _Points
    score: list[_Points] = []


class _Game(msgspec.Struct):
    sets: list[_Set]
    teams: tuple[str, str]
    """The sides, ours first."""


def counter_grid(content: bytes, most: int = MAX_ROWS) -> Grid | None:
    """Return what a counter keeps as a table, ``most`` rows of it; nothing for other content."""
    if not content.startswith(b"{"):
        return None
    try:
        game = msgspec.json.decode(content, type=_Game)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    rows = [Row(1, _HEADINGS)]
    for number, each in enumerate(game.sets[: most - 1], 2):
        scored = {of.team: of.points for of in each.score}
        change = (scored.get(team) for team in game.teams)
        rows.append(Row(number, (each.round, each.bid.team, each.bid.points, *change)))
    return Grid(rows, is_cut=len(game.sets) >= most)


def is_counter_file(path: Path) -> bool:
    """Whether a file holds what a counter keeps of a game; not for one that cannot be read."""
    try:
        is_small = path.is_file() and path.stat().st_size <= _LARGEST
        return is_small and counter_grid(path.read_bytes()) is not None
    except OSError:
        return False
