"""The filters above the figures. They stand in the address, so a link shows the same hands.

Each filter is a dimension of ``tricklog.ingest.metrics`` under its own name. Of some dimensions of
numbers there are fields for the least and the most, ``bid-from`` and ``bid-to``. Those with neither
box nor field hold what a click on a figure chose, ``card=5``, and have a button that takes it away.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import islice
from typing import Any, Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.value_labels import labels_of, labels_with
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.dashboard.text.labels import chosen_words
from tricklog.ingest.metrics import DIMENSION, TOO_FEW, wording
from tricklog.ingest.metrics.filters import Filters, Range, is_number_or_range, range_of
from tricklog.ingest.metrics.listings import MOST
from tricklog.ingest.metrics.model import Dimension
from tricklog.schemas.languages.messages import either, mark, say, say_in, translated
from tricklog.schemas.languages.numbers import number

_AT: Final = "at"
"""Parameter of links of before: a value of any filter, as ``dimension:value``."""
SINCE: Final = "since"
UNTIL: Final = "until"
FIRST_DAY: Final = date(1900, 1, 1)
LAST_DAY: Final = date(2199, 12, 31)
MINIMUM: Final = "min"
_MOST: Final = 1e6
EVERY: Final = "all"
OPENED: Final = "more-filters"
"""Key of the session: whether the filters behind the button are in view."""
_LABEL: Final = "more-filters-label"
FIRST: Final = ("variant", "player")
"""Dimensions whose boxes are always in view."""
MORE: Final = {
    mark("Who"): ("partner", "opponent", "kind", "role", "side", "seat", "from-dealer", "dealer"),
    mark("The hand"): ("tag", "bid", "forced", "trump", "result", "standing", "verdict"),
    mark("Where from"): ("ruleset", "seating", "source", "session"),
}
"""Dimensions behind the button, by heading."""
BOXES: Final = (*FIRST, *(name for names in MORE.values() for name in names))
RANGES: Final = ("bid", "margin", "trumps-held", "points-held")
"""Dimensions of which the least and the most have fields, behind the button as well.

Those of other numbers are in view where a link has them.
"""
_NUMBERS: Final = tuple(each.name for each in DIMENSION.values() if each.is_number)
FARTHEST: Final = 9_999
"""The largest number that a field takes, and the smallest below nothing."""
_OF_HOLDERS: Final = ("trumps-held", "points-held")
"""Dimensions of which there is one number for each player of a hand."""
_CARRIED: Final = (SINCE, UNTIL, MINIMUM, EVERY)


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the viewer looks at."""

    filters: Filters
    minimum: int = TOO_FEW
    """Fewest cases that make a figure."""

    def also(self, name: str, *values: str) -> Chosen:
        """Return the same with only these values of a dimension, or with all of them."""
        return replace(self, filters=self.filters.also(name, *values))


def choose(facts: DuckDBPyConnection) -> Chosen:
    """Show the filters every page has and return what is chosen."""
    names = (*DIMENSION, *(end for name in _NUMBERS for end in ends_of(name)), *_CARRIED)
    parameters.knows(*names)
    parameters.take_along(names)
    _follow_older_links()
    _follow_merged(facts)
    _fill_fields(facts)
    # On a phone the style sheet hides the boxes until this is opened; elsewhere it hides this.
    st.html(
        '<details class="tl-filters"><summary>'
        f'<span data-chosen="{as_html(say(": some are chosen"))}">{as_html(say("Filters"))}</span>'
        "</summary></details>"
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="filters"):
        values = {name: _box(facts, name) for name in FIRST}
        since = _day(say_in("a day", "From"), SINCE)
        until = _day(say_in("a day", "To"), UNTIL)
        more = st.popover(_more_label(), key=OPENED, on_change="rerun")
        with more:
            ranges = _ranges(every=bool(more.open))
            for heading, names in MORE.items():
                drawn = [name for name in names if more.open or parameters.is_set(name)]
                if drawn:
                    st.markdown(f"**{translated(heading)}**")
                for name in drawn:
                    values[name] = _box(facts, name)
            if more.open:
                st.markdown(say("**Figures**"))
            minimum = _minimum() if more.open or parameters.is_set(MINIMUM) else TOO_FEW
            every = (more.open or parameters.is_set(EVERY)) and _every_verdict()
    if since and until and since > until:
        st.warning(say("From is after To, so that no hand matches. Change one of the days."))
    for name, (least, most) in ranges.items():
        if least is not None and most is not None and least > most:
            st.warning(
                say(
                    "{what}: what is at least {least} is never at most {most}, so that no hand "
                    "matches. Change one of them.",
                    what=wording.title(DIMENSION[name]).capitalize(),
                    least=least,
                    most=most,
                )
            )
    picked = _picks(ranges)
    for chosen in ({name: (str(each),) for name, each in ranges.items()}, picked):
        for name, more_values in chosen.items():
            values[name] = (*values.get(name, ()), *more_values)
    filters = Filters.of(values, since=since, until=until, every_verdict=every)
    return Chosen(filters, minimum)


def _follow_older_links() -> None:
    """Give each filter what a link of before has for it in the one parameter of all."""
    for each in parameters.get_all(_AT):
        name, _, value = each.partition(":")
        if value and name in (*DIMENSION, *_CARRIED):
            parameters.put(name, *dict.fromkeys((*parameters.get_all(name), value)))
        else:
            parameters.tell_unknown(_AT, each)
    parameters.put(_AT)


def _follow_merged(facts: DuckDBPyConnection) -> None:
    """Let what an address calls by an id that stands for another player mean that player."""
    known = dict(snapshot.merged())
    if not known:
        return
    labels = labels_of(facts, "player")
    known |= {
        name: known[each] for each, name in snapshot.merged_names().items() if name not in labels
    }
    for name in DIMENSION:
        asked = parameters.get_all(name)
        meant = tuple(known.get(each, each) for each in asked)
        if DIMENSION[name].players and meant != asked:
            parameters.put(name, *meant)


def _fill_fields(facts: DuckDBPyConnection) -> None:
    """Put a number or a range that an address has for a dimension where a field shows it."""
    for name in _NUMBERS:
        asked = parameters.get_all(name)
        values = [each for each in asked if is_number_or_range(each)]
        for each in asked:
            if each not in values:
                parameters.tell_unknown(name, each)
        places = _places(name, values, _listed(facts, name))
        if asked and (len(places) > 1 or len(values) < len(asked)):
            for key, texts in places.items():
                parameters.put(key, *texts)


def _listed(facts: DuckDBPyConnection, name: str) -> Collection[str]:
    """Return the values that the box of a dimension offers, none without a box."""
    return labels_of(facts, name) if name in BOXES else ()


def ends_of(name: str) -> tuple[str, str]:
    """Return the parameters and keys of the fields for the least and the most of a dimension."""
    return f"{name}-from", f"{name}-to"


def _more_label() -> str:
    """Return what the button says. To Streamlit another label is another button, a closed one."""
    if not st.session_state.get(OPENED):
        count = sum(1 for name in BOXES if name not in FIRST and parameters.is_set(name))
        count += sum(map(_has_range, _NUMBERS))
        st.session_state[_LABEL] = (
            say("More filters ({count})", count=count) if count else say("More filters")
        )
    return str(st.session_state[_LABEL])


def _has_range(name: str) -> bool:
    return any(map(parameters.is_set, ends_of(name)))


def _ranges(*, every: bool) -> dict[str, Range]:
    """Show the fields of those ranges that are set, or of all, and return what is chosen."""
    drawn = [name for name in _NUMBERS if (every and name in RANGES) or _has_range(name)]
    if drawn:
        st.markdown(say("**From and to**"))
    found = {}
    for name in drawn:
        with st.container(horizontal=True, gap="small"):
            title = wording.title(DIMENSION[name]).capitalize()
            said = (say("{what}, at least", what=title), say("{what}, at most", what=title))
            found[name] = Range(*map(partial(_end, name), ends_of(name), said))
    return {name: each for name, each in found.items() if each != Range()}


def _end(name: str, key: str, said: str) -> int | None:
    dimension = DIMENSION[name]
    found = st.number_input(
        said,
        min_value=-float(FARTHEST),
        max_value=float(FARTHEST),
        value=None,
        step=1.0,
        format="%.0f",
        placeholder=say_in("a number", "any"),
        key=parameters.number(key, -FARTHEST, FARTHEST),
        help=_help(dimension),
    )
    return int(found) if found is not None and found.is_integer() else None


def _help(dimension: Dimension) -> str:
    sentence = wording.sentence(dimension)
    if dimension.name not in _OF_HOLDERS:
        return sentence
    return say("{sentence} Choose the role “maker” for what the maker held.", sentence=sentence)


def _minimum() -> int:
    found = st.number_input(
        say("Fewest cases that make a figure"),
        min_value=1.0,
        max_value=_MOST,
        step=1.0,
        format="%.0f",
        key=parameters.number(MINIMUM, 1, _MOST, default=TOO_FEW),
        help=say("Below that a figure says “too few hands”."),
    )
    return int(found)


def _every_verdict() -> bool:
    return st.toggle(
        say("Include hands that are not in order"),
        key=parameters.switch(EVERY),
        help=say(
            "Irregular, doubtful, incomplete and rejected hands count in no figure unless this is "
            "on."
        ),
    )


def put(facts: DuckDBPyConnection, name: str, values: Sequence[str]) -> None:
    """Put values of a dimension into its box, its fields or its button, where other ones were.

    Only before they are drawn.
    """
    places = _places(name, values, _listed(facts, name))
    for key in (name, *ends_of(name)):
        parameters.put(key, *places.get(key, ()))


def _places(name: str, values: Sequence[str], listed: Collection[str]) -> dict[str, Sequence[str]]:
    """Return what parameters hold values of a dimension: its own, and those of its fields.

    ``listed`` are the values that its box offers.
    """
    left = [each for each in values if each not in listed]
    if not (DIMENSION[name].is_number and len(left) == 1 and is_number_or_range(left[0])):
        return {name: values}
    found = range_of(left[0]) or Range(int(left[0]), int(left[0]))
    if any(end is not None and abs(end) > FARTHEST for end in found):
        return {name: values}
    ends = ([] if end is None else [str(end)] for end in found)
    return {
        name: [each for each in values if each in listed],
        **dict(zip(ends_of(name), ends, strict=True)),
    }


def clear() -> None:
    """Take away every filter that is chosen. Only before they are drawn."""
    for name in DIMENSION:
        parameters.put(name)
        _forget_range(name)


def _box(facts: DuckDBPyConnection, name: str) -> tuple[str, ...]:
    dimension = DIMENSION[name]
    asked = (*parameters.get_all(name), *st.session_state.get(name, ()))
    labels = labels_with(facts, name, asked)
    is_long = len(labels) >= MOST
    # Old links may hold words of another language; a thousand names or evenings have the same.
    read = labels if is_long else None
    key = parameters.several(name, labels, lambda value: (read or labels_of(facts, name))[value])
    return choose_several(
        wording.title(dimension).capitalize(),
        key,
        labels,
        wording.sentence(dimension),
        are_players=dimension.players,
        placeholder=say_in("values", "All"),
        width=260 if name in FIRST else "stretch",
    )


def choose_several(
    label: str,
    key: str,
    labels: Mapping[str, str],
    about: str,
    *,
    are_players: bool = True,
    **looks: Any,  # noqa: ANN401 - as Streamlit has it
) -> tuple[str, ...]:
    """Show a box with the values of ``labels``, and return the chosen ones.

    The session has under ``key`` what is chosen at first. Of a long list the first are offered, and
    others can be typed, as ``about``, the help of the box, then says. ``looks`` are more arguments
    of the box of Streamlit.
    """
    is_long = len(labels) >= MOST
    if are_players or is_long:
        _take_typed(key, labels, are_players=are_players)
    if is_long:
        # To Streamlit a box into which others can be typed is another one, in which nothing is.
        st.session_state[key] = st.session_state[key]
        about = say(
            "{sentence} The first {number} are offered; any other can be typed.",
            sentence=about,
            number=number(MOST),
        )
    offered = dict.fromkeys(islice(labels, MOST))
    chosen = st.multiselect(
        label,
        [*(offered | dict.fromkeys(each for each in st.session_state[key] if each in labels))],
        format_func=lambda value: labels.get(value, value),
        key=key,
        help=about,
        accept_new_options=is_long,
        **looks,
    )
    return tuple(chosen)


def _take_typed(key: str, labels: Mapping[str, str], *, are_players: bool = True) -> None:
    """Choose what somebody has typed that is not among what a box offers, or say why not.

    ``are_players`` says that the values are players. What the address has was chosen before, and is
    no longer there.
    """
    chosen, before = st.session_state[key], parameters.get_all(key)
    if all(each in labels for each in chosen):
        return
    meant = {
        each: each if each in labels else typed_as(each, labels, are_players=are_players)
        for each in chosen
        if each in labels or each not in before
    }
    st.session_state[key] = [*dict.fromkeys(filter(None, meant.values()))]


def typed_as(text: str, labels: Mapping[str, str], *, are_players: bool = True) -> str | None:
    """Return the value that somebody has typed the words for, or say that there is none, or more.

    ``are_players`` says that the values are players, who have names besides.
    """
    names = snapshot.recorded_names() if are_players else {}
    wanted = text.strip().casefold()
    found = [
        each
        for each, label in labels.items()
        if wanted in (each.casefold(), label.casefold(), names.get(each, label).casefold())
    ]
    if len(found) == 1:
        return found[0]
    name = as_markdown(text)
    if found:
        listed = either([as_markdown(labels[each]) for each in found], commas=False)
        st.warning(say("Several are called “{name}”: {listed}.", name=name, listed=listed))
    elif are_players:
        st.warning(say("Nobody is called “{name}”.", name=name))
    else:
        st.warning(say("Nothing here is called “{name}”.", name=name))
    return None


def _day(label: str, key: str) -> date | None:
    found = st.date_input(
        label,
        value=None,
        min_value=FIRST_DAY,
        max_value=LAST_DAY,
        key=parameters.day(key, FIRST_DAY, LAST_DAY),
        width=150,
    )
    return found if isinstance(found, date) else None


def _picks(ranges: Mapping[str, Range]) -> dict[str, tuple[str, ...]]:
    """Show which ranges are chosen, and what a click chose besides; return the latter."""
    picked = {name: parameters.get_all(name) for name in DIMENSION if name not in BOXES}
    picked = {name: values for name, values in picked.items() if values}
    if not (picked or ranges):
        return picked
    with st.container(horizontal=True, gap="xsmall"):
        for name, within in ranges.items():
            about = say("Take this away to see more, or change it under More filters.")
            _offer_less(name, str(within), f"range-{name}", about, partial(_forget_range, name))
        for name, values in picked.items():
            for each in values:
                about = say("What you clicked on. Take it away to see more.")
                _offer_less(
                    name, each, f"pick-{name}-{each}", about, partial(_take_away, name, each)
                )
    return picked


def _forget_range(name: str) -> None:
    for key in ends_of(name):
        parameters.put(key)


def _take_away(name: str, value: str) -> None:
    parameters.put(name, *(each for each in parameters.get_all(name) if each != value))


def _offer_less(name: str, value: str, key: str, about: str, take_away: Callable[[], None]) -> None:
    said = as_markdown(f"{wording.title(DIMENSION[name])}: {chosen_words(name, value)}")
    st.button(f"{said} ✕", key=key, help=about, on_click=take_away)


def parameters_of(chosen: Chosen, **picked: str) -> dict[str, Sequence[str]]:
    """Return the parameters that put a view into an address: the filters, and values on top.

    ``picked`` are values of dimensions, written as in ``Filters``; ``_`` stands for ``-``.
    """
    filters = chosen.filters
    for name, value in picked.items():
        filters = filters.also(name.replace("_", "-"), value)
    query: dict[str, Sequence[str]] = {}
    for name, values in filters.chosen:
        # A box offers numbers, and ranges stand in fields.
        listed = [each for each in values if name in BOXES and range_of(each) is None]
        query |= {key: texts for key, texts in _places(name, values, listed).items() if texts}
    for key, day in ((SINCE, filters.since), (UNTIL, filters.until)):
        if day:
            query[key] = [day.isoformat()]
    if filters.every_verdict:
        query[EVERY] = ["true"]
    if chosen.minimum != TOO_FEW:
        query[MINIMUM] = [str(chosen.minimum)]
    return query | {name: [word] for name, word in urls.whose_parameter().items()}
