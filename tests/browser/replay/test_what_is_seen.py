"""What the card table shows in a real browser, and what it hides on request."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.replay.shown import (
    BY_NAME,
    frames_of,
    opened,
    pedro,
    press,
    seat,
    secret,
    slide,
    thrown_in,
    with_values,
)
from tests.kit.browsing import at_step, picture, settle
from tests.kit.dashboard_logs import REVOKE, with_revoke
from tests.kit.table_data import data_of, whole_frames
from tests.kit.tiers import some
from tricklog import card_name, core
from tricklog.schemas.render import card_words

pytestmark = pytest.mark.browser


@pytest.mark.thorough("seats are turned where trumps are hidden")
def test_flip_and_a_click_on_a_name_seat_another_player_below(page: Page, server: str) -> None:
    names = data_of(core.replay(pedro()))["names"]
    opened(page, server, pedro())
    # A trump is no secret in other games than those that hide it.
    expect(page.get_by_role("button", name="Trump as known")).to_have_count(0)
    expect(seat(page, names[0])).to_have_class(re.compile(r"\bs0\b"))
    press(page, "f")
    expect(seat(page, names[1])).to_have_class(re.compile(r"\bs0\b"))
    expect(seat(page, names[0])).to_have_class(re.compile(r"\bs3\b"))
    page.get_by_role("button", name=f"{names[3]}: ").click()
    expect(seat(page, names[3])).to_have_class(re.compile(r"\bs0\b"))
    expect(page).to_have_url(re.compile("below=3"))
    # Each step is read out.
    press(page, "ArrowRight", "ArrowRight")
    live = page.locator("[aria-live=polite].unseen")
    expect(live).to_contain_text(f"Step 2 of {len(pedro().actions)}. auction")
    # The help lists the keys and keeps them.
    press(page, "?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    expect(page.get_by_text("next decision: a step")).to_be_visible()
    press(page, "ArrowRight", "Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_have_count(0)
    at_step(page, 2)
    # Where hands are hidden, the decision of another player is passed over.
    press(page, "h")
    decisions = [step for step, frame in enumerate(frames_of(pedro())) if frame["decision"]]
    own = [step for step in decisions if frames_of(pedro())[step]["turn"] == 3 and step > 2]
    for step in own[:4]:
        press(page, "n", leads=step)


@pytest.mark.thorough("hands are hidden at the steps of another hand")
def test_other_hands_can_be_hidden_with_all_that_tells_of_them(page: Page, server: str) -> None:
    frames = frames_of(pedro())
    discard = next(i for i, text in enumerate(pedro().actions) if " discard " in text)
    below = int(pedro().actions[discard][0])
    opened(page, server, pedro(), query=f"&below={below}", step=discard)
    press(page, "h")
    for place, holding in enumerate(frames[discard]["seats"]):
        backs = page.locator(".seat").nth(place).locator(".holding .back")
        expect(backs).to_have_count(0 if place == below else len(holding["hand"].split()))
    expect(page.locator(".lines .pip").first).to_be_visible()
    press(page, "f")
    expect(page.locator(".lines")).to_contain_text("is to act.")
    expect(page.locator(".lines")).not_to_contain_text("Then")
    press(page, "ArrowRight")
    expect(page.locator(".lines")).to_contain_text(re.compile(r"Before: .* lays off \d cards"))
    expect(page.locator(".lines p").last.locator(".pip")).to_have_count(0)
    # Names can be hidden as well, whoever acts and at the end.
    press(page, "h", "m")
    expect(page.locator(".card-table")).to_contain_text("Seat 0 & Seat 2")
    names = data_of(core.replay(pedro()))["names"]
    for step in some(range(9, len(pedro().actions) + 1), 8):
        slide(page, step)
        shown = page.locator(".card-table").inner_text()
        assert "undefined" not in shown
        assert not [name for name in names if name in shown]


CARD_WORDS = {card_name(card): card_words(card) for card in range(52)}
NAMED = re.compile("|".join(CARD_WORDS.values()))
TABLE = """() => [...document.querySelectorAll("*")]
  .map(each => each.shadowRoot?.querySelector(".card-table")).find(each => each).outerHTML"""


def words_for(cards: str) -> set[str]:
    return {CARD_WORDS[card] for card in cards.split() if card in CARD_WORDS}


@pytest.mark.parametrize(
    ("name", "below"),
    [
        ("secret", 1),
        *(
            pytest.param(*case, marks=pytest.mark.thorough("every step of one hand stays"))
            for case in (("pedro", 0), ("seven", 4), ("revoke", 2))
        ),
    ],
)
def test_hidden_hands_leave_what_the_one_below_saw_so_far(
    page: Page, server: str, name: str, below: int
) -> None:
    hand = BY_NAME[name]()
    data = data_of(core.replay(hand))
    frames = whole_frames(data)
    opened(page, server, hand, query=f"&below={below}&hide=hands")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    expect(page.get_by_role("button", name="Copy line")).not_to_be_visible()
    seen: set[str] = set()
    looked_at = some(range(len(frames)), 15)
    for step, frame in enumerate(frames):
        own = frame["seats"][below]
        seen |= words_for(f"{own['hand']} {own['off']} {frame['shown']}")
        seen |= words_for(" ".join(deed.get("card", "") for deed in data["steps"][:step]))
        if step not in looked_at:
            press(page, "ArrowRight")
            continue
        at_step(page, step)
        # What is read out comes a moment later, of the step before or of this one.
        named = set(NAMED.findall(page.evaluate(TABLE)))
        assert named <= seen, f"step {step}: {named - seen}"
        if step < len(hand.actions):
            listed = page.locator(".record button[data-step]")
            assert listed.count() == step
            expect(page.get_by_text("The end", exact=True)).to_have_count(0)
        press(page, "ArrowRight")
    expect(page.get_by_text("The end", exact=True)).to_be_visible()
    # A link, or the page read again, shows the same.
    press(page, "ArrowLeft", "m")
    expect(page).to_have_url(re.compile(f"ply={len(hand.actions) - 1}"))
    expect(page).to_have_url(re.compile("hide=hands%2Cnames"))
    if below:
        expect(page).to_have_url(re.compile(f"below={below}"))
    expect(page.locator(".card-table")).to_contain_text(f"Seat {below}")
    shown = page.locator(".card-table").inner_text()
    assert not [each for each in data["names"] if each in shown]
    page.reload()
    at_step(page, len(hand.actions) - 1)
    for label, pressed in (("other hands", "true"), ("names", "true")):
        button = page.get_by_role("button", name=f"Hide {label}")
        expect(button).to_have_attribute("aria-pressed", pressed)
    expect(page.locator(".seat").nth(below)).to_have_class(re.compile(r"\bs0\b"))


def test_prints_are_whole_and_findings_hidden(page: Page, server: str, artefacts: Path) -> None:
    _, step = with_revoke()
    page.emulate_media(color_scheme="dark")
    opened(page, server, REVOKE, step=step)
    settle(page)
    is_printed_whole(page, artefacts)
    expect(page.locator(".finding")).to_have_count(4)
    expect(page.locator(".marks")).to_be_visible()
    expect(page.get_by_text("irregular", exact=True)).to_be_visible()
    # Whatever draws the finding again leaves open what is read.
    page.get_by_text("Rule 14.follow").first.click()
    rule = page.get_by_text("Suit must be followed if possible.").first
    expect(rule).to_be_visible()
    press(page, "m", "m")
    expect(rule).to_be_visible()
    press(page, "h")
    expect(page.get_by_text("Hidden like the other hands")).to_be_visible()
    expect(page.locator(".finding")).to_have_count(0)
    expect(page.locator(".card.illegal, .card.chosen, .deed.wrong")).to_have_count(0)
    expect(page.locator(".marks")).not_to_be_visible()
    expect(page.get_by_text("irregular")).to_have_count(0)
    press(page, "ArrowLeft", "ArrowRight")
    live = page.locator("[aria-live=polite].unseen")
    expect(live).to_contain_text(f"Step {step} of")
    assert "Revoke" not in live.inner_text()
    assert "while holding" not in live.inner_text()


def is_printed_whole(page: Page, artefacts: Path) -> None:
    """Look at the page as it is printed: with the whole record, and no buttons."""
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
    picture(page, artefacts / "print.png")
    assert page.pdf(format="A4").count(b"/Type /Page\n") >= 2
    page.emulate_media(media="screen")


@pytest.mark.thorough("steps are taken, and hands hidden, in the first tier")
def test_a_deal_thrown_in_is_over(page: Page, server: str) -> None:
    opened(page, server, thrown_in())
    for step in range(len(thrown_in().actions) + 1):
        at_step(page, step)
        assert not re.search(r"\byet\b", page.locator(".card-table").inner_text())
        press(page, "ArrowRight")
    expect(page.locator(".contract")).to_have_text("Nobody won the auction")


def test_a_hidden_trump_is_open_or_as_the_one_below_knew_it(page: Page, server: str) -> None:
    frames = frames_of(secret())
    step = next(i for i, frame in enumerate(frames) if frame["secret"] and frame["trick"])
    maker = frames[step]["knows"]
    other = (maker + 1) % 4
    with_values(page, server, secret(), query=f"&below={other}", step=step)
    contract, value = page.locator(".contract"), page.locator(".chip")
    expect(contract.locator(".pip")).to_be_visible()
    expect(value.first).to_be_visible()
    press(page, "t")
    expect(contract).to_contain_text("trumps hidden")
    expect(contract.locator(".pip")).to_have_count(0)
    # Values would tell what may not be seen.
    expect(value).to_have_count(0)
    expect(page.locator(".dearest-panel")).to_contain_text("would give the trump away")
    expect(page.locator(".dot")).to_have_count(0)
    press(page, "f", "f", "f")
    expect(contract.locator(".pip")).to_be_visible()
    press(page, "t", "h")
    expect(value).to_have_count(0)
    expect(page.locator(".dearest-panel")).to_contain_text("show with all hands")
    assert page.locator("button.one").count() == 0
