"""A score sheet dropped onto Import in a real browser, on a screen and on a phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.kit.browsing import NARROW, WIDE, serving, settle, too_wide
from tests.kit.score_sheets import as_csv, as_xlsx, one_row_a_hand, scored

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(artefacts: Path, repository: Path) -> Iterator[str]:
    with serving(artefacts / "sheets-db", artefacts, repository) as address:
        yield address


@pytest.mark.parametrize(("size", "name"), [(WIDE, "club.csv"), (NARROW, "phone.xlsx")])
def test_a_sheet_is_dropped_looked_at_and_loaded(
    browser: Browser, server: str, tmp_path: Path, size: ViewportSize, name: str
) -> None:
    rows = one_row_a_hand(scored("pedro", 2, 3), leave_out=["Game", "Hand"])
    path = tmp_path / name
    path.write_bytes(as_csv(rows) if name.endswith("csv") else as_xlsx({"One": rows}))
    context = browser.new_context(viewport=size)
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.goto(f"{server}/import")
    settle(page)
    page.locator("input[type=file]").first.set_input_files(path)
    expect(page.get_by_text("What would be loaded")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("By seat: Ann, Bo, Cy, Dee")).to_be_visible()
    assert too_wide(page) == 0
    page.get_by_role("button", name="Load", exact=True).click()
    expect(page.get_by_text("Loaded. Every page shows the new hands.")).to_be_visible(
        timeout=60_000
    )
    context.close()
