"""Import in a real browser: logs and score sheets dropped, on a screen and on a phone."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.kit.browsing import NARROW, WIDE, serving, settle, too_wide
from tests.kit.dashboard_logs import first_hands, with_revoke
from tests.kit.score_sheets import as_csv, as_xlsx, one_row_a_hand, scored
from tricklog.schemas.hand import encode_hand

pytestmark = pytest.mark.browser

LOADED = "Loaded. Every page shows the new hands."


@pytest.mark.thorough("a sheet is dropped, and a folder loaded, in the first tier")
def test_dropped_logs_are_loaded_while_somebody_else_looks(
    page: Page,
    small_warehouse: Path,
    artefacts: Path,
    repository: Path,
    tmp_path: Path,
) -> None:
    db = shutil.copytree(small_warehouse, artefacts / "db")
    with serving(db, artefacts, repository) as address:
        logs_are_loaded_while_somebody_else_looks(page, address, tmp_path)


def logs_are_loaded_while_somebody_else_looks(page: Page, server: str, tmp_path: Path) -> None:
    other = page.context.new_page()
    other.goto(f"{server}/hands")
    settle(other)
    listed = other.get_by_text(re.compile(r"^\d+ hands\."))
    before = listed.inner_text()
    log = tmp_path / "last <b>night.jsonl"
    lines = [*map(encode_hand, first_hands("cinch", 8)), b"oops", encode_hand(with_revoke()[0])]
    log.write_bytes(b"\n".join(lines))

    page.goto(f"{server}/import")
    settle(page)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(log)
    # The file moves the buttons down, and a click meanwhile would miss.
    expect(page.get_by_role("button", name="Remove last")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Check only").click()
    expect(page.get_by_text("Checked; nothing was changed.")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Load", exact=True).click()
    expect(page.get_by_text(LOADED)).to_be_visible()
    for label, value in (("New hands", "8"), ("Known already", "1"), ("Not readable", "1")):
        metric = page.get_by_test_id("stMetric").filter(has_text=label)
        expect(metric.get_by_test_id("stMetricValue")).to_have_text(value)
    expect(page.get_by_text("uploaded/last _b_night.jsonl")).to_be_visible()

    expect(listed).to_have_text(before)
    other.get_by_role("textbox", name="Find").fill("cinch")
    other.get_by_role("textbox", name="Find").press("Enter")
    expect(other.get_by_text("8 hands.")).to_be_visible()
    other.close()


@pytest.mark.parametrize(
    ("size", "name"),
    [
        (NARROW, "phone.xlsx"),
        pytest.param(WIDE, "club.csv", marks=pytest.mark.thorough("another form and size")),
    ],
)
def test_a_sheet_is_dropped_looked_at_and_loaded(
    page: Page, beginning: str, tmp_path: Path, size: ViewportSize, name: str
) -> None:
    rows = one_row_a_hand(scored("pedro", 2, 3), leave_out=["Game", "Hand"])
    path = tmp_path / name
    path.write_bytes(as_csv(rows) if name.endswith("csv") else as_xlsx({"One": rows}))
    page.set_viewport_size(size)
    page.goto(f"{beginning}/import")
    settle(page)
    page.locator("input[type=file]").first.set_input_files(path)
    expect(page.get_by_text("What would be loaded")).to_be_visible()
    expect(page.get_by_text("By seat: Ann, Bo, Cy, Dee")).to_be_visible()
    assert too_wide(page) == 0
    page.get_by_role("button", name="Load", exact=True).click()
    expect(page.get_by_text(LOADED)).to_be_visible()
