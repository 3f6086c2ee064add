"""A cluster of Ray does the tasks of a lake, whatever is lost."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import run_process
from tests.conftest import REPOSITORY
from tests.kit import engine_tasks as tasks
from tests.kit.dirty_logs import write_dirty_logs
from tests.kit.engine_tasks import meeting
from tests.kit.ray_cluster import RayCluster, two_nodes
from tests.kit.ray_driver import RACE, RayDriver, mapped
from tests.kit.stored import content
from tests.kit.waiting import await_that
from tricklog import ingest
from tricklog.ingest.lake import engines, on_ray
from tricklog.ingest.lake.engines import ClusterError
from tricklog.ingest.lake.load import How, load
from tricklog.ingest.lake.on_ray import Cluster
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.loading.report import LoadReport
from tricklog.ingest.loading.workers import WorkerError

pytestmark = [
    pytest.mark.ray,
    pytest.mark.posix,
    pytest.mark.thorough("a cluster; test_ray_nodes has what is told of nodes, without any"),
]


@pytest.fixture(scope="module")
def nodes() -> Iterator[RayCluster]:
    with two_nodes() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def connected(nodes: RayCluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RayDriver]:
    said = tmp_path_factory.mktemp("driver") / "said.txt"
    driver = RayDriver("ray", nodes.environment, said)
    yield driver
    driver.end()


@pytest.fixture
def driver(nodes: RayCluster, connected: RayDriver) -> RayDriver:
    """A program connected to the cluster with both nodes, whatever was lost before."""
    if not nodes.is_whole:
        nodes.add_node()
    await_that(lambda: len(connected(numbers)) == 2)
    connected(look_again_at_once)
    return connected


def look_again_at_once(cluster: Cluster) -> None:
    cluster._looked = float("-inf")


def numbers(_: Cluster) -> list[str]:
    import ray

    nodes: Any = ray.nodes
    return [node["NodeID"] for node in nodes() if node["Alive"]]


def slots(cluster: Cluster) -> int:
    return cluster.slots


# --- What comes back


def test_every_result_comes_once_from_both_nodes(driver: RayDriver, tmp_path: Path) -> None:
    assert sorted(driver(mapped, tasks.doubled, range(50))) == list(range(0, 100, 2))
    assert driver(slots) == 2
    assert len(set(driver(mapped, meeting, [str(tmp_path)] * 2))) == 2


def test_results_come_as_they_are_ready(driver: RayDriver) -> None:
    assert driver(mapped, tasks.slowly_doubled, range(5))[-1] == 0


def test_errors_are_what_tasks_raised(driver: RayDriver) -> None:
    with pytest.raises(ValueError, match="not 3") as raised:
        driver(mapped, tasks.failing, range(10))
    assert "engine_tasks.py" in "".join(raised.value.__notes__)
    with pytest.raises(TypeError, match="the result of large_result has"):
        driver(mapped, tasks.large_result, [engines.LARGEST])


def test_a_race_within_ray_is_no_failure_of_ours(driver: RayDriver, tmp_path: Path) -> None:
    assert driver(ended_once, tmp_path / "ended", RACE) == 2
    with pytest.raises(AssertionError, match="ended with 1: something else"):
        driver(ended_once, tmp_path / "again", "something else")
    driver.restart()


def ended_once(cluster: Cluster, mark: Path, said: str) -> int:
    if mark.exists():
        return cluster.slots
    mark.touch()
    sys.stdout.write(said)
    sys.stdout.flush()
    os._exit(1)


def test_results_that_are_large_for_ray_come_too(driver: RayDriver) -> None:
    sizes = [engines.LARGEST - 200] * 5
    assert [len(found) for found in driver(mapped, tasks.large_result, sizes)] == sizes


def test_storage_that_does_not_answer_is_asked_again(driver: RayDriver, tmp_path: Path) -> None:
    assert driver(asked_again_soon, tmp_path) == [3]


def asked_again_soon(cluster: Cluster, folder: Path) -> list[int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "PAUSES", (0.0, 0.01, 0.02))
        return mapped(cluster, tasks.unreachable_at_first, [(folder, 3)])


def test_a_load_from_outside_the_cluster(
    nodes: RayCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in nodes.environment.items():
        monkeypatch.setenv(name, value)
    log = REPOSITORY / "sample_logs" / "valid" / "sancho" / "three-games.jsonl"
    lake = f"lake:{tmp_path / 'lake'}"
    ran = run_process("load", log, "--db", lake, "--on", nodes.client_address, "--json")
    here = ingest.load(log, db=tmp_path / "folder")
    assert ran.objects[-1]["accepted"] == here.accepted > 20
    assert content(lake) == content(tmp_path / "folder")


# --- What is lost


def test_a_lost_process_is_replaced(driver: RayDriver, tmp_path: Path) -> None:
    assert driver(mapped, tasks.dying_at_first, [(tmp_path, 1)]) == [1]


def test_a_task_that_ends_every_process_is_given_up(driver: RayDriver) -> None:
    before = driver.said.read_bytes()
    with pytest.raises(WorkerError, match=r"\(dying\) was lost 4 times, last because its process"):
        driver(mapped, tasks.dying, [1])
    assert driver.said.read_bytes() == before


def test_what_nobody_waits_for_is_dropped(driver: RayDriver, nodes: RayCluster) -> None:
    assert driver(first_of_endless) == 1
    await_that(lambda: not nodes.tasks())
    assert sorted(driver(mapped, tasks.doubled, range(5))) == [0, 2, 4, 6, 8]


def first_of_endless(cluster: Cluster) -> int:
    results = cluster.map(tasks.endless_for_zero, [0, 1])
    first = next(results)
    results.close()  # type: ignore[attr-defined]  # it is a generator
    return first


def test_ctrl_c_ends_all_at_once(driver: RayDriver, nodes: RayCluster, tmp_path: Path) -> None:
    assert driver(slots)
    program = """
    from tricklog.ingest.lake.engines import engine_of
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
    await_that(lambda: len(nodes.tasks()) == 2)
    os.killpg(process.pid, signal.SIGINT)
    # What it ends would go on for ten minutes.
    out, said = process.communicate(timeout=300)
    assert (out, said.decode().splitlines()[-1]) == (b"", "KeyboardInterrupt")
    await_that(lambda: not nodes.tasks())


def test_a_task_that_no_node_has_room_for_is_told(driver: RayDriver) -> None:
    with pytest.raises(ClusterError, match="a core and 9,000,000 MB of memory"):
        driver(without_patience, 9_000_000_000_000)
    assert driver(mapped, tasks.doubled, [1], memory=1_000_000) == [2]


def without_patience(cluster: Cluster, memory: int) -> list[int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_ray, "PATIENCE", 0.1)
        patch.setattr(on_ray, "_LOOK_AGAIN", 0.1)
        return mapped(cluster, tasks.doubled, [1], memory=memory)


def test_lost_workers_and_a_lost_node_cost_no_result(driver: RayDriver, nodes: RayCluster) -> None:
    def lose() -> None:
        nodes.kill_worker("head")
        nodes.kill_worker("second")
        time.sleep(0.3)
        nodes.kill_node()

    losing = threading.Thread(target=lose)
    losing.start()
    found = sorted(driver(mapped, tasks.napping, range(80)))
    losing.join()
    assert found == list(range(80))


def test_a_load_that_loses_a_worker_and_a_node(
    driver: RayDriver, nodes: RayCluster, tmp_path: Path
) -> None:
    samples = sorted((REPOSITORY / "sample_logs" / "valid").rglob("three-games.jsonl"))
    lines = [line for path in samples for line in path.read_bytes().splitlines()]
    logs = write_dirty_logs(lines, tmp_path / "logs", files=6, share=0.02)
    here = ingest.load(*logs, db=tmp_path / "folder")
    lake = f"lake:{tmp_path / 'lake'}"

    def disturb() -> None:
        nodes.kill_worker()
        nodes.kill_worker("second")
        nodes.kill_node()

    disturbing = threading.Thread(target=disturb)
    disturbing.start()
    there = driver(loaded, logs, lake)
    disturbing.join()
    assert (there.accepted, there.duplicate, there.quarantined, there.findings) == (
        here.accepted,
        here.duplicate,
        here.quarantined,
        here.findings,
    )
    assert content(lake) == content(tmp_path / "folder")


def loaded(cluster: Cluster, logs: list[Path], lake: str) -> LoadReport:
    return load(logs, storage_of(lake), cluster, how=How(buckets=6))


# --- Nodes that come


def test_a_node_that_comes_later_takes_tasks(connected: RayDriver, nodes: RayCluster) -> None:
    nodes.kill_node()
    await_that(lambda: len(connected(numbers)) == 1)
    nodes.add_node()
    await_that(lambda: len(connected(numbers)) == 2)
    await_that(lambda: len(set(connected(mapped, tasks.where, range(20)))) == 2)
    nodes.kill_node()
