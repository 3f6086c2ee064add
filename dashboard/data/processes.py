"""Ending a process that the server has started."""

from __future__ import annotations

import signal
import subprocess
from functools import partial
from typing import Final

PATIENCE: Final = 5.0
"""Seconds a process is given to end by itself before it is ended less politely."""


def end_politely(process: subprocess.Popen[bytes]) -> None:
    """End a process: as Ctrl-C does, then by asking, then at once."""
    # A server started in the background may pass on that Ctrl-C is to be ignored.
    for ask in (partial(process.send_signal, signal.SIGINT), process.terminate, process.kill):
        ask()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            continue
        return
