"""A load into a lake says, stores and counts what the same load into a folder does.

All other commands print there what they print on a warehouse of one machine.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

import tricklog as library
from tests.cli.command_line import CommandLine, write_log
from tests.conftest import REPOSITORY
from tests.kit.app_pages import go, open_app, text_of
from tests.kit.dirty_logs import write_dirty_logs
from tests.kit.foreign_records import RECORDS
from tests.kit.log_lines import one_game, write_lines
from tests.kit.stored import content, facts_checksum, rows
from tests.kit.tiers import is_thorough, some
from tests.lake.conftest import Both
from tricklog import BusyError, LoadReport, WarehouseError, ingest
from tricklog.dashboard.address import urls
from tricklog.ingest.cli import doctor
from tricklog.ingest.lake import reading, upkeep
from tricklog.ingest.lake.engines import Engine, Here, engine_of
from tricklog.ingest.lake.load import STAGING, How, load
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.settling import settle_ids
from tricklog.ingest.lake.staging import stage_part
from tricklog.ingest.lake.storage import Storage, storage_of
from tricklog.ingest.reading.progress import Progress
from tricklog.ingest.store import userdata
from tricklog.ingest.upkeep.undoing import undo_load
from tricklog.ingest.warehouses import open_facts, stored_hand, warehouse_at

A = TypeVar("A")
R = TypeVar("R")
HERE = Here()
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

    def __init__(self, fails_at: object = None, after: int = 0, doing: Engine = HERE) -> None:
        self.given: list[object] = []
        self._fails_at, self._after, self._doing = fails_at, after, doing

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
    told: list[Progress] = []
    report = load(logs, lake, engine, how=how, on_progress=told.append)
    # The first portion is not even read again.
    assert engine.given.count(settle_ids) == 2 * (len(Lake(lake).snapshots()) - 1)
    here = ingest.load(*logs, db=tmp_path / "db")
    assert report.accepted + published.counts["accepted"] == here.accepted
    assert report.duplicate == here.duplicate + published.counts["accepted"]
    assert (report.lines, report.quarantined) == (here.lines, here.quarantined)
    assert content(lake) == content(tmp_path / "db")
    shares = [each.share for each in told]
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
    log = write_lines(tmp_path / "log.jsonl", [b"no hand"])
    assert load([missing, log], lake, Here()).published


def test_a_lake_that_is_held_is_told_before_all_reading(logs: list[Path], lake: Storage) -> None:
    engine = Failing()
    with Lake(lake).begin("another"), pytest.raises(BusyError, match="is held by another"):
        load(logs, lake, engine)
    assert engine.given == []
    assert not list(lake.list(STAGING))


READING = (
    ("stats", "--summary", "--json"),
    ("stats", "made-rate", "--by", "player", "--format", "csv"),
    ("stats", "hands", "--by", "day,variant", "--format", "json", "--whose", "people"),
    ("show", "evening", "--json"),
    ("show", "season", "2026", "--json"),
    ("db", "rejects", "--json"),
    ("show", "game", "king-pedro 2026-11-20 table 1", "--json"),
)
"""Commands that tell the same of both, to the last digit."""


def test_what_is_told_of_a_lake_is_the_same(tricklog: CommandLine, both: Both) -> None:
    told = doctor._warehouse(both.lake)
    assert re.search(r"\d+ hands in lake:.* 2; their figures are ready", told)
    for arguments in some(READING, 2):
        here, there = (tricklog(*arguments, "--db", str(db)) for db in (both.folder, both.lake))
        assert here.status == there.status == 0, arguments
        assert there.stdout == here.stdout, arguments


def test_a_lake_is_loaded_and_lines_dropped_alike(tricklog: CommandLine, tmp_path: Path) -> None:
    record = msgspec.json.encode(next(iter(RECORDS.values())))
    (tmp_path / "old").mkdir()
    wrong = write_log(tmp_path / "old" / "wrong.jsonl", b"oops " * 2_000, record)
    mixed = write_log(tmp_path / "older.jsonl", b"eh " * 2_000, *one_game("pedro")[:1])
    said, expected = [], ""
    for db, *on in (("club",), ("lake:club-lake", "--on", "here")):
        place = ("--db", db)
        dry = tricklog("load", mixed, *place, *on, "--dry-run")
        assert "dry run" in dry.text
        assert warehouse_at(db).current() is None
        (told,) = tricklog("load", mixed, *place, *on, "--json").objects
        assert told["snapshot"] == warehouse_at(db).current()
        assert (told["published"], told.pop("set_aside")) == (True, [])
        again = tricklog("load", mixed, *place, *on, "--json")
        nothing = {"accepted": 0, "published": False, "verdicts": {}, "findings": {}}
        assert again.objects[0] | {"duplicate": 0} == told | nothing | {"duplicate": 0}
        ran = tricklog("load", wrong, *place, *on)
        assert ran.status == 3
        assert f"tricklog db rejects {' '.join(place)}" in ran.text
        said.append(ran.stderr.replace(db, "club"))
        none = tricklog("db", "rejects", *place, "--log", "ol", "--forget")
        assert none.text == "0 lines dropped from quarantine\n"
        old = (*place, "--log", str(wrong.parent))
        assert "2 lines in quarantine" in tricklog("db", "rejects", *old).text
        assert tricklog("db", "rejects", *old, "--forget", "--json").objects == [{"dropped": 2}]
        (left,) = tricklog("db", "rejects", *place, "--json").objects
        assert left["file"] == str(mixed)
        assert tricklog("db", "rejects", *place, "--forget").text.startswith("1 line dropped")
        if is_thorough():
            assert tricklog("db", "verify", *place, *on).status == 0
        with warehouse_at(db).tables() as opened:
            counts = "SELECT count(*), (FROM (SELECT count(*) FROM long_texts)), $1 FROM imports"
            assert opened.execute(counts, [db]).fetchall() == [(1, 0, db)]
            expected = expected or library.checksum(opened)
            assert library.checksum(opened) == expected
    assert said[0] == said[1]
    assert "look like another program’s" in said[0]


def test_what_cannot_be_done_is_refused_and_makes_nothing(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    for place in (("club",), ("lake:club", "--on", "here")):
        ran = tricklog("load", tmp_path / "no.jsonl", "--db", *place)
        assert ran.status == 3
        assert "cannot be read" in " ".join(ran.stderr.split())
        assert not (tmp_path / "club").exists()
    ran = tricklog("stats", "--summary", "--db", "lake:nowhere")
    assert ran.status == 2
    assert "tricklog load LOGS --db lake:" in ran.stderr
    # What only lakes have is refused for a folder.
    log = write_log(tmp_path / "log.jsonl", *one_game("pedro"))
    for option in (("--on", "ray"), ("--take-over",)):
        ran = tricklog("load", log, "--db", "club", *option)
        assert ran.status == 2
        assert f"{option[0]} is for lakes" in ran.stderr
        assert not (tmp_path / "club").exists()


def test_without_what_reads_lakes_it_is_said_what_to_install(
    tricklog: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_log(tmp_path / "log.jsonl", *one_game("pedro"))
    for name in ("deltalake", "fsspec"):
        monkeypatch.setitem(sys.modules, name, None)
    for words in ("load log.jsonl", "stats --summary", "stats", "db verify", "dashboard"):
        command = words.split()
        ran = tricklog(*command, "--db", "s3://club/tricklog")
        assert ran.status == 2, command
        lacking = "what reads lakes is not installed: deltalake, fsspec"
        assert f"{lacking}. Run pip install 'tricklog[lake]'." in ran.advice, command


def test_a_folder_is_read_without_loading_what_reads_lakes(both: Both) -> None:
    program = (
        "import sys; from tricklog.ingest.cli import main; "
        f"main(['db', 'rejects', '--db', {str(both.folder)!r}, '--json']); "
        "needless = {'deltalake', 'fsspec', 'ray', 'tricklog.ingest.lake.publish'}; "
        "sys.exit(bool(needless & set(sys.modules)))"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def number_of_hands(both: Both) -> int:
    ((count,),) = rows(both.folder, "SELECT count(*) FROM hands")
    return int(count)


def assert_in_order(tricklog: CommandLine, lake: str, both: Both) -> None:
    ran = tricklog("db", "verify", "--db", lake, "--all", "--on", "here", "--json")
    (found,) = ran.objects
    assert (ran.status, found["problems"]) == (0, [])
    assert found["hands"] == found["replayed"] == number_of_hands(both)
    assert found["checksum"] == content(both.folder)


@pytest.mark.thorough("a lake of all games; test_lake_damage verifies one that was made again")
def test_a_lake_that_is_in_order_has_no_problem(tricklog: CommandLine, both: Both) -> None:
    assert_in_order(tricklog, str(both.lake), both)


# --- On an object store
@pytest.mark.thorough("an object store")
def test_commands_and_pages_on_an_object_store(
    tricklog: CommandLine,
    tmp_path: Path,
    s3_prefix: str,
    both: Both,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "own"))
    logs = both.logs
    ran = tricklog("load", str(logs), "--db", s3_prefix, "--on", "here", "--json")
    assert ran.objects[0]["snapshot"] == f"{s3_prefix} 1"
    for arguments in READING[:2]:
        here, there = (tricklog(*arguments, "--db", str(db)) for db in (both.folder, s3_prefix))
        assert there.stdout == here.stdout
    assert_in_order(tricklog, s3_prefix, both)
    with open_facts(s3_prefix) as far, both.facts() as (_, near), both.tables() as (_, tables):
        assert facts_checksum(far) == facts_checksum(near)
        assert reading.hand(far, "long 0") == stored_hand(tables, "long 0")
    told = f"{number_of_hands(both)} hands in s3:"
    checked = tricklog("demo", "--check", "--db", s3_prefix, "--json").objects
    assert any(each["says"].startswith(told) for each in checked)
    page = go(open_app(s3_prefix, monkeypatch), urls.OVERVIEW)
    assert " hands" in text_of(page)
    # What viewers write cannot lie on the store.
    own = warehouse_at(s3_prefix).user_folder()
    userdata.save_view(own, "Mine", "bids", {})
    assert own.is_relative_to(tmp_path / "own")
    assert "Mine" in text_of(page.run())


def test_a_silent_store_is_said_so(tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = dict.fromkeys(("ACCESS_KEY_ID", "SECRET_ACCESS_KEY"), "none")
    for name, text in {"ENDPOINT_URL": "http://127.0.0.1:9", "ALLOW_HTTP": "true", **keys}.items():
        monkeypatch.setenv(f"AWS_{name}", text)
    patience = {"max_retries": "0", "retry_timeout": "1s"}
    monkeypatch.setattr("tricklog.ingest.lake.storage._PATIENCE", patience)
    ran = tricklog("stats", "--summary", "--db", "s3://club/tricklog")
    assert ran.status == 3
    assert "s3://club/tricklog" in ran.stderr


# --- One hand
def test_a_stored_hand_is_replayed_by_its_id(tricklog: CommandLine, both: Both) -> None:
    ((name,),) = rows(both.folder, "SELECT min(hand_id) FROM hands WHERE verdict = 'valid'")
    asked = ("replay", "--hand", name, "--json", "--db")
    ran = [tricklog(*asked, str(db)) for db in (both.folder, both.lake)]
    assert [each.status for each in ran] == [0, 0]
    one, other = (each.objects[0] for each in ran)
    assert {**one, "file": ""} == {**other, "file": ""}
    assert one["hand_id"] == name
    assert one["steps"]
    nobody = tricklog("replay", "--hand", "nobody", "--db", str(both.lake))
    assert nobody.status == 2
    assert "no hand 'nobody'" in nobody.stderr
    # It takes a log or a hand of a warehouse.
    club = ("--db", both.folder)
    for arguments in ((), club, ("log.jsonl", "--hand", "c-7", *club)):
        refused = tricklog("replay", *arguments)
        assert refused.status == 2, arguments
        assert "--hand" in refused.stderr, arguments
