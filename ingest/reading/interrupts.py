"""Ctrl-C and the signal to end: how work that goes on hears of them, and how it reports it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_DUCKDB: Final = ("duckdb", "_duckdb")


def is_interrupt(error: BaseException) -> bool:
    """Whether this is Ctrl-C, or how DuckDB tells that Ctrl-C ended a query.

    While modules are imported, Python 3.11 and libraries in machine code make another error of it;
    so does DuckDB while it asks a registered object for its rows.
    """
    if isinstance(error, RuntimeError) and str(error) == "Query interrupted":
        return True
    is_of_duckdb = type(error).__module__ in _DUCKDB
    if is_of_duckdb and str(error).rstrip(": \n").endswith(KeyboardInterrupt.__name__):
        return True
    return isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt)


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
            if number[0] in (signal.SIGINT, signal.SIGTERM):
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


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Have the signal to end the program interrupt the block as Ctrl-C does, then end the program.

    So what the block holds is given free, and its temporary files go. Where somebody else sees to
    that signal, and elsewhere than in the main thread, nothing is done.
    """
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    is_ended = False

    def end(*_: object) -> None:
        nonlocal is_ended
        is_ended = True
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if is_ended:
            signal.raise_signal(signal.SIGTERM)
