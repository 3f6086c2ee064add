"""Bad lines and files of every kind, whole and cut off: one fate each, and nothing lost."""

import gzip
import itertools
import random
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
import zstandard
from numpy.random import default_rng

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
    dealer,
    extra,
    gz,
    options,
    put,
    skippable,
    zst,
)
from tests.kit.log_lines import SOUND_LINE, line, reject_of, write_lines
from tests.kit.measured_reading import Reading, read_measured
from tests.kit.tiers import check_each, scaled, some
from tricklog import Audit, AuditedLine, LogLine, ingest
from tricklog.ingest.reading.reader import MAX_LINE
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
        reject = reject_of(lines[2].line)
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


# --- Input made to cost much
# The guards are of the processor alone, and far above what is measured; what they catch is growth
# with the square of a line, or memory that grows with a file.
MEBIBYTE = 1 << 20
ROOM = MAX_LINE - len(SOUND_LINE) - 100
SECONDS = 60
MEMORY = 160 * MEBIBYTE


def filled(part: bytes, room: int = ROOM) -> bytes:
    """As many parts as a line has room for, with commas between."""
    return b",".join([part] * (room // (len(part) + 1)))


def numbered(pattern: str, room: int = ROOM) -> bytes:
    """As many numbered parts as a line has room for, with commas between."""
    longest = len(pattern.replace("%", "999999")) + 1
    return b",".join(pattern.replace("%", str(n)).encode() for n in range(room // longest))


def costly() -> dict[str, tuple[bytes, str]]:
    """Return lines that take long unless they are given up in time, with the fate of each."""
    ones, keys = extra(b"[" + filled(b"1") + b"]"), numbered('"k%":1')
    opts, half = numbered('"o%":1'), ROOM // 2
    empty_texts, many_options = filled(b'""'), numbered('"o%":{"J":1}')
    return {
        "a million brackets": (b"[" * 1_000_000, "too-deep"),
        "a million brackets behind quotes": (b'"":' + b'{"":' * 250_000, "too-deep"),
        "brackets in strings that never end": (b'"[' * 500_000, "too-deep"),
        "half a million escaped quotes": (b'"' + b'\\"' * 500_000, "not-json"),
        "half a million backslashes": (b'{"' + b"\\\\" * 500_000, "not-json"),
        "a million digits": (dealer(b"9" * ROOM), "bad-value"),
        "a million digits in ext": (extra(b"9" * ROOM), "bad-value"),
        "a million decimals": (extra(b"0." + b"9" * ROOM), "hand"),
        "an exponent of a million digits": (extra(b"1e" + b"9" * ROOM), "bad-value"),
        "many long numbers": (extra(b"[" + filled(b"9" * 4000) + b"]"), "hand"),
        "half a million numbers": (ones, "hand"),
        "a third of a million numbers, refused": (
            put(b'"dealer": 3', b'"x": [' + filled(b"11") + b'], "dealer": 3'), "unknown-field",
        ),
        "numbers, then a time that is none": (ones.replace(b"2026-11", b"2026-13"), "bad-value"),
        "numbers, then a huge one": (extra(b"[" + filled(b"1") + b", 1e999]"), "bad-value"),
        "wide and deep": (extra(b"[" + filled(b"[" * 50 + b"]" * 50) + b"]"), "hand"),
        "many empty objects": (extra(b"[" + filled(b"{}") + b"]"), "hand"),
        "many empty texts": (extra(b"[" + empty_texts + b"]"), "hand"),
        "many empty texts, refused": (
            line(actions=[]).replace(b"[]", b"[" + empty_texts + b"]"), "bad-value",
        ),
        "many actions": (line(actions=["0 pass"] * 100_000), "bad-value"),
        "many players": (line(players=[{"id": "a"}] * 80_000), "bad-value"),
        "many keys": (extra(b"{" + keys + b"}"), "hand"),
        "many keys, one twice": (extra(b"{" + keys + b',"k9":2}'), "duplicate-key"),
        "one key, many times": (extra(b"{" + filled(b'"":1') + b"}"), "duplicate-key"),
        "many escaped keys": (extra(b"{" + numbered('"\\u0022%":1') + b"}"), "hand"),
        "long keys alike": (
            extra(b"{" + b",".join(b'"%s%d":1' % (b"k" * 1000, n) for n in range(1000)) + b"}"),
            "hand",
        ),
        "many options": (options(b"{" + opts + b"}"), "hand"),
        "many options, the last wrong": (options(b"{" + opts + b',"z":1.5}'), "wrong-type"),
        "many options, the last wrong within": (
            options(b"{" + many_options + b',"z":{"J":1.5}}'), "wrong-type",
        ),
        "many options and a long ext": (
            extra(b"[" + filled(b"1", half) + b"]").replace(
                b'{"min_bid": 6}', b"{" + numbered('"o%":1', half) + b',"z":1.5}'
            ),
            "wrong-type",
        ),
        "many times, the last wrong": (
            put(b'"0": 1200', filled(b'"999":1') + b',"x":1'), "bad-value",
        ),
        "a long variant": (line(rules={"variant": "a" * ROOM}), "bad-value"),
        "a long id": (line(id="a" * ROOM), "bad-value"),
        "a long action": (line(actions=["0 discard" + " AS" * (ROOM // 3)]), "bad-value"),
        "a long time": (line(started_at="2026-11-20T19:03:00." + "0" * ROOM), "bad-value"),
        "a long field name": (line(**{"k" * ROOM: 1}), "unknown-field"),
        "a long format": (line(format="tricklog/" + "9" * ROOM), "newer-format"),
        "a million spaces": (b" " * ROOM + b"x", "not-json"),
        "a million keys": (extra(b"{" + numbered('"k%":1', 12 * MEBIBYTE) + b"}"), "line-too-long"),
    }  # fmt: skip


MEASURED = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured as on Linux")


def measured(place: Path | str, content: Iterable[bytes] = ()) -> Reading:
    """What came of reading, which took little memory, and no line long."""
    reading = read_measured(place, content=content)
    assert reading.memory < MEMORY
    assert reading.slowest < SECONDS
    return reading


@MEASURED
def test_lines_made_to_cost_much_are_cheap(tmp_path: Path) -> None:
    whole = costly()
    lines = {name: whole[name] for name in some(list(whole), 5)}
    path = write_lines(tmp_path / "log.jsonl", [text for text, _ in lines.values()])
    fates = dict(zip(lines, measured(path).fates, strict=True))
    assert fates == {name: fate for name, (_, fate) in lines.items()}


@MEASURED
def test_a_line_far_beyond_memory_is_skipped_as_it_comes() -> None:
    piece = b"x" * MEBIBYTE
    pieces = scaled(256, most=1024)
    content = itertools.chain(
        [SOUND_LINE, b"\n"], itertools.repeat(piece, pieces), [b"\n", SOUND_LINE]
    )
    assert measured("-", content).fates == ["hand", "line-too-long", "hand"]


@MEASURED
@pytest.mark.parametrize("pack", [gz, zst])
def test_a_gibibyte_in_archives_is_refused(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    for number, what in enumerate(some([b"\n", b"\0", b" ", b"x", b" \n"], 1)):
        path = tmp_path / f"{number}.jsonl"
        member = pack(what * (64 * MEBIBYTE // len(what)))
        path.write_bytes(pack(SOUND_LINE + b"\n") + member * 16)
        assert measured(path).fates == ["hand", "expands-too-far"], what


@MEASURED
def test_files_that_are_no_bombs_take_little_memory(tmp_path: Path) -> None:
    path, packed = tmp_path / "log.jsonl", tmp_path / "log.jsonl.gz"
    with path.open("wb") as file:
        file.truncate(192 * MEBIBYTE)
    assert measured(path).fates == ["line-too-long"]
    noise = default_rng(1).bytes(2 * MEBIBYTE).hex().encode()
    packed.write_bytes(gzip.compress(noise + b"\n" + SOUND_LINE, 1))
    assert measured(packed).fates == ["line-too-long", "hand"]
    packed.write_bytes(gz(b"\n" * 50_000 + SOUND_LINE))
    assert measured(packed).counts == {"blank": 50_000, "hand": 1}
    # Memory does not grow with refused lines.
    chance = random.Random(1)
    lines = (b"[" * 50 + b"%d," % n * chance.randrange(100_000) + b"\n" for n in range(200))
    with path.open("wb") as file:
        file.writelines(lines)
    assert measured(path).counts.keys() <= {"not-json", "line-too-long"}
