"""Commands about rules, the installation and the dashboard; wrong usage of any command."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from copy import copy
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.cli.command_line import CommandLine, Ran
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


def test_variants_are_listed(tricklog: CommandLine) -> None:
    ran = tricklog("rules")
    for name in core.variants():
        assert f"{name} " in ran.text
        assert core.load_variant(name).title in ran.text


def test_a_variant_in_words_cites_every_rule_it_tells(tricklog: CommandLine) -> None:
    def check(variant: str) -> None:
        ran = tricklog("rules", variant)
        (told,) = tricklog("rules", variant, "--json").objects
        ruleset = core.load_variant(variant)
        assert {rule["policy"]: rule["value"] for rule in told["rules"]} == ruleset.values
        for rule in told["rules"]:
            assert rule["cite"]
            assert (rule["question"] in ran.text) == rule["applies"]
        assert told["hash"] == ruleset.hash

    check_each(tiers.some(core.variants(), 5), check)


def test_a_file_of_ones_own_in_words(tricklog: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(
        'extends = "pedro"\ntitle = "Ours"\nhouse_rules = ["O16"]\ntarget = 40\ngoes_out_at = 0\n'
    )
    ran = tricklog("rules", "club.toml")
    assert ran.status == 0
    assert ran.text.startswith("Ours (pedro, version 1)")
    rules, options = ran.text.split("Options that are rules here")
    assert re.search(r"And without the suit\?\s+A trump, if they have one\.\s+O16 1\.follow", rules)
    assert re.search(r"At what score is the game won\?\s+40 ", rules)
    assert options.split("House rules")[0].strip() == "O16  Without the suit led one must trump."
    (told,) = tricklog("rules", "./club.toml", "--json").objects
    assert {rule["policy"]: rule["value"] for rule in told["rules"]}["target"] == 40


def test_two_games_side_by_side(tricklog: CommandLine) -> None:
    ran = tricklog("rules", "--compare", "pedro", "pidro")
    rows = tricklog("rules", "--compare", "pedro", "pidro", "--json").objects
    a, b = core.load_variant("pedro"), core.load_variant("pidro")
    assert [row["question"] in ran.text for row in rows] == [True] * len(rows)
    by_policy = {row["policy"]: row for row in rows}
    for row in rows:
        assert (row["a"]["value"], row["b"]["value"]) == tuple(
            each.values[row["policy"]] for each in (a, b)
        )
        assert (row["a"]["cite"], row["b"]["cite"]) == (
            a.cite(row["policy"]),
            b.cite(row["policy"]),
        )
    assert by_policy["min_bid"]["a"]["answer"] == "7"
    assert not by_policy["plain_void"]["b"]["applies"]
    assert "does not arise" in ran.text
    assert {"min_bid", "rob", "drop_out", "phases"} <= set(by_policy)
    assert "target" not in by_policy


def test_a_game_compared_with_itself(tricklog: CommandLine) -> None:
    assert "are played alike" in tricklog("rules", "--compare", "pedro", "pedro").text
    assert tricklog("rules", "--compare", "pedro", "pedro", "--json").stdout == b""


def test_the_rule_behind_a_citation(tricklog: CommandLine) -> None:
    ran = tricklog("rules", "1.follow", "S12")
    assert ran.status == 0
    assert "Following to a trick" in ran.text
    assert "No choice at the discard" in ran.text
    assert "](" not in ran.text
    rows = tricklog("rules", "1.follow", "--json").objects
    assert rows[0]["text"] == text_of("1.follow")
    assert rows[0]["title"] == citations()["1.follow"].title


def test_a_rule_that_does_not_exist(tricklog: CommandLine) -> None:
    for words in (("99.nonsense",), ("1.follow", "pedro")):
        ran = tricklog("rules", *words)
        assert ran.status == 2
        assert "1.follow" in ran.stderr


def test_a_rule_that_is_new_in_the_code_says_what_makes_its_page(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    without: Any = copy(citations())
    del without["O05"]
    monkeypatch.setattr("tricklog.schemas.citations.citations", lambda: without)
    said = " ".join(tricklog("rules", "O05").stderr.split())
    assert "O05 stands in the rules of a game, but the index of docs/rules has no O05" in said
    assert "./dev regenerate rules-index" in said
    assert "T05" not in said


@pytest.mark.parametrize("name", ["hand", "ruleset"])
def test_schemas_are_printed_as_they_are_published(
    tricklog: CommandLine, repository: Path, name: str
) -> None:
    ran = tricklog("rules", "--schema", name)
    assert ran.stdout == (repository / "schemas" / f"{name}.schema.json").read_bytes()
    assert "$schema" in json.loads(ran.stdout)


# --- dashboard, demo


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The programs that this process would have become."""
    commands: list[list[str]] = []

    def record(_: str, command: list[str]) -> NoReturn:
        commands.append(command)
        raise SystemExit

    monkeypatch.setattr("os.execv", record)
    return commands


def test_the_dashboard_is_started_for_the_warehouse(
    tricklog: CommandLine, became: list[list[str]], tmp_path: Path
) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "link").symlink_to("logs")
    with pytest.raises(SystemExit):
        tricklog(
            *("dashboard", "--db", "club", "--port", "9000"),
            *("--logs", tmp_path / "link", "--logs", tmp_path),
            *("--host-name", "Cards.Example.", "--host-name", "[FE80:0::1]"),
        )
    assert became[0][1:] == [
        *("-P", "-m", "tricklog.dashboard", "--db", "club", "--port", "9000"),
        f"--logs={(tmp_path / 'logs').resolve()}",
        f"--logs={tmp_path.resolve()}",
        "--host-name=cards.example",
        "--host-name=fe80::1",
    ]


def test_the_dashboard_needs_a_folder(
    tricklog: CommandLine, became: list[list[str]], clean_log: Path, tmp_path: Path
) -> None:
    assert tricklog("dashboard", "--db", clean_log).status == 2
    assert tricklog("dashboard", "--port", "0").status == 2
    for folder in (clean_log, tmp_path / "none"):
        ran = tricklog("dashboard", "--logs", folder)
        assert ran.status == 2
        assert f"'{folder}' is not a folder" in ran.stderr
    assert became == []


def test_a_name_that_is_no_name_of_a_host_is_refused(
    tricklog: CommandLine, became: list[list[str]]
) -> None:
    names = ("http://cards.example", "cards:80", "*", "*.example", "a..b", "a b", "[", "kärten.at")
    for name in names:
        ran = tricklog("dashboard", "--host-name", name)
        assert ran.status == 2, name
        assert f"{name} is not the name of a host" in ran.stderr
        assert became == []


def test_the_demo_runs_the_whole_way_on_two_screens_and_again(
    tricklog: CommandLine, tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    place = repository / "sample_logs"
    if not tiers.is_thorough():
        # All that is broken, and a log of some games.
        shutil.copytree(place / "invalid", tmp_path / "samples" / "invalid")
        for game in tiers.some(sorted((place / "valid").iterdir()), 8):
            (tmp_path / "samples" / game.name).mkdir()
            shutil.copy(min(game.iterdir()), tmp_path / "samples" / game.name)
        place = tmp_path / "samples"
        monkeypatch.setattr("tricklog.ingest.reading.samples._PLACES", (place,))
    valid = sum(
        each.replay is not None and each.replay.verdict == core.Verdict.VALID
        for each in ingest.audit(place)
    )
    for stands in ("Published first", "the same hands again add nothing"):
        ran = tricklog("demo", "--db", "first")
        assert ran.status == 0
        rows = sum(1 + max(0, len(line) - 1) // 80 for line in ran.text.splitlines())
        assert rows <= 48
        for part in (
            *(
                "Was everything legal and scored right?",
                "→ ",
                "✗ revoke: ",
                f"{valid:,} valid",
                stands,
            ),
            *("Contracts made", " n ", "Not shown: ", "dashboard --db first  # look at it"),
        ):
            assert part in ran.text
    monkeypatch.setattr("tricklog.ingest.reading.samples._PLACES", (place / "invalid",))
    (told,) = tricklog("demo", "--db", "second", "--json").objects
    assert told["load"]["accepted"] == sum(told["audit"]["verdicts"].values()) > 0


def test_the_demo_makes_its_own_warehouse_of_another_version_again(
    tricklog: CommandLine, tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "samples"
    place.mkdir()
    shutil.copy(min((repository / "sample_logs" / "valid" / "pedro").iterdir()), place)
    monkeypatch.setattr("tricklog.ingest.reading.samples._PLACES", (place,))
    for db, options in ((tmp_path / DEMO_DB, ()), (tmp_path / "own", ("--db", "own"))):
        ingest.load(place, db=db)
        with publishing.writing(db, wait=0), publishing.draft(db) as connection:
            connection.execute("UPDATE warehouse SET schema_version = 3")
        ran = tricklog("demo", *options)
        if options:
            assert ran.status == 2
            assert "tricklog db rebuild LOGS --db own" in ran.stderr
        else:
            assert ran.status == 0
            assert "was made again" in ran.stderr
            assert "the same hands again add nothing" in ran.text


def test_the_demo_without_samples_says_what_to_do(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tricklog.ingest.reading.samples._PLACES", (Path("nowhere"),))
    ran = tricklog("demo")
    assert ran.status == 2
    assert "the sample logs are missing" in ran.stderr


def test_the_doctor_finds_everything_in_place(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tricklog("demo", "--check")
    assert ran.status == 0
    assert "PROBLEM" not in ran.text
    assert "Everything is in place" in ran.text
    # It plays a game of each variant, which once is enough for.
    monkeypatch.setattr(doctor, "_engine", str)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    checks = {row["name"]: row["ok"] for row in tricklog("demo", "--check", "--json").objects}
    assert {"python", "duckdb", "engine", "sample logs", "warehouse"} <= checks.keys()
    # A missing browser is only noted.
    assert checks["chromium"] is None


def test_the_doctor_names_what_is_broken(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch, clean_log: Path
) -> None:
    monkeypatch.setattr("tricklog.ingest.reading.samples._PLACES", (Path("nowhere"),))
    monkeypatch.setattr(doctor, "PACKAGES", ("no-such-package",))
    monkeypatch.setattr(doctor, "_engine", str)
    ran = tricklog("demo", "--check", "--db", clean_log)
    assert ran.status == 1
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


def test_where_the_pages_cannot_be_shown_all_is_well_and_the_dashboard_says_what_to_do(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "_engine", str)
    monkeypatch.setattr(
        "tricklog.ingest.cli.commands.dashboard.NEEDED", ("altair", "no_such_package")
    )
    doctored = tricklog("demo", "--check", "--json")
    (check,) = [row for row in doctored.objects if row["name"] == "dashboard"]
    ran = tricklog("dashboard")
    assert (doctored.status, check["ok"], ran.status) == (0, None, 2)
    for said in (check["says"], ran.stderr):
        assert "no_such_package" in said
        assert "altair" not in said
        assert "pip install 'tricklog[dashboard]'" in said


def test_the_doctor_names_packages_that_cannot_be_imported(
    repository: Path, tmp_path: Path
) -> None:
    program = (
        "import sys; sys.modules['platformdirs'] = sys.modules['filelock'] = None; "
        "from tricklog.ingest.cli import doctor, main; "
        "doctor._engine = str; sys.exit(main(['demo', '--check']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(repository)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stderr
    assert "Broken: " in ran.stdout
    assert {"platformdirs", "filelock"} <= set(ran.stdout.split("Broken: ")[0].split())
    assert "Traceback" not in ran.stdout + ran.stderr


# --- Wrong usage


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nonsense",), "nonsense"),
        (("audit",), "nothing to audit"),
        (("load",), "nothing to load"),
        (("convert", "--from", "rlcard-29"), "nothing to convert"),
        (("audit", "x", "--nonsense"), "no option --nonsense"),
        (("audit", "x", "--mode", "kind"), "strict"),
        (("replay",), "Name a log, or a warehouse and the hand in it"),
        (("rules", "whist"), "Known are"),
        (("rules", "pedor"), "Did you mean pedro?"),
        (("rules", "whist.toml"), "whist.toml cannot be read"),
        (("rules", "--compare", "pedro"), "--compare"),
        (("rules", "--compare", "pedro", "king-pedo"), "Did you mean king-pedro?"),
        (("rules", "pedro", "--compare", "pedro", "pidro"), "do not go together"),
        (("audit", "x", "--variant", "kingpedro"), "Did you mean king-pedro?"),
        (("replay", "x", "--variant", "whist"), "Known are"),
        (("rules", "--schema", "deck"), "hand"),
    ],
)
def test_wrong_usage_has_status_2_and_says_what_is_wrong(
    tricklog: CommandLine, arguments: tuple[str, ...], said: str
) -> None:
    ran: Ran = tricklog(*arguments)
    assert ran.status == 2
    assert said in ran.stderr
    assert ran.stdout == b""


@pytest.mark.parametrize(
    ("arguments", "what", "hint"),
    [
        (("audt",), "there is no command audt", "Did you mean audit?"),
        (("tidy",), "there is no command tidy", "Did you mean db tidy?"),
        (("session",), "there is no command session", "\nSee tricklog --help."),
        (("--versoin",), "there is no option --versoin", "Did you mean --version?"),
        (("export", "--to", "x"), "there is no option --to", "\nSee tricklog export --help."),
        (("audit", "--mod", "strict", "x"), "there is no option --mod", "Did you mean --mode?"),
        (("audit", "x", "--mode", "stric"), 'invalid value "stric"', 'Did you mean "strict"?'),
        (("stats", "--buy", "player"), "there is no option --buy", "Did you mean --by?"),
        (("dashboard", "--port", "x"), 'unable to convert "x" into int', "dashboard --help"),
        (("ask",), "tricklog ask needs --variant", "tricklog ask --help"),
        (("export",), "tricklog export needs --output", "tricklog export --help"),
        (("rules", "1.folow"), "there is no rule '1.folow'", "Did you mean 1.follow?"),
        (("convert", "--from", "rlcard", "x"), "(did you mean 'rlcard-29'?)", "convert --list"),
        (("db", "verify", "extra"), "there is no place for 'extra'", "tricklog db verify --help"),
    ],
)
def test_wrong_usage_is_told_in_one_style(
    tricklog: CommandLine, arguments: tuple[str, ...], what: str, hint: str
) -> None:
    ran = tricklog(*arguments)
    assert ran.status == 2
    assert ran.stdout == b""
    first, *rest = ran.stderr.splitlines()
    assert first.startswith("tricklog: ")
    assert what in first
    assert hint in "\n".join(("", *rest))
    assert "╭" not in ran.stderr
