"""Values with all cards open, and branches, on the page of one hand in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.replay.shown import opened, pedros, press, seven, slide, with_values
from tests.kit.browsing import NARROW, at_step, settle
from tests.kit.dashboard_logs import REVOKE
from tricklog import Hand, core
from tricklog.core.study import first_card, open_hand

pytestmark = pytest.mark.browser

SOLVED = pytest.mark.thorough("what is said of it is tried without a browser in tests/dashboard")


def costly() -> Hand:
    return pedros()[0]


def dearest_steps(hand: Hand) -> list[int]:
    decisions = open_hand(core.replay(hand)).decisions
    costly = [(-each.loss, each.action) for each in decisions if each.loss]
    return [step for _, step in sorted(costly)]


def test_the_dearest_cards_are_found_and_tried_otherwise_and_the_link_shows_the_same(
    page: Page, server: str
) -> None:
    steps = dearest_steps(costly())
    assert len(steps) >= 3
    with_values(page, server, costly())
    for step in steps[:3]:
        press(page, "d", leads=step)
        expect(page.locator(".strip.costly")).to_contain_text("with all cards open")
        row = page.locator(f'.dear tr[data-step="{step}"]')
        expect(row).to_have_class("on")
        cost = page.locator(".big").inner_text().removeprefix("cost ")
        expect(row).to_contain_text(cost)
    press(page, "d", "Shift+D")
    free = page.locator("button.one:has(.kept)").first
    words = free.get_attribute("aria-label") or ""
    assert "costs nothing" in words
    at_step(page, steps[2])
    free.click()
    expect(page.get_by_role("tab", name="Branch")).to_have_attribute("aria-selected", "true")
    at_step(page, steps[2] + 1)
    expect(page.locator(".felt .trick")).to_contain_text(re.compile("."))
    press(page, "e")
    expect(page).to_have_url(re.compile(r"try=\d+(\.\w\w){8}"))
    shown = page.locator(".branch-panel .mine").inner_text()
    press(page, "l")
    expect(page.get_by_text("Link copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    other = page.context.new_page()
    other.goto(link)
    expect(other.locator(".branched")).to_be_visible()
    expect(other.locator(".branch-panel .mine")).to_have_text(re.compile(r"\d+ of \d+"))
    assert other.locator(".branch-panel .mine").inner_text() == shown
    expect(other.locator(".felt")).to_have_attribute(
        "data-step", page.locator(".felt").get_attribute("data-step") or ""
    )
    other.close()

    # The branch is left.
    press(page, "Escape")
    expect(page.locator(".branched")).to_have_count(0)
    a_branch_is_played_taken_back_and_left_by_keys(page)


def a_branch_is_played_taken_back_and_left_by_keys(page: Page) -> None:
    first = first_card(core.replay(costly()))
    slide(page, first)
    press(page, "w")
    expect(page.locator(".branched")).to_be_visible()
    expect(page.get_by_role("tab", name="Branch")).to_be_visible()
    press(page, "2")
    expect(page.locator(".card.picked")).to_have_count(1)
    press(page, "Enter", leads=first + 1)
    expect(page.locator(".trick .card")).to_have_count(1)
    for key, step in (("Enter", 2), ("Backspace", 1), ("Backspace", 0)):
        press(page, key, leads=first + step)
    press(page, "Escape")
    expect(page.locator(".branched")).to_have_count(0)
    at_step(page, first)
    expect(page).not_to_have_url(re.compile("try="))
    press(page, "End", leads=len(costly().actions))


@SOLVED
def test_study_off_is_the_plain_table_and_stays_off_on_the_way(page: Page, server: str) -> None:
    step = dearest_steps(costly())[0]
    with_values(page, server, costly(), step=step)
    expect(page.locator(".chip").first).to_be_visible()
    press(page, "s")
    expect(page).to_have_url(re.compile("study=off"))
    for part in (".chip", ".bar", ".dot", ".strip.costly"):
        expect(page.locator(f"{part}:visible")).to_have_count(0)
    expect(page.locator(".happens")).to_contain_text("may play")
    page.reload()
    at_step(page, step)
    settle(page)
    expect(page.locator(".chip")).to_have_count(0)
    press(page, "s")
    expect(page.locator(".chip").first).to_be_visible()


@SOLVED
def test_a_refused_hand_says_why_and_can_be_played_on_all_the_same(page: Page, server: str) -> None:
    opened(page, server, REVOKE, step=20)
    page.get_by_role("tab", name="Dearest").click()
    expect(page.locator(".dearest-panel")).to_contain_text("only valid play has a value")
    page.get_by_role("button", name="Try another card").click()
    expect(page.locator(".branched")).to_be_visible()


@SOLVED
def test_a_branch_that_the_rules_do_not_allow_is_not_shown(page: Page, server: str) -> None:
    opened(page, server, costly(), query="&try=13.2C.2C", step=13)
    expect(page.get_by_role("status").get_by_text("The rules do not allow 2C")).to_be_visible()
    expect(page.locator(".branched")).to_have_count(0)
    warning = page.get_by_role("alert").filter(has_text="the rules do not allow 2C")
    expect(warning).to_be_in_viewport()


@SOLVED
def test_a_link_to_a_branch_without_a_step_opens_at_its_end(page: Page, server: str) -> None:
    first = first_card(core.replay(costly()))
    cards = [action.split()[-1] for action in costly().actions[first : first + 2]]
    page.goto(f"{server}/replay?hand={costly().id}&try={first}.{'.'.join(cards)}")
    at_step(page, first + 2)
    expect(page.locator(".branched")).to_be_visible()
    expect(page.get_by_text("The branch goes no further yet.")).to_be_attached()
    page.goto(f"{server}/replay?hand={costly().id}&try={first}.{'.'.join(cards)}.{cards[0]}")
    at_step(page, first + 2)
    expect(page.get_by_role("alert").filter(has_text="Shown is")).to_be_in_viewport()


@SOLVED
def test_on_a_phone_the_dearest_come_up_from_below(page: Page, server: str) -> None:
    page.set_viewport_size(NARROW)
    opened(page, server, costly())
    page.get_by_role("button", name=re.compile(r"^Dearest \d")).click()
    sheet = page.get_by_role("dialog", name="Beside the table")
    expect(sheet).to_be_visible()
    first = dearest_steps(costly())[0]
    sheet.locator(f'tr[data-step="{first}"] button.row').click()
    at_step(page, first)
    expect(sheet).not_to_be_visible()


@SOLVED
def test_seven_play_the_maker_against_the_rest(page: Page, server: str) -> None:
    with_values(page, server, seven())
    expect(page.locator(".dearest-panel")).to_contain_text("Maker against the rest.")
