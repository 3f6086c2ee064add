"""The language in which a session of the dashboard is shown, and how it is found out.

First comes what the address asks for, then what was chosen before in this browser, what the server
was started with, and the language of the browser itself; English where none of them is one of ours.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from tricklog.dashboard.address import urls
from tricklog.schemas.languages.current import (
    ENGLISH,
    LANGUAGES,
    ONLY_CHOSEN,
    in_language,
    set_source,
)
from tricklog.schemas.languages.messages import translated

SETTING: Final = "TRICKLOG_LANGUAGE"
"""The variable that names the language of whoever chose none."""
COOKIE: Final = "tricklog-language"
"""What a browser keeps a choice under."""
_KEPT: Final = "language"
"""Key of the session: the code of its language."""
_CHOSEN: Final = "language-chosen"
"""Key of the session: the code that the address asked for, on this page or one before."""


class Spoken(str):
    """An English text that Streamlit keeps, and asks for as ``str`` when it shows it."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return it in the language of this moment."""
        return translated(super().__str__())


def use_that_of_sessions() -> None:
    """Show what is said in a run of a page, a part of one or a callback in the session's language.

    Callbacks and parts of pages that run alone do so outside the code that begins a page.
    """
    set_source(of_session)


def of_session() -> str:
    """Return the code of the language of the session that runs; English outside of any."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return ENGLISH
    found: str = st.session_state.get(_KEPT, ENGLISH)
    return found


@contextmanager
def settled() -> Iterator[None]:
    """Find out the language of the session, and show everything inside in it."""
    asked_for = st.query_params.get(urls.LANGUAGE, "")
    if asked_for in LANGUAGES:
        st.session_state[_CHOSEN] = asked_for
    chosen = st.session_state.get(_CHOSEN)
    code = chosen or usual(st.context.cookies, [st.context.locale or ""])
    st.session_state[_KEPT] = code
    with in_language(code):
        yield


def usual(cookies: Mapping[str, str], locales: list[str]) -> str:
    """Return the language to show to a browser that asks for none.

    ``locales`` are those of the browser, best first, as ``sv-FI``. Languages that only those get
    who choose them are not shown for them.
    """
    mentioned = (cookies.get(COOKIE, ""), os.environ.get(SETTING, "").strip())
    own = (each.replace("_", "-").partition("-")[0].lower() for each in locales)
    offered = (each for each in own if each not in ONLY_CHOSEN)
    return next((each for each in (*mentioned, *offered) if each in LANGUAGES), ENGLISH)
