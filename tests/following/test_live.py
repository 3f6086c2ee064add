"""A server that writes at a steady rate for some seconds; ``tests.long.follow`` does it long."""

import time
from pathlib import Path

import pytest

import ingest
from ingest.store import warehouse
from tests.kit.following import append, lines_of, state
from tests.kit.live_server import FollowerProcess, Seen, Server, published
from tests.kit.log_lines import generated

pytestmark = pytest.mark.posix

SECONDS = 6
RATE = 60
FIRST = generated("cinch", 1)[:2]
PATIENCE = 120
"""Seconds for all hands to be published; on an idle machine two are enough."""


def test_every_hand_once_while_a_log_grows_and_is_renamed(tmp_path: Path) -> None:
    log, db = tmp_path / "server.jsonl", tmp_path / "db"
    server = Server(log, RATE, SECONDS, rotate=2.5)
    append(log, lines_of(FIRST))
    seen = Seen()
    until = time.monotonic() + SECONDS + PATIENCE
    with FollowerProcess(log, db, 1.0) as follower:
        # A process that begins after a log was renamed never knows of it.
        while published(db) < len(FIRST):
            assert time.monotonic() < until
            time.sleep(0.2)
        server.start()
        while server.is_alive() or not server.hands or published(db) < len(FIRST) + server.hands:
            assert time.monotonic() < until
            seen.note(published(db))
            time.sleep(0.5)
        *publishes, last = follower.stop()
    assert last["stopped"]
    assert last["accepted"] == len(FIRST) + server.hands
    assert (last["duplicate"], last["quarantined"]) == (0, 0)
    assert sum(int(str(each.get("accepted", 0))) for each in publishes) == last["accepted"]
    assert len(server.logs) >= 2
    ingest.load(*server.logs, db=tmp_path / "once")
    assert state(db) == state(tmp_path / "once")
    # However often it was published, the file is as large as that of one load, about.
    sizes = []
    for folder in (db, tmp_path / "once"):
        snapshot = warehouse.current_snapshot(folder)
        assert snapshot
        sizes.append(snapshot.stat().st_size)
    assert sizes[0] < 2 * sizes[1] + 2**21
    with warehouse.open_snapshot(db) as connection:
        assert connection.execute("SELECT count(*) FROM imports").fetchall() == [(1,)]
