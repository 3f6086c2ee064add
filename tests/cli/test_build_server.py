"""The page about build servers: its recipes run, and a build fails on an illegal hand."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command_line import write_log
from tests.kit.log_lines import one_game
from tests.kit.tiers import is_thorough

pytestmark = pytest.mark.posix
NOTE = re.compile(r"(.+?):(\d+):(\d+): (error|warning): ([a-z0-9-]+): (.+)")


@pytest.fixture
def checkout(tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    command = tmp_path / "bin" / "tricklog"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tricklog.ingest.cli "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}:/usr/bin:/bin")
    monkeypatch.setenv("PYTHONPATH", str(repository))
    folder = tmp_path / "checkout"
    (folder / "logs").mkdir(parents=True)
    write_log(folder / "logs" / "sound.jsonl", *one_game("pedro")[:3])
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "Sound hands")
    return folder


def git(folder: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=A", "-c", "user.email=a@example.invalid")
    subprocess.run(["git", *settings, *arguments], cwd=folder, check=True)


def run(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script as build servers do, which stop at the first command that fails."""
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_build_fails_on_illegal_hands_alone(checkout: Path, repository: Path) -> None:
    """And says what the page says it does."""
    page = (repository / "docs" / "build-server.md").read_text("utf-8")
    (told,) = re.findall(r"^```text\n(.*?)\n```$", page, flags=re.MULTILINE | re.DOTALL)
    assert NOTE.fullmatch(told)
    recipes = re.findall(r"^```sh\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    # The steps of the workflow and of the job for other servers.
    for step in (r"^\s+- run: (tricklog .*)$", r"^\s+- (tricklog .*)$"):
        recipes += re.findall(step, page, flags=re.MULTILINE)
    assert len(recipes) == 5
    # All others call the same command; each process takes a second.
    assert run(checkout, recipes[0]).returncode == 0
    sample = repository / "sample_logs" / "invalid" / "five-findings.jsonl"
    shutil.copy(sample, checkout / "logs" / "revoke.jsonl")
    git(checkout, "add", ".")
    for script in recipes if is_thorough() else recipes[1:3]:
        done = run(checkout, script)
        assert told in done.stdout.splitlines() or "--format line" not in script
        # xargs has a status of its own for a command that failed.
        assert done.returncode in ({123} if "xargs" in script else {1}), script
    for name in ("hands.sarif", "hands.xml"):
        assert (checkout / "reports" / name).stat().st_size
