"""`tricklog ask`: the page of disputes, wrong questions, and what a program reads."""

import re
import shlex
from pathlib import Path

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
