"""Whose an id is: the same hands again in any form add nothing, and the first read keeps its id.

One id with other content is kept twice; a complete record takes the place of its own unfinished
one, and of no other.
"""

import gzip
import json
import random
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest
import zstandard
from duckdb import DuckDBPyConnection
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.log_lines import SOUND_LINE, generated, write_hands, write_lines
from tests.kit.made_once import once
from tests.kit.noise import broken
from tests.kit.stored import content, rows
from tests.kit.tiers import scaled, some
from tests.load.test_audit import fate, piped, revoked
from tricklog import Gap, Hand, LoadReport, encode_hand, ingest
from tricklog.core.native import library
from tricklog.ingest.lake.engines import Here
from tricklog.ingest.lake.load import How
from tricklog.ingest.lake.load import load as load_lake
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.loading.settling import CLAIM, Claims, settle
from tricklog.ingest.store.warehouse import current_snapshot
from tricklog.ingest.upkeep.verifying import verify

LANES = pytest.mark.parametrize("is_bulk", [True, False])


# --- The same hands
@cache
def stored() -> list[bytes]:
    hands = (*generated("pedro", 1), *generated("pidro", 1))
    return [*map(encode_hand, hands), SOUND_LINE, b"oops"]


@once("db")
def db(folder: Path) -> None:
    ingest.load(write_lines(folder / "log.jsonl", stored()), db=folder / "db")


def text_of(lines: list[bytes]) -> bytes:
    return b"".join(each + b"\n" for each in lines)


def spaced(lines: list[bytes]) -> bytes:
    *hands, oops = lines
    apart = [json.dumps(json.loads(each), separators=(" , ", " :\t")).encode() for each in hands]
    return b"\r\n".join([*apart, oops])


FORMS: dict[str, Callable[[list[bytes]], bytes]] = {
    "renamed.ndjson": text_of,
    "packed.jsonl.gz": lambda lines: gzip.compress(text_of(lines)),
    "in-two-frames.gz": lambda lines: (
        gzip.compress(text_of(lines[:4])) + gzip.compress(text_of(lines[4:]))
    ),
    "packed.jsonl.zst": lambda lines: zstandard.compress(text_of(lines)),
    "backwards.jsonl": lambda lines: text_of(lines[::-1]),
    "shuffled.jsonl": lambda lines: text_of(random.Random(3).sample(lines, len(lines))),
    "twice.jsonl": lambda lines: text_of([*lines[:9], *lines[2:], b"", *lines[-5:]]),
    "a part.jsonl": lambda lines: text_of(lines[3:11]),
    "spaced.jsonl": spaced,
}


def test_the_same_hands_in_other_forms_add_nothing(tmp_path: Path, db: Path) -> None:
    before, snapshot = content(db), current_snapshot(db)
    for name, form in FORMS.items():
        (tmp_path / name).write_bytes(form(stored()))
    report = ingest.load(*tmp_path.iterdir(), db=db)
    assert (report.accepted, report.published) == (0, False)
    assert report.lines == report.duplicate + report.quarantined + report.blank
    assert report.lines > 6 * len(stored())
    assert (content(db), current_snapshot(db)) == (before, snapshot)


def test_overlapping_logs_give_what_one_log_gives(tmp_path: Path, db: Path) -> None:
    for number, (start, end) in enumerate([(5, 12), (0, 7), (3, 99)]):
        log = write_lines(tmp_path / f"{number}.jsonl", stored()[start:end])
        ingest.load(log, db=tmp_path / "parts")
    assert content(tmp_path / "parts") == content(db)


# --- By the order in which logs are read, beside what is stored
IDS = "abc"
CONTENTS = [uuid.UUID(int=number) for number in range(3)]
FILES = ("one", "two", "three")


@dataclass(frozen=True)
class Claim:
    id: str
    content: uuid.UUID
    file: int
    line: int

    @property
    def number(self) -> int:
        return 100 * self.file + self.line


class Stored:
    is_empty = False

    def __init__(self, hands: dict[str, uuid.UUID]) -> None:
        self._hands = hands

    def show(self, connection: DuckDBPyConnection) -> None:
        connection.execute("CREATE TABLE known (hand_id VARCHAR, content_hash UUID, place VARCHAR)")
        for name, held in self._hands.items():
            connection.execute("INSERT INTO known VALUES (?, ?, ?)", [name, held, "old:1"])

    def hands(self, ids: Sequence[str]) -> dict[str, Hand]:
        """Return none: no record of these tests goes on from another."""
        del ids
        return {}


def claims_of(claims: list[Claim]) -> Claims:
    hashes = pa.array([each.content.bytes for each in claims], pa.binary(16))
    columns = {
        "hand_id": [each.id for each in claims],
        "content_hash": pa.ExtensionArray.from_storage(pa.uuid(), hashes),
        "file_no": [each.file for each in claims],
        "line": [each.line for each in claims],
        "hand_no": [each.number for each in claims],
    }
    files = pa.table({"file_no": pa.array([0, 1, 2], pa.int32()), "file": FILES})
    return Claims(hands=pa.table(columns, schema=CLAIM), files=files)


def due(claims: list[Claim], stored: dict[str, uuid.UUID]) -> list[tuple[int, str | None]]:
    """Return the claims that lose, and where the hand is, if it is another one."""
    owners = {name: (held, "old:1") for name, held in stored.items()}
    lost = []
    for each in sorted(claims, key=lambda each: (each.file, each.line)):
        if each.id in owners:
            held, place = owners[each.id]
            lost.append((each.number, None if held == each.content else place))
        else:
            owners[each.id] = (each.content, f"{FILES[each.file]}:{each.line}")
    return lost


@st.composite
def some_claims(draw: st.DrawFn) -> list[Claim]:
    place = st.tuples(st.integers(0, 2), st.integers(1, 6))
    return [
        Claim(draw(st.sampled_from(IDS)), draw(st.sampled_from(CONTENTS)), file, line)
        for file, line in draw(st.lists(place, unique=True, max_size=12))
    ]


@settings(max_examples=scaled(10))
@given(some_claims(), st.dictionaries(st.sampled_from(IDS), st.sampled_from(CONTENTS)))
def test_an_id_belongs_to_what_is_stored_else_to_the_hand_read_first(
    tmp_path_factory: pytest.TempPathFactory, claims: list[Claim], stored: dict[str, uuid.UUID]
) -> None:
    spill = str(tmp_path_factory.getbasetemp() / "spill")
    fates = settle(claims_of(claims), Stored(stored), spill, rivals=lambda _: ())
    assert [tuple(row.values()) for row in fates.lost.to_pylist()] == due(claims, stored)


def loaded(db: Path, *logs: Path) -> tuple[LoadReport, list[str]]:
    """Load logs; return the report and what is said of lines that are refused."""
    refused: list[str] = []
    report = ingest.load(*logs, db=db, on_reject=lambda reject: refused.append(reject.message))
    return report, sorted(refused)


def test_a_log_read_first_comes_first_whichever_lane_its_hands_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "is_there", lambda: True)
    sound = generated("pedro", 1)[0]
    faulty = replace(broken(sound, random.Random(1)), id=sound.id)
    first = write_hands(tmp_path / "1.jsonl", [faulty])
    report, _ = loaded(tmp_path / "db", first, write_hands(tmp_path / "2.jsonl", [sound]))
    assert (report.accepted, report.quarantined) == (1, 1)
    assert rows(tmp_path / "db", "SELECT file FROM hands") == [(str(first),)]


@LANES
def test_a_stored_hand_is_a_duplicate_also_behind_another_hand_with_its_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_bulk: bool
) -> None:
    monkeypatch.setattr(library, "is_there", lambda: is_bulk)
    hands = generated("pedro", 1)[:4]
    first = write_hands(tmp_path / "1.jsonl", hands[:2])
    ingest.load(first, db=tmp_path / "db")
    faulty = broken(hands[3], random.Random(1))
    rivals = [replace(hands[2], id=hands[0].id), replace(faulty, id=hands[1].id)]
    second = write_hands(tmp_path / "2.jsonl", [*rivals, *hands[:2]])
    report, refused = loaded(tmp_path / "db", second)
    assert (report.accepted, report.duplicate, report.quarantined) == (0, 2, 2)
    assert refused == [
        f"The id {hand.id!r} belongs to another hand, {first}:{number}."
        for number, hand in enumerate(hands[:2], 1)
    ]


@LANES
def test_of_three_hands_with_one_id_the_first_is_kept_and_a_log_named_twice_stored_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_bulk: bool
) -> None:
    monkeypatch.setattr(library, "is_there", lambda: is_bulk)
    hands = generated("pedro", 1)
    log = write_hands(tmp_path / "one.jsonl", [replace(hand, id="one") for hand in hands[:3]])
    report, refused = loaded(tmp_path / "one", log)
    assert (report.accepted, report.quarantined) == (1, 2)
    assert refused == [f"The id 'one' belongs to another hand, {log}:1."] * 2
    log = write_hands(tmp_path / "log.jsonl", hands)
    report, _ = loaded(tmp_path / "db", log, log)
    assert (report.accepted, report.duplicate) == (len(hands), len(hands))
    names = {name for (name,) in rows(tmp_path / "db", "SELECT hand_id FROM hands")}
    assert names == {hand.id for hand in hands}


# --- Complete records and their unfinished ones
def unfinished(hand: Hand, actions: int, status: str = "in_progress") -> Hand:
    """The record of a hand when so much of it had been played, by somebody who saw one holding."""
    assert hand.deal is not UNSET
    hidden = [" ".join("?" * len(cards.split())) for cards in hand.deal]
    seen = [hand.deal[0], *hidden[1:]]
    begun = replace(hand, actions=hand.actions[:actions], deal=seen, stock=UNSET)
    return replace(begun, claimed=UNSET, status=status)


def played() -> list[Hand]:
    """Two hands of a game, and two without one: in order, and with a finding."""
    first, second, *others = generated("pedro", 1)
    third, fourth = (replace(each, game=UNSET, hand=UNSET) for each in others[:2])
    return [first, revoked(second), third, revoked(fourth)]


def begun(hands: Sequence[Hand]) -> list[Hand]:
    """Of each hand several records made while it was played, as programs write them."""
    stopped = [replace(unfinished(each, 20, "complete"), claimed=UNSET) for each in hands]
    ends = Gap(before=7, missing="rest")
    partial = [replace(unfinished(each, 7), status=UNSET, gaps=[ends]) for each in hands]
    return [*(unfinished(each, 3) for each in hands), *stopped, *partial]


def test_a_complete_record_takes_the_place_of_the_unfinished_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "is_there", lambda: True)
    whole, parts = played(), begun(played())
    ingest.load(write_hands(tmp_path / "whole.jsonl", whole), db=tmp_path / "whole")
    mixed = random.Random(4).sample([*parts, *whole], len(parts) + len(whole))
    for db, loads, completed in (
        (tmp_path / "apart", [parts[8:], [*parts[:8], *whole], parts], [0, 4, 0]),
        (tmp_path / "mixed", [mixed], [0]),
    ):
        logs = [write_hands(db / f"{number}.jsonl", each) for number, each in enumerate(loads)]
        reports = [ingest.load(log, db=db) for log in logs]
        assert [each.completed for each in reports] == completed
        assert {each.quarantined for each in reports} == {0}
        assert content(db) == content(tmp_path / "whole")
        assert reports[-1].published == (len(loads) == 1)
        assert rows(db, "SELECT sum(accepted), sum(quarantined) FROM imports") == [(len(whole), 0)]
    assert not verify(tmp_path / "apart").problems


def test_only_a_record_that_says_the_same_and_more_takes_the_place(tmp_path: Path) -> None:
    hand = played()[0]
    part = unfinished(hand, 4)
    assert hand.deal is not UNSET
    for case, (first, second) in {
        "another bid": (replace(part, actions=["2 bid 8", *part.actions[1:]]), hand),
        "another card": (replace(part, deal=hand.deal[1:] + hand.deal[:1]), hand),
        "another game": (replace(part, game="else"), hand),
        "another table": (replace(part, players=hand.players[::-1]), hand),
        "another time": (replace(part, started_at="2026-01-02T19:07:00Z"), hand),
        "a remark that is lost": (replace(part, notes={"0": "late"}), hand),
        "less is known": (unfinished(hand, 5), replace(unfinished(hand, 9), deal=[""] * 4)),
        "a hand that had ended": (hand, replace(hand, actions=[*hand.actions, "0 play 2S"])),
        "no more was played": (part, replace(part, status="abandoned")),
    }.items():
        log = write_hands(tmp_path / "log.jsonl", [first, second])
        assert Counter(map(fate, ingest.audit(log))) == {"accepted": 1, "quarantined": 1}, case


def test_an_audit_tells_complete_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, parts = played(), begun(played())
    audit = ingest.audit(write_hands(tmp_path / "log.jsonl", [*parts, *whole, *parts]))
    lines = list(audit)
    assert [each.line.hand for each in lines if each.replay] == whole
    assert sorted(each.line.line for each in lines) == list(range(1, len(lines) + 1))
    assert audit.counts.duplicate == 2 * len(parts)
    # What was told cannot be taken back; what still waits for its game can.
    early = piped(map(encode_hand, [parts[0], whole[0]]), monkeypatch)
    assert [fate(each) for each in early] == ["accepted", "quarantined"]
    assert early[1].line.reject
    assert "Write the log to a file" in early[1].line.reject.hint
    late = piped(map(encode_hand, [parts[1], whole[1], whole[0]]), monkeypatch)
    assert [each.replay.hand for each in late if each.replay] == [whole[0], whole[1]]


@pytest.mark.slow("two lakes, each verified as a whole")
@pytest.mark.parametrize("buckets", some([3, 1], 1))
def test_in_a_lake_as_well(tmp_path: Path, buckets: int) -> None:
    """In one load and in a later one, of hands of a game and of lone ones, whatever else comes."""
    whole, parts, others = played(), begun(played()), generated("pidro", 4)
    rest = write_hands(tmp_path / "rest.jsonl", others)
    first, second, third = (
        write_hands(tmp_path / "logs" / f"{number}.jsonl", each)
        for number, each in enumerate((parts[8:], [*parts[:8], *whole], parts))
    )
    ingest.load(write_hands(tmp_path / "whole.jsonl", [*others, *whole]), db=tmp_path / "folder")
    ways = {
        "apart": [[rest, first], [second], [third]],
        "at once": [[rest, first, second, third]],
        "later games": [[first], [rest, third, second]],
    }
    people = "SELECT player, hands, first_day, last_day FROM players ORDER BY player"
    for name, loads in some(list(ways.items()), 2):
        lake = f"lake:{tmp_path / name}"
        storage, how = storage_of(lake), How(buckets=buckets)
        reports = [load_lake(logs, storage, Here(), how=how) for logs in loads]
        assert {each.quarantined for each in reports} == {0}, name
        assert sum(each.completed for each in reports) == len(whole) * (len(loads) > 1), name
        assert verify(lake, everything=True).problems == (), name
        assert content(lake) == content(tmp_path / "folder"), name
        assert rows(lake, people) == rows(tmp_path / "folder", people), name
        counts = "SELECT sum(accepted), sum(accepted + duplicate) FROM imports"
        ((accepted, lines),) = rows(lake, counts)
        assert accepted == len(whole) + len(others), name
        # A load that brings nothing publishes nothing, and is not written down.
        noted = [each for each in reports if each.published]
        assert lines == sum(each.accepted + each.duplicate for each in noted), name
        assert Lake(storage).opened().counts["hands"] == accepted, name
