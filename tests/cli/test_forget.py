"""``tricklog forget``, as somebody types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.forgotten_club import NAME, NICK, WHO, load_club
from tests.kit.in_process import run_here
from tricklog.ingest.forgetting import forget
from tricklog.ingest.loading.staging import stage


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("forget")
    load_club(folder, count=9)
    return folder


def test_it_says_what_it_would_do_asks_and_does_it(folder: Path) -> None:
    db = str(folder / "db")
    told = run_here(["forget", WHO, "--db", db, "--dry-run"], folder)
    assert told.status == 0
    assert f"{WHO} would become forgotten-1" in told.out
    assert "first.jsonl" in told.out
    asked = run_here(["forget", WHO, "--db", db], folder)
    assert asked.status == 2
    assert "--yes" in asked.err
    wrong = run_here(["forget", NAME, "--db", db, "--yes"], folder)
    assert wrong.status == 2
    assert WHO in wrong.err
    done = run_here(["forget", WHO, "--db", db, "--also", NICK, "--yes", "--json"], folder)
    assert done.status == 0, done.err
    report = json.loads(done.out)
    assert report["ids"] == {WHO: "forgotten-1"}
    assert report["removed_files"] > 0
    again = run_here(["load", str(folder / "logs"), "--db", db], folder)
    assert "somebody who was forgotten" in again.out
    also = run_here(["forget", WHO, "--db", db, "--also", NAME, "--yes"], folder)
    assert also.status == 0
    assert "Out of reach: logs" in also.out


def test_a_load_beside_it_says_only_what_became_of_itself(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = load_club(tmp_path, count=9)

    def forgetting_meanwhile(*parts: Any, **named: Any) -> None:  # noqa: ANN401 - passed on
        stage(*parts, **named)
        forget(WHO, db=db)

    monkeypatch.setattr("tricklog.ingest.loading.loading.stage", forgetting_meanwhile)
    told = run_here(["load", str(folder / "logs"), "--db", str(db)], tmp_path)
    assert told.status == 3
    assert "Nothing was published; do the same again." in told.err
    assert "all the same" not in told.err
