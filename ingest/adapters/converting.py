"""Converting: records of another program become hands, or rejects that say where and why."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from tricklog.ingest.adapters.contract import Adapter, GroupBy
from tricklog.ingest.adapters.foreign import SHAPE_HINT, SHOWN, ForeignError
from tricklog.ingest.adapters.registry import adapter_named
from tricklog.ingest.reading.decode_errors import explain, locate_duplicate
from tricklog.ingest.reading.json_positions import place_of
from tricklog.ingest.reading.log_line import WrittenText
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import KEPT_OF_LONG_LINE, LineKind, LogLine, parse_line, read
from tricklog.ingest.reading.rejects import (
    Part,
    Reject,
    RejectCode,
    Trouble,
    pointer_to,
)
from tricklog.ingest.reading.sources import Source
from tricklog.ingest.text_form.problems import Problem
from tricklog.schemas.hand import Hand, encode_hand
from tricklog.schemas.words import counted

MOST_OPEN: Final = 1 << 25
"""Bytes of the lines of records that are not complete yet, about."""
MOST_RECORD: Final = 1 << 22
"""Bytes of the lines of one record; a game of fifty hands takes some 300,000."""
_LINE: Final = 200
"""Bytes that a line takes in memory beside its text."""


class End(StrEnum):
    """How a record came to its end."""

    COMPLETE = "complete"
    UNFINISHED = "unfinished"
    """Its file ended, or the input did."""
    GIVEN_UP = "given up"
    """So much else was open that there was no room for it."""
    TOO_LONG = "too long"


@dataclass(slots=True)
class Record:
    """The lines of one record, in order."""

    key: str
    lines: list[LogLine] = field(default_factory=list)
    origins: list[Hashable] = field(default_factory=list)
    """What each line came from, as far as that was said."""
    size: int = 0
    end: End = End.UNFINISHED

    @property
    def parts(self) -> tuple[Part, ...]:
        """Where its lines stand."""
        return tuple(Part(each.file, each.line, each.byte) for each in self.lines)

    @property
    def text(self) -> bytes:
        """Its lines as they were read."""
        return b"\n".join(each.text for each in self.lines)


class Held(NamedTuple):
    """What an origin has of records that are not complete."""

    line: int
    """The first line of them all."""
    byte: int
    keys: dict[str, int]
    """The byte of the first line of each, by its key."""


class Again(NamedTuple):
    """What is read again to go on with records that were not complete."""

    until: int
    """Byte of the origin before which everything has been read once."""
    keys: dict[str, int]
    """The byte of the first line of each of these records: of no other, lines are needed."""

    def begins(self, key: str | None) -> int:
        """Return from which byte on lines of a record are needed."""
        return self.until if key is None else self.keys.get(key, self.until)


class Grouper:
    """Puts lines into records; it goes on from file to file for as long as it is fed."""

    def __init__(
        self, by: GroupBy, *, most_open: int = MOST_OPEN, most_record: int = MOST_RECORD
    ) -> None:
        self._by = by
        self._most_open = most_open
        self._most_record = most_record
        self._open: OrderedDict[str, Record] = OrderedDict()
        self._size = 0
        self._skipped: set[str] = set()
        """Keys of records that were too long, whose end has not come."""

    @property
    def open_records(self) -> int:
        """How many records are not complete."""
        return len(self._open)

    def feed(
        self,
        line: LogLine,
        decoded: Any,  # noqa: ANN401 - any JSON
        origin: Hashable = None,
        again: Again | None = None,
    ) -> list[Record] | None:
        """Take a line; return the records that are at their end now: its own, or some given up.

        ``origin`` is what it comes from, by which ``held`` tells lines apart. ``None`` for a line
        that belongs to no record. Raises ``ForeignError`` for one that no record can have, and
        whatever the adapter does.
        """
        key = self._key_of(decoded)
        if again is not None and line.byte < again.begins(key):
            return []
        if key is None:
            return None
        is_end = bool(self._by.ends(decoded))
        if key in self._skipped:
            if is_end:
                self._skipped.remove(key)
            return []
        return list(self._add(key, line, origin, is_end=is_end))

    def _add(self, key: str, line: LogLine, origin: Hashable, *, is_end: bool) -> Iterator[Record]:
        record = self._open.pop(key, None) or Record(key)
        record.lines.append(LogLine(line.file, line.line, line.byte, text=line.text))
        record.origins.append(origin)
        taken = len(line.text) + _LINE
        record.size += taken
        self._size += taken
        if record.size > self._most_record:
            if not is_end:
                self._skipped.add(key)
            yield self._ended(record, End.TOO_LONG)
        elif is_end:
            yield self._ended(record, End.COMPLETE)
        else:
            self._open[key] = record
            while self._size > self._most_open:
                _, oldest = self._open.popitem(last=False)
                yield self._ended(oldest, End.GIVEN_UP)

    def rest(self) -> Iterator[Record]:
        """Return what is not complete, because nothing more comes; those begun first come first."""
        self._skipped.clear()
        open_records = sorted(self._open.values(), key=lambda each: each.lines[0].line)
        self._open.clear()
        for record in open_records:
            yield self._ended(record, End.UNFINISHED)

    def held(self) -> dict[Hashable, Held]:
        """Return for each origin what it has of records that are not complete."""
        found: dict[Hashable, Held] = {}
        for record in self._open.values():
            for each, origin in zip(record.lines, record.origins, strict=True):
                first = found.setdefault(origin, Held(each.line, each.byte, {}))
                first.keys.setdefault(record.key, each.byte)
                if each.byte < first.byte:
                    found[origin] = Held(each.line, each.byte, first.keys)
        return found

    def _ended(self, record: Record, end: End) -> Record:
        self._size -= record.size
        record.end = end
        return record

    def _key_of(self, decoded: Any) -> str | None:  # noqa: ANN401 - any JSON
        by = self._by.key
        if not isinstance(by, str):
            return by(decoded)
        if not isinstance(decoded, dict) or by not in decoded:
            message = f"The line has no field {by}, which names the record it belongs to."
            raise ForeignError(RejectCode.MISSING_FIELD, (), message, SHAPE_HINT)
        value = decoded[by]
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            kind = f"a value of type {type(value).__name__}"
            message = f"What names a record is a text or a whole number, not {kind}."
            raise ForeignError(RejectCode.WRONG_TYPE, (by,), message, SHAPE_HINT)
        return str(value)


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
    try:
        value: object = msgspec.json.decode(line.text)
    except msgspec.ValidationError:
        message = "A number is too large to be read."
        return _refused(line, Trouble(RejectCode.BAD_VALUE, "", message))
    except msgspec.DecodeError as error:
        return _refused(line, explain(line.text, error))
    # The decoder drops a repeated key, and its quotes with it.
    quotes = msgspec.json.encode(value).count(b'"')
    if b"\\u0022" in line.text or line.text.count(b'"') != quotes:
        trouble = locate_duplicate(line.text)
        return _refused(line, trouble) if trouble else value
    return value


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
    at = place.start if place else 0
    pointer = pointer_to(*error.path)
    return _refused(line, Trouble(error.code, pointer, error.message, at, error.hint))


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
        # The record is refused when the hand made of it is one that the reader would not take.
        trouble = parse_line(encode_hand(hand))
        if isinstance(trouble, Trouble):
            message = f"Its hand {hand.id} could not be read again: {trouble.message}"
            raise ForeignError(trouble.code, (), message, SHAPE_HINT)
    return hands


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
    is_long = record.end == End.TOO_LONG
    code = RejectCode.RECORD_TOO_LONG if is_long else RejectCode.UNFINISHED_RECORD
    key = repr(record.key if len(record.key) <= SHOWN else record.key[:SHOWN] + "…")
    message = f"The record {key} has {counted(len(record.lines), 'line')}, and {_ENDS[record.end]}."
    reject = _of_record(record, _refused(record.lines[0], Trouble(code, "", message)))
    return replace(reject, text=reject.text[:KEPT_OF_LONG_LINE]) if is_long else reject


@dataclass(frozen=True, slots=True)
class Converted:
    """What became of a record: its hands, or its reject; with neither, of a line that is none."""

    file: str
    line: int
    """Where the record starts."""
    hands: tuple[Hand, ...] = ()
    reject: Reject | None = None
    byte: int = 0
    """Where that line starts in the file."""
    parts: tuple[Part, ...] = ()
    """Where each line of a record of several lines stands; empty for a record of one."""
    warnings: tuple[Problem, ...] = ()
    """What of a hand that is written as text may not be what was meant."""


@dataclass(slots=True)
class ConvertCounts:
    """Running totals of a conversion; converted + rejected = records."""

    records: int = 0
    """Records read; blank lines are none."""
    converted: int = 0
    """Records that became hands."""
    rejected: int = 0
    """Records, or unreadable places, refused."""
    hands: int = 0

    def add(self, item: Converted) -> None:
        """Count what became of one record, or one line."""
        self.records += bool(item.hands) or item.reject is not None
        self.converted += bool(item.hands)
        self.rejected += item.reject is not None
        self.hands += len(item.hands)


def convert(name: str, *paths: str | Path) -> Iterator[Converted]:
    """Convert foreign logs record by record, in bounded memory.

    Args:
        name: a key of ``ADAPTERS``.
        paths: files, folders or ``-``, as ``tricklog.ingest.reading.reader.read`` takes them.

    Returns:
        Every record, and every line that is none, in the order in which they end. Trouble with a
        record is never raised: it is a ``reject``.

    Raises:
        UnknownAdapterError: there is no such adapter; raised at once.
    """
    return converted(adapter_named(name), read(*paths))


def convert_with(adapter: Adapter, *paths: str | Path | Source) -> Iterator[Converted]:
    """Convert foreign logs with an adapter that need not be installed, as ``convert`` does."""
    return converted(adapter, read(*paths))


def read_foreign(
    adapter: Adapter, *paths: str | Path | Source, byte_counter: ByteCounter | None = None
) -> Iterator[LogLine]:
    """Read logs of another program as ``tricklog.ingest.reading.reader.read`` reads hand logs.

    Each hand is a line of its own, at the place where its record starts.
    """
    for item in converted(adapter, read(*paths, byte_counter=byte_counter)):
        yield from lines_of(item)


def lines_of(item: Converted) -> Iterator[LogLine]:
    """Return what became of a record as lines of a log: hands, a reject or a blank."""
    for hand in item.hands:
        # What stands in the log is of the other program: only the place of the record is known.
        record = WrittenText(item.line, item.byte)
        text = encode_hand(hand)
        yield LogLine(item.file, item.line, item.byte, hand, None, text, written=record)
    if item.reject is not None:
        text = item.reject.text
        yield LogLine(item.file, item.line, item.byte, None, item.reject, text)
    elif not item.hands:
        yield LogLine(item.file, item.line, item.byte)


def converted(adapter: Adapter, lines: Iterable[LogLine]) -> Iterator[Converted]:
    """Convert lines that were read of foreign logs, one log after the other."""
    conversion = Conversion(adapter)
    by = adapter.group_by
    if by is None or by.across_files:
        yield from conversion.take(lines)
        yield from conversion.rest()
        return
    for _, of_file in groupby(lines, key=lambda line: line.file):
        yield from conversion.take(of_file)
        yield from conversion.rest()


def own_hands(lines: Iterable[LogLine]) -> Iterator[Converted]:
    """Return hands that are read as they are: of hand logs, of JSON over many lines, of text."""
    for line in lines:
        hands = () if line.hand is None else (line.hand,)
        yield Converted(line.file, line.line, hands, line.reject, line.byte, warnings=line.warnings)


class Conversion:
    """One conversion under way, which takes lines for as long as there are any."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self._grouper = Grouper(adapter.group_by) if adapter.group_by else None

    def take(
        self, lines: Iterable[LogLine], origin: Hashable = None, again: Again | None = None
    ) -> Iterator[Converted]:
        """Convert the records that are complete with these lines.

        ``origin`` is what they come from, by which ``held`` tells lines apart; ``again`` says what
        of it has been read once, by whoever had to leave some records incomplete.
        """
        for line in lines:
            if self._grouper is None:
                yield convert_line(self._adapter, line)
            else:
                yield from self._put_together(self._grouper, line, origin, again)

    def rest(self) -> Iterator[Converted]:
        """Refuse the records that are not complete, because nothing more comes."""
        if self._grouper is not None:
            yield from map(self._of_record, self._grouper.rest())

    @property
    def open_records(self) -> int:
        """How many records are not complete."""
        return self._grouper.open_records if self._grouper else 0

    def held(self) -> dict[Hashable, Held]:
        """Return for each origin its first line that belongs to a record which is not complete."""
        return self._grouper.held() if self._grouper else {}

    def _put_together(
        self, grouper: Grouper, line: LogLine, origin: Hashable, again: Again | None
    ) -> Iterator[Converted]:
        # Of a line that was taken before its line feed came, more may stand there now.
        end = line.byte + len(line.text.rstrip())
        was_told = again is not None and line.byte < again.until and end <= again.until
        found = self._fed(grouper, line, origin, again)
        if not isinstance(found, list):
            if not was_told:
                yield _became(line, found)
            return
        yield from map(self._of_record, found)

    def _fed(
        self, grouper: Grouper, line: LogLine, origin: Hashable, again: Again | None
    ) -> list[Record] | Reject | None:
        """Feed a line; return the records that are at their end, or what became of the line."""
        if line.kind == LineKind.BLANK:
            return None
        value = read_value(line)
        if isinstance(value, Reject):
            return value
        try:
            return grouper.feed(line, value, origin, again)
        except ForeignError as error:
            return refused(line, error)
        except Exception as error:  # noqa: BLE001 - no fault of one line may end the run
            return failed(self._adapter, line, error)

    def _of_record(self, record: Record) -> Converted:
        return _became(record.lines[0], hands_of_lines(self._adapter, record), record.parts)


def convert_line(adapter: Adapter, line: LogLine) -> Converted:
    """Return what becomes of one line of a log in which each line is a record."""
    is_text = adapter.is_text is not None and adapter.is_text(line.text)
    if line.kind == LineKind.BLANK or is_text:
        return _became(line, None)
    value = read_value(line)
    made = value if isinstance(value, Reject) else hands_of(adapter, value, line)
    return _became(line, made)


def _became(
    line: LogLine, made: tuple[Hand, ...] | Reject | None, parts: tuple[Part, ...] = ()
) -> Converted:
    reject = made if isinstance(made, Reject) else None
    hands = made if isinstance(made, tuple) else ()
    return Converted(line.file, line.line, hands, reject, line.byte, parts)
