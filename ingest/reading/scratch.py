"""Temporary folders, which hold hands and names, and what killed runs left of them.

Nothing clears the folder of a run that was killed, and the system may keep it for weeks. So the
owner of each holds it locked, and the system frees it in any case: a folder that nobody holds is
cleared away by the next run. Programs that clear temporary files by their age leave it while it is
locked. Its name says that it is one of these, from when it is there until it is gone.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
import tempfile
import weakref
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

_PREFIX: Final = "tricklog-"
_SUFFIX: Final = ".scratch"
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class NoRoomError(OSError):
    """Temporary files cannot be written; ``no_room`` makes one."""


def no_room(reason: object) -> NoRoomError:
    """Return an error that says so of the folder for temporary files, and what to do."""
    return NoRoomError(
        errno.ENOSPC,
        f"Temporary files cannot be written ({reason}). Free space there, or set TMPDIR to a "
        "folder on a larger disk",
        tempfile.gettempdir(),
    )


class Scratch:
    """A temporary folder of our own: ``name`` is its path, ``cleanup`` or leaving removes it.

    Making the first of a process clears away those whose owners are gone. Raises ``OSError`` where
    temporary files cannot be written.
    """

    def __init__(self, purpose: str = "") -> None:
        """Make one; ``purpose`` stands in its name."""
        _clear_abandoned(tempfile.gettempdir())
        self.name, lock = _made(purpose)
        self._remove = weakref.finalize(self, _remove, self.name, lock, os.getpid())

    def __enter__(self) -> str:
        return self.name

    def __exit__(self, *_: object) -> None:
        self.cleanup()

    def cleanup(self) -> None:
        """Remove the folder with all that is in it."""
        self._remove()


def _made(purpose: str) -> tuple[str, int]:
    """Make a folder, and return its path and what holds it."""
    while True:
        name = tempfile.mkdtemp(_SUFFIX, f"{_PREFIX}{purpose}")
        # Until it is held, another run may clear it away.
        with suppress(FileNotFoundError):
            lock = os.open(name, _FOLDER)
            # On a disk that locks nothing nobody clears it away.
            with suppress(OSError):
                fcntl.flock(lock, fcntl.LOCK_EX)
            if Path(name).exists():
                return name, lock
            os.close(lock)


def _remove(name: str, lock: int, process: int) -> None:
    # A process that was forked off may end before the one whose folder it is.
    if os.getpid() == process:
        shutil.rmtree(name, ignore_errors=True)
    os.close(lock)


_OF_PROCESSES: Final[dict[int, Scratch]] = {}
"""By the number of the process: what is forked off has one of its own."""


def scratch_of_process() -> Scratch:
    """Return the folder that stands as long as this process.

    Raises ``OSError`` where temporary files cannot be written.
    """
    process = os.getpid()
    known = _OF_PROCESSES.get(process)
    if known is None:
        made = Scratch()
        # Of threads that make one at the same time all take that of the first.
        known = _OF_PROCESSES.setdefault(process, made)
        if known is not made:
            made.cleanup()
    return known


def put_aside(in_memory: int) -> tempfile.SpooledTemporaryFile[str]:
    """Return a file for text, up to so many bytes in memory, then on the disk without a name."""
    return tempfile.SpooledTemporaryFile(in_memory, mode="w+", encoding="utf-8")


@cache
def _clear_abandoned(place: str) -> None:
    """Remove the folders of a place that are ours by name and user, and that nobody holds."""
    with suppress(OSError), os.scandir(place) as found:
        for each in found:
            is_ours = each.name.startswith(_PREFIX) and each.name.endswith(_SUFFIX)
            if is_ours and _is_own_folder(each):
                _clear_if_abandoned(each.path)


def _is_own_folder(found: os.DirEntry[str]) -> bool:
    with suppress(OSError):
        known = found.stat(follow_symlinks=False)
        return stat.S_ISDIR(known.st_mode) and known.st_uid == os.geteuid()
    return False


def _clear_if_abandoned(folder: str) -> None:
    with suppress(OSError):
        lock = os.open(folder, _FOLDER)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(lock)
