"""One small lake for all tests of lakes, and a warehouse of one machine of the same logs."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from ingest.warehouses import load, open_facts
from tests.kit.dashboard_logs import write_logs
from tests.kit.made_once import made_once
from tests.kit.simulated_club import write_season


class Both(NamedTuple):
    """The same hands twice; both are to be read and copied only."""

    logs: Path
    folder: Path
    """The warehouse of one machine."""
    lake: Path
    """The folder of the lake, which was loaded in two loads."""


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """A lake and a warehouse of one machine, with a game that goes on in the second load."""
    place = made_once(tmp_path_factory, "both", _make)
    return Both(place / "logs", place / "folder", place / "lake")


def _make(place: Path) -> None:
    logs = write_logs(place / "logs")
    season = write_season(place / "season.jsonl", 3, evenings=4)
    lines = season.read_bytes().splitlines(keepends=True)
    cut = len(lines) // 2
    (logs / "season-1.jsonl").write_bytes(b"".join(lines[:cut]))
    second = logs / "season-2.jsonl"
    second.write_bytes(b"".join(lines[cut:]))
    for db, on in ((str(place / "folder"), None), (f"lake:{place / 'lake'}", "here")):
        # The second one has the logs of the first, too, which add nothing.
        load(logs / "hands.jsonl", logs / "season-1.jsonl", db=db, on=on)
        load(logs, db=db, on=on)
    open_facts(place / "folder").close()
