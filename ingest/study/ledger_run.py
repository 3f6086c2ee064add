"""Working out the ledgers of stored hands, on all cores, and keeping them.

What has been worked out is kept hand by hand (``ingest.study.kept_ledgers``), so a run may be ended
at any moment, and the next one goes on from there. Whole games come first, the newest before all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from ingest.loading import workers
from ingest.loading.workers import Aside, Done, Task, Team, WorkerError
from ingest.metrics.model import SOUND
from ingest.reading.progress import OnProgress, Progress, Stage
from ingest.store.warehouse import RecordError, WarehouseError
from ingest.study import ledger_rows
from ingest.study.kept_ledgers import KeptLedgers, Key
from ingest.study.ledger_rows import LedgerRow
from ingest.study.season import MOST_DEALS, hands_of
from replay import replay
from replay.study import Refused, Solver
from replay.study.averages import DEALS, Averages, Valued, value_deal
from schemas.hand import Hand, decode_hand, encode_hand

if TYPE_CHECKING:
    import polars as pl

_AT_ONCE: Final = 2
"""Hands, or deals, of one task: some seconds at the most."""
_SIZE: Final = workers.IN_FLIGHT // 2
"""What a task counts as, so that few are given out at a time."""
_OUTDATED: Final = (
    "its rules are others now than when it was loaded, and tricklog reaudit comes first"
)
_UNREADABLE: Final = "what is stored of it makes no record"


@dataclass(frozen=True, slots=True)
class Worked:
    """What a run has worked out."""

    hands: int
    """Ledgers worked out, or refused, in this run."""
    left: int
    """Hands that it did not come to."""
    seconds: float


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A hand whose ledger is wanted."""

    key: Key
    hand_id: str
    seats: int


def work_out(
    stored: Callable[[str], Hand],
    seats: pl.DataFrame,
    kept: KeptLedgers,
    *,
    budget: float | None = None,
    most: int | None = None,
    jobs: int | None = None,
    on_progress: OnProgress | None = None,
) -> Worked:
    """Work out the ledgers of valid hands that are not kept, and average deals for their rules.

    Args:
        stored: gives a stored hand by its id; raises as ``Warehouse.hand`` does.
        seats: the hands, as ``ingest.study.season.seats_of`` has them.
        kept: where ledgers are kept.
        budget: seconds after which to stop; what is left is for another run.
        most: hands after which to stop.
        jobs: how many processor cores to take; all by default.
        on_progress: called now and then with how far the run is.

    Raises ``WarehouseError`` where ledgers cannot be kept, and where the system ends a process.
    """
    began = time.monotonic()
    listed = _listed(seats)
    known = kept.of_rules({each.key[1] for each in listed})
    wanted = [each for each in listed if each.key not in known]
    chosen = wanted[:most]
    run = _Run(stored, kept, on_progress, None if budget is None else began + budget)
    with Team(jobs or workers.cores()) as team:
        try:
            done = run.work(team, chosen, listed)
        except WorkerError as error:
            raise WarehouseError(
                "A process that worked out ledgers was ended from outside, as the system does when "
                "memory runs out. What was worked out before is kept. Close other programs, then "
                "do the same again."
            ) from error
    return Worked(done, len(wanted) - done, time.monotonic() - began)


def _listed(seats: pl.DataFrame) -> list[_Wanted]:
    """Return the valid hands, the newest first."""
    columns = ("verdict", "content", "ruleset", "id", "seats")
    return [
        _Wanted((content, ruleset), hand_id, count)
        for verdict, content, ruleset, hand_id, count in hands_of(seats)
        .select(*columns)
        .iter_rows()
        if verdict == SOUND
    ]


class _Run:
    """One run over the hands that are wanted."""

    def __init__(
        self,
        stored: Callable[[str], Hand],
        kept: KeptLedgers,
        on_progress: OnProgress | None,
        deadline: float | None,
    ) -> None:
        self._stored = stored
        self._kept = kept
        self._on_progress = on_progress
        self._deadline = deadline

    def work(self, team: Team, wanted: Sequence[_Wanted], listed: Sequence[_Wanted]) -> int:
        """Value average deals and work ledgers out, until the time is over; return how many."""
        tables: dict[tuple[str, int], list[_Wanted]] = {}
        for each in listed:
            tables.setdefault((each.key[1], each.seats), []).append(each)
        for hands in tables.values():
            self._value_deals(team, hands)
            if self._is_over():
                return 0
        done = 0
        self._tell(0, len(wanted))
        for part in team.do(self._tasks(wanted)):
            assert isinstance(part, Done)
            keys = [key for key, _ in part.argument]
            rows = [
                LedgerRow(_OUTDATED) if ruleset != key[1] else row
                for key, (ruleset, row) in zip(keys, part.result, strict=True)
            ]
            self._kept.keep(zip(keys, rows, strict=True))
            done += len(rows)
            self._tell(done, len(wanted))
            if self._is_over():
                break
        return done

    def _tasks(
        self, wanted: Sequence[_Wanted]
    ) -> Iterator[Task[list[tuple[Key, bytes]], list[tuple[str, LedgerRow]]] | Aside[None]]:
        hands = ((each, self._hand(each)) for each in wanted)
        lines = ((each.key, b"" if hand is None else encode_hand(hand)) for each, hand in hands)
        while part := list(islice(lines, _AT_ONCE)):
            yield Task(_worked, part, _SIZE)

    def _hand(self, wanted: _Wanted) -> Hand | None:
        try:
            return self._stored(wanted.hand_id)
        except (RecordError, LookupError):
            return None

    def _value_deals(self, team: Team, hands: Sequence[_Wanted]) -> None:
        """Value as many average deals of one set of rules as its hands are worth."""
        first = next((hand for each in hands if (hand := self._hand(each)) is not None), None)
        if first is None:
            return
        averages = Averages(hands[0].key[1], hands[0].seats)
        number = min(MOST_DEALS, max(DEALS, len(hands)))
        line = encode_hand(first)
        missing = range(averages.deals, number)
        parts = [missing[at : at + _AT_ONCE] for at in range(0, len(missing), _AT_ONCE)]
        self._tell(averages.deals, number, Stage.AVERAGING)
        for done in team.do(_deals(line, parts)):
            assert isinstance(done, Done)
            averages.add(done.result)
            self._tell(averages.deals, number, Stage.AVERAGING)
            if not done.result or self._is_over():
                return

    def _is_over(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline

    def _tell(self, done: int, total: int, stage: Stage = Stage.ACCOUNTING) -> None:
        if self._on_progress:
            is_last = stage == Stage.ACCOUNTING and done == total
            hands = done if stage == Stage.ACCOUNTING else 0
            share = 1.0 if is_last else None
            self._on_progress(Progress(stage, hands=hands, done=done, total=total, share=share))


def _deals(
    line: bytes, parts: Iterable[Sequence[int]]
) -> Iterator[Task[tuple[bytes, Sequence[int]], list[Valued]] | Aside[None]]:
    """Yield what there is to do for average deals of some numbers."""
    for part in parts:
        yield Task(_valued, (line, part), _SIZE)


# --- In the processes that work


def _worked(lines: list[tuple[Key, bytes]]) -> list[tuple[str, LedgerRow]]:
    """Return the hash of the rules, and the ledger, of each hand."""
    found: list[tuple[str, LedgerRow]] = []
    for key, line in lines:
        if not line:
            found.append((key[1], LedgerRow(_UNREADABLE)))
            continue
        replayed = replay(decode_hand(line))
        averages = Averages(replayed.ruleset, replayed.rules.seats)
        try:
            solver = Solver(replayed.rules)
            averages.ensure(1, solver)
            row = ledger_rows.row_of(replayed, solver, averages)
        except Refused as refused:
            row = LedgerRow(str(refused))
        found.append((replayed.ruleset.hash, row))
    return found


def _valued(asked: tuple[bytes, Sequence[int]]) -> list[Valued]:
    """Return average deals of these numbers, under the rules of a hand; none where refused."""
    line, numbers = asked
    try:
        solver = Solver(replay(decode_hand(line)).rules)
        return [value_deal(number, solver) for number in numbers]
    except Refused:
        return []
