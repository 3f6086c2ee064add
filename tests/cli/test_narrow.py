"""Sentences on a narrow terminal are folded between words; in a pipe each is one line."""

import shlex
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.command_line import CommandLine
from tests.kit.made_once import made_once
from tricklog import ingest

NARROW = 60
SAMPLES = Path(__file__).parents[2] / "sample_logs"
COPIED = "  See it: "
"""How a line begins that is to be copied, and is never folded."""
COMMANDS = (
    "audit SAMPLES/invalid/five-findings.jsonl",
    "audit SAMPLES/gaps",
    "audit SAMPLES/invalid/line",
    "load SAMPLES/invalid/line --db DB --dry-run",
    "load SAMPLES/valid/pedro --db DB --dry-run",
    "list hands --db DB",
    "list players --db DB",
    "stats --db DB",
    "stats made-rate --by player --db DB",
    "stats nothing --db DB",
    "db verify --db DB",
    "db tidy --db DB",
    "db reaudit --db DB --dry-run",
    "forget sample:bot-weak-1 --db DB --dry-run",
    "show deals --db DB",
    "rules pidro",
    "rules pidro pedro",
    "ask --variant pedro --trump H --hand 'bo: 8S 4H' --trick 'ann 9S, bo KD'",
    "ask --variant pedro",
    "mark note list --db DB",
    "replay SAMPLES/invalid/five-findings.jsonl --at 3",
    "solve --db nowhere",
    "--help",
)
SAID = (
    "audit SAMPLES/invalid/line",
    "forget sample:bot-weak-1 --db DB --dry-run",
    "stats nothing --db DB",
)
"""Commands that print nothing but sentences, each on a line of its own in a pipe."""


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:

    def make(folder: Path) -> None:
        ingest.load(SAMPLES / "valid" / "pedro", db=folder / "db")

    return made_once(tmp_path_factory, "narrow", make) / "db"


@pytest.mark.parametrize("command", COMMANDS)
def test_no_sentence_is_cut_by_the_end_of_a_line(
    command: str, db: Path, tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [
        each.replace("SAMPLES", str(SAMPLES)).replace("DB", str(db))
        for each in shlex.split(command)
    ]
    monkeypatch.setenv("COLUMNS", str(NARROW))
    ran = tricklog(*words)
    narrow = ran.text + ran.stderr
    for line in narrow.splitlines():
        is_whole = line.startswith(COPIED) or " " not in line.removeprefix("tricklog: ").strip()
        assert is_whole or cell_len(line) <= NARROW, line
    if command in SAID:
        monkeypatch.delenv("COLUMNS")
        ran = tricklog(*words)
        whole = ran.text + ran.stderr
        assert whole.split() == narrow.split()
        assert max(map(len, whole.splitlines())) > NARROW
        assert len(whole.splitlines()) < len(narrow.splitlines())
