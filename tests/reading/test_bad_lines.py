"""Every kind of bad line between two good ones, plain and compressed: one reject, nothing lost."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from tests.fuzz.targets import check_reject
from tests.kit.bad_lines import BAD_LINES, END, BadLine
from tests.kit.each import check_each
from tests.kit.log_lines import line
from tests.kit.tiers import some
from tricklog import ingest
from tricklog.ingest.reading.rejects import HINTS, RejectCode

BEFORE, AFTER = line(id="before"), line(id="after")
PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": lambda text: gzip.compress(text, mtime=0),
    "zstd": zstandard.ZstdCompressor().compress,
}


def test_names_are_unique() -> None:
    names = [bad.name for bad in BAD_LINES]
    assert sorted(set(names)) == sorted(names)


def test_every_code_of_a_line_is_among_them() -> None:
    of_places = {
        RejectCode.UNREADABLE_FILE,
        RejectCode.NO_LOGS,
        RejectCode.NOT_A_FILE,
        RejectCode.ENDLESS_LINE,
        RejectCode.DAMAGED_ARCHIVE,
        RejectCode.EXPANDS_TOO_FAR,
        RejectCode.OTHER_ARCHIVE,
        RejectCode.ID_CONFLICT,
    }
    of_records = {
        RejectCode.ADAPTER_FAILED,
        RejectCode.BAD_SHEET,
        RejectCode.BAD_TEXT,
        RejectCode.RECORD_TOO_LONG,
        RejectCode.UNFINISHED_RECORD,
    }
    assert {bad.code for bad in BAD_LINES} == set(RejectCode) - of_places - of_records


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_bad_line_is_refused_and_the_lines_around_it_are_read(
    packing: str, tmp_path: Path
) -> None:
    path = tmp_path / "log.jsonl"

    def check(bad: BadLine) -> None:
        path.write_bytes(PACKINGS[packing](b"\n".join((BEFORE, bad.text, AFTER))))
        audit = ingest.audit(path)
        lines = {item.line.line: item for item in audit}
        counts = audit.counts
        assert (counts.lines, counts.accepted, counts.quarantined) == (3, 2, 1)
        assert counts.balanced
        assert [lines[n].line.text for n in (1, 3)] == [BEFORE, AFTER]
        reject = lines[2].line.reject
        assert reject is not None
        check_reject(reject)
        assert (reject.code, reject.pointer, reject.line) == (bad.code, bad.pointer, 2)
        assert reject.hint == HINTS[bad.code]
        at = reject.byte - len(BEFORE) - 1
        assert at == len(bad.text) if bad.at == END else bad.text[at:].startswith(bad.at)

    # How a file is packed has nothing to do with what is wrong with a line of it.
    few = BAD_LINES if packing == "plain" else some(BAD_LINES, 20)
    check_each(few, check, lambda bad: bad.name)
