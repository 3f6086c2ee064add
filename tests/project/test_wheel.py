"""What is installed: one name, all that belongs to it, and nothing that only the pages need."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.cli.command_line import run_python
from tricklog.core.native import build, library

pytestmark = pytest.mark.posix

NAMES = ("dashboard", "ingest", "replay", "schemas")
"""The folders of the checkout, whose names are anybody's where Tricklog is installed."""


def built(project: Path, target: str, folder: Path) -> Path:
    """Build a wheel or an archive of the sources, without compiling anything."""
    words = ["-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    settings = os.environ | {"HATCH_BUILD_NO_HOOKS": "true"}
    subprocess.run([sys.executable, *words], cwd=project, env=settings, check=True)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(repository, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with the wheel, and with the library that is there."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)  # noqa: S202 - of our own
    if not library.trouble():
        shutil.copy(build.LIBRARY, folder / "tricklog" / "core" / "native")
    return folder


@pytest.fixture
def bare(repository: Path, installed: Path, tmp_path: Path) -> Path:
    """A folder with the wheel and the packages that come with it, and nothing else."""
    folder = tmp_path / "bare"
    shutil.copytree(installed, folder)
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    for name in brought_by(project["dependencies"]):
        package = distribution(name)
        for part in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
            (folder / part).symlink_to(str(package.locate_file(part)))
    return folder


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder of somebody who has modules of the names of our folders."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(f"raise ImportError('another {name}')\n", "utf-8")
    return folder


def run(installed: Path, folder: Path, *words: str, status: int = 0) -> str:
    """Run Python with what is installed, in a folder, and return what it says."""
    done = run_python(*words, cwd=folder, status=status, PYTHONPATH=str(installed))
    return done.stdout + done.stderr


def files_in(folder: Path) -> set[str]:
    """The files below a folder that are no results of others."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in {".pyc", ".so"}
    }


# --- What is in it
def test_one_name_is_installed_with_every_file(repository: Path, installed: Path) -> None:
    assert {each.name.partition("-")[0] for each in installed.iterdir()} == {"tricklog"}
    places = {each.name: each.resolve() for each in (repository / "tricklog").iterdir()}
    folders = {name: place for name, place in places.items() if place.parent == repository}
    assert {place.name for place in folders.values()} == {*NAMES}
    moved = {
        "ingest": ("sample_logs", repository / "sample_logs"),
        "schemas": ("rules_docs", repository / "docs" / "rules"),
    }
    for name, place in folders.items():
        expected = files_in(place)
        if name in moved:
            inside, source = moved[name]
            expected |= {f"{inside}/{each}" for each in files_in(source)}
        assert files_in(installed / "tricklog" / name) == expected


def test_the_sources_make_the_same_wheel(repository: Path, wheel: Path, tmp_path: Path) -> None:
    archive = built(repository, "sdist", tmp_path / "archive")
    with tarfile.open(archive) as packed:
        # The first patches of Python 3.11, as Debian has them, know no filters.
        safe: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        packed.extractall(tmp_path / "unpacked", **safe)  # noqa: S202 - of our own
    (project,) = (tmp_path / "unpacked").iterdir()
    again = built(project, "wheel", tmp_path / "again")
    assert sorted(zipfile.ZipFile(again).namelist()) == sorted(zipfile.ZipFile(wheel).namelist())


# --- What it does
@pytest.mark.slow("each command is a process")
def test_modules_named_like_our_folders_disturb_nothing(installed: Path, elsewhere: Path) -> None:
    samples = installed / "tricklog" / "ingest" / "sample_logs" / "valid" / "pedro"
    told = run(
        *(installed, elsewhere, "-c"),
        "import tricklog, tricklog.dashboard.app.server; "
        "from tricklog.core.native import library; "
        "print(tricklog.__file__, not library.trouble(), "
        "len(list(tricklog.generate('pedro', games=1, seed=1))) > 1)",
    )
    place = installed / "tricklog" / "__init__.py"
    assert told == f"{place} {not library.trouble()} True\n"
    log = str(min(samples.glob("*.jsonl")))
    run(installed, elsewhere, "-m", "tricklog", "audit", log)
    loaded = run(installed, elsewhere, "-m", "tricklog", "load", log, "--db", "db", "--json")
    assert json.loads(loaded)["accepted"] > 0
    run(installed, elsewhere, "-m", "tricklog", "stats", "made-rate", "--db", "db")
    assert "Following to a trick" in run(
        installed, elsewhere, "-m", "tricklog", "rules", "1.follow"
    )


@pytest.mark.slow("each command is a process")
def test_without_the_extra_all_but_pages_run(repository: Path, bare: Path, elsewhere: Path) -> None:
    record = repository / "sample_logs" / "invalid" / "five-findings.jsonl"
    dated = json.loads(record.read_bytes()) | {"started_at": "2026-11-20T20:00:00Z"}
    (elsewhere / "log.jsonl").write_text(json.dumps(dated), "utf-8")
    told = run(
        *(bare, elsewhere, "-S", "-c"),
        "import importlib.util, tricklog; "
        "print([each for each in ('pandas', 'streamlit') if importlib.util.find_spec(each)]); "
        "print(len(tricklog.replay(next(tricklog.read('log.jsonl')).hand).findings)); "
        "print(tricklog.to_frames(tricklog.generate('pidro', games=1, seed=7)).hands.height > 0)",
    )
    assert told == "[]\n5\nTrue\n"
    for command, status in (
        ("audit log.jsonl", 1),
        ("load log.jsonl --db db", 1),
        ("stats findings --db db", 0),
        ("report --db db", 0),
        ("dashboard --db db", 2),
    ):
        told = run(bare, elsewhere, "-S", "-m", "tricklog", *command.split(), status=status)
    assert "pip install 'tricklog[dashboard]'" in told


def brought_by(requirements: list[Any]) -> set[str]:
    """Return the packages that an installation of these brings, all they need included."""
    found: set[str] = set()
    waiting = [Requirement(each) for each in requirements]
    while waiting:
        name = canonicalize_name(waiting.pop().name)
        if name in found:
            continue
        found.add(name)
        waiting += [
            needed
            for needed in map(Requirement, distribution(name).requires or ())
            if needed.marker is None or needed.marker.evaluate({"extra": ""})
        ]
    return found
