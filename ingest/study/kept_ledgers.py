"""Ledgers of hands that were worked out before, kept in the user's cache by content and rules.

They are worth hours of work and follow from the hands alone, so every warehouse that has a hand
finds its ledger: after a load, a rebuild, in a copy, in a lake.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import Final

import msgspec

from tricklog.core import Replay
from tricklog.core.engine.policies import Sides
from tricklog.core.study import Refused, Solver
from tricklog.core.study.averages import Averages, method_of, place_of, users_folder
from tricklog.core.study.ledger import Ledger, Part, ledger_of
from tricklog.core.study.sampling import Unit
from tricklog.ingest.store.publishing import StorageError

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


class KeptLedgers:
    """The ledgers kept on this machine."""

    def __init__(self, folder: Path | None = None) -> None:
        """``folder``: where they are kept, by default one in the user's cache."""
        folder = folder or users_folder() / "ledgers"
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
        decode = msgspec.msgpack.Decoder(LedgerRow).decode
        with suppress(sqlite3.Error), self._opened(read_only=True) as kept:
            for ruleset in rulesets:
                rows = kept.execute(
                    "SELECT content, row FROM ledgers WHERE ruleset = ?", (ruleset,)
                )
                found |= {(content, ruleset): decode(packed) for content, packed in rows}
        return found

    def keep(self, rows: Iterable[tuple[Key, LedgerRow]]) -> None:
        """Keep ledgers, in a new file where it is damaged; raises ``StorageError``."""
        encode = msgspec.msgpack.encode
        listed = [(content, ruleset, encode(row)) for (content, ruleset), row in rows]
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


# --- What is kept of a ledger
#
# Amounts are whole numbers: means over so many stocks, times these. What an average deal brings is
# left out of them, so that a row stays right when more deals are valued.

STOCKS: Final = 8
"""Stocks of each hand: of many hands more would make the means hardly surer."""
AT_PAR, DRAW, RESULT = range(3)
"""Places of amounts that nobody chose; those that somebody did follow, by part and seat."""
HEAD: Final = 3
CHOSEN: Final[tuple[Part, ...]] = ("auction", "exchange", "makers", "defence")
_SOURCES: Final = (
    *("averages", "contracts", "exchange", "ledger", "open_cards", "refusals", "sampling"),
    *("stocks", "walk"),
)


class LedgerRow(msgspec.Struct, frozen=True, array_like=True):
    """The ledger of one hand, or why it has none."""

    refused: str | None
    """Why there is no ledger, as a sentence without a full stop; the rest is then empty."""
    no_points: str | None = None
    no_score: str | None = None
    maker: int = -1
    makers: int = 0
    """Seats of the makers' side, as a set of bits."""
    place: int = 0
    """Place of the maker at the table, as ``averages.place_of`` has it."""
    alone: bool = False
    """Whether each plays alone at this table, so that only the maker has an account."""
    loose: int = 0
    """Values that the search did not finish."""
    points: tuple[int, ...] = ()
    """``AT_PAR``, ``DRAW`` and ``RESULT`` for the makers, then for each of ``CHOSEN`` what each
    seat brought the makers by its choices; times ``STOCKS``. Empty without an account."""
    score: tuple[int, ...] = ()

    def amounts(self, unit: Unit) -> tuple[int, ...]:
        """Return the amounts in a unit, empty where there is no account in it."""
        return self.points if unit == "points" else self.score

    def why_not(self, unit: Unit) -> str | None:
        """Return why there is no account in a unit; ``None`` where there is one."""
        return self.refused or (self.no_points if unit == "points" else self.no_score)


def method() -> str:
    """Return what changes when rows would come out otherwise."""
    return f"{method_of(*_SOURCES)}-{STOCKS}"


_AVERAGES: Final[dict[tuple[str, int], Averages]] = {}


def averages_of(replayed: Replay, solver: Solver) -> Averages:
    """Return averages of the rules of a hand, one deal valued, for ledgers; raises ``Refused``."""
    key = replayed.ruleset.hash, replayed.rules.seats
    if key not in _AVERAGES:
        averages = Averages(replayed.ruleset, replayed.rules.seats)
        averages.ensure(1, solver)
        _AVERAGES[key] = averages
    return _AVERAGES[key]


def row_of(replayed: Replay, solver: Solver, averages: Averages) -> LedgerRow:
    """Return what is kept of the ledger of a hand; ``averages`` have some deals valued."""
    try:
        ledger = ledger_of(replayed, samples=STOCKS, solver=solver, averages=averages)
    except Refused as refused:
        return LedgerRow(str(refused))
    return row_of_ledger(replayed, ledger)


def row_of_ledger(replayed: Replay, ledger: Ledger) -> LedgerRow:
    """Return what is kept of a ledger over ``STOCKS`` stocks."""
    return LedgerRow(
        None,
        ledger.no_points,
        ledger.no_score,
        ledger.maker,
        sum(1 << seat for seat in ledger.makers),
        place_of(replayed.rules, replayed.state_at(0).dealer, ledger.maker),
        replayed.rules.sides == Sides.SINGLES,
        ledger.loose,
        _amounts(ledger, "points", replayed.rules.seats),
        _amounts(ledger, "score", replayed.rules.seats),
    )


def _amounts(ledger: Ledger, unit: Unit, seats: int) -> tuple[int, ...]:
    if ledger.why_not(unit):
        return ()
    terms = {term.name: term for term in ledger.terms}
    at_par = ledger.start.of(unit) + terms["deal"].amount.of(unit)
    found = [at_par, terms["draw"].amount.of(unit), ledger.result.of(unit)]
    for part in CHOSEN:
        players = dict(terms[part].players)
        found += [
            players[seat].of(unit) if seat in players else Fraction() for seat in range(seats)
        ]
    scaled = [each * STOCKS for each in found]
    assert all(each.denominator == 1 for each in scaled), "means are over as many stocks or one"
    return tuple(int(each) for each in scaled)
