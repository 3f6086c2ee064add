"""Parts of a page: behind tabs, of which an address names the open one in English, or refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st

from tricklog.dashboard.address import asked, urls
from tricklog.dashboard.address.languages import same_in
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import FigureError
from tricklog.schemas.languages.catalogs import english_of
from tricklog.schemas.languages.current import ENGLISH, current
from tricklog.schemas.languages.messages import translated


def choose_by_link(key: str, values: Sequence[object], shown: Sequence[str]) -> None:
    """Choose the value of a box that a link in another language asks for, if it does.

    ``shown`` is what the page calls each of the ``values``.
    """
    asked_for = st.query_params.get(key)
    if asked_for and asked_for not in shown and (same := same_in(asked_for, shown)):
        st.session_state[key] = values[shown.index(same)]
    asked.allows(key, shown)


@contextmanager
def refusals_said() -> Iterator[None]:
    """Say in the place of a part why its figures cannot be counted, where filters do not allow it.

    It decorates what shows the part.
    """
    try:
        yield
    except FigureError as error:
        st.info(as_markdown(str(error)))


def in_twos(count: int) -> Iterator[Any]:
    """Yield a place for each of several parts, two beside each other; a single one is as wide."""
    for start in range(0, count, 2):
        places = st.columns(2, gap="medium") if count > 1 else [st.container()]
        yield from places[: count - start]


def show_parts(titles: Sequence[str]) -> Sequence[Any]:
    """Show tabs, titled in the language of the page; return them in the order of ``titles``.

    ``titles`` are marked texts. A link opens the same part in every language, as its address has
    the English title.
    """
    asked.allows(urls.VIEW, titles)
    if current() == ENGLISH:
        return st.tabs(list(titles), key=urls.VIEW, bind="query-params")
    named = {translated(each): each for each in titles}
    key = f"{urls.VIEW}-{current()}"
    # The address decides, whoever changed it: a click on a tab, a link or a way back.
    asked_for = english_of(st.query_params.get(urls.VIEW, titles[0]))
    st.session_state[key] = translated(
        next((each for each in titles if each in asked_for), titles[0])
    )
    return st.tabs(list(named), key=key, on_change=_name_in_address, args=(key, named))


def _name_in_address(key: str, named: dict[str, str]) -> None:
    title = named[st.session_state[key]]
    if title == next(iter(named.values())):
        st.query_params.pop(urls.VIEW, None)
    else:
        st.query_params[urls.VIEW] = title
