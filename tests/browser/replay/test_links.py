"""Links to a hand at a step: whatever is seen has one."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.replay.shown import opened, pedro, press
from tests.kit.browsing import at_step, saved_picture, settle, turn_to
from tricklog.schemas.hand import decode_hand, encode_hand

pytestmark = pytest.mark.browser

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
    page.get_by_role("button", name="Copy as log line").click()
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
    press(page, "j")
    at_step(page, 6)
    page.get_by_role("button", name="Copy as log line").click()
    expect(offered).to_have_value(encode_hand(pedro()).decode())
    # A table that is drawn again, as when values arrive, does not take it away.
    page.get_by_role("button", name="Hide names").click()
    expect(offered).to_be_visible()
    page.get_by_role("button", name="Next step", exact=True).click()
    expect(offered).to_be_visible()


@pytest.mark.thorough("what a table leaves behind troubles only those that follow it")
def test_nothing_is_left_behind_on_another_page(page: Page, server: str) -> None:
    page.add_init_script(COUNT_LISTENERS)
    page.goto(f"{server}/hands")
    settle(page)
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
    felt = page.locator(".felt").bounding_box()
    assert felt
    picture = saved_picture(page, tmp_path)
    assert picture.format == "PNG"
    assert picture.width > 2 * felt["width"]
    assert picture.height > 2 * felt["height"]
    # Cards and cloth, names and suits: an empty table would have few colours.
    colours = picture.convert("RGB").resize((400, 300)).getcolors(1 << 20)
    assert colours
    assert len(colours) > 200
