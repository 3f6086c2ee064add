"""Waiting for something to be so, or to be read, and a port where nobody waits."""

import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final
from urllib.request import Request, urlopen

from tests.kit.page_blocks import REPOSITORY

PATIENCE: Final = 300.0
"""Seconds for what comes at once where a machine is not busy."""


def await_that(is_so: Callable[[], object], told: Callable[[], object] = str) -> None:
    """Wait until something is so; what is ``told`` says why it is not."""
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until, told()
        time.sleep(0.02)


def answers(address: str, method: str = "GET") -> bool:
    """Return whether a server that may still be starting does what it is asked for."""
    try:
        urlopen(Request(address, method=method), timeout=10).close()  # noqa: S310 - on this machine
    except OSError:
        return False
    return True


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_ready(file: int, seconds: float) -> bool:
    """Wait until a file can be read or is at its end; return whether that came in time.

    ``select.select`` takes no file with a number above 1,023, and a process of many tests has more.
    """
    waiting = select.poll()
    waiting.register(file, select.POLLIN)
    return bool(waiting.poll(seconds * 1_000))


@contextmanager
def holding(script: str, *arguments: object) -> Iterator[subprocess.Popen[bytes]]:
    """Have another process run a script until it prints ``held``; it is killed in the end."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=REPOSITORY) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == b"held\n"
            yield process
        finally:
            process.kill()


@contextmanager
def meanwhile(*works: Callable[[], object]) -> Iterator[None]:
    """Have work done in threads while the block goes on, and wait for it at the end.

    Work that still waits for a block that failed is left behind, so that the failure is told.
    """
    threads = [threading.Thread(target=work, daemon=True) for work in works]
    for each in threads:
        each.start()
    try:
        yield
    finally:
        for each in threads:
            each.join(PATIENCE)
    assert not any(each.is_alive() for each in threads), "work has not come to its end"
