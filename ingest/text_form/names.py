"""Who is meant: the names of the players of a table, and how each is written."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from tricklog.ingest.text_form import languages
from tricklog.ingest.text_form.cards import RANK_WORDS, SUIT_WORDS, cards_of
from tricklog.ingest.text_form.folding import fold, name_key
from tricklog.ingest.text_form.problems import did_you_mean, shown
from tricklog.ingest.text_form.scanner import Kind, Token
from tricklog.ingest.text_form.vocabulary import (
    AGAINST,
    KEYWORDS,
    NONES,
    PLAIN_CARD_KEYS,
    VERBS,
    is_printable,
    word_of,
)

Player = Mapping[str, Any]
"""A player as the log has it: ``id``, ``name``, ``kind``."""

_PLAIN: Final = re.compile(r"[^\W_][\w.'’-]*(?: [\w.'’-]+)*")
_NUMBER: Final = re.compile(r"[+-]?[0-9][0-9.]*(?:s|-[0-9]+|-double)?")
_SMALL_WORDS: Final = frozenset({"p", "-", "by", "vs", "to", "for", "from", "no", "won", "had"})
_OF: Final = frozenset(map(fold, languages.OF))
MOST_WORDS: Final = 6
"""Words of the longest name that needs no quotes."""


class Names:
    """The names of the players of one table."""

    def __init__(self, players: Sequence[Player] = ()) -> None:
        self.seats = len(players)
        self._by_key: dict[str, int | None] = {}
        for seat, player in enumerate(players):
            for key in {name_key(player.get("name", player["id"])), name_key(player["id"])}:
                self._by_key[key] = None if key in self._by_key else seat
        self.labels = labels(players)
        self.keys: Collection[str] = frozenset(self._by_key)
        self._longest = max((key.count(" ") + 1 for key in self._by_key), default=1)
        self._short: dict[str, int | None] = {}
        self.are_plain = self._longest == 1 and PLAIN_CARD_KEYS.isdisjoint(self._by_key)
        """Whether each name is one word, and none is that of a card."""
        self.plain_seats: dict[str, int | None] = {}
        """What has been found of words that name a player and mean nothing else."""

    def called(self, seat: int) -> str:
        """Return what the player of a seat is called in a text."""
        label = self.labels[seat] if seat < self.seats else None
        return f"@{seat}" if label is None else written_name(label)

    def example(self) -> str:
        """Return a name for an example of what to write."""
        return self.called(0) if self.seats else "Ann"

    def listed(self) -> str:
        """Return all names."""
        return ", ".join(map(self.called, range(self.seats)))

    def nobody(self, text: str) -> str:
        """Return the sentence about a name that is no player's."""
        if not self.seats:
            line = "write a line above: players Ann, Bo, Cy, Dee"
            return f"{shown(text)}: no players are named yet; {line}"
        known = list(map(self.called, range(self.seats)))
        otherwise = f"; the players are {', '.join(known)}"
        return f"{shown(text)} is no player here{did_you_mean(text, known, otherwise)}"

    def at(
        self, line: Sequence[Token], place: int, *, short: bool = True
    ) -> tuple[int | None, int]:
        """Return the seat that is meant at a place of a line, and how many tokens its name takes.

        ``short``: whether the beginning of a name will do.
        """
        if place >= len(line):
            return None, 0
        token = line[place]
        if token.kind is Kind.WORD:
            if not token.word.is_name:
                return None, 0
            seat, count = self._whole(line, place)
            if seat is None and short:
                seat, count = self._beginning(token), 1
            return seat, count if seat is not None else 0
        if token.kind is Kind.AT and token.text.isdecimal() and len(token.text) == 1:
            seat = int(token.text)
            return (seat, 1) if seat < self.seats else (None, 0)
        if token.kind in {Kind.AT, Kind.QUOTED}:
            return self._by_key.get(name_key(token.text)), 1
        return None, 0

    def _whole(self, line: Sequence[Token], place: int) -> tuple[int | None, int]:
        """Return the seat whose whole name stands at a place."""
        if self._longest == 1:
            return self._seat_of(line[place].word.key), 1
        words = []
        for token in line[place : place + min(self._longest, MOST_WORDS)]:
            if token.kind is not Kind.WORD:
                break
            words.append(token.word.key)
        for count in range(len(words), 0, -1):
            seat = self._seat_of(" ".join(words[:count]))
            if seat is not None:
                return seat, count
        return None, 0

    def _seat_of(self, key: str) -> int | None:
        seat = self._by_key.get(key)
        return self._by_key.get(key.rstrip(".")) if seat is None and key.endswith(".") else seat

    def seat_of_word(self, text: str) -> int | None:
        """Return the seat of the one player whose whole name is a word."""
        return self._by_key.get(word_of(text).key)

    def _beginning(self, token: Token) -> int | None:
        """Return the seat of the one name that begins like a word, or is it but for accents."""
        word = token.word
        if word.card or word.verb or word.bid or not token.text[:1].isalpha():
            return None
        if word.text not in self._short:
            begins = {seat for key, seat in self._by_key.items() if key.startswith(word.key)}
            alike = {seat for key, seat in self._by_key.items() if fold(key) == word.folded}
            one = begins if len(begins) == 1 else alike
            self._short[word.text] = one.pop() if len(one) == 1 else None
        return self._short[word.text]

    def is_whole_name(self, line: Sequence[Token], place: int) -> bool:
        """Whether somebody's whole name stands at a place: names come before cards."""
        token = line[place]
        if token.kind is not Kind.WORD or not token.word.is_name:
            return False
        return self._whole(line, place)[0] is not None


def labels(players: Sequence[Player]) -> list[str | None]:
    """Return what each player is called; ``None`` where only the seat tells one from another."""
    names = [str(player.get("name", player["id"])) for player in players]
    of_names = list(map(name_key, names))
    of_ids = [name_key(player["id"]) for player in players]
    called: list[str | None] = []
    for seat, player in enumerate(players):
        others = {key for keys in (of_names, of_ids) for key in (*keys[:seat], *keys[seat + 1 :])}
        if of_names[seat] and of_names[seat] not in others:
            called.append(names[seat])
        elif of_ids[seat] and of_ids[seat] not in others:
            called.append(player["id"])
        else:
            called.append(None)
    return called


# --- How names are written


@lru_cache(maxsize=1 << 12)
def written_name(label: str) -> str:
    """Return a name as it is written among acts, so that it reads as that name and nothing else."""
    if not _is_plain(label):
        return quoted(label)
    if not reads_otherwise(label):
        return label
    return f"@{label}" if " " not in label and not label[0].isdigit() else quoted(label)


def _is_plain(label: str) -> bool:
    is_one_way = unicodedata.is_normalized("NFC", label) and name_key(label) == name_key(
        fold_keeps(label)
    )
    words = label.count(" ") + 1
    return bool(_PLAIN.fullmatch(label)) and is_one_way and label[-1] != "." and words <= MOST_WORDS


def fold_keeps(label: str) -> str:
    """Return a label as the scanner gives its words back."""
    return " ".join(word.rstrip(".") if len(word) > 1 else word for word in label.split(" "))


@lru_cache(maxsize=1 << 12)
def reads_otherwise(label: str) -> bool:
    """Whether a name could be taken for something else, and so needs its mark."""
    first = fold(label.split(" ", maxsplit=1)[0])
    for word in (first, fold(label)):
        if word in KEYWORDS or word in VERBS or word in NONES or word in SUIT_WORDS:
            return True
        if word in RANK_WORDS or word in _OF or word in AGAINST:
            return True
    if cards_of(first) or first.rstrip("?*").isdigit() or _NUMBER.fullmatch(first) or ".." in label:
        return True
    if first in _SMALL_WORDS or word_of(first).moment is not None:
        return True
    return any(phrase.startswith(f"{first} ") for phrase in (*KEYWORDS, *VERBS))


def quoted(value: object) -> str:
    """Return JSON on one line, with escapes for what a mail or an editor could change."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if text.isascii() else "".join(c if is_printable(c) else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    raw = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{raw[at]:02x}{raw[at + 1]:02x}" for at in range(0, len(raw), 2))
