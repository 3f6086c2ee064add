"""From a page to another by a click on a chart, and back.

Streamlit puts the parameters of the next page into the address of the last one, and only then opens
the next, so a browser's Back leads to the last page with parameters of the next. What the last page
was like is kept for as long as somebody has it open, and it is made so again. And where something
else that the browser sent was on its way, the next page begins with what it said of the address: it
is then given the parameters that it was opened with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from tricklog.dashboard.address import bound, urls

_LEFT: Final = "left-for"
"""Key of the session: by a page and the parameters that it was left with, those that it had."""
_MEANT: Final = "meant-for"
"""Key of the session: the page that is being opened, and its parameters."""
_MOST: Final = 64

_Query = tuple[tuple[str, tuple[str, ...]], ...]


def go(page: str, query: Mapping[str, str | Sequence[str]]) -> None:
    """Open another page with the parameters ``query``."""
    left: dict[tuple[str, _Query], _Query] = st.session_state.setdefault(_LEFT, {})
    left[urls.here(), _query_of(query)] = _query_now()
    while len(left) > _MOST:
        del left[next(iter(left))]
    st.session_state[_MEANT] = page, _query_of(query)
    st.switch_page(page, query_params=query)


def mend(page: str) -> None:
    """Give a page its parameters where it has not got them; ``page`` is its path."""
    context = get_script_run_ctx()
    screen, meant = st.session_state.pop(_MEANT, ("", ()))
    now = _query_now()
    if context is None:
        return
    if not context.is_history_navigation:
        is_meant = any((each.path, each.file) == (page, screen) for each in urls.MENU)
        if is_meant and not {*meant} <= {*now}:
            bound.replace_all(dict(meant))
        return
    for (left, query), had in reversed(st.session_state.get(_LEFT, {}).items()):
        if left == page and _is_of_next(query, now):
            bound.replace_all(dict(had))
            return


def _is_of_next(query: _Query, now: _Query) -> bool:
    """Return whether an address has the parameters of the page that was opened next.

    By then that may have written its filters out of the one parameter for all.
    """
    named = {each for each in query if each[0] != urls.AT}
    return named <= {*now} if named else query == now


def _query_now() -> _Query:
    return _query_of({name: st.query_params.get_all(name) for name in st.query_params})


def _query_of(query: Mapping[str, str | Sequence[str]]) -> _Query:
    return tuple(
        (name, (values,) if isinstance(values, str) else tuple(values))
        for name, values in sorted(query.items())
    )
