"""Running `tricklog` in tests: inside the test's process, or as a process of its own."""

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pytest
from msgspec.structs import replace

from tests.kit.log_lines import one_game, with_revoke
from tests.kit.waiting import is_ready
from tricklog.ingest.cli import main
from tricklog.schemas.hand import Hand, encode_hand

NOT_JSON = b'{"format":"tricklog/1",'


@dataclass(frozen=True)
class Ran:
    """What a command left: its exit status and what it wrote."""

    status: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        return self.stdout.decode()

    @property
    def objects(self) -> list[Any]:
        """Standard output as NDJSON; every line must be one object."""
        return [json.loads(line) for line in self.stdout.splitlines()]


class CommandLine:
    """Runs commands within this process."""

    def __init__(
        self, capture: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._capture = capture
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: str | Path, stdin: bytes = b"") -> Ran:
        self._monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self._capture.readouterr()
        status = main([str(argument) for argument in arguments])
        written = self._capture.readouterr()
        ran = Ran(status, written.out, written.err.decode())
        assert "Traceback" not in ran.stderr, ran.stderr
        return ran


def run_process(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None, **environment: str
) -> Ran:
    """Run a command as a process of its own, with a few settings of its environment changed."""
    done = subprocess.run(
        [sys.executable, "-m", "tricklog.ingest.cli", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])} | environment,
        timeout=300,
    )
    ran = Ran(done.returncode, done.stdout, done.stderr.decode())
    assert "Traceback" not in ran.stderr, ran.stderr
    return ran


Reports = dict[tuple[Path, tuple[str, ...]], tuple[str, str]]
"""Pages and what was said of each, by warehouse and options."""


class Page:
    """Makes reports and reads them; those of a warehouse that stays are made once."""

    def __init__(self, tricklog: CommandLine, file: Path, made: Reports) -> None:
        self._tricklog = tricklog
        self._file = file
        self._made = made

    def __call__(self, db: Path, *options: str) -> str:
        """Return a page."""
        return self.told(db, *options)[0]

    def told(self, db: Path, *options: str) -> tuple[str, str]:
        """Return a page, and what the command says on standard error."""
        if (db, options) not in self._made:
            ran = self._tricklog("report", "--db", db, "--output", self._file, *options)
            assert ran.status == 0, ran.stderr
            self._made[db, options] = self._file.read_text("utf-8"), ran.stderr
        return self._made[db, options]


class OpenPipe:
    """A command as a process of its own that reads from a pipe which stays open."""

    WAIT = 300
    """Seconds within which the next line must be there."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tricklog.ingest.cli", *arguments],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Nothing but the command itself may see to it that lines are not held back.
            env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
            | {"PYTHONPATH": str(Path(__file__).parents[2])},
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self.status = -1

    def __enter__(self) -> Self:
        return self

    def write(self, line: bytes) -> None:
        self._stdin.write(line + b"\n")

    def line(self) -> str:
        """Return the next line of standard output."""
        line = b""
        while not line.endswith(b"\n"):
            ready = is_ready(self._stdout.fileno(), self.WAIT)
            piece = self._stdout.read(1) if ready else b""
            if not piece:
                self._process.kill()
                pytest.fail(f"nothing more was written after {line!r}")
            line += piece
        return line.decode()

    def __exit__(self, *_: object) -> None:
        self._stdin.close()
        self._stdout.read()
        self._stdout.close()
        self.status = self._process.wait(self.WAIT)


def write_log(path: Path, *lines: Hand | bytes) -> Path:
    """Write a log of hands and of raw lines."""
    texts = [encode_hand(line) if isinstance(line, Hand) else line for line in lines]
    path.write_bytes(b"".join(text + b"\n" for text in texts))
    return path


def revoked() -> tuple[Hand, int]:
    """A hand with a revoke, of a game of its own."""
    hand, index = with_revoke(one_game("pedro"))
    return replace(hand, id="with-revoke", game="another"), index
