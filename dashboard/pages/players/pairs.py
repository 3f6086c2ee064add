"""Who suits whom, and who fares well against whom: an answer, a matrix, and every pair."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.profile import Profile
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, figures
from tricklog.dashboard.kit.addresses import link_html
from tricklog.dashboard.kit.charts import IntervalChart
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.kit.matrix import Between, show_matrix
from tricklog.dashboard.kit.page_parts import few_words, refusals_said
from tricklog.dashboard.kit.tables import Cell, Link, in_columns, show_table
from tricklog.dashboard.sections.answers import DOTS, LIKELY_AT, Certainty
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html
from tricklog.ingest.metrics.comparing import FEWEST_COMPARED
from tricklog.ingest.metrics.figure_words import interval_text, signed_text
from tricklog.ingest.metrics.intervals import WORTH
from tricklog.ingest.metrics.naming import NAMED_AT, corrected
from tricklog.ingest.metrics.pairs import MOST_PEOPLE, SCORE, Pairs, opponents, partners
from tricklog.ingest.sessions import words
from tricklog.schemas.languages.messages import (
    Message,
    mark,
    message,
    message_in,
    message_of,
    say,
    say_counted,
    say_in,
)
from tricklog.schemas.languages.numbers import number, percent

MOST_IN_MATRIX: Final = 14
"""People who have a row, those with the most games."""
MOST_ROWS: Final = 200
_MOST_SAID: Final = 3
_LEAST_REACH: Final = 0.05
"""Difference of the strongest colour, at least: what is small stays pale."""
_FIRST_OF_MANY: Final = 4
PAIRS: Final = mark("Partners")
"""The part of that page with the pairs."""


class _Asked(NamedTuple):
    """One of the two questions."""

    of: str
    """The dimension of the other one: ``partner`` or ``opponent``."""
    title: Message
    sentence: Message
    heads: tuple[Message, Message]
    pair: str
    """Marked: how two are named together, ``one`` and ``other``."""
    to_hands: str
    """Marked: what a link to their hands is called."""

    @property
    def against(self) -> bool:
        """Whether the two sit against each other."""
        return self.of == "opponent"


_PARTNERS: Final = _Asked(
    of="partner",
    title=message("Who suits whom?"),
    sentence=message(
        "What a pair scores beyond what each of the two brings with others, whoever those are: "
        "two strong players together are no good pair by that alone. Share of the score at stake "
        "in points of 100, within each game and kind of table."
    ),
    heads=(message_in("a column", "player"), message_in("a column", "partner")),
    pair=mark("{one} and {other}"),
    to_hands=mark("{one} and {other}: hands"),
)
_OPPONENTS: Final = _Asked(
    of="opponent",
    title=message("Who fares well against whom?"),
    sentence=message(
        "What the side of the player in the row scores against the side of the one in the column, "
        "beyond what each of the two brings elsewhere. Share of the score at stake in points of "
        "100, within each game and kind of table."
    ),
    heads=(message_in("a column", "player"), message_in("a column", "against")),
    pair=mark("{one} against {other}"),
    to_hands=mark("{one} against {other}: hands"),
)
_CERTAINTIES: Final = {
    Certainty.SURE: message_in("how sure", "Sure"),
    Certainty.LIKELY: message_in("how sure", "Likely"),
    Certainty.CANNOT_TELL: message_in("how sure", "Cannot tell yet"),
}


class _Shown(NamedTuple):
    """A question with its pairs, as they are shown."""

    facts: DuckDBPyConnection
    chosen: Chosen
    question: _Asked
    pairs: Pairs
    labels: Mapping[str, str]

    def name(self, player: str) -> str:
        return self.labels.get(player, player)

    def pair(self, one: object, other: object) -> str:
        """Return how two are named together: ``Ann and Bo``."""
        return str(message_of(self.question.pair, {"one": one, "other": other}))

    def both_ways(self) -> pl.DataFrame:
        """Return every pair twice, once from the side of each player."""
        turned = -1 if self.question.against else 1
        others = self.pairs.rows.with_columns(
            pl.col("difference", "share", "drawn") * turned,
            one="other",
            other="one",
            low=pl.min_horizontal(pl.col("low", "high") * turned),
            high=pl.max_horizontal(pl.col("low", "high") * turned),
        )
        return pl.concat([self.pairs.rows, others])

    def to_hands(self, one: str, other: str) -> str:
        """Return the address of the hands in which two sat so."""
        chosen = self.chosen.also("player").also("partner").also("opponent")
        of_both = {"player": one, self.question.of: other}
        return figures.hands_behind(chosen, SCORE, of_both)


def _asked(facts: DuckDBPyConnection, chosen: Chosen, question: _Asked) -> _Shown:
    compare = opponents if question.against else partners
    pairs = snapshot.kept(compare, facts, chosen.filters)
    return _Shown(facts, chosen, question, pairs, labels_of(facts, "player"))


@refusals_said()
def show_pairs(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Show partners, then opponents: an answer, a matrix, and all pairs."""
    for question in (_PARTNERS, _OPPONENTS):
        st.subheader(str(question.title))
        st.caption(str(question.sentence))
        shown = _asked(facts, chosen, question)
        rows = shown.pairs.rows
        if rows.is_empty():
            st.info(_nothing_words(shown.pairs))
            _show_notes(shown)
            continue
        st.html(f"<p>{_answer_html(shown)}</p>")
        _show_matrix(shown)
        st.caption(
            say(
                "In the cells: the difference drawn towards the middle of all pairs, as far as "
                "chance may have made it, and games. Framed: sure with all {pairs} compared. Blue "
                "is above, orange below. A cell leads to its hands.",
                pairs=_pairs_text(len(rows)),
            )
        )
        _show_notes(shown)
        every = say("Every pair, the surest first ({number})", number=number(len(rows)))
        _list_pairs(shown, rows, every)


@refusals_said()
def show_with_each(profile: Profile, *, against: bool) -> None:
    """Show a player with each partner, or ``against`` each opponent, over all games."""
    question, player = _OPPONENTS if against else _PARTNERS, profile.player
    name = as_markdown(profile.name)
    said = say("{player} with each partner", player=name)
    st.subheader(say("{player} against each opponent", player=name) if against else said)
    st.caption(str(question.sentence))
    everybody = profile.chosen.also("player")
    shown = _asked(profile.facts, everybody, question)
    rows, own = shown.pairs.rows, shown.both_ways().filter(pl.col("one") == player)
    own = own.sort("drawn", descending=True, maintain_order=True)
    if own.is_empty():
        st.info(_nothing_words(shown.pairs))
        Figure("score-share", question.of, order="value").show(profile.facts, profile.chosen)
        return
    best = own.filter("named", pl.col("difference") > 0)
    first = (own if best.is_empty() else best).row(0, named=True)
    answer = _said_html(shown, first)
    said = say(
        "{certainty}: with all {pairs} compared, none of theirs stands out above the others. The "
        "highest is {answer}.",
        certainty=_certainty_html(Certainty.CANNOT_TELL),
        pairs=_pairs_text(len(rows)),
        answer=answer,
    )
    if not best.is_empty():
        certainty = _certainty_html(Certainty.SURE)
        said = say("{certainty}: {answer}.", certainty=certainty, answer=answer)
    address = addresses.of_page(addresses.PLAYERS, everybody, {urls.VIEW: urls.id_of(PAIRS)})
    st.html(f"<p>{said} {link_html(address, as_html(say('All pairs')))}</p>")
    picked = IntervalChart(
        title=str(question.title),
        category=str(question.heads[1]),
        measure=say("score beyond what both bring otherwise"),
        percent=True,
        interval="99 %",
        signed=True,
        counted=say("games"),
    ).show(
        own.with_columns(
            label=pl.col("other").replace(shown.labels),
            key="other",
            value="difference",
            n="games",
            enough=pl.lit(value=True),
        ),
        f"with-each-{against}",
    )
    if picked:
        figures.go_to_hands(everybody, SCORE, {"player": player, question.of: picked["key"]})
    _show_notes(shown)
    _list_pairs(shown, own, say("The figures, and the hands behind each"))


def _pairs_text(count: int) -> str:
    return say_counted("{count} pair", "{count} pairs", count)


def _nothing_words(pairs: Pairs) -> str:
    if pairs.inseparable:
        return say(
            "Nobody sat with enough others to tell what a pair brings from what its players bring. "
            "Among four people that is never known."
        )
    return say(
        "No two have sat so in {number} games yet, so that nothing can be told.",
        number=FEWEST_COMPARED,
    )


# --- The answer


def _answer_html(shown: _Shown) -> str:
    rows = shown.pairs.rows
    named, count = rows.filter("named").to_dicts(), len(rows)
    if named:
        values = {
            "certainty": _certainty_html(Certainty.SURE),
            "answers": "; ".join(_said_html(shown, row) for row in named[:_MOST_SAID]),
        }
        said = say("{certainty}: {answers}.", **values)
        if (more := len(named) - _MOST_SAID) > 0:
            said = say("{certainty}: {answers}, and {number} more.", number=more, **values)
        rest = number(count - len(named))
        others = say("The other {number} are within what chance gives.", number=rest)
        return f"{said} {others}" if count > len(named) else said
    first = rows.row(0, named=True)
    chance = corrected(rows["chance"].to_list())[0]
    if chance < LIKELY_AT and abs(first["difference"]) >= SCORE.relevant:
        return say(
            "{certainty}: {answer}. Chance alone gives as much in {chance} of 100 clubs with "
            "{pairs}.",
            certainty=_certainty_html(Certainty.LIKELY),
            answer=_said_html(shown, first),
            chance=number(chance * 100),
            pairs=_pairs_text(count),
        )
    return say_counted(
        "{certainty}: no pair stands out. All {count} pair are within what chance gives.",
        "{certainty}: no pair stands out. All {count} pairs are within what chance gives.",
        count,
        certainty=_certainty_html(Certainty.CANNOT_TELL),
    )


def _certainty_html(certainty: Certainty) -> str:
    said = str(_CERTAINTIES[certainty])
    return f'<span aria-hidden="true">{DOTS[certainty]}</span> <b>{as_html(said)}</b>'


def _said_html(shown: _Shown, row: Mapping[str, Any]) -> str:
    one, other = row["one"], row["other"]
    sign = 1.0
    if shown.question.against and row["difference"] < 0:
        one, other, sign = other, one, -1.0
    ends = sorted(sign * row[end] for end in ("low", "high"))
    value, low, high = (signed_text(SCORE, each) for each in (sign * row["difference"], *ends))
    return say(
        "<b>{who}</b> {value} ({low} to {high}, {games})",
        who=shown.pair(name_html(shown.name(one)), name_html(shown.name(other))),
        value=as_html(value),
        low=as_html(low),
        high=as_html(high),
        games=words.games_text(row["games"]),
    )


# --- The matrix


def _show_matrix(shown: _Shown) -> None:
    people = sorted(shown.pairs.people[:MOST_IN_MATRIX], key=lambda each: shown.name(each).lower())
    pairs = shown.both_ways().filter(pl.all_horizontal(pl.col("one", "other").is_in(people)))
    reach = max([_LEAST_REACH, *pairs["drawn"].abs()])
    cells: dict[tuple[str, str], Between] = {}
    for row in pairs.to_dicts():
        one, other, games = row["one"], row["other"], row["games"]
        # Of partners, who are first in the order of names have a row.
        if not shown.question.against and people.index(one) > people.index(other):
            continue
        value = signed_text(SCORE, row["drawn"])
        values = {"value": value, "number": games}
        values["pair"] = shown.pair(shown.name(one), shown.name(other))
        said = say("{pair}: {value}, {number} games", **values)
        if row["named"]:
            said = say("{pair}: {value}, {number} games, sure", **values)
        look = (shown.to_hands(one, other), row["drawn"] / reach, row["named"])
        cells[one, other] = Between(value, number(games), said, *look)
    title, corner = str(shown.question.title), " / ".join(map(str, shown.question.heads))
    rows, columns = (
        [each for each in people if any(each == two[at] for two in cells)] for at in (0, 1)
    )
    show_matrix(title, corner, rows, columns, cells, shown.labels)


# --- The rest


def _show_notes(shown: _Shown) -> None:
    pairs = shown.pairs
    parts = []
    if pairs.few:
        parts.append(few_words(pairs.few))
    if pairs.inseparable and not pairs.rows.is_empty():
        listed = ", ".join(
            shown.pair(as_markdown(shown.name(one)), as_markdown(shown.name(other)))
            for one, other in pairs.inseparable[:_FIRST_OF_MANY]
        )
        if len(pairs.inseparable) > _FIRST_OF_MANY:
            listed += ", …"
        parts.append(
            say("Hardly ever apart, so nothing can be said of them: {pairs}.", pairs=listed)
        )
    if len(pairs.people) == MOST_PEOPLE:
        parts.append(
            say("The {number} people with the most games are compared.", number=MOST_PEOPLE)
        )
    elif len(pairs.people) > MOST_IN_MATRIX and not pairs.rows.is_empty():
        parts.append(
            say(
                "The matrix has the {number} with the most games, the table all.",
                number=MOST_IN_MATRIX,
            )
        )
    if parts:
        st.caption(" ".join(parts))


def _list_pairs(shown: _Shown, pairs: pl.DataFrame, title: str) -> None:
    def who(row: dict[str, Any]) -> Cell:
        names = {"one": shown.name(row["one"]), "other": shown.name(row["other"])}
        called = str(message_of(shown.question.to_hands, names))
        return Link(names["one"], shown.to_hands(row["one"], row["other"]), called)

    def sure(row: dict[str, Any]) -> Cell:
        return say_in("how sure", "sure") if row["named"] else say("cannot tell yet")

    def own(row: dict[str, Any]) -> Cell:
        return interval_text(row, signed, "difference")

    signed = partial(signed_text, SCORE)
    one, other = map(str, shown.question.heads)
    with st.expander(title):
        show_table(
            *in_columns(
                pairs.head(MOST_ROWS).to_dicts(),
                (one, who),
                (other, lambda row: shown.name(row["other"])),
                (say_in("a column", "games"), "games"),
                (say_in("a column", "hands"), "hands"),
                (say("above the field"), lambda row: signed(row["share"])),
                (say("of that, the pair’s own, 99 % interval"), own),
                (say("with all compared, at {share}", share=percent(NAMED_AT)), sure),
            ),
            name=say("{question} Every pair", question=shown.question.title),
        )
        said = say(
            "Above the field is what the side of both scores more than usual. Taken from it is "
            "what each brings with others and what their opponents bring, by least squares over "
            "all games. The interval goes by games: how far these scatter is seen in the pair’s "
            "own and, as {number} games more, in those of all pairs.",
            number=number(WORTH),
        )
        st.markdown(f"{said} {figures.definition_link('two-partners')}")
