"""The page about rulesets: its examples work, and say what they do."""

import json
import re
import tomllib
from pathlib import Path

import jsonschema_rs
import msgspec
import pytest

from replay import RulesetError, Verdict, check_game, generate, load_rules_file, replay
from replay.policy_table import SECTIONS
from replay.ruleset import resolve
from replay.ruleset_schema import ruleset_schema
from schemas.hand import RulesRef

PAGE = (Path(__file__).parents[1] / "docs" / "rulesets.md").read_text("utf-8")
CLUB, NAMED, WRONG = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
(OPTIONS,) = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
(ERROR,) = re.findall(r"^```text\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def club(tmp_path: Path) -> Path:
    return tmp_path / "club.toml"


def test_a_file_says_the_same_as_options_of_a_log(club: Path) -> None:
    club.write_text(CLUB, "utf-8")
    own = load_rules_file(club)
    in_a_log = resolve(msgspec.json.decode(OPTIONS, type=RulesRef))
    assert own.values == in_a_log.values
    assert (own.id, own.title, in_a_log.id) == ("club-pedro", "Pedro at the club", "pedro")
    assert own.hash != in_a_log.hash
    for policy, cite in (("min_bid", "O01"), ("plain_follow", "O11"), ("target", "O14")):
        assert cite in own.cite(policy).split()
        assert cite in in_a_log.cite(policy).split()


def test_a_nameless_file_has_the_hash_of_its_options(club: Path) -> None:
    club.write_text('extends = "pedro"\nmin_bid = 6\n', "utf-8")
    assert load_rules_file(club).hash == resolve(RulesRef("pedro", options={"min_bid": 6})).hash


def test_games_under_a_file_are_valid_wherever_they_are_read() -> None:
    hands = list(generate("club-pedro", 1, 1, definition=tomllib.loads(CLUB)))
    replays = [replay(hand) for hand in hands]
    assert {one.verdict for one in replays} == {Verdict.VALID}
    assert not any(check_game(replays))
    assert replays[-1].outcome
    assert max(replays[-1].outcome.scores or ()) >= 52


def test_named_house_rules_go_before_those_of_the_variant(club: Path) -> None:
    club.write_text(NAMED, "utf-8")
    rules = load_rules_file(club).house_rules
    assert [rule.cite for rule in rules[:2]] == ["O14", "O17"]
    assert len({rule.cite for rule in rules}) == len(rules)


@pytest.mark.parametrize("text", [CLUB, NAMED])
def test_the_schema_takes_the_examples(text: str) -> None:
    jsonschema_rs.validator_for(ruleset_schema()).validate(tomllib.loads(text))


def test_an_error_reads_as_the_page_says(club: Path) -> None:
    club.write_text(WRONG, "utf-8")
    with pytest.raises(RulesetError) as caught:
        load_rules_file(club)
    assert str(caught.value) == ERROR
    assert not jsonschema_rs.validator_for(ruleset_schema()).is_valid(tomllib.loads(WRONG))


def test_the_page_names_every_part_of_a_file() -> None:
    named = re.findall(r"^\| `(.*?)`.* \|", PAGE, re.MULTILINE)
    sections = [part.strip("[]") for part in named if part.startswith("[")]
    assert sections == [*SECTIONS, "cite", "option"]
    assert set(json.loads(OPTIONS)) <= set(RulesRef.__struct_fields__)
