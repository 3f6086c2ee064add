"""Waiting for something to read, whatever number its file has."""

import select


def is_ready(file: int, seconds: float) -> bool:
    """Wait until a file can be read or is at its end; return whether that came in time.

    ``select.select`` takes no file with a number above 1,023, and a process of many tests has more.
    """
    waiting = select.poll()
    waiting.register(file, select.POLLIN)
    return bool(waiting.poll(seconds * 1_000))
