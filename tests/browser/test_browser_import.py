"""Import, Hands and Audit in a real browser: dropping logs, clicking a hand, two viewers."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from schemas.hand import encode_hand
from tests.kit.browsing import NARROW, WIDE, at_step, follow, serving, settle, too_wide
from tests.kit.dashboard_logs import REVOKE, first_hands, with_revoke

pytestmark = pytest.mark.browser

PAGES = ("hands?figure=made-rate&which=counted", "audit", "audit?view=unreadable+lines", "import")
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.fixture(scope="module")
def server(small_warehouse: Path, artefacts: Path, repository: Path) -> Iterator[str]:
    db = shutil.copytree(small_warehouse, artefacts / "db")
    with serving(db, artefacts, repository) as address:
        yield address


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=WIDE)
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def test_a_click_on_a_row_opens_the_hand(page: Page, server: str) -> None:
    page.goto(f"{server}/hands?finding=Revoke")
    settle(page)
    expect(page.get_by_text("1 hand. Click a row")).to_be_visible()
    follow(page.locator(".tl-rows td").nth(3), rf"/replay\?.*hand={REVOKE}")
    at_step(page, 0)


def test_the_hands_behind_a_figure_are_a_link(page: Page, server: str) -> None:
    page.goto(f"{server}/hands?figure=made-rate&at=hand-number:3&which=others")
    settle(page)
    expect(page.get_by_text("Contracts made, hand of the game 3")).to_be_visible()
    page.get_by_role("button", name=re.compile("^hand of the game:.* 3 ✕$")).click()
    expect(page.get_by_text("Contracts made, hand of the game 3")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"figure=made-rate&which=others$"))


def test_the_list_is_saved_as_a_file(page: Page, server: str) -> None:
    page.goto(f"{server}/hands?find=nasty")
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    told = Path(download.value.path()).read_text("utf-8-sig")
    assert told.startswith("Hand,Day,Variant")
    assert "\u202e" not in told


def test_from_the_audit_to_the_exact_card(page: Page, server: str) -> None:
    _, step = with_revoke()
    page.goto(f"{server}/audit?find={REVOKE}")
    settle(page)
    page.get_by_role("link", name=f"{REVOKE}, step {step}").click()
    at_step(page, step)
    expect(page).to_have_url(re.compile(rf"hand={REVOKE}&ply={step}$"))


def test_dropped_logs_are_loaded_while_somebody_else_looks(
    page: Page, browser: Browser, server: str, tmp_path: Path
) -> None:
    other = browser.new_context(viewport=WIDE).new_page()
    other.goto(f"{server}/hands")
    settle(other)
    expect(other.get_by_text("51 hands.")).to_be_visible()
    log = tmp_path / "last <b>night.jsonl"
    lines = [*map(encode_hand, first_hands("cinch", 8)), b"oops", encode_hand(with_revoke()[0])]
    log.write_bytes(b"\n".join(lines))

    page.goto(f"{server}/import")
    settle(page)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(log)
    # The file moves the buttons down, and a click meanwhile would miss.
    expect(page.get_by_role("button", name="Remove last")).to_be_visible(timeout=60_000)
    settle(page)
    page.get_by_role("button", name="Check only").click()
    expect(page.get_by_text("Checked; nothing was changed.")).to_be_visible(timeout=60_000)
    settle(page)
    page.get_by_role("button", name="Load", exact=True).click()
    expect(page.get_by_text("Loaded. Every page shows the new hands.")).to_be_visible(
        timeout=60_000
    )
    for label, value in (("New hands", "8"), ("Known already", "1"), ("Not readable", "1")):
        metric = page.get_by_test_id("stMetric").filter(has_text=label)
        expect(metric.get_by_test_id("stMetricValue")).to_have_text(value)
    expect(page.get_by_text("uploaded/last _b_night.jsonl")).to_be_visible()

    expect(other.get_by_text("51 hands.")).to_be_visible()
    other.get_by_role("textbox", name="Find").fill("cinch")
    other.get_by_role("textbox", name="Find").press("Enter")
    expect(other.get_by_text("8 hands.")).to_be_visible()
    other.context.close()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_pages_fit_their_window(
    browser: Browser, server: str, artefacts: Path, size: ViewportSize
) -> None:
    context = browser.new_context(viewport=size)
    page = context.new_page()
    for number, path in enumerate(PAGES):
        page.goto(f"{server}/{path}")
        settle(page)
        page.wait_for_timeout(400)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            name = f"{number}-{re.split(r'[?]', path)[0]}-{scheme}-{size['width']}.png"
            page.screenshot(path=artefacts / name, full_page=True)
            wide = too_wide(page, "[data-testid=stMain]")
            assert wide == 0, f"{path} is {wide} pixels wider than its window"
    context.close()
