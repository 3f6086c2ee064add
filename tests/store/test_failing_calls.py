"""Any call may fail once: a sentence, exit status 3, the old state, and work goes on.

Here some calls are chosen, at places in the program that are far apart; ``python -m
tests.long.faults`` lets all of them fail, each in both ways.
"""

import gc
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ingest
from ingest.cli import _ADDRESSES, WITH_STORE
from tests.kit.faults import SCENES, Bench, Scene
from tests.kit.kill_child import content
from tests.kit.log_lines import SOUND_LINE, generated, write_hands, write_lines

CHOSEN = {"load": 6}
"""Calls that fail, of the scenes of which these are not as many as of others."""
FEW = 2


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    yield Bench(tmp_path_factory.mktemp("faults"))
    gc.unfreeze()


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_call_that_fails_is_reported(bench: Bench, scene: Scene) -> None:
    calls = bench.calls_of(scene)
    first = sorted({call: number for number, call in reversed(list(enumerate(calls)))}.values())
    step = max(1, len(first) // CHOSEN.get(scene.name, FEW))
    bench.failures.clear()
    for turn, number in enumerate(first[::step]):
        bench.fail(scene, number, out_of_memory=turn % 3 == 2)
    assert not bench.failures, "\n".join(bench.failures)


def test_a_transaction_that_fails_leaves_the_old_state(bench: Bench) -> None:
    scene = next(each for each in SCENES if each.name == "load")
    calls = [f"{call.kind} {call.name}" for call in bench.calls_of(scene)]
    bench.failures.clear()
    for name, out_of_memory in itertools.product(("COMMIT", "CHECKPOINT", "BEGIN"), (False, True)):
        bench.fail(scene, calls.index(f"duckdb execute {name}"), out_of_memory=out_of_memory)
    assert not bench.failures, "\n".join(bench.failures)


@pytest.mark.parametrize(
    ("command", "places"),
    {
        "rebuild": [
            # A log that cannot be read just now is no reason to do without its hands.
            ("system", "ingest/reading/sources.py"),
            # What cannot be read just now is not damaged.
            ("sqlite", "ingest/store/userdata.py"),
            ("duckdb", "ingest/upkeep/salvaging.py"),
            # The last words of a command come when all is published.
            ("system", "ingest/cli/output.py"),
        ],
        "reaudit": [
            ("system", "ingest/reading/sources.py"),
            ("system", "ingest/cli/output.py"),
        ],
        "verify": [
            ("system", "ingest/reading/sources.py"),
            ("system", "ingest/store/seals.py"),
            ("duckdb", "ingest/upkeep/verifying.py"),
            ("sqlite", "ingest/store/userdata.py"),
        ],
        "load": [
            # Without its seal a snapshot must not be copied.
            ("system", "ingest/store/seals.py"),
            ("system", "ingest/cli/output.py"),
        ],
    }.items(),
)
def test_a_disk_that_fails_once_is_reported_as_what_it_is(
    bench: Bench, command: str, places: list[tuple[str, str]]
) -> None:
    scene = next(each for each in SCENES if each.name == command)
    calls = bench.calls_of(scene)
    bench.failures.clear()
    for kind, place in places:
        numbers = [
            number
            for number, call in enumerate(calls)
            if call.kind == kind and call.place.startswith(f"{place}:")
        ]
        for number in sorted({numbers[0], numbers[-1]}):
            bench.fail(scene, number, out_of_memory=False)
    assert not bench.failures, "\n".join(bench.failures)


# --- Little memory


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of addresses")
@pytest.mark.parametrize(
    ("command", "room"),
    [("load {log}", 0.6), ("load {log}", 1.2), ("stats", 0.9), ("rebuild", 0.9), ("rebuild", 1.2)],
)
def test_a_process_that_may_address_little_memory_says_so(
    tmp_path: Path, repository: Path, command: str, room: float
) -> None:
    db = tmp_path / "db"
    ingest.load(write_hands(tmp_path / "a.jsonl", generated("pedro", 1)[:2]), db=db)
    before = content(str(db))
    log = write_lines(tmp_path / "b.jsonl", [SOUND_LINE])
    limit = int(_ADDRESSES * room) >> 10
    words = [sys.executable, "-m", "ingest.cli", *command.format(log=log).split(), "--db", str(db)]
    done = subprocess.run(
        ["/bin/sh", "-c", f'ulimit -v {limit} && exec "$@"', "sh", *words],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(repository)},
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert words[3] in WITH_STORE
    if room < 1 or done.returncode == 3:
        assert done.returncode == 3, done.stderr
        assert done.stderr.startswith("tricklog: ")
        assert str(db) in done.stderr
        assert content(str(db)) == before
    else:
        assert done.returncode in (0, 1)
    shutil.rmtree(db)
