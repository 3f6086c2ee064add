"""The third step of a load: what is new becomes rows of tables, with what the rules make of it.

The tables lie in a database that has at least the stored hands of the games that get new ones.
"""

from __future__ import annotations

import itertools
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import duckdb
import msgspec
import pyarrow as pa
from duckdb import DuckDBPyConnection

from tricklog.core.rulesets.ruleset import resolved
from tricklog.ingest.loading import games
from tricklog.ingest.loading.auditing import Counts, rules_trouble
from tricklog.ingest.loading.careful import JudgedHand, judged_rows
from tricklog.ingest.loading.staging import Staged
from tricklog.ingest.loading.workers import Team
from tricklog.ingest.reading.intake import Intake
from tricklog.ingest.reading.progress import Stage
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.store import long_texts, quarantine, record_codec, rows, warehouse
from tricklog.schemas.hand import RulesRef

CHUNK: Final = 10_000
"""Hands inserted at a time, at most."""
CHUNK_SIZE: Final = 1 << 24
"""Bytes of hands and findings inserted at a time, about."""
RECALLED: Final = 1_000
"""Stored hands brought back at a time."""
_BEFORE_RECORD: Final = 2
_FINDING_SIZE: Final = 1_000
"""Bytes of a finding in memory beside its sentence."""
_RULES_SIZE: Final = 1 << 15
"""Bytes of rules in memory beside the hands that name them."""
_HAND_NO: Final = list(rows.HAND_TYPES).index("hand_no")
_SEATING: Final = list(rows.HAND_TYPES).index("seating_id")
_CODE: Final = list(rows.FINDING_TYPES).index("code")


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers that a load gives to what it stores."""

    import_id: int
    hand_no: int
    """Of the first hand. A valid hand has this and its place among those staged, all others come
    after them, each by its place among them; so the numbers of hands left out are left out."""
    seating_id: int
    """Of the first seating."""


def numbers_after(connection: DuckDBPyConnection) -> Numbers:
    """Return the numbers for a load that follows what is stored."""
    highest = (
        connection.execute(
            "SELECT (SELECT coalesce(max(import_id), 0) FROM imports), "
            "(SELECT coalesce(max(hand_no), 0) FROM hands), "
            "(SELECT coalesce(max(seating_id), 0) FROM seatings)"
        )
    ).fetchall()[0]
    return Numbers(*(1 + number for number in highest))


def store(
    staged: Staged,
    connection: DuckDBPyConnection,
    numbers: Numbers,
    team: Team,
) -> None:
    """Write what is new: hands, findings of games old and new, rejects; take out what gives way.

    ``connection`` has the tables of ``ingest/store/warehouse.sql``.
    """
    gone = staged.superseded.ids
    if gone:
        # Their lines count as duplicates.
        connection.register("superseded", pa.table({"hand_id": pa.array(gone, pa.string())}))
        connection.execute(_TAKE_OUT)
        connection.unregister("superseded")
    _Storing(staged, connection, numbers, team).write()
    if gone:
        connection.execute(_TIDY)
        games.refresh(connection)


def note_load(
    connection: DuckDBPyConnection, import_id: int, logs: list[str], counts: Counts
) -> None:
    """Write down the load itself; ``logs`` are what was loaded, as named."""
    connection.execute(
        "INSERT INTO imports VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            import_id,
            datetime.now(UTC).replace(tzinfo=None),
            tricklog_version(),
            logs,
            *astuple(counts),
        ],
    )


class _Storing:
    """One run of ``store``."""

    def __init__(
        self,
        staged: Staged,
        connection: DuckDBPyConnection,
        numbers: Numbers,
        team: Team,
    ) -> None:
        self.connection = connection
        self.staged = staged
        self.account = staged.account
        self.team = team
        self.numbers = numbers
        self.rulesets: dict[str, rows.Row] = {}
        self.hands: list[rows.Row] = []
        self.findings: list[rows.Row] = []
        self.judged_again: list[str] = []
        """Stored hands whose game findings are replaced."""
        self.size = 0
        """Bytes of these, about."""

    def write(self) -> None:
        if self.staged.spool.valid:
            self._insert_valid()
        self.seatings = rows.Seatings(numbers_after(self.connection).seating_id)
        self._recall_games()
        import_id, intake = self.numbers.import_id, self.staged.intake
        for hand in judged_rows(intake, import_id, self.team):
            self._take(hand)
            if len(self.hands) + len(self.judged_again) >= CHUNK or self.size >= CHUNK_SIZE:
                self._flush()
        self._flush()
        for batch in intake.rejects():
            table = rows.to_table(rows.REJECT_TYPES, batch)
            self._insert(
                "rejects", table.append_column("import_id", pa.array([import_id] * len(batch)))
            )
            parts = {row[0]: intake.parts_of(row[0]) for row in batch}
            several = {key: of_reject for key, of_reject in parts.items() if of_reject}
            quarantine.write_parts(self.connection, several)
        games.refresh_import(self.connection, import_id)

    def _insert_valid(self) -> None:
        """Insert valid hands, then their seatings and rules, a few at a time."""
        self.account.tell(Stage.STORING)
        numbers, spool = self.numbers, self.staged.spool
        base = numbers.seating_id
        spool.insert(self.connection, numbers.import_id, numbers.hand_no, base, self.staged.dropped)
        used = self.connection.sql(_USED, params=[base, numbers.import_id]).to_arrow_table()
        for seatings in spool.seatings(base, used["seating_id"]):
            self._insert("seatings", seatings)
            for text in seatings["rules"].unique().to_pylist():
                ruleset = resolved(msgspec.json.decode(text, type=RulesRef))
                self._note_rules(rows.ruleset_row(ruleset))
            self._insert_rulesets()

    def _recall_games(self) -> None:
        """Bring the stored hands of games into the intake that hands of the intake belong to.

        Likewise of games that lose hands, and of those of valid hands in which something may be
        found.
        """
        self.connection.execute("CREATE TEMP TABLE games_to_check (game VARCHAR)")
        lose = list(self.staged.superseded.games)
        for names in itertools.chain([lose], self.staged.intake.game_names()):
            self._insert("games_to_check", pa.table({"game": pa.array(names, pa.string())}))
        if self.staged.spool.valid:
            import_id = self.numbers.import_id
            first = games.first_hand_of(self.connection, import_id)
            for share in games.shares_of_games(self.connection):
                of_share = {**share, "import": import_id, "first": first}
                self.connection.execute(games.GAMES_TO_CHECK, of_share)
        recall(self.connection, self.staged.intake)
        self.connection.execute("DROP TABLE games_to_check")

    def _take(self, hand: JudgedHand) -> None:
        if hand.stored:
            self.judged_again.append(hand.id)
        else:
            row = list(hand.row)
            # Those that do not come through the bulk lane are numbered after those that do.
            row[_HAND_NO] = self.numbers.hand_no + self.staged.spool.valid + hand.sequence
            row[_SEATING] = self.seatings.renumber(hand.seating)
            self.hands.append(tuple(row))
            self.size += hand.size
            self._note_rules(hand.ruleset)
        codes = [row[_CODE] for row in hand.findings]
        self.account.judged(hand.verdict, codes, new=not hand.stored)
        self.findings += hand.findings
        self.size += sum(_FINDING_SIZE + len(row[-1]) for row in hand.findings)

    def _flush(self) -> None:
        self._execute_with(
            pa.table({"id": pa.array(self.judged_again, pa.string())}),
            "DELETE FROM findings USING frame WHERE scope = 'game' AND hand_id = frame.id",
        )
        self._insert("hands", rows.to_table(rows.HAND_TYPES, self.hands))
        self._insert("seatings", rows.to_table(rows.SEATING_TYPES, self.seatings.rows))
        self._insert("findings", rows.to_table(rows.FINDING_TYPES, self.findings))
        self._insert_rulesets()
        for waiting in (self.hands, self.findings, self.judged_again, self.seatings):
            waiting.clear()
        self.size = 0

    def _note_rules(self, row: rows.Row) -> None:
        """Note rules that hands were played under; of several ways to put them the least stays."""
        noted = self.rulesets.get(row[0])
        self.size += 0 if noted else _RULES_SIZE
        if noted is None or rows.words_of(row) < rows.words_of(noted):
            self.rulesets[row[0]] = row

    def _insert_rulesets(self) -> None:
        noted = rows.to_table(rows.RULESET_TYPES, list(self.rulesets.values()))
        self._insert("rulesets", noted, _LEAST)
        self.rulesets.clear()

    def _insert(self, table: str, frame: pa.Table, conflict_clause: str = "") -> None:
        frame = long_texts.with_references(
            frame,
            long_texts.COLUMNS.get(table, ()),
            lambda texts: long_texts.insert(self.connection, texts),
        )
        query = f"INSERT INTO {table} BY NAME SELECT * FROM frame {conflict_clause}"  # noqa: S608 - no input
        self._execute_with(frame, query)

    def _execute_with(self, frame: pa.Table, query: str) -> None:  # noqa: ARG002 - named in the query
        # DuckDB finds the frame by the name of the variable; one that is registered would stay in
        # memory until the transaction has ended.
        try:
            self.connection.execute(query)
        except duckdb.CatalogException as error:
            if "Table with name frame" not in str(error):
                raise
            # It is there: Ctrl-C came while DuckDB looked through our variables.
            raise KeyboardInterrupt from error


def recall(connection: DuckDBPyConnection, intake: Intake) -> None:
    """Bring the stored hands of the games in table ``games_to_check`` into the intake.

    Raises ``WarehouseError`` for a hand that can no longer be replayed.
    """
    # Long texts are read on the same connection, which would cut off what it still has to give.
    connection.execute(
        "CREATE TEMP TABLE recalled AS "  # noqa: S608 - names of our own
        f"SELECT row_number() OVER () - 1 AS place, file, line, {record_codec.COLUMNS} "
        "FROM hands SEMI JOIN games_to_check USING (game) JOIN seatings USING (seating_id)"
    )
    places = [_BEFORE_RECORD + place for place in record_codec.LONG_PLACES]
    for first in itertools.count(step=RECALLED):
        batch = connection.execute(
            "SELECT * EXCLUDE (place) FROM recalled "
            "WHERE place >= $first AND place < $first + $most",
            {"first": first, "most": RECALLED},
        ).fetchall()
        if not batch:
            break
        for row in long_texts.with_texts(connection, batch, places):
            file, number, *columns = row
            text, hand = warehouse.read_record(tuple(columns))
            if trouble := rules_trouble(hand):
                raise warehouse.WarehouseError(
                    f"The stored hand {hand.id!r} cannot be replayed any more: "
                    f"{trouble.message} tricklog db rebuild rebuilds the warehouse."
                )
            intake.recall(LogLine(file, number, 0, text=text), hand)
    connection.execute("DROP TABLE recalled")


_USED: Final = "SELECT DISTINCT seating_id FROM hands WHERE seating_id >= ? AND import_id = ?"
_LEAST: Final = """
ON CONFLICT (ruleset) DO UPDATE
SET title = excluded.title, family = excluded.family, options = excluded.options
WHERE (length(excluded.options), excluded.options, excluded.title, excluded.family)
    < (length(rulesets.options), rulesets.options, rulesets.title, rulesets.family)
"""
"""In the order of ``rows.words_of``: neither lane nor order of loading shows in what is kept."""
_TAKE_OUT: Final = """
UPDATE imports SET accepted = accepted - lost, duplicate = duplicate + lost
FROM (
    SELECT import_id AS losing, count(*) AS lost
    FROM hands SEMI JOIN superseded USING (hand_id)
    GROUP BY import_id
)
WHERE import_id = losing;
DELETE FROM findings WHERE hand_id IN (SELECT hand_id FROM superseded);
DELETE FROM hands WHERE hand_id IN (SELECT hand_id FROM superseded);
"""
"""Takes hands out of a draft, with what is said of them."""
_TIDY: Final = f"""
DELETE FROM seatings WHERE seating_id NOT IN (SELECT seating_id FROM hands);
DELETE FROM rulesets WHERE ruleset NOT IN (SELECT ruleset FROM seatings);
DELETE FROM long_texts
WHERE text_hash NOT IN (SELECT {long_texts.HASH_OF} FROM ({long_texts.references()}));
"""  # noqa: S608 - names of our own
"""Leaves out what no hand has any more since some were taken out."""


def tricklog_version() -> str:
    """Return the version of Tricklog, or say that it is not installed."""
    try:
        return version("tricklog")
    except PackageNotFoundError:
        return "not installed"
