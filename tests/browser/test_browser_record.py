"""Recording on a phone in a real browser: by quick entry, by cards, with a reload in the middle."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.conftest import begun_evening
from tests.kit.browsing import NARROW, picture, settle, shared, too_wide
from tricklog import Player, RulesRef, decode_hand, generate, replay
from tricklog.core.recording.finishing import finished
from tricklog.ingest.recording import keeping

pytestmark = pytest.mark.browser

ALL_TAKEN_IN = "() => !Object.keys(localStorage).some((key) => key.startsWith('tricklog-recorder'))"
FOUR = [Player(id=name) for name in ("Ann", "Bo", "Cy", "Dee")]


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    with shared(browser, NARROW, has_touch=True) as made:
        yield made


def opened(page: Page, beginning: str, name: str) -> None:
    page.goto(f"{beginning}/record?draft={name}")
    expect(page.locator(".recorder footer")).to_be_visible()


def tap(page: Page, label: str) -> None:
    """Tap a key, and wait until the server has taken it in."""
    tap_on(page, page.locator(".recorder").get_by_role("button", name=label, exact=True).first)


def tap_on(page: Page, key: Locator) -> None:
    """Tap a key that was found, and wait likewise."""
    key.click()
    page.wait_for_function(ALL_TAKEN_IN)


def test_a_quick_hand_ends_on_the_pad(
    page: Page, beginning: str, beginning_db: Path, artefacts: Path
) -> None:
    page.goto(f"{beginning}/record")
    for seat, player in enumerate(FOUR, 1):
        field = page.get_by_role("combobox", name=f"Seat {seat}")
        field.click()
        field.press_sequentially(player.id)
        field.press("Enter")
        settle(page)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".recorder footer")).to_be_visible()
    for label in ("Cy", "9", "♦\ufe0e"):
        tap(page, label)
    # Quick taps on one key are all counted: at once, before the server has answered, and later.
    more = page.get_by_role("button", name="One more: Ann & Cy")
    expect(more).to_be_enabled()
    # All at once, so that no answer comes in between, each on the key as it is drawn by then.
    more.evaluate(
        """(key, names) => {
            const root = key.getRootNode();
            for (const name of names)
                [...root.querySelectorAll("button")].find(
                    (each) => each.getAttribute("aria-label") === name
                ).click();
        }""",
        [*["One more: Ann & Cy"] * 9, "One less: Ann & Cy"],
    )
    points = page.get_by_label("Points of Ann & Cy")
    assert points.input_value() == "8"
    page.wait_for_function(ALL_TAKEN_IN)
    expect(points).to_have_value("8")
    expect(page.get_by_label("Points of Bo & Dee")).to_have_value("6")
    expect(page.locator(".result")).to_contain_text("was set")
    picture(page, artefacts / "quick.png")
    tap(page, "Save hand 1")
    expect(page.locator(".recorder table")).to_contain_text("Cy 9")
    picture(page, artefacts / "pad.png")
    page.get_by_role("button", name=re.compile("^Load 1 into")).click()
    loaded = page.get_by_text(re.compile("Loaded:.*1 new hand in the warehouse"))
    expect(loaded).to_be_visible()
    (line,) = (beginning_db / "recorded/evenings.jsonl").read_bytes().splitlines()
    claimed = decode_hand(line).claimed
    assert claimed
    assert claimed.scores == [-9, 6]


@pytest.mark.thorough("quick entry, and a tap without a connection, stay in the first tier")
def test_cards_outlast_a_reload(
    page: Page, beginning: str, beginning_db: Path, artefacts: Path
) -> None:
    name = begun_evening(beginning_db, RulesRef("pedro"), FOUR)
    opened(page, beginning, name)
    for label in ("8", "Pass", "Pass", "Pass"):
        tap(page, label)
    picture(page, artefacts / "trump.png")
    tap(page, "♥\ufe0e")
    tap(page, "Exchange not noted")
    for card in ("A of trumps", "2 of trumps", "10 of trumps", "3 of trumps"):
        tap(page, card)
    for card in ("A of spades", "3 of clubs", "2 of spades"):
        tap(page, card)
    page.reload()
    expect(page.locator(".trick")).to_contain_text("A♠")
    for card in ("4 of spades", "K of trumps"):
        tap(page, card)
    tap(page, "Q of spades")
    expect(page.locator(".question")).to_contain_text("to a lead of spades")
    page.reload()
    expect(page.locator(".question")).to_contain_text("to a lead of spades")
    picture(page, artefacts / "illegal.png")
    tap(page, "As it happened")
    picture(page, artefacts / "cards.png")
    tap(page, "Rest not noted")
    points = page.get_by_label("Points of Ann & Cy")
    points.fill("19")
    points.press("Enter")
    expect(page.get_by_role("alert").first).to_have_text(re.compile("write a number from 0 to 14"))
    points.fill("9")
    points.press("Enter")
    expect(page.get_by_label("Points of Bo & Dee")).to_have_value("5")
    tap(page, "Save hand 1")
    expect(page.locator(".recorder table")).to_contain_text("✗")
    assert too_wide(page) == 0
    kept = keeping.read_file(keeping.evening_file(beginning_db, name))
    assert kept is not None
    (ended,) = kept.evening.hands()
    assert [finding.code for finding in replay(ended.hand).findings] == ["revoke"]


@pytest.mark.thorough("forty taps; two hands of another game are tapped in the first tier")
def test_twenty_nine_is_tapped_card_by_card(page: Page, beginning: str, beginning_db: Path) -> None:
    """14.trump-call, 14.ask: the hidden trump is named, shown, and the hand comes out the same."""
    hand = next(generate("twenty-nine", 1, seed=3))
    name = begun_evening(beginning_db, hand.rules, hand.players, dealer=hand.dealt_by)
    opened(page, beginning, name)
    for text in hand.actions:
        _, verb, *what = text.split()
        if verb == "play":
            card = page.locator(".recorder .card", has_text=re.compile(f"^{card_text(what[0])}"))
            tap_on(page, card.last)
        elif verb in ("trump", "reveal"):
            tap(page, f"{'♠♥♦♣'['SHDC'.index(what[0])]}\ufe0e")
        else:
            tap(page, what[0] if verb == "bid" else verb.capitalize())
        assert page.locator(".question").count() == 0, text
    expect(page.locator(".result")).to_contain_text("Audit: valid")
    after = keeping.read_file(keeping.evening_file(beginning_db, name))
    assert after is not None
    assert finished(after.evening.draft).hand.actions == hand.actions


def card_text(card: str) -> str:
    return f"{card[0].replace('T', '10')}{'♠♥♦♣'['SHDC'.index(card[1])]}"


def test_taps_without_connection_are_sent(page: Page, beginning: str, beginning_db: Path) -> None:
    name = begun_evening(beginning_db, RulesRef("twenty-nine"), FOUR)
    opened(page, beginning, name)
    page.context.set_offline(True)
    page.locator(".recorder").get_by_role("button", name="16", exact=True).click()
    expect(page.locator(".late")).to_contain_text("1 tap is kept")
    page.context.set_offline(False)
    page.reload()
    expect(page.locator(".calls")).to_contain_text("Ann bids 16")
    path = keeping.evening_file(beginning_db, name)
    kept = keeping.read_file(path)
    assert kept is not None
    keeping.write_file(path, kept, builds_on=kept.revision)
    page.locator(".recorder").get_by_role("button", name="Pass", exact=True).click()
    expect(page.locator(".told")).to_contain_text("Another device")
