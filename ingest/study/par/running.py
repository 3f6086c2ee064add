"""Valuing the auctions of a warehouse: hand by hand, on all cores, kept in blocks.

What is kept is true of a deal and its rules for ever, and says on how many stocks it was sampled: a
hand is valued again only when somebody asks for more. A run may be ended at any moment; what it
has kept by then stays. One run at a time solves or values hands of a folder; of a lake any number
may, and each passes over what others have valued meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tricklog.ingest.facts import kept
from tricklog.ingest.loading import workers
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.reading.progress import OnProgress, Stage
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.study import by_hand, plain, solving
from tricklog.ingest.study.by_hand import Looked, Work
from tricklog.ingest.study.homes import Home, Which
from tricklog.ingest.study.kept_ledgers import KeptLedgers
from tricklog.ingest.study.par import rows
from tricklog.ingest.study.par.telling import STOCKS
from tricklog.ingest.study.plain import Row


def value_auctions(  # noqa: PLR0913 - all but one are named
    db: str | Path,
    *,
    stocks: int = STOCKS,
    filters: Filters = EVERYTHING,
    sample: int | None = None,
    budget: float | None = None,
    jobs: int | None = None,
    on_progress: OnProgress | None = None,
    patience: float = solving.WAIT,
) -> Looked:
    """Hold the auctions of valid hands against par, account for their results, and publish it.

    Of the outcome, ``solved`` are valued.

    Args:
        db: the warehouse's folder, or the address of a lake.
        stocks: how many stocks each worth is a mean over; hands valued on as many are passed over.
        filters: which hands to value, as figures have them; all by default.
        sample: only so many of these hands, chosen by chance; every run chooses the same.
        budget: seconds after which to stop; what is left is for another run.
        jobs: how many processor cores to take; all by default.
        on_progress: called now and then with how far the run is.
        patience: seconds to wait for another run that solves hands of this warehouse.

    Raises what ``solving.solve`` raises.
    """
    began = time.monotonic()
    until = None if budget is None else time.time() + budget
    home = solving.home_of(db)
    with home.alone(patience, on_progress):
        which = Which(solving.chosen_hands(home, filters, on_progress), sample, asked=stocks)
        work = Work(kept.PAR, Stage.VALUING, stocks, rows.row_of, _write)
        done = by_hand.look_at(home, work, which, jobs or workers.cores(), on_progress, until)
        published = home.publish(on_progress)
    return replace(done, seconds=time.monotonic() - began, published=published)


def _write(home: Home, found: Sequence[Row]) -> None:
    home.write(kept.PAR, plain.table_of(found, rows.SCHEMA))
    ledgers = (((each["content_hash"], each["ruleset"]), each.get("ledger")) for each in found)
    # For sums of ledgers, which are kept for the user: without them these are worked out again.
    with suppress(StorageError):
        KeptLedgers().keep((key, ledger) for key, ledger in ledgers if ledger is not None)
