"""Chances to win on the pages: of games, of evenings, and beside the score of a hand.

They are those of ``tricklog show game``: made of stored hands, whatever the scope of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from tricklog.core import Replay
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.kit import addresses, cells
from tricklog.dashboard.kit.cells import Picture
from tricklog.dashboard.kit.drawing import title_html
from tricklog.dashboard.kit.tables import Cell
from tricklog.dashboard.text.escaping import as_html
from tricklog.ingest.chances import Chances, chances_of, words
from tricklog.ingest.sessions.evening import Evening, Played
from tricklog.ingest.sessions.words import sides_in_order
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import percent

_EVEN: Final = cells.Track(0, 1, 0.5)
_THIN: Final = 2.0
"""Of a line that is alone, as ``cells.line`` has it."""


def of_games(games: Sequence[str]) -> Chances:
    """Return the chances of games by id."""
    connection = snapshot.connection()
    return snapshot.kept(chances_of, connection, list(games), kept=snapshot.kept)


def of_evening(evening: Evening) -> tuple[Chances, list[str]]:
    """Return the chances of the games of an evening, and which hands decided them."""
    games = [each.game for each in evening.games]
    found = of_games(games)
    return found, words.evening_sentences(found.frame, words.numbered(games))


def of_hand(replayed: Replay) -> list[list[str]]:
    """Return the chances of each side before a hand, once the bid is known, and after it."""
    game = replayed.hand.game
    if not isinstance(game, str):
        return []
    frame = of_games([game]).frame
    own = frame.filter(frame["hand_id"] == replayed.hand.id).sort("side_no")
    auction = own["auction_change"].fill_null(0.0)
    steps = own["chance_before"], own["chance_before"] + auction, own["chance_after"]
    return [[percent(each) for each in row] for row in zip(*steps, strict=True)]


def sheet_html(chances: Chances, labels: Sequence[str]) -> str:
    """Return the chances of one game, as they stand under its sheet; ``labels`` are its sides."""
    line, about = "", ""
    if len(chances.frame):
        line = f'<div class="tl-chance">{_line_of(chances.frame, 0, thick=_THIN).html}</div>'
        about = say(
            "of {side}, from 0 to 100 %, after each hand; dashed: 50 %; leverage: how much a hand "
            "could change, 1 on the average",
            side=labels[0],
        )
    told = words.told(chances, labels)
    said = "".join(f'<p class="tl-chances">{as_html(each)}</p>' for each in told)
    return f"{title_html(say('Chances to win'), about)}{line}{said}"


def _line_of(frame: pl.DataFrame, side: int, thick: float = 6.0) -> Picture:
    own = frame.filter(frame["side_no"] == side).sort("hand", "hand_no")
    known = [each for each in words.course(own) if each is not None]
    said = say("from {before} to {after}", before=percent(known[0]), after=percent(known[-1]))
    return cells.line(known, _EVEN, said, thick=thick)


def cell_of(chances: pl.DataFrame, game: Played) -> Cell:
    """Return the line of the winners, or of who leads, over the hand that decided a game."""
    side, frame = sides_in_order(game)[0], chances.filter(chances["game"] == game.game)
    if frame.is_empty():
        return ""
    line, decided = _line_of(frame, side), words.deciding(frame)
    if decided.is_empty() or not frame["won"].count():
        return line
    row = decided.row(0, named=True)
    said = f"{words.hand_text(row)}, {percent(row['chance_change'], sign=True)}"
    address = as_html(addresses.of_step(row["hand_id"]))
    return Picture(f'{line.html}<a href="{address}">{as_html(said)}</a>', line.said)
