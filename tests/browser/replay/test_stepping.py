"""Stepping through a hand in a real browser: no key press is lost."""

import re

import pytest
from playwright.sync_api import Page, expect

import replay
from tests.browser.replay.shown import PEDRO, PEDROS, frames_of, opened, press, shows_hand
from tests.kit.browsing import at_step, settle
from tests.kit.dashboard_logs import REVOKE, with_revoke
from tests.kit.table_data import data_of, whole_frames

pytestmark = pytest.mark.browser


def test_of_sixty_fast_key_presses_none_is_lost(page: Page, server: str) -> None:
    opened(page, server, PEDRO)
    press(page, *["ArrowRight", "ArrowRight", "ArrowLeft"] * 20)
    at_step(page, 20)
    press(page, *["j", "k", "k"] * 5)
    at_step(page, 15)


def test_keys_lead_to_both_ends_decisions_and_tricks(page: Page, server: str) -> None:
    data = data_of(replay.replay(PEDRO))
    last = len(PEDRO.actions)
    opened(page, server, PEDRO, step=3)
    press(page, "End")
    at_step(page, last)
    press(page, "ArrowRight")
    at_step(page, last)
    press(page, "Home")
    at_step(page, 0)
    decisions = [step for step, frame in enumerate(whole_frames(data)) if frame["decision"]]
    for step in decisions[1:6]:
        press(page, "n")
        at_step(page, step)
    press(page, "p")
    at_step(page, decisions[4])
    parts = [group["first"] for group in data["groups"]]
    press(page, "Home")
    for step in parts[1:4]:
        press(page, "Shift+ArrowRight")
        at_step(page, step)
    press(page, "Shift+ArrowLeft")
    at_step(page, parts[2])


def test_buttons_and_the_bar_step_too(page: Page, server: str) -> None:
    opened(page, server, PEDRO)
    page.get_by_role("button", name="Next step").click()
    at_step(page, 1)
    # A button that was clicked leaves the keys to the table.
    press(page, "ArrowRight", "ArrowRight")
    at_step(page, 3)
    page.get_by_role("button", name="Last step").click()
    at_step(page, len(PEDRO.actions))
    page.get_by_role("slider", name="Step").fill("7")
    at_step(page, 7)
    page.get_by_role("slider", name="Step").focus()
    press(page, "ArrowRight")
    at_step(page, 8)


def test_the_list_of_steps_leads_to_each_and_follows(page: Page, server: str) -> None:
    opened(page, server, PEDRO)
    page.get_by_role("tab", name="Steps").click()
    page.get_by_role("button", name=re.compile(r"^Step 21: ")).click()
    at_step(page, 21)
    now = page.locator(".record [aria-current]")
    expect(now).to_have_attribute("data-step", "21")
    press(page, "End")
    expect(now).to_have_attribute("data-step", str(len(PEDRO.actions)))
    expect(now).to_be_in_viewport()
    assert page.locator(".record").evaluate("list => list.scrollTop") > 0
    assert page.locator(".record h3").first.inner_text() == "Auction"


def test_a_finding_leads_to_its_step_with_the_rule(page: Page, server: str) -> None:
    _, step = with_revoke()
    opened(page, server, REVOKE)
    expect(page.locator(".here .finding")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Revoke")).first.click()
    first = int(page.locator("ul.findings button").first.get_attribute("data-step") or 0)
    at_step(page, first)
    opened(page, server, REVOKE, step=step)
    expect(page.locator(".here .finding")).to_contain_text("while holding")
    expect(page.locator(".card.illegal")).to_have_count(1)
    page.get_by_text("Rule 14.follow").click()
    expect(page.get_by_text("Suit must be followed if possible.")).to_be_visible()


def test_legal_cards_are_marked_and_the_chosen_one_is_raised(page: Page, server: str) -> None:
    frames = frames_of(PEDRO)
    step = next(
        step
        for step, frame in enumerate(frames)
        if frame["number"] and len(frame["legal"].split()) == 3
    )
    opened(page, server, PEDRO, step=step)
    expect(page.locator(".card.legal")).to_have_count(3)
    expect(page.locator(".card.chosen")).to_have_count(1)
    expect(page.locator(".card.legal").first).to_have_attribute("aria-label", re.compile(", legal"))


def test_it_plays_by_itself_until_the_end(page: Page, server: str) -> None:
    last = len(PEDRO.actions)
    stop = page.get_by_role("button", name="Stop")
    stopped = page.get_by_role("button", name="Play by itself")
    opened(page, server, PEDRO, step=last - 3)
    # Slowly while it is looked at: a busy machine misses what stands for a moment.
    press(page, "-", "Space")
    expect(stop).to_be_visible()
    press(page, "+", "+", "+")
    at_step(page, last)
    expect(stopped).to_be_visible()
    press(page, "-", "-", "-", "Space")
    expect(stop).to_be_visible()
    at_step(page, 0)
    press(page, "+", "+", "+")
    expect(page.locator('.felt:not([data-step="0"])')).to_be_visible()
    press(page, "ArrowLeft")
    expect(stopped).to_be_visible()
    stands = page.locator(".felt").get_attribute("data-step")
    page.wait_for_timeout(400)
    expect(page.locator(".felt")).to_have_attribute("data-step", stands or "")


def test_keys_meant_for_others_are_left_alone(page: Page, server: str) -> None:
    opened(page, server, PEDRO, step=5)
    press(page, "Control+ArrowRight", "Alt+j", "Meta+ArrowRight")
    page.get_by_label("Speed").focus()
    press(page, "ArrowDown", "j")
    at_step(page, 5)


def test_another_hand_opens_at_its_deal_and_back_is_the_step_before(
    page: Page, server: str
) -> None:
    opened(page, server, PEDROS[0], step=5)
    press(page, "Shift+J", "Shift+J", "Shift+K", "Shift+J")
    shows_hand(page, PEDROS[2])
    at_step(page, 0)
    expect(page).to_have_url(re.compile(rf"hand={PEDROS[2].id}$"))
    settle(page)
    press(page, "ArrowRight")
    expect(page).to_have_url(re.compile(rf"hand={PEDROS[2].id}&ply=1$"))
    press(page, "Shift+K")
    shows_hand(page, PEDROS[1])
    page.go_back()
    shows_hand(page, PEDROS[2])
    at_step(page, 1)
