"""`tricklog audit --format`: what other programs read of an audit, whatever a log holds."""

import json
import os
import re
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.cli.command_line import NOT_JSON, CommandLine, revoked, write_log
from tests.kit import tiers
from tests.kit.dashboard_logs import TEXTS
from tests.kit.score_sheets import Rows, as_xlsx
from tricklog.ingest.cli.audit_forms import REPORT_FORMATS, ReportFormat, report_as
from tricklog.ingest.cli.progress import ProgressLine
from tricklog.ingest.cli.unread_lines import UnreadLines
from tricklog.ingest.loading.auditing import AuditedLine, audit
from tricklog.ingest.reading.json_positions import place_at
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.reading.rejects import RejectCode, Trouble
from tricklog.schemas.citations import citations
from tricklog.schemas.hand import Hand, Player, encode_hand

COMMAND = re.compile(r"::(error|warning) ((?:[a-zA-Z]+=[^,:]*,?)*)::(.*)")
NOTE = re.compile(r"(.+?):(\d+):(\d+): (error|warning): ([a-z0-9-]+): (.+)")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log whose hands have a revoke, by players with harmful names, and lines that are broken."""
    hand, _ = revoked()
    hands = []
    for index, text in enumerate(TEXTS):
        players = [Player(f"{text}{seat}"[-150:], text) for seat in range(len(hand.players))]
        hands.append(replace(hand, id=f"{index} {text}"[:150], game=f"g{index}", players=players))
    path = tmp_path_factory.mktemp("hostile") / "a,b:c%25 «é».jsonl"
    return write_log(path, *hands, NOT_JSON, b'{"\x1b]0;x":1}')


def cut_short() -> Hand:
    """A hand of which only the beginning is recorded."""
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
def test_the_column_is_where_the_faulty_action_stands(tricklog: CommandLine) -> None:
    hand, index = revoked()
    ran = tricklog("audit --format line", write_log("night.jsonl", b"", hand), status=1)
    found = NOTE.fullmatch(ran.text.rstrip("\n"))
    assert found
    file, line, column, severity, code, message = found.groups()
    assert (file, line, severity, code) == ("night.jsonl", "2", "error", "revoke")
    assert encode_hand(hand)[int(column) - 1 :].startswith(f'"{hand.actions[index]}"'.encode())
    assert message.endswith("[1.follow]")
    assert ran.stderr.startswith("2 lines = 1 accepted")


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


@pytest.mark.parametrize(
    ("pointer", "found"),
    [
        ("", '{"a": [1, {"x/y": 2}]}'),
        ("/a/1/x~1y", '"x/y": 2'),
        ("/a/0", "1"),
        ("/a/7", '"a": [1, {"x/y": 2}]'),
        ("/b", '{"a": [1, {"x/y": 2}]}'),
    ],
)
def test_a_pointer_leads_as_far_as_there_is_a_way(pointer: str, found: str) -> None:
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


@pytest.mark.parametrize(
    "options",
    [
        "--json --format text",
        "--json --format sarif",
        "--solve --format junit",
        "--docs-url https://rules.example --format json",
    ],
)
def test_options_do_not_go_together(tricklog: CommandLine, clean_log: Path, options: str) -> None:
    ran = tricklog(f"audit {options}", clean_log, status=2)
    assert ran.stdout == b""
    assert "Leave" in ran.stderr or "Use" in ran.stderr


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
# What SARIF 2.1.0 demands of the parts that an audit writes, by our own reading of the standard.
#
# It is a JSON schema. Where the standard lets no other property stand, none stands here either;
# what it defines and we never write is left out, so that a new property has to be read up first.


def _object(required: str, **properties: object) -> dict[str, Any]:
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def _listed(items: dict[str, Any], *, each_once: bool = False) -> dict[str, Any]:
    return {"type": "array", "items": items, "uniqueItems": each_once}


_set_of: Final = partial(_listed, each_once=True)
_TEXT: Final = {"type": "string"}
_URI: Final = {"type": "string", "format": "uri"}
_FROM_ONE: Final = {"type": "integer", "minimum": 1}
_MESSAGE: Final = _object("text", text=_TEXT, markdown=_TEXT)
_DESCRIPTOR: Final = _object(
    "id", id=_TEXT, shortDescription=_MESSAGE, fullDescription=_MESSAGE, help=_MESSAGE, helpUri=_URI
)
_NAMED: Final = _object("name", name=_TEXT)
_COMPONENT: Final = _object(
    "name",
    name=_TEXT,
    version=_TEXT,
    rules=_set_of(_DESCRIPTOR),
    taxa=_set_of(_DESCRIPTOR),
    supportedTaxonomies=_set_of(_NAMED),
)
_REGION: Final = _object(
    "",
    startLine=_FROM_ONE,
    startColumn=_FROM_ONE,
    endLine=_FROM_ONE,
    endColumn=_FROM_ONE,
    byteOffset={"type": "integer", "minimum": -1},
    byteLength={"type": "integer", "minimum": 0},
)
_ARTIFACT: Final = {
    **_object("", uri={"type": "string", "format": "uri-reference"}, description=_MESSAGE),
    "minProperties": 1,
}
_LOCATION: Final = _object(
    "",
    physicalLocation=_object("artifactLocation", artifactLocation=_ARTIFACT, region=_REGION),
    logicalLocations=_set_of(_object("", name=_TEXT, fullyQualifiedName=_TEXT, kind=_TEXT)),
)
_RESULT: Final = _object(
    "message",
    ruleId=_TEXT,
    level={"enum": ["none", "note", "warning", "error"]},
    message=_MESSAGE,
    locations=_listed(_LOCATION),
    partialFingerprints={"type": "object", "additionalProperties": _TEXT},
    taxa=_set_of(_object("id", id=_TEXT, toolComponent=_NAMED)),
)
_INVOCATION: Final = _object(
    "executionSuccessful", executionSuccessful={"type": "boolean"}, exitCode={"type": "integer"}
)
_RUN: Final = _object(
    # The last two may be left out; an audit always writes them.
    "tool columnKind invocations",
    tool=_object("driver", driver=_COMPONENT),
    results=_listed(_RESULT),
    taxonomies=_set_of(_COMPONENT),
    invocations=_listed(_INVOCATION),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    properties={"type": "object"},
)
SARIF: Final = _object(
    "$schema version runs",
    **{"$schema": _URI},
    version={"const": "2.1.0"},
    runs={**_listed(_RUN), "minItems": 1, "maxItems": 1},
)
SHAPE: Final = jsonschema_rs.validator_for(SARIF, validate_formats=True)


def check_sarif(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Check the shape of a document, and what a schema has no words for; return the results."""
    SHAPE.validate(document)
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
    SHAPE.validate(document)
    assert len(document["runs"][0]["results"]) > 50
    # The check is one that can fail.
    for wrong in ({"uri": "a b"}, {"startLine": 0}):
        broken = json.loads(json.dumps(document))
        place = broken["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        (place["artifactLocation"] if "uri" in wrong else place["region"]).update(wrong)
        assert not SHAPE.is_valid(broken)


def test_sarif_of_a_workbook_has_rows_and_no_bytes(tricklog: CommandLine) -> None:
    rows: Rows = [["Bidder", "Bid", "Ann & Cy", "Bo & Dee"], ["Ann", 3, 9, 5], ["Bo", "x", 9, 5]]
    Path("club.xlsx").write_bytes(as_xlsx({"Friday": rows}))
    (document,) = tricklog("audit club.xlsx --variant pedro --format sarif").objects
    SHAPE.validate(document)
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
