"""A load that is killed leaves a lake as it was, or as it is after the load."""

import random
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.kit.dirty_logs import write_dirty_logs
from tests.kit.lake_loads import LoadKiller

pytestmark = pytest.mark.posix


def test_a_load_killed_between_its_steps_is_made_up_for(tmp_path: Path) -> None:
    samples = sorted((REPOSITORY / "sample_logs" / "valid").rglob("three-games.jsonl"))
    lines = [line for path in samples for line in path.read_bytes().splitlines()]
    logs = write_dirty_logs(lines[::5][:60], tmp_path / "logs", files=4, share=0.05)
    killer = LoadKiller(f"lake:{tmp_path}/lakes", logs, tmp_path / "folder")
    dice = random.Random(3)
    for point in ("store_games 1", "committed hands"):
        killer.kill(point, dice)
    assert killer.failures == []
    assert killer.kills.total() >= 2
