"""Adapters: what becomes of a foreign record, and of whatever else a foreign log holds."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import check_reject
from tests.kit.bad_files import ARCHIVES, BOMBS, BadFile
from tests.kit.each import check_each
from tests.kit.foreign_records import (
    CATCH_FIVE,
    PIDRO,
    PIDRO_GAME,
    RECORDS,
    ROUND,
    SIXTY_THREE,
    SIXTY_THREE_GAME,
    TWENTY_NINE,
    Record,
    changed,
    hands_of,
)
from tests.kit.tiers import scaled
from tricklog import ingest
from tricklog.core import replay
from tricklog.ingest import adapters
from tricklog.ingest.adapters import ADAPTERS, ConvertCounts, Converted, UnknownAdapterError
from tricklog.ingest.adapters.registry import installed
from tricklog.ingest.reading.json_positions import MAX_DEPTH
from tricklog.ingest.reading.reader import MAX_LINE, parse_line
from tricklog.ingest.reading.rejects import Reject, RejectCode
from tricklog.schemas.hand import Hand, encode_hand


def converted(name: str, folder: Path, *lines: bytes) -> list[Converted]:
    path = folder / "foreign.jsonl"
    path.write_bytes(b"\n".join(lines))
    return list(adapters.convert(name, path))


def reject_of(name: str, folder: Path, line: bytes) -> Reject:
    (item,) = converted(name, folder, line)
    assert item.hands == ()
    assert item.reject is not None
    return item.reject


# --- Rejects


@pytest.mark.parametrize(
    ("name", "path", "value", "code", "pointer"),
    [
        (PIDRO, ("seed",), "7", RejectCode.WRONG_TYPE, "/seed"),
        (PIDRO, ("hands", 0, "trump"), ..., RejectCode.MISSING_FIELD, "/hands/0/trump"),
        (PIDRO, ("gameMode",), "brutal", RejectCode.BAD_VALUE, "/gameMode"),
        (PIDRO, ("source",), "a:b", RejectCode.BAD_VALUE, "/source"),
        (PIDRO, ("hands", 0, "deal", 2, 1), "1C", RejectCode.BAD_CARD, "/hands/0/deal/2/1"),
        (PIDRO, ("hands", 0, "stock", 15), "8D\n", RejectCode.BAD_CARD, "/hands/0/stock/15"),
        (PIDRO, ("hands", 0, "deal", 3), ..., RejectCode.BAD_VALUE, "/hands/0/deal"),
        (PIDRO, ("hands", 0, "dump", 1, 0), "9C", RejectCode.BAD_CARD, "/hands/0/dump/1"),
        (PIDRO, ("hands", 0, "dealer"), 4, RejectCode.BAD_VALUE, "/hands/0/dealer"),
        (PIDRO, ("hands", 0, "dealer"), True, RejectCode.WRONG_TYPE, "/hands/0/dealer"),
        (PIDRO, ("hands", 0, "bids", 3, "bid"), 0, RejectCode.BAD_VALUE, "/hands/0/bids/3/bid"),
        (
            PIDRO,
            ("hands", 0, "tricks", 0, "plays", 0, "meld"),
            1,
            RejectCode.UNKNOWN_FIELD,
            "/hands/0/tricks/0/plays/0/meld",
        ),
        (CATCH_FIVE, ("source",), " by hand", RejectCode.BAD_VALUE, "/source"),
        (CATCH_FIVE, ("rounds", 0, "deal", 2, 1), "1C", RejectCode.BAD_CARD, "/rounds/0/deal/2/1"),
        (CATCH_FIVE, ("rounds", 0, "deal", 2, 5), "4H", RejectCode.BAD_CARD, "/rounds/0/deal/2"),
        (
            CATCH_FIVE,
            ("rounds", 0, "bids", 1, "held"),
            True,
            RejectCode.UNKNOWN_FIELD,
            "/rounds/0/bids/1/held",
        ),
        (SIXTY_THREE, ("events", 0), ..., RejectCode.BAD_VALUE, "/events/0"),
        (SIXTY_THREE, ("events", 1, "amount"), 0, RejectCode.BAD_VALUE, "/events/1/amount"),
        (SIXTY_THREE, ("events", 3, "a"), "double", RejectCode.BAD_VALUE, "/events/3/a"),
        (SIXTY_THREE, ("events", 3, "why"), "?", RejectCode.UNKNOWN_FIELD, "/events/3/why"),
        (SIXTY_THREE, ("events", 3), {"shuffle": 1}, RejectCode.BAD_VALUE, "/events/3"),
        (SIXTY_THREE, ("events", 16, "bid"), ..., RejectCode.MISSING_FIELD, "/events/16/bid"),
        (SIXTY_THREE, ("events", 17), ..., RejectCode.BAD_VALUE, "/events/20/trickWinner"),
        (SIXTY_THREE, ("events", 12, "cards", 1), "KC", RejectCode.BAD_CARD, "/events/12/cards"),
        (TWENTY_NINE, ("complete",), None, RejectCode.WRONG_TYPE, "/complete"),
        (TWENTY_NINE, ("revealedAtTrick",), 2, RejectCode.BAD_VALUE, "/revealedAtTrick"),
        (TWENTY_NINE, ("revealedAtTrick",), None, RejectCode.BAD_VALUE, "/revealedAtTrick"),
        (TWENTY_NINE, ("revealedBy",), None, RejectCode.BAD_VALUE, "/revealedBy"),
        (TWENTY_NINE, ("tricks", 0, "plays", 2), ..., RejectCode.BAD_VALUE, "/revealedBy"),
        (TWENTY_NINE, ("trump",), "N", RejectCode.BAD_VALUE, "/trump"),
    ],
)
def test_a_record_that_does_not_fit_is_refused_where_it_does_not(
    name: str,
    path: tuple[str | int, ...],
    value: object,
    code: RejectCode,
    pointer: str,
    tmp_path: Path,
) -> None:
    line = json.dumps(changed(RECORDS[name], path, value)).encode()
    reject = reject_of(name, tmp_path, line)
    assert (reject.line, reject.code, reject.pointer) == (1, code, pointer)
    assert reject.message
    assert reject.hint
    assert reject.text == line


def test_a_reject_points_at_the_byte(tmp_path: Path) -> None:
    good = json.dumps(ROUND).encode()
    bad = json.dumps({**ROUND, "trump": "N"}).encode()
    items = converted(TWENTY_NINE, tmp_path, good, b"", bad)
    reject = items[2].reject
    assert reject is not None
    assert (good + b"\n\n" + bad)[reject.byte :].startswith(b'"trump": "N"')
    assert reject.line == 3


def test_a_hand_number_that_comes_twice_is_refused() -> None:
    twice = {**PIDRO_GAME, "hands": PIDRO_GAME["hands"] * 2}
    with pytest.raises(adapters.ForeignError, match="Hand number 1 comes twice") as error:
        hands_of(PIDRO, twice)
    assert error.value.path == ("hands", 1, "hand")


def test_a_round_number_that_comes_twice_is_refused() -> None:
    twice = {**SIXTY_THREE_GAME, "events": SIXTY_THREE_GAME["events"] * 2}
    with pytest.raises(adapters.ForeignError, match="Hand number 1 comes twice") as error:
        hands_of(SIXTY_THREE, twice)
    assert error.value.path == ("events", len(SIXTY_THREE_GAME["events"]), "round")


@pytest.mark.parametrize("name", ADAPTERS)
def test_text_that_is_no_record_is_refused(name: str, tmp_path: Path) -> None:
    for line, code in (
        (b"{", RejectCode.NOT_JSON),
        (b"[]", RejectCode.WRONG_TYPE),
        (b"null", RejectCode.WRONG_TYPE),
        (b"{}", RejectCode.MISSING_FIELD),
        (b'{"source":"\xff"}', RejectCode.INVALID_UTF8),
        (b'{"source":"\\ud800"}', RejectCode.NOT_JSON),
        (b'{"seed":1e999}', RejectCode.BAD_VALUE),
        (b'{"trump":"D","trump":"S"}', RejectCode.DUPLICATE_KEY),
        (b"[" * 5000, RejectCode.TOO_DEEP),
    ):
        assert reject_of(name, tmp_path, line).code == code, line


def test_a_record_is_refused_when_its_hand_could_not_be_read_again(tmp_path: Path) -> None:
    nested = json.dumps({**ROUND, "x": 0}).replace('"x": 0', '"x": ' + "[" * 63 + "]" * 63)
    reject = reject_of(TWENTY_NINE, tmp_path, nested.encode())
    assert reject.code == RejectCode.TOO_DEEP
    assert "could not be read again" in reject.message
    assert nested.count("[" * MAX_DEPTH) == 0


@pytest.mark.parametrize("word", ["\x1b[31m", "\u2028", "x" * 10_000])
def test_what_a_record_says_cannot_steer_or_flood_the_screen(word: str, tmp_path: Path) -> None:
    for path in (("gameMode",), ("hands", 0, "tricks", 0, word)):
        record = json.dumps(changed(RECORDS[PIDRO], path, word)).encode()
        check_reject(reject_of(PIDRO, tmp_path, record))


def test_an_unreadable_place_is_a_reject(tmp_path: Path) -> None:
    (item,) = adapters.convert(PIDRO, tmp_path / "nowhere.jsonl")
    assert item.reject is not None
    assert item.reject.code == RejectCode.UNREADABLE_FILE


OF_PLACES = {
    RejectCode.UNREADABLE_FILE,
    RejectCode.NO_LOGS,
    RejectCode.DAMAGED_ARCHIVE,
    RejectCode.OTHER_ARCHIVE,
    RejectCode.EXPANDS_TOO_FAR,
}


def test_a_strange_archive_is_refused_as_by_an_audit(tmp_path: Path) -> None:
    def check(bad: BadFile) -> None:
        path = tmp_path / bad.file
        path.write_bytes(bad.content)
        refused = [item.line.reject for item in ingest.audit(path)]
        converted_too = [item.reject for item in adapters.convert(PIDRO, path)]
        assert [each for each in converted_too if each and each.code in OF_PLACES] == [
            each for each in refused if each and each.code in OF_PLACES
        ]

    # Bombs are made out before a line is looked at, by what audits read files with, too.
    check_each([each for each in ARCHIVES if each not in BOMBS[1:]], check, lambda bad: bad.name)


@pytest.mark.parametrize(
    "error", [KeyError("trump"), RecursionError(), AssertionError(), StopIteration("x\n" * 999)]
)
def test_an_adapter_that_fails_costs_one_record(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = json.dumps(PIDRO_GAME).encode()
    bad = json.dumps({**PIDRO_GAME, "seed": 13}).encode()
    adapter = ADAPTERS[PIDRO]

    def failing(record: object) -> list[Hand]:
        if isinstance(record, dict) and record["seed"] == 13:
            raise error
        return adapter.convert(record)

    monkeypatch.setitem(installed(), PIDRO, replace(adapter, convert=failing))
    first, failed, last = converted(PIDRO, tmp_path, good, bad, good)
    assert first.hands == last.hands != ()
    reject = failed.reject
    assert reject is not None
    check_reject(reject)
    assert (reject.line, reject.byte, reject.code) == (2, len(good) + 1, "adapter-failed")
    assert reject.text == bad
    assert type(error).__name__ in reject.message


def test_an_unknown_adapter_is_an_error_at_once() -> None:
    with pytest.raises(UnknownAdapterError, match="knybbe-pidro, rlcard-29, sixty-three"):
        adapters.convert("pidro", "nowhere")


def test_the_counts_say_what_became_of_every_record(tmp_path: Path) -> None:
    counts = ConvertCounts()
    lines = [json.dumps(PIDRO_GAME).encode(), b"", b"{}", b"  ", json.dumps(PIDRO_GAME).encode()]
    for item in converted(PIDRO, tmp_path, *lines):
        counts.add(item)
    assert counts == ConvertCounts(records=3, converted=2, rejected=1, hands=2)


# --- Records made to cost much


def repeated(record: Record, path: tuple[str | int, ...], part: object) -> bytes:
    """The record with this part again and again in one of its lists, as long as a line may be."""
    size = MAX_LINE - len(json.dumps(record)) - 100
    return json.dumps(
        changed(record, path, [part] * (size // (len(json.dumps(part)) + 2)))
    ).encode()


OTHER_LISTS = pytest.mark.thorough("another list of the same record, read by the same code")


@pytest.mark.parametrize(
    ("name", "path", "part"),
    [
        (PIDRO, ("hands",), PIDRO_GAME["hands"][0]),
        pytest.param(*(PIDRO, ("hands", 0, "bids"), {"seat": 1, "bid": None}), marks=OTHER_LISTS),
        pytest.param(*(PIDRO, ("hands", 0, "dump", 0), "5D"), marks=OTHER_LISTS),
        (CATCH_FIVE, ("rounds", 0, "trumpDiscards"), {"seat": 1, "card": "5D"}),
        (SIXTY_THREE, ("events",), SIXTY_THREE_GAME["events"][0]),
        pytest.param(
            *(SIXTY_THREE, ("events",), {"a": "discard", "seat": 1, "cards": ["5D"] * 50}),
            marks=OTHER_LISTS,
        ),
        pytest.param(*(SIXTY_THREE, ("events",), {"a": "pass", "seat": 1}), marks=OTHER_LISTS),
        (TWENTY_NINE, ("bids",), {"seat": 1, "bid": None}),
    ],
)
def test_a_record_full_of_one_thing_costs_little(
    name: str, path: tuple[str | int, ...], part: object, tmp_path: Path
) -> None:
    text = repeated(RECORDS[name], path, part)
    if path == ("events",):
        first = json.dumps(SIXTY_THREE_GAME["events"][0]).encode()
        text = text.replace(b'"events": [', b'"events": [' + first + b", ", 1)
    start = time.process_time()
    (item,) = converted(name, tmp_path, text)
    if item.reject:
        check_reject(item.reject)
    # Of the processor, and a hundred times what it takes: work that grows with the square.
    assert time.process_time() - start < 60


# --- Whatever a log holds

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(0, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["5D", "10H", "JK", 10**30, "classic", "D", "South wins the trick"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    members: Any = ()
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    for key, member in members:
        yield (*path, key)
        yield from places(member, (*path, key))


@st.composite
def damaged_records(draw: st.DrawFn, name: str) -> Record:
    record = RECORDS[name]
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(places(record))))
        value = draw(st.just(...) | json_values)
        record = changed(record, path, value)
        if not record:
            break
    return record


@pytest.mark.parametrize("name", ADAPTERS)
@settings(max_examples=scaled(25))
@given(data=st.data())
def test_a_damaged_record_gives_sound_hands_or_one_reject(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    record = data.draw(damaged_records(name))
    line = json.dumps(record).encode()
    (item,) = converted(name, tmp_path_factory.getbasetemp(), line)
    assert bool(item.hands) != (item.reject is not None)
    assert item.reject is None or item.reject.code != RejectCode.ADAPTER_FAILED
    for hand in item.hands:
        assert parse_line(encode_hand(hand)) == hand
        replay(hand)
    if item.reject is not None:
        assert item.reject.message
        found: Any = record
        steps = item.reject.pointer.split("/")[1:]
        for step in steps[: -1 if item.reject.code == RejectCode.MISSING_FIELD else None]:
            key = step.replace("~1", "/").replace("~0", "~")
            found = found[int(key) if isinstance(found, list) else key]
