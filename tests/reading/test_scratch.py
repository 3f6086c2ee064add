"""Temporary folders: whoever comes next clears away what killed runs left."""

import errno
import fcntl
import os
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.cli.command_line import run_python
from tests.kit.waiting import holding
from tricklog.ingest.reading import scratch
from tricklog.ingest.reading.scratch import Scratch

pytestmark = pytest.mark.posix

_HOLD = """
import sys
from pathlib import Path
from tricklog.ingest.reading.scratch import Scratch
held = Scratch("held-")
Path(held.name, "hands.arrow").write_text("East and West")
print("held", flush=True)
sys.stdin.read()
"""

_KILLED = """
import os, signal, sys, tempfile
from pathlib import Path
from tricklog.ingest.reading.scratch import Scratch

def killed_at(count):
    left = iter(range(count))
    def heard(event, arguments):
        if event.split(".")[0] in ("os", "fcntl") and next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(heard)
    with Scratch() as folder:
        Path(folder, "hands.arrow").write_text("East and West")
        Path(folder, "spilled").mkdir()
        Path(folder, "spilled", "a").write_text("South")
    os._exit(0)

tempfile.gettempdir()
count, status = 0, None
while status != 0:
    child = os.fork()
    if child == 0:
        killed_at(count)
    status = os.waitpid(child, 0)[1]
    count += 1
print(count)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    scratch._clear_abandoned.cache_clear()
    yield tmp_path
    scratch._clear_abandoned.cache_clear()


def names(place: Path) -> set[str]:
    return {each.name for each in place.iterdir()}


def check_cleared(place: Path) -> None:
    """Whoever makes a folder next is alone, and leaves nothing."""
    scratch._clear_abandoned.cache_clear()
    with Scratch() as own:
        assert names(place) == {Path(own).name}
    assert names(place) == set()


def test_what_a_killed_run_left_goes_what_others_hold_stays(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(place))
    with holding(_HOLD):
        (held,) = place.iterdir()
        with Scratch() as own:
            assert names(place) == {held.name, Path(own).name}
    assert (held / "hands.arrow").exists()
    check_cleared(place)


def test_whenever_a_run_is_killed_the_next_clears_it_away(place: Path) -> None:
    assert int(run_python("-c", _KILLED, TMPDIR=str(place)).stdout) > 10
    check_cleared(place)


def test_a_folder_that_is_cleared_away_before_it_is_held_is_made_once_more(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def mkdtemp(suffix: str, prefix: str) -> str:
        made.append(usual(suffix, prefix))
        if len(made) == 1:
            scratch._clear_if_abandoned(made[0])
        return made[-1]

    usual = tempfile.mkdtemp
    monkeypatch.setattr(tempfile, "mkdtemp", mkdtemp)
    with Scratch() as own:
        assert [own] == made[1:]
        assert names(place) == {Path(own).name}


def test_only_folders_that_were_ours_are_cleared(place: Path) -> None:
    # Where somebody loaded hands without saying where to.
    kept = [place / "tricklog-data" / "CURRENT", place / "elsewhere" / "CURRENT"]
    for each in kept:
        each.parent.mkdir()
        each.touch()
    (place / "tricklog-link.scratch").symlink_to(place / "elsewhere")
    (place / "tricklog-file.scratch").touch()
    before = names(place)
    with Scratch():
        pass
    assert names(place) == before
    assert all(each.exists() for each in kept)


def test_databases_put_aside_in_their_folder(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tricklog.ingest.store import database

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


def test_what_cannot_be_locked_is_left_alone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refused)
    with Scratch() as own:
        assert names(Path(own)) == set()
        scratch._clear_abandoned.cache_clear()
        with Scratch():
            assert Path(own).exists()
    assert names(place) == set()
