"""Practice in a real browser: by keys alone, on a phone, and without a request to anybody else."""

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as NotInTime

from tests.kit.browsing import LOW, NARROW, PATIENCE, picture, settle, too_wide

pytestmark = pytest.mark.browser

AGAIN_AFTER = 20_000
"""Milliseconds after which a key that led nowhere is pressed again."""
TABLE = re.compile("At the table ")


def question(page: Page, club_server: str, query: str = "") -> None:
    page.set_viewport_size(LOW)
    page.goto(f"{club_server}/practice{query}")
    page.wait_for_selector(".st-key-practice-play")
    settle(page)


def press_until(page: Page, key: str, arrived: Callable[[], None]) -> None:
    """Press a key until what it leads to is there: it is listened for a moment later."""
    for _ in range(PATIENCE // AGAIN_AFTER - 1):
        page.keyboard.press(key)
        with suppress(AssertionError, NotInTime):
            arrived()
            return
    pytest.fail(f"nothing came of the key {key}")


def follow_key(page: Page, key: str, address: str) -> None:
    leads = re.compile(address)
    press_until(
        page, key, lambda: page.wait_for_url(leads, timeout=AGAIN_AFTER, wait_until="commit")
    )


def choose_by_key(page: Page, key: str) -> None:
    """Press the number of a card until it is chosen, as a user does whose first press was early."""
    play = page.get_by_role("button", name=re.compile("^Play "))
    press_until(page, key, lambda: expect(play).to_be_enabled(timeout=AGAIN_AFTER))


def answer(page: Page) -> None:
    """Play the chosen card."""
    table = page.get_by_text(TABLE)
    press_until(page, "Enter", lambda: expect(table).to_be_visible(timeout=AGAIN_AFTER))


def test_a_question_is_answered_by_keys(page: Page, club_server: str, artefacts: Path) -> None:
    question(page, club_server)
    expect(page).to_have_url(re.compile(r"hand=[^&]+&action=\d+"))
    asked = page.url
    picture(page, artefacts / "question.png")
    expect(page.get_by_text(TABLE)).to_have_count(0)
    # Keys go into a field while one writes.
    page.get_by_role("button", name="Choose questions").click()
    field = page.get_by_role("textbox", name="You answer as")
    field.fill("")
    field.press_sequentially("x1ir")
    expect(field).to_have_value("x1ir")
    assert page.url == asked
    expect(page.locator(".st-key-practice-play button")).to_be_disabled()
    field.fill("")
    page.keyboard.press("Escape")
    expect(field).not_to_be_visible()
    hint = page.get_by_text("choices cost nothing; the dearest costs")
    press_until(page, "i", lambda: expect(hint).to_be_visible(timeout=AGAIN_AFTER))
    choose_by_key(page, "2")
    answer(page)
    picture(page, artefacts / "answer.png")
    for part in (".strip", ".felt", ".st-key-practice-buttons"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= LOW["height"]
    settle(page)
    # The address follows at the end of what draws the question.
    press_until(page, "Enter", lambda: expect(page).not_to_have_url(asked, timeout=AGAIN_AFTER))
    page.wait_for_selector(".st-key-practice-play")
    following = page.url
    settle(page)
    press_until(page, "x", lambda: expect(page).not_to_have_url(following, timeout=AGAIN_AFTER))
    page.goto(asked)
    page.get_by_role("button", name="Show that answer").click()
    expect(page.get_by_text(TABLE)).to_be_visible()
    settle(page)
    follow_key(page, "r", r"/replay\?")


@pytest.mark.thorough("what is tried instead is opened by a link like that of the whole hand")
def test_what_if_plays_on_from_the_answer(page: Page, club_server: str) -> None:
    question(page, club_server, "?practice-topic=dearest+leads")
    choose_by_key(page, "1")
    answer(page)
    settle(page)
    follow_key(page, "w", r"/replay\?.*try=")
    settle(page)
    expect(page.get_by_text("does not know")).to_have_count(0)


@pytest.mark.thorough("other pages are looked at on a phone")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_question_and_answer_without_scrolling_sideways(
    page: Page, club_server: str, artefacts: Path, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    question(page, club_server, "?practice-topic=latest+bids+and+passes")
    page.set_viewport_size(NARROW)
    picture(page, artefacts / f"phone-question-{scheme}.png")
    assert too_wide(page) == 0
    page.locator("[class*=st-key-practice-option] button").first.click()
    expect(page.locator(".st-key-practice-play button")).to_be_enabled()
    page.locator(".st-key-practice-play button").click()
    expect(page.locator(".st-key-practice-next")).to_be_visible()
    picture(page, artefacts / f"phone-answer-{scheme}.png")
    assert too_wide(page) == 0
