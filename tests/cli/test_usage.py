"""Wrong usage of any command, what is no place or holds no hand, and sentences that are folded."""

import shlex
from operator import itemgetter
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.command_line import CommandLine
from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import once
from tests.kit.rule_cases import sections_in
from tests.kit.solved import solved_for_themes
from tests.kit.tiers import check_each
from tricklog import ingest
from tricklog.ingest.cli import COMMANDS, make_app
from tricklog.ingest.reports import content as reports

SAMPLES = Path(__file__).parents[2] / "sample_logs"


REFUSED = sections_in(Path(__file__).with_name("refused.txt"))


@pytest.mark.slow("some are about games that are solved, enough for comparing players")
@pytest.mark.parametrize("section", REFUSED)
def test_what_cannot_be_done_is_told_in_one_way_and_changes_nothing(
    tricklog: CommandLine, request: pytest.FixtureRequest, section: str
) -> None:
    status, *warehouse = section.split()
    given = [request.getfixturevalue(name) for name in warehouse]
    for name in ("a.csv", "b.jsonl", "clean.jsonl"):
        Path(name).touch()
    Path("club.key").write_text("sixteen-letters-")
    tricklog.patch.setenv(reports.SETTING, "none/such")
    there = {*Path().iterdir()}

    def check(row: list[str]) -> None:
        command, what, *hints = row
        words = [command.replace("DB", str(given[0])), "--db", given[0]] if given else [command]
        first, *rest = tricklog.refuses(*words, says=what, status=int(status)).stderr.splitlines()
        assert first.startswith("tricklog: ")
        assert what in first
        beside = " ".join(" ".join(rest).split())
        assert [each for each in hints if each not in beside] == []
        assert "╭" not in beside
        assert "nowhere" not in first + beside or "nowhere" in command
        assert {*Path().iterdir()} == there

    check_each(REFUSED[section], check, itemgetter(0))


themes = pytest.fixture(scope="module")(solved_for_themes)


def test_the_first_sentence_of_each_commands_help_stands_in_the_help_of_all() -> None:
    for name, sentence in COMMANDS.items():
        app = make_app()
        for word in name.split():
            app = app[word]
        assert " ".join(app.help.split("\n\n")[0].split()) == sentence, name


def test_bytes_that_are_no_text_are_told(tricklog: CommandLine, clean_log: Path) -> None:
    named = clean_log.rename(clean_log.parent / "caf\udce9.jsonl")
    tricklog("audit", named, status=0)
    for words in (["load", "--db", "db", named.name], ["list hands --text", "\udce9"]):
        says = "\\xe9.jsonl is no text" if "load" in words else "\\xe9 is no text in UTF-8"
        assert "with its folder" in tricklog.refuses(*words, says=says).stderr
    tricklog("load . --db db", status=0)


@pytest.mark.parametrize(
    "command", ["stats made-rate", "stats --summary", "db verify", "list games"]
)
def test_a_file_is_no_warehouse(command: str, tricklog: CommandLine, small_warehouse: Path) -> None:
    Path("notes.txt").write_text("Pedro on Friday", "utf-8")
    for path, says in (
        ("notes.txt", "which tricklog load makes"),
        (small_warehouse / "CURRENT", f"name {small_warehouse}, in which it lies"),
    ):
        ran = tricklog(f"{command} --db", path, status=2)
        assert f"{path} is a file, and a warehouse is a folder" in ran.advice
        assert says in ran.advice
        assert ran.stdout == b""


def test_a_missing_log_is_a_part_of_an_answer(tricklog: CommandLine, clean_log: Path) -> None:
    both = tricklog("audit gone.jsonl", clean_log, status=3)
    assert both.stderr == ""
    assert "gone.jsonl cannot be read" in both.text
    assert f"{len(clean_log.read_bytes().splitlines())} accepted" in both.text
    told = tricklog("audit gone.jsonl --json", status=3)
    assert told.stderr == ""
    assert told.objects[0]["reject"]["code"] == "unreadable-file"


def test_a_file_whose_name_begins_with_a_hyphen_can_be_named(tricklog: CommandLine) -> None:
    write_hands(Path("-friday.jsonl"), generated("pedro")[:1])
    tricklog("audit -- -friday.jsonl", status=0)


# --- No hand at all, which may be because what came before in a pipe has failed
def test_no_hand_at_all_is_status_3_if_not_allowed(tricklog: CommandLine) -> None:
    for command in (
        *("audit", "audit --json", "audit --format junit", "audit --from knybbe-pidro"),
        *("convert", "convert --format text", "load --db db"),
    ):
        Path("blank.jsonl").write_text("\n\n", "utf-8")
        for path, place in (("-", "standard input"), ("blank.jsonl", "blank.jsonl")):
            ran = tricklog(command, path, status=3)
            assert f"there is no hand in {place}" in ran.stderr
            tricklog(command, path, "--allow-empty", status=0)


# --- Sentences are folded between words on a terminal; in a pipe each is one line
NARROW = 60
COPIED = "  See it: "
"""How a line begins that is to be copied, and is never folded."""
SAID = (
    "audit SAMPLES/invalid/line",
    "forget sample:bot-weak-1 --db DB --dry-run",
    "stats nothing --db DB",
)
"""Commands that print nothing but sentences, each on a line of its own in a pipe."""


@once("db")
def db(folder: Path) -> None:
    ingest.load(SAMPLES / "valid" / "pedro", db=folder / "db")


@pytest.mark.parametrize(
    "command",
    [
        *SAID,
        "audit SAMPLES/invalid/five-findings.jsonl",
        "audit SAMPLES/gaps",
        "load SAMPLES/invalid/line --db DB --dry-run",
        "load SAMPLES/valid/pedro --db DB --dry-run",
        *("list hands --db DB", "list players --db DB", "show deals --db DB"),
        *("stats --db DB", "stats made-rate --by player --db DB", "mark note list --db DB"),
        *("db verify --db DB", "db tidy --db DB", "db reaudit --db DB --dry-run"),
        *("rules pidro", "rules pidro pedro", "ask --variant pedro", "solve --db nowhere"),
        "ask --variant pedro --trump H --hand 'bo: 8S 4H' --trick 'ann 9S, bo KD'",
        "replay SAMPLES/invalid/five-findings.jsonl --at 3",
        "--help",
    ],
)
def test_no_sentence_is_cut_by_a_lines_end(command: str, db: Path, tricklog: CommandLine) -> None:
    words = command.replace("SAMPLES", str(SAMPLES)).replace("DB", shlex.quote(str(db)))
    tricklog.patch.setenv("COLUMNS", str(NARROW))
    ran = tricklog(words)
    narrow = ran.text + ran.stderr
    for line in narrow.splitlines():
        is_whole = line.startswith(COPIED) or " " not in line.removeprefix("tricklog: ").strip()
        assert is_whole or cell_len(line) <= NARROW, line
    if command in SAID:
        tricklog.patch.delenv("COLUMNS")
        ran = tricklog(words)
        whole = ran.text + ran.stderr
        assert whole.split() == narrow.split()
        assert max(map(len, whole.splitlines())) > NARROW
        assert len(whole.splitlines()) < len(narrow.splitlines())
