"""`tricklog audit --format`: what other programs read of an audit, and where it says things are."""

import gzip
import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import jsonschema_rs
import msgspec
import pytest
import zstandard
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.cli.command_line import NOT_JSON, CommandLine, revoked, write_log
from tests.conftest import REPOSITORY
from tests.kit import tiers
from tests.kit.dashboard_logs import TEXTS
from tests.kit.foreign_records import RECORDS
from tests.kit.score_sheets import Rows, as_xlsx
from tricklog import ingest
from tricklog.ingest.cli.audit_forms import REPORT_FORMATS, ReportFormat, report_as
from tricklog.ingest.cli.progress import ProgressLine
from tricklog.ingest.cli.unread_lines import UnreadLines
from tricklog.ingest.loading.auditing import AuditedLine, audit
from tricklog.ingest.reading.json_positions import place_at
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.reading.rejects import RejectCode, Trouble
from tricklog.ingest.text_form.cards import one_card
from tricklog.ingest.text_form.writer import write_text
from tricklog.schemas.citations import citations
from tricklog.schemas.hand import Hand, Player, encode_hand

COMMAND = re.compile(r"::(error|warning) ((?:[a-zA-Z]+=[^,:]*,?)*)::(.*)")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    hand, _ = revoked()
    hands = []
    for index, text in enumerate(TEXTS):
        players = [Player(f"{text}{seat}"[-150:], text) for seat in range(len(hand.players))]
        hands.append(replace(hand, id=f"{index} {text}"[:150], game=f"g{index}", players=players))
    path = tmp_path_factory.mktemp("hostile") / "a,b:c%25 «é».jsonl"
    return write_log(path, *hands, NOT_JSON, b'{"\x1b]0;x":1}')


def cut_short() -> Hand:
    hand, _ = revoked()
    return replace(hand, id="short", game="third", actions=hand.actions[:6])


def written(form: ReportFormat, *items: AuditedLine, paths: tuple[Path, ...] = ()) -> str:
    """What a form says of lines, and of all that an audit finds in files."""
    pieces: list[str] = []
    run = audit(*paths)
    made = report_as(form, UnreadLines("audit", []), ProgressLine(""), write=pieces.append)
    for item in (*items, *run):
        made.add(item)
    made.end(run)
    return "".join(pieces)


def report(form: ReportFormat, *paths: Path) -> str:
    return written(form, paths=paths)


def sarif(*paths: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(report("sarif", *paths))
    return document


def junit(*paths: Path) -> ET.Element:
    return ET.fromstring(report("junit", *paths))  # noqa: S314 - our own


# --- Where things are
def test_columns_count_characters_and_bytes_count_bytes(tmp_path: Path) -> None:
    hand, index = revoked()
    hand = replace(hand, id="žluťoučký ♥", game="♠♠♠")
    log = write_log(tmp_path / "log.jsonl", b"\n", hand)
    (result,) = sarif(log)["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    action = f'"{hand.actions[index]}"'
    text = encode_hand(hand).decode()
    assert text[region["startColumn"] - 1 : region["endColumn"] - 1] == action
    start = region["byteOffset"]
    assert log.read_bytes()[start : start + region["byteLength"]].decode() == action


def test_a_pointer_leads_as_far_as_there_is_a_way() -> None:
    for pointer, found in (
        ("", '{"a": [1, {"x/y": 2}]}'),
        ("/a/1/x~1y", '"x/y": 2'),
        ("/a/0", "1"),
        ("/a/7", '"a": [1, {"x/y": 2}]'),
        ("/b", '{"a": [1, {"x/y": 2}]}'),
    ):
        line = b'{"a": [1, {"x/y": 2}]}'
        place = place_at(line, pointer)
        assert place
        assert line[place.start : place.end].decode() == found
        assert place_at(b"", pointer) is None


# --- What every form has to say
@pytest.mark.parametrize("form", REPORT_FORMATS)
def test_forms_have_the_status_of_audits(tricklog: CommandLine, clean_log: Path, form: str) -> None:
    tricklog("audit --format", form, clean_log, status=0)
    tricklog("audit --format", form, write_log("irregular.jsonl", revoked()[0]), status=1)
    tricklog("audit --format", form, write_log("broken.jsonl", NOT_JSON), status=3)


def test_the_form_json_is_what_json_prints(tricklog: CommandLine) -> None:
    log = write_log("log.jsonl", revoked()[0], NOT_JSON)
    assert tricklog("audit --format json", log).text == tricklog("audit --json", log).text
    assert tricklog("audit --format text", log).text == tricklog("audit", log).text


def test_what_makes_a_hand_incomplete_is_a_warning_in_lines_and_no_failure(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", cut_short())
    assert ": warning: incomplete: " in report("line", log)
    (case,) = junit(log).iter("testcase")
    assert [child.tag for child in case] == ["system-out"]


# --- GitHub
def test_annotations_come_back_as_they_were_meant(hostile: Path) -> None:
    commands = report("github", hostile).splitlines()
    notes = report("line", hostile).splitlines()
    assert len(commands) == len(notes) >= len(TEXTS) + 2
    for command, note in zip(commands, notes, strict=True):
        found = COMMAND.fullmatch(command)
        assert found, command
        properties = dict(each.split("=", 1) for each in found[2].split(","))
        assert properties.keys() == {"file", "line", "col", "endColumn", "title"}
        place = f"{unquote(properties['file'])}:{properties['line']}:{properties['col']}: "
        assert note.startswith(place)
        message = note.partition(": ")[2].split(": ", 2)[2].partition(" [")[0]
        assert message in unquote(found[3])


def test_an_annotation_of_standard_input_names_no_file(tricklog: CommandLine) -> None:
    ran = tricklog("audit - --format github", stdin=encode_hand(revoked()[0]) + b"\n")
    assert ran.text.startswith("::error title=revoke%2C hand with-revoke::")


# --- SARIF
@cache
def shape() -> jsonschema_rs.Validator:
    """What SARIF demands of the parts that an audit writes."""
    schema = json.loads((REPOSITORY / "tests" / "data" / "sarif.schema.json").read_text("utf-8"))
    return jsonschema_rs.validator_for(schema, validate_formats=True)


def check_sarif(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Check the shape of a document, and what a schema has no words for; return the results."""
    shape().validate(document)
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"]
    rules = {rule["id"] for rule in driver["rules"]}
    assert len(rules) == len(driver["rules"])
    for rule in driver["rules"]:
        assert rule.keys() <= {"id", "shortDescription", "help", "helpUri"}
        assert rule["shortDescription"]["text"]
        assert rule["help"]["text"]
    taxa = {taxon["id"] for book in run["taxonomies"] for taxon in book["taxa"]}
    assert taxa <= citations().keys()
    for result in run["results"]:
        assert result["level"]
        assert result["ruleId"] in rules
        assert result["message"]["text"]
        assert {taxon["id"] for taxon in result.get("taxa", ())} <= taxa
        (location,) = result["locations"]
        region = location["physicalLocation"]["region"]
        assert region["byteOffset"] >= 0
        assert "byteLength" in region
        if "startLine" in region:
            assert region["startColumn"] <= region["endColumn"]
        uri = location["physicalLocation"]["artifactLocation"].get("uri", "none")
        assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2}|^file:)+", uri), uri
    return list(run["results"])


def test_sarif_has_what_its_schema_demands_whatever_the_log_holds(hostile: Path) -> None:
    results = check_sarif(sarif(hostile))
    assert len(results) == len(report("line", hostile).splitlines())
    prints = [each["partialFingerprints"]["tricklogFinding/v1"] for each in results]
    assert len(set(prints)) >= len(TEXTS)


def test_sarif_of_all_broken_samples_has_the_shape_of_its_schema(repository: Path) -> None:
    document = sarif(repository / "sample_logs" / "invalid")
    shape().validate(document)
    assert len(document["runs"][0]["results"]) > 50


def test_sarif_of_a_workbook_has_rows_and_no_bytes(tricklog: CommandLine) -> None:
    rows: Rows = [["Bidder", "Bid", "Ann & Cy", "Bo & Dee"], ["Ann", 3, 9, 5], ["Bo", "x", 9, 5]]
    Path("club.xlsx").write_bytes(as_xlsx({"Friday": rows}))
    (document,) = tricklog("audit club.xlsx --variant pedro --format sarif").objects
    shape().validate(document)
    places = [
        each["locations"][0]["physicalLocation"]["region"]
        for each in document["runs"][0]["results"]
    ]
    assert sorted({each["startLine"] for each in places}) == [2, 3]
    assert not any("byteOffset" in each for each in places)


def test_sarif_of_nothing_wrong_and_of_a_missing_file(clean_log: Path, tmp_path: Path) -> None:
    assert check_sarif(sarif(clean_log)) == []
    (result,) = check_sarif(sarif(tmp_path / "missing.jsonl"))
    assert result["ruleId"] == "unreadable-file"


def test_sarif_links_to_the_rules_where_they_are_published(tricklog: CommandLine) -> None:
    log = write_log("log.jsonl", revoked()[0])
    options = "--format sarif --docs-url https://rules.example/docs/rules/"
    document = json.loads(tricklog(f"audit {options}", log).text)
    check_sarif(document)
    (rule,) = document["runs"][0]["tool"]["driver"]["rules"]
    assert rule["helpUri"] == "https://rules.example/docs/rules/01-pedro.md#1-follow"
    assert "Following to a trick" in rule["help"]["text"]


def test_a_fingerprint_stays_when_hands_are_put_before_it(tmp_path: Path) -> None:
    hand, _ = revoked()
    logs = [
        write_log(tmp_path / f"{len(before)}.jsonl", *before, hand) for before in ((b"", b""), ())
    ]
    one, other = (sarif(log)["runs"][0]["results"][0] for log in logs)
    assert one["locations"] != other["locations"]
    assert one["partialFingerprints"] == other["partialFingerprints"]


# --- JUnit
def test_every_hand_is_a_test_and_the_counts_are_those_of_the_audit(hostile: Path) -> None:
    root = junit(hostile)
    (suite,) = root.findall("testsuite")
    cases = suite.findall("testcase")
    run = audit(hostile)
    findings = sum(bool(item.findings) for item in run)
    assert int(suite.attrib["tests"]) == len(cases) == run.counts.lines
    assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure")) == findings
    assert int(suite.attrib["errors"]) == len(suite.findall("testcase/error")) == 2
    assert suite.attrib == {**root.attrib, "name": "hands", "skipped": "0"}
    for case in cases:
        assert case.attrib.keys() == {"classname", "name"}


ELEMENTS = {
    "testsuites": ("testsuite", "name time tests failures errors", ""),
    "testsuite": (
        "testsuite properties testcase system-out system-err",
        "name tests failures errors group time skipped timestamp hostname id package file log url",
        "name tests failures errors",
    ),
    "testcase": (
        "skipped error failure system-out system-err",
        "name time classname group",
        "name",
    ),
    "failure": ("", "type message", ""),
    "error": ("", "type message", ""),
    "skipped": ("", "type message", ""),
    "system-out": ("", "", ""),
}
"""By element of the form that the xUnit plug-in of Jenkins checks by: what stands in it, which
attributes it may have, and which it must have."""


def test_junit_has_what_schemas_of_build_servers_allow(hostile: Path, tmp_path: Path) -> None:
    hand, _ = revoked()
    root = junit(hostile, write_log(tmp_path / "more.jsonl", hand, hand, cut_short()))
    assert {each.tag for each in root.iter()} == ELEMENTS.keys()
    for element in root.iter():
        inside, may, must = (words.split() for words in ELEMENTS[element.tag])
        assert {each.tag for each in element} <= set(inside)
        assert set(must) <= element.attrib.keys() <= set(may)
        for count in ("tests", "failures", "errors", "skipped"):
            assert element.attrib.get(count, "0").isdecimal()
    # A record read twice is skipped.
    (skipped,) = root.iter("skipped")
    assert skipped.attrib["message"].endswith("more.jsonl:1")


# --- Any text
ANY_TEXT = st.text(st.characters(codec=None), max_size=80)
ANY_FILE = st.binary(min_size=1, max_size=40).map(
    lambda name: os.fsdecode(name.replace(b"\0", b"x"))
)


@settings(max_examples=tiers.scaled(25))
@example(file="[]", message="", text=b"", at=0)
@given(file=ANY_FILE, message=ANY_TEXT, text=st.binary(max_size=60), at=st.integers(0, 80))
def test_no_text_breaks_out_of_a_form(file: str, message: str, text: bytes, at: int) -> None:
    line = LogLine(file, 1, 0, text=text)
    item = AuditedLine(line.rejected(Trouble(RejectCode.NOT_JSON, "/a", message, at)))
    forms = {form: written(form, item) for form in REPORT_FORMATS}
    assert forms["line"].count("\n") == 1
    assert len(forms["line"].splitlines()) == len(forms["github"].splitlines()) == 1
    assert COMMAND.fullmatch(forms["github"].rstrip("\n"))
    check_sarif(json.loads(forms["sarif"]))
    (case,) = ET.fromstring(forms["junit"]).iter("testcase")  # noqa: S314 - our own
    assert [child.tag for child in case] == ["error"]


# --- Where audits say that something is
VALID = REPOSITORY / "sample_logs" / "valid"
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
    told = ",\n".join(msgspec.json.format(encode_hand(hand), indent=2).decode() for hand in hands)
    return f"[ {told} ]\n"


def as_files(text: str) -> dict[str, bytes]:
    """A text as files have it: by what is added to the name."""
    raw = text.encode()
    windows = "\ufeff" + text.replace("\n", "\r\n")
    zipped = {".gz": gzip.compress(raw), ".zst": zstandard.compress(raw)}
    return {"": raw, " windows": windows.encode(), **zipped}


def said_at(text: bytes, line: int, column: int, end_column: int) -> str:
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
    path.write_bytes(as_files(write_text(hands))[ends])
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
    path.write_bytes(as_files(pretty(*hands_of("cinch")[:3]))[ends])
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
        Path(path).write_bytes(as_files(DISPUTE)[form])
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
