"""Adapters: foreign records, whose log a file is, adapters of other packages, grouped records."""

import json
import os
import random
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import check_reject
from tests.kit.any_hand import json_of
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
from tests.kit.log_lines import reject_of
from tests.kit.plugins import GOOD, installed_from, put_package
from tests.kit.rule_cases import rows_in
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


def converted(name: str, folder: Path, *records: Record | bytes) -> list[Converted]:
    path = folder / "foreign.jsonl"
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in records]
    path.write_bytes(b"\n".join(lines))
    return list(adapters.convert(name, path))


def converted_reject(name: str, folder: Path, record: Record | bytes) -> Reject:
    (item,) = converted(name, folder, record)
    assert item.hands == ()
    return reject_of(item)


# --- Rejects
@pytest.mark.parametrize(
    ("name", "at", "value", "code", "pointer"),
    rows_in(Path(__file__).with_name("refused_records.txt")),
)
def test_a_record_that_does_not_fit_is_refused_where_it_does_not(
    name: str, at: str, value: str, code: str, pointer: str, tmp_path: Path
) -> None:
    path = tuple(int(step) if step.isdigit() else step for step in at.split("/")[1:])
    other = json.loads(value) if value else ...
    line = json.dumps(changed(RECORDS[name], path, other)).encode()
    reject = converted_reject(name, tmp_path, line)
    assert (reject.line, reject.code, reject.pointer) == (1, code, pointer or at)
    assert reject.message
    assert reject.hint
    assert reject.text == line


def test_a_reject_points_at_the_byte(tmp_path: Path) -> None:
    good, bad = (json.dumps(each).encode() for each in (ROUND, {**ROUND, "trump": "N"}))
    reject = reject_of(converted(TWENTY_NINE, tmp_path, good, b"", bad)[2])
    assert (good + b"\n\n" + bad)[reject.byte :].startswith(b'"trump": "N"')
    assert reject.line == 3


@pytest.mark.parametrize(
    ("name", "key", "number"), [(PIDRO, "hands", "hand"), (SIXTY_THREE, "events", "round")]
)
def test_a_number_that_comes_twice_is_refused(name: str, key: str, number: str) -> None:
    once = RECORDS[name][key]
    with pytest.raises(adapters.ForeignError, match="Hand number 1 comes twice") as error:
        hands_of(name, {**RECORDS[name], key: once * 2})
    assert error.value.path == (key, len(once), number)


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
        assert converted_reject(name, tmp_path, line).code == code, line


def test_a_record_is_refused_when_its_hand_could_not_be_read_again(tmp_path: Path) -> None:
    nested = json.dumps({**ROUND, "x": 0}).replace('"x": 0', '"x": ' + "[" * 63 + "]" * 63)
    reject = converted_reject(TWENTY_NINE, tmp_path, nested.encode())
    assert reject.code == RejectCode.TOO_DEEP
    assert "could not be read again" in reject.message
    assert nested.count("[" * MAX_DEPTH) == 0


@pytest.mark.parametrize("word", ["\x1b[31m", "\u2028", "x" * 10_000])
def test_what_a_record_says_cannot_steer_or_flood_the_screen(word: str, tmp_path: Path) -> None:
    for path in (("gameMode",), ("hands", 0, "tricks", 0, word)):
        check_reject(converted_reject(PIDRO, tmp_path, changed(PIDRO_GAME, path, word)))


OF_PLACES = {
    *(RejectCode.UNREADABLE_FILE, RejectCode.NO_LOGS, RejectCode.DAMAGED_ARCHIVE),
    *(RejectCode.OTHER_ARCHIVE, RejectCode.EXPANDS_TOO_FAR),
}


def test_a_strange_archive_is_refused_as_by_an_audit(tmp_path: Path) -> None:
    (item,) = adapters.convert(PIDRO, tmp_path / "nowhere.jsonl")
    assert reject_of(item).code == RejectCode.UNREADABLE_FILE

    def check(bad: BadFile) -> None:
        path = tmp_path / bad.file
        path.write_bytes(bad.content)
        here = [item.line.reject for item in ingest.audit(path)]
        there = [item.reject for item in adapters.convert(PIDRO, path)]
        assert [each for each in there if each and each.code in OF_PLACES] == [
            each for each in here if each and each.code in OF_PLACES
        ]

    # Bombs are made out before a line is looked at, by what audits read files with, too.
    check_each([each for each in ARCHIVES if each not in BOMBS[1:]], check, lambda bad: bad.name)


@pytest.mark.parametrize(
    "error", [KeyError("trump"), RecursionError(), AssertionError(), StopIteration("x\n" * 999)]
)
def test_an_adapter_that_fails_costs_one_record(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = (json.dumps(PIDRO_GAME | {"seed": seed}).encode() for seed in (7, 13))
    adapter = ADAPTERS[PIDRO]

    def failing(record: object) -> list[Hand]:
        if isinstance(record, dict) and record["seed"] == 13:
            raise error
        return adapter.convert(record)

    monkeypatch.setitem(installed(), PIDRO, replace(adapter, convert=failing))
    first, failed, last = converted(PIDRO, tmp_path, good, bad, good)
    assert first.hands == last.hands != ()
    reject = reject_of(failed)
    check_reject(reject)
    assert (reject.line, reject.byte, reject.code) == (2, len(good) + 1, "adapter-failed")
    assert reject.text == bad
    assert type(error).__name__ in reject.message


def test_the_counts_say_what_became_of_every_record(tmp_path: Path) -> None:
    counts = ConvertCounts()
    for item in converted(PIDRO, tmp_path, PIDRO_GAME, b"", b"{}", b"  ", PIDRO_GAME):
        counts.add(item)
    assert counts == ConvertCounts(records=3, converted=2, rejected=1, hands=2)


# --- Records made to cost much
OTHER_LISTS = pytest.mark.thorough("another list of the same record, read by the same code")
DISCARDS = {"a": "discard", "seat": 1, "cards": ["5D"] * 50}


@pytest.mark.parametrize(
    ("name", "path", "part"),
    [
        (PIDRO, ("hands",), PIDRO_GAME["hands"][0]),
        pytest.param(*(PIDRO, ("hands", 0, "bids"), {"seat": 1, "bid": None}), marks=OTHER_LISTS),
        pytest.param(*(PIDRO, ("hands", 0, "dump", 0), "5D"), marks=OTHER_LISTS),
        (CATCH_FIVE, ("rounds", 0, "trumpDiscards"), {"seat": 1, "card": "5D"}),
        (SIXTY_THREE, ("events",), SIXTY_THREE_GAME["events"][0]),
        pytest.param(*(SIXTY_THREE, ("events",), DISCARDS), marks=OTHER_LISTS),
        pytest.param(*(SIXTY_THREE, ("events",), {"a": "pass", "seat": 1}), marks=OTHER_LISTS),
        (TWENTY_NINE, ("bids",), {"seat": 1, "bid": None}),
    ],
)
def test_a_record_full_of_one_thing_costs_little(
    name: str, path: tuple[str | int, ...], part: object, tmp_path: Path
) -> None:
    """The part again and again in one of the lists, as long as a line may be."""
    room = MAX_LINE - len(json.dumps(RECORDS[name])) - 100
    parts = [part] * (room // (len(json.dumps(part)) + 2))
    first = SIXTY_THREE_GAME["events"][:1] if path == ("events",) else []
    record = changed(RECORDS[name], path, [*first, *parts])
    start = time.process_time()
    (item,) = converted(name, tmp_path, record)
    if item.reject:
        check_reject(item.reject)
    # Of the processor, and a hundred times what it takes: work that grows with the square.
    assert time.process_time() - start < 60


# --- Whatever a log holds
WORDS = ["5D", "10H", "JK", 10**30, "classic", "D", "South wins the trick"]
VALUES = json_of(st.sampled_from(WORDS) | st.integers(0, 9))


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    members: Any = ()
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    for key, member in members:
        yield (*path, key)
        yield from places(member, (*path, key))


@pytest.mark.parametrize("name", ADAPTERS)
@settings(max_examples=scaled(25))
@given(data=st.data())
def test_a_damaged_record_gives_sound_hands_or_one_reject(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    record = RECORDS[name]
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(places(record))))
        record = changed(record, path, data.draw(st.just(...) | VALUES))
        if not record:
            break
    (item,) = converted(name, tmp_path_factory.getbasetemp(), record)
    assert bool(item.hands) != (item.reject is not None)
    for hand in item.hands:
        assert parse_line(encode_hand(hand)) == hand
        replay(hand)
    if item.reject is not None:
        assert item.reject.code != RejectCode.ADAPTER_FAILED
        assert item.reject.message
        found: Any = record
        steps = item.reject.pointer.split("/")[1:]
        for step in steps[: -1 if item.reject.code == RejectCode.MISSING_FIELD else None]:
            key = step.replace("~1", "/").replace("~0", "~")
            found = found[int(key) if isinstance(found, list) else key]


# --- Whose log a file is
def seen(path: Path, *records: Record | bytes) -> recognising.Recognised:
    return recognising.recognise(read(write_events(path, records)))


@pytest.mark.parametrize("name", sorted(ADAPTERS))
def test_the_logs_of_each_program_are_known_for_sure_and_damaged_ones_by_their_fields(
    name: str, tmp_path: Path
) -> None:
    log, record = tmp_path / "log.jsonl", RECORDS[name]
    found = seen(log, b"", record, record)
    assert found.adapter is ADAPTERS[name]
    assert (found.records, found.own, found.shaped, found.converted) == (2, 0, 2, 2)
    assert found.is_sure
    assert "can read all of the first 2 records" in found.sentence
    key = next(each for each in ("events", "rounds", "hands", "tricks") if each in record)
    damaged = record | {key: "nothing of the kind"}
    for records, shaped, told in (
        ([damaged], (1, 0), "may be damaged"),
        ([damaged, record], (2, 1), "1 of the first 2 records, so this is likely"),
    ):
        found = seen(log, *records)
        assert found.adapter is ADAPTERS[name]
        assert (found.shaped, found.converted) == shaped
        assert not found.is_sure
        assert told in found.sentence


def test_real_logs_are_known_for_sure(shared_dir: Path) -> None:
    found = recognising.recognise_logs(shared_dir / "real")
    assert len(found) == len(ADAPTERS)
    for name, each in found.items():
        assert each.adapter is not None
        assert Path(name).name.startswith(each.adapter.name)
        assert each.is_sure
        assert each.records == recognising.FIRST


def test_hand_logs_are_own_even_where_a_hand_is_wrong(tmp_path: Path) -> None:
    hand = encode_hand(next(iter(core.generate("pedro", 1, seed=1))))
    found = seen(tmp_path / "log.jsonl", hand, b'{"format": "tricklog/1"}')
    assert found.is_own
    assert found.adapter is None
    found = seen(tmp_path / "log.jsonl", hand, RECORDS["sixty-three"])
    assert found.is_mixed
    assert not found.is_own
    assert found.is_sure
    assert "1 of the first records are Tricklog" in found.sentence


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
    found = seen(tmp_path / "log.jsonl", line)
    assert found.adapter is None
    assert not found.is_own
    assert said in found.sentence


@pytest.mark.posix
def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    log = write_events(tmp_path / "log.jsonl", [ROUND])
    found = recognising.recognise_logs(tmp_path / "pipe", "-", tmp_path / "none", log)
    assert list(found) == [str(log)]


def test_logs_are_taken_together_only_when_all_are_alike(tmp_path: Path) -> None:
    one, two = seen(tmp_path / "a", ROUND), seen(tmp_path / "b", ROUND, ROUND)
    other, empty = seen(tmp_path / "c", SIXTY_THREE_GAME), seen(tmp_path / "d")
    together = recognising.taken_together([one, empty, two])
    assert together is not None
    assert (together.records, together.converted, together.adapter) == (3, 3, one.adapter)
    assert recognising.taken_together([one, other]) is None
    assert recognising.taken_together([empty]) is None


def test_lines_that_could_not_be_read_are_recognised(tmp_path: Path) -> None:
    path = write_events(tmp_path / "log.jsonl", [b"oops", PIDRO_GAME])
    found = recognising.recognise_rejects([line.reject for line in read(path) if line.reject])
    assert found.adapter is ADAPTERS[PIDRO]
    # What is no JSON is no record of any program.
    assert (found.records, found.converted) == (1, 1)


# --- Records over several lines
def hands(items: Sequence[Converted]) -> list[bytes]:
    return sorted(encode_hand(hand) for item in items for hand in item.hands)


@settings(max_examples=scaled(20))
@given(st.randoms(use_true_random=False), st.integers(1, 20))
def test_however_games_are_mixed_and_cut_into_portions_each_hand_is_whole(
    dice: random.Random, size: int
) -> None:
    lines = as_lines(mixed(dice, *map(events_of, HANDS)))
    conversion = Conversion(EVENTS)
    items = list(conversion.take(lines))
    assert hands(items) == sorted(map(encode_hand, HANDS))
    assert list(conversion.rest()) == []
    for item in items:
        assert (item.line, item.byte) == item.parts[0][1:]
        assert len(item.parts) == len(item.hands[0].actions) + 2
    assert replay(items[0].hands[0]).verdict == "valid"
    portions, conversion = range(0, len(lines), size), Conversion(EVENTS)
    taken = [item for start in portions for item in conversion.take(lines[start : start + size])]
    assert taken == items


def test_a_record_without_an_end_is_told_with_all_of_its_lines(tmp_path: Path) -> None:
    whole, open_game = events_of(HANDS[0]), events_of(HANDS[1])[:-1]
    events = mixed(random.Random(3), whole, open_game)
    path = write_events(tmp_path / "log.jsonl", events)
    *_, last = convert_with(EVENTS, path)
    reject = reject_of(last)
    assert reject.code == RejectCode.UNFINISHED_RECORD
    assert f"{len(open_game)} lines, and its end is missing" in reject.message
    places = [number for number, each in enumerate(events, 1) if each["game"] == HANDS[1].id]
    assert [part.line for part in reject.parts] == places
    text = path.read_bytes()
    kept = [text[part.byte :].partition(b"\n")[0] for part in reject.parts]
    assert b"\n".join(kept) == reject.text


def test_trouble_in_one_line_is_told_at_its_place(tmp_path: Path) -> None:
    events = events_of(HANDS[0])
    del events[7]["text"]
    path = write_events(tmp_path / "log.jsonl", [*events, *events_of(HANDS[1])])
    failed, converted = convert_with(EVENTS, path)
    assert converted.hands == (HANDS[1],)
    reject = reject_of(failed)
    assert (reject.line, reject.pointer, reject.byte) == (8, "/7", reject.parts[7].byte)
    assert len(reject.parts) == len(events)


def test_lines_that_belong_nowhere_are_refused_one_by_one(tmp_path: Path) -> None:
    strange: list[Any] = [{"event": "end"}, {"game": 1.5, "event": "end"}, {"game": "a"}, [1]]
    path = write_events(tmp_path / "log.jsonl", [*events_of(HANDS[0]), *strange, b"{", b""])
    items = list(convert_with(EVENTS, path))
    assert [item.reject.code.value for item in items if item.reject] == [
        *("missing-field", "wrong-type", "adapter-failed", "missing-field", "not-json")
    ]
    assert hands(items) == [encode_hand(HANDS[0])]


def test_a_record_ends_with_its_file_unless_the_adapter_says_otherwise(tmp_path: Path) -> None:
    events = events_of(HANDS[0])
    by = GroupBy(key=lambda line: line.get("game"), ends=is_end)
    path = write_events(tmp_path / "log.jsonl", [{"event": "tick"}, *events])
    tick, whole = convert_with(replace(EVENTS, group_by=by), path)
    # Lines of no record are passed over.
    assert (tick.hands, tick.reject, tick.line) == ((), None, 1)
    assert whole.hands == (HANDS[0],)
    paths = write_events(tmp_path / "a", events[:9]), write_events(tmp_path / "b", events[9:])
    first, second = convert_with(EVENTS, *paths)
    assert reject_of(first).code == RejectCode.UNFINISHED_RECORD
    assert reject_of(second).message == "It has no beginning."
    by = GroupBy(key="game", ends=is_end, across_files=True)
    (whole,) = convert_with(replace(EVENTS, group_by=by), *paths)
    assert whole.hands == (HANDS[0],)
    assert {part.file for part in whole.parts} == set(map(str, paths))


def test_what_is_open_is_bounded_and_what_is_given_up_is_told() -> None:
    grouper = Grouper(GroupBy("game", is_end), most_open=25_000)
    events = [event for hand in HANDS for event in events_of(hand)[:-1]]
    fed = map(grouper.feed, as_lines(events), events)
    ended = [record for records in fed for record in records or []]
    assert [each.end for each in ended] == [End.GIVEN_UP] * len(ended)
    assert [each.key for each in ended] == [hand.id for hand in HANDS[: len(ended)]]
    assert 0 < len(ended) < len(HANDS)
    assert grouper.open_records == len(HANDS) - len(ended)
    # A record without end does not fill the memory.
    grouper = Grouper(GroupBy("game", is_end), most_record=5_000)
    line, end = {"game": "a", "event": "x" * 100}, {"game": "a", "event": "end"}
    given_up = [grouper.feed(each, line) or [] for each in as_lines([line] * 1_000)]
    assert [each.end for records in given_up for each in records] == [End.TOO_LONG]
    assert grouper.open_records == 0
    (last,) = as_lines([end])
    assert grouper.feed(last, end) == []
    # The next record of that name is a record again.
    assert [each.end for each in grouper.feed(last, end) or []] == [End.COMPLETE]


def test_it_is_known_from_where_on_lines_are_still_needed() -> None:
    events = mixed(random.Random(1), events_of(HANDS[0]), events_of(HANDS[1])[:-1])
    lines = as_lines(events)
    conversion = Conversion(EVENTS)
    list(conversion.take(lines, "here"))
    first = next(number for number, each in enumerate(events) if each["game"] == HANDS[1].id)
    held = Held(first + 1, lines[first].byte, {HANDS[1].id: lines[first].byte})
    assert conversion.held() == {"here": held}
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
    (tmp_path / "packages").mkdir()
    return tmp_path / "packages"


def good(name: str, contract: int = 1) -> str:
    return GOOD.format(name=name, contract=contract)


def trouble_of(name: str, package: str | None = None) -> str:
    (found,) = [each for each in listed() if each.name == name and package in (None, each.package)]
    assert (found.adapter is None) == bool(found.trouble)
    return found.trouble


def test_our_own_adapters_come_in_by_the_same_door(repository: Path) -> None:
    with pytest.raises(UnknownAdapterError, match=", ".join(adapters.ADAPTERS)):
        adapters.convert("pidro", "nowhere")
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    assert list(adapters.ADAPTERS) == sorted(project["entry-points"]["tricklog.adapters"])
    for each in listed():
        assert (each.package, each.trouble) == ("tricklog", "")
        assert each.adapter is not None
        assert each.adapter.contract == adapters.CONTRACT


def test_an_adapter_of_another_package_is_found(packages: Path) -> None:
    put_package(packages, "club_package", good("our-club"), our_club="club_package:ADAPTER")
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
        (good("bad", 7), "version 7 of the contract"),
        (good("bad", 7), "Upgrade Tricklog"),
        (good("bad", 0), "Install a later version of the package"),
        (good("good"), "calls itself 'good'"),
        (good("bad").replace("Line, ", "msgspec.Struct, "), "no required field"),
        (good("bad").replace("Line, ", "int, "), "cannot be imported"),
        (good("bad").replace("base.convert", "None"), "is no function"),
        (good("bad").replace("t=1", "t=1, group_by='x'"), "is no tricklog.adapters.GroupBy"),
    ],
)
def test_an_unusable_one_is_named_and_does_no_harm(packages: Path, source: str, said: str) -> None:
    put_package(packages, "bad_package", source, bad="bad_package:ADAPTER")
    with installed_from(packages):
        assert said in trouble_of("bad")
        assert set(installed()) == {each.name for each in listed() if each.package == "tricklog"}
        with pytest.raises(UnknownAdapterError, match=r"bad of bad_package 1\.2 cannot be used"):
            adapters.convert("bad", "nowhere")


def test_names_of_two_or_of_ours_or_that_nobody_can_have_are_refused(packages: Path) -> None:
    for package in ("club_a", "club_b"):
        put_package(packages, package, good("our-club"), our_club=f"{package}:ADAPTER")
    put_package(packages, "club_c", good("rlcard-29"), rlcard_29="club_c:ADAPTER")
    put_package(packages, "bad", good("Our:Club"), **{"Our:Club": "bad:ADAPTER"})
    with installed_from(packages):
        (found,) = [each for each in listed() if each.package == "bad"]
        assert found.trouble
        for package in ("club_a", "club_b"):
            said = trouble_of("our-club", package)
            assert "club_a 1.2" in said
            assert "club_b 1.2" in said
        assert "our-club" not in installed()
        assert "tricklog" in trouble_of("rlcard-29", "club_c")
        assert trouble_of("rlcard-29", "tricklog") == ""
        assert installed()["rlcard-29"].program.startswith("Twenty-Nine")
