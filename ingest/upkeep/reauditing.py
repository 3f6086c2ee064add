"""Auditing stored hands again: after a change of the rules, what changed, hand by hand."""

from __future__ import annotations

import heapq
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

import msgspec
from duckdb import DuckDBPyConnection

from tricklog.ingest.loading import games
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.store import database, long_texts, publishing, warehouse
from tricklog.ingest.store.absent import no_warehouse
from tricklog.ingest.store.warehouse import NoSnapshotError
from tricklog.ingest.upkeep import rederive
from tricklog.ingest.warehouses import lake_at

BATCH: Final = 500


@dataclass(frozen=True, slots=True, order=True)
class FindingChange:
    """A finding that a hand has got or lost."""

    scope: str
    code: str
    pointer: str
    message: str


@dataclass(frozen=True, slots=True)
class HandChange:
    """What the rules make of a stored hand now, where it differs from before."""

    id: str
    file: str
    line: int
    facts: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    """Column of hands and their seatings to its value before and now: verdict, ruleset, ..."""
    added: tuple[FindingChange, ...] = ()
    gone: tuple[FindingChange, ...] = ()
    unplayable: str = ""
    """Why the hand cannot be replayed any more; it then keeps what is stored of it."""

    @property
    def only_the_rules(self) -> bool:
        """Whether the rules have another hash and yet come to the same."""
        return set(self.facts) == {"ruleset"} and not (self.added or self.gone)


OnChange = Callable[[HandChange], None]


@dataclass(slots=True)
class ReauditReport:
    """What a reaudit found. ``changed + unplayable`` hands were reported, the others not."""

    hands: int = 0
    changed: int = 0
    unplayable: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    """Hands by verdict now, those that keep what is stored of them included."""
    snapshot: Path | str | None = None
    """The snapshot that is current now; of a lake its address and a number."""
    published: bool = False


def reaudit(
    db: str | Path,
    *,
    dry_run: bool = False,
    on_change: OnChange = lambda _: None,
    on_progress: OnProgress | None = None,
    wait: float = publishing.WAIT,
    on: str | None = None,
    take_over: bool = False,
) -> ReauditReport:
    """Replay all stored hands under the rules as they are now, and publish what changed.

    Args:
        db: the warehouse's folder, or the address of a lake.
        dry_run: tell what changed and leave the warehouse as it is.
        on_change: called for every hand of which something changed, in the order of the ids.
        on_progress: called now and then with how far the run is.
        wait: seconds to wait for another run that is changing the warehouse; a lake that is held
            is not waited for.
        on: what does the work on a lake, as for ``tricklog.load``.
        take_over: whether to begin although another run that changes a lake has not finished.

    Raises ``WarehouseError`` as ``tricklog.load`` does; the warehouse is then as it was before.
    """
    if lake := lake_at(db, on=on, take_over=take_over):
        from tricklog.ingest.upkeep import reauditing_lakes

        return reauditing_lakes.reaudit(
            lake,
            dry_run=dry_run,
            on_change=on_change,
            on_progress=on_progress,
            on=on,
            take_over=take_over,
        )
    folder = Path(db)
    if warehouse.current_snapshot(folder) is None:
        raise NoSnapshotError(no_warehouse(db))
    with ExitStack() as stack:
        if dry_run:
            scratch = Path(stack.enter_context(Scratch()))
        else:
            stack.enter_context(publishing.writing(folder, wait=wait))
            scratch = stack.enter_context(publishing.scratch(folder))
        stored = warehouse.current_snapshot(folder)
        assert stored
        with nullcontext() if dry_run else rederive.out_of_sight():
            derived = replay(stored, scratch, on_progress)
        report = compare(stored, derived, on_change, on_progress)
        report.published = not dry_run and report.changed > 0
        if report.published:
            with publishing.draft(folder, fresh=True) as connection:
                assemble(connection, stored, derived)
        report.snapshot = warehouse.current_snapshot(folder)
    return report


def replay(
    stored: Path,
    scratch: Path,
    on_progress: OnProgress | None = None,
    *,
    cores: int | None = None,
) -> Path:
    """Replay all hands of a snapshot; return a snapshot of them, made below ``scratch``."""
    with closing(warehouse.open_file(stored, once=True)) as connection:
        return rederive.derive(warehouse.hands(connection), scratch, on_progress, cores=cores)


def compare(
    stored: Path, derived: Path, on_change: OnChange, on_progress: OnProgress | None = None
) -> ReauditReport:
    """Tell what is different in ``derived``, hand by hand, and return the counts of it."""
    report = ReauditReport()
    with closing(rederive.side_by_side(stored, derived)) as connection:
        for change in _changes(connection, on_progress):
            if change.unplayable:
                report.unplayable += 1
            else:
                report.changed += 1
            on_change(change)
        report.verdicts = dict(connection.execute(_VERDICTS).fetchall())
    report.hands = sum(report.verdicts.values())
    return report


def assemble(connection: DuckDBPyConnection, stored: Path, derived: Path) -> None:
    """Put what was derived into a draft, under the numbers and places that are stored."""
    database.attach(connection, "stored", stored)
    database.attach(connection, "derived", derived)
    connection.execute(_ASSEMBLE)
    rederive.insert_used(connection, "derived")
    long_texts.insert_used(connection, "stored")
    rederive.keep_hands(connection, _NOT_REPLAYED, numbered=True)
    games.refresh(connection)


def _changes(
    connection: DuckDBPyConnection, on_progress: OnProgress | None
) -> Iterator[HandChange]:
    reasons = {}
    found = connection.cursor().execute("SELECT text, message FROM derived.rejects")
    reading = connection.cursor()
    while rejects := found.fetchmany(BATCH):
        for text, message in long_texts.with_texts(reading, rejects, [0], "derived."):
            reasons[msgspec.json.decode(text)["id"]] = message
    of_hands = (key[0] for key, _, _ in rederive.differing(connection, "hands"))
    of_findings = (key[0] for key, _, _ in rederive.differing(connection, "findings"))
    ids = (hand_id for hand_id, _ in itertools.groupby(heapq.merge(of_hands, of_findings)))
    done = 0
    while batch := list(itertools.islice(ids, BATCH)):
        yield from _batch(connection, batch, reasons)
        done += len(batch)
        if on_progress:
            on_progress(Progress(Stage.CHECKING, hands=done, done=done))


def _batch(
    connection: DuckDBPyConnection, ids: list[str], reasons: dict[str, str]
) -> Iterator[HandChange]:
    def by_hand(query: str) -> dict[str, dict[str, Any]]:
        return {row["hand_id"]: row for row in rederive.rows_of(connection, query, "hand_id", ids)}

    def findings(of: str) -> dict[str, set[FindingChange]]:
        found: dict[str, set[FindingChange]] = defaultdict(set)
        query = warehouse.content("findings", of)
        for row in rederive.rows_of(connection, query, "hand_id", ids):
            told = (row[each.name] for each in fields(FindingChange))
            found[row["hand_id"]].add(FindingChange(*told))
        return found

    places = by_hand("SELECT hand_id, file, line FROM stored.hands")
    before, now = (by_hand(warehouse.content("hands", of)) for of in ("stored.", "derived."))
    had, has = map(findings, ("stored.", "derived."))
    for hand_id in ids:
        if hand_id not in before:
            # A finding of a hand that is not stored: verify reports it.
            continue
        old, new = before[hand_id], now.get(hand_id)
        place = (hand_id, places[hand_id]["file"], places[hand_id]["line"])
        if new is None:
            reason = reasons.get(hand_id, "What is stored of it makes no record.")
            yield HandChange(*place, unplayable=reason)
            continue
        changed = {
            column: (value, new[column])
            for column, value in old.items()
            # How the claim is written follows from points, change and scores.
            if column != "tail" and value != new[column]
        }
        added, gone = has[hand_id] - had[hand_id], had[hand_id] - has[hand_id]
        yield HandChange(*place, changed, tuple(sorted(added)), tuple(sorted(gone)))


_VERDICTS: Final = """
SELECT verdict, count(*) FROM (
    SELECT verdict FROM derived.hands
    UNION ALL SELECT verdict FROM stored.hands ANTI JOIN derived.hands USING (hand_id)
) GROUP BY verdict ORDER BY verdict
"""

_ASSEMBLE: Final = """
INSERT INTO imports BY NAME FROM stored.imports;
INSERT INTO rejects BY NAME FROM stored.rejects;
INSERT INTO hands BY NAME
    SELECT d.* REPLACE (
        s.hand_no AS hand_no, s.import_id AS import_id, s.file AS file, s.line AS line
    )
    FROM derived.hands AS d JOIN stored.hands AS s USING (hand_id);
INSERT INTO findings BY NAME FROM derived.findings;
"""

# Hands that cannot be replayed any more keep their rows, and the rules these were derived under.
_NOT_REPLAYED: Final = "FROM stored.hands ANTI JOIN derived.hands USING (hand_id)"
