"""A disputed trick and a line of a score sheet at the card table, in Chromium, on a phone too."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import ingest
from tests.kit.browsing import NARROW, serving, settle, too_wide
from tests.kit.gap_texts import IDS, write_gap_texts

pytestmark = pytest.mark.browser


def test_what_was_not_recorded_is_said_at_the_card_table(
    browser: Browser, tmp_path: Path, repository: Path, artefacts: Path
) -> None:
    ingest.load(write_gap_texts(tmp_path / "logs"), db=tmp_path / "db")
    with serving(tmp_path / "db", tmp_path, repository) as address:
        page = browser.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}/replay?hand={IDS['dispute']}&step=7")
        settle(page)
        expect(page.get_by_text("Dee played").first).to_be_visible()
        expect(page.get_by_text("Not recorded before action 5: tricks 1 to 2.")).to_be_visible()
        page.screenshot(path=artefacts / "dispute.png", full_page=True)
        page.goto(f"{address}/replay?hand={IDS['evening']}")
        settle(page)
        expect(page.get_by_text("Ann bid 17 and made it.").first).to_be_visible()
        page.set_viewport_size(NARROW)
        settle(page)
        page.screenshot(path=artefacts / "line-of-a-sheet-phone.png", full_page=True)
        assert too_wide(page) == 0
        page.goto(f"{address}/hands?verdict=partial")
        settle(page)
        expect(page.get_by_text(re.compile("4 hands")).first).to_be_visible()
        assert not errors
        page.close()
