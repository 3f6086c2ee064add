"""Sentences with named values, whole, in the language of whoever reads them.

``say`` returns what is shown now. A ``Message`` is kept and shown later: ``str`` gives it in the
language of that moment, ``english`` what is stored. Values may be messages themselves. The first
argument of each function stands in the code as it is, so that the translations can be collected.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from string import Formatter
from typing import Final, Literal

from tricklog.schemas.languages.catalogs import catalog
from tricklog.schemas.languages.current import ENGLISH, current, in_language
from tricklog.schemas.languages.numbers import number

_AND: Final = "and"
_OR: Final = "or"


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence, or a part of one, that is put into a language when it is shown."""

    text: str
    """In English, with its values in braces."""
    values: Mapping[str, object] = field(default_factory=dict)
    many: str = ""
    """The text for any number but one, where there is a number; it is the value ``count``."""
    count: int = 1
    context: str = ""
    """What sets it apart from the same text elsewhere; shown to nobody."""

    def __str__(self) -> str:
        """Return it in the language of this context; in English where that has no translation."""
        text = self._translated()
        try:
            return text.format_map(self._shown())
        except (KeyError, IndexError, ValueError, AttributeError):
            return self.english

    @property
    def english(self) -> str:
        """The sentence in English, whatever the language of this context."""
        with in_language(ENGLISH):
            return self._source().format_map(self._shown())

    def _source(self) -> str:
        return self.many if self.many and self.count != 1 else self.text

    def _translated(self) -> str:
        language = current()
        if language == ENGLISH:
            return self._source()
        found = catalog(language)
        if self.many and self.context:
            return found.npgettext(self.context, self.text, self.many, self.count)
        if self.many:
            return found.ngettext(self.text, self.many, self.count)
        if self.context:
            return found.pgettext(self.context, self.text)
        # gettext keeps what is said about the file itself under the empty text.
        return found.gettext(self.text) if self.text else ""

    def _shown(self) -> Mapping[str, object]:
        return {**self.values, "count": number(self.count)} if self.many else self.values


@dataclass(frozen=True, slots=True)
class Listing:
    """Parts in a row with a word before the last: ``7, 14 or 28``, ``Ann, Bo and Cy``."""

    parts: Sequence[object]
    word: str = _AND
    commas: bool = True
    """Whether English has commas between all but the last; else the word is repeated."""

    def __str__(self) -> str:
        """Return the parts in the language of this context."""
        said = list(map(str, self.parts))
        if len(said) < 2:
            return "".join(said)
        if current() == ENGLISH:
            between = ", " if self.commas else f" {self.word} "
            return f"{between.join(said[:-1])} {self.word} {said[-1]}"
        from babel.lists import format_list

        style: Literal["standard", "or"] = "standard" if self.word == _AND else "or"
        return format_list(said, style=style, locale=current())


def either(parts: Sequence[object], *, commas: bool = True) -> Listing:
    """Return parts of which one is meant: ``7, 14 or 28``; without commas ``7 or 14 or 28``."""
    return Listing(parts, _OR, commas)


def mark(text: str) -> str:
    """Return a text as it is: it is a message that is shown elsewhere."""
    return text


def mark_counted(one: str, many: str) -> tuple[str, str]:
    """Return a text for one and a text for any other number as they are, to be shown elsewhere."""
    return one, many


def message(text: str, /, **values: object) -> Message:
    """Return a message; ``values`` fill its names."""
    return Message(text, values)


def plain(text: str) -> Message:
    """Return a message that is there in English alone, such as one read from a warehouse."""
    return Message("{text}", {"text": text})


def message_in(context: str, text: str, /, **values: object) -> Message:
    """Return a message whose text means something else in another context."""
    return Message(text, values, context=context)


def message_of(template: str, values: Mapping[str, object]) -> Message:
    """Return the message of a marked text, with those of the values that it names."""
    return Message(template, {name: values[name] for name in names_in(template)})


def message_counted(one: str, many: str, count: int, /, **values: object) -> Message:
    """Return a message with a number, which stands in it as ``{count}``."""
    return Message(one, values, many=many, count=count)


def say(text: str, /, **values: object) -> str:
    """Return a sentence in the language of this context; ``values`` fill its names."""
    return str(Message(text, values))


def say_in(context: str, text: str, /, **values: object) -> str:
    """Return a text that means something else in another context."""
    return str(Message(text, values, context=context))


def say_counted(one: str, many: str, count: int, /, **values: object) -> str:
    """Return a sentence with a number, which stands in it as ``{count}``."""
    return str(Message(one, values, many=many, count=count))


def translated(text: str) -> str:
    """Return a marked text without values in the language of this context."""
    language = current()
    return text if language == ENGLISH or not text else catalog(language).gettext(text)


def translated_in(context: str, text: str) -> str:
    """Return a text without values, which means something else in another context."""
    language = current()
    return text if language == ENGLISH else catalog(language).pgettext(context, text)


@lru_cache(maxsize=1024)
def names_in(template: str) -> tuple[str, ...]:
    """Return the names of the values that a text has."""
    return tuple(dict.fromkeys(name for _, name, _, _ in Formatter().parse(template) if name))
