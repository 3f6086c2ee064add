"""Hands as Polars frames: hands, seats, calls, plays, tricks, captures and findings.

What a log or a few hands hold goes into frames by the views of a warehouse in memory, so that what
is worked out with one holds for the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any, Final, TypeAlias

import polars as pl
from duckdb import DuckDBPyConnection
from polars.datatypes import DataType, DataTypeClass

from tricklog.core import Finding, Replay, replay
from tricklog.ingest.loading.auditing import AuditedLine
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store import database, rows
from tricklog.schemas.hand import Hand

AT_ONCE: Final = 10_000
"""Hands of a chunk, unless said otherwise; their frames take some 30 MB."""

Source: TypeAlias = Hand | Replay | AuditedLine | LogLine
"""What frames are made of. Lines of a log that hold no hand are passed over."""

_OF_TYPE: Final[dict[DataType | DataTypeClass, str]] = {
    pl.Boolean: "forced no_contract is_dealer is_maker under_trump",
    pl.UInt8: "dealer maker stake winner_side seat side_no trumps_held trick leader winner "
    "from_seat by_seat place",
    pl.UInt16: "action trick_points card_points ordinal",
    pl.Int16: "bid need points_held amount",
    pl.Int32: "hand",
    pl.Date: "day",
    pl.Datetime("us"): "started_at",
    pl.List(pl.UInt8): "seat_sides",
    pl.List(pl.Int16): "points change",
    pl.List(pl.Int32): "scores_before scores",
    pl.List(pl.String): "player_ids doubts dealt at_play buried",
}
"""The columns of each type, which a name has wherever it stands; all others are text."""
_TYPES: Final = {name: kind for kind, names in _OF_TYPE.items() for name in names.split()}
_NAMES: Final = {
    "hands": "hand_id variant ruleset game hand started_at day dealer player_ids seat_sides "
    "verdict doubts result maker bid bid_name need trump forced no_contract alone_by stake "
    "scores_before points change scores winner_side",
    "seats": "hand_id seat player side_no is_dealer is_maker dealt at_play trumps_held points_held",
    "calls": "hand_id action seat verb amount bid_name",
    "plays": "hand_id action trick seat card",
    "tricks": "hand_id trick leader winner trick_points buried",
    "captures": "hand_id card point_card card_points trick from_seat by_seat side_no leader place "
    "under_trump",
    "findings": "hand_id scope ordinal code action pointer seat facts legal rule message",
}
COLUMNS: Final[dict[str, dict[str, DataType | DataTypeClass]]] = {
    frame: {name: _TYPES.get(name, pl.String) for name in names.split()}
    for frame, names in _NAMES.items()
}
"""The columns of each frame, in order: those of the warehouse's views of the same names, the hands
with their seating. Seats and sides count from 0, tricks from 1; cards, bids and trumps are written
as in a log."""
_VIEWS: Final = {"hands": "stored"}
"""Views of another name than the frame."""


def words(frame: str, column: str) -> str:
    """Return what a column of a frame means, which is what it means in the warehouse."""
    # Whoever makes frames needs no words.
    from tricklog.ingest.metrics.tallies import about

    return about(_VIEWS.get(frame, frame), column)


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
    chunks = list(iter_frames(hands)) or [_EMPTY]
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
    with database.connect() as connection:
        is_first = True
        while chunk := list(islice(replays, size)):
            yield _frames(connection, chunk, is_first=is_first)
            is_first = False


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


def _frames(
    connection: DuckDBPyConnection,
    chunk: Sequence[tuple[Replay, Sequence[Finding]]],
    *,
    is_first: bool,
) -> Frames:
    """Return hands as the views of a warehouse in memory have them, in the order given."""
    ids = pl.Series([replayed.hand.id for replayed, _ in chunk], dtype=pl.String)
    hands, seatings = [], []
    for at, (each, _) in enumerate(chunk):
        # Each hand and its seating has a number of its own.
        line = LogLine("", 0, 0, each.hand)
        hand_no, _, *others = rows.hand_row(line, bytes(16), each, at, 0, at)
        hands.append((hand_no, str(at), *others))
        seatings.append(rows.seating_row(at, "", each.hand.players, each.ruleset))
    rulesets = {each.ruleset.hash: rows.ruleset_row(each.ruleset) for each, _ in chunk}
    for name, types, of_table in (
        ("hands", rows.HAND_TYPES, hands),
        ("seatings", rows.SEATING_TYPES, seatings),
        ("rulesets", rows.RULESET_TYPES, [*rulesets.values()]),
    ):
        connection.register("given", rows.to_table(types, of_table))
        connection.execute(f"CREATE OR REPLACE TABLE {name} AS FROM given")
    if is_first:
        connection.execute(sql_text("tricklog.ingest.store", "warehouse_views.sql"))
    found: dict[str, pl.DataFrame] = {}
    for name, query in _QUERIES.items():
        frame = connection.sql(f"SELECT {', '.join(COLUMNS[name])} {query}").pl()
        hand_id = ids.gather(frame["hand_id"].cast(pl.UInt32))
        found[name] = frame.with_columns(hand_id=hand_id).cast(dict(COLUMNS[name]))
    findings = [
        row
        for replayed, of_game in chunk
        for scope, said in (("hand", replayed.findings), ("game", of_game))
        for row in rows.finding_rows(replayed.hand.id, scope, said)
    ]
    return Frames(findings=pl.DataFrame(findings, COLUMNS["findings"], orient="row"), **found)


_EMPTY: Final = Frames(**{name: pl.DataFrame(schema=each) for name, each in COLUMNS.items()})
_ORDER: Final = "ORDER BY hand_id::UINTEGER"
_QUERIES: Final = {
    "hands": f"""
        FROM (
            SELECT
                *,
                list_transform(players, lambda player: player.id) AS player_ids,
                bid_name(bid) AS bid_name
            FROM stored
        ) {_ORDER}""",  # noqa: S608 - our own
    "seats": f"""
        FROM (
            SELECT
                seats.*,
                dealt,
                at_play,
                seat_facts[seat + 1].trumps_held AS trumps_held,
                seat_facts[seat + 1].points_held AS points_held
            FROM seats
            JOIN holdings USING (hand_id, seat)
            JOIN hands USING (hand_id)
        ) {_ORDER}, seat""",  # noqa: S608 - our own
    "calls": f'FROM calls {_ORDER}, "action"',
    "plays": f'FROM plays {_ORDER}, "action"',
    "tricks": f"FROM tricks {_ORDER}, trick",
    "captures": f"FROM captures {_ORDER}, trick, place, card",
}
"""What each frame is among the views."""
