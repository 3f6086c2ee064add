"""The dashboard of a lake in a real browser."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.kit.browsing import WIDE, chromium, serving, settle
from tests.kit.dashboard_logs import first_hands
from tests.kit.stored import rows
from tests.lake.conftest import Both
from tricklog.ingest.warehouses import load
from tricklog.schemas.hand import encode_hand

pytestmark = [
    pytest.mark.browser,
    pytest.mark.thorough("a server and a browser; test_lake_pages has the pages in the first tier"),
]


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
