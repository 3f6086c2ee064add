"""Parts of pages that are made of the code when the site is built, and kept in no page.

A page marks the place by ``<!-- made: NAME -->``. What stands between that line and
``<!-- end of NAME -->``, where there is one, is what readers of the checkout see instead.
"""

import inspect
import re
from collections.abc import Callable
from typing import Final

from tests.regenerate import metrics, texts, variant_pages, written_pages
from tricklog.ingest.adapters import catch_five_arena, knybbe_pidro, rlcard_29, sixty_three
from tricklog.ingest.frames import COLUMNS, words


def adapters_part() -> str:
    """Return what each adapter says about itself, in Markdown."""
    modules = (catch_five_arena, knybbe_pidro, rlcard_29, sixty_three)
    return "\n\n".join((inspect.getdoc(each) or "").replace("``", "`") for each in modules) + "\n"


def frame_tables() -> str:
    """Return a heading and a table of its columns for each frame."""
    lines = []
    for name, columns in COLUMNS.items():
        lines += [f"### {name}", "", "| column | type | |", "|---|---|---|"]
        lines += [
            f"| `{column}` | `{kind}` | {words(name, column)} |" for column, kind in columns.items()
        ]
        lines.append("")
    return "\n".join(lines)


PARTS: Final[dict[str, Callable[[], str]]] = {
    "adapters": adapters_part,
    "commands": written_pages.part,
    "frames": frame_tables,
    "hands": texts.hands_part,
    "metrics": metrics.part,
    "policies": variant_pages.policies_part,
    "texts": texts.part,
    "translated-words": texts.translated_words,
    "words": texts.words,
}
_MARK: Final = re.compile(
    r"^<!-- made: ([\w-]+) -->$(?:(?:(?!^<!-- made: ).)*?^<!-- end of \1 -->$)?",
    re.MULTILINE | re.DOTALL,
)


def filled(page: str) -> str:
    """Return the text of a page with its parts.

    Raises:
        KeyError: the page marks a part that is not in ``PARTS``.
    """
    return _MARK.sub(lambda mark: PARTS[mark[1]](), page)
