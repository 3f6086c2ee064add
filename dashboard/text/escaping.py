"""Text from logs made safe to show: a name may hold HTML, markdown or control characters."""

from __future__ import annotations

import html
import re
from typing import Final

from tricklog.schemas.cards import SUIT_GLYPHS, SUITS
from tricklog.schemas.printable import one_line

AS_TEXT: Final = "\N{VARIATION SELECTOR-15}"
"""After a suit it keeps systems from drawing a coloured picture instead."""

_MARKDOWN: Final = re.compile(r"([!-/:-@\[-`{-~])")
# Markdown looks for an emoji or icon by name after a colon, escaped or not; a word joiner, which
# has no width, stops it.
_COLON: Final = "\\:\N{WORD JOINER}"
_CARD: Final = re.compile(rf"\b(10|[2-9AKQJ])([{SUIT_GLYPHS}])")


def as_html(text: str) -> str:
    """Return ``text`` for use inside HTML, in an element or a quoted attribute."""
    return html.escape(one_line(text), quote=True)


def as_markdown(text: str) -> str:
    """Return ``text`` for use in a markdown label, where it reads as it is written."""
    return _MARKDOWN.sub(r"\\\1", one_line(text)).replace("\\:", _COLON)


def name_html(name: str) -> str:
    """Return a name for HTML, set apart so that its direction does not touch its neighbours."""
    return f"<bdi>{as_html(name)}</bdi>"


def sentence_html(text: str) -> str:
    """Return a sentence for HTML with its cards (``10♥``) in the colours of their suits."""
    return _CARD.sub(_pip, as_html(text))


def _pip(card: re.Match[str]) -> str:
    suit = SUITS[SUIT_GLYPHS.index(card[2])]
    return f'<span class="tl-pip tl-{suit}">{card[1]}{card[2]}{AS_TEXT}</span>'
