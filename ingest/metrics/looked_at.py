"""How many hands of a figure were solved, graded or held against par, and what of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from duckdb import DuckDBPyConnection

from ingest.metrics.dimensions import DIMENSIONS
from ingest.metrics.filters import Filters, run
from ingest.metrics.model import GRADED, SOLVED, Grain, Metric
from ingest.metrics.query import hands_behind
from schemas.words import counted


@dataclass(frozen=True, slots=True)
class LookedAt:
    """Valid hands that filters choose, and how many of them were looked at."""

    what: str
    """What was done: ``solved with all cards open``."""
    hands: int
    done: int
    partly: int
    refused: int

    @property
    def left(self) -> int:
        """How many nobody has looked at."""
        return self.hands - self.done - self.partly - self.refused

    def __str__(self) -> str:
        """Return a sentence, which says as well of how many nothing is known, if of any."""
        others = [(self.left, "not yet"), (self.refused, "refused"), (self.partly, "in part")]
        says = ", ".join(f"{count:,} {name}" for count, name in others if count)
        first = f"{self.what}: {self.done:,} of {counted(self.hands, 'valid hand')}"
        return f"{first}; {says}." if says else f"{first}."


_TABLES: Final = {
    SOLVED: ("solved_hands", "Solved with all cards open", "solved", "limits"),
    GRADED: ("hidden_hands", "Graded by what players knew", "graded", "partly"),
    (Grain.PAR,): ("par_hands", "Held against par", "valued", ""),
}
"""By grains: the table, what was done, and what its statuses are called."""
_OF_HANDS: Final = frozenset(each.name for each in DIMENSIONS if Grain.SEAT in each.grains)


def looked_at(
    facts: DuckDBPyConnection, metrics: Sequence[Metric], filters: Filters
) -> list[LookedAt]:
    """Return of metrics about hands that were looked at how many of the chosen hands that is.

    Filters that choose decisions rather than hands are not heeded.
    """
    for name, _ in filters.chosen:
        if name not in _OF_HANDS:
            filters = filters.also(name)
    wanted = {metric.grain for metric in metrics}
    return [
        _looked_at(facts, filters, *words)
        for grains, words in _TABLES.items()
        if wanted.intersection(grains)
    ]


def _looked_at(
    facts: DuckDBPyConnection, filters: Filters, table: str, what: str, done: str, partly: str
) -> LookedAt:
    query, parameters = hands_behind(None, filters)
    found = run(
        facts,
        "SELECT coalesce(status::VARCHAR, '') AS status, count(*) AS hands "  # noqa: S608 - our own
        f"FROM (SELECT DISTINCT hand FROM ({query})) "
        f"JOIN games.hands ON hand_no = hand LEFT JOIN {table} USING (hand_no) "
        "WHERE verdict = 'valid' GROUP BY ALL",
        parameters,
    )
    counts: dict[str, int] = dict(found.iter_rows())
    refused = counts.get("refused", 0)
    return LookedAt(what, sum(counts.values()), counts.get(done, 0), counts.get(partly, 0), refused)
