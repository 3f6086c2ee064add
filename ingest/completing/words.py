"""From the words typed so far to those that can follow."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

NAMES_FILE: Final = Path(__file__).with_name("names.json")
"""Written by ``./dev regenerate completion``."""
MOST: Final = 200
"""Words that are offered at a time."""
DEFAULT_DB: Final = "tricklog-data"
_COMMA_LISTS: Final = frozenset({"--by", "--tables"})
"""Options that take several values with commas."""
_Words = Callable[[Sequence[str]], list[str]]


@cache
def names() -> dict[str, list[str]]:
    """Return the names that are the same in every warehouse, by kind."""
    found: dict[str, list[str]] = json.loads(NAMES_FILE.read_bytes())
    return found


def _named(kind: str) -> _Words:
    return lambda _: names()[kind]


_OF_OPTION: Final[dict[str, _Words]] = {
    "--by": _named("dimensions"),
    "--compare": _named("variants"),
    "--from": lambda _: sorted({*names()["adapters"], *_adapters_of_packages()}),
    "--player": lambda words: _players(words, ""),
    "--tables": _named("tables"),
    "--variant": _named("variants"),
    "--where": _named("dimensions"),
}
"""By option: the values it takes."""
_OF_COMMAND: Final[dict[str, _Words]] = {
    "forget": lambda words: _players(words, ""),
    "rules": _named("variants"),
    "show player": lambda words: _players(words, ""),
    "stats": lambda words: [*names()["metrics"], *_own_metrics(_values_of("--metrics", words))],
}
"""By command: the words that stand in it without an option."""
OPTIONS: Final = tuple(_OF_OPTION)


def candidates(words: Sequence[str]) -> list[str]:
    """Return what can stand in the place of the last of ``words``, which follow ``tricklog``.

    Empty where commands, options and files are all that can be offered there.
    """
    *before, current = words or ("",)
    option, equals, typed = current.partition("=")
    if equals and option in _OF_OPTION:
        return [f"{option}={each}" for each in _completed(option, typed, before)][:MOST]
    if before and before[-1] in _OF_OPTION:
        return _completed(before[-1], current, before)[:MOST]
    if len(before) > 1 and before[-2] == "--compare":
        return _starting(names()["variants"], current)
    for command in (" ".join(before[:2]), *before[:1]):
        if command in _OF_COMMAND and not current.startswith("-"):
            return _starting(_OF_COMMAND[command](before), current)[:MOST]
    return []


def _starting(listed: Iterable[str], typed: str) -> list[str]:
    return [each for each in listed if each.startswith(typed)]


def _completed(option: str, typed: str, before: Sequence[str]) -> list[str]:
    """Return values of an option that begin as typed."""
    if option == "--where":
        return _conditions(typed, before)
    listed = _OF_OPTION[option](before)
    if option not in _COMMA_LISTS:
        return _starting(listed, typed)
    head, comma, last = typed.rpartition(",")
    chosen = set(head.split(","))
    return [head + comma + each for each in _starting(listed, last) if each not in chosen]


def _conditions(typed: str, before: Sequence[str]) -> list[str]:
    """Return what can follow ``--where``: a dimension and its sign, or a value of it."""
    dimension, equals, value = typed.partition("=")
    if not equals:
        return _starting((f"{each}=" for each in names()["dimensions"]), typed)
    if dimension in names()["player_dimensions"]:
        values = _players(before, value)
    else:
        values = names().get({"variant": "variants", "verdict": "verdicts"}.get(dimension, ""), [])
    return [f"{dimension}={each}" for each in _starting(values, value)]


def _values_of(option: str, words: Sequence[str]) -> list[str]:
    """Return what follows an option each time that it stands there."""
    after = [word for before, word in pairwise(words) if before == option]
    return after + [each.partition("=")[2] for each in words if each.startswith(f"{option}=")]


_QUERY: Final = """
SELECT player FROM players WHERE starts_with(player, $1) ORDER BY hands DESC, player LIMIT $2
"""
_QUERY_OF_LAKE: Final = """
SELECT player.id
FROM (SELECT unnest(players) AS player FROM read_parquet($3))
WHERE starts_with(player.id, $1)
GROUP BY player.id
ORDER BY count(*) DESC, player.id
LIMIT $2
"""


def _players(words: Sequence[str], typed: str) -> list[str]:
    """Return players of the warehouse that words name whose ids begin as typed.

    Those with the most hands come first; of a lake those who sat at the most tables, as its newest
    files of seatings have them, whether or not they are current.
    """
    db = (_values_of("--db", words) or [DEFAULT_DB])[0]
    folder = Path(db.removeprefix("lake:")).expanduser()
    if db.startswith("lake:"):
        files = sorted(map(str, (folder / "seatings").glob("*.parquet")), reverse=True)[:MOST]
        if not files:
            return []
        from tricklog.ingest.store.database import connect

        opened, query, given = connect(memory_limit="200MB", threads="1"), _QUERY_OF_LAKE, [files]
    else:
        snapshot = folder / (folder / "CURRENT").read_text("utf-8").split()[0]
        from tricklog.ingest.store.database import open_shut_off

        opened, query, given = open_shut_off(snapshot, once=True), _QUERY, []
    with opened as connection:
        found = connection.execute(query, [typed, MOST, *given]).fetchall()
    return [str(row[0]) for row in found if "\n" not in str(row[0])]


def _adapters_of_packages() -> list[str]:
    """Return the names of adapters that installed packages bring, without importing these."""
    from importlib.metadata import entry_points

    from tricklog.ingest.reading.entry_points import ADAPTERS

    return [each.name for each in entry_points(group=ADAPTERS) if each.name.isprintable()]


def _own_metrics(files: Iterable[str]) -> list[str]:
    """Return the names of metrics in TOML files, those of ``TRICKLOG_METRICS`` included."""
    named = [*files, *filter(None, os.environ.get("TRICKLOG_METRICS", "").split(os.pathsep))]
    found: list[str] = []
    for file in named:
        from tricklog.core.rulesets.guarded_toml import read_toml

        with suppress(Exception):
            rows = read_toml(Path(file).expanduser().read_bytes())["metric"]
            found += [str(row["name"]) for row in rows]
    return found
