"""The command line as a process: pipes, terminals, signals, imports; and its help and page."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from itertools import takewhile
from pathlib import Path
from typing import Any, NoReturn

import duckdb
import pyarrow as pa
import pytest
from msgspec.structs import replace

from tests.cli import command_line
from tests.cli.command_line import CommandLine
from tests.kit.foreign_records import RECORDS, TWENTY_NINE
from tests.kit.log_lines import one_game, with_revoke
from tests.kit.tiers import check_each, some
from tests.kit.waiting import is_ready
from tests.regenerate import written_pages
from tricklog import __main__ as entry
from tricklog.ingest.cli import COMMANDS, GROUPS, NAME, command_in, make_app
from tricklog.ingest.cli.failure_state import explained_failures
from tricklog.ingest.cli.output import INTERRUPTED
from tricklog.ingest.cli.usage import OPTIONS, WITHOUT_A_WAREHOUSE
from tricklog.ingest.cli.written_pages import LISTS, PAGES, file_of
from tricklog.ingest.cli.written_pages import page as page_of
from tricklog.schemas.hand import encode_hand

pytestmark = pytest.mark.posix
NAMES = sorted(COMMANDS)
WHOLE = [name for name in NAMES if " " not in name]
DOING = [name for name in NAMES if name not in GROUPS]
KNOWN: dict[str, dict[str, Any]] = json.loads(OPTIONS.read_bytes())
TAKE_ANY_WORD = {name for name, known in KNOWN.items() if known["takes_any_word"]}
HEAVY = {"altair", "duckdb", "pandas", "polars", "pyarrow", "streamlit"}
NEEDLESS = HEAVY | {
    *("asyncio", "babel", "gettext", "logging", "numpy", "tricklog.core.engine.hand_replay"),
    *("tricklog.core.judging", "rich.console", "rich.markdown", "rich.table"),
}
"""What a command need not load that reads neither hands nor a warehouse."""
FOREIGN = NEEDLESS | {
    *("attr", "cyclopts", "dataclasses", "importlib.metadata", "inspect", "json", "msgspec"),
    *("rich", "tricklog.core", "tricklog.schemas"),
}
"""What is not needed for what the program says about itself."""
PARSERS = NEEDLESS | {"attr", "cyclopts", "msgspec"}
"""What is not needed for lists that were written beforehand, and to see that nothing is there."""


def log_of_one(folder: Path) -> Path:
    return command_line.write_log(folder / "log.jsonl", one_game("pedro")[0])


# --- Help and the page about the command line
@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    return (repository / "docs" / "cli.md").read_text("utf-8")


def test_the_page_and_the_help_have_the_twenty_commands(page: str, tricklog: CommandLine) -> None:
    assert re.findall(r"^## (.+)$", page, flags=re.MULTILINE) == [*WHOLE, "Every option"]
    assert re.findall(r"^###? (.+)$", page, flags=re.MULTILINE) == [*NAMES, "Every option"]
    assert re.findall(r"^\| \[`(\w+)`\]\(#(\w+)\)", page, flags=re.MULTILINE) == [
        (name, name) for name in WHOLE
    ]
    assert len(WHOLE) == 20, "make it an option, or a part of a command, or say why there are more"
    shown = tricklog("--help", status=0).text
    assert not [name for name in WHOLE if not re.search(rf"{name} +\w", shown)]
    assert "Start with: tricklog demo" in shown


def test_every_help_has_title_examples_and_known_options(page: str, tricklog: CommandLine) -> None:
    tricklog.patch.setenv("COLUMNS", "80")
    on_json = page[page.index("**`--json`**") :].split("\n**", maxsplit=1)[0]

    def check(name: str) -> None:
        shown = tricklog(f"{name} --help", status=0).text
        silent = f"`{name}`" in on_json or name in GROUPS
        assert "--json" in shown or silent, "the page says which have no --json"
        title = shown.split("\n\n")[1].splitlines()[0]
        assert len(title) < 60
        assert title.endswith(".")
        assert f"  tricklog {name}" in shown.split("Examples:\n\n")[1]
        assert max(map(len, shown.splitlines())) <= 80
        (told,) = re.findall(rf"^###? {name}\n(.*?)(?=^###? |\Z)", page, re.MULTILINE | re.DOTALL)
        beside = [each for each in DOING if f"`{each}" in told or f"tricklog {each}" in told]
        # Its own options, and those of its parts, if it has some.
        parts = [
            part
            for part in DOING
            if any(part == each or part.startswith(f"{each} ") for each in (*beside, name))
        ]
        known = {option for part in parts for option in KNOWN[part]["options"]}
        assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", told)) <= known | {"--help"}, name
        assert f"tricklog {name}" in told

    check_each(NAMES, check)


@pytest.mark.parametrize("name", NAMES)
def test_a_help_is_that_of_the_command_and_its_examples_can_be_copied(name: str) -> None:
    text = file_of(name).read_text("utf-8")
    assert text == written_pages.page(name), "run ./dev regenerate help"
    for line in text.partition("Examples:\n")[2].splitlines():
        words = shlex.split(line, comments=True)
        for piece in " ".join(map(shlex.quote, words)).split(" '|' "):
            command = list(takewhile(lambda each: each not in {">", "<"}, shlex.split(piece)))
            if command[:1] == ["tricklog"]:
                app = make_app(command_in(command[1:]))
                app.parse_args(command[1:], print_error=False, exit_on_error=False)


def test_a_comment_is_one_in_shells_that_pass_it_on(tricklog: CommandLine) -> None:
    alone = tricklog("rules 1.follow", status=0)
    assert tricklog("rules 1.follow # what a finding cites as 1.follow") == alone
    tricklog("rules #", status=2)


@pytest.mark.parametrize("width", [30, 60, 200])
def test_a_help_is_as_wide_as_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for name in NAMES:
        lines = page_of(name).splitlines()
        assert max(map(len, lines)) <= max(width, 40), name
        assert " ".join(lines).split() == file_of(name).read_text("utf-8").split()


def test_what_is_known_beforehand_is_what_the_code_says() -> None:
    assert file_of(NAME).read_text("utf-8") == written_pages.page(NAME)
    assert set(PAGES.iterdir()) == {file_of(name) for name in (NAME, *NAMES)}
    made = written_pages.lists() | {OPTIONS.name: written_pages.options_text()}
    there = {str(each.relative_to(LISTS)) for each in LISTS.rglob("*.*")}
    assert there == made.keys(), "run ./dev regenerate help"
    for name, text in made.items():
        assert (LISTS / name).read_text("utf-8") == text, f"{name}: run ./dev regenerate help"


# --- Completion
COMPLETED = {
    "bash": (".local/share/bash-completion/completions/tricklog", ".bashrc"),
    "zsh": (".zsh/completions/_cyclopts_tricklog", ".zshrc"),
    "fish": (".config/fish/completions/tricklog.fish", None),
}
OTHER_SHELL = pytest.mark.thorough("what asks and writes is the same for every shell")


def begin_startup(home: Path, shell: str) -> set[Path]:
    if startup := COMPLETED[shell][1]:
        (home / startup).write_text("# mine\n")
    return {*home.rglob("*")}


def assert_completed(home: Path, shell: str) -> None:
    script, startup = COMPLETED[shell]
    assert "audit" in (home / script).read_text()
    if startup:
        text = (home / startup).read_text()
        assert "# mine" in text
        assert str((home / script).parent) in text


def test_completion_says_what_it_changes_and_asks(tmp_path: Path) -> None:
    shell = "bash"
    before = begin_startup(tmp_path, shell)
    home = {"HOME": str(tmp_path), "ZSH": "", "ZSH_CUSTOM": "", "COLUMNS": "300"}
    for answer in ("\n", "y\n"):
        terminal = command_line.Terminal("--install-completion", "--shell", shell, **home)
        terminal.wait_for("Change this? [y/N] ")
        assert all(str(tmp_path / each) in terminal.shown for each in COMPLETED[shell] if each)
        assert {*tmp_path.rglob("*")} == before
        terminal.press(answer)
        assert terminal.ended() == 0
        if answer == "\n":
            assert "Nothing was changed" in terminal.shown
            assert {*tmp_path.rglob("*")} == before
    assert_completed(tmp_path, shell)


@pytest.mark.parametrize(
    ("shell", "variable", "usual"),
    [
        ("zsh", "XDG_DATA_HOME", ""),
        pytest.param("bash", "XDG_DATA_HOME", ".local/share", marks=OTHER_SHELL),
        pytest.param("fish", "XDG_CONFIG_HOME", ".config", marks=OTHER_SHELL),
    ],
)
def test_completion_asks_nobody_without_a_terminal_and_goes_where_the_shell_looks_for_it(
    tricklog: CommandLine, tmp_path: Path, shell: str, variable: str, usual: str
) -> None:
    for name in ("ZSH", "ZSH_CUSTOM", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        tricklog.patch.setenv(name, "")
    tricklog.patch.setenv("HOME", str(tmp_path))
    before = begin_startup(tmp_path, shell)
    command = f"--install-completion --shell {shell}"
    assert "Add --yes" in tricklog(command, status=2).stderr
    assert {*tmp_path.rglob("*")} == before
    tricklog(f"{command} --yes", status=0)
    assert_completed(tmp_path, shell)
    if usual:
        tricklog.patch.setenv(variable, str(tmp_path / "own"))
        tricklog(f"{command} --yes", status=0)
        assert (tmp_path / "own" / Path(COMPLETED[shell][0]).relative_to(usual)).exists()


# --- What a process loads
TELLING = ("", "--help", "-h", *(f"{name} --help" for name in NAMES), "stats made-rate -h")
WRITTEN = (
    *("--version", "convert --list", "convert --list --json", "stats --list"),
    *("stats --list --json", "lsit", "db", "db lsit"),
    *(f"{name} --nosuch" for name in DOING if name not in TAKE_ANY_WORD),
    *("audit nosuch", "audit nosuch.csv", "load a b --db club", "replay nosuch", "convert nosuch"),
    *(
        f"{name} --db nosuch"
        for name in DOING
        if "--db" in KNOWN[name]["options"] and name not in WITHOUT_A_WAREHOUSE
    ),
    *("show a --db nosuch", "list hands --db=nosuch", "sql x --db nosuch --json"),
    *("rules", "rules pidro", "rules pidro --language sv", "rules --language hi"),
    *("rules 1.follow", "rules S12 C16", "rules 0.order", "rules 1.folow", "rules whist"),
)
SMALL = (
    *("rules --schema", "rules S12 --json", "list", "load", "show game"),
    *("list hands", "show a", "stats made-rate", "audit x --json --format sarif"),
    *("replay x --variant pedro --rescore --solve", "stats --json --format csv"),
)
LARGER = (
    *("rules pidro --json", "generate --variant pedro", "replay log.jsonl", "audit log.jsonl"),
    "convert --from rlcard-29 log.jsonl",
)
LOADED = """
import sys
from tricklog.ingest.cli import main
for command in sys.argv[1:]:
    main(command.split())
    sys.stdout.flush()
    print('>', command, *sorted(set(sys.modules) & {needless!r}), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("commands", "needless"),
    [
        pytest.param(TELLING, FOREIGN, id="telling"),
        pytest.param(WRITTEN, PARSERS, id="written"),
        pytest.param(SMALL, NEEDLESS, id="small"),
        pytest.param(LARGER, HEAVY, id="larger"),
    ],
)
def test_commands_load_no_needless_library(
    tmp_path: Path, commands: tuple[str, ...], needless: set[str]
) -> None:
    log_of_one(tmp_path)
    # What one of them loads stays for those after it, so that the first is to blame.
    script = LOADED.format(needless=needless)
    # In a narrow terminal cells are folded, and by a library.
    done = command_line.run_python("-c", script, *commands, cwd=tmp_path, COLUMNS="")
    told = [line for line in done.stderr.splitlines() if line.startswith("> ")]
    assert told == [f"> {command}" for command in commands]


def test_arrow_imports_no_pandas_for_a_command(tmp_path: Path) -> None:
    words = ("-m", "tricklog", "load", log_of_one(tmp_path), "--db", tmp_path / "db")
    imported = command_line.run_python("-X", "importtime", *words).stderr.splitlines()
    loaded = {line.rpartition("|")[2].strip() for line in imported}
    assert "pyarrow.lib" in loaded
    assert "pandas.core.frame" not in loaded
    # Before Ctrl-C is seen to, nothing is imported.
    script = (
        "import sys\nbefore = set(sys.modules)\nimport tricklog.__main__\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    assert command_line.run_python("-c", script).stdout.split() == ["tricklog", "tricklog.__main__"]


# --- Pipes
def test_output_is_data_only_and_status_that_of_the_audit() -> None:
    """Games of ours and what is none, whatever the terminal."""
    hand, _ = with_revoke(one_game("pedro"))
    played = [*one_game("king-pedro"), replace(hand, id="åke")]
    lines = b"\n".join([*map(encode_hand, played), b"not a hand"])
    ran = command_line.run_process("audit", "-", "--json", stdin=lines, PYTHONIOENCODING="ascii")
    assert (ran.status, ran.stderr) == (3, "")
    assert ran.objects[-2]["hand_id"] == "åke"
    *games, revoke, nothing = [row["verdict"] for row in ran.objects]
    assert set(games) == {"valid"}
    assert (revoke, nothing) == ("irregular", None)


def test_each_hand_is_reported_while_the_pipe_stays_open() -> None:
    hands = one_game("pedro")
    audit = piped("audit", "-", "--json")
    for hand in hands[:3]:
        assert answered(audit, encode_hand(hand))["hand_id"] == hand.id
    assert answered(audit, b"not a hand")["reject"]["code"] == "not-json"
    assert answered(audit, encode_hand(hands[1]))["duplicate_of"] == "<stdin>:2"
    audit.communicate(timeout=command_line.WAIT)
    assert audit.returncode == 3
    convert = piped("convert", "--from", TWENTY_NINE, "-")
    record = json.dumps(RECORDS[TWENTY_NINE]).encode()
    assert answered(convert, record)["id"].startswith(TWENTY_NINE)
    convert.communicate(timeout=command_line.WAIT)
    assert convert.returncode == 0


def piped(*arguments: str) -> "subprocess.Popen[str]":
    # Nothing but the command itself may see to it that lines are not held back.
    return command_line.started(*arguments, stdin=subprocess.PIPE, PYTHONUNBUFFERED="")


def answered(process: "subprocess.Popen[str]", line: bytes) -> dict[str, Any]:
    """What a command prints of a line while its standard input stays open."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line.decode() + "\n")
    process.stdin.flush()
    assert is_ready(process.stdout.fileno(), command_line.WAIT), "nothing more was written"
    told: dict[str, Any] = json.loads(process.stdout.readline())
    return told


def test_a_reader_that_goes_away_ends_the_command_quietly() -> None:
    process = command_line.started("generate", "--variant", "pedro", "--games", 500)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(100)
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(command_line.WAIT) == 141
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    ("command", "place"),
    some(
        [
            ("load log.jsonl --db db", "What was done could not be written out: "),
            ("audit log.jsonl --json", "tricklog audit log.jsonl --json: "),
            ("audit log.jsonl", "tricklog audit log.jsonl: "),
            ("rules", "tricklog rules: "),
        ],
        2,
    ),
)
def test_a_full_disk_is_reported_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, place: str
) -> None:
    log_of_one(tmp_path)
    monkeypatch.chdir(tmp_path)
    with Path("/dev/full").open("wb") as full:
        process = command_line.started(*command.split(), stdout=full)
        _, said = process.communicate()
    assert process.returncode == 3
    assert said.startswith(f"tricklog: {place}No space left on device")
    what_to_do = "Free some space where the output goes, or send it to another disk."
    assert said.endswith(f"\n{what_to_do}\n")


def test_text_goes_through_a_terminal_that_lacks_the_suits(tmp_path: Path) -> None:
    ran = command_line.run_process(
        "replay", log_of_one(tmp_path), PYTHONIOENCODING="ascii", PYTHONUTF8="0"
    )
    assert ran.status == 0
    assert ran.stdout.isascii()
    assert re.search(rb"\? [AKQJT2-9]", ran.stdout)


# --- Terminals
def test_a_hand_is_turned_page_by_page_on_a_terminal(tmp_path: Path) -> None:
    terminal = command_line.Terminal("replay", log_of_one(tmp_path))
    terminal.wait_for("q quit")
    # No key is lost however fast they come.
    terminal.press("nn\x1b[C\x1b[C\r")
    terminal.wait_for("  4  ")
    assert all(f"  {step}  " in terminal.shown for step in range(5))
    terminal.press("G")
    terminal.wait_for("the end")
    terminal.press("q")
    assert terminal.ended() == 0
    assert "\x1b[31m" in terminal.shown


def test_progress_and_findings_share_a_terminal_and_no_color_is_respected(tmp_path: Path) -> None:
    hand, _ = with_revoke(one_game("pedro"))
    log = command_line.write_log(tmp_path / "log.jsonl", hand, b"not a hand")
    terminal = command_line.Terminal("audit", log, NO_COLOR="1")
    assert terminal.ended() == 3
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", terminal.shown)
    assert "revoke" in terminal.shown
    assert "not-json" in terminal.shown
    assert "Traceback" not in terminal.shown


# --- Ctrl-C
def test_ctrl_c_ends_with_130_and_without_a_word(tmp_path: Path) -> None:
    terminal = command_line.Terminal("replay", log_of_one(tmp_path))
    terminal.wait_for("q quit")
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert terminal.ended() == 130
    assert "Traceback" not in terminal.shown


IMPORTED = (
    *("tricklog.ingest", "tricklog.ingest.cli.output", "attr", "cyclopts", "cyclopts.core"),
    *("tricklog.ingest.cli.usage", "tricklog.ingest.cli.arguments", "msgspec", "duckdb"),
    "tricklog.ingest.store.warehouse",
)


@pytest.mark.parametrize("begun", ["console script", "-m"])
@pytest.mark.parametrize("module", IMPORTED)
def test_ctrl_c_while_the_program_is_imported(tmp_path: Path, module: str, begun: str) -> None:
    script = tmp_path / "tricklog"
    script.write_text("import sys\nfrom tricklog.__main__ import main\nsys.exit(main())\n")
    words = [str(script)] if begun == "console script" else ["-m", "tricklog"]
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", *words, "load", "-", "--db", "db"],
        cwd=tmp_path,
        env=command_line.environment(),
        # Nobody writes into it: it would wait for ever.
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stderr
    said = []
    # Were the module not imported any more, it would wait for ever.
    given_up = threading.Timer(command_line.WAIT, process.kill)
    given_up.start()
    with process, process.stdin:
        for line in process.stderr:
            if not line.startswith("import time:"):
                said.append(line)
            elif line.rpartition("|")[2].strip() == module:
                process.send_signal(signal.SIGINT)
    given_up.cancel()
    assert process.returncode == INTERRUPTED, said
    assert len(said) == 1, said
    assert said[0].startswith("tricklog: interrupted"), said
    assert not (tmp_path / "db" / "CURRENT").exists()


class PressedInStream:
    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise KeyboardInterrupt


def pressed(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def pressed_between_rows() -> pa.RecordBatchReader:
    schema = pa.schema({"id": pa.string()})
    return pa.RecordBatchReader.from_batches(schema, map(pressed, [0]))


@pytest.mark.parametrize("rows", [PressedInStream, pressed_between_rows])
def test_ctrl_c_while_duckdb_asks_for_rows(rows: Callable[[], object], tmp_path: Path) -> None:
    db = str(tmp_path / "db")

    def ask() -> None:
        with explained_failures(db), duckdb.connect() as connection:
            connection.register("rows", rows())
            connection.execute("FROM rows")

    with pytest.raises(KeyboardInterrupt, match=re.escape(f"{db} is as it was")):
        ask()


PRESSED_AT_THE_END = """
import os, signal, sys
from tricklog.__main__ import main

class Pressed:
    def __del__(self, kill=os.kill, process=os.getpid(), number=signal.SIGINT):
        kill(process, number)

pressed = Pressed()
status = main()
{then}
sys.exit(status)
"""


@pytest.mark.parametrize(("then", "status"), [("del pressed", INTERRUPTED), ("", 0)])
def test_ctrl_c_behind_the_last_line_is_heard(then: str, status: int, tmp_path: Path) -> None:
    """While Python takes itself apart it is too late: then the command has ended."""
    script = tmp_path / "tricklog"
    script.write_text(PRESSED_AT_THE_END.format(then=then))
    done = command_line.run_python(script, "rules", status=status)
    assert done.stderr == ""
    assert "pedro" in done.stdout


def test_ctrl_c_before_a_handler_can_be_set_ends_with_130_and_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Pressed(MetaPathFinder):
        def find_spec(self, name: str, *_: object) -> None:
            if name == "signal":
                raise KeyboardInterrupt

    ended: list[int] = []

    def end(status: int) -> NoReturn:
        ended.append(status)
        raise SystemExit

    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.delitem(sys.modules, "signal")
    monkeypatch.setattr(sys, "meta_path", [Pressed(), *sys.meta_path])
    with pytest.raises(SystemExit):
        entry.main()
    assert ended == [INTERRUPTED]
    assert capfd.readouterr() == ("", "tricklog: interrupted before it had begun\n")
