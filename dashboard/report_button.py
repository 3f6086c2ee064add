"""The button that gives what a page shows as one file, to send and to print."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

import streamlit as st

from dashboard import snapshot
from ingest.reports.content import Report
from ingest.reports.page import as_page
from ingest.reports.sources import Sources
from schemas.languages.current import current, in_language
from schemas.languages.messages import say

HIDE: Final = "report-names"
"""Key of the choice to leave names out."""


def show_report_button(name: str, about: str, make: Callable[[Sources], Report]) -> None:
    """Show the button; the report is made when it is pressed.

    ``name`` is that of the file, without its ending; ``about`` says in a few words what it is of.
    """
    facts, tables = snapshot.facts(), snapshot.connection()
    with st.popover(say("Report"), help=say("One file to send and to print")):
        st.caption(
            say(
                "{about} as one HTML file that needs no connection. It prints on A4 from any "
                "browser.",
                about=about,
            )
        )
        hide = st.checkbox(say("Numbers in the place of names"), key=HIDE)

        language = current()

        def made() -> str:
            # It is called when the file is fetched, outside of the page.
            with in_language(language):
                return as_page(make(Sources(facts, tables, hide_names=hide)), date.today())  # noqa: DTZ011 - the day as whoever made it calls it

        st.download_button(
            say("Save as HTML"),
            made,
            f"{name}.html",
            "text/html",
            on_click="ignore",
            key="report-download",
        )
