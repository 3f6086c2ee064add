"""The card table in a real browser: no key press lost, and a link for everything that is seen.

Screenshots, light and dark, wide and narrow, are kept in the temporary folder of the test run.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

import replay
from ingest.loading.loading import load
from schemas.hand import Hand, decode_hand, encode_hand
from tests.kit.browsing import LOW, NARROW, WIDE, at_step, chromium, serving, settle
from tests.kit.dashboard_logs import NAMES, REVOKE, first_hands, with_nasty_names, with_revoke
from tests.kit.table_data import data_of, whole_frames
from tests.kit.tables import TABLES

pytestmark = pytest.mark.browser

Scheme = Literal["light", "dark"]
SECRET = first_hands("twenty-nine", 2)[1]
PEDROS = first_hands("pedro", 3)
PEDRO = PEDROS[1]
SEVEN = next(hand for hand in TABLES if len(hand.players) == 7)
KING = first_hands("king-pedro", 1)[0]
THROWN_IN = next(hand for hand in first_hands("bangladesh", 40) if hand.status == "thrown_in")
SHOWN = [SECRET, *PEDROS, KING, THROWN_IN, *TABLES, with_nasty_names()]

CARD = re.compile(r"^rgb\((255, 255, 255|213, 216, 220)\)$")
"""White, or what is left of it on a card that may not be played."""
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


@pytest.fixture(scope="module")
def artefacts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("replay")


@pytest.fixture(scope="module")
def server(artefacts: Path, repository: Path) -> Iterator[str]:
    """The address of a dashboard over the hands shown here."""
    lines = [encode_hand(hand) for hand in [*SHOWN, with_revoke()[0]]]
    (artefacts / "hands.jsonl").write_bytes(b"\n".join(lines))
    load(artefacts / "hands.jsonl", db=artefacts / "db")
    with serving(artefacts / "db", artefacts, repository) as address:
        yield address


@pytest.fixture(scope="module")
def browser(chromium_path: Path) -> Iterator[Browser]:
    with chromium(chromium_path) as started:
        yield started


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """What the pages share, foremost the scripts of the server as they were compiled once."""
    made = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which no script may fail."""
    made = context.new_page()
    failures: list[str] = []
    made.on("pageerror", lambda error: failures.append(str(error)))
    yield made
    made.close()
    assert not failures


def opened(page: Page, server: str, hand: Hand | str, query: str = "", step: int = 0) -> Page:
    hand_id = hand if isinstance(hand, str) else hand.id
    page.goto(f"{server}/replay?hand={hand_id}{query}{f'&ply={step}' if step else ''}")
    at_step(page, step)
    return page


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def frames_of(hand: Hand) -> list[dict[str, Any]]:
    return whole_frames(data_of(replay.replay(hand)))


def seat(page: Page, name: str) -> Locator:
    return page.locator(".seat", has=page.get_by_role("button", name=f"{name}: "))


# --- Stepping


def test_of_sixty_fast_key_presses_none_is_lost(page: Page, server: str) -> None:
    opened(page, server, PEDRO)
    press(page, *["ArrowRight", "ArrowRight", "ArrowLeft"] * 20)
    at_step(page, 20)
    press(page, *["j", "k", "k"] * 5)
    at_step(page, 15)


def test_keys_lead_to_both_ends_decisions_and_tricks(page: Page, server: str) -> None:
    data = data_of(replay.replay(PEDRO))
    last = len(PEDRO.actions)
    opened(page, server, PEDRO, step=3)
    press(page, "End")
    at_step(page, last)
    press(page, "ArrowRight")
    at_step(page, last)
    press(page, "Home")
    at_step(page, 0)
    decisions = [step for step, frame in enumerate(whole_frames(data)) if frame["decision"]]
    for step in decisions[1:6]:
        press(page, "n")
        at_step(page, step)
    press(page, "p")
    at_step(page, decisions[4])
    parts = [group["first"] for group in data["groups"]]
    press(page, "Home")
    for step in parts[1:4]:
        press(page, "Shift+ArrowRight")
        at_step(page, step)
    press(page, "Shift+ArrowLeft")
    at_step(page, parts[2])


def test_buttons_and_the_bar_step_too(page: Page, server: str) -> None:
    opened(page, server, PEDRO)
    page.get_by_role("button", name="Next step").click()
    at_step(page, 1)
    # A button that was clicked leaves the keys to the table.
    press(page, "ArrowRight", "ArrowRight")
    at_step(page, 3)
    page.get_by_role("button", name="Last step").click()
    at_step(page, len(PEDRO.actions))
    page.get_by_role("slider", name="Step").fill("7")
    at_step(page, 7)
    page.get_by_role("slider", name="Step").focus()
    press(page, "ArrowRight")
    at_step(page, 8)


def test_the_list_of_steps_leads_to_each_and_follows(page: Page, server: str) -> None:
    opened(page, server, PEDRO)
    page.get_by_role("button", name=re.compile(r"^Step 21: ")).click()
    at_step(page, 21)
    now = page.locator(".record [aria-current]")
    expect(now).to_have_attribute("data-step", "21")
    press(page, "End")
    expect(now).to_have_attribute("data-step", str(len(PEDRO.actions)))
    expect(now).to_be_in_viewport()
    assert page.locator(".record").evaluate("list => list.scrollTop") > 0
    assert page.locator(".record h3").first.inner_text() == "Auction"


def test_a_finding_leads_to_its_step_with_the_rule(page: Page, server: str) -> None:
    _, step = with_revoke()
    opened(page, server, REVOKE)
    expect(page.locator(".here .finding")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Revoke")).first.click()
    first = int(page.locator("ul.findings button").first.get_attribute("data-step") or 0)
    at_step(page, first)
    opened(page, server, REVOKE, step=step)
    expect(page.locator(".here .finding")).to_contain_text("while holding")
    expect(page.locator(".card.illegal")).to_have_count(1)
    page.get_by_text("Rule 14.follow").click()
    expect(page.get_by_text("Suit must be followed if possible.")).to_be_visible()


def test_legal_cards_are_marked_and_the_chosen_one_is_raised(page: Page, server: str) -> None:
    frames = frames_of(PEDRO)
    step = next(
        step
        for step, frame in enumerate(frames)
        if frame["number"] and len(frame["legal"].split()) == 3
    )
    opened(page, server, PEDRO, step=step)
    expect(page.locator(".card.legal")).to_have_count(3)
    expect(page.locator(".card.chosen")).to_have_count(1)
    expect(page.locator(".card.legal").first).to_have_attribute("aria-label", re.compile(", legal"))


def test_it_plays_by_itself_until_the_end(page: Page, server: str) -> None:
    last = len(PEDRO.actions)
    stop = page.get_by_role("button", name="Stop")
    stopped = page.get_by_role("button", name="Play by itself")
    opened(page, server, PEDRO, step=last - 3)
    # Slowly while it is looked at: a busy machine misses what stands for a moment.
    press(page, "-", "Space")
    expect(stop).to_be_visible()
    press(page, "+", "+", "+")
    at_step(page, last)
    expect(stopped).to_be_visible()
    press(page, "-", "-", "-", "Space")
    expect(stop).to_be_visible()
    at_step(page, 0)
    press(page, "+", "+", "+")
    expect(page.locator('.felt:not([data-step="0"])')).to_be_visible()
    press(page, "ArrowLeft")
    expect(stopped).to_be_visible()
    stands = page.locator(".felt").get_attribute("data-step")
    page.wait_for_timeout(400)
    expect(page.locator(".felt")).to_have_attribute("data-step", stands or "")


def test_keys_meant_for_others_are_left_alone(page: Page, server: str) -> None:
    opened(page, server, PEDRO, step=5)
    press(page, "Control+ArrowRight", "Alt+j", "Meta+ArrowRight")
    page.get_by_label("Speed").focus()
    press(page, "ArrowDown", "j")
    at_step(page, 5)


def test_another_hand_opens_at_its_deal_and_back_is_the_step_before(
    page: Page, server: str
) -> None:
    opened(page, server, PEDROS[0], step=5)
    press(page, "Shift+J", "Shift+J", "Shift+K", "Shift+J")
    shows_hand(page, PEDROS[2])
    at_step(page, 0)
    expect(page).to_have_url(re.compile(rf"hand={PEDROS[2].id}$"))
    settle(page)
    press(page, "ArrowRight")
    expect(page).to_have_url(re.compile(rf"hand={PEDROS[2].id}&ply=1$"))
    press(page, "Shift+K")
    shows_hand(page, PEDROS[1])
    page.go_back()
    shows_hand(page, PEDROS[2])
    at_step(page, 1)


def shows_hand(page: Page, hand: Hand) -> None:
    expect(page.get_by_role("heading", name=f"Hand {hand.id}")).to_be_visible(timeout=20_000)


# --- What is seen


def test_flip_and_a_click_on_a_name_seat_another_player_below(page: Page, server: str) -> None:
    names = data_of(replay.replay(PEDRO))["names"]
    opened(page, server, PEDRO)
    expect(seat(page, names[0])).to_have_class(re.compile(r"\bs0\b"))
    press(page, "f")
    expect(seat(page, names[1])).to_have_class(re.compile(r"\bs0\b"))
    expect(seat(page, names[0])).to_have_class(re.compile(r"\bs3\b"))
    page.get_by_role("button", name=f"{names[3]}: ").click()
    expect(seat(page, names[3])).to_have_class(re.compile(r"\bs0\b"))
    expect(page).to_have_url(re.compile("below=3"))


def test_other_hands_can_be_hidden_with_all_that_tells_of_them(page: Page, server: str) -> None:
    frames = frames_of(PEDRO)
    discard = next(i for i, text in enumerate(PEDRO.actions) if " discard " in text)
    below = int(PEDRO.actions[discard][0])
    opened(page, server, PEDRO, query=f"&below={below}", step=discard)
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


RANKS = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
NAMED = re.compile(rf"(?:{'|'.join(RANKS.values())}) of (?:{'|'.join(SUITS.values())})")
TABLE = """() => [...document.querySelectorAll("*")]
  .map(each => each.shadowRoot?.querySelector(".card-table")).find(each => each).outerHTML"""


def words_for(cards: str) -> set[str]:
    return {f"{RANKS[card[0]]} of {SUITS[card[1]]}" for card in cards.split() if card[0] in RANKS}


@pytest.mark.parametrize(
    ("hand", "below"), [(PEDRO, 0), (SECRET, 1), (SEVEN, 4), (with_revoke()[0], 2)]
)
def test_hidden_hands_leave_what_the_one_below_saw_so_far(
    page: Page, server: str, hand: Hand, below: int
) -> None:
    data = data_of(replay.replay(hand))
    frames = whole_frames(data)
    opened(page, server, hand, query=f"&below={below}&hide=hands")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    expect(page.get_by_role("button", name="Copy as log line")).not_to_be_visible()
    seen: set[str] = set()
    for step, frame in enumerate(frames):
        at_step(page, step)
        own = frame["seats"][below]
        seen |= words_for(f"{own['hand']} {own['off']} {frame['shown']}")
        seen |= words_for(" ".join(deed.get("card", "") for deed in data["steps"][:step]))
        # What is read out comes a moment later, of the step before or of this one.
        named = set(NAMED.findall(page.evaluate(TABLE)))
        assert named <= seen, f"step {step}: {named - seen}"
        if step < len(hand.actions):
            listed = page.locator(".record button[data-step]")
            assert listed.count() == step
            expect(page.get_by_text("The end", exact=True)).to_have_count(0)
        press(page, "ArrowRight")
    expect(page.get_by_text("The end", exact=True)).to_be_visible()


def test_hidden_hands_hide_findings_and_verdict(page: Page, server: str) -> None:
    _, step = with_revoke()
    opened(page, server, REVOKE, step=step)
    expect(page.locator(".finding")).to_have_count(4)
    expect(page.locator(".marks")).to_be_visible()
    expect(page.get_by_text("irregular")).to_be_visible()
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


def test_a_decision_of_another_player_is_passed_over_where_hands_are_hidden(
    page: Page, server: str
) -> None:
    frames = frames_of(PEDRO)
    own = [i for i, frame in enumerate(frames) if frame["decision"] and frame["turn"] == 2]
    opened(page, server, PEDRO, query="&below=2&hide=hands")
    for step in own[:4]:
        press(page, "n")
        at_step(page, step)


def test_a_deal_thrown_in_is_over(page: Page, server: str) -> None:
    opened(page, server, THROWN_IN)
    for step in range(len(THROWN_IN.actions) + 1):
        at_step(page, step)
        assert not re.search(r"\byet\b", page.locator(".card-table").inner_text())
        press(page, "ArrowRight")
    expect(page.locator(".contract")).to_have_text("Nobody won the auction")


def test_names_can_be_hidden_everywhere(page: Page, server: str) -> None:
    names = data_of(replay.replay(PEDRO))["names"]
    opened(page, server, PEDRO, step=9)
    press(page, "m")
    expect(page.locator(".card-table")).to_contain_text("Seat 0 & Seat 2")
    for step in range(9, len(PEDRO.actions) + 1):
        at_step(page, step)
        shown = page.locator(".card-table").inner_text()
        assert "undefined" not in shown
        assert not [name for name in names if name in shown]
        press(page, "ArrowRight")


def test_a_hidden_trump_is_open_or_as_the_one_below_knew_it(
    page: Page, server: str, artefacts: Path
) -> None:
    frames = frames_of(SECRET)
    step = next(i for i, frame in enumerate(frames) if frame["secret"] and frame["trick"])
    maker = frames[step]["knows"]
    other = (maker + 1) % 4
    opened(page, server, SECRET, query=f"&below={other}", step=step)
    contract = page.locator(".contract")
    expect(contract.locator(".pip")).to_be_visible()
    press(page, "t")
    expect(contract).to_contain_text("trumps hidden")
    expect(contract.locator(".pip")).to_have_count(0)
    page.screenshot(path=artefacts / "hidden-trump.png")
    press(page, "f", "f", "f")
    expect(contract.locator(".pip")).to_be_visible()


def test_a_trump_is_no_secret_in_other_games(page: Page, server: str) -> None:
    opened(page, server, PEDRO)
    expect(page.get_by_role("button", name="Trump as known")).to_have_count(0)


def test_the_help_lists_the_keys_and_keeps_them(page: Page, server: str) -> None:
    opened(page, server, PEDRO, step=4)
    press(page, "?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    expect(page.get_by_text("next decision: a step")).to_be_visible()
    press(page, "ArrowRight")
    press(page, "Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_have_count(0)
    at_step(page, 4)


def test_each_step_is_read_out(page: Page, server: str) -> None:
    opened(page, server, PEDRO)
    press(page, "ArrowRight", "ArrowRight")
    live = page.locator("[aria-live=polite].unseen")
    expect(live).to_contain_text(f"Step 2 of {len(PEDRO.actions)}. auction")


# --- Links


def test_a_link_and_a_reload_show_the_same(page: Page, server: str) -> None:
    opened(page, server, SECRET, query="&below=2&hide=hands,names,trump", step=11)
    expect(page.get_by_role("button", name="Hide names")).to_have_attribute("aria-pressed", "true")
    press(page, "ArrowRight", "m")
    expect(page).to_have_url(re.compile("ply=12"))
    expect(page).to_have_url(re.compile("hide=hands%2Ctrump"))
    page.reload()
    at_step(page, 12)
    for label, pressed in (("other hands", "true"), ("names", "false")):
        button = page.get_by_role("button", name=f"Hide {label}")
        expect(button).to_have_attribute("aria-pressed", pressed)
    expect(page.locator(".seat").nth(2)).to_have_class(re.compile(r"\bs0\b"))


def test_link_and_log_line_can_be_copied(page: Page, server: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(page, server, PEDRO, step=6)
    press(page, "ArrowRight")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{server}/replay?hand={PEDRO.id}&ply=7"
    page.get_by_role("button", name="Copy as log line").click()
    expect(page.get_by_text("Log line copied")).to_be_visible()
    line = page.evaluate("navigator.clipboard.readText()")
    assert line.encode() == encode_hand(PEDRO)
    assert decode_hand(line.encode()) == PEDRO


def test_what_may_not_be_copied_is_offered_for_copying(page: Page, server: str) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    opened(page, server, PEDRO, step=6)
    page.get_by_role("button", name="Copy link").click()
    offered = page.get_by_label("To be copied")
    expect(offered).to_have_value(f"{server}/replay?hand={PEDRO.id}&ply=6")
    press(page, "j")
    at_step(page, 6)


def test_nothing_is_left_behind_on_another_page(page: Page, server: str) -> None:
    page.add_init_script(COUNT_LISTENERS)
    page.goto(f"{server}/hands")
    settle(page)
    page.get_by_role("link", name="Replay", exact=True).click()
    at_step(page, 0)
    assert page.evaluate("keyListeners") == 1
    press(page, "ArrowRight")
    page.get_by_role("link", name="Hands", exact=True).click()
    expect(page.get_by_role("heading", name="Hands", exact=True)).to_be_visible(timeout=20_000)
    settle(page)
    expect(page.locator(".felt")).to_have_count(0)
    assert page.evaluate("keyListeners") == 0
    press(page, "ArrowRight")
    page.wait_for_timeout(500)
    assert "ply=" not in page.url


# --- Looks


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
    browser: Browser,
    server: str,
    artefacts: Path,
    hand: Hand,
    size: ViewportSize,
    scheme: Scheme,
) -> None:
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    opened(page, server, hand)
    settle(page)
    page.wait_for_timeout(300)
    for step in range(len(hand.actions) + 1):
        at_step(page, step)
        assert page.evaluate(OUT_OF_SIGHT) == [], f"step {step}"
        if step == len(hand.actions) // 2:
            page.screenshot(path=artefacts / f"seen-{hand.id}-{size['width']}.png")
        press(page, "ArrowRight")
    assert page.locator("[data-testid=stMain]").evaluate("main => main.scrollTop") == 0
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_print_has_the_whole_record_and_no_buttons(
    browser: Browser, server: str, artefacts: Path, scheme: Scheme
) -> None:
    _, step = with_revoke()
    context = browser.new_context(viewport=WIDE, color_scheme=scheme)
    page = context.new_page()
    opened(page, server, REVOKE, step=step)
    settle(page)
    page.emulate_media(media="print")
    for pressed in (".controls", ".settings button", ".buttons button", ".where"):
        expect(page.locator(pressed).first).not_to_be_visible()
    expect(page.get_by_text("Saved views")).not_to_be_visible()
    expect(page.get_by_role("link", name="Overview")).not_to_be_visible()
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
    context.close()


def test_on_the_way_from_page_to_page_nothing_is_asked_in_vain(page: Page, server: str) -> None:
    page.goto(f"{server}/bids?view=By+player&at=card:5&variant=Pedro&min=2&all=true&plyer=x")
    settle(page)
    notice = page.get_by_text("The address asks for")
    expect(notice).to_contain_text("“plyer”")
    for name in ("Players", "Replay", "Hands", "Overview", "Replay", "Audit", "Definitions"):
        page.get_by_role("link", name=name, exact=True).click()
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
        wide = page.evaluate(
            "() => Math.max(...[...document.querySelectorAll('*')].filter(e => e.shadowRoot)"
            ".flatMap(e => [...e.shadowRoot.querySelectorAll('.card-table *:not(.unseen)')])"
            ".map(e => e.getBoundingClientRect().right)) - innerWidth"
        )
        assert wide <= 0, f"{wide} pixels too wide at step {step}"
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
    browser: Browser,
    server: str,
    artefacts: Path,
    size: ViewportSize,
    schemes: tuple[Scheme, ...],
) -> None:
    context = browser.new_context(viewport=size)
    page = context.new_page()
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
    context.close()
