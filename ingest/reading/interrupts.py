"""Ctrl-C: how a library that is at work hears of it, and how it reports it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def is_interrupt(error: BaseException) -> bool:
    """Whether this is Ctrl-C, or how DuckDB tells that Ctrl-C ended a query."""
    if isinstance(error, RuntimeError):
        return str(error) == "Query interrupted"
    return isinstance(error, KeyboardInterrupt)


@contextmanager
def heard_at_work(interrupt: Callable[[], object]) -> Iterator[None]:
    """Call ``interrupt`` as soon as Ctrl-C is pressed, whatever the main thread is doing.

    Python raises ``KeyboardInterrupt`` only when the main thread comes back to it. DuckDB looks for
    that between two pieces of work, and not at all within a piece that it gave to this thread.
    Elsewhere than in the main thread, which alone hears signals, nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard, written = os.pipe()
    os.set_blocking(written, False)

    def listen() -> None:
        while number := os.read(heard, 1):
            if number[0] == signal.SIGINT:
                interrupt()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    before = signal.set_wakeup_fd(written, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(written)
        listener.join()
        os.close(heard)
