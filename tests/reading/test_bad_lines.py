"""Bad lines and files of every kind, whole and cut off: one fate each, and nothing lost."""

from collections.abc import Iterable
from pathlib import Path

import pytest
import zstandard

from tests.fuzz.targets import check_read_line, check_reject, expanded, standard_input
from tests.kit.bad_lines import (
    ARCHIVES,
    BAD_LINES,
    BLANK,
    END,
    HAND,
    PACKINGS,
    PLAIN,
    BadFile,
    BadLine,
    gz,
    skippable,
    zst,
)
from tests.kit.log_lines import line, refused
from tests.kit.tiers import check_each, some
from tricklog import Audit, AuditedLine, LogLine, ingest
from tricklog.ingest.reading.rejects import HINTS, RejectCode

BEFORE, AFTER = line(id="before"), line(id="after")


def test_names_are_unique_and_every_code_of_a_line_is_among_them() -> None:
    names = [bad.name for bad in BAD_LINES]
    assert sorted(set(names)) == sorted(names)
    of_places = {
        *(RejectCode.UNREADABLE_FILE, RejectCode.NO_LOGS, RejectCode.NOT_A_FILE),
        *(RejectCode.ENDLESS_LINE, RejectCode.DAMAGED_ARCHIVE, RejectCode.EXPANDS_TOO_FAR),
        *(RejectCode.OTHER_ARCHIVE, RejectCode.ID_CONFLICT),
    }
    of_records = {
        *(RejectCode.ADAPTER_FAILED, RejectCode.BAD_SHEET, RejectCode.BAD_TEXT),
        *(RejectCode.RECORD_TOO_LONG, RejectCode.UNFINISHED_RECORD),
    }
    assert {bad.code for bad in BAD_LINES} == set(RejectCode) - of_places - of_records


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_bad_line_is_refused_and_lines_around_it_are_read(packing: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"

    def check(bad: BadLine) -> None:
        path.write_bytes(PACKINGS[packing](b"\n".join((BEFORE, bad.text, AFTER))))
        audit = ingest.audit(path)
        lines = {item.line.line: item for item in audit}
        counts = audit.counts
        assert (counts.lines, counts.accepted, counts.quarantined) == (3, 2, 1)
        assert counts.balanced
        assert [lines[n].line.text for n in (1, 3)] == [BEFORE, AFTER]
        reject = refused(lines[2].line)
        check_reject(reject)
        assert (reject.code, reject.pointer, reject.line) == (bad.code, bad.pointer, 2)
        assert reject.hint == HINTS[bad.code]
        at = reject.byte - len(BEFORE) - 1
        assert at == len(bad.text) if bad.at == END else bad.text[at:].startswith(bad.at)

    # How a file is packed has nothing to do with what is wrong with a line of it.
    few = BAD_LINES if packing == "plain" else some(BAD_LINES, 20)
    check_each(few, check, lambda bad: bad.name)


# --- Logs cut off at every byte
FIRST = line(id="first")
TEXT = b"\n".join((FIRST, b"", b"oops", line(id="second"), b" \r", line(id="é😀"), FIRST)) + b"\n"
HALF = TEXT.index(b"second")


def read_bytes(content: bytes) -> list[LogLine]:
    with standard_input(content):
        return list(ingest.read("-"))


def blocks(text: bytes) -> bytes:
    packer = zstandard.ZstdCompressor().compressobj()
    parts = [text[start : start + 200] for start in range(0, len(text), 200)]
    flushed = [
        packer.compress(part) + packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK) for part in parts
    ]
    return b"".join(flushed) + packer.flush()


CASES = {
    "plain": TEXT,
    "gzip": gz(TEXT),
    "gzip, two members": gz(TEXT[:HALF]) + gz(TEXT[HALF:]),
    "zstd": zst(TEXT, checksum=True),
    "zstd, blocks and frames": skippable(b"x") + blocks(TEXT[:HALF]) + zst(TEXT[HALF:]),
}
BROKEN = {RejectCode.DAMAGED_ARCHIVE, RejectCode.INVALID_UTF8, RejectCode.NOT_JSON}


@pytest.mark.parametrize("name", CASES)
def test_a_log_cut_off_anywhere_keeps_its_whole_lines_and_says_that_it_is_cut(name: str) -> None:
    content, whole = CASES[name], read_bytes(TEXT)
    silent = []
    for cut in range(len(content)):
        lines = read_bytes(content[:cut])
        for number, item in enumerate(lines, 1):
            assert (item.file, item.line) == ("<stdin>", number)
            check_read_line(item)
        # An archive is known by its first four bytes.
        text, _ = expanded(b"" if name != "plain" and cut < 4 else content[:cut])
        ended = text.count(b"\n")
        assert TEXT.startswith(text), cut
        assert [(item.kind, item.hand, item.byte) for item in lines[:ended]] == [
            (item.kind, item.hand, item.byte) for item in whole[:ended]
        ], cut
        if cut >= 4 and not any(
            item.reject and item.reject.code is RejectCode.DAMAGED_ARCHIVE for item in lines
        ):
            silent.append(cut)
        if name == "plain":
            assert len(lines) == ended + (not text.endswith(b"\n") and text != b"")
        else:
            assert len(lines) - ended <= 1
            assert {item.reject.code for item in lines[ended:] if item.reject} <= BROKEN
    # Only between two members or frames can an archive be cut off unnoticed.
    assert name == "plain" or len(silent) <= 2, silent


# --- Files of every wrong kind
def fate(item: AuditedLine) -> str:
    if item.line.reject:
        return item.line.reject.code.value
    if item.duplicate_of:
        return "duplicate"
    return HAND if item.line.hand else BLANK


def fates(audit: Audit) -> tuple[str, ...]:
    """The fates of all lines in order; checks that the counts balance and that each has a place."""
    items: Iterable[AuditedLine] = sorted(audit, key=lambda item: item.line.line)
    for number, item in enumerate(items, 1):
        assert item.line.line == number
        check_read_line(item.line)
    assert audit.counts.balanced
    return tuple(map(fate, items))


@pytest.mark.parametrize(
    ("files", "packing"),
    [*((PLAIN, packing) for packing in PACKINGS), (ARCHIVES, "plain")],
    ids=[*PACKINGS, "archives"],
)
def test_every_line_of_a_strange_file_has_its_fate(
    files: list[BadFile], packing: str, tmp_path: Path
) -> None:
    def check(bad: BadFile) -> None:
        path = tmp_path / bad.file
        path.write_bytes(PACKINGS[packing](bad.content))
        assert fates(ingest.audit(path)) == bad.fates

    check_each(files if files is PLAIN else some(files, 20), check, lambda bad: bad.name)
