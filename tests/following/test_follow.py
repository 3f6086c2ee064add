"""Logs that grow while they are followed: every line once, whatever becomes of the file."""

import gzip
import itertools
import os
import random
import shutil
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.event_logs import EVENTS, events_of, mixed, write_events
from tests.kit.following import Follower, append, followed, lines_of, loaded, shared
from tests.kit.log_lines import generated
from tests.kit.stored import content, rows
from tests.kit.tiers import is_thorough
from tricklog import Hand, LoadReport, Reject, ingest
from tricklog.ingest.following import heartbeat, tails, watched
from tricklog.ingest.store import disk, publishing, quarantine, warehouse
from tricklog.ingest.store.publishing import KEPT, StorageError


def played() -> Sequence[Hand]:
    """The hands that the server writes."""
    return generated("pedro", 2)[:12]


def text_of_all() -> bytes:
    return lines_of(played())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a warehouse says that has all of the hands."""
    folder = tmp_path_factory.mktemp("whole")
    append(folder / "whole.jsonl", text_of_all())
    return loaded(folder / "db", folder / "whole.jsonl")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "server.jsonl"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "db"


def test_lines_are_taken_as_they_are_appended(log: Path, db: Path, whole: str) -> None:
    with followed(log, db=db) as follower:
        follower.await_that(lambda: bool(follower.notes))
        assert "cannot be read yet" in follower.notes[0]
        taken = 0
        for part in shared(played(), 4):
            append(log, lines_of(part))
            taken += len(part)
            follower.await_hands(taken)
    assert content(db) == whole
    assert follower.duplicates == 0
    assert follower.total is not None
    assert follower.total.publishes == 4
    # One load, however often it was published; its snapshots are cleared away as those of loads.
    assert rows(db, "SELECT paths, accepted FROM imports") == [([str(log)], len(played()))]
    assert rows(db, "SELECT DISTINCT import_id FROM hands") == [(1,)]
    lines = rows(db, "SELECT line FROM hands ORDER BY line")
    assert lines == [(number,) for number in range(1, len(played()) + 1)]
    assert len(warehouse.snapshots(db)) == KEPT


def test_complete_records_replace_unfinished_ones(log: Path, db: Path, whole: str) -> None:
    now = played()[-1]
    with followed(log, db=db) as follower:
        early = replace(now, actions=now.actions[:9], claimed=UNSET, status="in_progress")
        append(log, lines_of([*played()[:-1], early]))
        follower.await_hands(len(played()))
        append(log, lines_of([now]))
        follower.await_that(lambda: any(each.report.completed for each in follower.told))
    assert content(db) == whole


def test_a_line_waits_until_it_is_complete(log: Path, db: Path, whole: str) -> None:
    dice = random.Random(7)
    with followed(log, db=db, every=0.05) as follower:
        rest = text_of_all()
        while rest:
            size = dice.randint(1, 5_000 if is_thorough() else 12_000)
            append(log, rest[:size])
            rest = rest[size:]
            follower.await_hands(text_of_all()[: len(text_of_all()) - len(rest)].count(b"\n"))
    assert content(db) == whole
    assert (follower.rejects, follower.duplicates) == ([], 0)


BEHIND = {
    "garbage": (b"GARBAGE AND ", 3, 1),
    "hand": (b"", 3, 1),
    "white space": (b" \r\n", 4, 0),
    "line feed": (b"\n", 4, 0),
}
"""What stands before the next two hands, how many hands are taken, and how many lines are none."""
OTHERWISE = pytest.mark.thorough("each kind, and each follower, is in the first tier")


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [
        pytest.param(*each, marks=[OTHERWISE] * (each not in {("garbage", True), ("hand", False)}))
        for each in itertools.product(BEHIND, (False, True))
    ],
)
def test_nothing_behind_a_line_that_was_taken_early_is_lost(
    log: Path, db: Path, text: str, *, goes_on: bool, tmp_path: Path
) -> None:
    start, accepted, surplus = BEHIND[text]
    behind = start + lines_of(played()[2:4])
    append(log, lines_of(played()[:2])[:-1])
    taken = log.stat().st_size
    rejects: list[Reject] = []
    told: list[LoadReport] = []
    # Whether the same follower sees it or the next one.
    for part in (b"", behind) if goes_on else (behind,):
        with followed(log, db=db) as follower:
            follower.await_that(lambda: follower.hands >= 2)
            append(log, part)
            due = (accepted, surplus) if part else (2, 0)
            follower.await_that(lambda: (follower.hands, len(follower.rejects)) == due)  # noqa: B023 - used here
        rejects += follower.rejects
        told += [each.report for each in follower.told]
    assert [(each.line, each.byte) for each in rejects] == [(2, taken)] * surplus
    assert all(each.is_balanced for each in told)
    assert sum(each.lines for each in told) == accepted + surplus
    if not surplus:
        assert content(db) == loaded(tmp_path / "once", log)
    with warehouse.open_snapshot(db) as connection:
        lines = connection.execute("SELECT line FROM hands ORDER BY line").fetchall()
        texts = [each.text for each in quarantine.lines(connection)]
    assert texts == [behind.split(b"\n")[0]] * surplus
    assert lines == [(each,) for each in range(1, accepted + 1)]


def test_a_follower_goes_on_where_the_last_one_stopped(log: Path, db: Path, whole: str) -> None:
    seen = 0
    for part in shared(played(), 2):
        append(log, lines_of(part)[:-40])
        with followed(log, db=db) as follower:
            seen += len(part) - 1
            follower.await_hands(seen)
        assert follower.total is not None
        assert [size for _, size in follower.total.unfinished] == [len(lines_of(part[-1:])) - 40]
        append(log, lines_of(part)[-40:])
        with followed(log, db=db) as follower:
            seen += 1
            follower.await_hands(seen)
        assert follower.duplicates == 0
    assert content(db) == whole


def test_what_is_there_at_the_end_is_still_published(log: Path, db: Path, whole: str) -> None:
    log.touch()
    with followed(log, db=db, every=30) as follower:
        append(log, text_of_all())
        follower.stop.set()
    assert content(db) == whole


@pytest.mark.parametrize(
    ("way", "is_followed"),
    [
        pytest.param(*each, marks=[OTHERWISE] * (each != ("renamed", True)))
        for each in itertools.product(("renamed", "copied and cut"), (True, False))
    ],
)
def test_a_log_that_is_rotated_loses_and_repeats_nothing(
    way: str, *, is_followed: bool, tmp_path: Path, whole: str
) -> None:
    log, db, old = tmp_path / "server.jsonl", tmp_path / "db", tmp_path / "server.jsonl.1"
    first, second, third, fourth = shared(played(), 4)
    append(log, lines_of(first))
    with followed(log, db=db, every=0.05) as follower:
        follower.await_hands(len(first))
        if is_followed and way == "renamed":
            append(log, lines_of(second)[:-9])
            log.rename(old)
            # The server still writes into the file that it has open, then into a new one.
            append(old, lines_of(second)[-9:])
        elif is_followed:
            # Not so much as to be taken: the rest is in the copy alone.
            append(log, lines_of(second)[:-9])
            follower.await_hands(len(first) + len(second) - 1)
            append(log, lines_of(second)[-9:])
            shutil.copyfile(log, old)
            os.truncate(log, 0)
        if is_followed:
            append(log, lines_of(third))
            follower.await_hands(len(first) + len(second) + len(third))
    if not is_followed:
        append(log, lines_of(second))
        if way == "renamed":
            log.rename(old)
        else:
            shutil.copyfile(log, old)
            os.truncate(log, 0)
        append(log, lines_of(third))
    append(log, lines_of(fourth))
    with followed(log, db=db) as follower:
        follower.await_hands(len(played()))
    assert follower.duplicates == 0
    assert content(db) == whole


def test_a_log_that_was_taken_whole_is_not_mentioned(log: Path, db: Path, tmp_path: Path) -> None:
    for number, part in enumerate(shared(played()[:8], 2), 1):
        append(log, lines_of(part))
        with followed(log, db=db) as follower:
            follower.await_hands(number * len(part))
        log.rename(tmp_path / f"server.jsonl.{number}")
    append(log, lines_of(played()[8:9]))
    with followed(log, db=db) as follower:
        follower.await_hands(9)
        assert not follower.notes
    assert follower.duplicates == 0


@pytest.mark.thorough("a log is rotated in the first tier")
def test_a_log_packed_meanwhile_is_found(log: Path, db: Path, tmp_path: Path, whole: str) -> None:
    first, second, third = shared(played(), 3)
    append(log, lines_of(first))
    with followed(log, db=db) as follower:
        follower.await_hands(len(first))
    append(log, lines_of(second))
    packed = gzip.compress(log.read_bytes())
    (tmp_path / "server.jsonl-20261124.gz").write_bytes(packed)
    log.unlink()
    append(log, lines_of(third))
    with followed(log, db=db) as follower:
        follower.await_hands(len(played()))
    # An archive is read whole, and what it repeats is known.
    assert follower.duplicates == len(first)
    assert content(db) == whole


def test_a_log_written_over_is_another_log(log: Path, db: Path, whole: str) -> None:
    first, second = shared(played(), 2)
    log.write_bytes(lines_of(first))
    with followed(log, db=db) as follower:
        follower.await_hands(len(first))
        # As long and longer, in one write: only the beginning tells.
        log.write_bytes(lines_of(second) + lines_of(second))
        follower.await_hands(len(played()))
    assert any("begins again" in note for note in follower.notes)
    assert content(db) == whole


def test_a_folder_is_watched_with_what_is_below_it(tmp_path: Path, whole: str) -> None:
    club, db = tmp_path / "club", tmp_path / "db"
    club.mkdir()
    first, second, third, fourth = shared(played(), 4)
    with followed(club, db=db) as follower:
        append(club / "monday.jsonl", lines_of(first))
        follower.await_hands(len(first))
        (club / "north" / "table 2").mkdir(parents=True)
        # A last line without a line feed is taken when nothing more comes.
        append(club / "north" / "table 2" / "tuesday.ndjson", lines_of(second)[:-1])
        (club / "notes.txt").write_text("no log")
        (club / ".hidden.jsonl").write_bytes(lines_of(fourth))
        follower.await_hands(len(first) + len(second))
        (tmp_path / "upload").write_bytes(gzip.compress(lines_of(third)))
        (tmp_path / "upload").rename(club / "wednesday.jsonl.gz")
        follower.await_hands(len(first) + len(second) + len(third))
        # Renamed in the folder, it is the same log.
        (club / "monday.jsonl").rename(club / "north" / "old-monday.jsonl")
        append(club / "north" / "old-monday.jsonl", lines_of(fourth[:1]))
        append(club / "north" / "table 2" / "tuesday.ndjson", b"\n" + lines_of(fourth[1:]))
        follower.await_hands(len(played()))
    assert (follower.duplicates, follower.rejects) == (0, [])
    assert content(db) == whole
    ((line,),) = rows(db, "SELECT max(line) FROM hands WHERE file LIKE '%tuesday%'")
    assert line == len(second) + len(fourth) - 1
    # A follower that ends has taken all that it finds.
    with followed(club, db=db) as follower:
        pass
    assert follower.told == []


class Clock:
    """The time by which files are quiet; it goes on when the test says so, on any machine."""

    time_ns = staticmethod(time.time_ns)

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = time.monotonic()
        self.looks = 0
        look = watched.Watch.look

        def counted(watch: watched.Watch) -> None:
            look(watch)
            self.looks += 1

        patch.setattr(tails, "time", self)
        patch.setattr(watched.Watch, "look", counted)

    def monotonic(self) -> float:
        return self.now

    def go_on(self, follower: Follower, seconds: float) -> None:
        """Let time go by once the follower has seen what there is now."""
        # The first look may have begun before.
        seen = self.looks + 2
        follower.await_that(lambda: self.looks >= seen)
        self.now += seconds


def test_an_archive_that_grows_slowly_is_read_when_it_is_complete(
    tmp_path: Path, whole: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    club, db = tmp_path / "club", tmp_path / "db"
    club.mkdir()
    packed = gzip.compress(text_of_all())
    clock = Clock(monkeypatch)
    with followed(club, db=db) as follower:
        for start in range(0, len(packed), 500):
            append(club / "evening.jsonl.gz", packed[start : start + 500])
            clock.go_on(follower, 0.9 * tails.SETTLED / 2)
        assert follower.told == []
        clock.go_on(follower, tails.SETTLED / 2)
        follower.await_hands(len(played()))
    assert follower.rejects == []
    assert content(db) == whole


def test_bad_lines_are_told_with_their_place_and_kept(log: Path, db: Path) -> None:
    first, second = shared(played()[:4], 2)
    with followed(log, db=db) as follower:
        append(log, lines_of(first) + b"oops\n\n")
        follower.await_that(lambda: len(follower.rejects) == 1)
        append(log, lines_of(second) + b"{}\n")
        follower.await_that(lambda: len(follower.rejects) == 2)
    places = [(each.line, each.byte) for each in follower.rejects]
    text = log.read_bytes()
    assert [line for line, _ in places] == [3, 7]
    assert text[places[0][1] :].startswith(b"oops")
    assert follower.total is not None
    assert follower.total.report is not None
    report = follower.total.report
    assert report.is_balanced
    assert (report.lines, report.accepted, report.blank) == (7, 4, 1)


@pytest.mark.thorough("a line waits until it is complete in the first tier")
def test_events_of_unended_games_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ingest.adapters.installed(), "events", EVENTS)
    hands = played()[:4]
    events = mixed(random.Random(4), *map(events_of, hands))
    once = write_events(tmp_path / "once.jsonl", events)
    ingest.load(once, db=tmp_path / "once", adapter="events")
    whole = content(tmp_path / "once")
    log, db = tmp_path / "events.jsonl", tmp_path / "db"
    cuts = [0, 30, 70, 90, len(events)]
    lines = write_events(tmp_path / "all", events).read_bytes().splitlines(keepends=True)
    ended = 0
    for number, (start, end) in enumerate(itertools.pairwise(cuts)):
        append(log, b"".join(lines[start:end]))
        ended += sum(each["event"] == "end" for each in events[start:end])
        with followed(log, db=db, adapter="events", every=0.05) as follower:
            follower.await_hands(ended)
        if number == 1:
            # In the middle of games the log is rotated.
            log.rename(tmp_path / "events.jsonl.1")
        assert follower.rejects == []
    assert content(db) == whole


def test_what_stands_behind_an_event_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ingest.adapters.installed(), "events", EVENTS)
    log, db = tmp_path / "events.jsonl", tmp_path / "db"
    first, second = (events_of(hand) for hand in played()[:2])
    begun = write_events(tmp_path / "begun", [*first, *second[:2]]).read_bytes()
    append(log, begun.removesuffix(b"\n"))
    with followed(log, db=db, adapter="events") as follower:
        follower.await_hands(1)
        follower.await_that(lambda: not follower.told[-1].waiting)
    append(log, b"GARBAGE\n")
    with followed(log, db=db, adapter="events") as follower:
        follower.await_that(lambda: bool(follower.rejects))
    assert [each.code for each in follower.rejects] == ["not-json"]
    assert follower.rejects[0].line == len(first) + 2
    assert follower.rejects[0].text.endswith(b"}GARBAGE")


@pytest.mark.thorough("loads wait for each other in load/test_load")
def test_loads_and_a_follower_take_turns(log: Path, db: Path, tmp_path: Path, whole: str) -> None:
    first, second, third = shared(played(), 3)
    (tmp_path / "other.jsonl").write_bytes(lines_of(second))
    with followed(log, db=db) as follower:
        append(log, lines_of(first))
        follower.await_hands(len(first))
        with publishing.writing(db, wait=10):
            append(log, lines_of(third))
            follower.await_that(lambda: any("waits its turn" in note for note in follower.notes))
        follower.await_hands(len(first) + len(third))
        ingest.load(tmp_path / "other.jsonl", db=db)
    assert content(db) == whole
    assert len(rows(db, "SELECT * FROM imports")) == 2


def trouble_of_the_only_one(db: Path) -> str | None:
    found = heartbeat.followers(db)
    return found[0].trouble if len(found) == 1 else None


def test_a_full_disk_is_met(
    log: Path, db: Path, whole: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_full = threading.Event()
    is_full.set()
    flush = disk.flush

    def flushed(path: Path) -> None:
        if is_full.is_set():
            raise OSError(28, "No space left on device", str(path))
        flush(path)

    monkeypatch.setattr(disk, "flush", flushed)
    with followed(log, db=db) as follower:
        append(log, text_of_all())
        follower.await_that(lambda: any("No space left" in note for note in follower.notes))
        assert follower.hands == 0
        # The sign of life is written after the note.
        follower.await_that(lambda: "No space left" in (trouble_of_the_only_one(db) or ""))
        is_full.clear()
        follower.await_hands(len(played()))
        follower.await_that(lambda: trouble_of_the_only_one(db) == "")
    assert content(db) == whole
    assert heartbeat.followers(db) == []
    # One in the end is told.
    is_full.set()
    append(log, lines_of(generated("pidro", 1)[:1]))
    with pytest.raises(StorageError, match="No space left"), followed(log, db=db) as follower:
        follower.await_that(lambda: bool(follower.notes))


def test_a_warehouse_that_was_replaced_is_filled_again(log: Path, db: Path, whole: str) -> None:
    first, second = shared(played(), 2)
    with followed(log, db=db) as follower:
        append(log, lines_of(first))
        follower.await_hands(len(first))
        with publishing.writing(db, wait=10):
            for path in db.iterdir():
                if path.name.startswith(("games-", "CURRENT")):
                    path.unlink()
        append(log, lines_of(second))
        follower.await_hands(len(played()))
    assert content(db) == whole


@pytest.mark.parametrize("name", ["-", "s3://bucket/logs"])
def test_what_has_no_place_to_go_on_from_is_refused(name: str, tmp_path: Path) -> None:
    stop = threading.Event()
    with pytest.raises(warehouse.WarehouseError, match="cannot be followed"):
        ingest.warehouses.follow(name, db=tmp_path / "db", stop=stop)
    with pytest.raises(warehouse.WarehouseError, match="is a lake"):
        ingest.warehouses.follow(tmp_path, db=f"lake:{tmp_path}/lake", stop=stop)
