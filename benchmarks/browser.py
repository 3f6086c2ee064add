"""The dashboard over a large warehouse in a real browser: pages, filters, steps of a replay."""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Page, sync_playwright

from benchmarks.hands import write_log
from benchmarks.harness import Budget
from benchmarks.loading import budget_table
from dashboard import launch
from ingest import listings, load
from ingest.facts.files import open_facts

REPOSITORY: Final = Path(__file__).resolve().parents[1]
PAGES: Final = ("Bid accuracy", "Point capture", "Players", "Variants", "Hands", "Overview")
READY: Final = '[data-testid="stApp"][data-test-script-state="notRunning"]'
START_WITHIN: Final = 60.0
SETTLED: Final = 400
"""Milliseconds without any change on the page after which it is called drawn."""
KEYS: Final = 60

# When the page last changed, in milliseconds since the last mark.
_WATCH: Final = """() => {
    window.marked = performance.now();
    window.changed = window.marked;
    new MutationObserver(() => { window.changed = performance.now(); }).observe(
        document.body, {subtree: true, childList: true, attributes: true, characterData: true});
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


def walk(hands: int, rounds: int, variant: str) -> list[str]:
    """Load a log and walk through the dashboard over it, in headless Chromium."""
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "db"
        log = Path(folder) / f"{variant}.jsonl"
        write_log(log, variant, hands)
        load(log, db=db)
        log.unlink()
        with open_facts(db) as facts:
            hand = str(listings.hand_list(facts, limit=1)["id"].item())
            player = str(listings.values(facts, listings.DIMENSION["player"], 1)[0])
        with _serving(db, Path(folder)) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=os.environ.get("TRICKLOG_CHROMIUM", "/usr/bin/chromium"),
                args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
            )
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            first = _until_drawn(page, lambda: page.goto(address))
            switches = {name: _switches(page, name, rounds) for name in PAGES}
            filters = [
                each
                for _ in range(rounds)
                for each in _filter_changes(page, f"{address}/bids", player)
            ]
            steps = _steps(page, f"{address}/replay?hand={hand}")
            browser.close()
    rows = [f"| switch to {name} | {_seconds(times)} |" for name, times in switches.items()]
    every = [each for times in switches.values() for each in times]
    return [
        "",
        f"{hands:,} hands of {variant}, {rounds} rounds. A page is drawn when nothing on it has "
        f"changed for {SETTLED} ms, which are not counted.",
        "",
        "| what | median, shortest to longest |",
        "|---|---|",
        f"| first page, cold | {first / 1e3:.2f} s |",
        *rows,
        f"| a filter on Bid accuracy | {_seconds(filters)} |",
        f"| a step of a replay, {len(steps)} key presses | {statistics.median(steps):.1f} ms, "
        f"{min(steps):.1f} to {max(steps):.1f} |",
        "",
        *budget_table(
            [
                Budget("page switch", statistics.median(every) / 1e3, 0.5, "s"),
                Budget("filter change", statistics.median(filters) / 1e3, 0.3, "s"),
                Budget("replay step", statistics.median(steps), 20, "ms"),
            ]
        ),
    ]


def _seconds(times: list[float]) -> str:
    low, high = min(times) / 1e3, max(times) / 1e3
    return f"{statistics.median(times) / 1e3:.2f} s, {low:.2f} to {high:.2f}"


@contextmanager
def _serving(db: Path, folder: Path) -> Iterator[str]:
    """Serve a warehouse; give the address."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            launch.command(db, port), env=environment, cwd=folder, stdout=log, stderr=log
        )
        try:
            _wait(port)
            yield f"http://localhost:{port}"
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait(port: int) -> None:
    until = time.monotonic() + START_WITHIN
    while time.monotonic() < until:
        try:
            with urlopen(f"http://localhost:{port}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(0.1)
    raise TimeoutError("the server did not start")
