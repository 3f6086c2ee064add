"""How the card table looks in a real browser: in any light, wide, narrow and in print.

Screenshots are kept in the temporary folder of the test run.
"""

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.replay.shown import BY_NAME, opened, pedro, press, secret, seven
from tests.kit.browsing import (
    LOW,
    NARROW,
    WIDE,
    at_step,
    found_wrong,
    picture,
    settle,
    turn_to,
)
from tests.kit.tables import TABLES
from tests.kit.tiers import some

pytestmark = pytest.mark.browser

Scheme = Literal["light", "dark"]
CARD = re.compile(r"^rgb\((255, 255, 255|213, 216, 220)\)$")
"""White, or what is left of it on a card that may not be played."""


OUT_OF_SIGHT = """() => {
  const root = [...document.querySelectorAll("*")]
    .map(each => each.shadowRoot?.querySelector(".card-table")).find(each => each);
  const wanted = innerWidth > 700
    ? ".felt, .seat.turn, .card.chosen, .strip, .buttons, .track, .settings button"
    : ".felt, .seat.turn, .card.chosen, .strip, .buttons, .track";
  const found = [];
  // On a phone fingers find every button.
  for (const each of innerWidth > 700 ? [] : root.querySelectorAll("button"))
    if (each.offsetHeight && each.offsetHeight < 40) found.push(`low: ${each.innerText}`);
  const track = root.querySelector(".track").getBoundingClientRect();
  for (const each of root.querySelectorAll(wanted)) {
    const box = each.getBoundingClientRect();
    if (!box.width) continue;
    if (box.top < 0 || Math.floor(box.bottom) > innerHeight) found.push(each.className);
    if (each.matches(".felt, .card.chosen") && box.bottom > track.top) found.push("covered");
  }
  return found;
}"""


TOO_WIDE = """() => Math.max(0, ...[...document.querySelectorAll("*")]
  .filter(each => each.shadowRoot)
  .flatMap(each => [...each.shadowRoot.querySelectorAll(".card-table *:not(.unseen)")])
  .map(each => each.getBoundingClientRect().right - innerWidth))"""
SEEN = [(name, *look) for name in BY_NAME for look in ((LOW, "light"), (NARROW, "dark"))]
FIRST = (("seven", NARROW, "dark"),)


@pytest.mark.parametrize(
    ("name", "size", "scheme"),
    [
        *FIRST,
        *(
            pytest.param(*case, marks=pytest.mark.thorough("the largest on a phone stays"))
            for case in SEEN
            if case not in FIRST
        ),
    ],
)
def test_every_step_is_seen_without_scrolling(
    page: Page, server: str, artefacts: Path, name: str, size: ViewportSize, scheme: Scheme
) -> None:
    hand = BY_NAME[name]()
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)
    opened(page, server, hand)
    settle(page)
    for step in range(len(hand.actions) + 1):
        at_step(page, step)
        assert found_wrong(page, OUT_OF_SIGHT) == [], f"step {step}"
        if size == NARROW and step % 6 == 0:
            assert found_wrong(page, TOO_WIDE) == 0, f"step {step}"
        if step == len(hand.actions) // 2:
            picture(page, artefacts / f"seen-{hand.id}-{size['width']}.png")
        press(page, "ArrowRight")
    assert page.locator("[data-testid=stMain]").evaluate("main => main.scrollTop") == 0


@pytest.mark.thorough("eight pages; notices are tried without a browser in tests/dashboard")
def test_on_the_way_from_page_to_page_nothing_is_asked_in_vain(page: Page, server: str) -> None:
    page.goto(f"{server}/bids?view=By+player&at=card:5&variant=Pedro&min=2&all=true&plyer=x")
    settle(page)
    notice = page.get_by_text("The address asks for")
    expect(notice).to_contain_text("“plyer”")
    for name in ("Players", "Replay", "Hands", "Overview", "Replay", "Audit", "Definitions"):
        turn_to(page, name)
        title = "Tricklog" if name == "Overview" else "Hand " if name == "Replay" else name
        expect(page.get_by_role("heading", name=title).first).to_be_visible()
        settle(page)
        if name == "Replay":
            at_step(page, 0)
            press(page, "ArrowRight", "h")
            expect(page).to_have_url(re.compile("hide=hands"))
        expect(notice).to_have_count(0)


@pytest.mark.thorough("contrast is judged by the walk of test_accessibility, dark and light")
@pytest.mark.parametrize(
    ("size", "schemes"),
    [(WIDE, ("light", "dark")), (NARROW, ("light",))],
    ids=["wide", "narrow"],
)
def test_cards_are_white_in_any_light(
    page: Page, server: str, artefacts: Path, size: ViewportSize, schemes: tuple[Scheme, ...]
) -> None:
    page.set_viewport_size(size)
    for hand, step in some(((seven(), 18), (pedro(), 20), (secret(), 8), (TABLES[1], 12)), 2):
        opened(page, server, hand, step=step)
        card = page.locator(".holding .card:not(.back)").first
        table = page.locator(".card-table")
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            text = "rgb(28, 35, 48)" if scheme == "light" else "rgb(232, 235, 240)"
            expect(table).to_have_css("color", text)
            expect(card).to_have_css("background-color", CARD)
            name = f"{len(hand.players)}-{hand.rules.variant}-{scheme}-{size['width']}.png"
            picture(page, artefacts / name)
