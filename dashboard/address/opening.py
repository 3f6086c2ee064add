"""Addresses that the browser goes to by itself, each as one step of its history.

Streamlit, where it changes the page for a script, puts the parameters of the next page into the
address of the last one first, which is a step of its own; and what the last page still asks for at
that moment can call it back. A browser that goes to an address does neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NoReturn
from urllib.parse import urlencode

import streamlit as st

_mount: Final = st.components.v2.component(
    "tricklog.opening", js=Path(__file__).with_name("opening.js").read_text("utf-8")
)


def go(address: str) -> NoReturn:
    """Leave the page for an address."""
    _mount(key=f"opening {address}", data={"address": address})
    st.stop()


def replace(query: Mapping[str, Sequence[str]], before: Mapping[str, Sequence[str]]) -> None:
    """Let the address of the page have other parameters than ``before``, without another step."""
    told, known = (urlencode(each, doseq=True) for each in (query, before))
    _mount(key="address-replaced", data={"query": told, "before": known})
