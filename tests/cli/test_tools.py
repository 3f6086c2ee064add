"""Commands about rules, the installation and the dashboard."""

import json
import re
import shutil
import tomllib
from contextlib import redirect_stderr
from copy import copy
from io import StringIO
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.cli.command_line import CommandLine, run_python
from tests.kit import tiers
from tests.kit.tiers import check_each
from tricklog import core, ingest
from tricklog.ingest.cli import doctor
from tricklog.ingest.cli.commands import dashboard
from tricklog.ingest.cli.commands.demo import DEMO_DB
from tricklog.ingest.store import publishing
from tricklog.schemas.citations import citations, text_of

pytestmark = pytest.mark.posix


# --- rules
def test_variants_are_listed_and_cite_every_rule_they_tell(tricklog: CommandLine) -> None:
    text = tricklog("rules").text
    for name in core.variants():
        assert f"{name} " in text
        assert core.load_variant(name).title in text

    def check(variant: str) -> None:
        text = tricklog("rules", variant).text
        (told,) = tricklog("rules --json", variant).objects
        ruleset = core.load_variant(variant)
        assert {rule["policy"]: rule["value"] for rule in told["rules"]} == ruleset.values
        for rule in told["rules"]:
            assert rule["cite"]
            assert (rule["question"] in text) == rule["applies"]
        assert told["hash"] == ruleset.hash

    check_each(tiers.some(core.variants(), 5), check)


def test_a_file_of_ones_own_in_words(tricklog: CommandLine) -> None:
    Path("club.toml").write_text(
        'extends = "pedro"\ntitle = "Ours"\nhouse_rules = ["O16"]\ntarget = 40\ngoes_out_at = 0\n'
    )
    text = tricklog("rules club.toml", status=0).text
    assert text.startswith("Ours (pedro, version 1)")
    rules, options = text.split("Options that are rules here")
    assert re.search(r"And without the suit\?\s+A trump, if they have one\.\s+O16 1\.follow", rules)
    assert re.search(r"At what score is the game won\?\s+40 ", rules)
    assert options.split("House rules")[0].strip() == "O16  Without the suit led one must trump."
    (told,) = tricklog("rules ./club.toml --json").objects
    assert {rule["policy"]: rule["value"] for rule in told["rules"]}["target"] == 40


def test_two_games_side_by_side(tricklog: CommandLine) -> None:
    text = tricklog("rules --compare pedro pidro").text
    rows = tricklog("rules --compare pedro pidro --json").objects
    a, b = core.load_variant("pedro"), core.load_variant("pidro")
    assert [row["question"] in text for row in rows] == [True] * len(rows)
    for key, row in ((row["policy"], row) for row in rows):
        assert (row["a"]["value"], row["b"]["value"]) == (a.values[key], b.values[key])
        assert (row["a"]["cite"], row["b"]["cite"]) == (a.cite(key), b.cite(key))
    assert "does not arise" in text
    assert "are played alike" in tricklog("rules --compare pedro pedro").text
    assert tricklog("rules --compare pedro pedro --json").stdout == b""


def test_the_rule_behind_a_citation(tricklog: CommandLine) -> None:
    text = tricklog("rules 1.follow S12", status=0).text
    assert "Following to a trick" in text
    assert "No choice at the discard" in text
    assert "](" not in text
    row, *_ = tricklog("rules 1.follow --json").objects
    assert (row["text"], row["title"]) == (text_of("1.follow"), citations()["1.follow"].title)
    # One that is new in the code says what makes its page.
    without: Any = copy(citations())
    del without["O05"]
    tricklog.patch.setattr("tricklog.schemas.citations.citations", lambda: without)
    said = tricklog("rules O05").advice
    assert "O05 stands in the rules of a game, but the index of docs/rules has no O05" in said
    assert "./dev regenerate rules-index" in said
    assert "T05" not in said


@pytest.mark.parametrize("name", ["hand", "ruleset"])
def test_schemas_are_as_published(tricklog: CommandLine, repository: Path, name: str) -> None:
    ran = tricklog("rules --schema", name)
    assert ran.stdout == (repository / "schemas" / f"{name}.schema.json").read_bytes()
    assert "$schema" in json.loads(ran.stdout)


# --- dashboard
@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    commands: list[list[str]] = []

    def record(_: str, command: list[str]) -> NoReturn:
        commands.append(command)
        raise SystemExit

    monkeypatch.setattr("os.execv", record)
    monkeypatch.setattr("tricklog.ingest.cli.commands.dashboard._require_free", lambda _: None)
    return commands


def test_a_dashboard_begins(tricklog: CommandLine, became: list[list[str]], tmp_path: Path) -> None:
    Path("logs").mkdir()
    Path("link").symlink_to("logs")
    with pytest.raises(SystemExit):
        tricklog(
            *("dashboard --db club --port 9000 --host-name Cards.Example.", "--logs"),
            *(tmp_path / "link", "--logs", tmp_path, "--host-name", "[FE80:0::1]"),
        )
    assert became[0][1:] == [
        *("-P", "-m", "tricklog.dashboard", "--db", "club", "--port", "9000"),
        f"--logs={(tmp_path / 'logs').resolve()}",
        f"--logs={tmp_path.resolve()}",
        *("--host-name=cards.example", "--host-name=fe80::1"),
    ]


def test_the_dashboard_needs_a_folder_and_names_of_hosts(
    tricklog: CommandLine, became: list[list[str]], clean_log: Path
) -> None:
    tricklog("dashboard --db", clean_log, status=2)
    tricklog("dashboard --port 0", status=2)
    for folder in (clean_log, "none"):
        said = tricklog("dashboard --logs", folder, status=2).stderr
        assert f"'{folder}' is not a folder" in said
    names = ("http://cards.example", "cards:80", "*", "*.example", "a..b", "a b", "[", "kärten.at")
    for name in names:
        said = tricklog("dashboard --host-name", name, status=2).stderr
        assert f"{name} is not the name of a host" in said
    assert became == []


def test_a_dashboard_without_a_warehouse_says_how_to_get_one(
    tricklog: CommandLine, became: list[list[str]], clean_log: Path
) -> None:
    def said_of(db: str) -> str:
        told = StringIO()
        with pytest.raises(SystemExit), redirect_stderr(told):
            tricklog("dashboard --db", db)
        return " ".join(told.getvalue().split())

    assert "There is no warehouse in" in said_of("nodb")
    assert "load LOGS --db nodb" in said_of("nodb")
    tricklog("load --db club", clean_log, status=0)
    assert "There is no warehouse" not in said_of("club")
    assert len(became) == 3


# --- demo
def put_samples(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    monkeypatch.setattr("tricklog.ingest.reading.samples._PLACES", (place,))


def test_the_demo_fits_two_screens(tricklog: CommandLine, tmp_path: Path, repository: Path) -> None:
    tricklog.patch.setenv("COLUMNS", "80")
    place = repository / "sample_logs"
    if not tiers.is_thorough():
        # All that is broken, and a log of some games.
        shutil.copytree(place / "invalid", tmp_path / "samples" / "invalid")
        for game in tiers.some(sorted((place / "valid").iterdir()), 8):
            (tmp_path / "samples" / game.name).mkdir()
            shutil.copy(min(game.iterdir()), tmp_path / "samples" / game.name)
        place = tmp_path / "samples"
        put_samples(tricklog.patch, place)
    valid = sum(
        each.replay is not None and each.replay.verdict == core.Verdict.VALID
        for each in ingest.audit(place)
    )
    for stands in ("Published first", "the same hands again add nothing"):
        text = tricklog("demo --db first", status=0).text
        rows = sum(1 + max(0, len(line) - 1) // 80 for line in text.splitlines())
        assert rows <= 48
        for part in (
            *("Was everything legal and scored right?", "→ ", "✗ revoke: ", f"{valid:,} valid"),
            *(stands, "Contracts made", " n ", "Not shown: "),
            "dashboard --db first  # look at it",
        ):
            assert part in text
    put_samples(tricklog.patch, place / "invalid")
    (told,) = tricklog("demo --db second --json").objects
    assert told["load"]["accepted"] == sum(told["audit"]["verdicts"].values()) > 0


def test_an_old_demo_is_made_again(tricklog: CommandLine, tmp_path: Path, repository: Path) -> None:
    place = tmp_path / "samples"
    place.mkdir()
    shutil.copy(min((repository / "sample_logs" / "valid" / "pedro").iterdir()), place)
    put_samples(tricklog.patch, place)
    for db in (DEMO_DB, "own"):
        ingest.load(place, db=db)
        with publishing.writing(Path(db), wait=0), publishing.draft(Path(db)) as connection:
            connection.execute("UPDATE warehouse SET schema_version = 3")
    assert "tricklog db rebuild LOGS --db own" in tricklog("demo --db own", status=2).stderr
    ran = tricklog("demo", status=0)
    assert "was made again" in ran.stderr
    assert "the same hands again add nothing" in ran.text
    # Without samples it says what to do.
    put_samples(tricklog.patch, Path("nowhere"))
    assert "the sample logs are missing" in tricklog("demo", status=2).stderr


def test_the_doctor_finds_all_well_or_what_is_broken(
    tricklog: CommandLine, clean_log: Path
) -> None:
    text = tricklog("demo --check", status=0).text
    assert "PROBLEM" not in text
    assert "Everything is in place" in text
    # It plays a game of each variant, which once is enough for.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doctor, "_engine", str)
        patch.setattr(shutil, "which", lambda _: None)
        checks = {row["name"]: row["ok"] for row in tricklog("demo --check --json").objects}
    assert {"python", "duckdb", "engine", "sample logs", "warehouse"} <= checks.keys()
    # A missing browser is only noted.
    assert checks["chromium"] is None
    put_samples(tricklog.patch, Path("nowhere"))
    tricklog.patch.setattr(doctor, "PACKAGES", ("no-such-package",))
    tricklog.patch.setattr(doctor, "_engine", str)
    ran = tricklog("demo --check --db", clean_log, status=1)
    assert "Broken: no-such-package, sample logs, warehouse" in ran.text


def test_the_doctor_looks_at_every_package_that_tricklog_depends_on(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    needed_by_pages = project["optional-dependencies"]["dashboard"]
    for looked_at, stated in (
        (doctor.PACKAGES, project["dependencies"]),
        (dashboard.NEEDED, needed_by_pages),
    ):
        needed = [re.match(r"[\w-]+", each) for each in stated]
        assert sorted(looked_at) == sorted(each[0] for each in needed if each)


def test_where_pages_cannot_be_shown_the_dashboard_says_what_to_do(tricklog: CommandLine) -> None:
    tricklog.patch.setattr(doctor, "_engine", str)
    tricklog.patch.setattr(dashboard, "NEEDED", ("altair", "no_such_package"))
    doctored = tricklog("demo --check --json", status=0)
    (check,) = [row for row in doctored.objects if row["name"] == "dashboard"]
    assert check["ok"] is None
    for said in (check["says"], tricklog("dashboard", status=2).stderr):
        assert "no_such_package" in said
        assert "altair" not in said
        assert "pip install 'tricklog[dashboard]'" in said


def test_the_doctor_names_packages_that_cannot_be_imported(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['platformdirs'] = sys.modules['filelock'] = None; "
        "from tricklog.ingest.cli import doctor, main; "
        "doctor._engine = str; sys.exit(main(['demo', '--check']))"
    )
    ran = run_python("-c", program, cwd=tmp_path, status=1)
    assert "Broken: " in ran.stdout
    assert {"platformdirs", "filelock"} <= set(ran.stdout.split("Broken: ")[0].split())
    assert "Traceback" not in ran.stdout + ran.stderr
