"""Loading, auditing or reading in a process of its own, with its memory measured.

``python -m tests.kit.measured_loading LANE DB SHARE PATH...`` prints what came of the logs, and the
memory the process took at most. LANE is ``fast`` or ``careful`` for a load, ``audit``, or what is
done with the warehouse in DB: ``rebuild``, ``reaudit``, ``verify``, ``rejects``, ``stats``. A load
that is given ``-`` for DB makes a warehouse that is thrown away. DuckDB may use one part in SHARE
of the memory that it is allowed otherwise, so that smaller logs show what it holds beyond that.
"""

import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tests.kit.measured_reading import measured, peak
from tricklog import Counts, LoadReport, ingest
from tricklog.core.native import library
from tricklog.ingest import metrics
from tricklog.ingest.facts import build
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading import settling
from tricklog.ingest.metrics import listings
from tricklog.ingest.store import database, publishing, quarantine, warehouse
from tricklog.ingest.upkeep import reauditing, rebuilding, verifying


class Measured(NamedTuple):
    accepted: int
    duplicate: int
    quarantined: int
    blank: int
    codes: list[str]
    """Of the first ten rejects."""
    memory: int
    """Bytes that the process took at most."""


def run_measured(
    lane: str,
    *paths: Path | str,
    content: Iterable[bytes] = (),
    db: Path | str = "-",
    share: int = 1,
) -> Measured:
    """Run in a process of its own; ``content`` is its standard input, as far as it is read."""
    given = lane, db, share, *paths
    return Measured(**measured("tests.kit.measured_loading", *given, content=content))


def main() -> None:
    lane, db, share, *paths = sys.argv[1:]
    _allow(int(share))
    codes: list[str] = []
    counts: Counts | LoadReport
    if lane == "audit":
        audit = ingest.audit(*paths)
        for item in audit:
            codes += [item.line.reject.code.value] if item.line.reject else []
        counts = audit.counts
    elif lane in READERS:
        counts = READERS[lane](db)
    else:
        library.is_there = lambda: lane == "fast"
        with tempfile.TemporaryDirectory() as thrown_away:
            counts = ingest.load(
                *paths,
                db=thrown_away if db == "-" else db,
                on_reject=lambda reject: codes.append(reject.code.value),
            )
    numbers = (counts.accepted, counts.duplicate, counts.quarantined, counts.blank)
    found = Measured(*numbers, codes[:10], peak())
    sys.stdout.buffer.write(msgspec.json.encode(found._asdict()))
    sys.stdout.flush()
    # What has ended with an endless stream still open does not wait for its end.
    sys.stdin.close()


def _allow(share: int) -> None:
    for module, name in (
        (publishing, "MEMORY_LIMIT"),
        (settling, "MEMORY_LIMIT"),
        (build, "MEMORY_LIMIT"),
        (database, "READING_LIMIT"),
    ):
        allowed = {"400MB": 400, "600MB": 600, "1GB": 1000}[getattr(module, name)]
        setattr(module, name, f"{allowed // share}MB")


def _rebuilt(db: str) -> Counts:
    report = rebuilding.rebuild(db=db)
    assert report.equal
    return Counts(accepted=report.from_logs)


def _reaudited(db: str) -> Counts:
    report = reauditing.reaudit(db)
    return Counts(accepted=report.hands - report.unplayable)


def _verified(db: str) -> Counts:
    found = verifying.verify(db, everything=True)
    assert not found.problems
    return Counts(accepted=found.replayed)


def _listed(db: str) -> Counts:
    with warehouse.open_snapshot(db, once=True) as connection:
        lines = sum(bool(reject.text) for reject in quarantine.lines(connection))
    return Counts(quarantined=lines)


def _figured(db: str) -> Counts:
    with open_facts(db) as facts:
        hands = int(listings.hand_count(facts))
        metrics.measure(facts, "made-rate", by=["player"])
    return Counts(accepted=hands)


READERS: Final[dict[str, Callable[[str], Counts]]] = {
    "rebuild": _rebuilt,
    "reaudit": _reaudited,
    "verify": _verified,
    "rejects": _listed,
    "stats": _figured,
}

if __name__ == "__main__":
    main()
