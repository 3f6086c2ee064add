"""Addresses in a browser: each click is one step of the history, and a view is its address."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browsing import follow, settle, settle_charts, turn_to, visit

pytestmark = pytest.mark.browser

CHOSEN = "Remove bot-bold-1"
"""What the button of a filter is called that takes a player away."""


def steps(page: Page) -> int:
    return int(page.evaluate("history.length"))


def query_of(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def has_query(page: Page, **query: str) -> None:
    """Wait until the address has these parameters and no others."""
    page.wait_for_function(
        "(told) => JSON.stringify([...new URLSearchParams(location.search)].sort()) === told",
        arg=page.evaluate("(told) => JSON.stringify(Object.entries(told).sort())", query),
    )


def test_a_choice_is_one_step_and_back_and_forward_show_views(page: Page, club_server: str) -> None:
    # A page that is made again between pressing and letting go would lose the click.
    visit(page, f"{club_server}/bids?view=by-player", charts=True)
    before = steps(page)
    box = page.get_by_role("combobox", name="Player")
    box.fill("bot-bold-1")
    page.get_by_role("option", name="bot-bold-1", exact=True).click()
    box.press("Escape")
    has_query(page, view="by-player", player="bot-bold-1")
    page.get_by_role("tab", name="Same cards").click()
    has_query(page, view="same-cards", player="bot-bold-1")
    expect(page.get_by_role("tab", name="Same cards")).to_have_attribute("aria-selected", "true")
    settle(page)
    assert steps(page) == before + 2
    page.go_back()
    expect(page.get_by_role("tab", name="By player")).to_have_attribute("aria-selected", "true")
    has_query(page, view="by-player", player="bot-bold-1")
    expect(page.get_by_role("button", name=CHOSEN)).to_be_visible()
    settle(page)
    page.go_back()
    expect(page.get_by_role("button", name=CHOSEN)).to_have_count(0)
    has_query(page, view="by-player")
    settle(page)
    page.go_forward()
    expect(page.get_by_role("button", name=CHOSEN)).to_be_visible()
    settle(page)
    page.go_forward()
    expect(page.get_by_role("tab", name="Same cards")).to_have_attribute("aria-selected", "true")
    has_query(page, view="same-cards", player="bot-bold-1")
    assert steps(page) == before + 2


def test_a_click_on_a_chart_is_one_step_of_the_history(page: Page, club_server: str) -> None:
    visit(page, f"{club_server}/players?player=bot-bold-1&min=2", charts=True)
    before = steps(page)
    follow(page.locator(".mark-symbol.role-mark path").first, r"/hands\?.*figure=auctions-won")
    expect(page.get_by_text("Hands behind:")).to_contain_text("bot-bold-1")
    settle(page)
    led = page.url
    assert query_of(page)["player"] == ["bot-bold-1"]
    assert steps(page) == before + 1
    page.go_back()
    expect(page.get_by_role("tab", name="Tendencies")).to_be_visible()
    expect(page.get_by_role("button", name=CHOSEN)).to_be_visible()
    settle_charts(page)
    assert urlsplit(page.url).path == "/players"
    has_query(page, player="bot-bold-1", min="2")
    expect(page.get_by_text("which this page does not know")).to_have_count(0)
    page.go_forward()
    expect(page.get_by_text("Hands behind:")).to_contain_text("bot-bold-1")
    assert page.url == led
    assert steps(page) == before + 1


def test_the_menu_is_one_step_and_takes_the_filters_along(page: Page, club_server: str) -> None:
    visit(page, f"{club_server}/bids?view=same-cards&player=bot-bold-1")
    before = steps(page)
    turn_to(page, "Hands")
    has_query(page, player="bot-bold-1")
    expect(page.get_by_role("button", name=CHOSEN)).to_be_visible()
    assert urlsplit(page.url).path == "/hands"
    settle(page)
    assert steps(page) == before + 1
    page.go_back()
    expect(page.get_by_role("tab", name="Same cards")).to_have_attribute("aria-selected", "true")
    has_query(page, view="same-cards", player="bot-bold-1")


def test_an_old_link_and_one_in_finnish_show_their_view(lone_page: Page, club_server: str) -> None:
    page = lone_page
    page.goto("about:blank")
    before = steps(page)
    page.goto(
        f"{club_server}/bids?view=By+player&at=variant:pedro&at=since:2020-01-01&variant=Pedro"
    )
    has_query(page, view="by-player", variant="pedro", since="2020-01-01")
    assert steps(page) == before + 1
    expect(page.get_by_text("which this page does not know")).to_have_count(0)
    # The view stays the same in another language, and so does its address.
    page.get_by_role("button", name="English").click()
    page.get_by_role("link", name="Suomi").click()
    expect(page.locator("html")).to_have_attribute("lang", "fi")
    has_query(page, view="by-player", variant="pedro", since="2020-01-01")
    expect(page.get_by_role("tab", selected=True)).not_to_have_text("By player")
    assert steps(page) == before + 2
    page.goto(f"{club_server}/bids?{page.url.partition('?')[2].replace('by-player', 'By+player')}")
    has_query(page, view="by-player", variant="pedro", since="2020-01-01")
    expect(page.get_by_role("button", name=re.compile("Pedro"))).to_be_visible()
