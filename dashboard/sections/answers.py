"""First answers of the overview: one for each question and game, with how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.kit.figures import games_played
from tricklog.dashboard.sections.front_questions import QUESTIONS, Asked, Compared, filters_of
from tricklog.dashboard.sections.same_cards import GAMES
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.naming import NAMED_AT, corrected
from tricklog.ingest.sessions.words import hands_text
from tricklog.schemas.languages.messages import message, message_in, say, translated

MOST_AT_ONCE: Final = 100_000
"""Hands of which the field is found out for the front page; of more it takes seconds."""
TOGETHER: Final = ""
"""In the place of a variant: all of them, each compared within itself."""
MOST_LOOKED_BACK: Final = 20_000
"""Hands of which all is answered twice, to say what has changed."""
LIKELY_AT: Final = 0.2
_CROWDED: Final = 200
"""Players of whom those at the same place are drawn once."""


class Certainty(StrEnum):
    """How sure it is that somebody differs from the others, with all of them compared."""

    SURE = "sure"
    LIKELY = "likely"
    CANNOT_TELL = "cannot tell yet"


DOTS: Final = dict(zip(Certainty, ("●●", "●○", "○○"), strict=True))
CERTAINTIES: Final = {
    Certainty.SURE: message_in("how sure an answer is", "sure"),
    Certainty.LIKELY: message_in("how sure an answer is", "likely"),
    Certainty.CANNOT_TELL: message_in("how sure an answer is", "cannot tell yet"),
}
"""What people are shown of each."""
MEANINGS: Final = message(
    "“Sure”: with all players, questions and games of this page compared, chance alone would name "
    "somebody in at most {sure} of 100 clubs whose players are all alike. “Likely”: in at most "
    "{likely}. Rings are the other players, the line in the middle is the field, the bar is the "
    "interval of the difference: 95 % for ratings, bids and play, 99 % for all else. Bids and play "
    "are those of the kind of table with the most contracts; over all games, of the {games} with "
    "the most.",
    sure=f"{NAMED_AT * 100:.0f}",
    likely=f"{LIKELY_AT * 100:.0f}",
    games=GAMES,
)


def show_answers(facts: DuckDBPyConnection) -> None:
    """Show a table: a row for each question, a column for each game that has an answer."""
    games = games_played(facts)
    questions, hands = _columns(games)
    answers = _answered(facts, questions, hands, EVERYTHING)
    answered, played = {title for title, _ in answers}, {variant for _, variant in answers}
    asked = [each for each in questions if each.title in answered]
    if answers:
        first, *others = (each for each in hands if each in played)
        table = _table_html(asked, {first: hands[first]}, answers)
        folded = {say("How sure is “sure”?"): f'<p class="tl-quiet">{as_html(str(MEANINGS))}</p>'}
        if others:
            each_game = _table_html(asked, {other: hands[other] for other in others}, answers)
            folded = {say("Each game for itself"): each_game, **folded}
        details = (
            f"<details><summary>{as_html(title)}</summary>{inside}</details>"
            for title, inside in folded.items()
        )
        st.html("".join([table, *details]))
    unanswered = [each.title for each in questions if each not in asked]
    few = [say("“{question}”", question=translated(each)) for each in unanswered]
    if answers:
        left = [each for each in hands if each and each not in played]
        few += [say("anything of {game}", game=_title(each)) for each in left]
    if few:
        said = say("There are too few games yet to answer {questions}.", questions=", ".join(few))
        st.caption(as_markdown(said))
    if len(questions) < len(QUESTIONS):
        st.page_link(
            urls.PLAYERS,
            label=say(
                ":blue[Who is the better player? Of so many hands it is counted when you ask.]"
            ),
            query_params=urls.whose_parameter(),
        )
        st.page_link(
            urls.BIDS,
            label=say(
                ":blue[Who bids too much, and who loses it in the play? Of so many hands it is "
                "counted when you ask.]"
            ),
            query_params={urls.VIEW: "same-cards"} | urls.whose_parameter(),
        )
    if len(games) > GAMES:
        st.caption(
            say(
                "The {shown} games played most, of {all}. Bid accuracy, Point capture and Players "
                "answer for the others: choose a variant there.",
                shown=GAMES,
                all=len(games),
            )
        )


def changed_answers(facts: DuckDBPyConnection, before: date) -> list[str] | None:
    """Return what has become sure since a day, or is no more, each as a sentence in HTML.

    Both are answers of the same page, each corrected for all that is compared on it. ``None``
    where hands are too many to answer everything twice.
    """
    games = games_played(facts)
    if games["n"].sum() > MOST_LOOKED_BACK:
        return None
    questions, hands = _columns(games)
    until = Filters(until=before)
    now, then = (_answered(facts, questions, hands, days) for days in (EVERYTHING, until))
    said = []
    for (title, variant), here in now.items():
        there, game = then.get((title, variant)), as_html(_title(variant))
        was_sure = there is not None and there.certainty == Certainty.SURE
        same = there is not None and there.player == here.player
        if here.certainty == Certainty.SURE and not (was_sure and same):
            told = here.compared.said(here.name, here.first).rstrip(".")
            answer = say("{game}: {answer}. This is <b>now sure</b>.", game=game, answer=told)
            said.append(answer)
        elif there and was_sure and not same:
            said.append(
                say(
                    "{game}: {question} <b>{player}</b>, it was said; that is <b>no longer "
                    "sure</b>.",
                    game=game,
                    question=as_html(translated(title)),
                    player=there.name,
                )
            )
    return said


def _columns(games: pl.DataFrame) -> tuple[list[Asked], dict[str, int]]:
    """Return the questions that are answered, and the games with a column, with their hands."""
    whole = int(games["n"].sum())
    hands: dict[str, int] = dict(games.head(GAMES).iter_rows())
    if len(games) > 1:
        hands = {TOGETHER: whole, **hands}
    at_once = whole <= MOST_AT_ONCE
    return [each for each in QUESTIONS if at_once or not each.takes_long], hands


@dataclass(frozen=True, slots=True)
class Judged:
    """Who is furthest out in an answer, and how sure that is."""

    compared: Compared
    player: str
    name: str
    """As HTML."""
    first: Mapping[str, Any]
    others: list[float]
    """How far the others are from the field."""
    certainty: Certainty


def _answered(
    facts: DuckDBPyConnection, questions: list[Asked], hands: Mapping[str, int], days: Filters
) -> dict[tuple[str, str], Judged]:
    """Return the answers by question and variant, corrected for all that is compared."""
    answers = {
        (each.title, variant): (each, compared)
        for each in questions
        for variant in hands
        if (compared := each.compare(facts, variant, days)) and not compared.rows.is_empty()
    }
    chances = iter(corrected([p for _, each in answers.values() for p in each.rows["p"]]))
    labels = labels_of(facts, "player")
    judged = {}
    for key, (asked, compared) in answers.items():
        own = [next(chances) for _ in range(len(compared.rows))]
        rows = compared.rows.with_columns(p=pl.Series(own, dtype=pl.Float64))
        rows = rows.sort("value", descending=asked.sign > 0)
        outside = pl.col("value") * asked.sign >= pl.col("size")
        if asked.surest:
            rows = rows.sort(~outside, "p", maintain_order=True)
        first = rows.row(0, named=True)
        certainty = Certainty.CANNOT_TELL
        if first["value"] * asked.sign >= first["size"] and first["p"] < LIKELY_AT:
            certainty = Certainty.SURE if first["p"] < NAMED_AT else Certainty.LIKELY
        player, others = first["player"], rows["value"].to_list()[1:]
        name = name_html(labels.get(player, player))
        judged[key] = Judged(compared, player, name, first, others, certainty)
    return judged


def _table_html(
    asked: list[Asked], hands: dict[str, int], answers: dict[tuple[str, str], Judged]
) -> str:
    heads = "".join(
        f'<div class="tl-answer-game" role="columnheader">{as_html(_title(variant))} '
        f"<span>{hands_text(n)}</span></div>"
        for variant, n in hands.items()
    )
    rows = []
    for each in asked:
        of_game = (_cell_html(each, game, answers.get((each.title, game))) for game in hands)
        rows.append(
            '<div class="tl-answer-row" role="row">'
            '<div class="tl-answer-question" role="rowheader"><b>'
            f"{as_html(translated(each.title))}</b><span>{as_html(str(each.sentence))}</span></div>"
            f"{''.join(of_game)}</div>"
        )
    return (
        f'<div class="tl-answers{" tl-one-game" if len(hands) == 1 else ""}" role="table" '
        f'aria-label="{as_html(say("Answers for each game"))}" '
        f'style="--tl-games: {len(hands)}"><div class="tl-answer-row" role="row">'
        f'<div class="tl-answer-game" role="columnheader">{as_html(say("question"))}</div>'
        f"{heads}</div>{''.join(rows)}</div>"
    )


def _title(variant: str) -> str:
    return snapshot.titles().get(variant, variant) if variant else say("All games")


def _cell_html(asked: Asked, variant: str, judged: Judged | None) -> str:
    title = f'<p class="tl-answer-of">{as_html(_title(variant))}</p>'
    if judged is None:
        text = say("There are too few games to compare yet.")
        return f'<div class="tl-answer" role="cell">{title}<p>{text}</p></div>'
    first, certainty, name = judged.first, judged.certainty, judged.name
    address, said = asked.leads_to(variant), ""
    if certainty == Certainty.CANNOT_TELL:
        strip = _strip_html([first["value"], *judged.others], None, "")
    else:
        said = f"<p>{judged.compared.said(name, first)}</p>"
        strip = _strip_html(judged.others, first, name)
        if asked.own_view:
            of_game, own = Chosen(filters_of(variant)), {urls.VIEW: asked.own_view}
            address = addresses.of_page(addresses.PLAYERS, of_game, own, player=first["player"])
    sure = as_html(str(CERTAINTIES[certainty]))
    aloud = f"{sure}: {as_html(str(asked.link))}, {as_html(judged.compared.cases)}"
    return (
        f'<div class="tl-answer" role="cell">{title}{said}{strip}<p class="tl-answer-foot">'
        f'<i aria-hidden="true">{DOTS[certainty]}</i> '
        f'<a href="{as_html(address)}" title="{aloud}" aria-label="{aloud}">{sure}</a></p></div>'
    )


def _strip_html(others: list[float], named: Mapping[str, Any] | None, name: str) -> str:
    ends = [abs(each) for each in others]
    ends += [abs(named[each]) for each in ("low", "value", "high")] if named else []
    most = max(ends, default=0.0) * 1.05 or 1.0

    def at(value: float) -> str:
        return f"left:{50 + 50 * value / most:.1f}%"

    places = [*map(at, others)]
    # Of very many most lie on each other.
    drawn = dict.fromkeys(places) if len(places) > _CROWDED else places
    marks = "".join(f'<s style="{each}"></s>' for each in drawn)
    if named:
        width = 50 * (named["high"] - named["low"]) / most
        marks += f'<u style="{at(named["low"])};width:{width:.1f}%"></u>'
        marks += f'<b style="{at(named["value"])}"></b><q style="{at(named["value"])}">{name}</q>'
    return f'<span class="tl-strip" aria-hidden="true"><i></i>{marks}</span>'
