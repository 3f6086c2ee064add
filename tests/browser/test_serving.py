"""What pages keep to themselves when one fails, and what they show while others load."""

import re
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import urlopen

import duckdb
import pytest
from msgspec.structs import replace
from streamlit import config
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import open_app
from tests.kit.browsing import serving
from tests.kit.dashboard_logs import first_hands
from tests.kit.tiers import scaled
from tests.kit.waiting import PATIENCE, await_that
from tricklog import dashboard, encode_hand
from tricklog.dashboard.address import urls
from tricklog.dashboard.app.server import SETTINGS
from tricklog.dashboard.data import launch, snapshot
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading.loading import load
from tricklog.ingest.metrics.model import OwnMetricError
from tricklog.ingest.store import publishing, seals
from tricklog.ingest.store.warehouse import facts_file, snapshots
from tricklog.schemas.languages.current import current, in_language

LOADS = scaled(3, most=8)
VIEWERS = scaled(2, most=3)
LIMIT = 300
"""Seconds for what comes at once where a machine is not busy."""
HANDS = 12
"""Hands of a load."""
COUNTED = re.compile(r'<bdi>Pedro</bdi></td><td class="tl-number"[^>]*>([0-9]+)</td>')
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


def test_the_front_page_is_ready_before_anybody_comes(tmp_path: Path, repository: Path) -> None:
    load_one_more(tmp_path, 1)
    with serving(tmp_path / "db", tmp_path, repository) as address:

        def caches() -> str:
            with urlopen(f"{address}/_stcore/metrics", timeout=PATIENCE) as answer:  # noqa: S310 - our own server
                return str(answer.read().decode())

        ready = [f'snapshot.{name}"}} ' for name in ("_found", "_kept")]
        await_that(lambda: all(each in caches() for each in ready), caches)


def test_a_refusal_is_worked_out_once_in_each_language(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def refuse(_: object) -> None:
        asked.append(current())
        raise OwnMetricError("club.toml", "luck", f"No, in {current()}.")

    monkeypatch.setattr(snapshot, "key", lambda: "a snapshot")
    with duckdb.connect() as facts:
        for language in ("en", "sv", "en", "sv"):
            with in_language(language), pytest.raises(OwnMetricError) as told:
                snapshot.kept(refuse, facts)
            assert f"No, in {language}." in str(told.value)
            assert told.value.key == "luck"
    assert asked == ["en", "sv"]


def test_a_failing_page_shows_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The facts lack what the page asks for; details are told as the server has them told."""
    load_one_more(tmp_path, 1)
    open_facts(tmp_path / "db").close()
    (facts,) = (tmp_path / "db").glob("facts-*.duckdb")
    with duckdb.connect(str(facts)) as connection:
        connection.execute("DROP VIEW card_facts; DROP VIEW seat_facts; DROP TABLE seat_rows")
    said = "client.showErrorDetails"
    before = config.get_option(said)
    config.set_option(said, SETTINGS[said])
    try:
        app = open_app(tmp_path / "db", monkeypatch).switch_page(urls.VARIANTS).run()
    finally:
        config.set_option(said, before)
    (told,) = app.exception
    for word in ("Traceback", ".py", "seat_facts", "seat_rows", "CatalogException", str(tmp_path)):
        assert word not in str(told.proto)


# --- Loads meanwhile
@pytest.mark.slow("pages are made while logs are loaded")
def test_viewers_see_whole_snapshots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_one_more(tmp_path, 1)
    monkeypatch.setattr(sys, "argv", ["main.py"])
    monkeypatch.setenv(launch.DATABASE_SETTING, str(tmp_path / "db"))
    ended, looked = threading.Event(), threading.Semaphore(0)
    # Each run of a page puts a runtime of its own in the place of the only one there can be.
    running = threading.Lock()

    def look(viewer: int) -> list[int]:
        """Look at pages until the loads end, and once more; return the loads seen on the way."""
        app = AppTest.from_file(
            str(Path(dashboard.__file__).parent / "app" / "main.py"), default_timeout=LIMIT
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
    (said,) = (each.value for each in app.markdown if " hands played " in each.value)
    hands, players = (
        int(re.search(rf"([\d,]+) {what}", said)[1].replace(",", ""))  # type: ignore[index]  # both are said
        for what in ("hands", "players")
    )
    assert hands % HANDS == 0
    loads = hands // HANDS
    assert players == 4 * loads
    (tables,) = {match for each in app.get("html") for match in COUNTED.findall(each.proto.body)}
    assert int(tables) == hands
    return loads
