"""Two games side by side: what differs most, every figure, the rules, the contracts, the people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

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
from tricklog.ingest.metrics import METRIC, Metric, bid_map, listings, measure, wording
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
POINTS: Final = "card points"
NEED: Final = "share of the need"
_MEASURED: Final = {
    POINTS: message_in("what margins are measured in", "card points"),
    NEED: message_in("what margins are measured in", "share of the need"),
}
MOST_SHOWN: Final = 3
"""Rules that stand on the page; further ones are folded away."""
_MOST_SAID: Final = 3
FIGURE: Final = {each.name: each for each in FIGURES}
_TWO: Final = 2


class _Pair(NamedTuple):
    """The two games that are compared, and how."""

    facts: DuckDBPyConnection
    chosen: Chosen
    variants: tuple[str, str]
    names: tuple[str, str]

    def chosen_of(self, *variants: str) -> Chosen:
        """Return what is chosen, of these variants alone."""
        return self.chosen.also("variant", *variants)

    @property
    def difference(self) -> str:
        """What stands above the differences of both."""
        one, other = self.names
        return say(
            "{other} less {one} (shares: points in 100), 99 % interval", one=one, other=other
        )


def show_two_games(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Let the viewer choose two variants, and show how they differ."""
    everything = chosen.also("variant")
    options = figures.variants_of(facts, everything)
    if len(options) < _TWO:
        _say_too_few(options)
        return
    # Those that the filters name come first, then those played most.
    named = [each for each in chosen.filters.values("variant") if each in options]
    options, labels = [*dict.fromkeys([*named, *options])], labels_of(facts, "variant")
    boxes = (
        (ONE, say_in("above a choice of two games", "Compare")),
        (OTHER, say_in("above a choice of two games", "with")),
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        one, other = (
            choose_in_box(said, key, options, labels.__getitem__, default=default, width=240)
            for (key, said), default in zip(boxes, options, strict=False)
        )

        def swap() -> None:
            st.session_state[ONE], st.session_state[OTHER] = other, one

        st.button(say("Swap"), on_click=swap, help=say("Change sides."))
    if one == other:
        st.info(say("These are the same game. Choose another one on either side."))
        return
    pair = _Pair(facts, everything, (one, other), (labels[one], labels[other]))
    given = (everything.filters, everything.minimum)
    comparison = snapshot.kept(compare_variants, facts, one, other, *given)
    st.html(f'<p class="tl-lead">{_lead_html(pair, comparison.rows)}</p>')
    left, right = st.columns([1.5, 1], gap="large")
    with left:
        st.subheader(say("The figures"))
        _draw_figures(pair, comparison.rows)
        _show_notes(comparison)
        _show_people(pair)
    with right:
        st.subheader(say("The rules that differ"))
        _show_rules_apart(pair)
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
            "one, then this page says how the two differ.",
            game=name,
        )
    )
    st.page_link(urls.IMPORT, label=say(":blue[Import logs]"))


# --- What differs most


def _lead_html(pair: _Pair, rows: pl.DataFrame) -> str:
    """Return what differs most, of what stands with all figures of the page compared."""
    judged = rows.filter(pl.col("difference").is_not_null())
    named = judged.filter("named")
    names = dict(zip(("one", "other"), map(name_html, pair.names), strict=True))
    if judged.is_empty():
        return say(
            "It cannot be told yet how {one} and {other} differ: it takes {fewest} games of each.",
            fewest=FEWEST_COMPARED,
            **names,
        )
    if named.is_empty():
        return say(
            "No figure of {one} and {other} differs for sure, with all {number} compared. More "
            "games may tell.",
            number=len(judged),
            **names,
        )
    # What the rules decide for every hand says nothing about how a game is played.
    bounded = [name for name, each in FIGURE.items() if each.metric.scale.bounded]
    decided = pl.any_horizontal(pl.col("value", "other_value").is_in([0.0, 1.0]))
    open_ones = named.filter(~(pl.col("figure").is_in(bounded) & decided)).sort(
        "size", descending=True, maintain_order=True
    )
    said = [_said_html(row, pair) for row in open_ones.head(_MOST_SAID).to_dicts()]
    parts = [say("<b>{finding}.</b>", finding=f"{each[0].upper()}{each[1:]}") for each in said[:1]]
    if len(said) > _TWO:
        parts.append(say("Also, {one}; and {other}.", one=said[1], other=said[2]))
    elif len(said) == _TWO:
        parts.append(say("Also, {finding}.", finding=said[1]))
    count = say_counted(
        "{named} of {count} figure differ for sure, as these tables play.",
        "{named} of {count} figures differ for sure, as these tables play.",
        len(judged),
        named=len(named),
    )
    return " ".join([*parts, count])


def _said_html(row: Mapping[str, Any], pair: _Pair) -> str:
    compared = FIGURE[row["figure"]]
    metric, higher = compared.metric, int(row["difference"] > 0)
    digits = min(abs(row["difference"]), 1.0) / 4 if is_share(metric) else 0.0
    texts = [as_html(value_text(metric, row[each], digits)) for each in ("value", "other_value")]
    return say(
        "{higher} in {game} ({value} against {other})",
        higher=as_html(translated_in(HIGHER, compared.higher)),
        game=name_html(pair.names[higher]),
        value=texts[higher],
        other=texts[1 - higher],
    )


# --- Every figure


@refusals_said()
def _draw_figures(pair: _Pair, rows: pl.DataFrame) -> None:
    need(rows, message("No hand of both games matches. Remove a filter."))
    listed = [(FIGURE[row["figure"]], row) for row in rows.to_dicts()]
    beside = []
    for compared, row in listed:
        metric, values = _behind(compared)
        one, other, both = (
            figures.hands_behind(pair.chosen_of(*each), metric, values)
            for each in (pair.variants[:1], pair.variants[1:], pair.variants)
        )
        name = _name_said(compared.name)
        beside.append(beside_of(compared.metric, row, name, (one, other), both))

    def pick(place: int, which: int) -> None:
        figures.go_to_hands(pair.chosen_of(pair.variants[which]), *_behind(listed[place][0]))

    TwoBeside(
        names=pair.names,
        category=say("figure"),
        measure=say("shares, 95 % interval; ✓ is sure with all of these compared"),
        difference=pair.difference,
        name=say("Figures of both games"),
        mixed=True,
    ).show(beside, "two-games", pick)
    both_games = pair.chosen_of(*pair.variants)
    figures.show_tables_together(pair.facts, both_games, [METRIC["score-share"]])


def _behind(compared: Compared) -> tuple[Metric, dict[str, str]]:
    """Return the metric whose hands are behind a figure, and the values of dimensions of them."""
    name, values = compared.behind
    return METRIC[name or compared.metric.name], dict(compared.only + values)


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


def _rules_played(facts: DuckDBPyConnection, of_variant: Filters) -> tuple[Ruleset, int, int]:
    """Return the rules most hands of a variant have, how many those are, and of how many."""
    frame = measure(facts, "hands", ("ruleset",), of_variant)
    ordered = frame.sort("n", "ruleset", descending=[True, False])
    ruleset, hands = ordered.select("ruleset", "n").row(0)
    first = listings.hand_list(facts, of_variant.also("ruleset", ruleset), limit=1)["hand_id"][0]
    return ruleset_of(snapshot.hand(first)), int(hands), int(frame["n"].sum())


def _show_rules_apart(pair: _Pair) -> None:
    """Show each question that the rules answer differently, and how many they answer alike."""
    both = [
        snapshot.kept(_rules_played, pair.facts, figures.of_hands(pair.chosen_of(each)))
        for each in pair.variants
    ]
    one, other = (rules for rules, *_ in both)
    alike = sum(
        a.applies and b.applies and a.answer == b.answer
        for a, b in zip(rules_in_words(one), rules_in_words(other), strict=True)
    )
    st.caption(
        say_counted(
            "{count} other rule that both games have to answer: the same in both.",
            "{count} other rules that both games have to answer: the same in both.",
            alike,
        )
    )
    for (_, hands, every), name in zip(both, pair.names, strict=True):
        if hands < every:
            st.caption(
                say(
                    "{game}: the rules of {hands} of {all} hands. The others were played by house "
                    "rules of their own.",
                    game=as_markdown(name),
                    hands=number(hands),
                    all=number(every),
                )
            )

    def told(rule: RuleInWords) -> str:
        return rule.answer if rule.applies or rule.idle else say("does not arise")

    heads = (say("question"), *map(one_line, pair.names))
    rows = [(each.question, told(each.a), told(each.b)) for each in differences(one, other)]
    if not rows:
        st.info(say("The two games are played alike."))
        return
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
    both = pair.chosen_of(*pair.variants).filters
    frame = snapshot.kept(bid_map.margins, pair.facts, both, "need")
    need(frame, message("No contract of either game matches. Remove a filter."))
    measured = choose_beside(
        say("Measured in"),
        MARGIN_IN,
        _MEASURED,
        _MEASURED.__getitem__,
        default=NEED,
        ids=urls.id_of,
        hides_label=True,
    )
    of_need, width, margin = measured == NEED, 1, pl.col("margin")
    if of_need:
        frame, width = frame.filter(pl.col("need") > 0), 10
        margin = (100 * margin).floordiv(pl.col("need"))
    result = pl.when(pl.col("margin") < 0).then(pl.lit("set")).otherwise(pl.lit("made"))
    ended = (
        frame.group_by("variant", margin=margin, result=result)
        .agg(pl.col("n").sum())
        .sort("margin", "result")
    )
    parts = [ended.filter(pl.col("variant") == each) for each in pair.variants]
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
    colours = palette().series
    for variant, name, colour, part in zip(
        pair.variants, pair.names, colours[:_TWO], parts, strict=True
    ):
        if not part.is_empty():
            bars = replace(shared, title=name, colour=colour)
            bars.show(pair.chosen_of(variant), part, f"margins {variant} {of_need}", "")


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
    given = (pair.chosen.filters, pair.chosen.minimum)
    rows = snapshot.kept(better_at_which, pair.facts, *pair.variants, *given)
    nobody = message(
        "Nobody has {fewest} games and {hands} of both games yet.",
        fewest=FEWEST_COMPARED,
        hands=hands_text(pair.chosen.minimum),
    )
    need(rows, nobody)
    labels = labels_of(pair.facts, "player")
    people = rows.with_columns(label=pl.col("player").replace(labels)).to_dicts()
    st.html(f"<p>{_people_said(pair, people)}</p>")

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
                row["label"],
                (side(row, ""), side(row, "other_")),
                difference_text(ABOVE_FIELD, row),
                row["named"],
                abs(row["difference"]),
            )
            for row in people
        ],
        "two-games-people",
    )


def _people_said(pair: _Pair, people: Sequence[Mapping[str, Any]]) -> str:
    named = [row for row in people if row["named"]]
    if not named:
        return say(
            "No difference is sure: nobody is better at one of the two games beyond chance "
            "({number} compared).",
            number=number(len(people)),
        )
    said = [
        say(
            "<b>{player}</b> is better at {game} than at {other}, by {value} points of 100",
            player=name_html(row["label"]),
            game=name_html(pair.names[row["difference"] > 0]),
            other=name_html(pair.names[row["difference"] <= 0]),
            value=signed_text(ABOVE_FIELD, abs(row["difference"])).removeprefix("+"),
        )
        for row in named[:_MOST_SAID]
    ]
    told = say("{people} ({number} compared).", people="; ".join(said), number=number(len(people)))
    if len(named) <= _MOST_SAID:
        return told
    more = say("So are {number} more at one of them.", number=number(len(named) - _MOST_SAID))
    return f"{told} {more}"
