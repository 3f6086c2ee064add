"""The first page of an empty warehouse: how to begin, or the samples with one click."""

from __future__ import annotations

import shlex

import streamlit as st

from dashboard import snapshot
from ingest import samples
from ingest.loading import load
from ingest.warehouse import WarehouseError


def show() -> None:
    """Say what to do, and load the samples when asked to."""
    st.title("Tricklog")
    st.markdown("There are no hands here yet. Load your logs with")
    st.code(f"tricklog load LOGS --db {shlex.quote(str(snapshot.folder()))}", language="sh")
    st.markdown("and open this page again, or have a look at the samples first.")
    if not st.button("Load the samples", type="primary"):
        return
    try:
        with st.spinner("Loading the samples"):
            load(samples.samples_folder(), db=snapshot.folder())
    except (WarehouseError, OSError) as error:
        st.error(str(error))
    else:
        st.rerun()
