"""Figures of the metrics as tables on a screen, with the hands they leave out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from shlex import quote
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.cli.arguments import EVERYBODY
from tricklog.ingest.cli.failure_state import explained_failures, need_warehouse
from tricklog.ingest.cli.output import UserError, guess, own_command, remark
from tricklog.ingest.cli.progress import deriving
from tricklog.ingest.facts.aliased import merged, set_aside
from tricklog.ingest.metrics import DIMENSION, METRIC, FigureError, dimensions_of, measure
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.listings import UnknownValueError
from tricklog.ingest.store import userdata
from tricklog.ingest.store.absent import db_option
from tricklog.ingest.store.aliases import SetAside, aliases, set_aside_in
from tricklog.ingest.store.scopes import PEOPLE
from tricklog.ingest.warehouses import open_facts, open_snapshot, warehouse_at

OURS: Final = "ours"
_WHOSE: Final = (EVERYBODY, "people", OURS)


@contextmanager
def opened_facts(db: str, whose: str = EVERYBODY) -> Iterator[DuckDBPyConnection]:
    """Open the facts of a warehouse, with a line that says how far their making is.

    Where no terminal shows that line, what takes long is said when it begins and when it is done.
    ``whose`` hands count: those of ``everybody``, of ``people`` without bots and samples,
    of the table chosen in the dashboard (``ours``), or of one that an address of it names.

    Raises ``UserError`` for a warehouse that cannot be used and a question without an answer.
    """
    need_warehouse(db)
    with explained_failures(db):
        with deriving("Figures") as on_progress:
            facts = open_facts(db, on_progress)
        if whose != EVERYBODY:
            facts = _within(facts, db, whose)
        remark(*(set_aside_text(SetAside(*each)) for each in set_aside(facts)))
        try:
            with facts:
                yield facts
        except UnknownValueError as error:
            raise UserError(error.what, error.hint) from None
        except FigureError as error:
            raise UserError(str(error), "tricklog stats --list names what there is.") from error


def set_aside_by(db: str) -> list[SetAside]:
    """Return the aliases that do not hold in a warehouse, as both ids sat at one table."""
    try:
        known = aliases(warehouse_at(db).user_folder())
    except userdata.UserDataError as error:
        remark(str(error))
        return []
    if not known:
        return []
    with open_snapshot(db) as tables:
        return set_aside_in(tables, known)


def set_aside_text(found: SetAside) -> str:
    """Return what an alias that does not hold means, and what to do."""
    return f"{found.sentence} tricklog mark alias remove {found.player} takes the alias away."


def known_players(facts: DuckDBPyConnection, filters: Filters) -> Filters:
    """Return filters in which an id that stands for another player is that of the player."""
    known = merged(facts)
    for name, values in filters.chosen:
        if known and name in DIMENSION and DIMENSION[name].players:
            filters = filters.also(name, *(known.get(each, each) for each in values))
    return filters


def of_table(whose: str) -> str:
    """Return the option that a command needs for the same people, to be named in a hint."""
    return "" if whose == EVERYBODY else f" --whose {quote(whose)}"


def _within(facts: DuckDBPyConnection, db: str, whose: str) -> DuckDBPyConnection:
    """Return the facts of one table in the place of those of everybody."""
    warehouse = warehouse_at(db)
    with facts:
        try:
            known = userdata.scopes(warehouse.user_folder())
        except userdata.UserDataError as error:
            raise UserError(str(error), "Leave out --whose to count everybody.") from error
        scope = known.by_id.get(whose)
        if whose == "people":
            scope = PEOPLE
        elif whose == OURS:
            scope = known.chosen
            if scope is None:
                raise UserError(
                    f"no table is chosen in {db}, so that --whose ours says nothing",
                    f"Choose one: {own_command()} dashboard {db_option(db)}, and on top of a page "
                    "whose hands count. Or give --whose people, which leaves out bots and samples.",
                )
        if scope is None:
            raise UserError(
                f"--whose {whose!r} names no table of {db}.",
                f"{guess(whose, _WHOSE)}Give everybody, people, ours, or what stands after whose= "
                "in an address of the dashboard.",
            )
        state = warehouse.current()
        assert state
        scoped = warehouse.facts(state, scope=scope)
    if not verdict_counts(scoped, EVERYTHING):
        scoped.close()
        raise UserError(
            f"--whose {whose} leaves no hand of {db}", "Leave out --whose to count everybody."
        )
    return scoped


def verdict_counts(facts: DuckDBPyConnection, filters: Filters) -> dict[str, int]:
    """Return how many hands of each verdict filters choose; only what all hands have counts."""
    known = {each.name for each in dimensions_of(METRIC["verdicts"])} - {"verdict"}
    for name, _ in filters.chosen:
        if name not in known:
            filters = filters.also(name)
    frame = measure(facts, "verdicts", ["verdict"], filters)
    return dict(frame.select("verdict", "n").iter_rows())
