"""Logs cut off at every byte: no exception, every line has its fate, and what was whole is read."""

import io
import zlib
from collections.abc import Callable

import pytest
import zstandard

from tests.fuzz.targets import check_read_line, standard_input
from tests.kit.bad_files import gz, skippable, zst
from tests.kit.log_lines import line
from tricklog import ingest
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.reading.rejects import RejectCode

FIRST = line(id="first")
TEXT = b"\n".join((FIRST, b"", b"oops", line(id="second"), b" \r", line(id="é😀"), FIRST)) + b"\n"
HALF = TEXT.index(b"second")


def read_bytes(content: bytes) -> list[LogLine]:
    with standard_input(content):
        return list(ingest.read("-"))


def gunzipped(content: bytes) -> bytes:
    """As much of some gzip members as there is."""
    text = b""
    while content:
        member = zlib.decompressobj(wbits=31)
        text += member.decompress(content)
        content = member.unused_data
    return text


def unzstd(content: bytes) -> bytes:
    """As much of some Zstandard frames as there is."""
    reader = zstandard.ZstdDecompressor().stream_reader(
        io.BytesIO(content), read_across_frames=True
    )
    text = b""
    while piece := reader.read(1 << 20):
        text += piece
    return text


def blocks(text: bytes) -> bytes:
    """A Zstandard frame of many short blocks."""
    packer = zstandard.ZstdCompressor().compressobj()
    parts = [text[start : start + 200] for start in range(0, len(text), 200)]
    flushed = [
        packer.compress(part) + packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK) for part in parts
    ]
    return b"".join(flushed) + packer.flush()


CASES: dict[str, tuple[bytes, Callable[[bytes], bytes]]] = {
    "plain": (TEXT, bytes),
    "gzip": (gz(TEXT), gunzipped),
    "gzip, two members": (gz(TEXT[:HALF]) + gz(TEXT[HALF:]), gunzipped),
    "zstd": (zst(TEXT, checksum=True), unzstd),
    "zstd, blocks and frames": (skippable(b"x") + blocks(TEXT[:HALF]) + zst(TEXT[HALF:]), unzstd),
}


@pytest.mark.parametrize("name", CASES)
def test_a_log_cut_off_anywhere_keeps_its_whole_lines_and_says_that_it_is_cut(name: str) -> None:
    content, expand = CASES[name]
    whole = read_bytes(TEXT)
    silent = []
    for cut in range(len(content)):
        lines = read_bytes(content[:cut])
        for number, item in enumerate(lines, 1):
            assert item.line == number
            check_read_line(item)
        text = expand(content[:cut])
        ended = text.count(b"\n")
        assert TEXT.startswith(text), cut
        assert [(item.kind, item.hand, item.byte) for item in lines[:ended]] == [
            (item.kind, item.hand, item.byte) for item in whole[:ended]
        ], cut
        if cut >= 4 and not any(
            item.reject and item.reject.code is RejectCode.DAMAGED_ARCHIVE for item in lines
        ):
            silent.append(cut)
        broken = [item.reject.code for item in lines[ended:] if item.reject]
        if name == "plain":
            assert len(lines) == ended + (not text.endswith(b"\n") and text != b"")
        else:
            assert len(lines) - ended <= 1
            assert set(broken) <= {
                RejectCode.DAMAGED_ARCHIVE,
                RejectCode.INVALID_UTF8,
                RejectCode.NOT_JSON,
            }
    # Only between two members or frames can an archive be cut off unnoticed.
    assert name == "plain" or len(silent) <= 2, silent
