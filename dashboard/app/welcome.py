"""The first page of an empty warehouse: how to begin."""

from __future__ import annotations

import shlex

import streamlit as st

from tricklog.dashboard.address import urls
from tricklog.dashboard.data import snapshot
from tricklog.schemas.languages.messages import say


def show() -> None:
    """Say what to do."""
    st.title("Tricklog")
    st.markdown(say("There are no hands here yet."))
    st.page_link(
        urls.IMPORT, label=say(":blue[Load your logs, or have a look at the samples first]")
    )
    st.markdown(say("Or load them with"))
    st.code(f"tricklog load LOGS --db {shlex.quote(snapshot.warehouse().name)}", language="sh")
    st.markdown(say("and open this page again."))
    st.page_link(
        urls.DEFINITIONS, label=say(":blue[What there will be to see: every figure, defined]")
    )
