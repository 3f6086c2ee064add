"""Writes hands as text, in the one form that Tricklog writes: the canonical form.

What is read back is the same hand, byte for byte, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from tricklog.ingest.text_form import languages
from tricklog.ingest.text_form.cards import written_cards
from tricklog.ingest.text_form.finishing import carried
from tricklog.ingest.text_form.folding import fold
from tricklog.ingest.text_form.names import Names, quoted
from tricklog.ingest.text_form.reader import FIRST_LINE
from tricklog.ingest.text_form.table import turns_under
from tricklog.ingest.text_form.vocabulary import AGAINST, written
from tricklog.ingest.text_form.writing_acts import ActsWriter
from tricklog.schemas.hand import Hand, encode_hand
from tricklog.schemas.player_ids import id_of_name

Record = Mapping[str, Any]

_FREE: Final = re.compile(r"[^\W_][\w.'/:+-]*(?: [\w.'/:+-]+)*")
_KEY: Final = re.compile(r"[\w./:+-]+")
_PLAYER: Final = re.compile(r"[^\W_][\w.'’:-]*(?: [\w.'’:-]+)*")
_HOUSE_RULE: Final = re.compile(r"O[0-9]{2,3}")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SCORES: Final = (("points", "points"), ("change", "change"), ("after", "scores"))
_FOR_ALL: Final = ("status", "stock", "kitty")


def write_text(hands: Sequence[Hand], *, language: str = "en", names: bool = False) -> str:
    """Return hands as a text.

    Args:
        hands: what to write, in this order.
        language: ``en``, ``sv``, ``fi`` or ``es``: that of the words.
        names: whether every card stands with the name of its player.

    Raises:
        ValueError: there is no such language.
    """
    records = [record_of(hand) for hand in hands]
    writer = TextWriter(language=language, names=names, for_all=shared_by_all(records))
    return "".join(f"{line}\n" for line in (*writer.head(), *writer.lines(records)))


def record_of(hand: Hand) -> Record:
    """Return a hand by the fields of the log, in their canonical order."""
    record: Record = msgspec.json.decode(encode_hand(hand))
    return record


def shared_by_all(records: Sequence[Record]) -> dict[str, str]:
    """Return what all of several hands have alike, so that it is said once."""
    shared: dict[str, str] = {}
    for name in _FOR_ALL if len(records) > 1 else ():
        values = {record.get(name) for record in records}
        value = values.pop()
        if not values and value is not None and (name == "status" or value == ""):
            shared[name] = value
    return shared


class TextWriter:
    """Writes hands one after the other; each takes over what was said before it."""

    def __init__(
        self,
        *,
        language: str = "en",
        names: bool = False,
        for_all: Mapping[str, str] | None = None,
    ) -> None:
        """``for_all``: fields that all hands have alike; see ``write_text`` for the others."""
        if language not in languages.LANGUAGES:
            raise ValueError(f"there is no language {language!r}: {', '.join(languages.LANGUAGES)}")
        self._language = languages.LANGUAGES.index(language)
        self._names = names
        self._for_all = dict(for_all or {})
        self._said: dict[str, Any] = {}
        """The settings in force."""
        self._before: Record | None = None

    def head(self) -> Iterator[str]:
        """Return the first line."""
        yield FIRST_LINE

    def lines(self, records: Iterable[Record]) -> Iterator[str]:
        """Return the lines of hands, which follow what was written before."""
        for record in records:
            is_first = not self._said
            settings = list(self._settings(record))
            if is_first:
                yield from settings
                yield from self._all()
            elif settings:
                yield from ("", *settings)
            yield ""
            yield from self._hand(record)
            self._before = record

    def _word(self, keyword: str) -> str:
        return written(languages.KEYWORDS, keyword, self._language)

    @property
    def _none(self) -> str:
        return languages.NONE[0][self._language]

    # --- Settings

    def _all(self) -> Iterator[str]:
        for name, value in self._for_all.items():
            said = self._status(value) if name == "status" else self._none
            yield f"{self._word('all')} {self._word(name)} {said}"

    def _status(self, status: str | None) -> str:
        return "?" if status is None else written(languages.STATUSES, status, self._language)

    def _settings(self, record: Record) -> Iterator[str]:
        """Return what changes with a hand, of what holds from there on."""
        if self._changed("rules", record["rules"]):
            yield from self._rules(record["rules"])
        if self._changed("players", record["players"]):
            yield f"{self._word('players')} {', '.join(map(_player, record['players']))}"
        started = record.get("started_at")
        if started is None or _DATE.fullmatch(started):
            is_first = "date" not in self._said
            if self._changed("date", started) and not (is_first and started is None):
                yield f"{self._word('date')} {started or '?'}"
        if self._changed("match", record.get("game")):
            yield f"{self._word('match')} {_free(record.get('game'))}"

    def _changed(self, setting: str, value: object) -> bool:
        """Whether a setting has another value than before, which it has from now on."""
        if setting in self._said and self._said[setting] == value:
            return False
        self._said[setting] = value
        return True

    def _rules(self, rules: Record) -> Iterator[str]:
        version = f" {rules['version']}" if "version" in rules else ""
        yield f"{self._word('game')} {rules['variant']}{version}"
        options = rules.get("options")
        if options == {}:
            yield f"{self._word('option')} {self._none}"
        for key, value in sorted((options or {}).items()):
            if key == "house_rules" and _are_numbers(value):
                yield f"{self._word('house')} {' '.join(value)}"
            else:
                yield f"{self._word('option')} {_key(key)} = {quoted(value)}"
        if "definition" in rules:
            yield f"{self._word('definition')} {quoted(rules['definition'])}"

    # --- One hand

    def _hand(self, record: Record) -> Iterator[str]:
        number = record.get("hand", "?")
        yield f"{self._word('hand')} {number}"
        if (
            "hand" not in record
            or record["id"] != f"{record.get('game')}-{number}"
            or "game" not in record
        ):
            yield f"{self._word('id')} {_free(record['id'])}"
        names = Names(record["players"])
        dealer = record.get("dealer")
        yield f"{self._word('dealer')} {'?' if dealer is None else names.called(dealer)}"
        turns = turns_under(record["rules"], len(record["players"]))
        yield from self._before_hand(record, turns.sides)
        if "remark" in record:
            yield f"{self._word('remark')} {_free(record['remark'])}"
        yield from self._cards(record, names)
        acts = ActsWriter(record, names, turns, language=self._language, all_names=self._names)
        yield from acts.lines()
        yield from self._result(record, names, is_marked=acts.is_marked)
        yield from self._end(record)

    def _before_hand(self, record: Record, sides: int | None) -> Iterator[str]:
        if "scores" in record:
            yield f"{self._word('before')} {_numbers(record['scores'])}"
        elif carried(self._before, record.get("game"), record.get("hand"), sides) is not None:
            yield f"{self._word('before')} ?"

    def _cards(self, record: Record, names: Names) -> Iterator[str]:
        has = written(languages.VERBS, "has", self._language)
        for seat, cards in enumerate(record.get("deal", ())):
            yield f"{names.called(seat)} {has} {self._listed(cards, names)}"
        for name in ("stock", "kitty"):
            if name not in record and name in self._for_all:
                yield f"{self._word(name)} ?"
            elif name in record and self._for_all.get(name) != record[name]:
                cards = record[name]
                yield f"{self._word(name)} {'1?' if cards == '?' else self._listed(cards, names)}"

    def _listed(self, cards: str, names: Names) -> str:
        return written_cards(cards, self._language, names.keys)

    def _result(self, record: Record, names: Names, *, is_marked: bool) -> Iterator[str]:
        claimed = record.get("claimed", {})
        if "result" in claimed:
            by = f" {languages.BY[self._language]} {claimed['by']}" if "by" in claimed else ""
            result = written(languages.RESULTS, claimed["result"], self._language)
            yield f"{self._word('result')} {result}{by}"
        for keyword, name in _SCORES:
            if name in claimed:
                yield f"{self._word(keyword)} {_numbers(claimed[name], signed=name == 'change')}"
        if "winners" in claimed and not is_marked:
            winners = ("?" if seat is None else names.called(seat) for seat in claimed["winners"])
            yield f"{self._word('winners')} {', '.join(winners) or self._none}"

    def _end(self, record: Record) -> Iterator[str]:
        if record.get("status") != self._for_all.get("status"):
            yield f"{self._word('status')} {self._status(record.get('status'))}"
        started = record.get("started_at")
        if started is not None and not _DATE.fullmatch(started):
            yield f"{self._word('time')} {started}"
        names = ("times", "notes", "claimed", "known", "ext")
        empty = [name for name in names if record.get(name) == {}]
        if empty:
            yield f"{self._word('empty')} {' '.join(empty)}"
        for key, value in sorted(record.get("ext", {}).items()):
            yield f"{self._word('ext')} {_key(key)} = {quoted(value)}"


def _are_numbers(value: object) -> bool:
    is_list = isinstance(value, list) and bool(value)
    return is_list and all(isinstance(each, str) and _HOUSE_RULE.fullmatch(each) for each in value)  # type: ignore[attr-defined]


def _free(text: str | None) -> str:
    """Return text to the end of a line, in quotes where it could be misread; ``?`` for none."""
    if text is None:
        return "?"
    return text if _FREE.fullmatch(text) else quoted(text)


def _key(text: str) -> str:
    return text if _KEY.fullmatch(text) else quoted(text)


def _numbers(values: Sequence[int | None], *, signed: bool = False) -> str:
    """Return one number a side."""
    return " ".join(
        "?" if value is None else f"{value:+d}" if signed and value else str(value)
        for value in values
    )


def _player(player: Record) -> str:
    """Return a player as one of the list of players."""
    name, player_id = player.get("name"), player["id"]
    if name is None:
        said = _part(player_id) if id_of_name(player_id) == player_id else f"<{_part(player_id)}>"
    elif id_of_name(name) == player_id and name != player_id:
        said = _part(name)
    else:
        said = f"{_part(name)} <{_part(player_id)}>"
    return f"{said} ({player['kind']})" if "kind" in player else said


def _part(text: str) -> str:
    """Return a name or an id of a player, in quotes where it could be misread."""
    words = fold(text).split()
    is_plain = bool(_PLAYER.fullmatch(text)) and not AGAINST.intersection(words)
    return text if is_plain else quoted(text)
