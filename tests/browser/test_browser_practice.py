"""Practice in a real browser: by keys alone, on a phone, and without a request to anybody else."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as NotInTime

from tests.kit.browsing import LOW, NARROW, PATIENCE, serving, settle, too_wide
from tests.kit.built import build_solver_elsewhere

pytestmark = pytest.mark.browser

AGAIN_AFTER = 5_000
"""Milliseconds after which a key that led nowhere is pressed again."""
TABLE = re.compile("At the table ")


@pytest.fixture(scope="module")
def server(club_warehouse: Path, artefacts: Path, repository: Path) -> Iterator[str]:
    """A dashboard of the club that answers may be kept in."""
    build_solver_elsewhere()
    db = shutil.copytree(club_warehouse, artefacts / "db")
    with serving(db, artefacts, repository) as address:
        yield address


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=LOW)
    yield context.new_page()
    context.close()


def question(page: Page, server: str, query: str = "") -> None:
    page.goto(f"{server}/practice{query}")
    page.wait_for_selector(".st-key-practice-play", timeout=PATIENCE)
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
    """Press the key of a link until its page is reached."""
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


def test_a_question_is_answered_by_keys_and_leads_to_the_whole_hand(
    page: Page, server: str, artefacts: Path
) -> None:
    question(page, server)
    asked = page.url
    assert re.search(r"hand=[^&]+&action=\d+", asked)
    page.screenshot(path=artefacts / "question.png")
    expect(page.get_by_text(TABLE)).to_have_count(0)
    page.keyboard.press("i")
    expect(page.get_by_text("choices cost nothing; the dearest costs")).to_be_visible()
    choose_by_key(page, "2")
    answer(page)
    page.screenshot(path=artefacts / "answer.png")
    for part in (".tlp-strip", ".tlp-open", ".st-key-practice-buttons"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= LOW["height"]
    settle(page)
    page.keyboard.press("Enter")
    page.wait_for_selector(".st-key-practice-play", timeout=PATIENCE)
    assert page.url != asked
    following = page.url
    settle(page)
    page.keyboard.press("x")
    page.wait_for_function("before => location.href !== before", arg=following, timeout=PATIENCE)
    page.goto(asked)
    page.get_by_role("button", name="Show that answer").click()
    expect(page.get_by_text(TABLE)).to_be_visible()
    settle(page)
    follow_key(page, "r", r"/replay\?")


def test_what_if_plays_on_from_the_answer(page: Page, server: str) -> None:
    question(page, server, "?practice-topic=dearest+leads")
    choose_by_key(page, "1")
    answer(page)
    settle(page)
    follow_key(page, "w", r"/replay\?.*try=")
    settle(page)
    expect(page.get_by_text("does not know")).to_have_count(0)


def test_keys_go_into_a_field_while_one_writes(page: Page, server: str) -> None:
    question(page, server)
    asked = page.url
    page.get_by_role("button", name="Choose questions").click()
    field = page.get_by_role("textbox", name="You answer as")
    field.fill("")
    field.press_sequentially("x1ir")
    expect(field).to_have_value("x1ir")
    assert page.url == asked
    assert page.locator(".st-key-practice-play button").is_disabled()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_question_and_answer_without_scrolling_sideways(
    browser: Browser, server: str, artefacts: Path, scheme: Literal["light", "dark"]
) -> None:
    context = browser.new_context(viewport=NARROW, color_scheme=scheme)
    page = context.new_page()
    question(page, server, "?practice-topic=latest+bids+and+passes")
    page.screenshot(path=artefacts / f"phone-question-{scheme}.png")
    for _ in range(2):
        assert too_wide(page) == 0
        if page.locator(".st-key-practice-next").count():
            break
        page.locator("[class*=st-key-practice-option] button").first.click()
        expect(page.locator(".st-key-practice-play button")).to_be_enabled()
        page.locator(".st-key-practice-play button").click()
        expect(page.locator(".st-key-practice-next")).to_be_visible()
    page.screenshot(path=artefacts / f"phone-answer-{scheme}.png")
    context.close()
