"""What users have written about hands and players, without those who were forgotten."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlencode

import msgspec

from tricklog.core.recording.draft import Draft
from tricklog.ingest.reading.forgotten import Forgotten, stand_in
from tricklog.ingest.reading.forgotten_hands import of_players
from tricklog.ingest.recording import keeping
from tricklog.ingest.store import scopes, userdata
from tricklog.ingest.store.marks import LONGEST_NOTE, LONGEST_TAG

_IDS: Final = ("hand", "game")
"""Parameters of an address that name what has an id of its own."""
_ADDRESS: Final = "from"
"""The parameter that holds another address."""
_SCOPE: Final = "whose"
"""The parameter that holds the id of a scope."""
_REMARK: Final = "remark "


@dataclass(slots=True)
class Written:
    """How much of what users have written is another thing now."""

    removed_notes: int = 0
    """Notes about the player, which are gone."""
    notes: int = 0
    """Notes about hands in which a name was replaced."""
    hands: int = 0
    """Tags, notes and answers that belong to hands with another record."""
    tags: int = 0
    views: int = 0
    scopes: int = 0
    aliases: int = 0
    answers: int = 0
    """Answers given under a name that was forgotten."""
    mappings: int = 0
    """Settings of score sheets whose columns are named after somebody, which are gone."""
    evenings: int = 0
    """Evenings that were being recorded, or were, with somebody at the table."""


def rewrite(folder: Path, forgotten: Forgotten, hashes: Mapping[str, str]) -> Written:
    """Replace the names in what users have written, and let it belong to the new records of hands.

    ``hashes``: the content hash of the new record of a hand by that of the old one. What it finds
    done already it leaves as it is. Raises ``UserDataError`` and ``KeepingError`` where that cannot
    be written.
    """
    written = Written()
    if userdata.user_file(folder).exists() or userdata.copy_of(userdata.user_file(folder)).exists():
        with userdata.writing(folder) as connection:
            _Rewriting(connection, forgotten, written).rewrite(hashes)
        userdata.purge(folder)
    for path in _evenings_in(folder):
        written.evenings += _rewrite_evening(path, forgotten)
    return written


class _Rewriting:
    def __init__(self, connection: sqlite3.Connection, forgotten: Forgotten, to: Written) -> None:
        self.connection = connection
        self.forgotten = forgotten
        self.written = to
        self.scopes: dict[str, str] = {}
        """The new id of a scope by the old one."""

    def rewrite(self, hashes: Mapping[str, str]) -> None:
        self._hands(hashes)
        self._notes()
        written = self.written
        written.tags = self._replace(
            "tags", "tag", lambda tag: self.forgotten.in_text(tag)[:LONGEST_TAG], "content_hash"
        )
        written.answers = self._replace("practice", "who", self._name, "content_hash", "action")
        written.aliases = self._replace("aliases", "player", self.forgotten.id_of)
        self._replace("aliases", "stands_for", self.forgotten.id_of, "player")
        self._scopes()
        self._views()
        self._mappings()

    def _hands(self, hashes: Mapping[str, str]) -> None:
        """Let tags, notes and answers belong to the new records of their hands."""
        marked = {
            found
            for (found,) in self.connection.execute(
                "SELECT content_hash FROM tags UNION SELECT content_hash FROM practice "
                "UNION SELECT subject FROM notes WHERE about = 'hand'"
            )
        }
        for old in sorted(marked & hashes.keys()):
            new = hashes[old]
            for sql in _OF_HAND:
                self.written.hands += self.connection.execute(sql, (new, old)).rowcount
            for sql in _LEFT_OF_HAND:
                self.connection.execute(sql, (old,))

    def _notes(self) -> None:
        rows = self.connection.execute("SELECT note_id, about, subject, note FROM notes").fetchall()
        for key, about, subject, note in rows:
            if about == "player" and self.forgotten.number_of(subject) is not None:
                self.connection.execute("DELETE FROM notes WHERE note_id = ?", (key,))
                self.written.removed_notes += 1
                continue
            new = self.forgotten.in_text(note)[:LONGEST_NOTE]
            if new != note:
                self.connection.execute("UPDATE notes SET note = ? WHERE note_id = ?", (new, key))
                self.written.notes += 1

    def _replace(self, table: str, column: str, become: Callable[[str], str], *beside: str) -> int:
        """Put other texts into a column; a row that is there already takes the place of both."""
        names = ", ".join([column, *beside])
        same = " AND ".join(f"{name} = ?" for name in (column, *beside))
        changed = 0
        for old, *others in self.connection.execute(f"SELECT {names} FROM {table}").fetchall():  # noqa: S608 - names of our own
            new = become(old)
            if new == old:
                continue
            key = (old, *others)
            sql = f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {same}"  # noqa: S608 - names of our own
            if not self.connection.execute(sql, (new, *key)).rowcount:
                self.connection.execute(f"DELETE FROM {table} WHERE {same}", key)  # noqa: S608 - names of our own
            changed += 1
        return changed

    def _name(self, name: str) -> str:
        """Return the name under which somebody answers: it may be an id."""
        number = self.forgotten.number_of(name)
        return self.forgotten.in_text(name) if number is None else stand_in(number)

    def _scopes(self) -> None:
        for key, text in self.connection.execute("SELECT scope_id, scope FROM scopes").fetchall():
            scope = scopes.from_text(text)
            people = tuple(map(self.forgotten.id_of, scope.people))
            if people == scope.people:
                continue
            new = replace(scope, people=people)
            self.scopes[key] = new.scope_id
            self.connection.execute(
                "UPDATE OR REPLACE scopes SET scope_id = ?, scope = ? WHERE scope_id = ?",
                (new.scope_id, scopes.as_text(new), key),
            )
        self.written.scopes = len(self.scopes)

    def _views(self) -> None:
        rows = self.connection.execute("SELECT view_id, name, query FROM views").fetchall()
        names = {name for _, name, _ in rows}
        for key, name, text in rows:
            query = msgspec.json.decode(text, type=dict[str, list[str]])
            new_query = self._query(query)
            new_name = self.forgotten.in_text(name)[: userdata.LONGEST_NAME]
            if new_query == query and new_name == name:
                continue
            while new_name != name and new_name in names:
                new_name = f"{new_name[: userdata.LONGEST_NAME - 4]} ({key})"
            names.add(new_name)
            self.connection.execute(
                "UPDATE views SET name = ?, query = ? WHERE view_id = ?",
                (new_name, msgspec.json.encode(new_query).decode(), key),
            )
            self.written.views += 1

    def _query(self, query: Mapping[str, list[str]]) -> dict[str, list[str]]:
        return {
            key: [self._parameter(key, value) for value in values] for key, values in query.items()
        }

    def _parameter(self, key: str, value: str) -> str:
        if key == _SCOPE:
            return self.scopes.get(value, value)
        if key == _ADDRESS:
            page, mark, query = value.partition("?")
            told = parse_qs(query, keep_blank_values=True)
            new = self._query(told)
            return value if new == told else f"{page}{mark}{urlencode(new, doseq=True)}"
        if key in _IDS:
            return self.forgotten.in_id(value)
        return self._name(value)

    def _mappings(self) -> None:
        with suppress(sqlite3.OperationalError):
            rows = self.connection.execute("SELECT header, settings FROM sheet_mappings").fetchall()
            for header, settings in rows:
                if self.forgotten.in_each([header, settings]) != [header, settings]:
                    self.connection.execute(
                        "DELETE FROM sheet_mappings WHERE header = ?", (header,)
                    )
                    self.written.mappings += 1


def people_in(folder: Path) -> Iterator[tuple[str, str | None]]:
    """Return id and name of everybody in evenings being recorded. Raises ``KeepingError``."""
    for path in _evenings_in(folder):
        if kept := keeping.read_file(path):
            for draft in (*kept.evening.done, kept.evening.draft):
                yield from ((player.id, player.name or None) for player in draft.players)


def _evenings_in(folder: Path) -> list[Path]:
    return sorted((folder / keeping.FOLDER / "evenings").glob("*.json"))


def _rewrite_evening(path: Path, forgotten: Forgotten) -> bool:
    kept = keeping.read_file(path)
    if kept is None:
        return False
    evening = kept.evening
    new = msgspec.structs.replace(
        evening,
        id=forgotten.in_id(evening.id),
        done=tuple(_in_draft(each, forgotten) for each in evening.done),
        draft=_in_draft(evening.draft, forgotten),
        later=evening.later and _in_draft(evening.later, forgotten),
    )
    log = forgotten.in_text(kept.log)
    if new == evening and log == kept.log:
        return False
    changed = msgspec.structs.replace(kept, evening=new, log=log)
    keeping.write_file(path, changed, builds_on=kept.revision)
    return True


def _in_draft(draft: Draft, forgotten: Forgotten) -> Draft:
    """Return a hand that is being recorded, in which nobody is named who was forgotten."""
    # Of what was chosen only a remark holds words of people.
    choices, undone = (
        tuple(forgotten.in_text(each) if each.startswith(_REMARK) else each for each in chosen)
        for chosen in (draft.choices, draft.undone)
    )
    return msgspec.structs.replace(
        draft,
        id=forgotten.in_id(draft.id),
        game=forgotten.in_id(draft.game),
        players=tuple(of_players(draft.players, forgotten)),
        choices=choices,
        undone=undone,
    )


_OF_HAND: Final = (
    "UPDATE OR IGNORE tags SET content_hash = ? WHERE content_hash = ?",
    "UPDATE OR IGNORE practice SET content_hash = ? WHERE content_hash = ?",
    "UPDATE notes SET subject = ? WHERE about = 'hand' AND subject = ?",
)
_LEFT_OF_HAND: Final = (
    "DELETE FROM tags WHERE content_hash = ?",
    "DELETE FROM practice WHERE content_hash = ?",
)
