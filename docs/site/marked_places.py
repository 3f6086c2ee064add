"""Places that a page marks by ``<a id="o04"></a>``: links to them are checked like others."""

from __future__ import annotations

import re
from typing import Final

from docutils import nodes
from docutils.transforms import Transform

_MARK: Final = re.compile(r'<a id="([^"]+)">')
_BEFORE_LINKS_ARE_RESOLVED: Final = 870


class MarkedPlaces(Transform):
    """Tells the reader of Markdown which places a page marks in HTML."""

    default_priority = _BEFORE_LINKS_ARE_RESOLVED

    def apply(self, **_: object) -> None:
        """Add the marks of a page to the names of its headings."""
        marks = [
            (node.line or 0, name)
            for node in self.document.findall(nodes.raw)
            for name in _MARK.findall(node.astext())
        ]
        if not marks:
            return
        names = getattr(self.document, "myst_slugs", {})
        names |= {name: (line, name, "") for line, name in marks}
        self.document.myst_slugs = names
        environment = self.document.settings.env
        environment.metadata[environment.docname]["myst_slugs"] = names
