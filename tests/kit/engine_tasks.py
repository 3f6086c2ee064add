"""What engines of a lake are given to do in tests."""

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
