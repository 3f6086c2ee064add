"""The dashboard: what Streamlit runs. ``dashboard.launch.command`` starts it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard import asked, launch, links, saved_views, snapshot, welcome
from ingest.warehouse import NoSnapshotError, WarehouseError


def main() -> None:
    """Show the page the URL asks for, or how to begin while there is nothing to show."""
    st.set_page_config(page_title="Tricklog", page_icon="♠️", layout="wide")
    st.html(Path(__file__).with_name("style.css"))
    pages = [
        st.Page(links.OVERVIEW, title="Overview", url_path="overview", default=True),
        st.Page(links.BIDS, title="Bid accuracy", url_path="bids"),
        st.Page(links.CAPTURE, title="Point capture", url_path="capture"),
        st.Page(links.EXPLORER, title="Explorer", url_path="explorer"),
        st.Page(links.PLAYERS, title="Players", url_path="players"),
        st.Page(links.VARIANTS, title="Variants", url_path="variants"),
        st.Page(links.HANDS, title="Hands", url_path="hands"),
        st.Page(links.STEPS, title="Replay", url_path="replay"),
        st.Page(links.AUDIT, title="Audit", url_path="audit"),
        st.Page(links.IMPORT, title="Import", url_path=links.IMPORT_PATH),
        st.Page(links.DEFINITIONS, title="Definitions", url_path="definitions"),
    ]
    page = st.navigation(pages, position="top")
    asked.begin(arrived=links.arrive_at(page.url_path))
    notices = st.container()
    try:
        snapshot.settle()
        hands = snapshot.totals()["hands"]
    except NoSnapshotError:
        hands = 0
    except WarehouseError as error:
        st.error(str(error))
        return
    if hands:
        saved_views.show(pages, page)
    if hands or page.url_path == links.IMPORT_PATH:
        page.run()
        asked.tell(notices)
    else:
        welcome.show()
    launch.spare_the_collector()


main()
