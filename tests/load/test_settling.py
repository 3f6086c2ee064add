"""Whose ids hands claim: by the order in which logs are read, beside what is stored."""

import random
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest
from duckdb import DuckDBPyConnection
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit.log_lines import generated, write_hands
from tests.kit.noise import broken
from tests.kit.tiers import scaled
from tricklog import ingest
from tricklog.core.native import library
from tricklog.ingest.loading.settling import CLAIM, Claims, settle
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.schemas.hand import Hand

IDS = "abc"
CONTENTS = [uuid.UUID(int=number) for number in range(3)]


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
        for name, content in self._hands.items():
            connection.execute("INSERT INTO known VALUES (?, ?, ?)", [name, content, "old:1"])

    def hands(self, ids: Sequence[str]) -> dict[str, Hand]:
        """Return none: no record of these tests goes on from another."""
        del ids
        return {}


def uuids(values: list[uuid.UUID]) -> pa.Array:
    storage = pa.array([value.bytes for value in values], pa.binary(16))
    return pa.ExtensionArray.from_storage(pa.uuid(), storage)


def claims_of(claims: list[Claim]) -> Claims:
    columns = {
        "hand_id": [each.id for each in claims],
        "content_hash": uuids([each.content for each in claims]),
        "file_no": [each.file for each in claims],
        "line": [each.line for each in claims],
        "hand_no": [each.number for each in claims],
    }
    return Claims(
        hands=pa.table(columns, schema=CLAIM),
        files=pa.table(
            {"file_no": pa.array([0, 1, 2], pa.int32()), "file": ["one", "two", "three"]}
        ),
    )


def due(claims: list[Claim], stored: dict[str, uuid.UUID]) -> list[tuple[Claim, bool, str]]:
    """Return the claims that lose, whether to the same hand, and where that is."""
    owners = {name: (content, "old:1") for name, content in stored.items()}
    lost = []
    for each in sorted(claims, key=lambda each: (each.file, each.line)):
        if each.id in owners:
            content, place = owners[each.id]
            lost.append((each, content == each.content, place))
        else:
            place = f"{('one', 'two', 'three')[each.file]}:{each.line}"
            owners[each.id] = (each.content, place)
    return lost


@st.composite
def some_claims(draw: st.DrawFn) -> list[Claim]:
    places = draw(
        st.lists(st.tuples(st.integers(0, 2), st.integers(1, 6)), unique=True, max_size=12)
    )
    return [
        Claim(
            draw(st.sampled_from(IDS)),
            draw(st.sampled_from(CONTENTS)),
            file,
            line,
        )
        for file, line in places
    ]


@settings(max_examples=scaled(10))
@given(some_claims(), st.dictionaries(st.sampled_from(IDS), st.sampled_from(CONTENTS)))
def test_an_id_belongs_to_what_is_stored_else_to_the_hand_read_first(
    tmp_path_factory: pytest.TempPathFactory, claims: list[Claim], stored: dict[str, uuid.UUID]
) -> None:
    spill = str(tmp_path_factory.getbasetemp() / "spill")
    fates = settle(claims_of(claims), Stored(stored), spill, rivals=lambda _: ())
    assert [tuple(row.values()) for row in fates.lost.to_pylist()] == [
        (each.number, None if same else place) for each, same, place in due(claims, stored)
    ]


def test_a_log_read_first_comes_first_whichever_lane_its_hands_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "is_there", lambda: True)

    sound = generated("pedro", 1)[0]
    faulty = replace(broken(sound, random.Random(1)), id=sound.id)
    first = write_hands(tmp_path / "1.jsonl", [faulty])
    second = write_hands(tmp_path / "2.jsonl", [sound])
    report = ingest.load(first, second, db=tmp_path / "db")
    assert (report.accepted, report.quarantined) == (1, 1)
    with open_snapshot(tmp_path / "db") as connection:
        assert connection.sql("SELECT file FROM hands").fetchall() == [(str(first),)]


@pytest.mark.parametrize("is_bulk", [True, False])
def test_a_stored_hand_is_a_duplicate_also_behind_another_hand_with_its_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_bulk: bool
) -> None:
    monkeypatch.setattr(library, "is_there", lambda: is_bulk)
    hands = generated("pedro", 1)[:4]
    first = write_hands(tmp_path / "1.jsonl", hands[:2])
    ingest.load(first, db=tmp_path / "db")
    rivals = [
        replace(hands[2], id=hands[0].id),
        replace(broken(hands[3], random.Random(1)), id=hands[1].id),
    ]
    refused: list[str] = []
    report = ingest.load(
        write_hands(tmp_path / "2.jsonl", [*rivals, *hands[:2]]),
        db=tmp_path / "db",
        on_reject=lambda reject: refused.append(reject.message),
    )
    assert (report.accepted, report.duplicate, report.quarantined) == (0, 2, 2)
    assert sorted(refused) == [
        f"The id {hand.id!r} belongs to another hand, {first}:{number}."
        for number, hand in enumerate(hands[:2], 1)
    ]


def test_of_three_hands_with_one_id_the_first_is_kept(tmp_path: Path) -> None:
    hands = [replace(hand, id="one") for hand in generated("pedro", 1)[:3]]
    refused: list[str] = []
    log = write_hands(tmp_path / "log.jsonl", hands)
    report = ingest.load(
        log, db=tmp_path / "db", on_reject=lambda reject: refused.append(reject.message)
    )
    assert (report.accepted, report.quarantined) == (1, 2)
    assert refused == [f"The id 'one' belongs to another hand, {log}:1."] * 2


@pytest.mark.parametrize("is_bulk", [True, False])
def test_a_log_named_twice_is_stored_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_bulk: bool
) -> None:
    monkeypatch.setattr(library, "is_there", lambda: is_bulk)
    hands = generated("pedro", 1)
    log = write_hands(tmp_path / "log.jsonl", hands)
    report = ingest.load(log, log, db=tmp_path / "db")
    assert (report.accepted, report.duplicate) == (len(hands), len(hands))
    with open_snapshot(tmp_path / "db") as connection:
        stored = connection.sql("SELECT hand_id FROM hands").fetchall()
    assert {name for (name,) in stored} == {hand.id for hand in hands}
