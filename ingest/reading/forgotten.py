"""Players who were forgotten: whom they are known by, so that no log brings their names back.

What is kept of them is a list of keyed hashes (HMAC with SHA-256): of their ids, and of the words
that were their names. With the key, which stands in the list, an id or a word can be tried against
it; no name can be read out of it.
"""

from __future__ import annotations

import hmac
import re
import secrets
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

import msgspec

from tricklog.schemas.limits import MAX_NAME

LEAST: Final = 2
"""Characters of a name that is looked for in texts; a single letter stands for too much else."""
_SINGLE: Final = "\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
"""Signs of scripts that put no space between words: each is a word of its own."""
_LAST_MARK: Final = 0x1F000
"""No sign that combines with a letter before it comes after this one."""

_AFTER_SIGNS: Final = 0x1FB00
"""No emoji comes after it."""


class Words(NamedTuple):
    """Some words that follow each other in a text."""

    start: int
    end: int
    folded: str
    """They, folded, with one space between."""


@cache
def _pattern() -> re.Pattern[str]:
    # Vowel signs of Indian scripts are marks, which no class of ``re`` takes for part of a word.
    marks = "".join(
        chr(c) for c in range(0x300, _LAST_MARK) if unicodedata.category(chr(c))[0] == "M"
    )
    marks = re.escape(marks) + "\u200c\u200d"
    return re.compile(rf"[{_SINGLE}][{marks}]*|(?:[^\W_{_SINGLE}]|[{marks}])+")


@cache
def _signs() -> re.Pattern[str]:
    # Emoji and the like, with what joins and colours them.
    kinds = ("S", "M")
    signs = "".join(
        chr(c) for c in range(0x80, _AFTER_SIGNS) if unicodedata.category(chr(c))[0] in kinds
    )
    return re.compile(rf"[{re.escape(signs)}\u200d]+")


@cache
def _plain() -> re.Pattern[str]:
    return re.compile(r"[^\W_]+", re.ASCII)


def folded(word: str) -> str:
    """Return a word as it is compared: whatever its capital letters and the way it is encoded."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())


def name_key(name: str) -> str:
    """Return what a name is found by: its words, folded; empty for one that is not looked for.

    A name without a word is found by its signs.
    """
    key = " ".join(each.folded for each in words_of(name) or signs_of(name))
    return key if len(key) >= LEAST or not key.isalnum() else ""


def name_keys(name: str) -> set[str]:
    """Return all that a name is found by: its words, and these with the signs among them.

    Of ``🦊fox`` no fox is left beside what stands for the word.
    """
    with_signs = " ".join(each.folded for each in tokens_of(name))
    return {name_key(name), with_signs if words_of(name) and signs_of(name) else ""} - {""}


def length_of(key: str) -> int:
    """Return how many words a name has."""
    return key.count(" ") + 1


def words_of(text: str) -> list[Words]:
    """Return the words of a text one by one."""
    return [Words(found.start(), found.end(), folded(found[0])) for found in _matches(text)]


def signs_of(text: str) -> list[Words]:
    """Return the emoji and other signs of a text, those that follow each other as one."""
    if text.isascii():
        return []
    found = _signs().finditer(text)
    return [Words(each.start(), each.end(), folded(each[0])) for each in found]


def tokens_of(text: str) -> list[Words]:
    """Return the words and the signs of a text in their order, none of which overlap."""
    found: list[Words] = []
    for each in sorted([*words_of(text), *signs_of(text)]):
        if not found or each.start >= found[-1].end:
            found.append(each)
    return found


def written_key(name: str) -> str:
    """Return a name as it is written, folded, from its first word or sign to its last."""
    tokens = tokens_of(name)
    return folded(name[tokens[0].start : tokens[-1].end]) if tokens else ""


def runs_at(words: list[Words], first: int, longest: int) -> Iterator[Words]:
    """Return the words that begin with that at ``first``, the most first, up to ``longest``."""
    for last in range(min(first + longest, len(words)) - 1, first - 1, -1):
        folded_run = " ".join(word.folded for word in words[first : last + 1])
        yield Words(words[first].start, words[last].end, folded_run)


def _matches(text: str) -> Iterator[re.Match[str]]:
    return (_plain() if text.isascii() else _pattern()).finditer(text)


STAND_IN: Final = "forgotten"
"""What the ids begin with that are put in the place of others; no name is looked for that is it."""
SOMEBODY: Final = "somebody"
"""What stands in a text for a name that several who were forgotten had."""
_DIGITS: Final = 32
_OWN_DIGITS: Final = 6
"""Characters that keep two ids apart which differ in a name alone."""
_MOST_KNOWN: Final = 200_000
"""Words whose hashes are held in memory."""
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}"
    r"|U00(?:0[0-9a-f]|10)[0-9a-f]{4}|x[0-9a-f]{2}|.)",
    re.DOTALL,
)
"""How JSON, and Python in sentences that quote something, write one sign."""
_MOST_ESCAPED: Final = MAX_NAME * len(r"\u0041")
"""Characters of a name of which each is written as an escape."""
_NO_SIGN: Final = "\ufffd"
MOST_NESTED: Final = 20
"""How deep JSON may lie in texts of JSON; a level deeper, a sign has twice as many escapes."""


class ForgottenPlayer(msgspec.Struct, frozen=True):
    """One id that was forgotten."""

    number: int
    """Its own, from 1: ``forgotten-1`` stands in its place."""
    id: str
    """Keyed hash of the id."""
    words: tuple[str, ...] = ()
    """Keyed hashes of what is looked for in texts: the id and the names, as folded words."""
    shared: tuple[str, ...] = ()
    """Those of them that somebody else is called as well: looked for only at the table."""


class ForgottenList(msgspec.Struct, frozen=True):
    """All that is kept of those who were forgotten."""

    key: str
    longest: int = 1
    """Words of the longest name."""
    players: tuple[ForgottenPlayer, ...] = ()
    longer: tuple[str, ...] = ()
    """Keyed hashes of names of others, as they are written, with one on the list within them."""
    longer_lengths: tuple[int, ...] = ()
    """How many words and signs these have."""
    unfinished: tuple[int, ...] = ()
    """The numbers of those who are still to be found in what is kept."""


class AtTable(NamedTuple):
    """Who sits at a table, as far as texts about it are concerned."""

    numbers: frozenset[int]
    """Of those at it who were forgotten."""
    called: dict[str, str]
    """What they are called there, folded, and what takes its place."""
    others: frozenset[str]
    """What the others there are called, folded."""
    written: frozenset[str]
    """The same as it is written, folded."""


NOBODY: Final = AtTable(frozenset(), {}, frozenset(), frozenset())


def new_list() -> ForgottenList:
    """Return a list of nobody, with a key of its own."""
    return ForgottenList(key=secrets.token_hex(32))


def stand_in(number: int) -> str:
    """Return the id that is put in the place of a player's."""
    return f"{STAND_IN}-{number}"


@dataclass(frozen=True, slots=True)
class _Word:
    numbers: frozenset[int]
    is_shared: bool


@dataclass(slots=True)
class Forgotten:
    """A list at work: what becomes of ids, names and texts."""

    listed: ForgottenList
    _key: bytes = b""
    _ids: dict[str, int] = field(default_factory=dict)
    _words: dict[str, _Word] = field(default_factory=dict)
    _longer: frozenset[str] = frozenset()
    _known_ids: dict[str, int | None] = field(default_factory=dict)
    _known_words: dict[str, _Word | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Turn the list into what is looked up."""
        self._key = bytes.fromhex(self.listed.key)
        self._longer = frozenset(self.listed.longer)
        for player in self.listed.players:
            self._ids[player.id] = player.number
            for hashes, is_shared in ((player.words, False), (player.shared, True)):
                for each in hashes:
                    before = self._words.get(each)
                    numbers = frozenset([player.number]) | (
                        before.numbers if before else frozenset()
                    )
                    # What one of them was called alone is looked for everywhere.
                    shared = is_shared and (before is None or before.is_shared)
                    self._words[each] = _Word(numbers, shared)

    # --- The list

    def with_player(
        self, player: str, names: Iterable[str], called_alike: Collection[str], number: int
    ) -> ForgottenList:
        """Return the list with one player more, or with more that a player on it is called.

        ``called_alike``: folded names of people who are not forgotten.
        """
        keys = {key for name in (player, *names) for key in name_keys(name)} - {STAND_IN, SOMEBODY}
        before = next((each for each in self.listed.players if each.number == number), None)
        alone = {self._hash("word", key) for key in keys if key not in called_alike}
        shared = {self._hash("word", key) for key in keys if key in called_alike}
        if before:
            shared |= set(before.shared) - alone
            alone |= set(before.words)
        added = ForgottenPlayer(
            number,
            self._hash("id", composed(player)),
            tuple(sorted(alone)),
            tuple(sorted(shared - alone)),
        )
        others = (each for each in self.listed.players if each.number != number)
        return msgspec.structs.replace(
            self.listed,
            players=tuple(sorted((*others, added), key=lambda each: each.number)),
            longest=max([self.listed.longest, *map(length_of, keys)]),
            unfinished=tuple(sorted({*self.listed.unfinished, number})),
        )

    def with_longer(self, names: Iterable[str]) -> ForgottenList:
        """Return the list with those names of others that have one on it within them."""
        longer = set(self.listed.longer)
        lengths = set(self.listed.longer_lengths)
        for name in names:
            if any(self._holds_within(name, words) for words in (words_of(name), signs_of(name))):
                longer.add(self._hash("longer", written_key(name)))
                lengths.add(len(tokens_of(name)))
        return msgspec.structs.replace(
            self.listed, longer=tuple(sorted(longer)), longer_lengths=tuple(sorted(lengths))
        )

    def _holds_within(self, name: str, words: list[Words]) -> bool:
        """Return whether a name on the list is a part of another one, given words of that."""
        whole = tokens_of(name)
        return any(
            self.word(run.folded) and (run.start, run.end) != (whole[0].start, whole[-1].end)
            for place in range(len(words))
            for run in runs_at(words, place, self.listed.longest)
        )

    def _hash(self, kind: str, text: str) -> str:
        said = f"{kind}\n{text}".encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, said, "sha256").hex()[:_DIGITS]

    # --- Looking up

    @property
    def stand_ins(self) -> frozenset[str]:
        """The ids that stand in the place of those who were forgotten."""
        return frozenset(stand_in(player.number) for player in self.listed.players)

    def number_of(self, player: str) -> int | None:
        """Return the number of a player who was forgotten, by their id; ``None`` for another."""
        if player not in self._known_ids:
            if len(self._known_ids) > _MOST_KNOWN:
                self._known_ids.clear()
            # Lists of earlier versions have the hash of an id as it was written.
            hashes = (self._hash("id", each) for each in (composed(player), player))
            found = (self._ids[each] for each in hashes if each in self._ids)
            self._known_ids[player] = next(found, None)
        return self._known_ids[player]

    def id_of(self, player: str) -> str:
        """Return the id that stands for a player: another one for those who were forgotten."""
        number = self.number_of(player)
        return player if number is None else stand_in(number)

    def word(self, folded: str) -> _Word | None:
        """Return whose name some folded words were, ``None`` where they were nobody's."""
        if folded not in self._known_words:
            if len(self._known_words) > _MOST_KNOWN:
                self._known_words.clear()
            self._known_words[folded] = self._words.get(self._hash("word", folded))
        return self._known_words[folded]

    def _instead_of(self, folded: str, table: AtTable) -> str | None:
        """Return what stands in the place of some words; ``None`` where they stay."""
        if folded in table.called:
            return table.called[folded]
        found = None if folded in table.others else self.word(folded)
        if found is None:
            return None
        here = found.numbers & table.numbers
        if found.is_shared and not here:
            return None
        meant = here or found.numbers
        return stand_in(*meant) if len(meant) == 1 else SOMEBODY

    def is_of_longer(self, text: str, start: int, end: int, table: AtTable = NOBODY) -> bool:
        """Return whether a name in a text is but a part of what somebody else is called.

        ``anna`` is in ``anna-lisa``, also where escapes write that, and not in ``anna, lisa``.
        """
        at_table = (len(tokens_of(each)) for each in table.written)
        lengths = {*self.listed.longer_lengths, *at_table} - {1}
        return bool(lengths) and self._is_of_longer(text, start, end, lengths, table)

    def _is_of_longer(
        self,
        text: str,
        start: int,
        end: int,
        lengths: Collection[int],
        table: AtTable,
        nested: int = 0,
    ) -> bool:
        near = text[max(0, start - MAX_NAME - 1) : end + MAX_NAME + 1]
        before = min(start, MAX_NAME + 1)
        for written in _around(near, before, before + end - start, lengths):
            if written in table.written or self._hash("longer", written) in self._longer:
                return True
        near = text[max(0, start - _MOST_ESCAPED) : end + _MOST_ESCAPED]
        if "\\" not in near or nested == MOST_NESTED:
            return False
        plain, place_of = unescaped(near)
        before = min(start, _MOST_ESCAPED)
        first, last = (
            bisect_left(range(len(plain) + 1), place, key=place_of)
            for place in (before, before + end - start)
        )
        return plain != near and self._is_of_longer(plain, first, last, lengths, table, nested + 1)

    # --- Texts

    def in_text(self, text: str, table: AtTable = NOBODY) -> str:
        """Return a text with something else in the place of every name; the same where none is.

        A name is found as it stands, and as escapes write it, however deep JSON lies in JSON; what
        escapes there are around it stay as they are.
        """
        return _with_others(text, self._named_within(text, table))

    def _named_within(
        self, text: str, table: AtTable, nested: int = 0
    ) -> list[tuple[int, int, str]]:
        """Return where names stand in a text, or in what its escapes write."""
        found = self._named_in(text, table)
        if "\\" in text and nested < MOST_NESTED:
            plain, place_of = unescaped(text)
            if plain != text:
                found += [
                    (place_of(start), place_of(end), other)
                    for start, end, other in self._named_within(plain, table, nested + 1)
                ]
        return found

    def _named_in(self, text: str, table: AtTable) -> list[tuple[int, int, str]]:
        """Return where names stand in a text, and what takes their place."""
        found: list[tuple[int, int, str]] = []
        longest = max([self.listed.longest, *map(length_of, table.called)])
        plain, signs = words_of(text), signs_of(text)
        for words in (plain, signs, tokens_of(text) if plain and signs else []):
            place = 0
            while place < len(words):
                for run in runs_at(words, place, longest):
                    instead = self._instead_of(run.folded, table)
                    if instead is not None:
                        if not self.is_of_longer(text, run.start, run.end, table):
                            found.append((run.start, run.end, instead))
                        place += length_of(run.folded)
                        break
                else:
                    place += 1
        return found

    def in_id(self, name: str) -> str:
        """Return the id of a hand or a game without names in it.

        What is added keeps apart what differed in a name, and is the same for the same id.
        """
        new = self.in_text(name)
        if new == name:
            return name
        own = self._hash("own", name)
        new = f"{new}.{own[:_OWN_DIGITS]}"
        return new if len(new) <= MAX_NAME else f"{STAND_IN}-{own}"

    def in_bytes(self, text: bytes) -> bytes:
        """Return bytes that may be any text, as JSON with escapes, without names in them."""
        read = text.decode("utf-8", "surrogateescape")
        new = self.in_text(read)
        return text if new == read else new.encode("utf-8", "surrogateescape")

    def in_each(self, texts: Sequence[str]) -> list[str]:
        """Return several texts, such as paths, without names in them."""
        return [self.in_text(each) for each in texts]


def _with_others(text: str, named: Iterable[tuple[int, int, str]]) -> str:
    """Return a text with others in the place of names; of some that overlap, that of the first."""
    parts: list[str] = []
    done = 0
    for start, end, instead in sorted(named, key=lambda each: (each[0], -each[1])):
        if start >= done:
            parts += [text[done:start], instead]
        done = max(done, end)
    return "".join([*parts, text[done:]])


def _around(text: str, start: int, end: int, lengths: Iterable[int]) -> Iterator[str]:
    """Return, folded, what of a text is around a place in it, in so many words and signs."""
    tokens = tokens_of(text)
    first = sum(each.end <= start for each in tokens)
    last = sum(each.end < end for each in tokens)
    for length in lengths:
        if length <= last - first + 1:
            continue
        for begin in range(max(0, last - length + 1), min(first, len(tokens) - length) + 1):
            yield folded(text[tokens[begin].start : tokens[begin + length - 1].end])


def composed(text: str) -> str:
    """Return a text in the one form of Unicode in which what looks alike is alike."""
    return unicodedata.normalize("NFC", text)


def unescaped(text: str) -> tuple[str, Callable[[int], int]]:
    """Return a text with the signs in it that escapes stand for.

    With it comes what tells where a place in the result is in the text.
    """
    parts: list[str] = []
    plain, written = [0], [0]
    for found in _ESCAPE.finditer(text):
        before = text[written[-1] : found.start()]
        parts += [before, _sign(found[0])]
        plain.append(plain[-1] + len(before) + 1)
        written.append(found.end())

    def place_of(place: int) -> int:
        part = bisect_right(plain, place) - 1
        return written[part] + place - plain[part]

    return "".join([*parts, text[written[-1] :]]), place_of


def _sign(escape: str) -> str:
    """Return the sign that an escape stands for; none of a word where it is no escape."""
    if escape[1] in "xU" and len(escape) > len(r"\x"):
        return escape.encode().decode("unicode_escape")
    try:
        return str(msgspec.json.decode(f'"{escape}"'))
    except (msgspec.DecodeError, UnicodeError):
        return _NO_SIGN
