"""Lists of what stands in the facts of a snapshot (``facts.files.open_facts``).

Hands, players and findings are found by whatever figures can be filtered by.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack

from duckdb import DuckDBPyConnection

from tricklog.core.rulesets.suggestions import hint_at
from tricklog.ingest.metrics import METRIC, dimension_named, measure
from tricklog.ingest.metrics.filters import EVERYTHING, Filters, range_of
from tricklog.ingest.metrics.model import Dimension, FigureError
from tricklog.ingest.metrics.query import Cases, Query, findings_behind, hands_behind, rows_of
from tricklog.ingest.sql import run
from tricklog.ingest.store.queries import HASH

if TYPE_CHECKING:
    import polars as pl


class Order(StrEnum):
    """What hands of a list come by, then the latest first; those of which it is not known, last."""

    NEWEST = "newest"
    """By day, game and number within the game, the latest first."""
    OLDEST = "oldest"
    HIGHEST_BID = "highest-bid"
    """The winning bid; special ones stand above all numbers."""
    LOWEST_BID = "lowest-bid"
    HIGHEST_MARGIN = "highest-margin"
    """Card points of the makers less those they needed."""
    LOWEST_MARGIN = "lowest-margin"
    MOST_POINTS = "most-points"
    """Card points of the makers."""
    FEWEST_POINTS = "fewest-points"


MOST: Final = 1_000
"""How many values of a dimension a list offers."""
_NEWEST: Final = "day DESC NULLS LAST, game_no DESC, hand DESC NULLS LAST, hand_no DESC"
_ORDERS: Final = {
    Order.NEWEST: _NEWEST,
    Order.OLDEST: "day ASC NULLS LAST, game_no, hand ASC NULLS LAST, hand_no",
    Order.HIGHEST_BID: f"bid DESC NULLS LAST, {_NEWEST}",
    Order.LOWEST_BID: f"bid ASC NULLS LAST, {_NEWEST}",
    Order.HIGHEST_MARGIN: f"margin DESC NULLS LAST, {_NEWEST}",
    Order.LOWEST_MARGIN: f"margin ASC NULLS LAST, {_NEWEST}",
    Order.MOST_POINTS: f"maker_points DESC NULLS LAST, {_NEWEST}",
    Order.FEWEST_POINTS: f"maker_points ASC NULLS LAST, {_NEWEST}",
}
_SORTED_BY: Final = {"bid": "bid", "margin": "maker_points - need", "maker_points": "maker_points"}
"""What hands are put in order by beside when they were played, as SQL over the facts of seats."""


class Wanted(TypedDict, total=False):
    """What narrows a list of hands down beside filters, see ``hand_list``."""

    cases: Cases | None
    code: str | None
    text: str | None
    load: int | None


def hand_list(  # noqa: PLR0913 - each narrows the list down or chooses a part of it
    facts: DuckDBPyConnection,
    filters: Filters = EVERYTHING,
    *,
    cases: Cases | None = None,
    code: str | None = None,
    text: str | None = None,
    load: int | None = None,
    order: Order = Order.NEWEST,
    limit: int = 100,
    offset: int = 0,
) -> pl.DataFrame:
    """Return stored hands, one row each, the latest first unless asked for in another order.

    Hands of every verdict are listed unless the filters choose some, or ``cases`` are those of a
    figure that leaves hands out. ``hand_count`` tells how many there are.

    Args:
        facts: the facts of a snapshot.
        filters: which hands: those in which at least one player fits.
        cases: only hands behind a figure.
        code: only hands with a finding of this code, of their own or of their game.
        text: only hands whose id, game or a player's name contains this text, in capitals or not;
            a day or month (``2026-11``) finds what was played then.
        load: only hands that this load brought, by its number.
        order: which hands come first.
        limit: rows to return.
        offset: rows to pass over.

    Raises ``FigureError`` for filters that the figure does not have.
    """
    key = _ORDERS[order].partition(" ")[0]
    also = {key: _SORTED_BY[key]} if key in _SORTED_BY else {}
    chosen, parameters = _narrowed(hands_behind(cases, filters, **also), code, text, load)
    query = _HAND_LIST.replace("{chosen}", chosen).replace("{ordered}", _ORDERS[order])
    return run(facts, query, parameters | {"limit": limit, "offset": offset})


def hand_count(
    facts: DuckDBPyConnection, filters: Filters = EVERYTHING, **wanted: Unpack[Wanted]
) -> int:
    """Return how many hands ``hand_list`` has in all."""
    return _count(facts, _chosen_hands(filters, **wanted))


def hashes_behind(
    facts: DuckDBPyConnection, filters: Filters, **wanted: Unpack[Wanted]
) -> list[str]:
    """Return the content hashes of the hands that ``hand_list`` has. Raises as it does."""
    chosen, parameters = _chosen_hands(filters, **wanted)
    sql = f"SELECT {HASH} AS hash FROM ({chosen}) JOIN games.hands USING (hand_no)"  # noqa: S608 - our own
    return run(facts, sql, parameters)["hash"].to_list()


def _chosen_hands(filters: Filters, cases: Cases | None = None, **narrow: Any) -> Query:  # noqa: ANN401 - as _narrowed
    return _narrowed(hands_behind(cases, filters), **narrow)


def player_list(
    facts: DuckDBPyConnection,
    filters: Filters = EVERYTHING,
    *,
    text: str | None = None,
    limit: int = 100,
) -> tuple[pl.DataFrame, int]:
    """Return players, one row each, those with the most hands first, and how many there are in all.

    Columns: ``player``, ``name``, ``kind``, ``hands``, ``first_day`` and ``last_day``, of the hands
    that the filters choose, as for ``hand_list``. ``text``: only players whose id or name has it.

    Raises ``FigureError`` for filters that hands do not have.
    """
    chosen, parameters = hands_behind(None, filters)
    sql = _PLAYER_LIST.format(chosen=chosen)
    found = run(facts, sql, parameters | {"text": text or ""})
    return found.head(limit), found.height


def finding_list(
    facts: DuckDBPyConnection,
    filters: Filters = EVERYTHING,
    *,
    text: str | None = None,
    load: int | None = None,
    limit: int = 100,
    offset: int = 0,
) -> pl.DataFrame:
    """Return findings, one row each, those of the latest hands first, in the order of the record.

    ``seat``, ``player`` and ``name`` are of whom the finding names, ``None`` when it names nobody;
    ``facts`` is JSON. ``finding_count`` tells how many there are.

    ``filters``: the dimension ``player`` is whom they name. ``text``, ``load``, ``limit`` and
    ``offset`` are as ``hand_list`` takes them.

    Raises ``FigureError`` for filters that findings do not have.
    """
    chosen, parameters = _narrowed(findings_behind(filters), None, text, load)
    parameters |= {"limit": limit, "offset": offset}
    return run(facts, _FINDING_LIST.replace("{chosen}", chosen), parameters)


def finding_count(
    facts: DuckDBPyConnection,
    filters: Filters = EVERYTHING,
    *,
    text: str | None = None,
    load: int | None = None,
) -> int:
    """Return how many findings ``finding_list`` has in all."""
    return _count(facts, _narrowed(findings_behind(filters), None, text, load))


def _narrowed(
    chosen: Query, code: str | None = None, text: str | None = None, load: int | None = None
) -> Query:
    """Return the query for those rows that are of a finding, a text and a load."""
    query, parameters = chosen
    conditions = {
        "code": "hand_no IN (SELECT hand_no FROM finding_facts WHERE code = $code)",
        "text": is_named(text or ""),
        "load": "hand_no IN (SELECT hand_no FROM games.hands WHERE import_id = $load)",
    }
    given = {"code": code or None, "text": text or None, "load": load}
    given = {name: value for name, value in given.items() if value is not None}
    if given:
        query = f"FROM ({query}) WHERE {' AND '.join(conditions[name] for name in given)}"
    return query, parameters | given


def _count(facts: DuckDBPyConnection, rows: Query) -> int:
    query, parameters = rows
    return int(run(facts, f"SELECT count(*) AS n FROM ({query})", parameters)["n"].item())  # noqa: S608 - names of our own


def is_named(text: str) -> str:
    """Return the condition that ``$text`` is part of what a hand is called by."""
    named = (*_NAMED, _DATED) if _DATE.fullmatch(text) else _NAMED
    return f"hand_no IN ({' UNION ALL '.join(named)})"


def values(
    facts: DuckDBPyConnection,
    dimension: Dimension,
    limit: int | None = MOST,
    among: Sequence[str] | None = None,
) -> list[str]:
    """Return the values that rows have in a dimension, as they stand in filters, in their order.

    Players come by their number of hands, the most first; of a long list the first ``limit``, all
    with ``None``. With ``among`` only those of these that there are.
    """
    if dimension.names:
        table, column = dimension.names
        place, joined = column, ""
        if dimension.order:
            place, joined = "place", f"JOIN ({dimension.order}) ON ordered = {dimension.sql}"
        listed = f"SELECT {column} AS value FROM {table} {joined} ORDER BY {place} DESC"  # noqa: S608 - our own
    elif dimension.order:
        listed = f"SELECT ordered AS value FROM ({dimension.order}) ORDER BY place"  # noqa: S608 - our own
    elif dimension.type.endswith("_key"):
        every = f"unnest(enum_range(NULL::{dimension.type}))::VARCHAR"
        listed = f"SELECT {every} AS value ORDER BY value"
    else:
        listed = (
            f"SELECT DISTINCT {dimension.sql} AS value FROM {dimension.grains[0].value} "  # noqa: S608 - our own
            "WHERE value IS NOT NULL ORDER BY value"
        )
    # All parts of the queries are our own.
    if among is not None:
        query = f"SELECT value::VARCHAR AS value FROM ({listed}) WHERE value::VARCHAR IN $among"  # noqa: S608
        return run(facts, query, {"among": [*among]})["value"].to_list()
    query = f"SELECT value::VARCHAR AS value FROM ({listed} LIMIT $limit)"  # noqa: S608
    return run(facts, query, {"limit": limit})["value"].to_list()


def left_out(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> dict[str, int]:
    """Return how many hands of each verdict the filters choose, in the order of the verdicts."""
    frame = measure(facts, "verdicts", ("verdict",), filters.also("verdict"))
    return dict(frame.select("verdict", "n").iter_rows())


def games_left_out(facts: DuckDBPyConnection, filters: Filters = EVERYTHING) -> dict[str, int]:
    """Return how many games the filters choose, by what figures of games make of them.

    ``valid`` are complete with every hand valid, ``irregular`` are complete, too; of ``incomplete``
    games a hand or the end is missing, or a player left. Raises ``FigureError`` as ``measure``.
    """
    every = replace(filters.also("verdict"), every_verdict=True)
    complete = dict(measure(facts, "games", ("verdict",), every).select("verdict", "n").iter_rows())
    condition, parameters = rows_of(facts, METRIC["hands"], every)
    found = run(
        facts,
        "SELECT count(DISTINCT game_no) AS games FROM seat_facts "  # noqa: S608 - names of our own
        f"SEMI JOIN games.games USING (game_no) WHERE {condition}",
        parameters,
    )["games"].item()
    counts = {name: complete.get(name, 0) for name in ("valid", "irregular")}
    # Games of records with gaps are counted as well.
    counts["valid"] += complete.get("partial", 0)
    return counts | {"incomplete": found - sum(counts.values())}


_PLAYER_LIST: Final = """
SELECT player, name, players.kind, count(*) AS hands, min(day) AS first_day, max(day) AS last_day
FROM seat_facts
JOIN games.players USING (player)
WHERE hand_no IN (SELECT hand_no FROM ({chosen}))
AND (contains(lower(player), lower($text)) OR contains(lower(name), lower($text)))
GROUP BY player, name, players.kind
ORDER BY hands DESC, player
"""
_NAMED: Final = (
    "SELECT hand_no FROM games.hands WHERE contains(lower(hand_id), lower($text::VARCHAR))",
    (
        "SELECT hand_no FROM seat_rows WHERE first_of_hand AND game_no IN "
        "(SELECT game_no FROM games.games WHERE contains(lower(game), lower($text::VARCHAR)))"
    ),
    (
        "SELECT hand_no FROM seat_facts WHERE player IN (SELECT player FROM games.players "
        "WHERE contains(lower(concat_ws(chr(10), player, array_to_string(aliases, chr(10)))), "
        "lower($text::VARCHAR)))"
    ),
)
"""Queries for the hands that a text names."""
_DATED: Final = (
    "SELECT hand_no FROM seat_rows "
    "WHERE first_of_hand AND starts_with(day::VARCHAR, $text::VARCHAR)"
)
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}(-[0-9]{2})?")

_NAMES: Final = """[
        coalesce(own.name, own.id) || CASE WHEN len([
            other FOR other IN players
            IF coalesce(other.name, other.id) = coalesce(own.name, own.id) AND other.id <> own.id
        ]) > 0 THEN ' (' || own.id || ')' ELSE '' END
        FOR own IN players
    ]"""
"""Names by seat, as SQL; of players at one table who are called alike, with their ids."""

_HAND_LIST: Final = """
WITH page AS MATERIALIZED (
    SELECT hand_no, day, row_number() OVER (ORDER BY {ordered}) AS place
    FROM (FROM ({chosen}) ORDER BY {ordered} LIMIT $limit OFFSET $offset)
), found AS (
    SELECT hand_no, count(*) AS findings, list_sort(list(DISTINCT code)) AS codes
    FROM finding_facts
    WHERE hand_no IN (SELECT hand_no FROM page)
    GROUP BY hand_no
)
SELECT
    hand_id,
    game,
    hands.hand,
    page.day,
    started_at,
    file,
    line,
    variant,
    verdict,
    {names} AS players,
    seat_sides,
    dealer,
    maker,
    games.bid_name(bid) AS bid_name,
    need,
    points[seat_sides[maker + 1] + 1] - need AS margin,
    forced,
    no_contract,
    alone_by,
    games.trump_name(trump_code) AS trump,
    result,
    points,
    change,
    scores,
    coalesce(findings, 0) AS findings,
    coalesce(codes, []) AS codes,
    coalesce(hand_tags.tags, []) AS tags
FROM page
JOIN games.hands ON hands.hand_no = page.hand_no
JOIN games.seatings USING (seating_id)
JOIN games.rulesets USING (ruleset)
LEFT JOIN found ON found.hand_no = page.hand_no
LEFT JOIN hand_tags ON hand_tags.tagged = page.hand_no
ORDER BY page.place
""".replace("{names}", _NAMES)

_FINDING_LIST: Final = """
WITH chosen AS MATERIALIZED (
    SELECT DISTINCT hand_no, day, game_no, hand, code, scope, rule, seat FROM ({chosen})
), named AS (
    SELECT hand_no, hand_id FROM games.hands WHERE hand_no IN (SELECT hand_no FROM chosen)
), page AS (
    SELECT findings.*, chosen.hand_no, chosen.day, game_no, chosen.hand
    FROM chosen
    JOIN named USING (hand_no)
    JOIN games.findings
        ON findings.hand_id = named.hand_id
        AND findings.code = chosen.code
        AND findings.scope = chosen.scope
        AND findings.rule = chosen.rule
        AND findings.seat IS NOT DISTINCT FROM chosen.seat
    ORDER BY
        chosen.day DESC NULLS LAST,
        game_no DESC,
        chosen.hand DESC NULLS LAST,
        chosen.hand_no DESC,
        findings.scope DESC,
        ordinal
    LIMIT $limit OFFSET $offset
)
SELECT
    page.hand_id,
    game,
    hands.hand,
    page.day,
    file,
    line,
    variant,
    verdict,
    scope,
    code,
    "action",
    pointer,
    seat,
    players[seat + 1].id AS player,
    coalesce(players[seat + 1].name, player) AS name,
    {names} AS players,
    facts,
    legal,
    rule,
    message
FROM page
JOIN games.hands ON hands.hand_no = page.hand_no
JOIN games.seatings USING (seating_id)
JOIN games.rulesets USING (ruleset)
ORDER BY
    page.day DESC NULLS LAST,
    game_no DESC,
    page.hand DESC NULLS LAST,
    page.hand_no DESC,
    scope DESC,
    ordinal
""".replace("{names}", _NAMES)


# --- Values that no hand has

_SHOWN: Final = 6
"""Values of a dimension that are named where one does not exist."""


class UnknownValueError(FigureError):
    """A value that no hand has: what is wrong, and as a hint which values there are."""

    def __init__(self, what: str, hint: str) -> None:
        """Keep the parts beside the sentence made of them."""
        super().__init__(f"{what}. {hint}")
        self.what = what
        self.hint = hint


def check_values(facts: DuckDBPyConnection, filters: Filters) -> None:
    """Raise ``UnknownValueError`` for a value that no row has, and name some that exist.

    Of several numbers one is enough: who asks for bids of 8 to 14 need not know which were made.
    """
    for name, given in filters.chosen:
        dimension = dimension_named(name)
        asked = [each for each in given if not (dimension.is_number and range_of(each))]
        if not asked:
            continue
        known = values(facts, dimension, sys.maxsize)
        same = {_key(dimension, each) for each in known}
        if dimension.is_number and not same.isdisjoint(given):
            continue
        for value in asked:
            if _key(dimension, value) not in same:
                raise UnknownValueError(
                    f"no hand in this warehouse has {name}={value}",
                    _hint(value, known) if known else f"No hand says anything about {name}.",
                )


def _hint(value: str, known: list[str]) -> str:
    few = len(known) <= _SHOWN
    shown = [] if few else get_close_matches(value, known, _SHOWN, 0.5)
    shown = shown or known[:_SHOWN]
    others = len(known) - len(shown)
    hint = hint_at(value, known)
    hint += f"There {'is' if len(known) == 1 else 'are'} {', '.join(shown)}"
    return f"{hint} and {others:,} more." if others else f"{hint}."


def _key(dimension: Dimension, value: str) -> str:
    """Return a value in one way of writing it, where there are several."""
    if dimension.type == "BOOLEAN":
        return {"yes": "true", "no": "false"}.get(value.lower(), value.lower())
    return value
