"""Auctions of a lake held against par: killed, beside others, with more stocks, tidied, rebuilt."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.kit.lake_points import watched
from tests.kit.log_lines import write_hands
from tests.kit.solved import hands_of, known, warehouse
from tricklog import ingest
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.lake.upkeep import tidy
from tricklog.ingest.study.frames import study_list
from tricklog.ingest.study.solving import solve, value_auctions
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.ingest.upkeep.verifying import verify
from tricklog.ingest.warehouses import open_facts
from tricklog.schemas.hand import Hand

STOCKS = 2
Rows = dict[str, list[str]]
value = partial(value_auctions, stocks=STOCKS, jobs=1)


@pytest.fixture(scope="module")
def few() -> list[Hand]:
    """Hands that are valued in a moment."""
    return [*hands_of("pidro", 3), *hands_of("sancho", 5)]


@pytest.fixture(scope="module")
def due(few: list[Hand], tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """What a folder says of them."""
    db = warehouse(tmp_path_factory.mktemp("folder"), few)
    value(db)
    return rows(db)


@pytest.fixture(scope="module")
def unsolved(few: list[Hand], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with those hands, to be copied only."""
    place = tmp_path_factory.mktemp("lake")
    ingest.load(write_hands(place / "log.jsonl", few), db=f"lake:{place / 'lake'}", on="here")
    return place / "lake"


@pytest.fixture
def lake(unsolved: Path, tmp_path: Path) -> str:
    """A copy of that lake."""
    shutil.copytree(unsolved, tmp_path / "lake")
    return f"lake:{tmp_path / 'lake'}"


def rows(db: str | Path) -> Rows:
    """What readers see, in the order of the ids."""

    def told(row: dict[str, Any]) -> str:
        return str({name: value for name, value in row.items() if name != "asked"})

    with open_facts(db) as facts:
        return {
            table: sorted(map(told, study_list(facts, table).to_dicts()))
            for table in ("par_hands", "par_sides", "ledger_rows")
        }


@pytest.mark.thorough("many runs; test_lake_solved compares values with a folder")
def test_what_is_new_is_valued_and_more_stocks_take_its_place(
    lake: str, due: Rows, few: list[Hand], tmp_path: Path
) -> None:
    first = value(lake, sample=3)
    assert (first.outcome.solved, first.left) == (3, 0)
    assert len(rows(lake)["par_hands"]) == 3
    second = value(lake)
    assert (second.known, second.outcome.solved) == (3, len(few) - 3)
    assert rows(lake) == due
    assert value(lake).published == second.published
    # Solved hands and ledgers do not push each other out.
    solve(lake, sample=2)
    assert rows(lake) == due
    solved = known(lake)
    ingest.load(write_hands(tmp_path / "more.jsonl", hands_of("sancho", 6)[5:]), db=lake, on="here")
    assert rows(lake) == due
    finer = value(lake, stocks=STOCKS + 1)
    assert (finer.known, finer.outcome.solved) == (0, len(few) + 1)
    with open_facts(lake) as facts:
        found = study_list(facts, "par_hands")
    # Nothing is left to chance at Sancho.
    assert sorted(found["stocks"]) == [1] * 6 + [STOCKS + 1] * 3
    assert known(lake) == solved
    assert not verify(lake, on="here").problems


_PROGRAM = """
import os, signal, sys
from tricklog.ingest.study.blocks import Blocks
from tricklog.ingest.study.solving import value_auctions
from tests.kit import lake_points

def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def reached(point, table=""):
    if (point, table) == tuple(sys.argv[2:]):
        kill()

whole = Blocks.put
def write_hands(*block):
    whole(*block)
    kill()

for patch in lake_points.watched(reached):
    patch.start()
if sys.argv[2] == "block":
    Blocks.put = write_hands
value_auctions(sys.argv[1], stocks=2, jobs=1)
"""


@pytest.mark.posix
@pytest.mark.thorough("a process for each kill; test_lake_kills kills a publish in the first tier")
def test_a_run_that_is_killed_does_no_harm(lake: str, due: Rows) -> None:
    nothing: Rows = {name: [] for name in due}
    places = [("block", ""), ("committed", "ledger_rows"), ("tables committed", "")]
    for place in places:
        run = subprocess.run(
            [sys.executable, "-P", "-c", _PROGRAM, lake, *place],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            check=False,
        )
        assert run.returncode == -signal.SIGKILL, place
        assert rows(lake) == nothing
        # It holds the lake until its lease is over.
        Lake(storage_of(lake)).begin("test", take_over=True).release()
    report = value(lake)
    assert (report.known, report.outcome.hands) == (8, 0)
    assert rows(lake) == due


@pytest.mark.thorough("a publish is killed at its last point, too, in the first tier")
def test_a_run_that_dies_after_its_publish_has_published(lake: str, due: Rows) -> None:
    def die(point: str, _table: str = "") -> None:
        if point == "published":
            raise KeyboardInterrupt

    with ExitStack() as patched:
        for patch in watched(die):
            patched.enter_context(patch)
        with pytest.raises(KeyboardInterrupt):
            value(lake)
    assert rows(lake) == due


@pytest.mark.thorough(
    "test_lake_merging tidies a lake of solved hands, test_lake_damage makes one again"
)
def test_tidying_and_rebuilding_change_no_value(lake: str, due: Rows, tmp_path: Path) -> None:
    value(lake, sample=4)
    value(lake)
    tidy(storage_of(lake), keep=0.0)
    assert rows(lake) == due
    rebuild(db=lake, on="here")
    assert rows(lake) == due
    rebuild(db=lake, to=f"lake:{tmp_path / 'other'}", on="here")
    assert rows(tmp_path / "other") == due
    assert value(f"lake:{tmp_path / 'other'}").outcome.hands == 0
