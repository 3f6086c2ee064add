"""Writing a draft: new hands and what the rules make of them, game by game."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

import duckdb
import pyarrow as pa
from duckdb import DuckDBPyConnection

from ingest.load.auditing import game_findings
from ingest.reading.intake import SpooledHand
from ingest.store import rows
from replay import Replay, replay

if TYPE_CHECKING:
    from ingest.load.loading import Run

CHUNK: Final = 10_000
"""Hands inserted at a time."""


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
        if run.staging.hands:
            run.staging.insert(connection, self.import_id, run.fates)
        self.seatings = rows.Seatings(1 + self._highest("seating_id", "seatings"))
        self.hands: list[rows.Row] = []
        self.findings: list[rows.Row] = []
        self.rulesets: dict[str, rows.Row] = {}
        self.judged_again: list[str] = []
        """Stored hands whose game findings are replaced."""

    def write(self) -> None:
        """Write everything the spool holds, and what its games need."""
        spooled = [name for names in self.run.spool.game_names() for name in names]
        games = {*spooled, *self._games_to_check()}
        if games:
            self.run.recall(self.connection, sorted(games))
        for hands in self.run.spool.games():
            self._take_game(hands)
            if len(self.hands) + len(self.judged_again) >= CHUNK:
                self._flush()
        self._flush()
        for batch in self.run.spool.rejects():
            table = rows.to_table(rows.REJECT_TYPES, batch)
            self._insert(
                "rejects", table.append_column("import_id", pa.array([self.import_id] * len(batch)))
            )
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

    def _games_to_check(self) -> list[str]:
        """Return the games of staged hands in which something may be found."""
        if not self.run.staging.hands:
            return []
        found = self.connection.execute(_GAMES_TO_CHECK, [self.import_id]).fetchall()
        return [game for (game,) in found]

    def _take_game(self, hands: list[SpooledHand]) -> None:
        replays = [replay(spooled.hand) for spooled in hands]
        of_game = game_findings(hands, replays)
        for spooled, replayed, found in zip(hands, replays, of_game, strict=True):
            hand_id = spooled.hand.id
            if spooled.stored:
                self.judged_again.append(hand_id)
                self.run.judged(replayed, tuple(found), new=False)
            else:
                self.hands.append(self._hand_row(spooled, replayed))
                self.rulesets[replayed.ruleset.hash] = rows.ruleset_row(replayed.ruleset)
                self.findings += rows.finding_rows(hand_id, "hand", replayed.findings)
                self.run.judged(replayed, (*replayed.findings, *found), new=True)
            self.findings += rows.finding_rows(hand_id, "game", found)

    def _hand_row(self, spooled: SpooledHand, replayed: Replay) -> rows.Row:
        seating = self.seatings.number(spooled.hand, replayed.ruleset)
        return rows.hand_row(spooled, replayed, self.import_id, seating)

    def _highest(self, number: str, table: str) -> int:
        query = f"SELECT coalesce(max({number}), 0) FROM {table}"  # noqa: S608 - names of our own
        return int(self.connection.execute(query).fetchall()[0][0])

    def _flush(self) -> None:
        if self.judged_again:
            join(
                self.connection,
                pa.table({"id": self.judged_again}),
                "DELETE FROM findings USING keys WHERE scope = 'game' AND hand_id = keys.id",
            )
        self.insert(
            hands=rows.to_table(rows.HAND_TYPES, self.hands),
            seatings=rows.to_table(rows.SEATING_TYPES, self.seatings.rows),
            findings=rows.to_table(rows.FINDING_TYPES, self.findings),
            rulesets=rows.to_table(rows.RULESET_TYPES, list(self.rulesets.values())),
        )
        for waiting in (self.hands, self.findings, self.judged_again):
            waiting.clear()
        self.rulesets.clear()
        self.seatings.clear()

    def insert(
        self, *, hands: pa.Table, seatings: pa.Table, findings: pa.Table, rulesets: pa.Table
    ) -> None:
        """Insert a chunk of hands and what belongs to it, with the columns of ``store.rows``."""
        self._insert("hands", hands)
        self._insert("seatings", seatings)
        self._insert("findings", findings)
        self._insert("rulesets", rulesets, "ON CONFLICT DO NOTHING")

    def _insert(self, table: str, frame: pa.Table, conflict_clause: str = "") -> None:
        self.connection.register("frame", frame)
        self.connection.execute(
            f"INSERT INTO {table} BY NAME SELECT * FROM frame {conflict_clause}"  # noqa: S608 - no input
        )
        self.connection.unregister("frame")


def tricklog_version() -> str:
    """Return the version of Tricklog, or say that it is not installed."""
    try:
        return version("tricklog")
    except PackageNotFoundError:
        return "not installed"


def refresh(connection: DuckDBPyConnection) -> None:
    """Make games and players anew from the hands."""
    connection.execute(_REFRESH_GAMES)
    connection.execute(_REFRESH_PLAYERS)


# A game is in order at first sight when its hands are valid and numbered from 1, and each takes up
# the table, the deal and the scores as the one before leaves them.
_GAMES_TO_CHECK: Final = """
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
