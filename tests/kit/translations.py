"""What can be wrong with translations, and with the calls that say what is to be translated."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from string import Formatter

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry

from tests.regenerate.languages import KEYWORDS, calls_in, entries


def problems(catalog: Catalog) -> Iterator[str]:
    """Yield what is wrong with the translations of a catalog, each with its message."""
    for entry in entries(catalog):
        texts = _texts(entry.string)
        said = _texts(entry.id)[0]
        if entry.fuzzy:
            yield f"to be looked at again: {said}"
        elif not all(texts):
            yield f"not translated: {said}"
        elif entry.pluralizable and len(texts) != catalog.num_plurals:
            yield f"{len(texts)} forms instead of {catalog.num_plurals}: {said}"
        else:
            yield from _wrong_names(entry)


def _wrong_names(entry: Entry) -> Iterator[str]:
    sources = _texts(entry.id)
    for place, text in enumerate(_texts(entry.string)):
        wanted = names_of(sources[min(place, len(sources) - 1)])
        try:
            found = names_of(text)
        except ValueError as error:
            yield f"{error}: {text}"
            continue
        if found != wanted:
            yield f"{sorted(found ^ wanted)} in one of both: {text}"


def names_of(text: str) -> set[str]:
    """Return the names of the values in a text. Raises ``ValueError`` for braces left open."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def _texts(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def glued(source: str) -> Iterator[int]:
    """Yield the lines on which a message is put together instead of standing there whole."""
    for parts, _ in calls_in(source, KEYWORDS):
        for part in parts:
            if not (isinstance(part, ast.Constant) and isinstance(part.value, str)):
                yield part.lineno
