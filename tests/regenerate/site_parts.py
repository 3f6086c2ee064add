"""Parts of pages that are made of the code when the site is built, and kept in no page.

A page marks the place by ``<!-- made: NAME -->``. What stands between that line and
``<!-- end of NAME -->``, where there is one, is what readers of the checkout see instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from tests.regenerate import (
    adapters,
    frames,
    hand_examples,
    metrics,
    texts,
    variant_pages,
    written_pages,
)

PARTS: Final[dict[str, Callable[[], str]]] = {
    "adapters": adapters.part,
    "commands": written_pages.part,
    "frames": frames.tables,
    "hands": hand_examples.part,
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
