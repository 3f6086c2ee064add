"""``tricklog warmup``, and what a load does where compiled rules are missing or cannot be kept."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import ingest
from ingest.cli.commands import doctor
from ingest.lake import on_ray
from ingest.lake.on_ray import Warmed
from ingest.loading import bulk
from ingest.reading.progress import Progress, Stage
from ingest.store.warehouse import checksum, open_snapshot
from replay.compiled import build, kernel
from schemas.hand import Hand
from tests.cli.command_line import CommandLine, run_process, write_log
from tests.cli.terminal import Terminal
from tests.kit.built import build_elsewhere
from tests.kit.log_lines import SOUND_LINE, generated, line


@pytest.fixture
def blocked(tmp_path: Path) -> Path:
    """A folder for builds that nobody can make: one below a file."""
    (tmp_path / "file").touch()
    return tmp_path / "file" / "compiled"


# --- The command


def test_it_compiles_and_says_where(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(kernel, "builds_folder", lambda: tmp_path / "builds")
    monkeypatch.setattr(build, "build", lambda: 51.16)
    monkeypatch.setattr(build, "build_solver", lambda: 20.1)
    monkeypatch.setattr(build, "build_study", lambda: 60.0)
    ran = tricklog("warmup")
    assert ran.status == 0
    assert ran.text == f"The rules are compiled, in 131 s: {kernel.build_folder()}\n"
    assert ran.stderr == ""
    assert tricklog("warmup", "--json").objects == [
        {"folder": str(kernel.build_folder()), "seconds": 131.3, "compiled": True}
    ]


def test_it_says_that_they_were_compiled_already(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "is_ready", lambda: True)
    monkeypatch.setattr(kernel, "solver_is_ready", lambda: True)
    monkeypatch.setattr(kernel, "study_is_ready", lambda: True)
    monkeypatch.setattr(build, "build", lambda: pytest.fail("compiled again"))
    ran = tricklog("warmup")
    assert ran.status == 0
    assert ran.text == f"The rules were compiled already: {kernel.build_folder()}\n"
    assert tricklog("warmup", "--json").objects == [
        {"folder": str(kernel.build_folder()), "seconds": 0.0, "compiled": False}
    ]


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_a_folder_that_cannot_be_made_is_reported_with_what_to_do(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch, blocked: Path, options: list[str]
) -> None:
    monkeypatch.setattr(kernel, "builds_folder", lambda: blocked)
    ran = tricklog("warmup", *options)
    assert ran.status == 3
    assert ran.stdout == b""
    assert f"cannot be kept in {kernel.build_folder()}: Not a directory" in ran.stderr
    assert "tricklog load works without it" in ran.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="the folder is named as on Linux")
def test_the_folder_is_that_of_the_environment(blocked: Path) -> None:
    ran = run_process("warmup", XDG_CACHE_HOME=str(blocked))
    assert ran.status == 3
    assert f"{blocked}/tricklog/compiled/" in ran.stderr


@pytest.mark.posix
def test_a_terminal_shows_how_long_it_has_taken() -> None:
    script = (
        "import time; from ingest.cli.progress import ProgressLine; "
        "from ingest.reading.progress import Progress, Stage\n"
        "with ProgressLine('Warming up') as line:\n"
        "    line.report(Progress(Stage.COMPILING)); time.sleep(3)"
    )
    terminal = Terminal(program=["-c", script])
    terminal.wait_for("Warming up: compiling the rules, about 40 seconds, 0 s so far")
    assert terminal.ended() == 0
    assert re.search(r"[1-9] s so far", terminal.shown)


def test_what_is_compiled_lies_in_the_folder_of_the_build_itself() -> None:
    build_elsewhere()
    assert list(kernel.build_folder().glob("driver.judge-*.nbi"))
    assert not [path for path in kernel.build_folder().iterdir() if path.is_dir()]


@pytest.mark.parametrize("ready", [True, False])
def test_the_doctor_says_whether_the_rules_are_compiled(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch, *, ready: bool
) -> None:
    monkeypatch.setattr(doctor, "_engine", str)
    monkeypatch.setattr(kernel, "is_ready", lambda: ready)
    ran = tricklog("doctor", "--json")
    assert ran.status == 0
    (check,) = [row for row in ran.objects if row["name"] == "compiled rules"]
    assert check["ok"] is (True if ready else None)
    assert (str(kernel.build_folder()) if ready else "tricklog warmup") in check["says"]


# --- On a cluster


class Nodes:
    def warm_up(self) -> list[Warmed]:
        return [Warmed("a", "ready"), Warmed("b", "copied"), Warmed("c", "none")]


def test_it_says_of_each_node_how_it_came_to_compiled_rules(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, bool]] = []

    @contextmanager
    def on_cluster(on: str, *, is_warm: bool) -> Iterator[Nodes]:
        asked.append((on, is_warm))
        yield Nodes()

    monkeypatch.setattr(on_ray, "on_cluster", on_cluster)
    ran = tricklog("warmup", "--on", "ray://head:10001")
    assert (ran.status, ran.stderr) == (0, "")
    assert [row.partition(":")[0] for row in ran.text.splitlines()] == ["a", "b", "c"]
    assert "XDG_CACHE_HOME" in ran.text
    (told,) = tricklog("warmup", "--on", "ray", "--json").objects
    assert told["nodes"] == [
        {"node": "a", "how": "ready"}, {"node": "b", "how": "copied"}, {"node": "c", "how": "none"}
    ]  # fmt: skip
    assert asked == [("ray://head:10001", False), ("ray", False)]


@pytest.mark.parametrize(
    ("on", "status", "says"),
    [
        ("processes=2", 2, "processes=2 is no cluster"),
        ("127.0.0.1:1", 3, "The cluster at 127.0.0.1:1 cannot be used: Connection refused."),
    ],
)
def test_a_cluster_that_is_not_there_is_told(
    on: str, status: int, says: str, tricklog: CommandLine
) -> None:
    ran = tricklog("warmup", "--on", on)
    assert (ran.status, ran.stdout) == (status, b"")
    assert says in ran.stderr


# --- Loading without compiled rules that could be kept


def test_a_build_counts_only_where_the_compiler_can_take_it_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(kernel, "builds_folder", lambda: tmp_path)
    assert not kernel.is_ready()
    kernel.build_folder().mkdir()
    assert not kernel.is_ready()
    (kernel.build_folder() / "ready").touch()
    assert kernel.is_ready()
    writable = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and writable(path, mode))
    assert not kernel.is_ready()


def test_a_small_log_is_read_with_care_where_nothing_is_compiled(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch, blocked: Path, clean_log: Path
) -> None:
    monkeypatch.setattr(kernel, "builds_folder", lambda: blocked)
    monkeypatch.setattr(bulk, "WORTH_LOADING", 0)
    monkeypatch.setattr(bulk, "read_bulk", lambda *_, **__: pytest.fail("compiled"))
    ran = tricklog("load", clean_log, "--db", "club")
    assert (ran.status, ran.stderr) == (0, "")


def test_a_large_log_is_loaded_with_rules_that_are_not_kept(
    monkeypatch: pytest.MonkeyPatch, blocked: Path, tmp_path: Path
) -> None:
    lines: list[Hand | bytes] = [
        *generated("pedro"),
        SOUND_LINE,
        line(id="spaced").replace(b",", b", "),
        b"oops",
    ]
    log = write_log(tmp_path / "log.jsonl", *lines)
    careful = ingest.load(log, db=tmp_path / "careful")
    # From here on the driver is in memory, so that nothing is compiled again.
    build.build()
    monkeypatch.setattr(kernel, "builds_folder", lambda: blocked)
    monkeypatch.setattr(bulk, "WORTH_WAITING", 0)
    told: list[Progress] = []
    report = ingest.load(log, db=tmp_path / "bulk", on_progress=told.append)
    assert told[0].stage == Stage.COMPILING
    assert report.quarantined == careful.quarantined == 1
    assert report.accepted == careful.accepted == len(lines) - 1
    sums = []
    for name in ("careful", "bulk"):
        with open_snapshot(tmp_path / name) as connection:
            sums.append(checksum(connection))
    assert sums[0] == sums[1]


def test_nothing_is_compiled_apart_where_it_cannot_be_kept(
    monkeypatch: pytest.MonkeyPatch, blocked: Path
) -> None:
    monkeypatch.setattr(kernel, "builds_folder", lambda: blocked)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("compiled"))
    with pytest.raises(NotADirectoryError):
        build.build_in_background()


def test_compiling_in_the_background_takes_the_time_nobody_else_wants(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build_elsewhere()
    build.build_in_background()
    started: list[tuple[list[str], dict[str, Any], subprocess.Popen[bytes]]] = []
    start = subprocess.Popen

    def noted(command: list[str], **options: Any) -> None:  # noqa: ANN401
        started.append((command, options, start(command, **options)))

    monkeypatch.setattr(build, "is_ready", lambda: False)
    monkeypatch.setattr(subprocess, "Popen", noted)
    with build._lock():
        build.build_in_background()
    assert not started, "somebody compiles"
    build.build_in_background()
    ((command, options, process),) = started
    assert process.wait(timeout=120) == 0
    assert "os.nice(19)" in command[-1]
    assert options["start_new_session"]


@pytest.mark.thorough("it compiles the rules anew, which takes a minute of the processor")
@pytest.mark.skipif(sys.platform != "linux", reason="the folder is named as on Linux")
def test_the_driver_is_made_without_a_folder_for_it(blocked: Path) -> None:
    script = (
        "from replay.compiled import build, kernel\n"
        "try:\n"
        "    build.build()\n"
        "except OSError:\n"
        "    kernel.driver()\n"
        "    print('made')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ
        | {"XDG_CACHE_HOME": str(blocked), "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "made\n"
