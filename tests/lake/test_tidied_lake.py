"""A lake that was tidied says what it said, and loads go on from it."""

import random
from pathlib import Path

import ingest
from ingest.facts.files import open_facts
from ingest.lake import reading
from ingest.lake.publish import Lake
from ingest.lake.storage import storage_of
from ingest.lake.upkeep import tidy
from ingest.store.warehouse import checksum, open_snapshot
from tests.kit.club_logs import write_club_logs

PARTS = 2
HANDS = 240
COUNTED = ("seat_facts", "card_facts", "game_facts", "finding_facts")


def lines_of(logs: Path) -> list[bytes]:
    """Return the lines of logs in an order that tears most games apart."""
    files = sorted(path for path in logs.rglob("*") if path.is_file())
    lines = [line for path in files for line in path.read_bytes().splitlines()]
    random.Random(1).shuffle(lines)
    return lines[:HANDS]


def said(lake: Lake) -> tuple[str, list[int]]:
    snapshot = lake.opened()
    with reading.open_tables(lake, snapshot) as tables:
        content = checksum(tables)
    with reading.open_facts(lake, snapshot) as facts:
        return content, [len(facts.table(table)) for table in COUNTED]


def test_loads_and_tidying_in_turn_give_what_one_load_gives(tmp_path: Path) -> None:
    lines = lines_of(write_club_logs(tmp_path / "logs"))
    logs = tmp_path / "logs.jsonl"
    logs.write_bytes(b"\n".join(lines) + b"\n")
    ingest.load(logs, db=tmp_path / "one")
    with open_snapshot(tmp_path / "one") as tables:
        whole = checksum(tables)
    with open_facts(tmp_path / "one") as facts:
        counts = [len(facts.table(table)) for table in COUNTED]
    lake = Lake(storage_of(f"lake:{tmp_path / 'lake'}"))
    for part in range(PARTS):
        log = tmp_path / f"part-{part}.jsonl"
        log.write_bytes(b"\n".join(lines[part::PARTS]) + b"\n")
        ingest.load(log, db=str(lake.storage), on="here")
        before = said(lake)
        told = tidy(lake.storage, keep=0)
        assert told.games > 0 or part == 0
        assert said(lake) == before
    assert said(lake) == (whole, counts)
    assert max(held.files for held in told.after.values()) == 1
