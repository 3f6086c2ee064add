"""Kill -9 of what writes to a lake, and several at once: readers see the old or the new alone."""

import itertools
import random
import signal
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar
from unittest import mock

import pytest
from pyarrow.fs import copy_files

from tests.conftest import REPOSITORY
from tests.kit import lake_rows as files
from tests.kit.dirty_logs import write_dirty_logs
from tests.kit.kills import Change, Stage, kill_at, kill_at_random, stage
from tests.kit.lake_rows import Tables, digests, game_numbers, publish_load
from tests.kit.log_lines import generated, write_hands
from tests.kit.stored import content
from tests.kit.tiers import is_thorough
from tricklog import WarehouseError, ingest
from tricklog.ingest.lake import commits, upkeep
from tricklog.ingest.lake.engines import Here, Processes
from tricklog.ingest.lake.load import How, load
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.reading.interrupts import ended_in_order

pytestmark = pytest.mark.posix

A = TypeVar("A")
R = TypeVar("R")
Address = str | Path
AT_RANDOM = pytest.mark.thorough("kills at random moments")


def copied(start: Address, base: str) -> str:
    """Copy a lake to a new place below an address, and return that."""
    lake = f"{base}/{uuid.uuid4().hex}"
    here, there = storage_of(start), storage_of(lake)
    if there.is_local:
        Path(there.root).mkdir(parents=True)
    copy_files(here.root, there.root, here.filesystem, there.filesystem, use_threads=False)
    return lake


def orphans(address: Address) -> list[str]:
    """Files of a lake that its newest snapshot does not name."""
    lake = Lake(storage_of(address))
    return sorted(files.data_files(lake) - files.named_files(lake))


def change_of(name: str, start: Address, base: str, *parts: Any) -> Change:  # noqa: ANN401 - as Change has them
    """Return a change of copies of a lake, whose address may be one of a store and no path."""
    return Change(name, partial(copied, start, base), *parts)  # type: ignore[arg-type]  # an address


# --- The publish of a load
PUBLISHED: Final = ("hands", "games", "findings", "tallies")
"""Tables of the loads here."""
PUBLISHING: Final = (
    *("begun", "renewed", "created findings"),
    *(f"committed {table}" for table in PUBLISHED),
    *("tables committed", "published"),
)
MENDING: Final = ("begun", *(f"committed {table}" for table in PUBLISHED))
"""Where the load is killed that publishes what a killed one did not."""


def first_load(address: Address) -> None:
    """Publish what the others start from."""
    lake = Lake(storage_of(address))
    # So that the second load writes checkpoints.
    often = {"delta.checkpointInterval": "2"}
    with mock.patch.dict(commits._SETTINGS, often), lake.begin("first") as begun:
        added = [
            files.hands(lake.storage, 1, 2),
            files.games(lake.storage, "a"),
            files.games(lake.storage, "b"),
            files.texts(lake.storage, "tallies", "of two"),
        ]
        begun.publish(added, {"accepted": 2})


def second_load(
    address: Address, load: str = "second", pause: float = 0, *, takes: bool = True
) -> str:
    """Publish more rows, a table more, a table again, and one file less, as long as nobody has."""
    lake = Lake(storage_of(address))
    with lake.begin(load, take_over=takes) as begun:
        begun.renew()
        time.sleep(pause)
        if begun.before is None or begun.before.load != "first":
            return "nothing new"
        ended = [each for each in lake.files(begun.before, "games") if each.low["game"] == "b"]
        added = [
            files.hands(lake.storage, 3),
            files.games(lake.storage, "c"),
            files.texts(lake.storage, "findings", "revoke"),
            files.texts(lake.storage, "tallies", "of three"),
        ]
        begun.publish(added, {"accepted": 1}, replaced=["tallies"], gone=ended)
    return "done"


def seen(address: Address) -> dict[str, list[str]]:
    """All that a reader of the newest snapshot sees."""
    lake = Lake(storage_of(address))
    return {
        table: sorted(
            str(row) for each in listed for row in files.read_rows(lake, each).to_pylist()
        )
        for table, listed in lake.all_files(lake.opened()).items()
    }


def unpublished(address: Address) -> list[str]:
    """Tables whose newest version is not the published one once the dust has settled."""
    lake = Lake(storage_of(address))
    published = lake.all_files(lake.opened())
    newest = {each: commits.paths_of(commits.table_at(lake.storage, each)) for each in PUBLISHED}
    right = {table: {file.path for file in published[table]} for table in PUBLISHED}
    return [f"{each} kept what was not published" for each in newest if newest[each] != right[each]]


def publish_change(killing: Stage, base: str) -> Change:
    """A load whose publish is killed; what mends it is killed, too, each time at another point."""
    start = f"{base}/start"
    first_load(start)
    whole = copied(start, base)
    assert second_load(whole) == "done"
    old, new = seen(start), seen(whole)
    assert old != new
    mending = itertools.cycle(MENDING)

    def again(lake: Address) -> list[str]:
        point = next(mending)
        killing.run(second_load, lake, at=point)
        wrong = [] if seen(lake) in (old, new) else [f"killed again at {point}, it left {seen}"]
        second_load(lake)
        return [*wrong, *unpublished(lake)]

    published = ("published",)
    return change_of("a publish", start, base, second_load, (), seen, old, new, again, published)


def wrong_at(killing: Stage, change: Change, points: Iterable[str]) -> list[str]:
    return [each for point in points for each in kill_at(killing, change, point)]


@pytest.fixture(scope="module")
def publish_killed(killing: Stage, tmp_path_factory: pytest.TempPathFactory) -> Change:
    return publish_change(killing, f"lake:{tmp_path_factory.mktemp('publish')}")


def test_a_publish_killed_at_its_points(killing: Stage, publish_killed: Change) -> None:
    some_points = ("committed games", "tables committed", "published")
    assert wrong_at(killing, publish_killed, PUBLISHING if is_thorough() else some_points) == []


@AT_RANDOM
def test_a_publish_killed_at_any_time(killing: Stage, publish_killed: Change) -> None:
    assert kill_at_random(killing, publish_killed, random.Random(1), 40) == []


@pytest.mark.thorough("an object store, and kills at random moments")
def test_a_publish_killed_on_an_object_store(s3_prefix: str) -> None:
    # A process that is begun now finds the store, which the one of the other tests does not.
    with stage() as killing:
        change = publish_change(killing, s3_prefix)
        assert wrong_at(killing, change, PUBLISHING) == []
        assert kill_at_random(killing, change, random.Random(2), 6) == []


# --- Several that publish at once
@contextmanager
def read_meanwhile(look: Callable[[], object], allowed: Sequence[object]) -> Iterator[None]:
    """Look again and again while the block goes on, once at the least."""
    ended = threading.Event()
    wrong = []

    def looking() -> None:
        while True:
            if (found := look()) not in allowed:
                wrong.append(found)
            if ended.wait(0.02):
                break

    reader = threading.Thread(target=looking)
    reader.start()
    try:
        yield
    finally:
        ended.set()
        reader.join()
    assert wrong == []


def attempt(task: tuple[Address, str, float, float, bool]) -> str:
    """Publish as ``second_load`` does after a while; return the name of what refused it."""
    address, name, wait, pause, takes = task
    time.sleep(wait)
    try:
        return second_load(address, name, pause, takes=takes)
    except WarehouseError as error:
        return type(error).__name__


@pytest.mark.thorough("several processes; test_publish has two loads at once")
def test_one_of_several_loads_at_once_publishes(publish_killed: Change) -> None:
    writers = 4
    with Processes(writers) as engine:
        for _ in range(20):
            lake = publish_killed.begin()
            tasks = [(lake, f"load {each}", 0.0, 0.1, False) for each in range(writers)]
            with read_meanwhile(lambda: seen(lake), (publish_killed.old, publish_killed.new)):  # noqa: B023 - used here
                said = Counter(engine.map(attempt, tasks))
            # One that begins when another has finished finds its hands stored.
            assert said["done"] == 1
            assert set(said) <= {"done", "BusyError", "nothing new"}
            assert seen(lake) == publish_killed.new
            assert unpublished(lake) == []


@pytest.mark.thorough("at random moments")
def test_a_load_that_was_taken_over_does_no_harm(publish_killed: Change) -> None:
    dice = random.Random(3)
    states = (publish_killed.old, publish_killed.new)
    with Processes(2) as engine:
        for _ in range(20):
            lake = publish_killed.begin()
            tasks = [
                (lake, "zombie", 0.0, dice.uniform(0, 1), False),
                (lake, "taker", dice.uniform(0, 0.5), dice.uniform(0, 0.5), True),
            ]
            with read_meanwhile(lambda: seen(lake), states):  # noqa: B023 - used here
                said = Counter(engine.map(attempt, tasks))
            assert set(said) <= {"done", "FencedError", "BusyError", "nothing new"}
            assert said["done"] <= 1
            assert seen(lake) == states[said["done"]]
            # It may have committed to a table after everybody else had finished.
            second_load(lake)
            assert unpublished(lake) == []


# --- Whole loads
LOADING: Final = (
    *("stage_part 1", "begun", "settle_ids 1", "settle_ids 2", "store_games 1", "store_games 2"),
    *(f"committed {table}" for table in ("games", "hands", "ids", "imports", "superseded")),
    *("tables committed", "published"),
)
"""Where a load is killed that adds to a lake and goes on with games in it: the name of a task and
how many of them are done, or a point of the publish."""
HOW: Final = How(buckets=2, take_over=True)


def done(_task: str, _count: str) -> None:
    """Mark that so many tasks of a kind are done; a stage ends the process there."""


class Telling(Here):
    """Does tasks, and says how many of each kind are done."""

    def __init__(self) -> None:
        self._done = Counter[str]()

    def map(self, work: Callable[[A], R], items: Iterable[A], *, memory: int = 0) -> Iterator[R]:
        for result in super().map(work, items, memory=memory):
            self._done[work.__name__] += 1
            done(work.__name__, str(self._done[work.__name__]))
            yield result


def load_logs(address: Address, *logs: str) -> None:
    load(logs, storage_of(address), Telling(), how=HOW)


def load_change(folder: Path) -> Change:
    """The second of two loads, as a warehouse of one machine says what comes of it."""
    samples = sorted((REPOSITORY / "sample_logs" / "valid").rglob("three-games.jsonl"))
    lines = [line for path in samples for line in path.read_bytes().splitlines()][::2]
    logs = write_dirty_logs(lines, folder / "logs", files=4, share=0.05)
    base = f"lake:{folder / 'lakes'}"
    start, sums = f"{base}/start", []
    for part in (logs[:2], logs[2:]):
        ingest.load(*part, db=folder / "folder")
        sums.append(content(folder / "folder"))
    load(logs[:2], storage_of(start), Here(), how=How(buckets=1))

    def again(lake: Address) -> list[str]:
        storage, wrong = storage_of(lake), []
        load(logs[2:], storage, Here(), how=HOW)
        if load(logs, storage, Here(), how=HOW).published:
            wrong.append("loaded once more, it added something")
        upkeep.tidy(storage, keep=0)
        return [*wrong, *(f"tidying left {name}" for name in orphans(lake))]

    given = list(map(str, logs[2:]))
    return change_of("a load", start, base, load_logs, given, content, *sums, again, ("published",))


@pytest.mark.thorough("whole loads; one breaks off in test_load, and publishes are killed above")
def test_a_load_killed_between_its_steps_is_made_up_for(killing: Stage, tmp_path: Path) -> None:
    change = load_change(tmp_path)
    assert wrong_at(killing, change, LOADING) == []


@AT_RANDOM
def test_a_load_killed_at_any_time(killing: Stage, tmp_path: Path) -> None:
    assert kill_at_random(killing, load_change(tmp_path), random.Random(4), 12) == []


def load_until_ended(address: Address, log: str) -> None:
    """Load, and be ended on the way as machines that are shut down end their programs."""
    with ended_in_order():
        load([log], storage_of(address), Ending(), how=How(buckets=2))


class Ending(Telling):
    """Is ended when the first games are stored."""

    def map(self, work: Callable[[A], R], items: Iterable[A], *, memory: int = 0) -> Iterator[R]:
        for result in super().map(work, items, memory=memory):
            if self._done["store_games"] == 1:
                signal.raise_signal(signal.SIGTERM)
            yield result


def test_a_load_that_is_ended_gives_the_lake_free(killing: Stage, tmp_path: Path) -> None:
    log = write_hands(tmp_path / "log.jsonl", generated("pedro", 1))
    lake = f"lake:{tmp_path / 'lake'}"
    assert killing.run(load_until_ended, lake, str(log)).failed
    Lake(storage_of(lake)).want_free()
    assert load([log], storage_of(lake), Here(), how=How(buckets=2)).published


# --- Tidying
TIDIED: Final = ("hands", "games", "ids", "rejects")
TIDYING: Final = (
    "begun",
    *(f"written again {table}" for table in TIDIED),
    *(f"committed {table}" for table in (*TIDIED, "superseded")),
    *("tables committed", "published", "found what nobody needs", "forgotten old snapshots"),
    *("removed", "released"),
)


def tidied(address: Address, keep: float = 0) -> None:
    upkeep.tidy(storage_of(address), keep=keep, take_over=True)


def seen_digests(address: Address) -> object:
    return digests(Lake(storage_of(address)))


@pytest.fixture(scope="module")
def tidy_killed(some_rows: Tables, tmp_path_factory: pytest.TempPathFactory) -> Change:
    """What tidies a lake of some loads."""
    base = f"lake:{tmp_path_factory.mktemp('tidy')}"
    start = Lake(storage_of(f"{base}/start"))
    few_rows = {table: some_rows[table].slice(0, 30) for table in TIDIED}
    for number in range(3):
        publish_load(start, few_rows, game_numbers(few_rows, 1)[:5] if number == 1 else ())

    def again(lake: Address) -> list[str]:
        tidied(lake)
        opened = Lake(storage_of(lake))
        left = sum(map(len, opened.all_files(opened.opened()).values()))
        wrong = [] if left == len(TIDIED) else [f"{left} files are left"]
        return [*wrong, *(f"nobody needs {name}" for name in orphans(lake))]

    states = [digests(start)] * 2
    return change_of("tidying", str(start.storage), base, tidied, (), seen_digests, *states, again)


def test_tidying_that_is_killed_loses_nothing(killing: Stage, tidy_killed: Change) -> None:
    some_points = ("committed games",)
    assert wrong_at(killing, tidy_killed, TIDYING if is_thorough() else some_points) == []


@AT_RANDOM
def test_tidying_killed_at_any_time_loses_nothing(killing: Stage, tidy_killed: Change) -> None:
    assert kill_at_random(killing, tidy_killed, random.Random(5), 20) == []


@pytest.mark.thorough("beside a reader; test_tidy keeps what is read")
def test_tidying_changes_nothing_for_who_reads(tidy_killed: Change) -> None:
    """What they have open stays for as long as is told."""
    lake = tidy_killed.begin()
    opened = Lake(storage_of(lake))
    snapshot, allowed = opened.opened(), [(tidy_killed.old,) * 2]
    with read_meanwhile(lambda: (digests(opened, snapshot), seen_digests(lake)), allowed):
        tidied(lake, keep=7)
