"""Our table in a real browser: people chosen by clicks, kept from page to page and in links."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.kit.browsing import WIDE, follow, serving, settle, turn_to

pytestmark = pytest.mark.browser


def test_people_chosen_by_clicks_stay_on_every_page_and_in_links(
    browser: Browser, club_warehouse: Path, repository: Path, tmp_path: Path
) -> None:
    db = shutil.copytree(club_warehouse, tmp_path / "db")
    with serving(db, tmp_path, repository) as server:
        context = browser.new_context(viewport=WIDE)
        page = context.new_page()
        page.goto(f"{server}/bids")
        settle(page)
        strip = page.locator(".tl-scope")
        expect(strip).to_contain_text("everybody")
        page.get_by_role("button", name="Change").click()
        page.get_by_text("These people", exact=True).click()
        box = page.get_by_role("combobox", name="People")
        box.click()
        listed = [each.inner_text() for each in page.get_by_role("option").all()]
        offered = [each for each in listed if each != "Select all"][:4]
        for name in offered:
            box.fill(name)
            page.get_by_role("option", name=name, exact=True).click()
        page.get_by_text("Whose hands count").click()
        page.get_by_role("button", name="Use this table").click()
        expect(strip).to_contain_text(offered[0])
        expect(strip).not_to_contain_text("everybody")
        expect(page).to_have_url(re.compile("whose=[0-9a-f]{10}"))
        hands = strip.inner_text()
        link = page.url
        turn_to(page, "Players")
        expect(page).to_have_url(re.compile("/players.*whose="))
        expect(strip).to_have_text(re.compile(re.escape(hands.split("\n")[0])))
        follow(page.locator("table a").first, "player=.*whose=|whose=.*player=")
        settle(page)
        expect(strip).to_contain_text(offered[0])
        context.close()
        other = browser.new_context(viewport=WIDE)
        friend = other.new_page()
        friend.goto(link)
        settle(friend)
        expect(friend.locator(".tl-scope")).to_contain_text(offered[0])
        other.close()
