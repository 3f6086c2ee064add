"""`tricklog ask`: the page of disputes, wrong questions, and what a program reads."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tricklog.schemas.citations import citations

_CONSOLE = re.compile(r"^```console\n\$ (tricklog ask .*)\n((?:.*\n)*?)```$", re.MULTILINE)
PEDRO = "ask --variant pedro --trump H"


def test_disputes_of_the_page_are_answered_so(tricklog: CommandLine, repository: Path) -> None:
    page = (repository / "docs" / "disputes.md").read_text("utf-8")
    disputes = re.findall(r"^## (.+)$", page, re.MULTILINE)
    answered = _CONSOLE.findall(page)
    assert len(answered) >= len(disputes) >= 10
    for command, printed in answered:
        ran = tricklog(*shlex.split(command)[1:], status=1 if "✗" in printed else 0)
        assert (ran.text, ran.stderr) == (printed, "")


def test_a_program_reads_every_answer_with_its_rule(tricklog: CommandLine) -> None:
    question = f"{PEDRO} --json --hand 'bo: 8S 4H KD' --trick 'ann 9S'"
    (told,) = tricklog(question).objects
    assert told["judged"] is None
    assert told["legal"]["cards"] == ["8S", "4H"]
    assert told["winner"]["player"] == "ann"
    (told,) = tricklog(f"{question} --play 'bo KD'", status=1).objects
    assert told["judged"]["is_legal"] is False
    assert [each["code"] for each in told["judged"]["findings"]] == ["revoke"]
    for name in ("judged", "legal", "winner", "points"):
        assert set(told[name]["rule"].split()) <= citations().keys()
    (empty,) = tricklog(f"{PEDRO} --json").objects
    assert empty.keys() == told.keys()
    assert empty["winner"] is None


def test_a_card_on_the_table_that_was_not_legal_sets_the_status(tricklog: CommandLine) -> None:
    """In Pidro only trumps are played: nobody holds anything to follow a plain card with."""
    asked = "ask --variant pidro --trump H --players 'ann, bo, cy, dee' --trick"
    ran = tricklog(asked, "ann 7S, bo 9S", status=1)
    assert "ann led 7♠, which is no trump: a trump had to be led." in ran.text
    assert "bo played 9♠, which is no trump: only trumps are played." in ran.text
    assert "while holding none" not in ran.text
    tricklog(asked, "ann AH, bo 4H", status=0)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("pedr --trump H", "--variant: there is no game 'pedr' (did you mean 'pedro'?)"),
        ("club.toml --trump H", "club.toml cannot be read"),
        ("pedro", "--trump: say what is trumps: S, H, D, C."),
        ("pedro --trump H --hand 8S", '--hand "8S" does not say whose it is'),
        ("pedro --trump H --trick 9S", "--trick: '9S' is no play"),
        ("pedro --trump H --hand 'bo: 1S'", "--hand: '1S' is not a card"),
        ("pedro --trump H --play 9S", "--play: '9S' is no play"),
        ("pedro --trump H --number 12", "--number: is 12"),
        ("pedro --trump H --players ann,bo", "--players: there are 2 of them"),
        ("pedro --trump H", "there is nothing to answer: no card lies on the table"),
        ("pedro --trump H", 'Add --trick "ann 9S", or --hand "ann: 9S 4H".'),
        (
            "pedro --trump H --trick 'ann 2H' --hand 'bo: 2H'",
            "--hand: 2♥ is already in play 1 of --trick; take it out of one.",
        ),
        (
            "pedro --trump H --hand 'cy: 2H' --hand 'bo: 2H'",
            "--hand: 2♥ is already in --hand of cy; take it out of one.",
        ),
        (
            "twenty-nine --trump H --hidden --trick 'ann 9S'",
            "--maker: say who chose the hidden trump, such as bo.",
        ),
        (
            "pedro --trump H --trick 'ann 9S' --play 'bo 2H 3H'",
            "--play: 'bo 2H 3H' names more than one card",
        ),
        (
            "pedro --trump H --trick 'ann 9S bo 2H'",
            "--trick: 'ann 9S bo 2H' names more than one card",
        ),
        (
            "pedro --trump H --trick 'ann 9S, bo 3S' --play 'cy 2H'",
            'Say who sits at the table, clockwise: --players "ann, bo, cy, dee".',
        ),
    ],
)
def test_a_wrong_question_names_its_option(tricklog: CommandLine, question: str, says: str) -> None:
    tricklog.refuses(f"ask --variant {question}", says=says)


def test_the_help_that_a_wrong_question_names_is_there(tricklog: CommandLine) -> None:
    ran = tricklog(f"{PEDRO} --hand 'bo: 8S 8S'")
    command = ran.stderr.splitlines()[-1].partition(" shows ")[0].split()
    assert command == ["tricklog", "ask", "--help"]
    assert b"--hand" in tricklog(*command[1:], status=0).stdout


def test_a_name_may_have_a_colon_after_it_and_several_words(tricklog: CommandLine) -> None:
    plain, colons = (
        tricklog(f"{PEDRO} --trick", trick).text for trick in ("ann 9S, bo 4S", "ann: 9S, bo : 4S")
    )
    assert plain == colons
    assert "ann is winning so far" in plain
    of_words = tricklog(f"{PEDRO} --trick 'Ann Lee 9S, Jim Joker 10 4S'").text
    assert "Ann Lee is winning so far" in of_words
