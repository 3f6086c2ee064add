"""Loading or auditing in a process of its own, with its memory measured.

``python -m tests.kit.measured_loading LANE PATH...`` prints what came of the logs, and the
memory the process took at most. LANE is ``fast`` or ``careful`` for a load, or ``audit``.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

import ingest
from ingest.loading import bulk
from ingest.loading.auditing import Counts
from ingest.loading.loading import LoadReport

GUARD: Final = 900
"""Seconds after which a run is given up."""


class Measured(NamedTuple):
    """What a run came to."""

    accepted: int
    duplicate: int
    quarantined: int
    blank: int
    codes: list[str]
    """Of the first ten rejects."""
    memory: int
    """Bytes that the process took at most."""


def run_measured(lane: str, *paths: Path | str, content: Iterable[bytes] = ()) -> Measured:
    """Run in a process of its own; ``content`` is its standard input, as far as it is read."""
    command = [sys.executable, "-m", "tests.kit.measured_loading", lane, *map(str, paths)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        with suppress(BrokenPipeError):
            for piece in content:
                process.stdin.write(piece)
        out, _ = process.communicate(timeout=GUARD)
    assert process.returncode == 0
    return Measured(**json.loads(out))


def main() -> None:
    """Run what the command line names."""
    lane, *paths = sys.argv[1:]
    codes: list[str] = []
    counts: Counts | LoadReport
    if lane == "audit":
        audit = ingest.audit(*paths)
        for item in audit:
            codes += [item.line.reject.code.value] if item.line.reject else []
        counts = audit.counts
    else:
        bulk.is_worth_while = lambda size: lane == "fast"  # noqa: ARG005 - the name of the parameter
        with tempfile.TemporaryDirectory() as db:
            counts = ingest.load(
                *paths, db=db, on_reject=lambda reject: codes.append(reject.code.value)
            )
    numbers = (counts.accepted, counts.duplicate, counts.quarantined, counts.blank)
    measured = Measured(*numbers, codes[:10], _peak())
    sys.stdout.buffer.write(msgspec.json.encode(measured._asdict()))
    sys.stdout.flush()
    # What has ended with an endless stream still open does not wait for its end.
    sys.stdin.close()


def _peak() -> int:
    # Other than what getrusage says, this does not begin with the peak of the parent process.
    status = Path("/proc/self/status").read_text("ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    main()
