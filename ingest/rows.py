"""From replayed hands to rows: one Arrow table a chunk, with the columns of ``warehouse.sql``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC
from itertools import chain
from typing import Any, Final

import msgspec
import pyarrow as pa
from msgspec import UNSET

from ingest.checks import parse_time
from ingest.spool import RejectRow, SpooledHand
from replay import Finding, Outcome, Replay, Ruleset
from schemas.actions import Verb
from schemas.hand import encode_hand

_U8: Final = pa.uint8()
_U16: Final = pa.uint16()
_I16: Final = pa.int16()
_TEXT: Final = pa.string()


def _structs(**fields: pa.DataType) -> pa.DataType:
    return pa.list_(pa.struct(list(fields.items())))


HAND_TYPES: Final = {
    "id": _TEXT,
    "content_hash": _TEXT,
    "play_hash": _TEXT,
    "import_id": pa.int32(),
    "file": _TEXT,
    "line": pa.int64(),
    "record": _TEXT,
    "game": _TEXT,
    "number": pa.int32(),
    "started_at": pa.timestamp("us"),
    "day": pa.date32(),
    "ruleset": _TEXT,
    "players": _structs(id=_TEXT, name=_TEXT, kind=_TEXT),
    "seat_sides": pa.list_(_U8),
    "dealer": _U8,
    "scores_before": pa.list_(pa.int32()),
    "verdict": _TEXT,
    "doubts": pa.list_(_TEXT),
    "played": _U16,
    "result": _TEXT,
    "maker": _U8,
    "bid": _I16,
    "need": _I16,
    "trump": pa.int8(),
    "forced": pa.bool_(),
    "no_contract": pa.bool_(),
    "alone": _TEXT,
    "stake": _U8,
    "points": pa.list_(_I16),
    "change": pa.list_(_I16),
    "scores": pa.list_(pa.int32()),
    "winner_side": _U8,
    "dealt": pa.list_(pa.uint64()),
    "at_play": pa.list_(pa.uint64()),
    "calls": _structs(action=_U16, seat=_U8, verb=_U8, amount=_I16),
    "plays": _structs(action=_U16, trick=_U8, seat=_U8, card=pa.int8()),
    "tricks": _structs(number=_U8, leader=_U8, winner=_U8, points=_U16, buried=pa.uint64()),
    "captures": _structs(
        card=pa.int8(), points=_U16, trick=_U8, from_seat=_U8, by_seat=_U8, side=_U8
    ),
}
FINDING_TYPES: Final = {
    "hand_id": _TEXT,
    "scope": _TEXT,
    "ordinal": _U16,
    "code": _TEXT,
    "action": _U16,
    "pointer": _TEXT,
    "seat": _U8,
    "facts": _TEXT,
    "legal": _TEXT,
    "rule": _TEXT,
    "message": _TEXT,
}
REJECT_TYPES: Final = {
    "reject": _TEXT,
    "file": _TEXT,
    "line": pa.int64(),
    "byte": pa.int64(),
    "code": _TEXT,
    "pointer": _TEXT,
    "message": _TEXT,
    "hint": _TEXT,
    "text": pa.binary(),
}
RULESET_TYPES: Final = {
    "ruleset": _TEXT,
    "variant": _TEXT,
    "version": pa.int32(),
    "title": _TEXT,
    "family": _TEXT,
    "total_points": pa.int32(),
    "scored_in": _TEXT,
    "options": _TEXT,
    "policies": _TEXT,
}

Row = tuple[Any, ...]


def hand_row(spooled: SpooledHand, replay: Replay, import_id: int) -> Row:
    """Return the row of table hands, in the order of ``HAND_TYPES``."""
    hand, ruleset = spooled.hand, replay.ruleset
    started = None if hand.started_at is UNSET else parse_time(hand.started_at)
    return (
        hand.id,
        spooled.content,
        spooled.play,
        import_id,
        spooled.line.file,
        spooled.line.line,
        encode_hand(hand).decode(),
        hand.game or None,
        hand.hand or None,
        started.astimezone(UTC).replace(tzinfo=None) if started else None,
        started.date() if started else None,
        ruleset.hash,
        [(p.id, p.name or None, p.kind or None) for p in hand.players],
        [ruleset.side_of(seat) for seat in range(len(hand.players))],
        hand.dealer,
        None if hand.scores is UNSET else hand.scores,
        replay.verdict.value,
        replay.doubts,
        replay.played,
        *_outcome_columns(replay.outcome),
        replay.dealt,
        replay.at_play,
        [(call.action, call.seat, call.verb, call.amount) for call in replay.calls],
        list(_plays(replay)),
        [(t.number, t.leader, t.winner, t.points, t.buried) for t in replay.tricks],
        [(c.card, c.points, c.trick, c.from_seat, c.by_seat, c.side) for c in replay.captures],
    )


def _outcome_columns(outcome: Outcome | None) -> Row:
    if outcome is None:
        return (None,) * 13
    return (
        outcome.result,
        outcome.maker,
        outcome.bid,
        outcome.need,
        outcome.trump,
        outcome.forced,
        outcome.no_contract,
        outcome.alone,
        outcome.stake,
        outcome.points,
        outcome.change,
        outcome.scores,
        outcome.winner_side,
    )


def _plays(replay: Replay) -> Iterable[tuple[int, int, int, int]]:
    """Return action, trick, seat and card of every play to a complete trick."""
    for trick in replay.tricks:
        actions = range(trick.first_action, trick.last_action + 1)
        played = (n for n in actions if replay.actions[n].verb == Verb.PLAY)
        for seat, card in trick.plays:
            # A play by somebody who is out of the hand lies between, and is not part of the trick.
            action = next(n for n in played if replay.actions[n][:1] == (seat,))
            yield action, trick.number, seat, card


def finding_rows(hand_id: str, scope: str, findings: Sequence[Finding]) -> list[Row]:
    """Return the rows of table findings, in the order of ``FINDING_TYPES``."""
    return [
        (
            hand_id,
            scope,
            ordinal,
            finding.code,
            finding.action,
            finding.pointer,
            finding.seat,
            _json(finding.facts),
            finding.legal,
            finding.rule,
            finding.message,
        )
        for ordinal, finding in enumerate(findings)
    ]


def ruleset_row(ruleset: Ruleset) -> Row:
    """Return the row of table rulesets, in the order of ``RULESET_TYPES``."""
    return (
        ruleset.hash,
        ruleset.id,
        ruleset.version,
        ruleset.title,
        ruleset.family,
        ruleset.total_points,
        "game points" if ruleset.values["made"] == "game-point" else "card points",
        _json(ruleset.options),
        _json(ruleset.values),
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def to_table(types: dict[str, pa.DataType], rows: Sequence[Row] | Sequence[RejectRow]) -> pa.Table:
    """Return rows as an Arrow table with the given columns."""
    columns = zip(*rows, strict=True) if rows else ([] for _ in types)
    arrays = [_array(type_, column) for type_, column in zip(types.values(), columns, strict=True)]
    return pa.table(arrays, names=list(types))


def _array(type_: pa.DataType, column: Sequence[Any]) -> pa.Array:
    if not (pa.types.is_list(type_) and pa.types.is_struct(type_.value_type)):
        return pa.array(column, type_)
    # Lists of records are laid out field by field: many times faster than record by record.
    offsets = [0]
    for items in column:
        offsets.append(offsets[-1] + len(items))
    fields = list(type_.value_type)
    values = zip(*chain.from_iterable(column), strict=True) if offsets[-1] else ([] for _ in fields)
    arrays = [pa.array(value, field.type) for value, field in zip(values, fields, strict=True)]
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), pa.StructArray.from_arrays(arrays, fields=fields)
    )
