"""A question on the page once it is answered: the table open, and what each choice was worth."""

from __future__ import annotations

from typing import Final, NamedTuple

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.core.study import Refused
from tricklog.core.study.branches import NoBranch, branch_of
from tricklog.core.study.hidden import HiddenChoice, HiddenGrade
from tricklog.core.study.questions import judging
from tricklog.core.study.questions.judging import Judged, Worth
from tricklog.core.study.questions.moments import Kind
from tricklog.dashboard import card_table
from tricklog.dashboard.data.solving import solver_for
from tricklog.dashboard.kit.tables import Cell, Html, show_table
from tricklog.dashboard.pages.practice import session, telling, worked_out
from tricklog.dashboard.pages.practice.at_table import answered_data, branch_text
from tricklog.dashboard.pages.practice.finding import Asked
from tricklog.dashboard.pages.practice.phrases import (
    in_html,
    option_text,
    played_tag,
    trick_told,
    value_text,
    you_tag,
)
from tricklog.dashboard.pages.practice.session import Page
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.schemas.hand import content_hash
from tricklog.schemas.languages.messages import say, say_counted, say_in
from tricklog.schemas.languages.numbers import number

_HIDDEN: Final = "practice-hidden-asked"
_SECONDS: Final = 0.4
"""The longest that the search for the whole rest of a hand may take."""


def show(page: Page, facts: DuckDBPyConnection) -> None:
    """Show what an answer was worth, beside what was done at the table."""
    answer = session.answer_to(page.question) or ""
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
        _show_field(page, facts)
        if trouble := st.session_state.pop(session.TROUBLE, None):
            st.warning(as_markdown(trouble))
        session.show_progress(page.here)


def _show_choices(page: Page, judged: Judged, answer: str) -> None:
    """Show every choice with its value, its cost, and how often others have chosen it."""
    others = telling.others(
        page.here.kept,
        content_hash(page.replayed.hand),
        page.question.action,
        session.name(),
    )
    hidden = _hidden(page, judged)
    means = worked_out.choices_by_answer(hidden) if isinstance(hidden, HiddenGrade) else {}
    rows = [each for each in judged.rows if _is_shown(each, judged, answer, others[each.text])]
    valued = any(each.value is not None for each in rows)
    beside = [_Beside(others[each.text], valued, means) for each in rows]
    show_table(
        _heads(judged, is_valued=valued, has_means=bool(means)),
        [_row(page, *each, judged, answer) for each in zip(rows, beside, strict=True)],
        name=say("The choices"),
        tight=True,
    )
    asked_of = sum(others.values())
    said = (
        say_counted(
            "Others: {count} who answered this.", "Others: {count} who answered this.", asked_of
        )
        if asked_of
        else say("Nobody else has answered this.")
    )
    st.html(f"<p class='tl-quiet'>{said}</p>")
    _show_hidden(page, judged, hidden)
    _show_calls(page, judged, answer)


def _heads(judged: Judged, *, is_valued: bool, has_means: bool) -> list[str]:
    """Return the heads of the table of choices."""
    in_tricks = judged.unit == "tricks"
    heads = [say_in("column of a table", "choice")]
    if is_valued:
        open_ = (
            say("makers’ tricks, cards open") if in_tricks else say("makers’ points, cards open")
        )
        heads += [open_, say_in("column of a table", "cost")]
    if has_means:
        heads.append(
            say("makers’ tricks, cards hidden")
            if in_tricks
            else say("makers’ points, cards hidden")
        )
    return [*heads, say("chosen by others")]


def _show_calls(page: Page, judged: Judged, answer: str) -> None:
    """Show what calls and suits were worth, once somebody asks for it."""
    if not worked_out.can_call(page.moment):
        return
    asked_for: set[Asked] = st.session_state.get(_HIDDEN, set())
    if page.question not in asked_for:
        st.button(
            say("Work out what each was worth"),
            key="practice-hidden",
            shortcut="h",
            on_click=_ask_for_hidden,
            args=(page.question,),
            help=say("Each as the last call, with all cards open."),
        )
        return
    found = worked_out.worths(page.replayed, page.moment)
    if isinstance(found, str):
        st.caption(as_markdown(say("These calls have no worth: {reason}.", reason=found)))
    else:
        worked_out.show_calls(found, page.moment, answer, judged.played)


def _hidden(page: Page, judged: Judged) -> HiddenGrade | str | None:
    """Return the grade with cards hidden once it was asked for; ``None`` before."""
    asked_for: set[Asked] = st.session_state.get(_HIDDEN, set())
    if page.question not in asked_for or judged.no_value:
        return None
    return worked_out.hidden_grade(page.replayed, page.moment)


def _show_hidden(page: Page, judged: Judged, found: HiddenGrade | str | None) -> None:
    if judged.no_value or not worked_out.can_grade(page.moment):
        return
    if found is None:
        st.button(
            say("Work out with cards hidden"),
            key="practice-hidden",
            shortcut="h",
            on_click=_ask_for_hidden,
            args=(page.question,),
            help=say(
                "What each card is worth on the average of deals that fit what the player knew."
            ),
        )
    elif isinstance(found, str):
        st.caption(as_markdown(say("With cards hidden there is no value: {reason}.", reason=found)))
    else:
        told = in_html(worked_out.hidden_told(found, page.moment, judged.played), page.names)
        st.html(f'<p class="tl-quiet">{told}</p>')


def _ask_for_hidden(question: Asked) -> None:
    st.session_state.setdefault(_HIDDEN, set()).add(question)


def _is_shown(row: Worth, judged: Judged, answer: str, others: int) -> bool:
    """Return whether a choice has a row: bids only where somebody made them."""
    if judged.moment.kind in (Kind.CARD, Kind.TRUMP):
        return True
    return row.text in (answer, judged.played) or others > 0 or row.cost == 0


class _Beside(NamedTuple):
    """What stands in the row of a choice beside it."""

    others: int
    is_valued: bool
    means: dict[str, HiddenChoice]
    """With cards hidden, by answer; empty until asked for."""


def _row(page: Page, row: Worth, beside: _Beside, judged: Judged, answer: str) -> list[Cell]:
    tags = you_tag() if row.text == answer else ""
    tags += played_tag() if row.text == judged.played else ""
    option = in_html(option_text(page.moment, row.text, row.words), page.names)
    cells: list[Cell] = [Html(f"{option} {tags}")]
    if beside.is_valued:
        cost = "–" if row.cost is None else str(row.cost)
        cells += [value_text(row), Html(f"<b>{cost}</b>")]
    if beside.means:
        found = beside.means.get(row.text)
        cells.append(number(found.mean, 1) if found else "–")
    return [*cells, str(beside.others or "")]


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


def _show_field(page: Page, facts: DuckDBPyConnection) -> None:
    if page.moment.kind not in (Kind.CALL, Kind.TRUMP):
        return
    wanted = not telling.field_takes_long() or st.button(
        say("What others make of such cards"), key="practice-field"
    )
    if wanted and (told := telling.field_html(facts, page.moment, page.question.hand_id)):
        st.html(told)


def _show_buttons(page: Page) -> None:
    question = page.question
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="practice-buttons"
    ):
        st.button(
            say_in("a button", "Next"),
            key="practice-next",
            type="primary",
            shortcut="Enter",
            on_click=session.leave_question,
        )
        with st.popover(say("Copy as a question")):
            st.caption(say("This address asks the same question, and does not say the answer."))
            st.code(session.address_of(question), language=None, wrap_lines=True)
        st.button(
            say("Remove my answer"),
            key="practice-remove",
            on_click=session.take_back,
            args=(question,),
            help=say("It is not counted any more, and you are asked again."),
        )
