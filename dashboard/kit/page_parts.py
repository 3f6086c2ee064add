"""Parts of a page behind tabs, of which an address names the open one by its id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from tricklog.dashboard.address import parameters, urls
from tricklog.schemas.languages.messages import translated


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
