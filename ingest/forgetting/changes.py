"""What becomes of a snapshot when somebody on a list is forgotten: the rows that are other ones.

They are set aside in a database of their own, which is put beside the snapshot when the next one is
written. What the list does not touch is not read by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
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
    """Find what becomes of a snapshot, and set it aside in a new database at ``path``.

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
    with closing(_opened(found)) as connection:
        rows_found = connection.execute("SELECT old_hash, content_hash FROM hands").fetchall()
    return {old: new for old, new in rows_found if old != new}


def logs_of(found: Changes, snapshot: Path) -> dict[str, int]:
    """Return the logs that hands came from which become others, and how many from each."""
    with closing(_opened(found)) as connection:
        database.attach(connection, "stored", snapshot)
        rows_found = connection.execute(
            "SELECT file, count(*) FROM stored.hands SEMI JOIN hands USING (hand_no) "
            "GROUP BY file ORDER BY 2 DESC, 1"
        ).fetchall()
    return dict(rows_found)


def _opened(found: Changes) -> DuckDBPyConnection:
    return database.connect(found.path)


class _Finding:
    def __init__(self, connection: DuckDBPyConnection, forgotten: Forgotten, path: Path) -> None:
        self.connection = connection
        self.forgotten = forgotten
        self.path = path
        for table, types in _TABLES.items():
            empty = rows.to_table(types, [])  # noqa: F841 - DuckDB finds it by its name
            connection.execute(f"CREATE TABLE {table} AS FROM empty")

    def find(self) -> Changes:
        sat = self._seatings()
        self._rulesets()
        self._hands()
        self._files()
        self._rejects()
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

    def _batches(self, sql: str, places: Sequence[int] = ()) -> Iterator[list[rows.Row]]:
        """Return rows of the snapshot, in which long texts are in their places."""
        found = self.connection.cursor().execute(sql)
        reading = self.connection.cursor()
        while batch := found.fetchmany(_BATCH):
            yield list(long_texts.with_texts(reading, batch, places, "stored."))

    def _kept_text(self, text: bytes) -> bytes:
        """Return what a row holds of a text, which is set aside where it is long."""
        stored = long_texts.stored_form(text)
        if stored != text:
            self._put("texts", [(text,)])
        return stored

    # --- Tables one by one

    def _seatings(self) -> list[int]:
        """Note the seatings that become others; return those at which somebody sits."""
        sat = []
        columns = ", ".join(rows.SEATING_TYPES)
        rules_at = list(rows.SEATING_TYPES).index("rules")
        for batch in self._batches(f"SELECT {columns} FROM stored.seatings", [rules_at]):  # noqa: S608 - names of our own
            found = []
            for number, ruleset, rules, people, sides in batch:
                players = [player_of(each) for each in people]
                new_players = of_players(players, self.forgotten)
                new_rules = self._rules(rules)
                if new_players != players:
                    sat.append(number)
                if new_players != players or new_rules != rules:
                    kept = self._kept_text(new_rules.encode()).decode() if new_rules else new_rules
                    told = [_as_struct(each) for each in new_players]
                    found.append((number, ruleset, kept, told, sides))
            self._put("seatings", found)
        return sat

    def _rules(self, rules: str | None) -> str | None:
        if rules is None or '"definition":' not in rules:
            return rules
        named = _RULES.decode(rules)
        new = of_rules(named, self.forgotten)
        return rules if new is named else msgspec.json.encode(new, order="deterministic").decode()

    def _rulesets(self) -> None:
        for batch in self._batches("SELECT ruleset, title, family FROM stored.rulesets"):
            found = [(key, *map(self._in_name_of_rules, words)) for key, *words in batch]
            self._put(
                "rulesets", [new for new, old in zip(found, batch, strict=True) if new != old]
            )

    def _in_name_of_rules(self, name: str) -> str:
        return name if name in names_of_rules() else self.forgotten.in_text(name)

    def _hands(self) -> None:
        self._suspect()
        names = record_codec.COLUMNS
        sql = (
            "SELECT hand_no, replace(content_hash::VARCHAR, '-', ''), stored.seatings.players, "  # noqa: S608 - names of our own
            f"{names} FROM stored.hands JOIN stored.seatings USING (seating_id) "
            "WHERE hand_no IN (FROM suspects)"
        )
        places = [3 + place for place in record_codec.LONG_PLACES]
        for batch in self._batches(sql, places):
            self._put("hands", [new for row in batch if (new := self._new_hand(row))])

    def _suspect(self) -> None:
        """Note the hands in which something may have to be replaced."""
        self.connection.execute(_SUSPECTS, {"texts": TEXTS})
        for batch in self._batches("SELECT hand_no, hand_id, game FROM stored.hands"):
            found = [(number,) for number, *names in batch if any(map(self._is_other, names))]
            if found:
                numbers = rows.to_table({"hand_no": pa.int64()}, found)  # noqa: F841 - DuckDB finds it by its name
                self.connection.execute("INSERT INTO suspects FROM numbers")

    def _is_other(self, name: str | None) -> bool:
        return name is not None and self.forgotten.in_text(name) != name

    def _new_hand(self, row: rows.Row) -> rows.Row | None:
        number, old_hash, people, *columns = row
        tail_at = record_codec.LONG_PLACES[1]
        old_tail = columns[tail_at]
        try:
            _, hand = warehouse.read_record(tuple(columns))
        except RecordError:
            return self._without_record(number, old_hash, people, columns)
        new = of_hand(hand, self.forgotten)
        if new is hand:
            return None
        tail = self._kept_text(tail_with(old_tail, hand, new).encode()).decode()
        game = new.game or None
        return number, hand.id, old_hash, new.id, content_hash(new), game, tail

    def _without_record(
        self, number: int, old_hash: str, people: list[dict[str, Any]], columns: list[Any]
    ) -> rows.Row:
        """Return the row of a hand that makes no record any more, with other words."""
        hand_id, game = columns[0], columns[1]
        table = table_of([player_of(each) for each in people], self.forgotten)
        tail = self.forgotten.in_text(columns[record_codec.LONG_PLACES[1]] or "", table)
        stored = self._kept_text(tail.encode()).decode()
        new_game = game and self.forgotten.in_id(game)
        return number, hand_id, old_hash, self.forgotten.in_id(hand_id), old_hash, new_game, stored

    def _files(self) -> None:
        files = "SELECT file FROM stored.hands UNION SELECT file FROM stored.rejects"
        for batch in self._batches(files):
            found = [(old, self.forgotten.in_text(old)) for (old,) in batch]
            self._put("files", [each for each in found if each[0] != each[1]])
        for batch in self._batches("SELECT import_id, paths FROM stored.imports"):
            paths = [(number, self.forgotten.in_each(old)) for number, old in batch]
            self._put("imports", [new for new, old in zip(paths, batch, strict=True) if new != old])

    def _rejects(self) -> None:
        columns = ", ".join(rows.REJECT_TYPES)
        sql = f"SELECT {columns} FROM stored.rejects"  # noqa: S608 - names of our own
        for batch in self._batches(sql, [len(rows.REJECT_TYPES) - 1]):
            self._put("rejects", [new for row in batch if (new := self._new_reject(row))])

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


def _as_struct(player: Player) -> dict[str, Any]:
    return {"id": player.id, "name": player.name or None, "kind": player.kind or None}


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


_SUSPECTS: Final = """
CREATE TABLE suspects AS
SELECT hand_no FROM stored.hands
WHERE seating_id IN (SELECT seating_id FROM seatings)
    OR regexp_matches(tail, $texts) OR starts_with(tail, '~')
"""
