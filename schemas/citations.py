"""What a citation such as ``1.follow`` or ``S12`` stands for: the page, the heading, the text.

The pages are Markdown. In a checkout they are ``docs/rules``, in an installed Tricklog they lie
beside this file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

_PLACES: Final = (
    Path(__file__).parent / "rules_docs",
    Path(__file__).parents[2] / "docs" / "rules",
)
_ANCHOR: Final = re.compile(r'^<a id="([^"]+)"></a>$', re.MULTILINE)
_HEADING: Final = re.compile(r"^#+ ", re.MULTILINE)


class Citation(NamedTuple):
    """Where a citation leads: ``file`` in the folder of rules pages, its ``anchor``, the title."""

    file: str
    anchor: str
    title: str


def rules_folder() -> Path:
    """Return the folder of the rules pages.

    Raises ``FileNotFoundError`` when the installation lacks them.
    """
    for place in _PLACES:
        if (place / "index.json").is_file():
            return place
    raise FileNotFoundError(f"the rules pages are missing: there is no {_PLACES[0]}")


class _Known(dict[str, Citation]):
    def __missing__(self, name: str) -> Citation:
        raise KeyError(
            f"the index of docs/rules has no {name}: write its paragraph there under"
            f' <a id="{name.lower()}"></a>, then run ./dev regenerate rules-index'
        )


@cache
def citations() -> Mapping[str, Citation]:
    """Return every citation there is, by its name; one there is not says what to do about it."""
    index = json.loads((rules_folder() / "index.json").read_bytes())
    return _Known({name: Citation(**place) for name, place in index.items()})


def titles_of(rule: str) -> list[tuple[str, str]]:
    """Return each citation of ``Finding.rule`` with its title, empty where there is none."""
    known = citations()
    return [(name, known[name].title if name in known else "") for name in rule.split() if name]


def text_of(name: str) -> str:
    """Return the Markdown a citation leads to, from its heading to the next one.

    Raises ``KeyError`` when there is no such citation.
    """
    citation = citations()[name]
    page = (rules_folder() / citation.file).read_text(encoding="utf-8")
    starts = {match[1]: match.end() for match in _ANCHOR.finditer(page)}
    rest = page[starts[citation.anchor] :].lstrip("\n")
    first_line, _, body = rest.partition("\n")
    ends = [match.start() for match in (_ANCHOR.search(body), _HEADING.search(body)) if match]
    return f"{first_line}\n{body[: min(ends)] if ends else body}".rstrip() + "\n"
