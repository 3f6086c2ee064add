"""Lines that belong together: put into records by a key, until the line that ends a record.

Records of many games may come mixed. What is open is bounded: where too much is, the record that
has waited longest for its next line is given up, and told with all of its lines.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from tricklog.ingest.adapters.contract import GroupBy
from tricklog.ingest.adapters.foreign import SHAPE_HINT, ForeignError
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.reading.rejects import Part, RejectCode

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
