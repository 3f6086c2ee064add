"""The language in which people are shown what is said now.

It belongs to the context, not to the process: two people may look at one dashboard, each in their
language. Where nothing was chosen for a context, a source says which it is: a dashboard knows that
of the session, also for what runs outside its own code.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

ENGLISH: Final = "en"
LANGUAGES: Final = {
    "en": "English",
    "sv": "svenska",
    "fi": "suomi",
    "es": "español",
    "hi": "हिन्दी",
    "bn": "বাংলা",
}
"""The languages there are, by their code of ISO 639, each with its own name."""
UNREVIEWED: Final = frozenset({"sv", "fi", "es", "hi", "bn"})
"""Languages whose translations nobody has reviewed who plays in them; pages say so."""
ONLY_CHOSEN: Final = frozenset({"hi", "bn"})
"""Languages that are shown to those alone who choose them, whatever their browsers ask for."""

_CURRENT: ContextVar[str | None] = ContextVar("language", default=None)


def _english() -> str:
    return ENGLISH


_source: Callable[[], str] = _english


def current() -> str:
    """Return the code of the language of this context: that of the source unless one was chosen."""
    return _CURRENT.get() or _source()


def set_source(source: Callable[[], str]) -> None:
    """Take what gives the language of a context for which none was chosen, a code of ``LANGUAGES``.

    Without a source that is English. It holds for the whole process, so ``source`` has to find out
    itself whom it is asked for.
    """
    global _source  # noqa: PLW0603 - one for the process, as it says
    _source = source


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """Show all inside in a language of ``LANGUAGES``; raise ``LookupError`` for any other."""
    if code not in LANGUAGES:
        raise LookupError(f"there is no language {code!r}: there are {', '.join(LANGUAGES)}")
    token = _CURRENT.set(code)
    try:
        yield
    finally:
        _CURRENT.reset(token)
