"""The page about rulesets: its examples work, its commands and errors print what it says."""

import json
import re
import shlex
import tomllib
from pathlib import Path

import msgspec
import pytest

from tests.cli.command_line import CommandLine
from tests.kit.support import refused, rules_of_file, ruleset_for, ruleset_validator
from tricklog import RulesRef, Verdict, check_game, generate, replay
from tricklog.core.rulesets.policy_table import SECTIONS
from tricklog.core.rulesets.ruleset import resolve

PAGE = (Path(__file__).parents[2] / "docs" / "rulesets.md").read_text("utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
AFTER = list(zip(BLOCKS, [*BLOCKS[1:], ("", "")], strict=True))

ERRORS = [
    (text, said.rstrip("\n"))
    for (kind, text), (next_kind, said) in AFTER
    if (kind, next_kind) == ("toml", "text")
]
SOUND = [text for (kind, text), (next_kind, _) in AFTER if kind == "toml" and next_kind != "text"]
THURSDAY, CLUB, PITCH, NAMED = SOUND
NIGHT, EMBEDDED, AS_OPTIONS, OPTIONS, BY_NUMBER = [text for kind, text in BLOCKS if kind == "json"]
SESSIONS = [
    (commands, text if kind == "text" else "")
    for (shell, commands), (kind, text) in AFTER
    if shell == "sh"
]


@pytest.fixture
def at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> CommandLine:
    """The command line in a folder with the file and the log of the page."""
    (tmp_path / "club.toml").write_text(THURSDAY, "utf-8")
    (tmp_path / "thursday.jsonl").write_text(NIGHT, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    return CommandLine(capsysbinary, monkeypatch)


# --- Step by step
def run(command_line: CommandLine, command: str) -> str:
    """Run a command of the page and return what it prints."""
    program, *words = shlex.split(command)
    assert program == "tricklog"
    if ">" in words:
        *words, _, file = words
        ran = command_line(*words)
        Path(file).write_bytes(ran.stdout)
        return ""
    ran = command_line(*words)
    assert ran.stderr == ""
    assert ran.status in (0, 1)
    return ran.text


def test_the_commands_print_what_the_page_says(at_the_table: CommandLine) -> None:
    assert len(SESSIONS) == 4
    for commands, said in SESSIONS:
        printed = "".join(run(at_the_table, command) for command in commands.splitlines())
        # Dots on a line of their own stand for any number of lines.
        pattern = re.escape(said).replace(re.escape("...\n"), "(?:.*\n)*")
        assert re.fullmatch(pattern, printed), printed


def test_every_command_of_a_table_takes_a_file(at_the_table: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "night.jsonl").write_text(NIGHT, "utf-8")
    commands = re.findall(r"^\| `(tricklog .*club\.toml.*?)` \|", PAGE, re.MULTILINE)
    assert len(commands) == 5
    for command in commands:
        assert run(at_the_table, command)


def test_a_hand_says_in_three_ways_what_it_was_played_by(at_the_table: CommandLine) -> None:
    embedded = msgspec.json.decode(EMBEDDED, type=RulesRef)
    assert embedded.definition == tomllib.loads(THURSDAY)
    values = resolve(embedded).values
    assert resolve(msgspec.json.decode(AS_OPTIONS, type=RulesRef)).values == values
    plain = '{"variant":"pedro"}'
    assert plain in PAGE
    by_file = at_the_table("audit", "thursday.jsonl", "--variant", "club.toml", "--json").objects
    for rules in (EMBEDDED, AS_OPTIONS):
        line = NIGHT.replace(plain, rules.strip())
        assert line != NIGHT
        (told,) = at_the_table("audit", "-", "--json", stdin=line.encode()).objects
        assert [one["message"] for one in told["findings"]] == [
            one["message"] for one in by_file[0]["findings"]
        ]


def test_the_first_total_of_o14_is_taken_where_nothing_is_said(tmp_path: Path) -> None:
    ruleset = rules_of_file(tmp_path, THURSDAY.replace("target = 52", ""))
    assert ruleset.values["target"] == 51


# --- Files
def test_a_file_says_the_same_as_options_of_a_log_by_value_or_by_number(tmp_path: Path) -> None:
    own = rules_of_file(tmp_path, CLUB)
    in_a_log, by_number = (
        resolve(msgspec.json.decode(text, type=RulesRef)) for text in (OPTIONS, BY_NUMBER)
    )
    assert (by_number.values, by_number.hash) == (in_a_log.values, in_a_log.hash)
    assert own.values == in_a_log.values
    assert (own.id, own.title, in_a_log.id) == ("club-pedro", "Pedro at the club", "pedro")
    assert own.hash != in_a_log.hash
    for policy, cite in (("min_bid", "O01"), ("plain_follow", "O11"), ("target", "O14")):
        assert cite in own.cite(policy).split()
        assert cite in in_a_log.cite(policy).split()


@pytest.mark.parametrize("same", ["min_bid = 6\nforced_bid = 6", 'house_rules = ["O01"]'])
def test_a_nameless_file_has_the_hash_of_its_options(tmp_path: Path, same: str) -> None:
    own = rules_of_file(tmp_path, f'extends = "pedro"\n{same}\n')
    assert own.hash == ruleset_for("pedro", {"min_bid": 6, "forced_bid": 6}).hash


def test_games_under_a_file_are_valid_wherever_they_are_read() -> None:
    hands = list(generate("club-pedro", 1, 1, definition=tomllib.loads(CLUB)))
    replays = [replay(hand) for hand in hands]
    assert {one.verdict for one in replays} == {Verdict.VALID}
    assert not any(check_game(replays))
    assert replays[-1].outcome
    assert max(replays[-1].outcome.scores or ()) >= 52


def test_what_a_file_says_itself_wins_over_the_numbers_it_takes(tmp_path: Path) -> None:
    values = rules_of_file(tmp_path, PITCH).values
    assert (values["slam"], values["first_lead"]) == ("double-if-made", "trump")
    assert (values["target"], values["both_over"]) == (41, "makers")
    rules = rules_of_file(tmp_path, NAMED).house_rules
    assert [rule.cite for rule in rules[:2]] == ["O14", "O17"]
    assert len({rule.cite for rule in rules}) == len(rules)


@pytest.mark.parametrize("text", SOUND)
def test_the_schema_takes_the_examples(tmp_path: Path, text: str) -> None:
    ruleset_validator().validate(tomllib.loads(text))
    rules_of_file(tmp_path, text)


# --- Errors
@pytest.mark.parametrize(("text", "said"), ERRORS)
def test_an_error_reads_as_the_page_says(tmp_path: Path, text: str, said: str) -> None:
    assert str(refused(rules_of_file, tmp_path, text)) == said


def test_the_page_shows_every_kind_of_error() -> None:
    shown = " ".join(said for _, said in ERRORS)
    for words in (
        *("allowed are", "did you mean", "is not known", "it stands in", "known are"),
        *("which do not go together", "which does not fit", "no game has", "another in"),
    ):
        assert words in shown


def test_an_error_has_status_2_on_the_command_line(at_the_table: CommandLine) -> None:
    text, said = ERRORS[0]
    Path("club.toml").write_text(text, "utf-8")
    for words in (
        ("rules", "club.toml"),
        ("rules", "--compare", "pedro", "club.toml"),
        ("audit", "thursday.jsonl", "--variant", "club.toml"),
        ("replay", "thursday.jsonl", "--variant", "club.toml"),
        ("generate", "--variant", "club.toml"),
    ):
        ran = at_the_table(*words)
        assert (ran.status, ran.text) == (2, "")
        assert said in ran.stderr


def test_in_a_log_an_error_is_a_bad_option(at_the_table: CommandLine) -> None:
    line = NIGHT.replace('{"variant":"pedro"}', '{"variant":"pedro","options":{"min_bid":"six"}}')
    ran = at_the_table("audit", "-", "--json", stdin=line.encode())
    assert ran.status == 3
    assert ran.objects[0]["reject"]["code"] == "bad-option"
    assert ran.objects[0]["reject"]["pointer"] == "/rules/options/min_bid"


# --- The page itself
def test_the_page_names_every_part_of_a_file() -> None:
    named = re.findall(r"^\| `(.*?)`.* \|", PAGE, re.MULTILINE)
    sections = [part.strip("[]") for part in named if part.startswith("[")]
    assert sections == [*SECTIONS, "topics", "rulings", "cite", "option"]
    assert {"id", "version", "title", "family", "extends", "house_rules"} <= set(named)
    assert set(json.loads(OPTIONS)) <= set(RulesRef.__struct_fields__)
