"""Reauditing: after a change of the rules a warehouse says what a fresh load would say."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.kit.log_lines import SOUND_LINE, generated, moved_on, write_lines
from tests.kit.stored import content, wrong_scores
from tricklog import Hand, RulesetError, encode_hand, ingest
from tricklog.core.rulesets import ruleset
from tricklog.ingest.store.warehouse import current_snapshot, hand, open_snapshot
from tricklog.ingest.upkeep.reauditing import HandChange, reaudit
from tricklog.ingest.upkeep.verifying import verify


def pedro() -> tuple[Hand, ...]:
    return generated("pedro", 1)


def pidro() -> tuple[Hand, ...]:
    return generated("pidro", 1)


def logged() -> list[bytes]:
    """The lines of the log of these tests."""
    hands = (*pedro(), *pidro()[:2], moved_on(pidro()[2]), *pidro()[3:])
    return [*map(encode_hand, hands), SOUND_LINE, b"oops"]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "log.jsonl", logged())


@pytest.fixture
def fresh(tmp_path: Path, log: Path) -> str:
    ingest.load(log, db=tmp_path / "fresh")
    return content(tmp_path / "fresh")


def loaded_under(
    monkeypatch: pytest.MonkeyPatch, log: Path, db: Path, change: Callable[[], object]
) -> None:
    """Load under other rules, in two loads."""
    ruleset._resolved.clear()
    ruleset.load_variant.cache_clear()
    change()
    first = write_lines(log.with_name("first.jsonl"), logged()[:4])
    ingest.load(first, db=db)
    ingest.load(log, db=db)
    monkeypatch.undo()
    ruleset._resolved.clear()
    ruleset.load_variant.cache_clear()


def test_a_scoring_function_that_was_wrong(
    tmp_path: Path, log: Path, fresh: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "db"
    loaded_under(monkeypatch, log, db, lambda: wrong_scores(monkeypatch))
    before, snapshot = content(db), current_snapshot(db)
    assert before != fresh
    with open_snapshot(db) as connection:
        stood = connection.sql(
            "SELECT hand_id, import_id, file, line FROM hands ORDER BY hand_id"
        ).fetchall()
        imports = connection.sql("FROM imports ORDER BY 1").fetchall()
    dry: list[HandChange] = []
    report = reaudit(db, dry_run=True, on_change=dry.append)
    assert (report.published, content(db), current_snapshot(db)) == (False, before, snapshot)
    told: list[HandChange] = []
    report = reaudit(db, on_change=told.append)
    assert told == dry
    assert report.published
    assert report.changed == len(told) > 0
    assert content(db) == fresh
    assert verify(db, everything=True).problems == ()
    with open_snapshot(db) as connection:
        assert (
            connection.sql(
                "SELECT hand_id, import_id, file, line FROM hands ORDER BY hand_id"
            ).fetchall()
            == stood
        )
        assert connection.sql("FROM imports ORDER BY 1").fetchall() == imports
    changed = {change.id: change for change in told}
    assert all({"change", "scores"} & set(each.facts) for each in told if each.facts)
    assert not any("tail" in each.facts for each in told)
    # What was claimed rightly was found wrong under the wrong rule, and is not any more.
    gone = [finding.code for change in told for finding in change.gone]
    assert "claimed-change" in gone
    verdicts = {each.facts["verdict"] for each in changed.values() if "verdict" in each.facts}
    assert verdicts == {("irregular", "valid")}
    again = reaudit(db, on_change=told.append)
    assert (again.changed, again.published) == (0, False)


@pytest.mark.thorough("a function that was wrong is put right in the first tier")
def test_a_value_of_a_variant_that_was_wrong(
    tmp_path: Path, log: Path, fresh: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "db"
    data = ruleset._variant_data

    def other(name: str) -> dict[str, Any]:
        # Files of games leave out what is usual.
        game = data(name).get("game", {}) | {"target": 20}
        return data(name) | ({"game": game} if name == "pedro" else {})

    loaded_under(monkeypatch, log, db, lambda: monkeypatch.setattr(ruleset, "_variant_data", other))
    assert content(db) != fresh
    told: list[HandChange] = []
    reaudit(db, on_change=told.append)
    assert content(db) == fresh
    own = {each.id for each in pedro()}
    assert own <= {change.id for change in told if "ruleset" in change.facts}
    assert any(change.only_the_rules for change in told)


def test_hands_that_cannot_be_replayed_keep_what_is_stored(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "db"
    loaded_under(monkeypatch, log, db, lambda: wrong_scores(monkeypatch))
    resolve = ruleset.resolve

    def forgetful(reference: object) -> ruleset.Ruleset:
        if getattr(reference, "variant", "") == "pidro":
            raise RulesetError("the log", "/rules/variant", "is 'pidro', which is not known")
        return resolve(reference)  # type: ignore[arg-type]  # as resolve is called

    monkeypatch.setattr(ruleset, "resolve", forgetful)
    told: list[HandChange] = []
    report = reaudit(db, on_change=told.append)
    monkeypatch.undo()
    ruleset._resolved.clear()
    assert report.unplayable == len(pidro())
    assert report.published
    assert report.hands == len(logged()) - 1
    assert {change.id for change in told if change.unplayable} == {each.id for each in pidro()}
    with open_snapshot(db) as connection:
        assert hand(connection, pidro()[0].id) == pidro()[0]
        assert connection.sql("FROM hands").shape[0] == len(logged()) - 1
        assert connection.sql("SELECT code FROM rejects").fetchall() == [("not-json",)]
        assert connection.sql("FROM rulesets").shape[0] == 3
    # The rows hang together, and only what was kept is of other rules.
    problems = verify(db, everything=True).problems
    assert {problem.check for problem in problems} == {"facts"}
    assert {problem.row for problem in problems if problem.table == "hands"} <= {
        each.id for each in pidro()
    }


@pytest.mark.thorough("hands that cannot be replayed are kept in the first tier")
def test_a_record_that_is_none_keeps_what_is_stored(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "db"
    loaded_under(monkeypatch, log, db, lambda: wrong_scores(monkeypatch))
    with duckdb.connect(str(current_snapshot(db))) as connection:
        connection.execute("UPDATE hands SET deal = 'x' WHERE hand_id = 'pidro-5-1-1'")
    told: list[HandChange] = []
    report = reaudit(db, on_change=told.append)
    assert (report.unplayable, report.hands) == (1, len(logged()) - 1)
    assert [change.id for change in told if "no record" in change.unplayable] == ["pidro-5-1-1"]
    assert {(each.check, each.row) for each in verify(db).problems} == {
        ("unreadable", "pidro-5-1-1")
    }
