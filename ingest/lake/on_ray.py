"""Tasks of a lake on a cluster of Ray; nothing else knows of it.

Ray itself is not asked to do a task again: what was lost is begun again by ``Lanes``, which counts
what ended for lack of memory, too. A node with another Tricklog than this program does no task.
"""

from __future__ import annotations

import hashlib
import os
import platform
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from tricklog.ingest.lake import engines
from tricklog.ingest.lake.engines import ClusterError, Lanes, Lost
from tricklog.ingest.loading.workers import WorkerError, processors

PATIENCE: Final = 300.0
"""Seconds to wait for a node on which a task has room; a cluster may be about to start one."""
CONNECTING: Final = 10.0
"""Seconds within which a cluster takes a connection."""
_LOOK_AGAIN: Final = 5.0
"""Seconds between looks at which nodes there are."""
_CHANCES: Final = 3
"""How often a head node may try to start a server for a client."""
_NO_SERVER: Final = "Starting Ray client server failed", "Proxy failed to Connect to backend"
"""What Ray says when a server that its head node started for a client never answered."""
_OBJECT_STORE: Final = 128 << 20
"""Bytes for objects on a cluster that is started here: all that travels is small."""
_QUIET: Final = {"logging_level": "ERROR", "log_to_driver": False}
_OWN_TOKEN: Final = secrets.token_hex(32)
"""Of a cluster that is started here."""
_OUR_CODE: Final = ("core", "ingest", "schemas")

Reference = Any
"""Ray's reference to what a task will return."""


# --- Coming to a cluster, and leaving it


@contextmanager
def on_cluster(on: str) -> Iterator[Cluster]:
    """Connect to a cluster, or start one on this machine; see ``engines.engine_of``.

    A connection that this program has already is used, and left as it is. Raises ``ClusterError``
    for a cluster that cannot be reached.
    """
    ray = _ray()
    if ray.is_initialized():
        with _no_chatter():
            yield Cluster()
        return
    before = dict(os.environ)
    with _no_chatter():
        try:
            _connect(on)
            yield Cluster()
        finally:
            ray.shutdown()
            for name in set(os.environ) - set(before):
                if name.startswith("RAY_"):
                    del os.environ[name]


def _ray() -> Any:  # noqa: ANN401 - a module
    try:
        import ray
    except ImportError as error:
        raise ClusterError(
            "Work on a cluster needs Ray, which is not installed: pip install 'tricklog[ray]'."
        ) from error
    return ray


@contextmanager
def _no_chatter() -> Iterator[None]:
    """Keep what Ray says about lost processes off standard output, which is for results."""
    from ray._private import worker

    before = worker._worker_logs_enabled  # noqa: SLF001 - its debugger does the same
    worker._worker_logs_enabled = False  # noqa: SLF001
    try:
        yield
    finally:
        worker._worker_logs_enabled = before  # noqa: SLF001


def _connect(on: str) -> None:
    ray = _ray()
    address = on if on != "ray" else os.environ.get("RAY_ADDRESS") or "auto"
    terminated = signal.getsignal(signal.SIGTERM)
    try:
        try:
            _knock(address)
            _join(address)
        except ConnectionError:
            if address != "auto":
                raise
            _start_here()
    except (OSError, RuntimeError, ValueError, ImportError, ray.exceptions.RayError) as error:
        raise ClusterError(_unreachable(address, error)) from error
    finally:
        # Ray takes it for itself; how this program ends is its own matter.
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, terminated)


def _join(address: str) -> None:
    """Connect, and once more where the head node started no server for this client.

    Its proxy forks one while other threads of it run, and a child that is stuck there never says a
    word. Ray gives it up after half a minute; the next is a child of its own.
    """
    for chance in range(_CHANCES, 0, -1):
        try:
            _ray().init(address=address, **_QUIET)
        except (RuntimeError, ConnectionError) as error:
            if chance == 1 or not any(each in str(error) for each in _NO_SERVER):
                raise
        else:
            return


def _knock(address: str) -> None:
    """Raise ``OSError`` when nobody listens there, which Ray takes minutes to find out."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECTING).close()


def _start_here() -> None:
    """Start a cluster of this machine alone, which ends with this program and talks to nobody."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    if not {"RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"} & os.environ.keys():
        # Ray asks for a token by itself, and would write a new one into the home folder.
        os.environ["RAY_AUTH_TOKEN"] = _OWN_TOKEN
    _ray().init(
        address="local",
        num_cpus=processors(),
        include_dashboard=False,
        object_store_memory=_OBJECT_STORE,
        _node_ip_address="127.0.0.1",
        **_QUIET,
    )


def _unreachable(address: str, error: Exception) -> str:
    said = getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__
    if any("AuthToken" in str(each) for each in (error, error.__cause__, error.__context__)):
        said = (
            "it asks for a token, and this program has none or another. Put RAY_AUTH_MODE=token "
            "and RAY_AUTH_TOKEN, or RAY_AUTH_TOKEN_PATH, into its environment"
        )
    elif "Version mismatch" in said:
        said = f"it has another Ray or Python. {said.partition('Version mismatch: ')[2]}"
    elif any(each in said for each in _NO_SERVER):
        said = "its head node could not start a server for this program; its logs say why"
    elif "grpc" in said and isinstance(error, ImportError):
        said = "ray:// needs more of Ray: pip install 'ray[client]', here and on the head node"
    elif address.startswith("ray://") and "timeout" in said:
        said += ": look whether the token is the same here and there, and the port that of clients"
    return f"The cluster at {address} cannot be used: {said.rstrip('.')}."


# --- What a node has


@cache
def edition() -> str:
    """Return what tells one Tricklog from another: a digest of the code that tasks run through."""
    root = Path(__file__).parents[2]
    mixed = hashlib.sha256()
    for package in _OUR_CODE:
        for path in sorted((root / package).rglob("*")):
            if path.suffix in {".py", ".sql"}:
                mixed.update(f"{path.relative_to(root).as_posix()}\n".encode() + path.read_bytes())
    return mixed.hexdigest()[:12]


# --- What is done on a node


def _attempt_there(request: bytes, pauses: Sequence[float], wanted: str) -> tuple[str, bytes]:
    """Do a task, and return its answer behind what is wrong with the node, if anything is.

    This travels as it is, so that it works where there is no Tricklog.
    """
    node = f"The node {platform.node()} of the cluster"
    try:
        has = import_module("tricklog.ingest.lake.on_ray").edition()
        attempt = import_module("tricklog.ingest.lake.engines").attempt
    except Exception as error:  # noqa: BLE001 - said by who asked
        says = f"{type(error).__name__}: {error}"
        install = "Install it on every node: pip install 'tricklog[ray]'."
        return f"{node} cannot use Tricklog ({says}). {install}", b""
    if has != wanted:
        than = f"than this program ({wanted}). Install the same on both."
        return f"{node} has another Tricklog ({has}) {than}", b""
    return "", attempt(request, pauses)


# --- A cluster


class Cluster(Lanes[Reference]):
    """The cluster of Ray that this program is connected to."""

    def __init__(self) -> None:
        self._ray = _ray()
        self._slots = 1
        self._looked = -_LOOK_AGAIN
        self._memory = 0
        """Bytes that a task needs which was begun last."""
        pickler: Any = self._ray.cloudpickle
        pickler.register_pickle_by_value(sys.modules[__name__])
        self._attempt = self._ray.remote(num_cpus=1, max_retries=0)(_attempt_there)

    @property
    def slots(self) -> int:
        """How many cores the nodes have that are there now."""
        if time.monotonic() - self._looked >= _LOOK_AGAIN:
            self._slots = max(1, sum(int(has.get("CPU", 0)) for has in self._resources()))
            self._looked = time.monotonic()
        return self._slots

    def begin(self, request: bytes, memory: int) -> Reference:
        """See ``Lanes.begin``."""
        self._memory = memory
        options: dict[str, Any] = {"memory": memory} if memory else {}
        task = self._attempt.options(scheduling_strategy="SPREAD", **options)
        return task.remote(request, engines.PAUSES, edition())

    def wait(self, tasks: Collection[Reference]) -> tuple[Reference, bytes | Lost]:
        """See ``Lanes.wait``. Raises ``ClusterError`` when no node has room, not even later."""
        ready: list[Reference] = []
        until = time.monotonic() + PATIENCE
        try:
            while not ready:
                ready, _ = self._ray.wait(list(tasks), num_returns=1, timeout=_LOOK_AGAIN)
                if not ready and time.monotonic() > until and not self._has_room():
                    raise ClusterError(
                        f"No node of the cluster has a core and {self._memory / 1e6:,.0f} MB of "
                        f"memory for a task, and none came within {PATIENCE / 60:.0f} minutes. "
                        "Start larger nodes, or give Ray more of their memory (ray start --memory)."
                    )
            return ready[0], self._answer(ready[0])
        except ConnectionError as error:
            raise WorkerError(
                f"The connection to the cluster was lost: {error}. Nothing was published, the "
                "warehouse is as it was. Load again when the cluster can be reached."
            ) from error

    def drop(self, tasks: Collection[Reference]) -> None:
        """See ``Lanes.drop``."""
        if not self._ray.is_initialized():
            return
        with suppress(ConnectionError):
            for task in tasks:
                self._ray.cancel(task, force=True)

    def _answer(self, task: Reference) -> bytes | Lost:
        errors = self._ray.exceptions
        lost = {
            errors.OutOfMemoryError: "its node had no memory left",
            errors.NodeDiedError: "its node was lost",
            errors.WorkerCrashedError: "its process was ended",
            errors.ObjectLostError: "the node that had its result was lost",
        }
        try:
            wrong, answer = self._ray.get(task)
        except errors.RayError as error:
            said = str(error).strip().splitlines()[-1]
            reasons = (reason for kind, reason in lost.items() if isinstance(error, kind))
            return Lost(next(reasons, said))
        if wrong:
            raise ClusterError(wrong)
        return bytes(answer)

    def _has_room(self) -> bool:
        some = ((has.get("CPU", 0), has.get("memory", 0)) for has in self._resources())
        return any(cores >= 1 and memory >= self._memory for cores, memory in some)

    def _resources(self) -> list[dict[str, float]]:
        return [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
