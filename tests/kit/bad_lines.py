"""Lines that cannot be read, one kind each: the name, the line, the code, the pointer, the byte.

The byte is given by what stands there: the rest of the line from the trouble on begins with it.
``HERE`` means the start of the line, ``END`` its end.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tests.kit.log_lines import SOUND_LINE, line
from tests.kit.text_rows import rows_in
from tricklog.ingest.reading.json_positions import MAX_DEPTH
from tricklog.ingest.reading.reader import MAX_LINE
from tricklog.ingest.reading.rejects import RejectCode as Code

HERE: Final = b""
END: Final = b"\0end"


class BadLine(NamedTuple):
    """A line with one trouble, and what the reject of it must say."""

    name: str
    text: bytes
    code: Code
    pointer: str = ""
    at: bytes = HERE


def put(old: bytes, new: bytes) -> bytes:
    """The sound line with one piece of text replaced."""
    assert SOUND_LINE.count(old) == 1, old
    return SOUND_LINE.replace(old, new)


def dealer(raw: bytes) -> bytes:
    """The sound line with this written as the dealer."""
    return put(b'"dealer": 3', b'"dealer": ' + raw)


def named(raw: bytes) -> bytes:
    """The sound line with this written between the quotes of its id."""
    return put(b"club-1", raw)


def extra(raw: bytes) -> bytes:
    """The sound line with this written where anything may stand."""
    return put(b'{"a": null}', raw)


def options(raw: bytes) -> bytes:
    return put(b'{"min_bid": 6}', raw)


EXT: Final = "/ext/club~1table/1"

LONG: Final = [
    BadLine("NUL bytes alone", b"\0" * 512, Code.NOT_JSON),
    BadLine("cut off in a string", SOUND_LINE[:40], Code.NOT_JSON, "", END),
    BadLine("cut off before the last brace", SOUND_LINE[:-1], Code.NOT_JSON, "", END),
    BadLine("two objects", SOUND_LINE + SOUND_LINE, Code.NOT_JSON, "", SOUND_LINE),
    BadLine("two objects and a comma", SOUND_LINE + b"," + SOUND_LINE, Code.NOT_JSON, "", b",{"),
    BadLine(
        "not JSON behind a wrong type", put(b'"tricklog/1"', b"5")[:-1], Code.NOT_JSON, "", END
    ),
    BadLine("nested one too deep", extra(b"[" * 63 + b"]" * 63), Code.TOO_DEEP),
    BadLine("a million brackets", b"[" * 1_000_000, Code.TOO_DEEP, "", b"[" * (1_000_000 - 64)),
    BadLine("a hundred thousand objects", b'{"a":' * 100_000, Code.TOO_DEEP),
    BadLine("deep inside rules", options(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH), Code.TOO_DEEP),
    BadLine("a line one byte too long", SOUND_LINE.ljust(MAX_LINE + 1), Code.LINE_TOO_LONG),
    BadLine("a line of spaces", b" " * (3 * MAX_LINE), Code.LINE_TOO_LONG),
    BadLine("a hand behind spaces", b" " * 3 * MAX_LINE + SOUND_LINE, Code.LINE_TOO_LONG),
    BadLine("a million digits", dealer(b"9" * 1_000_000), Code.BAD_VALUE, "/dealer", b'"dealer"'),
    BadLine("a million digits in ext", extra(b"9" * 1_000_000), Code.BAD_VALUE, EXT, b"999"),
    BadLine("an exponent of many digits", extra(b"-1E+" + b"9" * 99), Code.BAD_VALUE, EXT, b"-1E"),
    BadLine("1001 actions", line(actions=["0 pass"] * 1001), Code.BAD_VALUE, "/actions"),
    BadLine("eight players", line(players=[{"id": "a"}] * 8), Code.BAD_VALUE, "/players"),
    BadLine("54 winners", line(claimed={"winners": [0] * 54}), Code.BAD_VALUE, "/claimed/winners"),
    BadLine("a long id", line(id="x" * 201), Code.BAD_VALUE, "/id", b'"id": "x'),
    BadLine("a long card list", line(stock="AS " * 60), Code.BAD_VALUE, "/stock", b'"stock"'),
    BadLine("a long note", line(notes={"0": "x" * 2001}), Code.BAD_VALUE, "/notes/0", b'"0": "x'),
    BadLine("a long key", line(**{"k" * 900: 1}), Code.UNKNOWN_FIELD, ""),
    BadLine("hands in a list", b"[" + SOUND_LINE + b"]", Code.WRONG_TYPE),
    BadLine(
        "a long option name",
        options(b'{"%s": 6}' % (b"x" * 900)),
        Code.BAD_OPTION,
        "/rules/options",
    ),
]
"""Those that are long, or made of all of the sound line."""

MADE: Final[dict[str, Callable[[bytes], bytes]]] = {
    "raw": bytes,
    "after": lambda raw: SOUND_LINE + raw,
    "named": named,
    "dealer": dealer,
    "extra": extra,
    "options": options,
    "put": lambda raw: put(*raw.split(b" => ")),
    "line": lambda raw: line(**json.loads(raw)),
    "without": lambda raw: line(**{raw.decode(): ...}),
}
"""How the lines of the table are made of what stands there."""


def written() -> Iterator[BadLine]:
    for name, code, pointer, at, made in rows_in(Path(__file__).with_suffix(".txt")):
        how, _, raw = made.partition(" ")
        place = END if at == "END" else as_bytes(at)
        yield BadLine(name, MADE[how](as_bytes(raw)), Code(code), as_bytes(pointer).decode(), place)


def as_bytes(text: str) -> bytes:
    r"""Return the bytes of a text, in which `\x7f` stands for one of them."""
    return re.sub(rb"\\x([0-9a-f]{2})", lambda found: bytes([int(found[1], 16)]), text.encode())


BAD_LINES: Final = [*written(), *LONG]
