"""``tricklog show game``: the score sheet of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Id, Warehouse
from tricklog.ingest.cli.failure_state import need_warehouse, opened
from tricklog.ingest.cli.output import UserError, own_command, print_json, put, values_of
from tricklog.ingest.cli.text_table import aligned
from tricklog.schemas.actions import bid_name, trump_name
from tricklog.schemas.cards import card_name, pretty_card
from tricklog.schemas.printable import one_line

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from tricklog.ingest.chances import Chances
    from tricklog.ingest.sheets.model import CountOut, Row, Sheet

EXAMPLES = """\
  tricklog show game friday-2 --db club  # who won, hand by hand, and where it turned
  tricklog show game friday-2 --json | jq .rows"""


def game(game: Id, /, *, db: Warehouse = DEFAULT_DB, json: Flag = False) -> None:
    """Print the score sheet of a game.

    Each hand has its number, dealer, maker, bid, trumps and card points, what each side added, the
    running score and the findings; a hand that is missing or has no result has a row that says so.
    Below it stand the chances to win between equal sides, and the hands that decided the game.
    Where logs use one id for several games, each has its own sheet, without chances.

    Args:
        game: The id of the game.
        json: One JSON object a sheet.
    """
    need_warehouse(db)
    from tricklog.ingest.chances import chances_of
    from tricklog.ingest.sheets.sheet import sheets_of

    with opened(db) as connection:
        sheets = sheets_of(connection, game)
        if not sheets:
            raise _no_game(connection, game, db)
        chances = chances_of(connection, [game]) if len(sheets) == 1 else None
    for place, sheet in enumerate(sheets):
        if json:
            print_json(_as_json(sheet, chances))
            continue
        if place:
            put("")
        _print_sheet(sheet, chances)


def _no_game(connection: DuckDBPyConnection, game: str, db: str) -> UserError:
    from tricklog.ingest.sheets.games import close_games, game_of_hand

    found = game_of_hand(connection, game)
    if found is not None:
        hint = f"It is a hand of game {found}: {own_command()} show game {found!r} --db {db}"
    elif close := close_games(connection, game):
        hint = f"Did you mean {' or '.join(map(repr, close))}?"
    else:
        hint = f"No game in {db} has an id like it."
    return UserError(f"there is no game {game!r} in {db}", hint)


# --- As text


def _print_sheet(sheet: Sheet, chances: Chances | None) -> None:
    from tricklog.ingest.sheets import words

    days = [str(day) for day in dict.fromkeys((sheet.first_day, sheet.last_day)) if day]
    about = [words.aim(sheet), words.state(sheet), " to ".join(days)]
    said = [
        ". ".join(filter(None, [f"Game {one_line(sheet.game)}", *about])) + ".",
        *words.turn_sentences(sheet),
        words.match_text(sheet),
    ]
    if chances is None or len(sheet.files) > 1:
        said.insert(1, f"From {', '.join(map(one_line, sheet.files))}.")
    if sheet.scores_left_open:
        said.append("The game is too long to add up scores that its log does not have.")
    put(Text(words.headline(sheet), "bold"), *filter(None, said), "", *_table(sheet))
    if sheet.count_out:
        put("", *_counted_out(sheet, sheet.count_out))
    if told := _chances_said(sheet, chances):
        put("", *told)


def _chances_said(sheet: Sheet, chances: Chances | None) -> list[str]:
    from tricklog.ingest.chances import words

    if chances is None:
        return []
    return words.told(chances, [side.label for side in sheet.sides])


def _table(sheet: Sheet) -> list[str]:
    """Return the sheet as lines of text; the column of a side has its change and its score."""
    two = len(sheet.sides) == 2  # noqa: PLR2004 - two sides
    heads = ["hand", "dealer", "maker", "bid", "", "points" if two else "taken"]
    right = [True, False, False, True, False, True]
    for side in sheet.sides:
        heads += ["", side.label]
        right += [True, True]
    return aligned([*heads, ""], [*right, False], [_cells(sheet, row) for row in sheet.rows])


def _cells(sheet: Sheet, row: Row) -> list[str]:
    from tricklog.ingest.sheets import words

    cells = [
        words.number_text(row),
        row.dealer or "",
        row.maker or "",
        words.bid_text(row),
        words.trump_text(row),
        words.points_text(row),
    ]
    for side in range(len(sheet.sides)):
        cells.append(_change(row, side))
        cells.append(words.plain(row.scores[side]) if row.scores else "?")
    found = [words.finding_text(mark.code) for mark in row.marks]
    ended = ["out"] if row.winner_side is not None else []
    return [*cells, ", ".join([*ended, *words.remarks(row), *found])]


def _change(row: Row, side: int) -> str:
    """Return what a side added; brackets stand for the frame round a contract that was set."""
    from tricklog.ingest.sheets import words

    if row.change is None or (not row.change[side] and side != row.maker_side):
        return ""
    added = words.signed(row.change[side])
    return f"[{added}]" if row.result == "set" and side == row.maker_side else added


def _counted_out(sheet: Sheet, count: CountOut) -> list[str]:
    from tricklog.ingest.sheets import words

    number = words.number_text(sheet.rows[count.row])
    rows = [
        [
            pretty_card(each.card),
            str(each.points),
            sheet.sides[each.side].label,
            words.plain(each.score),
        ]
        for each in count.cards
    ]
    table = aligned(["", "points", "counted by", "score then"], [False, True, False, True], rows)
    return [f"Counted out in hand {number}, the first at {sheet.target} has won:", *table]


# --- As JSON


def _as_json(sheet: Sheet, chances: Chances | None) -> dict[str, Any]:
    from tricklog.ingest.sheets import words

    count = sheet.count_out
    without = ["in_game_points", "scores_left_open"]
    return values_of(sheet, without=without, winner="winner_side") | {
        "scored_in": "game points" if sheet.in_game_points else "card points",
        "sides": [values_of(side, players="player_ids") for side in sheet.sides],
        "rows": [_row_json(row) for row in sheet.rows],
        "scores": sheet.final,
        "count_out": None
        if count is None
        else values_of(count)
        | {
            "cards": [
                values_of(each, side="side_no") | {"card": card_name(each.card)}
                for each in count.cards
            ]
        },
        "headline": words.headline(sheet),
        "turns": words.turn_sentences(sheet),
        # The number of a hand is that of the warehouse, which has its id beside it.
        "chances": [] if chances is None else chances.frame.drop("hand_no").to_dicts(),
        "decided": _chances_said(sheet, chances),
    }


def _row_json(row: Row) -> dict[str, Any]:
    names = {"number": "hand", "last_number": "last_hand", "hand": "hand_id", "bid": "bid_name"}
    names |= {"dealer": "dealer_name", "maker": "maker_name", "alone": "alone_by"}
    return values_of(row, **names, marks="findings") | {
        "bid_name": None if row.bid is None else bid_name(row.bid),
        "trump": None if row.trump is None else trump_name(row.trump),
    }
