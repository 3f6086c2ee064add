"""A report as one HTML file: no script, nothing fetched, and two looks, screen and A4 paper."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from html import escape
from itertools import groupby, pairwise
from pathlib import Path
from typing import Final

from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.reports.content import (
    Block,
    Card,
    Cell,
    Drawing,
    HandInFull,
    Link,
    Listed,
    Part,
    Report,
    Scores,
    Section,
    Sentences,
    Strong,
    Table,
)
from tricklog.schemas.languages.current import current
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import plain_day
from tricklog.schemas.render import SUIT_COLOURS

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
    in_full = _in_full(report.hands)
    signed = say("Tricklog · made on {day}", day=plain_day(made))
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
    parts: list[str] = []
    beside = {
        second
        for place, (one, other) in enumerate(pairwise(sections))
        if one.half and other.half and (second := place + 1)
    }
    taken = False
    for place, section in enumerate(sections):
        if place in beside and not taken:
            parts[-1] = f'<div class="halves">{parts[-1]}{_section(section)}</div>'
            taken = True
            continue
        taken = False
        parts.append(_section(section))
    return "".join(parts)


def _section(section: Section) -> str:
    blocks = "".join(_blocks(section.blocks))
    return f"<section><h2>{escape(section.heading)}{_less(section.about)}</h2>{blocks}</section>"


def _blocks(blocks: Sequence[Block]) -> Iterable[str]:
    """Return blocks; several drawings in a row stand two beside each other."""
    for drawn, group in groupby(blocks, lambda each: isinstance(each, Drawing)):
        parts = [_block(each) for each in group]
        if drawn and len(parts) > 1:
            yield f'<div class="drawings">{"".join(parts)}</div>'
        else:
            yield from parts


def _block(block: Block) -> str:
    match block:
        case Table():
            return _table(block)
        case Sentences():
            return f"<p>{' '.join(map(escape, block.texts))}</p>"
        case Listed():
            items = (f"<li>{_cell(cell)}{_less(after)}</li>" for cell, after in block.items)
            return f"<ul>{''.join(items)}</ul>"
        case Scores():
            return f'<div class="scores">{"".join(_score(block))}</div>'
        case Drawing():
            return f"<figure>{block.svg}</figure>"


def _less(text: str) -> str:
    return f" <small>{escape(text)}</small>" if text else ""


def _score(block: Scores) -> Iterable[str]:
    for each in block.sides:
        won = f"<span>{escape(say('won'))}</span>" if each.won else ""
        kind = ' class="won"' if each.won else ""
        named = f"<b>{escape(each.who)}</b><strong>{escape(each.score)}</strong>"
        yield f"<div{kind}>{named}{won}</div>"


def _table(table: Table) -> str:
    def kind(column: int) -> str:
        return ' class="number"' if column in table.numbers else ""

    heads = "".join(
        f'<th scope="col"{kind(place)}>{escape(head)}</th>'
        for place, head in enumerate(table.heads)
    )
    rows = "".join(
        f"<tr>{''.join(f'<td{kind(place)}>{_cell(cell)}</td>' for place, cell in enumerate(row))}"
        "</tr>"
        for row in table.rows
    )
    short = ' class="short"' if len(table.rows) <= _SHORT else ""
    return (
        f'<div class="wide"><table{short} aria-label="{escape(table.name)}">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cell(cell: Cell) -> str:
    if isinstance(cell, str | Link | Card | Strong | Drawing):
        return _part(cell)
    return " ".join(map(_part, cell))


def _part(part: Part) -> str:
    match part:
        case Link():
            return f'<a href="{escape(part.target)}">{escape(part.text)}</a>'
        case Card():
            colour = "#111" if part.suit is None else SUIT_COLOURS[part.suit]
            return f'<span class="card" style="color:{colour}">{escape(part.text)}</span>'
        case Strong():
            return f"<b>{escape(part.text)}</b>"
        case Drawing():
            return part.svg
        case str():
            return escape(part)


def _in_full(hands: Sequence[HandInFull]) -> str:
    """Return the hands that the report leads to, which paper leaves out."""
    if not hands:
        return ""
    back = escape(say("Back to the top"))
    parts = "".join(
        f'<article id="{escape(each.anchor)}"><h3>{escape(each.heading)}</h3>'
        f'<div class="wide">{each.html}</div><p><a href="#">{back}</a></p></article>'
        for each in hands
    )
    title, aside = escape(say("The hands in full")), escape(say("not printed"))
    return f"<aside><h2>{title} <small>{aside}</small></h2>{parts}</aside>"


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
