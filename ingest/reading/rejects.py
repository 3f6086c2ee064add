"""Why a line could not be used: the codes, what to do about each, and the record of one case."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from tricklog.ingest.text_form.problems import Problem

EXCERPT_LENGTH: Final = 120
MESSAGE_LENGTH: Final = 400
KEY_IN_POINTER: Final = 400
"""Characters of the longest key a pointer leads through."""
POINTER_LENGTH: Final = 1_000
"""Characters of the longest pointer."""
SAID_BEFORE: Final = "is that of this very line, which said something else when it was loaded"
"""What is said of the id of a hand that is stored from the same place with other content."""


class RejectCode(StrEnum):
    """The kinds of trouble that put a line, or a whole place, into quarantine."""

    UNREADABLE_FILE = "unreadable-file"
    """The file or folder could not be opened or read."""
    NO_LOGS = "no-logs"
    """A folder that holds no log file."""
    NOT_A_FILE = "not-a-file"
    """A pipe, socket or device in a folder of logs, which is not opened."""
    DAMAGED_ARCHIVE = "damaged-archive"
    """Compressed data that stops early or does not decompress."""
    OTHER_ARCHIVE = "other-archive"
    """An archive of a kind that is not read, or one inside another."""
    EXPANDS_TOO_FAR = "expands-too-far"
    """An archive that holds far more than any log of its size."""
    LINE_TOO_LONG = "line-too-long"
    """A line longer than any hand can be."""
    ENDLESS_LINE = "endless-line"
    """A line of a stream that goes on for longer than anybody waits for its end."""
    INVALID_UTF8 = "invalid-utf8"
    """Bytes that are not UTF-8 text."""
    TOO_DEEP = "too-deep"
    """Objects and lists nested deeper than any hand needs."""
    NOT_JSON = "not-json"
    """Text that is not one JSON value."""
    UNKNOWN_FORMAT = "unknown-format"
    """A JSON object of some other kind."""
    NEWER_FORMAT = "newer-format"
    """A hand in a later version of the format."""
    DUPLICATE_KEY = "duplicate-key"
    """An object that has one key twice."""
    UNKNOWN_FIELD = "unknown-field"
    """A field the format does not know."""
    MISSING_FIELD = "missing-field"
    """A required field that is not there."""
    WRONG_TYPE = "wrong-type"
    """A value of another JSON type than the field takes."""
    BAD_VALUE = "bad-value"
    """A value of the right type that the field cannot have."""
    BAD_TEXT = "bad-text"
    """A hand written as text in which something cannot be read."""
    BAD_SHEET = "bad-sheet"
    """A score sheet, or a row of one, that cannot be read as hands."""
    BAD_CARD = "bad-card"
    """A card list that cannot be read."""
    BAD_ACTION = "bad-action"
    """An action that does not follow the grammar."""
    UNKNOWN_VARIANT = "unknown-variant"
    """A variant, or a version of it, that is not known here."""
    BAD_OPTION = "bad-option"
    """House rules, or embedded rules, that cannot be used."""
    ID_CONFLICT = "id-conflict"
    """An id that another hand, with other content, already has."""
    ADAPTER_FAILED = "adapter-failed"
    """A foreign record on which the adapter itself failed."""
    UNFINISHED_RECORD = "unfinished-record"
    """A foreign record of several lines whose end never came."""
    RECORD_TOO_LONG = "record-too-long"
    """A foreign record of several lines that is longer than any game."""


HINTS: Final = {
    RejectCode.UNREADABLE_FILE: "Check that the path exists and that you may read it.",
    RejectCode.NO_LOGS: (
        "In folders, files ending .jsonl, .ndjson or .trick are read, also with .gz or .zst; "
        "name any other file itself."
    ),
    RejectCode.NOT_A_FILE: "To read it as a stream, name it itself.",
    RejectCode.DAMAGED_ARCHIVE: (
        "Copy or download the file again; the hands before this place were read."
    ),
    RejectCode.OTHER_ARCHIVE: (
        "Unpack it, and read the files that gives; gzip and Zstandard need no unpacking."
    ),
    RejectCode.EXPANDS_TOO_FAR: (
        "The rest of the archive was not read. If you trust it, decompress it yourself and read "
        "the file that gives."
    ),
    RejectCode.LINE_TOO_LONG: "Write one hand on one line; the rest of this line was skipped.",
    RejectCode.ENDLESS_LINE: "Check that this is a log of hands; nothing after this was read.",
    RejectCode.INVALID_UTF8: "Save the file as UTF-8.",
    RejectCode.TOO_DEEP: "Flatten what stands under ext or rules.definition.",
    RejectCode.NOT_JSON: "Write each hand as one JSON object on one line.",
    RejectCode.UNKNOWN_FORMAT: (
        'A hand starts with "format":"tricklog/1", one with gaps with "format":"tricklog/2"; logs '
        "of other programs come in through tricklog convert."
    ),
    RejectCode.NEWER_FORMAT: "Update Tricklog, then read this file again.",
    RejectCode.DUPLICATE_KEY: "Keep the one that is meant and remove the other.",
    RejectCode.UNKNOWN_FIELD: "Correct the name, or move the field under ext.",
    RejectCode.MISSING_FIELD: "Add the field; tricklog rules --schema prints what a hand needs.",
    RejectCode.WRONG_TYPE: "Write the type the field takes; tricklog rules --schema prints it.",
    RejectCode.BAD_VALUE: "Correct the value; tricklog rules --schema prints what fields take.",
    RejectCode.BAD_TEXT: (
        "Correct what stands at these lines and columns; docs/text-form.md shows how hands are "
        "written."
    ),
    RejectCode.BAD_SHEET: (
        "Correct the cell there, or say what its column means: tricklog load --inspect FILE prints "
        "what was recognised, as a mapping to edit."
    ),
    RejectCode.BAD_CARD: "Separate cards by one space: AS, TD, 5H, JO; ? not recorded, * hidden.",
    RejectCode.BAD_ACTION: "Write the seat, the verb and what it takes, such as 2 bid 9.",
    RejectCode.UNKNOWN_VARIANT: (
        "tricklog rules lists the rules known here; rules of your own go under rules.definition."
    ),
    RejectCode.BAD_OPTION: "Correct rules.options; tricklog rules NAME prints what it takes.",
    RejectCode.ID_CONFLICT: "Give each hand an id of its own, or remove the record that is wrong.",
    RejectCode.ADAPTER_FAILED: (
        "This is a fault of the adapter: report it with this record to those who make it, whom "
        "tricklog convert --list names. The other records are converted."
    ),
    RejectCode.UNFINISHED_RECORD: (
        "Read the file that has the rest of the record together with this one; if there is none, "
        "the game was never finished."
    ),
    RejectCode.RECORD_TOO_LONG: (
        "Check that the log is of the program the adapter reads; the rest of this record was "
        "skipped, other records are converted."
    ),
}
"""What to do about each kind of trouble."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong inside one line: ``at`` is the byte within the line, where it is known.

    ``message`` is one printable sentence of bounded length, whatever of the line it repeats, and
    ``pointer`` leads as far as keys of ``KEY_IN_POINTER`` characters do.
    """

    code: RejectCode
    pointer: str
    message: str
    at: int | None = None
    hint: str = ""
    """What to do about it, where that is not the same for all trouble of the kind."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", sentence(self.message))
        object.__setattr__(self, "pointer", _without_long_keys(self.pointer))


class Part(NamedTuple):
    """Where one line of a record of several lines starts."""

    file: str
    line: int
    byte: int


@dataclass(frozen=True, slots=True)
class Reject:
    """A line, or a place in a file, that could not be used.

    ``byte`` counts from the start of the file, after decompression, to the trouble itself.
    ``pointer`` is a JSON pointer into the line, empty when the line as a whole is meant.
    """

    file: str
    line: int
    byte: int
    code: RejectCode
    pointer: str
    message: str
    hint: str
    text: bytes
    """The line as it was read; of a line that is too long, its beginning; of a record of several
    lines, all of them with line feeds between."""
    parts: tuple[Part, ...] = ()
    """Where each line of a record of several lines stands; empty for a record of one."""
    problems: tuple[Problem, ...] = ()
    """All that is wrong with a hand written as text, each with its place; else nothing."""

    @property
    def has_byte(self) -> bool:
        """Whether people look for ``byte``: rows of score sheets are known by their number."""
        return self.code != RejectCode.BAD_SHEET and not is_in_workbook(self.file)

    @property
    def known_byte(self) -> int | None:
        """``byte``, or nothing in a workbook, where a row is at none."""
        return None if is_in_workbook(self.file) else self.byte

    @property
    def excerpt(self) -> str:
        """The beginning of the line for people: one line of printable text."""
        cut = self.text[:EXCERPT_LENGTH].decode("utf-8", "backslashreplace").replace("\n", " ⏎ ")
        shown = printable(cut)
        return shown + "…" if len(self.text) > EXCERPT_LENGTH else shown


_IN_WORKBOOK: Final = re.compile(r"\.(xlsx|ods)\[.*\]\Z", re.IGNORECASE | re.DOTALL)


def is_in_workbook(file: str) -> bool:
    """Whether a file is named with a sheet of it, as workbooks are: ``club.xlsx[Friday]``."""
    return bool(_IN_WORKBOOK.search(file))


def problems_json(reject: Reject) -> dict[str, Any]:
    """Return what is wrong with a hand written as text, for JSON; nothing of any other reject."""
    if not reject.problems:
        return {}
    problems = [
        {"line": each.line, "column": each.column, "message": each.message}
        for each in reject.problems
    ]
    return {"problems": problems}


def pointer_to(*path: str | int) -> str:
    """Return the JSON pointer (RFC 6901) of a path of keys and indexes.

    Before a key of more than ``KEY_IN_POINTER`` characters it stops, at the object that has it, and
    so it does where it would have more than ``POINTER_LENGTH``.
    """
    return _without_long_keys(
        "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
    )


def _without_long_keys(pointer: str) -> str:
    if len(pointer) <= KEY_IN_POINTER:
        return pointer
    keys = itertools.takewhile(lambda key: len(key) <= KEY_IN_POINTER, pointer.split("/"))
    leads = itertools.accumulate(keys, lambda lead, key: f"{lead}/{key}")
    return max(itertools.takewhile(lambda lead: len(lead) <= POINTER_LENGTH, leads), key=len)


def printable(text: str) -> str:
    """Return ``text`` with escapes for what could not be seen or would steer a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def sentence(message: str) -> str:
    """Return ``message`` on one line, and without its middle when it is very long."""
    if len(message) > MESSAGE_LENGTH:
        half = MESSAGE_LENGTH // 2
        message = f"{message[:half]} … {message[-half:]}"
    return printable(message)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if character <= "\xff" else f"\\u{code:04x}"
