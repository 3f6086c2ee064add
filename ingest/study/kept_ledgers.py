"""Ledgers of hands that were worked out before, kept in the user's cache by content and rules.

They are worth hours of work and follow from the hands alone, so every warehouse that has a hand
finds its ledger: after a load, a rebuild, in a copy, in a lake.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from platformdirs import user_cache_path

from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.study.ledger_rows import LedgerRow, method

Key = tuple[bytes, str]
"""``content_hash`` of a hand as bytes, and the hash of its rules."""
_WAIT: Final = 30.0
"""Seconds to wait for another process that writes."""
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS ledgers (
    content BLOB NOT NULL,
    ruleset TEXT NOT NULL,
    row BLOB NOT NULL,
    PRIMARY KEY (ruleset, content)
) WITHOUT ROWID
"""
_PACKED: Final = msgspec.msgpack.Encoder()
_UNPACKED: Final = msgspec.msgpack.Decoder(tuple[Any, ...])


class KeptLedgers:
    """The ledgers kept on this machine."""

    def __init__(self, folder: Path | None = None) -> None:
        """``folder``: where they are kept, by default one in the user's cache."""
        folder = folder or user_cache_path("tricklog", appauthor=False) / "ledgers"
        self.path = folder / f"{method()}.sqlite"

    def mark(self) -> object:
        """Return what changes when there are more ledgers."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size

    def of_rules(self, rulesets: Collection[str]) -> dict[Key, LedgerRow]:
        """Return all ledgers of hands under some rules; none where the file cannot be read."""
        found: dict[Key, LedgerRow] = {}
        with suppress(sqlite3.Error), self._opened(read_only=True) as kept:
            for ruleset in rulesets:
                rows = kept.execute(
                    "SELECT content, row FROM ledgers WHERE ruleset = ?", (ruleset,)
                )
                found |= {(content, ruleset): _row(packed) for content, packed in rows}
        return found

    def keep(self, rows: Iterable[tuple[Key, LedgerRow]]) -> None:
        """Keep ledgers; of two writers of one hand whoever comes last is right as well.

        Raises ``StorageError`` where that cannot be written. A damaged file gives way to a new one.
        """
        listed = [(content, ruleset, _packed(row)) for (content, ruleset), row in rows]
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._write(listed)
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                self.path.unlink(missing_ok=True)
                self._write(listed)
        except (OSError, sqlite3.Error) as error:
            raise StorageError(
                f"Ledgers cannot be kept in {self.path}: {error}. Make the folder writable, or "
                "free space there; XDG_CACHE_HOME names another place for what can be worked out "
                "again."
            ) from error

    def _write(self, rows: list[tuple[bytes, str, bytes]]) -> None:
        with self._opened() as kept, kept:
            kept.execute(_TABLE)
            kept.executemany("INSERT OR REPLACE INTO ledgers VALUES (?, ?, ?)", rows)

    @contextmanager
    def _opened(self, *, read_only: bool = False) -> Iterator[sqlite3.Connection]:
        mode = "ro" if read_only else "rwc"
        address = f"{self.path.absolute().as_uri()}?mode={mode}"
        with closing(sqlite3.connect(address, timeout=_WAIT, uri=True)) as kept:
            yield kept


def _packed(row: LedgerRow) -> bytes:
    return _PACKED.encode(tuple(getattr(row, name) for name in LedgerRow.__slots__))


def _row(packed: bytes) -> LedgerRow:
    told = dict(zip(LedgerRow.__slots__, _UNPACKED.decode(packed), strict=True))
    return LedgerRow(**told | {name: tuple(told[name]) for name in ("points", "score")})
