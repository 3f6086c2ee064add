"""How words and names are compared: without case, and words without accents."""

from __future__ import annotations

import unicodedata
from functools import lru_cache


@lru_cache(maxsize=1 << 14)
def fold(text: str) -> str:
    """Return a word as words of the form are compared: no case, no accents, no signs of style."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in apart if not unicodedata.combining(c) and c not in "\ufe0e\ufe0f")


@lru_cache(maxsize=1 << 14)
def name_key(text: str) -> str:
    """Return a name as names are compared: no case, single spaces, accents kept."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())
