"""Pages of a club's forty evenings: how much each shows at first, and what a click brings."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browsing import LOW, NARROW, saved_picture, settle, settle_charts, too_wide, visit

pytestmark = pytest.mark.browser

MOST_WORDS = 400
MOST_CONTROLS = 40
WORDS = "main => main.innerText.split(/\\s+/).filter(word => word).length"
CONTROLS = """main => [...main.querySelectorAll("a, button, input, select, summary")]
  .filter(each => each.checkVisibility()).length"""


def test_the_front_page_answers_in_few_words_at_the_top(page: Page, evenings_server: str) -> None:
    page.set_viewport_size(LOW)
    visit(page, evenings_server)
    expect(page).to_have_title("Tricklog")
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
    visit(page, f"{evenings_server}/bids")
    folded = page.get_by_test_id("stExpander").first
    page.emulate_media(media="print")
    expect(folded).not_to_be_visible()
    page.emulate_media(media="screen")
    folded.locator("summary").click()
    expect(folded.locator("table").first).to_be_visible()
    page.emulate_media(media="print")
    expect(folded.locator("table").first).to_be_visible()


def test_practice_is_saved_as_pictures(page: Page, evenings_server: str, tmp_path: Path) -> None:
    page.set_viewport_size(LOW)
    page.goto(f"{evenings_server}/practice?practice-who=weak")
    page.wait_for_selector(".st-key-practice-play")
    settle(page)
    seen = []
    for name in ("question", "answer"):
        (tmp_path / name).mkdir()
        seen.append(saved_picture(page, tmp_path / name))
        if name == "question":
            page.locator(".felt button.one").first.click()
            play = page.locator(".st-key-practice-play button")
            expect(play).to_be_enabled()
            play.click()
            expect(page.locator(".st-key-practice-next")).to_be_visible()
            settle(page)
    # With the answer the cards of the others lie open.
    assert seen[0] != seen[1]


BELOW_THE_PLOT = """() => {
  const svg = document.querySelector('[data-testid="stVegaLiteChart"] svg');
  const boxes = (parts) => [...svg.querySelectorAll(parts)].map(
    (each) => each.getBoundingClientRect());
  const labels = Math.max(...boxes(".role-axis-label text").map((each) => each.top));
  return Math.max(...boxes(".mark-rule line").map((each) => each.bottom)) - labels;
}"""
"""By how many pixels the lowest line of a chart reaches into the labels of its axis."""


def test_a_wide_interval_ends_at_the_edge_of_its_chart(page: Page, evenings_server: str) -> None:
    visit(page, f"{evenings_server}/players?player=improving&view=over-time", charts=True)
    assert page.evaluate(BELOW_THE_PLOT) <= 0
    expect(page).to_have_title("improving · Tricklog")


FIGURES = {
    "evenings?view=season": "stands first in games won",
    "players": "Rank the players by",
    "bids": "Which bids are made",
}
"""Pages of figures, and what answers on them."""
ANSWERS = {
    "ledger": "In words.",
    "players?player=weak": "Different from the field",
    "practice?practice-who=weak": "Which card do you play?",
    "import": "Load",
    "record": "Who deals first",
}
FIRST = ("evenings?view=season", "ledger")
ANOTHER = pytest.mark.thorough("another page, as few words")


@pytest.mark.parametrize(
    "address",
    [pytest.param(each, marks=[] if each in FIRST else ANOTHER) for each in (*FIGURES, *ANSWERS)],
)
def test_the_first_screen_answers(page: Page, evenings_server: str, address: str) -> None:
    page.set_viewport_size(LOW)
    page.goto(f"{evenings_server}/{address}")
    main = page.get_by_test_id("stMain")
    if address == "evenings?view=season":
        expect(page).to_have_title("Season 2026 · Tricklog")
    if address in FIGURES:
        # The ranking draws its intervals in its table.
        (settle if address == "players" else settle_charts)(page)
        expect(main.get_by_text(FIGURES[address]).first).to_be_in_viewport()
        assert main.evaluate(WORDS) <= MOST_WORDS
        return
    said = page.get_by_text(ANSWERS[address]).first
    expect(said).to_be_in_viewport()
    settle(page)
    assert main.evaluate(WORDS) <= MOST_WORDS
    assert main.evaluate(CONTROLS) <= MOST_CONTROLS
    page.set_viewport_size(NARROW)
    settle(page)
    assert too_wide(page) == 0
    if address == "ledger":
        expect(said).to_be_in_viewport()
        expect(page.locator(".tl-step").first).to_be_in_viewport()
