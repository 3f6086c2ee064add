"""Words of Tricklog's own sentences: jack, king, rob and hand say nothing about who plays.

What is filled into a sentence is not its own: values in quotes, and paths. Of the rules in a record
the names of the variants that come with Tricklog are its own.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Final

from tricklog.core.engine.faults import Fault
from tricklog.core.rulesets.ruleset import load_variant
from tricklog.core.rulesets.variant_names import variants
from tricklog.ingest.reading.forgotten import AtTable, Forgotten
from tricklog.ingest.reading.rejects import HINTS, SAID_BEFORE
from tricklog.ingest.reading.spoken_words import words_of
from tricklog.schemas.actions import VERB_NAMES
from tricklog.schemas.cards import SUIT_WORDS

_CARDS = "ace king queen jack ten nine eight seven six five four three two joker trump suit"
_FILLED: Final = re.compile(
    r"""(?<!\w)'(?:[^'\\]|\\.)*(?:'(?!\w)|$)|(?<!\w)"(?:[^"\\]|\\.)*(?:"(?!\w)|$)"""
    r"""|\S*/\S*|\S+\.\w\S*""",
    re.DOTALL,
)
"""What was filled into a sentence: a value in quotes, even one cut off, or a path."""
_CONFLICT: Final = re.compile(
    r"""The id ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
    rf""" (?:belongs to another hand, (.*)|{SAID_BEFORE})\.""",
    re.DOTALL,
)
"""The sentence about an id that is taken: it may end with a path, which may hold spaces."""
_OF_RULES: Final = re.compile(r'"(?:variant|extends|title|family)"\s*:\s*"([^"\\]*)"')
"""Fields of the rules in a record, as JSON has them."""


@cache
def own_words() -> frozenset[str]:
    """Return the folded words that sentences about hands and lines are made of."""
    texts = [*HINTS.values(), *(fault.sentence for fault in Fault), *VERB_NAMES.values()]
    texts += [*SUIT_WORDS, *(suit.removesuffix("s") for suit in SUIT_WORDS), _CARDS]
    return frozenset(word.folded for text in texts for word in words_of(text))


def in_sentences(table: AtTable) -> AtTable:
    """Return who is named in sentences of Tricklog's, whose own words stay."""
    own = own_words()
    called = {name: instead for name, instead in table.called.items() if name not in own}
    return table._replace(called=called, others=table.others | own)


def parts_of(sentence: str) -> Iterator[tuple[str, bool]]:
    """Return a sentence of Tricklog's in parts, each with whether it was filled in."""
    done = 0
    for found in _FILLED.finditer(sentence):
        yield sentence[done : found.start()], False
        yield found[0], True
        done = found.end()
    yield sentence[done:], False


def in_sentence(sentence: str, forgotten: Forgotten, table: AtTable) -> str:
    """Return a sentence without names, in which words that are Tricklog's own stay."""
    if conflict := _CONFLICT.fullmatch(sentence):
        # What an adapter says may look like it, and quote in another way.
        with suppress(SyntaxError, ValueError):
            hand_id = forgotten.in_id(literal_eval(conflict[1]))
            if conflict[2] is None:
                return f"The id {hand_id!r} {SAID_BEFORE}."
            place = forgotten.in_text(conflict[2])
            return f"The id {hand_id!r} belongs to another hand, {place}."
    own = in_sentences(table)
    return "".join(
        forgotten.in_text(part, table if is_filled else own)
        for part, is_filled in parts_of(sentence)
    )


@cache
def names_of_rules() -> frozenset[str]:
    """Return ids, titles and families of the variants that come with Tricklog."""
    rules = [load_variant(name) for name in variants()]
    return frozenset(name for each in rules for name in (each.id, each.title, each.family))


def around_rules(text: str) -> Iterator[tuple[str, bool]]:
    """Return a line or rules as JSON in parts, each with whether it names rules of Tricklog's."""
    done = 0
    for found in _OF_RULES.finditer(text):
        if found[1] in names_of_rules():
            yield text[done : found.start()], False
            yield found[0], True
            done = found.end()
    yield text[done:], False
