"""Figures in a real browser: a click leads to the hands behind it, and a phone has room for all."""

import re
from operator import itemgetter

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.kit.browsing import LOW, NARROW, at_step, follow, settle_charts, too_wide, visit
from tests.kit.tiers import some

pytestmark = pytest.mark.browser

_TOO_NARROW = """(cells) => cells.filter((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const aloud = cell.querySelector(".tl-aloud");
    if (aloud) return false;
    return range.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1;
}).map((cell) => cell.textContent)"""
"""Texts of cells that go beyond their own right end."""

_IS_BELOW = """(name) => {
    const tops = new Map([...document.querySelectorAll("h3")].map(
        (each) => [each.innerText.trim(), each.getBoundingClientRect().top]));
    const both = ["Last evenings", "What your hands say"].map((each) => tops.get(each));
    return Math.max(...both) === tops.get(name) && both[0] !== both[1];
}"""
"""Whether the lower one of the two headings of the front page is called so."""

ON_A_SHEET = pytest.mark.thorough("a score sheet and a hand are looked at on a phone and on paper")

MARKS = [
    ("bids?view=by-player", "symbol", "figure=set-rate", r"player=[^&]+"),
    (
        *("bids?view=Margins&variant=Pedro", "rect", r"margin-from=-?\d+&margin-to=-?\d+"),
        *("figure=made-rate", "variant=pedro", "result=(made|set)"),
    ),
    (
        *("capture?view=cards&since=2020-01-01", "symbol", "card=", "figure=cards-kept"),
        *("side=(makers|defenders)", "since=2020-01-01"),
    ),
    ("variants?over=day&variant=pedro", "symbol", "figure=score-share", "side="),
    (
        *("bids?table=Pedro%2C+4+partners", "rect", "figure=made-rate", "role=maker"),
        r"trumps-held-from=\d",
    ),
    ("capture?view=pedros", "symbol", "figure=pedros-lost", r"player=[^&]+"),
]
"""Pages, the marks of their charts, and what the addresses say that a click on one leads to."""


@pytest.mark.thorough("the keyboard's way ends with a click on a point")
@pytest.mark.parametrize("case", MARKS, ids=itemgetter(0))
def test_a_point_leads_to_its_hands(page: Page, club_server: str, case: tuple[str, ...]) -> None:
    address, mark, *expected = case
    visit(page, f"{club_server}/{address}", charts=True)
    click_on_a_mark(page, mark, *expected)


def click_on_a_mark(page: Page, mark: str, *expected: str) -> None:
    chart = page.get_by_test_id("stVegaLiteChart").first
    follow(chart.locator(f".mark-{mark}.role-mark path").first, r"/hands\?")
    for part in expected:
        expect(page).to_have_url(re.compile(rf"/hands\?.*{part}"))


def names_stand_in_line_with_their_marks(chart: Locator) -> None:
    labels = chart.locator(".mark-text.role-axis-label text").all()
    rows = [box["y"] + box["height"] / 2 for each in labels if (box := each.bounding_box())]
    marks = chart.locator(".mark-symbol.role-mark path").all()
    points = [box["y"] + box["height"] / 2 for each in marks if (box := each.bounding_box())]
    assert len(points) > 2
    for point in points:
        assert min(abs(point - row) for row in rows) < 2


def test_the_keyboard_leads_from_a_figure_to_a_step_and_back_again_and_a_click_to_hands(
    page: Page, club_server: str
) -> None:
    address, *clicked = MARKS[0]
    visit(page, f"{club_server}/{address}")
    tab_to(page, "The figures")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="hands behind Contracts set").first).to_be_visible()
    tab_to(page, ": hands behind Contracts set")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/hands\?figure=set-rate&player=[^&]+$"))
    expect(page.get_by_text("Hands behind:")).to_contain_text("Contracts set, bot-")
    expect(page.locator(".tl-rows")).to_be_visible()
    listed = page.url

    tab_to(page, ": replay")
    page.keyboard.press("Enter")
    at_step(page, 0)
    page.keyboard.press("ArrowRight")
    at_step(page, 1)
    page.go_back()
    expect(page).to_have_url(listed)
    expect(page.get_by_text("Hands behind:")).to_contain_text("Contracts set, bot-")
    page.go_back()
    heading = page.get_by_role("heading", name="Bid accuracy")
    expect(heading).to_be_visible()
    settle_charts(page)
    names_stand_in_line_with_their_marks(page.get_by_test_id("stVegaLiteChart").first)
    click_on_a_mark(page, *clicked)


def tab_to(page: Page, name: str) -> None:
    """Press Tab until what is focused is called so; it must be within reach."""
    # The page itself can be focused, too, and is no name of anything.
    focused = "(e => e.matches('main') ? '' : e.ariaLabel ?? e.innerText)(document.activeElement)"
    for _ in range(60):
        page.keyboard.press("Tab")
        if name in (page.evaluate(focused) or ""):
            return
    raise AssertionError(f"nothing called {name!r} can be reached by Tab")


@ON_A_SHEET
def test_a_phone_begins_with_answers_and_shows_contracts(page: Page, club_server: str) -> None:
    visit(page, club_server)
    headings = page.get_by_role("heading", name=re.compile("Last evenings|What your hands"))
    expect(headings).to_have_count(2)
    for size in (LOW, NARROW):
        page.set_viewport_size(size)
        page.wait_for_function(_IS_BELOW, arg="Last evenings")
    visit(page, f"{club_server}/hands?margin-to=-1")
    assert too_wide(page, "body, [data-testid=stMain]") == 0
    table = page.locator(".tl-scroll")
    assert table.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0
    order = page.get_by_role("combobox", name="In this order")
    expect(order).not_to_be_visible()
    page.locator(".tl-filters summary").click()
    expect(order).to_be_visible()
    row = page.locator(".tl-rows tbody tr").first
    row.scroll_into_view_if_needed()
    for head in ("Maker", "Bid", "Result", "Margin", "Others’ points"):
        cell = row.locator(f'td[data-head="{head}"]')
        expect(cell).to_be_in_viewport()
        expect(cell).to_have_text(re.compile(r"\w"))
    follow(row.locator("td:visible").last, r"/replay\?")
    at_step(page, 0)


@ON_A_SHEET
def test_no_number_of_the_fives_is_cut(page: Page, club_server: str) -> None:
    for width in some([390, 768, 1024, 1440], 1):
        page.set_viewport_size({"width": width, "height": 900})
        visit(page, f"{club_server}/capture?view=pedros&variant=pedro", charts=True)
        for fold in page.get_by_text("The figures").all():
            fold.click()
        cells = page.locator(".stExpander :is(th, td):visible")
        # A phone leaves out cells that are empty.
        expect(cells).to_have_count(41 if width < 600 else 45)
        assert cells.evaluate_all(_TOO_NARROW) == [], width
        boxes = page.locator(".stExpander .tl-scroll")
        scrolled = boxes.evaluate_all(
            "(boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length"
        )
        assert scrolled == 0, width


@ON_A_SHEET
def test_nothing_that_is_pressed_is_printed(page: Page, club_server: str) -> None:
    page.set_viewport_size(LOW)
    pages = ("capture?view=pedros&variant=pedro", "variants", "players", "evenings")
    for address in some(pages, 2):
        page.emulate_media(media="screen")
        visit(page, f"{club_server}/{address}")
        page.emulate_media(media="print")
        for pressed in (".st-key-scope", ".st-key-filters", "[role=tab][aria-selected=false]"):
            expect(page.locator(f"{pressed}:visible")).to_have_count(0)
        chosen = page.locator(".tl-on-paper:visible")
        expect(chosen).to_have_text(["Only Pedro"] if "variant=" in address else [])
