"""`tricklog load` of hands written as text tells what may not be meant, as `audit` does."""

import json
import threading
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.tiers import some
from tricklog.ingest.cli.unread_lines import MOST_WARNINGS as MOST
from tricklog.ingest.following.follow import Ears, follow
from tricklog.ingest.text_form.problems import Problem

HEAD = "game Pedro\nplayers Ann & Cy vs Bo & Dee\ndate 2026-11-20\n"
SLIPPED = f"{HEAD}hand 1; dealer Ann; Ann 8, made; points 9 5; after 9 5 4\n"
WARNED = "4:52  warning: 3 numbers for 2 sides"


@pytest.mark.parametrize(
    "to", some([("db",), ("lake:lake", "--on", "here")], 1), ids=lambda each: each[0]
)
def test_a_load_warns_as_an_audit_does(
    tricklog: CommandLine, tmp_path: Path, to: tuple[str, ...]
) -> None:
    path = tmp_path / "night.trick"
    path.write_text(SLIPPED, encoding="utf-8")
    assert f"night.trick:{WARNED}" in tricklog("audit", path).stderr
    assert f"night.trick:{WARNED}" in tricklog("audit", path, "--format", "line").stderr
    ran = tricklog("load", path, "--db", *to)
    assert f"night.trick:{WARNED}" in ran.stderr


def test_warnings_are_objects_where_all_else_is(tricklog: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "night.trick"
    path.write_text(SLIPPED, encoding="utf-8")
    ran = tricklog("load", path, "--db", tmp_path / "db", "--json")
    told = [json.loads(line) for line in ran.stderr.splitlines()]
    assert [(each["line"], each["column"], each["severity"]) for each in told] == [
        (4, 52, "warning")
    ]


def test_a_sheet_of_years_does_not_hide_all_else(tricklog: CommandLine, tmp_path: Path) -> None:
    hands = [f"hand {n}; Ann 8, made; points 9 5; after 9 5 4\n" for n in range(1, MOST + 6)]
    path = tmp_path / "years.trick"
    path.write_text(HEAD + "".join(hands), encoding="utf-8")
    said = tricklog("load", path, "--db", tmp_path / "db").stderr
    assert said.count("3 numbers for 2 sides") == MOST
    assert "and 5 more like these" in said


@pytest.mark.posix
def test_a_follower_warns_too(tmp_path: Path) -> None:
    path = tmp_path / "night.trick"
    path.write_text(SLIPPED, encoding="utf-8")
    heard: list[tuple[str, Problem]] = []
    stop = threading.Event()

    def hear(file: str, warning: Problem) -> None:
        heard.append((file, warning))
        stop.set()

    follow(tmp_path, db=tmp_path / "db", stop=stop, every=0.1, ears=Ears(on_warning=hear))
    assert [(Path(file).name, each.line) for file, each in heard] == [("night.trick", 4)]
