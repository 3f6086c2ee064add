"""What stands in a warehouse: totals, hands, findings, players, lines in quarantine.

The first part asks a snapshot (``warehouse.open_snapshot``), the second one its facts
(``facts.files.open_facts``), where hands are found by whatever figures can be filtered by.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from duckdb import DuckDBPyConnection

from ingest.filters import EVERYTHING, Filters, run
from ingest.metrics import Dimension
from ingest.metrics.query import Cases, hands_behind
from ingest.rejects import Reject, RejectCode
from ingest.spool import REJECT_BATCH

if TYPE_CHECKING:
    import polars as pl

# --- A snapshot


def overview(connection: DuckDBPyConnection) -> pl.DataFrame:
    """Return one row: hands, how many of them figures are made of, games, players, days, findings.

    ``rejects`` counts the lines in quarantine.
    """
    return run(connection, _OVERVIEW, {})


def hand_beside(connection: DuckDBPyConnection, hand_id: str, *, by: int) -> str | None:
    """Return the id of the hand ``by`` hands after another, or before it for less than 0.

    ``None`` where there are not so many. First come the other hands of its game by number, then all
    hands in the order of ``hand_list``, read from the earliest to the latest. ``by`` is not 0.
    """
    wanted = {"hand_id": hand_id, "passed": abs(by) - 1}
    rows = run(connection, _AFTER if by > 0 else _BEFORE, wanted)
    return None if rows.is_empty() else str(rows["id"].item())


def findings_of(connection: DuckDBPyConnection, hand_id: str) -> pl.DataFrame:
    """Return the findings of a hand: its own in the order of the record, then those of its game."""
    return run(connection, _FINDINGS_OF, {"hand_id": hand_id})


def variants(connection: DuckDBPyConnection) -> pl.DataFrame:
    """Return the variants that hands are stored of: id, title and number of hands."""
    return run(connection, _VARIANTS, {})


def players(connection: DuckDBPyConnection) -> pl.DataFrame:
    """Return the players, those with the most hands first."""
    return run(connection, "FROM players ORDER BY hands DESC, player", {})


def rejects(connection: DuckDBPyConnection) -> pl.DataFrame:
    """Return how many lines are in quarantine with each code."""
    return run(connection, _REJECTS, {})


def quarantine(connection: DuckDBPyConnection, *, code: str | None = None) -> Iterator[Reject]:
    """Return the lines in quarantine by file and line, or those with one code."""
    chosen = connection.cursor().execute(
        "SELECT file, line, byte, code, pointer, message, hint, text FROM rejects "
        "WHERE $code::VARCHAR IS NULL OR code = $code ORDER BY file, line, code",
        {"code": code},
    )
    while batch := chosen.fetchmany(REJECT_BATCH):
        for file, line, byte, code_, pointer, message, hint, text in batch:
            yield Reject(file, line, byte, RejectCode(code_), pointer, message, hint, text)


# --- Its facts


def hand_list(
    facts: DuckDBPyConnection,
    filters: Filters = EVERYTHING,
    *,
    cases: Cases | None = None,
    code: str | None = None,
    text: str | None = None,
    limit: int = 100,
    offset: int = 0,
) -> pl.DataFrame:
    """Return stored hands, one row each, the latest first.

    Hands of every verdict are listed unless the filters choose some, or ``cases`` are those of a
    figure that leaves hands out.

    Args:
        facts: the facts of a snapshot.
        filters: which hands: those in which at least one player fits.
        cases: only hands behind a figure.
        code: only hands with a finding of this code, of their own or of their game.
        text: only hands whose id or game contains this text, in capitals or not.
        limit: rows to return.
        offset: rows to pass over; column ``total`` says how many there are in all.

    Raises ``FigureError`` for filters that the figure does not have.
    """
    chosen, parameters = hands_behind(cases, filters)
    wanted = {"code": code, "text": text, "limit": limit, "offset": offset}
    return run(facts, _HAND_LIST.format(chosen=chosen), parameters | wanted)


def values(facts: DuckDBPyConnection, dimension: Dimension, limit: int = 1_000) -> list[str]:
    """Return the values that rows have in a dimension, as they stand in filters, in their order.

    Players come by their number of hands, the most first; of a long list the first ``limit``.
    """
    if dimension.type == "player_key":
        sql = "SELECT player AS value FROM games.players ORDER BY hands DESC, player LIMIT $limit"
    elif dimension.names:
        table, column = dimension.names
        sql = f"SELECT {column} AS value FROM {table} ORDER BY {dimension.sql} DESC LIMIT $limit"  # noqa: S608 - names of our own
    elif dimension.type.endswith("_key"):
        sql = (
            f"SELECT unnest(enum_range(NULL::{dimension.type}))::VARCHAR AS value "
            "ORDER BY ALL LIMIT $limit"
        )
    else:
        table = dimension.grains[0].value
        sql = (
            f"SELECT value::VARCHAR AS value FROM (SELECT DISTINCT {dimension.sql} AS value "  # noqa: S608 - names of our own
            f"FROM {table} WHERE value IS NOT NULL ORDER BY value LIMIT $limit)"
        )
    return run(facts, sql, {"limit": limit})["value"].to_list()


def left_out(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> dict[str, int]:
    """Return how many hands of each verdict the filters choose, in the order of the verdicts."""
    from ingest.metrics import measure

    frame = measure(facts, "verdicts", ("verdict",), filters.also("verdict"))
    return dict(frame.select("verdict", "n").iter_rows())


_OVERVIEW: Final = """
SELECT
    count(*) AS hands,
    count(*) FILTER (verdict = 'valid') AS analysed,
    count(*) FILTER (verdict <> 'valid') AS left_out,
    (SELECT count(*) FROM games) AS games,
    (SELECT count(*) FROM players) AS players,
    min(day) AS first_day,
    max(day) AS last_day,
    (SELECT count(*) FROM findings) AS findings,
    (SELECT count(*) FROM rejects) AS rejects
FROM hands
"""

_BESIDE: Final = """
WITH
    placed AS (
        SELECT
            id,
            game,
            (coalesce(number, -1), id) AS in_game,
            (coalesce(day, DATE '0001-01-01'), coalesce(game, ''), in_game) AS place
        FROM hands
    ),
    here AS (FROM placed WHERE id = $hand_id)
SELECT placed.id
FROM placed, here
WHERE
    CASE
        WHEN placed.game = here.game THEN placed.in_game {beyond} here.in_game
        ELSE placed.place {beyond} here.place
    END
ORDER BY placed.game = here.game DESC NULLS LAST, placed.place {order}
LIMIT 1 OFFSET $passed
"""
_AFTER: Final = _BESIDE.format(beyond=">", order="")
_BEFORE: Final = _BESIDE.format(beyond="<", order="DESC")

_FINDINGS_OF: Final = """
SELECT scope, code, "action", pointer, seat, facts, legal, rule, message
FROM findings
WHERE hand_id = $hand_id
ORDER BY scope DESC, ordinal
"""

_VARIANTS: Final = """
SELECT variant, any_value(title ORDER BY version DESC, ruleset) AS title, count(*) AS hands
FROM hands
JOIN seatings USING (seating_id)
JOIN rulesets USING (ruleset)
GROUP BY variant
ORDER BY variant
"""

_REJECTS: Final = (
    "SELECT code, count(*) AS lines FROM rejects GROUP BY code ORDER BY lines DESC, code"
)

_HAND_LIST: Final = """
WITH found AS (
    SELECT hand_id, count(*) AS findings, list_sort(list(DISTINCT code)) AS codes
    FROM games.findings
    GROUP BY hand_id
), listed AS (
    SELECT hands.rowid AS row, coalesce(findings, 0) AS findings, coalesce(codes, []) AS codes
    FROM games.hands
    JOIN ({chosen}) AS chosen ON chosen.hand = hands.rowid
    LEFT JOIN found ON hand_id = id
    WHERE
        ($code::VARCHAR IS NULL OR list_contains(codes, $code::VARCHAR))
        AND (
            $text::VARCHAR IS NULL
            OR contains(lower(id), lower($text::VARCHAR))
            OR contains(lower(game), lower($text::VARCHAR))
        )
), page AS (
    SELECT listed.*, count(*) OVER () AS total
    FROM listed
    JOIN games.hands ON hands.rowid = listed.row
    ORDER BY day DESC NULLS LAST, game DESC NULLS LAST, number DESC NULLS LAST, id DESC
    LIMIT $limit OFFSET $offset
)
SELECT
    id,
    game,
    number,
    day,
    started_at,
    variant,
    verdict,
    [coalesce(player.name, player.id) FOR player IN players] AS players,
    dealer,
    maker,
    games.bid_name(bid) AS bid,
    forced,
    no_contract,
    alone,
    games.trump_name(trump) AS trump,
    result,
    points,
    change,
    scores,
    findings,
    codes,
    total
FROM page
JOIN games.hands ON hands.rowid = page.row
JOIN games.seatings USING (seating_id)
JOIN games.rulesets USING (ruleset)
ORDER BY day DESC NULLS LAST, game DESC NULLS LAST, number DESC NULLS LAST, id DESC
"""
