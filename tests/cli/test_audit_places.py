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

from tests.cli.command_line import CommandLine, revoked
from tests.kit.foreign_records import RECORDS
from tricklog import ingest
from tricklog.ingest.loading.auditing import audit
from tricklog.ingest.reading.log_line import LogLine
from tricklog.ingest.text_form.cards import one_card
from tricklog.ingest.text_form.writer import write_text
from tricklog.schemas.hand import Hand, encode_hand

SAMPLES = Path(__file__).parents[2] / "sample_logs"
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
    windows = "\ufeff" + text.replace("\n", "\r\n")
    raw = text.encode()
    return {
        "": raw,
        ".gz": gzip.compress(raw),
        ".zst": zstandard.compress(raw),
        " windows": windows.encode(),
    }


def said_at(text: bytes, line: int, column: int, end_column: int) -> str:
    """What stands at columns of a line, which count characters."""
    lines = text.decode("utf-8-sig").splitlines()
    return lines[line - 1][column - 1 : end_column - 1]


# --- Every act of every hand


def check_acts(line: LogLine, file: bytes) -> None:
    """Every act of a hand is found where it is written."""
    assert line.hand
    for index, act in enumerate(line.hand.actions):
        span = line.span_of(f"/actions/{index}")
        said = said_at(file, span.line, span.column, span.end_column)
        assert file[span.byte : span.byte + span.length].decode() == said
        _, verb, *rest = act.split(" ")
        if verb == "play":
            # Of a card over another one, both stand there.
            assert rest[0] in {one_card(said.split("/")[0]), "?", "*"}, (act, said)
        elif verb == "bid":
            assert said == rest[0], (act, said)
        else:
            assert said, act


@pytest.mark.parametrize("variant", ["pedro", "snoozer", "twenty-nine"])
@pytest.mark.parametrize("ends", ["", " windows"])
def test_every_act_of_a_text_has_its_place(tmp_path: Path, variant: str, ends: str) -> None:
    log = min((SAMPLES / "valid" / variant).glob("*.jsonl"))
    hands = [line.hand for line in ingest.read(log) if line.hand][:4]
    path = tmp_path / "log.trick"
    path.write_bytes(written(write_text(hands))[ends])
    read = [line for line in ingest.read(path) if line.hand]
    assert len(read) == len(hands)
    for line in read:
        check_acts(line, path.read_bytes())


@pytest.mark.parametrize("ends", ["", " windows"])
def test_every_act_of_json_over_many_lines_has_its_place(tmp_path: Path, ends: str) -> None:
    hands = [hand for _, hand in zip(range(3), generated_hands(), strict=False)]
    path = tmp_path / "log.json"
    path.write_bytes(written(pretty(*hands))[ends])
    file = path.read_bytes()
    for line in ingest.read(path):
        assert line.hand
        for index, act in enumerate(line.hand.actions):
            span = line.span_of(f"/actions/{index}")
            assert said_at(file, span.line, span.column, span.end_column) == f'"{act}"'
            assert file[span.byte : span.byte + span.length].decode() == f'"{act}"'
        whole = line.span_of("")
        assert file[whole.byte : whole.byte + whole.length].startswith(b"{")
        assert said_at(file, whole.line, whole.column, whole.column + 1) == "{"
        assert whole.end_line > whole.line


def generated_hands() -> list[Hand]:
    return [line.hand for line in ingest.read(SAMPLES / "valid" / "cinch") if line.hand]


# --- What audits say


@pytest.mark.parametrize("form", ["", ".gz", ".zst", " windows", "-"])
def test_findings_of_a_text_lead_to_what_was_written(
    tricklog: CommandLine, tmp_path: Path, form: str
) -> None:
    name = f"night{form.strip()}.trick" if " " in form else f"night.trick{form}"
    path: str | Path = tmp_path / name
    stdin = b""
    if form == "-":
        path, stdin = "-", DISPUTE.encode()
    else:
        Path(path).write_bytes(written(DISPUTE)[form])
    ran = tricklog("audit", path, "--format", "line", stdin=stdin)
    found = re.findall(r":(\d+):(\d+): error: ([a-z-]+):", ran.text)
    assert {code: (int(line), int(column)) for line, column, code in found} == {
        code: place[:2] for code, place in PLACES.items()
    }
    told = tricklog("audit", path, "--json", stdin=stdin).objects
    assert {
        (each["code"], each["line"], each["column"]) for hand in told for each in hand["findings"]
    } == {(code, line, column) for code, (line, column, _) in PLACES.items()}


def results_of(ran: str) -> list[dict[str, Any]]:
    return list(json.loads(ran)["runs"][0]["results"])


def test_sarif_and_annotations_have_the_word_itself(tricklog: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "night.trick"
    path.write_text(DISPUTE, encoding="utf-8")
    for result in results_of(tricklog("audit", path, "--format", "sarif").text):
        line, column, said = PLACES[result["ruleId"]]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert (region["startLine"], region["startColumn"]) == (line, column)
        start = region["byteOffset"]
        assert path.read_bytes()[start : start + region["byteLength"]].decode() == said
    annotations = tricklog("audit", path, "--format", "github").text
    for line, column, said in PLACES.values():
        assert f"line={line},col={column},endColumn={column + len(said)}," in annotations


def test_people_and_test_results_are_told_line_and_column(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "night.trick"
    path.write_text(DISPUTE, encoding="utf-8")
    text = tricklog("audit", path).text
    junit = tricklog("audit", path, "--format", "junit").text
    failures = "\n".join(
        str(each.text)
        for each in ET.fromstring(junit).iter("failure")  # noqa: S314 - our own
    )
    for code, (line, column, _) in PLACES.items():
        assert f"night.trick:{line}:{column}: {code}\n" in text
        assert f"{code}, line {line}, column {column}: " in failures


def test_json_over_many_lines_is_annotated_where_the_act_is(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    hand, index = revoked()
    path = tmp_path / "night.json"
    path.write_text(pretty(generated_hands()[0], hand), encoding="utf-8")
    ran = tricklog("audit", path, "--format", "line")
    found = re.fullmatch(r"night\.json:(\d+):(\d+): error: revoke: .*\n", ran.text)
    assert found
    act = f'"{hand.actions[index]}"'
    line, column = int(found[1]), int(found[2])
    assert said_at(path.read_bytes(), line, column, column + len(act)) == act
    assert f"night.json:{line}:{column}: revoke\n" in tricklog("audit", path).text


def test_trouble_in_json_over_many_lines_is_where_it_is(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "night.json"
    broken = (
        pretty(*generated_hands()[:2]).replace('"pass"', '"pass"').replace('"0 bid ', '"0 bud ', 1)
    )
    broken = re.sub(r'"(\d) pass"', r'"\1 pess"', pretty(*generated_hands()[:2]), count=1)
    path.write_text(broken, encoding="utf-8")
    ran = tricklog("audit", path, "--format", "line")
    line, column = map(int, re.findall(r"night\.json:(\d+):(\d+): error: ", ran.text)[0])
    assert re.match(r'"\d pess', said_at(path.read_bytes(), line, column, column + 8))
    (told,) = [
        each["reject"] for each in tricklog("audit", path, "--json").objects if each["reject"]
    ]
    assert told["column"] == column


def test_what_goes_over_many_lines_is_annotated_by_lines_alone(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    hand, _ = revoked()
    short = msgspec.structs.replace(hand, id="short", actions=hand.actions[:6])
    path = tmp_path / "night.json"
    path.write_text(pretty(short), encoding="utf-8")
    (annotation,) = tricklog("audit", path, "--format", "github").text.splitlines()
    last = path.read_text(encoding="utf-8").count("\n")
    assert f"file=night.json,line=1,endLine={last}," in annotation
    (result,) = results_of(tricklog("audit", path, "--format", "sarif").text)
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["endLine"]) == (1, last)
    assert region["startColumn"] == len("[ ") + 1


def test_a_record_of_another_program_is_named_as_a_whole(tmp_path: Path) -> None:
    log = tmp_path / "rlcard.jsonl"
    record = json.dumps(RECORDS["rlcard-29"]).encode()
    log.write_bytes(b"\n" + record + b"\n")
    lines = [each.line for each in audit(log, adapter="rlcard-29") if each.line.hand]
    assert lines
    for line in lines:
        assert line.span_of("/actions/3") == (1, 0, 2, 1, 2, 1)


def test_findings_about_players_and_rules_lead_to_their_lines(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    """0.players, 0.record: a player at two seats; other players and rules within one game."""
    path = tmp_path / "night.trick"
    path.write_text(
        "game pedro\nplayers Ann, ann, Cy Lee, Dee # late\nmatch m\n\nhand 1\ndealer Dee\n"
        "game pidro\nplayers Bo, Cy, Eve & Co, Dee\nhand 2\ndealer Bo\n",
        encoding="utf-8",
    )
    ran = tricklog("audit", path, "--format", "line")
    found = dict(re.findall(r":(\d+:\d+): error: ([a-z-]+):", ran.text)[::-1])
    places = {code: place for place, code in found.items()}
    assert places["player-twice"] == "2:14"
    assert places["players-changed"] == "8:9"
    assert places["rules-changed"] == "7:6"
    sarif = json.loads(tricklog("audit", path, "--format", "sarif").text)
    regions = {
        each["ruleId"]: each["locations"][0]["physicalLocation"]["region"]
        for each in sarif["runs"][0]["results"]
    }
    assert regions["player-twice"]["endColumn"] == 17
