"""A cluster of Ray does the tasks of a lake, whatever is lost, and nodes that cannot are named."""

import os
import pickle
import platform
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ingest.lake import engines, on_ray
from ingest.lake.engines import ClusterError, engine_of
from ingest.lake.on_ray import Cluster, on_cluster
from ingest.loading.workers import WorkerError
from replay.compiled import build, kernel
from tests.conftest import REPOSITORY
from tests.kit import engine_tasks as tasks
from tests.kit.built import build_elsewhere
from tests.kit.ray_cluster import RayCluster, two_nodes, wait_until

pytestmark = [pytest.mark.ray, pytest.mark.posix]


@pytest.fixture(scope="module")
def nodes() -> Iterator[RayCluster]:
    with two_nodes() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def connected(nodes: RayCluster) -> Iterator[Cluster]:
    build_elsewhere()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in nodes.environment.items():
            patch.setenv(name, value)
        with on_cluster("ray") as cluster:
            yield cluster


@pytest.fixture
def engine(nodes: RayCluster, connected: Cluster) -> Cluster:
    """The cluster with both nodes, whatever was lost before."""
    if not nodes.is_whole:
        nodes.add_node()
    wait_until(lambda: len(connected._numbers()) == 2)
    connected._looked = float("-inf")
    return connected


# --- What comes back


def test_every_result_comes_once_from_both_nodes(engine: Cluster) -> None:
    assert sorted(engine.map(tasks.doubled, range(50))) == list(range(0, 100, 2))
    assert engine.slots == 2
    assert len(set(engine.map(tasks.where, range(20)))) == 2


def test_results_come_as_they_are_ready(engine: Cluster) -> None:
    assert list(engine.map(tasks.slowly_doubled, range(5)))[-1] == 0


def test_errors_are_what_tasks_raised(engine: Cluster) -> None:
    with pytest.raises(ValueError, match="not 3") as raised:
        list(engine.map(tasks.failing, range(10)))
    assert "engine_tasks.py" in "".join(raised.value.__notes__)
    with pytest.raises(TypeError, match="the result of large_result has"):
        list(engine.map(tasks.large_result, [engines.LARGEST]))


def test_results_that_are_large_for_ray_come_too(engine: Cluster) -> None:
    sizes = [engines.LARGEST - 200] * 5
    assert [len(found) for found in engine.map(tasks.large_result, sizes)] == sizes


def test_storage_that_does_not_answer_is_asked_again(
    engine: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "_PAUSES", (0.0, 0.01, 0.02))
    assert list(engine.map(tasks.unreachable_at_first, [(tmp_path, 3)])) == [3]


# --- What is lost


def test_a_lost_process_is_replaced(engine: Cluster, tmp_path: Path) -> None:
    assert list(engine.map(tasks.dying_at_first, [(tmp_path, 1)])) == [1]


def test_a_task_that_ends_every_process_is_given_up(
    engine: Cluster, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(WorkerError, match=r"\(dying\) was lost 4 times, last because its process"):
        list(engine.map(tasks.dying, [1]))
    assert capfd.readouterr() == ("", "")


def test_what_nobody_waits_for_is_dropped(engine: Cluster, nodes: RayCluster) -> None:
    results = engine.map(tasks.endless_for_zero, [0, 1])
    assert next(results) == 1
    results.close()  # type: ignore[attr-defined]  # it is a generator
    wait_until(lambda: not nodes.tasks())
    assert sorted(engine.map(tasks.doubled, range(5))) == [0, 2, 4, 6, 8]


def test_ctrl_c_ends_all_at_once(engine: Cluster, nodes: RayCluster, tmp_path: Path) -> None:
    assert engine.slots
    program = """
    from ingest.lake.engines import engine_of
    from tests.kit import engine_tasks as tasks
    with engine_of("ray") as engine:
        list(engine.map(tasks.endless, range(100)))
    """
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(program), "utf-8")
    process = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | nodes.environment | {"PYTHONPATH": str(REPOSITORY)},
        start_new_session=True,
    )
    wait_until(lambda: len(nodes.tasks()) == 2)
    began = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    out, said = process.communicate(timeout=60)
    assert time.monotonic() - began < 5
    assert (out, said.decode().splitlines()[-1]) == (b"", "KeyboardInterrupt")
    wait_until(lambda: not nodes.tasks())


def test_a_task_that_no_node_has_room_for_is_told(
    engine: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_ray, "PATIENCE", 0.1)
    monkeypatch.setattr(on_ray, "_LOOK_AGAIN", 0.1)
    with pytest.raises(ClusterError, match="a core and 9,000,000 MB of memory"):
        list(engine.map(tasks.doubled, [1], memory=9_000_000_000_000))
    assert list(engine.map(tasks.doubled, [1], memory=1_000_000)) == [2]


def test_lost_workers_and_a_lost_node_cost_no_result(engine: Cluster, nodes: RayCluster) -> None:
    def lose() -> None:
        nodes.kill_worker("head")
        nodes.kill_worker("second")
        time.sleep(0.3)
        nodes.kill_node()

    losing = threading.Thread(target=lose)
    losing.start()
    found = sorted(engine.map(tasks.napping, range(80)))
    losing.join()
    assert found == list(range(80))


# --- Nodes that come


def test_a_node_that_comes_later_takes_over_compiled_rules(
    connected: Cluster, nodes: RayCluster, tmp_path: Path
) -> None:
    engine = connected
    nodes.kill_node()
    wait_until(lambda: len(engine._numbers()) == 1)
    nodes.add_node(XDG_CACHE_HOME=str(tmp_path))
    ready = tmp_path / "tricklog" / "compiled" / kernel.digest() / "ready"
    wait_until(lambda: len(engine.check()) == 2)
    before = {node.is_ready for node in engine.check()}
    wait_until(lambda: len(set(engine.map(tasks.where, range(20)))) == 2)
    assert before == {True, False}
    assert ready.read_bytes() == build.packed()["ready"]
    ready.unlink()
    assert sorted(warmed.how for warmed in engine.warm_up()) == ["copied", "ready"]
    assert ready.exists()
    nodes.kill_node()


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


# --- What nodes have, without any


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
