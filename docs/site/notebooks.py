"""Notebooks as pages: words as Markdown, cells as code."""

from __future__ import annotations

import json

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser


class NotebookParser(MystParser):
    """Reads a notebook as the Markdown page that it amounts to."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse a notebook."""
        super().parse(as_markdown(inputstring), document)


def as_markdown(notebook: str) -> str:
    """The cells of a notebook, one below the other."""
    parts = []
    for cell in json.loads(notebook)["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
    return "\n\n".join(parts) + "\n"
