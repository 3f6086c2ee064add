"""How the card table looks in a real browser: in any light, wide, narrow and in print.

Screenshots are kept in the temporary folder of the test run.
"""

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from schemas.hand import Hand
from tests.browser.replay.shown import KING, PEDRO, SECRET, SEVEN, opened, press
from tests.kit.browsing import LOW, NARROW, WIDE, at_step, found_wrong, settle, turn_to
from tests.kit.dashboard_logs import NAMES, REVOKE, with_revoke
from tests.kit.tables import TABLES

pytestmark = pytest.mark.browser

Scheme = Literal["light", "dark"]
CARD = re.compile(r"^rgb\((255, 255, 255|213, 216, 220)\)$")
"""White, or what is left of it on a card that may not be played."""


def test_a_name_with_html_is_text(page: Page, server: str) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    opened(page, server, NAMES)
    press(page, "End", "Home", "ArrowRight")
    expect(page.locator(".seat bdi").first).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator(".card-table img").count() == 0
    assert not dialogs


OUT_OF_SIGHT = """() => {
  const root = [...document.querySelectorAll("*")]
    .map(each => each.shadowRoot?.querySelector(".card-table")).find(each => each);
  const wanted = innerWidth > 700
    ? ".felt, .seat.turn, .card.chosen, .strip, .buttons, .track, .settings button"
    : ".felt, .seat.turn, .card.chosen, .strip, .buttons, .track";
  const track = root.querySelector(".track").getBoundingClientRect();
  const found = [];
  for (const each of root.querySelectorAll(wanted)) {
    const box = each.getBoundingClientRect();
    if (!box.width) continue;
    if (box.top < 0 || Math.floor(box.bottom) > innerHeight) found.push(each.className);
    if (each.matches(".felt, .card.chosen") && box.bottom > track.top) found.push("covered");
  }
  return found;
}"""


@pytest.mark.parametrize(
    ("size", "scheme"), [(LOW, "light"), (NARROW, "dark")], ids=["low", "phone"]
)
@pytest.mark.parametrize(
    "hand", [PEDRO, SECRET, SEVEN, KING, with_revoke()[0]], ids=lambda hand: hand.id
)
def test_every_step_is_seen_without_scrolling(
    page: Page, server: str, artefacts: Path, hand: Hand, size: ViewportSize, scheme: Scheme
) -> None:
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)
    opened(page, server, hand)
    settle(page)
    page.wait_for_timeout(300)
    for step in range(len(hand.actions) + 1):
        at_step(page, step)
        assert found_wrong(page, OUT_OF_SIGHT) == [], f"step {step}"
        if step == len(hand.actions) // 2:
            page.screenshot(path=artefacts / f"seen-{hand.id}-{size['width']}.png")
        press(page, "ArrowRight")
    assert page.locator("[data-testid=stMain]").evaluate("main => main.scrollTop") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_print_has_the_whole_record_and_no_buttons(
    page: Page, server: str, artefacts: Path, scheme: Scheme
) -> None:
    _, step = with_revoke()
    page.emulate_media(color_scheme=scheme)
    opened(page, server, REVOKE, step=step)
    settle(page)
    page.emulate_media(media="print")
    for pressed in (".controls", ".settings button", ".buttons button", ".where"):
        expect(page.locator(pressed).first).not_to_be_visible()
    expect(page.get_by_text("Saved views")).not_to_be_visible()
    expect(page.get_by_test_id("stTopNav")).not_to_be_visible()
    record = page.locator(".record")
    assert record.evaluate("list => list.scrollHeight <= list.clientHeight + 1")
    last = page.locator(".record [data-step]").last.bounding_box()
    whole = page.evaluate("document.documentElement.scrollHeight")
    assert last is not None
    assert last["y"] + last["height"] <= whole
    expect(page.locator(".card-table")).to_have_css("color", "rgb(0, 0, 0)")
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", "rgb(255, 255, 255)")
    page.screenshot(path=artefacts / f"print-{scheme}.png", full_page=True)
    pages = page.pdf(path=artefacts / f"print-{scheme}.pdf", format="A4").count(b"/Type /Page\n")
    assert pages >= 2


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


@pytest.mark.parametrize("hand", [PEDRO, SECRET, SEVEN], ids=lambda hand: hand.id)
def test_every_step_fits_a_phone(browser: Browser, server: str, hand: Hand) -> None:
    context = browser.new_context(viewport=NARROW, has_touch=True)
    page = context.new_page()
    opened(page, server, hand)
    for step in range(0, len(hand.actions) + 1, 6):
        at_step(page, step)
        wide = found_wrong(
            page,
            "() => Math.max(0, ...[...document.querySelectorAll('*')].filter(e => e.shadowRoot)"
            ".flatMap(e => [...e.shadowRoot.querySelectorAll('.card-table *:not(.unseen)')])"
            ".map(e => e.getBoundingClientRect().right - innerWidth))",
        )
        assert wide == 0, f"{wide} pixels too wide at step {step}"
        press(page, *["ArrowRight"] * 6)
    for button in page.locator(".card-table button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 40, button.inner_text()
    context.close()


@pytest.mark.parametrize(
    ("size", "schemes"), [(WIDE, ("light", "dark")), (NARROW, ("light",))], ids=["wide", "narrow"]
)
def test_cards_are_white_in_any_light(
    page: Page, server: str, artefacts: Path, size: ViewportSize, schemes: tuple[Scheme, ...]
) -> None:
    page.set_viewport_size(size)
    for hand, step in ((PEDRO, 20), (SECRET, 8), (TABLES[1], 12), (SEVEN, 18)):
        opened(page, server, hand, step=step)
        card = page.locator(".holding .card:not(.back)").first
        table = page.locator(".card-table")
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            text = "rgb(28, 35, 48)" if scheme == "light" else "rgb(232, 235, 240)"
            expect(table).to_have_css("color", text)
            expect(card).to_have_css("background-color", CARD)
            name = f"{len(hand.players)}-{hand.rules.variant}-{scheme}-{size['width']}.png"
            page.screenshot(path=artefacts / name, full_page=True)
