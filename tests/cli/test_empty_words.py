"""An empty word on the command line, as from a variable that is not set, is refused."""

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
        ["note", "add", "club-1", ""],
        ["stats", "made-rate", "--output", ""],
        ["variants", "--rules", ""],
    ],
)
def test_it_is_no_path_of_the_folder_one_stands_in(words: list[str], tmp_path: Path) -> None:
    ran = run_here(words, tmp_path)
    assert (ran.status, ran.out, ran.raised) == (2, "", "")
    assert "is empty" in ran.err
    assert "not set" in ran.err
