"""The button that gives what a page shows as one file, to send and to print."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial

import streamlit as st

from tricklog.dashboard.data import snapshot
from tricklog.ingest.reports.content import Report, as_page
from tricklog.ingest.reports.sources import Sources
from tricklog.schemas.languages.current import current, in_language
from tricklog.schemas.languages.messages import say


def show_report_button(name: str, about: str, make: Callable[[Sources], Report]) -> None:
    """Show the button; a report is made when it is fetched, with names or with numbers.

    ``name`` is that of the file, without its ending; ``about`` says in a few words what it is of.
    """
    facts, tables = snapshot.facts(), snapshot.connection()
    language = current()

    def made(*, hide_names: bool) -> str:
        # It is called when the file is fetched, outside of the page.
        with in_language(language):
            return as_page(make(Sources(facts, tables, hide_names=hide_names)), date.today())  # noqa: DTZ011 - the day as whoever made it calls it

    with st.popover(say("Report"), help=say("One file to send and to print")):
        st.caption(
            say(
                "{about} as one HTML file that needs no connection. It prints on A4 from any "
                "browser.",
                about=about,
            )
        )
        # A button each: whoever ticked a box and saved at once would send names after all.
        for label, hide in (
            (say("Save as HTML"), False),
            (say("Save with numbers in the place of names"), True),
        ):
            st.download_button(
                label,
                partial(made, hide_names=hide),
                f"{name}.html",
                "text/html",
                on_click="ignore",
                key=f"report-{'numbers' if hide else 'names'}",
            )
