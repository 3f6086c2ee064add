"""Key presses from the terminal, one at a time, without waiting for enter."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_ARROWS: Final = {"A": "up", "B": "down", "C": "right", "D": "left"}
_LOOK_UP: Final = 0.2
"""Seconds after which a wait for a key looks whether the program was interrupted."""
_REST_OF_A_KEY: Final = 0.05
"""Seconds within which the bytes after an escape belong to the same key."""


@contextmanager
def keyboard() -> Iterator[Callable[[], str]]:
    """Give a function that waits for a key: a character, ``up`` and the like, ``escape``.

    It returns an empty text when no more keys will come.
    """
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    # The mode stays for all keys and drops none, so that fast typing is not lost.
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield lambda: _read_key(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _read_key(terminal: int) -> str:
    # Ctrl-C just before a read that blocks would wait for another key to be noticed.
    while not select.select([terminal], [], [], _LOOK_UP)[0]:
        pass
    key = os.read(terminal, 1).decode("latin-1")
    if key != "\x1b":
        return "" if key == "\x04" else key
    waiting, _, _ = select.select([terminal], [], [], _REST_OF_A_KEY)
    if not waiting:
        return "escape"
    # An arrow is three bytes; more may wait that belong to the next key.
    return _ARROWS.get(os.read(terminal, 2).decode("latin-1")[-1:], "other")
