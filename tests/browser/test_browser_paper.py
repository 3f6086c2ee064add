"""Pages on paper and on a phone: evenings, score sheets, what is dropped, a report on its own."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.kit.browsing import (
    NARROW,
    WIDE,
    follow,
    picture,
    serving,
    settle,
    settle_charts,
    too_wide,
    turn_to,
    visit,
)
from tests.kit.score_sheets import as_csv, as_xlsx, one_row_a_hand, scored
from tricklog.ingest.reports import content

pytestmark = pytest.mark.browser
A4 = (595, 842)
"""Points, to the nearest."""


def sheets_of_paper(page: Page) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


@pytest.mark.thorough("a score sheet fits a phone and paper likewise")
def test_an_evening_fits_paper_and_a_phone(page: Page, server: str, artefacts: Path) -> None:
    page.emulate_media(color_scheme="dark")
    visit(page, f"{server}/evenings?view=Season", charts=True)
    picture(page, artefacts / "season.png")
    assert sheets_of_paper(page) <= 2
    follow(page.locator(".mark-rect.role-mark path").first, r"/evenings\?.*evening=\d")
    settle(page)
    expect(page.get_by_role("table").first).to_contain_text("games in order")
    assert sheets_of_paper(page) == 1
    page.set_viewport_size(NARROW)
    settle(page)
    picture(page, artefacts / "evening-phone.png")
    assert too_wide(page) == 0


def test_a_score_sheet_fits_a_phone_and_paper_and_leads_to_its_hands_and_back(
    page: Page, club_server: str, artefacts: Path
) -> None:
    page.set_viewport_size(NARROW)
    visit(page, f"{club_server}/games?variant=Pedro")
    follow(page.get_by_role("link", name="score sheet").last, r"/games\?game=")
    settle_charts(page)
    picture(page, artefacts / "sheet-phone.png")
    assert too_wide(page) == 0
    page.set_viewport_size(WIDE)
    settle_charts(page)
    assert sheets_of_paper(page) == 1
    game = page.url
    follow(page.locator(".mark-symbol.role-mark path").last, r"/replay\?")
    settle(page)
    follow(page.locator(".tl-head a"), re.escape(game))
    expect(page.get_by_role("link", name=re.compile("^Hand 1: replay"))).to_be_visible()


def test_a_saved_report_asks_for_nothing_and_prints_on_a4(
    page: Page,
    club_server: str,
    chromium_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    visit(page, f"{club_server}/evenings?view=Season")
    page.get_by_role("button", name="Report").click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save with numbers in the place of names").click()
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
    monkeypatch.setenv(content.SETTING, str(chromium_path))
    content.print_page(file, tmp_path / "season.pdf")
    printed = (tmp_path / "season.pdf").read_bytes()
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    assert boxes
    assert {tuple(round(float(each)) for each in box) for box in boxes} == {A4}


# --- Logs and score sheets that are dropped
LOADED = "Loaded. Every page shows the new hands."


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
    visit(page, f"{beginning}/import")
    page.locator("input[type=file]").first.set_input_files(path)
    expect(page.get_by_text("What would be loaded")).to_be_visible()
    expect(page.get_by_text("By seat: Ann, Bo, Cy, Dee")).to_be_visible()
    assert too_wide(page) == 0
    page.get_by_role("button", name="Load", exact=True).click()
    expect(page.get_by_text(LOADED)).to_be_visible()


# --- Into the forty evenings of a club

TYPED = "game Pedro\nplayers bold, slight, weak, steady-1\nhand 1; bold 8, made; points 9 5\n"


@pytest.fixture(scope="module")
def season(evenings_db: Path, artefacts: Path, repository: Path) -> Iterator[str]:
    """The address of a dashboard over forty evenings, into which these tests load."""
    db = shutil.copytree(evenings_db, artefacts / "season" / "db")
    with serving(db, db.parent, repository) as address:
        yield address


def test_a_hand_is_pasted_found_by_its_link_and_taken_out_again(page: Page, season: str) -> None:
    visit(page, f"{season}/import")
    page.get_by_text("Or paste text").click()
    text = page.get_by_role("textbox", name="Lines of a log, hands written as text")
    text.fill(TYPED)
    text.press("Control+Enter")
    expect(page.get_by_text("Read as a file called pasted.trick.")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Load", exact=True).click()
    expect(page.get_by_text(LOADED)).to_be_visible()
    follow(page.get_by_role("link", name="The 1 new hand"), r"/hands\?.*load=")
    expect(page.get_by_text(re.compile(r"^1 hand\."))).to_be_visible()
    turn_to(page, "Import")
    page.get_by_role("button", name="Undo this load").click()
    undone = page.get_by_text("The load is undone")
    expect(undone).to_be_visible()
    now, before = (
        int(each.replace(",", "")) for each in re.findall("[0-9,]*[0-9]", undone.inner_text())
    )
    assert before - now == 1
    assert now > 1_000
    expect(page.get_by_role("button", name="Undo this load")).to_have_count(0)
