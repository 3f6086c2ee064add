"""Whether anything names somebody who was forgotten: every byte that is kept is searched.

Each file is read as what it is: all columns of all tables of a database or a Parquet file, the
texts that it packs unpacked, JSON and logs as text, archives unpacked. Whole words count in texts,
and the whole value where a column holds nothing but an id. Then the bytes of the file as they lie
on the disk are searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import chain
from pathlib import Path
from typing import Final

from tests.kit.texts_in_files import Cell, cells_of, read_out
from tricklog.ingest.forgetting.whom import people_of
from tricklog.ingest.reading.forgotten import MOST_NESTED, Forgotten
from tricklog.ingest.reading.own_words import around_rules, names_of_rules, own_words, parts_of
from tricklog.ingest.reading.spoken_words import (
    LEAST,
    folded,
    length_of,
    name_key,
    runs_at,
    signs_of,
    words_of,
)
from tricklog.ingest.store import forgotten as lists
from tricklog.ingest.store.warehouse import first_line
from tricklog.ingest.warehouses import open_snapshot
from tricklog.schemas.limits import MAX_NAME

RAW_LEAST: Final = 5
"""Bytes of a name that is looked for in packed bytes, where shorter ones turn up by chance."""
_PIECE: Final = 1 << 22
"""Bytes of a file that are searched at a time."""
MOST_PLACES: Final = 50
"""Places that are told one by one."""
ID_COLUMNS: Final = frozenset(
    {"id", "player", "players", "partner", "opponent", "people", "subject", "stands_for"}
)
"""Columns and fields that hold ids of players."""
OWN_COLUMNS: Final = frozenset(
    {
        *("alone_by", "code", "deal", "deeds", "details", "digest", "fingerprint", "hint", "kind"),
        *("legal", "options", "policies", "reason", "result", "rule", "ruleset", "scored_in"),
        *("scope", "status", "tricklog", "unit", "variant", "verdict", "no_score", "page"),
    }
)
"""Columns and fields in which only words of Tricklog's can stand: codes, rules, cards."""
SENTENCES: Final = frozenset({"doubts", "facts", "message"})
"""Columns with sentences of Tricklog's, which name players."""
NAMES_OF_RULES: Final = frozenset({"title", "family", "extends"})
"""Columns with names of rules, those that come with Tricklog or a table's own."""
WITH_RULES: Final = frozenset({"rules", "text", "content"})
"""Columns with rules or whole lines as JSON."""
LOGS: Final = tuple(
    f"{ending}{packed}"
    for ending in (".jsonl", ".ndjson", ".trick")
    for packed in ("", ".gz", ".zst")
)
"""How the names of logs end, which stay as they are."""


class Kind(Enum):
    """What a text holds."""

    NOTHING = auto()
    NAME = auto()
    OF_OTHERS = auto()
    OWN = auto()
    PART = auto()


@dataclass(frozen=True, slots=True)
class Place:
    """Where something that was to be forgotten is still to be found."""

    file: str
    where: str
    """Table and column, the line, or the byte."""
    what: str
    """``id``, ``name`` or ``bytes``."""


@dataclass(slots=True)
class Searched:
    """What was searched, and what was found."""

    hits: int = 0
    places: list[Place] = field(default_factory=list)
    """The first of them."""
    of_others: int = 0
    """Texts with a name that somebody else has as well, or that is part of somebody else's."""
    own_words: int = 0
    """Sentences of Tricklog's with a word of its own that is a name as well, such as jack."""
    parts: int = 0
    """Texts with a longer word that holds a name, such as Annamaria for Ann."""
    logs: list[str] = field(default_factory=list)
    """Logs that are kept below the warehouse, and still name the player."""
    unread: list[str] = field(default_factory=list)
    """Files that could not be read as what they are; their bytes were searched all the same."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found, in files that could all be read."""
        return not (self.hits or self.unread)

    def add(self, other: Searched) -> None:
        """Add what was found in another file."""
        self.hits += other.hits
        self.places += other.places[: MOST_PLACES - len(self.places)]
        self.of_others += other.of_others
        self.own_words += other.own_words
        self.parts += other.parts

    def note(self, place: Place) -> None:
        """Count a hit."""
        self.hits += 1
        if len(self.places) < MOST_PLACES:
            self.places.append(place)


def searched(db: Path, *needles: str) -> Searched:
    """Search a warehouse in a folder, or a lake there, for those who were forgotten in it.

    ``needles`` are their ids and names as they were.
    """
    listed = lists.read(db)
    assert listed
    with open_snapshot(db, once=True) as tables:
        people = people_of(tables)
    called = {name_key(name) for each, names in people.names.items() for name in (each, *names)}
    return Search(Forgotten(listed), needles, frozenset(called - {""})).files(db)


class Search:
    """What is searched for: all on a list, and names in plain where these are known."""

    def __init__(
        self, forgotten: Forgotten, needles: Sequence[str], called_alike: frozenset[str]
    ) -> None:
        """``called_alike``: folded names of those who are not forgotten."""
        self._forgotten = forgotten
        self._called_alike = called_alike
        keys = [name_key(each) for each in needles]
        self._longest = max([forgotten.listed.longest, *map(length_of, keys)])
        self._whole = [folded(each) for each in needles]
        raw = {each.encode() for each in needles if len(each.encode()) >= RAW_LEAST}
        self._raw = [re.compile(re.escape(each), re.IGNORECASE) for each in sorted(raw)]
        self._overlap = max(map(len, raw), default=1)
        self._is_own_in_file = False
        """Whether a name stands in the file as a word of Tricklog's, whose bytes say no more."""

    def files(self, root: Path) -> Searched:
        """Search all files below a folder."""
        found = Searched()
        for path in sorted(each for each in root.rglob("*") if each.is_file()):
            self._file(path, str(path.relative_to(root)), found)
        return found

    def _file(self, path: Path, name: str, found: Searched) -> None:
        own = Searched()
        self._is_own_in_file = False
        if self._kind(name) is Kind.NAME:
            own.note(Place(name, "the name of the file", "name"))
        try:
            for cell in cells_of(path):
                self._cell(cell, name, own)
        except (OSError, ValueError) as error:
            found.unread.append(f"{name}: {first_line(error)}")
        if not (own.hits or own.parts or own.of_others or own.own_words or self._is_own_in_file):
            for place in self._raw_places(path):
                own.note(Place(name, f"byte {place:,}", "bytes"))
        if own.hits and name.endswith(LOGS):
            found.logs.append(name)
            own.hits, own.places = 0, []
        found.add(own)

    def _cell(self, cell: Cell, file: str, found: Searched, nested: int = 0) -> None:
        text, where, column = cell
        if column in OWN_COLUMNS or (column in NAMES_OF_RULES and text in names_of_rules()):
            self._note_own(text)
            return
        for each in read_out(cell) if nested <= MOST_NESTED else ():
            self._cell(each, file, found, nested + 1)
        if self._is_id(text, column):
            found.note(Place(file, where, "id"))
            return
        kind = self._kind_in(text, column)
        if kind is Kind.NAME:
            found.note(Place(file, where, "name"))
        found.own_words += kind is Kind.OWN
        found.of_others += kind is Kind.OF_OTHERS
        found.parts += kind is Kind.PART

    def _is_id(self, text: str, column: str) -> bool:
        if len(text) > MAX_NAME or self._forgotten.number_of(text) is None:
            return False
        # What is an id of one may be the name of another: then only the column tells.
        return column in ID_COLUMNS or not self._is_of_others(name_key(text))

    def _is_of_others(self, key: str) -> bool:
        word = self._forgotten.word(key)
        return key in self._called_alike or (word is not None and word.is_shared)

    def _kind_in(self, text: str, column: str) -> Kind:
        """Return what the value of a column holds, beside what is Tricklog's own in it."""
        if column in WITH_RULES:
            kinds = set()
            for part, is_own in around_rules(text):
                if is_own:
                    self._note_own(part)
                else:
                    kinds.add(self._kind(part))
            return self._first_of(kinds)
        if column not in SENTENCES:
            return self._kind(text)
        own = own_words()
        if column == "facts":
            return self._kind(text, own)
        return self._first_of(
            self._kind(part, frozenset() if is_filled else own)
            for part, is_filled in parts_of(text)
        )

    def _note_own(self, text: str) -> None:
        if not self._is_own_in_file and self._raw:
            read = text.encode("utf-8", "surrogateescape")
            self._is_own_in_file = any(pattern.search(read) for pattern in self._raw)

    @staticmethod
    def _first_of(kinds: Iterable[Kind]) -> Kind:
        """Return the kind of a text, given those of its parts: what names somebody comes first."""
        found = set(kinds)
        order = (Kind.NAME, Kind.OF_OTHERS, Kind.OWN, Kind.PART)
        return next((kind for kind in order if kind in found), Kind.NOTHING)

    def _kind(self, text: str, own: frozenset[str] = frozenset()) -> Kind:
        """Return what a text holds: a name, one that others have as well, or part of one."""
        found = Kind.NOTHING
        for words in (words_of(text), signs_of(text)):
            runs = (runs_at(words, place, self._longest) for place in range(len(words)))
            for run in chain.from_iterable(runs):
                if self._forgotten.word(run.folded) is None:
                    continue
                if run.folded in own:
                    found = Kind.OWN
                elif self._is_of_others(run.folded) or self._forgotten.is_of_longer(
                    text, run.start, run.end
                ):
                    found = Kind.OF_OTHERS
                else:
                    return Kind.NAME
        if found is Kind.NOTHING:
            plain = folded(text)
            if any(each in plain for each in self._whole if len(each) >= LEAST):
                return Kind.PART
        return found

    def _raw_places(self, path: Path) -> Iterator[int]:
        """Return where the bytes of a file hold a name, whatever they mean there."""
        if not self._raw:
            return
        with path.open("rb") as file:
            at, before = 0, b""
            while piece := file.read(_PIECE):
                text = before + piece
                for pattern in self._raw:
                    yield from (at - len(before) + hit.start() for hit in pattern.finditer(text))
                before, at = (
                    text[-(self._overlap - 1) :] if self._overlap > 1 else b"",
                    at + len(piece),
                )
