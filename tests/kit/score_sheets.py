"""Score sheets for tests, written from generated games in the shapes people keep them in."""

import csv
import datetime as dt
import io
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

from tricklog import Hand, LogLine, Replay, bid_name, replay, trump_name
from tricklog.core import generate as generated_hands
from tricklog.ingest.score_sheets.reader import read_sheets
from tricklog.ingest.score_sheets.settings import SheetSettings

PEOPLE: Final = ("Ann", "Bo", "Cy", "Dee", "Eve", "Finn", "Gro")
Cell = str | int | float | bool | dt.date | None
Rows = list[list[Cell]]
HEADINGS: Final = {
    "en": ("Date", "Game", "Hand", "Dealer", "Bidder", "Bid", "Trump", "Result",
            "Points", "Change", "Score"),
    "sv": ("Datum", "Spel", "Giv", "Givare", "Budgivare", "Bud", "Trumf", "Resultat",
            "Poäng", "Ändring", "Ställning"),
    "fi": ("Päivä", "Peli", "Jako", "Jakaja", "Tarjoaja", "Tarjous", "Valtti", "Tulos",
            "Pisteet", "Muutos", "Tilanne"),
    "es": ("Fecha", "Partida", "Mano", "Reparte", "Postor", "Puja", "Triunfo",
            "Resultado", "Puntos", "Cambio", "Marcador"),
}  # fmt: skip
"""What columns are called, by language."""


def read_sheet(
    content: str | bytes,
    folder: Path,
    variant: str = "pedro",
    players: Iterable[str] = (),
    name: str = "club.csv",
) -> list[LogLine]:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(read_sheets(SheetSettings(variant, players=tuple(players)), path))


def hands_in(lines: Iterable[LogLine]) -> list[Hand]:
    """The hands of a sheet of which nothing is refused."""
    told = [line.reject or line.hand for line in lines if line.reject or line.hand]
    hands = [each for each in told if isinstance(each, Hand)]
    assert hands == told
    return hands


def game_numbers(hands: Iterable[Hand]) -> list[int]:
    """Of which game each hand is; games are numbered from 0 as they come."""
    games = [hand.game for hand in hands]
    order = list(dict.fromkeys(games))
    return [order.index(game) for game in games]


@dataclass(frozen=True)
class Scored:
    date: dt.date
    game: int
    hand: int
    dealer: int
    maker: int | None
    bid: int | str | None
    trump: str | None
    result: str
    points: tuple[int, ...]
    change: tuple[int, ...]
    scores: tuple[int, ...]
    sides: tuple[str, ...]
    """Whose scores they are: ``Ann & Cy``."""
    names: tuple[str, ...]


@cache
def scored(
    variant: str = "pedro", games: int = 2, seed: int = 1, seats: int | None = None
) -> tuple[Scored, ...]:
    return as_scored(generated_hands(variant, games, seed, players=seats))


def as_scored(hands: Iterable[Hand]) -> tuple[Scored, ...]:
    """Return hands as a sheet has them; a week lies between two games."""
    found: list[Scored] = []
    number, before = 0, None
    for hand in hands:
        number += hand.game != before
        before = hand.game
        found.append(_scored(hand, replay(hand), number))
    return tuple(found)


def _scored(hand: Hand, played: Replay, game: int) -> Scored:
    outcome = played.outcome
    assert outcome is not None
    assert outcome.scores is not None
    sides = played.rules.side_count
    names = PEOPLE[: len(hand.players)]
    members = [
        [name for seat, name in enumerate(names) if played.ruleset.side_of(seat) == side]
        for side in range(sides)
    ]
    bid: int | str | None = None
    if outcome.maker is not None and outcome.bid:
        name = bid_name(outcome.bid)
        bid = int(name) if name.isdecimal() else name
    trump = None if outcome.trump is None or outcome.trump < 0 else trump_name(outcome.trump)
    return Scored(
        dt.date(2024, 1, 5) + dt.timedelta(weeks=game - 1),
        game,
        int(str(hand.hand)),
        hand.dealt_by,
        outcome.maker,
        bid,
        trump,
        outcome.result,
        outcome.points,
        outcome.change,
        outcome.scores,
        tuple(" & ".join(each) for each in members),
        names,
    )


def one_row_a_hand(
    hands: Sequence[Scored], language: str = "en", *, leave_out: Iterable[str] = ()
) -> Rows:
    """Write every column there is, each hand a row, games one below the other."""
    heads = dict(zip(HEADINGS["en"], HEADINGS[language], strict=True))
    sided = ("Points", "Change", "Score")
    left = [name for name in heads if name not in set(leave_out)]
    rows: Rows = [
        [
            f"{heads[name]} {side}".strip()
            for name in left
            for side in (hands[0].sides if name in sided else [""])
        ]
    ]
    for each in hands:
        cells: dict[str, list[Cell]] = {
            "Date": [each.date],
            "Game": [each.game],
            "Hand": [each.hand],
            "Dealer": [each.names[each.dealer]],
            "Bidder": [None if each.maker is None else each.names[each.maker]],
            "Bid": ["passed out" if each.result == "thrown_in" else each.bid],
            "Trump": [each.trump if each.trump in tuple("SHDC") else None],
            "Result": [each.result if each.result in ("made", "set") else None],
            "Points": list(each.points),
            "Change": list(each.change),
            "Score": list(each.scores),
        }
        rows.append([cell for name in left for cell in cells[name]])
    return rows


def game_by_game(hands: Sequence[Scored]) -> Rows:
    """Write each game under a date and the names, running scores alone, a foot, a blank row."""
    rows: Rows = []
    for number in sorted({each.game for each in hands}):
        of_game = [each for each in hands if each.game == number]
        rows += [[f"Friday {of_game[0].date.isoformat()}"], ["Bidder", "Bid", *of_game[0].sides]]
        for each in of_game:
            maker = None if each.maker is None else each.names[each.maker]
            rows.append([maker or "pass", each.bid, *each.scores])
        rows += [["Total", None, *of_game[-1].scores], []]
    return rows


def as_csv(
    rows: Rows,
    *,
    delimiter: str = ",",
    encoding: str = "utf-8",
    dates: str = "%Y-%m-%d",
    line_end: str = "\r\n",
) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=line_end)
    for row in rows:
        writer.writerow(
            [each.strftime(dates) if isinstance(each, dt.date) else each for each in row]
        )
    return text.getvalue().encode(encoding)


# --- Workbooks, by hand: what tests want is not what programs write
_TYPES: Final = """<?xml version="1.0"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml"
 ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>
</Types>"""
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_REL: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELS: Final = "http://schemas.openxmlformats.org/package/2006/relationships"


def as_xlsx(
    sheets: dict[str, Rows], *, merged: Iterable[str] = (), parts: dict[str, str] | None = None
) -> bytes:
    """Write a workbook; text that begins with ``=`` is a formula with its value: ``=A1+1|9``.

    ``merged`` are ranges of cells of each sheet; ``parts`` replace or add files of the archive.
    """
    found = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": f'<Relationships xmlns="{_RELS}"><Relationship Id="r1" '
        f'Type="{_REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_REL}"><sheets>'
        + "".join(
            f'<sheet name="{escape(name)}" sheetId="{number}" r:id="r{number}"/>'
            for number, name in enumerate(sheets, 1)
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_RELS}">'
        + "".join(
            f'<Relationship Id="r{number}" Type="{_REL}/worksheet" '
            f'Target="worksheets/sheet{number}.xml"/>'
            for number in range(1, len(sheets) + 1)
        )
        + f'<Relationship Id="s" Type="{_REL}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><cellXfs count="2"><xf numFmtId="0"/>'
        '<xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
    }
    for number, rows in enumerate(sheets.values(), 1):
        found[f"xl/worksheets/sheet{number}.xml"] = _xlsx_sheet(rows, merged)
    return packed({**found, **(parts or {})})


def _xlsx_sheet(rows: Rows, merged: Iterable[str]) -> str:
    written = [
        f'<row r="{number}">'
        + "".join(_xlsx_cell(place, number, cell) for place, cell in enumerate(row))
        + "</row>"
        for number, row in enumerate(rows, 1)
    ]
    ranges = "".join(f'<mergeCell ref="{each}"/>' for each in merged)
    of_merged = f"<mergeCells>{ranges}</mergeCells>" if ranges else ""
    data = f"<sheetData>{''.join(written)}</sheetData>"
    return f'<worksheet xmlns="{_MAIN}">{data}{of_merged}</worksheet>'


def _xlsx_cell(place: int, number: int, cell: Cell) -> str:
    at = f'r="{chr(65 + place)}{number}"'
    if cell is None:
        return ""
    if isinstance(cell, dt.date):
        return f'<c {at} s="1"><v>{(cell - dt.date(1899, 12, 30)).days}</v></c>'
    if isinstance(cell, str) and cell.startswith("="):
        formula, _, value = cell[1:].partition("|")
        return f"<c {at}><f>{escape(formula)}</f><v>{value}</v></c>"
    if isinstance(cell, str):
        return f'<c {at} t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
    return f"<c {at}><v>{int(cell) if isinstance(cell, bool) else cell}</v></c>"


_ODS: Final = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body>'
    "<office:spreadsheet>{}</office:spreadsheet></office:body></office:document-content>"
)


def as_ods(
    sheets: dict[str, Rows], *, last: str = "", merged: Sequence[tuple[int, int, int, int]] = ()
) -> bytes:
    """Write a workbook of the open format; ``last`` is XML behind the last row of each sheet.

    ``merged`` are ranges of cells of each sheet: top, left, rows, columns, counted from 0.
    """
    tables = ""
    for name, rows in sheets.items():
        tables += f'<table:table table:name="{escape(name)}">'
        for at, row in enumerate(rows):
            cells = [_ods_cell(cell, _span_at(at, place, merged)) for place, cell in enumerate(row)]
            tables += f"<table:table-row>{''.join(cells)}</table:table-row>"
        tables += f"{last}</table:table>"
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
        "</manifest:manifest>"
    )
    return packed(
        {"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": _ODS.format(tables)}
    )


def _span_at(
    row: int, column: int, merged: Sequence[tuple[int, int, int, int]]
) -> tuple[int, int] | None:
    """Return how many rows and columns a cell takes; none where another one covers it."""
    for top, left, rows, columns in merged:
        if top <= row < top + rows and left <= column < left + columns:
            return (rows, columns) if (row, column) == (top, left) else None
    return 1, 1


def _ods_cell(cell: Cell, span: tuple[int, int] | None) -> str:
    if span is None:
        return "<table:covered-table-cell/>"
    rows, columns = span
    size = ""
    if span != (1, 1):
        size = f'table:number-rows-spanned="{rows}" table:number-columns-spanned="{columns}" '
    if cell is None:
        return f"<table:table-cell {size}/>"
    if isinstance(cell, dt.date):
        value = f'office:value-type="date" office:date-value="{cell.isoformat()}"'
    elif isinstance(cell, str):
        value = 'office:value-type="string"'
    else:
        value = f'office:value-type="float" office:value="{cell}"'
    return (
        f"<table:table-cell {size}{value}><text:p>{escape(str(cell))}</text:p></table:table-cell>"
    )


def packed(parts: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()
