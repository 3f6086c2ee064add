"""The translations: one file of gettext for each language, read when it is first asked for.

The files are the source and ship as they are; they are put together in memory, so none can be out
of date. What has no translation, or one that is marked fuzzy, is shown in English.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tricklog.schemas.languages.current import ENGLISH

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
