"""Records of other programs, text and JSON over many lines go the ways of our own logs."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from tests.cli.command_line import CommandLine, revoked
from tests.kit.event_logs import EVENTS, events_of, write_events
from tests.kit.log_lines import generated
from tests.kit.tiers import some
from tricklog import ingest
from tricklog.core.native import library
from tricklog.ingest.adapters.converting import convert
from tricklog.ingest.adapters.registry import UnknownAdapterError, installed
from tricklog.ingest.loading import bulk
from tricklog.ingest.loading.bulk import ReadHands, ValidHands, gathered
from tricklog.ingest.reading.log_line import LogLine
from tricklog.ingest.reading.reader import Block
from tricklog.ingest.store.warehouse import checksum
from tricklog.ingest.text_form.problems import Problem, Severity
from tricklog.ingest.text_form.writer import write_text
from tricklog.ingest.warehouses import open_snapshot
from tricklog.schemas.hand import Hand, encode_hand


def logged_hands() -> list[Hand]:
    """Games of two variants, and a hand with a finding among them."""
    return [*generated("pedro", 1), revoked()[0], *generated("twenty-nine", 1)]


@pytest.fixture(name="events")
def events_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(installed(), "events", EVENTS)
    lines = [event for hand in logged_hands() for event in events_of(hand)]
    return write_events(tmp_path / "events.jsonl", lines)


def converted(log: Path) -> Path:
    """The log as a hand log, as ``tricklog convert`` writes it."""
    path = log.with_name("hands.jsonl")
    hands = [hand for item in convert("events", log) for hand in item.hands]
    path.write_bytes(b"".join(encode_hand(hand) + b"\n" for hand in hands))
    return path


def content_of(db: str | Path) -> tuple[str, list[tuple[object, ...]]]:
    """The checksum of a warehouse, and what it says of each hand."""
    with open_snapshot(db) as opened:
        query = "SELECT hand_id, verdict, points, scores FROM hands ORDER BY hand_id"
        return checksum(opened), opened.execute(query).fetchall()


OTHER_PAIR = pytest.mark.thorough("the lanes meet in the test below; a lake is made again there")


@pytest.mark.parametrize(
    ("kind", "is_compiled"),
    [
        ("", True),
        pytest.param("", False, marks=OTHER_PAIR),
        pytest.param("lake:", False, marks=OTHER_PAIR),
        pytest.param("lake:", True, marks=OTHER_PAIR),
    ],
)
def test_records_are_loaded_as_what_convert_makes_of_them(
    events: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, *, is_compiled: bool
) -> None:
    monkeypatch.setattr(library, "is_there", lambda: is_compiled)
    report = ingest.load(events, db=f"{kind}{tmp_path / 'direct'}", adapter="events", on=on(kind))
    other = ingest.load(converted(events), db=f"{kind}{tmp_path / 'hands'}", on=on(kind))
    assert report.accepted == other.accepted == len(logged_hands())
    assert (report.verdicts, report.findings) == (other.verdicts, other.findings)
    assert report.findings == {"revoke": 1}
    assert content_of(f"{kind}{tmp_path / 'direct'}") == content_of(f"{kind}{tmp_path / 'hands'}")
    again = ingest.load(events, db=f"{kind}{tmp_path / 'hands'}", adapter="events", on=on(kind))
    assert (again.accepted, again.published) == (0, False)


def on(kind: str) -> str | None:
    return "here" if kind else None


@pytest.mark.parametrize("form", some([".trick", ".json"], 1))
def test_hands_over_several_lines_are_judged_by_compiled_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    hands = logged_hands()
    path = tmp_path / f"log{form}"
    pretty = [msgspec.json.format(encode_hand(hand), indent=2).decode() for hand in hands]
    path.write_text(write_text(hands) if form == ".trick" else f"[{','.join(pretty)}]\n", "utf-8")
    lanes = list(bulk.judge_read(iter(ingest.read(path))))
    valid = sum(len(each.hands) for each in lanes if isinstance(each, ValidHands))
    assert valid == len(hands) - 1
    found = []
    for is_compiled in (True, False):
        monkeypatch.setattr(library, "is_there", lambda lane=is_compiled: lane)
        ingest.load(path, db=tmp_path / str(is_compiled))
        found.append(content_of(tmp_path / str(is_compiled)))
    assert found[0] == found[1]


def test_a_lake_is_made_again_with_the_adapter_it_was_loaded_with(
    events: Path, tmp_path: Path, tricklog: CommandLine
) -> None:
    db = f"lake:{tmp_path / 'lake'}"
    assert tricklog("load", events, "--from", "events", "--db", db, "--on", "here").status == 1
    before = content_of(db)
    assert [verdict for _, verdict, *_ in before[1]].count("irregular") == 1
    with open_snapshot(db) as opened:
        assert opened.execute("SELECT paths FROM imports").fetchall() == [
            (["--from=events", str(events)],)
        ]
    ran = tricklog("db", "rebuild", "--db", db, "--on", "here", "--json")
    (told,) = ran.objects
    assert (told["from_logs"], told["kept"], told["equal"]) == (len(logged_hands()), 0, True)
    assert content_of(db) == before


def test_a_lake_says_where_an_adapter_is_missing(events: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownAdapterError, match="there is no adapter 'evens'"):
        ingest.load(events, db=f"lake:{tmp_path / 'lake'}", adapter="evens", on="here")


def test_only_hands_without_warnings_wait_for_each_other() -> None:
    hands = logged_hands()[:3]
    lines = [LogLine("a", n, n, hand, None, encode_hand(hand)) for n, hand in enumerate(hands)]
    warned = replace(lines[1], warnings=(Problem(1, 1, Severity.WARNING, "what?"),))
    other = replace(lines[2], file="b")
    blank, block = LogLine("a", 9, 9), Block("c", 1, 0, b"")
    parts = list(gathered([lines[0], blank, warned, lines[2], other, block]))
    assert parts[:2] == [blank, warned]
    assert isinstance(parts[2], ReadHands)
    assert parts[2].lines == [lines[0], lines[2]]
    assert isinstance(parts[3], ReadHands)
    assert parts[3].lines == [other]
    assert parts[4] == block
