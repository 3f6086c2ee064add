"""One foreign record: read, turned into hands, or refused with its place and the reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import msgspec

from tricklog.ingest.adapters.contract import Adapter
from tricklog.ingest.adapters.foreign import SHAPE_HINT, SHOWN, ForeignError
from tricklog.ingest.adapters.grouping import MOST_RECORD, End, Record
from tricklog.ingest.reading.decode_errors import explain, locate_duplicate
from tricklog.ingest.reading.json_positions import place_of
from tricklog.ingest.reading.reader import KEPT_OF_LONG_LINE, LogLine, parse_line
from tricklog.ingest.reading.rejects import HINTS, Reject, RejectCode, Trouble, pointer_to, sentence
from tricklog.schemas.hand import Hand, encode_hand
from tricklog.schemas.words import counted

OF_HANDS: Final = frozenset(
    {
        RejectCode.UNKNOWN_FORMAT,
        RejectCode.NEWER_FORMAT,
        RejectCode.DUPLICATE_KEY,
        RejectCode.UNKNOWN_FIELD,
        RejectCode.MISSING_FIELD,
        RejectCode.WRONG_TYPE,
        RejectCode.BAD_VALUE,
        RejectCode.BAD_CARD,
        RejectCode.BAD_ACTION,
    }
)
"""Trouble that the hand reader has with any record that is foreign. All other trouble is with the
text itself, or with the place it stands in, and the same for every reader."""


def read_value(line: LogLine) -> object:
    """Return the JSON value on a line that is not blank, or the ``Reject`` of the line."""
    if line.reject is not None and line.reject.code not in OF_HANDS:
        return line.reject
    value = _decode(line.text)
    return _refused(line, value) if isinstance(value, Trouble) else value


def hands_of(adapter: Adapter, value: object, line: LogLine) -> tuple[Hand, ...] | Reject:
    """Return the hands of the record on a line, or why there are none."""
    try:
        return _made(adapter, value)
    except ForeignError as error:
        return refused(line, error)
    except Exception as error:  # noqa: BLE001 - no fault of one record may end the run
        return failed(adapter, line, error)


def hands_of_lines(adapter: Adapter, record: Record) -> tuple[Hand, ...] | Reject:
    """Return the hands of a record of several lines, or why there are none."""
    if record.end != End.COMPLETE:
        return _incomplete(record)
    try:
        return _made(adapter, [msgspec.json.decode(each.text) for each in record.lines])
    except ForeignError as error:
        index, *path = error.path or (0,)
        is_place = isinstance(index, int) and index < len(record.lines)
        line = record.lines[index if isinstance(index, int) and is_place else 0]
        inside = ForeignError(error.code, tuple(path), error.message, error.hint)
        reject = refused(line, inside)
        return _of_record(record, replace(reject, pointer=pointer_to(*error.path)))
    except Exception as error:  # noqa: BLE001 - no fault of one record may end the run
        return _of_record(record, failed(adapter, record.lines[0], error))


def refused(line: LogLine, error: ForeignError) -> Reject:
    """Return the reject of a line with the trouble that an adapter has with it."""
    place = place_of(line.text, error.path)
    return Reject(
        file=line.file,
        line=line.line,
        byte=line.byte + (place.start if place else 0),
        code=error.code,
        pointer=pointer_to(*error.path),
        message=error.message,
        hint=error.hint,
        text=line.text,
    )


def failed(adapter: Adapter, line: LogLine, error: Exception) -> Reject:
    """Return the reject of a line on which the adapter itself failed."""
    said = f"{type(error).__name__}: {error}".rstrip(": .")
    message = f"The adapter {adapter.name} failed on this record ({said})."
    return _refused(line, Trouble(RejectCode.ADAPTER_FAILED, "", message))


def _made(adapter: Adapter, value: object) -> tuple[Hand, ...]:
    hands = tuple(adapter.convert(value))
    if not hands:
        raise ValueError("it returned no hand and gave no reason")
    for hand in hands:
        _check(hand)
    return hands


def _check(hand: Hand) -> None:
    """Refuse the record when the hand made of it is one that the reader would not take."""
    trouble = parse_line(encode_hand(hand))
    if isinstance(trouble, Trouble):
        message = f"Its hand {hand.id} could not be read again: {trouble.message}"
        raise ForeignError(trouble.code, (), message, SHAPE_HINT)


def _decode(text: bytes) -> object:
    """Return the value on a line, or the ``Trouble`` with its JSON."""
    try:
        value: object = msgspec.json.decode(text)
    except msgspec.ValidationError:
        return Trouble(RejectCode.BAD_VALUE, "", "A number is too large to be read.")
    except msgspec.DecodeError as error:
        return explain(text, error)
    # The decoder drops a repeated key, and its quotes with it.
    if b"\\u0022" in text or text.count(b'"') != msgspec.json.encode(value).count(b'"'):
        return locate_duplicate(text) or value
    return value


def _refused(line: LogLine, trouble: Trouble) -> Reject:
    reject = line.rejected(trouble).reject
    assert reject is not None
    return reject


def _of_record(record: Record, reject: Reject) -> Reject:
    """Return the reject of one line as that of the whole record."""
    return replace(reject, text=record.text, parts=record.parts)


_ENDS: Final = {
    End.UNFINISHED: "its end is missing",
    End.GIVEN_UP: "its end has not come while too much else was open",
    End.TOO_LONG: f"no end; the most is {MOST_RECORD:,} bytes",
}


def _incomplete(record: Record) -> Reject:
    """Return the reject of a record that is not complete, at its first line."""
    first = record.lines[0]
    is_long = record.end == End.TOO_LONG
    code = RejectCode.RECORD_TOO_LONG if is_long else RejectCode.UNFINISHED_RECORD
    key = repr(record.key if len(record.key) <= SHOWN else record.key[:SHOWN] + "…")
    message = f"The record {key} has {counted(len(record.lines), 'line')}, and {_ENDS[record.end]}."
    return Reject(
        file=first.file,
        line=first.line,
        byte=first.byte,
        code=code,
        pointer="",
        message=sentence(message),
        hint=HINTS[code],
        text=record.text[:KEPT_OF_LONG_LINE] if is_long else record.text,
        parts=record.parts,
    )
