"""Any call may fail once: a sentence, exit status 3, the old state, and work goes on.

The first tier lets each write of a load fail, and of what else is done a few calls at places that
are far apart; the second each call once for each line of the program, in both ways.
"""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.faults import SCENES, Bench, Call
from tests.kit.log_lines import SOUND_LINE, generated, write_hands, write_lines
from tests.kit.stored import content
from tests.kit.tiers import is_thorough, some
from tricklog import ingest
from tricklog.ingest.cli import _ADDRESSES, WITH_STORE

pytestmark = pytest.mark.posix

SCENE = {scene.name: scene for scene in SCENES}
WRITES = {
    *("mkdir", "replace", "fsync", "copy_file_range", "write"),
    *some(["INSERT", "BEGIN", "COMMIT", "UPDATE", "DELETE", "CHECKPOINT", "CREATE", "register"], 3),
}
"""Calls that change something, the statements of DuckDB among them."""
PUBLISHING = ("ingest/store/", "ingest/loading/storing.py", "ingest/loading/games.py")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    yield Bench(tmp_path_factory.mktemp("faults"))
    gc.unfreeze()


def checked(bench: Bench) -> None:
    failures, bench.failures = bench.failures, []
    assert not failures, "\n".join(failures)


def test_every_write_of_a_load_may_fail(bench: Bench) -> None:
    calls = bench.calls_of(SCENE["load"])
    # What a failure leaves does not depend on how often a line of the program was come to before,
    # but for the last time that the disk is waited for, when the pointer has been replaced.
    # A statement of DuckDB is undone with its transaction wherever it stands.
    first = {
        (call.name, place_of(call)): number
        for number, call in reversed(list(enumerate(calls)))
        if call.name.split()[-1] in WRITES and call.place.startswith(PUBLISHING)
    }
    chosen = some(sorted(first.values()), 4)
    last = max(number for number, call in enumerate(calls) if call.name == "fsync")
    said = [bench.fail(SCENE["load"], number).said for number in (*chosen, last)]
    checked(bench)
    assert [each for each in said if "is published" in each] == said[-1:]
    assert "tricklog db verify" in said[-1]


def place_of(call: Call) -> str:
    """Return where a call stands; the first tier tries one call for each file, or one of all."""
    if is_thorough():
        return call.place
    return "" if call.kind == "duckdb" else call.place.partition(":")[0]


@pytest.mark.parametrize("name", SCENE)
@pytest.mark.thorough("each write of a load fails in the first tier; others mostly read")
def test_a_call_that_fails_is_reported(bench: Bench, name: str) -> None:
    calls = bench.calls_of(SCENE[name])
    # What a failure leaves does not depend on how often a line of the program was come to before.
    first = {call: number for number, call in reversed(list(enumerate(calls)))}
    for number in sorted(first.values()):
        for out_of_memory in (False, True):
            bench.fail(SCENE[name], number, out_of_memory=out_of_memory)
    checked(bench)


PLACES: dict[str, list[tuple[str, str]]] = {
    "rebuild": [
        # A log that cannot be read just now is no reason to do without its hands.
        ("system", "ingest/reading/sources.py"),
        # What cannot be read just now is not damaged.
        ("sqlite", "ingest/store/userdata.py"),
        *([("duckdb", "ingest/upkeep/salvaging.py")] if is_thorough() else []),
        # The last words of a command come when all is published.
        *([("system", "ingest/cli/output.py")] if is_thorough() else []),
    ],
    "load": [
        # Without its seal a snapshot must not be copied.
        ("system", "ingest/store/seals.py"),
        ("system", "ingest/cli/output.py"),
    ],
    "verify": [
        ("system", "ingest/reading/sources.py"),
        ("system", "ingest/store/seals.py"),
        ("duckdb", "ingest/upkeep/verifying.py"),
        ("sqlite", "ingest/store/userdata.py"),
    ],
    "reaudit": [("system", "ingest/reading/sources.py")],
}


@pytest.mark.parametrize("command", some(list(PLACES), 1))
def test_a_disk_that_fails_once_is_reported_as_what_it_is(bench: Bench, command: str) -> None:
    calls = bench.calls_of(SCENE[command])
    for kind, place in PLACES[command]:
        numbers = [
            number
            for number, call in enumerate(calls)
            if call.kind == kind and call.place.startswith(f"{place}:")
        ]
        bench.fail(SCENE[command], numbers[0])
        if is_thorough():
            bench.fail(SCENE[command], numbers[-1])
    checked(bench)


# --- Little memory
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of addresses")
@pytest.mark.parametrize(
    ("command", "room"),
    [
        ("load {log}", 0.6),
        *(
            pytest.param(*each, marks=pytest.mark.thorough("a process each; a load shows it"))
            for each in (
                ("load {log}", 1.2),
                ("stats", 0.9),
                ("db rebuild", 0.9),
                ("db rebuild", 1.2),
            )
        ),
    ],
)
def test_a_process_that_may_address_little_memory_says_so(
    tmp_path: Path, repository: Path, command: str, room: float
) -> None:
    db = tmp_path / "db"
    ingest.load(write_hands(tmp_path / "a.jsonl", generated("pedro", 1)[:2]), db=db)
    before = content(str(db))
    log = write_lines(tmp_path / "b.jsonl", [SOUND_LINE])
    limit = int(_ADDRESSES * room) >> 10
    words = [*command.format(log=log).split(), "--db", str(db)]
    program = [sys.executable, "-m", "tricklog.ingest.cli", *words]
    done = subprocess.run(
        ["/bin/sh", "-c", f'ulimit -v {limit} && exec "$@"', "sh", *program],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(repository)},
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert words[0] in WITH_STORE
    if room < 1 or done.returncode == 3:
        assert done.returncode == 3, done.stderr
        assert done.stderr.startswith("tricklog: ")
        assert str(db) in done.stderr
        assert content(str(db)) == before
    else:
        assert done.returncode in (0, 1)
