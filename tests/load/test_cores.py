"""Careful work on every core: the same warehouse as in one process, and no process left behind."""

import os
import random
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.kit import engine_tasks
from tests.kit.bad_lines import BAD_LINES
from tests.kit.filling_logs import first_hands
from tests.kit.log_lines import generated, write_hands, write_lines
from tests.kit.stored import content, rows
from tests.kit.tiers import is_thorough
from tests.kit.waiting import PATIENCE, await_that, meanwhile
from tests.load.test_bulk import hands_of_all_kinds, replace_snapshot, rules_in_other_words
from tricklog import LoadReport, Reject, WarehouseError, encode_hand, generate, ingest
from tricklog.core.native import library
from tricklog.ingest.loading import careful, workers
from tricklog.ingest.loading.workers import Aside, Done, Task, Team, WorkerError
from tricklog.ingest.reading import intake

REPOSITORY = Path(__file__).parents[2]
ONCE = pytest.mark.thorough("processes that start take long; another of these tests shows it")

pytestmark = pytest.mark.posix


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have few hands shared, in many small portions, as what is done without the library."""
    monkeypatch.setattr(library, "is_there", lambda: False)
    monkeypatch.setattr(careful, "WORTH_REPLAYING", 0)
    monkeypatch.setattr(careful, "PORTION", 1 << 12)
    monkeypatch.setattr(workers, "IN_FLIGHT", 1 << 14)


Loaded = tuple[list[LoadReport], list[Reject], str, list[tuple[Any, ...]]]
"""Reports, rejects in their order, what the warehouse holds, and who sat where."""


def load_with(count: int, db: Path, monkeypatch: pytest.MonkeyPatch, *loads: list[Path]) -> Loaded:
    """Load logs with care, one load after the other, with so many processes."""
    monkeypatch.setattr(workers, "cores", lambda: count)
    rejects: list[Reject] = []
    reports = [
        replace_snapshot(ingest.load(*paths, db=db, on_reject=rejects.append)) for paths in loads
    ]
    numbers = rows(db, "SELECT hand_id, seating_id FROM hands ORDER BY hand_id")
    return reports, rejects, content(db), numbers


def load_on_one_and_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *loads: list[Path]
) -> Loaded:
    """Load logs in this process and with two others; return what both have come to."""
    one, two = (load_with(count, tmp_path / f"on-{count}", monkeypatch, *loads) for count in (1, 2))
    assert one == two
    return two


@pytest.mark.usefixtures("small_portions")
def test_hands_of_all_kinds_in_any_order_give_the_same_warehouse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(3)
    lines = [encode_hand(hand) for hand in hands_of_all_kinds(chance)]
    lines = lines if is_thorough() else lines[::12]
    lines += rules_in_other_words(first_hands()[:10])
    chance.shuffle(lines)
    bad = [case.text for case in BAD_LINES]
    lines = [line for pair in zip(lines, bad, strict=False) for line in pair] + lines[len(bad) :]
    first = write_lines(tmp_path / "first.jsonl", lines[: len(lines) // 2])
    second = write_lines(tmp_path / "second.jsonl", lines[len(lines) // 3 :])
    loads = [[first], [second, first]] if is_thorough() else [[first, second, first]]
    reports, rejects, _, _ = load_on_one_and_two(tmp_path, monkeypatch, *loads)
    assert reports[0].findings
    assert len(rejects) > 10
    assert reports[-1].duplicate > 0 < reports[-1].accepted


@ONCE
@pytest.mark.usefixtures("small_portions")
@pytest.mark.parametrize("long_game", [1_000, 9_000])
def test_long_games_are_judged_in_their_turn(
    long_game: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = [*generate("pidro", 6, seed=3), *generate("pedro", 4, seed=3)]
    hands[3] = replace(hands[3], dealer=(hands[3].dealt_by + 1) % 4)
    hands = [*hands[::2], *hands[1::2], replace(hands[0], id="again")]
    first = write_hands(tmp_path / "a.jsonl", hands[:-9])
    second = write_hands(tmp_path / "b.jsonl", hands[-9:])
    monkeypatch.setattr(intake, "LONG_GAME", long_game)
    reports, _, whole, _ = load_on_one_and_two(tmp_path, monkeypatch, [first], [second])
    monkeypatch.undo()
    ingest.load(first, db=tmp_path / "short")
    report = ingest.load(second, db=tmp_path / "short")
    assert report.findings == reports[1].findings != {}
    assert content(tmp_path / "short") == whole


@pytest.fixture(scope="module")
def team() -> Iterator[Team]:
    with Team(2) as two:
        yield two


# --- A team by itself
Part = Task[int, Any] | Aside[str]


def tasks(work: Callable[[int], Any], count: int) -> list[Part]:
    return [Task(work, number, 1) for number in range(count)]


def test_results_come_in_order_with_what_lies_between_the_tasks(team: Team) -> None:
    parts = tasks(engine_tasks.slowly_doubled, 9)
    parts[4:4] = [Aside("a"), Aside("b")]
    expected: list[Done[int, Any] | Aside[str]] = [Done(n, 2 * n) for n in range(9)]
    expected[4:4] = [Aside("a"), Aside("b")]
    for each in (team, Team(1)):
        assert list(each.do(parts)) == expected
        assert list(each.do(parts)) == expected


def test_tasks_are_done_by_as_many_processes_as_there_are_cores(team: Team, tmp_path: Path) -> None:
    # One process that begins before the other could do any number of tasks alone.
    meetings: list[Task[str, int] | Aside[str]] = [Task(engine_tasks.meeting, str(tmp_path), 1)] * 2
    done = list(team.do(meetings))
    found = {each.result for each in done if isinstance(each, Done)}
    assert len(found) == 2
    assert os.getpid() not in found
    assert list(Team(1).do(tasks(engine_tasks.where, 1))) == [Done(0, os.getpid())]


def test_no_more_is_given_out_than_some_bytes(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "IN_FLIGHT", 100)
    given: list[int] = []

    def parts() -> Iterator[Part]:
        for number in range(50):
            given.append(number)
            yield Task(engine_tasks.doubled, number, 40)

    for taken, _ in enumerate(team.do(parts())):
        assert len(given) - taken <= 6
    assert len(given) == 50


def test_a_task_that_fails_is_done_again_and_a_process_that_is_ended_is_told() -> None:
    with Team(2) as team:
        parts: list[Part] = [Task(engine_tasks.failing_elsewhere, os.getpid(), 1)]
        assert list(team.do(parts)) == [Done(os.getpid(), os.getpid())]
        with pytest.raises(ValueError, match="not 0"):
            list(team.do(tasks(engine_tasks.always_failing, 3)))
        assert len(list(team.do(tasks(engine_tasks.noisy, 3)))) == 3
        with pytest.raises(WorkerError, match=r"ended \(SIGKILL\), as the system"):
            list(team.do(tasks(engine_tasks.dying, 5)))


@pytest.mark.parametrize("interpreter", ["/bin/false", "/nowhere/python", "", None])
def test_where_no_process_can_be_started_tasks_are_done_here(
    interpreter: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", interpreter)
    with Team(2) as team:
        found = list(team.do(tasks(engine_tasks.where, 5)))
    assert found == [Done(number, os.getpid()) for number in range(5)]


def test_there_are_as_many_processes_as_cores_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(3)), raising=False)
    assert workers.cores() == 3
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)), raising=False)
    assert workers.cores() == workers.MOST
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert workers.cores() == 1


def test_few_hands_are_replayed_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def started() -> None:
        raise AssertionError

    monkeypatch.setattr(workers, "cores", lambda: 2)
    monkeypatch.setattr(workers, "Worker", started)
    log = write_hands(tmp_path / "log.jsonl", generated("pedro", 2))
    assert ingest.load(log, db=tmp_path / "db").accepted > 10


# --- Loads that do not come to their end, and where they may be started
@pytest.mark.usefixtures("small_portions")
def test_a_load_whose_helper_is_killed_publishes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "db"
    log = write_hands(tmp_path / "log.jsonl", generated("pedro", 2))
    again = write_hands(tmp_path / "again.jsonl", generated("pidro", 1))
    ingest.load(log, db=db)
    before = sorted(path.name for path in db.iterdir())
    monkeypatch.setattr(workers, "cores", lambda: 2)
    with monkeypatch.context() as patched:
        patched.setattr(careful, "judge_games", engine_tasks.dying)
        with pytest.raises(WarehouseError, match="Nothing was published, the warehouse is as"):
            ingest.load(again, db=db)
    assert sorted(path.name for path in db.iterdir() if path.name != "drafts") == before
    monkeypatch.setattr(workers, "cores", lambda: 1)
    assert ingest.load(again, db=db).accepted > 0


@ONCE
@pytest.mark.usefixtures("small_portions")
def test_a_threaded_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "cores", lambda: 2)
    log = write_hands(tmp_path / "log.jsonl", generated("pedro", 2))
    found: list[LoadReport] = []
    with meanwhile(lambda: found.append(ingest.load(log, db=tmp_path / "db"))):
        pass
    assert found[0].accepted == found[0].lines > 0


PATCHED = """
from tricklog.ingest.loading import careful, workers
from tricklog.core.native import library
from tests.kit import engine_tasks
library.is_there = lambda: False
workers.cores = lambda: 2
careful.WORTH_REPLAYING = 0
careful.PORTION = 1 << 12
"""


def begun(tmp_path: Path, program: str) -> subprocess.Popen[str]:
    """Start a program that shares little work, too; ``tmp_path`` marks the processes it starts."""
    script = tmp_path / "script.py"
    script.write_text(PATCHED + textwrap.dedent(program), "utf-8")
    # A folder that is there, or the interpreter would leave it out.
    path = os.pathsep.join([str(REPOSITORY), str(tmp_path)])
    return subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path, "XDG_CACHE_HOME": str(tmp_path)},
        start_new_session=True,
    )


def test_a_script_without_a_guard_runs_once_and_its_helpers_end_with_it(tmp_path: Path) -> None:
    write_hands(tmp_path / "log.jsonl", generated("pedro", 2))
    program = """
    import tricklog
    print("once")
    print(tricklog.load("log.jsonl", db="db").accepted > 10, flush=True)
    with workers.Team(2) as team:
        list(team.do([workers.Task(engine_tasks.begun_endless, n, 1 << 17) for n in range(2)]))
    """
    process = begun(tmp_path, program)
    # In the middle of what they do nobody reads what they are asked next.
    await_that(lambda: len(list(tmp_path.glob(f"{engine_tasks.BEGUN}*"))) == 2)
    process.kill()
    said = process.communicate(timeout=PATIENCE)
    assert said[0].splitlines() == ["once", "True"]
    await_that(lambda: not engine_tasks.workers_of(str(tmp_path)))


COMMAND = """
import sys
from tricklog.ingest.cli import main
sys.argv = ["tricklog", "load", "log.jsonl", "--db", "db"]
sys.exit(main())
"""


@pytest.mark.slow("a load that starts processes, all of which have to be at work")
def test_ctrl_c_ends_all_processes_at_once(tmp_path: Path) -> None:
    write_hands(tmp_path / "log.jsonl", generated("pedro", 2))
    process = begun(tmp_path, f"careful.judge_games = engine_tasks.begun_endless\n{COMMAND}")
    # Without the signal they would go on for longer than is waited for.
    await_that(lambda: len(list(tmp_path.glob(f"{engine_tasks.BEGUN}*"))) == 2)
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert said == ("", "tricklog: interrupted; the warehouse in db is as it was\n")
    assert engine_tasks.workers_of(str(tmp_path)) == []
