"""Warehouses that several tests of the pages read, and the pages over them."""

import io
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import chdir
from datetime import date
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import go, open_app
from tests.kit.at_table import club as duplicate_club
from tests.kit.dashboard_logs import MARK, write_hostile_logs
from tests.kit.evening_logs import KING, PIPS, SEVEN, Record, holed_game, write_records
from tests.kit.in_process import run_here
from tests.kit.log_lines import write_hands
from tests.kit.made_once import hands_once, loaded_once, made_once, played
from tricklog import core
from tricklog.core.study import contracts
from tricklog.dashboard.data import jobs
from tricklog.dashboard.data.processes import Ended
from tricklog.dashboard.pages.ledger import hand as ledger_hand
from tricklog.ingest.loading.loading import load
from tricklog.ingest.store import userdata
from tricklog.ingest.study import ledger_run
from tricklog.ingest.study.solving import solve
from tricklog.schemas.hand import Hand, Player

HARMFUL = f"<img src=//{MARK}.invalid/y onerror=window.{MARK}=1> **{MARK}** careful"
Visit = Callable[..., AppTest]

CHANGED = {
    "first": date(2026, 2, 20),
    "last": date(2026, 11, 20),
    "games": 40,
    "days": 20,
    "when": date(2026, 6, 1),
    "when_low": date(2026, 5, 2),
    "when_high": date(2026, 7, 3),
}
SHORT, MANY = "evening {}", 60
FIVE = {f"p{number}": name for number, name in enumerate(("Ann", "Bo", "Cy", "<b>Dee</b>", "Eva"))}
PARTIAL = {
    "dispute": """\
game Pedro
players Ann & Cy vs Bo & Dee
date 2026-11-20

hand 1; dealer Ann
Bo p, Cy 8, p, p
Cy trump hearts
then Dee has 7s
trick 3: Bo 8s 4s Kd 9s > Ann
""",
    "evening": """\
game Twenty-Nine
players Ann & Cy vs Bo & Dee
date 2026-11-21

hand 1; dealer Dee; Ann 17, made; points 18 10
hand 2; Bo 18, set by 2; points 12 16
hand 3; Cy 16, made; points 20 8
""",
    "middle": """\
game Cinch
players Ann & Cy vs Bo & Dee
date 2026-11-22

hand 4; dealer Bo
... auction
contract Ann 9 spades
... tricks 1-4
trick 5: Ann As 3s 5s 2s > Ann
... rest
""",
}


def cleared(db: Path) -> Path:
    """Forget all that viewers have written beside a warehouse; return it."""
    for name in (userdata.FILE_NAME, userdata.COPY_NAME):
        (db / name).unlink(missing_ok=True)
    return db


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> Visit:
    """Opens a page as a link does: the folder of the warehouse, the page, its parameters."""
    return lambda db, screen, **asked: go(open_app(db, monkeypatch), screen, **asked)


def pages_over(db: str) -> object:
    @pytest.fixture
    def pages(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AppTest:
        return open_app(request.getfixturevalue(db), monkeypatch)

    return pages


def page_over(db: str, screen: str, **asked: str) -> object:
    """Make a fixture that opens a page over such a warehouse by a link with parameters."""

    @pytest.fixture
    def page(request: pytest.FixtureRequest, visit: Visit) -> Visit:
        return partial(visit, request.getfixturevalue(db), screen, **asked)

    return page


app = pages_over("small_warehouse")
"""For tests that write nothing into it, and so is the next one."""
club = pages_over("club_warehouse")
own_app = pages_over("own")


@pytest.fixture(scope="session")
def _copied(small_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(small_warehouse, tmp_path_factory.mktemp("own") / "db")


@pytest.fixture
def own(_copied: Path) -> Path:
    return cleared(_copied)


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with all that pages may meet.

    A club with enough games to be compared, in which one player has a name that means harm; hands
    of other games, some of them with something wrong; logs in which every text means harm; deals
    that several tables have played.
    """

    def write(folder: Path) -> Path:
        hands = [*played("pedro", 12, 21), *played("pidro", 6, 22)]
        write_hostile_logs(folder / "logs")
        ours = [*map(_with_harm, hands), *duplicate_club("pidro", 2, 3)]
        return write_hands(folder / "logs" / "club.jsonl", ours).parent

    return loaded_once(tmp_path_factory, "swept", write)


def _with_harm(hand: Hand) -> Hand:
    careful = "bot-careful-1"
    players = [
        Player(each.id, HARMFUL, "bot") if each.id == careful else each for each in hand.players
    ]
    return replace(hand, players=players)


@pytest.fixture(scope="session")
def singles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hands_once(
        tmp_path_factory,
        "singles",
        lambda: [hand for seats in (5, 7) for hand in played("sancho", 1, 3, players=seats)],
    )


@pytest.fixture(scope="session")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games for the score sheet, one with holes, some of seven, and `MANY` of an evening."""

    def write(folder: Path) -> Path:
        logs = folder / "logs"
        write_records(logs / "one.jsonl", [*KING, *holed_game(), *SEVEN, *PIPS, *_short_games()])
        alone = [each | {"game": "alone", "id": f"alone {each['id']}"} for each in SEVEN]
        write_records(logs / "three.jsonl", alone)
        write_records(logs / "two.jsonl", [each | {"id": f"2 {each['id']}"} for each in SEVEN[:3]])
        return logs

    return loaded_once(tmp_path_factory, "sheets", write)


def _short_games() -> Iterator[Record]:
    for place in range(MANY):
        began = f"2026-11-20T{19 + place // 60}:{place % 60:02}:00Z"
        yield KING[0] | {"game": SHORT.format(place), "id": f"evening-{place}", "started_at": began}


@pytest.fixture(scope="session")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hands_once(
        tmp_path_factory,
        "deals",
        lambda: [*duplicate_club("pidro", 2, 3), *played("pedro", 2, 5)],
    )


@pytest.fixture(scope="session")
def three_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    games = (("pedro", 12, 21), ("king-pedro", 12, 4), ("twenty-nine", 1, 5))
    return hands_once(
        tmp_path_factory, "three-games", lambda: [hand for each in games for hand in played(*each)]
    )


@pytest.fixture(scope="session")
def paired(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five people, of whom four are drawn for each game."""

    def hands() -> Iterator[Hand]:
        chance = random.Random(1)
        seated = dict[str, list[Player]]()
        for hand in core.generate("sixty-three", 60, seed=1):
            assert hand.game
            if hand.game not in seated:
                drawn = chance.sample(sorted(FIVE), 4)
                seated[hand.game] = [Player(each, FIVE[each]) for each in drawn]
            yield replace(hand, players=seated[hand.game])

    return hands_once(tmp_path_factory, "paired", hands)


@pytest.fixture(scope="session")
def with_gaps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands of which a part was written down: by name the texts of `PARTIAL`."""

    def make(folder: Path) -> None:
        (logs := folder / "logs").mkdir()
        for name, text in PARTIAL.items():
            (logs / f"{name}.trick").write_text(text, "utf-8")
        report = load(logs, db=folder / "db")
        assert report.verdicts == {"irregular": 1, "partial": 4}
        assert report.findings == {"revoke": 1}

    return made_once(tmp_path_factory, "with-gaps", make) / "db"


@pytest.fixture(scope="module")
def quick_ledgers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Make ledgers on few stocks and deals, and keep averages apart from those of the user."""
    folder = tmp_path_factory.getbasetemp() / "averages"
    with (
        patch.object(contracts, "_HALVINGS", (1, 1, 1)),
        patch.object(ledger_run, "DEALS", 2),
        patch.object(ledger_run, "MOST_DEALS", 2),
        patch.object(ledger_hand, "DEALS", 2),
        patch("tricklog.core.study.averages.users_folder", lambda *_, **__: folder),
        patch("tricklog.ingest.study.kept_ledgers.users_folder", lambda *_, **__: folder),
    ):
        yield


@pytest.fixture(scope="session")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hands_once(
        tmp_path_factory,
        "solved",
        lambda: [*played("pedro", 1, 2), *played("pidro", 2, 3)],
        lambda db: solve(db, jobs=1),
    )


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
