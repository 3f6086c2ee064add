"""Working out the ledgers of stored hands, on all cores, and keeping them.

What has been worked out is kept hand by hand (``tricklog.ingest.study.kept_ledgers``), so a run may
be ended at any moment, and the next one goes on from there. Hands come first, whole games of them
and the newest before all; then the average deals of their rules, of which a few are always valued.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tricklog.core import Replay
from tricklog.core.study import Refused, Solver
from tricklog.core.study.averages import DEALS, Averages, Valued, value_deal
from tricklog.ingest.loading import workers
from tricklog.ingest.loading.workers import Aside, Done, Task, Team
from tricklog.ingest.metrics.model import SOUND
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.study import by_hand, kept_ledgers
from tricklog.ingest.study.by_hand import OUTDATED, UNREADABLE, Work, is_over, what_is_kept
from tricklog.ingest.study.homes import Home
from tricklog.ingest.study.kept_ledgers import KeptLedgers, LedgerRow
from tricklog.ingest.study.lanes import known_rules, read_records
from tricklog.ingest.study.rows import REFUSED, Row
from tricklog.ingest.study.season import MOST_DEALS, hands_of
from tricklog.ingest.study.solving import home_of

if TYPE_CHECKING:
    import polars as pl

SECONDS_A_HAND: Final = (0.05, 1.5)
"""What the ledger of a hand takes of one processor core: in Pidro, and in Twenty-Nine."""
SECONDS_A_DEAL: Final = (0.02, 0.4)
"""The same of a deal: in King Pedro, and in Twenty-Nine."""
_AT_ONCE: Final = 2
"""Deals of one task: some seconds at the most."""
_LEFT_OUT: Final = {
    OUTDATED: "its rules are others now than when it was loaded: tricklog db reaudit comes first",
    UNREADABLE: "what is stored of it makes no record",
}
_Rules = tuple[str | None, int]
"""Rules as recorded, and how many play by them."""


@dataclass(frozen=True, slots=True)
class Worked:
    """What a run has worked out."""

    hands: int
    """Ledgers worked out, or refused, in this run."""
    left: int
    """Hands that it did not come to."""
    deals_left: int
    """Average deals that it did not come to."""
    seconds: float


@dataclass(frozen=True, slots=True)
class Missing:
    """What a run is about to work out."""

    hands: int
    """Hands whose ledgers are not kept."""
    deals: int
    """Deals that the averages of their rules lack."""
    jobs: int
    """Processes that share the work."""

    @property
    def seconds(self) -> tuple[float, float]:
        """How long it takes at the least and at the most, roughly: it hangs on the games."""
        least, most = (
            self.hands * hand + self.deals * deal
            for hand, deal in zip(SECONDS_A_HAND, SECONDS_A_DEAL, strict=True)
        )
        return least / self.jobs, most / self.jobs


class _Averaging(NamedTuple):
    """An average of rules at one size of table, and how many deals it is to be over."""

    averages: Averages
    wanted: int
    hand: int
    """Number of a hand under these rules."""

    @property
    def missing(self) -> range:
        """The numbers of the deals that have not been valued."""
        return range(self.averages.deals, self.wanted)


def work_out(  # noqa: PLR0913 - how much is done, and what is said of it, is named
    db: str | Path,
    seats: pl.DataFrame,
    kept: KeptLedgers,
    *,
    budget: float | None = None,
    most: int | None = None,
    jobs: int | None = None,
    on_progress: OnProgress | None = None,
    on_begin: Callable[[Missing], None] | None = None,
) -> Worked:
    """Work out the ledgers of valid hands that are not kept, then average deals for their rules.

    ``seats`` has the hands as ``season.seats_of``. It stops after ``budget`` seconds or ``most``
    hands; what is left is for another run. ``on_begin`` is called before the work begins, where
    there is any. Raises ``WarehouseError`` where ledgers cannot be kept, and where the system ends
    a process.
    """
    began = time.monotonic()
    until = None if budget is None else time.time() + budget
    jobs = jobs or workers.cores()
    home = home_of(db)
    # The newest first.
    hands = hands_of(seats).filter(verdict=SOUND)
    listed = list(hands.select("hand_no", "content", "ruleset", "seats").iter_rows())
    known = kept.of_rules({ruleset for _, _, ruleset, _ in listed})
    wanted = [number for number, *key, _ in listed if tuple(key) not in known]
    now = wanted[:most]
    later = set(wanted[len(now) :])
    tables: dict[tuple[str, int], list[int]] = {}
    for number, _, *table in listed:
        if number not in later:
            tables.setdefault((table[0], table[1]), []).append(number)
    averages = [
        _Averaging(Averages(*of), min(MOST_DEALS, max(DEALS, len(numbers))), numbers[0])
        for of, numbers in tables.items()
    ]
    missing = Missing(len(now), sum(len(each.missing) for each in averages), jobs)
    if on_begin and (missing.hands or missing.deals):
        on_begin(missing)
    done = 0
    if now:
        work = Work(None, Stage.ACCOUNTING, 0, _row_of, partial(_keep, kept), keeps_all=True)
        numbers = np.array(now, np.int64)
        done = by_hand.run(home, work, numbers, jobs, on_progress, until).hands
    _value_deals(home, averages, jobs, until, on_progress)
    deals_left = sum(len(each.missing) for each in averages)
    return Worked(done, len(wanted) - done, deals_left, time.monotonic() - began)


def _row_of(replayed: Replay, solver: Solver | str, _: int) -> Row:
    """Return the ledger of a hand, or why it is refused."""
    if isinstance(solver, str):
        row = LedgerRow(solver)
    else:
        try:
            averages = kept_ledgers.averages_of(replayed, solver)
            row = kept_ledgers.row_of(replayed, solver, averages)
        except Refused as refused:
            row = LedgerRow(str(refused))
    return {"status": REFUSED if row.refused else "worked out", "ledger": row}


def _keep(kept: KeptLedgers, _: Home, rows: Sequence[Row]) -> None:
    kept.keep(
        (
            (each["content_hash"], each["ruleset"]),
            each.get("ledger") or LedgerRow(_LEFT_OUT[each["status"]]),
        )
        for each in rows
    )


# --- Average deals


def _value_deals(
    home: Home,
    listed: Sequence[_Averaging],
    jobs: int,
    until: float | None,
    on_progress: OnProgress | None,
) -> None:
    """Value the deals that averages lack; once time is over, a few where there are none yet."""
    with Team(jobs) as team, what_is_kept():
        for each in listed:
            averages = each.averages
            if not each.missing or (averages.deals >= _AT_ONCE and is_over(until)):
                continue
            with home.tables() as tables:
                found = read_records(tables, np.array([each.hand]))
            if not found:
                continue
            for done in team.do(_deals(found[0].rules, each.missing)):
                assert isinstance(done, Done)
                averages.add(done.result)
                if on_progress:
                    on_progress(Progress(Stage.AVERAGING, done=averages.deals, total=each.wanted))
                if not done.result or (is_over(until) and averages.deals >= _AT_ONCE):
                    break


def _deals(
    rules: _Rules, missing: range
) -> Iterator[Task[tuple[_Rules, range], list[Valued]] | Aside[None]]:
    for at in range(0, len(missing), _AT_ONCE):
        # As many at a time as there are processes, and some more.
        yield Task(_valued, (rules, missing[at : at + _AT_ONCE]), workers.IN_FLIGHT // 2)


def _valued(asked: tuple[_Rules, range]) -> list[Valued]:
    """Return average deals of these numbers, under recorded rules; none where refused."""
    rules, numbers = asked
    known = known_rules(*rules)
    try:
        solver = Solver(known[1]) if known else None
        return [value_deal(number, solver) for number in numbers] if solver else []
    except Refused:
        return []
