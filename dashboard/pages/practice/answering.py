"""A question on the page once it is answered: the table open, and what each choice was worth."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.core import Replay
from tricklog.core.study import Refused, Value
from tricklog.core.study.branches import NoBranch, branch_of
from tricklog.core.study.hidden import HiddenGrade
from tricklog.core.study.questions import judging
from tricklog.core.study.questions.judging import Judged, cards_of
from tricklog.core.study.questions.known import Known
from tricklog.core.study.questions.moments import ASK, Kind, Moment
from tricklog.dashboard import card_table
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.hand_data import Data, makers_of, names_of, sign_of
from tricklog.dashboard.data.solving import solver_for
from tricklog.dashboard.kit.tables import Cell, Html, show_table
from tricklog.dashboard.pages.practice import session, telling, worked_out
from tricklog.dashboard.pages.practice.at_table import (
    frame_at,
    in_html,
    option_text,
    question_data,
    tags_html,
    trick_told,
    value_text,
)
from tricklog.dashboard.pages.practice.session import Page
from tricklog.dashboard.pages.practice.telling import CONTRACTS, Told
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.dashboard.text.refusals import why_not
from tricklog.schemas.cards import cards_in
from tricklog.schemas.hand import content_hash
from tricklog.schemas.languages.messages import say, say_counted, say_in
from tricklog.schemas.languages.numbers import number

_MOST_FOR_THE_FIELD: Final = 20_000
"""Hands of which the field is found out without being asked; of more it takes seconds."""
_SECONDS: Final = 0.4
"""The longest that the search for the whole rest of a hand may take."""


def show(page: Page, facts: DuckDBPyConnection) -> None:
    """Show what an answer was worth, beside what was done at the table."""
    answer = session.course().given[page.question]
    judged = judging.judge(page.replayed, page.moment, answer, solver_for)
    told = telling.verdict(judged, answer, page.replayed)
    left, right = st.columns([0.7, 0.3], gap="medium")
    with left:
        card_table.question_table(
            answered_data(page.replayed, page.moment, page.known, judged, answer, told)
        )
        _show_buttons(page)
    with right:
        _show_choices(page, judged, answer)
        _show_line(page, judged, answer)
        if page.moment.kind in CONTRACTS:
            takes_long = snapshot.totals()["hands"] > _MOST_FOR_THE_FIELD
            wanted = not takes_long or st.button(
                say("What others make of such cards"), key="practice-field"
            )
            hand_id = page.question.hand_id
            if wanted and (field := telling.field_html(facts, page.moment, hand_id)):
                st.html(field)
        if trouble := st.session_state.pop(session.TROUBLE, None):
            st.warning(as_markdown(trouble))
        session.show_progress(page.here)


def answered_data(
    replayed: Replay, moment: Moment, known: Known, judged: Judged, answer: str, told: Told
) -> Data:
    """Return a question that is answered, with all cards open and what the choices were worth."""
    is_set = judged.moment.kind == Kind.CARDS
    of_cards = is_set or judged.moment.kind == Kind.CARD
    cards = {
        name: names_of(cards_in(cards_of(text))) if of_cards and text != ASK else ""
        for name, text in (("picked", answer), ("played", judged.played))
    }
    question = {
        "title": say("Your choice"),
        "below": say("{place}, as {player}", place=known.place, player=sign_of(known.seat)),
        "lines": [*told.lines],
        "tone": told.tone,
        "cost": told.cost,
        "open": True,
        "tagged": not is_set,
        "links": _links(replayed, moment, answer),
        **cards,
    }
    told_data = question_data(moment, known, frame_at(moment, known), question)
    steps = [{"seat": known.seat, "told": "", "chosen": cards["played"]}]
    return told_data | {"steps": steps, "study": _study(replayed, judged, answer)}


def _links(replayed: Replay, moment: Moment, answer: str) -> list[Data]:
    """Return where to go from an answer: what if, and the whole hand; each with its key."""
    step: dict[str, str | int] = {urls.HAND: replayed.hand.id, urls.STEP: moment.index}
    listed = [("r", say("Whole hand"), step)]
    if moment.kind == Kind.CARD:
        branch = branch_text(moment, answer)
        listed.insert(0, ("w", say("What if from here"), step | {urls.TRY: branch}))
    return [
        {"key": key, "text": words, "to": f"{urls.STEPS_PATH}?{urlencode(query)}"}
        for key, words, query in listed
    ]


def branch_text(moment: Moment, answer: str) -> str:
    """Return the branch that begins with an answer: see ``tricklog.core.study.branches``."""
    return f"{moment.index}.{answer.removeprefix('play ')}"


def _study(replayed: Replay, judged: Judged, answer: str) -> Data | None:
    """Return the values of the choices as the card table takes them; ``None`` without any."""
    row, best = judged.row(answer), judged.best
    valued = [(each, _limits(each.value)) for each in judged.rows if each.value is not None]
    if not valued:
        return None
    move = {}
    if row is not None and row.value is not None and best is not None:
        move = {"before": _limits(best), "after": _limits(row.value), "loss": row.cost}
    choices = [
        {
            "cards": "" if each.text == ASK else each.text.removeprefix("play "),
            "shows": each.text == ASK,
            "value": limits,
            "cost": each.cost,
        }
        for each, limits in valued
    ]
    return {
        **makers_of(replayed, in_tricks=judged.unit == "tricks"),
        "unit": judged.unit,
        "need": judged.need,
        "most": max(judged.most, judged.need or 0),
        "values": [None if best is None else _limits(best)],
        "moves": {"0": move} if move else {},
        "choices": {"0": choices if judged.moment.kind == Kind.CARD else []},
    }


def _limits(value: Value) -> list[int]:
    return [value.low, value.high]


def _show_choices(page: Page, judged: Judged, answer: str) -> None:
    """Show every choice with its value, its cost, and how often others have chosen it."""
    moment, hashed = page.moment, content_hash(page.replayed.hand)
    others = telling.others(page.here.kept, hashed, page.question.action, session.name())
    has_grade = moment.kind == Kind.CARD and not judged.no_value
    hidden = None
    if has_grade and page.question in session.course().worked_out:
        hidden = worked_out.hidden_grade(page.replayed, moment)
    means = worked_out.choices_by_answer(hidden) if isinstance(hidden, HiddenGrade) else {}
    # Bids have a row only where somebody made them.
    every = moment.kind in (Kind.CARD, Kind.TRUMP)
    rows = [
        each
        for each in judged.rows
        if every or each.text in (answer, judged.played) or others[each.text] > 0 or each.cost == 0
    ]
    valued = any(each.value is not None for each in rows)
    opened, closed = say("makers’ points, cards open"), say("makers’ points, cards hidden")
    if judged.unit == "tricks":
        opened, closed = say("makers’ tricks, cards open"), say("makers’ tricks, cards hidden")
    cells: list[list[Cell]] = []
    for each in rows:
        tags = tags_html([each.text], answer, judged.played)
        option = in_html(option_text(moment, each.text), page.names)
        cost, found = "–" if each.cost is None else each.cost, means.get(each.text)
        line: list[Cell] = [Html(f"{option} {tags}")]
        line += [value_text(each), Html(f"<b>{cost}</b>")] if valued else []
        line += [number(found.mean, 1) if found else "–"] if means else []
        cells.append([*line, str(others[each.text] or "")])
    heads = [
        say_in("column of a table", "choice"),
        *([opened, say_in("column of a table", "cost")] if valued else []),
        *([closed] if means else []),
        say("chosen by others"),
    ]
    show_table(heads, cells, name=say("The choices"), tight=True)
    asked_of = sum(others.values())
    said = say("Nobody else has answered this.")
    if asked_of:
        said = say_counted(
            "Others: {count} who answered this.", "Others: {count} who answered this.", asked_of
        )
    st.html(f"<p class='tl-quiet'>{said}</p>")
    if has_grade:
        _show_hidden(page, judged, hidden)
    elif moment.kind in CONTRACTS:
        _show_calls(page, judged, answer)


def _show_calls(page: Page, judged: Judged, answer: str) -> None:
    """Show what calls and suits were worth, once somebody asks for it."""
    if page.question not in session.course().worked_out:
        about = say("Each as the last call, with all cards open.")
        _offer(page, say("Work out what each was worth"), about)
        return
    found = worked_out.worths(page.replayed, page.moment)
    if isinstance(found, str):
        told = say("These calls have no worth: {reason}.", reason=why_not(found))
        st.caption(as_markdown(told))
    else:
        worked_out.show_calls(found, page.moment, answer, judged.played)


def _show_hidden(page: Page, judged: Judged, found: HiddenGrade | str | None) -> None:
    if found is None:
        about = say(
            "What each card is worth on the average of deals that fit what the player knew."
        )
        _offer(page, say("Work out with cards hidden"), about)
    elif isinstance(found, str):
        reason = why_not(found)
        st.caption(
            as_markdown(say("With cards hidden there is no value: {reason}.", reason=reason))
        )
    else:
        told = in_html(worked_out.hidden_told(found, page.moment, judged.played), page.names)
        st.html(f'<p class="tl-quiet">{told}</p>')


def _offer(page: Page, label: str, about: str) -> None:
    work_out = session.course().worked_out.add
    session.button(label, "hidden", work_out, page.question, shortcut="h", help=about)


def _show_line(page: Page, judged: Judged, answer: str) -> None:
    """Show how the hand goes on from the answer when everybody plays cards that cost nothing."""
    row = judged.row(answer)
    if page.moment.kind != Kind.CARD or row is None or row.value is None:
        return
    text = branch_text(page.moment, answer)
    try:
        with solver_for(page.replayed) as solver:
            branch = branch_of(page.replayed, text, best=solver, seconds=_SECONDS).replayed
    except (NoBranch, Refused):
        return
    tricks = branch.tricks[len(page.known.tricks) :]
    told = [trick_told(each, page.known.seat) for each in tricks]
    if branch.at(len(branch)).phase != "over":
        told.append(say("and so on"))
    title = say("How it goes on with best play: makers {total}", total=value_text(row))
    rows = "".join(f"<p>{in_html(each, page.names)}</p>" for each in told)
    st.html(f'<details class="tl-known" open><summary>{title}</summary>{rows}</details>')


def _show_buttons(page: Page) -> None:
    question = page.question
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="practice-buttons"
    ):
        looks = {"type": "primary", "shortcut": "Enter"}
        session.button(say_in("a button", "Next"), "next", session.leave_question, **looks)
        with st.popover(say("Copy as a question")):
            st.caption(say("This address asks the same question, and does not say the answer."))
            st.code(session.address_of(question), language=None, wrap_lines=True)
        session.button(
            say("Remove my answer"),
            "remove",
            *(session.take_back, question),
            help=say("It is not counted any more, and you are asked again."),
        )
