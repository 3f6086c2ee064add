"""A newcomer with a folder of logs gets answers by clicking alone, and sends somebody the card.

Pictures of the way are kept in the temporary folder in the thorough tier.
"""

import re
import struct
from itertools import groupby
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from tests.kit.browsing import at_step, picture, serving, settle, turn_to, visit
from tests.kit.log_lines import write_hands
from tests.kit.simulated_club import season_lines
from tests.regenerate.pictures import IMAGES, SIZE, VIEWS, path_of, samples_served, show
from tricklog.schemas.hand import Claimed, decode_hand

pytestmark = pytest.mark.browser

DISPUTED = "disputed"


def write_club_logs(folder: Path) -> Path:
    """Write a log for each evening of a club; the last hand was written down wrong."""
    hands = [*map(decode_hand, season_lines(3, 18, ("king-pedro", "sixty-three")))]
    claimed = hands[-1].claimed
    assert claimed
    assert claimed.points
    ours, theirs = (points or 0 for points in claimed.points)
    wrong = Claimed(points=[ours - 1, theirs + 1])
    hands.append(replace(hands[-1], id=DISPUTED, game=DISPUTED, hand=5, claimed=wrong))
    for day, of_day in groupby(hands, lambda hand: str(hand.started_at)[:10]):
        write_hands(folder / f"{day}.jsonl", of_day)
    return folder


# --- The newcomer
@pytest.mark.slow("a server of its own, a load and four pages")
def test_a_newcomer_finds_answers_by_clicking(page: Page, tmp_path: Path, repository: Path) -> None:
    logs = write_club_logs(tmp_path / "logs")
    with serving(tmp_path / "db", tmp_path, repository, "--logs", str(logs)) as address:
        visit(page, address)
        load_a_folder(page, logs)
        walk_to(page, "Overview", tmp_path)
        # Who bids too much, by how much, and how sure is that?
        answers = page.get_by_role("table", name="Answers for each game")
        expect(answers).to_contain_text(
            re.compile(r"bold bids in \d+ more of 100 free calls than the field .*?\d+ to \d+\)")
        )
        expect(answers).to_contain_text("sure")
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
def test_pictures_of_documentation_show_what_their_pages_show(page: Page, tmp_path: Path) -> None:
    with samples_served(tmp_path) as address:
        for view in VIEWS:
            show(page, address, view, tmp_path)
            expect(page.locator(view.landmark).first).to_be_in_viewport()
            assert page.get_by_text("Page not found").count() == 0
