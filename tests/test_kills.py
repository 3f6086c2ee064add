"""Kill -9 while a warehouse is changed: it holds the old or the new state, and goes on from there."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kills import POINTS, SCENES, Killer, Scene, killer_in

RANDOM = {"first load": 28, "second load": 28}
"""Kills at random times; together with those at the named points more than a hundred."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks and kills")


@pytest.fixture(scope="module")
def killer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killer]:
    yield from killer_in(tmp_path_factory.mktemp("kills"))


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_killed_at_each_point_of_a_publish(killer: Killer, scene: Scene) -> None:
    before = killer.tally.kills.total()
    killer.at_points(scene)
    assert killer.tally.failures == []
    assert killer.tally.kills.total() - before == len(POINTS)


@pytest.mark.parametrize(
    "scene", [scene for scene in SCENES if scene.name in RANDOM], ids=lambda scene: scene.name
)
def test_killed_at_any_time(killer: Killer, scene: Scene) -> None:
    killer.at_random(scene, random.Random(f"kills/{scene.name}"), RANDOM[scene.name])
    assert killer.tally.failures == []


def test_there_are_a_hundred_kills() -> None:
    assert len(POINTS) * len(SCENES) + sum(RANDOM.values()) >= 100
