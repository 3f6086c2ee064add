"""A whole warehouse as files for other programs: tables, facts and views, in Parquet or CSV.

An export is one state of the warehouse. It is written beside its folder and takes its place when it
is complete, with ``export.json``, which says what every column means.
"""

from tricklog.ingest.exporting.contents import GROUPS, NAMES, chosen_tables
from tricklog.ingest.exporting.writing import (
    Exported,
    ExportError,
    Format,
    checksum_of_export,
    export,
)

__all__ = [
    "GROUPS",
    "NAMES",
    "ExportError",
    "Exported",
    "Format",
    "checksum_of_export",
    "chosen_tables",
    "export",
]
