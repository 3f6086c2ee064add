"""What a citation such as ``1.follow`` or ``S12`` stands for: the page, the heading, the text.

The pages are Markdown. In a checkout they are ``docs/rules``, in an installed Tricklog they lie
beside this file.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

_PLACES: Final = (Path(__file__).parent / "rules_docs", Path(__file__).parents[2] / "docs/rules")
_TITLE: Final = re.compile(r"#+ .*|\*\*.*?\*\*")
"""The heading of a rule, or the words in bold type at its start."""
_END: Final = re.compile(r"^(?:#+ |<a id=|</?details>)", re.MULTILINE)


class Citation(NamedTuple):
    """Where a citation leads: ``file`` in the folder of rules pages, its ``anchor``, the title."""

    file: str
    anchor: str
    title: str


def rules_folder() -> Path:
    """Return the folder of the rules pages; raise ``FileNotFoundError`` where they are missing."""
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
    """Return a citation as a heading, and the text under it. Raises ``KeyError`` for none."""
    citation = citations()[name]
    page = (rules_folder() / citation.file).read_text(encoding="utf-8")
    rest = page.partition(f'<a id="{citation.anchor}"></a>\n')[2]
    title = _TITLE.match(rest)
    assert title is not None, f"{citation.file} has no title under {citation.anchor}"
    body = rest[title.end() :]
    end = _END.search(body)
    text = body[: end.start() if end else None].strip()
    return f"### {name} · {citation.title}\n\n{text}\n"
