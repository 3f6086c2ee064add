"""Solved hands and their decisions as frames, for programs and files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.query import hands_behind
from tricklog.ingest.sql import run

if TYPE_CHECKING:
    import polars as pl


def solved_list(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return solved hands, one row each, by number of the hand: its id, and what is known of it.

    The columns are those of ``solved_hands`` in ``ingest/facts/solved.sql``. ``facts`` is a
    connection of ``open_facts``. Of hands that are not solved there is no row. Raises
    ``FigureError`` for filters that hands do not have.
    """
    return run_over_hands(facts, _HANDS, "solved_hands", filters)


def decision_list(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return the decisions of solved hands in the order of play: id, player, and what each cost.

    The columns are those of ``decision_rows``, and of decisions that were graded by what their
    players knew ``worlds``, ``judged`` and ``luck``. Otherwise as ``solved_list``.
    """
    return run_over_hands(facts, _DECISIONS, "solved_hands", filters)


def hidden_list(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> pl.DataFrame:
    """Return decisions graded by what their players knew: id, player, and what each cost so.

    The columns are those of ``hidden_rows``, with ``luck``, what the lie of the cards cost, beside
    ``judged``. Otherwise as ``solved_list``.
    """
    return run_over_hands(facts, _HIDDEN, "solved_hands", filters)


def run_over_hands(
    facts: DuckDBPyConnection, query: str, table: str, filters: Filters
) -> pl.DataFrame:
    """Return the rows of a query, with the numbers of hands in the place of ``{chosen}``.

    These are the hands of a table that the filters let through.
    """
    chosen, parameters = f"SELECT hand_no FROM {table}", dict[str, Any]()  # noqa: S608 - our own
    if filters != EVERYTHING:
        chosen, parameters = hands_behind(None, filters)
    return run(facts, query.replace("{chosen}", f"SELECT hand_no FROM ({chosen})"), parameters)  # noqa: S608 - our own


_HANDS: Final = """
SELECT hands.hand_id, game, solved_hands.* EXCLUDE (hand_no)
FROM solved_hands
JOIN games.hands USING (hand_no)
WHERE hand_no IN ({chosen})
ORDER BY hand_no
"""
_HIDDEN: Final = """
SELECT
    hands.hand_id,
    game,
    players[hidden_rows.seat + 1].id AS player,
    "action", hidden_rows.seat, worlds, open,
    judged::DOUBLE AS judged,
    error::DOUBLE AS error,
    (open - judged)::DOUBLE AS luck,
    score_open,
    score_judged::DOUBLE AS score_judged,
    score_error::DOUBLE AS score_error,
    (score_open - score_judged)::DOUBLE AS score_luck
FROM hidden_rows
JOIN games.hands USING (hand_no)
JOIN games.seatings USING (seating_id)
WHERE hand_no IN ({chosen})
ORDER BY hand_no, "action"
"""
_DECISIONS: Final = """
SELECT
    hands.hand_id,
    game,
    players[decision_rows.seat + 1].id AS player,
    decision_rows.* EXCLUDE (hand_no),
    graded.worlds,
    graded.judged::DOUBLE AS judged,
    (graded.open - graded.judged)::DOUBLE AS luck
FROM decision_rows
LEFT JOIN hidden_rows AS graded
    ON graded.hand_no = decision_rows.hand_no
    AND graded."action" = decision_rows."action"
    AND decision_rows.deed::VARCHAR <> 'silence'
JOIN games.hands ON hands.hand_no = decision_rows.hand_no
JOIN games.seatings USING (seating_id)
WHERE hands.hand_no IN ({chosen})
ORDER BY hands.hand_no, decision_rows."action", decision_rows.deed::decision_key DESC
"""
