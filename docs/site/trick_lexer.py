"""Colours for hands written as text."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Punctuation, Text


class TextFormLexer(RegexLexer):
    """Marks remarks, the first word of a line, cards and numbers; the rest stays plain."""

    name = "Tricklog text form"
    aliases: ClassVar = ["trick"]
    tokens: ClassVar = {
        "root": [
            (r"#.*$", Comment.Single),
            (r"^---.*$", Keyword),
            (r"^\s*[a-z][a-z-]*", Keyword),
            (r"\b(?:10|[2-9TJQKA])[shdcSHDC]\b|[♠♥♦♣](?:10|[2-9TJQKA])", Name.Constant),
            (r"\b\d+\b", Number),
            (r"[:;,&|=>-]", Punctuation),
            (r"\w+|\s+|.", Text),
        ],
    }
