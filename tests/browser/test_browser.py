"""The dashboard in a real browser: from the front page to a finding, and to a hand of a list."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browsing import at_step, picture, settle, turn_to
from tests.kit.dashboard_logs import CLAIM, REVOKE, with_revoke

pytestmark = pytest.mark.browser


@pytest.mark.thorough("a newcomer and the keyboard go the same ways")
def test_from_the_front_page_to_a_finding_and_to_that_of_another_hand(
    page: Page, server: str, artefacts: Path
) -> None:
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
    picture(page, artefacts / "finding.png")
    # Whatever draws the finding again leaves open what is read.
    page.get_by_role("button", name="Hide names").click()
    expect(finding).not_to_contain_text("bot-steady-1")
    expect(page.get_by_text("Suit must be followed if possible.")).to_be_visible()

    # The step of one hand is not carried to the next.
    turn_to(page, "Overview")
    page.get_by_role("link", name=f"{CLAIM}, step").click()
    expect(page.get_by_role("heading", name=f"Hand {CLAIM}")).to_be_visible()
    expect(page.locator(".here .finding").first).to_contain_text("Claimed points.")
    expect(page.locator(f'.felt[data-step="{step}"]')).to_have_count(0)
    # A page left before it was drawn was not visited: the step would rightly still be there.
    turn_to(page, "Hands")
    expect(page.get_by_role("heading", name="Hands", exact=True)).to_be_visible()
    settle(page)
    turn_to(page, "Replay")
    at_step(page, 0)
