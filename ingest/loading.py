"""Loading logs into a warehouse: read, replay, check games, publish; the same hands add nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from duckdb import DuckDBPyConnection

from ingest import lines, publishing, rows, warehouse
from ingest.auditing import (
    EXIT_CLEAN,
    EXIT_FINDINGS,
    EXIT_UNREADABLE,
    WATCH_EVERY,
    Counts,
    admit,
    conflict,
    game_findings,
    rules_trouble,
)
from ingest.progress import Meter, Progress, Stage, Watch
from ingest.reader import LogLine, read
from ingest.rejects import Reject
from ingest.spool import Spool, SpooledHand
from replay import Finding, Replay, Verdict, replay

CHUNK: Final = 10_000
"""Hands inserted at a time."""
WAIT: Final = 60.0

OnReject = Callable[[Reject], None]


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did. The four counts sum to ``lines``."""

    lines: int
    accepted: int
    duplicate: int
    quarantined: int
    blank: int
    snapshot: Path | None
    """The snapshot that is current now; ``None`` when there was nothing to publish at all."""
    published: bool
    """Whether this load published it; a load that adds nothing leaves the warehouse as it is."""
    verdicts: dict[str, int]
    """Accepted hands by verdict."""
    findings: dict[str, int]
    """Findings by code: of the accepted hands, and of the games they belong to."""

    @property
    def exit_status(self) -> int:
        """3 when anything was unreadable, else 1 when there is a finding, else 0."""
        if self.quarantined:
            return EXIT_UNREADABLE
        return EXIT_FINDINGS if self.findings or self.verdicts.get("rejected") else EXIT_CLEAN


def load(
    *paths: str | Path,
    db: str | Path,
    watch: Watch | None = None,
    on_reject: OnReject | None = None,
    wait: float = WAIT,
) -> LoadReport:
    """Load hand logs into the warehouse in the folder ``db`` and publish a new snapshot.

    Args:
        paths: files, folders or ``-``, as ``ingest.read`` takes them.
        db: the warehouse's folder; it is made when it does not exist.
        watch: called now and then with how far the load is, for a progress display.
        on_reject: called for every line put into quarantine.
        wait: seconds to wait for another load into the same folder.

    Raises:
        WarehouseError: another load does not finish (``BusyError``), the disk is full or fails
            (``StorageError``), or the folder holds something else. Where the sentence does not say
            otherwise, the warehouse is as it was before.
    """
    folder = publishing.prepare(Path(db))
    with Spool() as spool:
        run = _Run(spool, watch, on_reject)
        meter = Meter(paths if watch else ())
        for line in read(*paths, meter=meter):
            run.take_in(line, meter)
        with publishing.writing(folder, wait=wait, on_wait=run.wait):
            if warehouse.current_snapshot(folder):
                with warehouse.open_snapshot(folder) as current:
                    run.compare(current)
            published = not spool.is_empty()
            if published:
                with publishing.draft(folder) as connection:
                    _Writer(connection, run, [str(path) for path in paths]).write()
            return run.report(warehouse.current_snapshot(folder), published=published)


class _Run:
    """One load up to the point where it is known what is new."""

    def __init__(self, spool: Spool, watch: Watch | None, on_reject: OnReject | None) -> None:
        self.spool = spool
        self.counts = Counts()
        self.verdicts: Counter[Verdict] = Counter()
        self.findings: Counter[str] = Counter()
        self._watch = watch
        self._on_reject = on_reject

    def take_in(self, line: LogLine, meter: Meter) -> None:
        """Read one line: hands and rejects go into the spool."""
        audited = admit(line, self.spool, self.counts)
        if audited and audited.line.reject:
            self._quarantine(audited.line.reject)
        self._tick(self.counts.lines, Stage.READING, meter.done, meter.total)

    def wait(self) -> None:
        """Say that another load is going on."""
        self._tick(0, Stage.WAITING, 0, None)

    def compare(self, current: DuckDBPyConnection) -> None:
        """Take out of the spool what is stored, and bring in the stored hands of its games."""
        for identities in self.spool.identities():
            self._drop_known_hands(current, identities)
        for rejects in self.spool.rejects():
            keys = pa.table({"reject": [row[0] for row in rejects]})
            known = _join(current, keys, "SELECT reject FROM keys JOIN rejects USING (reject)")
            self.spool.drop_rejects(key for (key,) in known)
        for names in self.spool.game_names():
            keys = pa.table({"game": names})
            stored = _join(
                current,
                keys,
                f"SELECT file, line, {lines.COLUMNS} "  # noqa: S608 - names of our own
                "FROM keys JOIN hands USING (game) JOIN seatings USING (seating_id)",
            )
            for file, number, *columns in stored:
                text, hand = warehouse.read_record(tuple(columns))
                if trouble := rules_trouble(hand):
                    raise warehouse.WarehouseError(
                        f"The stored hand {hand.id!r} cannot be replayed any more: "
                        f"{trouble.message} tricklog rebuild makes the warehouse anew."
                    )
                self.spool.recall(LogLine(file, number, 0, text=text), hand)

    def _drop_known_hands(
        self, current: DuckDBPyConnection, identities: list[tuple[str, str]]
    ) -> None:
        ids, hashes = zip(*identities, strict=True)
        keys = pa.table({"id": ids, "content": hashes})
        known = _join(
            current,
            keys,
            "SELECT id, content::UUID = content_hash, file || ':' || line "
            "FROM keys JOIN hands USING (id)",
        )
        for hand_id, same, place in known:
            (line,) = self.spool.take([hand_id])
            self.counts.accepted -= 1
            if same:
                self.counts.duplicate += 1
                continue
            self.counts.quarantined += 1
            reject = line.rejected(conflict(hand_id, place)).reject
            assert reject is not None
            self._quarantine(reject)

    def judged(self, replayed: Replay, findings: tuple[Finding, ...], *, new: bool) -> None:
        """Count the verdict of a new hand, and findings of a hand."""
        self.findings.update(finding.code for finding in findings)
        if new:
            self.verdicts[replayed.verdict] += 1
            hands = self.verdicts.total()
            self._tick(hands, Stage.REPLAYING, hands, self.counts.accepted)

    def report(self, snapshot: Path | None, *, published: bool) -> LoadReport:
        """Return what the load did."""
        counts = self.counts
        assert counts.balanced
        return LoadReport(
            lines=counts.lines,
            accepted=counts.accepted,
            duplicate=counts.duplicate,
            quarantined=counts.quarantined,
            blank=counts.blank,
            snapshot=snapshot,
            published=published,
            verdicts={verdict.value: count for verdict, count in sorted(self.verdicts.items())},
            findings=dict(sorted(self.findings.items())),
        )

    def _quarantine(self, reject: Reject) -> None:
        self.spool.add_reject(reject)
        if self._on_reject:
            self._on_reject(reject)

    def _tick(self, count: int, stage: Stage, done: int, total: int | None) -> None:
        if self._watch and count % WATCH_EVERY == 0:
            hands, findings = self.verdicts.total(), self.findings.total()
            self._watch(Progress(stage, self.counts.lines, hands, findings, done, total))


def _join(current: DuckDBPyConnection, keys: pa.Table, query: str) -> list[tuple[Any, ...]]:
    current.register("keys", keys)
    try:
        return current.execute(query).fetchall()
    finally:
        current.unregister("keys")


class _Writer:
    """Writes one draft: new hands, findings of games old and new, rejects, the import itself."""

    def __init__(self, connection: DuckDBPyConnection, run: _Run, paths: list[str]) -> None:
        self.connection = connection
        self.run = run
        self.paths = paths
        self.import_id = 1 + self._highest("import_id", "imports")
        self.seatings = rows.Seatings(1 + self._highest("seating_id", "seatings"))
        self.hands: list[rows.Row] = []
        self.findings: list[rows.Row] = []
        self.rulesets: dict[str, rows.Row] = {}
        self.judged_again: list[str] = []
        """Stored hands whose game findings are replaced."""

    def write(self) -> None:
        """Write everything the spool holds."""
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
            _join(
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
        """Insert a chunk of hands and what belongs to it; columns are those of ``ingest.rows``."""
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
_REFRESH_PLAYERS: Final = """
DELETE FROM players;
INSERT INTO players
SELECT
    player.id,
    coalesce(
        last(player.name ORDER BY started_at NULLS FIRST, id) FILTER (player.name IS NOT NULL),
        player.id
    ),
    coalesce(
        list_sort(list(DISTINCT player.name) FILTER (player.name IS NOT NULL)), []
    ),
    last(player.kind ORDER BY started_at NULLS FIRST, id) FILTER (player.kind IS NOT NULL),
    count(*),
    min(day),
    max(day)
FROM (
    SELECT id, started_at, day, unnest(players) AS player
    FROM hands
    JOIN seatings USING (seating_id)
)
GROUP BY player.id;
"""
