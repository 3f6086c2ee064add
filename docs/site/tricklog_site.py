"""What the site of the documentation knows of this project, for Sphinx."""

from __future__ import annotations

from typing import Any

import marked_places
import navigation
import notebooks
from sphinx.application import Sphinx
from trick_lexer import TextFormLexer

from tests.regenerate.site_parts import filled


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the parts."""
    app.connect("source-read", _fill)
    app.connect("source-read", navigation.add_menu)
    app.add_source_parser(notebooks.NotebookParser)
    app.add_transform(marked_places.MarkedPlaces)
    app.add_lexer("trick", TextFormLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _fill(_app: Sphinx, _name: str, content: list[str]) -> None:
    """Put into a page what is made of the code."""
    content[0] = filled(content[0])
