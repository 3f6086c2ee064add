"""The solvers of the pages: one for each set of rules, asked by one viewer at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

import streamlit as st

from tricklog.core.judging.replayer import Replay
from tricklog.core.native import library
from tricklog.core.study import Refused, Solver
from tricklog.dashboard.data.snapshot import for_replays
from tricklog.schemas.languages.messages import say

_KEPT: Final = 12
"""Rules whose solvers are kept, some 3 MB each."""
NO_LIBRARY: Final = "the library of machine code is not there, and tricklog demo --check says why"


def no_library() -> str:
    """Return what a page says that has no values for want of the library."""
    return say(
        "Values need the library of machine code; tricklog demo --check says why it is not there."
    )


@contextmanager
def solver_for(replayed: Replay) -> Iterator[Solver]:
    """Give the solver for the rules of a hand, which nobody else asks meanwhile.

    Raises ``Refused`` for rules that the solver does not take on, and where there is no
    library: in plain Python a page would wait for minutes.
    """
    if not library.is_there():
        raise Refused(NO_LIBRARY)
    solver, lock = _solver(replayed)
    with lock:
        yield solver


@st.cache_resource(
    max_entries=_KEPT,
    show_spinner=False,
    hash_funcs=for_replays(lambda replayed: (replayed.ruleset.hash, len(replayed.hand.players))),
)
def _solver(replayed: Replay) -> tuple[Solver, Lock]:
    return Solver(replayed.rules), Lock()
