"""Practice: decisions of recorded hands asked again, without what came of them."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st
from duckdb import DuckDBPyConnection
from streamlit.delta_generator import DeltaGenerator

from tricklog.core.study.questions.known import known_at
from tricklog.core.study.questions.moments import moment_at
from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, figures
from tricklog.dashboard.kit.choices import choose_in_box
from tricklog.dashboard.kit.page_parts import refusals_said
from tricklog.dashboard.kit.tables import Cell, Link, show_table
from tricklog.dashboard.pages.practice import answering, asking, session
from tricklog.dashboard.pages.practice.finding import (
    FIRST_LOOK,
    LONG_LOOK,
    THEMES,
    TOPICS,
    Asked,
    Questions,
    Topic,
    Wanted,
    questions,
    theme_words,
)
from tricklog.dashboard.sections.work_panel import offer_solving
from tricklog.dashboard.text.escaping import as_html, as_markdown
from tricklog.dashboard.text.refusals import why_not
from tricklog.ingest.metrics import METRIC
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.theme_costs import cells as theme_cells
from tricklog.ingest.metrics.theme_costs import heads as theme_heads
from tricklog.ingest.metrics.theme_costs import theme_costs
from tricklog.ingest.metrics.themes import NO_PAIR
from tricklog.ingest.store import userdata
from tricklog.ingest.store.userdata import UserDataError
from tricklog.schemas.languages.messages import say, say_in, translated
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.render import player_labels
from tricklog.schemas.words import hands_counted

WHO: Final = urls.PRACTICE_WHO
GAME: Final = urls.PRACTICE_GAME
TOPIC: Final = urls.PRACTICE_TOPIC
"""Parameters and keys: whose decisions, of which game, and which of them."""
_LISTED: Final = "practice-listed"


def show() -> None:
    """Show the question of the address, or the next one of the list that is chosen."""
    parameters.knows(urls.HAND, urls.ACTION)
    parameters.allows_if(urls.ACTION, parameters.is_digits)
    facts = snapshot.facts()
    people = labels_of(facts, "player")
    if not people:
        st.info(say("There is no player yet whose decisions could be asked."))
        return
    with st.container(horizontal=True, vertical_alignment="center", key="practice-head"):
        head = st.container(width="stretch")
        with st.popover(say("Choose questions")):
            wanted = _choose(people)
    kept: list[userdata.Answer] = []
    try:
        kept = userdata.answers(snapshot.user_folder())
    except UserDataError as error:
        st.warning(as_markdown(str(error)))
    title = f"{people[wanted.player]}: {wanted.topic_words}"
    for seconds in (0.0, LONG_LOOK):
        found = _listed(facts, wanted, seconds)
        here = session.Here(found.listed, kept, title)
        current = _current(here)
        if current is not None or not found.can_look_on:
            break
    if current is None:
        head.html(_head_html(""))
        _show_end(here, found)
    else:
        _show_question(facts, here, current, head)
    _show_source(found, wanted)


def _choose(people: dict[str, str]) -> Wanted:
    """Let the viewer choose whose decisions are asked, and under which name they answer."""
    titles = dict(sorted(snapshot.titles().items(), key=lambda each: each[1]))
    games, topics = {"": say("all games"), **titles}, (*TOPICS, *THEMES)

    def topic_words(topic: str) -> str:
        return theme_words(topic) if topic in THEMES else translated(TOPICS[Topic(topic)])

    who = choose_in_box(say("Whose decisions"), WHO, people, people.__getitem__)
    game = choose_in_box(say_in("a game of cards", "Game"), GAME, games, games.__getitem__)
    topic = choose_in_box(say_in("which questions", "Which"), TOPIC, topics, topic_words)
    st.text_input(
        say("You answer as"),
        key=session.NAME,
        max_chars=userdata.LONGEST_NAME,
        placeholder=say("no name"),
        persist_state="session",
        help=say(
            "Answers are kept beside the warehouse under this name, so that several people can "
            "answer the same questions. They are in no figure."
        ),
    )
    st.button(say_in("a button", "Begin"), type="primary", on_click=session.leave_question)
    if topic in THEMES:
        return Wanted(who, game, Topic.THEME, topic)
    return Wanted(who, game, Topic(topic))


def _listed(facts: DuckDBPyConnection, wanted: Wanted, seconds: float) -> Questions:
    """Return the list of questions, which keeps its order while it is answered.

    While it is short, more hands are looked through each time a question is done with; with
    ``seconds`` also now, for so long.
    """
    key = (wanted, snapshot.key())
    kept: dict[Any, Questions] = st.session_state.setdefault(_LISTED, {})
    before = kept.get(key)
    if before is None:
        kept.clear()
        kept[key] = questions(facts, wanted, seconds=seconds)
    elif seconds or (before.may_grow and not parameters.get(urls.HAND)):
        more = questions(facts, wanted, seconds=seconds or FIRST_LOOK)
        kept[key] = before.with_more(more)
    return kept[key]


def _current(here: session.Here) -> Asked | None:
    hand_id = parameters.get(urls.HAND)
    text = parameters.get(urls.ACTION)
    if hand_id and parameters.is_digits(text):
        return Asked(hand_id, int(text))
    following = here.following()
    if following is not None:
        session.open_question(following)
    return following


def _show_question(
    facts: DuckDBPyConnection, here: session.Here, current: Asked, head: DeltaGenerator
) -> None:
    try:
        replayed = snapshot.replayed_hand(current.hand_id)
    except LookupError as error:
        st.error(as_markdown(str(error)))
        st.button(say("Next question"), on_click=session.leave_question)
        return
    moment = moment_at(replayed, current.action)
    if moment is None:
        st.info(say("At that step nobody has a choice that can be asked."))
        st.button(say("Next question"), on_click=session.leave_question)
        return
    head.html(_head_html(here.place_of(current)))
    names = player_labels(replayed.hand)
    page = session.Page(here, current, replayed, moment, known_at(moment), names)
    if current not in session.course().given:
        asking.show(page)
    else:
        answering.show(page, facts)


def _head_html(told: str) -> str:
    return f'<div class="tl-head"><h2>{say("Practice")}</h2><p>{as_html(told)}</p></div>'


def _show_end(here: session.Here, found: Questions) -> None:
    # Some reasons are sentences with a full stop.
    reason = found.why_none.removesuffix(".")
    why_none = as_markdown(why_not(reason) + found.why_none[len(reason) :])
    if found.why_none and found.is_stored:
        offer_solving(why_none)
    elif found.why_none:
        st.info(why_none)
    elif here.listed:
        st.success(
            say(
                "All {count} questions of this list are answered or skipped.",
                count=len(here.listed),
            )
        )
        session.show_progress(here)
        with st.container(horizontal=True, gap="small"):
            st.button(say("Ask those skipped again"), on_click=session.forget_skipped)
            if dear := here.not_right_yet():
                label = say("Ask again what cost something, until it does not")
                session.button(label, "again", session.begin_again, dear)
    else:
        st.info(
            say("No such decision was found. Choose other questions, or look through more hands.")
        )


def _show_source(found: Questions, wanted: Wanted) -> None:
    values = {"looked": hands_counted(found.looked), "all": number(found.hands)}
    told = (
        say("From {looked} of {all}: the solved hands.", **values)
        if found.is_stored
        else say("From {looked} of {all}: the latest hands.", **values)
    )
    meaning = say(
        "With all cards open everybody sees every card; nobody at the table does. Answers stay in "
        "the file of your own and are in no figure."
    )
    with st.container(horizontal=True, vertical_alignment="center", key="practice-source"):
        st.caption(f"{told} {meaning}")

        def begin_again() -> None:
            """Look through more hands, and make the list of what cost most in all of them."""
            del st.session_state[_LISTED]
            _listed(snapshot.facts(), wanted, LONG_LOOK)
            session.leave_question()

        if found.can_look_on:
            st.button(say("Look through more hands"), on_click=begin_again)
    if st.toggle(say("What costs most, by theme"), key="practice-themes"):
        _show_themes(snapshot.facts(), wanted, is_offered=bool(found.why_none))


@refusals_said()
def _show_themes(facts: DuckDBPyConnection, wanted: Wanted, *, is_offered: bool) -> None:
    """Show what the player loses by theme, the dearest first, with the way to its questions."""
    filters = Filters.of({"variant": wanted.variant} if wanted.variant else {})
    frame = snapshot.kept(theme_costs, facts, wanted.player, filters)
    if frame.is_empty():
        said = say("No decision of this player is solved.")
        # Once on a page is enough.
        if is_offered:
            st.info(said)
        else:
            offer_solving(said)
        return
    rows = [_theme_row(each, wanted, filters) for each in frame.iter_rows(named=True)]
    show_table(theme_heads(), rows, name=say("What costs most, by theme"))
    st.caption(
        say(
            "With all cards open. Each choice that cost something is of the first theme that fits, "
            "so that points and shares add up. A chance is a decision in which the theme could "
            "have cost something; others are held to the same roles. The name of a theme may give "
            "the answer away."
        )
    )


def _theme_row(row: dict[str, Any], wanted: Wanted, filters: Filters) -> tuple[Cell, ...]:
    name, _, _, share, _, *others = theme_cells(row)
    theme: Cell = name
    if row["times"] and row["theme"] == NO_PAIR.title:
        # To declare is never worse, so that this is no question; there are the hands instead.
        picked = {"player": wanted.player, "theme": row["theme"]}
        cost = METRIC["cost-per-decision"]
        theme = figures.link_to_hands(Chosen(filters), name, cost, picked)
    elif row["times"] and row["theme"] in THEMES:
        address = addresses.of_practice(wanted.player, wanted.variant, row["theme"])
        theme = Link(name, address)
    chances = "–" if row["chances"] is None else row["chances"]
    return theme, row["times"], round(row["lost"]), share, chances, *others


show()
