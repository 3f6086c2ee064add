"""Engines of a lake: every result once, errors as they were, nobody left behind, whatever is lost.

In this process, in others of this machine, and in the thorough tier on a cluster of Ray. What nodes
of a cluster must have, and who is told what they lack, is tried without any.
"""

import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.cli.command_line import run_process
from tests.conftest import REPOSITORY
from tests.kit import engine_tasks as tasks
from tests.kit.dirty_logs import write_dirty_logs
from tests.kit.engine_tasks import meeting, workers_of
from tests.kit.ray_cluster import RayCluster, two_nodes
from tests.kit.ray_driver import RACE, RayDriver, mapped
from tests.kit.stored import content
from tests.kit.waiting import PATIENCE, await_that, meanwhile
from tricklog import LoadReport, ingest
from tricklog.ingest.lake import engines, on_ray
from tricklog.ingest.lake.engines import (
    ClusterError,
    Engine,
    EngineError,
    Here,
    Processes,
    engine_of,
)
from tricklog.ingest.lake.load import How, load
from tricklog.ingest.lake.on_ray import Cluster
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.loading import workers
from tricklog.ingest.loading.workers import WorkerError
from tricklog.ingest.reading.sources import SourceError

pytestmark = pytest.mark.posix

PAUSES = (0.0, 0.01, 0.02)
Doing = Callable[[Callable[[Any], Any], Iterable[Any]], list[Any]]
"""Has an engine do work with each item; returns all results as they came."""


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """Two processes, both of which have begun."""
    with Processes(2) as engine:
        list(engine.map(meeting, [str(tmp_path_factory.mktemp("meeting"))] * 2))
        yield engine


@pytest.fixture(params=["here", "processes"])
def engine(request: pytest.FixtureRequest, processes: Processes) -> Engine:
    return Here() if request.param == "here" else processes


# --- A cluster
CLUSTER = "a cluster; what is told of nodes is in the first tier, without any"


@pytest.fixture(scope="module")
def nodes() -> Iterator[RayCluster]:
    with two_nodes() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def connected(nodes: RayCluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RayDriver]:
    driver = RayDriver("ray", nodes.environment, tmp_path_factory.mktemp("driver") / "said.txt")
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


def look_again_at_once(cluster: Cluster) -> int:
    cluster._looked = float("-inf")
    return cluster.slots


def numbers(_: Cluster) -> list[str]:
    import ray

    nodes: Any = ray.nodes
    return [node["NodeID"] for node in nodes() if node["Alive"]]


def mapped_soon(cluster: Cluster, work: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
    """Return all results where storage that fails is asked again at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "PAUSES", PAUSES)
        return mapped(cluster, work, items)


EACH = (
    "here",
    "processes",
    pytest.param("ray", marks=[pytest.mark.ray, pytest.mark.thorough(CLUSTER)]),
)


@pytest.fixture(params=EACH)
def doing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Doing:
    """Each engine, which asks storage that fails again at once."""
    if request.param == "ray":
        driver: RayDriver = request.getfixturevalue("driver")
        return lambda work, items: driver(mapped_soon, work, list(items))
    monkeypatch.setattr(engines, "PAUSES", PAUSES)
    engine = Here() if request.param == "here" else request.getfixturevalue("processes")
    return lambda work, items: list(engine.map(work, items))


# --- What comes back
def test_every_result_comes_once(doing: Doing) -> None:
    assert sorted(doing(tasks.doubled, range(50))) == list(range(0, 100, 2))
    assert doing(tasks.doubled, []) == []


@pytest.mark.parametrize("doing", EACH[1:], indirect=True)
def test_results_come_as_they_are_ready_and_work_is_shared(doing: Doing, tmp_path: Path) -> None:
    assert doing(tasks.slowly_doubled, range(5))[-1] == 0
    found = set(doing(meeting, [str(tmp_path)] * 2))
    assert len(found) == 2
    assert os.getpid() not in found


def test_two_rows_of_tasks_go_side_by_side_in_as_many_slots(processes: Processes) -> None:
    assert processes.slots == 2
    assert set(Here().map(tasks.where, range(3))) == {os.getpid()}
    one, two = processes.map(tasks.napping, range(5)), processes.map(tasks.doubled, range(5))
    found = [next(one), next(two), *one, *two]
    assert sorted(found) == sorted([*range(5), *range(0, 10, 2)])


def test_items_are_taken_as_there_is_room(engine: Engine) -> None:
    given: list[int] = []

    def items() -> Iterator[int]:
        for number in range(30):
            given.append(number)
            yield number

    for taken, _ in enumerate(engine.map(tasks.doubled, items())):
        assert len(given) - taken <= 2 * engine.slots
    assert len(given) == 30


# --- Errors
def test_an_error_is_what_the_task_raised(doing: Doing) -> None:
    with pytest.raises(ValueError, match="not 3") as raised:
        doing(tasks.failing, range(10))
    assert str(raised.value) == "not 3"
    assert "engine_tasks.py" in "".join(raised.value.__notes__)
    assert doing(tasks.doubled, [1]) == [2]


def test_an_error_keeps_its_words_and_one_that_cannot_travel_is_told(engine: Engine) -> None:
    with pytest.raises(SourceError) as raised:
        list(engine.map(tasks.failing_in_own_words, [1]))
    error = raised.value
    assert (error.code.value, error.message, error.hint, str(error)) == (
        "unreadable-file", "cannot be read", "Mount it.", "cannot be read"
    )  # fmt: skip
    with pytest.raises(RuntimeError, match="Stubborn: stubborn"):
        list(engine.map(tasks.failing_stubbornly, [1]))


def test_storage_that_does_not_answer_is_asked_again(doing: Doing, tmp_path: Path) -> None:
    assert doing(tasks.unreachable_at_first, [(tmp_path, 3)]) == [3]


def test_storage_that_never_answers_is_given_up(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "PAUSES", PAUSES)
    with pytest.raises(OSError, match="NETWORK_CONNECTION"):
        list(engine.map(tasks.unreachable_at_first, [(tmp_path, 9)]))
    assert len(list(tmp_path.iterdir())) == 1 + engines.RETRIES


def test_what_storage_refuses_is_not_asked_for_again(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="ACCESS_DENIED"):
        list(engine.map(tasks.refused, [tmp_path]))
    with pytest.raises(FileNotFoundError) as raised:
        list(engine.map(tasks.missing, [tmp_path]))
    assert raised.value.filename == "s3://logs/a"
    assert len(list(tmp_path.iterdir())) == 2


def test_only_what_is_small_travels(doing: Doing) -> None:
    sizes = [engines.LARGEST - 200] * 5
    assert [len(found) for found in doing(tasks.large_result, sizes)] == sizes
    with pytest.raises(TypeError, match=r"the result of large_result has 1,000,0\d\d bytes"):
        doing(tasks.large_result, [engines.LARGEST])


def test_only_what_is_small_and_can_be_written_is_given(engine: Engine) -> None:
    with pytest.raises(TypeError, match=r"the argument of where has 1,000,\d\d\d bytes"):
        list(engine.map(tasks.where, [b"x" * engines.LARGEST]))
    with pytest.raises(TypeError, match="cannot be given to another process"):
        list(engine.map(lambda number: number, [1]))
    with pytest.raises(TypeError, match="where or its argument cannot"):
        list(engine.map(tasks.where, [lambda: None]))


# --- Processes that are lost, and that end
@pytest.mark.parametrize("doing", EACH[1:], indirect=True)
def test_a_lost_process_is_replaced(doing: Doing, tmp_path: Path) -> None:
    assert doing(tasks.dying_at_first, [(tmp_path, engines.RETRIES)]) == [engines.RETRIES]


@pytest.mark.thorough("a process that is lost is replaced in the first tier")
def test_a_task_that_ends_every_process_is_given_up(processes: Processes) -> None:
    with pytest.raises(WorkerError, match=r"\(dying\) was lost 4 times, .* \(SIGKILL\)"):
        list(processes.map(tasks.dying, [1]))
    assert sorted(processes.map(tasks.doubled, range(3))) == [0, 2, 4]


def first_of_endless(engine: Engine) -> int:
    results = engine.map(tasks.endless_for_zero, [0, 1])
    first = next(results)
    results.close()  # type: ignore[attr-defined]  # it is a generator
    return first


@pytest.mark.thorough("tasks that nobody waits for cost time only")
def test_what_nobody_waits_for_is_dropped() -> None:
    with Processes(2) as engine:
        other = engine.map(tasks.doubled, [1, 2])
        first = next(other)
        assert first_of_endless(engine) == 1
        assert {first, *other} == {2, 4}
        assert sorted(engine.map(tasks.napping, range(9))) == list(range(9))


@pytest.mark.ray
@pytest.mark.thorough(CLUSTER)
def test_what_nobody_waits_for_is_dropped_there(driver: RayDriver, nodes: RayCluster) -> None:
    assert driver(first_of_endless) == 1
    await_that(lambda: not nodes.tasks())
    assert sorted(driver(mapped, tasks.doubled, range(5))) == [0, 2, 4, 6, 8]


def test_where_no_process_starts_this_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for interpreter in ("/bin/false", "/nowhere/python"):
        monkeypatch.setattr(sys, "executable", interpreter)
        with Processes(2) as engine, pytest.raises(WorkerError, match="no process could be start"):
            list(engine.map(tasks.doubled, [1]))
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(EngineError, match="no interpreter of its own"):
        Processes(2)


PROGRAM = """
from tricklog.ingest.lake.engines import engine_of
from tests.kit import engine_tasks as tasks
with engine_of({on!r}) as engine:
    list(engine.map(tasks.endless, range(100)))
"""


def interrupted(folder: Path, on: str, running: Callable[[], int], **settings: str) -> bytes:
    """Have a program do endless tasks, and end it as Ctrl-C does; return what it said."""
    script = folder / "script.py"
    script.write_text(PROGRAM.format(on=on), "utf-8")
    count = 3 if on == "processes=3" else 2
    process = subprocess.Popen(
        [sys.executable, "-W", "error", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | settings | {"PYTHONPATH": os.pathsep.join([str(REPOSITORY), str(folder)])},
        start_new_session=True,
    )
    await_that(lambda: running() == count)
    os.killpg(process.pid, signal.SIGINT)
    out, said = process.communicate(timeout=PATIENCE)
    assert (out, said.decode().splitlines()[-1]) == (b"", "KeyboardInterrupt")
    return said


@pytest.mark.thorough("loads on all cores are interrupted in tests/load")
def test_ctrl_c_ends_all_at_once_and_leaves_nobody(tmp_path: Path) -> None:
    said = interrupted(tmp_path, "processes=3", lambda: len(workers_of(str(tmp_path))))
    assert b"Warning" not in said
    assert workers_of(str(tmp_path)) == []


@pytest.mark.ray
@pytest.mark.thorough(CLUSTER)
def test_ctrl_c_ends_all_there(driver: RayDriver, nodes: RayCluster, tmp_path: Path) -> None:
    assert driver(look_again_at_once) == 2
    interrupted(tmp_path, "ray", lambda: len(nodes.tasks()), **nodes.environment)
    await_that(lambda: not nodes.tasks())


@pytest.mark.ray
@pytest.mark.thorough(CLUSTER)
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


@pytest.mark.ray
@pytest.mark.thorough(CLUSTER)
def test_a_load_from_outside(
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


@pytest.mark.ray
@pytest.mark.thorough(CLUSTER)
def test_a_task_that_no_node_has_room_for_is_told(driver: RayDriver) -> None:
    with pytest.raises(ClusterError, match="a core and 9,000,000 MB of memory"):
        driver(without_patience, 9_000_000_000_000)
    assert driver(mapped, tasks.doubled, [1], memory=1_000_000) == [2]


def without_patience(cluster: Cluster, memory: int) -> list[int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_ray, "PATIENCE", 0.1)
        patch.setattr(on_ray, "_LOOK_AGAIN", 0.1)
        return mapped(cluster, tasks.doubled, [1], memory=memory)


@pytest.mark.ray
@pytest.mark.thorough(CLUSTER)
def test_lost_workers_and_a_lost_node_cost_no_result(driver: RayDriver, nodes: RayCluster) -> None:
    before = driver.said.read_bytes()
    with pytest.raises(WorkerError, match=r"\(dying\) was lost 4 times, last because its process"):
        driver(mapped, tasks.dying, [1])
    assert driver.said.read_bytes() == before

    def lose() -> None:
        nodes.kill_worker("head")
        nodes.kill_worker("second")
        time.sleep(0.3)
        nodes.kill_node()

    with meanwhile(lose):
        found = sorted(driver(mapped, tasks.napping, range(80)))
    assert found == list(range(80))


@pytest.mark.ray
@pytest.mark.thorough(CLUSTER)
def test_a_load_that_loses_a_node(driver: RayDriver, nodes: RayCluster, tmp_path: Path) -> None:
    samples = sorted((REPOSITORY / "sample_logs" / "valid").rglob("three-games.jsonl"))
    lines = [line for path in samples for line in path.read_bytes().splitlines()]
    logs = write_dirty_logs(lines, tmp_path / "logs", files=6, share=0.02)
    here = ingest.load(*logs, db=tmp_path / "folder")
    lake = f"lake:{tmp_path / 'lake'}"

    def disturb() -> None:
        nodes.kill_worker()
        nodes.kill_worker("second")
        nodes.kill_node()

    with meanwhile(disturb):
        there = driver(loaded, logs, lake)
    for name in ("accepted", "duplicate", "quarantined", "findings"):
        assert getattr(there, name) == getattr(here, name), name
    assert content(lake) == content(tmp_path / "folder")


def loaded(cluster: Cluster, logs: list[Path], lake: str) -> LoadReport:
    return load(logs, storage_of(lake), cluster, how=How(buckets=6))


@pytest.mark.ray
@pytest.mark.thorough(CLUSTER)
def test_a_node_that_comes_later_takes_tasks(connected: RayDriver, nodes: RayCluster) -> None:
    nodes.kill_node()
    await_that(lambda: len(connected(numbers)) == 1)
    nodes.add_node()
    await_that(lambda: len(connected(numbers)) == 2)
    await_that(lambda: len(set(connected(mapped, tasks.where, range(20)))) == 2)
    nodes.kill_node()


# --- Names of engines, and nodes that lack something
def test_engines_have_names_and_others_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "cores", lambda: 5)
    for name, count in ((None, 5), ("processes=7", 7)):
        with engine_of(name) as engine:
            assert engine.slots == count
    with engine_of("here") as engine:
        assert isinstance(engine, Here)
    for name in (
        "", "spark", "processes", "processes=0", "processes=-1", "processes=1025", "processes=x",
        "processes=3 ", "ray:", "ray://", "ray://host", "http://host:80", "host", "a b:80",
    ):  # fmt: skip
        with pytest.raises(EngineError, match="processes=N"), engine_of(name):
            pass
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(EngineError, match=r"pip install 'tricklog\[ray\]'"), engine_of("ray"):
        pass


@pytest.mark.ray
@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1"])
def test_an_address_without_listeners_is_told(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    monkeypatch.setattr("ray.shutdown", lambda: None)
    says = f"The cluster at {address} cannot be used: .*refused"
    with pytest.raises(ClusterError, match=says), engine_of(address):
        pass


STUCK = "Initialization failure from server: Traceback (most recent call last): RuntimeError: "


@pytest.mark.ray
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
    waiting, tried = list(says), []

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
    said = on_ray._attempt_there(engines._request(tasks.doubled, 3), (), wanted)
    cluster._ray = SimpleNamespace(get=lambda _: said, exceptions=exceptions)
    answer = cluster._answer(None)
    assert isinstance(answer, bytes)
    return answer


@pytest.mark.ray
def test_a_node_without_or_with_another_tricklog_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, node = on_ray.edition(), platform.node()
    says = f"{node} .* has another Tricklog .{wanted}. than .* .another."
    with pytest.raises(ClusterError, match=says):
        attempted("another")
    assert engines._result(attempted(wanted)) == 6
    monkeypatch.setitem(sys.modules, "tricklog.ingest.lake.on_ray", None)
    says = f"node {node} of .* cannot use Tricklog .ModuleNotFoundError: .*pip install"
    with pytest.raises(ClusterError, match=says):
        attempted(wanted)


@pytest.mark.ray
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
