"""What tests of solving share."""

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import tricklog
from tests.kit.made_once import once
from tests.kit.solved import few, warehouse
from tricklog.ingest.study.solving import solve
from tricklog.ingest.warehouses import open_facts

__all__ = ["tricklog"]


@once()
def stored(folder: Path) -> None:
    """A warehouse with ``few`` hands, and the same solved in another; to be read and copied."""
    db = warehouse(folder, few())
    open_facts(db).close()
    solve(shutil.copytree(db, folder / "solved"))


@pytest.fixture
def db(tmp_path: Path, stored: Path) -> Path:
    """A warehouse with those hands, not solved."""
    return shutil.copytree(stored / "db", tmp_path / "db")


@pytest.fixture
def solved_db(tmp_path: Path, stored: Path) -> Path:
    """The same, solved."""
    return shutil.copytree(stored / "solved", tmp_path / "db")
