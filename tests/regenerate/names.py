"""The table of public names in ``docs/python-api.md``, made from their docstrings."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Final

import tricklog
from tricklog import _PLACES

PAGE: Final = Path(__file__).parents[2] / "docs" / "python-api.md"
_BEGIN: Final = "<!-- names -->\n"
_END: Final = "<!-- end of names -->\n"
_DATA: Final = {
    "ADAPTERS": "The adapters by name.",
    "DIMENSIONS": "What figures can be grouped and filtered by.",
    "METRICS": "Every figure there is.",
    "Mode": "`audit`, `strict` or `salvage`: how far a replay goes on after a finding.",
}
"""Names of what has no docstring of its own."""


def table() -> str:
    """Return the public names, each with its module and what it is."""
    lines = ["| name | module | |", "|---|---|---|"]
    for name in sorted(tricklog.__all__, key=str.lower):
        words = _DATA.get(name) or inspect.getdoc(getattr(tricklog, name)) or ""
        sentence = " ".join(words.split("\n\n")[0].split()).replace("``", "`").replace("|", "\\|")
        lines.append(f"| `{name}` | `{_PLACES[name][0]}` | {sentence} |")
    return "\n".join([*lines, ""])


def page() -> str:
    """Return the page with its table written again."""
    before, rest = PAGE.read_text("utf-8").split(_BEGIN)
    return before + _BEGIN + "\n" + table() + "\n" + _END + rest.split(_END)[1]


def write() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")
