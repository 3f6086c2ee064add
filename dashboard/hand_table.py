"""Stored hands as a table: what a player wants to see of each, on the page and in a file."""

from __future__ import annotations

from typing import Any, Final

import polars as pl

from dashboard import addresses, exports
from dashboard.labels import short_name, title_of
from dashboard.tables import Cell, Link, Short
from schemas.cards import SUIT_GLYPHS, SUITS
from schemas.render import one_line

_GLYPHS: Final = dict(zip(SUITS, SUIT_GLYPHS, strict=True))


def as_rows(hands: pl.DataFrame, titles: dict[str, str]) -> list[dict[str, Any]]:
    """Return the rows of ``queries.hand_list`` by heading; ``titles`` are of the variants."""
    return [_row(row, titles) for row in hands.iter_rows(named=True)]


def as_table(hands: pl.DataFrame, titles: dict[str, str]) -> tuple[list[str], list[list[Cell]]]:
    """Return the headings and rows for a page; hands lead to their replay, games to their sheet."""
    rows: list[list[Cell]] = []
    heads = []
    ids = hands.select("id", "game").iter_rows()
    for row, (hand_id, game) in zip(as_rows(hands, titles), ids, strict=True):
        cells: dict[str, Any] = row | {
            "Hand": Link(row["Hand"], addresses.of_step(hand_id), f"{row['Hand']}: replay"),
            "Day": "" if row["Day"] is None else str(row["Day"]),
            "Game": _to_sheet(game) if game else "",
            "Number": "" if row["Number"] is None else str(row["Number"]),
            "Log": Short(f"{short_name(row['Log'])}:{row['Line']}", f"{row['Log']}:{row['Line']}"),
        }
        del cells["Line"]
        heads = list(cells)
        rows.append(list(cells.values()))
    return heads, rows


def _to_sheet(game: str) -> Link:
    name = one_line(game)
    return Link(name, addresses.of_game(game), f"{name}: score sheet")


def as_file(hands: pl.DataFrame, titles: dict[str, str]) -> bytes:
    """Return the rows of ``queries.hand_list`` as CSV."""
    table = as_rows(hands, titles)
    return exports.as_csv(list(table[0]) if table else [], (row.values() for row in table))


def _row(row: dict[str, Any], titles: dict[str, str]) -> dict[str, Any]:
    players = [one_line(name) for name in row["players"]]
    maker = "" if row["maker"] is None else players[row["maker"]]
    return {
        "Hand": one_line(row["id"]),
        "Day": row["day"],
        "Variant": one_line(titles[row["variant"]]),
        "Maker": maker,
        "Bid": _contract(row),
        "Result": "" if row["result"] is None else title_of(row["result"]),
        "Points": " : ".join(str(points) for points in row["points"] or ()),
        "Verdict": row["verdict"],
        "Findings": ", ".join(title_of(code) for code in row["codes"]),
        "Players": ", ".join(players),
        "Game": one_line(row["game"] or ""),
        "Number": row["number"],
        "Log": one_line(row["file"]),
        "Line": row["line"],
    }


def _contract(row: dict[str, Any]) -> str:
    """Return what was undertaken: ``9 ♥ (forced)``, ``no bid, ♠``, ``all tricks alone``."""
    if row["maker"] is None:
        return ""
    if row["alone"]:
        return "all tricks alone"
    suit, _, turned = (row["trump"] or "").partition("-")
    trump = f"{_GLYPHS.get(suit, suit)} {turned}".strip()
    if row["no_contract"]:
        return f"no bid, {trump}"
    return f"{row['bid']} {trump}{' (forced)' if row['forced'] else ''}"
