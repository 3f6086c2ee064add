"""The tables of columns in ``docs/frames.md``, made from ``tricklog.ingest.frames.columns``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tricklog.ingest.frames.columns import COLUMNS, words

PAGE: Final = Path(__file__).parents[2] / "docs" / "frames.md"
_BEGIN: Final = "<!-- columns -->\n"
_END: Final = "<!-- end of columns -->\n"


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


def page() -> str:
    """Return the page with its tables written again."""
    before, rest = PAGE.read_text("utf-8").split(_BEGIN)
    return before + _BEGIN + "\n" + tables() + "\n" + _END + rest.split(_END)[1]


def write() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")
