"""Kill -9 while a warehouse is changed: the old or the new state stands, and work goes on."""

import random
from collections.abc import Iterator, Sequence

import pytest

from ingest.store.publishing import Point
from tests.kit.kills import POINTS, SCENES, Killer, Scene, killer_in

RANDOM = {"first load": 3, "second load": 6}
"""Kills at random times. ``python -m tests.long.kills`` has hundreds."""
FIRST_LOAD = (Point.TABLES_WRITTEN, Point.NAMED, Point.POINTER_FLUSHED, Point.POINTER_REPLACED)
"""Where a first load is killed, which has no old state to go back to."""
FEW = (Point.POINTER_FLUSHED, Point.POINTER_REPLACED)
"""The last that leaves the old state, and the first that leaves the new one: rebuild and reaudit
publish like a second load, only other drafts. ``python -m tests.long.kills`` has every point."""


def points_of(scene: Scene) -> Sequence[Point]:
    return {"second load": POINTS, "first load": FIRST_LOAD}.get(scene.name, FEW)


pytestmark = pytest.mark.posix


@pytest.fixture(scope="module")
def killer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killer]:
    yield from killer_in(tmp_path_factory.mktemp("kills"))


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_killed_at_each_point_of_a_publish(killer: Killer, scene: Scene) -> None:
    before = killer.tally.kills.total()
    killer.at_points(scene, points_of(scene))
    assert killer.tally.failures == []
    assert killer.tally.kills.total() - before == len(points_of(scene))


@pytest.mark.parametrize(
    "scene", [scene for scene in SCENES if scene.name in RANDOM], ids=lambda scene: scene.name
)
def test_killed_at_any_time(killer: Killer, scene: Scene) -> None:
    killer.at_random(scene, random.Random(f"kills/{scene.name}"), RANDOM[scene.name])
    assert killer.tally.failures == []


@pytest.mark.parametrize("room", [0, 1 << 12, 1 << 16, 1 << 18, 1 << 19])
def test_a_file_that_cannot_grow_leaves_the_old_state(killer: Killer, room: int) -> None:
    said = killer.without_room(SCENES[1], room)
    assert killer.tally.failures == []
    assert "arehouse is as it was. Free " in said
    assert "File too large" in said
