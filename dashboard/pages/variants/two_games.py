"""Two games side by side: what differs most, every figure, the rules, the contracts, the people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import asked, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, figures
from tricklog.dashboard.kit.tables import Link, show_table
from tricklog.dashboard.pages.variants import margin_chart
from tricklog.dashboard.pages.variants import two_games_table as table
from tricklog.dashboard.pages.variants.margin_chart import Measured
from tricklog.dashboard.pages.variants.rules_apart import rules_played, show_rules_apart
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html
from tricklog.ingest.metrics import METRIC, FigureError, wording
from tricklog.ingest.metrics.comparing import FEWEST_COMPARED
from tricklog.ingest.metrics.figure_words import is_share, signed_text, value_text
from tricklog.ingest.metrics.naming import NAMED_AT
from tricklog.ingest.metrics.two_variants import (
    ABOVE_FIELD,
    FIGURES,
    HIGHER,
    Compared,
    Comparison,
    better_at_which,
    compare_variants,
    margins,
)
from tricklog.ingest.sessions.words import hands_text
from tricklog.schemas.languages.messages import message_in, say, say_counted, say_in, translated_in
from tricklog.schemas.languages.numbers import number, percent

ONE: Final = "one"
OTHER: Final = "other"
"""Parameters and keys: the titles of the two variants."""
MARGIN_IN: Final = "margin-in"
"""Parameter and key: what margins of contracts are measured in."""
PARAMETERS: Final = (ONE, OTHER, MARGIN_IN)
_MEASURED: Final = {
    Measured.POINTS: message_in("what margins are measured in", "card points"),
    Measured.NEED: message_in("what margins are measured in", "share of the need"),
}
_MOST_SAID: Final = 3
_TOLD_APART: Final = 0.5
"""Chance from which on a difference of a person is no more than chance gives half the time."""
_MOST_PEOPLE: Final = 10
_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class _Pair:
    """The two games that are compared, and how."""

    facts: DuckDBPyConnection
    chosen: Chosen
    variants: tuple[str, str]
    names: tuple[str, str]

    def to_hands(self, metric: str, variant: str | None, values: Mapping[str, str]) -> str:
        """Return the address of the hands behind a figure, of one variant or of both."""
        picked = (variant,) if variant else self.variants
        narrowed = self.chosen.filters.also("variant", *picked)
        for name, value in values.items():
            narrowed = narrowed.also(name, value)
        return addresses.of_page(
            addresses.HANDS,
            self.facts,
            replace(self.chosen, filters=narrowed),
            {urls.FIGURE: metric},
        )


def show_two_games(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Let the viewer choose two variants, and show how they differ."""
    everything = replace(chosen, filters=chosen.filters.also("variant"))
    options = figures.variants_of(facts, everything)
    if len(options) < _TWO:
        _say_too_few(options)
        return
    pair = _choose(facts, everything, _first_ones(options, chosen))
    if pair is None:
        return
    comparison = snapshot.kept(
        compare_variants, facts, *pair.variants, pair.chosen.filters, pair.chosen.minimum
    )
    st.html(f'<p class="tl-lead">{_lead_html(pair, comparison)}</p>')
    left, right = st.columns([1.5, 1], gap="large")
    with left:
        _show_figures(pair, comparison)
        _show_people(pair)
    with right:
        _show_rules(pair)
        _show_margins(pair)


def _say_too_few(options: Sequence[str]) -> None:
    titles = snapshot.titles()
    if len(titles) > 1:
        st.info(
            say(
                "The filters leave hands of fewer than two games. Remove a filter to compare two "
                "of {games}.",
                games=", ".join(map(as_markdown, titles.values())),
            )
        )
        return
    name = as_markdown(titles.get(options[0], options[0])) if options else say("one game")
    st.info(
        say(
            "All hands here are of {game}, and it takes two games to compare. Load logs of another "
            "one, then this page says how the two differ. The rules of any two games stand in "
            "`tricklog rules --compare A B`.",
            game=name,
        )
    )
    st.page_link(urls.IMPORT, label=say(":blue[Import logs]"))


# --- Which two


def _first_ones(options: Sequence[str], chosen: Chosen) -> list[str]:
    """Return the variants, first those that the filters name, then those played most."""
    named = [each for each in chosen.filters.values("variant") if each in options]
    return [*dict.fromkeys([*named, *options])]


def _choose(facts: DuckDBPyConnection, chosen: Chosen, options: list[str]) -> _Pair | None:
    labels = labels_of(facts, "variant")
    for key in (ONE, OTHER):
        asked.allows(key, [labels[each] for each in options])
        # What the filters no longer let through cannot stay chosen.
        if st.session_state.get(key, options[0]) not in options:
            del st.session_state[key]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        picked = [
            st.selectbox(
                said,
                options,
                index=place,
                format_func=lambda each: labels[each],
                key=key,
                bind="query-params",
                width=240,
            )
            or options[place]
            for place, (key, said) in enumerate(_sides())
        ]
        st.button(say("Swap"), on_click=_swap, args=tuple(picked), help=say("Change sides."))
    if picked[0] == picked[1]:
        st.info(say("These are the same game. Choose another one on either side."))
        return None
    first, second = picked
    return _Pair(facts, chosen, (first, second), (labels[first], labels[second]))


def _sides() -> tuple[tuple[str, str], ...]:
    """Return the keys of both boxes, each with what stands above it."""
    return (
        (ONE, say_in("above a choice of two games", "Compare")),
        (OTHER, say_in("above a choice of two games", "with")),
    )


def _swap(first: str, second: str) -> None:
    st.session_state[ONE], st.session_state[OTHER] = second, first


# --- What differs most


def _lead_html(pair: _Pair, comparison: Comparison) -> str:
    """Return what differs most, of what stands with all figures of the page compared."""
    judged = comparison.rows.filter(pl.col("difference").is_not_null())
    one, other = map(name_html, pair.names)
    if judged.is_empty():
        return say(
            "It cannot be told yet how {one} and {other} differ: it takes {fewest} games of each.",
            one=one,
            other=other,
            fewest=FEWEST_COMPARED,
        )
    named = judged.filter("named")
    if named.is_empty():
        return say(
            "No figure of {one} and {other} differs for sure, with all {number} compared. More "
            "games may tell.",
            one=one,
            other=other,
            number=len(judged),
        )
    # What the rules decide for every hand says nothing about how a game is played.
    open_ones = [row for row in named.to_dicts() if not _is_settled(row)]
    open_ones.sort(key=lambda row: -row["size"])
    said = [_said_html(row, pair) for row in open_ones[:_MOST_SAID]]
    count = say_counted(
        "{named} of {count} figure differ for sure, as these tables play.",
        "{named} of {count} figures differ for sure, as these tables play.",
        len(judged),
        named=len(named),
    )
    if not said:
        return count
    first, *more = said
    parts = [say("<b>{finding}.</b>", finding=f"{first[0].upper()}{first[1:]}")]
    if len(more) > 1:
        parts.append(say("Also, {one}; and {other}.", one=more[0], other=more[1]))
    elif more:
        parts.append(say("Also, {finding}.", finding=more[0]))
    return " ".join([*parts, count])


def _is_settled(row: Mapping[str, Any]) -> bool:
    compared = table.FIGURE[row["figure"]]
    return compared.metric.scale.bounded and bool({row["value"], row["other_value"]} & {0.0, 1.0})


def _said_html(row: Mapping[str, Any], pair: _Pair) -> str:
    compared = table.FIGURE[row["figure"]]
    metric = compared.metric
    values = [row["value"], row["other_value"]]
    higher = int(row["difference"] > 0)
    digits = min(abs(row["difference"]), 1.0) / 4 if is_share(metric) else 0.0
    texts = [value_text(metric, each, digits) for each in values]
    return say(
        "{higher} in {game} ({value} against {other})",
        higher=as_html(translated_in(HIGHER, compared.higher)),
        game=name_html(pair.names[higher]),
        value=as_html(texts[higher]),
        other=as_html(texts[1 - higher]),
    )


# --- Every figure


def _show_figures(pair: _Pair, comparison: Comparison) -> None:
    st.subheader(say("The figures"))
    rows = comparison.rows
    one, other = map(as_markdown, pair.names)
    if rows.is_empty():
        figures.show_nothing(say("No hand of both games matches. Remove a filter."))
    else:
        st.caption(
            say(
                "Difference: {other} less {one}, shares in points of 100. Blue: {one} has more, "
                "orange: {other} has; grey: cannot tell yet with all of these compared. The "
                "pictures reach {scales}. Numbers lead to the hands.",
                one=one,
                other=other,
                scales=table.scales_of(rows).words(),
            )
        )
        st.html(table.figures_html(rows, pair.variants, pair.names, _to_hands(pair)))
        figures.show_tables_together(
            pair.facts,
            replace(pair.chosen, filters=pair.chosen.filters.also("variant", *pair.variants)),
            [METRIC["score-share"]],
        )
    _show_left_out(comparison)
    _show_how()


def _to_hands(pair: _Pair) -> table.To:
    def address(compared: Compared, variant: str | None) -> str:
        name, values = compared.behind
        return pair.to_hands(name or compared.metric.name, variant, dict(compared.only + values))

    return address


def _show_left_out(comparison: Comparison) -> None:
    parts = []
    if comparison.missing:
        missing = ", ".join(map(_lower, comparison.missing))
        parts.append(say("Not in both games: {figures}.", figures=missing))
    if comparison.barred:
        barred = ", ".join(map(_lower, comparison.barred))
        parts.append(say("These filters cannot be asked of: {figures}.", figures=barred))
    if parts:
        st.caption(as_markdown(" ".join(parts)))


def _lower(figure: str) -> str:
    name = table.name_said(figure)
    return name[0].lower() + name[1:]


def _show_how() -> None:
    with st.expander(say("How these are counted and compared")):
        st.markdown(
            say(
                "Each game of cards counts as one draw, so that hands of one evening are not taken "
                "for more than they tell. A difference is between the games **as these tables play "
                "them**: who plays which is not the same. It is called one if it stands with all "
                "figures of this table compared (Holm, {level}) and, for shares, is {relevant} "
                "points of 100 or more; it takes {fewest} games on either side. Points of a game "
                "stand as a share of the pack or of what is at stake, as a point means something "
                "else in each.",
                level=percent(NAMED_AT),
                relevant=number(METRIC["made-rate"].relevant * 100),
                fewest=FEWEST_COMPARED,
            )
        )
        show_table(
            [say("figure"), say("counted"), say("out of (n)")],
            [
                (
                    _defined(each),
                    wording.numerator(each.metric),
                    wording.denominator(each.metric),
                )
                for each in FIGURES
            ],
            name=say("How figures of both games are counted"),
        )


def _defined(compared: Compared) -> Link:
    address = addresses.of_definition(compared.metric.name)
    name = table.name_said(compared.name)
    return Link(name, address, say("{figure}: definition", figure=name))


# --- The rules


def _show_rules(pair: _Pair) -> None:
    st.subheader(say("The rules that differ"))
    of_hands = figures.of_hands(pair.chosen)
    one, other = (
        snapshot.kept(rules_played, pair.facts, variant, of_hands) for variant in pair.variants
    )
    show_rules_apart(one, other, pair.names)


# --- The contracts


def _show_margins(pair: _Pair) -> None:
    st.subheader(say("How close contracts are"))
    try:
        frame = snapshot.kept(margins, pair.facts, *pair.variants, pair.chosen.filters)
    except FigureError as error:
        st.info(as_markdown(str(error)))
        return
    if frame.is_empty():
        figures.show_nothing(say("No contract of either game matches. Remove a filter."))
        return
    st.caption(
        say("Contracts that the maker chose to bid. Pale: set. A bar of points leads to its hands.")
    )
    asked.allows(MARGIN_IN, map(str, _MEASURED.values()))
    measured = st.segmented_control(
        say("Measured in"),
        [*Measured],
        format_func=lambda each: str(_MEASURED[each]),
        default=Measured.NEED,
        required=True,
        key=MARGIN_IN,
        bind="query-params",
        label_visibility="collapsed",
    )
    measured = Measured(measured or Measured.NEED)
    bars = margin_chart.binned(frame, measured)
    names = dict(zip(pair.variants, pair.names, strict=True))
    picked = margin_chart.show_margins(bars, names, measured)
    if picked:
        variant, margin = picked
        figures.go_to_hands(
            pair.chosen, METRIC["made-rate"], {"variant": variant, "margin": margin}
        )
    _list_margins(pair, bars)


def _list_margins(pair: _Pair, bars: pl.DataFrame) -> None:
    """List the bars in words, each with its contracts in both games."""
    bands = bars.select("left", "said", "picked").unique().sort("left")
    counts = {(row["variant"], row["left"]): row["contracts"] for row in bars.to_dicts()}
    with st.expander(say("The contracts in numbers, and the hands behind each")):
        show_table(
            [say("contracts"), *pair.names],
            [
                (
                    row["said"],
                    *(
                        _band(pair, variant, row, counts.get((variant, row["left"]), 0))
                        for variant in pair.variants
                    ),
                )
                for row in bands.to_dicts()
            ],
            name=say("Contracts by margin"),
        )


def _band(pair: _Pair, variant: str, row: Mapping[str, Any], count: int) -> int | Link:
    if not row["picked"] or not count:
        return count
    address = pair.to_hands("made-rate", variant, {"margin": row["picked"]})
    said = say("{number} {margin}: hands", number=number(count), margin=row["said"])
    return Link(count, address, said)


# --- The people


def _show_people(pair: _Pair) -> None:
    st.subheader(say("Who is better at which?"))
    try:
        rows = snapshot.kept(
            better_at_which, pair.facts, *pair.variants, pair.chosen.filters, pair.chosen.minimum
        )
    except FigureError as error:
        st.info(as_markdown(str(error)))
        return
    if rows.is_empty():
        st.info(
            say(
                "Nobody has {fewest} games and {hands} of both games yet.",
                fewest=FEWEST_COMPARED,
                hands=hands_text(pair.chosen.minimum),
            )
        )
        return
    labels = labels_of(pair.facts, "player")
    st.html(f"<p>{_people_said(pair, rows, labels)}</p>")
    st.caption(
        say(
            "Share of the score at stake above what the others take at the same tables, in points "
            "of 100. Difference: {other} less {one}. Everybody is compared, whomever the filters "
            "choose. {definition}",
            one=as_markdown(pair.names[0]),
            other=as_markdown(pair.names[1]),
            definition=figures.definition_link(ABOVE_FIELD.name),
        )
    )
    listed = rows.to_dicts()
    shown = [row for row in listed if row["named"] or row["chance"] < _TOLD_APART][:_MOST_PEOPLE]
    folded = [row for row in listed if row not in shown]
    reach = table.reach_of(rows)
    if shown:
        st.html(table.people_html(shown, pair.names, labels, reach))
    if folded:
        with st.expander(_folded_said(len(folded), few=len(shown) < _MOST_PEOPLE)):
            st.html(table.people_html(folded[:100], pair.names, labels, reach))


def _folded_said(count: int, *, few: bool) -> str:
    """Return who is folded away; ``few``: those whose differences chance gives easily."""
    people = number(count)
    if few:
        return say("{number} more: a difference that chance gives half the time", number=people)
    return say("{number} others", number=people)


def _people_said(pair: _Pair, rows: pl.DataFrame, labels: Mapping[str, str]) -> str:
    named = rows.filter("named").to_dicts()
    if not named:
        return say(
            "No difference is sure: nobody is better at one of the two games beyond chance "
            "({number} compared).",
            number=number(len(rows)),
        )
    said = "; ".join(_better_said(pair, row, labels) for row in named[:_MOST_SAID])
    told = say("{people} ({number} compared).", people=said, number=number(len(rows)))
    if len(named) <= _MOST_SAID:
        return told
    more = say("So are {number} more at one of them.", number=number(len(named) - _MOST_SAID))
    return f"{told} {more}"


def _better_said(pair: _Pair, row: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    better = int(row["difference"] > 0)
    value = signed_text(ABOVE_FIELD, abs(row["difference"])).removeprefix("+")
    return say(
        "<b>{player}</b> is better at {game} than at {other}, by {value} points of 100",
        player=name_html(labels.get(row["player"], row["player"])),
        game=name_html(pair.names[better]),
        other=name_html(pair.names[1 - better]),
        value=value,
    )
