"""What a team of processes is given to do in tests, and which processes it has."""

import os
import signal
import time
from pathlib import Path

PATIENCE = 120
"""Seconds after which a process that has not begun is not coming."""
BEGUN = "begun-"
"""Name of a mark, before the number of the process that left it."""


def doubled(number: int) -> int:
    return 2 * number


def slowly_doubled(number: int) -> int:
    """Take longer for even numbers, so that tasks end in another order than they began."""
    time.sleep(0.02 * (number % 2 == 0))
    return 2 * number


def where(_: object) -> int:
    return os.getpid()


def meeting(folder: str) -> int:
    """Return the number of the process that does it, as soon as another one does it as well."""
    (Path(folder) / str(os.getpid())).touch()
    gives_up = time.monotonic() + PATIENCE
    while len([*Path(folder).iterdir()]) < 2 and time.monotonic() < gives_up:
        time.sleep(0.01)
    return os.getpid()


def failing(caller: int) -> int:
    """Fail, but where the task came from."""
    if os.getpid() != caller:
        raise MemoryError
    return caller


def always_failing(number: int) -> int:
    raise ValueError(f"not {number}")


def noisy(number: int) -> int:
    """Print, and write past Python to standard output as well."""
    print("noise")  # noqa: T201 - the point of it
    os.write(1, b"more noise")
    return number


def dying(_: object) -> None:
    """End as the system ends a process when memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)


def endless(_: object) -> None:
    """Leave a mark in the working folder, and go on for longer than anybody waits."""
    Path(f"{BEGUN}{os.getpid()}").touch()
    time.sleep(600)


def workers_of(mark: str) -> list[int]:
    """Return the processes of teams whose caller had ``mark`` in its search path."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if b"tricklog.ingest.loading.workers" in command and mark.encode() in command:
                found.append(int(folder.name))
    return found
