"""Whose log a file is: seen from its first records, by what the adapters can make of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from ingest.adapters import ADAPTERS, OF_HANDS, Adapter, convert_line
from ingest.reading.reader import LineKind, LogLine, read
from ingest.reading.rejects import Reject
from ingest.reading.sources import Source, find_sources
from schemas.render import one_line
from schemas.words import counted

FIRST: Final = 5
"""Records of a log that are looked at."""
MOST_LOGS: Final = 20
"""Logs of a folder, or of several files, that are looked at."""
_LINES: Final = 50
"""Lines of a log among which these records are looked for; others may be blank."""
_MOST_FIELDS: Final = 6
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
        """Whether all that is not of Tricklog's own format can be turned into hands."""
        return self.adapter is not None and self.converted == self.records - self.own

    @property
    def sentence(self) -> str:
        """Return what it looks like and how sure that is."""
        if not self.records:
            return "There are no records at the beginning."
        if self.is_own:
            return "Hand logs of Tricklog’s own format."
        if self.adapter is None:
            return self._unknown()
        others = self.records - self.own
        looked = "its first record" if others == 1 else f"the first {others} records"
        if self.is_sure:
            said = f"can read {looked}" if others == 1 else f"can read all of {looked}"
            sure = f"Its adapter {said}."
        elif self.converted:
            sure = f"Its adapter can read {self.converted} of {looked}, so this is likely."
        else:
            sure = (
                f"{counted(self.shaped, 'record')} of {looked} {_have(self.shaped)} its fields, "
                "but none can be read: the log may be damaged or of another version."
            )
        mixed = f" {self.own} of the first records are Tricklog’s own." if self.own else ""
        return f"This looks like {self.adapter.program}. {sure}{mixed}"

    def _unknown(self) -> str:
        known = ", ".join(each.program for each in ADAPTERS.values())
        what = "The first lines are no JSON objects"
        if self.fields:
            listed = ", ".join(map(one_line, self.fields[:_MOST_FIELDS]))
            more = ", …" if len(self.fields) > _MOST_FIELDS else ""
            what = f"The first record has the fields {listed}{more}, which no adapter knows"
        return f"{what}. Tricklog reads its own hand logs, and those of {known}."


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def recognise(lines: Iterable[LogLine]) -> Recognised:
    """Return what the first records of a log look like; blank lines are none."""
    records = [line for line in islice(lines, _LINES) if line.kind != LineKind.BLANK][:FIRST]
    own = [line for line in records if _is_own(line)]
    others = [line for line in records if not _is_own(line)]
    decoded = [_object_of(line) for line in others]
    shaped = Counter(
        name
        for record in decoded
        for name, adapter in ADAPTERS.items()
        if record is not None and adapter.fields <= record.keys()
    )
    found = Recognised(len(records), len(own))
    best = None
    for name, count in shaped.most_common():
        hands = sum(bool(convert_line(ADAPTERS[name], line).hands) for line in others)
        if best is None or hands > best.converted:
            best = Recognised(len(records), len(own), ADAPTERS[name], count, hands)
    if best is not None:
        return best
    strange = next((record for record in decoded if record is not None), None)
    if strange is not None:
        return Recognised(len(records), len(own), fields=tuple(strange))
    return found


def recognise_logs(*paths: str | Path | Source) -> dict[str, Recognised]:
    """Return what each log looks like, by its name; of a folder, the first ``MOST_LOGS`` in it.

    ``paths`` are as ``ingest.reading.reader.read`` takes them, but for pipes, which are passed
    over: what is read from one is gone. Never raises for what a log holds.
    """
    sources = (each for each in find_sources(paths) if not each.may_be_endless)
    return {each.name: recognise(_first_lines(each)) for each in islice(sources, MOST_LOGS)}


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
        every[0].fields,
    )


def _first_lines(source: Source) -> Iterator[LogLine]:
    yield from read(source)


def _is_own(line: LogLine) -> bool:
    if line.hand is not None:
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
