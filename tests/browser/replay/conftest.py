"""A served warehouse of the hands shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.replay.shown import shown
from tests.kit.browsing import serving
from tests.kit.log_lines import write_hands
from tricklog.ingest.loading.loading import load


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Iterator[str]:
    """The address of a dashboard over the hands shown here, with a solver that is compiled."""
    folder = tmp_path_factory.mktemp("replay")
    load(write_hands(folder / "hands.jsonl", shown()), db=folder / "db")
    with serving(folder / "db", folder, repository) as address:
        yield address
