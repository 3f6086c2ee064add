"""Adapters: what becomes of a foreign record, and of whatever else a foreign log holds."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest import adapters
from ingest.adapters import ADAPTERS, ConvertCounts, Converted, UnknownAdapterError
from ingest.places import MAX_DEPTH
from ingest.reader import parse_line
from ingest.rejects import Reject, RejectCode
from replay import Verdict, replay
from schemas.hand import Hand, content_hash, encode_hand
from tests.foreign_records import (
    CATCH_FIVE,
    CATCH_FIVE_GAME,
    PIDRO,
    PIDRO_GAME,
    RECORDS,
    ROUND,
    SIXTY_THREE,
    SIXTY_THREE_GAME,
    TWENTY_NINE,
    Record,
    cards,
    changed,
)


def converted(name: str, folder: Path, *lines: bytes) -> list[Converted]:
    path = folder / "foreign.jsonl"
    path.write_bytes(b"\n".join(lines))
    return list(adapters.convert(name, path))


def reject_of(name: str, folder: Path, line: bytes) -> Reject:
    (item,) = converted(name, folder, line)
    assert item.hands == ()
    assert item.reject is not None
    return item.reject


def hands_of(name: str, record: Record) -> list[Hand]:
    return ADAPTERS[name].convert(record)


# --- What a record becomes


def test_a_pidro_hand_reads_as_the_game() -> None:
    (hand,) = hands_of(PIDRO, PIDRO_GAME)
    assert hand.id == "knybbe-pidro:knybbe/pidro@0000000:classic-bots-7:1"
    assert hand.game == "knybbe-pidro:knybbe/pidro@0000000:classic-bots-7"
    assert hand.actions[:17] == [
        "1 pass",
        "2 pass",
        "3 pass",
        "0 bid 6",
        "0 trump D",
        "1 discard 3H 9C 4H KC 3S 7S 6H",
        "2 discard 4S TC JS 4C JH 2S KS",
        "3 discard 3C QC 8S 6S KH TS 2H",
        "0 discard 8C 6C QS TH",
        "1 draw AC 5S QH 9S",
        "2 draw 7H 8H JC 9H",
        "3 draw 2C QD AH 7C",
        "0 rob 5C AD AS 8D",
        "0 discard 5C AS 8D",
        "0 play KD",
        "1 play 6D",
        "2 play 7D",
    ]
    result = replay(hand)
    assert result.verdict == Verdict.VALID
    assert result.outcome is not None
    assert result.outcome.scores == (14, 0)


def test_extras_of_a_pidro_game_go_with_its_first_hand() -> None:
    second = changed(PIDRO_GAME["hands"][0], ("hand",), 2) | {"weather": "snow"}
    first, other = hands_of(PIDRO, {**PIDRO_GAME, "hands": [PIDRO_GAME["hands"][0], second]})
    assert first.ext == {
        PIDRO: {
            "lowHolder": 0,
            "game": {
                "gameMode": "classic",
                "policy": "bots",
                "seed": 7,
                "seats": PIDRO_GAME["seats"],
                "message": "unfinished",
            },
        }
    }
    assert other.ext == {PIDRO: {"lowHolder": 0, "weather": "snow"}}


def test_another_target_becomes_a_house_rule() -> None:
    (hand,) = hands_of(PIDRO, {**PIDRO_GAME, "targetScore": 40})
    assert hand.rules.options == {"target": 40}
    assert replay(hand).ruleset.values["target"] == 40


def test_bots_of_one_name_and_other_settings_are_other_players() -> None:
    harder = changed(PIDRO_GAME, ("seats", 1, "difficulty"), "hard")
    ids = [[player.id for player in hands_of(PIDRO, r)[0].players] for r in (PIDRO_GAME, harder)]
    assert ids[0][1] != ids[1][1]
    assert [*ids[0][:1], *ids[0][2:]] == [*ids[1][:1], *ids[1][2:]]


def test_seats_that_nothing_tells_apart_stay_four_players_without_winners() -> None:
    named_alike = changed(PIDRO_GAME, ("seats", 1, "name"), "South")
    (hand,) = hands_of(PIDRO, named_alike)
    assert len({player.id for player in hand.players}) == 4
    assert hand.claimed
    assert hand.claimed.winners is not None
    assert "winners" not in json.loads(encode_hand(hand))["claimed"]


def test_winners_that_a_message_does_not_name_are_left_open() -> None:
    (hand,) = hands_of(PIDRO, changed(PIDRO_GAME, ("hands", 0, "tricks", 2, "message"), "Well!"))
    assert "winners" not in json.loads(encode_hand(hand))["claimed"]


def test_a_contradiction_is_converted_as_recorded_and_left_to_the_rules() -> None:
    (hand,) = hands_of(PIDRO, changed(PIDRO_GAME, ("hands", 0, "result", "scoresAfter"), [15, 0]))
    assert [finding.pointer for finding in replay(hand).findings] == ["/claimed/scores"]


def test_a_round_is_asked_and_shown_before_the_card() -> None:
    (hand,) = hands_of(TWENTY_NINE, ROUND)
    assert hand.actions == [
        "1 bid 16",
        "2 pass",
        "3 pass",
        "0 pass",
        "1 trump D",
        "1 play TC",
        "2 play 7C",
        "3 ask",
        "1 reveal D",
        "3 play 9H",
        "0 play KC",
    ]
    assert hand.deal == ["? ? ? ? ? ? ? ?"] * 4
    assert hand.ext == {TWENTY_NINE: {"file": "run.log", "matchScoreBefore": [-3, 2]}}


def test_a_maker_who_cannot_follow_shows_without_being_asked() -> None:
    (hand,) = hands_of(TWENTY_NINE, {**ROUND, "bidder": 3})
    assert hand.actions[7:9] == ["3 reveal D", "3 play 9H"]


def test_a_round_that_stops_claims_no_more_than_it_says() -> None:
    (hand,) = hands_of(TWENTY_NINE, ROUND)
    assert hand.status == "in_progress"
    assert json.loads(encode_hand(hand))["claimed"] == {"winners": [1]}
    assert replay(hand).verdict == Verdict.INCOMPLETE


def test_a_round_without_a_shown_trump_has_no_such_action() -> None:
    (hand,) = hands_of(TWENTY_NINE, {**ROUND, "revealedBy": None, "revealedAtTrick": None})
    assert not any(action.split()[1] in {"ask", "reveal"} for action in hand.actions)


def test_a_round_printed_again_is_the_same_hand() -> None:
    (first,) = hands_of(TWENTY_NINE, ROUND)
    (again,) = hands_of(TWENTY_NINE, {**ROUND, "duplicate": True})
    (other,) = hands_of(TWENTY_NINE, {**ROUND, "matchScoreBefore": [-3, 3]})
    assert (first.id, content_hash(first)) == (again.id, content_hash(again))
    assert first.id != other.id


def test_a_catch_five_hand_reads_as_the_game() -> None:
    (hand,) = hands_of(CATCH_FIVE, CATCH_FIVE_GAME)
    assert hand.game == "catch-five-arena:PGD3311/Catch-Five-Arena@0000000:cpu-31-104"
    assert hand.id == f"{hand.game}:1"
    assert hand.stock == "9D TD JH TC 2C QH 4C 8D AD 4S 7H 3D 7D 8H 6S AH"
    assert hand.actions[:15] == [
        "1 bid 5",
        "2 pass",
        "3 pass",
        "0 pass",
        "1 trump S",
        "1 discard 3H 6D 9H 8C",
        "2 discard 4H 6H 5D 5C KH 3C",
        "3 discard 9C 6C TH 4D 2D 2H AC",
        "0 discard 7C QD JC KD QC KC JD 5H",
        "1 draw 9D",
        "2 draw TD JH TC",
        "3 draw 2C QH 4C 8D",
        "0 draw AD 4S 7H 3D 7D",
        "1 play AS",
        "2 play 8S",
    ]
    assert {player.kind for player in hand.players} == {"bot"}
    assert hand.claimed
    assert hand.claimed.winners == [1, 1, 2, 1, 1, 0]


def test_how_the_points_of_catch_five_came_about_is_kept_aside() -> None:
    (hand,) = hands_of(CATCH_FIVE, CATCH_FIVE_GAME)
    assert hand.ext
    kept = hand.ext[CATCH_FIVE]
    assert kept["game"] == {"game": 4, "finalScores": [0, 9], "winner": None}
    assert "teamPoints" not in kept["result"]
    assert kept["result"]["gameCount"] == [16, 31]
    assert (kept["stockAfter"], kept["usedPurgedCards"]) == (["AH", "6S", "8H"], False)


def test_a_trump_too_many_is_laid_off_by_who_held_it() -> None:
    # With seven trumps a seat lays off two plain cards and a trump, and draws nothing.
    at = ("rounds", 0)
    record = changed(CATCH_FIVE_GAME, (*at, "deal", 1), cards("9S KS 7S 3S AS 6S 8S 3H 9H"))
    record = changed(record, (*at, "trumpDiscards"), [{"seat": 1, "card": "3S"}])
    record = changed(record, (*at, "handsAtPlay", 1), cards("9S KS 7S AS 6S 8S"))
    (hand,) = hands_of(CATCH_FIVE, record)
    assert hand.actions[5:7] == ["1 discard 3S 3H 9H", "2 discard 4H 6H 5D 5C KH 3C"]
    assert not any(action.startswith("1 draw") for action in hand.actions)


def test_a_card_laid_off_may_be_drawn_again_from_a_stock_made_up_from_the_discards() -> None:
    record = changed(CATCH_FIVE_GAME, ("rounds", 0, "handsAtPlay", 0, 1), "7C")
    (hand,) = hands_of(CATCH_FIVE, record)
    assert hand.actions[8] == "0 discard 7C QD JC KD QC KC JD 5H"
    assert hand.actions[12] == "0 draw 4S 7H 3D 7D 7C"


def test_seats_that_people_play_for_are_not_called_bots() -> None:
    (hand,) = hands_of(CATCH_FIVE, {**CATCH_FIVE_GAME, "policy": "club", "targetScore": 21})
    assert "kind" not in json.loads(encode_hand(hand))["players"][0]
    assert hand.rules.options
    assert hand.rules.options["target"] == 21


def events_of(hand: Hand, *verbs: str) -> list[str]:
    return [action for action in hand.actions if action.split()[1] in verbs]


def test_a_hand_of_sixty_three_reads_as_the_game() -> None:
    (hand,) = hands_of(SIXTY_THREE, SIXTY_THREE_GAME)
    assert hand.id == "sixty-three:bspaulding/sixty-three@0000000:1002:1"
    assert hand.kitty == "KC 2H 8C 3D 7S"
    assert hand.actions[:16] == [
        "0 bid 25",
        "1 bid 26",
        "2 pass",
        "3 pass",
        "0 bid 28",
        "1 bid 29",
        "0 bid 30",
        "1 pass",
        "0 trump H",
        "0 kitty KC 2H 8C 3D 7S",
        "0 discard KC 8C 3D 7S KS KD 4C 7C TC TD 6S",
        "1 discard 4D QC JD AC 3C JS",
        "2 discard 2S 8S 6C TS 7D 4S",
        "3 discard 6D 9S QD JC 5S 5C",
        "0 play JH",
        "1 play 8H",
    ]
    assert hand.claimed
    assert hand.claimed.winners == [2, 3, 2, 0, 2]
    assert (hand.claimed.points, hand.claimed.change) == ([37, 26], [37, 26])
    assert hand.ext == {
        SIXTY_THREE: {
            "pointsBySeat": [6, 0, 31, 26],
            "game": {"game": 2, "rounds": 1, "over": False, "total": [37, 26]},
        }
    }


def with_events(*events: Record, start: int = 1, end: int = 11) -> Record:
    """The game of Sixty-Three with its calls, or other events, replaced."""
    made = SIXTY_THREE_GAME["events"]
    return {**SIXTY_THREE_GAME, "events": [*made[:start], *events, *made[end:]]}


def test_three_passes_without_a_bid_are_followed_by_the_bid_the_program_gave_the_dealer() -> None:
    record = with_events(*({"a": "pass", "seat": seat} for seat in (0, 1, 2)))
    at_play = next(n for n, event in enumerate(record["events"]) if "atPlay" in event)
    record = changed(record, ("events", at_play, "bidder"), 3)
    record = changed(record, ("events", at_play, "bid"), 25)
    (hand,) = hands_of(SIXTY_THREE, record)
    assert events_of(hand, "bid", "pass") == ["0 pass", "1 pass", "2 pass", "3 bid 25"]


def test_the_others_pass_after_126() -> None:
    calls = ({"a": "pass", "seat": 0}, {"a": "bid", "seat": 1, "amount": 126})
    (hand,) = hands_of(SIXTY_THREE, with_events(*calls))
    assert events_of(hand, "bid", "pass") == ["0 pass", "1 bid 63-double", "2 pass", "3 pass"]


def test_what_is_given_to_the_partner_comes_before_what_he_lays_off() -> None:
    events = SIXTY_THREE_GAME["events"]
    given = (
        events[14],
        {**events[12], "cards": events[12]["cards"][:-1]},
        {"a": "passCards", "seat": 0, "cards": ["6S"]},
        {"a": "discard", "seat": 2, "cards": ["6S"]},
    )
    (hand,) = hands_of(SIXTY_THREE, with_events(*given, start=12, end=16))
    assert events_of(hand, "give", "discard") == [
        "0 give 6S",
        "2 discard 2S 8S 6C TS 7D 4S 6S",
        "0 discard KC 8C 3D 7S KS KD 4C 7C TC TD",
    ]


def test_a_game_of_sixty_three_goes_on_from_its_totals_and_may_stop_in_mid_hand() -> None:
    more = [{**SIXTY_THREE_GAME["events"][0], "round": 2}, {"a": "pass", "seat": 0}]
    record = {**SIXTY_THREE_GAME, "events": [*SIXTY_THREE_GAME["events"], *more]}
    first, second = hands_of(SIXTY_THREE, record)
    assert (first.scores, second.scores) == ([0, 0], [37, 26])
    assert (first.status, second.status) == ("complete", "in_progress")
    assert second.actions == ["0 pass"]
    assert "claimed" not in json.loads(encode_hand(second))


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
        (
            SIXTY_THREE,
            ("events", 12, "cards", 1),
            "KC",
            RejectCode.BAD_CARD,
            "/events/12/cards",
        ),
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


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", RejectCode.NOT_JSON),
        (b"[]", RejectCode.WRONG_TYPE),
        (b"null", RejectCode.WRONG_TYPE),
        (b"{}", RejectCode.MISSING_FIELD),
        (b'{"source":"\xff"}', RejectCode.INVALID_UTF8),
        (b'{"source":"\\ud800"}', RejectCode.NOT_JSON),
        (b'{"seed":1e999}', RejectCode.BAD_VALUE),
        (b'{"trump":"D","trump":"S"}', RejectCode.DUPLICATE_KEY),
        (b"[" * 5000, RejectCode.TOO_DEEP),
    ],
)
@pytest.mark.parametrize("name", ADAPTERS)
def test_text_that_is_no_record_is_refused(
    name: str, line: bytes, code: RejectCode, tmp_path: Path
) -> None:
    assert reject_of(name, tmp_path, line).code == code


def test_a_record_is_refused_when_its_hand_could_not_be_read_again(tmp_path: Path) -> None:
    nested = json.dumps({**ROUND, "x": 0}).replace('"x": 0', '"x": ' + "[" * 63 + "]" * 63)
    reject = reject_of(TWENTY_NINE, tmp_path, nested.encode())
    assert reject.code == RejectCode.TOO_DEEP
    assert "could not be read again" in reject.message
    assert nested.count("[" * MAX_DEPTH) == 0


def test_an_unreadable_place_is_a_reject(tmp_path: Path) -> None:
    (item,) = adapters.convert(PIDRO, tmp_path / "nowhere.jsonl")
    assert item.reject is not None
    assert item.reject.code == RejectCode.UNREADABLE_FILE


def test_an_unknown_adapter_is_an_error_at_once() -> None:
    with pytest.raises(UnknownAdapterError, match="knybbe-pidro, rlcard-29, sixty-three"):
        adapters.convert("pidro", "nowhere")


def test_the_counts_say_what_became_of_every_record(tmp_path: Path) -> None:
    counts = ConvertCounts()
    lines = [json.dumps(PIDRO_GAME).encode(), b"", b"{}", b"  ", json.dumps(PIDRO_GAME).encode()]
    for item in converted(PIDRO, tmp_path, *lines):
        counts.add(item)
    assert counts == ConvertCounts(records=3, converted=2, rejected=1, hands=2)


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
@given(data=st.data())
def test_a_damaged_record_gives_sound_hands_or_one_reject(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    record = data.draw(damaged_records(name))
    line = json.dumps(record).encode()
    (item,) = converted(name, tmp_path_factory.getbasetemp(), line)
    assert bool(item.hands) != (item.reject is not None)
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


@pytest.mark.parametrize("name", ADAPTERS)
@given(data=st.data())
def test_damaged_text_gives_sound_hands_or_rejects(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = bytearray(json.dumps(RECORDS[name]).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    for item in converted(name, tmp_path_factory.getbasetemp(), bytes(text)):
        assert not (item.hands and item.reject)
        for hand in item.hands:
            assert parse_line(encode_hand(hand)) == hand
