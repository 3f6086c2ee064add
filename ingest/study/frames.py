"""Solved hands and their decisions as frames, for programs and files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from duckdb import DuckDBPyConnection

from ingest.metrics.filters import EVERYTHING, Filters, run
from ingest.metrics.query import hands_behind

if TYPE_CHECKING:
    import polars as pl


def solved_list(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return solved hands, one row each, by number of the hand: its id, and what is known of it.

    The columns are those of ``solved_hands`` in ``ingest/facts/solved.sql``. ``facts`` is a
    connection of ``open_facts``. Of hands that are not solved there is no row. Raises
    ``FigureError`` for filters that hands do not have.
    """
    return _run(facts, _HANDS, filters)


def decision_list(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return the decisions of solved hands in the order of play: id, player, and what each cost.

    The columns are those of ``decision_rows``. Otherwise as ``solved_list``.
    """
    return _run(facts, _DECISIONS, filters)


def _run(facts: DuckDBPyConnection, query: str, filters: Filters) -> pl.DataFrame:
    chosen, parameters = "SELECT hand_no AS hand FROM solved_hands", dict[str, Any]()
    if filters != EVERYTHING:
        chosen, parameters = hands_behind(None, filters)
    return run(facts, query.replace("{chosen}", f"SELECT hand FROM ({chosen})"), parameters)  # noqa: S608 - our own


_HANDS: Final = """
SELECT hands.id AS hand_id, game, solved_hands.* EXCLUDE (hand_no)
FROM solved_hands
JOIN games.hands USING (hand_no)
WHERE hand_no IN ({chosen})
ORDER BY hand_no
"""
_DECISIONS: Final = """
SELECT
    hands.id AS hand_id,
    game,
    players[decision_rows.seat + 1].id AS player,
    decision_rows.* EXCLUDE (hand_no)
FROM decision_rows
JOIN games.hands USING (hand_no)
JOIN games.seatings USING (seating_id)
WHERE hand_no IN ({chosen})
ORDER BY hand_no, "action", decision_rows.kind::decision_key DESC
"""
