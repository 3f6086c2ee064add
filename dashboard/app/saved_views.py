"""Saved views: the page as its address shows it, kept under a name and opened from any page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlencode

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.kit.addresses import link_html
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.ingest.store import userdata
from tricklog.ingest.store.userdata import UserDataError, View
from tricklog.schemas.languages.messages import say

NAME: Final = "saved-view-name"
TROUBLE: Final = "saved-view-trouble"


def show(pages: Sequence[StreamlitPage], page: StreamlitPage) -> None:
    """Show the menu of saved views in the bar of the pages."""
    with st.container(key="saved-views"), st.popover(say("Saved views"), type="tertiary"):
        st.text_input(
            say("Name of the view"),
            key=NAME,
            max_chars=userdata.LONGEST_NAME,
            placeholder=say("Ann overbids in Pedro"),
        )
        st.button(
            say("Save this view"),
            on_click=_save,
            args=(page.url_path,),
            help=say("Keeps this page with its filters, as the address shows them."),
        )
        if trouble := st.session_state.pop(TROUBLE, None):
            st.warning(as_markdown(trouble))
        try:
            saved = userdata.views(snapshot.user_folder())
        except UserDataError as error:
            st.warning(as_markdown(str(error)))
            return
        if not saved:
            st.caption(say("No view is saved yet. Set filters, give the view a name and save it."))
        for view in saved:
            _show_view(view, pages)


def _show_view(view: View, pages: Sequence[StreamlitPage]) -> None:
    page = next((each for each in pages if each.url_path == view.page), None)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if page is None:
            st.caption(say("{view}: this version has no such page.", view=as_markdown(view.name)))
        else:
            # A link of its own, not of Streamlit, which would keep the filters of this page.
            address = f"{view.page}?{urlencode(view.query, doseq=True)}"
            st.html(link_html(address, as_html(view.name)), width="stretch")
        st.button(
            say("Rename"),
            key=f"rename-view-{view.view_id}",
            on_click=_try,
            args=(lambda name: userdata.rename_view(snapshot.user_folder(), view.view_id, name),),
            help=say("Gives it the name that stands in the box above."),
        )
        st.button(
            say("Delete"),
            key=f"delete-view-{view.view_id}",
            on_click=_try,
            args=(lambda _: userdata.delete_view(snapshot.user_folder(), view.view_id),),
        )


def _save(page: str) -> None:
    # Whoever opens the view reads it in their language.
    query = {each: [*texts] for each, texts in parameters.query().items() if each != urls.LANGUAGE}
    _try(lambda name: userdata.save_view(snapshot.user_folder(), name, page, query))


def _try(change: Callable[[str], object]) -> None:
    """Change what is saved; the change is given the name that stands in the box."""
    try:
        change(st.session_state[NAME])
    except UserDataError as error:
        st.session_state[TROUBLE] = str(error)
    else:
        st.session_state[NAME] = ""
