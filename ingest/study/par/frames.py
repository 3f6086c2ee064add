"""Auctions held against par, the best contracts of sides, and ledgers as frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.study.frames import run_over_hands

if TYPE_CHECKING:
    import polars as pl


def par_list(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return hands whose auction was valued, one row each, by number of the hand.

    The columns are those of ``par_hands`` in ``ingest/facts/par.sql``, after the id of the hand and
    its game. ``facts`` is a connection of ``open_facts``. Of other hands there is no row. Raises
    ``FigureError`` for filters that hands do not have.
    """
    return _run(facts, _HANDS, filters)


def side_list(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return the best contract of each side of these hands, and who would play it.

    The columns are those of ``par_sides``. Otherwise as ``par_list``.
    """
    return _run(facts, _SIDES, filters)


def ledger_list(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return the parts of the ledgers of these hands in their order, by who chose.

    The columns are those of ``ledger_rows``. Otherwise as ``par_list``.
    """
    return _run(facts, _PARTS, filters)


def _run(facts: DuckDBPyConnection, query: str, filters: Filters) -> pl.DataFrame:
    return run_over_hands(facts, query, "par_hands", filters)


_HANDS: Final = """
SELECT hands.hand_id, game, par_hands.* EXCLUDE (hand_no)
FROM par_hands
JOIN games.hands USING (hand_no)
WHERE hand_no IN ({chosen})
ORDER BY hand_no
"""
_SIDES: Final = """
SELECT
    hands.hand_id,
    game,
    players[par_sides.seat + 1].id AS player,
    par_sides.* EXCLUDE (hand_no)
FROM par_sides
JOIN games.hands USING (hand_no)
JOIN games.seatings USING (seating_id)
WHERE hand_no IN ({chosen})
ORDER BY hand_no, side_no
"""
_PARTS: Final = """
SELECT
    hands.hand_id,
    game,
    players[ledger_rows.seat + 1].id AS player,
    ledger_rows.* EXCLUDE (hand_no)
FROM ledger_rows
JOIN games.hands USING (hand_no)
JOIN games.seatings USING (seating_id)
WHERE hand_no IN ({chosen})
ORDER BY hand_no, part::part_key, ledger_rows.seat
"""
