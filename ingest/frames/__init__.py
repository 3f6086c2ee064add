"""Hands as Polars frames: hands, seats, calls, plays, tricks, captures and findings.

What a log or a few hands hold goes into frames by the views of a warehouse in memory, so that what
is worked out with one holds for the other. ``tricklog.ingest.frames.columns`` has the columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any, Final, TypeAlias

import polars as pl
from duckdb import DuckDBPyConnection

from tricklog.core import Finding, Replay, replay
from tricklog.ingest.frames.columns import COLUMNS
from tricklog.ingest.loading.auditing import AuditedLine
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store import database, rows
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
        while chunk := list(islice(replays, size)):
            yield _frames(connection, chunk)


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
    connection: DuckDBPyConnection, chunk: Sequence[tuple[Replay, Sequence[Finding]]]
) -> Frames:
    """Return hands as the views of a warehouse in memory have them, in the order given."""
    ids = pl.Series([replayed.hand.id for replayed, _ in chunk], dtype=pl.String)
    numbered = list(enumerate(chunk))
    rulesets = {each.ruleset.hash: rows.ruleset_row(each.ruleset) for each, _ in chunk}
    is_new = not connection.execute("FROM duckdb_views() WHERE NOT internal").fetchall()
    for name, types, of_table in (
        ("hands", rows.HAND_TYPES, [_hand_row(at, each) for at, (each, _) in numbered]),
        ("seatings", rows.SEATING_TYPES, [_seating(at, each) for at, (each, _) in numbered]),
        ("rulesets", rows.RULESET_TYPES, [*rulesets.values()]),
    ):
        connection.register("given", rows.to_table(types, of_table))
        if is_new:
            connection.execute(f"CREATE TABLE {name} AS FROM given")
        else:
            connection.execute(f"TRUNCATE {name}; INSERT INTO {name} FROM given")
    if is_new:
        connection.execute(sql_text("tricklog.ingest.store", "warehouse_views.sql"))
    found: dict[str, pl.DataFrame] = {}
    for name, query in _QUERIES.items():
        columns = ", ".join(COLUMNS[name])
        frame = connection.sql(f"SELECT {columns} {query}").pl()
        hand_id = ids.gather(frame["hand_id"].cast(pl.UInt32))
        found[name] = frame.with_columns(hand_id=hand_id).cast(dict(COLUMNS[name]))
    findings = [
        row
        for replayed, of_game in chunk
        for scope, said in (("hand", replayed.findings), ("game", of_game))
        for row in rows.finding_rows(replayed.hand.id, scope, said)
    ]
    return Frames(findings=pl.DataFrame(findings, COLUMNS["findings"], orient="row"), **found)


def _hand_row(at: int, replayed: Replay) -> rows.Row:
    """Return a row of table hands, whose hand and seating have a number of their own."""
    line = LogLine("", 0, 0, replayed.hand)
    hand_no, _, *others = rows.hand_row(line, _NO_HASH, replayed, at, 0, at)
    return hand_no, str(at), *others


def _seating(at: int, replayed: Replay) -> rows.Row:
    return rows.seating_row(at, "", replayed.hand.players, replayed.ruleset)


_EMPTY: Final = Frames(**{name: pl.DataFrame(schema=each) for name, each in COLUMNS.items()})
_NO_HASH: Final = bytes(16)
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
