"""Ranges of a log, and other sources: however it is cut or kept, its lines are the same."""

import errno
import io
import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.kit.bad_lines import GOOD, PACKINGS, PLAIN, TEXT, BadFile
from tests.kit.log_lines import SOUND_LINE, reject_of, write_lines
from tests.kit.tiers import scaled
from tricklog import RejectCode, ingest
from tricklog.ingest.reading import reader, sources
from tricklog.ingest.reading.decode_errors import BOM
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import LineKind, LogLine, read, read_block, read_blocks
from tricklog.ingest.reading.sources import PIECE, Opener, Source, find_sources, split


@dataclass(frozen=True)
class InMemory(Opener):
    """Opens bytes; with ``broken_at``, those from there on cannot be read."""

    content: bytes
    broken_at: int | None = None

    @property
    def size(self) -> int:
        return len(self.content)

    @contextmanager
    def open(self, start: int = 0) -> Iterator[Any]:
        """Give a stream that has ``read`` and nothing else."""
        content = io.BytesIO(self.content[: self.broken_at])
        content.seek(start)

        def read(size: int, /) -> bytes:
            piece = content.read(size)
            if not piece and self.broken_at is not None:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return piece

        yield SimpleNamespace(read=read)


# --- Ranges
Reading = Callable[[Source, ByteCounter], list[LogLine]]

SHORT_LINE, LONG_LINE = 24, len(SOUND_LINE) + 9
SHORT = [b"\n", b"\n\n\n\n", b"\r\n", b"{}", b"\xff\n", b"\xc3", BOM, b"x" * 23, b"x" * 60]
LONG = [SOUND_LINE, SOUND_LINE + b"\n", b" " * 900]
PARTS = st.sampled_from(SHORT) | st.sampled_from(LONG) | st.binary(max_size=4)
TEXTS = st.lists(PARTS, max_size=30).map(b"".join)


def ranges(source: Source, cuts: Iterable[int]) -> list[Source]:
    places = [0, *sorted(set(cuts))]
    bounded = [replace(source, start=start, end=end) for start, end in pairwise(places)]
    return [*bounded, replace(source, start=places[-1])]


def by_line(source: Source, byte_counter: ByteCounter) -> list[LogLine]:
    return list(read(source, byte_counter=byte_counter))


def by_block(size: int, source: Source, byte_counter: ByteCounter) -> list[LogLine]:
    lines: list[LogLine] = []
    for part in read_blocks(source, byte_counter, size):
        lines += [part] if isinstance(part, LogLine) else read_block(part)
    return lines


def moved(line: LogLine, before: int) -> LogLine:
    reject = line.reject and replace(line.reject, line=line.reject.line + before)
    return replace(line, line=line.line + before, reject=reject)


def joined(parts: list[Source], reading: Reading = by_line) -> list[LogLine]:
    """The lines of all ranges, numbered as in the whole; checks that every byte is counted once."""
    found = []
    for source in parts:
        byte_counter = ByteCounter([source])
        found.append(reading(source, byte_counter))
        assert byte_counter.done == byte_counter.total
    before = [sum(map(len, found[:place])) for place in range(len(found))]
    return [moved(line, more) for lines, more in zip(found, before, strict=True) for line in lines]


@settings(max_examples=scaled(20))
@given(
    text=TEXTS,
    cuts=st.none() | st.lists(st.integers(1, 2_000)),
    piece=st.sampled_from([1, 2, 7, 60, 700, PIECE]),
    block=st.sampled_from([1, 5, 100, 1 << 20]),
    longest=st.sampled_from([SHORT_LINE, LONG_LINE]),
)
@example(b"abc\nd\ne\n", [2], 3, 1, SHORT_LINE)
@example(BOM + b"a\nb", None, 1, 1, SHORT_LINE)
@example(b"x" * 200 + b"\n\n" + b"y" * 200, [50, 100, 200, 201, 202, 203], 7, 5, SHORT_LINE)
@example(BOM + b"x" * SHORT_LINE + b"\r\n" + BOM, [3, 4, 27, 28, 29, 30], 2, 5, SHORT_LINE)
def test_ranges_have_the_lines_of_the_whole(
    text: bytes, cuts: list[int] | None, piece: int, block: int, longest: int
) -> None:
    assume(not text.startswith(sources._ARCHIVE_MAGICS))
    whole = Source("log.jsonl", InMemory(text))
    # Without cuts, every byte is a range of its own.
    places = range(1, min(len(text), 99)) if cuts is None else [c for c in cuts if c < len(text)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "PIECE", piece)
        patch.setattr(reader, "MAX_LINE", longest)
        patch.setattr(reader, "KEPT_OF_LONG_LINE", 8)
        patch.setattr(reader, "MAX_LINES", 3)
        patch.setattr(reader, "_LINES_AT_ONCE", 2)
        expected = by_line(whole, ByteCounter())
        parts = ranges(whole, places)
        for reading in (by_line, partial(by_block, block)):
            assert joined([whole], reading) == expected
            assert joined(parts, reading) == expected


@pytest.mark.parametrize("bad", PLAIN, ids=lambda bad: bad.name)
def test_ranges_of_a_strange_file_have_its_lines(bad: BadFile, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(bad.content)
    (whole,) = find_sources([path])
    expected = list(read(path))
    for count in (2, 3, 11):
        parts = split(whole, max(len(bad.content) // count, 1))
        assert joined(parts) == expected
        assert joined(parts, partial(by_block, 1 << 16)) == expected


def test_a_line_belongs_to_the_range_of_its_first_byte() -> None:
    whole = Source("log", InMemory(b"ab\ncd\n"))
    found = [[line.byte for line in read(each)] for each in ranges(whole, range(1, 6))]
    assert found == [[0], [], [], [3], [], []]
    # Behind the end there are none.
    assert list(read(Source("log", InMemory(b"a\n"), 2), Source("log", InMemory(b"a\n"), 9))) == []


def test_a_range_counts_lines_from_1_and_bytes_in_the_file() -> None:
    source = Source("log", InMemory(b"\n" * 5 + b"oops\n"), 3)
    assert [(line.line, line.byte) for line in read(source)] == [(1, 3), (2, 4), (3, 5)]
    (block,) = read_blocks(source, ByteCounter(), 1 << 10)
    assert not isinstance(block, LogLine)
    assert (block.number, block.byte, block.text) == (1, 3, b"\n\noops\n")


def test_a_range_within_a_line_is_not_read_beyond_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "PIECE", 10)
    source = Source("log", InMemory(b"x" * 1_000 + b"\n", broken_at=61), 20, 50)
    assert list(read(source)) == []


# --- Cutting
def test_a_large_file_is_cut_into_about_equal_ranges(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.jsonl", [SOUND_LINE] * 50)
    (whole,) = find_sources([path])
    assert whole.size
    parts = split(whole, whole.size // 4)
    assert [parts[0].start, parts[-1].end] == [0, None]
    assert all(one.end == other.start for one, other in pairwise(parts))
    sizes = [part.size or 0 for part in parts]
    assert sum(sizes) == whole.size
    assert max(sizes) - min(sizes) <= 1
    assert max(sizes) <= whole.size // 4
    assert split(parts[0], 10) == [parts[0]]


@pytest.mark.parametrize(
    ("source", "size"),
    [
        *((InMemory(PACKINGS[packing](SOUND_LINE)), 10) for packing in ("gzip", "zstd")),
        *((InMemory(text), 3) for text in (b"", b"\n", b"ab\n")),
        (InMemory(b"PK\x03\x04"), 1),
        (InMemory(SOUND_LINE, broken_at=0), 1),
    ],
    ids=["gzip", "zstd", "empty", "a blank", "small", "zip", "broken"],
)
def test_what_is_packed_or_small_or_refused_stays_whole(source: InMemory, size: int) -> None:
    whole = Source("log.jsonl", source)
    assert split(whole, size) == [whole]


def test_files_that_are_packed_or_refused_stay_whole(tmp_path: Path) -> None:
    named_wrongly = write_lines(tmp_path / "log.jsonl.gz", [SOUND_LINE])
    packed = [tmp_path / packing for packing in ("gzip", "zstd")]
    for path in packed:
        path.write_bytes(PACKINGS[path.name](SOUND_LINE))
    for whole in find_sources([*packed, named_wrongly, tmp_path / "missing.jsonl", "-"]):
        assert split(whole, 1) == [whole]


# --- A file that changes
@pytest.mark.parametrize("size", [*range(14), None])
@pytest.mark.parametrize("more", [b"", b"x", b"\n\nmore\nlines"], ids=["", "in a line", "lines"])
def test_ranges_of_a_file_that_shrank_or_grew_have_its_lines(
    size: int | None, more: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"one\ntwo\n\nthree")
    parts = split(next(find_sources([path])), 4)
    path.write_bytes(b"one\ntwo\n\nthree"[:size] + more)
    assert joined(parts) == list(read(path))


def test_a_range_of_a_file_that_shrinks_while_it_is_read_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "PIECE", 4)
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"one\ntwo\nthree\nfour\n")
    lines = read(Source("log", next(find_sources([path])).opener, 1, 18))
    assert next(lines).text == b"two"
    path.write_bytes(b"one\ntwo\nthr")
    assert [line.text for line in lines] == [b"thr"]


# --- Ranges that cannot be read
def test_a_range_whose_stream_fails_ends_with_a_reject(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "PIECE", 4)
    source = Source("log", InMemory(b"one\ntwo\nthree\nfour\n", broken_at=10), 2, 18)
    two, last = read(source)
    assert (two.text, two.byte) == (b"two", 4)
    assert (last.kind, last.line, last.byte, last.text) == (LineKind.QUARANTINED, 2, 8, b"th")
    assert reject_of(last).code is RejectCode.UNREADABLE_FILE
    assert by_block(5, source, ByteCounter()) == [two, last]
    (early,) = read(replace(source, start=11))
    assert by_block(5, replace(source, start=11), ByteCounter()) == [early]
    assert (early.line, early.byte, reject_of(early).message) == (1, 11, reject_of(last).message)


# --- Sources that are no files of this machine
@pytest.mark.parametrize("packing", PACKINGS)
def test_any_opener_is_read_like_a_file(packing: str, tmp_path: Path) -> None:
    content = PACKINGS[packing](TEXT + b"\noops\n" + GOOD[2])
    path = tmp_path / "log.jsonl"
    path.write_bytes(content)
    source = Source(str(path), InMemory(content))
    byte_counter = ByteCounter([source])
    expected = list(ingest.read(path))
    assert list(ingest.read(source, byte_counter=byte_counter)) == expected
    assert byte_counter.done == byte_counter.total == len(content)
    assert by_block(1 << 10, source, ByteCounter()) == expected


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_stream_that_fails_in_the_middle_is_a_reject_after_its_good_lines(
    packing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = PACKINGS[packing]
    monkeypatch.setattr(sources, "PIECE", 100)
    content = pack(TEXT) + pack(b"x" * 300)
    source = Source("store/log.jsonl", InMemory(content, broken_at=len(pack(TEXT)) + 5))
    *good, last = ingest.read(source)
    assert [line.kind for line in good] == [LineKind.HAND, LineKind.HAND]
    reject = reject_of(last)
    assert (reject.code, last.line, last.byte) == (RejectCode.UNREADABLE_FILE, 3, len(TEXT))
    assert reject.message == "store/log.jsonl cannot be read: Input/output error."
    assert by_block(1 << 10, source, ByteCounter()) == [*good, last]


def test_the_name_of_any_source_may_promise_an_archive() -> None:
    (line,) = ingest.read(Source("store/log.jsonl.gz", InMemory(TEXT)))
    assert reject_of(line).code is RejectCode.DAMAGED_ARCHIVE


def test_sources_can_be_sent_to_another_process(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.jsonl", GOOD)
    found = [*find_sources([tmp_path, "-"]), *split(Source("log", InMemory(TEXT)), 100)]
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - written here
    assert found[0].path == path
    assert all(source.path is None for source in found[1:])
