"""The hand log: it comes back as it went in, and its page tells the truth.

Reading it: every line becomes a hand, a blank or a reject with its place, code and pointer.
"""

import hashlib
import json
import os
import random
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType, ValidationError, structs
from msgspec.structs import asdict, replace

from tests.cli.command_line import run_python
from tests.kit.any_hand import HANDS, HANDS_WITH_GAPS, action_texts, json_of
from tests.kit.log_lines import SOUND, SOUND_LINE, line, reject_of, write_lines
from tests.kit.tiers import scaled
from tests.regenerate import texts
from tricklog import Hand, LineKind, decode_hand, encode_hand, ingest
from tricklog.core import Verdict, variants
from tricklog.core import replay as replayed
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import KEPT_OF_LONG_LINE, MAX_LINE, parse_line, read_blocks
from tricklog.ingest.reading.rejects import HINTS, RejectCode, Trouble, pointer_to
from tricklog.ingest.reading.sources import find_sources
from tricklog.schemas import hand as log
from tricklog.schemas.actions import (
    BID_28_56,
    BID_DOUBLE,
    TRUMP_CODES,
    VERB_NAMES,
    ActionError,
    Verb,
    action_cards,
    format_action,
    parse_action,
)
from tricklog.schemas.cards import CARD_NAMES, mask_of, parse_card, parse_cards
from tricklog.schemas.citations import citations
from tricklog.schemas.first_version import Record
from tricklog.schemas.times import parse_time

PAGE = Path(__file__).parents[2] / "docs" / "hand-log.md"

FEW = settings(max_examples=scaled(15))
"""Hands of any kind take long to make up."""


# --- Reading and writing
@FEW
@given(HANDS | HANDS_WITH_GAPS)
def test_a_hand_comes_back_as_it_went_in(hand: log.Hand) -> None:
    text = log.encode_hand(hand)
    assert log.decode_hand(text) == hand
    assert log.encode_hand(log.decode_hand(text)) == text
    written = {name for name, value in asdict(hand).items() if not isinstance(value, UnsetType)}
    assert list(json.loads(text)) == [n for n in log.Hand.__struct_fields__ if n in written]


@FEW
@given(HANDS, HANDS_WITH_GAPS)
def test_the_version_says_whether_something_was_left_out(hand: log.Hand, gappy: log.Hand) -> None:
    assert log.encode_hand(hand).startswith(b'{"format":"tricklog/1",')
    assert log.encode_hand(gappy).startswith(b'{"format":"tricklog/2",')
    named = log.encode_hand(hand).replace(log.FORMAT.encode(), log.FORMAT_WITH_GAPS.encode(), 1)
    assert log.decode_hand(named) == hand
    assert log.encode_hand(replace(hand, format=log.FORMAT_WITH_GAPS)) == log.encode_hand(hand)
    with pytest.raises(ValidationError):
        log.decode_hand(log.encode_hand(gappy).replace(b"tricklog/2", b"tricklog/1", 1))
    assert log.play_hash(gappy) == log.content_hash(gappy)


def test_hands_with_gaps_on_the_page_are_of_version_2_and_the_disputed_trick_a_revoke() -> None:
    text = PAGE.read_text("utf-8").partition("## Records with gaps")[2]
    blocks = re.findall(r"^```json\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    hands = [log.decode_hand(block) for block in blocks]
    assert [hand.format for hand in hands] == [log.FORMAT_WITH_GAPS] * 2
    assert [parse_line(log.encode_hand(hand)) for hand in hands] == hands
    (*_, disputed) = hands
    (finding,) = replayed(disputed).findings
    assert (finding.code, finding.rule, finding.legal) == ("revoke", "1.follow", "7S")
    unknown = [replace(gap, then=UNSET) for gap in disputed.gaps or ()]
    assert not replayed(replace(disputed, gaps=unknown)).findings


def shuffled(value: Any, chance: random.Random) -> Any:  # noqa: ANN401 - it may be anything
    """The same value with the keys of its objects in another order."""
    if isinstance(value, dict):
        keys = chance.sample(list(value), len(value))
        return {key: shuffled(value[key], chance) for key in keys}
    return [shuffled(item, chance) for item in value] if isinstance(value, list) else value


@FEW
@given(HANDS, st.randoms(use_true_random=False), st.integers(0, 3) | st.none())
def test_order_of_keys_spacing_and_escapes_do_not_matter(
    hand: log.Hand, chance: random.Random, indent: int | None
) -> None:
    written = log.encode_hand(hand)
    other = shuffled(json.loads(written), chance)
    for ascii_only in (True, False):
        text = json.dumps(other, ensure_ascii=ascii_only, indent=indent, allow_nan=False)
        assert log.encode_hand(log.decode_hand(text)) == written


def test_an_explicit_default_is_not_the_same_record_as_an_absent_one() -> None:
    bare = examples()[0]
    for said in (replace(bare, status=UNSET), replace(bare, kitty=UNSET)):
        assert log.encode_hand(said) != log.encode_hand(bare)
        assert log.content_hash(said) != log.content_hash(bare)


# --- Hashes
IN_PLAY_HASH = ("rules", "dealer", "deal", "stock", "kitty", "actions")


@FEW
@given(HANDS, HANDS)
def test_one_hash_covers_all_but_ext_and_the_other_what_was_played(
    hand: log.Hand, other: log.Hand
) -> None:
    for name in log.Hand.__struct_fields__:
        changed = replace(hand, **{name: getattr(other, name)})
        # They are written alike: == also holds between 1 and true.
        same = log.encode_hand(changed) == log.encode_hand(hand)
        assert [each(changed) == each(hand) for each in (log.content_hash, log.play_hash)] == [
            same or name == "ext",
            same or name not in IN_PLAY_HASH,
        ], name


# --- Actions
@FEW
@given(action_texts())
def test_an_action_is_written_as_it_was_read(text: str) -> None:
    action = parse_action(text)
    verb = Verb(action.verb)
    assert format_action(action.seat, verb, action.amount, action_cards(text)) == text
    assert action.size == len(action_cards(text))
    assert action.cards == mask_of(action_cards(text))


@pytest.mark.parametrize(
    "text",
    [
        "", "0", "0 ", " 0 pass", "0  pass", "0 pass ", "7 pass", "00 pass", "0 PASS", "0 passes",
        "0\tpass", "\u0660 pass", "0 bid", "0 bid 0", "0 bid 07", "0 bid 1000", "0 bid -7",
        "0 bid 7 8", "0 bid \uff17", "0 bid 28-57", "0 trump", "0 trump h", "0 trump H S",
        "0 trump JO", "0 bid 7.5",
        "0 reveal *", "0 reveal seventh", "0 play", "0 play AH 2H", "0 play 10H", "0 play ah",
        "0 play H", "0 discard", "0 discard AH AH", "0 discard JO JO", "0 claim", "0 claim AH AH",
        "0 claim AH 2H 3H", "0 pass 7", "0 out AH", "0 throw_in", "pass", "0 pass\n",
    ],
)  # fmt: skip
def test_what_is_no_action_is_refused_with_the_text(text: str) -> None:
    with pytest.raises(ActionError) as caught:
        parse_action(text)
    assert repr(text.rsplit(" ", maxsplit=1)[-1])[1:-1] in str(caught.value)


# --- The pages
def examples() -> list[log.Hand]:
    return [log.decode_hand(each.log) for each in texts.examples()]


def rows_under(heading: str) -> list[list[str]]:
    """The rows of the first table after ``heading``, cell by cell."""
    text = PAGE.read_text("utf-8")
    after = text[text.index(heading) :]
    table = re.search(r"(?:^\|.*\n)+", after, re.MULTILINE)
    assert table
    rows = [row.strip("| ").split(" | ") for row in table[0].splitlines()]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_there_is_one_example_of_every_game_all_valid_with_rules_and_notes_on_all_actions() -> None:
    hands = examples()
    for hand in hands:
        result = replayed(hand)
        assert (result.verdict, result.findings) == (Verdict.VALID, ()), hand.id
        assert result.ruleset.version == hand.rules.version
    seen_by_one = [hand for hand in hands if "-seen-by-" in hand.id]
    played = [hand.rules.variant for hand in hands if hand not in seen_by_one]
    assert sorted(played) == sorted(variants())
    assert len(seen_by_one) == 1
    pages = {entry.file for entry in citations().values()}
    for each in texts.examples():
        assert each.rules in pages, each.title
        ends = [re.fullmatch(r"(\d+)(?: to (\d+)|, (\d+))?", at) for at in each.acts]
        noted = [end and range(int(end[1]), int(end[2] or end[3] or end[1]) + 1) for end in ends]
        steps = [index for found in noted if found for index in found]
        by_one = "-seen-by-" in each.log
        assert by_one or steps == [*range(len(log.decode_hand(each.log).actions))], each.title
        assert f"<summary>{each.title}</summary>" in texts.hands_part()


@pytest.mark.parametrize(
    ("variant", "left_out"),
    [
        ("ukrainian", ["3 fold"]),
        ("ukrainian", ["3 fold", "0 fold"]),
        ("pidro", ["1 out", "2 out"]),
        ("lucknow", ["1 show AS QS 9S TH KD QD TD 7D"]),
        ("bangladesh", ["0 pass", "2 pass"]),
    ],
)
def test_what_the_page_leaves_out_changes_nothing(variant: str, left_out: list[str]) -> None:
    whole = next(hand for hand in examples() if hand.rules.variant == variant)
    start = next(index for index, action in enumerate(whole.actions) if " trump " in action)
    kept = [text for text in whole.actions[start:] if text not in left_out]
    assert len(kept) == len(whole.actions) - start - len(left_out)
    bare = replayed(replace(whole, actions=whole.actions[:start] + kept))
    assert (bare.verdict, bare.outcome) == (Verdict.VALID, replayed(whole).outcome)


def test_the_page_names_every_field_in_order_and_the_whole_vocabulary(repository: Path) -> None:
    rows = rows_under("## The fields")
    assert [row[0].strip("`") for row in rows] == list(Record.__struct_fields__)
    required = [row[0].strip("`") for row in rows if row[1] == "required"]
    assert required == [field.name for field in structs.fields(Record) if field.required]
    text = PAGE.read_text("utf-8")
    for part in (log.Hand, log.Player, log.RulesRef, log.Claimed, log.Known, log.Gap, log.Then):
        assert [name for name in part.__struct_fields__ if f"`{name}`" not in text] == [], part
    actions = [row[0].strip("`") for row in rows_under("The vocabulary is the same")]
    parsed = [parse_action(text) for text in actions]
    assert {Verb(action.verb) for action in parsed} == set(VERB_NAMES)
    assert {action.amount for action in parsed} >= {BID_28_56, BID_DOUBLE + 83}
    trumps = " ".join(row[0] for row in rows_under("What `trump` and `reveal` take"))
    assert set(re.findall(r"`(.*?)`", trumps)) == set(TRUMP_CODES)
    assert {row[0].strip("`") for row in rows_under("## Status")} == set(get_args(log.Status))
    links = re.findall(r"\]\(rules/([\w.-]+)#([\w-]+)\)", text)
    index = json.loads((repository / "docs/rules/index.json").read_text("utf-8"))
    assert links
    assert set(links) <= {(entry["file"], entry["anchor"]) for entry in index.values()}


def test_the_hashes_on_the_page_are_made_as_it_says() -> None:
    hand, text = examples()[0], PAGE.read_text("utf-8")
    fields = json.loads(log.encode_hand(hand))
    for name, own, hashed in (
        ("content", log.content_hash, {key: fields[key] for key in fields if key != "ext"}),
        ("play", log.play_hash, [fields[key] for key in IN_PLAY_HASH]),
    ):
        written = json.dumps(hashed, separators=(",", ":")).encode()
        digest = hashlib.sha256(written).hexdigest()[:32]
        assert own(hand) == digest
        assert f"{name} hash `{digest}`" in text


def test_cards_are_read_as_they_are_written_and_times_of_the_standard() -> None:
    for text in ("2026-11-20t19:03:00.25z", "2026-11-20T19:03:00-11:30"):
        assert parse_time(text).utcoffset() is not None, text
    assert [parse_card(name) for name in CARD_NAMES] == list(range(53))
    assert parse_cards("") == []
    assert parse_cards("? * JO") == [-1, -2, 52]
    for text in ("10H", "ah", "HA", "H", "", "J0", "A H", "1S"):
        with pytest.raises(ValueError, match="is not a card"):
            parse_card(text)


def trouble_in(text: bytes) -> Trouble:
    found = parse_line(text)
    assert isinstance(found, Trouble), "the line was read as a hand"
    return found


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
    items = list(ingest.read(write_lines(tmp_path / "log.jsonl", lines)))
    blank, hand = LineKind.BLANK, LineKind.HAND
    assert [(item.kind, item.line, item.byte) for item in items] == [
        (kind, number + 1, sum(len(text) + 1 for text in lines[:number]))
        for number, kind in enumerate([hand, blank, blank, LineKind.QUARANTINED, hand])
    ]
    assert (reject_of(items[3]).byte, reject_of(items[3]).text) == (items[3].byte, b"oops")
    # An empty file has none, nor blocks.
    (source,) = find_sources([write_lines(tmp_path / "empty.jsonl", [])])
    assert list(read_blocks(source, ByteCounter(), 1 << 10)) == []


def test_a_byte_order_mark_is_stripped_from_the_first_line_only(tmp_path: Path) -> None:
    marked = b"\xef\xbb\xbf" + SOUND_LINE
    items = list(ingest.read(write_lines(tmp_path / "log.jsonl", [marked] * 2)))
    assert [(item.kind, item.byte) for item in items] == [
        (LineKind.HAND, 3),
        (LineKind.QUARANTINED, 3 + len(SOUND_LINE) + 1),
    ]


def test_a_line_at_the_cap_is_read_and_one_above_it_is_not(tmp_path: Path) -> None:
    longest = line(ext={"x": "a" * (MAX_LINE - len(line(ext={"x": ""})))})
    log = write_lines(tmp_path / "log.jsonl", [longest, longest + b" ", SOUND_LINE])
    first, second, third = ingest.read(log)
    assert (first.kind, third.kind) == (LineKind.HAND, LineKind.HAND)
    assert reject_of(second).code is RejectCode.LINE_TOO_LONG
    assert len(reject_of(second).text) == KEPT_OF_LONG_LINE
    assert (third.line, third.byte) == (3, 2 * MAX_LINE + 3)


# --- Places


def test_a_path_that_does_not_exist_and_a_folder_without_logs_are_rejects(tmp_path: Path) -> None:
    (item,) = ingest.read(tmp_path)
    assert reject_of(item).code is RejectCode.NO_LOGS
    (item,) = ingest.read(tmp_path / "nowhere.jsonl")
    reject = reject_of(item)
    assert (reject.code, reject.line, reject.byte) == (RejectCode.UNREADABLE_FILE, 1, 0)
    assert "nowhere.jsonl" in reject.message


def test_a_folder_gives_its_logs_in_order_and_nothing_else(tmp_path: Path) -> None:
    for name in (
        *("b/2.ndjson", "b/10.jsonl", "a.jsonl.zst", "c.JSONL.gz", "d.jsonl.bz2"),
        *(".hidden/x.jsonl", "b/.x.jsonl", "notes.txt", "package.json"),
    ):
        write_lines(tmp_path / name, [])
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
    assert reject_of(item).excerpt.isprintable()
    assert reject_of(item).excerpt.startswith("\\x1b[31m\\xff")


def test_only_what_is_used_is_imported() -> None:
    needless = {"duckdb", "polars", "pyarrow", "zstandard"}
    uses = (
        ("import tricklog.ingest", {*needless, "tricklog.core", "msgspec"}),
        ("tricklog.ingest.read", {*needless, "tricklog.core"}),
        ("tricklog.ingest.audit", needless),
    )
    code = "import sys; " + "; ".join(f"{use}; print(*sys.modules)" for use, _ in uses)
    told = run_python("-c", code).stdout.splitlines()
    for (use, unwanted), modules in zip(uses, told, strict=True):
        assert unwanted & set(modules.split()) == set(), use
