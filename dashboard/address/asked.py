"""What the address of a page asks for, and a sentence about what the page does not know.

A page says which parameters it takes, and which values of them. Whatever else stands in the address
is said above the page, which goes on without it. Values are looked at when somebody arrives: later
it is the page itself that writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tricklog.core.rulesets.suggestions import nearest
from tricklog.dashboard.address import bound
from tricklog.dashboard.address.languages import place_in, same_in
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.schemas.languages.messages import say

_ASKED: Final = "asked-for"
_TAKEN: Final = "asked-names-taken"
_TOLD: Final = "asked-values-told"


def begin(*, arrived: bool) -> None:
    """Note what the address asks for, before the page changes it.

    ``arrived`` says whether the viewer comes from elsewhere.
    """
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    st.session_state[_ASKED] = (query, arrived)
    st.session_state[_TAKEN] = []
    if arrived:
        st.session_state[_TOLD] = []


def takes(*names: str) -> None:
    """Say that the page knows parameters."""
    st.session_state[_TAKEN] += names


def stands_for(name: str, value: str) -> None:
    """Take what the address asks for by a parameter, of before, for a value of today."""
    query, _ = st.session_state[_ASKED]
    query[name] = [value]
    bound.replace(name, [value])


def allows(name: str, values: Iterable[str] | Callable[[], Iterable[str]]) -> None:
    """Say that the page knows a parameter and all values of it, as they are shown.

    A value in another language than that of the page is replaced in the address. Values that are
    no messages by themselves, such as those with a number in them, are given by a function that
    says them in the language of the moment.
    """
    takes(name)
    asked = _values(name)
    if not asked:
        return
    words = values if callable(values) else None
    known = [*(values() if callable(values) else values)]
    found = [each if each in known else _same(each, known, words) for each in asked]
    settled = [same or each for each, same in zip(asked, found, strict=True)]
    if settled != asked:
        bound.replace(name, settled)
    unknown = [each for each, same in zip(asked, found, strict=True) if same is None]
    _tell(name, [(each, nearest(each, known)) for each in unknown])


def _same(text: str, known: Sequence[str], words: Callable[[], Iterable[str]] | None) -> str | None:
    """Return what the page calls a value in another language; ``None`` for one there is not."""
    if words is None:
        return same_in(text, known)
    place = place_in(text, words)
    return None if place is None else known[place]


def allows_if(name: str, fits: Callable[[str], bool]) -> None:
    """Say that the page knows a parameter and every value of it that ``fits``."""
    takes(name)
    _tell(name, [(each, "") for each in _values(name) if not fits(each)])


def allows_numbers(name: str, least: int, most: int) -> None:
    """Say that the page knows a parameter and every whole number from ``least`` to ``most``."""
    allows_if(name, lambda text: is_digits(text) and least <= int(text) <= most)


def keeps(name: str, part: str, reason: str) -> None:
    """Say that only a part of the value of a parameter can be shown, none if empty, and why."""
    takes(name)
    for value in _values(name):
        told = {"name": name, "value": as_markdown(value), "reason": as_markdown(reason)}
        if part:
            said = say(
                "The address asks for {name} “{value}”: {reason}. Shown is “{part}”.",
                **told,
                part=as_markdown(part),
            )
        else:
            said = say("The address asks for {name} “{value}”: {reason}. It is left out.", **told)
        st.session_state[_TOLD].append(said)


def is_digits(text: str) -> bool:
    """Return whether a text is a number of a few digits and nothing else."""
    return text.isascii() and text.isdigit() and len(text) < 10  # noqa: PLR2004 - far enough


def tell(place: DeltaGenerator) -> None:
    """Say at ``place`` what the page did not know, a sentence each."""
    query, _ = st.session_state[_ASKED]
    taken = sorted(set(st.session_state[_TAKEN]))
    told = [_unknown_name(name, nearest(name, taken)) for name in query if name not in taken]
    told += st.session_state[_TOLD]
    if told:
        place.warning("  \n".join(told))


def _values(name: str) -> list[str]:
    """Return the values that somebody who arrives asks for; an empty one asks for nothing."""
    query, arrived = st.session_state[_ASKED]
    return [each for each in query.get(name, []) if each] if arrived else []


def _unknown_name(name: str, meant: str) -> str:
    named = {"name": as_markdown(name)}
    if meant:
        return say(
            "The address asks for “{name}”, which this page does not know (did you mean "
            "“{meant}”?). It is left out.",
            **named,
            meant=as_markdown(meant),
        )
    return say(
        "The address asks for “{name}”, which this page does not know. It is left out.", **named
    )


def _tell(name: str, unknown: Iterable[tuple[str, str]]) -> None:
    """Say which values of a parameter the page does not know, each with what may be meant."""
    for value, meant in unknown:
        named = {"name": name, "value": as_markdown(value)}
        if meant:
            said = say(
                "The address asks for {name} “{value}”, which this page does not know (did you "
                "mean “{meant}”?). It is left out.",
                **named,
                meant=as_markdown(meant),
            )
        else:
            said = say(
                "The address asks for {name} “{value}”, which this page does not know. "
                "It is left out.",
                **named,
            )
        st.session_state[_TOLD].append(said)
