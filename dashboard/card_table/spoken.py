"""The texts of scripts in the language of the viewer.

The scripts have their texts in English, as literals of a few functions of ``words.js``. They are
found there, so that a text stands in one place, and handed to the browser with their translations.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from tricklog.schemas.languages.catalogs import catalog
from tricklog.schemas.languages.current import ENGLISH, current

Scripts: TypeAlias = tuple[Path, ...]
"""Parts of one module, in the order in which they are read."""


def _beside(*names: str) -> Scripts:
    return tuple(Path(__file__).with_name(f"{name}.js") for name in names)


SHARED: Final = _beside("elements", "words", "cards")
"""What every component begins with."""
TABLE: Final = (
    *SHARED,
    *_beside("hand", "address", "study", "course", "seats", "lists", "panels", "branch"),
    *_beside("controls", "scores", "picture", "question", "table"),
)
_LITERAL: Final = r'"((?:[^"\\]|\\.)*)"'
_SAID: Final = re.compile(rf"(?<!\w)(?<!\w\.)(?:say|sayParts|mark)\(\s*{_LITERAL}")
_IN_CONTEXT: Final = re.compile(rf"(?<!\w)(?<!\w\.)(?:sayIn|markIn)\(\s*{_LITERAL},\s*{_LITERAL}")
_COUNTED: Final = re.compile(rf"(?<!\w)(?<!\w\.)sayCounted\(\s*{_LITERAL},\s*{_LITERAL}")


def script(parts: Scripts) -> str:
    """Return a whole module."""
    return "\n".join(part.read_text("utf-8") for part in parts)


@cache
def texts(parts: Scripts) -> tuple[tuple[str, str, str], ...]:
    """Return every text of scripts once: for one, for many, and its context.

    The last two are empty for a text without a number and for one that means the same everywhere.
    """
    source = script(parts)
    found = [(match[1], "", "") for match in _SAID.finditer(source)]
    found += [(match[2], "", match[1]) for match in _IN_CONTEXT.finditer(source)]
    found += [(match[1], match[2], "") for match in _COUNTED.finditer(source)]
    return tuple(dict.fromkeys(found))


def spoken(parts: Scripts) -> dict[str, Any]:
    """Return the language of this context, and texts in it as ``words.js`` looks them up.

    English has no texts: they stand in the scripts.
    """
    language = current()
    if language == ENGLISH:
        return {"language": language}
    found = catalog(language)
    told: dict[str, str | list[str]] = {}
    for text, many, context in texts(parts):
        if many:
            told[text] = [found.ngettext(text, many, count) for count in (1, 2)]
        elif context:
            told[f"{context}\n{text}"] = found.pgettext(context, text)
        else:
            told[text] = found.gettext(text)
    return {"language": language, "texts": told}
