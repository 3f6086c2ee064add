"""One load: a page shows only what it brought, as the address asks, and says so."""

from __future__ import annotations

import streamlit as st

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import snapshot
from tricklog.ingest.store import loads
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import short_day
from tricklog.schemas.words import hands_counted


def choose_load() -> int | None:
    """Return the load that the address asks for, and offer to see all again; nothing without one.

    A load that there is not is told, and passed over.
    """
    parameters.knows(urls.LOAD)
    text = parameters.get(urls.LOAD)
    if not text:
        return None
    connection = snapshot.connection()
    number = int(text) if parameters.is_digits(text) else 0
    found = loads.told(connection, number) if number else None
    if found is None:
        parameters.allows_if(urls.LOAD, lambda _: False)
        return None
    when = found["loaded_at"]
    st.button(
        say(
            "Load of {day} {year}, {time} UTC: {hands} ✕",
            day=short_day(when),
            year=when.year,
            time=f"{when:%H:%M}",
            hands=hands_counted(found["accepted"]),
        ),
        key="one-load",
        help=say("Only what this load brought is shown. Take it away to see everything."),
        on_click=parameters.put,
        args=(urls.LOAD,),
    )
    return number
