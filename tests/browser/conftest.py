"""What tests in a real browser share: a browser, a page, a served warehouse, room for pictures."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.kit.browsing import WIDE, chromium


@pytest.fixture(scope="module")
def artefacts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what the tests of a module make."""
    return tmp_path_factory.mktemp(request.module.__name__.rpartition(".")[2])


@pytest.fixture(scope="module")
def server(small_server: str) -> str:
    """The address of a dashboard over the small warehouse."""
    return small_server


@pytest.fixture(scope="module")
def browser(chromium_path: Path) -> Iterator[Browser]:
    """A browser, one for each module: a driver left open would be in the way of other tests."""
    with chromium(chromium_path) as started:
        yield started


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """What pages of a module share that keep nothing: the scripts of the server, compiled once."""
    made = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    yield made
    made.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that shares nothing with other pages."""
    context = browser.new_context(viewport=WIDE)
    yield context.new_page()
    context.close()
