"""``tricklog sql``: a question in SQL, over the facts and tables of a warehouse."""

from __future__ import annotations

import sys
from typing import Final, Literal

import msgspec
import polars as pl

from tricklog.ingest.asking import sql as answer
from tricklog.ingest.cli import figures
from tricklog.ingest.cli.arguments import DEFAULT_DB, Dashed, Flag, Output, Warehouse
from tricklog.ingest.cli.output import (
    UserError,
    as_json,
    form_of,
    in_words,
    is_stdout,
    one_form,
    own_command,
    put,
    write_frame,
    writing_lines,
)
from tricklog.ingest.cli.text_table import aligned
from tricklog.ingest.metrics import FigureError
from tricklog.ingest.store.absent import db_option
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted

EXAMPLES = """\
  tricklog sql "SELECT variant, count(*) AS hands FROM games.stored GROUP BY ALL" --db club
  tricklog sql "DESCRIBE seat_facts" --db club      # the columns of a table
  tricklog sql "FROM game_facts" --format csv --output games.csv --db club
  tricklog sql - --db club < question.sql           # from a file"""
ROWS: Final = 100
"""Rows that are shown; files have all."""


def sql(
    query: Dashed,
    /,
    *,
    db: Warehouse = DEFAULT_DB,
    format: Literal["table", "csv", "parquet"] | None = None,  # noqa: A002 - the name of the option
    output: Output = None,
    json: Flag = False,
) -> None:
    """Answer a question in SQL.

    It is asked of the facts of a warehouse, and of its tables, which are in the schema games.
    Nothing can be changed by it, and no other file be read.

    Args:
        query: A SELECT of DuckDB, or - to read it from standard input.
        format: A table of the first rows for people, or all rows as csv or parquet; without it as
            the name of the output ends.
        json: One JSON object for each row.
    """
    form = one_form(format, json=json) or form_of(output) or "table"
    if form == "table" and not is_stdout(output):
        raise UserError("a table is for the screen", "Say --format csv or parquet, or --json.")
    with figures.opened_facts(db) as facts:
        tables = f'{own_command()} sql "SHOW ALL TABLES" {db_option(db)}'
        with in_words(FigureError, f"{tables} names the tables and their columns."):
            found = answer(facts, sys.stdin.read() if query == "-" else query)
    if form == "json":
        with writing_lines(output) as write:
            for row in found.iter_rows(named=True):
                write(as_json(row))
    elif form == "table":
        rows = [[_cell(value) for value in row] for row in found.head(ROWS).rows()]
        put(*aligned(found.columns, [kind.is_numeric() for kind in found.dtypes], rows))
        if found.height > ROWS:
            more = counted(found.height - ROWS, "more row")
            put(f"… and {more}; --format csv writes all of them.")
    else:
        # CSV has no lists, objects and bytes, so that these are written as JSON and base 64.
        flat = (_written(each) for each in found if form == "csv")
        write_frame(found.with_columns(*flat), form, output)


def _cell(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(_cell, value))
    return "" if value is None else one_line(str(value))


def _written(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Binary:
        return column.bin.encode("base64")
    if not column.dtype.is_nested():
        return column
    values = (None if each is None else msgspec.json.encode(each) for each in column.to_list())
    return pl.Series(column.name, [text and text.decode() for text in values], pl.String)
