"""What becomes of a snapshot when somebody on a list is forgotten: the rows that are other ones.

They are set aside in a database of their own, which is put beside the snapshot when the next one is
written. What the list does not touch is not read by row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
import pyarrow as pa
from duckdb import DuckDBPyConnection

from tricklog.ingest.loading.staging import TEXTS
from tricklog.ingest.reading.forgotten import NOBODY, AtTable, Forgotten
from tricklog.ingest.reading.forgotten_hands import (
    in_line,
    in_message,
    in_sentences,
    in_value,
    names_of_rules,
    of_hand,
    of_players,
    of_rules,
    table_of,
)
from tricklog.ingest.reading.intake import key_of_reject
from tricklog.ingest.reading.reader import parse_line
from tricklog.ingest.reading.rejects import Trouble
from tricklog.ingest.store import database, long_texts, publishing, record_codec, rows, warehouse
from tricklog.ingest.store.warehouse import RecordError
from tricklog.schemas.hand import Hand, Player, RulesRef, content_hash, encode_hand

DATABASE: Final = "changes"
_BATCH: Final = 2_000
_HAND_TYPES: Final = {
    "hand_no": pa.int64(),
    "old_id": pa.string(),
    "old_hash": pa.string(),
    "hand_id": pa.string(),
    "content_hash": pa.string(),
    "game": pa.string(),
    "tail": pa.string(),
}
_RULE_TYPES: Final = {"ruleset": pa.string(), "title": pa.string(), "family": pa.string()}
_REJECT_TYPES: Final = {"old": pa.string(), **rows.REJECT_TYPES}
_TABLES: Final = {
    "hands": _HAND_TYPES,
    "seatings": rows.SEATING_TYPES,
    "files": {"old": pa.string(), "new": pa.string()},
    "imports": {"import_id": pa.int32(), "paths": pa.list_(pa.string())},
    "rulesets": _RULE_TYPES,
    "rejects": _REJECT_TYPES,
    "texts": {"content": pa.binary()},
    "suspects": {"hand_no": pa.int64()},
}
_RULES: Final = msgspec.json.Decoder(RulesRef)


class _Told(msgspec.Struct, frozen=True):
    """What of a hand may name people, and stands at the end of its tail."""

    notes: Any
    remark: Any
    ext: Any


@dataclass(frozen=True, slots=True)
class Changes:
    """How many rows of a snapshot become others; they lie in the database ``path``."""

    path: Path
    hands: int
    """Hands with another record: somebody forgotten sits there, or a text names them."""
    sat: int
    """Those of them at whose table they sat."""
    rejects: int
    paths: int
    """Names of logs, and loads, whose paths name them."""
    others: int
    """Rules, and tables of players."""

    def __bool__(self) -> bool:
        return any((self.hands, self.rejects, self.paths, self.others))


def find(snapshot: Path, forgotten: Forgotten, path: Path) -> Changes:
    """Set aside what becomes of a snapshot in a new database ``path``; see ``Changes``.

    Raises ``WarehouseError`` for a snapshot that cannot be read.
    """
    warehouse.open_file(snapshot, once=True).close()
    with (
        database.connect(path, memory_limit=publishing.MEMORY_LIMIT) as connection,
        database.interruptible(connection),
    ):
        database.attach(connection, "stored", snapshot)
        return _Finding(connection, forgotten, path).find()


def hashes_of(found: Changes) -> dict[str, str]:
    """Return the content hash of the new record of each hand by that of the old one."""
    with closing(database.connect(found.path)) as connection:
        rows_found = connection.execute("SELECT old_hash, content_hash FROM hands").fetchall()
    return {old: new for old, new in rows_found if old != new}


def logs_of(found: Changes, snapshot: Path) -> dict[str, int]:
    """Return the logs that hands came from which become others, and how many from each."""
    with closing(database.connect(found.path)) as connection:
        database.attach(connection, "stored", snapshot)
        rows_found = connection.execute(
            "SELECT file, count(*) FROM stored.hands SEMI JOIN hands USING (hand_no) "
            "GROUP BY file ORDER BY 2 DESC, 1"
        ).fetchall()
    return dict(rows_found)


class _Finding:
    def __init__(self, connection: DuckDBPyConnection, forgotten: Forgotten, path: Path) -> None:
        self.connection = connection
        self.forgotten = forgotten
        self.path = path
        for table, types in _TABLES.items():
            empty = rows.to_table(types, [])  # noqa: F841 - DuckDB finds it by its name
            connection.execute(f"CREATE TABLE {table} AS FROM empty")

    def find(self) -> Changes:
        sat: list[int] = []
        columns = list(rows.SEATING_TYPES)
        query = f"SELECT {', '.join(columns)} FROM stored.seatings"  # noqa: S608 - names of our own
        self._put_new("seatings", query, partial(self._new_seating, sat), [columns.index("rules")])
        query = "SELECT ruleset, title, family FROM stored.rulesets"
        self._put_new("rulesets", query, self._new_ruleset)
        # Hands in which something may have to be replaced.
        self.connection.execute(_SUSPECTS, {"texts": TEXTS})
        query = "SELECT hand_no, hand_id, game FROM stored.hands"
        self._put_new("suspects", query, self._suspected)
        places = [_BEFORE_RECORD + place for place in record_codec.LONG_PLACES]
        self._put_new("hands", _HANDS, self._new_hand, places)
        query = "SELECT file FROM stored.hands UNION SELECT file FROM stored.rejects"
        self._put_new("files", query, self._new_file)
        self._put_new("imports", "SELECT import_id, paths FROM stored.imports", self._new_import)
        columns = list(rows.REJECT_TYPES)
        query = f"SELECT {', '.join(columns)} FROM stored.rejects"  # noqa: S608 - names of our own
        self._put_new("rejects", query, self._new_reject, [columns.index("text")])
        found = {
            table: self.connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0]  # noqa: S608 - names of our own
            for table in _TABLES
        }
        ((of_them,),) = self.connection.execute(
            "SELECT count(*) FROM hands JOIN stored.hands AS s USING (hand_no) "
            "WHERE list_contains($sat::INTEGER[], s.seating_id)",
            {"sat": sat},
        ).fetchall()
        paths = found["files"] + found["imports"]
        others = found["rulesets"] + found["seatings"]
        return Changes(self.path, found["hands"], of_them, found["rejects"], paths, others)

    def _put(self, table: str, found: Sequence[rows.Row]) -> None:
        if found:
            new = rows.to_table(_TABLES[table], found)  # noqa: F841 - DuckDB finds it by its name
            self.connection.execute(f"INSERT INTO {table} BY NAME FROM new")

    def _put_new(
        self,
        table: str,
        query: str,
        new_of: Callable[[rows.Row], rows.Row | None],
        places: Sequence[int] = (),
    ) -> None:
        """Set aside what rows of the snapshot become, where they become others.

        ``places`` are those of columns with texts that may be long.
        """
        found = self.connection.cursor().execute(query)
        reading = self.connection.cursor()
        while batch := found.fetchmany(_BATCH):
            told = long_texts.with_texts(reading, batch, places, "stored.")
            self._put(table, [new for row in told if (new := new_of(row))])

    def _kept_text(self, text: bytes) -> bytes:
        """Return what a row holds of a text, which is set aside where it is long."""
        stored = long_texts.stored_form(text)
        if stored != text:
            self._put("texts", [(text,)])
        return stored

    # --- Rows of the tables one by one

    def _new_seating(self, sat: list[int], row: rows.Row) -> rows.Row | None:
        """Return what becomes of a seating; note in ``sat`` that somebody sits there."""
        number, ruleset, rules, people, sides = row
        players = [player_of(each) for each in people]
        new_players = of_players(players, self.forgotten)
        new_rules = rules
        if rules and '"definition":' in rules:
            named = _RULES.decode(rules)
            new = of_rules(named, self.forgotten)
            if new is not named:
                new_rules = msgspec.json.encode(new, order="deterministic").decode()
        if new_players != players:
            sat.append(number)
        elif new_rules == rules:
            return None
        kept = self._kept_text(new_rules.encode()).decode() if new_rules else new_rules
        told = [
            {"id": each.id, "name": each.name or None, "kind": each.kind or None}
            for each in new_players
        ]
        return number, ruleset, kept, told, sides

    def _new_ruleset(self, row: rows.Row) -> rows.Row | None:
        key, *words = row
        known = names_of_rules()
        new = [each if each in known else self.forgotten.in_text(each) for each in words]
        return (key, *new) if new != words else None

    def _suspected(self, row: rows.Row) -> rows.Row | None:
        number, *names = row
        is_other = any(name and self.forgotten.in_text(name) != name for name in names)
        return (number,) if is_other else None

    def _new_hand(self, row: rows.Row) -> rows.Row | None:
        number, old_hash, people, *columns = row
        hand_id, game = columns[0], columns[1]
        old_tail = columns[record_codec.LONG_PLACES[1]]
        try:
            _, hand = warehouse.read_record(tuple(columns))
        except RecordError:
            # It makes no record any more, and has other words all the same.
            table = table_of([player_of(each) for each in people], self.forgotten)
            tail = self.forgotten.in_text(old_tail or "", table)
            new_id, new_hash = self.forgotten.in_id(hand_id), old_hash
            new_game = game and self.forgotten.in_id(game)
        else:
            new = of_hand(hand, self.forgotten)
            if new is hand:
                return None
            tail = tail_with(old_tail, hand, new)
            new_id, new_hash, new_game = new.id, content_hash(new), new.game or None
        stored = self._kept_text(tail.encode()).decode()
        return number, hand_id, old_hash, new_id, new_hash, new_game, stored

    def _new_file(self, row: rows.Row) -> rows.Row | None:
        new = self.forgotten.in_text(row[0])
        return (row[0], new) if new != row[0] else None

    def _new_import(self, row: rows.Row) -> rows.Row | None:
        new = self.forgotten.in_each(row[1])
        return (row[0], new) if new != row[1] else None

    def _new_reject(self, row: rows.Row) -> rows.Row | None:
        old, file, line, byte, code, pointer, message, hint, text = row
        file, pointer = self.forgotten.in_each([file, pointer])
        said = in_message(message, self.forgotten), hint
        new_text = text and self._new_line(text)
        key = key_of_reject(code, file, new_text or b"")
        new = (key, file, line, byte, code, pointer, *said, new_text)
        if new[1:] == tuple(row[1:]) or text is None:
            return None
        return old, *new[:-1], self._kept_text(new_text)

    def _new_line(self, text: bytes) -> bytes:
        """Return a line in quarantine as a load would quarantine it now."""
        hand = parse_line(text)
        if isinstance(hand, Trouble):
            return in_line(text, self.forgotten)
        new = of_hand(hand, self.forgotten)
        return text if new is hand else encode_hand(new)


def player_of(people: dict[str, Any]) -> Player:
    """Return a player as the log has them, from an entry of a seating."""
    told = {name: value for name, value in people.items() if value is not None}
    return Player(**told)


def tail_with(tail: str, old: Hand, new: Hand) -> str:
    """Return the tail of a hand with what the new record tells in the place of what the old did."""
    before, after = _told(old), _told(new)
    assert tail.endswith(before)
    return tail[: len(tail) - len(before)] + after


def _told(hand: Hand) -> str:
    told = _Told(hand.notes, hand.remark, hand.ext)
    return msgspec.json.encode(told, order="deterministic")[1:-1].decode()


def in_finding(
    message: str, facts: str, forgotten: Forgotten, table: AtTable = NOBODY
) -> tuple[str, str]:
    """Return the sentence of a finding and the facts behind it, without names."""
    told = in_value(msgspec.json.decode(facts), forgotten, in_sentences(table))
    return in_message(message, forgotten, table), msgspec.json.encode(told, order="sorted").decode()


_BEFORE_RECORD: Final = 3
_HANDS: Final = f"""
SELECT
    hand_no,
    replace(content_hash::VARCHAR, '-', ''),
    stored.seatings.players,
    {record_codec.COLUMNS}
FROM stored.hands JOIN stored.seatings USING (seating_id)
WHERE hand_no IN (FROM suspects)
"""  # noqa: S608 - names of our own
_SUSPECTS: Final = """
INSERT INTO suspects
SELECT hand_no FROM stored.hands
WHERE seating_id IN (SELECT seating_id FROM seatings)
    OR regexp_matches(tail, $texts) OR starts_with(tail, '~')
"""
