"""Fixtures of the tests of the command line."""

from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine, write_log
from tests.kit.broken_hands import generated


@pytest.fixture
def tricklog(
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return CommandLine(capsysbinary, monkeypatch)


@pytest.fixture
def clean_log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "clean.jsonl", *generated("pedro"))
