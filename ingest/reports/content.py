"""What a report consists of, and the HTML file that is made of it and printed.

Pieces of text, tables and sections of them have their plain text too, for commands that print parts
of a report on a terminal. The file has no script, fetches nothing, and has two looks: screen and A4
paper.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from tricklog.ingest.reading.scratch import Scratch
from tricklog.schemas.languages.current import current
from tricklog.schemas.languages.messages import message, say
from tricklog.schemas.languages.numbers import plain_day
from tricklog.schemas.render import SUIT_COLOURS

OPEN_CARDS: Final = message(
    "* With all cards open: best play when everybody sees every card. Nobody at the table does, so "
    "a card that cost something need not have been a mistake."
)
INTERVALS: Final = message(
    "Intervals are at 95 %, and at 99 % for differences. They go by games, as partners and "
    "opponents repeat within one."
)
"""Sentences that stand in several reports."""


class Piece(NamedTuple):
    """A text, and the HTML that shows it."""

    text: str
    html: str


class Drawing(Piece):
    """What a drawing shows in words, and its SVG."""

    __slots__ = ()


Cell: TypeAlias = str | Piece | Sequence[str | Piece]
"""What stands in a cell of a table: a text or piece, or several with spaces between."""


def plain_cell(cell: Cell) -> str:
    """Return the text of a cell; of a drawing what it shows."""
    if isinstance(cell, str):
        return cell
    return cell.text if isinstance(cell, Piece) else " ".join(map(plain_cell, cell))


def cell_html(cell: Cell) -> str:
    """Return a cell as HTML."""
    if isinstance(cell, str):
        return escape(cell)
    return cell.html if isinstance(cell, Piece) else " ".join(map(cell_html, cell))


def link(text: str, target: str) -> Piece:
    """Return a text that leads to an anchor of the file, ``#hand-1``, or to an address."""
    return Piece(text, f'<a href="{escape(target)}">{escape(text)}</a>')


def card(text: str, suit: int | None) -> Piece:
    """Return a card or the glyph of a suit as a small white card; the joker has no suit."""
    colour = "#111" if suit is None else SUIT_COLOURS[suit]
    return Piece(text, f'<span class="card" style="color:{colour}">{escape(text)}</span>')


def strong(text: str) -> Piece:
    """Return a text that stands out."""
    return Piece(text, f"<b>{escape(text)}</b>")


def less(text: str) -> str:
    """Return the HTML of what is said less loudly behind something; empty for nothing."""
    return f" <small>{escape(text)}</small>" if text else ""


def sentences(*texts: str) -> Piece:
    """Return sentences in a row as a block."""
    text = " ".join(texts)
    return Piece(text, f"<p>{escape(text)}</p>")


def listing(items: Iterable[tuple[Cell, str]]) -> Piece:
    """Return sentences below each other as a block, each with what is said less loudly."""
    items = list(items)
    shown = "".join(f"<li>{cell_html(cell)}{less(after)}</li>" for cell, after in items)
    return Piece("\n".join(plain_cell(cell) for cell, _ in items), f"<ul>{shown}</ul>")


def large_scores(sides: Iterable[tuple[str, str, bool]]) -> Piece:
    """Return the sides of a game beside each other: who, the score, and whether they won."""
    sides = list(sides)
    shown = ""
    for who, score, has_won in sides:
        kind, won = (' class="won"', f"<span>{escape(say('won'))}</span>") if has_won else ("", "")
        named = f"<b>{escape(who)}</b><strong>{escape(score)}</strong>"
        shown += f"<div{kind}>{named}{won}</div>"
    text = ", ".join(f"{who} {score}" for who, score, _ in sides)
    return Piece(text, f'<div class="scores">{shown}</div>')


class Table(NamedTuple):
    """A table; its rows are as long as its heads."""

    name: str
    """What it is a table of, for those who cannot see it."""
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    numbers: frozenset[int]
    """The columns that stand to the right."""


Block: TypeAlias = Table | Piece


class Section(NamedTuple):
    """A part of a report under a heading."""

    heading: str
    blocks: Sequence[Block]
    about: str = ""
    """What the heading leaves open, in small beside it."""
    half: bool = False
    """Whether it takes half of the page, beside the next one that does."""


class Column(NamedTuple):
    """A column of a table: its head, and what stands in it of whatever a row is about."""

    head: str
    cell: Callable[[Any], Cell]
    is_number: bool = False


def table_of(name: str, columns: Sequence[Column], rows: Iterable[Any]) -> Table:
    """Return a table with a row for each of ``rows``."""
    return Table(
        name,
        [each.head for each in columns],
        [[each.cell(row) for each in columns] for row in rows],
        frozenset(at for at, each in enumerate(columns) if each.is_number),
    )


def tabled(
    heading: str,
    columns: Sequence[Column],
    rows: Iterable[Any],
    *below: Block,
    name: str = "",
    about: str = "",
    half: bool = False,
) -> list[Section]:
    """Return a section with one table, called as the section unless it has a name; none of none."""
    table = table_of(name or heading, columns, rows)
    return [Section(heading, [table, *below], about, half)] if table.rows else []


class Report(NamedTuple):
    """A report as a whole."""

    title: str
    about: Sequence[str]
    """Lines beside the title: what was played, and when."""
    lead: Sequence[str]
    """The answer in sentences."""
    sections: Sequence[Section]
    notes: Sequence[str]
    """What words and signs of the report mean."""
    hands: Sequence[str]
    """Hands in full that the report leads to, as HTML; they are not printed."""
    kind: str = ""
    """What else stands above the title in small."""


# --- The file

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
)
"""What the browser may do for the file: nothing but show it."""
_SHORT: Final = 14
"""Rows of a table that stays on one page."""


def as_page(report: Report, made: date) -> str:
    """Return the whole file; ``made`` is the day it says it was made on."""
    above = " · ".join(filter(None, (say("Tricklog report"), report.kind)))
    head = (
        f'<p class="above">{escape(above)}</p><h1>{escape(report.title)}</h1>'
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
