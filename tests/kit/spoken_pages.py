"""Pages of the dashboard in other languages: what of a page is still English there."""

import html
import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message as Entry
from google.protobuf.message import Message  # type: ignore[import-untyped]
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import Asked, go, open_app
from tests.regenerate import languages
from tricklog.core import load_variant, variants
from tricklog.dashboard.address import urls

_SILENT = frozenset(
    {
        *("id", "form_id", "url", "url_path", "query_string", "page_script_hash", "page", "icon"),
        *("key", "name", "format", "data", "type", "language", "element_id", "arrow_data"),
        *("anchor", "color", "default", "css"),
        *("query_param_key", "shortcut", "component_name", "js_content", "css_content"),
    }
)
"""Fields of what is sent to a browser that nobody reads."""
_MENTIONED = ("title", "text", "label", "description", "placeholder")
"""What is read of a chart."""
_CODE = re.compile(r"<(style|code|pre|kbd)\b.*?</\1>|`[^`]*`", re.DOTALL)
_ATTRIBUTE = re.compile(r'\b(?:aria-label|title|alt|placeholder)="([^"]*)"')
_TAG = re.compile(r"<[^>]*>")
_MARKDOWN = re.compile(r"\]\([^)]*\)|:material/\w+:|:[a-z]+\[|[*_#\\\[\]]")
_ID = re.compile(r"\S*[\d/_]\S*")
"""Ids, files, days and numbers."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_FEWEST_WORDS = 2
_SHOWN_IN = "sv"


def spoken(
    db: Path, monkeypatch: pytest.MonkeyPatch, screen: str, language: str, /, **parameters: Asked
) -> AppTest:
    """A page of a warehouse, in a language, opened as a link with these parameters does."""
    app = open_app(db, monkeypatch)
    return go(app, screen, **{**parameters, urls.LANGUAGE: language})


def english_in(
    app: AppTest, english: Sequence[str], language: str = _SHOWN_IN, *, allowed: Sequence[str] = ()
) -> list[str]:
    """The texts of the English page that a page in another language shows as well.

    Those of messages that nobody has translated yet are left out, and so are names that are the
    same in all languages: of variants, and those ``allowed``, as of players, hands and logs.
    """
    names = [*allowed, *(load_variant(each).title for each in variants()), "Tricklog"]
    shown = set(texts_of(app))
    left = [each for each in dict.fromkeys(english) if each in shown and _has_words(each, names)]
    return [each for each in left if not has_no_translation(each, language)]


def has_no_translation(text: str, language: str) -> bool:
    """Whether a text, or one within tags, is that of a message without translation.

    A number of the rulebook may stand before it.
    """
    text = re.sub(r"^[COS]\d+ ", "", text)
    return any(each.fullmatch(text) for each in _without_translation(language))


@cache
def _without_translation(language: str) -> list[re.Pattern[str]]:
    # The file of a language has every message, and a test sees to it that it does.
    lacking = languages.untranslated(language, languages.stored(language))
    return [
        languages.said_by(Entry(part))
        for entry in lacking
        for text in languages.texts_of(entry)
        for part in _parts_of(text)
    ]


def _has_words(text: str, names: Sequence[str]) -> bool:
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    return len(_WORD.findall(_ID.sub(" ", text))) >= _FEWEST_WORDS


def texts_of(app: AppTest) -> list[str]:
    """All texts that a page shows or says aloud: of elements, labels, hints, options and charts."""
    return [
        text
        for node in app._tree
        if isinstance(proto := getattr(node, "proto", None), Message)
        for field, value in _strings_in(proto)
        for part in (_said_in(json.loads(value)) if field == "spec" else [value])
        for text in _parts_of(part)
    ]


def _strings_in(proto: Message) -> Iterator[tuple[str, str]]:
    for field, value in proto.ListFields():
        if field.name in _SILENT or field.type == field.TYPE_BYTES:
            continue
        several = isinstance(value, Sequence) and not isinstance(value, str)
        for each in value if several else [value]:
            if isinstance(each, str):
                yield field.name, each
            elif isinstance(each, Message):
                yield from _strings_in(each)


def _said_in(node: object) -> Iterator[str]:
    if isinstance(node, list):
        for each in node:
            yield from _said_in(each)
    if isinstance(node, dict):
        for name, each in node.items():
            if isinstance(each, str) and name in _MENTIONED:
                yield each
            else:
                yield from _said_in(each)


def _parts_of(text: str) -> Iterator[str]:
    """The texts between the tags of HTML, and those of its attributes; marks of Markdown go."""
    text = _CODE.sub(" ", text).replace("\\-", "-")
    parts = [*_ATTRIBUTE.findall(text), *_TAG.split(text)]
    for part in parts:
        for line in _MARKDOWN.sub(" ", html.unescape(part)).splitlines():
            if said := " ".join(line.split()):
                yield said
