"""Wrong usage of any command, what is no place or holds no hand, and sentences that are folded."""

import shlex
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.command_line import CommandLine
from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import once
from tricklog import ingest
from tricklog.ingest.cli import COMMANDS, make_app

SAMPLES = Path(__file__).parents[2] / "sample_logs"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("nonsense", "nonsense"),
        ("audit", "nothing to audit"),
        ("load", "nothing to load"),
        ("convert --from rlcard-29", "nothing to convert"),
        ("convert --from whist x.jsonl", "knybbe-pidro"),
        ("audit x --nonsense", "no option --nonsense"),
        ("audit x --mode kind", "strict"),
        ("replay", "Name a log, or a warehouse and the hand in it"),
        ("rules whist", "Known are"),
        ("rules pedor", "Did you mean pedro?"),
        ("rules whist.toml", "whist.toml cannot be read"),
        ("rules 99.nonsense", "1.follow"),
        ("rules 1.follow pedro", "1.follow"),
        ("rules --compare pedro", "--compare"),
        ("rules --compare pedro king-pedo", "Did you mean king-pedro?"),
        ("rules pedro --compare pedro pidro", "do not go together"),
        ("rules --json --language sv", "English alone"),
        ("audit x --variant kingpedro", "Did you mean king-pedro?"),
        ("replay x --variant whist", "Known are"),
        ("rules --schema deck", "hand"),
        ("generate", "--variant"),
        ("generate --variant nowhere.toml", "nowhere.toml cannot be read"),
        ("generate --variant pedros", "Did you mean pedro?"),
        ("generate --variant pedro --games 0", "games"),
        ("generate --variant pedro --seed x", "seed"),
        ("generate --variant pedro --players 5", "holds 5 players; Pedro takes 4"),
        ("stats --summary --db nowhere", "nowhere"),
        # An option is told before a place that is not there.
        ("db verify --db nowhere --al", "there is no option"),
        ("audit gone.jsonl --mod=strict", "there is no option"),
        ("stats --db --json", "--db"),
        ("report --output --db club", "--output has no value: --db comes behind it"),
        ("stats --list --output all.json", "the list is for the screen"),
        ("sql x --output all.txt", "a table is for the screen"),
        # A name with a blank can be copied.
        ("stats --db 'no where'", "tricklog load LOGS --db 'no where' makes one"),
        ("audit -friday.jsonl", "Write ./-friday.jsonl for a file of that name."),
        # There is no warehouse, or no lake.
        *(
            (f"db {name} --db nowhere", "holds no warehouse")
            for name in ("rejects", "verify", "reaudit", "rebuild")
        ),
        *(
            (command, "holds no warehouse yet: tricklog load LOGS")
            for command in ("db undo", "export --output x", "stats", "report")
        ),
        ("stats --db nowhere", "tricklog load LOGS --db nowhere"),
        ("show game holed --db nowhere", "tricklog load"),
        ("list hands --db lake:~nobody-there", "no home folder"),
        *(("db tidy --db .", "is no lake"), ("db tidy --db lake:.", "holds no lake yet")),
    ],
)
def test_wrong_usage_has_status_2(tricklog: CommandLine, command: str, says: str) -> None:
    said = tricklog.refuses(command, says=says).stderr
    assert "nowhere" not in said or "nowhere" in command


@pytest.mark.parametrize(
    ("command", "what", "hint"),
    [
        ("audt", "there is no command audt", "Did you mean audit?"),
        ("tidy", "there is no command tidy", "Did you mean db tidy?"),
        ("session", "there is no command session", "\nSee tricklog --help."),
        ("--versoin", "there is no option --versoin", "Did you mean --version?"),
        ("export --to x", "there is no option --to", "\nSee tricklog export --help."),
        ("audit --mod strict x", "there is no option --mod", "Did you mean --mode?"),
        ("audit x --mode stric", 'invalid value "stric"', 'Did you mean "strict"?'),
        ("stats --buy player", "there is no option --buy", "Did you mean --by?"),
        ("dashboard --port x", 'unable to convert "x" into int', "dashboard --help"),
        ("ask", "tricklog ask needs --variant", "tricklog ask --help"),
        ("export", "tricklog export needs --output", "tricklog export --help"),
        ("rules 1.folow", "there is no rule '1.folow'", "Did you mean 1.follow?"),
        ("convert --from rlcard x", "(did you mean 'rlcard-29'?)", "convert --list"),
        ("db verify extra", "there is no place for 'extra'", "tricklog db verify --help"),
    ],
)
def test_usage_is_told_one_way(tricklog: CommandLine, command: str, what: str, hint: str) -> None:
    ran = tricklog.refuses(command, says=what)
    first, *rest = ran.stderr.splitlines()
    assert first.startswith("tricklog: ")
    assert what in first
    assert hint in "\n".join(("", *rest))
    assert "╭" not in ran.stderr


def test_the_first_sentence_of_each_commands_help_stands_in_the_help_of_all() -> None:
    for name, sentence in COMMANDS.items():
        app = make_app()
        for word in name.split():
            app = app[word]
        assert " ".join(app.help.split("\n\n")[0].split()) == sentence, name


# --- What is no place
@pytest.mark.parametrize(
    "command",
    [
        *("load ''", "audit ' '", "convert a.jsonl ''", "load a.jsonl --db ''"),
        *("stats made-rate --db=", "mark note add club-1 ''", "stats made-rate --output ''"),
        "rules --variant ''",
    ],
)
def test_an_empty_word_is_no_path_of_this_folder(command: str, tricklog: CommandLine) -> None:
    assert "not set" in tricklog.refuses(command, says="is empty").stderr


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


@pytest.mark.parametrize("command", ["audit", "load", "convert", "replay"])
def test_logs_that_are_not_there_take_a_sentence(command: str, tricklog: CommandLine) -> None:
    says = "frday.jsonl cannot be read: No such file or directory"
    ran = tricklog.refuses(f"{command} frday.jsonl", says=says, status=3)
    assert "Check that the path exists" in ran.stderr or command != "audit"


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
    says = "Write ./-friday.jsonl for a file of that name."
    tricklog.refuses("audit -friday.jsonl", says=says)


# --- No hand at all, which may be because what came before in a pipe has failed
@pytest.mark.parametrize(
    "command",
    [
        *("audit", "audit --json", "audit --format junit", "audit --from knybbe-pidro"),
        *("convert", "convert --format text", "load --db db"),
    ],
)
def test_no_hand_at_all_is_status_3_if_not_allowed(tricklog: CommandLine, command: str) -> None:
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
