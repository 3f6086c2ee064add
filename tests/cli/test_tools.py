"""Commands about rules, the installation and the dashboard; wrong usage of any command."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import replay
from ingest.cli import doctor
from schemas.citations import citations, text_of
from tests.cli.command_line import CommandLine, Ran

# --- variants, rule, schema


def test_variants_are_listed(tricklog: CommandLine) -> None:
    ran = tricklog("variants")
    for name in replay.variants():
        assert f"{name} " in ran.text
        assert replay.load_variant(name).title in ran.text


@pytest.mark.parametrize("variant", replay.variants())
def test_a_variant_in_words_cites_every_rule_it_tells(tricklog: CommandLine, variant: str) -> None:
    ran = tricklog("variants", variant)
    (told,) = tricklog("variants", variant, "--json").objects
    ruleset = replay.load_variant(variant)
    assert {rule["policy"]: rule["value"] for rule in told["rules"]} == ruleset.values
    for rule in told["rules"]:
        assert rule["cite"]
        assert (rule["question"] in ran.text) == rule["applies"]
    assert told["hash"] == ruleset.hash


def test_the_rule_behind_a_citation(tricklog: CommandLine) -> None:
    ran = tricklog("rule", "1.follow", "S12")
    assert ran.status == 0
    assert "Following to a trick" in ran.text
    assert "No choice at the discard" in ran.text
    assert "](" not in ran.text
    rows = tricklog("rule", "1.follow", "--json").objects
    assert rows[0]["text"] == text_of("1.follow")
    assert rows[0]["title"] == citations()["1.follow"].title


@pytest.mark.parametrize("arguments", [(), ("99.nonsense",)])
def test_a_rule_that_does_not_exist(tricklog: CommandLine, arguments: tuple[str, ...]) -> None:
    ran = tricklog("rule", *arguments)
    assert ran.status == 2
    assert "1.follow" in ran.stderr


@pytest.mark.parametrize("name", ["hand", "ruleset"])
def test_schemas_are_printed_as_they_are_published(
    tricklog: CommandLine, repository: Path, name: str
) -> None:
    ran = tricklog("schema", name)
    assert ran.stdout == (repository / "schemas" / f"{name}.schema.json").read_bytes()
    assert "$schema" in json.loads(ran.stdout)


# --- dashboard, demo, doctor


def test_the_dashboard_is_started_for_the_warehouse(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []

    def record(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        started.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr("subprocess.run", record)
    ran = tricklog("dashboard", "--db", "club", "--port", "9000")
    assert ran.status == 0
    assert started[0][-2:] == ["--db", "club"]
    assert "--server.address=localhost" in started[0]
    assert "http://localhost:9000" in ran.stderr


def test_the_dashboard_needs_a_folder(tricklog: CommandLine, clean_log: Path) -> None:
    assert tricklog("dashboard", "--db", clean_log).status == 2
    assert tricklog("dashboard", "--port", "0").status == 2


def test_the_demo_runs_the_whole_way_and_ends_well(tricklog: CommandLine) -> None:
    ran = tricklog("demo", "--db", "first")
    assert ran.status == 0
    assert "Was everything legal and scored right?" in ran.text
    assert "Published first" in ran.text
    assert "Bid accuracy by player" in ran.text
    assert "tricklog dashboard --db first" in ran.text
    assert "the same hands again add nothing" in tricklog("demo", "--db", "first").text


def test_the_demo_as_json(tricklog: CommandLine) -> None:
    (told,) = tricklog("demo", "--db", "first", "--json").objects
    assert told["load"]["accepted"] == sum(told["audit"]["verdicts"].values())


def test_the_demo_without_samples_says_what_to_do(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.samples._PLACES", (Path("nowhere"),))
    ran = tricklog("demo")
    assert ran.status == 2
    assert "the sample logs are missing" in ran.stderr


def test_the_doctor_finds_everything_in_place(tricklog: CommandLine) -> None:
    ran = tricklog("doctor")
    assert ran.status == 0
    assert "PROBLEM" not in ran.text
    assert "Everything is in place" in ran.text
    names = {row["name"] for row in tricklog("doctor", "--json").objects}
    assert {"python", "duckdb", "engine", "sample logs", "warehouse", "chromium"} <= names


def test_the_doctor_names_what_is_broken(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch, clean_log: Path
) -> None:
    monkeypatch.setattr("ingest.samples._PLACES", (Path("nowhere"),))
    monkeypatch.setattr(doctor, "PACKAGES", ("no-such-package",))
    ran = tricklog("doctor", "--db", clean_log)
    assert ran.status == 1
    assert "Broken: no-such-package, sample logs, warehouse" in ran.text


def test_the_doctor_only_notes_a_missing_browser(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    checks = {row["name"]: row["ok"] for row in tricklog("doctor", "--json").objects}
    assert checks["chromium"] is None


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
        (("replay",), "PATH"),
        (("variants", "whist"), "Known are"),
        (("schema", "deck"), "hand"),
    ],
)
def test_wrong_usage_has_status_2_and_says_what_is_wrong(
    tricklog: CommandLine, arguments: tuple[str, ...], said: str
) -> None:
    ran: Ran = tricklog(*arguments)
    assert ran.status == 2
    assert said in ran.stderr
    assert ran.stdout == b""
