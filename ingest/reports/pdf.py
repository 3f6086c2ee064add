"""A report on A4, printed by the Chromium of the system."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from tricklog.ingest.reading.scratch import Scratch

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
SETTING: Final = "TRICKLOG_CHROMIUM"
"""The variable that names another one."""
_PATIENCE: Final = 120
"""Seconds that printing may take."""


class NoPrinterError(RuntimeError):
    """There is no Chromium, or it does not print; the message says what it said."""


def chromium() -> str:
    """Return the program that prints. Raises ``NoPrinterError`` where there is none."""
    named = os.environ.get(SETTING)
    for program in [named] if named else PROGRAMS:
        found = shutil.which(program)
        if found:
            return found
    if named:
        raise NoPrinterError(f"{SETTING} names {named}, and there is no such program")
    raise NoPrinterError("there is no Chromium on this machine")


def print_page(page: Path, to: Path) -> None:
    """Print a page of HTML to a PDF file. Raises ``NoPrinterError``."""
    program = chromium()
    with Scratch("print-") as folder:
        made = Path(folder) / "report.pdf"
        command = [
            program,
            "--headless",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-extensions",
            f"--user-data-dir={folder}/profile",
            "--no-pdf-header-footer",
            f"--print-to-pdf={made}",
            # Chromium refuses to run its sandbox as root, as in a container.
            *(["--no-sandbox"] if os.geteuid() == 0 else []),
            page.resolve().as_uri(),
        ]
        try:
            done = subprocess.run(  # noqa: S603 - a browser of the system, and a file of ours
                command, capture_output=True, timeout=_PATIENCE, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoPrinterError(f"{program} does not print: {error}") from error
        if not made.exists():
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise NoPrinterError(f"{program} printed nothing: {said[-1] if said else 'no reason'}")
        shutil.move(made, to)
