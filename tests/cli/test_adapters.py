"""Adapters on the command line: listed, begun as a project, and records that go as our logs do."""

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

from tests.cli.command_line import CommandLine, revoked, write_log
from tests.conftest import REPOSITORY
from tests.kit.event_logs import EVENTS, HANDS, events_of, mixed, write_events
from tests.kit.foreign_records import RECORDS
from tests.kit.log_lines import generated
from tests.kit.plugins import GOOD, installed_from, put_package
from tests.kit.stored import content, rows
from tricklog import ingest
from tricklog.core import replay
from tricklog.core.native import library
from tricklog.ingest.adapters.converting import convert, convert_with
from tricklog.ingest.adapters.registry import UnknownAdapterError, installed
from tricklog.ingest.completing.words import candidates
from tricklog.ingest.reading.rejects import Part
from tricklog.ingest.store import quarantine
from tricklog.ingest.warehouses import open_snapshot
from tricklog.schemas.hand import Hand


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    folder = tmp_path / "packages"
    folder.mkdir()
    return folder


def test_adapters_are_listed_with_their_trouble(packages: Path, tricklog: CommandLine) -> None:
    tricklog("convert --list", status=0)
    assert "tricklog convert --new our-club" in tricklog("convert --help").text
    put_package(packages, "bad_package", "1 / 0", bad="bad_package:ADAPTER")
    put_package(packages, "worse_package", "raise SystemExit(3)", worse="worse_package:ADAPTER")
    sample = write_events(Path("log.jsonl"), [RECORDS["rlcard-29"]])
    with installed_from(packages):
        text = tricklog("convert --list", status=1).text
        assert "bad  bad_package 1.2\n  cannot be used: It cannot be imported" in text
        told = {each["name"]: each for each in tricklog("convert --list --json").objects}
        tricklog("convert", sample, status=0)
        tricklog("convert --from worse", sample, status=2)
    assert told["bad"]["program"] is None
    assert "ZeroDivisionError" in told["bad"]["trouble"]
    assert (told["rlcard-29"]["trouble"], told["rlcard-29"]["package"]) == (None, "tricklog")
    # Completion knows adapters of packages.
    put_package(packages, "tables_package", GOOD, tables="tables_package:ADAPTER")
    with installed_from(packages):
        assert candidates(["convert", "--from", "tab"]) == ["tables"]
        assert candidates(["load", "--from=rlc"]) == ["--from=rlcard-29"]
    assert candidates(["convert", "--from", "tab"]) == []


# --- Records as events
def logged_hands() -> list[Hand]:
    return [*generated("pedro", 1), revoked()[0], *generated("twenty-nine", 1)]


@pytest.fixture
def events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(installed(), "events", EVENTS)
    lines = [event for hand in logged_hands() for event in events_of(hand)]
    return write_events(tmp_path / "events.jsonl", lines)


PATHS = "SELECT paths FROM imports"


@pytest.mark.usefixtures("events")
def test_an_audit_reads_events_directly(tricklog: CommandLine) -> None:
    log = write_events(Path("log.jsonl"), mixed(random.Random(2), *map(events_of, HANDS)))
    told = tricklog("audit --from events --json", log, status=0).objects
    assert sorted(each["hand_id"] for each in told) == sorted(hand.id for hand in HANDS)
    assert all(each["file"] == str(log) for each in told)
    made = tricklog("convert", log, status=0)
    assert "Read as Events: --from events" in made.stderr
    assert tricklog("convert -", stdin=log.read_bytes()).stdout == made.stdout


@pytest.mark.usefixtures("events")
def test_places_of_lines_are_kept(monkeypatch: pytest.MonkeyPatch, tricklog: CommandLine) -> None:
    def rejects() -> list[object]:
        with open_snapshot("db") as connection:
            assert connection.execute("SELECT hand_id FROM hands").fetchall() == [(HANDS[0].id,)]
            return list(quarantine.lines(connection))

    whole = events_of(HANDS[0])
    log = write_events(Path("log.jsonl"), [*whole, *events_of(HANDS[1])[:-1]])
    report = ingest.load(log, db="db", adapter="events")
    assert (report.lines, report.accepted, report.quarantined) == (2, 1, 1)
    assert rows("db", PATHS) == [(["--from=events", str(log)],)]
    *_, last = convert_with(EVENTS, log)
    reject = last.reject
    assert reject
    assert rejects() == [reject]
    assert reject.parts[0] == Part(str(log), len(whole) + 1, reject.byte)
    (told,) = tricklog("db rejects --db db --json").objects
    assert told["parts"] == [each._asdict() for each in reject.parts]
    lines = f"lines {reject.parts[0].line} to {reject.parts[-1].line}"
    assert f"Its record takes {lines}." in tricklog("db rejects --db db").text
    # Rebuilt, it is read by its adapter again; where that is gone, hands and places are kept.
    for name in ("gone", "events"):
        with monkeypatch.context() as patch:
            if name == "gone":
                patch.delitem(installed(), "events")
            ran = tricklog("db rebuild --db db --json")
        assert ran.status == (0 if name == "events" else 1) or ran.objects[0]["lost"] == 0
        assert rejects() == [reject]


@pytest.mark.parametrize(
    ("kind", "is_compiled"),
    [("", True), pytest.param("lake:", False, marks=pytest.mark.thorough("the other lanes"))],
)
def test_records_are_loaded_as_what_convert_makes_of_them(
    events: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, *, is_compiled: bool
) -> None:
    monkeypatch.setattr(library, "is_there", lambda: is_compiled)
    direct, hands = (f"{kind}{tmp_path / name}" for name in ("direct", "hands"))
    on = "here" if kind else None
    converted = [hand for item in convert("events", events) for hand in item.hands]
    report = ingest.load(events, db=direct, adapter="events", on=on)
    other = ingest.load(write_log(tmp_path / "hands.jsonl", *converted), db=hands, on=on)
    assert report.accepted == other.accepted == len(logged_hands())
    assert (report.verdicts, report.findings) == (other.verdicts, other.findings)
    assert report.findings == {"revoke": 1}
    assert content(direct) == content(hands)
    again = ingest.load(events, db=hands, adapter="events", on=on)
    assert (again.accepted, again.published) == (0, False)


def test_a_lake_is_made_again_with_its_adapter(events: Path, tricklog: CommandLine) -> None:
    tricklog("load --from events --db lake:lake --on here", events, status=1)
    before = content("lake:lake")
    irregular = "SELECT count(*) FROM hands WHERE verdict = 'irregular'"
    assert rows("lake:lake", irregular) == [(1,)]
    assert rows("lake:lake", PATHS) == [(["--from=events", str(events)],)]
    (told,) = tricklog("db rebuild --db lake:lake --on here --json").objects
    assert (told["from_logs"], told["kept"], told["equal"]) == (len(logged_hands()), 0, True)
    assert content("lake:lake") == before
    with pytest.raises(UnknownAdapterError, match="there is no adapter 'evens'"):
        ingest.load(events, db="lake:other", adapter="evens", on="here")


# --- A project of one's own
@pytest.fixture
def project(tricklog: CommandLine, tmp_path: Path) -> Path:
    told = tricklog("convert --new our-club our-club", status=0).text
    assert "pip install -e '.[test]'" in told
    return tmp_path / "our-club"


def run(*words: object, cwd: Path | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.posix
@pytest.mark.thorough("all the way of somebody who writes an adapter, in a new environment")
def test_a_new_project_is_built_installed_used_and_tested(project: Path, tmp_path: Path) -> None:
    """In an environment that has nothing but it, and without a network."""
    python = tmp_path / "env" / "bin" / "python"
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
    listed = map(json.loads, run(*command, "convert", "--list", "--json").splitlines())
    (ours,) = [each for each in listed if each["package"] == "tricklog-our-club"]
    assert (ours["name"], ours["version"], ours["trouble"]) == ("our-club", "0.1.0", None)
    sample = project / "tests" / "sample.jsonl"
    # Nobody names the adapter: the log tells.
    hands = run(*command, "convert", sample)
    assert [json.loads(line)["id"] for line in hands.splitlines()] == MADE
    told = run(*command, "load", "--from", "our-club", sample, "--db", tmp_path / "db", "--json")
    assert json.loads(told)["verdicts"] == {"valid": 2}


MADE = ["our-club:north:7:2", "our-club:south:7:1"]


def test_a_new_project_is_in_order(project: Path) -> None:
    made = tomllib.loads((project / "pyproject.toml").read_text())
    assert "pip install -e '.[test]'" in (project / "README.md").read_text()
    needed = made["project"]["optional-dependencies"]["test"]
    assert [each.partition(">")[0] for each in needed] == ["mypy", "pytest"]
    ruff = (sys.executable, "-m", "ruff", "check", "--isolated", "--line-length", "100")
    run(*ruff, "src", "tests", cwd=project)
    (package,) = (project / "src").iterdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(project / "src"))
        adapter = import_module(package.name).ADAPTER
    items = convert_with(adapter, project / "tests" / "sample.jsonl")
    hands = [hand for item in items for hand in item.hands]
    assert [hand.id for hand in hands] == MADE
    assert [replay(hand).verdict for hand in hands] == ["valid", "valid"]


@pytest.mark.posix
@pytest.mark.thorough("mypy reads all of Tricklog; that the project works is tested in the first")
def test_a_new_project_has_its_types_in_order(project: Path) -> None:
    run(sys.executable, "-m", "mypy", cwd=project)
