"""How queries are run; SQL files, with the numbers and names of cards, trumps and bids filled in.

A file writes ``$VERB_PLAY`` for the number of a verb, ``$CODE_ASK`` for its character in the deeds,
``$CARD_NAMES`` for a list of literals, and so on, so that each stands in one table of ``schemas``.
Parameters of queries, which are in lower case, stay.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from tricklog.schemas import actions, cards, codes
from tricklog.schemas.limits import MAX_SEATS

if TYPE_CHECKING:
    import polars as pl
    from duckdb import DuckDBPyConnection


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


_NUMBERS: Final = {
    actions: "NO_TRUMP NO_TRUMP_REVERSED SUIT_REVERSED SEVENTH_CARD MAX_BID BID_28_56 BID_DOUBLE",
    cards: "RANK_COUNT FIVE JACK JOKER NOT_RECORDED HIDDEN",
    codes: "ZERO PAIR_BASE BID_BASE FIRST_SEAT FIRST_PLAYER UNKNOWN_WINNER NO_LEADER NOBODY_BID",
}
"""Names that are those of a module of ``schemas``."""
_DEED_LETTERS: Final = f"{chr(codes.FIRST_SEAT)}-{chr(codes.FIRST_PLAYER + MAX_SEATS - 1)}"
_TRUMPS: Final = sorted(actions.TRUMP_CODES.items(), key=lambda item: item[1])
NAMES: Final = {
    **{
        name: str(getattr(module, name))
        for module, names in _NUMBERS.items()
        for name in names.split()
    },
    **{f"VERB_{verb.name}": str(int(verb)) for verb in actions.Verb},
    **{f"CODE_{verb.name}": chr(codes.ZERO + verb) for verb in actions.Verb},
    "VERB_NAMES": _list(actions.VERB_NAMES[verb] for verb in actions.Verb),
    "CARD_NAMES": _list(cards.CARD_NAMES),
    "TRUMPS_DOWN": _list(cards.TRUMPS_DOWN),
    "TRUMP_BITS": ", ".join(str(cards.TRUMP_RANKS.index(name)) for name in cards.TRUMPS_DOWN),
    "NOT_RECORDED_NAME": f"'{cards.card_name(cards.NOT_RECORDED)}'",
    "HIDDEN_NAME": f"'{cards.card_name(cards.HIDDEN)}'",
    "TRUMP_NAMES": _list(name for name, code in _TRUMPS if code >= 0),
    "BID_28_56_NAME": f"'{actions.NAME_28_56}'",
    "SUFFIX_DOUBLE": f"'{actions.SUFFIX_DOUBLE}'",
    "ZERO_LETTER": f"'{chr(codes.ZERO)}'",
    "SEAT_LETTERS": f"{chr(codes.FIRST_SEAT)}-{chr(codes.FIRST_SEAT + MAX_SEATS - 1)}",
    "FIRST_PLAYER_LETTER": f"'{chr(codes.FIRST_PLAYER)}'",
    "DEED": f"'[{_DEED_LETTERS}][^{_DEED_LETTERS}]*'",
}
"""What stands for each name, as SQL."""
_NAME: Final = re.compile(r"\$([A-Z][A-Z0-9_]*)")
_TABLE: Final = re.compile(r"^CREATE TABLE (\w+)", re.MULTILINE)
_COLUMN: Final = re.compile(r'^    "?(\w+)"? ((?:STRUCT\([^)]*\)|[A-Z]+)(?:\[\])?)', re.MULTILINE)
_SPACE_IN_BRACKETS: Final = re.compile(r"(?<=\() | (?=\))")
_CONSTRAINTS: Final = frozenset({"CHECK", "PRIMARY"})


def sql_text(package: str, name: str) -> str:
    """Return the SQL of a file of ``package``. Raises ``KeyError`` for a name that is none."""
    return filled_in(resources.files(package).joinpath(name).read_text("utf-8"))


def toml_data(package: str, name: str) -> dict[str, Any]:
    """Return what a TOML file of ``package`` holds. Raises ``KeyError`` as ``sql_text`` does."""
    return tomllib.loads(sql_text(package, name))


@cache
def table_names() -> tuple[str, ...]:
    """Return the tables of ``warehouse.sql`` in order."""
    return tuple(_TABLE.findall(sql_text("tricklog.ingest.store", "warehouse.sql")))


@cache
def columns_of(table: str) -> dict[str, str]:
    """Return the columns of a table of ``warehouse.sql`` in order, and the SQL type of each.

    Raises ``KeyError`` when there is no such table.
    """
    text = sql_text("tricklog.ingest.store", "warehouse.sql")
    _, found, rest = text.partition(f"CREATE TABLE {table} (\n")
    if not found:
        raise KeyError(table)
    columns = _COLUMN.findall(rest.partition("\n);")[0])
    return {
        name: _SPACE_IN_BRACKETS.sub("", " ".join(kind.split()))
        for name, kind in columns
        if name not in _CONSTRAINTS
    }


def filled_in(text: str) -> str:
    """Return SQL with its names filled in. Raises ``KeyError`` for a name that is none."""
    return _NAME.sub(lambda found: NAMES[found[1]], text)


def run(connection: DuckDBPyConnection, sql: str, parameters: dict[str, Any]) -> pl.DataFrame:
    """Return the rows of a query, on a cursor of its own."""
    frame: pl.DataFrame = connection.cursor().sql(sql, params=parameters).pl()
    return frame
