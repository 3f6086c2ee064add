"""A process that publishes into lakes and is killed: it imports all once and forks for tasks.

Reads lists of tasks, one list a line as JSON, from standard input; does those of a list at the same
time, and answers with one line of JSON: what came of each.
"""

import importlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Any
from unittest import mock

from ingest.lake import publish, upkeep
from ingest.lake.publish import Begun, Lake
from ingest.lake.storage import storage_of
from ingest.store.warehouse import WarehouseError
from tests.kit import lake_files

TABLES = ("hands", "games", "findings", "tallies")


def first_load(lake: Lake) -> str:
    """Publish what the others start from."""
    with lake.begin("first") as begun:
        files = [
            lake_files.hands(lake.storage, 1, 2),
            lake_files.games(lake.storage, "a"),
            lake_files.games(lake.storage, "b"),
            lake_files.texts(lake.storage, "tallies", "of two"),
        ]
        begun.publish(files, {"accepted": 2})
    return "done"


def second_load(lake: Lake, begun: Begun) -> None:
    """Publish more rows, a table more, a table again, and one file less."""
    assert begun.before
    ended = [each.path for each in lake.files(begun.before, "games") if each.low["game"] == "b"]
    files = [
        lake_files.hands(lake.storage, 3),
        lake_files.games(lake.storage, "c"),
        lake_files.texts(lake.storage, "findings", "revoke"),
        lake_files.texts(lake.storage, "tallies", "of three"),
    ]
    begun.publish(files, {"accepted": 1}, replaced=["tallies"], gone={"games": ended})


def load(lake: Lake, task: dict[str, Any]) -> str:
    """Do the second load, with pauses; or begin it and give up. Returns what came of it."""
    time.sleep(task.get("wait", 0))
    with lake.begin(task.get("load", "second"), take_over=task.get("take_over", False)) as begun:
        begun.renew()
        time.sleep(task.get("pause", 0))
        is_new = begun.before is not None and begun.before.load == "first"
        # What is published already adds nothing, as with any load.
        if not is_new:
            return "nothing new"
        if not task.get("gives_up"):
            second_load(lake, begun)
    return "done"


def tidied(lake: Lake, task: dict[str, Any]) -> str:
    """Tidy a lake, and keep nothing of what is replaced unless told otherwise."""
    upkeep.tidy(lake.storage, keep=task.get("keep", 0), take_over=task.get("take_over", False))
    return "done"


WORK: dict[str, Callable[[Lake, dict[str, Any]], str]] = {
    "first": lambda lake, _: first_load(lake),
    "second": load,
    "tidy": tidied,
}


def attempt(task: dict[str, Any]) -> str:
    """Do what the task says; return what came of it, or the name of the error that refuses it."""

    def reached(point: StrEnum, table: str = "") -> None:
        if [point, table] == task.get("point"):
            os.kill(os.getpid(), signal.SIGKILL)

    mock.patch.object(publish, "_reached", reached).start()
    mock.patch.object(upkeep, "_reached", reached).start()
    mock.patch.object(publish, "_CHECKPOINT_EVERY", 2).start()
    lake = Lake(storage_of(task["lake"]))
    try:
        return WORK[task["what"]](lake, task)
    except WarehouseError as error:
        return type(error).__name__


def start(task: dict[str, Any]) -> tuple[int, int]:
    """Fork for a task; return the process, and what it answers through."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    try:
        os.close(reading)
        os.write(writing, attempt(task).encode())
    finally:
        # Without what the end of a process would do to files of the one it was forked from.
        os._exit(0)


def together(tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Do tasks at the same time, and kill those whose time is over."""
    begun = time.monotonic()
    running = {number: start(task) for number, task in enumerate(tasks)}
    told: list[dict[str, Any]] = [{} for _ in tasks]
    while running:
        for number, (process, reading) in list(running.items()):
            if time.monotonic() - begun > tasks[number].get("delay", 300):
                os.kill(process, signal.SIGKILL)
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                del running[number]
                with os.fdopen(reading, "rb") as answer:
                    said = answer.read().decode()
                told[number] = {
                    "killed": os.WIFSIGNALED(status),
                    "said": said,
                    "seconds": time.monotonic() - begun,
                }
        time.sleep(0.001)
    return told


def main() -> None:
    """Serve until standard input ends."""
    for module in ("deltalake", "pyarrow.parquet", "pyarrow.fs", "getpass"):
        importlib.import_module(module)
    for line in sys.stdin:
        print(json.dumps(together(json.loads(line))), flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
