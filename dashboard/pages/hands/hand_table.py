"""Stored hands as a table: what a player wants to see of each, on the page and in a file."""

from __future__ import annotations

from typing import Any, Final

import polars as pl

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.kit import addresses, exports
from tricklog.dashboard.kit.tables import Cell, Link, Short, Sorting, Way
from tricklog.dashboard.text.labels import short_name, title_of, value_words
from tricklog.ingest.metrics.listings import Order
from tricklog.schemas.cards import SUIT_GLYPHS, SUITS
from tricklog.schemas.languages.current import ENGLISH, in_language
from tricklog.schemas.languages.messages import message, message_in, say
from tricklog.schemas.languages.numbers import number, plain_day
from tricklog.schemas.printable import one_line

ORDERS: Final = {
    Order.NEWEST: message("Newest first"),
    Order.OLDEST: message("Oldest first"),
    Order.HIGHEST_BID: message("Highest bid"),
    Order.LOWEST_BID: message("Lowest bid"),
    Order.HIGHEST_MARGIN: message("Largest margin"),
    Order.LOWEST_MARGIN: message("Smallest margin"),
    Order.MOST_POINTS: message("Most points"),
    Order.FEWEST_POINTS: message("Fewest points"),
}
"""What each order is called."""
_SORTED: Final = {
    "Day": (Order.NEWEST, Order.OLDEST),
    "Bid": (Order.HIGHEST_BID, Order.LOWEST_BID),
    "Margin": (Order.HIGHEST_MARGIN, Order.LOWEST_MARGIN),
    "Makers’ points": (Order.MOST_POINTS, Order.FEWEST_POINTS),
}
"""Columns with the orders that a click asks for, the falling one first."""
_HEADS: Final = {
    "Hand": message_in("a column", "Hand"),
    "Day": message_in("a column", "Day"),
    "Variant": message_in("a column", "Variant"),
    "Maker": message_in("a column", "Maker"),
    "Bid": message_in("a column", "Bid"),
    "Result": message_in("a column", "Result"),
    "Margin": message_in("a column", "Margin"),
    "Makers’ points": message_in("a column", "Makers’ points"),
    "Others’ points": message_in("a column", "Others’ points"),
    "Verdict": message_in("a column", "Verdict"),
    "Findings": message_in("a column", "Findings"),
    "Tags": message_in("a column", "Tags"),
    "Game": message_in("a column", "Game"),
    "Number": message_in("a column", "Number"),
    "Log": message_in("a column", "Log"),
}
_GLYPHS: Final = dict(zip(SUITS, SUIT_GLYPHS, strict=True))


def as_table(
    hands: pl.DataFrame, titles: dict[str, str], order: Order
) -> tuple[list[str | Sorting], list[list[Cell]]]:
    """Return the headings and rows for a page; hands lead to their replay, games to their sheet.

    ``order`` is that of the rows.
    """
    rows = _rows(hands, titles)
    names = [name for name in _HEADS if name in rows[0]]
    cells = []
    for row, hand in zip(rows, hands.iter_rows(named=True), strict=True):
        game, log, margin = row["Game"], row["Log"], row["Margin"]
        said = say("{what}: replay", what=row["Hand"])
        shown: dict[str, Cell] = row | {
            "Hand": Link(row["Hand"], addresses.of_step(hand["hand_id"]), said),
            "Day": "" if row["Day"] is None else plain_day(row["Day"]),
            "Margin": "" if margin is None else number(margin, sign=True),
            "Number": "" if row["Number"] is None else str(row["Number"]),
            "Log": Short(f"{short_name(log)}:{row['Line']}", f"{log}:{row['Line']}"),
        }
        if hand["game"]:
            to_sheet = say("{game}: score sheet", game=game)
            shown["Game"] = Link(game, addresses.of_game(hand["game"]), to_sheet)
        cells.append([shown[name] for name in names])
    return [_head(name, order) for name in names], cells


def _head(name: str, order: Order) -> str | Sorting:
    text = str(_HEADS[name])
    if name not in _SORTED:
        return text
    falling, rising = _SORTED[name]
    wanted = rising if order == falling else falling
    ways: dict[Order, Way] = {falling: "descending", rising: "ascending"}
    address = parameters.with_parameter(addresses.HANDS, urls.SORT, wanted)
    return Sorting(text, address, ways.get(order))


def as_file(hands: pl.DataFrame, titles: dict[str, str]) -> bytes:
    """Return the rows of ``listings.hand_list`` as CSV, in English, whoever saves it."""
    with in_language(ENGLISH):
        table = _rows(hands, titles)
    return exports.as_csv(list(table[0]) if table else [], (row.values() for row in table))


def _rows(hands: pl.DataFrame, titles: dict[str, str]) -> list[dict[str, Any]]:
    """Return the rows by heading, with tags where a hand has one; ``titles`` are of variants."""
    rows = [_row(row, titles) for row in hands.iter_rows(named=True)]
    if not any(row["Tags"] for row in rows):
        for row in rows:
            del row["Tags"]
    return rows


def _contract(row: dict[str, Any]) -> str:
    """Return what was undertaken: ``9 ♥ (forced)``, ``no bid, ♠``, ``all tricks alone``."""
    suit, _, turned = (row["trump"] or "").partition("-")
    trump = f"{_GLYPHS.get(suit, suit)} {turned}".strip()
    if row["alone_by"]:
        named = say("all tricks alone, {trump}", trump=trump)
        return named if suit in _GLYPHS else say("all tricks alone")
    if row["no_contract"]:
        return say("no bid, {trump}", trump=trump)
    contract = f"{row['bid_name']} {trump}"
    return say("{contract} (forced)", contract=contract) if row["forced"] else contract


def _row(row: dict[str, Any], titles: dict[str, str]) -> dict[str, Any]:
    players, maker = [one_line(name) for name in row["players"]], row["maker"]
    # Those of a side with its points: ``Ann & Cy: 9``.
    sides: dict[int, list[str]] = {}
    for player, side in zip(players, row["seat_sides"], strict=True):
        sides.setdefault(side, []).append(player)
    said = {side: " & ".join(names) for side, names in sorted(sides.items())}
    for side, points in enumerate(row["points"] or ()):
        said[side] += f": {points}"
    makers = "" if maker is None else said.pop(row["seat_sides"][maker])
    result = "" if row["result"] is None else value_words("result", row["result"])
    return {
        "Hand": one_line(row["hand_id"]),
        "Day": row["day"],
        "Variant": one_line(titles[row["variant"]]),
        "Maker": "" if maker is None else players[maker],
        "Bid": "" if maker is None else _contract(row),
        "Result": result.capitalize(),
        "Margin": row["margin"],
        "Makers’ points": makers,
        "Others’ points": ", ".join(said.values()),
        "Players": ", ".join(players),
        "Verdict": value_words("verdict", row["verdict"]),
        "Findings": ", ".join(title_of(code) for code in row["codes"]),
        "Tags": ", ".join(map(one_line, row["tags"])),
        "Game": one_line(row["game"] or ""),
        "Number": row["hand"],
        "Log": one_line(row["file"]),
        "Line": row["line"],
    }
