"""Score sheets in a real browser: a point leads to its hand, and the sheet fits paper and phone."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit.browsing import NARROW, follow, settle, settle_charts, too_wide

pytestmark = pytest.mark.browser


def sheet_of(page: Page, server: str) -> None:
    """Open the sheet of the first game of Pedro by way of the list."""
    page.goto(f"{server}/games?variant=Pedro")
    settle(page)
    follow(page.get_by_role("link", name="score sheet").last, r"/games\?game=")
    settle_charts(page)


def test_a_point_of_the_race_leads_to_its_hand_and_the_hand_back(
    page: Page, server: str, artefacts: Path
) -> None:
    sheet_of(page, server)
    page.screenshot(path=artefacts / "sheet.png", full_page=True)
    game = page.url
    follow(page.locator(".mark-symbol.role-mark path").last, r"/replay\?")
    settle(page)
    follow(page.locator(".tl-head a"), re.escape(game))
    expect(page.get_by_role("link", name=re.compile("^Hand 1: replay"))).to_be_visible()


def test_the_sheet_fits_a_phone_and_a_page_of_paper(
    browser: Browser, server: str, artefacts: Path
) -> None:
    context = browser.new_context(viewport=NARROW, color_scheme="dark")
    page = context.new_page()
    sheet_of(page, server)
    page.screenshot(path=artefacts / "sheet-phone.png", full_page=True)
    assert too_wide(page) == 0
    page.set_viewport_size({"width": 1280, "height": 800})
    settle_charts(page)
    paper = page.pdf(prefer_css_page_size=True)
    (artefacts / "sheet.pdf").write_bytes(paper)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    context.close()
