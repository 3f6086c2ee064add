"""A cluster of two nodes on this machine, as ``ray start`` makes it, which can lose a part."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.conftest import REPOSITORY
from tests.kit.waiting import await_that

_MARK = "TRICKLOG_TEST_CLUSTER"
_NODE = "TRICKLOG_TEST_NODE"
_SOON = {
    # How soon a lost node is taken for lost; by itself that takes half a minute. A process that is
    # gone refuses to answer, at once and each time. One that has no turn on a busy machine answers
    # late, and is given long: whoever is taken for lost ends itself, and its drivers with it.
    "RAY_health_check_initial_delay_ms": "500",
    "RAY_health_check_period_ms": "250",
    "RAY_health_check_timeout_ms": "30000",
    "RAY_health_check_failure_threshold": "5",
    "RAY_memory_monitor_refresh_ms": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
}
TASK = "ray::_attempt_there"
"""How the system names a process while it does a task of ours."""


class RayCluster:
    """A head node and a second one, each with a core, that ask for a token.

    ``address`` is what ``--on`` takes on this machine and ``client_address`` what it takes from
    outside, and ``environment`` is what a program needs to come to either.
    """

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        with socket.socket() as head, socket.socket() as clients:
            for free in (head, clients):
                free.bind(("127.0.0.1", 0))
            self._port, self._client_port = (free.getsockname()[1] for free in (head, clients))
        self.address = f"127.0.0.1:{self._port}"
        self.client_address = f"ray://127.0.0.1:{self._client_port}"
        self.environment = {
            "RAY_ADDRESS": self.address,
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
        }
        self._folder = folder
        self._mark = secrets.token_hex(8)
        self._given = environment
        self._starters: list[subprocess.Popen[bytes]] = []

    def begin(self) -> None:
        """Start both nodes, and wait until they are there."""
        ports = f"--port={self._port}", f"--ray-client-server-port={self._client_port}"
        self._begin("head", {}, "--head", *ports, "--include-dashboard=false")
        self.add_node()

    def add_node(self, **environment: str) -> None:
        """Start the second node, the first time or after it was lost, and wait until it is there.

        ``environment`` is what it has of its own.
        """
        self._begin("second", environment, f"--address={self.address}")

    def _begin(self, name: str, environment: dict[str, str], *options: str) -> None:
        ray = Path(sys.executable).with_name("ray")
        has = self.environment | self._given | environment
        has |= _SOON | {_MARK: self._mark, _NODE: name, "PYTHONPATH": str(REPOSITORY)}
        has.pop("RAY_ADDRESS")
        log = self._folder / f"{name}.txt"
        with log.open("wb") as said:
            starter = subprocess.Popen(
                [
                    ray, "start", *options, "--block", "--node-ip-address=127.0.0.1",
                    "--num-cpus=1", "--object-store-memory=80000000",
                    f"--temp-dir={self._folder}", "--disable-usage-stats",
                ],
                env={k: v for k, v in os.environ.items() if not k.startswith("RAY_")} | has,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )  # fmt: skip
        self._starters.append(starter)
        await_that(
            lambda: b"Ray runtime started" in log.read_bytes() or starter.poll() is not None,
            lambda: log.read_text("utf-8"),
        )
        assert starter.poll() is None, log.read_text("utf-8")

    @property
    def is_whole(self) -> bool:
        """Whether the second node is there."""
        return bool(self._processes("second"))

    def tasks(self, node: str | None = None) -> list[int]:
        """Return the processes that do a task now, on all nodes or on ``head`` or ``second``."""
        return self._named(TASK, node)

    def kill_worker(self, node: str | None = None) -> int:
        """Kill a process that does a task, as soon as there is one, and return its number."""
        await_that(lambda: bool(self.tasks(node)))
        with suppress(IndexError):
            victim = self.tasks(node)[0]
            os.kill(victim, signal.SIGKILL)
            return victim
        return self.kill_worker(node)

    def kill_node(self) -> None:
        """Lose the second node: every process of it is killed at once."""
        self._kill("second")

    def end(self) -> None:
        """End every process of the cluster, and wait until none is left."""
        while self._processes(None):
            self._kill(None)
            time.sleep(0.02)
        for starter in self._starters:
            starter.wait()

    def _kill(self, node: str | None) -> None:
        for number in self._processes(node):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    def _named(self, title: str, node: str | None) -> list[int]:
        found = []
        for number in sorted(self._processes(node)):
            with suppress(OSError):
                command = Path(f"/proc/{number}/cmdline").read_bytes()
                if command.startswith(title.encode()):
                    found.append(number)
        return found

    def _processes(self, node: str | None) -> set[int]:
        marks = {f"{_MARK}={self._mark}".encode()}
        if node:
            marks.add(f"{_NODE}={node}".encode())
        found = set()
        children: dict[int, list[int]] = {}
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal():
                with suppress(OSError):
                    number = int(folder.name)
                    parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
                    children.setdefault(int(parent), []).append(number)
                    if marks <= set((folder / "environ").read_bytes().split(b"\0")):
                        found.add(number)
        # Some write their title over their environment, so that only their parent tells.
        waiting = list(found)
        while waiting:
            new = [number for number in children.get(waiting.pop(), []) if number not in found]
            found.update(new)
            waiting += new
        return found


@contextmanager
def two_nodes(**environment: str) -> Iterator[RayCluster]:
    """Start a cluster of two nodes, and end it afterwards; ``environment`` is that of the nodes."""
    # Names of sockets must be short, and so must be the name of what they lie in.
    folder = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp"))
    cluster = RayCluster(folder, environment)
    try:
        cluster.begin()
        yield cluster
    finally:
        cluster.end()
        shutil.rmtree(folder, ignore_errors=True)
