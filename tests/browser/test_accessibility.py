"""Every page in a real browser, with hostile logs among the others: usable, quiet, and only text.

One walk opens pages and looks at each light and wide, dark and narrow, or the other way round: the
first tier those that show most, the thorough tier all. There, pictures are kept in the temporary
folder of the test run.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import quote, urlencode, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it brings no types
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, ViewportSize

from tests.kit.browsing import NARROW, WIDE, picture, serving, settle, too_wide, visit, window
from tests.kit.dashboard_logs import HANDS, MARK, TEXTS, make_hostile_warehouse
from tests.kit.tiers import is_thorough
from tricklog.dashboard.address import urls
from tricklog.ingest.store.exports import safe_cell
from tricklog.schemas.printable import one_line

pytestmark = pytest.mark.browser

Scheme = Literal["light", "dark"]

WITH_FIGURES = ("bids", "capture", "explorer", "all-variants")
"""Views with a table of figures in a part that has to be opened."""
VIEWS = {
    **{screen.path or "overview": screen.path for screen in urls.MENU},
    "unreadable": "audit?view=unreadable-lines",
    "behind-a-figure": "hands?figure=made-rate&which=counted",
    "partners": "players?among=Partners",
    **{
        f"player-{view}": f"players?player=bot-bold-1&min=2&view={view}"
        for view in ("Tendencies", "Leaks", "Partners")
    },
    "all-variants": "variants?view=all-games",
    "fives": f"capture?{urlencode({urls.VIEW: 'Pedros'})}",
    "hostile-filter": f"hands?at={quote(f'player:{MARK} 1 0')}&find={quote('<b>')}",
    "hostile-hand": f"replay?hand={quote(HANDS[0])}",
    "hostile-game": f"games?game={quote(f'{TEXTS[0]} game 0')}",
}
"""What the walk looks at, by name."""
FIRST = ("hands", "hostile-hand")
"""Where it goes in the first tier."""
POPOVERS = {"bids": "More filters", "hands": "More filters", "audit": "Saved views"}
"""What is opened besides on a view, where nothing else can be seen well through it."""
GROUPS = (
    "Streamlit puts the pages of each group of its menu into a part of their own between the list "
    "and its items, where a window is narrow"
)
NOT_OURS = {
    ("stFileUploaderDropzone", "presentation-role-conflict"): (
        "Streamlit labels the frame of its upload although only the button in it can be focused"
    ),
    ('<kbd aria-label="Shortcut', "color-contrast"): (
        "Streamlit fades the keys of a shortcut on a button, in a colour of its own"
    ),
    ("stSidebarNavItems", "list"): GROUPS,
    ('<li class="st-emotion-cache-', "listitem"): GROUPS,
}
"""Violations in Streamlit's own elements: what is in their HTML, and the rule; why."""

OPTIONS = {"resultTypes": ["violations"]}
LOOKS_AT_COLOURS = 20
"""How often a view is judged before what is wrong with it counts."""
Look = tuple[Scheme, ViewportSize]
Looks = tuple[Look, ...]
LOOKS: tuple[Looks, Looks] = (
    (("light", WIDE), ("dark", NARROW)),
    (("dark", WIDE), ("light", NARROW)),
)
"""How views are looked at, by turns: colours do not depend on the width, nor places on the colours,
so each view is seen in both of both, and what stands on several views in all four ways. The rules
of accessibility judge each view in one of its two ways, by turns in all four."""

MADE_FROM_A_LOG = """mark => {
  const found = window[mark] === undefined ? [] : ["a script ran"];
  const markup = "b,strong,i,em,s,del,code,h1,h2,h3,a,li,td,.stMarkdownColoredText";
  const unseen = /[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]/;
  const look = root => {
    for (const element of root.querySelectorAll("*")) {
      const told = element.outerHTML.slice(0, 200);
      if (element.id === mark) found.push(`an id: ${told}`);
      if (element.matches(markup) && element.textContent.trim() === mark)
        found.push(`markup: ${told}`);
      if (element.matches(".katex, iframe, object, embed, video, meta, base, form[action]"))
        found.push(`an element: ${told}`);
      for (const { name, value } of element.attributes) {
        if (name.startsWith("on")) found.push(`a handler: ${told}`);
        if (["src", "srcdoc", "style", "srcset"].includes(name) && value.includes(mark))
          found.push(`a source: ${told}`);
        if (unseen.test(value)) found.push(`a mark that is not seen, in ${name}: ${told}`);
      }
      if (element.href && new URL(element.href.baseVal ?? element.href).host !== location.host)
        found.push(`a link: ${told}`);
      for (const node of element.childNodes)
        if (node.nodeType === 3 && unseen.test(node.data))
          found.push(`a mark that is not seen: ${told}`);
      if (element.shadowRoot) look(element.shadowRoot);
    }
  };
  look(document.body);
  if (document.body.innerText.includes("\\u{1f604}")) found.push("an emoji by name");
  return found;
}"""


# A wide table has no room beside its names on a phone: it breaks them where it has to.
BROKEN_WORDS = """() => {
  const broken = [];
  for (const cell of document.querySelectorAll(".tl-figures:not(.tl-wide) :is(th, td)")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const word of texts.currentNode.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map(each => Math.round(each.top)));
        if (lines.size > 1) broken.push(word[0]);
      }
    }
  }
  return broken;
}"""


@dataclass
class Walk:
    """What was wrong, as sentences that begin with the name of the view."""

    violations: list[str] = field(default_factory=list)
    made_from_logs: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    too_wide: list[str] = field(default_factory=list)
    broken_words: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)


@pytest.fixture(scope="module")
def server(artefacts: Path, repository: Path) -> Iterator[str]:
    """The address of a dashboard over hostile logs."""
    db = make_hostile_warehouse(artefacts)
    logs = str(artefacts / "logs")
    with serving(db, artefacts, repository, "--logs", logs) as address:
        yield address


@pytest.fixture(scope="module")
def walk(browser: Browser, server: str, artefacts: Path) -> Walk:
    walk = Walk()
    name = ""

    def asked_for(request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in {"data", "blob"} and address.netloc != urlsplit(server).netloc:
            walk.requests.append(f"{name}: {request.url}")

    def refused(message: ConsoleMessage) -> None:
        if re.search("Content Security|violates", message.text):
            walk.failures.append(f"{name}: {message.text}")

    with window(browser) as page:
        page.on("request", asked_for)
        page.on("websocket", lambda socket: walk.texts.update(socket=socket.url))
        page.on("pageerror", lambda error: walk.failures.append(f"{name}: {error}"))
        page.on("console", refused)
        page.on("dialog", lambda dialog: walk.failures.append(f"{name}: opened {dialog.message}"))
        for number, name in enumerate(VIEWS if is_thorough() else FIRST):
            page.emulate_media(color_scheme="light")
            page.set_viewport_size(WIDE)
            visit(page, f"{server}/{VIEWS[name]}")
            looks = LOOKS[number % 2]
            look_at(page, name, walk, artefacts, looks, looks[number // 2 % 2])
    return walk


def look_at(page: Page, name: str, walk: Walk, artefacts: Path, looks: Looks, judged: Look) -> None:
    """Look at one view in these ways, everything on it opened; one is ``judged`` by its rules."""
    # What is drawn last comes after the page has been made, and its parts are opened as they come.
    interval = page.get_by_text("95 % interval").locator("visible=true")
    for turn in range(600):
        page.wait_for_timeout(300)
        page.evaluate(
            "document.querySelectorAll('details:not([open]) > summary').forEach(s => s.click())"
        )
        if turn >= 2 and (name not in WITH_FIGURES or interval.count()):
            break
    # What is done below may have the page drawn once more, with its parts closed.
    walk.texts[name] = page.locator("body").inner_text()
    page.evaluate(Axe().axe_script)
    for scheme, size in looks:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        page.wait_for_timeout(200)
        picture(page, artefacts / f"{name}-{scheme}-{size['width']}.png")
        wide = too_wide(page, "[data-testid=stMain]")
        if wide > 0:
            walk.too_wide.append(f"{name}: {wide} pixels at {size['width']}")
        walk.broken_words += [f"{name}: {each}" for each in page.evaluate(BROKEN_WORDS)]
        if (scheme, size) == judged:
            walk.violations += violations(page, f"{name}, {scheme}, {size['width']}")
            if name in POPOVERS:
                walk.violations += violations_of_popover(page, name)
    walk.made_from_logs += [f"{name}: {each}" for each in page.evaluate(MADE_FROM_A_LOG, MARK)]
    if page.get_by_test_id("stException").count():
        walk.failures.append(f"{name}: {page.get_by_test_id('stException').first.inner_text()}")


def violations(page: Page, where: str, part: str = "body") -> list[str]:
    """Return what the rules find in the end: colours that are still turning are looked at again."""
    found: list[str] = []
    for _ in range(LOOKS_AT_COLOURS):
        said = page.evaluate("([part, options]) => axe.run(part, options)", [part, OPTIONS])
        found = [
            f"{where}: {violation['id']}: {node['html'][:200]} "
            f"({node['target']}) {node['failureSummary']}"
            for violation in said["violations"]
            for node in violation["nodes"]
            if not is_streamlits(violation["id"], node["html"])
        ]
        if not found:
            break
        page.wait_for_timeout(1_000)
    return found


def violations_of_popover(page: Page, name: str) -> list[str]:
    """What is wrong in the popover of a view, which is opened by its button and closed again."""
    button = page.get_by_role("button", name=POPOVERS[name])
    button.press("Enter")
    page.get_by_test_id("stPopoverBody").locator("input").first.wait_for()
    page.wait_for_timeout(200)
    settle(page)
    found = violations(page, f"{name}, {POPOVERS[name]}", "[data-testid=stPopoverBody]")
    page.keyboard.press("Escape")
    page.get_by_test_id("stPopoverBody").wait_for(state="detached")
    return found


def is_streamlits(rule: str, element: str) -> bool:
    return any(part in element and rule == known for part, known in NOT_OURS)


# --- What the walk saw
@pytest.mark.slow("the rules of accessibility are tried on two views")
def test_no_view_has_a_fault(walk: Walk, server: str) -> None:
    """One test of all, for the walk takes long wherever a test asks for it."""
    assert "hands. Click a row" in walk.texts["hands"]
    for name in WITH_FIGURES:
        assert "95 % interval" in walk.texts.get(name, "95 % interval"), name
    assert "The figures" in walk.texts.get("variants", "The figures")
    assert not walk.violations, "\n".join(walk.violations)
    # Nothing on any page is made from the text of a log.
    assert not walk.made_from_logs, "\n".join(walk.made_from_logs)
    # No page asks any other server for anything.
    assert not walk.requests
    assert urlsplit(walk.texts["socket"]).netloc == urlsplit(server).netloc
    assert not walk.failures
    assert not walk.broken_words
    assert not walk.too_wide


# --- Files that are saved
@pytest.mark.thorough("what is written into files is tried without a browser in tests/dashboard")
def test_files_saved_from_pages_are_whole_and_without_formulas(page: Page, server: str) -> None:
    visit(page, f"{server}/hands")
    hands = rows_saved(page, "Save as CSV")
    assert page.get_by_text(f"{len(hands)} hands. Click a row").count() == 1
    assert {safe_cell(one_line(each)) for each in HANDS} <= {row["Hand"] for row in hands}
    assert {"Line", "Log", "Players"} <= hands[0].keys()

    visit(page, f"{server}/audit")
    findings = rows_saved(page, "Save as CSV")
    assert page.get_by_text(f"{len(findings)} findings, those of").count() == 1
    listed = json.loads(saved(page, "Save as JSON"))
    assert [each["hand_id"] for each in listed if each["hand_id"] in HANDS]
    assert [safe_cell(each["hand_id"]) for each in listed] == [row["hand_id"] for row in findings]


def saved(page: Page, label: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=label).click()
    return Path(download.value.path()).read_text("utf-8-sig")


def rows_saved(page: Page, label: str) -> list[dict[str, str]]:
    """The rows of a CSV file, of which no cell may be a formula to a spreadsheet."""
    rows = list(csv.DictReader(io.StringIO(saved(page, label), newline="")))
    for cell in (cell for row in rows for cell in row.values()):
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")) or cell[1:].isdigit(), cell
        assert "\u202e" not in cell
    return rows
