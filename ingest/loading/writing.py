"""Writing a draft: new hands and what the rules make of them, game by game."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from ingest.loading.auditing import judged_hands
from ingest.reading.intake import SpooledHand
from ingest.store import record_codec, rows
from replay import Finding, Replay, Ruleset
from replay.rulesets.ruleset import resolved
from schemas.hand import RulesRef

if TYPE_CHECKING:
    from ingest.loading.loading import Run

CHUNK: Final = 10_000
"""Hands inserted at a time, at most."""
CHUNK_SIZE: Final = 1 << 24
"""Bytes of hands and findings inserted at a time, about."""
LONG_KEPT: Final = 1 << 26
"""Bytes of such texts that may lie in memory."""
LONG_COLUMNS: Final = {"hands": ["tail"], "seatings": ["rules"], "rejects": ["text"]}
_FINDING_SIZE: Final = 1_000
"""Bytes of a finding in memory beside its sentence."""


def join(current: DuckDBPyConnection, keys: pa.Table, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query that joins ``keys``."""
    current.register("keys", keys)
    try:
        return current.execute(query).fetchall()
    finally:
        # A result that broke off halfway is still open, and what broke it off is what to tell.
        with suppress(duckdb.ResourceInUseException):
            current.unregister("keys")


class Writer:
    """Writes one draft: new hands, findings of games old and new, rejects, the import itself."""

    def __init__(self, connection: DuckDBPyConnection, run: Run, paths: list[str]) -> None:
        self.connection = connection
        self.run = run
        self.paths = paths
        self.import_id = 1 + self._highest("import_id", "imports")
        self.rulesets: dict[str, tuple[Ruleset, rows.Row]] = {}
        self.hands: list[rows.Row] = []
        self.findings: list[rows.Row] = []
        self.judged_again: list[str] = []
        """Stored hands whose game findings are replaced."""
        self.size = 0
        """Bytes of these, about."""
        self.long = 0
        """Bytes of long texts that lie in memory until they are saved."""
        if run.staging.hands:
            self._insert_staged()
        self.seatings = rows.Seatings(1 + self._highest("seating_id", "seatings"))

    def write(self) -> None:
        """Write everything the spool holds, and what its games need."""
        self._recall_games()
        for spooled, replayed, found in judged_hands(self.run.spool):
            self._take(spooled, replayed, found)
            if len(self.hands) + len(self.judged_again) >= CHUNK or self.size >= CHUNK_SIZE:
                self._flush()
        self._flush()
        for batch in self.run.spool.rejects():
            table = rows.to_table(rows.REJECT_TYPES, batch)
            self._insert(
                "rejects", table.append_column("import_id", pa.array([self.import_id] * len(batch)))
            )
            self._save()
        refresh(self.connection)
        counts = self.run.counts
        self.connection.execute(
            "INSERT INTO imports VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                self.import_id,
                datetime.now(UTC).replace(tzinfo=None),
                tricklog_version(),
                self.paths,
                counts.lines,
                counts.accepted,
                counts.duplicate,
                counts.quarantined,
                counts.blank,
            ],
        )

    def _recall_games(self) -> None:
        """Bring the stored hands of games into the spool that hands of the spool belong to.

        Likewise of the games of staged hands in which something may be found.
        """
        self.connection.execute("CREATE TEMP TABLE games_to_check (game VARCHAR)")
        for names in self.run.spool.game_names():
            self._insert("games_to_check", pa.table({"game": names}))
        if self.run.staging.hands:
            self.connection.execute(_GAMES_TO_CHECK, [self.import_id])
        self.run.recall(self.connection)
        self.connection.execute("DROP TABLE games_to_check")

    def _take(self, spooled: SpooledHand, replayed: Replay, found: Sequence[Finding]) -> None:
        hand_id = spooled.hand.id
        findings = rows.finding_rows(hand_id, "game", found)
        if spooled.stored:
            self.judged_again.append(hand_id)
            self.run.judged(replayed, tuple(found), new=False)
        else:
            self.hands.append(self._hand_row(spooled, replayed))
            findings += rows.finding_rows(hand_id, "hand", replayed.findings)
            self.run.judged(replayed, (*replayed.findings, *found), new=True)
            self.size += len(spooled.line.text)
            self._note_rules(replayed.ruleset)
        self.findings += findings
        self.size += sum(_FINDING_SIZE + len(row[-1]) for row in findings)

    def _hand_row(self, spooled: SpooledHand, replayed: Replay) -> rows.Row:
        seating = self.seatings.number(spooled.hand, replayed.ruleset)
        return rows.hand_row(spooled, replayed, self.import_id, seating)

    def _insert_staged(self) -> None:
        """Insert staged hands, then their seatings and rules, a few at a time."""
        base = 1 + self._highest("seating_id", "seatings")
        self.run.staging.insert(self.connection, self.import_id, base, self.run.fates)
        used = self.connection.sql(_USED, params=[base, self.import_id]).to_arrow_table()
        for seatings in self.run.staging.seatings(base, used["seating_id"]):
            self._insert("seatings", seatings)
            for text in seatings["rules"].unique().to_pylist():
                self._note_rules(
                    resolved(msgspec.json.decode(record_codec.unpacked(text), type=RulesRef))
                )
            self._insert_rulesets()
            self._save()

    def _highest(self, number: str, table: str) -> int:
        query = f"SELECT coalesce(max({number}), 0) FROM {table}"  # noqa: S608 - names of our own
        return int(self.connection.execute(query).fetchall()[0][0])

    def _flush(self) -> None:
        keys = pa.table({"id": pa.array(self.judged_again, pa.string())})
        self.connection.execute(
            "DELETE FROM findings USING keys WHERE scope = 'game' AND hand_id = keys.id"
        )
        del keys
        self._insert("hands", rows.to_table(rows.HAND_TYPES, self.hands))
        self._insert("seatings", rows.to_table(rows.SEATING_TYPES, self.seatings.rows))
        self._insert("findings", rows.to_table(rows.FINDING_TYPES, self.findings))
        self._insert_rulesets()
        for waiting in (self.hands, self.findings, self.judged_again):
            waiting.clear()
        self.seatings.clear()
        self.size = 0
        self._save()

    def _note_rules(self, ruleset: Ruleset) -> None:
        """Note rules that hands were played under; of several ways to put them the least stays."""
        noted = self.rulesets.get(ruleset.hash)
        if noted and noted[0] is ruleset:
            return
        row = rows.ruleset_row(ruleset)
        if noted is None or rows.words_of(row) < rows.words_of(noted[1]):
            self.rulesets[ruleset.hash] = ruleset, row

    def _insert_rulesets(self) -> None:
        noted = [row for _, row in self.rulesets.values()]
        self._insert("rulesets", rows.to_table(rows.RULESET_TYPES, noted), _LEAST)
        self.rulesets.clear()

    def _save(self) -> None:
        """Write what was inserted into the file of the draft, where it holds many long texts.

        DuckDB keeps these in memory, all of them, until the transaction has ended.
        """
        if self.long > LONG_KEPT:
            for step in ("COMMIT", "CHECKPOINT", "BEGIN"):
                self.connection.execute(step)
            self.long = 0

    def _insert(
        self,
        table: str,
        frame: pa.Table,
        conflict_clause: str = "",
    ) -> None:
        # DuckDB finds the frame by the name of the variable; one that is registered would stay in
        # memory until the transaction has ended.
        self.connection.execute(
            f"INSERT INTO {table} BY NAME SELECT * FROM frame {conflict_clause}"  # noqa: S608 - no input
        )
        for name in LONG_COLUMNS.get(table, ()):
            sizes = pc.binary_length(frame[name])
            self.long += pc.sum(sizes.filter(pc.greater(sizes, record_codec.LONG))).as_py() or 0


_USED: Final = "SELECT DISTINCT seating_id FROM hands WHERE seating_id >= ? AND import_id = ?"
_LEAST: Final = """
ON CONFLICT (ruleset) DO UPDATE
SET title = excluded.title, family = excluded.family, options = excluded.options
WHERE (length(excluded.options), excluded.options, excluded.title, excluded.family)
    < (length(rulesets.options), rulesets.options, rulesets.title, rulesets.family)
"""
"""In the order of ``rows.words_of``: neither lane nor order of loading shows in what is kept."""


def tricklog_version() -> str:
    """Return the version of Tricklog, or say that it is not installed."""
    try:
        return version("tricklog")
    except PackageNotFoundError:
        return "not installed"


def refresh(connection: DuckDBPyConnection) -> None:
    """Make games and players again from the hands."""
    connection.execute(_REFRESH_GAMES)
    connection.execute(_REFRESH_PLAYERS)


# A game is in order at first sight when its hands are valid and numbered from 1, and each takes up
# the table, the deal and the scores as the one before leaves them.
_GAMES_TO_CHECK: Final = """
INSERT INTO games_to_check
WITH tables AS (
    SELECT
        seating_id,
        len(seat_sides) AS seats,
        CASE policies->>'direction' WHEN 'clockwise' THEN 1 ELSE len(seat_sides) - 1 END AS step,
        dense_rank() OVER (ORDER BY ruleset, [player.id FOR player IN players]) AS sitting
    FROM seatings
    JOIN rulesets USING (ruleset)
), steps AS (
    SELECT
        game, number, verdict, dealer, scores_before, seats, step, sitting,
        lag(number) OVER course AS number_before,
        lag(dealer) OVER course AS dealer_before,
        lag(sitting) OVER course AS sitting_before,
        lag(scores) OVER course AS scores_left,
        lag(winner_side) OVER course AS won
    FROM hands
    JOIN tables USING (seating_id)
    SEMI JOIN (SELECT game FROM hands WHERE import_id = ?) USING (game)
    WINDOW course AS (PARTITION BY game ORDER BY number)
)
SELECT DISTINCT game
FROM steps
WHERE verdict <> 'valid' OR number IS NULL OR scores_before IS NULL OR CASE
    WHEN number_before IS NULL THEN
        number <> 1 OR list_min(scores_before) <> 0 OR list_max(scores_before) <> 0
    ELSE
        number <> number_before + 1
        OR sitting <> sitting_before
        OR dealer <> (dealer_before + step) % seats
        OR scores_before IS DISTINCT FROM scores_left
        OR won IS NOT NULL
END
"""

# Games and players follow from the hands alone, so that their order of arrival leaves no trace.
_REFRESH_GAMES: Final = """
DELETE FROM games;
INSERT INTO games
SELECT
    game,
    list_sort(list(DISTINCT ruleset)),
    count(*),
    max(number) - count(DISTINCT number),
    min(day),
    max(day),
    last(scores ORDER BY number, started_at, id) FILTER (scores IS NOT NULL),
    last(winner_side ORDER BY number, started_at, id) FILTER (winner_side IS NOT NULL)
FROM hands
JOIN seatings USING (seating_id)
WHERE game IS NOT NULL
GROUP BY game;
"""
# Who sat at a table is looked up once for all its hands.
_REFRESH_PLAYERS: Final = """
DELETE FROM players;
INSERT INTO players
WITH tables AS (
    SELECT
        seating_id,
        count(*) AS hands,
        min(day) AS first_day,
        max(day) AS last_day,
        max({'at': coalesce(started_at, '-infinity'::TIMESTAMP), 'id': id}) AS latest
    FROM hands
    GROUP BY seating_id
), seats AS (
    SELECT tables.*, unnest(players) AS player, generate_subscripts(players, 1) AS seat
    FROM tables
    JOIN seatings USING (seating_id)
)
SELECT
    player.id,
    coalesce(
        last(player.name ORDER BY latest, seat) FILTER (player.name IS NOT NULL), player.id
    ),
    coalesce(
        list_sort(list(DISTINCT player.name) FILTER (player.name IS NOT NULL)), []
    ),
    last(player.kind ORDER BY latest, seat) FILTER (player.kind IS NOT NULL),
    sum(hands)::INTEGER,
    min(first_day),
    max(last_day)
FROM seats
GROUP BY player.id;
"""
