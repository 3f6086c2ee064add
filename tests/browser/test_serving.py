"""The server of the dashboard: to whom it speaks, what it keeps to itself, and loads meanwhile."""

import re
import socket
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import duckdb
import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from dashboard import launch, urls
from ingest.facts.files import open_facts
from ingest.loading.loading import load
from ingest.store import publishing, seals
from ingest.store.warehouse import facts_file, snapshots
from schemas.hand import encode_hand
from tests.kit.browsing import serving
from tests.kit.dashboard_logs import first_hands
from tests.kit.tiers import scaled

LOADS = scaled(4, most=8)
VIEWERS = scaled(2, most=3)
LIMIT = 300
"""Seconds for what comes at once where a machine is not busy."""
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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("serving")


@pytest.fixture(scope="module")
def server(folder: Path, repository: Path) -> Iterator[str]:
    """The address of a dashboard over facts that lack what pages ask for."""
    load_one_more(folder, 1)
    open_facts(folder / "db").close()
    (facts,) = (folder / "db").glob("facts-*.duckdb")
    with duckdb.connect(str(facts)) as connection:
        connection.execute("DROP VIEW card_facts; DROP VIEW seat_facts; DROP TABLE seat_rows")
    with serving(folder / "db", folder, repository) as address:
        yield address


def test_nobody_else_reaches_the_server(server: str) -> None:
    port = urlsplit(server).port
    for other in other_addresses():
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((other, port or 0), timeout=LIMIT).close()
    assert is_refused_upload(server)


def is_refused_upload(address: str) -> bool:
    """Whether a page of another site cannot send a file."""
    request = Request(  # noqa: S310 - our own server
        f"{address}/_stcore/upload_file/x/y",
        data=b"x",
        method="PUT",
        headers={"Origin": "https://elsewhere.invalid"},
    )
    try:
        urlopen(request, timeout=LIMIT)  # noqa: S310 - as above
    except HTTPError as error:
        return error.code in {400, 403}
    return False


@pytest.mark.browser
def test_a_page_that_fails_shows_no_line_of_the_program(
    page: Page, server: str, folder: Path
) -> None:
    page.goto(f"{server}/variants")
    expect(page.get_by_test_id("stException")).to_be_visible()
    shown = page.locator("body").inner_text()
    assert page.locator("a[href*='//']:not([href*='//localhost'])").count() == 0
    for word in ("Traceback", ".py", "seat_facts", "seat_rows", "CatalogException", str(folder)):
        assert word not in shown


# --- Loads meanwhile


@pytest.mark.slow("pages are made while logs are loaded")
def test_several_viewers_see_whole_snapshots_while_others_are_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_one_more(tmp_path, 1)
    monkeypatch.setattr(sys, "argv", ["app.py"])
    monkeypatch.setenv(launch.DATABASE_SETTING, str(tmp_path / "db"))
    ended, looked = threading.Event(), threading.Semaphore(0)
    # Each run of a page puts a runtime of its own in the place of the only one there can be.
    running = threading.Lock()

    def look(viewer: int) -> list[int]:
        """Look at pages until the loads end, and once more; return the loads seen on the way."""
        app = AppTest.from_file(
            str(Path(launch.__file__).with_name("app.py")), default_timeout=LIMIT
        )
        seen = []
        last = False
        while not last:
            last = ended.is_set()
            with running:
                seen.append(loads_on_the_front_page(app))
            looked.release()
            with running:
                others = urls.MENU[1:]
                app.switch_page(others[(viewer + len(seen)) % len(others)].file).run()
            assert not app.exception, app.exception[0].message
            app.switch_page(urls.OVERVIEW)
        return seen

    with ThreadPoolExecutor(VIEWERS) as pool:
        viewers = [pool.submit(look, viewer) for viewer in range(VIEWERS)]
        try:
            for number in range(2, LOADS + 1):
                # Somebody is between two looks.
                looked.acquire(timeout=LIMIT)
                load_one_more(tmp_path, number)
        finally:
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
