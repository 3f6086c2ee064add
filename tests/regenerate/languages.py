"""The files of translations, brought up to date with what the code says.

Sentences come from the calls of ``schemas.languages.messages``, and from data that people are
shown. What the code no longer says goes; a sentence that changed keeps its old translation, marked
fuzzy, until somebody has looked at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from schemas.languages.catalogs import catalog_file
from schemas.languages.current import ENGLISH, LANGUAGES

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("schemas", "replay", "ingest", "dashboard")
TRANSLATED: Final = tuple(code for code in LANGUAGES if code != ENGLISH)
KEYWORDS: Final[dict[str, Any]] = {
    "mark": None,
    "message": None,
    "say": None,
    "message_in": ((1, "c"), 2),
    "say_in": ((1, "c"), 2),
    "mark_counted": (1, 2),
    "message_counted": (1, 2),
    "say_counted": (1, 2),
}
"""Where in its arguments a function has the text, its context (c) and the text for many."""
ROWS: Final = {"replay/judging/findings.py": {"Row": (2,)}}
"""Records of a module that have a text, likewise."""
_MODULE: Final = "schemas.languages.messages"
_HEADER: Final = """\
# Translations of Tricklog: docs/languages.md says how to work on them.
msgid ""
msgstr ""
"Project-Id-Version: Tricklog\\n"
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""


class Found(NamedTuple):
    """A message that the code or its data has."""

    text: str
    many: str
    context: str
    place: str
    """The file, from the top of the checkout."""


def found_in_code() -> Iterator[Found]:
    """Yield the messages of the code, file by file."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            source = file.read_bytes()
            # Elsewhere functions of the same names do something else.
            if f"from {_MODULE} import".encode() in source:
                yield from _found_in(source, str(file.relative_to(ROOT)))


def _found_in(source: bytes, place: str) -> Iterator[Found]:
    keywords = {**KEYWORDS, **ROWS.get(place, {})}
    for _, said, _, context in extract("python", BytesIO(source), keywords):
        one, many = said if isinstance(said, tuple) else (said, "")
        if one:
            yield Found(one, many, context or "", place)


def template() -> Catalog:
    """Return every message that there is to translate, in the order of files and lines."""
    catalog = Catalog(charset="utf-8")
    for each in [*found_in_code(), *(found for source in DATA for found in source())]:
        text = (each.text, each.many) if each.many else each.text
        catalog.add(text, locations=[(each.place, 0)], context=each.context or None)
    return catalog


DATA: Final[tuple[Callable[[], Iterator[Found]], ...]] = ()
"""What else is shown in the language of the reader."""


def stored(language: str) -> Catalog:
    """Return the file of a language as it is; an empty catalog where there is none."""
    file = catalog_file(language)
    if not file.exists():
        return Catalog(locale=language, charset="utf-8")
    with file.open("rb") as source:
        return read_po(source, locale=language, charset="utf-8", abort_invalid=True)


def brought_up_to_date(language: str, wanted: Catalog) -> str:
    """Return the file of a language as it has to be."""
    catalog = stored(language)
    catalog.update(wanted, update_header_comment=False)
    text = BytesIO()
    write_po(text, catalog, omit_header=True, ignore_obsolete=True, include_lineno=False, width=100)
    header = _HEADER.format(language=language, plurals=catalog.plural_forms)
    return header + text.getvalue().decode("utf-8").strip() + "\n"


def entries(catalog: Catalog) -> list[Entry]:
    """Return the messages of a catalog without its header."""
    return [each for each in catalog if each.id]


def write() -> None:
    """Bring the files of all languages up to date."""
    wanted = template()
    for language in TRANSLATED:
        text = brought_up_to_date(language, wanted)
        catalog_file(language).write_text(text, "utf-8")
