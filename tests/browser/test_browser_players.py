"""Players in a real browser: clicks and links that carry what was chosen, and saved views."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browsing import follow, settle, turn_to
from tests.kit.tiers import some

pytestmark = pytest.mark.browser

NAME = "Where <b>Bold</b> leaks"


@pytest.mark.thorough("saved views are tried without a browser in tests/dashboard")
def test_a_saved_view_opens_as_it_was_from_any_page(page: Page, server: str) -> None:
    page.goto(f"{server}/players?player=bot-bold-1&view=leaks")
    settle(page)
    page.get_by_role("button", name="Saved views").click()
    page.get_by_label("Name of the view").fill(NAME)
    page.get_by_label("Name of the view").press("Enter")
    page.get_by_role("button", name="Save this view").click()
    expect(page.get_by_role("link", name=NAME)).to_be_visible()

    starts = ("players?player=bot-weak-1&min=5", "", "bids?player=bot-weak-1&min=5")
    for start in some(starts, 1):
        page.goto(f"{server}/{start}")
        settle(page)
        page.get_by_role("button", name="Saved views").click()
        page.get_by_role("link", name=NAME).click()
        expect(page).to_have_url(f"{server}/players?player=bot-bold-1&view=leaks")
        expect(page.get_by_role("heading", name="Where points are lost")).to_be_visible()


@pytest.mark.thorough("tests/dashboard chooses people without a browser, a newcomer sends a link")
def test_people_chosen_by_clicks_stay_on_every_page_and_in_a_link_opened_by_somebody_else(
    page: Page, lone_page: Page, club_server: str
) -> None:
    page.goto(f"{club_server}/bids")
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
    lone_page.goto(link)
    settle(lone_page)
    expect(lone_page.locator(".tl-scope")).to_contain_text(offered[0])
