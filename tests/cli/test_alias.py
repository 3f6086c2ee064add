"""``tricklog mark alias``, as somebody types it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest

from tests.kit.in_process import Ran, run_here
from tests.kit.made_once import made_once
from tests.store.test_aliases import FIRST, OTHER, records
from tricklog import ingest
from tricklog.ingest.cli import following
from tricklog.ingest.cli.commands import solve
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.following.follow import Told
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.study import solving
from tricklog.ingest.study.lanes import Outcome
from tricklog.ingest.study.ledger_run import Worked
from tricklog.ingest.study.solving import SolveReport, chosen_hands, home_of


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:

    def make(folder: Path) -> None:
        log = folder / "log.jsonl"
        log.write_bytes(b"\n".join(map(msgspec.json.encode, records()[:60])) + b"\n")
        ingest.load(log, db=folder / "db")
        open_facts(folder / "db").close()

    return made_once(tmp_path_factory, "alias", make) / "db"


@pytest.fixture
def db(loaded: Path, tmp_path: Path) -> Path:
    return shutil.copytree(loaded, tmp_path / "db")


def run(db: Path, *arguments: str, status: int = 0) -> Ran:
    ran = run_here([*arguments, "--db", str(db)], db.parent)
    assert ran.status == status, ran.err
    return ran


def hands_of(db: Path, *asked: str) -> tuple[int, ...]:
    told = run(db, "stats", "hands", "--by", "player", "--format", "json", *asked)
    hands = {row["player"]: row["n"] for row in json.loads(told.out)["figures"][0]["rows"]}
    return tuple(hands[each] for each in (FIRST, OTHER) if each in hands)


def test_two_ids_count_as_one_until_that_is_taken_back(db: Path) -> None:
    apart = hands_of(db)
    run(db, "mark", "alias", "add", OTHER, FIRST)
    assert json.loads(run(db, "mark", "alias", "list", "--json").out) == [
        {"player": OTHER, "stands_for": FIRST}
    ]
    assert hands_of(db, "--where", f"player={OTHER}") == (sum(apart),)
    run(db, "mark", "alias", "remove", OTHER)
    assert len(apart) == 2
    assert hands_of(db) == apart


def test_what_cannot_be_is_said(db: Path) -> None:
    assert "two ids" in run(db, "mark", "alias", "add", OTHER, status=2).err
    assert "No player here" in run(db, "mark", "alias", "add", "nobody", FIRST, status=2).err
    assert "nobody else" in run(db, "mark", "alias", "remove", OTHER, status=2).err


def test_a_load_that_seats_both_at_one_table_says_so(db: Path, tmp_path: Path) -> None:
    run(db, "mark", "alias", "add", OTHER, FIRST)
    both = records()[0] | {"id": "both", "game": "of both"}
    both["players"][0]["id"], both["players"][1]["id"] = FIRST, OTHER
    log = tmp_path / "both.jsonl"
    log.write_bytes(msgspec.json.encode(both) + b"\n")
    assert "not counted as one player" in run(db, "load", str(log)).err
    assert "not counted as one player" in run(db, "stats", "hands").err
    assert "set aside: " in run(db, "mark", "alias", "list").out
    (listed,) = json.loads(run(db, "mark", "alias", "list", "--json").out)
    assert listed == {"player": OTHER, "stands_for": FIRST, "both_in": "both"}
    more = tmp_path / "more.jsonl"
    more.write_bytes(
        msgspec.json.encode(both | {"id": "both again", "game": "another of both"}) + b"\n"
    )
    told = json.loads(run(db, "load", str(more), "--json").out)
    assert told["set_aside"] == [{"player": OTHER, "stands_for": FIRST, "hand": "both"}]


def test_who_follows_logs_is_told_once(db: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(db, "mark", "alias", "add", OTHER, FIRST)
    both = records()[0] | {"id": "both", "game": "of both"}
    both["players"][0]["id"], both["players"][1]["id"] = FIRST, OTHER
    log = db.parent / "both.jsonl"
    log.write_bytes(msgspec.json.encode(both) + b"\n")
    report = ingest.load(log, db=db)
    says = following.Says(str(db), json=True, progress=False)
    for _ in range(2):
        says.taken(Told(report, 0.1, 1, 0))
    assert capsys.readouterr().err.count("not counted as one player") == 1


@pytest.mark.thorough("two ids count as one in the first tier")
def test_every_command_that_names_a_player_knows_the_old_id(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tricklog.ingest.cli.commands.report.player_report", _knows_nobody)
    monkeypatch.setattr(solving, "solve", _looked_only)
    monkeypatch.setattr(solve, "work_out", lambda *_, **__: Worked(0, 0, 0, 0.0))
    run(db, "mark", "alias", "add", OTHER, FIRST)
    told = []
    for player in (FIRST, OTHER):
        where = f"player={player}"
        told.append(
            (
                run(db, "solve", "--where", where, "--json").out,
                run(db, "show", "ledger", "--where", where, "--json").out,
                run(db, "report", "--player", player, status=2).err,
            )
        )
    assert told[0] == told[1]
    assert f"'{FIRST}' has no valid hand" in told[0][2]


def _knows_nobody(*_: object) -> NoReturn:
    """Have the command say whose report it asks for, without making one."""
    raise LookupError


def _looked_only(db: str, *, filters: Filters, **_: object) -> SolveReport:
    """Look which hands are asked for, and solve none."""
    chosen = chosen_hands(home_of(db), filters, None)
    assert chosen is not None
    assert len(chosen) > 10
    return SolveReport(hands=len(chosen), known=len(chosen), outcome=Outcome())
