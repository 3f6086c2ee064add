"""What somebody meant who wrote a name that does not exist."""

import difflib
from collections.abc import Iterable


def nearest(word: object, known: Iterable[str]) -> str:
    """Return the known name that ``word`` looks like, empty when there is none."""
    # That both are options makes them no more alike.
    by_key = {name.lower().lstrip("-").replace("-", "_"): name for name in known}
    key = str(word).lower().lstrip("-").replace("-", "_").replace(" ", "_")
    close = difflib.get_close_matches(key, by_key, 1)
    return by_key[close[0]] if close else ""


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Return `` (did you mean 'x'?)`` for a name that looks like a known one, else nothing."""
    name = nearest(word, known)
    return f" (did you mean {name!r}?)" if name else ""


def hint_at(word: object, known: Iterable[str]) -> str:
    """Return ``Did you mean x? ``, to begin a hint with, where a known name looks like a word."""
    name = nearest(word, known)
    return f"Did you mean {name}? " if name else ""
