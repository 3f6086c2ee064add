"""Adapters: foreign records, whose log a file is, adapters of other packages, grouped records."""

import copy
import json
import os
import random
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import check_reject
from tests.kit.bad_lines import ARCHIVES, BOMBS, BadFile
from tests.kit.event_logs import EVENTS, HANDS, as_lines, events_of, is_end, mixed, write_events
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
from tests.kit.plugins import GOOD, installed_from, put_package
from tests.kit.tiers import check_each, scaled
from tricklog import Hand, Reject, RejectCode, core, encode_hand, ingest, replay
from tricklog.ingest import adapters
from tricklog.ingest.adapters import (
    ADAPTERS,
    Conversion,
    ConvertCounts,
    Converted,
    GroupBy,
    UnknownAdapterError,
    recognising,
)
from tricklog.ingest.adapters.converting import End, Grouper, Held, convert_with
from tricklog.ingest.adapters.registry import adapter_named, installed, listed
from tricklog.ingest.reading.json_positions import MAX_DEPTH
from tricklog.ingest.reading.reader import MAX_LINE, parse_line, read


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
    *(RejectCode.UNREADABLE_FILE, RejectCode.NO_LOGS, RejectCode.DAMAGED_ARCHIVE),
    *(RejectCode.OTHER_ARCHIVE, RejectCode.EXPANDS_TOO_FAR),
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


# --- Whose log a file is
def write(path: Path, *records: object) -> Path:
    lines = [each if isinstance(each, bytes) else msgspec.json.encode(each) for each in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def seen(path: Path) -> recognising.Recognised:
    return recognising.recognise(read(path))


@pytest.mark.parametrize("name", sorted(ADAPTERS))
def test_the_logs_of_each_program_are_known_for_sure(name: str, tmp_path: Path) -> None:
    found = seen(write(tmp_path / "log.jsonl", b"", RECORDS[name], RECORDS[name]))
    assert found.adapter is ADAPTERS[name]
    assert (found.records, found.own, found.shaped, found.converted) == (2, 0, 2, 2)
    assert found.is_sure
    assert "can read all of the first 2 records" in found.sentence


def test_real_logs_are_known_for_sure(shared_dir: Path) -> None:
    found = recognising.recognise_logs(shared_dir / "real")
    assert len(found) == len(ADAPTERS)
    for name, each in found.items():
        assert each.adapter is not None
        assert Path(name).name.startswith(each.adapter.name)
        assert each.is_sure
        assert each.records == recognising.FIRST


@pytest.mark.parametrize("name", sorted(ADAPTERS))
def test_a_damaged_log_is_known_by_its_fields(name: str, tmp_path: Path) -> None:
    damaged = copy.deepcopy(RECORDS[name])
    key = next(each for each in ("events", "rounds", "hands", "tricks") if each in damaged)
    damaged[key] = "nothing of the kind"
    found = seen(write(tmp_path / "log.jsonl", damaged))
    assert found.adapter is ADAPTERS[name]
    assert (found.shaped, found.converted) == (1, 0)
    assert not found.is_sure
    assert "may be damaged" in found.sentence
    found = seen(write(tmp_path / "log.jsonl", damaged, RECORDS[name]))
    assert found.adapter is ADAPTERS[name]
    assert not found.is_sure
    assert "1 of the first 2 records, so this is likely" in found.sentence


def test_hand_logs_are_own_even_where_a_hand_is_wrong(tmp_path: Path) -> None:
    hand = encode_hand(next(iter(core.generate("pedro", 1, seed=1))))
    found = seen(write(tmp_path / "log.jsonl", hand, b'{"format": "tricklog/1"}'))
    assert found.is_own
    assert found.adapter is None
    mixed = seen(write(tmp_path / "log.jsonl", hand, RECORDS["sixty-three"]))
    assert mixed.is_mixed
    assert not mixed.is_own
    assert mixed.is_sure
    assert "1 of the first records are Tricklog" in mixed.sentence


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"Ann bids 9", "no JSON objects"),
        (b"[]", "no JSON objects"),
        (b"\xff\xfe{}", "no JSON objects"),
        (b"{" * 2000, "no JSON objects"),
        (b'{"moves": 1, "b": 2}', "the fields moves, b, which no adapter knows"),
        (b'{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}', "f, …, which"),
        (b'{"\\u202eabc": 1}', "the fields abc,"),
        (b"", "no records"),
    ],
)
def test_what_nobody_knows_is_said_to_be_so(line: bytes, said: str, tmp_path: Path) -> None:
    found = seen(write(tmp_path / "log.jsonl", line))
    assert found.adapter is None
    assert not found.is_own
    assert said in found.sentence


@pytest.mark.posix
def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    write(tmp_path / "log.jsonl", RECORDS["rlcard-29"])
    found = recognising.recognise_logs(
        tmp_path / "pipe", "-", tmp_path / "none", tmp_path / "log.jsonl"
    )
    assert list(found) == [str(tmp_path / "log.jsonl")]


def test_logs_are_taken_together_only_when_all_are_alike(tmp_path: Path) -> None:
    one = seen(write(tmp_path / "a", RECORDS["rlcard-29"]))
    two = seen(write(tmp_path / "b", RECORDS["rlcard-29"], RECORDS["rlcard-29"]))
    other = seen(write(tmp_path / "c", RECORDS["sixty-three"]))
    empty = seen(write(tmp_path / "d"))
    together = recognising.taken_together([one, empty, two])
    assert together is not None
    assert (together.records, together.converted, together.adapter) == (3, 3, one.adapter)
    assert recognising.taken_together([one, other]) is None
    assert recognising.taken_together([empty]) is None


def test_lines_that_could_not_be_read_are_recognised(tmp_path: Path) -> None:
    path = write(tmp_path / "log.jsonl", b"oops", RECORDS["knybbe-pidro"])
    rejects = [line.reject for line in read(path) if line.reject]
    found = recognising.recognise_rejects(rejects)
    assert found.adapter is ADAPTERS["knybbe-pidro"]
    # What is no JSON is no record of any program.
    assert (found.records, found.converted) == (1, 1)


# --- Records over several lines
def hands(items: Sequence[Converted]) -> list[bytes]:
    return sorted(encode_hand(hand) for item in items for hand in item.hands)


@settings(max_examples=scaled(20))
@given(st.randoms(use_true_random=False))
def test_however_games_are_mixed_each_hand_is_whole(dice: random.Random) -> None:
    lines = as_lines(mixed(dice, *map(events_of, HANDS)))
    conversion = Conversion(EVENTS)
    items = list(conversion.take(lines))
    assert hands(items) == sorted(map(encode_hand, HANDS))
    assert list(conversion.rest()) == []
    for item in items:
        assert (item.line, item.byte) == item.parts[0][1:]
        assert len(item.parts) == len(item.hands[0].actions) + 2
    assert replay(items[0].hands[0]).verdict == "valid"


@settings(max_examples=scaled(20))
@given(st.randoms(use_true_random=False), st.integers(1, 20))
def test_in_any_portions_of_lines_records_are_the_same(dice: random.Random, size: int) -> None:
    lines = as_lines(mixed(dice, *map(events_of, HANDS)))
    conversion = Conversion(EVENTS)
    items = [
        item
        for start in range(0, len(lines), size)
        for item in conversion.take(lines[start : start + size])
    ]
    assert items == list(Conversion(EVENTS).take(lines))


def test_a_record_without_an_end_is_told_with_all_of_its_lines(tmp_path: Path) -> None:
    whole, open_game = events_of(HANDS[0]), events_of(HANDS[1])[:-1]
    events = mixed(random.Random(3), whole, open_game)
    path = write_events(tmp_path / "log.jsonl", events)
    *_, last = convert_with(EVENTS, path)
    reject = last.reject
    assert reject is not None
    assert reject.code == RejectCode.UNFINISHED_RECORD
    assert f"{len(open_game)} lines, and its end is missing" in reject.message
    assert [part.line for part in reject.parts] == [
        number for number, each in enumerate(events, start=1) if each["game"] == HANDS[1].id
    ]
    text = path.read_bytes()
    kept = [text[part.byte :].partition(b"\n")[0] for part in reject.parts]
    assert b"\n".join(kept) == reject.text


def test_trouble_in_one_line_is_told_at_its_place(tmp_path: Path) -> None:
    events = events_of(HANDS[0])
    del events[7]["text"]
    path = write_events(tmp_path / "log.jsonl", [*events, *events_of(HANDS[1])])
    refused, converted = convert_with(EVENTS, path)
    assert refused.reject is not None
    assert converted.hands == (HANDS[1],)
    assert (refused.reject.line, refused.reject.pointer) == (8, "/7")
    assert refused.reject.byte == refused.reject.parts[7].byte
    assert len(refused.reject.parts) == len(events)


def test_lines_that_belong_nowhere_are_refused_one_by_one(tmp_path: Path) -> None:
    strange: list[Any] = [
        {"event": "end"},
        {"game": 1.5, "event": "end"},
        {"game": "a"},
        [1],
        b"{",
        b"",
    ]
    path = write_events(tmp_path / "log.jsonl", [*events_of(HANDS[0]), *strange])
    items = list(convert_with(EVENTS, path))
    codes = [item.reject.code for item in items if item.reject]
    assert codes == [
        *(RejectCode.MISSING_FIELD, RejectCode.WRONG_TYPE, RejectCode.ADAPTER_FAILED),
        *(RejectCode.MISSING_FIELD, RejectCode.NOT_JSON),
    ]
    assert hands(items) == [encode_hand(HANDS[0])]


def test_lines_of_no_record_are_passed_over(tmp_path: Path) -> None:
    by = GroupBy(key=lambda line: line.get("game"), ends=is_end)
    path = write_events(tmp_path / "log.jsonl", [{"event": "tick"}, *events_of(HANDS[0])])
    tick, whole = convert_with(replace(EVENTS, group_by=by), path)
    assert (tick.hands, tick.reject, tick.line) == ((), None, 1)
    assert whole.hands == (HANDS[0],)


def test_a_record_ends_with_its_file_unless_the_adapter_says_otherwise(tmp_path: Path) -> None:
    events = events_of(HANDS[0])
    paths = write_events(tmp_path / "a", events[:9]), write_events(tmp_path / "b", events[9:])
    first, second = convert_with(EVENTS, *paths)
    assert first.reject is not None
    assert first.reject.code == RejectCode.UNFINISHED_RECORD
    assert second.reject is not None
    assert second.reject.message == "It has no beginning."
    by = GroupBy(key="game", ends=is_end, across_files=True)
    (whole,) = convert_with(replace(EVENTS, group_by=by), *paths)
    assert whole.hands == (HANDS[0],)
    assert {part.file for part in whole.parts} == set(map(str, paths))


def test_what_is_open_is_bounded_and_what_is_given_up_is_told() -> None:
    games = [events_of(hand)[:-1] for hand in HANDS]
    grouper = Grouper(GroupBy("game", is_end), most_open=25_000)
    ended = []
    for line, event in zip(
        as_lines([*games[0], *games[1], *games[2], *games[3]]),
        [*games[0], *games[1], *games[2], *games[3]],
        strict=True,
    ):
        ended += grouper.feed(line, event) or []
    assert [each.end for each in ended] == [End.GIVEN_UP] * len(ended)
    assert [each.key for each in ended] == [hand.id for hand in HANDS[: len(ended)]]
    assert 0 < len(ended) < len(HANDS)
    assert grouper.open_records == len(HANDS) - len(ended)


def test_a_record_without_end_does_not_fill_the_memory() -> None:
    grouper = Grouper(GroupBy("game", is_end), most_record=5_000)
    line = {"game": "a", "event": "x" * 100}
    ended = [
        record for each in as_lines([line] * 1_000) for record in grouper.feed(each, line) or []
    ]
    assert [each.end for each in ended] == [End.TOO_LONG]
    assert grouper.open_records == 0
    (last,) = as_lines([{"game": "a", "event": "end"}])
    assert grouper.feed(last, {"game": "a", "event": "end"}) == []
    # The next record of that name is a record again.
    assert [each.end for each in grouper.feed(last, {"game": "a", "event": "end"}) or []] == [
        End.COMPLETE
    ]


def test_it_is_known_from_where_on_lines_are_still_needed() -> None:
    events = mixed(random.Random(1), events_of(HANDS[0]), events_of(HANDS[1])[:-1])
    lines = as_lines(events)
    conversion = Conversion(EVENTS)
    list(conversion.take(lines, "here"))
    first = next(number for number, each in enumerate(events) if each["game"] == HANDS[1].id)
    assert conversion.held() == {
        "here": Held(first + 1, lines[first].byte, {HANDS[1].id: lines[first].byte})
    }
    assert conversion.open_records == 1


def test_events_are_recognised_by_the_records_they_make() -> None:
    lines = as_lines(mixed(random.Random(5), *map(events_of, HANDS)))
    found = recognising.recognise(lines, [*installed().values(), EVENTS])
    assert found.adapter == EVENTS
    assert (found.records, found.converted, found.is_sure) == (len(HANDS), len(HANDS), True)
    unfinished = recognising.recognise(as_lines(events_of(HANDS[0])[:-1]), [EVENTS])
    assert unfinished.adapter == EVENTS
    assert not unfinished.is_sure
    twice = recognising.recognise(lines, [EVENTS, replace(EVENTS, name="others")])
    assert not twice.is_sure
    assert "several adapters can read it: events, others" in twice.sentence


# --- Adapters of other packages
@pytest.fixture
def packages(tmp_path: Path) -> Path:
    folder = tmp_path / "packages"
    folder.mkdir()
    return folder


def trouble_of(name: str, package: str | None = None) -> str:
    (found,) = [each for each in listed() if each.name == name and package in (None, each.package)]
    assert (found.adapter is None) == bool(found.trouble)
    return found.trouble


def test_our_own_adapters_come_in_by_the_same_door(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    named = project["entry-points"]["tricklog.adapters"]
    assert list(adapters.ADAPTERS) == sorted(named)
    for each in listed():
        assert each.package == "tricklog"
        assert each.trouble == ""
        assert each.adapter is not None
        assert each.adapter.contract == adapters.CONTRACT


def test_an_adapter_of_another_package_is_found(packages: Path) -> None:
    source = GOOD.format(name="our-club", contract=1)
    put_package(packages, "club_package", source, our_club="club_package:ADAPTER")
    with installed_from(packages):
        assert list(installed()) == sorted(installed())
        assert adapter_named("our-club").program == "Tables"
        (found,) = [each for each in listed() if each.name == "our-club"]
        assert (found.package, found.version) == ("club_package", "1.2")
        assert found.adapter is adapter_named("our-club")
    assert "our-club" not in installed()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import a_module_that_is_not_there", "cannot be imported from bad_package:ADAPTER"),
        ("raise SystemExit('I quit')", "SystemExit: I quit"),
        ("1 / 0", "ZeroDivisionError"),
        ("OTHER = 1", "AttributeError"),
        ("ADAPTER = 'rlcard-29'", "a value of type str"),
        (GOOD.format(name="bad", contract=7), "version 7 of the contract"),
        (GOOD.format(name="bad", contract=7), "Upgrade Tricklog"),
        (GOOD.format(name="bad", contract=0), "Install a later version of the package"),
        (GOOD.format(name="good", contract=1), "calls itself 'good'"),
        (
            GOOD.format(name="bad", contract=1).replace("Line, ", "msgspec.Struct, "),
            "no required field",
        ),
        (GOOD.format(name="bad", contract=1).replace("Line, ", "int, "), "cannot be imported"),
        (GOOD.format(name="bad", contract=1).replace("base.convert", "None"), "is no function"),
        (
            GOOD.format(name="bad", contract=1).replace("contract=1", "contract=1, group_by='x'"),
            "is no tricklog.adapters.GroupBy",
        ),
    ],
)
def test_an_unusable_one_is_named_and_does_no_harm(packages: Path, source: str, said: str) -> None:
    put_package(packages, "bad_package", source, bad="bad_package:ADAPTER")
    with installed_from(packages):
        assert said in trouble_of("bad")
        assert set(installed()) == {each.name for each in listed() if each.package == "tricklog"}
        with pytest.raises(UnknownAdapterError, match=r"bad of bad_package 1\.2 cannot be used"):
            adapters.convert("bad", "nowhere")


def test_a_name_no_adapter_can_have_is_refused(packages: Path) -> None:
    source = GOOD.format(name="Our:Club", contract=1)
    put_package(packages, "bad_package", source, **{"Our:Club": "bad_package:ADAPTER"})
    with installed_from(packages):
        (found,) = [each for each in listed() if each.package == "bad_package"]
        assert found.trouble


def test_two_packages_with_one_name_are_both_refused_and_both_named(packages: Path) -> None:
    for package in ("club_a", "club_b"):
        source = GOOD.format(name="our-club", contract=1)
        put_package(packages, package, source, our_club=f"{package}:ADAPTER")
    with installed_from(packages):
        for package in ("club_a", "club_b"):
            said = trouble_of("our-club", package)
            assert "club_a 1.2" in said
            assert "club_b 1.2" in said
        assert "our-club" not in installed()


def test_the_name_of_one_of_ours_cannot_be_taken(packages: Path) -> None:
    source = GOOD.format(name="rlcard-29", contract=1)
    put_package(packages, "club_a", source, rlcard_29="club_a:ADAPTER")
    with installed_from(packages):
        assert "tricklog" in trouble_of("rlcard-29", "club_a")
        assert trouble_of("rlcard-29", "tricklog") == ""
        assert installed()["rlcard-29"].program.startswith("Twenty-Nine")
