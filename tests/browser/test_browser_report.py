"""A report in a real browser: saved from the page, opened without a server, and printed."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ingest.reports import pdf
from tests.kit.browsing import settle

pytestmark = pytest.mark.browser
A4 = (595, 842)
"""Points, to the nearest."""


def test_a_saved_report_asks_for_nothing_and_prints_on_a4(
    page: Page,
    club_server: str,
    chromium_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page.goto(f"{club_server}/evenings?view=Season")
    settle(page)
    page.get_by_role("button", name="Report").click()
    page.get_by_text("Numbers in the place of names").click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as HTML").click()
    file = tmp_path / "season.html"
    saving.value.save_as(file)
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(file.as_uri())
    expect(page.get_by_role("heading", name="Season 2026")).to_be_visible()
    expect(page.get_by_text("Player 1").first).to_be_visible()
    expect(page.get_by_text("bot-bold-1")).to_have_count(0)
    assert asked == [file.as_uri()]
    assert said == []
    monkeypatch.setenv(pdf.SETTING, str(chromium_path))
    pdf.print_page(file, tmp_path / "season.pdf")
    printed = (tmp_path / "season.pdf").read_bytes()
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    assert boxes
    assert {tuple(round(float(each)) for each in box) for box in boxes} == {A4}
