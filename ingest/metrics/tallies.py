"""Tallies: what each metric counts, summed up for each player in each game, kept with the facts.

Most figures are grouped and filtered only by what stays the same while a player sits in a game:
who plays what, with whom, when. Those are counted from tallies, of which there are ten times fewer
than facts; every other figure is counted from the facts themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.built_in import METRIC, METRICS
from tricklog.ingest.metrics.dimensions import DIMENSIONS
from tricklog.ingest.metrics.model import ROWS, Grain, Metric
from tricklog.ingest.store.columns import written

DRAWN_ALONE: Final = frozenset({"player", "partner"})
"""Dimensions of which a tally that is the ``only_row`` has one value and all that counts for it."""
FEWEST_HANDS: Final = 4
"""Hands a game on the average below which tallies would save little, and none are kept."""
TALLIES: Final = {Grain.SEAT: "tallies", Grain.CARD: "(FROM tallies WHERE cards > 0)"}
"""Where the tallies of each grain that has some are."""
_DIMENSIONS: Final = frozenset(each.name for each in DIMENSIONS if Grain.GAME in each.grains)
_KEYS: Final = (
    "game_no, verdict, source, family, variant, ruleset, seating, seating_id, day, session, seat, "
    "player, partners, opponents, kind, side_no, first_of_hand, first_of_side"
)
_CHAIR: Final = ("game_no", "verdict", "source", "chair", "day")
"""Keys that leave open none of the others, and take a tenth of the time to group by."""
TABLE: Final = ("game_no", "verdict", "source", "seating_id", "day")
"""Keys of which the tallies of all who sat at a table are the same."""
_OF_CHAIR: Final = ("variant", "session", "seat", "first_of_hand", "first_of_side")
"""Keys that the facts have beside them."""
_CHOSEN: Final = (
    "game_no >= getvariable('first') AND game_no < getvariable('behind') "
    "AND game_no IN (FROM counted)"
)


def tally_of(metric: Metric, dimensions: Iterable[str]) -> tuple[str, str, str] | None:
    """Return the columns of the tallies with the cases of a metric, their amount and their weight.

    ``None`` where it takes the facts themselves: for dimensions that change from hand to hand, and
    for a metric that is not built in and counts what none of those does.
    """
    if metric.grain not in TALLIES or not _DIMENSIONS.issuperset(dimensions):
        return None
    found = columns(metric.grain)
    cases, amount, weight = (
        found.get((metric.cases, added)) for added in ("1", metric.amount, metric.weight)
    )
    return (cases, amount, weight) if cases and amount and weight else None


def are_kept(connection: DuckDBPyConnection) -> bool:
    """Return whether there are tallies beside the facts."""
    return bool(connection.cursor().execute("SELECT tallied FROM facts").fetchall()[0][0])


@cache
def query() -> str:
    """Return the query for the tallies of the games from number ``first`` on and below ``behind``.

    Both are variables of the connection; table ``counted`` has the games in between to be counted.
    """
    seats, cards = (_summed_in_chairs(grain) for grain in TALLIES)
    listed = ", ".join((*columns(Grain.SEAT).values(), *columns(Grain.CARD).values(), "cards"))
    # A hand may have no day.
    same = " AND ".join(f"{key} IS NOT DISTINCT FROM {Grain.CARD.name}_{key}" for key in _CHAIR)
    return (
        f"SELECT {_KEYS}, false AS only_row, {listed} FROM ({seats}) "  # noqa: S608 - names of our own
        f"LEFT JOIN ({cards}) ON {same} "
        "JOIN (SELECT * EXCLUDE (first_of_side) FROM facts.chairs) USING (chair) "
        "ORDER BY game_no, seat"
    )


def _summed_in_chairs(grain: Grain) -> str:
    """Return the query for what the facts of a grain add up to for each chair."""
    # Quicker than a FILTER for each of many sums.
    added = {key: f"{key[1]} ELSE 0" if key[1] == "1" else key[1] for key in columns(grain)}
    sums = [
        f"sum(CASE WHEN {key[0]} THEN {added[key]} END)::BIGINT AS {name}"
        for key, name in columns(grain).items()
    ]
    is_seat = grain == Grain.SEAT
    sums += [f"any_value({key}) AS {key}" for key in _OF_CHAIR if is_seat]
    sums += [] if is_seat else ["count(*) AS cards"]
    prefix = "" if is_seat else f"{grain.name}_"
    chair = [f"{key} AS {prefix}{key}" for key in _CHAIR]
    return (
        f"SELECT {', '.join(chair)}, {', '.join(sums)} FROM facts.{ROWS[grain]} "  # noqa: S608 - names of our own
        f"WHERE {_CHOSEN} GROUP BY {', '.join(_CHAIR)}"
    )


MARK_ALONE: Final = f"""
UPDATE facts.tallies SET only_row = true WHERE {_CHOSEN} AND game_no IN (
    SELECT game_no
    FROM facts.tallies
    WHERE {_CHOSEN}
    GROUP BY game_no
    HAVING count(*) = count(DISTINCT player) AND max(len(partners)) <= 1
)
"""  # noqa: S608 - names of our own
"""Mark the games just counted in which each player has one tally, and so each of their partners."""
_MEANT: Final = {
    "cases": "How many cases count for the metric {0.name}.",
    "amount": "Numerator of the metric {0.name}, summed up: {0.numerator}.",
    "weight": "Denominator of the metric {0.name}, summed up: {0.denominator}.",
}
"""What columns say of a metric, by how their names end."""


@cache
def columns(grain: Grain) -> dict[tuple[str, str], str]:
    """Return the columns by the condition of their cases and what each case adds.

    A column is named after the first metric that counts it.
    """
    found: dict[tuple[str, str], str] = {}
    for metric in METRICS:
        if metric.grain == grain:
            for end, added in zip(_MEANT, ("1", metric.amount, metric.weight), strict=True):
                name = f"{metric.name.replace('-', '_')}_{end}"
                found.setdefault((metric.cases, added), name)
    return found


def about(table: str, column: str) -> str:
    """Return what a column of a table or view means, "" for one that is not known."""
    name, _, end = column.rpartition("_")
    metric = METRIC.get(name.replace("_", "-"))
    if table == "tallies" and metric and end in _MEANT:
        return _MEANT[end].format(metric)
    return written(table, column)
