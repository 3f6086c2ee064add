"""The site of the documentation is made without a warning, and read without a network."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.kit.browsing import NARROW, WIDE, files_served
from tests.kit.page_blocks import REPOSITORY
from tricklog import __all__ as offered
from tricklog.ingest.cli import COMMANDS
from tricklog.schemas.citations import citations

MADE = pytest.mark.thorough("all pages are made, which takes a minute")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as ``./dev docs`` makes it."""
    folder = tmp_path_factory.mktemp("site")
    options = ("--quiet", "--fail-on-warning", "--keep-going", "--jobs", "auto")
    places = ("--conf-dir", "docs/site", "--doctree-dir", str(folder / "read"))
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, *places, ".", str(folder / "made")],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "made"


@MADE
@pytest.mark.browser
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["desktop", "phone"])
def test_pages_ask_for_nothing_and_fit_a_screen(page: Page, site: Path, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "index.html").as_uri())
    expect(page.get_by_role("heading", name="What do you have?")).to_be_visible()
    for name in ("start-with-paper", "hand-log", "cli", "python-api", "metrics"):
        page.goto((site / "docs" / f"{name}.html").as_uri())
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, name
    assert asked
    assert all(address.startswith(("file:", "data:")) for address in asked)


@MADE
@pytest.mark.browser
def test_the_search_finds_a_rule(page: Page, site: Path) -> None:
    # Read from a folder, it finds pages as well, without the lines around the word.
    with files_served(site) as port:
        page.goto(f"http://127.0.0.1:{port}/README.html")
        page.get_by_role("textbox", name="Search").first.fill("revoke")
        page.keyboard.press("Enter")
        expect(page.locator("#search-results li a").first).to_be_visible()
        page.wait_for_load_state("networkidle")


@MADE
@pytest.mark.browser
def test_a_citation_leads_to_its_rule_on_the_page_and_unfolds_it(page: Page, site: Path) -> None:
    for name in ("1.follow", "S22", "O33"):
        place = citations()[name]
        at = (site / "docs" / "rules" / place.file).with_suffix(".html")
        page.goto(f"{at.as_uri()}#{place.anchor}")
        expect(page.get_by_text(f"{name} · {place.title}")).to_be_in_viewport()
        page.goto("about:blank")


@MADE
def test_every_command_and_every_name_of_python_is_in_the_reference(site: Path) -> None:
    commands = (site / "docs" / "cli.html").read_text("utf-8")
    names = (site / "docs" / "python-api.html").read_text("utf-8")
    assert [name for name in COMMANDS if f"<code>tricklog {name}</code>" not in commands] == []
    assert [name for name in offered if f'id="tricklog.{name}"' not in names] == []
