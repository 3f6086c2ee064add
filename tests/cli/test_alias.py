"""``tricklog alias``, as somebody types it."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

import ingest
from tests.kit.in_process import Ran, run_here
from tests.store.test_aliases import FIRST, OTHER, records


@pytest.fixture
def db(tmp_path: Path) -> Path:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"\n".join(map(msgspec.json.encode, records()[:60])) + b"\n")
    ingest.load(log, db=tmp_path / "db")
    return tmp_path / "db"


def run(db: Path, *arguments: str, status: int = 0) -> Ran:
    ran = run_here([*arguments, "--db", str(db)], db.parent)
    assert ran.status == status, ran.err
    return ran


def hands_of(db: Path, player: str) -> int:
    told = run(
        db, "stats", "hands", "--by", "player", "--where", f"player={player}", "--format", "json"
    )
    return int(json.loads(told.out)["figures"][0]["rows"][0]["n"])


def test_two_ids_count_as_one_until_that_is_taken_back(db: Path) -> None:
    apart = hands_of(db, FIRST), hands_of(db, OTHER)
    run(db, "alias", "add", OTHER, FIRST)
    assert json.loads(run(db, "alias", "list", "--json").out) == [
        {"player": OTHER, "stands_for": FIRST}
    ]
    assert hands_of(db, FIRST) == hands_of(db, OTHER) == sum(apart)
    run(db, "alias", "remove", OTHER)
    assert (hands_of(db, FIRST), hands_of(db, OTHER)) == apart


def test_what_cannot_be_is_said(db: Path) -> None:
    assert "two ids" in run(db, "alias", "add", OTHER, status=2).err
    assert "No player here" in run(db, "alias", "add", "nobody", FIRST, status=2).err
    assert "nobody else" in run(db, "alias", "remove", OTHER, status=2).err


def test_a_load_that_seats_both_at_one_table_says_so(db: Path, tmp_path: Path) -> None:
    run(db, "alias", "add", OTHER, FIRST)
    both = records()[0] | {"id": "both", "game": "of both"}
    both["players"][0]["id"], both["players"][1]["id"] = FIRST, OTHER
    log = tmp_path / "both.jsonl"
    log.write_bytes(msgspec.json.encode(both) + b"\n")
    assert "not counted as one player any more" in run(db, "load", str(log)).err
    assert "not counted as one player" in run(db, "stats", "hands").err
