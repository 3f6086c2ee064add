"""The dashboard: what Streamlit runs. ``dashboard.server`` starts it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard import asked, launch, saved_views, snapshot, urls, welcome
from ingest.store.warehouse import NoSnapshotError


def main() -> None:
    """Show the page the URL asks for, or how to begin while there is nothing to show."""
    st.set_page_config(page_title="Tricklog", page_icon="♠️", layout="wide")
    st.html(Path(__file__).with_name("style.css"))
    pages = [
        st.Page(urls.OVERVIEW, title="Overview", url_path="overview", default=True),
        st.Page(urls.BIDS, title="Bid accuracy", url_path="bids"),
        st.Page(urls.CAPTURE, title="Point capture", url_path="capture"),
        st.Page(urls.EXPLORER, title="Explorer", url_path="explorer"),
        st.Page(urls.PLAYERS, title="Players", url_path="players"),
        st.Page(urls.VARIANTS, title="Variants", url_path="variants"),
        st.Page(urls.HANDS, title="Hands", url_path="hands"),
        st.Page(urls.STEPS, title="Replay", url_path="replay"),
        st.Page(urls.AUDIT, title="Audit", url_path="audit"),
        st.Page(urls.IMPORT, title="Import", url_path=urls.IMPORT_PATH),
        st.Page(urls.DEFINITIONS, title="Definitions", url_path="definitions"),
    ]
    page = st.navigation(pages, position="top")
    asked.begin(arrived=urls.arrive_at(page.url_path))
    notices = st.empty()
    with snapshot.damage_told():
        try:
            snapshot.settle()
            hands = snapshot.totals()["hands"]
        except NoSnapshotError:
            hands = 0
        if hands:
            saved_views.show(pages, page)
        if hands or page.url_path == urls.IMPORT_PATH:
            page.run()
            asked.tell(notices)
        else:
            welcome.show()
    launch.spare_the_collector()


main()
