"""Reauditing a lake says and makes what it does to a folder, wherever it ends."""

import errno
import itertools
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.kit.log_lines import SOUND_LINE, generated, moved_on, write_lines
from tests.kit.made_once import made_once
from tests.kit.stored import content, wrong_scores
from tests.kit.tiers import is_thorough
from tests.lake.conftest import rows
from tricklog import ingest
from tricklog.core import RulesetError
from tricklog.core.rulesets import ruleset
from tricklog.ingest.lake import portions, tables
from tricklog.ingest.lake.engines import Here
from tricklog.ingest.lake.load import How, load
from tricklog.ingest.lake.publish import Begun, FencedError, Lake
from tricklog.ingest.lake.storage import Storage, storage_of
from tricklog.ingest.lake.tables import File
from tricklog.ingest.store.publishing import BusyError
from tricklog.ingest.upkeep.reauditing import HandChange, reaudit
from tricklog.ingest.upkeep.verifying import verify
from tricklog.ingest.warehouses import open_facts, open_snapshot, stored_hand, warehouse_at
from tricklog.schemas.hand import Hand, encode_hand

PLACES = "SELECT hand_id, import_id, file, line FROM hands ORDER BY hand_id"


def pidro_hands() -> tuple[Hand, ...]:
    return generated("pidro", 1)[:6]


def files_of(storage: Storage) -> set[str]:
    """Return the files of tables, without those of the ledger and of their logs."""
    return {
        each.name
        for each in storage.list()
        if "_delta_log" not in each.name and not each.name.startswith("snapshots/")
    }


def load_under_other_rules(place: Path) -> None:
    """Load while a rule is wrong; the second load goes on with games of the first."""
    pidro = list(pidro_hands())
    hands = [*generated("pedro", 1)[:4], *pidro[:2], moved_on(pidro[2]), *pidro[3:]]
    lines = [*map(encode_hand, hands), SOUND_LINE, b"oops"]
    first = write_lines(place / "first.jsonl", lines[:4])
    log = write_lines(place / "log.jsonl", lines)
    forget_rules()
    with pytest.MonkeyPatch.context() as changed:
        wrong_scores(changed)
        for path, buckets in ((first, 1), (log, 2)) if is_thorough() else ((log, 1),):
            load([path], storage_of(place / "lake"), Here(), how=How(buckets=buckets))
            ingest.load(path, db=place / "folder")
    forget_rules()


def forget_rules() -> None:
    ruleset._resolved.clear()
    ruleset.load_variant.cache_clear()


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Warehouses of both kinds that were loaded while a rule was wrong; to be copied only."""
    return made_once(tmp_path_factory, "under-other-rules", load_under_other_rules)


@pytest.fixture
def folder(wrong: Path, tmp_path: Path) -> Path:
    return shutil.copytree(wrong / "folder", tmp_path / "folder")


@pytest.fixture
def lake(wrong: Path, tmp_path: Path) -> Storage:
    return storage_of(shutil.copytree(wrong / "lake", tmp_path / "lake"))


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portions, "PORTION", 6)


def told_by(
    db: Path | Storage,
    **options: Any,  # noqa: ANN401 - passed on
) -> tuple[dict[str, Any], list[HandChange]]:
    told: list[HandChange] = []
    on = "here" if isinstance(db, Storage) else None
    report = reaudit(str(db), on_change=told.append, on=on, **options)
    said = asdict(report)
    snapshot = said.pop("snapshot")
    assert snapshot == warehouse_at(str(db)).current() or (snapshot and not on)
    return said, told


def test_a_scoring_function_that_was_wrong(
    tmp_path: Path, wrong: Path, lake: Storage, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Several portions even of a few hands, whose games are not whole in what a load brought.
    whole = portions._row_groups

    def apart(*given: object) -> list[tuple[int, int]]:
        return [
            (first + place, 1)
            for first, count in whole(*given)  # type: ignore[arg-type]  # as it is called
            for place in range(count)
        ]

    monkeypatch.setattr(portions, "_row_groups", apart)
    log = wrong / "log.jsonl"
    ingest.load(log, db=tmp_path / "fresh")
    before, state = content(lake), Lake(lake).opened()
    assert before != content(tmp_path / "fresh")
    with monkeypatch.context() as patch:
        patch.setattr(portions, "PORTION", 6 if is_thorough() else 100)
        dry_said, dry = told_by(lake, dry_run=True)
    assert (dry_said["published"], Lake(lake).opened()) == (False, state)
    Lake(lake).begin("a load that died")
    with pytest.raises(BusyError, match="add --take-over"):
        told_by(lake)
    said, told = told_by(lake, take_over=True)
    assert (said, told) == told_by(folder)
    assert told == dry != []
    assert (said["published"], Lake(lake).opened() != state) == (True, True)
    assert content(lake) == content(folder) == content(tmp_path / "fresh")
    # Loads of a lake that died have numbers, too.
    assert [(each[0], *each[2:]) for each in rows(lake, PLACES)] == [
        (each[0], *each[2:]) for each in rows(folder, PLACES)
    ]
    facts = "SELECT seat, side_change, player FROM seat_facts"
    with open_facts(str(lake)) as one, open_facts(folder) as other:
        here, there = (each.execute(facts).fetchall() for each in (one, other))
        assert sorted(here, key=str) == sorted(there, key=str)
    if not is_thorough():
        return
    # Where nothing has changed, nothing is published or written.
    state, files = Lake(lake).opened(), files_of(lake)
    said, told = told_by(lake)
    assert (said, told) == told_by(folder)
    assert (told, said["published"]) == ([], False)
    assert (Lake(lake).opened(), files_of(lake)) == (state, files)
    found = verify(str(lake), everything=True, on="here")
    assert (found.problems, found.checksum) == ((), content(lake))
    # What comes later still finds its game and its ids.
    assert load([log], lake, Here()).duplicate == len(log.read_bytes().splitlines()) - 1


@pytest.mark.thorough("each portion is put together by the code of a folder, which is tried there")
def test_hands_that_cannot_be_replayed_keep_what_is_stored(
    lake: Storage, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve = ruleset.resolve

    def forgetful(reference: object) -> ruleset.Ruleset:
        if getattr(reference, "variant", "") == "pidro":
            raise RulesetError("the log", "/rules/variant", "is 'pidro', which is not known")
        return resolve(reference)  # type: ignore[arg-type]  # as resolve is called

    stood = rows(lake, PLACES)
    with monkeypatch.context() as changed:
        changed.setattr(ruleset, "resolve", forgetful)
        forget_rules()
        said, told = told_by(lake)
        assert (said, told) == told_by(folder)
    forget_rules()
    assert (said["unplayable"], said["published"]) == (len(pidro_hands()), True)
    assert content(lake) == content(folder)
    assert rows(lake, PLACES) == stood
    with open_snapshot(str(lake)) as there, open_snapshot(folder) as here:
        for each in (there, here):
            assert stored_hand(each, pidro_hands()[0].id) == pidro_hands()[0]


@pytest.mark.thorough("loads are fenced in test_publish")
def test_a_run_that_fails_or_is_fenced_leaves_all_as_it_was(
    lake: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, stood, files = Lake(lake).opened(), content(lake), files_of(lake)
    export, calls, publish = tables.export, itertools.count(), Begun.publish

    def failing(*given: Any, **named: Any) -> list[File]:  # noqa: ANN401 - passed on
        if next(calls):
            raise OSError(errno.ENOSPC, "the disk is full")
        return export(*given, **named)

    def too_late(
        begun: Begun, added: list[File], counts: dict[str, int], *, replaced: set[str]
    ) -> object:
        with Lake(lake).begin("another", take_over=True):
            return publish(begun, added, counts, replaced=replaced)

    with monkeypatch.context() as changed:
        changed.setattr(tables, "export", failing)
        with pytest.raises(OSError, match="the disk is full"):
            told_by(lake)
    assert files_of(lake) == files
    with monkeypatch.context() as changed:
        changed.setattr(Begun, "publish", too_late)
        with pytest.raises(FencedError):
            told_by(lake)
    assert Lake(lake).opened() == before
    assert content(lake) == stood
