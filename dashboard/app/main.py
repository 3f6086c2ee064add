"""The dashboard: what Streamlit runs. ``tricklog.dashboard.app.server`` starts it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from tricklog.dashboard.address import languages, parameters, urls
from tricklog.dashboard.app import collector, fresh, language_switch, saved_views, welcome
from tricklog.dashboard.data import our_table, snapshot
from tricklog.dashboard.kit.page_parts import name_window
from tricklog.dashboard.sections import merged_players
from tricklog.ingest.store.warehouse import NoSnapshotError
from tricklog.schemas.languages.messages import translated


def main() -> None:
    """Show the page the URL asks for, in the language of whoever looks at it."""
    languages.use_that_of_sessions()
    with languages.settled():
        _show()


def _show() -> None:
    st.set_page_config(page_title="Tricklog", page_icon="♠️", layout="wide")
    st.html(Path(__file__).with_name("style.css"))
    menu = {
        translated(group): [
            st.Page(
                each.file,
                title=translated(each.title),
                url_path=each.path or None,
                default=not each.path,
            )
            for each in screens
        ]
        for group, screens in urls.GROUPS.items()
    }
    page = st.navigation(menu, position="top")
    shown = urls.PAGES[page.url_path]
    if shown.path:
        name_window(translated(shown.title))
    parameters.begin(shown.path)
    language_switch.look_at_address()
    above = st.container()
    notices = st.empty()
    with snapshot.damage_told():
        try:
            snapshot.settle()
            is_empty = snapshot.is_empty()
        except NoSnapshotError:
            is_empty = True
        if not is_empty:
            our_table.settle(shown)
        with st.container(key="page-bar", horizontal=True, gap="small"):
            language_switch.show(page.url_path)
            if not is_empty:
                saved_views.show([each for pages in menu.values() for each in pages], page)
        if not is_empty and shown.of_table:
            our_table.show()
            merged_players.tell_set_aside()
        if not (is_empty and shown.needs_hands):
            page.run()
            parameters.tell(notices)
            parameters.finish()
        else:
            welcome.show()
    # A page without hands has nothing to renew, and a run for it could meet that of a tap.
    if shown.needs_hands:
        with above:
            fresh.watch()
    collector.spare()


main()
