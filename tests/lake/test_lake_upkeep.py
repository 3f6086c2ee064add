"""Reauditing and verifying a lake: what comes of it is what comes of a folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.lake import portions, tables
from ingest.store.publishing import BusyError
from ingest.store.warehouse import checksum
from ingest.upkeep.reauditing import HandChange, reaudit
from ingest.upkeep.verifying import verify
from ingest.warehouses import lake_at, load, open_facts, open_snapshot, stored_hand, warehouse_at
from replay.engine.rules import scoring
from replay.rulesets import ruleset
from schemas.hand import encode_hand
from tests.kit.log_lines import SOUND_LINE, generated, moved_on, write_lines

PEDRO, PIDRO = generated("pedro", 1), generated("pidro", 1)
LINES = [
    *map(encode_hand, (*PEDRO, *PIDRO[:2], moved_on(PIDRO[2]), *PIDRO[3:])),
    SOUND_LINE,
    b"oops",
]


def content(db: str | Path) -> str:
    with open_snapshot(db) as connection:
        return checksum(connection)


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several portions even of a few hands, whose games are not whole in what a load brought."""
    monkeypatch.setattr(portions, "PORTION", 9)
    whole = portions._row_groups

    def apart(*given: object) -> list[tuple[int, int]]:
        return [
            (first + place, 1)
            for first, rows in whole(*given)  # type: ignore[arg-type]  # as it is called
            for place in range(rows)
        ]

    monkeypatch.setattr(portions, "_row_groups", apart)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "log.jsonl", LINES)


def under(change: Callable[[pytest.MonkeyPatch], object], work: Callable[[], object]) -> None:
    """Do something under other rules."""
    with pytest.MonkeyPatch.context() as patch:
        forget()
        change(patch)
        work()
    forget()


def forget() -> None:
    ruleset._resolved.clear()
    ruleset.load_variant.cache_clear()


def wrong_scores(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(scoring, "change_when_made", lambda *_: 3)


def load_twice(log: Path, db: str) -> None:
    first = write_lines(log.with_name("first.jsonl"), LINES[:4])
    for each in (first, log):
        load(each, db=db, on="here" if db.startswith("lake:") else None)


@pytest.mark.usefixtures("small_portions")
def test_a_scoring_function_that_was_wrong(tmp_path: Path, log: Path) -> None:
    lake, folder = f"lake:{tmp_path / 'lake'}", str(tmp_path / "folder")
    for db in (lake, folder):
        under(wrong_scores, partial(load_twice, log, db))
    load(log, db=tmp_path / "fresh")
    before, state = content(lake), warehouse_at(lake).current()
    assert before == content(folder) != content(tmp_path / "fresh")
    dry: list[HandChange] = []
    report = reaudit(lake, dry_run=True, on="here", on_change=dry.append)
    assert (report.published, content(lake), warehouse_at(lake).current()) == (False, before, state)
    told: list[HandChange] = []
    dead = lake_at(lake)
    assert dead
    dead.lake.begin("a load that died")
    with pytest.raises(BusyError, match="add --take-over"):
        reaudit(lake, on="here")
    report = reaudit(lake, on="here", take_over=True, on_change=told.append)
    there: list[HandChange] = []
    embedded = reaudit(folder, on_change=there.append)
    assert told == dry == there
    assert (report.hands, report.changed, report.verdicts, report.published) == (
        embedded.hands,
        embedded.changed,
        embedded.verdicts,
        True,
    )
    assert report.snapshot == warehouse_at(lake).current() != state
    assert content(lake) == content(folder) == content(tmp_path / "fresh")
    found = verify(lake, everything=True, on="here")
    assert found.problems == ()
    assert found.checksum == content(lake)
    order = "SELECT id, import_id, file, line FROM hands ORDER BY id"
    with open_snapshot(lake) as one, open_snapshot(folder) as other:
        here, there_too = (
            [(each[0], *each[2:]) for each in connection.sql(order).fetchall()]
            for connection in (one, other)
        )
        assert here == there_too
        assert stored_hand(one, PIDRO[0].id) == PIDRO[0]
    facts = "SELECT hand, game_no, seat, change, player FROM seat_facts ORDER BY ALL"
    with open_facts(lake) as one, open_facts(folder) as other:
        here, there_too = (
            [each[2:] for each in connection.sql(facts).fetchall()] for connection in (one, other)
        )
        assert sorted(here, key=str) == sorted(there_too, key=str)
    again = reaudit(lake, on="here", on_change=told.append)
    assert (again.changed, again.published) == (0, False)
    # What comes later still finds its game and its ids.
    assert load(log, db=lake, on="here").duplicate == len(LINES) - 1


def replace_file(lake: Path, table: str, change: Callable[[pa.Table], pa.Table]) -> None:
    """Publish a table in which one file is another one."""
    warehouse = lake_at(lake)
    assert warehouse
    (file, *_) = warehouse.lake.files(warehouse.snapshot(), table)
    rows = change(pq.read_table(lake / table / file.path))
    with warehouse.lake.begin("a test") as begun:
        added = tables.write(warehouse.storage, table, rows, begun.number, 0)
        assert added
        begun.publish([added], {}, gone={table: [file.path]})


def with_other_dealer(hands: pa.Table) -> pa.Table:
    dealers = [1 - min(hands["dealer"][0].as_py(), 1), *hands["dealer"].to_pylist()[1:]]
    place = hands.schema.get_field_index("dealer")
    return hands.set_column(place, "dealer", pa.array(dealers, hands["dealer"].type))


def test_rows_that_are_not_what_was_loaded_are_named(tmp_path: Path, log: Path) -> None:
    lake = tmp_path / "lake"
    load(log, db=f"lake:{lake}", on="here")
    (first,) = pq.read_table(lake / "hands", columns=["id"])["id"].to_pylist()[:1]
    replace_file(lake, "hands", with_other_dealer)
    replace_file(lake, "ids", lambda rows: pa.concat_tables([rows[:1], rows[:-1]]))
    replace_file(lake, "seat_rows", lambda rows: rows[1:])
    found = verify(lake, on="here")
    told = {(each.check, each.table): each.row for each in found.problems}
    assert told["hash", "hands"] == first
    assert ("reference", "ids") in told
    assert ("key", "hands") not in told
    replace_file(lake, "hands", lambda rows: pa.concat_tables([rows[:1], rows]))
    told = {(each.check, each.table): each.row for each in verify(lake, on="here").problems}
    assert told["key", "hands"] == first
