"""Kill -9 while logs are followed, and a follower as a process of its own."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from tests.kit.following import FollowerProcess, append, follow_until, lines_of, loaded, shared
from tests.kit.kills import Stage, stage
from tests.kit.log_lines import generated
from tests.kit.publish_points import Point
from tests.kit.stored import content, content_or_none, rows
from tests.kit.tiers import scaled, some
from tricklog import Hand, ingest
from tricklog.ingest.store import warehouse

pytestmark = pytest.mark.posix

POINTS = (Point.POINTER_REPLACED, Point.NAMED)
"""The first point that leaves the new state, and the last that leaves the old one. A follower
publishes by the same code as a load, which is killed at every point."""
KILLS = 20
SIZE = 2
"""Hands of each of four parts of a log."""


def parts() -> Sequence[Sequence[Hand]]:
    return shared(generated("pedro", 1)[: 4 * SIZE], 4)


def text_of(*numbers: int) -> bytes:
    return b"".join(lines_of(parts()[number - 1]) for number in numbers)


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A process whose forks follow; what they import late is there for all of them."""
    folder = tmp_path_factory.mktemp("rehearsal")
    append(folder / "log.jsonl", text_of(1))
    with stage() as given:
        given.run(follow_until, folder / "db", folder / "log.jsonl", SIZE)
        yield given


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """What a warehouse says that has the first so many parts."""
    folder = tmp_path_factory.mktemp("states")
    found = {}
    for count in (1, 2, 4):
        log = folder / f"{count}.jsonl"
        append(log, text_of(*range(1, count + 1)))
        found[count] = loaded(folder / f"db-{count}", log)
    return found


@pytest.mark.parametrize("point", some(POINTS, 1))
def test_killed_at_each_point_of_a_publish(
    forks: Stage, states: dict[int, str], tmp_path: Path, point: Point
) -> None:
    log, db = tmp_path / "server.jsonl", tmp_path / "db"
    append(log, text_of(1))
    assert follow_until(db, log, SIZE) == SIZE
    append(log, text_of(2))
    assert forks.run(follow_until, db, log, SIZE, at=point).killed
    is_new = point == Point.POINTER_REPLACED
    assert content(db) == states[2 if is_new else 1]
    # While nobody follows it, the log is renamed, and a new one begun.
    append(log, text_of(3))
    log.rename(tmp_path / "server.jsonl.1")
    append(log, text_of(4))
    left = SIZE * (2 if is_new else 3)
    assert follow_until(db, log, left) == left
    assert content(db) == states[4]


@pytest.mark.thorough("a later publish is killed in the first tier")
@pytest.mark.parametrize("point", [Point.TABLES_WRITTEN, Point.NAMED])
def test_killed_in_the_first(
    forks: Stage, states: dict[int, str], tmp_path: Path, point: Point
) -> None:
    log, db = tmp_path / "server.jsonl", tmp_path / "db"
    append(log, text_of(1, 2))
    assert forks.run(follow_until, db, log, 2 * SIZE, at=point).killed
    assert content_or_none(db) is None
    append(log, text_of(3, 4))
    # A snapshot that was complete when it was killed is taken up, with how far the log was taken.
    left = SIZE * (4 if point == Point.TABLES_WRITTEN else 2)
    assert follow_until(db, log, left) == left
    assert content(db) == states[4]


@pytest.mark.thorough("a follower publishes by the code of loads: each named point is enough")
def test_killed_at_any_time(forks: Stage, states: dict[int, str], tmp_path: Path) -> None:
    dice = Random("follow")
    seconds, kills = 0.0, 0
    # Some kills come too late.
    for number in range(4 * KILLS):
        log, db = tmp_path / f"{number}.jsonl", tmp_path / f"db-{number}"
        append(log, text_of(1, 2))
        if not seconds:
            seconds = forks.run(follow_until, tmp_path / "whole", log, 2 * SIZE).seconds
        kills += forks.run(follow_until, db, log, 2 * SIZE, after=dice.random() * seconds).killed
        stands = content_or_none(db)
        assert stands in (None, states[2])
        append(log, text_of(3, 4))
        # A first snapshot without a pointer, which nobody reads yet, is taken up.
        left = SIZE * (2 if stands or any(db.glob("games-*.duckdb")) else 4)
        assert (follow_until(db, log, left), content(db)) == (left, states[4])
        assert rows(db, "SELECT sum(accepted) FROM imports") == [(8,)]
        if kills == KILLS:
            return
    pytest.fail(f"only {kills} of {KILLS} kills met the work")


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
    append(log, b"oops\n")
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
        *told, last = follower.stop()
    (oops,) = (each for each in told if "code" in each)
    assert (oops["line"], oops["code"]) == (1, "not-json")
    publishes = [each for each in told if "published" in each]
    assert all(each["published"] for each in publishes)
    assert (publishes[0]["files"], publishes[-1]["waiting"]) == (1, 0)
    assert (last["stopped"], last["publishes"]) == (True, len(publishes))
    assert (last["accepted"], last["duplicate"], last["quarantined"]) == (len(hands), 0, 1)
    assert sum(int(str(each["accepted"])) for each in publishes) == last["accepted"]
    assert len(logs) > 1
    ingest.load(*logs, db=tmp_path / "once")
    assert content(db) == content(tmp_path / "once")
    # However often it was published, the file is as large as that of one load, about.
    snapshots = [warehouse.current_snapshot(each) for each in (db, tmp_path / "once")]
    size, of_one = (Path(str(each)).stat().st_size for each in snapshots)
    assert size < 2 * of_one + 2**21
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
