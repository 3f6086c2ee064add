"""Engines of a lake on this machine: every result once, errors as they were, nobody left behind."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.kit import engine_tasks as tasks
from tests.kit.engine_tasks import meeting, workers_of
from tricklog.ingest.lake import engines
from tricklog.ingest.lake.engines import Engine, EngineError, Here, Processes, engine_of
from tricklog.ingest.loading import workers
from tricklog.ingest.loading.workers import WorkerError
from tricklog.ingest.reading.sources import SourceError

pytestmark = pytest.mark.posix

PATIENCE = 300
"""Seconds for what takes one on an idle machine; what is ended here would go on for 600."""


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """Two processes, both of which have begun."""
    with Processes(2) as engine:
        list(engine.map(meeting, [str(tmp_path_factory.mktemp("meeting"))] * 2))
        yield engine


@pytest.fixture(params=["here", "processes"])
def engine(request: pytest.FixtureRequest, processes: Processes) -> Engine:
    return Here() if request.param == "here" else processes


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "PAUSES", (0.0, 0.01, 0.02))


# --- What comes back


def test_every_result_comes_once(engine: Engine) -> None:
    assert sorted(engine.map(tasks.doubled, range(50))) == list(range(0, 100, 2))
    assert list(engine.map(tasks.doubled, [])) == []


def test_results_come_as_they_are_ready(processes: Processes) -> None:
    assert list(processes.map(tasks.slowly_doubled, range(5)))[-1] == 0


def test_work_is_shared(processes: Processes, tmp_path: Path) -> None:
    found = set(processes.map(meeting, [str(tmp_path)] * 2))
    assert len(found) == processes.slots == 2
    assert os.getpid() not in found
    assert set(Here().map(tasks.where, range(3))) == {os.getpid()}


def test_items_are_taken_as_there_is_room(engine: Engine) -> None:
    given: list[int] = []

    def items() -> Iterator[int]:
        for number in range(30):
            given.append(number)
            yield number

    for taken, _ in enumerate(engine.map(tasks.doubled, items())):
        assert len(given) - taken <= 2 * engine.slots
    assert len(given) == 30


def test_two_rows_of_tasks_go_side_by_side(processes: Processes) -> None:
    one, two = processes.map(tasks.napping, range(5)), processes.map(tasks.doubled, range(5))
    found = [next(one), next(two), *one, *two]
    assert sorted(found) == sorted([*range(5), *range(0, 10, 2)])


# --- Errors


def test_an_error_is_what_the_task_raised(engine: Engine) -> None:
    with pytest.raises(ValueError, match="not 3") as raised:
        list(engine.map(tasks.failing, range(10)))
    assert str(raised.value) == "not 3"
    assert "engine_tasks.py" in "".join(raised.value.__notes__)
    assert list(engine.map(tasks.doubled, [1])) == [2]


def test_an_error_with_words_of_its_own_keeps_them(engine: Engine) -> None:
    with pytest.raises(SourceError) as raised:
        list(engine.map(tasks.failing_in_own_words, [1]))
    error = raised.value
    assert (error.code.value, error.message, error.hint, str(error)) == (
        "unreadable-file", "cannot be read", "Mount it.", "cannot be read"
    )  # fmt: skip


def test_an_error_that_cannot_travel_is_told(engine: Engine) -> None:
    with pytest.raises(RuntimeError, match="Stubborn: stubborn"):
        list(engine.map(tasks.failing_stubbornly, [1]))


@pytest.mark.usefixtures("no_pauses")
def test_storage_that_does_not_answer_is_asked_again(engine: Engine, tmp_path: Path) -> None:
    assert list(engine.map(tasks.unreachable_at_first, [(tmp_path, 3)])) == [3]


@pytest.mark.usefixtures("no_pauses")
def test_storage_that_never_answers_is_given_up(engine: Engine, tmp_path: Path) -> None:
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


def test_only_what_is_small_travels(engine: Engine) -> None:
    allowed = engines.LARGEST - 200
    assert [len(found) for found in engine.map(tasks.large_result, [allowed])] == [allowed]
    with pytest.raises(TypeError, match=r"the result of large_result has 1,000,0\d\d bytes"):
        list(engine.map(tasks.large_result, [engines.LARGEST]))
    with pytest.raises(TypeError, match=r"the argument of where has 1,000,\d\d\d bytes"):
        list(engine.map(tasks.where, [b"x" * engines.LARGEST]))


def test_only_what_can_be_written_travels(engine: Engine) -> None:
    with pytest.raises(TypeError, match="cannot be given to another process"):
        list(engine.map(lambda number: number, [1]))
    with pytest.raises(TypeError, match="where or its argument cannot"):
        list(engine.map(tasks.where, [lambda: None]))


# --- Processes that are lost, and that end


def test_a_lost_process_is_replaced(processes: Processes, tmp_path: Path) -> None:
    items = [(tmp_path, engines.RETRIES)]
    assert list(processes.map(tasks.dying_at_first, items)) == [engines.RETRIES]


@pytest.mark.thorough("a process that is lost is replaced in the first tier")
def test_a_task_that_ends_every_process_is_given_up(processes: Processes) -> None:
    with pytest.raises(WorkerError, match=r"\(dying\) was lost 4 times, .* \(SIGKILL\)"):
        list(processes.map(tasks.dying, [1]))
    assert sorted(processes.map(tasks.doubled, range(3))) == [0, 2, 4]


@pytest.mark.thorough("tasks that nobody waits for cost time only")
def test_what_nobody_waits_for_is_dropped() -> None:
    with Processes(2) as engine:
        results = engine.map(tasks.endless_for_zero, [0, 1])
        other = engine.map(tasks.doubled, [1, 2])
        first = next(other)
        assert next(results) == 1
        results.close()  # type: ignore[attr-defined]  # it is a generator
        assert {first, *other} == {2, 4}
        assert sorted(engine.map(tasks.napping, range(9))) == list(range(9))


def test_where_no_process_starts_this_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for interpreter in ("/bin/false", "/nowhere/python"):
        monkeypatch.setattr(sys, "executable", interpreter)
        with Processes(2) as engine, pytest.raises(WorkerError, match="no process could be start"):
            list(engine.map(tasks.doubled, [1]))
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(EngineError, match="no interpreter of its own"):
        Processes(2)


@pytest.mark.thorough("loads on all cores are interrupted in tests/load")
def test_ctrl_c_ends_all_at_once_and_leaves_nobody(tmp_path: Path) -> None:
    program = """
    from tricklog.ingest.lake.engines import engine_of
    from tests.kit import engine_tasks as tasks
    with engine_of("processes=3") as engine:
        list(engine.map(tasks.endless, range(100)))
    """
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(program), "utf-8")
    path = os.pathsep.join([str(REPOSITORY), str(tmp_path)])
    process = subprocess.Popen(
        [sys.executable, "-W", "error", script],
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": path},
        start_new_session=True,
    )
    until = time.monotonic() + PATIENCE
    while len(workers_of(str(tmp_path))) != 3:
        assert time.monotonic() < until
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert said.decode().splitlines()[-1] == "KeyboardInterrupt"
    assert b"Warning" not in said
    assert workers_of(str(tmp_path)) == []


# --- Names of engines


def test_engines_have_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "cores", lambda: 5)
    with engine_of(None) as engine:
        assert engine.slots == 5
    with engine_of("processes=7") as engine:
        assert engine.slots == 7
    with engine_of("here") as engine:
        assert isinstance(engine, Here)


def test_other_names_are_refused() -> None:
    for name in (
        "", "spark", "processes", "processes=0", "processes=-1", "processes=1025", "processes=x",
        "processes=3 ", "ray:", "ray://", "ray://host", "http://host:80", "host", "a b:80",
    ):  # fmt: skip
        with pytest.raises(EngineError, match="processes=N"), engine_of(name):
            pass


def test_a_cluster_without_ray_installed_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(EngineError, match=r"pip install 'tricklog\[ray\]'"), engine_of("ray"):
        pass
