"""The study of a large warehouse: all its hands solved, and the first answer when one is opened."""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks import harness
from benchmarks.hands import kept_log
from benchmarks.harness import Budget, Run
from benchmarks.loading import budget_table

if TYPE_CHECKING:
    from playwright.sync_api import Page

REPOSITORY: Final = Path(__file__).resolve().parents[1]
OPENED: Final = 60
"""Hands that are opened."""
IN_BROWSER: Final = 20
"""Hands that are opened one after the other in a browser, from each of some places."""
FIRST_ANSWER: Final = 0.3
"""Seconds that the first answer of an opened hand may take."""
MINUTES: Final = {"pedro": 12.0, "twenty-nine": 50.0}
"""What a million solved hands may take on two cores."""
# The card table has a root of its own. Its tab counts the dearest cards once values are there.
_TABLE: Final = """
const table = () => [...document.querySelectorAll('*')]
    .map((each) => each.shadowRoot).find((root) => root?.querySelector('.felt'))
    ?? document;
const dearest = () => [...table().querySelectorAll('[role="tab"]')]
    .find((tab) => tab.textContent.startsWith('Dearest'))?.textContent ?? '';
"""
_HAS_VALUES: Final = f"() => {{ {_TABLE} return /[0-9]/.test(dearest()); }}"
# From the key that opens the next hand: when it is there without values, and when these are.
_WATCH: Final = (
    f"() => {{ {_TABLE}"
    """
    window.nextHand = new Promise((done, fail) => {
        setTimeout(() => fail(new Error('no values within a minute')), 60000);
        document.addEventListener('keydown', () => {
            const begun = performance.now();
            let opened = null;
            const look = () => {
                const text = dearest();
                const since = performance.now() - begun;
                if (opened === null && !/[0-9]/.test(text)) opened = since;
                if (opened !== null && /[0-9]/.test(text)) return done([opened, since]);
                requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
        }, {once: true, capture: true});
    });
}"""
)


# --- All hands solved


def solved(db: str, jobs: int | None = None) -> Callable[[], Mapping[str, float]]:
    """Solve all hands of a warehouse, on all cores unless said."""
    from tricklog.ingest.facts import kept
    from tricklog.ingest.study.solving import solve

    def timed() -> Mapping[str, float]:
        began = time.process_time()
        report = solve(db, jobs=jobs)
        processor = time.process_time() - began
        assert report.left == 0
        assert report.published
        sizes = [each.stat().st_size for each in kept.blocks_in(Path(db))]
        return {
            "hands": report.outcome.hands,
            "refused": report.outcome.refused,
            "ready": report.getting_ready,
            "processor": processor,
            "blocks": len(sizes),
            "block bytes": sum(sizes),
            "table bytes": Path(report.published).stat().st_size,
        }

    return timed


def solve_all(hands: int, variant: str) -> list[str]:
    """Load a log, solve all of it, and look once more whether anything is left."""
    with tempfile.TemporaryDirectory() as folder:
        db = f"{folder}/db"
        _load(variant, hands, db)
        run = Run("solve", "benchmarks.study:solved", {"db": db})
        first, again = (harness.measure([run], 1)[0] for _ in range(2))
    number = first.number
    count, minutes = number("hands"), first.seconds / 60
    budgets = []
    if variant in MINUTES:
        name = f"{variant}: a million hands on {os.cpu_count()} cores"
        budgets = budget_table([Budget(name, minutes * 1e6 / count, MINUTES[variant], "min")])
    return [
        "",
        f"{count:,.0f} hands of {variant}, one run, {number('refused'):,.0f} refused.",
        "",
        "| what | measured |",
        "|---|---|",
        f"| whole run | {minutes:.3g} min |",
        f"| of it until the first hand is begun | {number('ready'):.3g} s |",
        f"| a hand, processor time of the process | {1e3 * number('processor') / count:.3g} ms |",
        f"| most memory | {first.peak_mb:,.0f} MiB |",
        f"| blocks | {number('blocks'):,.0f}, {number('block bytes') / count:.0f} bytes a hand |",
        f"| tables of readers | {number('table bytes') / count:.0f} bytes a hand |",
        f"| a second run, with nothing left to solve | {again.seconds:.3g} s |",
        "",
        *budgets,
    ]


# --- The first answer


def answers(db: str, count: int = OPENED) -> Callable[[], Mapping[str, float]]:
    """Open hands all over a warehouse as the page does, until the first values are there."""
    from tricklog.core import replay
    from tricklog.dashboard.pages.replay.study import Study
    from tricklog.ingest.store import queries
    from tricklog.ingest.store.queries import hand_beside
    from tricklog.ingest.warehouses import open_snapshot, stored_hand

    tables = open_snapshot(db)
    ids = ids_over(db, count)

    def opened(hand_id: str) -> tuple[float, ...]:
        began = time.perf_counter()
        hand = stored_hand(tables.cursor(), hand_id)
        read = time.perf_counter()
        replayed = replay(hand)
        replayed.state_at(0)
        queries.findings_of(tables.cursor(), hand_id)
        shown = time.perf_counter()
        study = Study(replayed)
        study.work()
        assert "par" in study.data()
        answered = time.perf_counter()
        hand_beside(tables.cursor(), hand_id, by=1)
        beside = time.perf_counter()
        return read - began, shown - read, answered - shown, beside - answered

    # The first hand of a process reads what was compiled.
    opened(ids[0])

    def timed() -> Mapping[str, float]:
        times = [opened(each) for each in ids]
        parts = zip(("read", "replayed", "valued", "next"), zip(*times, strict=True), strict=True)
        whole = [read + replayed + valued for read, replayed, valued, _ in times]
        found = {name: statistics.median(each) for name, each in parts}
        return found | {"answer": statistics.median(whole), "longest": max(whole)}

    return timed


def ids_over(db: str, count: int) -> list[str]:
    """Return the ids of so many played hands, spread over a warehouse."""
    from tricklog.ingest.warehouses import open_snapshot

    with open_snapshot(db) as tables:
        found = tables.execute(
            "SELECT hand_id, greatest(1, count(*) OVER () // $1) AS step "
            "FROM hands WHERE verdict = 'valid' AND len(tricks) > 0 "
            "QUALIFY (row_number() OVER (ORDER BY hand_no) - 1) % step = step // 2 "
            "ORDER BY hand_no LIMIT $1",
            [count],
        ).fetchall()
    return [str(each) for each, _ in found]


def first_answer(sizes: list[int], rounds: int, variant: str) -> list[str]:
    """Open hands of a small and of a large warehouse, in a process and in headless Chromium."""
    rows, budgets = [], []
    with tempfile.TemporaryDirectory() as folder:
        for size in sorted(sizes):
            db = f"{folder}/{size}"
            _load(variant, size, db)
            run = Run(f"{size:,} hands", "benchmarks.study:answers", {"db": db})
            (found,) = harness.measure([run], rounds)
            opened, valued = _in_browser(db, Path(folder), rounds)
            told = [found.number(name) for name in ("read", "replayed", "valued", "answer", "next")]
            cells = " | ".join(f"{1e3 * each:.3g}" for each in told)
            rows.append(
                f"| {size:,} | {cells} | {1e3 * found.number('longest'):.3g} | "
                f"{_spread(opened)} | {_spread(valued)} |"
            )
            budgets.append(
                Budget(
                    f"first answer, {size:,} hands", statistics.median(valued), FIRST_ANSWER, "s"
                )
            )
            shutil.rmtree(db)
    return [
        "",
        (
            f"Hands of {variant}, {OPENED} of them from all over the warehouse, {rounds} rounds; "
            "medians in ms, and the longest. The record is read by its id, the hand replayed, its "
            f"values worked out for a first answer. In the browser the next hand of {rounds} times "
            f"{IN_BROWSER} is opened by key; it is there, and then its values."
        ),
        "",
        (
            "| hands | read | replayed | valued | together | which hand is next | longest | "
            "browser: the hand | browser: its values |"
        ),
        "|---|---|---|---|---|---|---|---|---|",
        *rows,
        "",
        *budget_table(budgets),
    ]


def _in_browser(db: str, folder: Path, rounds: int) -> tuple[list[float], list[float]]:
    """Return after how many seconds hands are there, and their values are, by key."""
    from tests.kit.browsing import WIDE, chromium, serving

    executable = os.environ.get("TRICKLOG_CHROMIUM") or shutil.which("chromium")
    assert executable, "Chromium is needed: ./dev setup installs it"
    times = []
    with (
        serving(db, folder, REPOSITORY) as address,
        chromium(Path(executable)) as browser,
    ):
        page = browser.new_page(viewport=WIDE, bypass_csp=True)
        for hand_id in ids_over(db, rounds):
            page.goto(f"{address}/replay?hand={hand_id}")
            page.wait_for_selector(".felt")
            page.wait_for_function(_HAS_VALUES)
            page.locator(".felt").click()
            times += [_next_hand(page) for _ in range(IN_BROWSER)]
    opened, valued = zip(*times, strict=True)
    return [each / 1e3 for each in opened], [each / 1e3 for each in valued]


def _next_hand(page: Page) -> list[float]:
    """Open the next hand by key; return after how many ms it was there, and its values were."""
    page.evaluate(_WATCH)
    page.keyboard.press("Shift+J")
    found: list[float] = page.evaluate("() => window.nextHand")
    return found


def _spread(times: list[float]) -> str:
    return f"{1e3 * statistics.median(times):.0f}, {1e3 * min(times):.0f} to {1e3 * max(times):.0f}"


def _load(variant: str, hands: int, db: str) -> None:
    from tricklog.ingest.warehouses import load

    load(kept_log(variant, hands), db=db)
