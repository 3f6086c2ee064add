"""Import in a real browser: logs and score sheets dropped, on a screen and on a phone."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.kit.browsing import NARROW, WIDE, follow, serving, settle, too_wide, turn_to
from tests.kit.dashboard_logs import first_hands, with_revoke
from tests.kit.score_sheets import Rows, as_csv, as_xlsx, one_row_a_hand, scored
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
        expect(page.locator(".tl-values span", has_text=label).locator("b")).to_have_text(value)
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


# --- Into the forty evenings of a club

TYPED = "game Pedro\nplayers bold, slight, weak, steady-1\nhand 1; bold 8, made; points 9 5\n"
UNNAMED: Rows = [
    ["Hand", "Dealer", "Bidder", "Bid", "Trumps", "Score A", "Score B"],
    [1, "bold", "slight", 8, "H", 9, 5],
    [2, "slight", "weak", 7, "S", 14, 14],
    [3, "weak", "improving", 9, "D", 24, 18],
]


@pytest.fixture(scope="module")
def season(evenings_db: Path, artefacts: Path, repository: Path) -> Iterator[str]:
    """The address of a dashboard over forty evenings, into which these tests load."""
    db = shutil.copytree(evenings_db, artefacts / "season" / "db")
    with serving(db, db.parent, repository) as address:
        yield address


def test_a_hand_is_pasted_found_by_its_link_and_taken_out_again(page: Page, season: str) -> None:
    page.goto(f"{season}/import")
    settle(page)
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


def test_whose_score_a_column_is_is_asked_with_two_buttons(
    page: Page, season: str, tmp_path: Path
) -> None:
    path = tmp_path / "friday.csv"
    path.write_bytes(as_csv(UNNAMED))
    page.set_viewport_size(NARROW)
    page.goto(f"{season}/import")
    settle(page)
    page.locator("input[type=file]").first.set_input_files(path)
    asked = page.get_by_text("Whose score is “A”?")
    expect(asked).to_be_visible()
    load = page.get_by_role("button", name="Load", exact=True)
    expect(load).to_be_disabled()
    assert too_wide(page) == 0
    expect(page.get_by_role("button", name="bold & weak")).to_be_visible()
    page.get_by_role("button", name="slight & improving").click()
    expect(page.get_by_text("By seat: slight, weak, improving, bold")).to_be_visible()
    expect(asked).to_have_count(0)
    settle(page)
    load.click()
    expect(page.get_by_text(LOADED)).to_be_visible()
