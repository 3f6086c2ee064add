"""The translations: one file of gettext for each language, read when it is first asked for.

The files are the source and ship as they are; they are put together in memory, so none can be out
of date. What has no translation, or one that is marked fuzzy, is shown in English.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tricklog.schemas.languages.current import ENGLISH, LANGUAGES

if TYPE_CHECKING:
    from gettext import NullTranslations

    from babel.messages.catalog import Catalog

FOLDER: Final = Path(__file__).with_name("po")


def catalog_file(language: str) -> Path:
    """Return the file that has the translations into a language."""
    return FOLDER / f"{language}.po"


@cache
def catalog(language: str) -> NullTranslations:
    """Return the translations into a language; of a file that cannot be read there are none."""
    from gettext import GNUTranslations, NullTranslations

    if language == ENGLISH:
        return NullTranslations()
    # English needs none of this.
    from io import BytesIO

    from babel.messages.mofile import write_mo

    found = _read(language)
    if found is None:
        return NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, found)
    compiled.seek(0)
    return GNUTranslations(compiled)


def english_of(text: str) -> frozenset[str]:
    """Return the English texts without values that a text is the translation of, in any language.

    The text itself is among them.
    """
    others = (each for each in LANGUAGES if each != ENGLISH)
    return frozenset({text}.union(*(_sources(each).get(text, ()) for each in others)))


def texts_for(source: str, language: str) -> frozenset[str]:
    """Return what an English text may be in a language: it may mean several things."""
    return _targets(language).get(source, frozenset({source}))


@cache
def _sources(language: str) -> Mapping[str, frozenset[str]]:
    """Return the English texts of each translation."""
    found: dict[str, set[str]] = {}
    for source, targets in _targets(language).items():
        for each in targets:
            found.setdefault(each, set()).add(source)
    return {text: frozenset(sources) for text, sources in found.items()}


@cache
def _targets(language: str) -> Mapping[str, frozenset[str]]:
    """Return the translations of each English text that has no plural."""
    read = None if language == ENGLISH else _read(language)
    found: dict[str, set[str]] = {}
    for entry in read or ():
        if isinstance(entry.id, str) and isinstance(entry.string, str) and not entry.fuzzy:
            found.setdefault(entry.id, set()).add(entry.string or entry.id)
    return {text: frozenset(said) for text, said in found.items() if text}


@cache
def _read(language: str) -> Catalog | None:
    from babel.messages.pofile import PoFileError, read_po

    try:
        with catalog_file(language).open("rb") as file:
            return read_po(file, locale=language, abort_invalid=True)
    except (OSError, ValueError, PoFileError) as error:
        import logging

        log = logging.getLogger(__name__)
        log.warning("%s cannot be read, so English is shown: %s", catalog_file(language), error)
        return None
