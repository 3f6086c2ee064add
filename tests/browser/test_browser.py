"""The dashboard in a real browser: from the front page to a finding, and what a link reproduces.

Screenshots of every page, light and dark, wide and narrow, are kept in the temporary folder of the
test run.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browsing import at_step, follow, settle, turn_to
from tests.kit.dashboard_logs import CLAIM, REVOKE, with_revoke

pytestmark = pytest.mark.browser


def test_from_the_front_page_to_a_finding(page: Page, server: str, artefacts: Path) -> None:
    _, step = with_revoke()
    page.goto(server)
    settle(page)
    expect(page.get_by_role("heading", name="Tricklog")).to_be_visible()
    page.get_by_role("link", name=f"{REVOKE}, step {step}").click()

    at_step(page, step)
    expect(page).to_have_url(re.compile(rf"/replay\?hand={REVOKE}&ply={step}$"))
    finding = page.locator(".here .finding").first
    expect(finding).to_contain_text("Revoke.")
    expect(finding).to_contain_text("while holding")
    expect(page.locator(".card.illegal")).to_have_count(1)
    page.get_by_text("Rule 14.follow").click()
    expect(page.get_by_text("Suit must be followed if possible.")).to_be_visible()
    page.screenshot(path=artefacts / "finding.png", full_page=True)


def test_from_a_kind_of_finding_over_the_list_to_the_hand(page: Page, server: str) -> None:
    page.goto(server)
    settle(page)
    page.get_by_role("link", name=re.compile("^Revoke · ")).click()
    expect(page.get_by_text("1 hand. Click a row")).to_be_visible(timeout=60_000)
    expect(page).to_have_url(re.compile(r"/hands\?finding=Revoke$"))
    follow(page.get_by_role("cell", name="Twenty-Nine"), rf"/replay\?hand={REVOKE}")
    at_step(page, 0)


def test_the_step_of_one_hand_is_not_carried_to_the_next(page: Page, server: str) -> None:
    page.goto(f"{server}/replay?hand={REVOKE}&ply=5")
    settle(page)
    at_step(page, 5)
    turn_to(page, "Overview")
    page.get_by_role("link", name=f"{CLAIM}, step").click()
    expect(page.get_by_role("heading", name=f"Hand {CLAIM}")).to_be_visible(timeout=60_000)
    expect(page.locator(".here .finding").first).to_contain_text("Claimed points.")
    expect(page.locator('.felt[data-step="5"]')).to_have_count(0)
    for name, title in (("Overview", "Tricklog"), ("Hands", "Hands")):
        # A page left before it was drawn was not visited: the step would rightly still be there.
        turn_to(page, name)
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible(timeout=60_000)
        settle(page)
    turn_to(page, "Replay")
    at_step(page, 0)
