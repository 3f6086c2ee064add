"""What tests of solving share."""

from pathlib import Path

import pytest

from ingest.study.solving import solve
from schemas.hand import Hand
from tests.cli.command_line import CommandLine
from tests.kit.built import build_solver_elsewhere
from tests.kit.solving import hands_of, warehouse


@pytest.fixture(scope="session", autouse=True)
def _solver() -> None:
    build_solver_elsewhere()


@pytest.fixture(scope="session")
def few() -> list[Hand]:
    """Hands of a game that is solved in a moment."""
    return hands_of("pidro", 40)


@pytest.fixture
def db(tmp_path: Path, few: list[Hand]) -> Path:
    """A warehouse with those hands, not solved."""
    return warehouse(tmp_path, few)


@pytest.fixture
def solved_db(db: Path) -> Path:
    """The same, solved."""
    solve(db)
    return db


@pytest.fixture
def tricklog(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> CommandLine:
    """The command within this process."""
    return CommandLine(capfdbinary, monkeypatch)
