"""players."""

from __future__ import annotations

import streamlit as st

st.header("players")
