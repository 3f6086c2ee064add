"""Kill -9 of what changes something: old or new stands afterwards, and doing it again ends it.

A stage is a process that has imported all once and forks for each piece of work. The fork is killed
where a named point is reached, or after some processor time, which other work on the machine does
not change. What it leaves is looked at, and the work done again, in the process of the test.
"""

import importlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from unittest import mock

from tests.kit import publish_points
from tricklog import ingest

REPOSITORY: Final = Path(__file__).parents[2]
TASKS: Final = "tests.lake.test_lake_kills"
"""The module whose function ``done`` is called after each task of a load into a lake."""


class Ran(NamedTuple):
    killed: bool
    failed: bool
    """Whether it ended in another way than by the kill or by coming to its end."""
    said: str
    """The sentence of a refusal."""
    seconds: float
    """Processor time."""


class Stage:
    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.kit.kills"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=REPOSITORY,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        )

    def run(self, work: Callable[..., object], *given: object, **kill: object) -> Ran:
        """Run a function of a module in a fork.

        ``kill``: arguments of ``_ended``, or ``after`` how much processor time it is killed.
        """
        return Ran(*self._ask(work, given, kill))

    def prepare(self, work: Callable[..., object], *given: object) -> None:
        """Run a function in the stage itself, which forks find done; it may start no thread."""
        self._ask(work, given, None)

    def _ask(self, work: Callable[..., object], given: Sequence[object], kill: object) -> Any:  # noqa: ANN401 - read from JSON
        assert self.process.stdin
        assert self.process.stdout
        task = [work.__module__, work.__qualname__, given, kill]
        self.process.stdin.write(json.dumps(task, default=str) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@contextmanager
def stage() -> Iterator[Stage]:
    given = Stage()
    with given.process:
        yield given


@dataclass(frozen=True)
class Change:
    """Work that takes what is stored from an old state to a new one."""

    name: str
    begin: Callable[[], Path]
    """Lays out the old state, and returns the place."""
    work: Callable[..., object]
    """Function of a module that is run in a fork, with the place and ``given``."""
    given: Sequence[object]
    look: Callable[[Path], object]
    """What a reader finds at the place."""
    old: object
    new: object
    again: Callable[[Path], Sequence[str]]
    """Does the work once more, here and undisturbed, and says what is wrong with what is left."""
    new_from: Sequence[str] = ()
    """The points from which on the new state stands."""
    nth: int = 1
    """Which arrival at a point is meant."""


def kill_at(stage: Stage, change: Change, point: str) -> list[str]:
    allowed = change.new if point in change.new_from else change.old
    ran, wrong = _killed(stage, change, point, [allowed], at=point, nth=change.nth)
    return wrong if ran.killed else [*wrong, f"{change.name} did not come to {point}"]


def stop_at_each(stage: Stage, change: Change, points: Sequence[str]) -> list[str]:
    """Do a change once; return what is wrong with what a kill at each point would have left.

    A kill leaves the files as they are at that moment: they are copied then, and the work goes on.
    """
    place = change.begin()
    ran = stage.run(change.work, place, *change.given, copied=True, nth=change.nth)
    wrong = [f"{change.name}: {ran.said or 'it failed'}"] if ran.failed or ran.said else []
    for point in points:
        copy = Path(f"{place}-{point}")
        if not copy.exists():
            wrong.append(f"{change.name} did not come to {point}")
            continue
        allowed = change.new if point in change.new_from else change.old
        wrong += _judged(change, copy, f"stopped at {point}", [allowed])
    return wrong


def kill_at_random(stage: Stage, change: Change, dice: Random, kills: int) -> list[str]:
    """Kill a change at so many moments of its work, and return what was wrong."""
    seconds = stage.run(change.work, change.begin(), *change.given).seconds
    wrong: list[str] = []
    met = 0
    # A moment near the end may come too late.
    for _ in range(3 * kills):
        after = dice.random() * seconds
        ran, more = _killed(stage, change, f"{after:.4f} s", [change.old, change.new], after=after)
        wrong += more
        met += ran.killed
        if met == kills:
            return wrong
    return [*wrong, f"only {met} of {kills} kills met the work"]


def _killed(
    stage: Stage, change: Change, when: str, allowed: Sequence[object], **kill: object
) -> tuple[Ran, list[str]]:
    place = change.begin()
    ran = stage.run(change.work, place, *change.given, **kill)
    wrong = [f"{change.name}: it failed"] if ran.failed else []
    found = allowed if ran.killed else [change.new]
    return ran, wrong + _judged(change, place, f"killed at {when}", found)


def _judged(change: Change, place: Path, when: str, allowed: Sequence[object]) -> list[str]:
    """Say what is wrong with what stands at a place, and after doing the work once more."""
    wrong = []
    if (found := change.look(place)) not in allowed:
        wrong.append(f"it left {found}")
    wrong += change.again(place)
    if (found := change.look(place)) != change.new:
        wrong.append(f"done again, it gave {found}")
    return [f"{change.name}, {when}: {each}" for each in wrong]


# --- In the process that forks
def forked(action: Callable[[], object], after: float | None = None) -> tuple[int, Any, float]:
    """Run something in a fork, and kill it ``after`` so many seconds of processor time.

    Returns its status, its result and the processor time it took.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        # Nobody handles the signal: the system ends the process as by a kill.
        signal.setitimer(signal.ITIMER_PROF, after or 0)
        try:
            os.write(writer, json.dumps(action()).encode())
        except BaseException:  # noqa: BLE001 - it is told, and nothing of the parent's undone
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        result = answer.read()
    _, status, used = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    code = -signal.SIGKILL if code == -signal.SIGPROF else code
    return code, json.loads(result or b"null"), used.ru_utime + used.ru_stime


def _ended(
    work: Callable[..., object],
    given: Sequence[Any],
    at: str = "",
    nth: int = 1,
    room: int | None = None,
    *,
    copied: bool = False,
) -> tuple[str, list[str]]:
    """Do work until the ``nth`` time that the point ``at`` is reached.

    ``copied``: leave a copy of the place, which is given first, for each point, as it is then.
    ``room``: bytes that a file may have. Returns what a refusal says, and all modules.
    """
    reached = Counter[str]()

    def reach(*names: object) -> None:
        point = " ".join(map(str, names))
        reached[point] += 1
        if reached[point] == nth:
            if copied:
                shutil.copytree(given[0], f"{given[0]}-{point}")
            if point == at:
                os.kill(os.getpid(), signal.SIGKILL)

    for patch in publish_points.watched(reach):
        patch.start()
    if TASKS in sys.modules:
        mock.patch.object(sys.modules[TASKS], "done", reach).start()
    if "tricklog.ingest.lake.upkeep" in sys.modules:
        from tests.kit import lake_points

        for patch in lake_points.watched(reach):
            patch.start()
    if room is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    said = ""
    try:
        work(*given)
    except ingest.WarehouseError as error:
        said = str(error)
    return said, sorted(sys.modules)


def _answer(module: str, name: str, given: list[Any], kill: dict[str, Any] | None) -> object:
    work = getattr(importlib.import_module(module), name)
    if kill is None:
        work(*given)
        return None
    after = kill.pop("after", None)
    status, result, seconds = forked(lambda: _ended(work, given, **kill), after)
    killed = status == -signal.SIGKILL
    said, modules = result or ("", [])
    # What a fork imports late every other fork would import again.
    for each in modules:
        with suppress(ImportError):
            importlib.import_module(each)
    return killed, not killed and status != 0, said, seconds


def main() -> None:
    # Found by writing into it, which a fork may not be able to do any more.
    tempfile.gettempdir()
    for line in sys.stdin:
        print(json.dumps(_answer(*json.loads(line))), flush=True)  # noqa: T201 - the answer to the test


if __name__ == "__main__":
    main()
