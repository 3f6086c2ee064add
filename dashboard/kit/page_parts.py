"""Parts of a page: behind tabs, of which an address names the open one by its id, or refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import FigureError
from tricklog.schemas.languages.messages import translated


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

    ``titles`` are marked texts.
    """
    shown = {translated(each): each for each in titles}
    parameters.choice(
        urls.VIEW,
        shown,
        lambda label: translated(shown[label]),
        ids=lambda label: urls.id_of(shown[label]),
    )
    return st.tabs(list(shown), key=urls.VIEW, on_change="rerun")
