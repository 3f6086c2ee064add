"""The language in which a command speaks: English, unless it is asked for another one.

The locale of the machine does not change it, as what a command prints is read by scripts too.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Literal

from tricklog.ingest.cli.output import UserError
from tricklog.schemas.languages.current import ENGLISH, LANGUAGES, in_language

Language = Literal["en", "sv", "fi", "es", "hi", "bn"]
SETTING: Final = "TRICKLOG_LANGUAGE"
"""The variable that names a language for every command that has others."""


def speaking(asked: Language | None, english: str = "") -> AbstractContextManager[None]:
    """Show what is said inside in the language asked for, or the one that is set.

    ``english`` says why there is English alone, where that is so. Raises ``UserError`` for another
    language then, and where the setting names none.
    """
    if not english:
        return in_language(language_of(asked))
    if asked not in (None, ENGLISH):
        raise UserError(english, "Leave out --language.")
    return nullcontext()


def language_of(asked: Language | None) -> str:
    """Return the code of the language asked for, or of the one that is set.

    Raises ``UserError`` where the setting names no language.
    """
    set_to = os.environ.get(SETTING, "").strip().lower()
    code = asked or set_to or ENGLISH
    if code not in LANGUAGES:
        raise UserError(
            f"{SETTING} is {code!r}, which is no language that Tricklog speaks",
            f"Set it to one of {', '.join(LANGUAGES)}, or to nothing.",
        )
    return code
