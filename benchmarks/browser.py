"""The dashboard over a large warehouse in a real browser: pages, filters, steps of a replay."""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Locator, Page

from benchmarks.hands import kept_log
from benchmarks.harness import MIB, Budget
from benchmarks.loading import budget_table
from tests.kit.browsing import READY, WIDE, chromium, serving, started
from tricklog.dashboard.address import urls
from tricklog.ingest.metrics import DIMENSION, listings
from tricklog.ingest.warehouses import load, open_facts

REPOSITORY: Final = Path(__file__).resolve().parents[1]
PAGES: Final = ("Bid accuracy", "Point capture", "Players", "Variants", "Hands", "Overview")
SETTLED: Final = 400
"""Milliseconds without any change on the page after which it is called drawn."""
KEYS: Final = 60

# Keeps every change of the page since the last mark, of its elements and of what is painted on a
# canvas; what it was is looked at afterwards.
_WATCH: Final = """() => {
    window.marked = window.changed = performance.now();
    window.changes = [];
    if (window.watching) return;
    window.watching = true;
    const keep = (change) => {
        window.changed = performance.now();
        window.changes.push({...change, time: window.changed});
    };
    new MutationObserver((records) => {
        for (const each of records) {
            const {type: kind, target: of, attributeName: name, addedNodes: added} = each;
            keep({kind, of, name, added});
        }
    }).observe(
        document.body, {subtree: true, childList: true, attributes: true, characterData: true});
    for (const name of ['fillText', 'fillRect', 'drawImage', 'stroke', 'fill']) {
        const draw = CanvasRenderingContext2D.prototype[name];
        CanvasRenderingContext2D.prototype[name] = function (...given) {
            keep({kind: 'painted', of: this.canvas});
            return draw.apply(this, given);
        };
    }
}"""
# When the page last changed in a way that can be seen, in milliseconds since the last mark. Not to
# be seen are elements without a box, hidden or fully transparent ones, the table for screen readers
# inside a canvas, what is read out to them from a clipped corner, and what attributes say to
# programs alone.
_LAST_SEEN: Final = """() => {
    const unseen = /^(aria-|data-|on)|^(id|role|tabindex|title|alt|for|name|href)$/;
    const element = (node) => node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
    const isSeen = (node) => {
        const found = node.isConnected && element(node);
        return found && !found.parentElement?.closest('canvas')
            && !found.closest('[data-live-announcer]')
            && found.checkVisibility({opacityProperty: true, visibilityProperty: true});
    };
    const matters = ({kind, of, name, added}) => {
        if (kind === 'attributes' && unseen.test(name)) return false;
        if (kind !== 'childList') return isSeen(of);
        if (of.closest('canvas')) return false;
        return added.length ? [...added].some(isSeen) : isSeen(of);
    };
    const seen = window.changes.filter(matters).map((each) => each.time);
    return Math.max(window.marked, ...seen) - window.marked;
}"""
_STEPS: Final = """(keys) => {
    const times = [];
    for (let number = 0; number < keys; number += 1) {
        const start = performance.now();
        document.activeElement.dispatchEvent(
            new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true, composed: true}));
        document.body.getBoundingClientRect();
        times.push(performance.now() - start);
    }
    return times;
}"""


def walk(hands: int, rounds: int, variant: str, *, is_lake: bool = False) -> list[str]:
    """Load a log, start servers over it, and walk through the pages in headless Chromium."""
    with tempfile.TemporaryDirectory() as folder:
        db = f"{'lake:' if is_lake else ''}{Path(folder) / 'db'}"
        load(kept_log(variant, hands), db=db)
        with open_facts(db) as facts:
            hand = str(listings.hand_list(facts, limit=1)["hand_id"].item())
            player = str(listings.values(facts, DIMENSION["player"], 1)[0])
        executable = os.environ.get("TRICKLOG_CHROMIUM") or shutil.which("chromium")
        assert executable, "Chromium is needed: ./dev setup installs it"
        with chromium(Path(executable)) as browser:
            starts = [_start(browser, db, Path(folder)) for _ in range(rounds)]
            with serving(db, Path(folder), REPOSITORY) as address:
                page = browser.new_page(viewport=WIDE, bypass_csp=True)
                _until_drawn(page, lambda: page.goto(address))
                switches = {name: _switches(page, name, rounds) for name in PAGES}
                filters = [
                    each
                    for _ in range(rounds)
                    for each in _filter_changes(page, f"{address}/bids", player)
                ]
                steps = _steps(page, f"{address}/replay?hand={hand}")
    answers, read, complete = ([each[at] for each in starts] for at in range(3))
    memory = max(each[3] for each in starts)
    rows = [f"| switch to {name} | {_seconds(times)} |" for name, times in switches.items()]
    every = [each for times in switches.values() for each in times]
    return [
        "",
        (
            f"{hands:,} hands of {variant}, {rounds} rounds. A time ends with the last change that "
            f"can be seen, on the screen or below it, before nothing changes for {SETTLED} ms."
        ),
        "",
        "| what | median, shortest to longest |",
        "|---|---|",
        f"| a new server answers, {memory} MB | {_seconds(answers)} |",
        f"| its first page can be read, after that | {_seconds(read)} |",
        f"| its first page has all answers, after that | {_seconds(complete)} |",
        *rows,
        f"| a filter on Bid accuracy | {_seconds(filters)} |",
        (
            f"| a step of a replay, {len(steps)} key presses | {statistics.median(steps):.1f} ms, "
            f"{min(steps):.1f} to {max(steps):.1f} |"
        ),
        "",
        *budget_table(
            [
                Budget("a server answers", statistics.median(answers) / 1e3, 1, "s"),
                Budget("first page", statistics.median(read) / 1e3, 1.5, "s"),
                Budget("memory of a server", memory, 200, "MB"),
                Budget("page switch", statistics.median(every) / 1e3, 0.35, "s"),
                Budget("filter change", statistics.median(filters) / 1e3, 0.15, "s"),
                Budget("replay step", statistics.median(steps), 20, "ms"),
            ]
        ),
    ]


def _start(browser: Browser, db: str, folder: Path) -> tuple[float, float, float, int]:
    """Return when a server answers, shows its first page, and all of it, in ms; and its MB then."""
    begun = time.perf_counter()
    with started(db, folder, REPOSITORY) as (address, process):
        answers = 1e3 * (time.perf_counter() - begun)
        used = memory_of(process.pid)
        page = browser.new_page(viewport=WIDE, bypass_csp=True)
        begun = time.perf_counter()
        page.goto(address)
        # The last part of the page but for the answers above it.
        page.get_by_test_id("stExpander").nth(1).wait_for()
        read = 1e3 * (time.perf_counter() - begun)
        page.wait_for_selector(READY)
        page.evaluate(_WATCH)
        _settle(page)
        complete = 1e3 * (time.perf_counter() - begun) - SETTLED
        page.close()
    return answers, read, complete, used


def memory_of(process: int) -> int:
    """Return the megabytes of a process in memory."""
    pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() // MIB


def _seconds(times: list[float]) -> str:
    low, high = min(times) / 1e3, max(times) / 1e3
    return f"{statistics.median(times) / 1e3:.2f} s, {low:.2f} to {high:.2f}"


def _until_drawn(page: Page, act: Callable[[], object]) -> float:
    """Do something and return how many milliseconds later the page last changed to the eye."""
    if page.url == "about:blank":
        start = time.perf_counter()
        act()
        page.wait_for_selector(READY)
        page.evaluate(_WATCH)
        _settle(page)
        return 1e3 * (time.perf_counter() - start) - SETTLED
    page.evaluate(_WATCH)
    act()
    _settle(page)
    return float(page.evaluate(_LAST_SEEN))


def _settle(page: Page) -> None:
    page.wait_for_function(
        f"performance.now() - window.changed > {SETTLED} && document.querySelector('{READY}')"
    )


def _switches(page: Page, name: str, rounds: int) -> list[float]:
    """Return the times of going to a page from the page of definitions."""
    times = []
    for _ in range(rounds):
        _until_drawn(page, _opened(page, "Definitions").click)
        times.append(_until_drawn(page, _opened(page, name).click))
    return times


def _opened(page: Page, title: str) -> Locator:
    """Open the group of the menu that has a page, and return the link to it."""
    group = next(each.group for each in urls.MENU if each.title == title)
    page.get_by_test_id("stTopNav").get_by_role("button", name=group, exact=True).click()
    link = page.get_by_test_id("stTopNavDropdownLink").get_by_text(title, exact=True)
    link.wait_for()
    return link


def _filter_changes(page: Page, address: str, player: str) -> list[float]:
    """Return the times of choosing a player and of taking the choice away again."""
    page.goto(address)
    page.wait_for_selector(READY)
    page.evaluate(_WATCH)
    _settle(page)
    box = page.get_by_role("combobox", name="Player")
    box.click()
    box.type(player)
    chosen = _until_drawn(page, lambda: box.press("Enter"))
    taken = _until_drawn(page, lambda: box.press("Backspace"))
    return [chosen, taken]


def _steps(page: Page, address: str) -> list[float]:
    """Return the times of stepping through a hand by key, each with its layout."""
    page.goto(address)
    page.wait_for_selector(".felt")
    page.locator(".felt").click()
    return [float(each) for each in page.evaluate(_STEPS, KEYS)]
