"""import_logs."""

from __future__ import annotations

import streamlit as st

st.header("import_logs")
