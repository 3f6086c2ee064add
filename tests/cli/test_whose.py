"""Figures on the command line keep to the table that is asked for."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from tests.kit.in_process import Ran, run_here
from tests.kit.made_once import made_once
from tests.kit.simulated_club import simulate_club
from tests.kit.tiers import some
from tricklog import ingest
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.store import userdata
from tricklog.ingest.store.scopes import Scope

GAME = "pedro"
COMMANDS = (("stats", "hands"), ("stats", "--summary"), ("show", "season", "2026"))


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    """A warehouse of a club and of the samples, with one game chosen in the dashboard."""

    def make(tmp_path: Path) -> None:
        log = tmp_path / "club.jsonl"
        log.write_bytes(b"\n".join(map(msgspec.json.encode, simulate_club(3, evenings=2))) + b"\n")
        ingest.load(log, repository / "sample_logs" / "valid" / GAME, db=tmp_path / "db")
        userdata.choose_scope(tmp_path / "db", Scope(variants=(GAME,)))
        open_facts(tmp_path / "db").close()

    return made_once(tmp_path_factory, "whose", make) / "db"


@pytest.fixture
def db(loaded: Path, tmp_path: Path) -> Path:
    return shutil.copytree(loaded, tmp_path / "db")


def hands(db: Path, *table: str) -> int:
    ran = run(db, "stats", "hands", "--format", "json", *table)
    (figure,) = json.loads(ran.out)["figures"]
    return int(figure["rows"][0]["n"])


def run(db: Path, *arguments: str) -> Ran:
    return run_here([*arguments, "--db", str(db)], db.parent)


def test_figures_are_of_the_table_asked_for(db: Path, repository: Path) -> None:
    club = simulate_club(3, evenings=2)
    own = sum(hand["rules"]["variant"] == GAME for hand in club)
    samples = sum(
        len(log.read_text("utf-8").splitlines())
        for log in (repository / "sample_logs" / "valid" / GAME).iterdir()
    )
    assert hands(db) == len(club) + samples
    assert hands(db, "--whose", "people") == len(club)
    assert hands(db, "--whose", "ours") == own + samples
    assert hands(db, "--whose", Scope(variants=(GAME,)).scope_id) == own + samples
    userdata.user_file(db).unlink()
    (db / userdata.COPY_NAME).unlink()
    for command in COMMANDS:
        ran = run(db, *command, "--whose", "ours")
        assert (ran.status, ran.out) == (2, "")
        said = " ".join(ran.err.split())
        assert f"no table is chosen in {db}" in said
        assert f"dashboard --db {db}" in said


@pytest.mark.parametrize("command", some(COMMANDS, 1), ids="-".join)
def test_a_table_that_there_is_not_is_refused(command: tuple[str, ...], loaded: Path) -> None:
    ran = run(loaded, *command, "--whose", "nobody")
    assert ran.status == 2
    assert "--whose 'nobody' names no table" in ran.err
    assert not ran.out
