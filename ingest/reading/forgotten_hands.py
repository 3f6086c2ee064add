"""Hands without those who were forgotten: other ids, and other words where texts name them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as replaced
from typing import Any, Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tricklog.ingest.reading.forgotten import NOBODY, AtTable, Forgotten, stand_in
from tricklog.ingest.reading.log_line import LogLine
from tricklog.ingest.reading.own_words import around_rules, in_sentence, names_of_rules
from tricklog.ingest.reading.rejects import Reject
from tricklog.ingest.reading.spoken_words import name_keys, written_key
from tricklog.schemas.hand import Hand, Player, RulesRef, encode_hand
from tricklog.schemas.limits import MAX_NOTE

_WORDS_OF_RULES: Final = ("title", "family", "summary")
"""What of embedded rules people write as they like."""


def of_hand(hand: Hand, forgotten: Forgotten) -> Hand:
    """Return a hand without names of those who were forgotten; the same object where none is there.

    Cards, actions, rules, scores and results stay. A second time it changes nothing.
    """
    table = table_of(hand.players, forgotten)
    new = replace(
        hand,
        id=forgotten.in_id(hand.id),
        game=hand.game if hand.game is UNSET else forgotten.in_id(hand.game),
        rules=of_rules(hand.rules, forgotten),
        players=of_players(hand.players, forgotten),
        notes=_of_notes(hand.notes, forgotten, table),
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
        return replaced(line, file=file, reject=_of_reject(line.reject, forgotten))
    if line.hand is None:
        return line if file == line.file else replaced(line, file=file)
    hand = of_hand(line.hand, forgotten)
    if hand is line.hand:
        return line if file == line.file else replaced(line, file=file)
    return replaced(line, file=file, hand=hand, text=encode_hand(hand), written=None)


def _of_reject(reject: Reject, forgotten: Forgotten) -> Reject:
    return replaced(
        reject,
        file=forgotten.in_text(reject.file),
        pointer=forgotten.in_text(reject.pointer),
        message=in_message(reject.message, forgotten),
        text=in_line(reject.text, forgotten),
        parts=tuple(part._replace(file=forgotten.in_text(part.file)) for part in reject.parts),
    )


def in_line(text: bytes, forgotten: Forgotten) -> bytes:
    """Return a line that makes no hand without names; those of rules of Tricklog's stay."""
    read = text.decode("utf-8", "surrogateescape")
    parts = ((part.encode("utf-8", "surrogateescape"), own) for part, own in around_rules(read))
    return b"".join(part if is_own else forgotten.in_bytes(part) for part, is_own in parts)


def in_message(message: str, forgotten: Forgotten, table: AtTable = NOBODY) -> str:
    """Return a sentence of Tricklog's without names; words that are its own stay."""
    return in_sentence(message, forgotten, table)


def _of_notes(
    notes: dict[str, str] | UnsetType, forgotten: Forgotten, table: AtTable
) -> dict[str, str] | UnsetType:
    if notes is UNSET:
        return UNSET
    return {place: _remark(text, forgotten, table) for place, text in notes.items()}


def _remark(text: str, forgotten: Forgotten, table: AtTable) -> str:
    """Return a remark, which with longer words must not get longer than one can be."""
    return forgotten.in_text(text, table)[:MAX_NOTE]
