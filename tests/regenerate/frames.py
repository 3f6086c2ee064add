"""The tables of columns that the site has on the page about Python."""

from __future__ import annotations

from tricklog.ingest.frames.columns import COLUMNS, words


def tables() -> str:
    """Return a heading and a table for each frame."""
    lines = []
    for name, columns in COLUMNS.items():
        lines += [f"### {name}", "", "| column | type | |", "|---|---|---|"]
        lines += [
            f"| `{column}` | `{kind}` | {words(name, column)} |" for column, kind in columns.items()
        ]
        lines.append("")
    return "\n".join(lines)
