"""A real browser on a served dashboard, for tests."""

import http.server
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)
from playwright.sync_api import TimeoutError as NotInTime

from tests.kit import waiting
from tests.kit.tiers import is_thorough
from tests.kit.waiting import answers, await_that, free_port
from tricklog.dashboard.address import urls

READY = '[data-testid="stApp"][data-test-script-state="notRunning"]'
WIDE = ViewportSize(width=1280, height=800)
LOW = ViewportSize(width=1280, height=720)
NARROW = ViewportSize(width=390, height=844)

PATIENCE = round(1_000 * waiting.PATIENCE)
"""Milliseconds to wait for what is due at once: however busy a machine is, it comes by then."""
expect.set_options(timeout=PATIENCE)

FOREIGN = "evil.example"
ALLOWED = "cards.example"
"""Names that a foreign name server, as the browser sees it, says are this machine."""

_SWITCHES = [
    f"--host-resolver-rules=MAP {FOREIGN} 127.0.0.1, MAP {ALLOWED} 127.0.0.1",
    "--headless",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
]
_LOOK_EVERY = 250.0
"""Milliseconds between two looks at the charts of a page."""
_LOOK_OFTEN = 240
"""How many looks a page is given to become what it should be."""
_TOO_WIDE = """(parts) => Math.max(0, ...[...document.querySelectorAll(parts)].map(
    (each) => each.scrollWidth - each.clientWidth))"""
_CLICK_AGAIN_AFTER = 10_000
"""Milliseconds after which a click that led nowhere is taken as lost."""
_CHARTS_LIE_STILL = """() => {
    const charts = [...document.querySelectorAll('[data-testid="stVegaLiteChart"]')];
    const waiting = document.querySelector('[data-testid="stSkeleton"]');
    const drawn = charts.length > 0 && charts.every((chart) => chart.querySelector('svg path'));
    const places = JSON.stringify(charts.map((chart) => chart.getBoundingClientRect()));
    const alike = drawn && !waiting && places === window.lastPlaces;
    window.looksAlike = alike ? (window.looksAlike ?? 0) + 1 : 0;
    window.lastPlaces = places;
    return window.looksAlike >= 4;
}"""


@contextmanager
def files_served(folder: Path) -> Iterator[int]:
    """Serve a folder of files on this machine, and yield the port."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments, directory=folder)  # type: ignore[arg-type]  # passed on as they came

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield site.server_port
        site.shutdown()


@contextmanager
def serving(
    db: Path | str, folder: Path, repository: Path, *options: str, **environment: str
) -> Iterator[str]:
    """Serve a warehouse; gives the address. The log of the server is kept in ``folder``."""
    with started(db, folder, repository, *options, **environment) as (address, _):
        yield address


@contextmanager
def started(
    db: Path | str, folder: Path, repository: Path, *options: str, **environment: str
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Start ``tricklog dashboard`` as ``serving`` does, in a process group of its own.

    Gives the address and the process.
    """
    port, said = free_port(), folder / "server.log"

    def is_up() -> bool:
        assert process.poll() is None, said.read_text("utf-8")
        return answers(f"http://localhost:{port}/_stcore/health")

    with said.open("wb") as log:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "tricklog.ingest.cli", "dashboard"),
                *("--db", str(db), "--port", str(port), *options),
            ],
            env=os.environ | {"PYTHONPATH": str(repository)} | environment,
            cwd=folder,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            await_that(is_up, lambda: f"the server did not start: {said.read_text('utf-8')}")
            yield f"http://localhost:{port}", process
        finally:
            process.terminate()
            process.wait(waiting.PATIENCE)


@contextmanager
def chromium(executable: Path) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=_SWITCHES)
        yield browser
        browser.close()


@contextmanager
def shared(
    browser: Browser, size: ViewportSize = WIDE, *, has_touch: bool = False
) -> Iterator[BrowserContext]:
    """Give what windows share that keep nothing: the scripts of a server, compiled once."""
    context = browser.new_context(
        viewport=size,
        has_touch=has_touch,
        reduced_motion="reduce",
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@contextmanager
def window(browser: Browser) -> Iterator[Page]:
    with shared(browser) as context:
        yield context.new_page()


def picture(page: Page, path: Path) -> None:
    """Keep a picture of a whole page, for people to look at, in the thorough tier."""
    if is_thorough():
        page.screenshot(path=path, full_page=True)


def visit(page: Page, address: str, *, charts: bool = False) -> None:
    """Open a page, and wait until it has been made, and until its charts lie still."""
    page.goto(address)
    (settle_charts if charts else settle)(page)


def settle(page: Page) -> None:
    page.wait_for_selector(READY, timeout=PATIENCE)


def settle_charts(page: Page) -> None:
    """Wait until the page has been made and its charts are drawn and lie still.

    Charts come one by one, not always from the top, and each moves what lies below it.
    """
    settle(page)
    page.wait_for_function(_CHARTS_LIE_STILL, polling=_LOOK_EVERY, timeout=PATIENCE)


def found_wrong(page: Page, script: str, argument: str | None = None) -> Any:  # noqa: ANN401 - whatever the script gives
    """Return what a script finds wrong, in the end: a page that still moves is looked at again."""
    found: Any = None
    for _ in range(_LOOK_OFTEN):
        found = page.evaluate(script, argument)
        if not found:
            break
        page.wait_for_timeout(_LOOK_EVERY)
    return found


def too_wide(page: Page, parts: str = "html") -> int:
    """Return by how many pixels some part of a page, given by selectors, is too wide for it."""
    return int(found_wrong(page, _TOO_WIDE, parts))


def turn_to(page: Page, title: str) -> None:
    group = next(
        group
        for group, screens in urls.GROUPS.items()
        if any(each.title == title for each in screens)
    )
    heading = page.get_by_test_id("stTopNav").get_by_role("button", name=group, exact=True)
    link = page.get_by_test_id("stTopNavDropdownLink").get_by_text(title, exact=True)
    for _ in range(PATIENCE // _CLICK_AGAIN_AFTER):
        settle(page)
        # Where a click is lost, or closes what the one before has opened, a user clicks again.
        with suppress(NotInTime):
            heading.click(timeout=_CLICK_AGAIN_AFTER)
            link.click(timeout=_CLICK_AGAIN_AFTER)
            return
    pytest.fail(f"the menu does not lead to {title}")


def follow(target: Locator, address: str) -> None:
    """Click what is covered by a link, or a mark of a chart, until its address is reached.

    Such a target cannot be checked before the click, as something lies over it. A click is lost
    when the page is made again between pressing and letting go: a user would click again, too.
    """
    page = target.page
    leads_here = re.compile(address)
    for _ in range(PATIENCE // _CLICK_AGAIN_AFTER):
        settle(page)
        # What stands in its place on the page that it led to is not to be clicked.
        if leads_here.search(page.url):
            return
        _click_unchecked(target)
        with suppress(AssertionError):
            expect(page).to_have_url(leads_here, timeout=_CLICK_AGAIN_AFTER)
            return
    pytest.fail(f"no click leads to {address}")


def _click_unchecked(target: Locator) -> None:
    """Click where a target lies still, whatever lies over it; what is not there is not clicked."""
    try:
        target.scroll_into_view_if_needed(timeout=_CLICK_AGAIN_AFTER)
        # What is drawn above it pushes it down, and a click would hit what comes into its place.
        place = None
        for _ in range(_LOOK_OFTEN):
            before, place = place, target.bounding_box(timeout=_CLICK_AGAIN_AFTER)
            if place == before:
                break
            target.page.wait_for_timeout(_LOOK_EVERY)
        target.click(force=True, timeout=_CLICK_AGAIN_AFTER)
    except NotInTime:
        return
    except Error as error:
        # It was pushed away after all. Without ``force`` Playwright would scroll to it again.
        if "outside of the viewport" not in error.message:
            raise


def at_step(page: Page, step: int) -> None:
    expect(page.locator(f'.felt[data-step="{step}"]')).to_be_visible()


def saved_picture(page: Page, folder: Path) -> bytes:
    """Save the table as a picture into an empty folder; see that it shows one; return it small."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Save picture").click()
    download.value.save_as(folder / download.value.suggested_filename)
    (path,) = folder.iterdir()
    felt = page.locator(".felt").bounding_box()
    assert felt
    picture = Image.open(path)
    assert picture.format == "PNG"
    assert picture.width > 2 * felt["width"]
    assert picture.height > 2 * felt["height"]
    # Cards and cloth, names and suits: an empty table would have few colours.
    small = picture.convert("RGB").resize((400, 300))
    colours = small.getcolors(1 << 20)
    assert colours
    assert len(colours) > 200
    return small.tobytes()
