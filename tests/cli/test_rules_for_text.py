"""`--variant` decides how hands written as text are read, from their first line on."""

from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine

RULES = (
    'extends = "twenty-nine"\nid = "other-way"\ntitle = "Other way"\ndirection = "anticlockwise"\n'
)
HAND = """players South, West, North, East
match m1
hand 1
dealer South
East 16, North pass, West pass, South pass
East trump clubs
1. East 7h Qh Ah Jh
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.toml"
    path.write_text(RULES, encoding="utf-8")
    return path


@pytest.mark.parametrize("game", ["game 29\n", ""])
def test_cards_without_players_go_round_as_the_rules_given_say(
    game: str, rules: Path, tmp_path: Path, tricklog: CommandLine
) -> None:
    log = tmp_path / "m.trick"
    log.write_text(f"{game}{HAND}", encoding="utf-8")
    without = tricklog("audit", log)
    assert ("wrong-leader" if game else "which game is this?") in without.text
    assert "Findings: none" in tricklog("audit", log, "--variant", rules).text
    shown = tricklog("replay", log, "--variant", rules, "--hand", "m1-1", "--at", "6")
    assert shown.status == 0
    assert "North plays queen of hearts" in shown.text


def test_the_command_that_shows_a_finding_names_the_rules_given(
    rules: Path, tmp_path: Path, tricklog: CommandLine
) -> None:
    log = tmp_path / "m.trick"
    log.write_text(f"{HAND}2. East 7c 8c 9c 10c\n", encoding="utf-8")
    told = tricklog("audit", log, "--variant", rules).text
    assert "wrong-leader" in told
    assert f"--at 9 --variant {rules}" in told
