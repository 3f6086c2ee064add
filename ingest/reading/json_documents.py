"""JSON over many lines: each record becomes a hand or a reject."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

import msgspec

from tricklog.ingest.reading.json_records import JsonRecord, JsonRecords
from tricklog.ingest.reading.log_line import KEPT_OF_LONG_LINE, MAX_LINE, LogLine, parse_line
from tricklog.ingest.reading.rejects import Reject, RejectCode, Trouble
from tricklog.ingest.reading.sources import SourceError
from tricklog.ingest.reading.written import WrittenJson

_CUT_OFF: Final = (
    "The file may have been cut off: copy it again, or close what is open with } and ]."
)
_HINTS: Final = {
    RejectCode.NOT_JSON: "Check the brackets, commas and quotes there.",
    RejectCode.LINE_TOO_LONG: "Write each hand as an object of its own; this one was passed over.",
}


def read_json(name: str, pieces: Iterable[tuple[int, bytes]]) -> Iterator[LogLine]:
    """Read JSON that goes over many lines: a hand, several one after the other, or a list of them.

    A record counts as a line, and its number is that of the line in which it begins. The text of a
    hand is its JSON on one line.
    """
    records = JsonRecords(MAX_LINE, KEPT_OF_LONG_LINE)
    failure: SourceError | None = None
    try:
        for _, piece in pieces:
            for record in records.feed(piece):
                yield _read_record(name, record)
    except SourceError as error:
        failure = error
    cut: Reject | None = None
    for record in records.feed(b"", is_last=True):
        line = _read_record(name, record)
        cut = line.reject
        if cut is not None and failure is None:
            line = replace(line, reject=replace(cut, hint=_CUT_OFF))
        yield line
    end = LogLine(name, *records.place)
    if failure is not None:
        yield end.rejected(Trouble(failure.code, "", failure.message, 0, failure.hint))
    # A record that has no end is the reason why its list has none: that is one trouble.
    elif records.open_list is not None and cut is None:
        message = f"The list that begins in line {records.open_list} has no end."
        yield end.rejected(Trouble(RejectCode.NOT_JSON, "", message, 0, _CUT_OFF))


def _read_record(name: str, record: JsonRecord) -> LogLine:
    written = WrittenJson(record.line, record.byte, record.column, record.text)
    line = LogLine(name, record.line, record.byte, text=record.text, written=written)
    if record.length > MAX_LINE:
        message = f"The record has {record.length:,} bytes; the most is {MAX_LINE:,}."
        return line.rejected(_of_a_record(RejectCode.LINE_TOO_LONG, message))
    if not record.is_value:
        message = f"Line {record.line} is outside any record."
        hint = "Between records only white space and commas may stand."
        return line.rejected(Trouble(RejectCode.NOT_JSON, "", message, 0, hint))
    found = parse_line(record.text)
    if isinstance(found, Trouble):
        return line.rejected(_placed(found, record))
    on_one_line = msgspec.json.format(record.text, indent=-1)
    return replace(line, hand=found, text=on_one_line)


def _of_a_record(code: RejectCode, message: str) -> Trouble:
    return Trouble(code, "", message, hint=_HINTS.get(code, ""))


def _placed(trouble: Trouble, record: JsonRecord) -> Trouble:
    """Return the trouble of a record with the line of the file in which it is."""
    message = trouble.message.replace("The line ", "The record ", 1)
    hint = trouble.hint or _HINTS.get(trouble.code, "")
    if trouble.at is not None and b"\n" in record.text:
        line = record.line + record.text.count(b"\n", 0, trouble.at)
        message = f"{message} That is in line {line}."
    return replace(trouble, message=message, hint=hint)
