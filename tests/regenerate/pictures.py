"""The pictures of the documentation: what a reader sees of the samples, page by page.

Pixels differ from one machine to the next, so they are written when they are asked for by name, and
no test compares them. Tests walk the same ways and look at what the pictures show.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image
from playwright.sync_api import Page

from tests.kit.browsing import PATIENCE, WIDE, chromium, serving, settle, window
from tests.kit.in_process import run_here
from tricklog import ingest

REPOSITORY: Final = Path(__file__).parents[2]
IMAGES: Final = REPOSITORY / "docs" / "images"
SIZE: Final = (WIDE["width"], WIDE["height"])
_COLOURS: Final = 256


class View(NamedTuple):
    name: str
    address: str
    """Below that of the dashboard; of a report, the options that choose it."""
    landmark: str
    """What stands on the page once it is complete, as a selector."""
    is_report: bool = False


VIEWS: Final = (
    View("dashboard", "", ".tl-answers"),
    View("replay", "replay?hand=sample:five-findings&ply=14", "text=cy may play"),
    View("audit", "audit", "text=those of the latest hands first"),
    View("report", "--season 2026", "h1", is_report=True),
)


@contextmanager
def samples_served(folder: Path) -> Iterator[str]:
    """Serve the samples; give the address. ``folder`` takes the warehouse, and the reports."""
    ingest.load(REPOSITORY / "sample_logs", db=folder / "samples")
    with serving(folder / "samples", folder, REPOSITORY) as address:
        yield address


def show(page: Page, address: str, view: View, folder: Path) -> None:
    """Open what a picture shows, and wait until it is all there."""
    if view.is_report:
        file = folder / "report.html"
        options = [*view.address.split(), "--db", str(folder / "samples"), "--output", str(file)]
        assert run_here(["report", *options], folder).status == 0
        page.goto(file.as_uri())
    else:
        page.goto(f"{address}/{view.address}")
        settle(page)
    page.locator(view.landmark).first.wait_for(timeout=PATIENCE)
    page.wait_for_timeout(1_000)


def path_of(view: View) -> Path:
    return IMAGES / f"{view.name}.png"


def write() -> None:
    executable = shutil.which(os.environ.get("TRICKLOG_CHROMIUM") or "chromium")
    assert executable, "no Chromium is installed"
    IMAGES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        samples_served(Path(folder)) as address,
        chromium(Path(executable)) as browser,
        window(browser) as page,
    ):
        for view in VIEWS:
            show(page, address, view, Path(folder))
            picture = Image.open(BytesIO(page.screenshot()))
            # With as many colours as a page needs it takes a third of the bytes.
            small = picture.quantize(_COLOURS, dither=Image.Dither.NONE)
            small.save(path_of(view), optimize=True)
