"""The score sheet of a game on the terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import Any, Final

from rich.console import RenderableType
from rich.text import Text

from tricklog.ingest.chances import Chances, chances_of
from tricklog.ingest.chances.words import told as chances_told
from tricklog.ingest.cli.failure_state import opened
from tricklog.ingest.cli.output import UserError, own_command, print_json, put, values_of
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.sheets import words
from tricklog.ingest.sheets.games import close_games, game_of_hand
from tricklog.ingest.sheets.model import Row, Sheet
from tricklog.ingest.sheets.sheet import sheets_of
from tricklog.ingest.store.absent import db_option
from tricklog.ingest.study.season_words import days_text
from tricklog.schemas.cards import card_name, pretty_card
from tricklog.schemas.printable import one_line


def show_game(game: str, db: str, *, json: bool) -> None:
    """Print each sheet of a game. Raises ``UserError`` for an id that no game has."""
    with opened(db) as connection:
        sheets = sheets_of(connection, game)
        if not sheets:
            hint = f"No game in {db} has an id like it."
            if found := game_of_hand(connection, game):
                shows = f"{own_command()} show game {quote(found)} {db_option(db)}"
                hint = f"It is a hand of game {found}: {shows}"
            elif close := close_games(connection, game):
                hint = f"Did you mean {' or '.join(map(repr, close))}?"
            raise UserError(f"there is no game {game!r} in {db}", hint)
        chances = chances_of(connection, [game]) if len(sheets) == 1 else None
    for place, sheet in enumerate(sheets):
        labels = [side.label for side in sheet.sides]
        decided = chances_told(chances, labels) if chances else []
        if json:
            print_json(_as_json(sheet, chances, decided))
        else:
            put(*([""] if place else []), *_lines(sheet, chances, decided))


def _lines(sheet: Sheet, chances: Chances | None, decided: list[str]) -> Iterator[RenderableType]:
    yield Text(words.headline(sheet), "bold")
    about = [words.aim(sheet), words.state(sheet), days_text(sheet.first_day, sheet.last_day)]
    yield ". ".join(filter(None, [f"Game {one_line(sheet.game)}", *about])) + "."
    if chances is None or len(sheet.files) > 1:
        yield f"From {', '.join(map(one_line, sheet.files))}."
    yield from filter(None, (*words.turn_sentences(sheet), words.match_text(sheet)))
    if sheet.scores_left_open:
        yield "The game is too long to add up scores that its log does not have."
    yield ""
    # The column of a side has its change and its score.
    two = len(sheet.sides) == 2  # noqa: PLR2004 - two sides
    heads = ["hand", "dealer", "maker", "bid", "", "points" if two else "taken"]
    heads += [head for side in sheet.sides for head in ("", side.label)]
    right = [True, False, False, True, False, True, *[True] * (2 * len(sheet.sides)), False]
    yield from aligned([*heads, ""], right, [_cells(sheet, row) for row in sheet.rows])
    if count := sheet.count_out:
        number = words.number_text(sheet.rows[count.row])
        yield ""
        yield f"Counted out in hand {number}, the first at {sheet.target} has won:"
        rows = [
            (pretty_card(each.card), f"{each.points}", sheet.sides[each.side].label, score)
            for each in count.cards
            for score in [words.plain(each.score)]
        ]
        heads = ["", "points", "counted by", "score then"]
        yield from aligned(heads, [False, True, False, True], rows)
    if decided:
        yield from ("", *decided)


def _cells(sheet: Sheet, row: Row) -> list[str]:
    cells = [
        *(words.number_text(row), row.dealer or "", row.maker or "", words.bid_text(row)),
        *(words.trump_text(row), words.points_text(row)),
    ]
    for side in range(len(sheet.sides)):
        added = ""
        if row.change is not None and (row.change[side] or side == row.maker_side):
            added = words.signed(row.change[side])
            # Brackets stand for the frame round a contract that was set.
            added = f"[{added}]" if row.result == "set" and side == row.maker_side else added
        cells += [added, words.plain(row.scores[side]) if row.scores else "?"]
    found = [words.finding_text(mark.code) for mark in row.marks]
    ended = ["out"] if row.winner_side is not None else []
    return [*cells, ", ".join([*ended, *words.remarks(row), *found])]


def _as_json(sheet: Sheet, chances: Chances | None, decided: list[str]) -> dict[str, Any]:
    without, counted_out = ["in_game_points", "scores_left_open"], None
    if count := sheet.count_out:
        cards = [
            values_of(each, side="side_no") | {"card": card_name(each.card)} for each in count.cards
        ]
        counted_out = values_of(count) | {"cards": cards}
    return values_of(sheet, without=without, winner="winner_side") | {
        "scored_in": "game points" if sheet.in_game_points else "card points",
        "sides": [values_of(side, players="player_ids") for side in sheet.sides],
        "rows": [values_of(row, **_NAMES) for row in sheet.rows],
        "scores": sheet.final,
        "count_out": counted_out,
        "headline": words.headline(sheet),
        "turns": words.turn_sentences(sheet),
        # The number of a hand is that of the warehouse, which has its id beside it.
        "chances": [] if chances is None else chances.frame.drop("hand_no").to_dicts(),
        "decided": decided,
    }


_NAMES: Final = {
    "number": "hand",
    "last_number": "last_hand",
    "hand": "hand_id",
    "bid": "bid_name",
    "dealer": "dealer_name",
    "maker": "maker_name",
    "alone": "alone_by",
    "marks": "findings",
}
"""What the fields of a row are called for programs."""
