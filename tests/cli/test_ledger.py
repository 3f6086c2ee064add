"""Where the results of many hands came from, on the command line."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.solved import solved_for_themes
from tricklog.core.study import contracts
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.theme_costs import theme_costs
from tricklog.ingest.metrics.themes import THEMES
from tricklog.ingest.study import by_hand, ledger_run

SHOW = "show ledger --jobs 1"


@pytest.fixture(scope="module", autouse=True)
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Value few deals on few stocks, and keep everything apart from what the user has."""
    folder = tmp_path_factory.mktemp("cache")
    with (
        patch.object(contracts, "_HALVINGS", (1, 1, 1)),
        patch.object(ledger_run, "DEALS", 2),
        patch.object(ledger_run, "MOST_DEALS", 2),
        patch("tricklog.core.study.averages.users_folder", lambda *_, **__: folder),
        patch("tricklog.ingest.study.kept_ledgers.users_folder", lambda *_, **__: folder),
    ):
        yield


@pytest.fixture
def nothing_kept(tmp_path: Path) -> Iterator[Path]:
    with (
        patch("tricklog.core.study.averages.users_folder", lambda *_, **__: tmp_path),
        patch("tricklog.ingest.study.kept_ledgers.users_folder", lambda *_, **__: tmp_path),
    ):
        yield tmp_path


@pytest.fixture(scope="module")
def db(ledgers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(ledgers, tmp_path_factory.mktemp("club") / "db")


themes = pytest.fixture(scope="module")(solved_for_themes)


def test_each_game_has_a_ledger_of_its_own_that_sums_up(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog(f"{SHOW} --progress --json --db", db)
    # Progress is told to another program.
    stages = [
        (each["stage"], each["done"], each["total"])
        for each in map(json.loads, ran.stderr.splitlines())
    ]
    ledgers = stages.index(("working out ledgers", 7, 7))
    assert {stage for stage, _, _ in stages[ledgers + 1 :]} == {"valuing average deals"}
    told = ran.objects
    with patch.object(by_hand, "find_rows", side_effect=AssertionError("worked out again")):
        assert tricklog(f"{SHOW} --json --db", db, status=0).objects == told
    assert [each["variant"] for each in told] == ["pidro", "king-pedro"]
    for each in told:
        assert (each["by"], each["unit"], each["waiting"]) == ("makers", "score", 0)
        (total,) = each["totals"]
        parts = {part["name"]: part["mean"] for part in total["parts"]}
        result = parts.pop("result")
        assert sum(parts.values()) == pytest.approx(result)
        assert {"start", "deal", "makers' play", "defence"} <= set(parts)


def test_a_ledger_is_of_what_is_asked_for(tricklog: CommandLine, db: Path) -> None:
    # A condition on a player makes it theirs.
    asked = f"{SHOW} --json --where variant=pidro --where player=bot-bold-1 --db"
    (told,) = tricklog(asked, db, status=0).objects
    assert told["by"] == "player"
    (total,) = told["totals"]
    assert total["player_ids"] == ["bot-bold-1"]
    assert total["hands"] == told["counted"] == 5
    text = tricklog(f"{SHOW} --by side --unit points --db", db).text
    assert "points a hand, 95 %" in text
    assert "too few games" in text
    assert "Hands left out: none." in text
    assert "The parts sum to the result exactly." in text


def test_a_run_with_an_end_tells_the_rest(tricklog: CommandLine, db: Path, tmp_path: Path) -> None:
    with patch("tricklog.ingest.study.kept_ledgers.users_folder", lambda *_, **__: tmp_path):
        ran = tricklog(f"{SHOW} --hands 2 --db", db, status=0)
        assert "Not all is worked out: 5 ledgers left." in ran.text
        assert "not worked out yet" in ran.text
        told = tricklog(f"{SHOW} --hands 2 --json --db", db, status=0).objects
        assert sum(each["waiting"] for each in told) == 3


@pytest.mark.usefixtures("nothing_kept")
def test_what_is_to_be_worked_out_is_said_before_it_begins(tricklog: CommandLine, db: Path) -> None:
    asked = (f"{SHOW} --where variant=pidro --json --db", db)
    with patch.object(ledger_run, "_value_deals", side_effect=KeyboardInterrupt):
        said = tricklog(*asked, status=130).stderr
    assert "first: 5 ledgers and 2 average deals. This takes from" in said
    # Ledgers came first, and are kept.
    assert "first: 2 average deals. This" in tricklog(*asked).stderr
    assert tricklog(*asked).stderr == ""


@pytest.mark.usefixtures("nothing_kept")
def test_what_is_over_at_once_shows_what_is_there_and_left(tricklog: CommandLine, db: Path) -> None:
    with (
        patch.object(ledger_run, "DEALS", 6),
        patch.object(ledger_run, "MOST_DEALS", 6),
        patch.object(ledger_run, "is_over", lambda _: True),
    ):
        text = tricklog(f"{SHOW} --where variant=pidro --budget 1h --db", db, status=0).text
    assert "Not all is worked out: 4 average deals left." in text
    assert "The parts sum to the result exactly." in text


def test_ledgers_that_cannot_be_kept(tricklog: CommandLine, db: Path, nothing_kept: Path) -> None:
    (nothing_kept / "ledgers").write_text("in the way")
    assert "Ledgers cannot be kept" in tricklog(f"{SHOW} --db", db, status=3).stderr


WEAK = "--where player=bot-weak-1"


@pytest.mark.slow("solves games enough for comparing players")
def test_losses_by_theme_are_what_python_says(tricklog: CommandLine, themes: Path) -> None:
    ran = tricklog(f"show ledger --by theme {WEAK} --json --db", themes, status=0)
    assert [each["variant"] for each in ran.objects] == ["pidro", "twenty-nine"]
    with open_facts(themes) as facts:
        for told in ran.objects:
            assert told["player_id"] == "bot-weak-1"
            due = theme_costs(facts, "bot-weak-1", Filters.of({"variant": told["variant"]}))
            # Sums of several threads may differ in their last digit.
            for shown_row, row in zip(told["themes"], due.to_dicts(), strict=True):
                assert shown_row == pytest.approx(row)
    text = tricklog(f"show ledger --by theme {WEAK} --db", themes).text
    assert "in Finnish Pidro" in text
    assert text.count("lost in 100 chances") == 2
    for family, theme in (("pedro", "cinch missed"), ("twenty-nine", "trump wasted")):
        assert theme in [each.title for each in THEMES[family]]
        assert theme in text
