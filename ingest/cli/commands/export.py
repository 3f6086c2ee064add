"""``tricklog export``: a whole warehouse as files for other programs."""

from __future__ import annotations

from typing import Literal

from tricklog.ingest import exporting
from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Several, Warehouse
from tricklog.ingest.cli.failure_state import explained_failures, need_warehouse
from tricklog.ingest.cli.output import in_words, show
from tricklog.ingest.cli.progress import deriving
from tricklog.ingest.cli.text_table import aligned
from tricklog.schemas.words import counted

EXAMPLES = """\
  tricklog export --db club --output club-export  # tables and facts, in Parquet
  tricklog export --db club --output plays --tables plays,tricks,captures
  tricklog export --db club --output everything --tables all --format csv
  tricklog export --db s3://club/tricklog --output club-export"""


def export(
    *,
    output: str,
    db: Warehouse = DEFAULT_DB,
    tables: Several = (),
    format: Literal["parquet", "csv"] = "parquet",  # noqa: A002 - the name of the option
    json: Flag = False,
) -> None:
    """Write a warehouse as files for other programs.

    A file for each table that has rows, and export.json, which says what every column means. The
    folder appears when all of it is complete, as one state of the warehouse; one with an earlier
    export is replaced.

    Args:
        output: The folder to write into.
        tables: Which tables, by name, with commas or given several times; also the groups tables,
            facts and views, or all. Without it all tables and facts, and the hands in words.
        format: parquet, or csv with lists as JSON.
        json: One JSON object: folder, checksum, and rows by table.
    """
    need_warehouse(db)
    names = [name.strip() for each in tables for name in each.split(",") if name.strip()]
    with explained_failures(db), deriving("Exporting") as on_progress:
        unknown = in_words(exporting.UnknownTableError, "docs/export.md says what each is.")
        with in_words(exporting.ExportError), unknown:
            exported = exporting.export(db, output, names, format, on_progress)
    kind = "CSV" if format == "csv" else "Parquet"
    files = counted(sum(map(bool, exported.rows.values())), f"{kind} file")
    says = (
        f"Wrote {files} and export.json to {exported.folder}. The checksum of the warehouse is "
        f"{exported.checksum}."
    )
    rows = [(name, f"{count:,}") for name, count in exported.rows.items()]
    show(exported, [*aligned(("table", "rows"), (False, True), rows), says], json=json)
