"""Reading in a process of its own, with its memory capped and measured.

``python -m tests.kit.measured_reading PATH...`` prints what became of the lines, what the slowest
took, and how much memory the reading needed beyond what the program itself takes.
"""

import importlib
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from tests.kit.log_lines import SOUND_LINE
from tricklog import ingest
from tricklog.ingest.reading.reader import parse_line

CAP: Final = 1 << 30
"""Bytes of address space for the whole process."""
GUARD: Final = 900
"""Seconds after which a process is given up."""


class Reading(NamedTuple):
    fates: list[str]
    """Of the first hundred lines, what became of each: its kind, or the code of its reject."""
    counts: dict[str, int]
    slowest: float
    """Seconds of the processor that the slowest line took."""
    memory: int
    """Bytes that the reading needed at most."""


def read_measured(*paths: Path | str, content: Iterable[bytes] = ()) -> Reading:
    """Read in a process of its own; ``content`` is its standard input."""
    return Reading(**measured("tests.kit.measured_reading", *paths, content=content))


def measured(module: str, *given: object, content: Iterable[bytes] = ()) -> dict[str, Any]:
    """Run a module in a process of its own; ``content`` is its standard input, as far as read."""
    command = [sys.executable, "-m", module, *map(str, given)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        with suppress(BrokenPipeError):
            for piece in content:
                process.stdin.write(piece)
        out, _ = process.communicate(timeout=GUARD)
    assert process.returncode == 0
    found: dict[str, Any] = json.loads(out)
    return found


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (CAP, CAP))
    # Loaded by the first such archive, which is no cost of reading it.
    importlib.import_module("zstandard")
    parse_line(SOUND_LINE)
    before = peak()
    fates: list[str] = []
    counts: Counter[str] = Counter()
    slowest = 0.0
    last = time.process_time()
    for line in ingest.read(*sys.argv[1:]):
        now = time.process_time()
        slowest, last = max(slowest, now - last), now
        fate = line.reject.code.value if line.reject else line.kind.value
        counts[fate] += 1
        if len(fates) < 100:
            fates.append(fate)
    reading = Reading(fates, dict(counts), slowest, peak() - before)
    sys.stdout.buffer.write(msgspec.json.encode(reading._asdict()))


def peak() -> int:
    """Return how much memory this process took at most, in bytes."""
    # Other than what getrusage says, this does not begin with the peak of the parent process.
    status = Path("/proc/self/status").read_text("ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    main()
