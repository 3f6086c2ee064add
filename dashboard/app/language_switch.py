"""The choice of a language, in the bar of the pages: each by its own name.

Each is a link, so that a page begins again as a whole, and a browser keeps what was chosen
(``tricklog.dashboard.app.remembered``).
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

import streamlit as st

from tricklog.dashboard.address import asked, languages, urls
from tricklog.dashboard.text.escaping import as_html
from tricklog.schemas.languages.current import LANGUAGES, UNREVIEWED, current
from tricklog.schemas.languages.messages import say

KEY: Final = "language-switch"


def look_at_address() -> None:
    """Say where the address asks for a language there is not, and take out of it what is kept.

    A link that is sent to somebody else is then read in their language.
    """
    asked.allows(urls.LANGUAGE, LANGUAGES)
    kept = st.context.cookies.get(languages.COOKIE)
    if kept is not None and st.query_params.get(urls.LANGUAGE) == kept:
        del st.query_params[urls.LANGUAGE]


def show(page: str) -> None:
    """Show the languages behind the name of the one of now; ``page`` is the path of the page."""
    code = current()
    label = f"{LANGUAGES[code]} ({say('not reviewed')})" if code in UNREVIEWED else LANGUAGES[code]
    with st.container(key=KEY), st.popover(label, type="tertiary"):
        if code in UNREVIEWED:
            st.caption(
                say(
                    "Nobody who plays in this language has reviewed its translation yet. Where it"
                    " is wrong, or has no sentence of its own and shows English, help is welcome."
                )
            )
        st.html("".join(f"<p>{_link(page, each)}</p>" for each in LANGUAGES))


def _link(page: str, code: str) -> str:
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    address = f"{page}?{urlencode(query | {urls.LANGUAGE: [code]}, doseq=True)}"
    mark = f" <small>{as_html(say('not reviewed'))}</small>" if code in UNREVIEWED else ""
    chosen = ' aria-current="true"' if code == current() else ""
    return (
        f'<a class="tl-link" href="{as_html(address)}" lang="{code}" hreflang="{code}"{chosen}>'
        f"{LANGUAGES[code]}</a>{mark}"
    )
