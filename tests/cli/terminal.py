"""Running `tricklog` on a terminal of its own in tests."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.kit.waiting import is_ready

WAIT = 300
"""Seconds within which a process on a terminal must show something."""


class Terminal:
    """A command on a terminal of its own; what it shows is gathered in ``shown``."""

    def __init__(
        self,
        *arguments: str | Path,
        program: Sequence[str] = ("-m", "tricklog.ingest.cli"),
        **environment: str,
    ) -> None:
        import pty

        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, *program, *map(str, arguments)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env=os.environ
            | {"PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "xterm", "COLUMNS": "120"}
            | environment,
        )
        os.close(slave)
        self.shown = ""

    def wait_for(self, text: str) -> None:
        """Read what is shown until ``text`` is there, from where the last wait ended."""
        start = len(self.shown)
        while text not in self.shown[start:]:
            self.shown += self._read()

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def ended(self) -> int:
        """Read to the end and return the exit status."""
        with contextlib.suppress(OSError):
            while piece := self._read():
                self.shown += piece
        os.close(self._master)
        return self.process.wait(WAIT)

    def _read(self) -> str:
        if not is_ready(self._master, WAIT):
            self.process.kill()
            pytest.fail(f"nothing more was shown after {self.shown!r}")
        return os.read(self._master, 65536).decode("utf-8", "replace")
