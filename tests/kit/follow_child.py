"""A process that follows logs and is killed: it imports everything once and forks for each task.

Reads one task a line as JSON from standard input, answers with one line of JSON.
"""

import json
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any
from unittest import mock

import ingest
from ingest.following import follow as following
from ingest.following.follow import Ears, Told
from ingest.store import publishing
from ingest.store.publishing import Point
from tests.kit.following import patched_times
from tests.kit.kills import content, forked


def follow(task: dict[str, Any]) -> int:
    """Follow until the lines of the task are taken, or until it is killed; return how many were."""
    stop, taken = threading.Event(), 0

    def count(told: Told) -> None:
        nonlocal taken
        taken += told.report.lines
        if taken >= task["lines"]:
            stop.set()

    def reached(point: Point) -> None:
        if point == task.get("point"):
            os.kill(os.getpid(), signal.SIGKILL)

    with (
        mock.patch.object(publishing, "_reached", reached),
        mock.patch.object(following, "LOOK", 0.01),
        patched_times(),
    ):
        if task["lines"] == 0:
            stop.set()
        ingest.warehouses.follow(
            *task["paths"], db=task["db"], stop=stop, every=0, ears=Ears(count)
        )
    return taken


def main() -> None:
    """Answer tasks until there are no more."""
    with tempfile.TemporaryDirectory() as folder:
        follow({"paths": [folder], "db": f"{folder}/db", "lines": 0})
    for line in sys.stdin:
        task = json.loads(line)
        status, taken, seconds = forked(lambda task=task: follow(task), task.get("delay"))  # type: ignore[misc]
        stands = content(task["db"]) if Path(task["db"]).exists() else None
        told = {"status": status, "taken": taken, "seconds": seconds, "stands": stands}
        print(json.dumps(told), flush=True)  # noqa: T201 - the answer to the parent


if __name__ == "__main__":
    main()
