"""Who suits whom, and who fares well against whom: an answer, a matrix, and every pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import addresses, figures, filters, snapshot, urls
from dashboard.answers import DOTS, LIKELY_AT, Certainty
from dashboard.escaping import as_html, as_markdown, name_html
from dashboard.filters import Chosen
from dashboard.labels import counted
from dashboard.tables import Link, show_table
from ingest.metrics import FigureError
from ingest.metrics.comparing import FEWEST_COMPARED
from ingest.metrics.figure_words import signed_text
from ingest.metrics.intervals import WORTH
from ingest.metrics.naming import NAMED_AT, corrected
from ingest.metrics.pairs import MOST_PEOPLE, SCORE, Pairs, opponents, partners

MOST_IN_MATRIX: Final = 14
"""People who have a row, those with the most games."""
MOST_ROWS: Final = 200
_MOST_SAID: Final = 3
_LEAST_REACH: Final = 0.05
"""Difference of the strongest colour, at least: what is small stays pale."""
_STRONGEST: Final = 50
"""Per cent of its colour that the strongest cell has; text on it reads well."""
_FIRST_OF_MANY: Final = 4


AMONG: Final = "among"
"""Parameter and key: which part is open where no player is chosen."""
PAIRS: Final = "Partners"
"""The part of that page with the pairs."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One of the two questions."""

    against: bool
    title: str
    sentence: str
    heads: tuple[str, str]
    joined: str
    """What stands between two names."""


_PARTNERS: Final = _Asked(
    against=False,
    title="Who suits whom?",
    sentence=(
        "What a pair scores beyond what each of the two brings with others, whoever those are: "
        "two strong players together are no good pair by that alone."
    ),
    heads=("player", "partner"),
    joined="and",
)
_OPPONENTS: Final = _Asked(
    against=True,
    title="Who fares well against whom?",
    sentence=(
        "What the side of the player in the row scores against the side of the one in the column, "
        "beyond what each of the two brings elsewhere."
    ),
    heads=("player", "against"),
    joined="against",
)


def show_pairs(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Show partners, then opponents."""
    for question in (_PARTNERS, _OPPONENTS):
        st.subheader(question.title)
        st.caption(
            f"{question.sentence} Share of the score at stake in points of 100, within each game "
            "and kind of table."
        )
        try:
            compare = opponents if question.against else partners
            pairs = snapshot.kept(compare, facts, chosen.filters)
        except FigureError as error:
            st.info(as_markdown(str(error)))
            return
        labels = filters.labels_of(facts, "player")
        _show_question(_Shown(facts, chosen, question, pairs, labels))


def show_best_partner(facts: DuckDBPyConnection, chosen: Chosen, player: str) -> None:
    """Say which partner suits a player best, and how sure that is, with all pairs compared."""
    everybody = replace(chosen, filters=chosen.filters.also("player"))
    try:
        pairs = snapshot.kept(partners, facts, everybody.filters)
    except FigureError as error:
        st.info(as_markdown(str(error)))
        return
    labels = filters.labels_of(facts, "player")
    own = pairs.rows.filter((pl.col("one") == player) | (pl.col("other") == player))
    if own.is_empty():
        st.info(_nothing_words(pairs))
        return
    shown = _Shown(facts, everybody, _PARTNERS, pairs, labels)
    first = own.sort("drawn", descending=True, maintain_order=True).row(0, named=True)
    other = first["other"] if first["one"] == player else first["one"]
    name = name_html(shown.name(other))
    if first["named"] and first["difference"] > 0:
        said = f"{_certainty_html(Certainty.SURE)}: {_said_html(shown, first)}."
    else:
        said = (
            f"{_certainty_html(Certainty.CANNOT_TELL)} which partner suits "
            f"{name_html(shown.name(player))} best: with all {counted(len(pairs.rows), 'pair')} "
            f"compared, none of theirs stands out above the others. The highest is {name}, "
            f"{as_html(signed_text(SCORE, first['difference']))} in 100 of the score beyond what "
            f"both bring with others ({as_html(signed_text(SCORE, first['low']))} to "
            f"{as_html(signed_text(SCORE, first['high']))}, 99 %, "
            f"{counted(first['games'], 'game')} together)."
        )
    address = addresses.of(addresses.PLAYERS, {AMONG: PAIRS})
    st.html(f'<p>{said} <a class="tl-link" href="{as_html(address)}">All pairs</a></p>')


@dataclass(frozen=True, slots=True)
class _Shown:
    """A question with its pairs, as they are shown."""

    facts: DuckDBPyConnection
    chosen: Chosen
    question: _Asked
    pairs: Pairs
    labels: Mapping[str, str]

    def name(self, player: str) -> str:
        return self.labels.get(player, player)

    def to_hands(self, one: str, other: str) -> str:
        """Return the address of the hands in which two sat so."""
        narrowed = self.chosen.filters
        for each in ("player", "partner", "opponent"):
            narrowed = narrowed.also(each)
        narrowed = narrowed.also("player", one)
        narrowed = narrowed.also("opponent" if self.question.against else "partner", other)
        return addresses.of_page(
            addresses.HANDS,
            self.facts,
            replace(self.chosen, filters=narrowed),
            {urls.FIGURE: SCORE.name},
        )


def _show_question(shown: _Shown) -> None:
    pairs = shown.pairs
    if pairs.rows.is_empty():
        st.info(_nothing_words(pairs))
        _show_notes(shown)
        return
    st.html(f"<p>{_answer_html(shown)}</p>")
    st.html(_matrix_html(shown))
    st.caption(
        "In the cells: the difference drawn towards the middle of all pairs, as far as chance may "
        f"have made it, and games. Framed: sure with all {counted(len(pairs.rows), 'pair')} "
        "compared. Blue is above, orange below. A cell leads to its hands."
    )
    _show_notes(shown)
    _list_pairs(shown)


def _nothing_words(pairs: Pairs) -> str:
    if pairs.inseparable:
        return (
            "Nobody sat with enough others to tell what a pair brings from what its players bring. "
            "Among four people that is never known."
        )
    return f"No two have sat so in {FEWEST_COMPARED} games yet, so that nothing can be told."


# --- The answer


def _answer_html(shown: _Shown) -> str:
    """Return who stands out, with how sure that is."""
    rows = shown.pairs.rows
    named = rows.filter("named").to_dicts()
    count = len(rows)
    if named:
        said = "; ".join(_said_html(shown, row) for row in named[:_MOST_SAID])
        more = f", and {len(named) - _MOST_SAID} more" if len(named) > _MOST_SAID else ""
        rest = count - len(named)
        others = f" The other {rest:,} are within what chance gives." if rest else ""
        return f"{_certainty_html(Certainty.SURE)}: {said}{more}.{others}"
    first = rows.row(0, named=True)
    chance = corrected(rows["chance"].to_list())[0]
    if chance < LIKELY_AT and abs(first["difference"]) >= SCORE.relevant:
        return (
            f"{_certainty_html(Certainty.LIKELY)}: {_said_html(shown, first)}. Chance alone gives "
            f"as much in {chance * 100:.0f} of 100 clubs with {counted(count, 'pair')}."
        )
    return (
        f"{_certainty_html(Certainty.CANNOT_TELL)}: no pair stands out. All "
        f"{counted(count, 'pair')} are within what chance gives."
    )


def _certainty_html(certainty: Certainty) -> str:
    return f'<span aria-hidden="true">{DOTS[certainty]}</span> <b>{certainty.capitalize()}</b>'


def _said_html(shown: _Shown, row: Mapping[str, Any]) -> str:
    one, other = row["one"], row["other"]
    sign = 1.0
    if shown.question.against and row["difference"] < 0:
        one, other, sign = other, one, -1.0
    ends = sorted(sign * row[end] for end in ("low", "high"))
    value, low, high = (signed_text(SCORE, each) for each in (sign * row["difference"], *ends))
    who = f"{name_html(shown.name(one))} {shown.question.joined} {name_html(shown.name(other))}"
    return (
        f"<b>{who}</b> {as_html(value)} ({as_html(low)} to {as_html(high)}, "
        f"{counted(row['games'], 'game')})"
    )


# --- The matrix


def _matrix_html(shown: _Shown) -> str:
    people = sorted(shown.pairs.people[:MOST_IN_MATRIX], key=lambda each: shown.name(each).lower())
    found: dict[tuple[str, str], tuple[float, Mapping[str, Any]]] = {}
    sign = -1.0 if shown.question.against else 1.0
    for row in shown.pairs.rows.to_dicts():
        found[row["one"], row["other"]] = (row["drawn"], row)
        found[row["other"], row["one"]] = (sign * row["drawn"], row)
    reach = max([_LEAST_REACH, *(abs(value) for value, _ in found.values())])
    columns = people if shown.question.against else people[1:]
    rows = people if shown.question.against else people[:-1]
    head = "".join(f'<th scope="col">{name_html(shown.name(each))}</th>' for each in columns)
    body = ""
    for place, one in enumerate(rows):
        cells = "".join(
            _cell_html(shown, one, other, found.get((one, other)), reach)
            if shown.question.against or other in people[place + 1 :]
            else "<td></td>"
            for other in columns
        )
        body += f'<tr><th scope="row">{name_html(shown.name(one))}</th>{cells}</tr>'
    corner = " / ".join(shown.question.heads)
    return (
        f'<div class="tl-scroll" tabindex="0" role="group" aria-label="{shown.question.title}">'
        f'<table class="tl-matrix"><thead><tr><td>{corner}</td>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell_html(
    shown: _Shown,
    one: str,
    other: str,
    found: tuple[float, Mapping[str, Any]] | None,
    reach: float,
) -> str:
    if found is None:
        return "<td></td>"
    value, row = found
    colour = "one" if value > 0 else "two"
    strength = _STRONGEST * min(abs(value) / reach, 1)
    style = f"background:color-mix(in srgb, var(--tl-{colour}) {strength:.0f}%, var(--tl-page))"
    text = signed_text(SCORE, value)
    joined = shown.question.joined
    said = f"{shown.name(one)} {joined} {shown.name(other)}: {text}, {row['games']} games"
    said += ", sure" if row["named"] else ""
    return (
        f'<td style="{style}"{" class=tl-framed" if row["named"] else ""}>'
        f'<a href="{as_html(shown.to_hands(one, other))}" aria-label="{as_html(said)}">'
        f"<b>{text}</b><span>{row['games']:,}</span></a></td>"
    )


# --- The rest


def _show_notes(shown: _Shown) -> None:
    pairs = shown.pairs
    parts = []
    if pairs.few:
        have = "has" if pairs.few == 1 else "have"
        parts.append(
            f"{counted(pairs.few, 'pair')} {have} fewer than {FEWEST_COMPARED} games and "
            f"{'is' if pairs.few == 1 else 'are'} left out."
        )
    if pairs.inseparable and not pairs.rows.is_empty():
        listed = ", ".join(_pair_words(shown, *each) for each in pairs.inseparable[:_FIRST_OF_MANY])
        more = ", …" if len(pairs.inseparable) > _FIRST_OF_MANY else ""
        parts.append(f"Hardly ever apart, so that nothing can be told of them: {listed}{more}.")
    if len(pairs.people) == MOST_PEOPLE:
        parts.append(f"The {MOST_PEOPLE} people with the most games are compared.")
    elif len(pairs.people) > MOST_IN_MATRIX and not pairs.rows.is_empty():
        parts.append(f"The matrix has the {MOST_IN_MATRIX} with the most games, the table all.")
    if parts:
        st.caption(" ".join(parts))


def _pair_words(shown: _Shown, one: str, other: str) -> str:
    joined = shown.question.joined
    return f"{as_markdown(shown.name(one))} {joined} {as_markdown(shown.name(other))}"


def _list_pairs(shown: _Shown) -> None:
    rows = shown.pairs.rows.head(MOST_ROWS).to_dicts()
    with st.expander(f"Every pair, the surest first ({len(shown.pairs.rows):,})"):
        show_table(
            [
                *shown.question.heads,
                "games",
                "hands",
                "above the field",
                "of that, the pair’s own, 99 % interval",
                f"with all compared, at {NAMED_AT * 100:.0f} %",
            ],
            [_row(shown, row) for row in rows],
            name=f"{shown.question.title} Every pair",
        )
        st.markdown(
            "Above the field is what the side of both scores more than usual. Taken from it is "
            "what each brings with others and what their opponents bring, by least squares over "
            "all games. The interval goes by games: how far these scatter is seen in the pair’s "
            f"own and, as {WORTH:.0f} games more, in those of all pairs. "
            f"{figures.definition_link('pairs')}"
        )


def _row(shown: _Shown, row: Mapping[str, Any]) -> Sequence[str | int | Link]:
    words = {True: "sure", False: "cannot tell yet"}
    value, low, high = (signed_text(SCORE, row[name]) for name in ("difference", "low", "high"))
    one, other = shown.name(row["one"]), shown.name(row["other"])
    address = shown.to_hands(row["one"], row["other"])
    return (
        Link(one, address, f"{one} {shown.question.joined} {other}: hands"),
        other,
        row["games"],
        row["hands"],
        signed_text(SCORE, row["share"]),
        f"{value} ({low} to {high})",
        words[row["named"]],
    )
