"""The language in which people are shown what is said now.

It belongs to the context, not to the process: two people may look at one dashboard, each in their
language.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

ENGLISH: Final = "en"
LANGUAGES: Final = {"en": "English", "sv": "svenska", "fi": "suomi", "es": "español"}
"""The languages there are, by their code of ISO 639, each with its own name."""

_CURRENT: ContextVar[str] = ContextVar("language", default=ENGLISH)


def current() -> str:
    """Return the code of the language of this context: English unless another was chosen."""
    return _CURRENT.get()


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """Show everything inside in a language of ``LANGUAGES``.

    Raises ``LookupError`` for a language there is not.
    """
    if code not in LANGUAGES:
        raise LookupError(f"there is no language {code!r}: there are {', '.join(LANGUAGES)}")
    token = _CURRENT.set(code)
    try:
        yield
    finally:
        _CURRENT.reset(token)
