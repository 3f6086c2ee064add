"""The dashboard on a lake: every page as on a warehouse of one machine, and loads from a page."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import go, open_app, text_of
from tests.kit.browsing import WIDE, chromium, serving, settle
from tests.kit.dashboard_logs import first_hands
from tests.kit.stored import rows
from tests.lake.conftest import Both
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import jobs
from tricklog.dashboard.data.jobs import Request, State
from tricklog.dashboard.pages.import_logs import followed
from tricklog.ingest.loading import workers
from tricklog.ingest.store import userdata
from tricklog.ingest.store.scopes import Scope
from tricklog.ingest.warehouses import load, warehouse_at
from tricklog.schemas.hand import encode_hand

AS_FAR_AS_TIME_ALLOWS = {urls.LEDGER_PATH, urls.PRACTICE_PATH}
"""Pages that say how far they got in the time they have, which no two visits share."""

FIRST = {"import"}
"""Pages of the first tier; the figures and lists that all of them show are compared apart."""


def everything(app: AppTest) -> list[str]:
    """What a page says and shows: texts, tables and the data of charts."""
    assert not app.exception, app.exception
    shown = [text_of(app)]
    shown += [str(each.value) for each in (*app.error, *app.warning, *app.info)]
    shown += [each.proto.spec for each in app.get("vega_lite_chart")]
    return shown


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=() if page.path in FIRST else pytest.mark.thorough("every page"))
        for page in urls.MENU
        if page.path not in AS_FAR_AS_TIME_ALLOWS
    ],
    ids=lambda page: page.title,
)
def test_every_page_shows_the_same_on_a_lake(
    both: Both, monkeypatch: pytest.MonkeyPatch, page: urls.Screen
) -> None:
    # Logs are followed into a folder alone, so the page Import of a lake has no such part.
    monkeypatch.setattr(followed, "show", lambda: None)
    here, there = (
        everything(go(open_app(db, monkeypatch), page.file)) for db in (both.folder, both.lake)
    )
    assert there == here


@pytest.mark.thorough("every page")
@pytest.mark.parametrize("path", sorted(AS_FAR_AS_TIME_ALLOWS))
def test_pages_that_work_something_out_open_on_a_lake(
    both: Both, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    (page,) = (each for each in urls.MENU if each.path == path)
    assert everything(go(open_app(both.lake, monkeypatch), page.file))


@pytest.mark.thorough("tests/dashboard/test_dashboard has it for a folder")
def test_a_new_snapshot_shows_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db, log = f"lake:{tmp_path / 'lake'}", tmp_path / "log.jsonl"
    shown = open_app(db, monkeypatch).run()
    assert "Look at the samples" in text_of(shown)
    log.write_bytes(b"\n".join(encode_hand(hand) for hand in first_hands("pedro", 3)))
    load(log, db=db, on="here")
    assert "3 hands" in text_of(shown.run())


@pytest.mark.thorough("a process; tests/dashboard/test_jobs.py has it for a folder")
def test_a_page_loads_into_a_lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "can_start", lambda: False)
    db, log = f"lake:{tmp_path / 'lake'}", tmp_path / "log.jsonl"
    log.write_bytes(b"\n".join(encode_hand(hand) for hand in first_hands("pedro", 3)))
    job = jobs.start(Request(db, path=log))
    assert job.wait(600)
    assert (job.state, job.error) == (State.DONE, "")
    assert (job.result["accepted"], job.result["snapshot"]) == (3, warehouse_at(db).current())


@pytest.mark.thorough("where they lie is proved of lakes in general")
def test_saved_views_and_our_table_are_kept_in_the_folder_of_a_lake(
    both: Both, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = shutil.copytree(both.lake, tmp_path / "lake")
    userdata.save_view(warehouse_at(lake).user_folder(), "Mine", "bids", {})
    userdata.choose_scope(warehouse_at(lake).user_folder(), Scope(variants=("pedro",)))
    app = go(open_app(lake, monkeypatch), urls.OVERVIEW)
    assert "Mine" in text_of(app)
    assert "Pedro" in text_of(app).partition("Our table")[2][:200]


def test_a_damaged_lake_is_said_so(
    both: Both, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = shutil.copytree(both.lake, tmp_path / "lake")
    for file in (lake / "hands").glob("*.parquet"):
        file.unlink()
    app = open_app(lake, monkeypatch).run()
    assert not app.exception
    assert "is damaged" in app.error[0].value


@pytest.mark.browser
@pytest.mark.thorough("a server and a browser; the pages are in the first tier")
def test_a_lake_is_looked_at_and_what_is_loaded_meanwhile_shows(
    both: Both, tmp_path: Path, repository: Path, chromium_path: Path
) -> None:
    lake = shutil.copytree(both.lake, tmp_path / "lake")
    log = tmp_path / "log.jsonl"
    ((count,),) = rows(lake, "SELECT count(*) FROM hands")
    log.write_bytes(b"\n".join(encode_hand(hand) for hand in first_hands("sixty-three", 3)))
    with (
        serving(Path(f"lake:{lake}"), tmp_path, repository) as address,
        chromium(chromium_path) as browser,
    ):
        page = browser.new_context(viewport=WIDE).new_page()
        page.goto(f"{address}/?whose=everybody")
        settle(page)
        expect(page.get_by_text(re.compile(f"{count} hands in"))).to_be_visible()
        page.goto(f"{address}/hands?whose=everybody")
        settle(page)
        expect(page.locator("table tbody tr").first).to_be_visible()
        load(log, db=lake, on="here")
        page.goto(f"{address}/?whose=everybody")
        settle(page)
        expect(page.get_by_text(re.compile(f"{count + 3} hands in"))).to_be_visible()
