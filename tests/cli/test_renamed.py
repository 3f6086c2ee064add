"""What was typed before 1.0.0: each old name does what stands for it, and says so once."""

import json
import shlex

import pytest

from tests.cli.command_line import CommandLine
from tricklog.ingest.cli import COMMANDS, command_in, make_app
from tricklog.ingest.cli.completion import HELP
from tricklog.ingest.cli.renamed import COMMANDS as OLD
from tricklog.ingest.cli.renamed import OPTIONS, renamed
from tricklog.ingest.completing.words import candidates

UNTIL = "the old name works until 1.0.0."
VALUES = {"--limit": "3", "--to": "text"}
"""What an option is given, where not any word will do."""


@pytest.mark.parametrize("old", OLD)
def test_an_old_command_shows_the_help_of_the_new_one_and_says_so(
    tricklog: CommandLine, old: str
) -> None:
    now = OLD[old]
    told = tricklog(*old.split(), "--help")
    expected = tricklog(*now.split(), "--help")
    assert (told.status, told.stdout) == (0, expected.stdout)
    assert told.stderr == f"tricklog {old} is tricklog {now} now; {UNTIL}\n"
    assert expected.stderr == ""
    assert command_in(now.split())
    assert old not in COMMANDS


@pytest.mark.parametrize(
    ("name", "old"), [(name, old) for name, options in OPTIONS.items() for old in options]
)
def test_an_old_option_is_the_new_one_with_its_value(
    name: str, old: str, capsys: pytest.CaptureFixture[str]
) -> None:
    value = VALUES.get(old, "pedro")
    now = OPTIONS[name][old].split()
    for words, as_typed in (
        ([old, value] if old else [value], [*now, value]),
        ([f"{old}={value}"] if old else [value], [*now[:-1], f"{now[-1]}={value}"]),
    ):
        typed = [*name.split(), *words]
        expected = [*name.split(), *(as_typed if old else [*now, value])]
        assert renamed(typed) == expected
        said = capsys.readouterr().err
        assert said.endswith(
            f" is tricklog {name} {OPTIONS[name][old]}{'' if old else ' GAME'} now; {UNTIL}\n"
        )
        assert len(said.splitlines()) == 1
        paths = ["log"] if name in ("audit", "convert", "record", "replay") else []
        make_app(name).parse_args([*expected, *paths], print_error=False, exit_on_error=False)
        known = capsys.readouterr()
        assert (known.out, known.err) == ("", "")


def test_a_program_that_reads_standard_error_is_told_by_an_object(tricklog: CommandLine) -> None:
    ran = tricklog("doctor", "--json", "--db", "nowhere")
    assert ran.objects
    (told,) = map(json.loads, ran.stderr.splitlines())
    assert told == {"warning": f"tricklog doctor is tricklog demo --check now; {UNTIL}"}


def test_the_game_of_a_question_may_stand_anywhere_as_before(tricklog: CommandLine) -> None:
    asked = '--trump H --hand "bo: 8S 4H KD" --trick "ann 9S"'
    new = tricklog(*shlex.split(f"ask --variant pedro {asked}"))
    for old in (f"ask pedro {asked}", f"ask {asked} pedro", f"ask --last {asked} pedro"):
        ran = tricklog(*shlex.split(old))
        assert ran.status == 0
        assert ran.stderr == f"tricklog ask GAME is tricklog ask --variant GAME now; {UNTIL}\n"
        assert old.startswith("ask --last") or ran.stdout == new.stdout


def test_what_stands_behind_two_dashes_is_no_option() -> None:
    assert renamed(["audit", "--", "--rules"]) == ["audit", "--", "--rules"]


def test_old_names_are_not_offered(tricklog: CommandLine) -> None:
    shown = tricklog("--help").text
    script = make_app().generate_completion(shell="fish")  # noqa: S604 - the name of a shell
    assert HELP in shown
    for old in OLD:
        assert f"\n  {old} " not in shown
        assert f"-n '__fish_tricklog_needs_command' -a '{old}'" not in script
    assert candidates(["audit", "--rules", "lu"]) == []
    for name, options in OPTIONS.items():
        in_help = tricklog(*name.split(), "--help").text
        assert not [old for old in options if old and f"  {old} " in in_help]
