"""A load into a lake says, stores and counts what the same load into a folder does."""

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.conftest import REPOSITORY
from tests.kit.dirty_logs import write_dirty_logs
from tests.kit.log_lines import write_lines
from tests.kit.stored import content, rows
from tests.kit.tiers import is_thorough
from tricklog import BusyError, LoadReport, WarehouseError, ingest
from tricklog.ingest.lake import upkeep
from tricklog.ingest.lake.engines import Engine, Here, engine_of
from tricklog.ingest.lake.load import STAGING, How, load
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.settling import settle_ids
from tricklog.ingest.lake.staging import stage_part
from tricklog.ingest.lake.storage import Storage, storage_of
from tricklog.ingest.upkeep.undoing import undo_load

A = TypeVar("A")
R = TypeVar("R")
SAID = (
    *("lines", "accepted", "duplicate", "quarantined", "blank"),
    *("verdicts", "findings", "published"),
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Four logs of all systems in which everything goes wrong now and then."""
    samples = sorted((REPOSITORY / "sample_logs" / "valid").rglob("*.jsonl"))
    lines = [line for path in samples for line in path.read_bytes().splitlines()]
    return write_dirty_logs(
        lines[:: 8 if is_thorough() else 64], tmp_path_factory.mktemp("logs"), files=4, share=0.03
    )


@pytest.fixture
def lake(tmp_path: Path) -> Storage:
    return storage_of(f"lake:{tmp_path / 'lake'}")


def said(report: LoadReport) -> dict[str, Any]:
    return {name: getattr(report, name) for name in SAID}


def load_both(logs: Sequence[Path], lake: Storage, folder: Path, how: How) -> LoadReport:
    """Load into both, which comes to the same; return the report on the lake.

    So does what is no part of the content: where everything came from, and whose an id was.
    """
    there, here = load(logs, lake, Here(), how=how), ingest.load(*logs, db=folder)
    assert said(there) == said(here)
    assert content(lake) == content(folder)
    for query in (
        "SELECT hand_id, file, line FROM hands ORDER BY hand_id",
        "SELECT reject, file, line, byte, pointer, message FROM rejects ORDER BY reject",
        "SELECT accepted, duplicate, quarantined, lines, paths FROM imports ORDER BY import_id",
        "SELECT game, hands, missing, winner_side FROM games ORDER BY game",
    ):
        assert rows(lake, query) == rows(folder, query)
    return there


@pytest.mark.thorough("two loads of one lake are compared with a folder in test_reading")
def test_loads_that_go_on_are_as_in_a_folder(
    logs: list[Path], lake: Storage, tmp_path: Path
) -> None:
    for part, buckets in ((logs[:2], 1), (logs[2:], 2)):
        load_both(part, lake, tmp_path / "db", How(buckets=buckets))
    again = load_both(logs, lake, tmp_path / "db", How(buckets=2))
    assert (again.published, again.accepted) == (False, 0)
    assert not list(lake.list(STAGING))


@pytest.mark.thorough("ranges of a large log")
def test_one_log_in_ranges_is_as_a_whole(logs: list[Path], lake: Storage, tmp_path: Path) -> None:
    log = tmp_path / "one.jsonl"
    log.write_bytes(b"".join(path.read_bytes() for path in logs if path.suffix == ".jsonl"))
    load_both([log], lake, tmp_path / "db", How(buckets=2, range_size=50_000))


class Failing(Here):
    """Has the tasks done until it comes to one of a kind; says which it was given."""

    def __init__(
        self,
        fails_at: Callable[..., Any] | None = None,
        after: int = 0,
        doing: Engine | None = None,
    ) -> None:
        self.given: list[object] = []
        self._fails_at = fails_at
        self._after = after
        self._doing = doing or Here()

    def map(self, work: Callable[[A], R], items: Iterable[A], *, memory: int = 0) -> Iterator[R]:
        if work is self._fails_at and self.given.count(work) >= self._after:
            raise OSError("the machine is gone")
        for item in items:
            self.given.append(work)
            yield from self._doing.map(work, [item], memory=memory)


def id_of(line: bytes) -> str:
    """The id of a hand; of what is none, whatever stands there."""
    try:
        return str(json.loads(line)["id"])
    except (ValueError, LookupError, TypeError):
        return repr(line)


@pytest.mark.thorough("many divisions of the same hands")
def test_however_hands_are_divided_among_loads(logs: list[Path], tmp_path: Path) -> None:
    dice = random.Random(5)
    read = [log.read_bytes() for log in logs if log.suffix == ".jsonl"]
    lines = b"".join(read).splitlines()
    ingest.load(write_lines(tmp_path / "whole.jsonl", lines), db=tmp_path / "db")
    for number in range(4):
        storage = storage_of(f"lake:{tmp_path / str(number)}")
        parts: list[list[bytes]] = [[], [], []]
        # Of two hands with one id the first that comes is stored, so they stay together.
        homes: dict[str, list[bytes]] = {}
        for line in lines:
            homes.setdefault(id_of(line), dice.choice(parts)).append(line)
        buckets = [dice.randint(1, 5) for _ in parts]
        for place, part in enumerate(parts):
            log = write_lines(tmp_path / f"part-{place}.jsonl", part)
            load([log], storage, Here(), how=How(buckets=buckets[place]))
            if dice.random() < 1 / 2:
                upkeep.tidy(storage, keep=0)
        assert content(storage) == content(tmp_path / "db"), (number, buckets)


def test_processes_go_on_with_what_was_staged_and_load_what_a_dry_run_said(
    logs: list[Path], lake: Storage, tmp_path: Path
) -> None:
    planned = load(logs[:2], lake, Here(), how=How(buckets=1, dry_run=True))
    assert not Path(lake.root).exists()
    with pytest.raises(OSError, match="the machine is gone"):
        load(logs[:2], lake, Failing(settle_ids), how=How(buckets=1))
    assert Lake(lake).current() is None
    with engine_of("processes=2") as processes:
        engine = Failing(doing=processes)
        report = load(logs[:2], lake, engine, how=How(buckets=1))
    assert stage_part not in engine.given
    assert said(planned) == said(report) | {"published": False}
    assert said(report) == said(ingest.load(*logs[:2], db=tmp_path / "db"))
    assert content(lake) == content(tmp_path / "db")


@pytest.mark.thorough("a load that broke off goes on in the first tier")
def test_logs_that_changed_meanwhile_are_staged_again(logs: list[Path], lake: Storage) -> None:
    with pytest.raises(OSError, match="the machine is gone"):
        load(logs[:1], lake, Failing(settle_ids), how=How(buckets=1))
    logs[0].touch()
    engine = Failing()
    load(logs[:1], lake, engine, how=How(buckets=1))
    assert stage_part in engine.given


@pytest.mark.thorough("many portions")
def test_many_logs_are_published_in_portions(
    logs: list[Path], lake: Storage, tmp_path: Path
) -> None:
    portion = sum(path.stat().st_size for path in logs) // 2
    how = How(buckets=2, portion=portion)
    with pytest.raises(OSError, match="the machine is gone"):
        load(logs, lake, Failing(settle_ids, after=2), how=how)
    published = Lake(lake).opened()
    assert published.counts["accepted"] > 0
    engine = Failing()
    shares: list[float | None] = []
    report = load(
        logs, lake, engine, how=how, on_progress=lambda progress: shares.append(progress.share)
    )
    # The first portion is not even read again.
    assert engine.given.count(settle_ids) == 2 * (len(Lake(lake).snapshots()) - 1)
    here = ingest.load(*logs, db=tmp_path / "db")
    assert report.accepted + published.counts["accepted"] == here.accepted
    assert report.duplicate == here.duplicate + published.counts["accepted"]
    assert (report.lines, report.quarantined) == (here.lines, here.quarantined)
    assert content(lake) == content(tmp_path / "db")
    assert shares == sorted(shares, key=lambda share: share or 0)
    assert shares[-1] == pytest.approx(1)
    again = load(logs, lake, Failing(stage_part), how=how)
    assert said(again) == said(ingest.load(*logs, db=tmp_path / "db"))
    # A portion that was undone is not passed over.
    undone = undo_load(str(lake))
    assert load(logs, lake, Here(), how=how).accepted == undone.hands - undone.now > 0
    assert content(lake) == content(tmp_path / "db")


def test_what_is_too_large_for_one_load_is_named(
    logs: list[Path], lake: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(WarehouseError, match="A dry run looks at"):
        load(logs, lake, Here(), how=How(portion=1, dry_run=True))
    monkeypatch.setattr("tricklog.ingest.lake.load._MOST", 3)
    with pytest.raises(WarehouseError, match=r"jsonl is too large to be loaded at once.*Divide it"):
        load(logs[:1], lake, Here(), how=How(buckets=2, range_size=1000))
    assert not list(lake.list())


def test_a_log_that_is_not_there_publishes_nothing(lake: Storage, tmp_path: Path) -> None:
    missing = tmp_path / "missing.jsonl"
    report = load([missing], lake, Here())
    assert (report.quarantined, report.published, report.snapshot) == (1, False, None)
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"no hand\n")
    assert load([missing, log], lake, Here()).published


def test_a_lake_that_is_held_is_told_before_all_reading(logs: list[Path], lake: Storage) -> None:
    engine = Failing()
    with Lake(lake).begin("another"), pytest.raises(BusyError, match="is held by another"):
        load(logs, lake, engine)
    assert engine.given == []
    assert not list(lake.list(STAGING))
