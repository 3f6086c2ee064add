"""Records over several lines: put together by a key, whole or told, in bounded memory."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.event_logs import EVENTS, HANDS, as_lines, events_of, is_end, mixed, write_events
from tests.kit.tiers import scaled
from tricklog.core import replay
from tricklog.ingest.adapters import Conversion, Converted, GroupBy
from tricklog.ingest.adapters.converting import convert_with
from tricklog.ingest.adapters.grouping import End, Grouper, Held
from tricklog.ingest.adapters.recognising import recognise
from tricklog.ingest.adapters.registry import installed
from tricklog.ingest.reading.rejects import RejectCode
from tricklog.schemas.hand import encode_hand


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
def test_in_whatever_portions_lines_come_records_are_the_same(
    dice: random.Random, size: int
) -> None:
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
        RejectCode.MISSING_FIELD,
        RejectCode.WRONG_TYPE,
        RejectCode.ADAPTER_FAILED,
        RejectCode.MISSING_FIELD,
        RejectCode.NOT_JSON,
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
    found = recognise(lines, [*installed().values(), EVENTS])
    assert found.adapter == EVENTS
    assert (found.records, found.converted, found.is_sure) == (len(HANDS), len(HANDS), True)
    unfinished = recognise(as_lines(events_of(HANDS[0])[:-1]), [EVENTS])
    assert unfinished.adapter == EVENTS
    assert not unfinished.is_sure
    twice = recognise(lines, [EVENTS, replace(EVENTS, name="others")])
    assert not twice.is_sure
    assert "several adapters can read it: events, others" in twice.sentence
