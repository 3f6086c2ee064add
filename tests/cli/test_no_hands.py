"""No hand at all is trouble: a build must not pass because what came before in the pipe failed."""

from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tricklog.ingest.cli.output import SUCCESS, UNREADABLE

COMMANDS = (
    ("audit",),
    ("audit", "--json"),
    ("audit", "--format", "junit"),
    ("audit", "--from", "knybbe-pidro"),
    ("convert",),
    ("convert", "--format", "text"),
    ("load", "--db", "db"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_hand_at_all_is_status_3_unless_it_is_allowed(
    tricklog: CommandLine, command: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "blank.jsonl").write_text("\n\n", "utf-8")
    for path, place in (("-", "standard input"), ("blank.jsonl", "blank.jsonl")):
        ran = tricklog(*command, path)
        assert ran.status == UNREADABLE
        assert f"there is no hand in {place}" in ran.stderr
        assert tricklog(*command, path, "--allow-empty").status == SUCCESS


def test_the_first_sentence_of_each_commands_help_stands_in_the_help_of_all() -> None:
    from tricklog.ingest.cli import COMMANDS, make_app

    for name, sentence in COMMANDS.items():
        app = make_app()
        for word in name.split():
            app = app[word]
        assert " ".join(app.help.split("\n\n")[0].split()) == sentence, name
