"""What nodes of a cluster of Ray must have, and who is told what they lack; without any cluster."""

import platform
import sys
from collections.abc import Iterator
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


class Described(Cluster):
    """A cluster whose nodes are described."""

    def __init__(self, *nodes: tuple[str, str, str, str]) -> None:
        self._described = nodes

    def _seen(self) -> Iterator[tuple[str, str, str, str]]:
        yield from self._described


PYTHON = platform.python_version()


@pytest.mark.parametrize(
    ("described", "says"),
    [
        (("b", "3.9.1", "SyntaxError", ""), f"The node b .* has Python 3.9.1, .* has {PYTHON}"),
        (("b", PYTHON, "ImportError: none", ""), "b of the cluster cannot use Tricklog .ImportE"),
        (("b", PYTHON, "", "0" * 12), "b .* has another Tricklog .0{12}. than"),
    ],
)
def test_a_node_that_cannot_do_tasks_is_named(described: Any, says: str) -> None:  # noqa: ANN401
    with pytest.raises(ClusterError, match=says):
        Described(("a", PYTHON, "", on_ray.edition()), described).check()


def test_looking_at_a_node_says_why_it_has_no_tricklog(monkeypatch: pytest.MonkeyPatch) -> None:
    assert on_ray._look()[1:] == (PYTHON, "", on_ray.edition())
    monkeypatch.setitem(sys.modules, "tricklog.ingest.lake.on_ray", None)
    _, version, trouble, has = on_ray._look()
    assert (version, has) == (PYTHON, "")
    assert trouble.startswith("ModuleNotFoundError: ")


def test_a_node_that_came_later_looks_for_itself() -> None:
    request = engines._request(tasks.doubled, 3)
    answer = on_ray._attempt_there(request, 0.0, "another")
    with pytest.raises(ClusterError, match="another Tricklog"):
        raise engines._outcome(answer)[0] or AssertionError
    answer = on_ray._attempt_there(request, 0.0, on_ray.edition())
    assert engines._outcome(answer) == (None, 6)
