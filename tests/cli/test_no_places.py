"""What is no place on the command line: an empty word, a file for a folder, no folder at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.in_process import run_here
from tests.kit.log_lines import generated, write_hands
from tricklog.ingest.cli.output import UNREADABLE, USAGE


@pytest.mark.parametrize(
    "words",
    [
        ["load", ""],
        ["audit", " "],
        ["convert", "a.jsonl", ""],
        ["load", "a.jsonl", "--db", ""],
        ["stats", "made-rate", "--db="],
        ["mark", "note", "add", "club-1", ""],
        ["stats", "made-rate", "--output", ""],
        ["rules", "--variant", ""],
    ],
)
def test_it_is_no_path_of_the_folder_one_stands_in(words: list[str], tmp_path: Path) -> None:
    ran = run_here(words, tmp_path)
    assert (ran.status, ran.out, ran.raised) == (2, "", "")
    assert "is empty" in ran.err
    assert "not set" in ran.err


@pytest.mark.parametrize("command", [["stats", "made-rate"], ["db", "verify"], ["list", "games"]])
def test_a_file_is_no_warehouse_and_may_lie_in_one(
    command: list[str], small_warehouse: Path, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("Pedro on Friday", "utf-8")
    for path, says in (
        (tmp_path / "notes.txt", "which tricklog load makes"),
        (small_warehouse / "CURRENT", f"name {small_warehouse}, in which it lies"),
    ):
        ran = run_here([*command, "--db", str(path)], tmp_path)
        assert (ran.status, ran.out, ran.raised) == (2, "", "")
        assert f"{path} is a file, and a warehouse is a folder" in ran.err
        assert says in ran.err


def test_where_the_folder_of_an_output_is_missing_it_is_named(
    small_warehouse: Path, tmp_path: Path
) -> None:
    words = ["--db", str(small_warehouse), "--output", str(tmp_path / "no" / "rates.txt")]
    ran = run_here(["stats", "made-rate", *words], tmp_path)
    assert (ran.status, ran.raised) == (3, "")
    assert f"There is no folder {tmp_path / 'no'}: make it first" in ran.err


@pytest.mark.parametrize("command", ["audit", "load", "convert", "replay"])
def test_logs_that_are_not_there_are_told_in_one_sentence(command: str, tmp_path: Path) -> None:
    ran = run_here([command, str(tmp_path / "frday.jsonl")], tmp_path)
    assert (ran.status, ran.out, ran.raised) == (UNREADABLE, "", "")
    assert f"{tmp_path / 'frday.jsonl'} cannot be read: No such file or directory" in ran.err


def test_a_log_that_is_not_there_is_a_part_of_an_answer(tmp_path: Path) -> None:
    log = write_hands(tmp_path / "log.jsonl", generated("pedro")[:1])
    both = run_here(["audit", "gone.jsonl", str(log)], tmp_path)
    assert (both.status, both.err) == (UNREADABLE, "")
    assert "gone.jsonl cannot be read" in both.out
    assert "1 accepted" in both.out
    told = run_here(["audit", "gone.jsonl", "--json"], tmp_path)
    assert (told.status, told.err) == (UNREADABLE, "")
    assert json.loads(told.out)["reject"]["code"] == "unreadable-file"


def test_an_option_is_told_before_a_place_that_is_not_there(tmp_path: Path) -> None:
    for words in (
        ["db", "verify", "--db", "nowhere", "--al"],
        ["audit", "gone.jsonl", "--mod=strict"],
    ):
        ran = run_here(words, tmp_path)
        assert (ran.status, ran.out) == (USAGE, "")
        assert "there is no option" in ran.err
    ran = run_here(["stats", "--db", "--json"], tmp_path)
    assert (ran.status, ran.out) == (USAGE, "")
    assert "nowhere" not in ran.err
    assert "--db" in ran.err


def test_a_file_whose_name_begins_with_a_hyphen_can_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_hands(tmp_path / "-friday.jsonl", generated("pedro")[:1])
    ran = run_here(["audit", "--", "-friday.jsonl"], tmp_path)
    assert ran.status == 0, ran.err
    ran = run_here(["audit", "-friday.jsonl"], tmp_path)
    assert ran.status == USAGE
    assert "Write ./-friday.jsonl for a file of that name." in ran.err
