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
    saved_picture,
    settle,
    turn_to,
    visit,
)
from tests.kit.tables import TABLES
from tests.kit.tiers import some
from tricklog.schemas.hand import decode_hand, encode_hand

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


@pytest.mark.thorough("contrast is judged by the walk of test_accessibility, dark and light")
@pytest.mark.parametrize(
    ("size", "schemes"), [(WIDE, ("light", "dark")), (NARROW, ("light",))], ids=["wide", "narrow"]
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


# --- Links
COUNT_LISTENERS = """
window.keyListeners = 0;
for (const [name, by] of [["addEventListener", 1], ["removeEventListener", -1]]) {
  const original = document[name];
  document[name] = function (type, listener, ...rest) {
    if (type === "keydown" && String(listener).includes("press")) window.keyListeners += by;
    return original.call(this, type, listener, ...rest);
  };
}
"""


@pytest.mark.thorough("the link of a branch is copied in the first tier")
def test_link_and_log_line_can_be_copied(page: Page, server: str) -> None:
    opened(page, server, pedro(), step=6)
    press(page, "ArrowRight")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{server}/replay?hand={pedro().id}&ply=7"
    page.get_by_role("button", name="Copy line").click()
    expect(page.get_by_text("Log line copied")).to_be_visible()
    line = page.evaluate("navigator.clipboard.readText()")
    assert line.encode() == encode_hand(pedro())
    assert decode_hand(line.encode()) == pedro()


@pytest.mark.thorough("a browser that forbids what others allow")
def test_what_may_not_be_copied_is_offered_for_copying(page: Page, server: str) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    opened(page, server, pedro(), step=6)
    page.get_by_role("button", name="Copy link").click()
    offered = page.get_by_label("To be copied")
    expect(offered).to_have_value(f"{server}/replay?hand={pedro().id}&ply=6")
    press(page, "j", leads=6)
    page.get_by_role("button", name="Copy line").click()
    expect(offered).to_have_value(encode_hand(pedro()).decode())
    # A table that is drawn again, as when values arrive, does not take it away.
    page.get_by_role("button", name="Hide names").click()
    expect(offered).to_be_visible()
    page.get_by_role("button", name="Next step", exact=True).click()
    expect(offered).to_be_visible()


@pytest.mark.thorough("what a table leaves behind troubles only those that follow it")
def test_nothing_is_left_behind_on_another_page(page: Page, server: str) -> None:
    page.add_init_script(COUNT_LISTENERS)
    visit(page, f"{server}/hands")
    turn_to(page, "Replay")
    at_step(page, 0)
    assert page.evaluate("keyListeners") == 1
    press(page, "ArrowRight")
    turn_to(page, "Hands")
    expect(page.get_by_role("heading", name="Hands", exact=True)).to_be_visible()
    settle(page)
    expect(page.locator(".felt")).to_have_count(0)
    assert page.evaluate("keyListeners") == 0
    press(page, "ArrowRight")
    page.wait_for_timeout(500)
    assert "ply=" not in page.url


def test_a_position_is_saved_as_a_picture(page: Page, server: str, tmp_path: Path) -> None:
    opened(page, server, pedro(), step=6)
    saved_picture(page, tmp_path)
