"""Tallies: what each metric counts, summed up for each player in each game, kept with the facts.

Most figures are grouped and filtered only by what stays the same while a player sits in a game:
who plays what, with whom, when. Those are counted from tallies, of which there are ten times fewer
than facts; every other figure is counted from the facts themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from duckdb import DuckDBPyConnection

from ingest.metrics import audit, bidding, capture, play, scoring
from ingest.metrics.dimensions import DIMENSIONS
from ingest.metrics.model import Grain, Metric

DRAWN_ALONE: Final = frozenset({"player", "partner"})
"""Dimensions of which a tally that is ``alone`` has one value and all that counts for it."""
FEWEST_HANDS: Final = 4
"""Hands a game on the average below which tallies would save little, and none are kept."""
TALLIES: Final = {Grain.SEAT: "tallies", Grain.CARD: "(FROM tallies WHERE cards > 0)"}
"""Where the tallies of each grain that has some are."""
_GROUPS: Final = (bidding, capture, play, scoring, audit)
_DIMENSIONS: Final = frozenset(each.name for each in DIMENSIONS if Grain.GAME in each.grains)
_KEYS: Final = (
    "game_no, verdict, source, family, variant, ruleset, seating, day, session, seat, player, "
    "partners, opponents, kind, side_no, first_of_hand, first_of_side"
)
_FACTS: Final = {
    Grain.SEAT: "facts.seat_facts WHERE hand >= $first",
    # What is found once for each side is a column of the players' facts only.
    Grain.CARD: (
        "facts.card_facts JOIN (SELECT hand, seat, first_of_hand, first_of_side "
        "FROM facts.seat_facts WHERE hand >= $first) USING (hand, seat) WHERE hand >= $first"
    ),
}


@dataclass(frozen=True, slots=True)
class Tally:
    """The columns of the tallies that a metric is counted from."""

    cases: str
    """How many cases there are; zero or NULL when there is none."""
    amount: str
    """What they add to the numerator."""
    weight: str
    """What they add to the denominator."""


def tally_of(metric: Metric, dimensions: Iterable[str]) -> Tally | None:
    """Return the tally of a metric, ``None`` where it takes the facts themselves.

    It does for dimensions that change from hand to hand, and for a metric that is not built in and
    counts what none of those does.
    """
    if metric.grain not in TALLIES or not _DIMENSIONS.issuperset(dimensions):
        return None
    columns = _columns(metric.grain)
    wanted = [(metric.cases, added) for added in ("1", metric.amount, metric.weight)]
    if not all(each in columns for each in wanted):
        return None
    return Tally(*(columns[each] for each in wanted))


def are_kept(connection: DuckDBPyConnection) -> bool:
    """Return whether there are tallies beside the facts."""
    return bool(connection.cursor().execute("SELECT tallied FROM facts").fetchall()[0][0])


@cache
def query() -> str:
    """Return the query for the tallies of the hands from row ``$first`` of the snapshot on."""
    sums = []
    for grain, source in _FACTS.items():
        listed = "".join(
            f", {_sum(cases, added)} AS {name}" for (cases, added), name in _columns(grain).items()
        )
        if grain == Grain.CARD:
            listed += ", count(*) AS cards"
        sums.append(f"SELECT {_KEYS}{listed} FROM {source} GROUP BY ALL")  # noqa: S608 - names of our own
    return (
        f"SELECT {_KEYS}, false AS alone, any_value(COLUMNS(* EXCLUDE ({_KEYS}))) "  # noqa: S608 - names of our own
        f"FROM ({' UNION ALL BY NAME '.join(sums)}) GROUP BY ALL ORDER BY game_no, seat"
    )


MARK_ALONE: Final = """
UPDATE facts.tallies SET alone = true WHERE game_no IN (
    SELECT game_no
    FROM facts.tallies
    GROUP BY game_no
    HAVING count(*) = count(DISTINCT player) AND max(len(partners)) <= 1
)
"""
"""Mark the games of which each player has one tally, and so each partner of somebody."""


def _sum(cases: str, added: str) -> str:
    # Quicker than a FILTER for each of many sums.
    otherwise = " ELSE 0" if added == "1" else ""
    return f"sum(CASE WHEN {cases} THEN {added}{otherwise} END)::BIGINT"


@cache
def _columns(grain: Grain) -> dict[tuple[str, str], str]:
    """Return the columns by the condition of their cases and what each case adds.

    A column is named after the first metric that counts it.
    """
    columns: dict[tuple[str, str], str] = {}
    for metric in (each for group in _GROUPS for each in group.METRICS):
        if metric.grain == grain:
            name = metric.name.replace("-", "_")
            columns.setdefault((metric.cases, "1"), f"{name}_cases")
            columns.setdefault((metric.cases, metric.amount), f"{name}_amount")
            columns.setdefault((metric.cases, metric.weight), f"{name}_weight")
    return columns
