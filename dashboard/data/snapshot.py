"""What the pages read: the snapshot that was the newest when the page began, and its facts.

Figures and lists are of the scope that the viewer looks at; a hand, a game or a player that an
address names is found whatever the scope.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, Final, TypeVar

import duckdb
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.core import Replay, replay
from tricklog.core.judging.replayer import GapReplay
from tricklog.dashboard.address.languages import Spoken
from tricklog.dashboard.data.launch import database
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.facts.views import usual_scope
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.model import FigureError, Metric
from tricklog.ingest.store import queries
from tricklog.ingest.store.lenses import NOTHING, Lens, lens_of
from tricklog.ingest.store.scopes import EVERYBODY, Scope
from tricklog.ingest.store.userdata import UserDataError
from tricklog.ingest.store.warehouse import NoSnapshotError, WarehouseError
from tricklog.ingest.warehouses import Warehouse, stored_hand, warehouse_at
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.current import current
from tricklog.schemas.languages.messages import mark
from tricklog.schemas.printable import distinct_words

_WAREHOUSE: Final = "warehouse"
_SETTLED: Final = "snapshot"
_SCOPE: Final = "scope"
_LENS: Final = "lens"

Answer = TypeVar("Answer")

StandsFor = dict[str | type[Any], Callable[[Any], Any]]
"""For caches (``hash_funcs``): by type, what a value is kept under in place of its content."""


def warehouse() -> Warehouse:
    """Return the warehouse this server shows."""
    # Whether a folder holds a lake is seen on the disk, and pages ask dozens of times in a run.
    found: Warehouse | None = st.session_state.get(_WAREHOUSE)
    return warehouse_at(database(sys.argv[1:])) if found is None else found


def user_folder() -> Path:
    """Return the folder with what viewers write about the warehouse."""
    return warehouse().user_folder()


def settle() -> None:
    """Take the newest snapshot for this run of a page, whatever is published before it ends.

    Raises ``NoSnapshotError`` before the first load and ``WarehouseError`` where it cannot be told
    which is the newest.
    """
    st.session_state.pop(_WAREHOUSE, None)
    st.session_state[_WAREHOUSE] = warehouse()
    state = warehouse().current()
    if state is None:
        st.session_state.pop(_SETTLED, None)
        raise NoSnapshotError(f"{warehouse().name} holds no warehouse yet.")
    st.session_state[_SETTLED] = state
    try:
        st.session_state[_LENS] = lens_of(user_folder())
    except UserDataError:
        # The strip of the table says what is wrong with the file.
        st.session_state[_LENS] = NOTHING


def shown() -> str | None:
    """Return what the page shows, ``None`` where it shows none."""
    found: str | None = st.session_state.get(_SETTLED)
    return found


def newest() -> str | None:
    """Return what is published now, whatever the page shows; ``None`` where that is not known."""
    with suppress(WarehouseError, OSError):
        return _newest(warehouse().address)
    return None


def hands_since(before: str, now: str) -> int:
    """Return how many hands one state has more than another; 0 where that cannot be told."""
    with suppress(WarehouseError, OSError, duckdb.Error):
        return max(_count(now) - _count(before), 0)
    return 0


def look_at(scope: Scope) -> None:
    """Take the people and games that this run of a page is of."""
    st.session_state[_SCOPE] = scope


def scope() -> Scope:
    """Return the people and games that this run is of."""
    found: Scope = st.session_state.get(_SCOPE, EVERYBODY)
    return found


def usual() -> Scope:
    """Return the scope to look at where nobody chose one."""
    return _of_state(usual_scope)


def key() -> str:
    """Return what changes when this run is of other hands; caches are keyed by it."""
    return f"{_state()} {scope().scope_id} {_lens().key}"


OF_FACTS: Final[StandsFor] = {
    DuckDBPyConnection: lambda _: key(),
    # Streamlit takes a third of the time of a page to go through each of their parts.
    Metric: repr,
    Filters: repr,
}
"""A connection of this run is one to the hands that the run is of; others say all they hold."""


def for_replays(stands: Callable[[Replay], object]) -> StandsFor:
    """Return what stands for a replay, whether or not its record has gaps."""
    # Streamlit asks for the very type of a value.
    return {Replay: stands, GapReplay: stands}


OF_HAND: Final = for_replays(lambda replayed: (_state(), replayed.hand.id))
"""A stored hand is the one of this id in the snapshot of this run."""
_OF_LENS: Final[StandsFor] = {Lens: lambda lens: lens.key}
_OF_TABLES: Final[StandsFor] = {DuckDBPyConnection: lambda _: _state()}
_BY_NAME: Final[StandsFor] = {FunctionType: lambda ask: f"{ask.__module__}.{ask.__qualname__}"}


def _lens() -> Lens:
    found: Lens = st.session_state.get(_LENS, NOTHING)
    return found


def _state() -> str:
    return str(st.session_state[_SETTLED])


def connection() -> DuckDBPyConnection:
    """Return a connection to the whole snapshot, for this run of a page alone.

    Raises ``WarehouseError`` for a snapshot that cannot be read.
    """
    with _begun_over_without():
        return _opened(_state()).cursor()


def everybody() -> DuckDBPyConnection:
    """Return a connection to the tables of everybody, with merged players as one.

    Raises as ``connection`` does.
    """
    return _of(EVERYBODY)


def _of(scope: Scope) -> DuckDBPyConnection:
    if scope == EVERYBODY and not _lens().aliases:
        return connection()
    with _begun_over_without():
        return _of_scope(_state(), scope, _lens()).cursor()


def merged() -> tuple[tuple[str, str], ...]:
    """Return each id that stands for another player, with the id of that player."""
    return _lens().aliases


def merged_names() -> dict[str, str]:
    """Return what each of these ids was called in the records."""
    recorded = _names(connection(), NOTHING)
    return {each: recorded[each] for each, _ in merged() if each in recorded}


def merged_people() -> list[tuple[str, str]]:
    """Return the ids of merged players, each beside another id or name that they had."""
    names = merged_names()
    return [
        (whom, each)
        for player, whom in merged()
        for each in dict.fromkeys((player, names.get(player, player)))
    ]


def known_scope() -> Scope:
    """Return the scope of this run with all ids of its people, for what is as it was recorded."""
    return _lens().of_scope(scope())


def within() -> DuckDBPyConnection:
    """Return a connection to the snapshot as far as the scope goes, for this run alone.

    Raises as ``connection`` does.
    """
    return _of(scope())


def facts() -> DuckDBPyConnection:
    """Return a connection to the facts of the scope, for this run of a page alone.

    They are counted first when nobody has asked for them before. Raises as ``connection`` does.
    """
    if scope() != EVERYBODY:
        return within()
    with _begun_over_without():
        return _facts(_state(), _lens()).cursor()


def hand(hand_id: str) -> Hand:
    """Return a stored hand as it was recorded. Raises ``LookupError`` when there is none."""
    return stored_hand(connection(), hand_id)


def replayed_hand(hand_id: str) -> Replay:
    """Return a stored hand replayed. Raises ``LookupError`` when there is no such hand."""
    return _replayed(_state(), hand_id)


def is_empty() -> bool:
    """Return whether there is no hand at all, in the scope or outside."""
    return not _of_state(queries.hands_in)


def outside() -> int:
    """Return how many hands the scope leaves out."""
    return _of_state(queries.hands_in) - int(totals()["hands"])


def totals() -> dict[str, Any]:
    """Return the row of ``queries.overview`` for the scope."""
    return kept(queries.overview, within()).row(0, named=True)


def kept(
    ask: Callable[..., Answer], facts: DuckDBPyConnection, *given: object, **named: object
) -> Answer:
    """Return what a function finds in the facts, kept for all viewers, who may only read it.

    Raises the ``FigureError`` that the function does, which is kept as well.
    """
    found = _kept(ask, facts, given, named, "")
    if isinstance(found, _Refused) and found.language != current():
        # To say why in the language of this viewer.
        found = _kept(ask, facts, given, named, current())
    if isinstance(found, _Refused):
        raise found.error()
    return found


def titles() -> dict[str, str]:
    """Return the title of every stored variant by its id, with the id where titles are the same."""
    return distinct_words(dict(_of_state(queries.variants).select("variant", "title").iter_rows()))


def names() -> dict[str, str]:
    """Return what every player is called by id, those with the most hands first.

    Of players with one name, the id goes with it.
    """
    return _called(everybody(), _lens())


def recorded_names() -> dict[str, str]:
    """Return the name of every player by id, those with the most hands first."""
    return _names(everybody(), _lens())


def _of_state(ask: Callable[[DuckDBPyConnection], Answer]) -> Answer:
    """Return what a function finds in the whole snapshot, kept for all viewers."""
    with _begun_over_without():
        return _found(_state(), ask)


@contextmanager
def damage_told() -> Iterator[None]:
    """Show a sentence in the place of a page whose files are damaged or cannot be read."""
    try:
        yield
    except WarehouseError as error:
        st.error(as_markdown(str(error)))
    except (duckdb.Error, UnicodeError) as error:
        found = warehouse().explained(error)
        if found is None:
            raise
        st.error(as_markdown(str(found)))
        # What has been opened stays damaged, whatever is put in its place.
        for kept_open in (_opened, _facts, _of_scope):
            kept_open.clear()


@contextmanager
def _begun_over_without() -> Iterator[None]:
    """Begin the page over when its snapshot was removed before it was opened."""
    try:
        yield
    except WarehouseError:
        if warehouse().is_there(_state()):
            raise
        st.rerun()


# All viewers share one look, which a lake may take a request for.
@st.cache_data(ttl=1, max_entries=2, show_spinner=False)
def _newest(address: str) -> str | None:
    return warehouse_at(address).current()


@st.cache_data(max_entries=16, show_spinner=False)
def _count(state: str) -> int:
    with warehouse().tables(state, once=True) as tables:
        return queries.hands_in(tables)


# The state stands for the content: what is published never changes, and no name is used twice.
@st.cache_resource(max_entries=2, show_spinner=False)
def _opened(state: str) -> DuckDBPyConnection:
    return warehouse().tables(state)


@st.cache_resource(
    max_entries=2,
    show_spinner=Spoken(mark("Counting what figures are made of, once for each load")),
    hash_funcs=_OF_LENS,
)
def _facts(state: str, lens: Lens) -> DuckDBPyConnection:
    return warehouse().facts(state, lens=lens)


@st.cache_resource(
    max_entries=4,
    show_spinner=Spoken(mark("Looking up who sat at which table")),
    hash_funcs=_OF_LENS,
)
def _of_scope(state: str, scope: Scope, lens: Lens) -> DuckDBPyConnection:
    return warehouse().facts(state, lens=lens, scope=scope)


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=_BY_NAME)
def _found(state: str, ask: Callable[[DuckDBPyConnection], Answer]) -> Answer:
    return ask(_opened(state).cursor())


@st.cache_resource(max_entries=64, show_spinner=False)
def _replayed(state: str, hand_id: str) -> Replay:
    replayed = replay(stored_hand(_opened(state).cursor(), hand_id))
    # All states are made here, once, and only read by the viewers that share them.
    replayed.state_at(0)
    return replayed


@dataclass(frozen=True, slots=True)
class _Refused:
    kind: type[FigureError]
    said: tuple[Any, ...]
    parts: dict[str, Any]
    language: str

    def error(self) -> FigureError:
        """Return an error of its own for each viewer, as a traceback belongs to one."""
        made = self.kind.__new__(self.kind, *self.said)
        vars(made).update(self.parts)
        return made


@st.cache_resource(max_entries=500, show_spinner=False, hash_funcs=OF_FACTS | _BY_NAME)
def _kept(
    ask: Callable[..., Answer],
    facts: DuckDBPyConnection,
    given: tuple[object, ...],
    named: dict[str, object],
    language: str,  # noqa: ARG001 - that of a refusal, empty for whatever comes first
) -> Answer | _Refused:
    try:
        return ask(facts, *given, **named)
    except FigureError as error:
        return _Refused(type(error), error.args, dict(vars(error)), current())


@st.cache_resource(max_entries=2, show_spinner=False, hash_funcs=_OF_TABLES | _OF_LENS)
def _names(
    tables: DuckDBPyConnection,
    lens: Lens,  # noqa: ARG001 - with its merges the connection has other players
) -> dict[str, str]:
    rows = queries.players(tables).select("player", "name")
    return dict(rows.iter_rows())


@st.cache_resource(max_entries=2, show_spinner=False, hash_funcs=_OF_TABLES | _OF_LENS)
def _called(tables: DuckDBPyConnection, lens: Lens) -> dict[str, str]:
    return distinct_words(_names(tables, lens))
