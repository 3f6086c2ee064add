"""Which process holds a lake, so that others on its machine see when it has died."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
_SPACE: Final = Path("/proc/self/ns/pid")
_STATE, _STARTED = 0, 19
"""Places behind the name of a process in what the system says of it."""
_DEAD: Final = "ZX"


def this_process() -> dict[str, Any]:
    """Return what identifies this process; nothing where the system does not say it."""
    with suppress(OSError):
        number = os.getpid()
        return {**_here(), "process": number, "started": _said_of(number)[_STARTED]}
    return {}


def has_died(noted: Mapping[str, Any]) -> bool:
    """Whether a process is known to live no more, of which ``this_process`` said this there.

    Of one on another machine, or in another container, nothing is known.
    """
    try:
        here = _here()
    except OSError:
        return False
    if any(noted.get(name) != value for name, value in here.items()):
        return False
    try:
        said = _said_of(int(noted["process"]))
    except FileNotFoundError:
        return True
    return said[_STATE] in _DEAD or said[_STARTED] != noted["started"]


def _here() -> dict[str, str]:
    return {"boot": _BOOT.read_text().strip(), "space": str(_SPACE.readlink())}


def _said_of(process: int) -> list[str]:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
