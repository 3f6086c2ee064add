"""Lines that cannot be read, one kind each: the name, the line, the code, the pointer, the byte.

The byte is given by what stands there: the rest of the line from the trouble on begins with it.
``HERE`` means the start of the line, ``END`` its end.
"""

import bz2
import gzip
import io
import json
import lzma
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import zstandard

from tests.kit.log_lines import SOUND_LINE, line
from tests.kit.rule_cases import rows_in
from tricklog.ingest.reading.decode_errors import BOM
from tricklog.ingest.reading.json_positions import MAX_DEPTH
from tricklog.ingest.reading.reader import MAX_LINE
from tricklog.ingest.reading.rejects import RejectCode as Code
from tricklog.ingest.reading.sources import FREE_EXPANSION

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
    BadLine("not JSON after a wrong type", put(b'"tricklog/1"', b"5")[:-1], Code.NOT_JSON, at=END),
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
        "a long option", options(b'{"%s": 6}' % (b"x" * 900)), Code.BAD_OPTION, "/rules/options"
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


# --- Files of every wrong kind

HAND: Final = "hand"
BLANK: Final = "blank"
BAD: Final = "not-json"
LONG_LINE: Final = "line-too-long"
GOOD: Final = tuple(line(id=f"good-{number}") for number in range(4))
FIRST: Final = GOOD[0].decode()
TEXT: Final = b"\n".join(GOOD[:2]) + b"\n"
MEBIBYTE: Final = 1 << 20


class BadFile(NamedTuple):
    """A file and what becomes of its lines."""

    name: str
    made: bytes | Callable[[], bytes]
    """What the file holds; what takes long to pack is packed when it is asked for."""
    fates: tuple[str, ...]
    file: str = "log.jsonl"

    @property
    def content(self) -> bytes:
        return self.made if isinstance(self.made, bytes) else self.made()


def gz(text: bytes) -> bytes:
    """One gzip member, the same each time."""
    return gzip.compress(text, mtime=0)


def zst(text: bytes, *, checksum: bool = False) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=checksum).compress(text)


def zst_stream(text: bytes) -> bytes:
    """One Zstandard frame that does not say how much it holds."""
    packer = zstandard.ZstdCompressor().compressobj()
    return packer.compress(text) + packer.flush()


def packed_bomb(
    pack: Callable[[bytes], bytes], piece: bytes, times: int, *, before: bytes = b""
) -> bytes:
    """A piece many times, packed, behind what is packed already."""
    return before + pack(piece * times)


def skippable(text: bytes) -> bytes:
    return b"\x50\x2a\x4d\x18" + len(text).to_bytes(4, "little") + text


def flipped(content: bytes, at: int) -> bytes:
    made = bytearray(content)
    made[at] ^= 0xFF
    return bytes(made)


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo("log.jsonl"), TEXT)
    return file.getvalue()


def tarred() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        entry = tarfile.TarInfo("log.jsonl")
        entry.size = len(TEXT)
        archive.addfile(entry, io.BytesIO(TEXT))
    return file.getvalue()


PLAIN: Final = [
    BadFile("empty", b"", ()),
    BadFile("one line feed", b"\n", (BLANK,)),
    BadFile("blanks of all kinds", b"\n \n\t\n\r\n \t\r", (BLANK,) * 5),
    BadFile("no line feed at the end", TEXT[:-1], (HAND, HAND)),
    BadFile("CR LF", TEXT.replace(b"\n", b"\r\n"), (HAND, HAND)),
    BadFile("LF CR", TEXT.replace(b"\n", b"\n\r"), (HAND, HAND, BLANK)),
    BadFile("CR only", TEXT.replace(b"\n", b"\r"), (BAD,)),
    BadFile("line separators only", b"\xe2\x80\xa8".join(GOOD), (BAD,)),
    BadFile("next-line characters only", b"\xc2\x85".join(GOOD), (BAD,)),
    BadFile("form feeds between", b"\x0c\n".join(GOOD[:2]), (BAD, HAND)),
    BadFile("no line feeds between", b"".join(GOOD), (BAD,)),
    BadFile("a JSON list of hands", b"[\n%b,\n%b\n]" % GOOD[:2], (BAD, BAD, HAND, BAD)),
    BadFile("pretty printed", b'{\n "format": "tricklog/1"\n}\n', (BAD,) * 3),
    BadFile("record separators", b"\x1e" + GOOD[0] + b"\n", (BAD,)),
    BadFile("cut off", TEXT[:-20], (HAND, BAD)),
    BadFile("cut off and gone on", TEXT[:-20] + TEXT, (HAND, BAD, HAND)),
    BadFile("filled up with NUL", TEXT + b"\0" * 4096, (HAND, HAND, BAD)),
    BadFile("only NUL", b"\0" * 4096, (BAD,)),
    BadFile("byte order mark", BOM + TEXT, (HAND, HAND)),
    BadFile("only a byte order mark", BOM, ()),
    BadFile("byte order mark and a blank", BOM + b"\n" + TEXT, (BLANK, HAND, HAND)),
    BadFile("two byte order marks", BOM * 2 + TEXT, (BAD, HAND)),
    BadFile("joined files with marks", BOM + TEXT + BOM + GOOD[2], (HAND, HAND, BAD)),
    BadFile("half a byte order mark", BOM[:2] + TEXT, ("invalid-utf8", HAND)),
    BadFile("UTF-16", FIRST.encode("utf-16"), ("invalid-utf8",)),
    BadFile("UTF-16, big end", b"\xfe\xff" + FIRST.encode("utf-16-be"), ("invalid-utf8",)),
    BadFile("UTF-16 without mark", FIRST.encode("utf-16-le"), (BAD,)),
    BadFile("UTF-32", FIRST.encode("utf-32"), ("invalid-utf8",)),
    BadFile("UTF-32 without mark", FIRST.encode("utf-32-be"), (BAD,)),
    BadFile("UTF-7", b"+AHs-", (BAD,)),
    BadFile("EBCDIC", FIRST.encode("cp037"), ("invalid-utf8",)),
    BadFile("a line of 5 MiB", b"x" * 5 * MEBIBYTE + b"\n" + TEXT, (LONG_LINE, HAND, HAND)),
    BadFile(
        "a mark and a long line", BOM + b"x" * MEBIBYTE + b"x\n" + TEXT, (LONG_LINE, HAND, HAND)
    ),
    BadFile("a hand behind 5 MiB of spaces", b" " * 5 * MEBIBYTE + TEXT, (LONG_LINE, HAND)),
    BadFile("5 MiB of spaces", b" " * 5 * MEBIBYTE, (LONG_LINE,)),
    BadFile("the same hand twice", GOOD[0] + b"\n" + GOOD[0], (HAND, "duplicate")),
    BadFile("an id twice", GOOD[0] + b"\n" + line(id="good-0", dealer=0), (HAND, "id-conflict")),
]

OTHER_ARCHIVES: Final = [
    BadFile("bzip2", bz2.compress(TEXT), ("other-archive",), "log.jsonl.bz2"),
    BadFile("bzip2 named plain", bz2.compress(TEXT), ("other-archive",)),
    BadFile("bzip2 named gzip", bz2.compress(TEXT), ("other-archive",), "log.jsonl.gz"),
    BadFile("xz", lzma.compress(TEXT), ("other-archive",)),
    BadFile("zip", zipped(), ("other-archive",)),
    BadFile("7z", b"7z\xbc\xaf\x27\x1c\0\x04", ("other-archive",)),
    BadFile("gzip in gzip", gz(gz(TEXT)), ("other-archive",), "log.jsonl.gz"),
    BadFile("gzip in zstd", zst(gz(TEXT)), ("other-archive",), "log.jsonl.zst"),
    BadFile("zip in gzip", gz(zipped()), ("other-archive",), "log.jsonl.gz"),
    BadFile("tar", tarred(), (BAD, HAND, BAD)),
    BadFile("tar in gzip", gz(tarred()), (BAD, HAND, BAD)),
]

NAMED_WRONGLY: Final = [
    BadFile("plain text named gzip", TEXT, ("damaged-archive",), "log.jsonl.gz"),
    BadFile("plain text named zstd", TEXT, ("damaged-archive",), "log.jsonl.zst"),
    BadFile("gzip named zstd", gz(TEXT), (HAND, HAND), "log.jsonl.zst"),
    BadFile("zstd named gzip", zst(TEXT), (HAND, HAND), "log.jsonl.gz"),
    BadFile("gzip named plain", gz(TEXT), (HAND, HAND)),
    BadFile("zstd without ending", zst(TEXT), (HAND, HAND), "log"),
    BadFile("nothing named gzip", b"", ("damaged-archive",), "log.jsonl.gz"),
    BadFile("two bytes named gzip", b"\x1f\x8b", ("damaged-archive",), "log.jsonl.gz"),
    BadFile("three bytes named zstd", b"\x28\xb5\x2f", ("damaged-archive",), "log.jsonl.zst"),
]

GZIP: Final = [
    BadFile("gzip of nothing", gz(b""), ()),
    BadFile("gzip of many nothings", gz(b"") * 500, ()),
    BadFile("gzip members", gz(TEXT) + gz(GOOD[2]), (HAND, HAND, HAND)),
    BadFile("a line over two gzip members", gz(GOOD[0][:99]) + gz(GOOD[0][99:]), (HAND,)),
    BadFile("gzip filled up with NUL", gz(TEXT) + b"\0" * 5000, (HAND, HAND)),
    BadFile("NUL between gzip members", gz(TEXT) + b"\0" * 5000 + gz(GOOD[2]), (HAND,) * 3),
    BadFile("gzip and text", gz(TEXT) + GOOD[2], (HAND, HAND, "damaged-archive")),
    BadFile("gzip and zstd", gz(TEXT) + zst(GOOD[2]), (HAND, HAND, "damaged-archive")),
    BadFile("gzip and half a header", gz(TEXT) + b"\x1f", (HAND, HAND, "damaged-archive")),
    BadFile("gzip without its end", gz(TEXT)[:-8], (HAND, HAND, "damaged-archive")),
    BadFile("gzip of another method", b"\x1f\x8b\x07" + gz(TEXT)[3:], ("damaged-archive",)),
    BadFile("gzip with a wrong sum", flipped(gz(TEXT), -5), ("damaged-archive",)),
    BadFile("gzip with a wrong length", flipped(gz(TEXT), -1), ("damaged-archive",)),
]

ZSTD: Final = [
    BadFile("zstd of nothing", zst(b""), ()),
    BadFile("zstd frames", zst(TEXT) + zst(GOOD[2]), (HAND, HAND, HAND)),
    BadFile("zstd of unknown length", zst_stream(TEXT), (HAND, HAND)),
    BadFile("a line over two zstd frames", zst(GOOD[0][:99]) + zst(GOOD[0][99:]), (HAND,)),
    BadFile("zstd behind a skippable frame", skippable(b"index") + zst(TEXT), (HAND, HAND)),
    BadFile("only a skippable frame", skippable(b"index"), ()),
    BadFile("zstd and text", zst(TEXT) + GOOD[2], (HAND, HAND, "damaged-archive")),
    BadFile("zstd and gzip", zst(TEXT) + gz(GOOD[2]), (HAND, HAND, "damaged-archive")),
    BadFile("zstd with a wrong sum", flipped(zst(TEXT, checksum=True), -1), ("damaged-archive",)),
    BadFile("zstd with a strange header", flipped(zst(TEXT), 4), ("damaged-archive",)),
]

_PIECES = {
    "zeros": b"\0",
    "spaces": b" ",
    "line feeds": b"\n",
    "brackets": b"[",
    "blanks": b" \r\n",
}
BOMBS: Final = [
    *(
        BadFile(f"{name} of {what}", partial(packed_bomb, pack, piece, times), ("expands-too-far",))
        for name, pack in (("gzip", gz), ("zstd", zst))
        for what, piece in _PIECES.items()
        for times in [FREE_EXPANSION // len(piece) * 2]
    ),
    *(
        BadFile(
            f"a good {name} and a bomb",
            partial(packed_bomb, pack, b"\n", 10**8, before=pack(TEXT)),
            (HAND, HAND, "expands-too-far"),
        )
        for name, pack in (("gzip member", gz), ("zstd frame", zst))
    ),
]

PACKINGS: Final[dict[str, Callable[[bytes], bytes]]] = {"plain": bytes, "gzip": gz, "zstd": zst}
ARCHIVES: Final = [*OTHER_ARCHIVES, *NAMED_WRONGLY, *GZIP, *ZSTD, *BOMBS]
