"""What nodes of a cluster of Ray must have, and who is told what they lack; without any cluster."""

import platform
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tests.kit import engine_tasks as tasks
from tricklog.ingest.lake import engines, on_ray
from tricklog.ingest.lake.engines import ClusterError, engine_of
from tricklog.ingest.lake.on_ray import Cluster

pytestmark = [pytest.mark.ray, pytest.mark.posix]


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1"])
def test_an_address_at_which_nobody_listens_is_told(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    monkeypatch.setattr("ray.shutdown", lambda: None)
    with (
        pytest.raises(ClusterError, match=f"The cluster at {address} cannot be used: .*refused"),
        engine_of(address),
    ):
        pass


STUCK = "Initialization failure from server: Traceback (most recent call last): RuntimeError: "


@pytest.mark.parametrize(
    ("says", "tries", "told"),
    [
        ([STUCK + "Starting Ray client server failed. See x.err for detailed logs."], 2, ""),
        ([STUCK + "Proxy failed to Connect to backend! Check x.err."] * 2, 3, ""),
        ([STUCK + "Starting Ray client server failed."] * 3, 3, "could not start a server"),
        (["ray client connection timeout"], 1, "whether the token is the same"),
    ],
)
def test_a_head_node_may_start_a_server_for_a_client_once_more(
    says: list[str], tries: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = list(says)
    tried = []

    def init(**settings: object) -> None:
        tried.append(settings["address"])
        if waiting:
            raise ConnectionAbortedError(waiting.pop(0))

    monkeypatch.setattr("ray.init", init)
    monkeypatch.setattr(on_ray, "_knock", lambda _: None)
    if told:
        with pytest.raises(ClusterError, match=told) as raised:
            on_ray._connect("ray://head:10001")
        assert "Traceback" not in str(raised.value)
    else:
        on_ray._connect("ray://head:10001")
    assert tried == ["ray://head:10001"] * tries


def attempted(wanted: str) -> bytes:
    """What a cluster makes of what a task brings back that was begun by another Tricklog."""
    from ray import exceptions

    cluster = object.__new__(Cluster)
    request = engines._request(tasks.doubled, 3)
    said = on_ray._attempt_there(request, (), wanted)
    cluster._ray = SimpleNamespace(get=lambda _: said, exceptions=exceptions)
    answer = cluster._answer(None)
    assert isinstance(answer, bytes)
    return answer


def test_a_node_without_tricklog_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = on_ray.edition()
    monkeypatch.setitem(sys.modules, "tricklog.ingest.lake.on_ray", None)
    says = f"node {platform.node()} of .* cannot use Tricklog .ModuleNotFoundError: .*pip install"
    with pytest.raises(ClusterError, match=says):
        attempted(wanted)


def test_a_node_with_another_tricklog_is_named() -> None:
    says = f"{platform.node()} .* has another Tricklog .{on_ray.edition()}. than .* .another."
    with pytest.raises(ClusterError, match=says):
        attempted("another")
    assert engines._result(attempted(on_ray.edition())) == 6


def test_what_travels_arrives_where_there_is_no_tricklog() -> None:
    from ray import cloudpickle

    pickler: Any = cloudpickle
    pickler.register_pickle_by_value(on_ray)
    program = (
        "import sys; sys.modules['tricklog'] = None; from ray import cloudpickle; "
        "print(cloudpickle.loads(sys.stdin.buffer.read())(b'', (), '')[0])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        input=pickler.dumps(on_ray._attempt_there),
        stdout=subprocess.PIPE,
        check=True,
    )
    assert b"cannot use Tricklog (ModuleNotFoundError: " in ran.stdout
