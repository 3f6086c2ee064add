"""Running `tricklog` in tests: inside the test's process, as one of its own, on a terminal."""

import contextlib
import io
import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest
from msgspec.structs import replace

from tests.conftest import REPOSITORY
from tests.kit.log_lines import one_game, with_revoke
from tests.kit.waiting import is_ready
from tricklog.ingest.cli import main
from tricklog.schemas.hand import Hand, encode_hand

NOT_JSON = b'{"format":"tricklog/1",'
PROGRAM = (sys.executable, "-m", "tricklog.ingest.cli")
WAIT = 300


@dataclass(frozen=True)
class Ran:
    status: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        return self.stdout.decode()

    @property
    def objects(self) -> list[Any]:
        return [json.loads(line) for line in self.stdout.splitlines()]

    @property
    def advice(self) -> str:
        """Standard error as one line, wherever its sentences were folded."""
        return " ".join(self.stderr.split())


class CommandLine:
    def __init__(
        self, capture: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._capture = capture
        self.patch = monkeypatch
        """What a test changes for its commands, until it ends."""

    def __call__(
        self,
        first: str | Path,
        *arguments: str | Path,
        stdin: bytes = b"",
        status: int | None = None,
    ) -> Ran:
        """Run a command; ``first`` is its words, as for a shell, to which arguments are added.

        It has to end with ``status``, if one is given.
        """
        self.patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self._capture.readouterr()
        ended = main([*shlex.split(str(first)), *map(str, arguments)])
        written = self._capture.readouterr()
        ran = Ran(ended, written.out, written.err.decode())
        assert "Traceback" not in ran.stderr, ran.stderr
        assert status in (None, ended), (ended, ran.text, ran.stderr)
        return ran

    def refuses(
        self,
        first: str | Path,
        *arguments: str | Path,
        says: str,
        status: int = 2,
        stdin: bytes = b"",
    ) -> Ran:
        """Run a command that cannot be carried out: it says why, and prints nothing."""
        ran = self(first, *arguments, stdin=stdin, status=status)
        assert says in ran.stderr
        assert ran.stdout == b""
        return ran


def environment(**changed: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(REPOSITORY)} | changed


def run_python(
    *words: str | Path, cwd: Path | None = None, status: int = 0, **changed: str
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env=environment(**changed),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, (done.stdout, done.stderr)
    return done


def run_process(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None, **changed: str
) -> Ran:
    done = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=cwd,
        env=environment(**changed),
        timeout=WAIT,
    )
    ran = Ran(done.returncode, done.stdout, done.stderr.decode())
    assert "Traceback" not in ran.stderr, ran.stderr
    return ran


def started(
    *arguments: object,
    stdin: int | None = None,
    stdout: int | IO[bytes] = subprocess.PIPE,
    **changed: str,
) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        stdin=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**changed),
    )


Reports = dict[tuple[Path, tuple[str, ...]], tuple[str, str]]


class Page:
    """Makes reports and reads them; those of a warehouse that stays are made once."""

    def __init__(self, tricklog: CommandLine, file: Path, made: Reports) -> None:
        self._tricklog = tricklog
        self._file = file
        self._made = made

    def __call__(self, db: Path, *options: str) -> str:
        return self.told(db, *options)[0]

    def told(self, db: Path, *options: str) -> tuple[str, str]:
        if (db, options) not in self._made:
            ran = self._tricklog("report --db", db, "--output", self._file, *options, status=0)
            self._made[db, options] = self._file.read_text("utf-8"), ran.stderr
        return self._made[db, options]


class Terminal:
    """A command on a terminal of its own; what it shows is gathered in ``shown``."""

    def __init__(self, *arguments: str | Path, **changed: str) -> None:
        import pty

        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [*PROGRAM, *map(str, arguments)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env=environment(**{"TERM": "xterm", "COLUMNS": "120"} | changed),
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


def write_log(path: Path | str, *lines: Hand | bytes) -> Path:
    texts = [encode_hand(line) if isinstance(line, Hand) else line for line in lines]
    Path(path).write_bytes(b"".join(text + b"\n" for text in texts))
    return Path(path)


def revoked() -> tuple[Hand, int]:
    hand, index = with_revoke(one_game("pedro"))
    return replace(hand, id="with-revoke", game="another"), index
