"""A served warehouse of the hands shown, and pages on which no script may fail."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from ingest.loading.loading import load
from replay.compiled.build import build_solver
from schemas.hand import encode_hand
from tests.browser.replay.shown import SHOWN
from tests.kit.browsing import WIDE, serving
from tests.kit.dashboard_logs import with_revoke


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Iterator[str]:
    """The address of a dashboard over the hands shown here, with a solver that is compiled."""
    build_solver()
    folder = tmp_path_factory.mktemp("replay")
    lines = [encode_hand(hand) for hand in [*SHOWN, with_revoke()[0]]]
    (folder / "hands.jsonl").write_bytes(b"\n".join(lines))
    load(folder / "hands.jsonl", db=folder / "db")
    with serving(folder / "db", folder, repository) as address:
        yield address


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """What the pages share, foremost the scripts of the server as they were compiled once."""
    made = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which no script may fail."""
    made = context.new_page()
    failures: list[str] = []
    made.on("pageerror", lambda error: failures.append(str(error)))
    yield made
    made.close()
    assert not failures
