"""Logs that are followed into this warehouse: who follows them, how far, and what is in the way."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import streamlit as st

from dashboard import snapshot
from dashboard.escaping import as_markdown
from dashboard.labels import counted
from dashboard.tables import show_table
from ingest.following import heartbeat, marks
from ingest.following.heartbeat import Following
from ingest.warehouses import is_lake

EVERY: Final = 5.0
"""Seconds between two looks."""
MOST_FILES: Final = 50
_MINUTE: Final = 60
_HOUR: Final = 3_600
_DAY: Final = 86_400


def show() -> None:
    """Show the logs that are followed, where there are any or have been; else how to."""
    address = snapshot.warehouse().address
    if is_lake(address):
        return
    st.subheader("Logs that are followed")
    _show_followers(address)
    _show_files()


@st.fragment(run_every=EVERY)
def _show_followers(address: str) -> None:
    found = heartbeat.followers(Path(address))
    for each in found:
        st.markdown(_words(each))
        if each.trouble:
            st.warning(f"Nothing can be published just now. {as_markdown(each.trouble)}")
    if not found:
        st.caption(
            "No log is followed now. `tricklog load --follow LOG --db WAREHOUSE` takes hands as "
            "a server writes them, or as logs are put into a folder."
        )


def _words(told: Following) -> str:
    """Return what a follower does, in one paragraph."""
    paths = ", ".join(as_markdown(path) for path in told.paths)
    said = [f"**{paths}**", counted(told.files, "file")]
    said.append(f"{counted(told.hands, 'new hand')} since {_ago(told.began)}")
    if told.rejects:
        said.append(f"{counted(told.rejects, 'line')} not readable")
    if told.published is not None:
        said.append(f"last published {_ago(told.published)}")
    return ", ".join(said)


def _ago(moment: float) -> str:
    """Return how long ago a moment was, in the largest unit that fits."""
    seconds = max(time.time() - moment, 0)
    for size, unit in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        if seconds >= size:
            return f"{counted(int(seconds // size), unit)} ago"
    return f"{counted(int(seconds), 'second')} ago"


def _show_files() -> None:
    """Show how far each file was taken, as far as that is published."""
    if snapshot.shown() is None:
        return
    connection = snapshot.connection()
    if not marks.has_any(connection):
        return
    rows = marks.latest(connection, MOST_FILES)
    with st.expander(f"How far {counted(len(rows), 'file')} {_were(len(rows))} taken"):
        show_table(
            ["log", "lines taken", "bytes taken", "last (UTC)"],
            [(file, lines, size, f"{at:%Y-%m-%d %H:%M:%S}") for file, lines, size, at in rows],
        )


def _were(count: int) -> str:
    return "was" if count == 1 else "were"
