"""Hands without those who were forgotten: other ids, and other words where texts name them."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace as replaced
from functools import cache
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from tricklog.core.engine.faults import Fault
from tricklog.core.rulesets.ruleset import load_variant
from tricklog.core.rulesets.variant_names import variants
from tricklog.ingest.reading.forgotten import (
    NOBODY,
    AtTable,
    Forgotten,
    name_keys,
    stand_in,
    words_of,
    written_key,
)
from tricklog.ingest.reading.log_line import LogLine
from tricklog.ingest.reading.rejects import HINTS, SAID_BEFORE
from tricklog.schemas.actions import VERB_NAMES
from tricklog.schemas.cards import SUIT_WORDS
from tricklog.schemas.hand import Hand, Player, RulesRef, encode_hand
from tricklog.schemas.limits import MAX_NOTE

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
    return _around(_FILLED.finditer(sentence), sentence)


def around_rules(text: str) -> Iterator[tuple[str, bool]]:
    """Return a line or rules as JSON in parts, each with whether it names rules of Tricklog's."""
    named = (each for each in _OF_RULES.finditer(text) if each[1] in names_of_rules())
    return _around(named, text)


def _around(found: Iterable[re.Match[str]], text: str) -> Iterator[tuple[str, bool]]:
    done = 0
    for each in found:
        yield text[done : each.start()], False
        yield each[0], True
        done = each.end()
    yield text[done:], False


def in_message(sentence: str, forgotten: Forgotten, table: AtTable = NOBODY) -> str:
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


_WORDS_OF_RULES: Final = ("title", "family", "summary")
"""What of embedded rules people write as they like."""


def of_hand(hand: Hand, forgotten: Forgotten) -> Hand:
    """Return a hand without names of those who were forgotten; the same object where none is there.

    Cards, actions, rules, scores and results stay. A second time it changes nothing.
    """
    table = table_of(hand.players, forgotten)
    notes = hand.notes
    if notes is not UNSET:
        notes = {place: _remark(text, forgotten, table) for place, text in notes.items()}
    new = replace(
        hand,
        id=forgotten.in_id(hand.id),
        game=hand.game if hand.game is UNSET else forgotten.in_id(hand.game),
        rules=of_rules(hand.rules, forgotten),
        players=of_players(hand.players, forgotten),
        notes=notes,
        remark=hand.remark if hand.remark is UNSET else _remark(hand.remark, forgotten, table),
        ext=hand.ext if hand.ext is UNSET else in_value(hand.ext, forgotten, table),
    )
    return hand if new == hand else new


def table_of(players: Sequence[Player], forgotten: Forgotten) -> AtTable:
    """Return who sits at a table."""
    numbers: set[int] = set()
    called: dict[str, str] = {}
    others: set[str] = set()
    written: set[str] = set()
    for player in players:
        names = [name for name in (player.id, player.name) if name is not UNSET]
        keys = {key for name in names for key in name_keys(name)}
        number = forgotten.number_of(player.id)
        if number is None:
            others |= keys
            written |= set(map(written_key, names))
        else:
            numbers.add(number)
            called |= dict.fromkeys(keys, stand_in(number))
    alone = {key: instead for key, instead in called.items() if key not in others}
    return AtTable(frozenset(numbers), alone, frozenset(others), frozenset(written))


def of_players(players: Sequence[Player], forgotten: Forgotten) -> list[Player]:
    """Return the players of a table; those who were forgotten have another id, and no name."""
    found = []
    for player in players:
        number = forgotten.number_of(player.id)
        found.append(player if number is None else Player(id=stand_in(number), kind=player.kind))
    return found


def of_rules(rules: RulesRef, forgotten: Forgotten) -> RulesRef:
    """Return rules; those of a table's own have other words where these name somebody."""
    definition = rules.definition
    if definition is UNSET:
        return rules
    new = {
        key: forgotten.in_text(value)
        if key in _WORDS_OF_RULES and isinstance(value, str) and value not in names_of_rules()
        else value
        for key, value in definition.items()
    }
    return rules if new == definition else replace(rules, definition=new)


def in_value(value: Any, forgotten: Forgotten, table: AtTable) -> Any:  # noqa: ANN401 - ext may hold any JSON
    """Return a JSON value with other words in its texts and keys."""
    if isinstance(value, str):
        return forgotten.in_text(value, table)
    if isinstance(value, list):
        return [in_value(each, forgotten, table) for each in value]
    if isinstance(value, dict):
        return {
            forgotten.in_text(key, table): in_value(each, forgotten, table)
            for key, each in value.items()
        }
    return value


def of_line(line: LogLine, forgotten: Forgotten) -> LogLine:
    """Return a line of a log, hand or reject, without the names."""
    file = forgotten.in_text(line.file)
    if line.reject is not None:
        reject = replaced(
            line.reject,
            file=forgotten.in_text(line.reject.file),
            pointer=forgotten.in_text(line.reject.pointer),
            message=in_message(line.reject.message, forgotten),
            text=in_line(line.reject.text, forgotten),
            parts=tuple(
                part._replace(file=forgotten.in_text(part.file)) for part in line.reject.parts
            ),
        )
        return replaced(line, file=file, reject=reject)
    hand = line.hand and of_hand(line.hand, forgotten)
    if hand is None or hand is line.hand:
        return line if file == line.file else replaced(line, file=file)
    return replaced(line, file=file, hand=hand, text=encode_hand(hand), written=None)


def in_line(text: bytes, forgotten: Forgotten) -> bytes:
    """Return a line that makes no hand without names; those of rules of Tricklog's stay."""
    read = text.decode("utf-8", "surrogateescape")
    parts = ((part.encode("utf-8", "surrogateescape"), own) for part, own in around_rules(read))
    return b"".join(part if is_own else forgotten.in_bytes(part) for part, is_own in parts)


def _remark(text: str, forgotten: Forgotten, table: AtTable) -> str:
    """Return a remark, which with longer words must not get longer than one can be."""
    return forgotten.in_text(text, table)[:MAX_NOTE]
