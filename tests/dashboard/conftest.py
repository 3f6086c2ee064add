"""Warehouses that several tests of the pages read, and the pages over them."""

import io
import shutil
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import open_app
from tests.kit.at_table import club as duplicate_club
from tests.kit.dashboard_logs import MARK, write_hostile_logs
from tests.kit.in_process import run_here
from tests.kit.log_lines import write_hands
from tests.kit.made_once import made_once, played
from tests.kit.solved import warehouse
from tricklog.core.study import contracts
from tricklog.dashboard.data import jobs
from tricklog.dashboard.data.processes import Ended
from tricklog.dashboard.pages.ledger import hand as ledger_hand
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading.loading import load
from tricklog.ingest.store import userdata
from tricklog.ingest.study import ledger_run
from tricklog.ingest.study.solving import solve
from tricklog.schemas.hand import Hand, Player, encode_hand

HARMFUL = f"<img src=//{MARK}.invalid/y onerror=window.{MARK}=1> **{MARK}** careful"
"""The name of one of the players of the club that has enough games to be compared."""


def cleared(db: Path) -> Path:
    """Forget all that viewers have written beside a warehouse; return it."""
    for name in (userdata.FILE_NAME, userdata.COPY_NAME):
        (db / name).unlink(missing_ok=True)
    return db


@pytest.fixture
def app(small_warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The pages over the small warehouse, for tests that write nothing into it."""
    return open_app(small_warehouse, monkeypatch)


@pytest.fixture
def club(club_warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The pages over the warehouse of a club, for tests that write nothing into it."""
    return open_app(club_warehouse, monkeypatch)


@pytest.fixture(scope="session")
def _copied(small_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(small_warehouse, tmp_path_factory.mktemp("own") / "db")


@pytest.fixture
def own(_copied: Path) -> Path:
    """The small warehouse beside which viewers may write, and nobody has written yet."""
    return cleared(_copied)


@pytest.fixture
def own_app(own: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(own, monkeypatch)


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with all that pages may meet.

    A club with enough games to be compared, in which one player has a name that means harm; hands
    of other games, some of them with something wrong; logs in which every text means harm; deals
    that several tables have played.
    """

    def make(folder: Path) -> None:
        hands = [*played("pedro", 12, 21), *played("pidro", 6, 22)]
        lines = [encode_hand(_with_harm(hand)) for hand in hands]
        lines += map(encode_hand, duplicate_club("pidro", 2, 3))
        write_hostile_logs(folder / "logs")
        (folder / "logs" / "club.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
        load(folder / "logs", db=folder / "db")
        open_facts(folder / "db").close()

    return made_once(tmp_path_factory, "swept", make) / "db"


def _with_harm(hand: Hand) -> Hand:
    careful = "bot-careful-1"
    players = [
        Player(each.id, HARMFUL, "bot") if each.id == careful else each for each in hand.players
    ]
    return replace(hand, players=players)


@pytest.fixture(scope="session")
def singles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games in which each plays alone, at tables of five and of seven."""

    def make(folder: Path) -> None:
        hands = [*played("sancho", 1, 3, players=5), *played("sancho", 1, 3, players=7)]
        load(write_hands(folder / "log.jsonl", hands), db=folder / "db")

    return made_once(tmp_path_factory, "singles", make) / "db"


@pytest.fixture(scope="module")
def quick_ledgers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Make ledgers on few stocks and deals, and keep averages apart from those of the user."""
    folder = tmp_path_factory.getbasetemp() / "averages"
    with (
        patch.object(contracts, "_HALVINGS", (1, 1, 1)),
        patch.object(ledger_run, "DEALS", 2),
        patch.object(ledger_run, "MOST_DEALS", 2),
        patch.object(ledger_hand, "DEALS", 2),
        patch("tricklog.core.study.averages.user_cache_path", lambda *_, **__: folder),
        patch("tricklog.ingest.study.kept_ledgers.user_cache_path", lambda *_, **__: folder),
    ):
        yield


@pytest.fixture(scope="session")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(folder: Path) -> None:
        db = warehouse(folder, [*played("pedro", 1, 2), *played("pidro", 2, 3)])
        solve(db, jobs=1)
        open_facts(db).close()

    return made_once(tmp_path_factory, "solved", make) / "db"


@pytest.fixture
def jobs_run_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the commands of jobs in this process; ``test_jobs.py`` has them in their own."""

    def command(job: jobs.Job, arguments: list[str], folder: Path, output: Path) -> Ended:
        with chdir(folder):
            ran = run_here(arguments, folder)
        assert ran.status is not None, ran.raised
        output.write_text(ran.out, "utf-8")
        return Ended(arguments[0], ran.status, job.listen(io.BytesIO(ran.err.encode())))

    monkeypatch.setattr(jobs.Job, "command", command)
