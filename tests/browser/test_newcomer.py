"""A newcomer with a folder of logs gets answers by clicking alone, and sends somebody the card.

In the thorough tier it asks more pages, and pictures of the way are kept in the temporary folder.
"""

import re
import struct
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as NotInTime

from tests.kit.browsing import at_step, picture, serving, settle, settle_charts, turn_to
from tests.kit.club_logs import DISPUTED, write_club_logs
from tests.kit.tiers import is_thorough
from tests.regenerate.pictures import IMAGES, SIZE, VIEWS, path_of, samples_served, show

pytestmark = pytest.mark.browser


@pytest.mark.slow("a server of its own, a load and four pages")
def test_a_newcomer_finds_the_answers_by_clicking(
    page: Page, tmp_path: Path, repository: Path
) -> None:
    logs = write_club_logs(tmp_path / "logs")
    with serving(tmp_path / "db", tmp_path, repository, "--logs", str(logs)) as address:
        page.goto(address)
        settle(page)
        load_a_folder(page, logs)
        walk_to(page, "Overview", tmp_path)
        # Who bids too much, by how much, and how sure is that?
        answers = page.get_by_role("table", name="Answers for each game")
        expect(answers).to_contain_text(
            re.compile(r"Bert bids in \d+ more of 100 free calls than the field .*?\d+ to \d+\)")
        )
        expect(answers).to_contain_text("sure")
        if is_thorough():
            which_partner_suits_ann(page, tmp_path)
            where_pedros_are_lost(page, tmp_path)
            how_our_games_compare(page, tmp_path)
        was_it_legal(page, tmp_path)
        link = page.url
        other = page.context.new_page()
        other.goto(link)
        step = re.search(r"ply=(\d+)", link)
        assert step
        at_step(other, int(step[1]))
        # Nothing is asked of the server any more when it ends.
        for each in (page, other):
            each.goto("about:blank")


def walk_to(page: Page, title: str, folder: Path) -> None:
    """Click on a page in the menu, and take its picture."""
    turn_to(page, title)
    heading = "Tricklog" if title == "Overview" else title
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    picture(page, folder / f"{title}.png")


def load_a_folder(page: Page, logs: Path) -> None:
    turn_to(page, "Import")
    box = page.get_by_role("textbox", name="Or a file or folder of this machine")
    box.fill(str(logs))
    box.press("Enter")
    settle(page)
    page.get_by_role("button", name="Load", exact=True).click()
    expect(page.get_by_text("Loaded. Every page shows the new hands.")).to_be_visible()
    picture(page, logs.parent / "Loaded.png")


def which_partner_suits_ann(page: Page, folder: Path) -> None:
    walk_to(page, "Players", folder)
    # The ranking is drawn on a canvas; the filter finds a player as well.
    box = page.get_by_role("combobox", name=re.compile("Player"))
    box.click()
    page.get_by_role("option", name="Ann", exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Partners").click()
    expect(page.get_by_role("heading", name="Ann with each partner")).to_be_visible()
    table = page.locator("table.tl-figures").first
    for partner in ("Bert", "Cleo", "Dan"):
        expect(table.get_by_role("cell", name=partner, exact=True)).to_be_visible()
    picture(page, folder / "Partners of Ann.png")
    take_away(page, "Ann")


def take_away(page: Page, name: str) -> None:
    """Take a choice out of a filter; a click is lost when the page is made again under it."""
    chosen = page.get_by_role("button", name=f"Remove {name}", exact=True)
    for _ in range(5):
        settle(page)
        with suppress(AssertionError, NotInTime):
            chosen.click(timeout=10_000)
            expect(chosen).to_have_count(0, timeout=10_000)
            return
    expect(chosen).to_have_count(0)


def where_pedros_are_lost(page: Page, folder: Path) -> None:
    walk_to(page, "Point capture", folder)
    page.get_by_role("tab", name="Pedros").click()
    expect(
        page.get_by_role("heading", name=re.compile("pedro", re.IGNORECASE)).first
    ).to_be_visible()
    picture(page, folder / "Pedros.png")


def how_our_games_compare(page: Page, folder: Path) -> None:
    walk_to(page, "Variants", folder)
    settle_charts(page)
    table = page.get_by_label("Figures of both games", exact=True)
    expect(table.locator("thead")).to_contain_text("King Pedro")


def was_it_legal(page: Page, folder: Path) -> None:
    walk_to(page, "Audit", folder)
    expect(page.get_by_text("Claimed points.").first).to_be_visible()
    page.get_by_role("link", name=re.compile(rf"^{DISPUTED}, step")).first.click()
    expect(page.get_by_role("heading", name=f"Hand {DISPUTED}")).to_be_visible()
    expect(page.locator(".here .finding").first).to_contain_text("Claimed points.")
    picture(page, folder / "Disputed.png")
    # Of the last trick the card that decided it.
    page.keyboard.press("k")
    page.keyboard.press("k")
    expect(page).to_have_url(re.compile(rf"hand={DISPUTED}&ply=\d+"))


def test_every_picture_of_the_documentation_is_one_of_a_page(repository: Path) -> None:
    # Pixels differ between machines, words do not.
    assert "(docs/images/dashboard.png)" in (repository / "README.md").read_text("utf-8")
    assert {path_of(view) for view in VIEWS} == {*IMAGES.glob("*.png")}
    for view in VIEWS:
        header = path_of(view).read_bytes()[:24]
        assert (header[:8], struct.unpack(">II", header[16:])) == (b"\x89PNG\r\n\x1a\n", SIZE)


@pytest.mark.thorough("loads the samples, and changes with what is shown of them only")
def test_pictures_of_the_documentation_show_what_their_pages_show(
    page: Page, tmp_path: Path
) -> None:
    with samples_served(tmp_path) as address:
        for view in VIEWS:
            show(page, address, view, tmp_path)
            expect(page.locator(view.landmark).first).to_be_in_viewport()
            assert page.get_by_text("Page not found").count() == 0
