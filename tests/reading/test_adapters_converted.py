"""Adapters: what a record of each program becomes."""

import pytest

from tests.conftest import REPOSITORY
from tests.kit.foreign_records import (
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
    changed,
    hands_of,
)
from tests.kit.log_lines import logged_field
from tests.kit.texts import same_again
from tricklog.core import Verdict, replay
from tricklog.schemas.hand import Hand, content_hash


def test_a_record_of_each_program_becomes_the_hand_of_the_sample() -> None:
    """All of it, as text: a log says no more."""
    hands = [hand for name in RECORDS for hand in hands_of(name, RECORDS[name])]
    assert same_again(hands) == (REPOSITORY / "tests/data/foreign.trick").read_text("utf-8")


def with_events(*events: Record, start: int = 1, end: int = 11) -> Record:
    """The game of Sixty-Three with its calls, or other events, replaced."""
    made = SIXTY_THREE_GAME["events"]
    return {**SIXTY_THREE_GAME, "events": [*made[:start], *events, *made[end:]]}


def verbs(hand: Hand, *verbs: str) -> list[str]:
    return [action for action in hand.actions if action.split()[1] in verbs]


# --- Finnish Pidro
def test_extras_of_a_pidro_game_go_with_its_first_hand() -> None:
    second = changed(PIDRO_GAME["hands"][0], ("hand",), 2) | {"weather": "snow"}
    first, other = hands_of(PIDRO, {**PIDRO_GAME, "hands": [PIDRO_GAME["hands"][0], second]})
    game = {key: PIDRO_GAME[key] for key in ("seed", "seats")}
    game |= {"gameMode": "classic", "policy": "bots", "message": "unfinished"}
    assert game["seed"] == 7
    assert first.ext == {PIDRO: {"lowHolder": 0, "game": game}}
    assert other.ext == {PIDRO: {"lowHolder": 0, "weather": "snow"}}


def test_bots_of_one_name_and_other_settings_are_other_players() -> None:
    harder = changed(PIDRO_GAME, ("seats", 1, "difficulty"), "hard")
    records = (PIDRO_GAME, harder)
    one, other = (logged_field(hands_of(PIDRO, each), "players.id")[0] for each in records)
    assert [a == b for a, b in zip(one, other, strict=True)] == [True, False, True, True]


# Seats that nothing distinguishes, and a winner whom the message does not name.
OPEN = ((("seats", 1, "name"), "South"), (("hands", 0, "tricks", 2, "message"), "Well!"))


@pytest.mark.parametrize(("path", "value"), OPEN)
def test_winners_that_are_not_known_are_left_open(path: tuple[str | int, ...], value: str) -> None:
    (hand,) = hands_of(PIDRO, changed(PIDRO_GAME, path, value))
    assert len({player.id for player in hand.players}) == 4
    (claimed,) = logged_field([hand], "claimed")
    assert claimed
    assert "winners" not in claimed


def test_another_target_is_a_house_rule_and_a_contradiction_is_left_to_the_rules() -> None:
    (hand,) = hands_of(PIDRO, {**PIDRO_GAME, "targetScore": 40})
    assert hand.rules.options == {"target": 40}
    assert replay(hand).ruleset.values["target"] == 40
    (hand,) = hands_of(PIDRO, PIDRO_GAME)
    result = replay(hand)
    assert result.verdict == Verdict.VALID
    assert result.outcome is not None
    assert result.outcome.scores == (14, 0)
    (hand,) = hands_of(PIDRO, changed(PIDRO_GAME, ("hands", 0, "result", "scoresAfter"), [15, 0]))
    assert [finding.pointer for finding in replay(hand).findings] == ["/claimed/scores"]


# --- Twenty-Nine
def test_trumps_of_a_round_are_shown_as_it_says() -> None:
    (hand,) = hands_of(TWENTY_NINE, ROUND)
    assert (replay(hand).verdict, len(hand.actions)) == (Verdict.INCOMPLETE, 11)
    # A maker who cannot follow shows without being asked.
    (hand,) = hands_of(TWENTY_NINE, {**ROUND, "bidder": 3})
    assert hand.actions[7:9] == ["3 reveal D", "3 play 9H"]
    (hand,) = hands_of(TWENTY_NINE, {**ROUND, "revealedBy": None, "revealedAtTrick": None})
    assert not verbs(hand, "ask", "reveal")


def test_a_round_printed_again_is_the_same_hand() -> None:
    first, again, other = (
        hands_of(TWENTY_NINE, ROUND | more)[0]
        for more in ({}, {"duplicate": True}, {"matchScoreBefore": [-3, 3]})
    )
    assert (first.id, content_hash(first)) == (again.id, content_hash(again))
    assert first.id != other.id


# --- Catch-Five-Arena
def test_a_trump_too_many_is_laid_off_by_who_held_it() -> None:
    # With seven trumps a seat lays off two plain cards and a trump, and draws nothing.
    at = ("rounds", 0)
    dealt, kept = map(str.split, ("9S KS 7S 3S AS 6S 8S 3H 9H", "9S KS 7S AS 6S 8S"))
    record = changed(CATCH_FIVE_GAME, (*at, "deal", 1), dealt)
    record = changed(record, (*at, "trumpDiscards"), [{"seat": 1, "card": "3S"}])
    record = changed(record, (*at, "handsAtPlay", 1), kept)
    (hand,) = hands_of(CATCH_FIVE, record)
    assert hand.actions[5:7] == ["1 discard 3S 3H 9H", "2 discard 4H 6H 5D 5C KH 3C"]
    assert not any(action.startswith("1 draw") for action in hand.actions)


def test_a_card_laid_off_may_be_drawn_again_from_a_stock_made_up_from_the_discards() -> None:
    record = changed(CATCH_FIVE_GAME, ("rounds", 0, "handsAtPlay", 0, 1), "7C")
    (hand,) = hands_of(CATCH_FIVE, record)
    assert hand.actions[8] == "0 discard 7C QD JC KD QC KC JD 5H"
    assert hand.actions[12] == "0 draw 4S 7H 3D 7D 7C"


def test_seats_that_people_play_for_are_not_called_bots() -> None:
    hands = hands_of(CATCH_FIVE, {**CATCH_FIVE_GAME, "policy": "club", "targetScore": 21})
    assert logged_field(hands, "players.kind") == [[None] * 4]
    assert logged_field(hands, "rules.options.target") == [21]


# --- Sixty-Three
def test_three_passes_without_a_bid_are_followed_by_the_bid_the_program_gave_the_dealer() -> None:
    record = with_events(*({"a": "pass", "seat": seat} for seat in (0, 1, 2)))
    at_play = next(n for n, event in enumerate(record["events"]) if "atPlay" in event)
    record = changed(record, ("events", at_play, "bidder"), 3)
    record = changed(record, ("events", at_play, "bid"), 25)
    (hand,) = hands_of(SIXTY_THREE, record)
    assert verbs(hand, "bid", "pass") == ["0 pass", "1 pass", "2 pass", "3 bid 25"]


def test_o67_nobody_speaks_after_126() -> None:
    calls = ({"a": "pass", "seat": 0}, {"a": "bid", "seat": 1, "amount": 126})
    (hand,) = hands_of(SIXTY_THREE, with_events(*calls))
    assert verbs(hand, "bid", "pass") == ["0 pass", "1 bid 63-double"]


def test_what_is_given_to_the_partner_comes_before_what_they_lay_off() -> None:
    events = SIXTY_THREE_GAME["events"]
    passed = ({"a": "passCards", "seat": 0}, {"a": "discard", "seat": 2})
    shorter = {**events[12], "cards": events[12]["cards"][:-1]}
    given = (events[14], shorter, *({**each, "cards": ["6S"]} for each in passed))
    (hand,) = hands_of(SIXTY_THREE, with_events(*given, start=12, end=16))
    told = "0 give 6S, 2 discard 2S 8S 6C TS 7D 4S 6S, 0 discard KC 8C 3D 7S KS KD 4C 7C TC TD"
    assert verbs(hand, "give", "discard") == told.split(", ")


def test_a_game_of_sixty_three_goes_on_from_its_totals_and_may_stop_in_mid_hand() -> None:
    more = [{**SIXTY_THREE_GAME["events"][0], "round": 2}, {"a": "pass", "seat": 0}]
    record = {**SIXTY_THREE_GAME, "events": [*SIXTY_THREE_GAME["events"], *more]}
    hands = hands_of(SIXTY_THREE, record)
    assert logged_field(hands, "scores") == [[0, 0], [37, 26]]
    assert logged_field(hands, "status") == ["complete", "in_progress"]
    assert hands[1].actions == ["0 pass"]
    assert logged_field(hands, "claimed")[1] is None
