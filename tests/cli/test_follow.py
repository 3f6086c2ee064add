"""``tricklog load --follow`` as a process: what it says, and how it is told to stop."""

import json
import signal
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.cli.command_line import started
from tests.kit.following import append, lines_of, published
from tests.kit.log_lines import generated
from tricklog.schemas.hand import Hand


def hands() -> Sequence[Hand]:
    return generated("pedro", 1)[:6]


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.posix
def test_the_signal_to_end_publishes_what_is_there_and_a_supervisor_is_told(tmp_path: Path) -> None:
    log, db = tmp_path / "server.jsonl", tmp_path / "db"
    append(log, lines_of(hands()[:2]))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        supervisor.settimeout(120)
        command = ("load", "--follow", log, "--db", db, "--every", 60)
        process = started(*command, COLUMNS="200", NOTIFY_SOCKET=str(tmp_path / "notify"))
        assert b"READY=1" in supervisor.recv(1_000)
        until(lambda: published(db) == 2)
        # The next publish would be in a minute.
        append(log, lines_of(hands()[2:])[:-5])
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=120)
        told = b""
        while b"STOPPING=1" not in told:
            told = supervisor.recv(1_000)
    assert process.returncode == 0, errors
    assert published(db) == 5
    first, *taken, stopped, unfinished = output.splitlines()
    assert first == f"Following {log} into {db}. Ctrl-C stops."
    assert [line.partition("  ")[2] for line in taken] == ["2 new hands", "3 new hands"]
    assert stopped == f"Stopped: 5 new hands in 2 snapshots of {db}."
    assert "of a line that is not complete" in unfinished
    assert not (db / "following").exists()


@pytest.mark.thorough("the first tier reads what a supervisor gets")
@pytest.mark.posix
def test_a_program_is_told_in_objects(tmp_path: Path) -> None:
    log, db = tmp_path / "server.jsonl", tmp_path / "db"
    process = started("load", "--follow", log, "--db", db, "--every", 0.2, "--json", COLUMNS="200")
    append(log, lines_of(hands()[:2]) + b"oops\n")
    until(lambda: published(db) == 2)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    taken, stopped = map(json.loads, output.splitlines())
    assert (taken["accepted"], taken["quarantined"], taken["published"]) == (2, 1, True)
    assert (taken["files"], taken["waiting"]) == (1, 0)
    assert (stopped["stopped"], stopped["publishes"], stopped["accepted"]) == (True, 1, 2)
    rejects = [json.loads(line) for line in errors.splitlines() if '"code"' in line]
    assert [(each["line"], each["code"]) for each in rejects] == [(3, "not-json")]
