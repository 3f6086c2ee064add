"""From the words typed so far to those that can follow."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

NAMES_FILE: Final = Path(__file__).with_name("names.json")
"""Written by ``./dev regenerate completion``."""
MOST: Final = 200
"""Words that are offered at a time."""
DEFAULT_DB: Final = "tricklog-data"

COMMA_LISTS: Final = frozenset({"--by", "--tables"})
"""Options that take several values with commas."""


@cache
def names() -> dict[str, list[str]]:
    """Return the names that are the same in every warehouse, by kind."""
    found: dict[str, list[str]] = json.loads(NAMES_FILE.read_bytes())
    return found


def candidates(words: Sequence[str]) -> list[str]:
    """Return what can stand in the place of the last of ``words``, which follow ``tricklog``.

    Empty where commands, options and files are all that can be offered there.
    """
    *before, current = words or ("",)
    option, equals, typed = current.partition("=")
    if equals and option in _OF_OPTION:
        found = _completed(option, typed, before)
        return [f"{option}={each}" for each in found][:MOST]
    if before and before[-1] in _OF_OPTION:
        return _completed(before[-1], current, before)[:MOST]
    if len(before) > 1 and before[-2] == "--compare":
        return _starting(names()["variants"], current)
    for command in (" ".join(before[:2]), *before[:1]):
        if command in _OF_COMMAND and not current.startswith("-"):
            return _starting(_OF_COMMAND[command](before), current)[:MOST]
    return []


def _completed(option: str, typed: str, before: Sequence[str]) -> list[str]:
    """Return values of an option that begin as typed."""
    if option == "--where":
        return list(_conditions(typed, before))
    listed = _OF_OPTION[option](before)
    if option not in COMMA_LISTS:
        return _starting(listed, typed)
    head, comma, last = typed.rpartition(",")
    chosen = set(head.split(","))
    return [head + comma + each for each in _starting(listed, last) if each not in chosen]


def _conditions(typed: str, before: Sequence[str]) -> Iterator[str]:
    """Return what can follow ``--where``: a dimension and its sign, or a value of it."""
    dimension, equals, value = typed.partition("=")
    if not equals:
        for each in _starting(names()["dimensions"], dimension):
            yield f"{each}="
        return
    values: list[str] = []
    if dimension == "variant":
        values = names()["variants"]
    elif dimension in names()["player_dimensions"]:
        values = players(_db(before), value)
    elif dimension == "verdict":
        values = names()["verdicts"]
    for each in _starting(values, value):
        yield f"{dimension}={each}"


def _starting(listed: Sequence[str], typed: str) -> list[str]:
    return [each for each in listed if each.startswith(typed)]


def _db(words: Sequence[str]) -> str:
    """Return the warehouse that the words name."""
    for place, word in enumerate(words):
        if word.startswith("--db="):
            return word.partition("=")[2]
        if word == "--db" and place + 1 < len(words):
            return words[place + 1]
    return DEFAULT_DB


def _named(kind: str) -> Callable[[Sequence[str]], list[str]]:
    return lambda _: names()[kind]


def _metrics(words: Sequence[str]) -> list[str]:
    files = [
        words[place + 1]
        for place, word in enumerate(words[:-1])
        if word == "--metrics" and place + 1 < len(words)
    ]
    return [*names()["metrics"], *own_metric_names(files)]


_OF_OPTION: Final[dict[str, Callable[[Sequence[str]], list[str]]]] = {
    "--by": _named("dimensions"),
    "--compare": _named("variants"),
    "--from": lambda _: sorted({*names()["adapters"], *adapters_of_packages()}),
    "--player": lambda words: players(_db(words), ""),
    "--tables": _named("tables"),
    "--variant": _named("variants"),
    "--where": _named("dimensions"),
}
"""By option: the values it takes."""
_OF_COMMAND: Final[dict[str, Callable[[Sequence[str]], list[str]]]] = {
    "forget": lambda words: players(_db(words), ""),
    "rules": _named("variants"),
    "show player": lambda words: players(_db(words), ""),
    "stats": _metrics,
}
"""By command: the words that stand in it without an option."""
OPTIONS: Final = tuple(_OF_OPTION)


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
