"""One club twice: in a lake, loaded in parts with games that later parts continue, and embedded."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import polars as pl
from duckdb import DuckDBPyConnection
from msgspec.structs import replace

import ingest
from ingest.facts.files import open_facts_of
from ingest.facts.scope import open_scope_of
from ingest.lake import reading
from ingest.lake.engines import Here
from ingest.lake.load import How, load
from ingest.lake.publish import Lake, Snapshot
from ingest.lake.storage import Storage
from ingest.metrics import DIMENSIONS, Dimension, Metric, measure
from ingest.metrics.filters import EVERYTHING, Filters
from ingest.sessions import evening, pairs, records
from ingest.sheets import games, sheet
from ingest.store import quarantine, queries
from ingest.store.scopes import Scope
from ingest.store.warehouse import current_snapshot, open_file
from schemas.hand import encode_hand
from tests.kit.dirty_logs import write_dirty_logs
from tests.kit.filling_logs import first_hands, with_far_too_many_actions
from tests.kit.solved import ANY_TIME

MANY = 10_000
BUCKETS = (3, 2)
"""Of games and ids, of each load."""


@dataclass(frozen=True)
class Pair:
    """A lake and a warehouse of the same logs."""

    lake: Lake
    folder: Path

    @property
    def snapshot(self) -> Snapshot:
        """What is published of the lake."""
        return self.lake.opened()

    @property
    def file(self) -> Path:
        """What is published of the warehouse."""
        found = current_snapshot(self.folder)
        assert found
        return found

    @contextmanager
    def tables(self) -> Iterator[tuple[DuckDBPyConnection, DuckDBPyConnection]]:
        """Open the tables of both."""
        with reading.open_tables(self.lake, self.snapshot) as there, open_file(self.file) as here:
            yield there, here

    @contextmanager
    def facts(self) -> Iterator[tuple[DuckDBPyConnection, DuckDBPyConnection]]:
        """Open the facts of both."""
        with (
            reading.open_facts(self.lake, self.snapshot) as there,
            open_facts_of(self.file) as here,
        ):
            yield there, here

    @contextmanager
    def scoped(self, scope: Scope) -> Iterator[tuple[DuckDBPyConnection, DuckDBPyConnection]]:
        """Open the facts of both as far as a scope goes."""
        with (
            reading.open_scope(self.lake, self.snapshot, scope) as there,
            open_scope_of(self.file, scope) as here,
        ):
            yield there, here


def make_pair(lines: Sequence[bytes], storage: Storage, folder: Path) -> Pair:
    """Load hands of ``lines``, with mishaps of every kind and long texts, into both."""
    logs = write_dirty_logs(lines, folder / "logs", files=4, share=0.02)
    for number, log in enumerate(log for log in logs if log.suffix == ".jsonl"):
        long = with_far_too_many_actions(first_hands()[0])
        with log.open("ab") as file:
            file.write(
                encode_hand(replace(long, id=f"long {number}", game=f"long {number}")) + b"\n"
            )
            # The same trouble with the same line, and a line that is long.
            file.write(b'{"format":"tricklog/1","text":"' + b"x" * 9_000 + b'"}\n')
    half = len(logs) // 2
    for part, buckets in zip((logs[:half], logs[half:]), BUCKETS, strict=True):
        load(part, storage, Here(), how=How(buckets=buckets))
        ingest.load(*part, db=folder / "db", facts=False)
    return Pair(Lake(storage), folder / "db")


# --- Questions that have one answer, whatever is asked

Ask = Callable[[DuckDBPyConnection], object]


def answer(found: object) -> object:
    """Return what was found in a form that is the same in whatever order equals are given."""
    if isinstance(found, pl.DataFrame):
        return found.columns, sorted(map(str, found.iter_rows()))
    if isinstance(found, dict):
        return sorted(found.items())
    if isinstance(found, list):
        return list(map(str, found))
    return str(found)


def figures(metrics: Sequence[Metric] = ANY_TIME) -> Iterator[tuple[str, Ask]]:
    """Give figures by every dimension that they have."""
    for metric in metrics:
        for dimension in (None, *(each for each in DIMENSIONS if metric.grain in each.grains)):
            yield _figure(metric, dimension, EVERYTHING)


def some_figures() -> Iterator[tuple[str, Ask]]:
    """Give every figure once, by each dimension in turn, and by each with filters."""
    turns = {
        grain: itertools.cycle([each for each in DIMENSIONS if grain in each.grains])
        for grain in {metric.grain for metric in ANY_TIME}
    }
    filters = itertools.cycle(
        (
            EVERYTHING,
            Filters(every_verdict=True),
            Filters.of({"variant": "pedro"}),
            Filters.of({"seat": "1"}),
        )
    )
    for metric in ANY_TIME:
        yield _figure(metric, next(turns[metric.grain]), next(filters))
    for dimension in DIMENSIONS:
        for metric in [each for each in ANY_TIME if each.grain in dimension.grains][:1]:
            yield _figure(metric, dimension, next(filters))


def _figure(metric: Metric, dimension: Dimension | None, filters: Filters) -> tuple[str, Ask]:
    # Amounts that mean something else in each variant are not thrown together.
    names = () if dimension is None or dimension.name == "variant" else (dimension.name,)
    by = ("variant", *names)

    def ask(facts: DuckDBPyConnection) -> object:
        frame = measure(facts, metric, by, filters)
        return frame.columns, frame.rows()

    return f"{metric.name} by {by} of {filters}", ask


def lists(here: DuckDBPyConnection) -> Iterator[tuple[str, Ask]]:
    """Give every list and page of figures; ``here`` is asked for names to ask about."""
    for order in queries.Order:
        yield f"hands, {order}", partial(queries.hand_list, order=order, limit=MANY)
    for text in ("pedro", "2", "2015-03", "ann"):
        for ask in (queries.hand_list, games.game_list, queries.finding_list):
            yield f"{ask.__name__} of {text}", partial(ask, text=text, limit=MANY)
    yield "hands of a load", partial(queries.hand_count, load=2)
    yield "hands with a finding", partial(queries.hand_list, code="claim-points")
    yield "findings", partial(queries.finding_list, limit=MANY)
    yield "how many findings", queries.finding_count
    yield "left out", queries.left_out
    yield "games left out", queries.games_left_out
    yield "evenings", evening.evenings
    yield "names", evening.names_of
    yield "pairs", pairs.pairs
    yield "records", records_in
    for dimension in DIMENSIONS:
        yield f"values of {dimension.name}", partial(queries.values, dimension=dimension)
    for (name,) in here.execute("SELECT name FROM session_names ORDER BY name").fetchall()[::9]:
        yield f"the evening {name}", partial(evening.sessions_named, text=name)


def records_in(facts: DuckDBPyConnection) -> object:
    """Return the records as far as the order of games of a day without times does not say them.

    That is the order of their numbers, which loads give.
    """
    return [
        (each.kind, each.variant, each.value, each.times, each.day)
        for each in records.records(facts)
        if each.kind != "run-made"
    ]


def stored_lists(here: DuckDBPyConnection) -> Iterator[tuple[str, Ask]]:
    """Give every list that asks a snapshot; ``here`` is asked for names to ask about."""
    for (game,) in here.execute("SELECT game FROM games ORDER BY game").fetchall()[::9]:
        yield f"sheets of {game}", partial(sheet.sheets_of, game=game)
    yield "overview", queries.overview
    yield "variants", queries.variants
    yield "players", queries.players
    yield "rejects", quarantine.codes
    yield "rejects of a load", partial(quarantine.codes, load=2)
    yield "quarantine", quarantined
    for view in ("seats", "holdings", "calls", "plays", "tricks", "captures", "call_facts"):
        yield view, partial(rows_of, view=view)


def quarantined(tables: DuckDBPyConnection) -> object:
    """Return all lines in quarantine."""
    return list(quarantine.lines(tables))


def rows_of(tables: DuckDBPyConnection, view: str) -> object:
    """Return all rows of a table or a view."""
    return tables.cursor().table(view).pl()
