"""Logs that are followed into this warehouse: who follows them, how far, and what is in the way."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from typing import Final

import streamlit as st

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.kit.tables import show_table
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.following import heartbeat, marks
from tricklog.ingest.warehouses import is_lake
from tricklog.schemas.languages.messages import Message, message, message_counted, say, say_counted

EVERY: Final = 5.0
"""Seconds between two looks."""
MOST_FILES: Final = 50


def show() -> None:
    """Show the logs that are followed, where there are any or have been; else how to."""
    address = snapshot.warehouse().address
    if is_lake(address):
        return
    st.subheader(say("Logs that are followed"))
    _show_followers(address)
    rows = [] if snapshot.shown() is None else marks.latest(snapshot.connection(), MOST_FILES)
    if not rows:
        return
    # How far each file was taken, as far as that is published.
    title = say_counted(
        "How far {count} file was taken", "How far {count} files were taken", len(rows)
    )
    with st.expander(title):
        show_table(
            [say("log"), say("lines taken"), say("bytes taken"), say("last (UTC)")],
            [(file, lines, size, f"{at:%Y-%m-%d %H:%M:%S}") for file, lines, size, at in rows],
        )


@st.fragment(run_every=EVERY)
def _show_followers(address: str) -> None:
    found = heartbeat.followers(Path(address))
    for each in found:
        said: list[object] = [
            f"**{', '.join(map(as_markdown, each.paths))}**",
            message_counted("{count} file", "{count} files", each.files),
            message_counted(
                "{count} new hand since {moment}",
                "{count} new hands since {moment}",
                each.hands,
                moment=_ago(each.began),
            ),
        ]
        if each.rejects:
            said.append(
                message_counted(
                    "{count} line not readable", "{count} lines not readable", each.rejects
                )
            )
        if each.published is not None:
            said.append(message("last published {moment}", moment=_ago(each.published)))
        st.markdown(", ".join(map(str, said)))
        if each.trouble:
            st.warning(
                say(
                    "Nothing can be published just now. {trouble}",
                    trouble=as_markdown(each.trouble),
                )
            )
    if not found:
        st.caption(
            say(
                "No log is followed now. `tricklog load --follow LOG --db WAREHOUSE` takes hands "
                "as a server writes them, or as logs are put into a folder."
            )
        )


def _ago(moment: float) -> Message:
    """Return how long ago a moment was, in the largest unit that fits."""
    past = timedelta(seconds=max(time.time() - moment, 0))
    if past.days:
        return message_counted("{count} day ago", "{count} days ago", past.days)
    minutes, seconds = divmod(past.seconds, 60)
    if minutes >= 60:  # noqa: PLR2004 - those of an hour
        return message_counted("{count} hour ago", "{count} hours ago", minutes // 60)
    if minutes:
        return message_counted("{count} minute ago", "{count} minutes ago", minutes)
    return message_counted("{count} second ago", "{count} seconds ago", seconds)
