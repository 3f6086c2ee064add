"""Two games side by side: what differs most, every figure, the rules, the contracts, the people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.core import Ruleset, ruleset_of
from tricklog.core.rulesets.rules_text import RuleInWords, differences, rules_in_words
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, figures, margin_bars
from tricklog.dashboard.kit.choices import choose_beside, choose_in_box
from tricklog.dashboard.kit.margin_bars import MarginBars
from tricklog.dashboard.kit.page_parts import need, refusals_said
from tricklog.dashboard.kit.palette import palette
from tricklog.dashboard.kit.side_by_side import Beside, Side, TwoBeside, beside_of
from tricklog.dashboard.kit.tables import Link, show_table
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html
from tricklog.ingest.metrics import METRIC, bid_map, listings, measure, wording
from tricklog.ingest.metrics.comparing import FEWEST_COMPARED
from tricklog.ingest.metrics.figure_words import difference_text, is_share, signed_text, value_text
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.naming import NAMED_AT
from tricklog.ingest.metrics.versus import (
    ABOVE_FIELD,
    FIGURES,
    HIGHER,
    Compared,
    Comparison,
    better_at_which,
    compare_variants,
)
from tricklog.ingest.sessions.words import hands_text
from tricklog.schemas.languages.messages import (
    message,
    message_in,
    say,
    say_counted,
    say_in,
    translated_in,
)
from tricklog.schemas.languages.numbers import number, percent
from tricklog.schemas.printable import one_line

ONE: Final = "one"
OTHER: Final = "other"
"""Parameters and keys: the titles of the two variants."""
MARGIN_IN: Final = "margin-in"
"""Parameter and key: what margins of contracts are measured in."""
PARAMETERS: Final = (ONE, OTHER, MARGIN_IN)


class Measured(StrEnum):
    """What margins are measured in, by what it is called."""

    POINTS = "card points"
    NEED = "share of the need"


_MEASURED: Final = {
    Measured.POINTS: message_in("what margins are measured in", "card points"),
    Measured.NEED: message_in("what margins are measured in", "share of the need"),
}
MOST_SHOWN: Final = 3
"""Rules that stand on the page; further ones are folded away."""
_MOST_SAID: Final = 3
FIGURE: Final = {each.name: each for each in FIGURES}
_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class _Pair:
    """The two games that are compared, and how."""

    facts: DuckDBPyConnection
    chosen: Chosen
    variants: tuple[str, str]
    names: tuple[str, str]

    def to_hands(self, metric: str, values: Mapping[str, str], *variants: str) -> str:
        """Return the address of the hands behind a figure, of one variant or of both."""
        narrowed = self.chosen.filters.also("variant", *variants)
        for name, value in values.items():
            narrowed = narrowed.also(name, value)
        of_hands = replace(self.chosen, filters=narrowed)
        return addresses.of_page(addresses.HANDS, of_hands, {urls.FIGURE: metric})

    @property
    def difference(self) -> str:
        """What stands above the differences of both."""
        one, other = self.names
        return say(
            "{other} less {one} (shares: points in 100), 99 % interval", one=one, other=other
        )


def show_two_games(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Let the viewer choose two variants, and show how they differ."""
    everything = replace(chosen, filters=chosen.filters.also("variant"))
    options = figures.variants_of(facts, everything)
    if len(options) < _TWO:
        _say_too_few(options)
        return
    # Those that the filters name come first, then those played most.
    named = [each for each in chosen.filters.values("variant") if each in options]
    pair = _choose(facts, everything, [*dict.fromkeys([*named, *options])])
    if pair is None:
        return
    comparison = snapshot.kept(
        compare_variants, facts, *pair.variants, pair.chosen.filters, pair.chosen.minimum
    )
    st.html(f'<p class="tl-lead">{_lead_html(pair, comparison)}</p>')
    left, right = st.columns([1.5, 1], gap="large")
    with left:
        st.subheader(say("The figures"))
        _draw_figures(pair, comparison.rows)
        _show_notes(comparison)
        _show_people(pair)
    with right:
        st.subheader(say("The rules that differ"))
        of_hands = figures.of_hands(pair.chosen)
        rules = (snapshot.kept(_rules_played, facts, each, of_hands) for each in pair.variants)
        _show_rules_apart(*rules, names=pair.names)
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


def _choose(facts: DuckDBPyConnection, chosen: Chosen, options: list[str]) -> _Pair | None:
    labels = labels_of(facts, "variant")
    boxes = (
        (ONE, say_in("above a choice of two games", "Compare")),
        (OTHER, say_in("above a choice of two games", "with")),
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        first, second = (
            choose_in_box(said, key, options, labels.__getitem__, default=default, width=240)
            for (key, said), default in zip(boxes, options, strict=False)
        )

        def swap() -> None:
            st.session_state[ONE], st.session_state[OTHER] = second, first

        st.button(say("Swap"), on_click=swap, help=say("Change sides."))
    if first == second:
        st.info(say("These are the same game. Choose another one on either side."))
        return None
    return _Pair(facts, chosen, (first, second), (labels[first], labels[second]))


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
    open_ones = [
        row
        for row in named.sort("size", descending=True, maintain_order=True).to_dicts()
        if not FIGURE[row["figure"]].metric.scale.bounded
        or not {row["value"], row["other_value"]} & {0.0, 1.0}
    ]
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


def _said_html(row: Mapping[str, Any], pair: _Pair) -> str:
    compared = FIGURE[row["figure"]]
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


@refusals_said()
def _draw_figures(pair: _Pair, rows: pl.DataFrame) -> None:
    need(rows, message("No hand of both games matches. Remove a filter."))
    listed = rows.to_dicts()
    beside = []
    for row in listed:
        compared = FIGURE[row["figure"]]
        behind, name = _behind(compared), _name_said(compared.name)
        hands = [pair.to_hands(*behind, each) for each in pair.variants]
        both = pair.to_hands(*behind, *pair.variants)
        beside.append(beside_of(compared.metric, row, name, (hands[0], hands[1]), both))

    def pick(place: int, which: int) -> None:
        name, values = _behind(FIGURE[listed[place]["figure"]])
        figures.go_to_hands(pair.chosen, METRIC[name], values | {"variant": pair.variants[which]})

    TwoBeside(
        names=pair.names,
        category=say("figure"),
        measure=say("shares, 95 % interval; ✓ is sure with all of these compared"),
        difference=pair.difference,
        name=say("Figures of both games"),
        mixed=True,
    ).show(beside, "two-games", pick)
    figures.show_tables_together(
        pair.facts,
        replace(pair.chosen, filters=pair.chosen.filters.also("variant", *pair.variants)),
        [METRIC["score-share"]],
    )


def _behind(compared: Compared) -> tuple[str, dict[str, str]]:
    """Return the metric whose hands are behind a figure, and the values of dimensions of them."""
    name, values = compared.behind
    return name or compared.metric.name, dict(compared.only + values)


def _name_said(figure: str) -> str:
    return translated_in(wording.FIGURE, figure)


def _show_notes(comparison: Comparison) -> None:
    def listed(found: Sequence[str]) -> str:
        names = map(_name_said, found)
        return ", ".join(f"{name[0].lower()}{name[1:]}" for name in names)

    parts = []
    if comparison.missing:
        parts.append(say("Not in both games: {figures}.", figures=listed(comparison.missing)))
    if comparison.barred:
        barred = listed(comparison.barred)
        parts.append(say("These filters cannot be asked of: {figures}.", figures=barred))
    if parts:
        st.caption(as_markdown(" ".join(parts)))

    def defined(compared: Compared) -> Link:
        address, name = addresses.of_definition(compared.metric.name), _name_said(compared.name)
        return Link(name, address, say("{figure}: definition", figure=name))

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
                (defined(each), wording.numerator(each.metric), wording.denominator(each.metric))
                for each in FIGURES
            ],
            name=say("How figures of both games are counted"),
        )


# --- The rules


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules that most hands of a variant were played under."""

    rules: Ruleset
    hands: int
    of: int
    """Hands of the variant under any rules."""


def _rules_played(facts: DuckDBPyConnection, variant: str, filters: Filters) -> _Rules:
    """Return the rules that most hands of a variant were played under, of those chosen."""
    of_variant = filters.also("variant", variant)
    frame = measure(facts, "hands", ("ruleset",), of_variant).sort(
        "n", "ruleset", descending=[True, False]
    )
    ruleset = frame["ruleset"][0]
    first = listings.hand_list(facts, of_variant.also("ruleset", ruleset), limit=1)["hand_id"][0]
    rules = ruleset_of(snapshot.hand(first))
    return _Rules(rules, int(frame["n"][0]), int(frame["n"].sum()))


def _show_rules_apart(one: _Rules, other: _Rules, *, names: tuple[str, str]) -> None:
    """Show each question that the rules answer differently, and how many they answer alike."""
    found = differences(one.rules, other.rules)
    alike = sum(
        a.applies and b.applies and a.answer == b.answer
        for a, b in zip(rules_in_words(one.rules), rules_in_words(other.rules), strict=True)
    )
    st.caption(
        say_counted(
            "{count} other rule that both games have to answer: the same in both.",
            "{count} other rules that both games have to answer: the same in both.",
            alike,
        )
    )
    for played, name in zip((one, other), names, strict=True):
        if played.hands < played.of:
            st.caption(
                say(
                    "{game}: the rules of {hands} of {all} hands. The others were played by house "
                    "rules of their own.",
                    game=as_markdown(name),
                    hands=number(played.hands),
                    all=number(played.of),
                )
            )
    if not found:
        st.info(say("The two games are played alike."))
        return
    heads = (say("question"), *map(one_line, names))

    def told(rule: RuleInWords) -> str:
        return rule.answer if rule.applies or rule.idle else say("does not arise")

    rows = [(each.question, told(each.a), told(each.b)) for each in found]
    show_table(heads, rows[:MOST_SHOWN], name=say("Rules that differ"))
    if left := rows[MOST_SHOWN:]:
        more = say_counted(
            "{count} more rule that differ", "{count} more rules that differ", len(left)
        )
        with st.expander(more):
            show_table(heads, left, name=say("More rules that differ"))


# --- The contracts


@refusals_said()
def _show_margins(pair: _Pair) -> None:
    st.subheader(
        say("How close contracts are"),
        help=say(
            "Contracts that the maker chose to bid. Pale: set. A bar of points leads to its hands."
        ),
    )
    both = pair.chosen.filters.also("variant", *pair.variants)
    frame = snapshot.kept(bid_map.margins, pair.facts, both, "need")
    need(frame, message("No contract of either game matches. Remove a filter."))
    measured = choose_beside(
        say("Measured in"),
        MARGIN_IN,
        [*Measured],
        _MEASURED.__getitem__,
        default=Measured.NEED,
        ids=urls.id_of,
        hides_label=True,
    )
    of_need = measured == Measured.NEED
    colours = palette()
    parts = [_ended(frame.filter(pl.col("variant") == each), of_need) for each in pair.variants]
    width = 10 if of_need else 1
    drawn = [margin_bars.bars(each, width=width) for each in parts if not each.is_empty()]
    ends = [margin_bars.ends_of(each) for each in drawn]
    shared = MarginBars(
        title="",
        along=say("per cent of the need over it") if of_need else say("points over the need"),
        behind=None if of_need else (METRIC["made-rate"], "margin"),
        width=width,
        ends=(min(low for low, _ in ends), max(high for _, high in ends)),
        highest=1.05 * max(max(each["top"].to_list()) for each in drawn),
    )
    for variant, name, colour, part in zip(
        pair.variants, pair.names, (colours.one, colours.two), parts, strict=True
    ):
        if part.is_empty():
            continue
        own = replace(pair.chosen, filters=pair.chosen.filters.also("variant", variant))
        bars = replace(shared, title=name, colour=colour)
        bars.show(own, part, f"margins {variant} {of_need}", "")


def _ended(contracts: pl.DataFrame, of_need: bool) -> pl.DataFrame:  # noqa: FBT001 - one of two units
    """Return contracts by margin, in points or in per cent of the need."""
    margin = pl.col("margin")
    if of_need:
        contracts = contracts.filter(pl.col("need") > 0)
        margin = (100 * margin).floordiv(pl.col("need"))
    result = pl.when(pl.col("margin") < 0).then(pl.lit("set")).otherwise(pl.lit("made"))
    return (
        contracts.group_by(margin.alias("margin"), result.alias("result"))
        .agg(pl.col("n").sum())
        .sort("margin", "result")
    )


# --- The people


@refusals_said()
def _show_people(pair: _Pair) -> None:
    st.subheader(
        say("Who is better at which?"),
        help=say(
            "Share of the score at stake above what the others take at the same tables, in points "
            "of 100. Difference: {other} less {one}. Everybody is compared, whomever the filters "
            "choose.",
            one=as_markdown(pair.names[0]),
            other=as_markdown(pair.names[1]),
        ),
    )
    st.caption(figures.definition_link(ABOVE_FIELD.name))
    rows = snapshot.kept(
        better_at_which, pair.facts, *pair.variants, pair.chosen.filters, pair.chosen.minimum
    )
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

    def side(row: Mapping[str, Any], name: str) -> Side:
        above = row[f"{name}above"]
        return Side(signed_text(ABOVE_FIELD, above), row[f"{name}games"], above)

    TwoBeside(
        names=pair.names,
        category=say("player"),
        measure=say("above or below the others at the same tables"),
        difference=pair.difference,
        name=say("Who is better at which game"),
        signed=True,
    ).show(
        [
            Beside(
                labels.get(row["player"], row["player"]),
                (side(row, ""), side(row, "other_")),
                difference_text(ABOVE_FIELD, row),
                row["named"],
                abs(row["difference"]),
            )
            for row in rows.to_dicts()
        ],
        "two-games-people",
    )


def _people_said(pair: _Pair, rows: pl.DataFrame, labels: Mapping[str, str]) -> str:
    named = rows.filter("named").to_dicts()
    if not named:
        return say(
            "No difference is sure: nobody is better at one of the two games beyond chance "
            "({number} compared).",
            number=number(len(rows)),
        )
    said = []
    for row in named[:_MOST_SAID]:
        better = int(row["difference"] > 0)
        said.append(
            say(
                "<b>{player}</b> is better at {game} than at {other}, by {value} points of 100",
                player=name_html(labels.get(row["player"], row["player"])),
                game=name_html(pair.names[better]),
                other=name_html(pair.names[1 - better]),
                value=signed_text(ABOVE_FIELD, abs(row["difference"])).removeprefix("+"),
            )
        )
    told = say("{people} ({number} compared).", people="; ".join(said), number=number(len(rows)))
    if len(named) <= _MOST_SAID:
        return told
    more = say("So are {number} more at one of them.", number=number(len(named) - _MOST_SAID))
    return f"{told} {more}"
