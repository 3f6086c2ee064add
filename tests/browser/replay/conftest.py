"""A served warehouse of the hands shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.replay.shown import shown
from tests.kit.browsing import serving
from tests.kit.gap_texts import write_gap_texts
from tricklog.ingest.loading.loading import load
from tricklog.schemas.hand import encode_hand


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Iterator[str]:
    """The address of a dashboard over the hands shown here, with a solver that is compiled."""
    folder = tmp_path_factory.mktemp("replay")
    logs = write_gap_texts(folder / "logs")
    lines = [encode_hand(hand) for hand in shown()]
    (logs / "hands.jsonl").write_bytes(b"\n".join(lines))
    load(logs, db=folder / "db")
    with serving(folder / "db", folder, repository) as address:
        yield address
