"""Pages of a club's forty evenings: how much each shows at first, and what a click brings."""

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browsing import LOW, settle

pytestmark = pytest.mark.browser

MOST_WORDS = 400
MOST_CONTROLS = 40
WORDS = "main => main.innerText.split(/\\s+/).filter(word => word).length"
CONTROLS = """main => [...main.querySelectorAll("a, button, input, select, summary")]
  .filter(each => each.checkVisibility()).length"""


def test_the_front_page_answers_in_few_words_at_the_top(page: Page, evenings_server: str) -> None:
    page.set_viewport_size(LOW)
    page.goto(evenings_server)
    settle(page)
    answers = page.locator(".tl-answers").first
    expect(answers).to_contain_text("bold bids in")
    expect(answers.get_by_text("bold bids in")).to_be_in_viewport()
    main = page.get_by_test_id("stMain")
    assert main.evaluate(WORDS) <= MOST_WORDS
    assert main.evaluate(CONTROLS) <= MOST_CONTROLS
    # Paper, and a narrow window, have room for the sentences too.
    page.set_viewport_size({"width": 794, "height": 1123})
    said = answers.locator(".tl-answer p", has_text="bold bids in")
    assert said.evaluate("sentence => sentence.getBoundingClientRect().width") > 300
    each_game = page.locator(".tl-answers").nth(1)
    expect(each_game).not_to_be_visible()
    page.get_by_text("Each game for itself").click()
    expect(each_game).to_contain_text("King Pedro")
    expect(each_game).to_be_visible()


def test_what_is_folded_is_printed_when_it_is_open(page: Page, evenings_server: str) -> None:
    page.goto(f"{evenings_server}/bids")
    settle(page)
    folded = page.get_by_test_id("stExpander").first
    page.emulate_media(media="print")
    expect(folded).not_to_be_visible()
    page.emulate_media(media="screen")
    folded.locator("summary").click()
    expect(folded.locator("table").first).to_be_visible()
    page.emulate_media(media="print")
    expect(folded.locator("table").first).to_be_visible()
