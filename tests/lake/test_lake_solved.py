"""Hands of a lake solved: the same values and figures as in a folder, whatever happens."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.cli.command_line import CommandLine
from tests.kit.log_lines import write_hands
from tests.kit.made_once import once
from tests.kit.solved import OF_GRADED, OF_PAR, OF_SOLVED, hands_of, known, warehouse
from tests.kit.tiers import is_thorough, some
from tests.lake.conftest import few
from tricklog import ingest, open_facts, variants
from tricklog.ingest.facts import kept, solved
from tricklog.ingest.metrics import DIMENSIONS, measure
from tricklog.ingest.metrics.model import GRADED, SOLVED, Grain
from tricklog.ingest.study import lakes
from tricklog.ingest.study.frames import study_list
from tricklog.ingest.study.homes import Which
from tricklog.ingest.study.solving import home_of, solve, value_auctions

GRADED_HANDS, DIMENSIONS_OF_EACH = 5, 3
VALUED, LOADS = (8, 2) if is_thorough() else (2, 1)

STOCKS = 2


@once()
def both_solved(place: Path) -> None:
    """Hands of all games in a ``folder`` and in a ``lake``, in loads that share games, all solved.

    To be read and copied only.
    """
    games = variants() if is_thorough() else ["pidro"]
    hands = [hand for variant in games for hand in hands_of(variant, 2)]
    logs = [write_hands(place / f"log-{part}.jsonl", hands[part::LOADS]) for part in range(LOADS)]
    folder, lake = place / "folder", f"lake:{place / 'lake'}"
    for log in logs:
        ingest.load(log, db=folder)
        ingest.load(log, db=lake, on="here")
    if is_thorough():
        here, there = solve(folder), solve(lake)
        assert here.outcome.hands == there.outcome.hands == here.hands == there.hands
    alike, finer = home_of(lake), home_of(lake)
    for home, asked in ((alike, STOCKS), (finer, STOCKS + 1)):
        assert home.wanted(kept.PAR, Which(asked=asked))[1] == len(hands)
    for db in (folder, lake):
        if is_thorough():
            graded = solve(db, hidden=2, sample=GRADED_HANDS, jobs=1).hidden
            assert graded
            assert graded.outcome.hands == GRADED_HANDS
        assert value_auctions(db, stocks=STOCKS, sample=VALUED, jobs=1).outcome.hands == VALUED
    # Who values at the same time does not do it again, unless on more stocks.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lakes, "_LOOK", 0.0)
        assert len(alike.others(kept.PAR)) == VALUED
        assert finer.others(kept.PAR) == frozenset()
    open_facts(folder).close()


_NUMBERS = "hand_no, game_no, seating_id"
"""Numbers that loads give."""
VIEWS = ("decision_facts", "study_facts", "judged_facts", "luck_facts", "par_facts")
OF_VIEW = f"SELECT hands.hand_id, item.* EXCLUDE ({_NUMBERS}) FROM {{}} AS item"  # noqa: S608


def test_values_par_and_ledgers_are_those_of_a_folder(both_solved: Path) -> None:
    if is_thorough():
        here, there = known(both_solved / "folder"), known(both_solved / "lake")
        assert here == there
        assert len(here[0]) > 3
    with (
        open_facts(both_solved / "folder") as of_folder,
        open_facts(both_solved / "lake") as of_lake,
    ):
        both = of_folder, of_lake
        for table in ("par_hands", "par_sides", "ledger_rows"):
            one, other = (study_list(facts, table) for facts in both)
            assert one.columns == other.columns
            assert sorted(map(str, one.rows())) == sorted(map(str, other.rows()))
            assert len(one) >= VALUED
        of_hands = (study_list(facts, "ledger_rows").partition_by("hand_id") for facts in both)
        for parts in zip(*of_hands, strict=False):
            names = [each["part"].cast(pl.String).unique(maintain_order=True) for each in parts]
            assert names[0].to_list() == names[1].to_list()


@pytest.mark.thorough("values and ledgers are compared in the first tier")
def test_facts_and_figures_are_those_of_a_folder(both_solved: Path) -> None:
    turns = {
        grain: itertools.cycle([each for each in DIMENSIONS if grain in each.grains])
        for grain in (*SOLVED, *GRADED, Grain.PAR)
    }
    with open_facts(both_solved / "folder") as here, open_facts(both_solved / "lake") as there:
        assert solved.counts(here) == solved.counts(there)
        for view in VIEWS:
            query = f"{OF_VIEW.format(view)} JOIN games.hands USING (hand_no)"
            rows, others = (facts.execute(query).fetchall() for facts in (here, there))
            assert sorted(map(str, rows)) == sorted(map(str, others))
            assert len(rows) >= 2 * GRADED_HANDS
        for metric in [*some(OF_SOLVED, 6), *some(OF_GRADED, 4), *some(OF_PAR, 6)]:
            for dimension in itertools.islice(turns[metric.grain], DIMENSIONS_OF_EACH):
                by = tuple(dict.fromkeys(("variant", dimension.name)))
                one, other = (measure(facts, metric, by) for facts in (here, there))
                assert one.rows() == other.rows(), (metric.name, by)


@pytest.mark.slow("solves the same hands in a folder and in a lake")
def test_what_a_player_loses_by_theme_is_that_of_a_folder(
    unsolved: Path, tmp_path: Path, tricklog: CommandLine
) -> None:
    folder, lake = (
        warehouse(tmp_path, few()),
        f"lake:{shutil.copytree(unsolved, tmp_path / 'lake')}",
    )
    solve(folder, jobs=1)
    solve(lake, jobs=1)
    with open_facts(folder) as facts:
        players = [player for (player,) in facts.execute(_PLAYERS).fetchall()]
    assert players
    for player in some(players, 1):
        asked = ("show", "ledger", "--by", "theme", "--where", f"player={player}", "--json", "--db")
        here, there = (json.loads(tricklog(*asked, db).text) for db in (folder, lake))
        themes, others = (
            pl.DataFrame(each.pop("themes"), infer_schema_length=None) for each in (here, there)
        )
        assert here == there
        assert_frame_equal(themes, others, abs_tol=1e-9)
        assert themes["lost"].sum() > 0


_PLAYERS = """
SELECT player FROM decision_facts WHERE loss > 0 AND choices > 1 AND verdict = 'valid' AND NOT alone
GROUP BY player ORDER BY player
"""


@pytest.mark.thorough("an older version, as of a folder")
def test_an_older_version_is_not_shown_and_is_replaced(
    both_solved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = shutil.copytree(both_solved / "lake", tmp_path / "lake")
    before = known(lake)
    with monkeypatch.context() as changed:
        changed.setattr(kept.Kind, "definition", property(lambda kind: f"other {kind.digest}"))
        assert known(lake) == ([], [])
        # Values are the same, and only the tables are made again.
        assert solve(f"lake:{lake}").outcome.hands == 0
        assert known(lake) == before
    assert known(lake) == ([], [])
    solve(f"lake:{lake}")
    assert known(lake) == before
