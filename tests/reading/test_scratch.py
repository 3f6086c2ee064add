"""Temporary folders: whoever comes next clears away what killed runs left."""

import errno
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ingest.reading import scratch
from ingest.reading.scratch import Scratch

pytestmark = pytest.mark.posix

_HOLD = """
import sys
from pathlib import Path
from ingest.reading.scratch import Scratch
held = Scratch("held-")
Path(held.name, "hands.arrow").write_text("East and West")
print(held.name, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    scratch._clear_abandoned.cache_clear()
    yield tmp_path
    scratch._clear_abandoned.cache_clear()


def names(place: Path) -> set[str]:
    return {each.name for each in place.iterdir()}


def test_what_a_killed_run_left_goes_and_what_others_hold_stays(
    place: Path, repository: Path
) -> None:
    environment = os.environ | {"TMPDIR": str(place), "PYTHONPATH": str(repository)}
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout
        held = Path(other.stdout.readline().decode().strip())
        with Scratch() as own:
            assert names(place) == {held.name, Path(own).name}
        other.send_signal(signal.SIGKILL)
    assert (held / "hands.arrow").exists()
    scratch._clear_abandoned.cache_clear()
    with Scratch() as own:
        assert names(place) == {Path(own).name}
    assert names(place) == set()


def test_only_folders_that_were_ours_are_cleared(place: Path) -> None:
    # Where somebody loaded hands without saying where to.
    (place / "tricklog-data").mkdir()
    (place / "tricklog-data" / "CURRENT").touch()
    (place / "elsewhere").mkdir()
    (place / "elsewhere" / scratch._MARK).touch()
    (place / "tricklog-link").symlink_to(place / "elsewhere")
    (place / "tricklog-file").touch()
    with Scratch():
        pass
    assert names(place) == {"tricklog-data", "elsewhere", "tricklog-link", "tricklog-file"}
    assert (place / "elsewhere" / scratch._MARK).exists()
    assert (place / "tricklog-data" / "CURRENT").exists()


def test_databases_put_aside_in_the_folder_of_their_process(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ingest.store import database

    monkeypatch.setattr(scratch, "_OF_PROCESSES", {})
    spilled = Path(database._spill_folder("a"))
    assert spilled != Path(database._spill_folder("b"))
    assert names(place) == {spilled.parent.name}
    scratch.scratch_of_process().cleanup()


def test_threads_that_ask_at_the_same_time_get_one_folder(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both_make_one = threading.Barrier(2)

    class Slow(Scratch):
        def __init__(self) -> None:
            super().__init__()
            both_make_one.wait()

    monkeypatch.setattr(scratch, "_OF_PROCESSES", {})
    monkeypatch.setattr(scratch, "Scratch", Slow)
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(lambda _: scratch.scratch_of_process(), range(2))
    assert one is other
    assert names(place) == {Path(one.name).name}
    one.cleanup()


def test_where_nothing_can_be_locked_it_is_left_alone(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refused)
    with Scratch() as own:
        assert names(Path(own)) == set()
        scratch._clear_abandoned.cache_clear()
        with Scratch():
            assert Path(own).exists()
    assert names(place) == set()
