"""Sources that are no files of this machine: any opener will do."""

import pickle
from pathlib import Path

import pytest

from tests.kit.bad_files import GOOD, PACKINGS, TEXT
from tests.kit.log_lines import write_lines
from tests.kit.openers import InMemory
from tricklog import ingest
from tricklog.ingest.reading import sources
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import LineKind, LogLine, read_block, read_blocks
from tricklog.ingest.reading.rejects import RejectCode
from tricklog.ingest.reading.sources import Source, find_sources, split


def by_block(source: Source) -> list[LogLine]:
    lines: list[LogLine] = []
    for part in read_blocks(source, ByteCounter(), 1 << 10):
        lines += [part] if isinstance(part, LogLine) else read_block(part)
    return lines


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
    assert by_block(source) == expected


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
    assert last.reject
    assert last.reject.code is RejectCode.UNREADABLE_FILE
    assert last.reject.message == "store/log.jsonl cannot be read: Input/output error."
    assert (last.line, last.byte) == (3, len(TEXT))
    assert by_block(source) == [*good, last]


def test_the_name_of_any_source_may_promise_an_archive() -> None:
    (line,) = ingest.read(Source("store/log.jsonl.gz", InMemory(TEXT)))
    assert line.reject
    assert line.reject.code is RejectCode.DAMAGED_ARCHIVE


def test_sources_can_be_sent_to_another_process(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.jsonl", GOOD)
    found = [*find_sources([tmp_path, "-"]), *split(Source("log", InMemory(TEXT)), 100)]
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - written here
    assert found[0].path == path
    assert all(source.path is None for source in found[1:])
