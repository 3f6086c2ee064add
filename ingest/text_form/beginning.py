"""What a text of hands begins with, by which it is known where its name does not tell."""

from __future__ import annotations

import re
from typing import Final

from tricklog.ingest.text_form.page import Page
from tricklog.ingest.text_form.reader import FIRST_LINE
from tricklog.ingest.text_form.scanner import keyword_of
from tricklog.ingest.text_form.settings import is_heading

_LONGEST: Final = 400
"""Characters of a first line that is looked at."""
_BEHIND: Final = re.compile(r"\s*+[^\s:,;()\"=]+\s*:?\s+\S")


def begins_text(line: str) -> bool:
    """Whether the first line that is no comment shows that hands follow as text.

    It is the line that texts of Tricklog begin with, a keyword with something behind it, the name
    of a game, a date, or the names of the players.
    """
    line = line.strip()
    if len(line) > _LONGEST:
        return False
    if line.casefold().startswith(FIRST_LINE.rpartition(" ")[0]):
        return True
    if keyword_of(line) is not None:
        return bool(_BEHIND.match(line))
    page = Page("")
    return is_heading(page, line, 1) and not page.table.broken
