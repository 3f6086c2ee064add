"""Pages on a phone, on a club's forty evenings: what each is for is whole on 390 by 844."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import begun_evening
from tests.kit.browsing import NARROW, at_step, found_wrong, settle, shared, visit
from tests.kit.simulated_club import LAST_EVENING
from tests.kit.tiers import some
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.schemas.hand import Player, RulesRef

pytestmark = pytest.mark.browser

COVERED = """() => {
  const root = [...document.querySelectorAll("*")]
    .map(each => each.shadowRoot?.querySelector(".card-table")).find(each => each);
  const bar = root.querySelector(".transport").getBoundingClientRect().top;
  return [...root.querySelectorAll(".felt, .seat.turn, .seat.turn .card, .card.chosen, .strip")]
    .filter(each => {
      const box = each.getBoundingClientRect();
      return box.width && (box.top < 0 || Math.floor(box.bottom) > bar || box.right > innerWidth);
    }).map(each => each.className);
}"""
CUT_CELLS = """() => [...document.querySelectorAll("table.tl-figures tbody tr")].flatMap(row =>
  [...row.children].filter(cell => {
    const box = cell.getBoundingClientRect();
    return box.width && box.right > innerWidth;
  }).map(cell => cell.innerText))"""
KEYS_OUT_OF_REACH = """() => {
  const root = [...document.querySelectorAll("*")]
    .map(each => each.shadowRoot?.querySelector(".recorder")).find(each => each)
    ?? document.querySelector(".recorder");
  const head = root.querySelector("h2").getBoundingClientRect();
  const end = root.querySelector("footer").getBoundingClientRect().top;
  const found = head.top < 0 || head.bottom > end ? ["who is next"] : [];
  for (const key of root.querySelectorAll(".key.card")) {
    const box = key.getBoundingClientRect();
    if (box.bottom > end || box.right > innerWidth || box.height < 44) found.push(key.innerText);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    with shared(browser, NARROW, has_touch=True) as made:
        yield made


def hands_of_last_evening(db: Path) -> list[str]:
    """One hand of each game of the last evening."""
    with open_snapshot(db) as tables:
        rows = tables.execute(
            "SELECT min(hand_id) FROM hands WHERE hand_id LIKE ? GROUP BY game ORDER BY 1",
            [f"%{LAST_EVENING}%"],
        ).fetchall()
    return [hand for (hand,) in rows]


@pytest.mark.slow("every step of three hands, and forty evenings are played first")
def test_who_acts_is_above_the_slider(page: Page, evenings_server: str, evenings_db: Path) -> None:
    hands = hands_of_last_evening(evenings_db)
    assert hands
    for hand in some(hands, 3):
        page.goto(f"{evenings_server}/replay?hand={hand}")
        at_step(page, 0)
        settle(page)
        last = int(page.get_by_role("slider", name="Step").get_attribute("max") or 0)
        for step in range(last):
            at_step(page, step)
            assert found_wrong(page, COVERED) == [], f"{hand}, step {step}"
            page.keyboard.press("ArrowRight")


def test_games_and_sheets_show_scores_of_both_sides(page: Page, evenings_server: str) -> None:
    visit(page, f"{evenings_server}/games")
    links = page.locator("table.tl-figures td > a:visible")
    expect(links).to_have_count(50)
    expect(page.locator("table.tl-figures tbody tr").first).to_contain_text("won,")
    assert page.evaluate(CUT_CELLS) == []
    games = [str(each.get_attribute("href")) for each in links.all()[:6]]
    for game in some(games, 3):
        page.goto(f"{evenings_server}/{game}")
        expect(page.locator("table.tl-sheet")).to_be_visible()
        settle(page)
        assert page.evaluate(CUT_CELLS) == []


def test_who_is_next_and_all_keys_show(page: Page, evenings_server: str, evenings_db: Path) -> None:
    four = [Player(id=name) for name in ("bold", "slight", "careful-1", "steady-2")]
    bids = ("0 bid 7", "1 pass", "2 pass", "3 pass", "0 trump S", "gap exchange")
    name = begun_evening(evenings_db, RulesRef("pedro"), four, *bids)
    page.goto(f"{evenings_server}/record?draft={name}")
    for player, card in zip(four, ("A of trumps", "2 of trumps", "3 of trumps"), strict=False):
        expect(page.get_by_role("heading", name=f"{player.id} is next")).to_be_visible()
        assert found_wrong(page, KEYS_OUT_OF_REACH) == []
        page.get_by_role("button", name=card, exact=True).click()
    expect(page.get_by_role("heading", name="steady-2 is next")).to_be_visible()
    page.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    expect(page.get_by_role("heading", name="steady-2 is next")).to_be_in_viewport()


@pytest.mark.parametrize("screen", ["hands", "players"])
def test_wide_rows_have_their_headings(page: Page, evenings_server: str, screen: str) -> None:
    visit(page, f"{evenings_server}/{screen}")
    table = page.locator("table.tl-wide").first
    expect(table).to_be_visible()
    assert found_wrong(page, CUT_CELLS) == []
    first = table.locator("tbody tr").first
    cell = first.locator("td[data-head]").first
    said = cell.evaluate("cell => getComputedStyle(cell, '::before').content")
    assert said.strip('"').strip() == cell.get_attribute("data-head")
    name = first.locator("td[data-first]")
    assert name.evaluate("cell => cell.getBoundingClientRect().bottom") <= cell.evaluate(
        "cell => cell.getBoundingClientRect().top"
    )
