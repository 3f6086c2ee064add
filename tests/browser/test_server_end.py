"""How ``tricklog dashboard`` ends: its port is free, and the loads it started have ended too."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import streamlit
from playwright.sync_api import Page, expect

from tests.kit.browsing import settle, started, visit
from tests.kit.dashboard_logs import with_revoke
from tricklog.ingest.store.publishing import writing
from tricklog.ingest.store.warehouse import current_snapshot
from tricklog.schemas.hand import encode_hand

pytestmark = pytest.mark.posix

LIMIT = 300.0
"""Seconds for what comes at once where a machine is not busy."""


def is_anybody_left(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def take(port: int) -> None:
    """Listen on a port, as the next server would."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen()


@pytest.mark.browser
@pytest.mark.thorough("a server for each; a load is ended in tests/dashboard/test_jobs.py")
@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name
)
def test_a_signal_ends_the_server_with_the_load_it_runs(
    number: signal.Signals, page: Page, small_warehouse: Path, tmp_path: Path, repository: Path
) -> None:
    db = shutil.copytree(small_warehouse, tmp_path / "db")
    before = current_snapshot(db)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    log = tmp_path / "log.jsonl"
    log.write_bytes(encode_hand(with_revoke()[0]) + b"\n")
    with started(db, tmp_path, repository, TMPDIR=str(temporary)) as (address, process):
        visit(page, f"{address}/import")
        page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(log)
        expect(page.get_by_role("button", name="Remove log")).to_be_visible()
        settle(page)
        # While somebody else writes, the load waits.
        with writing(db, wait=1):
            page.get_by_role("button", name="Load", exact=True).click()
            expect(page.get_by_text("waiting for another load")).to_be_visible()
            assert list(temporary.glob("tricklog-import-*"))
            process.send_signal(number)
            assert process.wait(LIMIT) in {128 + number, 128 + signal.SIGTERM}
            take(urlsplit(address).port or 0)
            assert not is_anybody_left(process.pid)
    assert current_snapshot(db) == before
    assert list(temporary.glob("tricklog-import-*")) == []


def test_a_reader_who_takes_nothing_does_not_keep_the_server(
    small_warehouse: Path, tmp_path: Path, repository: Path
) -> None:
    static = Path(streamlit.__file__).parent / "static"
    largest = max(static.rglob("*.js"), key=lambda file: file.stat().st_size)
    with started(small_warehouse, tmp_path, repository) as (address, process):
        port = urlsplit(address).port or 0
        with socket.socket() as reader:
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.connect(("127.0.0.1", port))
            path = largest.relative_to(static).as_posix()
            reader.sendall(f"GET /{path} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
            assert reader.recv(12) == b"HTTP/1.1 200"
            process.send_signal(signal.SIGHUP)
            assert process.wait(LIMIT) in {128 + signal.SIGHUP, 128 + signal.SIGTERM}
        take(port)


def test_a_port_that_is_taken_is_said_so(tmp_path: Path, repository: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "tricklog.ingest.cli", "dashboard", "--port", str(port)],
            env=os.environ | {"PYTHONPATH": str(repository)},
            cwd=tmp_path,
            capture_output=True,
            check=False,
            timeout=LIMIT,
        )
    assert done.returncode == 3
    assert f"port {port} cannot be used".encode() in done.stderr
    assert b"http://" not in done.stderr + done.stdout
