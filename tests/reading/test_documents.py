"""Hands over many lines, as JSON or as text: found, read, refused and counted like other logs."""

import gzip
import io
import itertools
import json
import re
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kit.log_lines import line, reject_of
from tests.regenerate import texts
from tests.text_form.test_problems import MISTAKES, SETTINGS
from tricklog import LineKind, LogLine, RejectCode, decode_hand, encode_hand, ingest, write_text
from tricklog.core import Verdict, generate, variants
from tricklog.ingest.reading import log_line
from tricklog.ingest.reading.json_documents import JsonRecords
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import read_blocks
from tricklog.ingest.reading.shapes import Shape, shape_of_content, shape_of_name, with_shape
from tricklog.ingest.reading.sources import find_sources, split

HANDS = [line(id=f"h-{number}") for number in (1, 2, 3)]
VALUES = [json.loads(hand) for hand in HANDS]
IDS = ["h-1", "h-2", "h-3"]
LIST = json.dumps(VALUES, indent=2)
LAYOUTS = {
    "an indented list": LIST,
    "a list on one line": json.dumps(VALUES),
    "a list, one hand a line": "[\n" + ",\n".join(map(json.dumps, VALUES)) + "\n]\n",
    "one after the other": "\n".join(json.dumps(value, indent=4) for value in VALUES),
    "with tabs": json.dumps(VALUES, indent="\t"),
    "with carriage returns": LIST.replace("\n", "\r\n"),
    "with a byte order mark": "\ufeff" + LIST,
    "one a line": "\n".join(map(json.dumps, VALUES)),
}

HEAD = "game Pedro\nplayers Ann, Bo, Cy, Dee\n"
GOOD = HEAD + "hand 1; dealer Ann; Bo 7, Cy p, Dee p, Ann p\nhand 2; dealer Bo; Cy 8, p, p, p\n"
TEXT_IDS = ["club-ann-bo-cy-dee-1", "club-ann-bo-cy-dee-2"]
PAGE = Path(__file__).parents[2] / "docs" / "text-form.md"


def read(folder: Path, text: str | bytes, name: str = "club.trick") -> list[LogLine]:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(ingest.read(path))


def read_json(folder: Path, text: str | bytes) -> list[LogLine]:
    return read(folder, text, "hands.json")


def ids(lines: list[LogLine]) -> list[str | None]:
    return [line.hand.id if line.hand else None for line in lines]


# --- Places
@pytest.mark.parametrize(
    "text",
    [
        *LAYOUTS.values(),
        "tricklog text 1\n" + GOOD,
        GOOD,
        "# our evening\n\n" + GOOD,
        "Pedro 20.11.2026\n" + GOOD.partition("\n")[2],
        "Ann, Bo, Cy, Dee\ngame Pedro\nhand 1; dealer Ann; Bo 7, Cy p, Dee p, Ann p\n",
        "spel Pedro\nspelare Ann, Bo, Cy, Dee\ngiv 1; givare Ann; Bo 7, Cy pass, Dee p, Ann p\n",
    ],
)
def test_standard_input_is_known_by_content(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    found = ids(list(ingest.read("-")))
    assert found
    assert found == IDS or all(
        each and each.startswith(("hands-", "2026-11-20-")) for each in found
    )


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [(LIST, "club.json", IDS), (GOOD, "club.trick", TEXT_IDS)],
    ids=["JSON", "text"],
)
def test_folders_archives_blocks_and_ranges_give_the_same_hands(
    text: str, name: str, expected: list[str], tmp_path: Path
) -> None:
    plain = read(tmp_path, text, name)
    assert ids(plain) == expected
    # In a folder a JSON file counts when a hand begins in it.
    (tmp_path / "package.json").write_text('{\n  "name": "club"\n}\n')
    assert list(ingest.read(tmp_path)) == plain
    (tmp_path / name).unlink()
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    # Packed JSON is read where it is named.
    packed = list(ingest.read(tmp_path / f"{name}.gz" if text == LIST else tmp_path))
    assert [each.hand for each in packed] == [each.hand for each in plain]
    (source,) = find_sources([tmp_path / f"{name}.gz"])
    assert list(read_blocks(source, ByteCounter(), 1 << 10)) == packed
    long = read(tmp_path, text * 50, name)
    (source,) = find_sources([tmp_path / name])
    assert list(read_blocks(source, ByteCounter(), 1 << 10)) == long
    assert split(source, 1 << 8) == [source]


def test_names_and_contents_tell_the_shape_where_they_can(tmp_path: Path) -> None:
    names = ("a/B.JSONL.gz", "hands.json", "a.TRICK.gz")
    assert [shape_of_name(name) for name in names] == [Shape.LINES, None, Shape.TEXT]
    assert shape_of_content(b"\n  ") is None
    for text in (
        *(b'{"format": "tricklog/1"', b"[1, 2]\n", b"oops\n", b'{"a": 1}\n', b"Dear Bo,\n"),
        *(b"date,dealer,bid\n2026-11-20,Ann,8\n", b"game\n"),
    ):
        assert shape_of_content(text) is Shape.LINES, text
    (only,) = read(tmp_path, "Dear Bo,\nthe hand was wrong\n")
    assert only.kind is LineKind.QUARANTINED


def test_a_source_that_fails_at_once_fails_where_it_is_read() -> None:
    def failing() -> Iterator[tuple[int, bytes]]:
        yield 0, b"["
        raise OSError("gone")

    shape, pieces = with_shape("x", failing())
    assert shape is Shape.JSON
    assert next(pieces) == (0, b"[")
    with pytest.raises(OSError, match="gone"):
        next(pieces)


# --- JSON
@pytest.mark.parametrize("layout", LAYOUTS)
def test_hands_are_the_same_in_every_layout(layout: str, tmp_path: Path) -> None:
    text = LAYOUTS[layout]
    lines = read_json(tmp_path, text)
    assert [each.hand for each in lines] == [decode_hand(hand) for hand in HANDS]
    raw = text.encode()
    for each in lines:
        assert raw[each.byte : each.byte + 1] == b"{"
        assert each.line == raw.count(b"\n", 0, each.byte) + 1
        assert b"\n" not in each.text
        assert decode_hand(each.text) == each.hand
    assert ids(read_json(tmp_path, json.dumps(VALUES[0], indent=2))) == IDS[:1]


def test_a_broken_hand_costs_no_other(tmp_path: Path) -> None:
    text = LIST.replace('"dealer": 3', '"dealer": 3 0', 1)
    first, *others = read_json(tmp_path, text)
    reject = reject_of(first)
    assert reject.code is RejectCode.NOT_JSON
    at_fault = text.split("\n").index('    "dealer": 3 0,') + 1
    assert f"That is in line {at_fault}." in reject.message
    assert text.encode()[: reject.byte].count(b"\n") + 1 == at_fault
    assert ids(others) == IDS[1:]


@pytest.mark.parametrize("layout", ["an indented list", "a list, one hand a line"])
@pytest.mark.parametrize("lost", ['"dealer": 3', '"', "]", "}"])
def test_what_is_lost_of_a_hand_costs_no_other(layout: str, lost: str, tmp_path: Path) -> None:
    text = LAYOUTS[layout]
    start = text.index(lost, text.index('"h-2"') + 6)
    first, second, *rest = read_json(tmp_path, text[:start] + text[start + len(lost) :])
    assert ids([first]) == IDS[:1]
    assert second.kind is LineKind.QUARANTINED
    assert "h-3" in ids(rest)


def test_a_wrong_value_is_told_with_its_line(tmp_path: Path) -> None:
    text = json.dumps(VALUES, indent=1).replace('"dealer": 3', '"dealer": "Ann"')
    for each in read_json(tmp_path, text):
        reject = reject_of(each)
        assert (reject.code, reject.pointer) == (RejectCode.WRONG_TYPE, "/dealer")
        told = int(reject.message.rsplit(" ", 1)[1].rstrip("."))
        assert '"dealer"' in text.split("\n")[told - 1]


def test_text_outside_records_is_no_hand_and_no_end(tmp_path: Path) -> None:
    text = "[\n" + json.dumps(VALUES[0]) + ",\noops\n" + json.dumps(VALUES[1]) + "\n"
    lines = read_json(tmp_path, text)
    assert ids(lines) == ["h-1", None, "h-2", None]
    assert reject_of(lines[1]).message == "Line 3 is outside any record."
    assert reject_of(lines[3]).message == "The list that begins in line 1 has no end."


def test_what_is_too_long_is_passed_over_in_little_memory_and_hides_nothing(tmp_path: Path) -> None:
    long = json.dumps({"a": ["x" * 1000] * 12_000}, indent=0)
    (tmp_path / "long.json").write_text(f"[{json.dumps(VALUES[0])},\n{long},\n{HANDS[1].decode()}]")
    tracemalloc.start()
    lines = list(ingest.read(tmp_path / "long.json"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert ids(lines) == ["h-1", None, "h-2"]
    reject = reject_of(lines[1])
    assert reject.code is RejectCode.LINE_TOO_LONG
    assert reject.message == f"The record has {len(long):,} bytes; the most is 1,048,576."
    assert len(lines[1].text) == 4096
    assert peak < 8 << 20
    # A string that is longer than a record.
    text = json.dumps([{"a": "x" * 3_000_000, "b": "}"}, VALUES[0]])
    passed, hand = read_json(tmp_path, text)
    assert reject_of(passed).code is RejectCode.LINE_TOO_LONG
    assert hand.hand


def test_many_small_values_cost_time_by_their_number(tmp_path: Path) -> None:
    lines = read_json(tmp_path, "[" + "{},\n" * 6_000 + "{}]")
    assert len([reject_of(each) for each in lines]) == 6_001


LIMIT, KEPT = 200, 20


def cut(pieces: list[bytes]) -> list[tuple[int, int, bytes, int]]:
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
    found = cut([raw[a:b] for a, b in itertools.pairwise(places)])
    assert found == cut([raw])
    for number, byte, record, length in found:
        assert raw[byte : byte + length][: KEPT if length > LIMIT else None] == record
        assert raw.count(b"\n", 0, byte) + 1 == number


# --- Text
@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        *(("\ufeff" + GOOD).replace("\n", ending) for ending in ("\r\n", "\r", "\n")),
        "".join(f"> > {each}\n" for each in GOOD.splitlines()),
        "".join(f"• {each}\n" for each in GOOD.splitlines()),
        GOOD.replace(" ", "\u00a0"),
    ],
    ids=["plain", "CRLF", "CR", "a byte order mark", "mail", "bullets", "odd spaces"],
)
def test_hands_are_lines_with_the_place_where_they_begin(text: str, tmp_path: Path) -> None:
    lines = read(tmp_path, text)
    assert ids(lines) == TEXT_IDS
    assert [each.line for each in lines] == [3, 4]
    for each in lines:
        assert re.match(r"(> > |• )?hand", text.encode()[each.byte :].decode())
        assert each.hand is not None
        assert each.text == encode_hand(each.hand)
        assert decode_hand(each.text) == each.hand


def test_all_that_is_wrong_with_a_hand_is_one_reject_and_others_are_read(tmp_path: Path) -> None:
    bad = "hand 3; dealer Eve\nBo 7, Cy pas\nBo trump haerts\n"
    lines = read(tmp_path, GOOD + bad)
    assert ids(lines) == [*TEXT_IDS, None]
    reject = reject_of(lines[2])
    assert (reject.code, reject.line, lines[2].line) == (RejectCode.BAD_TEXT, 5, 5)
    assert reject.message == (
        "5:16 'Eve' is no player here; the players are Ann, Bo, Cy, Dee; "
        "6:10 'pas' is nothing a player does; did you mean pass?; "
        "7:10 'haerts' is no trump; did you mean hearts?"
    )
    assert (GOOD + bad)[reject.byte :].startswith("Eve")
    assert lines[2].text == bad.encode().rstrip()
    assert [problem.line for problem in reject.problems] == [5, 6, 7]


def test_what_the_log_does_not_take_is_told_at_its_act(tmp_path: Path) -> None:
    cards = " ".join(["7h"] * 60)
    (only,) = read(tmp_path, HEAD + "hand 1; dealer Ann\nAnn 7h\nstock " + cards + "\n")
    assert reject_of(only).problems[0].message.startswith("/stock: ")
    (only,) = read(tmp_path, HEAD + "hand 1; dealer Ann\n" + "Bo p\n" * 1001)
    assert "a hand has 1,000 acts at most" in reject_of(only).message


def test_warnings_come_with_the_hand_and_through_the_audit(tmp_path: Path) -> None:
    (only,) = read(tmp_path, HEAD + "hand 1; Bo 7, Cy p, Dee p, Ann p\n")
    warned = ["3:1 dealer taken to be Ann, as Bo spoke first"]
    assert list(map(str, only.warnings)) == warned
    told: list[tuple[str, str]] = []
    path = tmp_path / "club.trick"
    list(ingest.audit(path, on_warning=lambda file, each: told.append((file, str(each)))))
    assert told == [(str(path), each) for each in warned]


BYTES = {
    "NUL bytes": (
        b"hand 1; dealer Ann\0\n", "3:1 this line holds NUL bytes: save the file as UTF-8",
    ),
    "no UTF-8": (b"hand 1; dealer \xff\n", "3:16 here is no UTF-8 text: save the file as UTF-8"),
    "a long line": (
        b"hand 1; dealer Ann\nBo 8s " + b"7h " * 90_000,
        "4:1 this line has 270,006 characters; the most is 262,144",
    ),
    "a very long line": (
        b"hand 1; dealer Ann\n#" + b"x" * (2 << 20),
        "4:1 this line has 2,097,153 bytes; the most is 1,048,576",
    ),
    "a long hand": (
        b"hand 1; dealer Ann\n" + b"Bo 7, Cy p, Dee p, Ann p\n" * 60_000,
        "a hand has 1,000 acts at most: begin the next one with hand",
    ),
    "a long remark": (
        b"hand 1; dealer Ann\nBo 7, Cy p, Dee p, Ann p\n" + b"# nothing new here\n" * 60_000,
        "this hand has more than 1,048,576 bytes: begin the next one with hand",
    ),
    "a line of many statements": (
        b"hand 1; dealer Ann\nBo 7" + b", made" * 500,
        "this line says too much: divide it into lines",
    ),
    "deep JSON": (
        b"hand 1; dealer Ann\next a = " + b"[" * 100_000 + b"\n", "ext has a key and a JSON value",
    ),
    "a deep bracket": (
        b"hand 1; dealer Ann\nBo 7 " + b"(" * 100_000 + b"\n", "is never closed by )",
    ),
    "a long name": (b"hand 1; dealer " + b"x" * 200_000 + b"\n", "is no player here"),
}  # fmt: skip


@pytest.mark.parametrize("case", BYTES)
def test_hostile_bytes_cost_their_hand_alone_and_little_time(case: str, tmp_path: Path) -> None:
    text, said = BYTES[case]
    start = time.process_time()
    broken, good = read(tmp_path, HEAD.encode() + text + b"\nhand 7; dealer Bo; Cy 8, p, p, p\n")
    assert time.process_time() - start < 10
    assert said in reject_of(broken).message
    assert len(broken.text) <= log_line.MAX_LINE
    assert good.hand
    assert good.hand.hand == 7


def test_thousands_of_hands_are_read_in_one_go(tmp_path: Path) -> None:
    text = HEAD + "match m\n" + "".join(f"hand {n}; Bo 7, made\n" for n in range(1, 1001))
    assert sum(each.hand is not None for each in read(tmp_path, text)) == 1000


def test_a_load_keeps_texts_and_counts_their_hands(tmp_path: Path) -> None:
    log = list(generate("pedro", 1, 3))[:3]
    (tmp_path / "a.trick").write_text(write_text(log) + "hand 99; dealer Nobody\n")
    (tmp_path / "b.jsonl").write_bytes(encode_hand(log[0]) + b"\n")
    report = ingest.load(tmp_path, db=tmp_path / "db")
    assert (report.lines, report.accepted, report.duplicate, report.quarantined) == (5, 3, 1, 1)
    assert report.is_balanced


# --- The documentation and the samples
def blocks(text: str) -> list[str]:
    return re.findall(r"```trick\n(.*?)```", text, re.DOTALL)


def audited(path: Path) -> tuple[Verdict | None, list[str]]:
    (item,) = ingest.audit(path)
    return item.replay.verdict if item.replay else None, [each.code for each in item.findings]


def test_examples_of_the_documentation_are_read_and_whole_hands_valid(tmp_path: Path) -> None:
    of_page, of_games = blocks(PAGE.read_text("utf-8")), blocks(texts.part())
    assert of_page
    for text in of_page:
        lines = read(tmp_path, text)
        assert lines
        assert None not in ids(lines), [each.reject for each in lines]
    assert len(of_games) == len(variants())
    for text in of_games:
        (only,) = read(tmp_path, text)
        assert only.hand
        assert audited(tmp_path / "club.trick") == (Verdict.VALID, [])


def test_the_revoke_of_the_documentation_is_found_once_the_card_is_known(tmp_path: Path) -> None:
    told = [text for text in blocks(PAGE.read_text("utf-8")) if "trick 3: Bo 8s" in text]
    found = []
    for text in told:
        read(tmp_path, text)
        found.append(audited(tmp_path / "club.trick")[1])
    assert found == [[], ["revoke"]]
    assert "then Dee has 7s" in told[1]


def test_the_samples_are_what_is_written_and_audit_as_valid() -> None:
    for path, text in texts.texts().items():
        assert path.read_text("utf-8") == text, "run: ./dev regenerate texts"
        assert audited(path)[0] is Verdict.VALID


def test_the_mistakes_of_the_page_are_told_so() -> None:
    table = PAGE.read_text("utf-8").partition("## When something is wrong")[2].partition("##")[0]
    told = [*(each for _, due in MISTAKES for each in due), *(due for _, due in SETTINGS)]
    said = re.findall(r"^\| `[^|]*\| (.*) \|$", table, re.MULTILINE)
    assert len(said) > 5
    for each in said:
        assert any(message.endswith(each) for message in told), each
