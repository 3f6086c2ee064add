"""Hands that are to be judged in their games: all are put in, then games are taken out whole.

A game may be spread over files in any order, so nothing can be decided from one line alone. An
audit puts hands in as it reads them and is told at once of an id that is taken; a load puts in what
its spool has, once it is known whose the ids are. Where hands are reported as they come, the intake
knows which of them those are, and how far the check of each game is. It is a temporary database
that the system removes by itself; what it keeps in memory is bounded, however long the logs are.
"""

from __future__ import annotations

import hashlib
import itertools
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from tricklog.core.judging.games import Course
from tricklog.ingest.reading.log_line import decode_written, encode_written
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.reading.rejects import Part, Reject
from tricklog.ingest.reading.scratch import no_room
from tricklog.schemas.hand import Hand, content_hash, decode_hand, play_hash
from tricklog.schemas.times import order_time

CACHE_KIB: Final = 64 * 1024
BATCH: Final = 10_000
LONG_GAME: Final = 1 << 20
"""Bytes of the hands of a game above which they are not held at once; most take some 20,000."""
REJECT_SIZE: Final = 1 << 23
"""Bytes of rejects given at a time, about."""

RejectRow = tuple[str, str, int, int, str, str, str, str, bytes]
"""Key, file, line, byte, code, pointer, message, hint, text."""

_SCHEMA: Final = f"""
PRAGMA cache_size = -{CACHE_KIB};
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE game (name TEXT PRIMARY KEY, first INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE hand (
    seq INTEGER PRIMARY KEY, first INTEGER NOT NULL, id TEXT NOT NULL,
    content TEXT NOT NULL, play TEXT, twin TEXT, stored INTEGER NOT NULL,
    file TEXT NOT NULL, line INTEGER NOT NULL, byte INTEGER NOT NULL, text BLOB NOT NULL,
    place TEXT NOT NULL, told INTEGER NOT NULL, written BLOB
);
CREATE TABLE note (seq INTEGER PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE numbered (
    game TEXT NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL,
    PRIMARY KEY (game, number, id)
) WITHOUT ROWID;
CREATE TABLE course (game TEXT PRIMARY KEY, course BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE reject (
    key TEXT PRIMARY KEY, file TEXT NOT NULL, line INTEGER NOT NULL, byte INTEGER NOT NULL,
    code TEXT NOT NULL, pointer TEXT NOT NULL, message TEXT NOT NULL, hint TEXT NOT NULL,
    text BLOB NOT NULL
);
CREATE TABLE part (
    key TEXT NOT NULL, number INTEGER NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL,
    byte INTEGER NOT NULL, PRIMARY KEY (key, number)
) WITHOUT ROWID;
CREATE INDEX hand_by_id ON hand (id);
CREATE INDEX hand_by_game ON hand (first, seq);
CREATE INDEX hand_by_place ON hand (first, place);
CREATE INDEX hand_by_play ON hand (play);
"""


class Entry(NamedTuple):
    """What is noted of a hand beside its line."""

    hand_id: str
    game: str | None
    content: str
    place: str
    """Sorts the hands of a game: by number, without one last, by time and then as in their log."""


def moved(entry: Entry, line: LogLine, by: int) -> tuple[LogLine, Entry]:
    """Return a line and what was noted of it, when it stands ``by`` lines further on in its log."""
    there = LogLine(line.file, line.line + by, line.byte, text=line.text)
    place = entry.place.replace(f"\0{line.line:019} ", f"\0{there.line:019} ")
    return there, entry._replace(place=place)


def entry_of(line: LogLine, hand: Hand) -> Entry:
    """Return what is noted of a hand that was read from ``line``."""
    place = _place_in_game(line, hand)
    return Entry(hand.id, hand.game or None, content_hash(hand), place)


class SpooledRow(NamedTuple):
    """A hand taken out of the intake again, its line not read yet."""

    file: str
    line: int
    byte: int
    text: bytes
    content: str
    same_play_as: str | None
    stored: int
    """Whether the hand came from the warehouse, to complete its game."""
    sequence: int
    """Its number in the intake."""
    place: str
    """That of its ``Entry``."""
    written: bytes | None
    """What stands in the log, where that is not the text and it was asked to be kept."""


@dataclass(frozen=True, slots=True)
class SpooledHand:
    """A hand taken out of the intake again, its line read."""

    line: LogLine
    hand: Hand
    row: SpooledRow


class Intake:
    """The hands of one run on disk, by id, by play and by game.

    Used as a context manager it raises ``OSError``, with the folder of temporary files, when there
    is no room for them.
    """

    def __init__(self, *, keeps_written: bool = False) -> None:
        """``keeps_written``: whether places in the log are asked for when hands are taken out."""
        self._keeps_written = keeps_written
        try:
            self._db = _new_database()
        except sqlite3.OperationalError as error:
            raise no_room(error) from error
        self._next = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._db.close()
        # SQLite tells no more than a sentence; a record that cannot be stored is a bug of ours.
        if isinstance(error, sqlite3.OperationalError):
            raise no_room(error) from error

    def enter(self, line: LogLine, entry: Entry) -> tuple[str, bool] | None:
        """Set the hand of a line aside, unless one with its id is there already.

        Returns of that one where it stands, ``file:line``, and whether it is the same record.
        """
        known = self._db.execute(
            "SELECT content, file, line FROM hand WHERE id = ?", (entry.hand_id,)
        )
        if row := known.fetchone():
            return f"{row[1]}:{row[2]}", row[0] == entry.content
        self._insert(line, entry, *self._play_of(line))
        return None

    def claim(self, line: LogLine, entry: Entry, number: int) -> None:
        """Set a hand aside of which it is known that its id is its own.

        ``number``: its number in the intake, more than that of any hand before.
        """
        self._next = number
        self._insert(line, entry)

    def _play_of(self, line: LogLine) -> tuple[str, str | None]:
        """Return what identifies the play of a hand, and the first other hand with the same."""
        assert line.hand
        play = play_hash(line.hand)
        twin = self._db.execute(
            "SELECT id FROM hand WHERE play = ? AND id <> ? ORDER BY seq LIMIT 1",
            (play, line.hand.id),
        ).fetchone()
        return play, twin[0] if twin else None

    def replace(self, line: LogLine, entry: Entry) -> bool:
        """Put a record in the place of the one with its id; return whether that was not told."""
        read = (line.file, line.line, line.byte, line.text)
        facts = (entry.content, *self._play_of(line))
        row = (*facts, *read, entry.place, self._written_of(line), entry.hand_id)
        return bool(self._db.execute(_REPLACE, row).rowcount)

    def recall(self, line: LogLine, hand: Hand) -> None:
        """Put a hand of the warehouse beside the new hands of its game."""
        self._insert(line, entry_of(line, hand), stored=True)

    def _insert(
        self,
        line: LogLine,
        entry: Entry,
        play: str | None = None,
        same_play_as: str | None = None,
        *,
        stored: bool = False,
    ) -> None:
        sequence, self._next = self._next, self._next + 1
        facts = (entry.hand_id, entry.content, play, same_play_as, stored)
        read = (line.file, line.line, line.byte, line.text)
        first = self._first_of_game(entry.game, sequence)
        row = (sequence, first, *facts, *read, entry.place, False, self._written_of(line))
        self._db.execute("INSERT INTO hand VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def _written_of(self, line: LogLine) -> bytes | None:
        return encode_written(line.written) if line.written and self._keeps_written else None

    def _first_of_game(self, game: str | None, sequence: int) -> int:
        if game is None:
            return sequence
        self._db.execute("INSERT OR IGNORE INTO game VALUES (?, ?)", (game, sequence))
        row = self._db.execute("SELECT first FROM game WHERE name = ?", (game,)).fetchone()
        return int(row[0])

    def hand_count(self) -> int:
        """Return how many hands there are."""
        ((count,),) = self._db.execute("SELECT count(*) FROM hand")
        return int(count)

    def is_empty(self) -> bool:
        """Return whether there is no hand."""
        ((some,),) = self._db.execute("SELECT EXISTS (SELECT 1 FROM hand)")
        return not some

    def game_names(self) -> Iterator[list[str]]:
        """Return the names of the games of the hands, in batches."""
        rows = self._db.execute("SELECT name FROM game ORDER BY name")
        while batch := rows.fetchmany(BATCH):
            yield [name for (name,) in batch]

    def add_reject(self, reject: Reject) -> None:
        """Set a reject aside, unless the same line with the same trouble is there already."""
        row = (
            reject_key(reject),
            reject.file,
            reject.line,
            reject.byte,
            reject.code.value,
            reject.pointer,
            reject.message,
            reject.hint,
            reject.text,
        )
        self._db.execute("INSERT OR IGNORE INTO reject VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        parts = ((row[0], number, *part) for number, part in enumerate(reject.parts))
        self._db.executemany("INSERT OR IGNORE INTO part VALUES (?, ?, ?, ?, ?)", parts)

    def drop_rejects(self, keys: Iterable[str]) -> None:
        """Forget rejects that are stored already."""
        self._db.executemany("DELETE FROM reject WHERE key = ?", ((key,) for key in keys))

    def parts_of(self, key: str) -> list[Part]:
        """Return where the lines of a reject stand, if its record takes several."""
        rows = self._db.execute(
            "SELECT file, line, byte FROM part WHERE key = ? ORDER BY number", (key,)
        )
        return [Part(*row) for row in rows]

    def rejects(self) -> Iterator[list[RejectRow]]:
        """Return the rejects, in batches that stay small however long the lines are."""
        batch: list[RejectRow] = []
        size = 0
        for row in self._db.execute("SELECT * FROM reject ORDER BY key"):
            batch.append(row)
            size += len(row[-1])
            if len(batch) == BATCH or size > REJECT_SIZE:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def has_news(self) -> bool:
        """Whether there is a hand, or a reject with a line of its own.

        A place that cannot be read, such as a file that is not there, has no line.
        """
        row = self._db.execute(
            "SELECT EXISTS (SELECT 1 FROM hand) "
            "OR EXISTS (SELECT 1 FROM reject WHERE length(text) > 0)"
        ).fetchone()
        return bool(row[0])

    def games(self) -> Iterator[list[SpooledHand] | LongGame]:
        """Return the hands not told yet game by game, in the order they were first read.

        A hand without a game is a list of its own.
        """
        for game in self.games_unread():
            yield game if isinstance(game, LongGame) else [spooled_hand(row) for row in game]

    def games_unread(self) -> Iterator[list[SpooledRow] | LongGame]:
        """Return what ``games`` does, with lines that have yet to be read again."""
        rows = self._db.execute(
            f"SELECT first, {_COLUMNS} FROM hand WHERE NOT told ORDER BY first, seq"  # noqa: S608 - our own names
        )
        for first, group in itertools.groupby(rows, key=lambda row: row[0]):
            hands: list[SpooledRow] = []
            size = 0
            for _, *row in group:
                hands.append(SpooledRow(*row))
                size += len(hands[-1].text)
                if size > LONG_GAME:
                    # A hand without a game is never this long by itself.
                    yield LongGame(self._db, first, str(decode_hand(hands[0].text).game))
                    break
            else:
                yield hands

    # --- Hands told as they come

    def hand(self, hand_id: str) -> SpooledHand:
        """Return a hand that is there."""
        rows = self._db.execute(f"SELECT {_COLUMNS} FROM hand WHERE id = ?", (hand_id,))  # noqa: S608 - names of our own
        return spooled_hand(SpooledRow(*rows.fetchone()))

    def tell(self, hand_id: str) -> None:
        """Note that a hand has been reported, so that ``games`` leaves it out."""
        self._db.execute("UPDATE hand SET told = 1 WHERE id = ?", (hand_id,))

    def note_number(self, hand: Hand) -> None:
        """Note which number of its game a hand has."""
        self._db.execute("INSERT INTO numbered VALUES (?, ?, ?)", (hand.game, hand.hand, hand.id))

    def numbered(self, game: str, number: int, *, told: bool) -> Iterator[SpooledHand]:
        """Return the hands of a game whose number was noted, those told or those not told yet.

        They come one by one: those told as they were read, the others in the order of their places.
        """
        order = "seq" if told else "place"
        sequences = self._db.execute(
            f"SELECT seq FROM numbered JOIN hand USING (id) "  # noqa: S608 - names of our own
            f"WHERE numbered.game = ? AND number = ? AND told = ? ORDER BY {order}",
            (game, number, told),
        ).fetchall()
        return _hands_at(self._db, sequences)

    def course(self, game: str) -> Course:
        """Return how far the check of a game is."""
        row = self._db.execute("SELECT course FROM course WHERE game = ?", (game,)).fetchone()
        return msgspec.msgpack.decode(row[0], type=Course) if row else Course()

    def keep_course(self, game: str, course: Course) -> None:
        """Keep how far the check of a game is."""
        content = msgspec.msgpack.encode(course)
        self._db.execute("INSERT OR REPLACE INTO course VALUES (?, ?)", (game, content))


def _new_database() -> sqlite3.Connection:
    # The empty name is a private database file that is removed when it is closed.
    database = sqlite3.connect("", isolation_level=None)
    database.executescript(_SCHEMA)
    database.execute("BEGIN")
    return database


def _hands_at(db: sqlite3.Connection, sequences: Iterable[tuple[int]]) -> Iterator[SpooledHand]:
    query = f"SELECT {_COLUMNS} FROM hand WHERE seq = ?"  # noqa: S608 - our own names
    for sequence in sequences:
        yield spooled_hand(SpooledRow(*db.execute(query, sequence).fetchone()))


class LongGame:
    """A game whose hands are taken out of the intake one by one, as often as they are needed."""

    def __init__(self, db: sqlite3.Connection, first: int, name: str) -> None:
        self.name = name
        self._db = db
        self._first = first

    def in_order(self) -> Iterator[SpooledHand]:
        """Return the hands in the order of their places in the game."""
        return self._hands("place")

    def as_read(self) -> Iterator[SpooledHand]:
        """Return the hands in the order they were first read."""
        return self._hands("seq")

    def _hands(self, order: str) -> Iterator[SpooledHand]:
        # Sorted by an index and looked up one by one, so that no text takes part in sorting.
        sequences = self._db.execute(
            f"SELECT seq FROM hand WHERE first = ? AND NOT told ORDER BY {order}",  # noqa: S608 - our own names
            (self._first,),
        )
        return _hands_at(self._db, sequences)

    def note(self, hand: SpooledHand, text: bytes) -> None:
        """Write something down beside a hand."""
        self._db.execute("INSERT INTO note VALUES (?, ?)", (hand.row.sequence, text))

    def noted(self, hand: SpooledHand) -> bytes | None:
        """Return what was written down beside a hand and forget it; ``None`` when nothing was."""
        row = self._db.execute(
            "DELETE FROM note WHERE seq = ? RETURNING text", (hand.row.sequence,)
        ).fetchone()
        return row[0] if row else None


def reject_key(reject: Reject) -> str:
    """Return what identifies a reject: its code and line; its file where there is no line."""
    return key_of_reject(reject.code, reject.file, reject.text)


def key_of_reject(code: str, file: str, text: bytes) -> str:
    """Return what identifies the reject with these fields."""
    subject = text or file.encode()
    return hashlib.sha256(code.encode() + b"\n" + subject).hexdigest()[:32]


_REPLACE: Final = """
UPDATE hand
SET content = ?, play = ?, twin = ?, file = ?, line = ?, byte = ?, text = ?, place = ?, written = ?
WHERE id = ? AND NOT told
"""
_COLUMNS: Final = "file, line, byte, text, content, twin, stored, seq, place, written"


def spooled_hand(row: SpooledRow) -> SpooledHand:
    """Read the line of a hand taken out of the intake."""
    hand = decode_hand(row.text)
    there = decode_written(row.written) if row.written else None
    line = LogLine(row.file, row.line, row.byte, hand, None, row.text, written=there)
    return SpooledHand(line, hand, row)


def _place_in_game(line: LogLine, hand: Hand) -> str:
    time = 0.0 if hand.started_at is UNSET else order_time(hand.started_at)
    # What is added makes the time of every year a number of as many digits, and none below 0.
    moment = f"{round(time * 1_000_000) + 10**17:018}"
    if hand.hand is UNSET:
        return f"1 {moment} {line.file}\0{line.line:019} {hand.id}"
    # Whoever is forgotten has other names afterwards: these choose last.
    rules = replace(hand.rules, definition=UNSET)
    without = replace(hand, id="", game=UNSET, rules=rules, players=(), notes=UNSET, remark=UNSET)
    return f"0 {hand.hand:06} {moment} {content_hash(without)} {hand.id}"
