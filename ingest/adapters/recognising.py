"""Whose log a file is: seen from its first records, by what the adapters can make of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

import msgspec

from tricklog.ingest.adapters.contract import Adapter
from tricklog.ingest.adapters.converting import OF_HANDS, Conversion
from tricklog.ingest.adapters.registry import installed
from tricklog.ingest.reading.reader import LineKind, LogLine, read
from tricklog.ingest.reading.rejects import Reject, RejectCode
from tricklog.ingest.reading.sources import Source, find_sources
from tricklog.schemas.languages.messages import message_counted, say, say_counted
from tricklog.schemas.printable import one_line

FIRST: Final = 5
"""Records of a log that are looked at."""
MOST_LOGS: Final = 20
"""Logs of a folder, or of several files, that are looked at."""
_LINES: Final = 50
"""Lines of a log among which these records are looked for; others may be blank."""
_LINES_OF_GROUPS: Final = 2_000
"""Lines among which the first records are looked for where a record takes several lines."""
_MOST_FIELDS: Final = 6
_COUNTED: Final = frozenset({"sets", "teams"})
"""Fields of a game of pidro-counter, which ``tricklog.ingest.score_sheets.grid`` reads."""
_OWN: Final = "tricklog/"


@dataclass(frozen=True, slots=True)
class Recognised:
    """What the first records of a log look like."""

    records: int
    """Records looked at."""
    own: int = 0
    """Those that say they are of Tricklog's own format."""
    adapter: Adapter | None = None
    """What the others are of, if any adapter knows them."""
    shaped: int = 0
    """Records with the fields of that program."""
    converted: int = 0
    """Those of them that its adapter can turn into hands."""
    rivals: tuple[str, ...] = ()
    """Names of other adapters that can read just as many."""
    fields: tuple[str, ...] = ()
    """Fields of the first record that nobody knows."""

    @property
    def is_own(self) -> bool:
        """Whether all records say they are of Tricklog's own format."""
        return 0 < self.own == self.records

    @property
    def is_mixed(self) -> bool:
        """Whether records of Tricklog's own format stand beside those of another program."""
        return self.adapter is not None and self.own > 0

    @property
    def is_sure(self) -> bool:
        """Whether all that is not of Tricklog's own format can be turned into hands, by one way."""
        is_all = 0 < self.converted == self.records - self.own
        return self.adapter is not None and is_all and not self.rivals

    @property
    def sentence(self) -> str:
        """Return what it looks like and how sure that is, in the language of this context."""
        if not self.records:
            return say("There are no records at the beginning.")
        if self.is_own:
            return say("Hand logs of Tricklog’s own format.")
        if self.adapter is None:
            known = ", ".join(each.program for each in installed().values())
            reads = say(
                "Tricklog reads its own hand logs, and those of {programs}.", programs=known
            )
            return f"{self._unknown()} {reads}"
        told = [say("This looks like {program}.", program=self.adapter.program), self._how_sure()]
        if self.own:
            told.append(say("{own} of the first records are Tricklog’s own.", own=self.own))
        return " ".join(told)

    def _how_sure(self) -> str:
        assert self.adapter is not None
        others = self.records - self.own
        if self.rivals:
            names = ", ".join((self.adapter.name, *self.rivals))
            return say("But several adapters can read it: {names}.", names=names)
        if self.is_sure:
            return say_counted(
                "Its adapter can read its first record.",
                "Its adapter can read all of the first {count} records.",
                others,
            )
        if self.converted:
            return say_counted(
                "Its adapter can read {converted} of its first record, so this is likely.",
                "Its adapter can read {converted} of the first {count} records, so this is likely.",
                others,
                converted=self.converted,
            )
        return self._damaged(others)

    def _damaged(self, others: int) -> str:
        if others == 1:
            return say(
                "{records} of its first record has its fields, but none can be read: the log may "
                "be damaged or of another version.",
                records=message_counted("{count} record", "{count} records", self.shaped),
            )
        return say_counted(
            "{count} record of the first {others} records has its fields, but none can be read: "
            "the log may be damaged or of another version.",
            "{count} records of the first {others} records have its fields, but none can be read: "
            "the log may be damaged or of another version.",
            self.shaped,
            others=others,
        )

    def _unknown(self) -> str:
        if not self.fields:
            return say("The first lines are no JSON objects.")
        if _COUNTED.issubset(self.fields):
            return say(
                "This is a game that pidro-counter keeps, and it is read as a score sheet: "
                "{command}.",
                command="tricklog load FILE --variant pidro --players Ann,Bo,Cy,Dee",
            )
        listed = ", ".join(map(one_line, self.fields[:_MOST_FIELDS]))
        more = ", …" if len(self.fields) > _MOST_FIELDS else ""
        return say(
            "The first record has the fields {fields}, which no adapter knows.",
            fields=f"{listed}{more}",
        )


def recognise(lines: Iterable[LogLine], among: Iterable[Adapter] | None = None) -> Recognised:
    """Return what the first records of a log look like; blank lines are none.

    ``among`` are the adapters that come into question, by default all that are installed.
    """
    adapters = tuple(installed().values() if among is None else among)
    coming = (line for line in lines if not _is_text(line, adapters))
    begun = list(islice(coming, _LINES))
    records = [line for line in begun if line.kind != LineKind.BLANK][:FIRST]
    own = sum(map(_is_own, records))
    others = [line for line in records if not _is_own(line)]
    decoded = [_object_of(line) for line in others]
    shaped = _shaped(decoded, adapters)
    if not shaped:
        strange = next((record for record in decoded if record is not None), {})
        return Recognised(len(records), own, fields=tuple(strange))
    by_lines = [(each, count) for each, count in shaped if each.group_by is None]
    found = [
        Recognised(len(records), own, each, count, _converted(each, others)[1])
        for each, count in by_lines
    ]
    if len(by_lines) < len(shaped):
        begun += islice(coming, _LINES_OF_GROUPS - len(begun))
        whole = [line for line in begun if line.kind != LineKind.BLANK and not _is_own(line)]
        for each, _ in shaped:
            if each.group_by is not None:
                seen, converted = _converted(each, whole)
                found.append(Recognised(seen + own, own, each, seen, converted))
    best = max(found, key=lambda each: each.converted)
    equal = [each for each in found if each.converted == best.converted > 0 and each is not best]
    names = tuple(each.adapter.name for each in equal if each.adapter is not None)
    return replace(best, rivals=names)


def _shaped(
    decoded: Sequence[dict[str, Any] | None], adapters: Sequence[Adapter]
) -> list[tuple[Adapter, int]]:
    """Return the adapters whose fields records have, with how many records; the most first."""
    counts = Counter(
        place
        for record in decoded
        for place, adapter in enumerate(adapters)
        if record is not None and adapter.fields <= record.keys()
    )
    return [(adapters[place], count) for place, count in counts.most_common()]


def _is_text(line: LogLine, adapters: Iterable[Adapter]) -> bool:
    """Whether a line is one of the words around the records of a program."""
    return any(each.is_text is not None and each.is_text(line.text) for each in adapters)


def _converted(adapter: Adapter, lines: Sequence[LogLine]) -> tuple[int, int]:
    """Return of the first records of an adapter how many there are, and how many it can read."""
    taken = Conversion(adapter).take(lines)
    items = list(islice((each for each in taken if each.hands or each.reject), FIRST))
    # A record that ends later than the lines looked at is one, of which nobody knows more.
    return max(len(items), 1), sum(bool(each.hands) for each in items)


def recognise_first(lines: Iterable[LogLine]) -> tuple[Recognised, Iterator[LogLine]]:
    """Return what a stream looks like that is read only once, and all of its lines.

    Of a stream that stays open, its first records are waited for.
    """
    coming = iter(lines)
    begun: list[LogLine] = []
    records = 0
    for line in islice(coming, _LINES_OF_GROUPS):
        begun.append(line)
        records += line.kind != LineKind.BLANK and not _is_text(line, installed().values())
        if records == FIRST and not any(each.group_by for each, _ in _shaped_of(begun)):
            break
    return recognise(begun), chain(begun, coming)


def _shaped_of(lines: Sequence[LogLine]) -> list[tuple[Adapter, int]]:
    return _shaped([_object_of(line) for line in lines], tuple(installed().values()))


def recognise_logs(
    *paths: str | Path | Source, among: Iterable[Adapter] | None = None
) -> dict[str, Recognised]:
    """Return what each log looks like, by its name; of a folder, the first ``MOST_LOGS`` in it.

    ``paths`` are as ``tricklog.ingest.reading.reader.read`` takes them, but for pipes, which are
    passed over: what is read from one is gone. ``among`` is as for ``recognise``. Never raises for
    what a log holds.
    """
    sources = (each for each in find_sources(paths) if not each.may_be_endless)
    adapters = None if among is None else tuple(among)
    return {each.name: recognise(read(each), adapters) for each in islice(sources, MOST_LOGS)}


def surely_foreign(*paths: str | Path) -> Adapter | None:
    """Return the adapter that can read the first records of all logs; nothing if that is not sure.

    Of hand logs no more than the first record is read, and of pipes nothing.
    """
    sources = list(find_sources(paths))
    if not sources or any(each.may_be_endless for each in sources):
        return None
    begun = islice(read(sources[0]), _LINES)
    if any(map(_is_own, islice((each for each in begun if each.kind != LineKind.BLANK), 1))):
        return None
    found = taken_together(recognise_logs(*sources).values())
    return found.adapter if found and found.is_sure and not found.is_mixed else None


def recognise_rejects(rejects: Iterable[Reject]) -> Recognised:
    """Return what lines that could not be read as hands look like."""
    return recognise(
        LogLine(each.file, each.line, each.byte, None, each, each.text)
        for each in rejects
        if each.code in OF_HANDS
    )


def taken_together(found: Iterable[Recognised]) -> Recognised | None:
    """Return what several logs look like if all look alike, nothing where they do not."""
    every = [each for each in found if each.records]
    adapters = {each.adapter for each in every}
    if not every or len(adapters) > 1 or len({each.is_own for each in every}) > 1:
        return None
    return Recognised(
        sum(each.records for each in every),
        sum(each.own for each in every),
        adapters.pop(),
        sum(each.shaped for each in every),
        sum(each.converted for each in every),
        every[0].rivals,
        every[0].fields,
    )


def _is_own(line: LogLine) -> bool:
    if line.hand is not None or (line.reject and line.reject.code is RejectCode.BAD_TEXT):
        return True
    record = _object_of(line)
    said = record.get("format") if record is not None else None
    return isinstance(said, str) and said.startswith(_OWN)


def _object_of(line: LogLine) -> dict[str, Any] | None:
    """Return the JSON object on a line, nothing where there is none that can be read."""
    if line.reject is not None and line.reject.code not in OF_HANDS:
        return None
    try:
        record = msgspec.json.decode(line.text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return record if isinstance(record, dict) else None
