"""Verifying a warehouse: is what it says about itself true, and what to do about what is not."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import duckdb
import msgspec
from duckdb import DuckDBPyConnection

from tricklog.core import RulesetError, ruleset_of
from tricklog.core.rulesets.ruleset import rules_hash
from tricklog.ingest.facts import files as facts
from tricklog.ingest.reading.intake import key_of_reject
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.store import (
    database,
    forgotten,
    long_texts,
    publishing,
    rows,
    seals,
    userdata,
    warehouse,
)
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.warehouse import DamagedError, RecordError, WarehouseError
from tricklog.ingest.study import homes as study
from tricklog.ingest.upkeep import rederive
from tricklog.ingest.warehouses import lake_at
from tricklog.schemas.hand import content_hash

SAMPLE: Final = 200
"""Hands replayed, each with the rest of its game, unless all are."""
MOST: Final = 20
"""Rows reported of one check."""
_EVERY: Final = 500

REBUILD: Final = "tricklog db rebuild rebuilds the warehouse from its logs."
RESTORE: Final = "tricklog db rebuild puts the copy in its place that is kept beside it."
REAUDIT: Final = (
    "If the rules were changed since, tricklog db reaudit replays the hands; otherwise tricklog db "
    "rebuild rebuilds the warehouse."
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a warehouse."""

    check: str
    table: str
    """A table, or a file of the folder."""
    row: str
    """Key of the row; empty where the whole is meant."""
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of verifying a warehouse."""

    snapshot: Path | str | None
    hands: int
    """Hands whose records were checked against their hashes."""
    replayed: int
    """Hands that were replayed, to compare what is stored of them."""
    problems: tuple[Problem, ...]
    checksum: str = ""
    """Of a lake, over everything it says, as ``warehouse.checksum`` gives it."""


def verify(
    db: str | Path,
    *,
    everything: bool = False,
    on_progress: OnProgress | None = None,
    on: str | None = None,
) -> Verification:
    """Check the newest snapshot of the warehouse ``db``; nothing is changed.

    Args:
        db: the warehouse's folder, or the address of a lake.
        everything: replay all hands, not a sample of them; of a lake a sample of each portion.
        on_progress: called now and then with how far the run is.
        on: what does the work on a lake, as for ``tricklog.load``.

    Raises ``NoSnapshotError`` when there is no warehouse at all, and ``StorageError`` when the disk
    or the memory fails meanwhile. Whatever else is wrong is a problem of the result.
    """
    if lake := lake_at(db, on=on):
        from tricklog.ingest.upkeep import verifying_lakes

        return verifying_lakes.verify(lake, everything=everything, on=on, on_progress=on_progress)
    folder = Path(db)
    snapshot = None
    try:
        snapshot = warehouse.current_snapshot(folder)
        connection = warehouse.open_snapshot(folder, once=True)
    except warehouse.NoSnapshotError:
        raise
    except WarehouseError as error:
        if snapshot and warehouse.fails_now(snapshot, error.__cause__):
            raise _stopped(snapshot, error.__cause__ or error) from error
        if isinstance(error, DamagedError) and _is_trouble_with_pointer(error.__cause__):
            raise
        return _unusable(folder, str(error))
    with connection:
        run = Run(connection, snapshot, everything=everything, on_progress=on_progress)
        return run.run()


def _is_trouble_with_pointer(cause: BaseException | None) -> bool:
    """Whether the system cannot read the pointer just now; a folder in its place is damage."""
    return isinstance(cause, OSError) and not isinstance(cause, IsADirectoryError)


def _stopped(snapshot: Path, error: BaseException) -> StorageError:
    return StorageError(
        f"{snapshot} could not be checked: {warehouse.first_line(error)}. Check the disk and the "
        "memory that is free, then do the same again."
    )


def _unusable(folder: Path, says: str) -> Verification:
    """Return the problem of a folder whose pointer or newest snapshot cannot be used."""
    try:
        snapshot = warehouse.current_snapshot(folder)
    except WarehouseError:
        snapshot = None
    name = snapshot.name if snapshot else warehouse.POINTER
    return Verification(snapshot, 0, 0, (Problem("file", name, "", says, REBUILD),))


@dataclass(frozen=True, slots=True)
class _Check:
    """A query for rows that should not be there: the key of each, and what is wrong with it."""

    name: str
    table: str
    query: str
    hint: str = REBUILD


class Run:
    """The checks of one snapshot, and what came of them."""

    def __init__(
        self,
        connection: DuckDBPyConnection,
        snapshot: Path | None,
        *,
        everything: bool,
        on_progress: OnProgress | None,
    ) -> None:
        self.connection = connection
        self.snapshot = snapshot
        self.everything = everything
        self.on_progress = on_progress
        self.problems: list[Problem] = []
        self.hands = 0
        self.replayed = 0
        self.is_whole = True

    def run(self) -> Verification:
        """Make all checks."""
        self.guarded("file", "", self.files)
        self.guarded("schema", "", self.schema)
        self.check_tables({check.table for check in _CHECKS})
        self.guarded("text", "long_texts", self.texts)
        self.guarded("hash", "hands", self.records)
        self.guarded("hash", "rejects", self.rejects)
        self.guarded("ruleset", "rulesets", self.rulesets)
        # What cannot be read, or is not even unique, cannot be compared either.
        if not any(each.check in {"unreadable", "schema", "key"} for each in self.problems):
            self.guarded("facts", "hands", self.facts)
        return Verification(self.snapshot, self.hands, self.replayed, tuple(self.problems))

    def check_portion(self, left_out: Container[str]) -> None:
        """Check the hands of a portion of a lake, which has only its own of tables ``left_out``."""
        self.is_whole = False
        self.check_tables({check.table for check in _CHECKS if check.table not in left_out})
        self.guarded("text", "long_texts", self.texts)
        self.guarded("hash", "hands", self.records)
        if not any(each.check in {"unreadable", "key"} for each in self.problems):
            self.guarded("facts", "hands", self.facts)

    def check_tables(self, tables: Container[str]) -> None:
        """Check the rows of some tables."""
        for check in _CHECKS:
            if check.table in tables:
                self.guarded(check.name, check.table, partial(self.rows, check))

    def guarded(self, name: str, table: str, look: Callable[[], Iterator[Problem]]) -> None:
        """Take the first problems of one check; a table that cannot be read is one itself.

        Raises ``StorageError`` when that is not because of the file.
        """
        found: list[Problem] = []
        try:
            found.extend(look())
        except (duckdb.Error, msgspec.DecodeError, UnicodeError, OSError) as error:
            if self.snapshot and warehouse.fails_now(self.snapshot, error):
                raise _stopped(self.snapshot, error) from error
            says = warehouse.first_line(error)
            found.append(Problem("unreadable", table, "", f"Check {name} stopped: {says}", REBUILD))
        self.problems += found[:MOST]
        if len(found) > MOST:
            more = f"{len(found) - MOST:,} further rows have the same trouble."
            self.problems.append(Problem(name, table, "", more, found[0].hint))

    def files(self) -> Iterator[Problem]:
        """Compare the files with what they were when they were published."""
        assert self.snapshot
        seal = seals.read(self.snapshot)
        if seal is None:
            says = "It does not say any more what the snapshot was when it was published."
            yield Problem("file", seals.seal_of(self.snapshot).name, "", says, REBUILD)
        if wrong := seals.difference(self.snapshot, seal):
            yield Problem("file", self.snapshot.name, "", f"It is damaged: {wrong}.", REBUILD)
        of_hands = study.troubles(self.snapshot.parent)
        for name, says, hint in itertools.chain(facts.troubles(self.snapshot), of_hands):
            yield Problem("file", name, "", says, hint)
        try:
            wrong = userdata.damage(self.snapshot.parent)
        except userdata.UserStorageError as error:
            raise StorageError(str(error)) from error
        if wrong:
            yield Problem("file", userdata.FILE_NAME, "", wrong, RESTORE)
        for name, says, hint in forgotten.troubles(self.snapshot.parent):
            yield Problem("file", name, "", says, hint)

    def rows(self, check: _Check) -> Iterator[Problem]:
        """Give the rows that a check finds."""
        for key, message in self.connection.execute(check.query).fetchall():
            yield Problem(check.name, check.table, str(key), message, check.hint)

    def schema(self) -> Iterator[Problem]:
        """Compare tables, views and macros with those of this version."""
        found = dict(self.connection.execute(_SCHEMA).fetchall())
        there = {name.partition(".")[0] for name in found}
        expected = _schema_of_this_version(frozenset(rederive.MADE_LATER.keys() & there))
        for name in sorted(expected.keys() | found.keys()):
            if expected.get(name) == found.get(name):
                continue
            is_there = "is missing" if name not in found else "is not defined as in this version"
            if name not in expected:
                is_there = "is no part of a warehouse"
            yield Problem("schema", name, "", f"{name} {is_there}.", REBUILD)

    def texts(self) -> Iterator[Problem]:
        """Look for long texts that are lost."""
        for reference in long_texts.lost(self.connection):
            says = "The text is lost, or not the one that the hash was made from."
            yield Problem("text", "long_texts", reference, says, REBUILD)

    def records(self) -> Iterator[Problem]:
        """Compare every record with its hash."""
        for stored in warehouse.hands(self.connection):
            self.hands += 1
            if self.on_progress and self.hands % _EVERY == 0:
                self.on_progress(Progress(Stage.CHECKING, hands=self.hands, done=self.hands))
            try:
                content = content_hash(stored.hand)
            except RecordError as error:
                yield Problem("unreadable", "hands", stored.id, str(error), REBUILD)
                continue
            if content != stored.content_hash:
                says = "The record is not the one that its content_hash was made from."
                yield Problem("hash", "hands", stored.id, says, REBUILD)

    def rejects(self) -> Iterator[Problem]:
        """Compare every line in quarantine with its key."""
        stored = self.connection.cursor().execute("SELECT reject, code, file, text FROM rejects")
        reading = self.connection.cursor()
        while batch := stored.fetchmany(_EVERY):
            for key, code, file, text in long_texts.with_texts(reading, batch, [-1]):
                if text is None or key_of_reject(code, file, text) != key:
                    says = "The line is not the one that the key was made from."
                    yield Problem("hash", "rejects", key, says, REBUILD)

    def rulesets(self) -> Iterator[Problem]:
        """Compare rules with their hashes, and with what this version makes of them."""
        for ruleset, variant, version, policies in self.connection.execute(
            "SELECT ruleset, variant, version, policies FROM rulesets"
        ).fetchall():
            if rules_hash(variant, version, msgspec.json.decode(policies)) != ruleset:
                says = "The policies are not those that the hash was made from."
                yield Problem("ruleset", "rulesets", ruleset, says, REBUILD)
        first = self.connection.execute(
            "SELECT ruleset, min(hand_id) FROM hands JOIN seatings USING (seating_id) "
            "GROUP BY ruleset, rules, len(players) ORDER BY ALL"
        ).fetchall()
        for ruleset, hand_id in first:
            try:
                hand = warehouse.hand(self.connection, hand_id)
            except RecordError:
                # The hashes of the records show it.
                continue
            try:
                now = ruleset_of(hand)
            except RulesetError as error:
                says = f"The rules of hand {hand_id!r} cannot be resolved any more: {error}."
                yield Problem("ruleset", "rulesets", ruleset, says, REAUDIT)
                continue
            if now.hash != ruleset:
                says = f"This version resolves the rules of hand {hand_id!r} to {now.hash}."
                yield Problem("ruleset", "rulesets", ruleset, says, REAUDIT)
                continue
            right = dict(zip(rows.RULESET_TYPES, rows.ruleset_row(now), strict=True))
            stored = rederive.rows_of(
                self.connection, warehouse.content("rulesets"), "ruleset", [ruleset]
            )
            wrong = [name for name in _OF_RULES if any(row[name] != right[name] for row in stored)]
            if wrong:
                says = f"Of the rules of this hash, {', '.join(wrong)} is stored wrongly."
                yield Problem("ruleset", "rulesets", ruleset, says, REBUILD)

    def facts(self) -> Iterator[Problem]:
        """Replay hands and compare what is stored of them and of their games."""
        chosen = "true"
        ids = None
        if not self.everything:
            found = self.connection.execute(_SAMPLE, {"sample": SAMPLE}).fetchall()
            ids = [hand_id for (hand_id,) in found]
            chosen = "hand_id IN (SELECT hand_id FROM chosen)"
        assert self.snapshot
        with Scratch() as folder:
            stored = warehouse.hands(self.connection, ids)
            cores = None if self.is_whole else 1
            derived = rederive.derive(stored, Path(folder), self.on_progress, cores=cores)
            with rederive.side_by_side(self.snapshot, derived) as both:
                both.execute("CREATE TABLE chosen AS SELECT hand_id, game FROM derived.hands")
                self.replayed = both.sql("FROM chosen").shape[0]
                yield from self._differences(both, chosen)

    def _differences(self, both: DuckDBPyConnection, chosen: str) -> Iterator[Problem]:
        of_game = "true" if self.everything else "game IN (SELECT game FROM chosen)"
        among = {"hands": chosen, "findings": chosen, "games": of_game}
        if self.everything:
            among |= {"players": "true"} if self.is_whole else {}
            among |= {"rulesets": "true"}
        for table, condition in among.items():
            for key, is_stored, is_derived in rederive.differing(both, table, condition):
                if not is_derived:
                    says = "The rules make no such row of the stored records."
                elif not is_stored:
                    says = "The rules make this row of the stored records, and it is missing."
                else:
                    says = _differs(both, table, key)
                yield Problem("facts", table, ", ".join(map(str, key)), says, REAUDIT)


@cache
def _schema_of_this_version(made_later: frozenset[str]) -> dict[str, str]:
    """Return tables, views and macros by name, each with its definition.

    Of tables that not every warehouse has only ``made_later`` are among them.
    """
    with Scratch() as folder:
        path = Path(folder) / "games.duckdb"
        publishing.put_empty(path)
        with database.connect(path) as empty:
            for name in made_later:
                empty.execute(rederive.MADE_LATER[name])
            return dict(empty.execute(_SCHEMA).fetchall())


def _differs(both: DuckDBPyConnection, table: str, key: tuple[Any, ...]) -> str:
    column = rederive.KEYS[table][0]
    old, new = (
        next(
            row
            for row in rederive.rows_of(both, warehouse.content(table, of), column, key[:1])
            if tuple(row[part] for part in rederive.KEYS[table]) == key
        )
        for of in ("stored.", "derived.")
    )
    wrong = [name for name in old if old[name] != new[name]]
    return f"The rules make other values of the stored records: {', '.join(wrong)}."


_OF_RULES: Final = ("variant", "version", "total_points", "scored_in", "policies")

_SCHEMA: Final = """
SELECT table_name || '.' || column_name, data_type FROM duckdb_columns() WHERE NOT internal
UNION ALL SELECT view_name, sql FROM duckdb_views() WHERE NOT internal
UNION ALL SELECT function_name, any_value(macro_definition)
    FROM duckdb_functions() WHERE NOT internal GROUP BY function_name
"""

# Hands far apart, the same ones each time, each with the rest of its game.
_SAMPLE: Final = """
WITH sample AS (SELECT hand_id, game FROM hands ORDER BY md5(hand_id) LIMIT $sample)
SELECT hand_id FROM hands
WHERE
    hand_id IN (SELECT hand_id FROM sample)
    OR game IN (SELECT game FROM sample WHERE game IS NOT NULL)
"""


def _key_check(table: str, columns: tuple[str, ...]) -> _Check:
    key = ", ".join(columns)
    return _Check(
        "key",
        table,
        f"SELECT concat_ws(', ', {key}), 'The key stands in ' || count(*) || ' rows.' "  # noqa: S608 - names of our own
        f"FROM {table} GROUP BY {key} HAVING count(*) > 1 ORDER BY {key}",
    )


def _reference_check(table: str, column: str, target: str, key: str, row: str) -> _Check:
    return _Check(
        "reference",
        table,
        f"SELECT {row}, 'There is no row of {target} with {key} ' || {column} || '.' "  # noqa: S608 - names of our own
        f"FROM {table} WHERE {column} NOT IN (SELECT {key} FROM {target}) ORDER BY 1",
    )


_CHECKS: Final = (
    *(_key_check(table, columns) for table, columns in rederive.KEYS.items()),
    _reference_check("hands", "import_id", "imports", "import_id", "hand_id"),
    _reference_check("hands", "seating_id", "seatings", "seating_id", "hand_id"),
    _reference_check("seatings", "seating_id", "hands", "seating_id", "seating_id"),
    _reference_check("seatings", "ruleset", "rulesets", "ruleset", "seating_id"),
    _reference_check("rejects", "import_id", "imports", "import_id", "reject"),
    _reference_check(
        "findings", "hand_id", "hands", "hand_id", "concat_ws(', ', hand_id, scope, ordinal)"
    ),
    _reference_check("rulesets", "ruleset", "seatings", "ruleset", "ruleset"),
    _Check(
        "reference",
        "long_texts",
        "SELECT DISTINCT text_hash, 'No row refers to the text.' FROM long_texts "  # noqa: S608 - names of our own
        f"ANTI JOIN (SELECT {long_texts.HASH_OF} AS text_hash FROM ({long_texts.references()})) "
        "USING (text_hash) ORDER BY 1",
    ),
    _Check(
        "reference",
        "findings",
        "SELECT concat_ws(', ', hand_id, scope), 'The ordinals do not run from 0 without a gap.' "
        "FROM findings GROUP BY hand_id, scope "
        "HAVING min(ordinal) <> 0 OR max(ordinal) <> count(*) - 1 ORDER BY 1",
    ),
    _Check(
        "sum",
        "imports",
        "SELECT import_id, lines || ' lines are not ' || accepted || ' accepted + ' || duplicate "
        "|| ' duplicate + ' || quarantined || ' quarantined + ' || blank || ' blank.' "
        "FROM imports WHERE lines <> accepted + duplicate + quarantined + blank ORDER BY 1",
    ),
    _Check(
        "sum",
        "imports",
        "SELECT import_id, accepted || ' hands were accepted, ' || count(hands.hand_id) "
        "|| ' are stored.' FROM imports LEFT JOIN hands USING (import_id) "
        "GROUP BY import_id, accepted HAVING accepted <> count(hands.hand_id) ORDER BY 1",
    ),
    _Check(
        "sum",
        "imports",
        "SELECT import_id, quarantined || ' lines were quarantined, ' || count(reject) "
        "|| ' are stored.' FROM imports LEFT JOIN rejects USING (import_id) "
        "GROUP BY import_id, quarantined HAVING quarantined < count(reject) ORDER BY 1",
    ),
    _Check(
        "sum",
        "games",
        "SELECT coalesce(g.game, h.game), 'The game has ' || coalesce(h.n, 0) || ' stored hands, "
        "not ' || coalesce(g.hands, 0) || '.' FROM games AS g FULL JOIN "
        "(SELECT game, count(*) AS n FROM hands WHERE game IS NOT NULL GROUP BY game) AS h "
        "ON g.game = h.game WHERE g.hands IS DISTINCT FROM h.n ORDER BY 1",
    ),
    _Check(
        "sum",
        "players",
        "SELECT coalesce(p.player, s.player), 'The player sat in ' || coalesce(s.n, 0) || "
        "' stored hands, not in ' || coalesce(p.hands, 0) || '.' FROM players AS p FULL JOIN "
        "(SELECT player, count(*) AS n FROM seats GROUP BY player) AS s ON p.player = s.player "
        "WHERE p.hands IS DISTINCT FROM s.n ORDER BY 1",
    ),
    _Check(
        "sum",
        "hands",
        # Beside the cards a last trick or the most cards may count: never less, never too much.
        "SELECT hand_id, 'The points of the sides are ' || points::VARCHAR || ', those of the "
        "captured cards ' || captured::VARCHAR || ', of ' || total_points || ' in all.' FROM "
        "(SELECT hands.hand_id, points, total_points, "
        "[coalesce(list_sum([c.points FOR c IN taken IF c.side = side]), 0)::INTEGER "
        "FOR side IN range(len(points))] AS captured "
        "FROM hands JOIN seatings USING (seating_id) JOIN rulesets USING (ruleset) "
        "LEFT JOIN (SELECT hand_id, list({'side': side_no, 'points': card_points}) AS taken "
        "FROM captures GROUP BY hand_id) AS t ON t.hand_id = hands.hand_id "
        "WHERE points IS NOT NULL) WHERE list_sum(points) > total_points OR "
        "len([1 FOR side IN range(len(points)) IF captured[side + 1] > points[side + 1]]) > 0 "
        "ORDER BY 1",
    ),
    _Check(
        "seats",
        "seatings",
        "SELECT seating_id, 'There are sides for ' || len(seat_sides) || ' seats, and ' "
        "|| len(players) || ' players.' FROM seatings "
        "WHERE len(seat_sides) <> len(players) ORDER BY 1",
    ),
    _Check(
        "seats",
        "hands",
        "SELECT hand_id, 'The seats do not fit the ' || len(players) || ' players.' FROM hands "
        "JOIN seatings USING (seating_id) WHERE dealer >= len(players) "
        "OR maker >= len(players) OR len(points) <> list_max(seat_sides) + 1 "
        "OR len(change) <> list_max(seat_sides) + 1 OR len(scores) <> list_max(seat_sides) + 1 "
        "OR winner_side > list_max(seat_sides) ORDER BY 1",
    ),
)
