"""Our table: whose hands and which games every page is about, chosen once.

The choice is kept beside the warehouse for everybody who opens it. It stands in addresses as well,
so that a link shows the same hands after somebody has chosen others.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Final

import streamlit as st

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.address.urls import Screen
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.value_labels import labelled
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html
from tricklog.ingest.facts.views import hands_within
from tricklog.ingest.store import loads, userdata
from tricklog.ingest.store.scopes import EVERYBODY, PEOPLE, Scope
from tricklog.ingest.store.userdata import Scopes, UserDataError
from tricklog.schemas.languages.messages import (
    mark,
    message_counted,
    say,
    say_counted,
    say_in,
    translated,
)
from tricklog.schemas.languages.numbers import plain_day
from tricklog.schemas.words import hands_counted

WORDS: Final = {"everybody": EVERYBODY, "people": PEOPLE}
"""Scopes that an address calls by a word."""
OPENED: Final = "our-table"
"""Key of the session: whether the choice is in view."""
WHO: Final = "our-table-who"
WHOM: Final = "our-table-people"
PLAYED: Final = "our-table-games"
TROUBLE: Final = "our-table-trouble"
MOST_NAMED: Final = 8
"""People whose names the strip tells."""
_WHO: Final = {
    "everybody": mark("Everybody"),
    "people": mark("Everybody but bots and samples"),
    "chosen": mark("These people"),
}
_OWN: Final = "our-table-own"
"""Key of the session: the scope this viewer chose or came by, where it is not the one kept."""


def settle(page: Screen) -> None:
    """Take the people and games that the address asks for, or those that were chosen."""
    parameters.knows(urls.WHOSE)
    try:
        known = userdata.scopes(snapshot.user_folder())
    except UserDataError as error:
        st.warning(as_markdown(str(error)))
        known = Scopes({}, None)
    if found := _asked_for(known):
        st.session_state[_OWN] = found
    scope = st.session_state.get(_OWN) or known.chosen or snapshot.usual()
    snapshot.look_at(EVERYBODY if _is_about_a_load(page) else scope)
    # Where everybody is alike nobody has to be named, until somebody chooses.
    is_plain = known.chosen is None and scope == snapshot.usual() == EVERYBODY
    word = None if is_plain else _word_of(scope, known)
    urls.keep_whose(word)
    # The address of a hand is the same for everybody, and is kept by the table of cards.
    if page.file != urls.STEPS:
        parameters.put(urls.WHOSE, *([word] if word else []))


def _is_about_a_load(page: Screen) -> bool:
    """Return whether a page lists what one load brought, which it shows whole."""
    text = parameters.get(urls.LOAD)
    if not page.of_load or not parameters.is_digits(text):
        return False
    return loads.told(snapshot.connection(), int(text)) is not None


def show() -> None:
    """Show the strip that says whose hands these are, and the choice behind its button."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="scope"):
        st.html(_strip_html(), width="content")
        choice = st.popover(say("Change"), key=OPENED, on_change="rerun")
        if choice.open:
            with choice:
                _show_choice()
    if not snapshot.totals()["hands"]:
        st.info(say("These people never sat at a table alone. Change the people, or the games."))


def _asked_for(known: Scopes) -> Scope | None:
    """Return the scope that the address names, saying so if there is none of that name."""
    word = parameters.get(urls.WHOSE)
    if not word:
        return None
    parameters.allows(urls.WHOSE, [*WORDS, *known.by_id])
    return WORDS.get(word) or known.by_id.get(word)


def word_for_commands() -> str:
    """Return what ``--whose`` of a command takes for the people looked at, or for more of them."""
    scope = snapshot.scope()
    try:
        known = userdata.scopes(snapshot.user_folder())
    except UserDataError:
        known = Scopes({}, None)
    return _word_of(scope, known) or "everybody"


def _word_of(scope: Scope, known: Scopes) -> str | None:
    """Return what an address calls a scope, if it has a name."""
    own = scope.scope_id if scope.scope_id in known.by_id else None
    return next((word for word, each in WORDS.items() if each == scope), own)


def _strip_html() -> str:
    scope, size = snapshot.scope(), snapshot.totals()
    names, titles = snapshot.names(), snapshot.titles()
    parts = [say("<b>Our table</b> {people}", people=_people_html(scope, names))]
    if scope.variants:
        parts.append(as_html(", ".join(titles.get(each, each) for each in scope.variants)))
    if size["first_day"]:
        first, last = plain_day(size["first_day"]), plain_day(size["last_day"])
        parts.append(first if first == last else say("{first} to {last}", first=first, last=last))
    told = say(
        "{hands} in {games}",
        hands=hands_counted(size["hands"]),
        games=message_counted("{count} game", "{count} games", size["games"]),
    )
    outside = snapshot.outside()
    if outside:
        told = say(
            "{told}; {hands} at other tables left out", told=told, hands=hands_counted(outside)
        )
    parts.append(f'<span class="tl-quiet">{told}</span>')
    return f'<p class="tl-scope">{"".join(f"<span>{each}</span>" for each in parts)}</p>'


def _people_html(scope: Scope, names: dict[str, str]) -> str:
    if not scope.people and scope.bots:
        return say_in("our table", "everybody")
    if not scope.people:
        return say_in("our table", "everybody but bots and samples")
    people = ", ".join(name_html(names.get(each, each)) for each in scope.people[:MOST_NAMED])
    more = len(scope.people) - MOST_NAMED
    if more <= 0:
        return people
    return say_counted(
        "{people} and {count} more", "{people} and {count} more", more, people=people
    )


def _show_choice() -> None:
    scope = snapshot.scope()
    st.markdown(say("**Whose hands count, on every page and in every link**"))
    who = st.radio(
        say_in("whose hands", "Who"),
        list(_WHO),
        format_func=lambda each: translated(_WHO[each]),
        index=list(_WHO).index(_who(scope)),
        key=WHO,
        label_visibility="collapsed",
    )
    people: Sequence[str] = ()
    if who == "chosen":
        people = _choose_people(scope.people)
    titles = dict(sorted(snapshot.titles().items(), key=itemgetter(1)))
    games = st.multiselect(
        say("Games"),
        list(titles),
        format_func=lambda each: titles.get(each, each),
        default=[each for each in scope.variants if each in titles],
        key=PLAYED,
        placeholder=say("All games"),
    )
    wanted = Scope(tuple(sorted(people)), tuple(sorted(games)), bots=who != "people")
    nobody = who == "chosen" and not people
    if nobody:
        st.caption(say("Choose at least one."))
    else:
        hands = hands_within(snapshot.everybody(), wanted)
        st.caption(say("{hands} in all.", hands=hands_counted(hands)))
        if not hands:
            st.caption(say("These people never sat at a table alone. Choose more, or other games."))
    st.button(
        say("Use this table"),
        type="primary",
        disabled=nobody,
        on_click=_choose,
        args=(wanted,),
    )
    if trouble := st.session_state.pop(TROUBLE, None):
        st.warning(as_markdown(trouble))


def _choose_people(before: Sequence[str]) -> Sequence[str]:
    names = snapshot.names()
    labels = labelled("player", [*dict.fromkeys((*names, *before))], {}, names)
    if WHOM not in st.session_state:
        st.session_state[WHOM] = [*before]
    return filters.choose_several(
        say("People"),
        WHOM,
        labels,
        say(
            "A hand counts when everybody at the table is one of them. Guests who shall count "
            "have to be chosen, too."
        ),
        placeholder=say("Choose the people of the table"),
    )


def _who(scope: Scope) -> str:
    if scope.people:
        return "chosen"
    return "everybody" if scope.bots else "people"


def _choose(scope: Scope) -> None:
    st.session_state[_OWN] = scope
    # What the address says comes first.
    urls.keep_whose(None)
    parameters.put(urls.WHOSE)
    # People and games that were filtered by may not be at the table any more.
    filters.clear()
    try:
        userdata.choose_scope(snapshot.user_folder(), scope)
    except UserDataError as error:
        st.session_state[TROUBLE] = say(
            "{error} Your choice holds for you alone, until you follow a link of a table.",
            error=error,
        )
