"""A follower as a process of its own, while a server writes and renames its log."""

from pathlib import Path

import pytest

from tests.kit.following import FollowerProcess, append, lines_of, shared, state
from tests.kit.log_lines import generated
from tests.kit.stored import rows
from tests.kit.tiers import scaled
from tricklog import ingest
from tricklog.ingest.store import warehouse

pytestmark = pytest.mark.posix

GAMES = scaled(1, most=20)
WRITES = scaled(6, most=40)
"""How often the server writes; after every third time the log is renamed."""
MOST_GROWTH = 1.25
"""What memory at the end may be of that after a third of the hands."""


@pytest.mark.slow("a process that publishes six times")
def test_every_hand_once_while_a_log_grows_and_is_renamed(tmp_path: Path) -> None:
    log, db = tmp_path / "server.jsonl", tmp_path / "db"
    hands = [hand for name in ("cinch", "twenty-nine") for hand in generated(name, GAMES)]
    logs, written = [log], 0
    with FollowerProcess(log, db, 0.2) as follower:
        for number, part in enumerate(shared(hands, WRITES)):
            if number % 3 == 2:
                old = log.with_name(f"{log.name}.{number}")
                log.rename(old)
                logs.append(old)
            # Now and then a line is written in two pieces.
            text = lines_of(part)
            append(log, text[: len(text) // 2])
            append(log, text[len(text) // 2 :])
            written += len(part)
            # A process that begins after a log was renamed never knows of it; later on, the log is
            # renamed whether or not it was read to its end.
            if number % 3 != 1:
                follower.await_hands(written)
        follower.await_hands(len(hands))
        *publishes, last = follower.stop()
    assert last["stopped"]
    assert last["accepted"] == len(hands)
    assert (last["duplicate"], last["quarantined"]) == (0, 0)
    assert sum(int(str(each.get("accepted", 0))) for each in publishes) == last["accepted"]
    assert len(logs) > 1
    ingest.load(*logs, db=tmp_path / "once")
    assert state(db) == state(tmp_path / "once")
    # However often it was published, the file is as large as that of one load, about.
    sizes = []
    for folder in (db, tmp_path / "once"):
        snapshot = warehouse.current_snapshot(folder)
        assert snapshot
        sizes.append(snapshot.stat().st_size)
    assert sizes[0] < 2 * sizes[1] + 2**21
    assert rows(db, "SELECT count(*) FROM imports") == [(1,)]


@pytest.mark.thorough("tens of thousands of hands")
def test_a_follower_takes_no_more_memory_after_many_hands(tmp_path: Path) -> None:
    log, db = tmp_path / "server.jsonl", tmp_path / "db"
    hands = generated("pidro", 6)
    text = lines_of(hands)
    memory, written = [], 0
    log.touch()
    with FollowerProcess(log, db, 1.0) as follower:
        for number in range(300):
            # The same games under names of their own.
            append(log, text.replace(b'"pidro-', f'"pidro-{number}-'.encode()))
            written += len(hands)
            if number % 10 == 9:
                follower.await_hands(written)
                status = Path(f"/proc/{follower.process.pid}/status").read_text()
                kib = next(line.split()[1] for line in status.splitlines() if "VmRSS" in line)
                memory.append(int(kib))
        last = follower.stop()[-1]
    assert last["accepted"] == written
    third = len(memory) // 3
    assert max(memory[-third:]) < MOST_GROWTH * max(memory[:third])
