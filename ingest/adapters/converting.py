"""Converting: records of another program become hands, or rejects that say where and why."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from tricklog.ingest.adapters.contract import Adapter
from tricklog.ingest.adapters.foreign import ForeignError
from tricklog.ingest.adapters.grouping import Again, Grouper, Held, Record
from tricklog.ingest.adapters.records import failed, hands_of, hands_of_lines, read_value, refused
from tricklog.ingest.adapters.registry import adapter_named
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import LineKind, LogLine, read
from tricklog.ingest.reading.rejects import Part, Reject
from tricklog.ingest.reading.sources import Source
from tricklog.ingest.reading.written import WrittenText
from tricklog.ingest.text_form.problems import Problem
from tricklog.schemas.hand import Hand, encode_hand


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
        if isinstance(found, Converted):
            if not was_told:
                yield found
            return
        yield from map(self._of_record, found)

    def _fed(
        self, grouper: Grouper, line: LogLine, origin: Hashable, again: Again | None
    ) -> list[Record] | Converted:
        """Feed a line; return the records that are at their end, or what became of the line."""
        none = Converted(line.file, line.line, byte=line.byte)
        if line.kind == LineKind.BLANK:
            return none
        value = read_value(line)
        if isinstance(value, Reject):
            return _of_line(line, value)
        try:
            ended = grouper.feed(line, value, origin, again)
        except ForeignError as error:
            return _of_line(line, refused(line, error))
        except Exception as error:  # noqa: BLE001 - no fault of one line may end the run
            return _of_line(line, failed(self._adapter, line, error))
        return none if ended is None else ended

    def _of_record(self, record: Record) -> Converted:
        first, made = record.lines[0], hands_of_lines(self._adapter, record)
        if isinstance(made, Reject):
            return Converted(first.file, first.line, (), made, first.byte, record.parts)
        return Converted(first.file, first.line, made, None, first.byte, record.parts)


def convert_line(adapter: Adapter, line: LogLine) -> Converted:
    """Return what becomes of one line of a log in which each line is a record."""
    is_text = adapter.is_text is not None and adapter.is_text(line.text)
    if line.kind == LineKind.BLANK or is_text:
        return Converted(line.file, line.line, byte=line.byte)
    value = read_value(line)
    made = value if isinstance(value, Reject) else hands_of(adapter, value, line)
    return _of_line(line, made)


def _of_line(line: LogLine, made: tuple[Hand, ...] | Reject) -> Converted:
    if isinstance(made, Reject):
        return Converted(line.file, line.line, (), made, line.byte)
    return Converted(line.file, line.line, made, None, line.byte)
