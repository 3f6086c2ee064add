"""Reading: every line becomes a hand, a blank or a reject with its place, code and pointer."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.any_hand import json_of
from tests.kit.bad_lines import zst
from tests.kit.log_lines import SOUND, SOUND_LINE, line, refused, write_lines
from tests.kit.tiers import scaled
from tricklog import Hand, LineKind, decode_hand, encode_hand, ingest
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import KEPT_OF_LONG_LINE, MAX_LINE, parse_line, read_blocks
from tricklog.ingest.reading.rejects import HINTS, RejectCode, Trouble, pointer_to
from tricklog.ingest.reading.sources import find_sources
from tricklog.schemas.times import parse_time

BOM = b"\xef\xbb\xbf"


def trouble_in(text: bytes) -> Trouble:
    found = parse_line(text)
    assert isinstance(found, Trouble), "the line was read as a hand"
    return found


def write(folder: Path, lines: Iterable[bytes], name: str = "log.jsonl") -> Path:
    return write_lines(folder / name, lines)


# --- One line
def test_a_sound_line_is_its_hand_and_nesting_up_to_the_cap_is_read() -> None:
    assert parse_line(SOUND_LINE) == decode_hand(SOUND_LINE)
    assert isinstance(parse_line(line(ext={"x": json.loads("[" * 62 + "]" * 62)})), Hand)
    # Carriage returns between records are named as the cause.
    assert "carriage return" in trouble_in(SOUND_LINE + b"\r" + SOUND_LINE).message


def test_every_code_says_what_to_do_and_stands_in_the_documentation(repository: Path) -> None:
    assert set(HINTS) == set(RejectCode)
    page = (repository / "docs" / "reading.md").read_text("utf-8")
    assert [code for code in RejectCode if f"`{code}`" not in page] == []


@settings(max_examples=scaled(20))
@given(st.lists(st.text() | st.integers(0, 99)))
def test_a_pointer_can_be_taken_apart_again(path: list[str | int]) -> None:
    parts = pointer_to(*path).split("/")[1:]
    assert [part.replace("~1", "/").replace("~0", "~") for part in parts] == list(map(str, path))


def test_times_of_the_standard_are_read() -> None:
    for text in ("2026-11-20t19:03:00.25z", "2026-11-20T19:03:00-11:30"):
        assert parse_time(text).utcoffset() is not None, text


# --- Properties
@settings(max_examples=scaled(20))
@given(st.sampled_from(sorted(SOUND)), json_of(st.floats() | st.text()))
def test_any_value_in_any_field_is_a_hand_or_a_pointed_reject(field: str, value: object) -> None:
    found = parse_line(line(**{field: value}))
    if isinstance(found, Trouble):
        not_json = found.code in {RejectCode.NOT_JSON, RejectCode.TOO_DEEP}
        # Fewer actions or players make what refers to them wrong.
        assert not_json or found.pointer.split("/")[1] in {field, "times", "notes", "dealer"}
    else:
        assert decode_hand(encode_hand(found)) == found


@given(st.data())
def test_a_repeated_key_is_found_wherever_it_is(data: st.DataObject) -> None:
    keys = [b'"id": "ann"', b'"variant": "pedro"', b'"0": 1200', b'"a": null', b'"dealer": 3']
    key = data.draw(st.sampled_from(keys))
    assert SOUND_LINE.count(key) == 1
    twice = SOUND_LINE.replace(key, key + b" , " + key)
    assert trouble_in(twice).code is RejectCode.DUPLICATE_KEY


# --- Lines of a file
def test_lines_have_numbers_bytes_and_kinds(tmp_path: Path) -> None:
    lines = [SOUND_LINE, b"", b"  \r", b"oops", SOUND_LINE + b"\r"]
    items = list(ingest.read(write(tmp_path, lines)))
    blank, hand = LineKind.BLANK, LineKind.HAND
    assert [(item.kind, item.line, item.byte) for item in items] == [
        (kind, number + 1, sum(len(text) + 1 for text in lines[:number]))
        for number, kind in enumerate([hand, blank, blank, LineKind.QUARANTINED, hand])
    ]
    assert (refused(items[3]).byte, refused(items[3]).text) == (items[3].byte, b"oops")


def test_a_byte_order_mark_is_stripped_from_the_first_line_only(tmp_path: Path) -> None:
    items = list(ingest.read(write(tmp_path, [BOM + SOUND_LINE, BOM + SOUND_LINE])))
    assert [(item.kind, item.byte) for item in items] == [
        (LineKind.HAND, 3),
        (LineKind.QUARANTINED, 3 + len(SOUND_LINE) + 1),
    ]


def test_an_empty_file_has_no_blocks(tmp_path: Path) -> None:
    (source,) = find_sources([write(tmp_path, [])])
    assert list(read_blocks(source, ByteCounter(), 1 << 10)) == []


def test_a_line_at_the_cap_is_read_and_one_above_it_is_not(tmp_path: Path) -> None:
    longest = line(ext={"x": "a" * (MAX_LINE - len(line(ext={"x": ""})))})
    first, second, third = ingest.read(write(tmp_path, [longest, longest + b" ", SOUND_LINE]))
    assert (first.kind, third.kind) == (LineKind.HAND, LineKind.HAND)
    assert refused(second).code is RejectCode.LINE_TOO_LONG
    assert len(refused(second).text) == KEPT_OF_LONG_LINE
    assert (third.line, third.byte) == (3, 2 * MAX_LINE + 3)


# --- Places
@pytest.mark.parametrize("compress", [gzip.compress, zst], ids=["gzip", "zstd"])
def test_what_precedes_the_broken_end_is_kept(tmp_path: Path, compress: type[bytes]) -> None:
    noise = [line(id=os.urandom(50).hex()) for _ in range(3000)]
    text = b"".join(part + b"\n" for part in noise)
    whole = compress(text)
    path = tmp_path / "log.jsonl"
    path.write_bytes(whole[: len(whole) * 2 // 3])
    *hands, last = ingest.read(path)
    assert len(hands) > 500
    assert all(item.kind is LineKind.HAND for item in hands)
    assert refused(last).code is RejectCode.DAMAGED_ARCHIVE
    assert (last.line, last.byte) == (len(hands) + 1, sum(len(h.text) + 1 for h in hands))
    assert text[last.byte :].startswith(last.text)


def test_a_path_that_does_not_exist_and_a_folder_without_logs_are_rejects(tmp_path: Path) -> None:
    (item,) = ingest.read(tmp_path)
    assert refused(item).code is RejectCode.NO_LOGS
    (item,) = ingest.read(tmp_path / "nowhere.jsonl")
    reject = refused(item)
    assert (reject.code, reject.line, reject.byte) == (RejectCode.UNREADABLE_FILE, 1, 0)
    assert "nowhere.jsonl" in reject.message


def test_a_folder_gives_its_logs_in_order_and_nothing_else(tmp_path: Path) -> None:
    for name in (
        *("b/2.ndjson", "b/10.jsonl", "a.jsonl.zst", "c.JSONL.gz", "d.jsonl.bz2"),
        *(".hidden/x.jsonl", "b/.x.jsonl", "notes.txt", "package.json"),
    ):
        write(tmp_path, [], name)
    found = ("a.jsonl.zst", "b/10.jsonl", "b/2.ndjson", "c.JSONL.gz", "d.jsonl.bz2")
    names = [source.name for source in find_sources([tmp_path])]
    assert names == [str(tmp_path / name) for name in found]


def test_names_and_excerpts_that_are_not_text_are_shown_as_text(tmp_path: Path) -> None:
    path = os.path.join(os.fsencode(tmp_path), b"caf\xe9.jsonl")  # noqa: PTH118 - a name in bytes
    with open(path, "wb") as file:  # noqa: PTH123 - a name in bytes
        file.write(b"\x1b[31m\xff" + b"x" * 500)
    (item,) = ingest.read(tmp_path)
    assert item.file.endswith("caf\\xe9.jsonl")
    item.file.encode()
    assert refused(item).excerpt.isprintable()
    assert refused(item).excerpt.startswith("\\x1b[31m\\xff")


def test_only_what_is_used_is_imported(repository: Path) -> None:
    needless = {"duckdb", "polars", "pyarrow", "zstandard"}
    uses = (
        ("import tricklog.ingest", {*needless, "tricklog.core", "msgspec"}),
        ("tricklog.ingest.read", {*needless, "tricklog.core"}),
        ("tricklog.ingest.audit", needless),
    )
    code = "import sys; " + "; ".join(f"{use}; print(*sys.modules)" for use, _ in uses)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=repository
    )
    for (use, unwanted), modules in zip(uses, done.stdout.splitlines(), strict=True):
        assert unwanted & set(modules.split()) == set(), use
