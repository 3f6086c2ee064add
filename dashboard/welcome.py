"""The first page of an empty warehouse: how to begin."""

from __future__ import annotations

import shlex

import streamlit as st

from dashboard import snapshot, urls


def show() -> None:
    """Say what to do."""
    st.title("Tricklog")
    st.markdown("There are no hands here yet.")
    st.page_link(urls.IMPORT, label=":blue[Load your logs, or have a look at the samples first]")
    st.markdown("Or load them with")
    st.code(f"tricklog load LOGS --db {shlex.quote(snapshot.warehouse().name)}", language="sh")
    st.markdown("and open this page again.")
    st.page_link(urls.DEFINITIONS, label=":blue[What there will be to see: every figure, defined]")
