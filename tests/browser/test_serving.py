"""The server of the dashboard: to whom it speaks, what it keeps to itself, and loads meanwhile."""

import re
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import duckdb
import pytest
from msgspec.structs import replace
from playwright.sync_api import expect
from streamlit.testing.v1 import AppTest

from dashboard import launch, urls
from ingest.facts.files import open_facts
from ingest.loading.loading import load
from ingest.store import publishing, seals
from ingest.store.warehouse import facts_file, snapshots
from schemas.hand import encode_hand
from tests.kit.browsing import chromium, serving
from tests.kit.dashboard_logs import first_hands

LOADS = 6
VIEWERS = 3
HANDS = 12
"""Hands of a load."""
COUNTED = re.compile(r'<td><bdi>Pedro</bdi></td><td class="tl-number">([0-9]+)</td>')
"""The row of the table of variants on the front page, which is counted from the facts."""


def load_one_more(folder: Path, number: int) -> None:
    """Publish a snapshot with twelve hands more, of a player that no snapshot had before."""
    hands = [
        replace(
            hand,
            id=f"{number}-{hand.id}",
            game=f"{number}-{hand.game}",
            players=[replace(each, id=f"{each.id}-{number}") for each in hand.players],
        )
        for hand in first_hands("pedro", HANDS)
    ]
    log = folder / f"log-{number}.jsonl"
    log.write_bytes(b"\n".join(encode_hand(hand) for hand in hands))
    load(log, db=folder / "db")


# --- The server


def other_addresses() -> list[str]:
    """The addresses of this machine that other machines can reach."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the system only says from which address it would be.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ["127.0.0.2"]
        return ["127.0.0.2", str(probe.getsockname()[0])]


def test_nobody_else_reaches_the_server(tmp_path: Path, repository: Path) -> None:
    load_one_more(tmp_path, 1)
    with serving(tmp_path / "db", tmp_path, repository) as address:
        port = urlsplit(address).port
        for other in other_addresses():
            with pytest.raises(OSError, match="refused"):
                socket.create_connection((other, port or 0), timeout=2).close()
        assert is_refused_upload(address)


def is_refused_upload(address: str) -> bool:
    """Whether a page of another site cannot send a file."""
    request = Request(  # noqa: S310 - our own server
        f"{address}/_stcore/upload_file/x/y",
        data=b"x",
        method="PUT",
        headers={"Origin": "https://elsewhere.invalid"},
    )
    try:
        urlopen(request, timeout=5)  # noqa: S310 - as above
    except HTTPError as error:
        return error.code in {400, 403}
    return False


@pytest.mark.browser
def test_a_page_that_fails_shows_no_line_of_the_program(
    tmp_path: Path, repository: Path, chromium_path: Path
) -> None:
    load_one_more(tmp_path, 1)
    open_facts(tmp_path / "db").close()
    (facts,) = (tmp_path / "db").glob("facts-*.duckdb")
    with duckdb.connect(str(facts)) as connection:
        connection.execute("DROP VIEW card_facts; DROP VIEW seat_facts; DROP TABLE seat_rows")
    with serving(tmp_path / "db", tmp_path, repository) as address, chromium(chromium_path) as it:
        page = it.new_page()
        page.goto(f"{address}/variants")
        expect(page.get_by_test_id("stException")).to_be_visible()
        shown = page.locator("body").inner_text()
        assert page.locator("a[href*='//']:not([href*='//localhost'])").count() == 0
    for word in ("Traceback", ".py", "seat_facts", "seat_rows", "CatalogException", str(tmp_path)):
        assert word not in shown


# --- Loads meanwhile


def test_several_viewers_see_whole_snapshots_while_others_are_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_one_more(tmp_path, 1)
    monkeypatch.setattr(sys, "argv", ["app.py"])
    monkeypatch.setenv(launch.DATABASE_SETTING, str(tmp_path / "db"))
    ended = threading.Event()
    # Each run of a page puts a runtime of its own in the place of the only one there can be.
    running = threading.Lock()

    def look(viewer: int) -> list[int]:
        """Look at pages until the loads end, and once more; return the loads seen on the way."""
        app = AppTest.from_file(str(Path(launch.__file__).with_name("app.py")), default_timeout=60)
        seen = []
        last = False
        while not last:
            last = ended.is_set()
            with running:
                seen.append(loads_on_the_front_page(app))
            with running:
                others = urls.MENU[1:]
                app.switch_page(others[(viewer + len(seen)) % len(others)].file).run()
            assert not app.exception, app.exception[0].message
            app.switch_page(urls.OVERVIEW)
        return seen

    with ThreadPoolExecutor(VIEWERS) as pool:
        viewers = [pool.submit(look, viewer) for viewer in range(VIEWERS)]
        for number in range(2, LOADS + 1):
            load_one_more(tmp_path, number)
            time.sleep(0.5)
        ended.set()
        for viewer in viewers:
            seen = viewer.result()
            assert seen == sorted(seen)
            assert seen[-1] == LOADS
    kept = snapshots(tmp_path / "db")
    assert len(kept) == publishing.KEPT
    of_kept = {facts_file(each) for each in kept}
    of_kept |= {seals.seal_of(each) for each in of_kept}
    assert {*(tmp_path / "db").glob("facts-*")} <= of_kept


def loads_on_the_front_page(app: AppTest) -> int:
    """Return how many loads the front page shows, all of its figures of the same snapshot."""
    app.run()
    assert not app.exception, app.exception[0].message
    figures = {each.label: int(each.value.replace(",", "")) for each in app.metric}
    assert figures["Hands"] % HANDS == 0
    loads = figures["Hands"] // HANDS
    assert figures["Players"] == 4 * loads
    (tables,) = {match for each in app.get("html") for match in COUNTED.findall(each.proto.body)}
    assert int(tables) == figures["Hands"]
    return loads
