"""Records of stored hands, and their rules, for whoever solves or grades them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from tricklog.core import RulesetError
from tricklog.core.engine.records import Rules
from tricklog.core.rulesets.ruleset import resolved
from tricklog.ingest.store import long_texts, record_codec
from tricklog.schemas.hand import RulesRef

_KEYS: Final = 2
"""Columns before those of the record."""
_RULES: Final = 3
_PLAYERS: Final = 4
"""Columns of the record that say who plays under which rules."""


class Record(NamedTuple):
    """What is stored of a hand."""

    key: bytes
    """Its content, as ``content_hash`` has it."""
    ruleset: str
    """The hash of its rules when it was loaded."""
    columns: tuple[Any, ...]
    """Those of ``record_codec.COLUMNS``."""

    @property
    def rules(self) -> str | None:
        """Its rules as recorded."""
        text: str | None = self.columns[_RULES]
        return text

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return len(self.columns[_PLAYERS])


def read_records(tables: DuckDBPyConnection, numbers: NDArray[np.int64]) -> list[Record]:
    """Return the records of hands by their numbers, the newest first."""
    found = tables.execute(
        "SELECT replace(content_hash::VARCHAR, '-', ''), ruleset, "  # noqa: S608 - no input
        f"{record_codec.COLUMNS} FROM hands JOIN seatings USING (seating_id) "
        "WHERE hand_no BETWEEN $first AND $last "
        "AND hand_no IN (SELECT unnest($numbers::BIGINT[])) ORDER BY hand_no DESC",
        {
            "first": int(numbers.min()),
            "last": int(numbers.max()),
            "numbers": numbers.tolist(),
        },
    ).fetchall()
    places = [_KEYS + place for place in record_codec.LONG_PLACES]
    rows = long_texts.with_texts(tables, found, places)
    return [Record(bytes.fromhex(row[0]), row[1], tuple(row[_KEYS:])) for row in rows]


@lru_cache(maxsize=4_000)
def known_rules(text: str | None, seats: int) -> tuple[str, Rules] | None:
    """Return hash and record of rules as recorded; ``None`` where nobody knows them now."""
    if text is None:
        return None
    try:
        ruleset = resolved(msgspec.json.decode(text, type=RulesRef))
        return ruleset.hash, ruleset.rules(seats)
    except (msgspec.DecodeError, RulesetError):
        return None
