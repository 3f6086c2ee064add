"""Games of more than four players on the command line."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.log_lines import write_hands
from tests.kit.made_once import played
from tests.kit.tables import sancho
from tricklog.schemas.hand import encode_hand


@pytest.mark.parametrize("seats", [5, 7])
def test_generate_seats_as_many_players_as_asked_for(tricklog: CommandLine, seats: int) -> None:
    ran = tricklog("generate", "--variant", "sancho", "--players", str(seats))
    hands = [json.loads(line) for line in ran.text.splitlines()]
    assert ran.status == 0
    assert hands
    assert {len(hand["players"]) for hand in hands} == {len(hand["deal"]) for hand in hands}
    assert {len(hand["players"]) for hand in hands} == {seats}


def test_generate_says_how_many_can_play(tricklog: CommandLine) -> None:
    ran = tricklog("generate", "--variant", "pedro", "--players", "5")
    assert ran.status == 2
    assert "holds 5 players; Pedro takes 4" in ran.stderr


def test_audit_tells_the_result_of_every_side(tricklog: CommandLine, tmp_path: Path) -> None:
    log = tmp_path / "six.jsonl"
    log.write_bytes(encode_hand(sancho(6, scores=[0] * 6)) + b"\n")
    told = json.loads(tricklog("audit", log, "--json").text)
    assert told["verdict"] == "valid"
    assert told["scores"] == told["change"] == told["points"] == [8, 10, 0, 0, 0, 0]


def test_replay_tells_every_step_of_every_seat(tricklog: CommandLine, tmp_path: Path) -> None:
    log = write_hands(tmp_path / "seven.jsonl", [sancho(7)])
    told = json.loads(tricklog("replay", log, "--json").text)
    last = told["steps"][-1]
    for key in ("holdings", "unknown", "out", "folded", "tricks_won", "points"):
        assert len(last[key]) == 7
    assert last["bid_name"] == "7"
    assert (last["alone_seat"], last["no_contract"], last["doubles"]) == (None, False, 0)


def test_replay_writes_a_special_bid_as_logs_do(tricklog: CommandLine, tmp_path: Path) -> None:
    hand = sancho(5)
    calls = ["0 bid 18-double", *hand.actions[1:]]
    record = json.loads(encode_hand(hand)) | {"actions": calls}
    record["rules"] = {"variant": "sancho", "options": {"special_bid": "double"}}
    log = tmp_path / "double.jsonl"
    log.write_text(json.dumps(record), "utf-8")
    told = json.loads(tricklog("replay", log, "--json", "--at", "8").text)
    assert told["steps"][0]["bid_name"] == "18-double"


def test_a_summary_names_the_seating_only_where_there_are_several(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    for name, seats in (("one", [5]), ("more", [5, 6])):
        hands = [hand for number in seats for hand in played("sancho", 6, 1, players=number)[:120]]
        log = write_hands(tmp_path / f"{name}.jsonl", hands)
        tricklog("load", log, "--db", tmp_path / name)
        ran = tricklog("stats", "--summary", "--db", tmp_path / name)
        assert (" table " in ran.text) == ("6 singles" in ran.text) == (name == "more")
