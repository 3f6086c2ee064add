"""Evenings in a real browser: the calendar leads to one, which fits paper and a phone."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.kit.browsing import NARROW, follow, settle, settle_charts, too_wide

pytestmark = pytest.mark.browser


def test_the_calendar_leads_to_an_evening_that_fits_paper_and_a_phone(
    browser: Browser, server: str, artefacts: Path
) -> None:
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(f"{server}/evenings?view=Season")
    settle_charts(page)
    page.screenshot(path=artefacts / "season.png", full_page=True)
    season = page.pdf(prefer_css_page_size=True)
    (artefacts / "season.pdf").write_bytes(season)
    assert len(re.findall(rb"/Type\s*/Page\b", season)) <= 2
    follow(page.locator(".mark-rect.role-mark path").first, r"/evenings\?.*evening=\d")
    settle(page)
    expect(page.get_by_role("table").first).to_contain_text("games in order")
    paper = page.pdf(prefer_css_page_size=True)
    (artefacts / "evening.pdf").write_bytes(paper)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    page.set_viewport_size(NARROW)
    settle(page)
    page.screenshot(path=artefacts / "evening-phone.png", full_page=True)
    assert too_wide(page) == 0
    context.close()
