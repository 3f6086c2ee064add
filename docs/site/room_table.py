"""The picture of the rooms as a table: what a reader without the drawing program can read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

_ARROW: Final = re.compile(r"^\s*(\S+) (?:-->|==>) (\S+)$")
_MODULES: Final = "modules of its own"


class RoomTable(SphinxDirective):
    """Lists the arrows of a flow chart: what is used by each that uses anything."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        rows = [("what", "uses"), *rows_of(self.content)]
        table, group = nodes.table(), nodes.tgroup(cols=2)
        table += group
        group += [nodes.colspec(colwidth=1), nodes.colspec(colwidth=3)]
        head, body = nodes.thead(), nodes.tbody()
        group += [head, body]
        for place, row in enumerate(rows):
            line = nodes.row()
            (body if place else head).append(line)
            line += [nodes.entry("", nodes.paragraph(text=text)) for text in row]
        return [table]


def rows_of(chart: Iterator[str] | list[str]) -> Iterator[tuple[str, str]]:
    """Each user of a chart, with all it uses."""
    used: dict[str, list[str]] = {}
    for line in chart:
        if arrow := _ARROW.match(line):
            used.setdefault(arrow[1], []).append(arrow[2])
    for user, uses in used.items():
        yield _name(user), ", ".join(map(_name, uses))


def _name(room: str) -> str:
    package, _, inner = room.partition(".")
    return f"{package}: {_MODULES}" if package == inner else room
