"""What engines of a lake and teams of processes are given to do in tests."""

import errno
import os
import signal
import time
from pathlib import Path
from typing import NoReturn

from tricklog.ingest.reading.rejects import RejectCode
from tricklog.ingest.reading.sources import Source, SourceError, read_pieces


def doubled(number: int) -> int:
    return 2 * number


def slowly_doubled(number: int) -> int:
    """Take longer for 0, so that others are ready first."""
    time.sleep(0.5 * (number == 0))
    return 2 * number


def napping(number: int) -> int:
    time.sleep(0.05)
    return number


def where(_: object) -> int:
    return os.getpid()


def failing(number: int) -> int:
    if number == 3:
        raise ValueError("not 3")
    return number


def failing_in_own_words(_: object) -> NoReturn:
    """Raise what ``pickle`` cannot make again by itself."""
    raise SourceError(RejectCode.UNREADABLE_FILE, "cannot be read", "Mount it.")


class Stubborn(Exception):
    def __init__(self) -> None:
        super().__init__("stubborn")
        self.held = lambda: None


def failing_stubbornly(_: object) -> NoReturn:
    raise Stubborn


def dying(_: object) -> None:
    """End as the system ends a process when memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)


def dying_at_first(asked: tuple[Path, int]) -> int:
    """End so often, and then return how often this was."""
    count = _counted(asked[0])
    if count < asked[1]:
        os.kill(os.getpid(), signal.SIGKILL)
    return count


def unreachable_at_first(asked: tuple[Path, int]) -> int:
    """Fail so often as a store does that does not answer, and then return how often this was."""
    count = _counted(asked[0])
    if count < asked[1]:
        raise OSError(errno.EIO, "AWS Error NETWORK_CONNECTION")
    return count


def refused(folder: Path) -> NoReturn:
    _counted(folder)
    raise OSError("AWS Error ACCESS_DENIED during GetObject operation")


def missing(folder: Path) -> NoReturn:
    _counted(folder)
    raise FileNotFoundError(errno.ENOENT, "not there", "s3://logs/a")


def _counted(folder: Path) -> int:
    count = len(list(folder.iterdir()))
    (folder / str(count)).touch()
    return count


def large_result(size: int) -> bytes:
    return b"x" * size


def endless(_: object) -> None:
    time.sleep(600)


def endless_for_zero(number: int) -> int:
    time.sleep(600 * (number == 0))
    return number


def read_pieces_of(source: Source) -> list[bytes]:
    return [piece for _, piece in read_pieces(source)]


# --- Teams of processes
PATIENCE = 120
"""Seconds after which a process that has not begun is not coming."""
BEGUN = "begun-"
"""Name of a mark, before the number of the process that left it."""


def meeting(folder: str) -> int:
    """Return the number of the process that does it, as soon as another one does it as well."""
    (Path(folder) / str(os.getpid())).touch()
    gives_up = time.monotonic() + PATIENCE
    while len([*Path(folder).iterdir()]) < 2 and time.monotonic() < gives_up:
        time.sleep(0.01)
    return os.getpid()


def failing_elsewhere(caller: int) -> int:
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


def begun_endless(_: object) -> None:
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
