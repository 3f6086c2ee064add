"""Players in a real browser: clicks and links that carry what was chosen, and saved views."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit.browsing import NARROW, follow, settle, settle_charts, too_wide

pytestmark = pytest.mark.browser

NAME = "Where <b>Bold</b> leaks"


def test_a_point_leads_to_its_hands_with_the_player(page: Page, club_server: str) -> None:
    page.goto(f"{club_server}/players?player=bot-bold-1&min=2")
    settle_charts(page)
    point = page.locator(".mark-symbol.role-mark path").first
    follow(point, r"/hands\?.*figure=auctions-won")
    expect(page).to_have_url(re.compile(r"player=bot-bold-1(&|$)"))
    settle(page)
    expect(page.get_by_text("Hands behind:")).to_contain_text("bot-bold-1")


def test_back_leads_to_the_page_of_the_click_as_it_was(page: Page, club_server: str) -> None:
    left = f"{club_server}/players?player=bot-bold-1&min=2"
    page.goto(left)
    settle_charts(page)
    entries = page.evaluate("history.length")
    follow(page.locator(".mark-symbol.role-mark path").first, r"/hands\?.*figure=auctions-won")
    expect(page).to_have_url(re.compile(r"player=bot-bold-1(&|$)"))
    settle(page)
    added = page.evaluate("history.length") - entries
    # The address that Streamlit puts together of both pages, the way there, and the list.
    assert 1 <= added <= 3
    for _ in range(added - 1):
        page.go_back()
        settle(page)
    page.wait_for_function(
        "left => new URLSearchParams(location.search).get('figure') === null", arg=left
    )
    expect(page.get_by_role("button", name="Remove bot-bold-1")).to_be_visible()
    assert page.url.startswith(f"{club_server}/players?")
    assert set(page.url.partition("?")[2].split("&")) <= {"player=bot-bold-1", "min=2", "min=2.0"}
    expect(page.get_by_text("which this page does not know")).to_have_count(0)


def test_a_leak_leads_to_its_hands_with_the_filters(page: Page, club_server: str) -> None:
    page.goto(f"{club_server}/players?player=bot-bold-1&variant=Pedro&min=2&view=Leaks")
    page.get_by_role("link", name=re.compile("Pedros lost")).click(timeout=30_000)
    expect(page).to_have_url(re.compile(r"/hands\?.*figure=cards-lost"), timeout=60_000)
    expect(page).to_have_url(re.compile("which=counted"), timeout=60_000)
    settle(page)
    behind = page.get_by_text("Hands behind:")
    for words in ("bot-bold-1", "Pedro", "five"):
        expect(behind).to_contain_text(words)


def test_a_saved_view_opens_as_it_was_from_any_page(
    page: Page, server: str, artefacts: Path
) -> None:
    page.goto(f"{server}/players?player=bot-bold-1&view=Leaks")
    settle(page)
    page.get_by_role("button", name="Saved views").click()
    page.get_by_label("Name of the view").fill(NAME)
    page.get_by_label("Name of the view").press("Enter")
    page.get_by_role("button", name="Save this view").click()
    expect(page.get_by_role("link", name=NAME)).to_be_visible()

    for start in ("", "bids?player=bot-weak-1&min=5", "players?player=bot-weak-1&min=5"):
        page.goto(f"{server}/{start}")
        settle(page)
        page.get_by_role("button", name="Saved views").click()
        page.get_by_role("link", name=NAME).click()
        expect(page).to_have_url(f"{server}/players?player=bot-bold-1&view=Leaks")
        expect(page.get_by_role("heading", name="Where points are lost")).to_be_visible()
    page.screenshot(path=artefacts / "players-leaks.png", full_page=True)


@pytest.mark.parametrize("view", ["Tendencies", "Leaks", "Partners"])
def test_the_page_fits_a_phone(browser: Browser, server: str, artefacts: Path, view: str) -> None:
    context = browser.new_context(viewport=NARROW, color_scheme="dark")
    page = context.new_page()
    page.goto(f"{server}/players?player=bot-bold-1&min=2&view={view}")
    settle(page)
    expect(page.get_by_role("tab", name=view)).to_be_visible()
    page.screenshot(path=artefacts / f"players-{view}-dark.png", full_page=True)
    assert too_wide(page) == 0
    context.close()
