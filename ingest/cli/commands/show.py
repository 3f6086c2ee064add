"""``tricklog show``: a hand, a game, an evening, a season or a player, by its id."""

from __future__ import annotations

import re
from shlex import quote
from typing import Final

from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Id, Warehouse
from tricklog.ingest.cli.conditions import Chosen
from tricklog.ingest.cli.failure_state import need_warehouse, opened
from tricklog.ingest.cli.output import SUCCESS, UserError, own_command, put
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.store.absent import db_option
from tricklog.schemas.printable import one_line

_EXAMPLES: Final = """\
  tricklog show club-7 --db club         # a hand, step by step
  tricklog show friday-2 --db club       # the score sheet of a game
  tricklog show 2026-11-20 --db club     # an evening
  tricklog show 2026 --db club           # a season
  tricklog show player ann --db club     # the main figures of a player"""
EXAMPLES: Final = {
    "game": """\
  tricklog show game friday-2 --db club  # who won, hand by hand, and where it turned
  tricklog show game friday-2 --json | jq .rows""",
    "player": _EXAMPLES,
    "show": _EXAMPLES,
}

_YEAR: Final = re.compile(r"[0-9]{4}")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def show(what: Id, /, *, db: Warehouse = DEFAULT_DB, json: Flag = False) -> int:
    """Show a hand, a game, an evening or a player of a warehouse.

    tricklog list has the ids. Of a hand, a game and a player with one id, the hand is shown, else
    the game; each of the others is shown by the command that says what it is.

    Args:
        what: The id of a hand, a game or a player; a day such as 2026-11-20; or a year.
        json: As JSON objects.
    """
    need_warehouse(db)
    from tricklog.ingest.cli.commands.replay import replay
    from tricklog.ingest.cli.commands.report import evening, season
    from tricklog.ingest.store.queries import Named, what_is_named

    with opened(db) as connection:
        named = what_is_named(connection, what)
    if named is Named.HAND:
        return replay(hand=what, db=db, json=json)
    if named is Named.GAME:
        game(what, db=db, json=json)
    elif named is Named.PLAYER:
        player(what, db=db, json=json)
    elif _YEAR.fullmatch(what):
        season(int(what), db=db, json=json)
    elif _DAY.fullmatch(what):
        evening(what, db=db, json=json)
    else:
        raise UserError(
            f"nothing in {db} has the id {what!r}",
            f"{own_command()} list hands --text {quote(what)} {db_option(db)} finds what has "
            "it as a part.",
        )
    return SUCCESS


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
    from tricklog.ingest.cli.game_sheet import show_game

    show_game(game, db, json=json)


def player(player: Id, /, *, db: Warehouse = DEFAULT_DB, json: Flag = False) -> None:
    """Print the main figures of a player.

    Below them stands what the player brings their side and how sure that is, and where they stand
    in each of these figures among the players, if one direction is better. Any other figure of
    theirs is one of tricklog stats, with --where player=ID.

    Args:
        player: The id of the player.
        json: One JSON object, of the figures alone.
    """
    from tricklog.ingest.cli.commands.stats import stats

    chosen = Chosen(where=(f"player={player}",))
    stats(chosen=chosen, db=db, json=json)
    if json:
        return
    from tricklog.ingest.cli.figure_tables import MAIN
    from tricklog.ingest.metrics import METRIC, FigureError, wording
    from tricklog.ingest.metrics.figure_words import outlook_text
    from tricklog.ingest.metrics.model import Better
    from tricklog.ingest.metrics.standings import against_field, metrics_of_players
    from tricklog.ingest.ratings import ratings_of
    from tricklog.ingest.ratings.words import player_sentences
    from tricklog.ingest.sessions.evening import names_of

    metrics = [
        metric
        for name, metric in metrics_of_players(amounts=False).items()
        if name in MAIN and metric.better != Better.NEITHER
    ]
    with chosen.opened(db) as (facts, filters):
        (who,) = filters.values("player")
        try:
            said = player_sentences(ratings_of(facts), who, one_line(names_of(facts)[who]))
        except FigureError as error:
            said = [str(error)]
        frame = against_field(facts, who, metrics)
    rows = [
        (wording.title(METRIC[row["metric"]]), text)
        for row in frame.iter_rows(named=True)
        if (text := outlook_text(row))
    ]
    table = ["", *aligned(["figure", "place, 90 %"], [False, False], rows)] if rows else []
    put("", *said, *table)
