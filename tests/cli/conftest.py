"""Fixtures of the tests of the command line."""

from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine, Page, Reports, write_log
from tests.kit.log_lines import generated, one_game
from tests.kit.made_once import once


@pytest.fixture
def tricklog(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return CommandLine(capfdbinary, monkeypatch)


@pytest.fixture
def clean_log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "clean.jsonl", *one_game("pedro"))


@pytest.fixture(scope="session")
def made_reports() -> Reports:
    return {}


@pytest.fixture
def page(tricklog: CommandLine, tmp_path: Path, made_reports: Reports) -> Page:
    return Page(tricklog, tmp_path / "report.html", made_reports)


@once("db")
def solved(folder: Path) -> None:
    from tests.kit.solved import solve_all, warehouse

    solve_all(warehouse(folder, generated("pedro")))
