"""What memory the system's allocator gives back."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from typing import Final

_MMAP_THRESHOLD: Final = -3
_BYTES: Final = 1 << 18


def give_back_large_blocks() -> None:
    """Have each block of more than 256 KiB returned to the system as soon as it is freed.

    By itself the allocator of Linux keeps blocks of up to 32 MiB, in pieces that do not fit the
    next one: reading 8 MiB of logs at a time on several threads took some 250 MB more.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _BYTES)
