"""Reauditing: after a change of the rules a warehouse says what a fresh load would say.

A lake says and makes what a folder does, wherever it ends.
"""

import errno
import itertools
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.kit.lake_rows import data_files
from tests.kit.log_lines import SOUND_LINE, generated, moved_on, write_lines
from tests.kit.made_once import copied, once
from tests.kit.stored import alter, content, other_rules, rows, where, without_rules, wrong_scores
from tests.kit.tiers import is_thorough
from tricklog import BusyError, Hand, encode_hand, ingest
from tricklog.core.rulesets import ruleset
from tricklog.ingest.lake import portions, tables
from tricklog.ingest.lake.engines import Here
from tricklog.ingest.lake.load import How, load
from tricklog.ingest.lake.publish import Begun, FencedError, Lake
from tricklog.ingest.lake.storage import Storage, storage_of
from tricklog.ingest.lake.tables import File
from tricklog.ingest.upkeep.reauditing import HandChange, reaudit
from tricklog.ingest.upkeep.verifying import verify
from tricklog.ingest.warehouses import open_facts, open_snapshot, stored_hand, warehouse_at

PLACES = "SELECT hand_id, import_id, file, line FROM hands ORDER BY hand_id"
Warehouse = Path | Storage


def pedro() -> tuple[Hand, ...]:
    return generated("pedro", 1)


def pidro() -> tuple[Hand, ...]:
    return generated("pidro", 1)[:6]


def logged() -> list[bytes]:
    """The lines of the log of these tests."""
    hands = (*pedro(), *pidro()[:2], moved_on(pidro()[2]), *pidro()[3:])
    return [*map(encode_hand, hands), SOUND_LINE, b"oops"]


@once()
def wrong(place: Path) -> None:
    """Warehouses of both kinds that were loaded while a rule was wrong; to be copied only.

    The second of two loads goes on with games of the first. And a ``fresh`` one of right rules.
    """
    logs = [
        write_lines(place / f"{name}.jsonl", logged()[:count])
        for name, count in (("first", 4), ("log", None))
    ]
    with other_rules() as patch:
        wrong_scores(patch)
        for log, buckets in zip(logs, (1, 2 if is_thorough() else 1), strict=True):
            load([log], storage_of(place / "lake"), Here(), how=How(buckets=buckets))
            ingest.load(log, db=place / "folder")
    ingest.load(logs[1], db=place / "fresh")


folder = copied("wrong", "folder", "folder")


@pytest.fixture
def lake(wrong: Path, tmp_path: Path) -> Storage:
    return storage_of(shutil.copytree(wrong / "lake", tmp_path / "lake"))


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portions, "PORTION", 6)


Told = tuple[dict[str, Any], list[HandChange]]


def told_by(db: Warehouse, **options: Any) -> Told:  # noqa: ANN401 - passed on
    """Reaudit; return what is said of all and told of each hand."""
    told: list[HandChange] = []
    said = asdict(reaudit(str(db), on_change=told.append, on=where(db), **options))
    snapshot = said.pop("snapshot")
    assert str(snapshot) == str(warehouse_at(str(db)).current())
    return said, told


def states(*dbs: Warehouse) -> list[object]:
    return [(warehouse_at(str(db)).current(), content(db)) for db in dbs]


def test_a_scoring_function_that_was_wrong(
    wrong: Path, lake: Storage, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Several portions even of a few hands, whose games are not whole in what a load brought.
    whole = portions._row_groups

    def apart(*given: Any) -> list[tuple[int, int]]:  # noqa: ANN401 - as it is called
        return [(first + n, 1) for first, count in whole(*given) for n in range(count)]

    monkeypatch.setattr(portions, "_row_groups", apart)
    fresh, before = content(wrong / "fresh"), states(lake, folder)
    assert content(lake) == content(folder) != fresh
    asked = (PLACES, "FROM imports ORDER BY 1")
    stood = [[rows(db, query) for query in asked] for db in (lake, folder)]
    with monkeypatch.context() as patch:
        patch.setattr(portions, "PORTION", 6 if is_thorough() else 100)
        (dry_said, dry), of_folder = (told_by(db, dry_run=True) for db in (lake, folder))
    assert (dry_said, dry) == of_folder
    assert (dry_said["published"], states(lake, folder)) == (False, before)
    Lake(lake).begin("a load that died")
    with pytest.raises(BusyError, match="--take-over"):
        told_by(lake)
    said, told = told_by(lake, take_over=True)
    assert (said, told) == told_by(folder)
    assert (told, said["changed"], said["published"]) == (dry, len(dry), True)
    assert content(lake) == content(folder) == fresh
    assert [[rows(db, query) for query in asked] for db in (lake, folder)] == stood
    # Loads of a lake that died have numbers, too.
    here, there = ([(each[0], *each[2:]) for each in places] for places, _ in stood)
    assert here == there
    facts = "SELECT seat, side_change, player FROM seat_facts"
    with open_facts(str(lake)) as one, open_facts(folder) as other:
        here, there = (each.execute(facts).fetchall() for each in (one, other))
        assert sorted(here, key=str) == sorted(there, key=str)
    assert all({"change", "scores"} & set(each.facts) for each in told if each.facts)
    assert not any("tail" in each.facts for each in told)
    # What was claimed rightly was found wrong under the wrong rule, and is not any more.
    assert "claimed-change" in [finding.code for change in told for finding in change.gone]
    verdicts = {each.facts["verdict"] for each in told if "verdict" in each.facts}
    assert verdicts == {("irregular", "valid")}
    # Under the wrong rule the game of Pedro did not end.
    winners = [each.facts["winner_side"] for each in told if "winner_side" in each.facts]
    assert winners == [(None, 1)]
    # Where nothing has changed, nothing is published or written.
    checked = (lake, folder) if is_thorough() else (folder,)
    before, files = states(lake, folder), data_files(Lake(lake))
    for db in checked:
        said, told = told_by(db)
        assert (said["changed"], told, said["published"]) == (0, [], False)
        found = verify(str(db), everything=True, on=where(db))
        assert (found.problems, found.checksum) == ((), fresh if where(db) else "")
    assert (states(lake, folder), data_files(Lake(lake))) == (before, files)
    if is_thorough():
        # What comes later still finds its game and its ids.
        log = wrong / "log.jsonl"
        assert load([log], lake, Here()).duplicate == len(logged()) - 1


@pytest.mark.thorough("a function that was wrong is put right in the first tier")
def test_a_value_of_a_variant_that_was_wrong(wrong: Path, tmp_path: Path) -> None:
    db, data = tmp_path / "db", ruleset._variant_data

    def other(name: str) -> dict[str, Any]:
        # Files of games leave out what is usual.
        game = data(name).get("game", {}) | {"target": 20}
        return data(name) | ({"game": game} if name == "pedro" else {})

    with other_rules() as patch:
        patch.setattr(ruleset, "_variant_data", other)
        for name in ("first", "log"):
            ingest.load(wrong / f"{name}.jsonl", db=db)
    assert content(db) != content(wrong / "fresh")
    _, told = told_by(db)
    assert content(db) == content(wrong / "fresh")
    own = {each.id for each in pedro()}
    assert own <= {change.id for change in told if "ruleset" in change.facts}
    assert any(change.only_the_rules for change in told)


def test_hands_that_cannot_be_replayed_keep_what_is_stored(
    wrong: Path, lake: Storage, folder: Path
) -> None:
    dbs = (folder, lake) if is_thorough() else (folder,)
    stood, own = [rows(db, PLACES) for db in dbs], {each.id for each in pidro()}
    with without_rules("pidro"):
        (said, told), *others = (told_by(db) for db in dbs)
    assert others == [(said, told)] * (len(dbs) - 1)
    assert (said["unplayable"], said["published"]) == (len(pidro()), True)
    assert said["hands"] == len(logged()) - 1
    assert {change.id for change in told if change.unplayable} == own
    assert [rows(db, PLACES) for db in dbs] == stood
    # The other hands were put right.
    (after,) = {content(db) for db in dbs}
    assert after not in {content(wrong / name) for name in ("folder", "fresh")}
    for db in dbs:
        with open_snapshot(str(db)) as connection:
            assert stored_hand(connection, pidro()[0].id) == pidro()[0]
        assert rows(db, "SELECT code FROM rejects") == [("not-json",)]
        assert len(rows(db, "FROM rulesets")) == 3
    # The rows hang together, and only what was kept is of other rules.
    problems = verify(folder, everything=True).problems
    assert {problem.check for problem in problems} == {"facts"}
    assert {problem.row for problem in problems if problem.table == "hands"} <= own


@pytest.mark.thorough("hands that cannot be replayed are kept in the first tier")
def test_a_record_that_is_none_keeps_what_is_stored(folder: Path) -> None:
    alter(folder, "UPDATE hands SET deal = 'x' WHERE hand_id = 'pidro-5-1-1'")
    said, told = told_by(folder)
    assert (said["unplayable"], said["hands"]) == (1, len(logged()) - 1)
    assert [change.id for change in told if "no record" in change.unplayable] == ["pidro-5-1-1"]
    ((check, row),) = {(each.check, each.row) for each in verify(folder).problems}
    assert (check, row) == ("unreadable", "pidro-5-1-1")


@pytest.mark.thorough("loads are fenced in lake/test_publish")
def test_a_failed_or_fenced_run_leaves_all(lake: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    before, files = states(lake), data_files(Lake(lake))
    export, calls, publish = tables.export, itertools.count(), Begun.publish

    def failing(*given: Any, **named: Any) -> list[File]:  # noqa: ANN401 - passed on
        if next(calls):
            raise OSError(errno.ENOSPC, "the disk is full")
        return export(*given, **named)

    def too_late(*given: Any, **named: Any) -> object:  # noqa: ANN401 - passed on
        with Lake(lake).begin("another", take_over=True):
            return publish(*given, **named)

    with monkeypatch.context() as changed:
        changed.setattr(tables, "export", failing)
        with pytest.raises(OSError, match="the disk is full"):
            told_by(lake)
    assert data_files(Lake(lake)) == files
    monkeypatch.setattr(Begun, "publish", too_late)
    with pytest.raises(FencedError):
        told_by(lake)
    assert states(lake) == before
