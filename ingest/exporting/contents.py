"""What can be exported: the tables of a warehouse, the views over them, and facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.sql import sql_text, table_names

MANIFEST: Final = "export.json"
"""The file that says what is in an export."""
TABLES: Final = tuple(name for name in table_names() if name != "warehouse")
"""Everything that is stored, in the codes in which it is stored."""
READABLE: Final = "readable_hands"
"""Every hand in one row of words, which no file of a warehouse has."""
VIEWS: Final = (
    *(READABLE, "stored", "seats", "holdings", "calls", "call_facts", "plays", "tricks"),
    "captures",
)
"""The same hand by hand, with the names of cards."""
FACTS: Final = (
    *("seat_facts", "card_facts", "game_facts", "finding_facts", "study_facts", "decision_facts"),
    *("solved_hands", "judged_facts", "luck_facts", "hidden_hands"),
    *("par_facts", "par_hands", "par_sides", "ledger_rows", "session_names"),
)
"""What figures are counted from."""
MARKS: Final = ("hand_tags",)
"""What users have written about hands; exported only where it is asked for."""
GROUPS: Final = {"tables": TABLES, "views": VIEWS, "facts": FACTS, "marks": MARKS}
NAMES: Final = tuple(name for group in GROUPS.values() for name in group)
USUAL: Final = (*TABLES, READABLE, *FACTS)
"""What is exported where nothing is asked for."""
ALL: Final = "all"


class UnknownTableError(ValueError):
    """A table that cannot be exported; the sentence names the nearest."""


class Source(NamedTuple):
    """A table, and where it is in a connection to facts."""

    name: str
    place: str
    """What stands after FROM."""
    database: str
    """The database that it lies in, empty for that of the facts."""


def chosen_tables(names: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the tables that names choose, in one order; without a name the usual ones.

    A name is that of a table, of a group, or ``all``. Raises ``UnknownTableError``.
    """
    wanted: set[str] = set()
    for name in names:
        if name != ALL and name not in GROUPS and name not in NAMES:
            known = (*GROUPS, ALL, *NAMES)
            raise UnknownTableError(
                f"There is no table {name!r}{did_you_mean(name, known)}. Known are "
                f"{', '.join(NAMES)}, and the groups {', '.join(GROUPS)} and {ALL}."
            )
        wanted |= set(NAMES if name == ALL else GROUPS.get(name, (name,)))
    return tuple(name for name in NAMES if name in wanted) if wanted else USUAL


def source_of(name: str) -> Source:
    """Return where a table is in a connection to facts."""
    if name in FACTS or name in MARKS:
        return Source(name, name, "")
    if name == READABLE:
        return Source(name, f"({sql_text('tricklog.ingest.store', 'readable_hands.sql')})", "games")
    return Source(name, f"games.{name}", "games")
