"""Writing a draft: new hands and what the rules make of them, game by game."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import msgspec
import pyarrow as pa
from duckdb import DuckDBPyConnection

from ingest.loading.auditing import judged_hands
from ingest.loading.run import Run
from ingest.reading.intake import SpooledHand
from ingest.store import long_texts, rows
from replay import Finding, Replay, Ruleset
from replay.rulesets.ruleset import resolved
from schemas.hand import RulesRef

CHUNK: Final = 10_000
"""Hands inserted at a time, at most."""
CHUNK_SIZE: Final = 1 << 24
"""Bytes of hands and findings inserted at a time, about."""
SHARE: Final = 4_000_000
"""Hands whose games are gone through at a time, about."""
NAMES: Final = 100
"""Names of a player that are kept, at most."""
_FINDING_SIZE: Final = 1_000
"""Bytes of a finding in memory beside its sentence."""
_RULES_SIZE: Final = 1 << 15
"""Bytes of rules in memory beside the hands that name them."""


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
        if run.buffer.hands:
            self._insert_staged()
        self.seatings = rows.Seatings(1 + self._highest("seating_id", "seatings"))

    def write(self) -> None:
        """Write everything the intake holds, and what its games need."""
        self._recall_games()
        for spooled, replayed, found in judged_hands(self.run.intake):
            self._take(spooled, replayed, found)
            if len(self.hands) + len(self.judged_again) >= CHUNK or self.size >= CHUNK_SIZE:
                self._flush()
        self._flush()
        for batch in self.run.intake.rejects():
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

    def _recall_games(self) -> None:
        """Bring the stored hands of games into the intake that hands of the intake belong to.

        Likewise of the games of staged hands in which something may be found.
        """
        self.connection.execute("CREATE TEMP TABLE games_to_check (game VARCHAR)")
        for names in self.run.intake.game_names():
            self._insert("games_to_check", pa.table({"game": names}))
        if self.run.buffer.hands:
            for share in _shares_of_games(self.connection):
                self.connection.execute(_GAMES_TO_CHECK, {**share, "import": self.import_id})
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
        self.run.buffer.insert(self.connection, self.import_id, base, self.run.fates)
        used = self.connection.sql(_USED, params=[base, self.import_id]).to_arrow_table()
        for seatings in self.run.buffer.seatings(base, used["seating_id"]):
            self._insert("seatings", seatings)
            for text in seatings["rules"].unique().to_pylist():
                self._note_rules(resolved(msgspec.json.decode(text, type=RulesRef)))
            self._insert_rulesets()

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

    def _note_rules(self, ruleset: Ruleset) -> None:
        """Note rules that hands were played under; of several ways to put them the least stays."""
        noted = self.rulesets.get(ruleset.hash)
        if noted and noted[0] is ruleset:
            return
        row = rows.ruleset_row(ruleset)
        self.size += 0 if noted else _RULES_SIZE
        if noted is None or rows.words_of(row) < rows.words_of(noted[1]):
            self.rulesets[ruleset.hash] = ruleset, row

    def _insert_rulesets(self) -> None:
        noted = [row for _, row in self.rulesets.values()]
        self._insert("rulesets", rows.to_table(rows.RULESET_TYPES, noted), _LEAST)
        self.rulesets.clear()

    def _insert_texts(self, texts: list[bytes]) -> None:
        long_texts.insert(self.connection, texts)

    def _insert(
        self,
        table: str,
        frame: pa.Table,
        conflict_clause: str = "",
    ) -> None:
        columns = long_texts.COLUMNS.get(table, ())
        frame = long_texts.with_references(frame, columns, self._insert_texts)
        # DuckDB finds the frame by the name of the variable; one that is registered would stay in
        # memory until the transaction has ended.
        self.connection.execute(
            f"INSERT INTO {table} BY NAME SELECT * FROM frame {conflict_clause}"  # noqa: S608 - no input
        )


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
    connection.execute("DELETE FROM games")
    for share in _shares_of_games(connection):
        connection.execute(_REFRESH_GAMES, share)
    connection.execute("DELETE FROM players")
    connection.execute(_REFRESH_PLAYERS, {"names": NAMES})


def _shares_of_games(connection: DuckDBPyConnection) -> list[dict[str, int]]:
    """Return the shares in which all games are gone through, so that each fits into memory."""
    ((hands,),) = connection.execute("SELECT count(*) FROM hands").fetchall()
    shares = 1 + hands // SHARE
    return [{"shares": shares, "share": share} for share in range(shares)]


# A game is in order at first sight when its hands are valid and numbered from 1, and each takes up
# the table, the deal and the scores as the one before leaves them. What it takes up and leaves is
# compared by hashes, as is the game: sorting rows of numbers takes a tenth of the memory, and games
# that share a hash are checked, no more.
_GAMES_TO_CHECK: Final = """
INSERT INTO games_to_check
WITH tables AS (
    SELECT
        seating_id,
        len(seat_sides) AS seats,
        CASE policies->>'direction' WHEN 'clockwise' THEN 1 ELSE len(seat_sides) - 1 END AS step,
        hash(ruleset, [player.id FOR player IN players]) AS sitting
    FROM seatings
    JOIN rulesets USING (ruleset)
), touched AS (
    SELECT DISTINCT hash(game) AS game
    FROM hands
    WHERE import_id = $import AND game IS NOT NULL AND hash(game) % $shares = $share
), ends AS (
    SELECT
        hash(game) AS game,
        number,
        verdict = 'valid' AND number IS NOT NULL AND scores_before IS NOT NULL AS is_whole,
        number = 1 AND list_min(scores_before) = 0 AND list_max(scores_before) = 0 AS is_first,
        hash(sitting, dealer::BIGINT, scores_before) AS takes_up,
        hash(sitting, ((dealer + step) % seats)::BIGINT, scores) AS leaves,
        winner_side IS NOT NULL AS is_last
    FROM hands
    JOIN tables USING (seating_id)
    WHERE hash(game) % $shares = $share AND hash(game) IN (FROM touched)
), steps AS (
    SELECT
        *,
        lag(number) OVER course AS number_before,
        lag(leaves) OVER course AS left_before,
        lag(is_last) OVER course AS is_after_end
    FROM ends
    WINDOW course AS (PARTITION BY game ORDER BY number)
), wrong AS (
    SELECT DISTINCT game
    FROM steps
    WHERE NOT is_whole OR CASE
        WHEN number_before IS NULL THEN NOT is_first
        ELSE number <> number_before + 1 OR takes_up <> left_before OR is_after_end
    END
)
SELECT DISTINCT game
FROM hands
WHERE hash(game) IN (FROM wrong)
"""

# Games and players follow from the hands alone, so that their order of arrival leaves no trace.
_REFRESH_GAMES: Final = """
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
WHERE game IS NOT NULL AND hash(game) % $shares = $share
GROUP BY game
"""
# Who sat at a table is looked up once for all its hands.
_REFRESH_PLAYERS: Final = """
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
), names AS (
    SELECT DISTINCT player.id AS id, player.name AS name FROM seats WHERE player.name IS NOT NULL
), named_often AS (
    SELECT id FROM names GROUP BY id HAVING count(*) > $names
), aliases AS (
    -- Room for so many names would be kept for each player, so only who needs it is asked this way.
    SELECT id, min(name, $names) AS names FROM names SEMI JOIN named_often USING (id) GROUP BY id
    UNION ALL
    SELECT id, list_sort(list(name)) FROM names ANTI JOIN named_often USING (id) GROUP BY id
)
SELECT
    player.id,
    coalesce(
        last(player.name ORDER BY latest, seat) FILTER (player.name IS NOT NULL), player.id
    ),
    coalesce(any_value(aliases.names), []),
    last(player.kind ORDER BY latest, seat) FILTER (player.kind IS NOT NULL),
    sum(hands)::INTEGER,
    min(first_day),
    max(last_day)
FROM seats
LEFT JOIN aliases ON aliases.id = player.id
GROUP BY player.id
"""
