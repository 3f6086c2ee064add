"""Files of hands written as text: found, read, put into quarantine and counted like other logs."""

import gzip
import io
import re
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.regenerate import texts
from tricklog import LineKind, LogLine, RejectCode, decode_hand, encode_hand, ingest, write_text
from tricklog.core import Verdict, generate, variants
from tricklog.ingest.reading import log_line
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import read_blocks
from tricklog.ingest.reading.shapes import Shape, shape_of_content, shape_of_name
from tricklog.ingest.reading.sources import find_sources, split

HEAD = "game Pedro\nplayers Ann, Bo, Cy, Dee\n"
GOOD = HEAD + "hand 1; dealer Ann; Bo 7, Cy p, Dee p, Ann p\nhand 2; dealer Bo; Cy 8, p, p, p\n"
REPOSITORY = Path(__file__).parents[2]
PAGE = REPOSITORY / "docs" / "text-form.md"


def read(folder: Path, text: str | bytes, name: str = "club.trick") -> list[LogLine]:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(ingest.read(path))


def ids(lines: list[LogLine]) -> list[str | None]:
    return [line.hand.id if line.hand else None for line in lines]


IDS = ["club-ann-bo-cy-dee-1", "club-ann-bo-cy-dee-2"]


def test_hands_are_lines_with_the_place_where_they_begin(tmp_path: Path) -> None:
    lines = read(tmp_path, GOOD)
    assert ids(lines) == IDS
    assert [line.line for line in lines] == [3, 4]
    for line in lines:
        assert GOOD[line.byte :].startswith("hand")
        assert line.hand is not None
        assert line.text == encode_hand(line.hand)
        assert decode_hand(line.text) == line.hand


def test_folders_archives_blocks_and_ranges_read_texts(tmp_path: Path) -> None:
    (tmp_path / "club.trick").write_text(GOOD)
    expected = list(ingest.read(tmp_path / "club.trick"))
    (tmp_path / "club.trick").unlink()
    (tmp_path / "club.trick.gz").write_bytes(gzip.compress(GOOD.encode()))
    assert ids(list(ingest.read(tmp_path))) == IDS
    (source,) = find_sources([tmp_path / "club.trick.gz"])
    blocks = list(read_blocks(source, ByteCounter(), 1 << 10))
    assert [getattr(line, "hand", None) for line in blocks] == [line.hand for line in expected]
    (tmp_path / "long.trick").write_text(GOOD * 50)
    (long,) = find_sources([tmp_path / "long.trick"])
    assert split(long, 1 << 8) == [long]


@pytest.mark.parametrize(
    "text",
    [
        "tricklog text 1\n" + GOOD,
        GOOD,
        "# our evening\n\n" + GOOD,
        "Pedro 20.11.2026\n" + GOOD.partition("\n")[2],
        "Ann, Bo, Cy, Dee\ngame Pedro\nhand 1; dealer Ann; Bo 7, Cy p, Dee p, Ann p\n",
        "spel Pedro\nspelare Ann, Bo, Cy, Dee\ngiv 1; givare Ann; Bo 7, Cy pass, Dee p, Ann p\n",
    ],
)
def test_standard_input_is_known_as_text_by_its_first_line(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = SimpleNamespace(buffer=io.BytesIO(text.encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    lines = list(ingest.read("-"))
    assert lines
    assert all(line.hand for line in lines)
    assert lines[0].hand is not None
    assert lines[0].hand.id.startswith(("hands-", "2026-11-20-"))


@pytest.mark.parametrize(
    "text", ["oops\n", "date,dealer,bid\n2026-11-20,Ann,8\n", '{"a": 1}\n', "Dear Bo,\n", "game\n"]
)
def test_other_lines_are_no_text(text: str) -> None:
    assert shape_of_content(text.encode()) is Shape.LINES


def test_the_name_of_a_file_tells_that_it_is_text(tmp_path: Path) -> None:
    assert shape_of_name("a.TRICK.gz") is Shape.TEXT
    (line,) = read(tmp_path, "Dear Bo,\nthe hand was wrong\n")
    assert line.kind is LineKind.QUARANTINED


def test_all_that_is_wrong_with_a_hand_is_one_reject_and_others_are_read(tmp_path: Path) -> None:
    bad = "hand 3; dealer Eve\nBo 7, Cy pas\nBo trump haerts\n"
    first, second, broken = read(tmp_path, GOOD + bad)
    assert ids([first, second]) == IDS
    assert broken.reject
    assert broken.reject.code is RejectCode.BAD_TEXT
    assert broken.reject.line == broken.line == 5
    assert broken.reject.message == (
        "5:16 'Eve' is no player here; the players are Ann, Bo, Cy, Dee; "
        "6:10 'pas' is nothing a player does; did you mean pass?; "
        "7:10 'haerts' is no trump; did you mean hearts?"
    )
    assert (GOOD + bad)[broken.reject.byte :].startswith("Eve")
    assert broken.text == bad.encode().rstrip()
    assert [problem.line for problem in broken.reject.problems] == [5, 6, 7]


def test_what_the_log_does_not_take_is_told_at_its_act(tmp_path: Path) -> None:
    cards = " ".join(["7h"] * 60)
    (line,) = read(tmp_path, HEAD + "hand 1; dealer Ann\nAnn 7h\nstock " + cards + "\n")
    assert line.reject
    assert line.reject.problems[0].message.startswith("/stock: ")
    text = HEAD + "hand 1; dealer Ann\n" + "Bo p\n" * 1001
    (line,) = read(tmp_path, text)
    assert line.reject
    assert "a hand has 1,000 acts at most" in line.reject.message


def test_warnings_come_with_the_hand_and_through_the_audit(tmp_path: Path) -> None:
    (line,) = read(tmp_path, HEAD + "hand 1; Bo 7, Cy p, Dee p, Ann p\n")
    assert [str(each) for each in line.warnings] == [
        "3:1 dealer taken to be Ann, as Bo spoke first"
    ]
    told: list[tuple[str, str]] = []
    run = ingest.audit(
        tmp_path / "club.trick", on_warning=lambda file, each: told.append((file, str(each)))
    )
    list(run)
    assert told == [(str(tmp_path / "club.trick"), str(line.warnings[0]))]


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n"])
def test_line_ends_of_every_kind_are_read(ending: str, tmp_path: Path) -> None:
    lines = read(tmp_path, ("\ufeff" + GOOD).replace("\n", ending).encode())
    assert ids(lines) == IDS
    assert [line.line for line in lines] == [3, 4]


def test_mail_bullets_and_odd_spaces_are_passed_over(tmp_path: Path) -> None:
    quoted = "".join(f"> > {line}\n" for line in GOOD.splitlines())
    assert ids(read(tmp_path, quoted)) == IDS
    bullets = "".join(f"• {line}\n" for line in GOOD.splitlines())
    assert ids(read(tmp_path, bullets)) == IDS
    assert ids(read(tmp_path, GOOD.replace(" ", "\u00a0"))) == IDS


BYTES = {
    "NUL bytes": (
        b"hand 1; dealer Ann\0\n",
        "3:1 this line holds NUL bytes: save the file as UTF-8",
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
        b"hand 1; dealer Ann\next a = " + b"[" * 100_000 + b"\n",
        "ext has a key and a JSON value",
    ),
    "a deep bracket": (
        b"hand 1; dealer Ann\nBo 7 " + b"(" * 100_000 + b"\n",
        "is never closed by )",
    ),
    "a long name": (b"hand 1; dealer " + b"x" * 200_000 + b"\n", "is no player here"),
}


@pytest.mark.parametrize("case", BYTES)
def test_hostile_bytes_cost_their_hand_alone_and_little_time(case: str, tmp_path: Path) -> None:
    text, said = BYTES[case]
    start = time.process_time()
    lines = read(tmp_path, HEAD.encode() + text + b"\nhand 7; dealer Bo; Cy 8, p, p, p\n")
    assert time.process_time() - start < 10
    broken, good = lines
    assert broken.reject
    assert said in broken.reject.message
    assert len(broken.text) <= log_line.MAX_LINE
    assert good.hand
    assert good.hand.hand == 7


def test_thousands_of_hands_are_read_in_one_go(tmp_path: Path) -> None:
    text = HEAD + "match m\n" + "".join(f"hand {n}; Bo 7, made\n" for n in range(1, 1001))
    lines = read(tmp_path, text)
    assert len(lines) == 1000
    assert all(line.hand for line in lines)


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


@pytest.mark.parametrize("text", [PAGE.read_text("utf-8"), texts.part()], ids=["page", "games"])
def test_every_example_of_the_documentation_is_read(text: str, tmp_path: Path) -> None:
    examples = blocks(text)
    assert examples
    for example in examples:
        lines = read(tmp_path, example)
        assert lines
        assert all(line.hand for line in lines), [line.reject for line in lines]


def test_the_revoke_of_the_documentation_is_found_once_the_card_is_known(tmp_path: Path) -> None:
    told = [example for example in blocks(PAGE.read_text("utf-8")) if "trick 3: Bo 8s" in example]
    found = []
    for example in told:
        (tmp_path / "example.trick").write_text(example)
        (item,) = ingest.audit(tmp_path / "example.trick")
        found.append([each.code for each in item.findings])
    assert found == [[], ["revoke"]]
    assert "then Dee has 7s" in told[1]


def test_whole_hands_of_the_documentation_are_valid(tmp_path: Path) -> None:
    examples = blocks(texts.part())
    assert len(examples) == len(variants())
    for example in examples:
        (tmp_path / "example.trick").write_text(example)
        (item,) = ingest.audit(tmp_path / "example.trick")
        assert item.replay
        assert item.replay.verdict is Verdict.VALID
        assert not item.findings


def test_the_samples_are_what_is_written_and_audit_as_valid() -> None:
    written = texts.texts()
    for path, text in written.items():
        assert path.read_text("utf-8") == text, "run: ./dev regenerate texts"
    for path in written:
        (item,) = ingest.audit(path)
        assert item.replay
        assert item.replay.verdict is Verdict.VALID


def test_the_mistakes_of_the_page_are_told_so() -> None:
    page = PAGE.read_text("utf-8")
    table = page.partition("## When something is wrong")[2].partition("##")[0]
    from tests.text_form.test_problems import SETTINGS, WRITTEN

    told = {said for found in WRITTEN.values() for said in found} | set(SETTINGS.values())
    said = re.findall(r"^\| `[^|]*\| (.*) \|$", table, re.MULTILINE)
    assert len(said) > 5
    for each in said:
        assert any(message.endswith(each) for message in told), each
