"""Words that shells complete: games, figures, dimensions, players; in real shells, never loud."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command_line import environment, run_process, run_python
from tests.kit.dashboard_logs import first_hands
from tests.kit.made_once import once
from tests.kit.rule_cases import rows_in
from tests.kit.solved import warehouse
from tests.regenerate.written_pages import names_text
from tricklog.ingest.cli import arguments
from tricklog.ingest.cli.completion import with_words
from tricklog.ingest.completing.words import DEFAULT_DB, NAMES_FILE, OPTIONS, candidates
from tricklog.ingest.warehouses import load

pytestmark = pytest.mark.posix
HEAVY = {*("cyclopts", "numpy", "polars", "pyarrow", "rich", "tricklog.core", "tricklog.schemas")}


@once()
def club(folder: Path) -> None:
    warehouse(folder, first_hands("pedro", 3))


def players_in(db: Path | str) -> list[str]:
    found = candidates(["stats", "--db", str(db), "--where", "player="])
    assert all(each.startswith("player=") for each in found)
    return [each.removeprefix("player=") for each in found]


def test_the_names_are_those_there_are() -> None:
    assert NAMES_FILE.read_text("utf-8") == names_text(), "run ./dev regenerate completion"
    assert arguments.DEFAULT_DB == DEFAULT_DB


@pytest.mark.parametrize(("line", "found"), rows_in(Path(__file__).with_name("completed.txt")))
def test_what_can_follow(line: str, found: str) -> None:
    assert candidates(line.split(" ")) == found.split()


def test_players_are_those_of_the_folder_or_lake(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = players_in(club / "db")
    assert len(found) == 4
    of_club = candidates(["stats", f"--db={club / 'db'}", "--where", "player="])
    assert of_club == [f"player={each}" for each in found]
    shutil.copytree(club / "db", tmp_path / DEFAULT_DB)
    monkeypatch.chdir(tmp_path)
    for words in (["report", "--player", ""], ["forget", ""], ["show", "player", ""]):
        assert candidates(words) == found
    # Those of a lake in a folder are known, too.
    lake = f"lake:{tmp_path / 'lake'}"
    load(club / "log.jsonl", db=lake, on="here")
    assert sorted(players_in(lake)) == sorted(players_in(club / "db"))
    assert candidates(["report", "--db", lake, "--player", players_in(lake)[0]])
    assert players_in("lake:/nowhere") == []


def test_metrics_of_ones_own_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('[[metric]]\nname = "no-trick"\n')
    assert candidates(["stats", "--metrics", str(file), "no-t"]) == ["no-trick"]
    monkeypatch.setenv("TRICKLOG_METRICS", f"{tmp_path / 'missing.toml'}:{file}")
    assert candidates(["stats", "no-t"]) == ["no-trick"]


@pytest.mark.parametrize("db", ["/nowhere", ".", "s3://club/tricklog", None])
def test_nothing_is_said_where_anything_is_wrong(tmp_path: Path, db: str | None) -> None:
    (tmp_path / "CURRENT").write_text("games-000001.duckdb 0\n")
    (tmp_path / "games-000001.duckdb").write_bytes(b"no database")
    words = [] if db is None else ["stats", "--db", db, "--where", "player="]
    done = run_python("-P", "-m", "tricklog.ingest.completing", *words, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("", "")


WORDS_AND_MODULES = """
import sys
from tricklog.ingest.completing.__main__ import main
main(sys.argv[1:])
sys.stdout.flush()
print(len(sys.modules), *sorted({heavy!r} & set(sys.modules)))
"""


def test_a_word_is_found_with_next_to_nothing_loaded(club: Path) -> None:
    script = WORDS_AND_MODULES.format(heavy=HEAVY)
    for words in (["made"], ["--db", club / "db", "--where", "player="]):
        *found, last = run_python("-c", script, "stats", *words).stdout.splitlines()
        assert found
        # It takes the longer the more is loaded, and a shell waits for it.
        count, *heavy = last.split()
        assert heavy == []
        assert int(count) < 250


# --- Real shells
ASKS = """
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
$(complete -p tricklog | sed "s/.*-F //; s/ .*//")
echo "${COMPREPLY[@]}"
"""


@pytest.mark.thorough("shells start and ask a command, whose answers are tested in the first")
def test_a_real_shell_completes(club: Path, tmp_path: Path) -> None:
    """In one without a terminal, which calls what the script has told it to call."""
    places = {"XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "HOME": str(tmp_path)}
    words = ("--install-completion", "--shell", "bash", "--yes")
    assert run_process(*words, stdin=b"", cwd=None, **places).status == 0
    script = next(path for path in tmp_path.rglob("*tricklog*") if path.is_file())
    db = club / "db"
    first = f"player={players_in(db)[0]}"
    lines = {
        f"tricklog stats --db {db} --where {first[:-2]}": first,
        "tricklog stats made-r": "made-rate",
        "tricklog stats --where varian": "variant=",
        "tricklog audi": "audit",
    }
    asks = tmp_path / "asks"
    asks.write_text(f"source {script}\n{ASKS}")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for line, wanted in lines.items():
        command = ["bash", "--norc", str(asks), *line.split()]
        found = subprocess.check_output(command, env=environment(PATH=path), text=True)
        assert wanted in found, line


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_option_with_words_is_in_the_script(shell: str) -> None:
    script = with_words(f"complete _{shell}_tricklog", shell)
    assert "-m tricklog.ingest.completing" in script
    if shell == "fish":
        for option in OPTIONS:
            assert f"-l {option[2:]} -x" in script
    assert with_words("as it is", "powershell") == "as it is"
