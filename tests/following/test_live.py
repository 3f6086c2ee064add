"""A server that writes at a steady rate for some seconds; ``tests.long.follow`` does it long."""

import time
from pathlib import Path

import pytest

import ingest
from ingest.store import warehouse
from tests.kit.following import state
from tests.kit.live_server import FollowerProcess, Seen, Server, published

pytestmark = pytest.mark.posix

SECONDS = 12
RATE = 100
PATIENCE = 120
"""Seconds for all hands to be published; on an idle machine two are enough."""


def test_every_hand_once_while_a_log_grows_and_is_renamed(tmp_path: Path) -> None:
    log, db = tmp_path / "server.jsonl", tmp_path / "db"
    server = Server(log, RATE, SECONDS, rotate=5)
    follower = FollowerProcess(log, db, 0.5)
    server.start()
    seen = Seen()
    until = time.monotonic() + SECONDS + PATIENCE
    while server.is_alive() or not server.hands or published(db) < server.hands:
        assert time.monotonic() < until
        seen.note(published(db))
        time.sleep(0.2)
    *publishes, last = follower.stop()
    assert last["stopped"]
    assert last["accepted"] == server.hands
    assert (last["duplicate"], last["quarantined"]) == (0, 0)
    assert sum(int(str(each.get("accepted", 0))) for each in publishes) == server.hands
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
