"""What tests of solving share."""

import shutil
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.made_once import made_once
from tests.kit.solved import few, warehouse
from tricklog.ingest.study.solving import solve
from tricklog.ingest.warehouses import open_facts


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with ``few`` hands, and the same solved in another; to be read and copied."""

    def make(folder: Path) -> None:
        db = warehouse(folder, few())
        open_facts(db).close()
        solve(shutil.copytree(db, folder / "solved"))

    return made_once(tmp_path_factory, "few-of-pidro", make)


@pytest.fixture
def db(tmp_path: Path, stored: Path) -> Path:
    """A warehouse with those hands, not solved."""
    return shutil.copytree(stored / "db", tmp_path / "db")


@pytest.fixture
def solved_db(tmp_path: Path, stored: Path) -> Path:
    """The same, solved."""
    return shutil.copytree(stored / "solved", tmp_path / "db")


@pytest.fixture
def tricklog(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> CommandLine:
    """The command within this process."""
    return CommandLine(capfdbinary, monkeypatch)
