"""Where the result of a hand came from, on the command line."""

import json
import re
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.cli.command_line import CommandLine, write_log
from tests.kit.log_lines import one_game
from tests.kit.tiers import scaled
from tricklog.core.study import contracts
from tricklog.ingest.cli import study_text

NUMBERS = re.compile(r"(?<![±.\d])[+-]\d+\.\d")


@pytest.fixture(autouse=True)
def quick(tmp_path: Path) -> object:
    """Value few deals on few stocks, and keep them apart from those of the user."""
    with (
        patch.object(contracts, "_HALVINGS", (1, 1, 1)),
        patch.object(study_text, "DEALS", 2),
        patch("tricklog.core.study.averages.user_cache_path", lambda *_, **__: tmp_path / "cache"),
    ):
        yield


def test_the_parts_are_printed_and_sum_to_the_result(tricklog: CommandLine, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", one_game("pidro")[0])
    ran = tricklog("replay", log, "--ledger")
    assert ran.status == 0
    lines = ran.text.splitlines()
    firsts = [line.split("  ")[0] for line in lines]
    assert "where the result of" in lines[0]
    for part in ("start", "deal", "auction", "exchange", "draw", "play, makers", "result"):
        assert part in firsts
    told = json.loads(tricklog("replay", log, "--ledger", "--json").text)
    parts = sum(each["part_points"] for each in told["parts"])
    assert told["start"]["part_points"] + parts == pytest.approx(told["brought"]["part_points"])
    assert [each["name"] for each in told["parts"]][-2:] == ["makers", "defence"]
    assert told["parts"][0]["points_error"] > 0


def test_what_is_printed_adds_up(tricklog: CommandLine, tmp_path: Path) -> None:
    """Of several hands, as most sums of rounded numbers come out by themselves."""
    for number, hand in enumerate(one_game("pidro")[: scaled(2, most=8)]):
        log = write_log(tmp_path / f"{number}.jsonl", hand)
        lines = tricklog("replay", log, "--ledger").text.splitlines()
        rows = [NUMBERS.findall(line) for line in lines]
        names = [line.split("  ")[0] for line in lines]
        of_parts = {
            name: row for name, row in zip(names, rows, strict=True) if len(row) == 2 and name
        }
        for column in (0, 1):
            tenths = {name: round(float(row[column]) * 10) for name, row in of_parts.items()}
            result = tenths.pop("result")
            assert sum(tenths.values()) == result


def test_a_hand_without_a_ledger_is_refused_with_a_sentence(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    hand = one_game("pidro")[0]
    cut = replace(hand, actions=hand.actions[:-9], claimed=UNSET)
    log = write_log(tmp_path / "log.jsonl", cut)
    ran = tricklog("replay", log, "--ledger")
    assert ran.status == 1
    assert "has no ledger: the record is incomplete" in ran.text
    assert "incomplete" in json.loads(tricklog("replay", log, "--ledger", "--json").text)["refused"]


def test_it_shows_no_steps(tricklog: CommandLine, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", one_game("pidro")[0])
    assert tricklog("replay", log, "--ledger", "--all").status == 2


@pytest.mark.parametrize(
    "options", [["--ledger", "--solve"], ["--rescore", "--variant", "cinch", "--solve"]]
)
def test_what_shows_no_steps_does_not_go_with_solve(
    tricklog: CommandLine, tmp_path: Path, options: list[str]
) -> None:
    log = write_log(tmp_path / "log.jsonl", one_game("pidro")[0])
    ran = tricklog("replay", log, *options)
    assert ran.status == 2
    assert f"{options[0]} does not go with --solve" in ran.stderr
