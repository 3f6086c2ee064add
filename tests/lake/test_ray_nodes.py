"""What nodes of a cluster of Ray must have, and who is told what they lack; without any cluster."""

import pickle
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ingest.lake import engines, on_ray
from ingest.lake.engines import ClusterError, engine_of
from ingest.lake.on_ray import Cluster
from replay.compiled import build, kernel
from tests.kit import engine_tasks as tasks
from tests.kit.built import build_elsewhere

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
    """A cluster whose nodes are described, and which notes what they are asked to do."""

    def __init__(self, *nodes: tuple[str, str, str, Any]) -> None:
        self._described = nodes
        self.asked: list[tuple[str, str]] = []
        self._ray = SimpleNamespace(put=lambda parcel: parcel)

    def _numbers(self) -> list[str]:
        return [name for name, *_ in self._described]

    def _on_each(
        self, numbers: Iterable[str], work: Callable[..., object], *_: object
    ) -> Iterator[tuple[str, Any]]:
        for number in numbers:
            if work is on_ray._look:
                yield number, next(node for node in self._described if node[0] == number)
                continue
            self.asked.append((work.__name__, number))
            yield number, {"ready": number.encode()} if work is on_ray._files_there else None


PYTHON = platform.python_version()


def node(name: str, kind: str, *, is_ready: bool = False, can_keep: bool = True) -> Any:  # noqa: ANN401
    return name, PYTHON, "", (on_ray.edition(), kind, is_ready, can_keep)


@pytest.mark.parametrize(
    ("described", "says"),
    [
        (("b", "3.9.1", "SyntaxError", None), f"The node b .* has Python 3.9.1, .* has {PYTHON}"),
        (("b", PYTHON, "ImportError: none", None), "b of the cluster cannot use Tricklog .ImportE"),
        (("b", PYTHON, "", ("0" * 12, "", True, True)), "b .* has another Tricklog .0{12}. than"),
    ],
)
def test_a_node_that_cannot_do_tasks_is_named(described: Any, says: str) -> None:  # noqa: ANN401
    with pytest.raises(ClusterError, match=says):
        Described(node("a", "x"), described).check()


def test_looking_at_a_node_says_why_it_has_no_tricklog(monkeypatch: pytest.MonkeyPatch) -> None:
    assert on_ray._look()[1:] == (PYTHON, "", on_ray.about_here())
    monkeypatch.setitem(sys.modules, "ingest.lake.on_ray", None)
    _, version, trouble, has = on_ray._look()
    assert (version, has) == (PYTHON, None)
    assert trouble.startswith("ModuleNotFoundError: ")


def test_rules_are_compiled_once_for_all_nodes_of_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "packed", lambda: {"ready": b"here"})
    monkeypatch.setattr(on_ray, "about_here", lambda: (on_ray.edition(), "x", True, True))
    cluster = Described(
        node("x1", "x"), node("x2", "x", is_ready=True), node("y1", "y"), node("y2", "y"),
        node("z1", "z"), node("z2", "z", is_ready=True), node("y3", "y", can_keep=False),
    )  # fmt: skip
    assert [warmed.how for warmed in cluster.warm_up()] == [
        "copied", "ready", "compiled", "copied", "copied", "ready", "none"
    ]  # fmt: skip
    assert cluster.asked == [
        ("_build_there", "y1"), ("_files_there", "y1"), ("_files_there", "z2"),
        ("_take_there", "x1"), ("_take_there", "y2"), ("_take_there", "z1"),
    ]  # fmt: skip


def test_a_node_that_came_later_looks_for_itself(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    build_elsewhere()
    files, kind = build.packed(), on_ray.about_here()[1]
    monkeypatch.setattr(kernel, "builds_folder", lambda: tmp_path)
    monkeypatch.setattr(on_ray, "_ray", lambda: SimpleNamespace(get=lambda parcel: parcel))
    monkeypatch.setattr(on_ray, "_is_made_ready", [])
    request = engines._request(tasks.doubled, 3)
    answer = on_ray._attempt_there(request, 0.0, "another", [])
    with pytest.raises(ClusterError, match="another Tricklog"):
        raise engines._outcome(answer)[0] or AssertionError
    parcels = [pickle.dumps(("other kind", {"ready": b"no"})), pickle.dumps((kind, files))]
    answer = on_ray._attempt_there(request, 0.0, on_ray.edition(), parcels)
    assert engines._outcome(answer) == (None, 6)
    assert kernel.is_ready()
    assert build.packed() == files
