"""How many hands of a figure were solved, graded or held against par, and what of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.dimensions import DIMENSIONS
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.model import GRADED, SOLVED, Grain, Metric
from tricklog.ingest.metrics.query import hands_behind
from tricklog.ingest.sql import run
from tricklog.schemas.languages.messages import mark, say, say_counted, translated
from tricklog.schemas.languages.numbers import number


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
        values = {"what": translated(self.what), "done": number(self.done)}
        others = (
            (self.left, say("{number} not yet", number=number(self.left))),
            (self.refused, say("{number} refused", number=number(self.refused))),
            (self.partly, say("{number} in part", number=number(self.partly))),
        )
        if not any(count for count, _ in others):
            return say_counted(
                "{what}: {done} of {count} valid hand.",
                "{what}: {done} of {count} valid hands.",
                self.hands,
                **values,
            )
        return say_counted(
            "{what}: {done} of {count} valid hand; {others}.",
            "{what}: {done} of {count} valid hands; {others}.",
            self.hands,
            **values,
            others=", ".join(words for count, words in others if count),
        )


_TABLES: Final = {
    SOLVED: ("solved_hands", mark("Solved with all cards open"), "solved", "limits"),
    GRADED: ("hidden_hands", mark("Graded by what players knew"), "graded", "partly"),
    (Grain.PAR,): ("par_hands", mark("Held against par"), "valued", ""),
}
"""By grains: the table, what was done, and what its statuses are called."""
_OF_HANDS: Final = frozenset(each.name for each in DIMENSIONS if Grain.SEAT in each.grains)


def looked_at(
    facts: DuckDBPyConnection, metrics: Sequence[Metric], filters: Filters
) -> list[LookedAt]:
    """Return of metrics about hands that were looked at how many of the chosen hands that is.

    Filters that choose decisions rather than hands are ignored.
    """
    for name, _ in filters.chosen:
        if name not in _OF_HANDS:
            filters = filters.also(name)
    wanted = {metric.grain for metric in metrics}
    query, parameters = hands_behind(None, filters)
    found = []
    for grains, (table, what, done, partly) in _TABLES.items():
        if wanted.intersection(grains):
            rows = run(facts, _STATUSES.format(hands=query, table=table), parameters)
            counts: dict[str, int] = dict(rows.iter_rows())
            known = (counts.get(status, 0) for status in (done, partly, "refused"))
            found.append(LookedAt(what, sum(counts.values()), *known))
    return found


_STATUSES: Final = """
SELECT coalesce(status::VARCHAR, '') AS status, count(*) AS hands
FROM (SELECT DISTINCT hand_no FROM ({hands}))
JOIN games.hands USING (hand_no)
LEFT JOIN {table} USING (hand_no)
WHERE verdict = 'valid'
GROUP BY ALL
"""
