"""JSON over many lines: a hand, several one after the other, or a list of them."""

import gzip
import io
import itertools
import json
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kit.log_lines import line
from tricklog import LineKind, LogLine, RejectCode, decode_hand, ingest
from tricklog.ingest.reading.json_documents import JsonRecords
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import read_blocks
from tricklog.ingest.reading.shapes import Shape, shape_of_content, shape_of_name, with_shape
from tricklog.ingest.reading.sources import find_sources, split

HANDS = [line(id=f"h-{number}") for number in (1, 2, 3)]
VALUES = [json.loads(hand) for hand in HANDS]
IDS = ["h-1", "h-2", "h-3"]

LAYOUTS = {
    "an indented list": json.dumps(VALUES, indent=2),
    "a list on one line": json.dumps(VALUES),
    "a list, one hand a line": "[\n" + ",\n".join(map(json.dumps, VALUES)) + "\n]\n",
    "one after the other": "\n".join(json.dumps(value, indent=4) for value in VALUES),
    "with tabs": json.dumps(VALUES, indent="\t"),
    "with carriage returns": json.dumps(VALUES, indent=2).replace("\n", "\r\n"),
    "with a byte order mark": "\ufeff" + json.dumps(VALUES, indent=2),
    "one a line": "\n".join(map(json.dumps, VALUES)),
}


def read(path: Path, text: str | bytes, name: str = "hands.json") -> list[LogLine]:
    file = path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(ingest.read(file))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_hands_are_the_same_in_every_layout(layout: str, tmp_path: Path) -> None:
    text = LAYOUTS[layout]
    lines = read(tmp_path, text)
    assert [each.hand for each in lines] == [decode_hand(hand) for hand in HANDS]
    raw = text.encode()
    for each in lines:
        assert raw[each.byte : each.byte + 1] == b"{"
        assert each.line == raw.count(b"\n", 0, each.byte) + 1
        assert b"\n" not in each.text
        assert each.hand is not None
        assert decode_hand(each.text) == each.hand


@pytest.mark.parametrize("layout", LAYOUTS)
def test_standard_input_is_known_by_content(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = SimpleNamespace(buffer=io.BytesIO(LAYOUTS[layout].encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert [each.hand and each.hand.id for each in ingest.read("-")] == IDS


def test_one_hand_alone_and_a_packed_file_are_read(tmp_path: Path) -> None:
    one = json.dumps(VALUES[0], indent=2)
    assert [each.hand and each.hand.id for each in read(tmp_path, one)] == IDS[:1]
    packed = gzip.compress(LAYOUTS["an indented list"].encode())
    assert [each.hand and each.hand.id for each in read(tmp_path, packed, "a.json.gz")] == IDS


def test_in_a_folder_a_json_file_counts_when_a_hand_begins_in_it(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(LAYOUTS["an indented list"])
    (tmp_path / "package.json").write_text('{\n  "name": "club"\n}\n')
    assert [each.hand and each.hand.id for each in ingest.read(tmp_path)] == IDS


def test_blocks_and_ranges_give_the_same_hands(tmp_path: Path) -> None:
    expected = read(tmp_path, LAYOUTS["an indented list"] * 20)
    (source,) = find_sources([tmp_path / "hands.json"])
    assert list(read_blocks(source, ByteCounter(), 1 << 10)) == expected
    assert split(source, 1 << 10) == [source]


def test_a_broken_hand_costs_no_other(tmp_path: Path) -> None:
    text = LAYOUTS["an indented list"].replace('"dealer": 3', '"dealer": 3 0', 1)
    first, *others = read(tmp_path, text)
    assert first.reject
    assert first.reject.code is RejectCode.NOT_JSON
    at_fault = text.split("\n").index('    "dealer": 3 0,') + 1
    assert f"That is in line {at_fault}." in first.reject.message
    assert text.encode()[: first.reject.byte].count(b"\n") + 1 == at_fault
    assert [each.hand and each.hand.id for each in others] == IDS[1:]


@pytest.mark.parametrize("layout", ["an indented list", "a list, one hand a line"])
@pytest.mark.parametrize("lost", ['"dealer": 3', '"', "]", "}"])
def test_what_is_lost_of_a_hand_costs_no_other(layout: str, lost: str, tmp_path: Path) -> None:
    text = LAYOUTS[layout]
    second = text.index('"h-2"')
    start = text.index(lost, second + 6)
    first, second_line, *rest = read(tmp_path, text[:start] + text[start + len(lost) :])
    assert first.hand
    assert first.hand.id == "h-1"
    assert second_line.kind is LineKind.QUARANTINED
    assert "h-3" in [each.hand.id for each in rest if each.hand]


def test_a_wrong_value_is_told_with_its_line(tmp_path: Path) -> None:
    text = json.dumps(VALUES, indent=1).replace('"dealer": 3', '"dealer": "Ann"')
    for each in read(tmp_path, text):
        assert each.reject
        assert each.reject.code is RejectCode.WRONG_TYPE
        assert each.reject.pointer == "/dealer"
        told = int(each.reject.message.rsplit(" ", 1)[1].rstrip("."))
        assert '"dealer"' in text.split("\n")[told - 1]


def test_text_outside_records_is_no_hand_and_no_end(tmp_path: Path) -> None:
    text = "[\n" + json.dumps(VALUES[0]) + ",\noops\n" + json.dumps(VALUES[1]) + "\n"
    first, garbage, second, end = read(tmp_path, text)
    assert (first.hand and first.hand.id, second.hand and second.hand.id) == ("h-1", "h-2")
    assert garbage.reject
    assert garbage.reject.message == "Line 3 is outside any record."
    assert end.reject
    assert end.reject.message == "The list that begins in line 1 has no end."


def test_a_record_that_is_too_long_is_passed_over_in_little_memory(tmp_path: Path) -> None:
    long = json.dumps({"a": ["x" * 1000] * 12_000}, indent=0)
    text = f"[{json.dumps(VALUES[0])},\n{long},\n{json.dumps(VALUES[1])}]"
    (tmp_path / "long.json").write_text(text)
    tracemalloc.start()
    first, passed, second = ingest.read(tmp_path / "long.json")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (first.hand and first.hand.id, second.hand and second.hand.id) == ("h-1", "h-2")
    assert passed.reject
    assert passed.reject.code is RejectCode.LINE_TOO_LONG
    assert passed.reject.message == f"The record has {len(long):,} bytes; the most is 1,048,576."
    assert len(passed.text) == 4096
    assert peak < 8 << 20


def test_a_string_longer_than_a_record_hides_nothing_behind_it(tmp_path: Path) -> None:
    text = json.dumps([{"a": "x" * 3_000_000, "b": "}"}, VALUES[0]])
    passed, hand = read(tmp_path, text)
    assert passed.reject
    assert passed.reject.code is RejectCode.LINE_TOO_LONG
    assert hand.hand


def test_many_small_values_cost_time_by_their_number(tmp_path: Path) -> None:
    lines = read(tmp_path, "[" + "{},\n" * 6_000 + "{}]")
    assert len(lines) == 6_001
    assert all(each.reject for each in lines)


LIMIT, KEPT = 200, 20


def cut(pieces: Iterator[bytes] | list[bytes]) -> list[tuple[int, int, bytes, int]]:
    records = JsonRecords(LIMIT, KEPT)
    found = [record for piece in pieces for record in records.feed(piece)]
    found += records.feed(b"", is_last=True)
    return [(each.line, each.byte, each.text, each.length) for each in found]


PARTS = st.sampled_from(
    [
        *('{"version": 1,\n"updatedAt": "x", "games": [', "{", "}", "[", "]", '"', "\\", "\n", ","),
        *(" ", '{"a":1}', '{\n "b": [2]\n}', "oops", "\n{"),
    ]
)


@given(st.lists(PARTS, max_size=30).map("".join), st.lists(st.integers(0, 60), max_size=5))
@example('[{"a}":1}', [5])
@example('[{"a\\"}":1}', [5])
def test_records_do_not_depend_on_how_the_text_is_cut(text: str, cuts: list[int]) -> None:
    raw = text.encode()
    places = sorted({min(place, len(raw)) for place in cuts} | {0, len(raw)})
    pieces = [raw[a:b] for a, b in itertools.pairwise(places)]
    found = cut(pieces)
    assert found == cut([raw])
    for number, byte, record, length in found:
        assert raw[byte : byte + length][: KEPT if length > LIMIT else None] == record
        assert raw.count(b"\n", 0, byte) + 1 == number


def test_the_name_tells_the_shape_where_it_can() -> None:
    assert shape_of_name("a/B.JSONL.gz") is Shape.LINES
    assert shape_of_name("hands.json") is None
    assert shape_of_content(b"\n  ") is None
    assert shape_of_content(b'{"format": "tricklog/1"') is Shape.LINES
    assert shape_of_content(b"[1, 2]\n") is Shape.LINES


def test_a_source_that_fails_at_once_fails_where_it_is_read() -> None:
    def failing() -> Iterator[tuple[int, bytes]]:
        yield 0, b"["
        raise OSError("gone")

    shape, pieces = with_shape("x", failing())
    assert shape is Shape.JSON
    assert next(pieces) == (0, b"[")
    with pytest.raises(OSError, match="gone"):
        next(pieces)
