"""A report as one HTML file: no script, nothing fetched, and two looks, screen and A4 paper."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from datetime import date
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final

from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.reports.content import (
    Block,
    Drawing,
    Report,
    Section,
    Table,
    cell_html,
    less,
)
from tricklog.schemas.languages.current import current
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import plain_day

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
)
"""What the browser may do for the file: nothing but show it."""
_SHORT: Final = 14
"""Rows of a table that stays on one page."""


def as_page(report: Report, made: date) -> str:
    """Return the whole file; ``made`` is the day it says it was made on."""
    head = (
        f'<p class="above">{escape(report.above)}</p><h1>{escape(report.title)}</h1>'
        f'<p class="about">{" · ".join(map(escape, report.about))}</p>'
        f'<p class="lead">{" ".join(map(escape, report.lead))}</p>'
    )
    notes = "".join(f"<p>{escape(each)}</p>" for each in report.notes)
    signed = say("Tricklog · made on {day}", day=plain_day(made))
    in_full = ""
    if report.hands:
        title, aside = escape(say("The hands in full")), less(say("not printed"))
        in_full = f"<aside><h2>{title}{aside}</h2>{''.join(report.hands)}</aside>"
    return (
        f'<!DOCTYPE html>\n<html lang="{current()}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{escape(report.title)}</title><style>{_style()}</style></head><body>"
        f"<header>{head}</header><main>{_sections(report.sections)}</main>"
        f'<footer>{notes}<p class="made">{escape(signed)}</p></footer>'
        f"{in_full}</body></html>\n"
    )


@cache
def _style() -> str:
    return Path(__file__).with_name("page.css").read_text("utf-8")


def _sections(sections: Sequence[Section]) -> str:
    """Return the sections; two halves in a row stand beside each other."""
    shown, rest = "", list(sections)
    while rest:
        if len(rest) > 1 and rest[0].half and rest[1].half:
            shown += f'<div class="halves">{_section(rest.pop(0))}{_section(rest.pop(0))}</div>'
        else:
            shown += _section(rest.pop(0))
    return shown


def _section(section: Section) -> str:
    """Return a section; several drawings in a row stand two beside each other."""
    blocks = ""
    for drawn, group in groupby(section.blocks, lambda each: isinstance(each, Drawing)):
        parts = [_block(each) for each in group]
        joined = "".join(parts)
        blocks += f'<div class="drawings">{joined}</div>' if drawn and len(parts) > 1 else joined
    return f"<section><h2>{escape(section.heading)}{less(section.about)}</h2>{blocks}</section>"


def _block(block: Block) -> str:
    if not isinstance(block, Table):
        return f"<figure>{block.html}</figure>" if isinstance(block, Drawing) else block.html
    kinds = [' class="number"' if at in block.numbers else "" for at in range(len(block.heads))]
    heads = "".join(
        f'<th scope="col"{kind}>{escape(head)}</th>'
        for kind, head in zip(kinds, block.heads, strict=True)
    )
    rows = (
        "".join(f"<td{kind}>{cell_html(cell)}</td>" for kind, cell in zip(kinds, row, strict=True))
        for row in block.rows
    )
    short = ' class="short"' if len(block.rows) <= _SHORT else ""
    return (
        f'<div class="wide"><table{short} aria-label="{escape(block.name)}">'
        f"<thead><tr>{heads}</tr></thead><tbody>"
        f"{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody></table></div>"
    )


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
