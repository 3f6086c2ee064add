"""How many auctions were held against par, beside how many hands there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.schemas.words import counted


@dataclass(frozen=True, slots=True)
class ParCounts:
    """How many valid hands a snapshot has, and of how many the auction was valued."""

    hands: int
    valued: int
    refused: int
    ledgers: int
    """Those of them with a ledger in score."""

    @property
    def is_any(self) -> bool:
        """Whether any auction was looked at."""
        return self.valued + self.refused > 0

    def __str__(self) -> str:
        also = f", {self.refused:,} refused" if self.refused else ""
        return f"{self.valued:,} of {counted(self.hands, 'auction')} held against par{also}"


def counts(facts: DuckDBPyConnection) -> ParCounts:
    """Return how many valid hands there are and what is known of their auctions."""
    ((hands,),) = (
        facts.cursor()
        .execute("SELECT count(*) FROM games.hands WHERE verdict = 'valid'")
        .fetchall()
    )
    ((valued, refused, ledgers),) = facts.cursor().execute(_COUNTS).fetchall()
    return ParCounts(hands, valued, refused, ledgers)


_COUNTS: Final = """
SELECT
    count(*) FILTER (status = 'valued'),
    count(*) FILTER (status = 'refused'),
    count(*) FILTER (status = 'valued' AND no_ledger IS NULL AND no_score IS NULL)
FROM par_hands
SEMI JOIN games.hands USING (hand_no)
"""
