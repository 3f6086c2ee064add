"""Hands as Polars frames: hands, seats, calls, plays, tricks, captures and findings.

What a log or a few hands hold goes straight into frames, without a warehouse. The columns are those
of the warehouse's views (``tricklog.ingest.frames.columns``), so that what is worked out with one
holds for the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any, Final, TypeAlias

import polars as pl

from tricklog.core import Replay, replay
from tricklog.ingest.frames.columns import COLUMNS
from tricklog.ingest.frames.rows import (
    Row,
    call_rows,
    capture_rows,
    hand_rows,
    play_rows,
    rows_of_findings,
    seat_rows,
    trick_rows,
)
from tricklog.ingest.loading.auditing import AuditedLine
from tricklog.ingest.reading.reader import LogLine
from tricklog.schemas.hand import Hand

AT_ONCE: Final = 10_000
"""Hands of a chunk, unless said otherwise; their frames take some 30 MB."""

Source: TypeAlias = Hand | Replay | AuditedLine | LogLine
"""What frames are made of. Lines of a log that hold no hand are passed over."""


@dataclass(frozen=True, slots=True)
class Frames:
    """Hands as frames, one for each kind of row; ``hand_id`` leads from one to the other."""

    hands: pl.DataFrame
    seats: pl.DataFrame
    calls: pl.DataFrame
    plays: pl.DataFrame
    tricks: pl.DataFrame
    captures: pl.DataFrame
    findings: pl.DataFrame

    def __repr__(self) -> str:
        """Return one line that says how many rows each frame has."""
        counts = ", ".join(f"{name} {frame.height:,}" for name, frame in self.items())
        return f"<Frames: {counts}>"

    def items(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield each frame with its name."""
        for each in fields(self):
            yield each.name, getattr(self, each.name)


def to_frames(hands: Source | Iterable[Source]) -> Frames:
    """Return hands as frames, all of them in memory; without hands, frames without rows.

    Args:
        hands: hands, replays, or the lines that ``read`` or ``audit`` yield, or one of these. Only
            lines of an audit have findings of their games.

    Raises ``RulesetError`` and ``BadRecord`` as ``replay`` does, for hands that cannot be replayed;
    lines of an audit always can. Raises ``TypeError`` for what holds no hands.
    """
    chunks = list(iter_frames(hands)) or [_frames({name: [] for name in COLUMNS})]
    whole = {name: pl.concat([dict(each.items())[name] for each in chunks]) for name in COLUMNS}
    return Frames(**whole)


def iter_frames(hands: Source | Iterable[Source], size: int = AT_ONCE) -> Iterator[Frames]:
    """Yield hands as frames, ``size`` hands at a time, so that any number of them fits in memory.

    Raises ``ValueError`` for a size below 1, and what ``to_frames`` raises.
    """
    if size < 1:
        raise ValueError(f"frames of {size} hands cannot be made: size is 1 or more")
    # A replay is iterable, too: it yields its steps.
    given = (hands,) if isinstance(hands, Hand | Replay | AuditedLine | LogLine) else hands
    replays = (found for each in given if (found := _replayed(each)))
    while chunk := list(islice(replays, size)):
        rows: dict[str, list[Row]] = {name: [] for name in COLUMNS}
        for replayed, of_game in chunk:
            rows["hands"] += hand_rows(replayed)
            rows["seats"] += seat_rows(replayed)
            rows["calls"] += call_rows(replayed)
            rows["plays"] += play_rows(replayed)
            rows["tricks"] += trick_rows(replayed)
            rows["captures"] += capture_rows(replayed)
            rows["findings"] += rows_of_findings(replayed, of_game)
        yield _frames(rows)


def _replayed(item: Source) -> tuple[Replay, tuple[Any, ...]] | None:
    """Return a hand replayed, and the findings of its game where these are known."""
    if isinstance(item, AuditedLine):
        return (item.replay, item.game_findings) if item.replay else None
    hand = item.hand if isinstance(item, LogLine) else item
    if hand is None:
        return None
    if not isinstance(hand, Hand | Replay):
        raise TypeError(
            "frames are made of hands, replays, or the lines that tricklog.read and tricklog.audit "
            f"yield, and not of {type(hand).__name__}"
        )
    return (hand if isinstance(hand, Replay) else replay(hand)), ()


def _frames(rows: dict[str, list[Row]]) -> Frames:
    return Frames(
        **{
            name: pl.DataFrame(rows[name], columns, orient="row")
            for name, columns in COLUMNS.items()
        }
    )
