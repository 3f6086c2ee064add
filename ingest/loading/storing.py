"""The third step of a load: what is new becomes rows of tables, with what the rules make of it.

The tables lie in a database that has at least the stored hands of the games that get new ones.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

import duckdb
import msgspec
import pyarrow as pa
from duckdb import DuckDBPyConnection

from tricklog.core.rulesets.ruleset import resolved
from tricklog.ingest.loading import games
from tricklog.ingest.loading.auditing import Counts, rules_trouble
from tricklog.ingest.loading.careful import JudgedGames, JudgedHand, judged_rows
from tricklog.ingest.loading.report import Account, LoadReport
from tricklog.ingest.loading.staging import Staged
from tricklog.ingest.loading.superseding import NOTHING, Superseded, take_out, tidy
from tricklog.ingest.loading.workers import Team
from tricklog.ingest.reading.intake import Intake
from tricklog.ingest.reading.progress import Stage
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.store import long_texts, quarantine, record_codec, rows, warehouse
from tricklog.schemas.hand import RulesRef

if TYPE_CHECKING:
    from tricklog.ingest.loading.destination import Folder

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
    account: Account,
    team: Team,
) -> None:
    """Write what is new: hands, findings of games old and new, rejects; take out what gives way.

    ``connection`` has the tables of ``ingest/store/warehouse.sql``.
    """
    old = staged.superseded
    take_out(connection, old.ids)
    _Storing(staged, connection, numbers, account, team).write(old.games)
    tidy(connection, old.ids)


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


def publish(  # noqa: PLR0913 - all of them are named
    staged: Staged,
    target: Folder,
    account: Account,
    team: Team,
    logs: list[str],
    *,
    facts: bool = True,
    old: Superseded = NOTHING,
    also: Callable[[DuckDBPyConnection, int], None] = lambda *_: None,
) -> LoadReport:
    """Settle what was staged, publish what is new of it, and return what the load did.

    ``old`` is what gives way to it; ``also`` is called with the draft and the number of the load,
    to write what is published with it.
    """
    staged.settle(target.current(), account, old)
    is_new = staged.has_news()
    if is_new:
        # Facts grow by hands that come; where some go they are derived when asked for.
        grows = facts and not staged.superseded.ids
        with target.draft(facts=grows, on_progress=account.derived) as connection:
            numbers = numbers_after(connection)
            store(staged, connection, numbers, account, team)
            note_load(connection, numbers.import_id, logs, account.counts)
            also(connection, numbers.import_id)
    account.finished()
    return account.report(target.current(), published=is_new and target.is_kept)


class _Storing:
    """One run of ``store``."""

    def __init__(
        self,
        staged: Staged,
        connection: DuckDBPyConnection,
        numbers: Numbers,
        account: Account,
        team: Team,
    ) -> None:
        self.connection = connection
        self.staged = staged
        self.account = account
        self.team = team
        self.import_id = numbers.import_id
        self.first_careful = numbers.hand_no + staged.spool.valid
        """Number of the first hand that does not come through the bulk lane."""
        self.rulesets: dict[str, rows.Row] = {}
        self.hands: list[rows.Row] = []
        self.findings: list[rows.Row] = []
        self.judged_again: list[str] = []
        """Stored hands whose game findings are replaced."""
        self.size = 0
        """Bytes of these, about."""
        if staged.spool.valid:
            self._insert_valid(numbers)
        self.seatings = rows.Seatings(numbers_after(connection).seating_id)

    def write(self, also: Sequence[str]) -> None:
        self._recall_games(also)
        for judged in judged_rows(self.staged.intake, self.import_id, self.team):
            for hand in judged.hands:
                self._take(hand, judged)
                if len(self.hands) + len(self.judged_again) >= CHUNK or self.size >= CHUNK_SIZE:
                    self._flush()
        self._flush()
        for batch in self.staged.intake.rejects():
            table = rows.to_table(rows.REJECT_TYPES, batch)
            self._insert(
                "rejects", table.append_column("import_id", pa.array([self.import_id] * len(batch)))
            )
            parts = {row[0]: self.staged.intake.parts_of(row[0]) for row in batch}
            several = {key: of_reject for key, of_reject in parts.items() if of_reject}
            quarantine.write_parts(self.connection, several)
        games.refresh_import(self.connection, self.import_id)

    def _recall_games(self, also: Sequence[str]) -> None:
        """Bring the stored hands of games into the intake that hands of the intake belong to.

        Likewise of the games of valid hands in which something may be found.
        """
        self.connection.execute("CREATE TEMP TABLE games_to_check (game VARCHAR)")
        for names in itertools.chain([list(also)], self.staged.intake.game_names()):
            self._insert("games_to_check", pa.table({"game": pa.array(names, pa.string())}))
        if self.staged.spool.valid:
            first = games.first_hand_of(self.connection, self.import_id)
            of_import = {"import": self.import_id, "first": first}
            for share in games.shares_of_games(self.connection):
                self.connection.execute(games.GAMES_TO_CHECK, {**share, **of_import})
        recall(self.connection, self.staged.intake)
        self.connection.execute("DROP TABLE games_to_check")

    def _take(self, hand: JudgedHand, judged: JudgedGames) -> None:
        if hand.stored:
            self.judged_again.append(hand.id)
        else:
            seating = self.seatings.renumber(judged.seatings[hand.seating])
            row = list(hand.row)
            row[_HAND_NO], row[_SEATING] = self.first_careful + hand.sequence, seating
            self.hands.append(tuple(row))
            self.size += hand.size
            self._note_rules(judged.rulesets[hand.ruleset])
        codes = [row[_CODE] for row in hand.findings]
        self.account.judged(hand.verdict, codes, new=not hand.stored)
        self.findings += hand.findings
        self.size += sum(_FINDING_SIZE + len(row[-1]) for row in hand.findings)

    def _insert_valid(self, numbers: Numbers) -> None:
        """Insert valid hands, then their seatings and rules, a few at a time."""
        self.account.tell(Stage.STORING)
        base, dropped = numbers.seating_id, self.staged.dropped
        self.staged.spool.insert(self.connection, self.import_id, numbers.hand_no, base, dropped)
        used = self.connection.sql(_USED, params=[base, self.import_id]).to_arrow_table()
        for seatings in self.staged.spool.seatings(base, used["seating_id"]):
            self._insert("seatings", seatings)
            for text in seatings["rules"].unique().to_pylist():
                ruleset = resolved(msgspec.json.decode(text, type=RulesRef))
                self._note_rules(rows.ruleset_row(ruleset))
            self._insert_rulesets()

    def _flush(self) -> None:
        self._execute_with(
            pa.table({"id": pa.array(self.judged_again, pa.string())}),
            "DELETE FROM findings USING frame WHERE scope = 'game' AND hand_id = frame.id",
        )
        self._insert("hands", rows.to_table(rows.HAND_TYPES, self.hands))
        self._insert("seatings", rows.to_table(rows.SEATING_TYPES, self.seatings.rows))
        self._insert("findings", rows.to_table(rows.FINDING_TYPES, self.findings))
        self._insert_rulesets()
        for waiting in (self.hands, self.findings, self.judged_again):
            waiting.clear()
        self.seatings.clear()
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


def tricklog_version() -> str:
    """Return the version of Tricklog, or say that it is not installed."""
    try:
        return version("tricklog")
    except PackageNotFoundError:
        return "not installed"
