"""Stored hands graded by what their players knew: rows, figures, runs and what shows them."""

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.cli.command_line import CommandLine
from tests.kit.facts import Facts, facts_in, figure, recounted, warehouse_of
from tests.kit.log_lines import write_hands
from tests.kit.solved import OF_GRADED, hands_of, warehouse
from tests.kit.tiers import some
from tricklog import Filters, Hand, open_facts, replay
from tricklog.core.study.hidden import HiddenGrade, hand_grades
from tricklog.ingest.facts import kept
from tricklog.ingest.metrics import METRIC, UnsolvedError, measure
from tricklog.ingest.metrics.looked_at import looked_at
from tricklog.ingest.study import by_hand
from tricklog.ingest.study.frames import study_list
from tricklog.ingest.study.solving import solve

WORLDS = 3


@cache
def hands() -> list[Hand]:
    """Hands of a game that is graded quickly."""
    return hands_of("pidro", 5)


def grade(db: Path, worlds: int = WORLDS, **asked: Any) -> tuple[int, int, int]:  # noqa: ANN401 - of ``solve``
    """Grade hands; return how many were known before, are graded now, and are left."""
    report = solve(db, hidden=worlds, jobs=1, **asked).hidden
    assert report
    return report.known, report.outcome.solved, report.left


def grade_three(db: Path) -> None:
    assert grade(db) == (0, 3, 0)


graded = warehouse_of("graded", lambda: hands()[:3], grade_three)
facts = facts_in("graded")


@cache
def grades() -> dict[str, tuple[HiddenGrade, ...]]:
    """The grades of these hands, by their ids, asked for one by one."""
    return {hand.id: hand_grades(replay(hand), worlds=WORLDS) for hand in hands()[:3]}


def test_stored_grades_are_those_of_each_hand(facts: Facts) -> None:
    stored = study_list(facts, "hidden_rows").to_dicts()
    rows = {(row["hand_id"], row["action"]): row for row in stored}
    solved = study_list(facts, "decision_rows").filter(pl.col("deed") != "silence").to_dicts()
    losses = {(row["hand_id"], row["action"]): row["loss"] for row in solved}
    due = {(name, each.action): each for name, those in grades().items() for each in those}
    assert rows.keys() == due.keys()
    assert len(due) > 30
    for key, each in due.items():
        row = rows[key]
        assert (row["seat"], row["worlds"], row["open"]) == (each.seat, each.worlds, each.loss.open)
        assert row["open"] == losses[key]
        assert row["judged"] == pytest.approx(each.loss.judged, abs=0.0006)
        assert row["error"] == pytest.approx(each.loss.error, abs=0.0006)
        assert row["judged"] + row["luck"] == pytest.approx(row["open"])
        assert (row["score_judged"] is None) == (each.score_loss is None)
        if each.score_loss:
            assert row["score_judged"] == pytest.approx(each.score_loss.judged, abs=0.0006)
    assert any(row["luck"] for row in rows.values())


def test_figures_are_recounted(facts: Facts) -> None:
    judged, luck = [], []
    for hand in hands()[:3]:
        for seat, player in enumerate(hand.players):
            own = [each.loss for each in grades()[hand.id] if each.seat == seat]
            judged += [(player.id, each.judged) for each in own]
            luck.append((player.id, sum(each.luck for each in own)))
    for name, due in (("judged-cost-per-decision", judged), ("lie-cost-per-hand", luck)):
        means = recounted(due).items()
        wanted = {who: (pytest.approx(value, abs=0.001), n) for who, (value, n) in means}
        assert dict[str, object](figure(facts, name, "player")) == wanted
    assert figure(facts, "graded-hands")[""][1] == 3
    by_trick = figure(facts, "judged-cost-per-decision", "trick")
    assert sum(n for _, n in by_trick.values()) == len(judged)


def test_a_run_grades_the_rest(tmp_path: Path, tricklog: CommandLine) -> None:
    db = warehouse(tmp_path, hands())
    with open_facts(db) as facts:
        for metric in OF_GRADED:
            with pytest.raises(UnsolvedError, match="tricklog solve --hidden"):
                measure(facts, metric.name)
    assert grade(db, 2, sample=2) == (0, 2, 0)
    with open_facts(db) as facts:
        (said,) = looked_at(facts, [METRIC["lie-cost-per-hand"]], Filters.of({"seat": "1"}))
        assert (said.hands, said.done, said.left) == (len(hands()), 2, 3)
        assert str(said) == "Graded by what players knew: 2 of 5 valid hands; 3 not yet."
    text = tricklog("stats", "accuracy", "--db", db).text
    assert "Solved with all cards open: 2 of 5 valid hands; 3 not yet." in text
    # A larger sample has the smaller one.
    assert grade(db, 2, sample=3)[:2] == (2, 1)
    assert grade(db, 3, sample=1)[:2] == (0, 1)
    with open_facts(db) as facts:
        asked = facts.execute("SELECT asked, count(*) FROM hidden_hands GROUP BY ALL").fetchall()
        assert sorted(asked) == [(2, 2), (3, 1)]


@pytest.mark.thorough("time that is over is tried in test_solve_runs")
def test_a_short_run_grades_some_and_says_the_rest(tmp_path: Path, tricklog: CommandLine) -> None:
    tricklog.patch.setattr(by_hand, "TOGETHER", 1)
    db = warehouse(tmp_path, hands())
    solve(db, jobs=1)
    asked = ("solve", "--db", db, "--hidden", "2", "--jobs", "1")
    assert grade(db, 2, budget=0.0)[1:] == (1, len(hands()) - 1)
    text = tricklog(*asked).text
    says = "By what players knew, 2 deals a decision: 1 known before + 4 graded"
    assert says in " ".join(text.split())


def test_an_interrupted_run_keeps_grades(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_hand, "TOGETHER", 1)
    db = warehouse(tmp_path, hands()[:3])

    def interrupt(progress: object) -> None:
        if getattr(progress, "stage", "") == "grading by what players knew":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade(db, 2, on_progress=interrupt)
    assert len(kept.blocks_in(db, kept.HIDDEN)) == 1
    assert sum(grade(db, 2, sample=2)[:2]) == 2


def test_a_replay_shows_judged_costs(graded: Path, tmp_path: Path, tricklog: CommandLine) -> None:
    hand = hands()[0]
    stored = ("replay", "--hand", hand.id, "--db", graded, "--solve")
    (told,) = tricklog(*stored, "--json", "--at", "0").objects
    found = {
        each["action"]: each["judged"]["judged"]
        for each in told["solved"]["decisions"]
        if each["judged"]
    }
    judged = {each.action: each.loss.judged for each in grades()[hand.id]}
    assert found == pytest.approx(judged, abs=0.0006)
    text = tricklog(*stored, "--at", "0").text
    assert f"on the average of {WORLDS} deals" in " ".join(text.split())
    log = write_hands(tmp_path / "log.jsonl", [hand])
    asked = ("--solve", "--hidden", str(WORLDS), "--json", "--at", "0")
    (now,) = tricklog("replay", log, *asked).objects
    assert now["solved"] == told["solved"]
    assert tricklog("replay", log, "--hidden", "5").status == 2


def test_a_value_that_nobody_has_lets_nothing_through(facts: Facts) -> None:
    values = (("player", "nobody"), ("variant", "whist"), ("day", "x"))
    for metric, (name, value) in product(some(OF_GRADED, 2), values):
        found = measure(facts, metric.name, (), Filters.of({name: value}))
        assert found["n"].sum() == 0, (metric.name, name)
