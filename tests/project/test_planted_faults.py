"""What the first tier guards for tests that left it: it catches the faults planted here.

Each file of ``tests/planted`` names tests that run in the second tier only, a fault that they would
find, and the test of the first tier that finds it as well.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.conftest import NO_CHROMIUM, NO_REFERENCE_DATA, missing, reference_data
from tests.kit import tiers

PLANTED = Path(__file__).parents[1] / "planted"
COPIED = (
    *("benchmarks", "container", "dashboard", "docs", "ingest", "replay", "sample_logs", "schemas"),
    *("tests", "tricklog"),
)
"""What a guard may read of the checkout, its files at the top besides."""


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    left: str
    """What is no longer in the first tier."""
    file: str
    old: str
    new: str
    guard: str
    """The test that fails with the fault, as pytest names it."""


def faults() -> Iterator[Fault]:
    for path in sorted(PLANTED.glob("*.toml")):
        for entry in tomllib.loads(path.read_text("utf-8"))["fault"]:
            yield msgspec.convert(entry, Fault)


FAULTS = list(faults())


def test_every_fault_can_be_planted_and_has_a_guard(repository: Path) -> None:
    wrong = [
        f"{fault.file}: {fault.old!r} is there {times} times"
        for fault in FAULTS
        if (times := (repository / fault.file).read_text("utf-8").count(fault.old)) != 1
    ]
    for fault in FAULTS:
        path, _, test = fault.guard.partition("::")
        name = test.partition("[")[0].rpartition("::")[2]
        file = repository / path
        if not file.is_file() or f"def {name}(" not in file.read_text("utf-8"):
            wrong.append(f"{fault.guard} is not there")
    assert not wrong, "\n".join(wrong)


@pytest.mark.thorough("a process of pytest for each fault")
@pytest.mark.parametrize(
    "fault", FAULTS, ids=[f"{number} {each.guard}" for number, each in enumerate(FAULTS)]
)
def test_the_guard_finds_the_fault(fault: Fault, repository: Path, tmp_path: Path) -> None:
    copy = copy_of(repository, tmp_path / "checkout")
    path = copy / fault.file
    text = path.read_text("utf-8")
    # The files of the copy are those of the checkout, under a second name.
    path.unlink()
    path.write_text(text.replace(fault.old, fault.new), "utf-8")
    settings = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    del settings[tiers.SETTING]
    if found := reference_data():
        # Otherwise it would be looked for beside the copy.
        settings["TRICKLOG_SHARED"] = str(found)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", fault.guard],
        cwd=copy,
        env=settings | {"PYTHONPATH": str(copy)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    # A guard that fails, or is skipped, for want of something has not found anything.
    for what in (NO_REFERENCE_DATA, NO_CHROMIUM):
        if what in said:
            missing(what)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, said


def copy_of(repository: Path, place: Path) -> Path:
    """Make a checkout that shares all files with this one."""
    place.mkdir()
    for path in repository.iterdir():
        if path.is_file():
            link(path, place / path.name)
    for name in COPIED:
        # What was compiled comes along; the time of the file with the fault says that it is stale.
        shutil.copytree(repository / name, place / name, symlinks=True, copy_function=link)
    return place


def link(path: str | Path, place: str | Path) -> None:
    """Give a file a second name; copy it where the two are on different disks."""
    try:
        os.link(path, place)
    except OSError:
        shutil.copy2(path, place)
