"""How much of a load is done: from its first line to its facts the share only grows."""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from tests.kit.log_lines import generated, write_hands
from tests.kit.noise import broken
from tests.kit.tiers import some
from tricklog import ingest
from tricklog.core.native import library
from tricklog.ingest.facts import files
from tricklog.ingest.loading import report
from tricklog.ingest.loading.forecast import Forecast
from tricklog.ingest.reading.progress import Progress, Stage


@pytest.mark.parametrize(
    ("is_bulk", "facts"), some([(True, True), (True, False), (False, False), (False, True)], 2)
)
def test_the_share_grows_from_stage_to_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_bulk: bool, facts: bool
) -> None:
    monkeypatch.setattr(library, "is_there", lambda: is_bulk)
    monkeypatch.setattr(report, "REPORT_EVERY", 1)
    monkeypatch.setattr(files, "WORTH_MAKING", 1)
    chance = random.Random(3)
    hands = [*generated("pedro", 1), *(broken(hand, chance) for hand in generated("pidro", 1))]
    told: list[Progress] = []
    log = write_hands(tmp_path / "log.jsonl", hands)
    ingest.load(log, db=tmp_path / "db", on_progress=told.append, facts=facts)
    shares = [each.share for each in told if each.share is not None]
    assert all(one <= other for one, other in pairwise(shares))
    stages = list(dict.fromkeys(each.stage for each in told))
    assert (Stage.DERIVING in stages) == facts
    assert (Stage.STORING in stages) == is_bulk
    assert shares[-1] == 1
    assert all(share < 1 for share in shares[:-1])


def test_a_load_that_brings_nothing_is_done_at_the_end(tmp_path: Path) -> None:
    log = write_hands(tmp_path / "log.jsonl", generated("pedro", 1))
    ingest.load(log, db=tmp_path / "db")
    told: list[Progress] = []
    ingest.load(log, db=tmp_path / "db", on_progress=told.append)
    assert told[-1].share == 1


def test_of_a_pipe_nobody_knows_how_much_is_read() -> None:
    forecast = Forecast(valid=100)
    assert forecast.share_reading(1_000, None) is None
    assert forecast.share_storing() is not None


def test_before_the_first_hand_nobody_knows_what_it_will_take() -> None:
    forecast = Forecast()
    assert forecast.share_reading(0, 1_000) is None
    assert forecast.share_storing() is None
    assert forecast.share_replaying(0) is None
    assert forecast.share_deriving(0, 0) is None


def test_hands_that_are_replayed_later_weigh_more() -> None:
    fast, slow = Forecast(valid=100), Forecast(careful=100)
    half_fast, half_slow = (each.share_reading(50, 100) for each in (fast, slow))
    assert half_fast is not None
    assert half_slow is not None
    assert half_fast > half_slow
