"""What is no place on the command line: an empty word, a file for a folder, no folder at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.in_process import run_here


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
