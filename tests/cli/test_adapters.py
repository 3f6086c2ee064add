"""Adapters on the command line: listed, used by name or not, and begun as a project."""

import json
import random
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from importlib import import_module
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.event_logs import EVENTS, HANDS, events_of, mixed, write_events
from tests.kit.foreign_records import RECORDS
from tests.kit.plugins import installed_from, put_package
from tricklog import ingest
from tricklog.core import replay
from tricklog.ingest.adapters.converting import convert_with
from tricklog.ingest.adapters.registry import installed
from tricklog.ingest.reading.rejects import Part
from tricklog.ingest.store import quarantine, warehouse

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    folder = tmp_path / "packages"
    folder.mkdir()
    return folder


def test_the_command_lists_them_with_their_trouble(packages: Path, tricklog: CommandLine) -> None:
    assert tricklog("convert", "--list").status == 0
    put_package(packages, "bad_package", "1 / 0", bad="bad_package:ADAPTER")
    with installed_from(packages):
        ran = tricklog("convert", "--list")
        assert ran.status == 1
        assert "bad  bad_package 1.2\n  cannot be used: It cannot be imported" in ran.text
        told = {each["name"]: each for each in tricklog("convert", "--list", "--json").objects}
    assert told["bad"]["program"] is None
    assert "ZeroDivisionError" in told["bad"]["trouble"]
    assert told["rlcard-29"]["trouble"] is None
    assert told["rlcard-29"]["package"] == "tricklog"
    assert json.dumps(told["rlcard-29"])


def test_the_help_shows_how_one_is_begun(tricklog: CommandLine) -> None:
    assert "tricklog convert --new our-club" in tricklog("convert", "--help").text


def test_one_that_fails_at_once_leaves_convert_as_it_was(
    packages: Path, tricklog: CommandLine, tmp_path: Path
) -> None:
    put_package(packages, "bad_package", "raise SystemExit(3)", bad="bad_package:ADAPTER")
    sample = write_events(tmp_path / "log.jsonl", [RECORDS["rlcard-29"]])
    with installed_from(packages):
        assert tricklog("convert", sample).status == 0
        assert tricklog("convert", "--from", "bad", sample).status == 2


def test_places_of_all_lines_are_kept_in_the_warehouse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tricklog: CommandLine
) -> None:
    monkeypatch.setitem(installed(), "events", EVENTS)
    log = write_events(tmp_path / "log.jsonl", [*events_of(HANDS[0]), *events_of(HANDS[1])[:-1]])
    db = tmp_path / "db"
    report = ingest.load(log, db=db, adapter="events")
    assert (report.lines, report.accepted, report.quarantined) == (2, 1, 1)
    with warehouse.open_snapshot(db) as connection:
        (reject,) = quarantine.lines(connection)
        assert connection.execute("SELECT paths FROM imports").fetchall() == [
            (["--from=events", str(log)],)
        ]
    *_, last = convert_with(EVENTS, log)
    assert last.reject == reject
    assert reject.parts[0] == Part(str(log), len(events_of(HANDS[0])) + 1, reject.byte)
    (told,) = tricklog("db", "rejects", "--db", db, "--json").objects
    assert told["parts"] == [each._asdict() for each in reject.parts]
    first, end = reject.parts[0].line, reject.parts[-1].line
    assert f"Its record takes lines {first} to {end}." in tricklog("db", "rejects", "--db", db).text
    # Rebuilt, it is read by its adapter again; where that is gone, hands and places are kept.
    for name in ("gone", "events"):
        with monkeypatch.context() as patch:
            if name == "gone":
                patch.delitem(installed(), "events")
            ran = tricklog("db", "rebuild", "--db", db, "--json")
        assert ran.status == (0 if name == "events" else 1) or ran.objects[0]["lost"] == 0
        with warehouse.open_snapshot(db) as connection:
            assert list(quarantine.lines(connection)) == [reject]
            assert connection.execute("SELECT hand_id FROM hands").fetchall() == [(HANDS[0].id,)]


def test_an_audit_reads_events_directly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tricklog: CommandLine
) -> None:
    monkeypatch.setitem(installed(), "events", EVENTS)
    log = write_events(tmp_path / "log.jsonl", mixed(random.Random(2), *map(events_of, HANDS)))
    ran = tricklog("audit", "--from", "events", log, "--json")
    assert ran.status == 0
    assert sorted(each["hand_id"] for each in ran.objects) == sorted(hand.id for hand in HANDS)
    assert all(each["file"] == str(log) for each in ran.objects)
    made = tricklog("convert", log)
    assert made.status == 0
    assert "Read as Events: --from events" in made.stderr
    piped = tricklog("convert", "-", stdin=log.read_bytes())
    assert piped.stdout == made.stdout


def test_a_project_is_written_only_into_an_empty_folder_under_a_free_name(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    for words, said in (
        ((), "--new"),
        (("Our Club",), "cannot be the name"),
        (("rlcard-29",), "there is an adapter rlcard-29 already"),
        (("club", str(tmp_path)), "needs an empty folder"),
        (("club", "one", "other"), "into one folder"),
    ):
        (tmp_path / "something").touch()
        ran = tricklog("convert", "--new", *words)
        assert ran.status == 2
        assert said in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["something"]


@pytest.mark.posix
@pytest.mark.thorough("all the way of somebody who writes an adapter, in a new environment")
def test_a_new_project_is_built_installed_and_used_and_passes_its_tests(
    tmp_path: Path, tricklog: CommandLine
) -> None:
    """In an environment that has nothing but it, and without a network."""
    project, python = tmp_path / "our-club", tmp_path / "env" / "bin" / "python"
    assert tricklog("convert", "--new", "our-club", project).status == 0
    venv.create(tmp_path / "env", symlinks=True)
    (packages,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    # Tricklog and the tools, as they are installed here.
    (packages / "here.pth").write_text(f"{REPOSITORY}\n{sysconfig.get_path('purelib')}\n")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", cwd=project)
    (wheel,) = (project / "dist").glob("*.whl")
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--no-index", "--no-deps", "-q", wheel)
    shutil.rmtree(project / "src")
    run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=project)
    command = (python, "-m", "tricklog.ingest.cli")
    listed = [
        json.loads(line) for line in run(*command, "convert", "--list", "--json").splitlines()
    ]
    (ours,) = [each for each in listed if each["package"] == "tricklog-our-club"]
    assert (ours["name"], ours["version"], ours["trouble"]) == ("our-club", "0.1.0", None)
    sample = project / "tests" / "sample.jsonl"
    # Nobody names the adapter: the log tells.
    hands = run(*command, "convert", sample)
    assert [json.loads(line)["id"] for line in hands.splitlines()] == [
        "our-club:north:7:2",
        "our-club:south:7:1",
    ]
    told = run(*command, "load", "--from", "our-club", sample, "--db", tmp_path / "db", "--json")
    assert json.loads(told)["verdicts"] == {"valid": 2}


def test_a_new_project_is_in_order(tricklog: CommandLine, tmp_path: Path) -> None:
    project = tmp_path / "our-club"
    told = tricklog("convert", "--new", "our-club", project)
    assert told.status == 0
    made = tomllib.loads((project / "pyproject.toml").read_text())
    for text in (told.text, (project / "README.md").read_text()):
        assert "pip install -e '.[test]'" in text
    needed = made["project"]["optional-dependencies"]["test"]
    assert [each.partition(">")[0] for each in needed] == ["mypy", "pytest"]
    ruff = (sys.executable, "-m", "ruff", "check", "--isolated", "--line-length", "100")
    run(*ruff, "src", "tests", cwd=project)
    sample = project / "tests" / "sample.jsonl"
    (package,) = (project / "src").iterdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(project / "src"))
        adapter = import_module(package.name).ADAPTER
    hands = [hand for item in convert_with(adapter, sample) for hand in item.hands]
    assert [hand.id for hand in hands] == ["our-club:north:7:2", "our-club:south:7:1"]
    assert [replay(hand).verdict for hand in hands] == ["valid", "valid"]


@pytest.mark.posix
@pytest.mark.thorough("mypy reads all of Tricklog; that the project works is tested in the first")
def test_a_new_project_has_its_types_in_order(tricklog: CommandLine, tmp_path: Path) -> None:
    project = tmp_path / "our-club"
    assert tricklog("convert", "--new", "our-club", project).status == 0
    run(sys.executable, "-m", "mypy", cwd=project)


def run(*words: object, cwd: Path | None = None) -> str:
    """Run a command and return what it prints; it must do its work."""
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
