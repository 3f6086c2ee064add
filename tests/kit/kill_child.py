"""A process that loads and is killed: it imports everything once and forks for each task.

Reads one task a line as JSON from standard input, answers with one line of JSON.
"""

import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import mock

import ingest
from ingest.store import publishing, warehouse
from ingest.store.publishing import Point
from ingest.upkeep.reauditing import reaudit
from ingest.upkeep.rebuilding import rebuild
from replay import replay
from replay.engine.rules import scoring
from schemas.hand import decode_hand

WORK: dict[str, Callable[..., object]] = {
    "load": lambda log, db: ingest.load(log, db=db),
    "rebuild": lambda _, db: rebuild(db=db),
    "reaudit": lambda _, db: reaudit(db),
}


def wrong_premium(*_: object) -> int:
    """A rule that another version of the program had."""
    return 3


def work(task: dict[str, Any]) -> None:
    """Do what the task says, and be killed at its point, the so many-eth time it is reached."""
    left = task.get("nth", 1)

    def reached(point: Point) -> None:
        nonlocal left
        left -= point == task.get("point")
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    mock.patch.object(publishing, "_reached", reached).start()
    if task.get("wrong"):
        mock.patch.object(scoring, "change_when_made", wrong_premium).start()
    if task.get("room") is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (task["room"], task["room"]))
    WORK[task["what"]](task["log"], task["db"])


def attempt(task: dict[str, Any]) -> str:
    """Do what the task says, and return what a refusal says."""
    try:
        work(task)
    except ingest.WarehouseError as error:
        return str(error)
    return ""


def content(db: str) -> str | None:
    """Return the checksum of a warehouse, ``None`` when nothing is published."""
    try:
        with warehouse.open_snapshot(db) as connection:
            return warehouse.checksum(connection)
    except (ingest.NoSnapshotError, warehouse.LostPointerError):
        # A first load that was killed may have left a snapshot that no pointer names yet.
        return None


def forked(action: Callable[[], object], delay: float | None = None) -> tuple[int, Any, float]:
    """Run something in a process of its own; return its status, its result and the seconds."""
    reader, writer = os.pipe()
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        os.write(writer, json.dumps(action()).encode())
        os._exit(0)
    os.close(writer)
    if delay is not None:
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reader, "rb") as answer:
        result = answer.read()
    _, status = os.waitpid(child, 0)
    seconds = time.monotonic() - began
    return os.waitstatus_to_exitcode(status), json.loads(result or b"null"), seconds


def answer(task: dict[str, Any]) -> dict[str, Any]:
    """Do the task from a copy of its warehouse, look what stands then, and do it once more."""
    if task.get("start"):
        shutil.copytree(task["start"], task["db"])
    status, said, seconds = forked(lambda: attempt(task), task.get("delay"))

    def look_and_repeat() -> list[object]:
        stands = content(task["db"])
        work(task | {"point": None, "room": None})
        names = sorted(path.name for path in Path(task["db"]).iterdir())
        return [stands, content(task["db"]), names]

    after, looked, _ = forked(look_and_repeat)
    stands, repeated, names = looked or [None, None, []]
    return {
        "status": status,
        "said": said,
        "seconds": seconds,
        "stands": stands,
        "failed": after != 0,
        "repeated": repeated,
        "names": names,
    }


def rehearse(log: str) -> None:
    """Do once here what every forked process would do again: resolve rules, import late modules."""
    for line in Path(log).read_bytes().splitlines():
        replay(decode_hand(line))
    with tempfile.TemporaryDirectory() as db:

        def modules() -> list[str]:
            work({"what": "load", "log": log, "db": db})
            return sorted(sys.modules)

        for name in forked(modules)[1]:
            with suppress(ImportError):
                importlib.import_module(name)


def main() -> None:
    """Answer tasks until there are no more."""
    rehearse(sys.argv[1])
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)  # noqa: T201 - the answer to the parent


if __name__ == "__main__":
    main()
