"""``tricklog load --follow`` as a process: what it says, and how it is told to stop."""

import signal
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.command_line import started
from tests.kit.following import append, lines_of, published
from tests.kit.log_lines import generated
from tests.kit.waiting import await_that
from tricklog.schemas.hand import Hand


def hands() -> Sequence[Hand]:
    return generated("pedro", 1)[:6]


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
        await_that(lambda: published(db) == 2)
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
