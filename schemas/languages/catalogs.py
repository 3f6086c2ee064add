"""The translations: one file of gettext for each language, read when it is first asked for.

The files are the source and ship as they are; they are put together in memory, so none can be out
of date. What has no translation, or one that is marked fuzzy, is shown in English.
"""

from __future__ import annotations

import logging
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

from schemas.languages.current import ENGLISH

FOLDER: Final = Path(__file__).with_name("po")
_LOG: Final = logging.getLogger(__name__)


def catalog_file(language: str) -> Path:
    """Return the file that has the translations into a language."""
    return FOLDER / f"{language}.po"


@cache
def catalog(language: str) -> NullTranslations:
    """Return the translations into a language; of a file that cannot be read there are none."""
    if language == ENGLISH:
        return NullTranslations()
    # English needs none of this.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import PoFileError, read_po

    compiled = BytesIO()
    try:
        with catalog_file(language).open("rb") as file:
            write_mo(compiled, read_po(file, locale=language, abort_invalid=True))
    except (OSError, ValueError, PoFileError) as error:
        _LOG.warning("%s cannot be read, so English is shown: %s", catalog_file(language), error)
        return NullTranslations()
    compiled.seek(0)
    return GNUTranslations(compiled)
