"""The picture of the dashboard in the README: what a first visitor sees of the samples.

Pixels differ from one machine to the next, so it is written when it is asked for by name, and no
test compares it. A test walks the same way and looks at what the picture shows.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

import ingest
from tests.kit.browsing import chromium, serving, settle

REPOSITORY: Final = Path(__file__).parents[2]
PICTURE: Final = REPOSITORY / "docs" / "images" / "dashboard.png"
SIZE: Final = (1280, 800)


@contextmanager
def first_view(folder: Path, executable: Path) -> Iterator[Page]:
    """Show the overview of the samples in a browser; ``folder`` takes the warehouse."""
    ingest.load(REPOSITORY / "sample_logs", db=folder / "samples")
    viewport = {"width": SIZE[0], "height": SIZE[1]}
    with (
        serving(folder / "samples", folder, REPOSITORY) as address,
        chromium(executable) as browser,
    ):
        page = browser.new_page(viewport=viewport, reduced_motion="reduce")  # type: ignore[arg-type]  # a size of our own
        page.goto(address)
        settle(page)
        page.wait_for_selector(".tl-answers", timeout=60_000)
        page.wait_for_timeout(1_000)
        yield page


def write() -> None:
    """Write the picture."""
    executable = shutil.which(os.environ.get("TRICKLOG_CHROMIUM") or "chromium")
    assert executable, "no Chromium is installed"
    PICTURE.parent.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        first_view(Path(folder), Path(executable)) as page,
    ):
        page.screenshot(path=PICTURE)
