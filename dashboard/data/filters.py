"""The filters above the figures. They live in the URL, so a link shows the same hands.

Each filter is a dimension of ``tricklog.ingest.metrics`` under its own name. Of some dimensions of
numbers there are fields for the least and the most, ``bid-from`` and ``bid-to``. Beside the ones
with a box or fields of their own there is ``at``, which holds what a click on a figure chose:
``card:5``, ``trick:3``, ``bid:10..``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final, NamedTuple

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import asked, bound, going, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.dashboard.text.labels import chosen_words
from tricklog.ingest.metrics import DIMENSION, TOO_FEW, wording
from tricklog.ingest.metrics.filters import Filters, Range, is_number_or_range, range_of
from tricklog.ingest.metrics.model import Dimension
from tricklog.schemas.languages.messages import mark, say, say_in, translated

AT: Final = urls.AT
"""Parameter: values of dimensions that have no box, as ``dimension:value``."""
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
"""Dimensions of which the least and the most have fields, behind the button as well."""
FARTHEST: Final = 9_999
"""The largest number that a field takes, and the smallest below nothing."""
_OF_HOLDERS: Final = ("trumps-held", "points-held")
"""Dimensions of which there is one number for each player of a hand."""
_END: Final = re.compile(r"-?[0-9]{1,4}(\.0*)?")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the viewer looks at."""

    filters: Filters
    minimum: int = TOO_FEW
    """Fewest cases that make a figure."""


def choose(facts: DuckDBPyConnection) -> Chosen:
    """Show the filters every page has and return what is chosen."""
    _follow_merged(facts)
    _check_address(facts)
    _fill_boxes(facts)
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
                drawn = [name for name in names if more.open or _is_set(name, [])]
                if drawn:
                    st.markdown(f"**{translated(heading)}**")
                for name in drawn:
                    values[name] = _box(facts, name)
            if more.open:
                st.markdown(say("**Figures**"))
            minimum = _minimum() if more.open or _is_set(MINIMUM, TOO_FEW) else TOO_FEW
            every = (more.open or _is_set(EVERY, default=False)) and _every_verdict()
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
    picked = _picked(ranges)
    for chosen in ({name: (str(each),) for name, each in ranges.items()}, picked):
        for name, more_values in chosen.items():
            values[name] = (*values.get(name, ()), *more_values)
    filters = Filters.of(values, since=since, until=until, every_verdict=every)
    return Chosen(filters, minimum)


def _follow_merged(facts: DuckDBPyConnection) -> None:
    """Let what an address calls by an id that stands for another player mean that player."""
    known = dict(snapshot.merged())
    if not known:
        return
    labels = labels_of(facts, "player")
    words = {each: labels.get(whom, each) for each, whom in known.items()}
    words |= {name: words[each] for each, name in snapshot.merged_names().items()}
    for name in BOXES:
        if DIMENSION[name].players and name in st.query_params:
            asked_for = st.query_params.get_all(name)
            values = labels_of(facts, name).values()
            meant = [each if each in values else words.get(each, each) for each in asked_for]
            if meant != asked_for:
                bound.replace(name, meant)
    if AT in st.query_params:
        picks = (each.partition(":") for each in st.query_params.get_all(AT))
        st.query_params[AT] = [
            f"{name}:{known.get(value, value) if _is_of_players(name) else value}"
            for name, _, value in picks
        ]


def _is_of_players(name: str) -> bool:
    return name in DIMENSION and DIMENSION[name].players


def _check_address(facts: DuckDBPyConnection) -> None:
    """Say which filters of the address there are not."""
    asked.takes(*BOXES)
    for name in BOXES:
        if name in st.query_params:
            asked.allows(name, partial(_labels, facts, name))
    for key in (each for name in RANGES for each in ends_of(name)):
        asked.allows_if(key, _is_end)
    asked.allows_if(AT, lambda text: _is_pick(text) or _is_carried(text))
    for name, carried in _CARRIED.items():
        asked.allows_if(name, carried.fits)


def ends_of(name: str) -> tuple[str, str]:
    """Return the parameters and keys of the fields for the least and the most of a dimension."""
    return f"{name}-from", f"{name}-to"


def _is_end(text: str) -> bool:
    # A field writes 10 or 10.0.
    return _END.fullmatch(text) is not None and abs(float(text)) <= FARTHEST


def _is_day(text: str) -> bool:
    try:
        return FIRST_DAY <= date.fromisoformat(text) <= LAST_DAY
    except ValueError:
        return False


def _is_minimum(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal() and 1 <= float(text) <= _MOST


class _Carried(NamedTuple):
    fits: Callable[[str], bool]
    value: Callable[[str], object]


_SWITCH: Final = {"true": True, "false": False}
_CARRIED: Final = {
    SINCE: _Carried(_is_day, date.fromisoformat),
    UNTIL: _Carried(_is_day, date.fromisoformat),
    MINIMUM: _Carried(_is_minimum, float),
    EVERY: _Carried(lambda text: text.lower() in _SWITCH, lambda text: _SWITCH[text.lower()]),
}
"""What goes along from page to page, and what its values mean."""


def _is_carried(text: str) -> bool:
    name, _, value = text.partition(":")
    return name in _CARRIED and _CARRIED[name].fits(value)


def _more_label() -> str:
    """Return what the button says. To Streamlit another label is another button, a closed one."""
    if not st.session_state.get(OPENED):
        count = sum(1 for name in BOXES if name not in FIRST and _is_set(name, []))
        count += sum(1 for name in RANGES if _has_range(name))
        st.session_state[_LABEL] = (
            say("More filters ({count})", count=count) if count else say("More filters")
        )
    return str(st.session_state[_LABEL])


def _is_set(key: str, default: object) -> bool:
    """Return whether the URL or another page left something in a filter, drawn yet or not.

    What is out of sight and empty is not drawn: lists of all players take their time.
    """
    return key in st.query_params or st.session_state.get(key, default) != default


def _has_range(name: str) -> bool:
    return any(_is_set(key, None) for key in ends_of(name))


def _ranges(*, every: bool) -> dict[str, Range]:
    """Show the fields of those ranges that are set, or of all, and return what is chosen."""
    drawn = [name for name in RANGES if every or _has_range(name)]
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
        # As in _minimum.
        min_value=-float(FARTHEST),
        max_value=float(FARTHEST),
        value=None,
        step=1.0,
        format="%.0f",
        placeholder=say_in("a number", "any"),
        key=key,
        bind="query-params",
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
        # A widget of whole numbers fails on a URL that says it is endless.
        min_value=1.0,
        max_value=_MOST,
        value=float(TOO_FEW),
        step=1.0,
        format="%.0f",
        key=MINIMUM,
        bind="query-params",
        help=say("Below that a figure says “too few hands”."),
    )
    return int(found)


def _every_verdict() -> bool:
    return st.toggle(
        say("Include hands that are not in order"),
        key=EVERY,
        bind="query-params",
        help=say(
            "Irregular, doubtful, incomplete and rejected hands count in no figure unless this is "
            "on."
        ),
    )


def _fill_boxes(facts: DuckDBPyConnection) -> None:
    """Put what a link or click chose into the boxes and fields, as far as there are any for it."""
    listed = [*dict.fromkeys(st.query_params.get_all(AT))]
    if not listed:
        return
    others: set[str] = set()
    with bound.at_once():
        for name, values in by_name(listed).items():
            if name in _CARRIED and _CARRIED[name].fits(values[-1]):
                value = _CARRIED[name].value(values[-1])
                _put(name, value, [str(value)] if isinstance(value, float) else values[-1:])
                continue
            others |= {f"{name}:{value}" for value in put(facts, name, values)}
        bound.write(AT, [each for each in listed if each in others])


def by_name(picks: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of each dimension that picks (``card:5``) name."""
    found: dict[str, list[str]] = {}
    for each in picks:
        name, _, value = each.partition(":")
        found.setdefault(name, []).append(value)
    return found


def put(facts: DuckDBPyConnection, name: str, values: Sequence[str]) -> list[str]:
    """Put values of a dimension into its box and fields, and return those that fit in neither.

    What was there before goes. Only before they are drawn.
    """
    boxed, within, left = places_of(facts, name, values)
    if name in BOXES:
        _put(name, boxed, [labels_of(facts, name)[value] for value in boxed])
    if name in RANGES:
        for key, end in zip(ends_of(name), within, strict=True):
            _put(key, None if end is None else float(end), [] if end is None else [str(end)])
    return left


def places_of(
    facts: DuckDBPyConnection, name: str, values: Sequence[str]
) -> tuple[list[str], Range, list[str]]:
    """Return which values of a dimension stand in its box, in its fields, and in neither."""
    labels = labels_of(facts, name) if name in BOXES else {}
    boxed = [each for each in values if each in labels]
    left = [each for each in values if each not in labels]
    within = Range()
    if name in RANGES and len(left) == 1 and is_number_or_range(left[0]):
        found = range_of(left[0]) or Range(int(left[0]), int(left[0]))
        if all(end is None or abs(end) <= FARTHEST for end in found):
            within, left = found, []
    return boxed, within, left


def _put(key: str, chosen: object, texts: list[str]) -> None:
    """Put a choice into a box or field, and how it reads there into the address."""
    st.session_state[key] = chosen
    bound.write(key, texts)


def clear() -> None:
    """Take away every filter that is chosen. Only before they are drawn."""
    for name in BOXES:
        if _is_set(name, []):
            _put(name, [], [])
    for name in RANGES:
        if _has_range(name):
            _forget_range(name)
    st.query_params.pop(AT, None)


def _set_picks(listed: list[str]) -> None:
    if listed:
        st.query_params[AT] = listed
    else:
        del st.query_params[AT]


def _box(facts: DuckDBPyConnection, name: str) -> tuple[str, ...]:
    dimension = DIMENSION[name]
    labels = labels_of(facts, name)
    chosen = st.multiselect(
        wording.title(dimension).capitalize(),
        list(labels),
        format_func=lambda value: labels.get(value, value),
        placeholder=say_in("values", "All"),
        key=name,
        bind="query-params",
        help=wording.sentence(dimension),
        width=260 if name in FIRST else "stretch",
    )
    return tuple(chosen)


def _day(label: str, key: str) -> date | None:
    found = st.date_input(
        label,
        value=None,
        min_value=FIRST_DAY,
        max_value=LAST_DAY,
        key=key,
        bind="query-params",
        width=150,
    )
    return found if isinstance(found, date) else None


def _picked(ranges: Mapping[str, Range]) -> dict[str, tuple[str, ...]]:
    """Show which ranges are chosen, and what a click chose besides; return the latter."""
    picked: dict[str, tuple[str, ...]] = {}
    # A widget bound to the URL would write there what it shows, which is for people.
    listed = [each for each in dict.fromkeys(st.query_params.get_all(AT)) if _is_pick(each)]
    if not (listed or ranges):
        return picked
    with st.container(horizontal=True, gap="xsmall"):
        for name, within in ranges.items():
            st.button(
                f"{as_markdown(_pick_words(f'{name}:{within}'))} ✕",
                key=f"range-{name}",
                help=say("Take this away to see more, or change it under More filters."),
                on_click=_forget_range,
                args=(name,),
            )
        for each in listed:
            st.button(
                f"{as_markdown(_pick_words(each))} ✕",
                key=f"{AT}-{each}",
                help=say("What you clicked on. Take it away to see more."),
                on_click=_take_away,
                args=(each,),
            )
            name, _, value = each.partition(":")
            picked[name] = (*picked.get(name, ()), value)
    return picked


def _is_pick(text: str) -> bool:
    name, _, value = text.partition(":")
    if name in DIMENSION and DIMENSION[name].is_number:
        return is_number_or_range(value)
    return name in DIMENSION and bool(value)


def _forget_range(name: str) -> None:
    for key in ends_of(name):
        _put(key, None, [])


def _take_away(pick: str) -> None:
    _set_picks([each for each in st.query_params.get_all(AT) if each != pick])


def _pick_words(pick: str) -> str:
    name, _, value = pick.partition(":")
    return f"{wording.title(DIMENSION[name])}: {chosen_words(name, value)}"


def _labels(facts: DuckDBPyConnection, name: str) -> Iterable[str]:
    return labels_of(facts, name).values()


def parameters(chosen: Chosen, **picked: str) -> dict[str, list[str]]:
    """Return the parameters that put a view into a URL: the filters, and values picked on top.

    ``picked`` are values of dimensions, written as in ``Filters``; ``_`` stands for ``-``. On the
    way from one page to another Streamlit drops parameters of boxes that both have, so all
    dimensions stand in ``AT``, out of which ``choose`` fills the boxes.
    """
    filters = chosen.filters
    for name, value in picked.items():
        filters = filters.also(name.replace("_", "-"), value)
    query = {AT: [f"{name}:{value}" for name, values in filters.chosen for value in values]}
    for key, day in ((SINCE, chosen.filters.since), (UNTIL, chosen.filters.until)):
        if day:
            query[key] = [day.isoformat()]
    if chosen.filters.every_verdict:
        query[EVERY] = ["true"]
    if chosen.minimum != TOO_FEW:
        query[MINIMUM] = [str(chosen.minimum)]
    return query | {name: [word] for name, word in urls.whose_parameter().items()}


def go(page: str, query: Mapping[str, str | Sequence[str]]) -> None:
    """Open another page that has these filters, with the parameters ``query``.

    Days and switches that both pages have may not be named on the way. Streamlit is to take them
    along, which it sometimes does not do when it is busy, so they stand in ``AT`` as well.
    """
    along = {name: word for name in _CARRIED for word in _words(query.get(name, ()))}
    named = {name: each for name, each in query.items() if name not in _CARRIED}
    listed = [*_words(named.get(AT, ())), *(f"{name}:{word}" for name, word in along.items())]
    going.go(page, named | ({AT: listed} if listed else {}))


def _words(found: str | Sequence[str]) -> Sequence[str]:
    return [found] if isinstance(found, str) else found
