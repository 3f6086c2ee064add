"""Settings that all tests share.

Three things may be missing on a machine. Two have a setting each, and the object store that tests
start, see ``tests.kit.object_store``, is made by ``./dev setup``:

`TRICKLOG_SHARED`
    A folder of reference data that is too big, or not ours, to ship: records of other programs'
    games, and what those programs themselves made of them. By default it is the folder `shared`
    beside the checkout.

`TRICKLOG_CHROMIUM`
    The Chromium that browser tests drive. By default it is the `chromium` of the system.

A test that asks for what is missing is skipped, and says why. On a build server (`CI=true`) it
fails instead, so that a green run there has run everything.
"""

import gc
import importlib
import os
import shutil
import signal
import sys
import tempfile
import uuid
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

from tests.kit import tiers
from tests.kit.made_once import hands_once, loaded_once, played, share_with_others
from tests.kit.object_store import BUCKET, MISSING, PROGRAM, ObjectStore, running_store
from tricklog import Hand
from tricklog.core.compiled import make
from tricklog.core.native import build, library
from tricklog.core.native.scopes import UnsupportedError

# Whoever starts the suite in the background has it begin with signals ignored, and what is started
# from here inherits that. Ctrl-C and an end of the terminal are what many tests are about.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Tests start thousands of processes, and without bytecode each of them compiles every module again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

TESTS = Path(__file__).resolve().parent
REPOSITORY = TESTS.parent
ON_BUILD_SERVER = os.environ.get("CI", "").lower() in {"1", "true"}

NO_REFERENCE_DATA = "no folder of reference data: TRICKLOG_SHARED names none"
NO_CHROMIUM = "no Chromium: none is installed, and TRICKLOG_CHROMIUM names none"

SLOW = "slow"
"""The property of a report that holds why the test is slow."""
SLOW_SECONDS = 5
"""From then on a test is slow. It fails nothing: how long it takes hangs on the machine."""
SLOWEST = 10

# A build server repeats the same examples each time, so that a change is judged by what it changed;
# elsewhere each run looks at new ones.
settings.register_profile(
    "default", deadline=None, max_examples=60, print_blob=True, derandomize=ON_BUILD_SERVER
)
settings.register_profile(
    "thorough",
    settings.get_profile("default"),
    max_examples=60 * tiers.FACTOR,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("default")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of the second tier."""
    parser.addoption(
        "--thorough",
        action="store_true",
        help="run the tests marked thorough as well, and all others at a larger size",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose the tier; let the processes of a run that has several share what they make."""
    if config.option.thorough:
        os.environ[tiers.SETTING] = "1"
        settings.load_profile("thorough")
    # What runs the tests beside each other names the columns of a terminal, and lines are folded.
    os.environ.pop("COLUMNS", None)
    if "PYTEST_XDIST_WORKER" in os.environ:
        share_with_others(Path(config.option.basetemp).parent / "shared-games")
    else:
        keep_library()
        # What whoever runs the tests has worked out is not for these, and is not added to.
        kept = tempfile.TemporaryDirectory(prefix="tests-kept-")
        config.add_cleanup(kept.cleanup)
        os.environ["XDG_CACHE_HOME"] = kept.name


def keep_library() -> None:
    """Make the library of machine code again if its sources have changed.

    What lies outside the compiled subset, or cannot be compiled, ends the run with the reason.
    Without a compiler the tests run in plain Python.
    """
    if not library.trouble() or next(build.compilers(), None) is None:
        return
    try:
        make.build()
    except (UnsupportedError, build.NoCompilerError) as error:
        raise pytest.UsageError(str(error)) from None
    library.trouble.cache_clear()
    library.library.cache_clear()


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Have each process of a whole run begin with other modules than the others.

    Modules are compiled, and games that bots play for their parameters played, by the first that
    imports them; those that go through them in the same order all do the same work, or wait for it.
    Nothing of what is collected is garbage, so the collector is not to look for any.
    """
    gc.disable()
    number = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    if not number or {Path(argument).resolve() for argument in session.config.args} != {TESTS}:
        return
    modules = sorted(TESTS.rglob("test_*.py"))
    first = len(modules) * int(number) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for path in modules[first:] + modules[:first]:
        # What does not import fails once more, with all that is to be said, when it is collected.
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(path.relative_to(REPOSITORY).with_suffix("").parts))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests of the second tier out of the first; note why a test may be slow."""
    first: list[pytest.Item] = []
    second: list[pytest.Item] = []
    for item in items:
        marker = item.get_closest_marker("thorough")
        (second if marker and not tiers.is_thorough() else first).append(item)
        if slow := item.get_closest_marker("slow") or marker:
            item.user_properties.append((SLOW, slow.args[0]))
    if second:
        items[:] = first
        config.hook.pytest_deselected(items=second)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the slowest tests, and those that are slow and do not say why."""
    seconds = defaultdict[str, float](float)
    explained = set()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid] += report.duration
                if SLOW in dict(report.user_properties):
                    explained.add(report.nodeid)
    by_time = sorted(seconds.items(), key=lambda each: -each[1])
    slowest = [each for each in by_time[:SLOWEST] if each[1] > 1]
    unexplained = [
        (name, took) for name, took in by_time if took > SLOW_SECONDS and name not in explained
    ]
    for title, tests in (
        (f"{SLOWEST} slowest tests", slowest),
        (f"over {SLOW_SECONDS} s without a reason: mark them slow(reason)", unexplained),
    ):
        if tests:
            terminalreporter.section(title)
            for name, took in tests:
                terminalreporter.write_line(f"{took:6.1f} s  {name}")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Take what was collected, which stays to the end, out of the sight of the collector.

    Some 700,000 objects take it half a second each time it goes through them all.
    """
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    """Let the collector end what was collected, as libraries look for what is left over."""
    gc.unfreeze()


def pytest_report_header() -> list[str]:
    """Say which tier this is, and what is left out of it for want of what."""
    tier = "both tiers" if tiers.is_thorough() else "the first tier; --thorough runs both"
    lacking = [
        (reference_data(), "comparisons with other programs", NO_REFERENCE_DATA),
        (chromium(), "tests in a browser", NO_CHROMIUM),
        (PROGRAM if PROGRAM.exists() else None, "tests of object stores", MISSING),
    ]
    becomes = "fails" if ON_BUILD_SERVER else "left out"
    return [
        f"tests: {tier}",
        *(f"{becomes}: {tests}, as there is {why}" for found, tests, why in lacking if not found),
    ]


def reference_data() -> Path | None:
    """The folder of reference data, if there is one, see `TRICKLOG_SHARED`."""
    folder = Path(os.environ.get("TRICKLOG_SHARED") or REPOSITORY.parent / "shared")
    return folder if folder.is_dir() else None


def chromium() -> Path | None:
    """The Chromium to drive, if there is one, see `TRICKLOG_CHROMIUM`."""
    found = shutil.which(os.environ.get("TRICKLOG_CHROMIUM") or "chromium")
    return Path(found) if found else None


def missing(what: str) -> NoReturn:
    """Skip the test that needs `what`; fail it on a build server."""
    if ON_BUILD_SERVER:
        pytest.fail(f"{what} (nothing may be skipped when CI is set)", pytrace=False)
    pytest.skip(what)


@pytest.fixture(autouse=True)
def _no_metrics_of_others() -> Iterator[None]:
    """Forget metrics of one's own that a command of another test has named, as a process would."""
    os.environ.pop("TRICKLOG_METRICS", None)
    yield
    os.environ.pop("TRICKLOG_METRICS", None)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The top folder of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of reference data, see `TRICKLOG_SHARED`."""
    folder = reference_data()
    if folder is None:
        missing(NO_REFERENCE_DATA)
    return folder


@pytest.fixture(scope="session")
def small_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of ``tests.kit.dashboard_logs`` with its facts, to be read and copied only."""
    from tests.kit.dashboard_logs import write_logs

    return loaded_once(tmp_path_factory, "small", lambda folder: write_logs(folder / "logs"))


@pytest.fixture(scope="session")
def club_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of a club with enough games to compare its players, to be read and copied."""

    def hands() -> tuple[Hand, ...]:
        return played("pedro", 12, 21) + played("pidro", 6, 22)

    return hands_once(tmp_path_factory, "club", hands)


@pytest.fixture(scope="session")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of a club whose temperaments are known: one bids above the cards, one below.

    It is to be read and copied.
    """
    from tests.kit.simulated_club import write_season

    def write(folder: Path) -> Path:
        return write_season(folder / "log.jsonl", seed=3, evenings=18, variants=("king-pedro",))

    return loaded_once(tmp_path_factory, "season", write)


@pytest.fixture(scope="session")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of two evenings with its facts, to be read only."""
    from tests.kit.evening_logs import two_evenings, write_records

    def write(folder: Path) -> Path:
        return write_records(folder / "log.jsonl", two_evenings())

    return loaded_once(tmp_path_factory, "evenings", write)


@pytest.fixture(scope="session")
def ledgers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of hands of two games of Pidro and one of King Pedro with its facts.

    It is to be read and copied. Only Pidro is to be worked out.
    """

    def hands() -> tuple[Hand, ...]:
        pidro = played("pidro", 2, 8)
        return pidro[:3] + pidro[-2:] + played("king-pedro", 1, 2)[:2]

    return hands_once(tmp_path_factory, "ledgers", hands)


def _served(db: Path, factory: pytest.TempPathFactory, name: str) -> Iterator[str]:
    """Serve a copy of a warehouse, into which nobody loads."""
    from tests.kit.browsing import serving

    folder = factory.mktemp(name)
    with serving(shutil.copytree(db, folder / "db"), folder, REPOSITORY) as address:
        yield address


@pytest.fixture(scope="session")
def small_server(small_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard over a small warehouse."""
    yield from _served(small_warehouse, tmp_path_factory, "small-server")


@pytest.fixture(scope="session")
def club_server(club_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard over the warehouse of the club."""
    yield from _served(club_warehouse, tmp_path_factory, "club-server")


@pytest.fixture(scope="session")
def chromium_path() -> Path:
    """The Chromium to drive, see `TRICKLOG_CHROMIUM`."""
    found = chromium()
    if found is None:
        missing(NO_CHROMIUM)
    return found


@pytest.fixture(scope="session")
def object_store() -> Iterator[ObjectStore]:
    """An object store on this machine."""
    if not PROGRAM.exists():
        missing(MISSING)
    with running_store() as store:
        yield store


@pytest.fixture
def s3_prefix(object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> str:
    """An address in the object store below which there is nothing yet; it can be reached."""
    for name, value in object_store.environment.items():
        monkeypatch.setenv(name, value)
    return f"s3://{BUCKET}/{uuid.uuid4().hex}"
