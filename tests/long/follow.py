"""A long run of a log that grows: every hand soon, none twice, in memory that stays the same.

    python -m tests.long.follow [--minutes 10] [--rate 1000] [--every 2] [--page]

A server appends hands to a log, which is renamed every two minutes, and ``tricklog load --follow``
takes them. With ``--page`` a page of the dashboard is open in Chromium meanwhile, and what its
notice says is measured as well. Prints how long the hand that waited longest waited, the memory by
the minute, and how large files are; then loads all logs at once and compares what the warehouses
say. Exit status 1 when a hand waited for more than 5 s, when memory grew, or anything differs.
"""

import argparse
import contextlib
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import ingest
from ingest.store import warehouse
from tests.kit.browsing import chromium, serving, settle
from tests.kit.following import state
from tests.kit.live_server import FollowerProcess, Seen, Server, published

MOST_SECONDS = 5.0
MOST_GROWTH = 1.25
"""What memory at the end may be of that in the third minute."""
_NEW = re.compile(r"Show ([\d,]+) new hands?")


@contextlib.contextmanager
def page_of(db: Path, folder: Path) -> Iterator[Callable[[], int]]:
    """Open a page of the dashboard; gives how many hands it says are new."""
    root = Path(__file__).parents[2]
    with serving(db, folder, root) as address, chromium(Path("/usr/bin/chromium")) as browser:
        page = browser.new_page()
        page.goto(f"{address}/definitions")
        settle(page)

        def seen() -> int:
            found = _NEW.search(page.inner_text("body"))
            return int(found[1].replace(",", "")) if found else 0

        yield seen


def main() -> None:
    """Run, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=int, default=1_000)
    parser.add_argument("--every", type=float, default=2)
    parser.add_argument("--page", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="follow-") as folder:
        sys.exit(run(Path(folder), arguments))


def run(folder: Path, arguments: argparse.Namespace) -> int:
    """Run in a folder; return the exit status."""
    db, log = folder / "db", folder / "server.jsonl"
    server = Server(log, arguments.rate, arguments.minutes * 60, rotate=120)
    follower = FollowerProcess(log, db, arguments.every)
    shown, on_page = Seen(), Seen()
    with contextlib.ExitStack() as stack:
        server.start()
        look_at_page: Callable[[], int] | None = None
        looked = 0.0
        while server.is_alive() or shown.moments[-1][1] < server.hands:
            shown.note(published(db))
            if arguments.page and look_at_page is None and shown.moments[-1][1]:
                look_at_page = stack.enter_context(page_of(db, folder))
            if look_at_page is not None:
                on_page.note(look_at_page())
            if time.monotonic() - looked >= 5:
                looked = time.monotonic()
                follower.look()
            time.sleep(0.1)
        if look_at_page is not None:
            until = time.monotonic() + 10
            while time.monotonic() < until:
                on_page.note(look_at_page())
            # All hands are there now: what it does not call new is what it shows.
            shows = server.hands - on_page.moments[-1][1]
            on_page.moments = [(moment, new + shows) for moment, new in on_page.moments]
    processor = follower.processor_seconds()
    told = follower.stop()
    return report(folder, server, follower, (shown, on_page), told, processor)


def report(
    folder: Path,
    server: Server,
    follower: FollowerProcess,
    seen: tuple[Seen, Seen],
    told: list[dict[str, object]],
    processor: float,
) -> int:
    """Print what came of it; return the exit status."""
    db = folder / "db"
    *publishes, last = told
    wrong = 0
    print(
        f"{server.hands:,} hands written, {last['accepted']:,} taken in {len(publishes)} publishes"
    )
    for name, each in zip(("published", "said on the page"), seen, strict=True):
        delays = each.delays(server)[1:]
        if delays:
            late = max(delays)
            wrong += late > MOST_SECONDS
            print(
                f"{name}: the hand that waited longest {statistics.median(delays):.1f} s in the "
                f"median, {late:.1f} s at most, over {MOST_SECONDS:.0f} s "
                f"{sum(delay > MOST_SECONDS for delay in delays)} of {len(delays)} times"
            )
            print("  the longest by 60,000 hands:", *by_hands(each.moments[1:], delays))
    began = follower.memory[0][0]
    by_minute: dict[int, int] = {}
    for moment, size in follower.memory:
        minute = int((moment - began) // 60)
        by_minute[minute] = max(by_minute.get(minute, 0), size)
    print("memory by the minute, MB:", *(size // 10**6 for size in by_minute.values()))
    if len(by_minute) > 3:
        wrong += by_minute[max(by_minute)] > by_minute[2] * MOST_GROWTH
    print(f"processor time of the follower: {1e6 * processor / server.hands:.0f} µs a hand")
    print("games and facts of the newest snapshot, MB:", *sizes(db))
    ingest.load(*server.logs, db=folder / "once")
    print("loaded once, MB:", *sizes(folder / "once"))
    is_same = state(db) == state(folder / "once")
    print("the same as one load of all logs:", is_same)
    return int(bool(wrong) or not is_same or last["accepted"] != server.hands)


def by_hands(moments: list[tuple[float, int]], delays: list[float]) -> list[str]:
    """Return the longest delay while there were so many hands, in steps of 60,000."""
    longest: dict[int, float] = {}
    for (_, hands), delay in zip(moments, delays, strict=True):
        step = hands // 60_000
        longest[step] = max(longest.get(step, 0), delay)
    return [f"{delay:.1f}" for delay in longest.values()]


def sizes(db: Path) -> list[float]:
    """Return how many megabytes the newest snapshot has, and its facts."""
    snapshot = warehouse.current_snapshot(db)
    assert snapshot
    files = (snapshot, warehouse.facts_file(snapshot))
    return [round(path.stat().st_size / 1e6, 1) for path in files if path.exists()]


if __name__ == "__main__":
    main()
