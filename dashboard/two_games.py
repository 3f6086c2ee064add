"""Two games side by side: what differs most, every figure, the rules, the contracts, the people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import addresses, asked, figures, filters, margin_chart, snapshot, urls
from dashboard import two_games_table as table
from dashboard.escaping import as_html, as_markdown, name_html
from dashboard.filters import Chosen
from dashboard.labels import counted
from dashboard.margin_chart import Measured
from dashboard.rules_apart import rules_played, show_rules_apart
from dashboard.tables import Link, show_table
from ingest.metrics import METRIC, FigureError
from ingest.metrics.comparing import FEWEST_COMPARED
from ingest.metrics.figure_words import is_share, signed_text, value_text
from ingest.metrics.naming import NAMED_AT
from ingest.metrics.two_variants import (
    ABOVE_FIELD,
    FIGURES,
    Compared,
    Comparison,
    better_at_which,
    compare_variants,
    margins,
)

ONE: Final = "one"
OTHER: Final = "other"
"""Parameters and keys: the titles of the two variants."""
MARGIN_IN: Final = "margin-in"
"""Parameter and key: what margins of contracts are measured in."""
PARAMETERS: Final = (ONE, OTHER, MARGIN_IN)
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
            "The filters leave hands of fewer than two games. Remove a filter to compare two of "
            f"{', '.join(map(as_markdown, titles.values()))}."
        )
        return
    name = as_markdown(titles.get(options[0], options[0])) if options else "one game"
    st.info(
        f"All hands here are of {name}, and it takes two games to compare. Load logs of another "
        "one, then this page says how the two differ. The rules of any two games stand in "
        "`tricklog variants --compare A B`."
    )
    st.page_link(urls.IMPORT, label=":blue[Import logs]")


# --- Which two


def _first_ones(options: Sequence[str], chosen: Chosen) -> list[str]:
    """Return the variants, first those that the filters name, then those played most."""
    named = [each for each in chosen.filters.values("variant") if each in options]
    return [*dict.fromkeys([*named, *options])]


def _choose(facts: DuckDBPyConnection, chosen: Chosen, options: list[str]) -> _Pair | None:
    labels = filters.labels_of(facts, "variant")
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
            for place, (key, said) in enumerate(((ONE, "Compare"), (OTHER, "with")))
        ]
        st.button("Swap", on_click=_swap, args=tuple(picked), help="Change sides.")
    if picked[0] == picked[1]:
        st.info("These are the same game. Choose another one on either side.")
        return None
    first, second = picked
    return _Pair(facts, chosen, (first, second), (labels[first], labels[second]))


def _swap(first: str, second: str) -> None:
    st.session_state[ONE], st.session_state[OTHER] = second, first


# --- What differs most


def _lead_html(pair: _Pair, comparison: Comparison) -> str:
    """Return what differs most, of what stands with all figures of the page compared."""
    judged = comparison.rows.filter(pl.col("difference").is_not_null())
    one, other = map(name_html, pair.names)
    if judged.is_empty():
        return (
            f"It cannot be told yet how {one} and {other} differ: it takes {FEWEST_COMPARED} games "
            "of each."
        )
    named = judged.filter("named")
    if named.is_empty():
        return (
            f"No figure of {one} and {other} differs for sure, with all {len(judged)} compared. "
            "More games may tell."
        )
    # What the rules decide for every hand says nothing about how a game is played.
    open_ones = [row for row in named.to_dicts() if not _is_settled(row)]
    open_ones.sort(key=lambda row: -row["size"])
    said = [_said_html(row, pair) for row in open_ones[:_MOST_SAID]]
    count = (
        f"{len(named)} of {counted(len(judged), 'figure')} differ for sure, as these tables play."
    )
    if not said:
        return count
    first, *more = said
    rest = f" Also, {'; and '.join(more)}." if more else ""
    return f"<b>{first[0].upper()}{first[1:]}.</b>{rest} {count}"


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
    return (
        f"{as_html(compared.higher)} in {name_html(pair.names[higher])} "
        f"({as_html(texts[higher])} against {as_html(texts[1 - higher])})"
    )


# --- Every figure


def _show_figures(pair: _Pair, comparison: Comparison) -> None:
    st.subheader("The figures")
    rows = comparison.rows
    one, other = map(as_markdown, pair.names)
    if rows.is_empty():
        figures.show_nothing("No hand of both games matches. Remove a filter.")
    else:
        st.caption(
            f"Difference: {other} less {one}, shares in points of 100. Blue: {one} has more, "
            f"orange: {other} has; grey: cannot tell yet with all of these compared. The "
            f"pictures reach {table.scales_of(rows).words()}. Numbers lead to the hands."
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
        parts.append(f"Not in both games: {', '.join(map(_lower, comparison.missing))}.")
    if comparison.barred:
        parts.append(
            f"These filters cannot be asked of: {', '.join(map(_lower, comparison.barred))}."
        )
    if parts:
        st.caption(as_markdown(" ".join(parts)))


def _lower(name: str) -> str:
    return name[0].lower() + name[1:]


def _show_how() -> None:
    with st.expander("How these are counted and compared"):
        st.markdown(
            "Each game of cards counts as one draw, so that hands of one evening are not taken "
            "for more than they tell. A difference is between the games **as these tables play "
            "them**: who plays which is not the same. It is called one if it stands with all "
            f"figures of this table compared (Holm, {NAMED_AT * 100:.0f} %) and, for shares, is "
            f"{METRIC['made-rate'].relevant * 100:.0f} points of 100 or more; it takes "
            f"{FEWEST_COMPARED} games on either side. Points of a game stand as a share of the "
            "pack or of what is at stake, as a point means something else in each."
        )
        show_table(
            ["figure", "counted", "out of (n)"],
            [(_defined(each), each.metric.numerator, each.metric.denominator) for each in FIGURES],
            name="How figures of both games are counted",
        )


def _defined(compared: Compared) -> Link:
    address = addresses.of_definition(compared.metric.name)
    return Link(compared.name, address, f"{compared.name}: definition")


# --- The rules


def _show_rules(pair: _Pair) -> None:
    st.subheader("The rules that differ")
    of_hands = figures.of_hands(pair.chosen)
    one, other = (
        snapshot.kept(rules_played, pair.facts, variant, of_hands) for variant in pair.variants
    )
    show_rules_apart(one, other, pair.names)


# --- The contracts


def _show_margins(pair: _Pair) -> None:
    st.subheader("How close contracts are")
    try:
        frame = snapshot.kept(margins, pair.facts, *pair.variants, pair.chosen.filters)
    except FigureError as error:
        st.info(as_markdown(str(error)))
        return
    if frame.is_empty():
        figures.show_nothing("No contract of either game matches. Remove a filter.")
        return
    st.caption(
        "Contracts that the maker chose to bid. Pale: set. A bar of points leads to its hands."
    )
    asked.allows(MARGIN_IN, [*Measured])
    measured = st.segmented_control(
        "Measured in",
        [*Measured],
        format_func=str,
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
    with st.expander("The contracts in numbers, and the hands behind each"):
        show_table(
            ["contracts", *pair.names],
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
            name="Contracts by margin",
        )


def _band(pair: _Pair, variant: str, row: Mapping[str, Any], count: int) -> int | Link:
    if not row["picked"] or not count:
        return count
    address = pair.to_hands("made-rate", variant, {"margin": row["picked"]})
    return Link(count, address, f"{count:,} {row['said']}: hands")


# --- The people


def _show_people(pair: _Pair) -> None:
    st.subheader("Who is better at which?")
    try:
        rows = snapshot.kept(
            better_at_which, pair.facts, *pair.variants, pair.chosen.filters, pair.chosen.minimum
        )
    except FigureError as error:
        st.info(as_markdown(str(error)))
        return
    if rows.is_empty():
        st.info(
            f"Nobody has {FEWEST_COMPARED} games and {counted(pair.chosen.minimum, 'hand')} of "
            "both games yet."
        )
        return
    labels = filters.labels_of(pair.facts, "player")
    st.html(f"<p>{_people_said(pair, rows, labels)}</p>")
    st.caption(
        "Share of the score at stake above what the others take at the same tables, in points of "
        f"100. Difference: {as_markdown(pair.names[1])} less {as_markdown(pair.names[0])}. "
        f"Everybody is compared, whomever the filters choose. "
        f"{figures.definition_link(ABOVE_FIELD.name)}"
    )
    listed = rows.to_dicts()
    shown = [row for row in listed if row["named"] or row["chance"] < _TOLD_APART][:_MOST_PEOPLE]
    folded = [row for row in listed if row not in shown]
    reach = table.reach_of(rows)
    if shown:
        st.html(table.people_html(shown, pair.names, labels, reach))
    if folded:
        few = len(shown) < _MOST_PEOPLE
        who = "more" if few else "others"
        why = ": a difference that chance gives half the time" if few else ""
        with st.expander(f"{len(folded):,} {who}{why}"):
            st.html(table.people_html(folded[:100], pair.names, labels, reach))


def _people_said(pair: _Pair, rows: pl.DataFrame, labels: Mapping[str, str]) -> str:
    named = rows.filter("named").to_dicts()
    if not named:
        return (
            "No difference is sure: nobody is better at one of the two games beyond chance "
            f"({len(rows):,} compared)."
        )
    said = []
    for row in named[:_MOST_SAID]:
        better = int(row["difference"] > 0)
        value = signed_text(ABOVE_FIELD, abs(row["difference"])).removeprefix("+")
        said.append(
            f"<b>{name_html(labels.get(row['player'], row['player']))}</b> is better at "
            f"{name_html(pair.names[better])} than at {name_html(pair.names[1 - better])}, "
            f"by {value} points of 100"
        )
    more = (
        f" So are {len(named) - _MOST_SAID:,} more at one of them."
        if len(named) > _MOST_SAID
        else ""
    )
    return f"{'; '.join(said)} ({len(rows):,} compared).{more}"
