"""The games: their list, from the beginning of their files, and the rules of each in words.

Neither reads a rule: what the rules are in words, and in other languages, was written beforehand.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

from tricklog.core.rulesets.variant_names import variant_text, variants
from tricklog.ingest.cli.languages import Language, language_of
from tricklog.ingest.cli.output import SUCCESS, tell
from tricklog.ingest.cli.written_pages import LISTS, laid_out, put_into, translations
from tricklog.schemas.languages.messages import mark

GAMES: Final = LISTS / "games"
TITLES: Final = (mark("variant"), mark("title"), mark("version"), mark("summary"))


def listed_variants(language: Language | None = None) -> int:
    """Print which variants there are; return the exit status."""
    from tricklog.ingest.cli.text_table import aligned

    said = translations(language_of(language))
    rows = []
    for name in variants():
        head = tomllib.loads(variant_text(name).partition("\n[")[0])
        summary = head["summary"]
        rows.append([head["id"], head["title"], str(head["version"]), said.get(summary, summary)])
    titles = [said.get(each, each) for each in TITLES]
    for line in aligned(titles, [False, False, True, False], rows):
        tell(line)
    return SUCCESS


def is_written(name: str) -> bool:
    """Whether a game is one that comes with Tricklog, whose rules in words were written."""
    return Path(name).name == name and _file(name).is_file()


def told_variant(name: str, language: Language | None = None) -> int:
    """Print the rules of a game for which ``is_written`` holds; return the exit status."""
    text = _file(name).read_text("utf-8")
    tell(laid_out(put_into(language_of(language), text)))
    return SUCCESS


def _file(name: str) -> Path:
    return GAMES / f"{name}.txt"
