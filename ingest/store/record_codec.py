"""A hand log line taken apart into the columns of the warehouse, and put together again.

The columns hold every fact of the record once; ``line_of`` gives the canonical line back byte for
byte. A claim that the rules confirm is kept as no more than that, and comes back from the columns
``points``, ``change`` and ``scores``: whoever replaces those replaces the whole row.
"""

from __future__ import annotations

import base64
import re
import zlib
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from ingest.reading.record_checks import parse_time
from schemas import codes
from schemas.hand import FORMAT, Claimed, Hand, Player

COLUMNS: Final = (
    "id, game, number, rules, players, dealer, scores_before, deal, deeds, tail, started_at, "
    "points, change, scores"
)
"""What ``line_of`` needs of a hand joined with its seating, as a list for SQL."""

_encode: Final = msgspec.json.Encoder(order="deterministic").encode
_OFFSET: Final = re.compile(r"(Z|[+-]\d\d:\d\d)$")
# No string can hold this text: a quote within one is escaped.
_SHORT_TIME: Final = re.compile(r'"started_at":~(Z|[+-]\d\d:\d\d)')


LONG: Final = 1 << 12
"""Bytes above which DuckDB stores a text by itself, and holds 2,048 of them at a time."""
_PACKED: Final = "~"
"""Begins a packed text; neither rules nor a tail begin so."""
_SHORT: Final = "~"
_CLAIM: Final = '"claimed":~'


class Tail(Struct, frozen=True):
    """The fields after the actions, as the line has them."""

    claimed: Claimed | Raw | UnsetType
    status: str | UnsetType
    started_at: str | Raw | UnsetType
    times: dict[str, int] | UnsetType
    notes: dict[str, str] | UnsetType
    ext: dict[str, Any] | UnsetType


class Moment(NamedTuple):
    """When a hand began."""

    started_at: datetime
    """UTC, without a time zone."""
    day: date
    """The local day at the table."""
    offset: str
    """The offset as recorded; empty where time and offset do not give back the text recorded."""


def moment_of(hand: Hand) -> Moment | None:
    """Return when the hand began, ``None`` when the record does not say."""
    if hand.started_at is UNSET:
        return None
    local = parse_time(hand.started_at)
    started = local.astimezone(UTC).replace(tzinfo=None)
    found = _OFFSET.search(hand.started_at)
    exact = found is not None and _time_text(started, found[0]) == hand.started_at
    return Moment(started, local.date(), found[0] if found and exact else "")


def tail_of(hand: Hand, moment: Moment | None, confirmed: Claimed | None) -> str:
    """Return the canonical text of all that follows the actions, without the closing brace.

    A claim equal to ``confirmed``, which the row has in its columns, is ``~``. A time that column
    ``started_at`` gives back is ``~`` and its offset: ``"started_at":~+02:00``.
    """
    claimed = Raw(_SHORT.encode()) if hand.claimed == confirmed else hand.claimed
    exact = moment and moment.offset
    started = Raw(f"{_SHORT}{exact}".encode()) if exact else hand.started_at
    tail = Tail(claimed, hand.status, started, hand.times, hand.notes, hand.ext)
    return packed(_encode(tail)[1:-1].decode())


def packed(text: str) -> str:
    """Return a text as it is stored: one of more than ``LONG`` bytes compressed, in base 64."""
    content = text.encode()
    if len(content) <= LONG:
        return text
    short = _PACKED + base64.b64encode(zlib.compress(content)).decode()
    return short if len(short) < len(content) else text


def unpacked(stored: str) -> str:
    """Return what was packed; the inverse of ``packed``."""
    if not stored.startswith(_PACKED):
        return stored
    return zlib.decompress(base64.b64decode(stored[len(_PACKED) :])).decode()


def rules_of(hand: Hand) -> str:
    """Return the canonical text of the rules a hand names."""
    return _encode(hand.rules).decode()


def line_of(row: tuple[Any, ...]) -> bytes:
    """Return the canonical line from the columns named by ``COLUMNS``."""
    (hand_id, game, number, rules, players, dealer, before) = row[:7]
    (deal, deeds, stored_tail, started, points, change, scores) = row[7:]
    tail = unpacked(stored_tail)
    dealt = zip(("deal", "stock", "kitty"), codes.deal_of_code(deal), strict=True)
    fields = {
        "format": FORMAT,
        "id": hand_id,
        "game": game,
        "hand": number,
        "rules": Raw(unpacked(rules).encode()),
        "players": [_player(**player) for player in players],
        "dealer": dealer,
        "scores": before,
        **{key: None if part is UNSET else part for key, part in dealt},
        "actions": codes.actions_of_code(deeds, len(players)),
    }
    head = msgspec.json.encode({key: value for key, value in fields.items() if value is not None})
    if tail.startswith(_CLAIM):
        claim = _encode(Claimed(points, change, scores)).decode()
        tail = tail.replace(_SHORT, claim, 1)
    tail = _SHORT_TIME.sub(lambda found: f'"started_at":"{_time_text(started, found[1])}"', tail)
    return head[:-1] + (b"," + tail.encode() if tail else b"") + b"}"


def _player(*, id: str, name: str | None, kind: str | None) -> Player:  # noqa: A002 - the field's name
    return Player(id, UNSET if name is None else name, UNSET if kind is None else kind)  # type: ignore[arg-type]


def _time_text(started: datetime, offset: str) -> str:
    """Return the time ``started`` (UTC) as a log with this offset writes it, to the second."""
    if offset == "Z":
        return started.isoformat() + offset
    ahead = timedelta(hours=int(offset[1:3]), minutes=int(offset[4:]))
    return (started - ahead if offset[0] == "-" else started + ahead).isoformat() + offset
