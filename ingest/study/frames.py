"""What was found out about hands as frames, for programs and files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import kept
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.query import hands_behind
from tricklog.ingest.sql import run

if TYPE_CHECKING:
    import polars as pl


def study_list(
    facts: DuckDBPyConnection, table: str, filters: Filters = EVERYTHING
) -> pl.DataFrame:
    """Return the rows of a table of solved, graded or valued hands, by number of the hand.

    Columns: ``hand_id``, ``game``, of rows about a seat its ``player``, and those of the table in
    ``ingest/facts/solved.sql`` or ``par.sql``. Decisions come in the order of play, with
    ``worlds``, ``judged`` and ``luck`` of those that were graded by what their players knew; where
    graded ones are asked for, ``luck``, what the lie of the cards cost, is beside ``judged``.

    ``table`` is one of ``facts.kept.TABLES``. ``facts`` is a connection of ``open_facts``. Of hands
    that nobody looked at there is no row. Raises ``FigureError`` for filters that hands do not
    have.
    """
    first = next(kind.tables[0] for kind in kept.KINDS if table in kind.tables)
    # Who grades hands solves them first.
    first = kept.OPEN.tables[0] if first == kept.HIDDEN.tables[0] else first
    chosen, parameters = f"SELECT hand_no FROM {first}", dict[str, Any]()  # noqa: S608 - our own
    if filters != EVERYTHING:
        chosen, parameters = hands_behind(None, filters)
    about, also, order = _TABLES[table]
    query = _ROWS.format(table=table, about=about, also=also, order=order, chosen=chosen)
    return run(facts, query, parameters)


_ROWS: Final = """
SELECT hands.hand_id, game, {about}
FROM {table} AS found
{also}
JOIN games.hands ON hands.hand_no = found.hand_no
JOIN games.seatings USING (seating_id)
WHERE hands.hand_no IN (SELECT hand_no FROM ({chosen}))
ORDER BY hands.hand_no{order}
"""
_HAND: Final = "found.* EXCLUDE (hand_no)"
_SEAT: Final = f"players[found.seat + 1].id AS player, {_HAND}"
_GRADED: Final = """
LEFT JOIN hidden_rows AS graded
    ON graded.hand_no = found.hand_no
    AND graded."action" = found."action"
    AND found.deed::VARCHAR <> 'silence'
"""
_OF_GRADED: Final = """
    graded.worlds, graded.judged::DOUBLE AS judged, (graded.open - graded.judged)::DOUBLE AS luck
"""
_HIDDEN: Final = """
    players[found.seat + 1].id AS player,
    "action", found.seat, worlds, open,
    judged::DOUBLE AS judged,
    error::DOUBLE AS error,
    (open - judged)::DOUBLE AS luck,
    score_open,
    score_judged::DOUBLE AS score_judged,
    score_error::DOUBLE AS score_error,
    (score_open - score_judged)::DOUBLE AS score_luck
"""
_TABLES: Final = {
    "solved_hands": (_HAND, "", ""),
    "decision_rows": (
        f"{_SEAT}, {_OF_GRADED}",
        _GRADED,
        ', found."action", found.deed::decision_key DESC',
    ),
    "hidden_hands": (_HAND, "", ""),
    "hidden_rows": (_HIDDEN, "", ', "action"'),
    "par_hands": (_HAND, "", ""),
    "par_sides": (_SEAT, "", ", side_no"),
    "ledger_rows": (_SEAT, "", ", part::part_key, found.seat"),
    "ledger_seats": (_SEAT, "", ", found.seat"),
}
"""Of each table what is selected, what is joined, and the order within a hand."""
