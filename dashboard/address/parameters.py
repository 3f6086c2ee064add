"""Parameters of the address: what a page is asked for by, read and written by id in every language.

A run of a page begins with ``begin`` and ends with ``finish``. Between them a page says which
parameters it knows, and asks for the key of each widget that one belongs to: the widget then begins
with what the address says. What everybody chose stands in the address when the page is done, as one
step for somebody who goes back. Where the address is not the one that was written last, after Back,
Forward or a link, it decides, whatever the widgets were.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from tricklog.core.rulesets.suggestions import nearest
from tricklog.dashboard.address import opening, urls
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.schemas.languages.current import LANGUAGES, current, in_language
from tricklog.schemas.languages.messages import say

KEY: Final = "address"
"""Key of the session: its ``Address``."""
FIRST: Final = "\0first"
"""Stands for the first of the options, where that is chosen unless the address has another."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,7}(\.0*)?")

Query = dict[str, tuple[str, ...]]
T = TypeVar("T", bound=Hashable)


@dataclass(slots=True)
class _Widget:
    """What a widget that belongs to a parameter has where nothing is chosen, and how it reads."""

    default: object
    texts: Callable[[Any], Sequence[str]]


@dataclass(slots=True)
class Address:
    """The address of the page that a session shows."""

    page: str | None = None
    query: Query = field(default_factory=dict)
    """The parameters without those that widgets have been given since."""
    written: tuple[Query, ...] = ()
    """What was written last, and what stood there before: a click may be older than the answer."""
    is_new: bool = False
    """Whether the page has not been shown whole since the address decided."""
    by_menu: bool = False
    """Whether the menu led here, which says nothing of parameters."""
    widgets: dict[str, _Widget] = field(default_factory=dict)
    before: dict[str, _Widget] = field(default_factory=dict)
    """The widgets of this run, and of the one before."""
    known: set[str] = field(default_factory=set)
    told: list[str] = field(default_factory=list)
    along: Query = field(default_factory=dict)
    """What goes along to the pages that the menu leads to."""
    goes_along: frozenset[str] = frozenset()
    """Which parameters of the page do, none where it has none of them."""


def _here() -> Address:
    found: Address = st.session_state.setdefault(KEY, Address())
    return found


# --- The run of a page


def begin(page: str) -> None:
    """Take over the address where it decides; ``page`` is the path of the page."""
    here, context = _here(), get_script_run_ctx()
    asked = {name: tuple(filter(None, st.query_params.get_all(name))) for name in st.query_params}
    is_back = context is not None and context.is_history_navigation
    has_come = page != here.page
    here.before, here.widgets = here.before | here.widgets, {}
    here.known, here.goes_along = set(), frozenset()
    if not (has_come or is_back or asked not in here.written):
        return
    for name in here.before:
        st.session_state.pop(name, None)
    here.by_menu = has_come and not is_back and not asked.keys() - {urls.LANGUAGE}
    here.page, here.query, here.written, here.is_new = page, {**asked}, (asked,), True
    here.before, here.told = {}, []


def finish() -> None:
    """Write what is chosen into the address, at once."""
    here = _here()
    gone = here.before.keys() - here.widgets.keys()
    here.before = {}
    here.query = {name: texts for name, texts in query().items() if name not in gone}
    if here.goes_along:
        here.along = {name: here.query[name] for name in here.query if name in here.goes_along}
    if here.query != here.written[0]:
        here.written = {**here.query}, here.written[0]
        if here.is_new:
            # To get here was one step already.
            opening.replace(here.query, here.written[1])
        else:
            st.query_params.from_dict(here.query)
    here.is_new = False


def page() -> str:
    """Return the path of the page that is shown."""
    return _here().page or ""


def query() -> Query:
    """Return the parameters of the page as it is chosen now."""
    here = _here()
    names = dict.fromkeys((*here.query, *here.before, *here.widgets))
    return {name: texts for name in names if (texts := _chosen(name))}


def _chosen(name: str) -> tuple[str, ...]:
    """Return the values of a parameter as its widget has it, if it has been given one."""
    here = _here()
    widget = here.widgets.get(name) or here.before.get(name)
    if widget is None or name not in st.session_state:
        return here.query.get(name, ())
    value = st.session_state[name]
    return () if value == widget.default else tuple(widget.texts(value))


def take_along(names: Iterable[str]) -> None:
    """Say which parameters the menu takes from page to page, before there are widgets for them."""
    here = _here()
    if here.by_menu:
        here.query |= here.along
        here.by_menu = False
    here.goes_along = frozenset(names)


def from_here() -> dict[str, list[str]]:
    """Return the parameter by which the list of hands offers the way back to this page."""
    if not urls.PAGES[page()].figures:
        return {}
    return {urls.CAME_FROM: [f"{page()}?{urlencode(query(), doseq=True)}"]}


def with_parameter(path: str, name: str, value: str) -> str:
    """Return the address of this page, of which ``path`` is the path, with one parameter replaced.

    It leads to the first part of a list.
    """
    told = {key: texts for key, texts in query().items() if key != urls.PART}
    return f"{path}?{urlencode(told | {name: (value,)}, doseq=True)}"


# --- Parameters without a widget


def get(name: str) -> str:
    """Return the last value of a parameter, empty without one."""
    texts = get_all(name)
    return texts[-1] if texts else ""


def get_all(name: str) -> tuple[str, ...]:
    """Return all values of a parameter."""
    return _here().query.get(name, ())


def put(name: str, *texts: str) -> None:
    """Give a parameter values, and so its widget, if that is made later; none take it out."""
    here = _here()
    st.session_state.pop(name, None)
    if texts:
        here.query[name] = texts
    else:
        here.query.pop(name, None)


def rename(older: str, name: str) -> None:
    """Give a parameter what a link of before has for it under another name."""
    if texts := get_all(older):
        put(name, *texts)
        put(older)


def is_asked(name: str) -> bool:
    """Return whether somebody has just come here with a parameter."""
    return _here().is_new and name in _here().query


def is_set(name: str) -> bool:
    """Return whether the address or a widget says something of a parameter."""
    return bool(_chosen(name))


def knows(*names: str) -> None:
    """Say that the page knows parameters."""
    _here().known.update(names)


def allows(name: str, ids: Iterable[str]) -> None:
    """Say that the page knows a parameter and all values of it."""
    known = [*ids]
    allows_if(name, known.__contains__, known)


def allows_if(name: str, fits: Callable[[str], bool], known: Sequence[str] = ()) -> None:
    """Say that the page knows a parameter and every value of it that ``fits``.

    ``known`` are some that do, to suggest from.
    """
    knows(name)
    for text in get_all(name):
        if not fits(text):
            tell_unknown(name, text, known)


def allows_numbers(name: str, least: int, most: int) -> None:
    """Say that the page knows a parameter and every whole number from ``least`` to ``most``."""
    allows_if(name, lambda text: is_digits(text) and least <= int(text) <= most)


def is_digits(text: str) -> bool:
    """Return whether a text is a number of a few digits and nothing else."""
    return text.isascii() and text.isdigit() and len(text) < 10  # noqa: PLR2004 - far enough


# --- Parameters with a widget: each function returns the key of it


def choice(
    name: str,
    options: Iterable[T],
    words: Callable[[T], object] = str,
    *,
    default: T | str | None = FIRST,
    ids: Callable[[T], str] = str,
) -> str:
    """Return the key of a widget that chooses one of some options.

    ``words`` says what an option is called on the page, ``ids`` in the address.
    """
    by_id = {ids(each): each for each in options}
    usual = next(iter(by_id.values()), None) if default == FIRST else default

    def read(texts: Sequence[str]) -> T | str | None:
        found = _ids_of(name, texts[-1:], by_id, words)
        return by_id[found[0]] if found else usual

    if st.session_state.get(name, usual) not in {usual, *by_id.values()}:
        # What another choice no longer lets through cannot stay chosen.
        st.session_state[name] = usual
    return _widget(name, usual, read, lambda value: () if value is None else (ids(value),))


def several(name: str, ids: Iterable[str], words: Callable[[str], object] = str) -> str:
    """Return the key of a widget that chooses any of some options, none at first."""
    known = {each: each for each in ids}
    return _widget(name, [], lambda texts: _ids_of(name, texts, known, words), tuple)


def number(name: str, least: float, most: float, default: float | None = None) -> str:
    """Return the key of a field for a whole number, which a field of Streamlit gives as a float."""

    def read(text: str) -> float | None:
        fits = _NUMBER.fullmatch(text) and least <= float(text) <= most
        return float(text) if fits else None

    if not least <= (st.session_state.get(name) or least) <= most:
        st.session_state[name] = default
    return _field(name, default, read, lambda value: "" if value % 1 else f"{value:.0f}")


def day(name: str, first: date, last: date) -> str:
    """Return the key of a field for a day."""

    def read(text: str) -> date | None:
        try:
            found = date.fromisoformat(text)
        except ValueError:
            return None
        return found if first <= found <= last else None

    return _field(name, None, read, date.isoformat)


def switch(name: str) -> str:
    """Return the key of a switch that is off at first."""
    return choice(name, (False, True), ids=lambda each: str(each).lower())


def typed(name: str) -> str:
    """Return the key of a field for any text."""
    return _field(name, "", str, str)


def part(last: int) -> int:
    """Return which page of a list is open, from 1 to ``last``; its widget has the key ``PART``."""

    def read(text: str) -> int | None:
        return int(text) if is_digits(text) and 1 <= int(text) <= last else None

    if st.session_state.get(urls.PART, 1) > last:
        st.session_state[urls.PART] = 1
    return int(st.session_state[_field(urls.PART, 1, read, str)])


def _field(
    name: str, default: T | None, read: Callable[[str], T | None], text: Callable[[T], str]
) -> str:
    """Return the key of a field that holds what ``read`` makes of a text, if anything."""

    def read_last(texts: Sequence[str]) -> T | None:
        found = read(texts[-1])
        if found is None:
            tell_unknown(name, texts[-1])
        return default if found is None else found

    def written(value: T | None) -> list[str]:
        return [] if value is None else [*filter(None, [text(value)])]

    return _widget(name, default, read_last, written)


def _widget(
    name: str,
    default: object,
    read: Callable[[Sequence[str]], object],
    texts: Callable[[Any], Sequence[str]],
) -> str:
    here = _here()
    here.known.add(name)
    here.widgets[name] = _Widget(default, texts)
    if name not in st.session_state:
        asked = here.query.get(name)
        st.session_state[name] = read(asked) if asked else default
    return name


def _ids_of(
    name: str, texts: Iterable[str], known: Mapping[str, T], words: Callable[[T], object]
) -> list[str]:
    """Return the ids that values of a parameter stand for, and say which there are not.

    Links of before have what an option is called instead, in any language.
    """
    found = []
    for text in texts:
        same = text if text in known else _called(text, known, words)
        if same is None:
            tell_unknown(name, text, [*known])
        else:
            found.append(same)
    return [*dict.fromkeys(found)]


def _called(text: str, known: Mapping[str, T], words: Callable[[T], object]) -> str | None:
    for language in dict.fromkeys((current(), *LANGUAGES)):
        with in_language(language):
            for name, option in known.items():
                if str(words(option)) == text:
                    return name
    return None


# --- What a page does not know


def tell(place: DeltaGenerator) -> None:
    """Say at ``place`` what of the address the page did not know, a sentence each."""
    here = _here()
    known = sorted(here.known)
    told = [_unknown_name(name, nearest(name, known)) for name in here.query if name not in known]
    if told := [*told, *dict.fromkeys(here.told)]:
        place.warning("  \n".join(told))


def tell_unknown(name: str, text: str, known: Sequence[str] = ()) -> None:
    """Say that the page does not know a value of a parameter, and which one may be meant."""
    if not _here().is_new:
        return
    named = {"name": name, "value": as_markdown(text)}
    if meant := nearest(text, known):
        said = say(
            "The address asks for {name} “{value}”, which this page does not know (did you "
            "mean “{meant}”?). It is left out.",
            **named,
            meant=as_markdown(meant),
        )
    else:
        said = say(
            "The address asks for {name} “{value}”, which this page does not know. It is left out.",
            **named,
        )
    _here().told.append(said)


def keeps(name: str, part: str, reason: str) -> None:
    """Say that only a part of the value of a parameter can be shown, none if empty, and why."""
    told = {"name": name, "value": as_markdown(get(name)), "reason": as_markdown(reason)}
    if not _here().is_new:
        return
    if part:
        said = say(
            "The address asks for {name} “{value}”: {reason}. Shown is “{part}”.",
            **told,
            part=as_markdown(part),
        )
    else:
        said = say("The address asks for {name} “{value}”: {reason}. It is left out.", **told)
    _here().told.append(said)


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
