"""Loads into a lake that are killed or fenced; ``tests.long.lake_publish`` does it at length."""

import random
from collections.abc import Iterator

import pytest

from ingest.lake.publish import Point
from tests.kit.lake_kills import POINTS, LakeKiller, Place, lake_killer

pytestmark = pytest.mark.posix


@pytest.fixture(scope="module")
def module_killer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LakeKiller]:
    with lake_killer(str(tmp_path_factory.mktemp("lakes"))) as made:
        yield made


@pytest.fixture
def killer(module_killer: LakeKiller) -> Iterator[LakeKiller]:
    yield module_killer
    assert module_killer.tally.failures == []


@pytest.fixture
def dice(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


@pytest.mark.parametrize("place", POINTS[::2], ids=lambda place: " ".join(place).strip())
def test_a_load_killed_at_a_point(killer: LakeKiller, place: Place, dice: random.Random) -> None:
    killer.at_point(place, dice)


def test_loads_killed_at_any_time(killer: LakeKiller, dice: random.Random) -> None:
    met = sum(killer.at_random(dice) for _ in range(5))
    assert met


def test_a_load_that_was_taken_over(killer: LakeKiller, dice: random.Random) -> None:
    for _ in range(2):
        killer.zombie(dice)


def test_four_loads_at_once(killer: LakeKiller) -> None:
    before = killer.tally.looked
    killer.race(4)
    assert killer.tally.looked > before


def test_a_load_killed_on_an_object_store(s3_prefix: str) -> None:
    with lake_killer(s3_prefix) as killer:
        killer.at_point((Point.COMMITTED, "hands"))
        assert killer.tally.failures == []
