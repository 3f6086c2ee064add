"""Names that depend on the warehouse and on files: players, and metrics of one's own.

A folder with a warehouse is read, and so is a lake in a folder; an object store is not, as it may
be far away.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

MOST: Final = 200
_POINTER: Final = "CURRENT"
_LAKE: Final = "lake:"
_QUERY: Final = """
SELECT player FROM players WHERE starts_with(player, $1) ORDER BY hands DESC, player LIMIT $2
"""
_QUERY_OF_LAKE: Final = """
SELECT player.id
FROM (SELECT unnest(players) AS player FROM read_parquet($1))
WHERE starts_with(player.id, $2)
GROUP BY player.id
ORDER BY count(*) DESC, player.id
LIMIT $3
"""


def players(db: str, typed: str) -> list[str]:
    """Return players of a warehouse whose ids begin as typed, those with the most hands first.

    Of a lake those come first who sat at the most tables.
    """
    if db.startswith(_LAKE):
        return _players_of_lake(Path(db.removeprefix(_LAKE)).expanduser(), typed)
    folder = Path(db).expanduser()
    snapshot = folder / (folder / _POINTER).read_text("utf-8").split()[0]
    from tricklog.ingest.store.database import open_shut_off

    with open_shut_off(snapshot, once=True) as connection:
        found = connection.execute(_QUERY, [typed, MOST]).fetchall()
    return [str(row[0]) for row in found if "\n" not in str(row[0])]


def _players_of_lake(folder: Path, typed: str) -> list[str]:
    """Return players as the newest files of seatings have them, whether or not they are current."""
    files = sorted(map(str, (folder / "seatings").glob("*.parquet")), reverse=True)[:MOST]
    if not files:
        return []
    from tricklog.ingest.store.database import connect

    with connect(memory_limit="200MB", threads="1") as connection:
        found = connection.execute(_QUERY_OF_LAKE, [files, typed, MOST]).fetchall()
    return [str(row[0]) for row in found if "\n" not in str(row[0])]


def adapters_of_packages() -> list[str]:
    """Return the names of adapters that installed packages bring, without importing these."""
    from importlib.metadata import entry_points

    from tricklog.ingest.reading.entry_points import ADAPTERS

    return [each.name for each in entry_points(group=ADAPTERS) if each.name.isprintable()]


def own_metric_names(files: Iterable[str]) -> list[str]:
    """Return the names of metrics in TOML files, those of ``TRICKLOG_METRICS`` included."""
    named = [*files, *filter(None, os.environ.get("TRICKLOG_METRICS", "").split(os.pathsep))]
    found: list[str] = []
    for file in named:
        from tricklog.core.rulesets.guarded_toml import read_toml

        with suppress(Exception):
            rows = read_toml(Path(file).expanduser().read_bytes())["metric"]
            found += [str(row["name"]) for row in rows]
    return found
