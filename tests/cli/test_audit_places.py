"""Where audits say that something is: in the file as it was written, whatever form it has."""

import gzip
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
import zstandard

from tests.cli.command_line import CommandLine, revoked, write_log
from tests.kit.foreign_records import RECORDS
from tricklog import ingest
from tricklog.ingest.loading.auditing import audit
from tricklog.ingest.reading.log_line import LogLine
from tricklog.ingest.text_form.cards import one_card
from tricklog.ingest.text_form.writer import write_text
from tricklog.schemas.hand import Hand, encode_hand

VALID = Path(__file__).parents[2] / "sample_logs" / "valid"
DISPUTE = """\
game Pedro
players Ann & Cy vs Bo & Dee
date 2026-11-20

hand 1; dealer Ann
Bo p, Cy 8, p, p    # nobody else
Cy trump hearts
then Dee has 7s
trick 3: Bo 8s 4s (é) Kd 9s > Ann
hand 2; dealer Dee; Ann 8, made; points 7 7; after 9 5
"""
PLACES = {"revoke": (9, 23, "Kd"), "claimed-result": (10, 28, "made"),
          "wrong-dealer": (10, 9, "dealer Dee")}  # fmt: skip
"""Line, column and text of each finding about these hands."""


def pretty(*hands: Hand) -> str:
    """Hands as a list of JSON over many lines, the first after something else on its line."""
    told = ",\n".join(msgspec.json.format(encode_hand(hand), indent=2).decode() for hand in hands)
    return f"[ {told} ]\n"


def written(text: str) -> dict[str, bytes]:
    """A text as files have it: by what is added to the name."""
    raw = text.encode()
    windows = "\ufeff" + text.replace("\n", "\r\n")
    zipped = {".gz": gzip.compress(raw), ".zst": zstandard.compress(raw)}
    return {"": raw, " windows": windows.encode(), **zipped}


def said_at(text: bytes, line: int, column: int, end_column: int) -> str:
    """What stands at columns of a line, which count characters."""
    lines = text.decode("utf-8-sig").splitlines()
    return lines[line - 1][column - 1 : end_column - 1]


def hands_of(variant: str) -> list[Hand]:
    log = min((VALID / variant).glob("*.jsonl"))
    return [line.hand for line in ingest.read(log) if line.hand]


# --- Every act of every hand
def said_of(line: LogLine, pointer: str, file: bytes) -> str:
    """What stands where a part of a hand is said to be, by columns and by bytes."""
    span = line.span_of(pointer)
    said = said_at(file, span.line, span.column, span.end_column)
    assert file[span.byte : span.byte + span.length].decode() == said
    return said


@pytest.mark.parametrize("variant", ["pedro", "snoozer", "twenty-nine"])
@pytest.mark.parametrize("ends", ["", " windows"])
def test_every_act_of_a_text_has_its_place(tmp_path: Path, variant: str, ends: str) -> None:
    hands = hands_of(variant)[:4]
    path = tmp_path / "log.trick"
    path.write_bytes(written(write_text(hands))[ends])
    read = [line for line in ingest.read(path) if line.hand]
    assert len(read) == len(hands)
    for line in read:
        assert line.hand
        for index, act in enumerate(line.hand.actions):
            said = said_of(line, f"/actions/{index}", path.read_bytes())
            _, verb, *rest = act.split(" ")
            if verb == "play":
                # Of a card over another one, both stand there.
                assert rest[0] in {one_card(said.split("/")[0]), "?", "*"}, (act, said)
            else:
                assert said == rest[0] if verb == "bid" else said, (act, said)


@pytest.mark.parametrize("ends", ["", " windows"])
def test_every_act_of_json_over_many_lines_has_its_place(tmp_path: Path, ends: str) -> None:
    path = tmp_path / "log.json"
    path.write_bytes(written(pretty(*hands_of("cinch")[:3]))[ends])
    file = path.read_bytes()
    for line in ingest.read(path):
        assert line.hand
        for index, act in enumerate(line.hand.actions):
            assert said_of(line, f"/actions/{index}", file) == f'"{act}"'
        whole = line.span_of("")
        assert file[whole.byte : whole.byte + whole.length].startswith(b"{")
        assert said_at(file, whole.line, whole.column, whole.column + 1) == "{"
        assert whole.end_line > whole.line


def test_a_record_of_another_program_is_named_as_a_whole(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", b"", json.dumps(RECORDS["rlcard-29"]).encode())
    lines = [each.line for each in audit(log, adapter="rlcard-29") if each.line.hand]
    assert lines
    for line in lines:
        assert line.span_of("/actions/3") == (1, 0, 2, 1, 2, 1)


# --- What audits say
def regions_of(tricklog: CommandLine, path: Path) -> list[tuple[str, dict[str, Any]]]:
    """The code and the region of each finding in SARIF."""
    (document,) = tricklog("audit --format sarif", path).objects
    return [
        (each["ruleId"], each["locations"][0]["physicalLocation"]["region"])
        for each in document["runs"][0]["results"]
    ]


@pytest.mark.parametrize("form", ["", ".gz", ".zst", " windows", "-"])
def test_findings_of_a_text_lead_to_what_was_written(tricklog: CommandLine, form: str) -> None:
    path = f"night{form.strip()}.trick" if " " in form else f"night.trick{form}"
    stdin = b""
    if form == "-":
        path, stdin = "-", DISPUTE.encode()
    else:
        Path(path).write_bytes(written(DISPUTE)[form])
    text = tricklog("audit --format line", path, stdin=stdin).text
    found = re.findall(r":(\d+):(\d+): error: ([a-z-]+):", text)
    places = {(code, line, column) for code, (line, column, _) in PLACES.items()}
    assert {(code, int(line), int(column)) for line, column, code in found} == places
    told = tricklog("audit --json", path, stdin=stdin).objects
    assert {
        (each["code"], each["line"], each["column"]) for hand in told for each in hand["findings"]
    } == places


def test_all_forms_have_line_column_and_the_word_itself(tricklog: CommandLine) -> None:
    path = Path("night.trick")
    path.write_text(DISPUTE, encoding="utf-8")
    regions = regions_of(tricklog, path)
    annotations, text, junit = (
        tricklog("audit --format", form, path).text for form in ("github", "text", "junit")
    )
    failed = ET.fromstring(junit).iter("failure")  # noqa: S314 - our own
    failures = "\n".join(str(each.text) for each in failed)
    assert sorted(code for code, _ in regions) == sorted(PLACES)
    for code, region in regions:
        line, column, said = PLACES[code]
        assert (region["startLine"], region["startColumn"]) == (line, column)
        start = region["byteOffset"]
        assert path.read_bytes()[start : start + region["byteLength"]].decode() == said
        assert f"line={line},col={column},endColumn={column + len(said)}," in annotations
        assert f"night.trick:{line}:{column}: {code}\n" in text
        assert f"{code}, line {line}, column {column}: " in failures


def test_json_over_many_lines_is_annotated_where_the_act_is(tricklog: CommandLine) -> None:
    hand, index = revoked()
    path = Path("night.json")
    path.write_text(pretty(hands_of("cinch")[0], hand), encoding="utf-8")
    found = re.fullmatch(
        r"night\.json:(\d+):(\d+): error: revoke: .*\n", tricklog("audit --format line", path).text
    )
    assert found
    act = f'"{hand.actions[index]}"'
    line, column = int(found[1]), int(found[2])
    assert said_at(path.read_bytes(), line, column, column + len(act)) == act
    assert f"night.json:{line}:{column}: revoke\n" in tricklog("audit", path).text


def test_trouble_in_json_over_many_lines_is_where_it_is(tricklog: CommandLine) -> None:
    path = Path("night.json")
    broken = re.sub(r'"(\d) pass"', r'"\1 pess"', pretty(*hands_of("cinch")[:2]), count=1)
    path.write_text(broken, encoding="utf-8")
    text = tricklog("audit --format line", path).text
    line, column = map(int, re.findall(r"night\.json:(\d+):(\d+): error: ", text)[0])
    assert re.match(r'"\d pess', said_at(path.read_bytes(), line, column, column + 8))
    told = tricklog("audit --json", path).objects
    (reject,) = [each["reject"] for each in told if each["reject"]]
    assert reject["column"] == column


def test_what_goes_over_many_lines_is_annotated_by_lines_alone(tricklog: CommandLine) -> None:
    hand, _ = revoked()
    path = Path("night.json")
    short = msgspec.structs.replace(hand, id="short", actions=hand.actions[:6])
    path.write_text(pretty(short), encoding="utf-8")
    (annotation,) = tricklog("audit --format github", path).text.splitlines()
    last = path.read_text(encoding="utf-8").count("\n")
    assert f"file=night.json,line=1,endLine={last}," in annotation
    ((_, region),) = regions_of(tricklog, path)
    assert (region["startLine"], region["endLine"]) == (1, last)
    assert region["startColumn"] == len("[ ") + 1


def test_findings_about_players_and_rules_lead_to_their_lines(tricklog: CommandLine) -> None:
    """0.players, 0.record: a player at two seats; other players and rules within one game."""
    path = Path("night.trick")
    path.write_text(
        "game pedro\nplayers Ann, ann, Cy Lee, Dee # late\nmatch m\n\nhand 1\ndealer Dee\n"
        "game pidro\nplayers Bo, Cy, Eve & Co, Dee\nhand 2\ndealer Bo\n",
        encoding="utf-8",
    )
    text = tricklog("audit --format line", path).text
    found = re.findall(r":(\d+:\d+): error: ([a-z-]+):", text)
    places = {code: place for place, code in found[::-1]}
    assert places["player-twice"] == "2:14"
    assert places["players-changed"] == "8:9"
    assert places["rules-changed"] == "7:6"
    assert dict(regions_of(tricklog, path))["player-twice"]["endColumn"] == 17
