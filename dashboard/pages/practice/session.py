"""Where a viewer stands in a list of questions: what is open, answered and passed over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from statistics import fmean
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import streamlit as st

from tricklog.core import Replay
from tricklog.core.study.questions.known import Known
from tricklog.core.study.questions.moments import Moment
from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.pages.practice.finding import Asked
from tricklog.ingest.store import userdata
from tricklog.ingest.store.userdata import Answer, UserDataError
from tricklog.schemas.hand import content_hash
from tricklog.schemas.languages.messages import say, say_counted
from tricklog.schemas.languages.numbers import number

NAME: Final = "practice-name"
"""Key: the name that answers are kept under."""
CHOSEN: Final = "practice-chosen"
"""Key: what is marked and not played yet: the question, and an answer or a set of cards."""
TROUBLE: Final = "practice-trouble"
_COURSE: Final = "practice-course"


@dataclass(slots=True)
class Course:
    """What a viewer has done with questions since they opened the page."""

    given: dict[Asked, str] = field(default_factory=dict)
    """Their answers."""
    skipped: set[Asked] = field(default_factory=set)
    """What was passed over; action -1 stands for all questions of a hand."""
    hinted: set[Asked] = field(default_factory=set)
    worked_out: set[Asked] = field(default_factory=set)
    """Those of which they asked for what takes a second or two."""
    again: list[Asked] = field(default_factory=list)
    """Those that are asked again until an answer costs nothing."""
    right: set[Asked] = field(default_factory=set)
    """Those that were answered without cost when asked again."""


def course() -> Course:
    """Return what the viewer has done so far."""
    found: Course = st.session_state.setdefault(_COURSE, Course())
    return found


@dataclass(frozen=True, slots=True)
class Here:
    """A list of questions, and all answers that are kept."""

    listed: tuple[Asked, ...]
    kept: Sequence[Answer]
    title: str
    """Whose questions they are, and which."""

    def following(self) -> Asked | None:
        """Return the next question that is neither answered nor passed over, or to be right."""
        skipped = course().skipped
        hands = {each.hand_id for each in skipped if each.action < 0}
        return next(
            (
                each
                for each in self.listed
                if each not in skipped and each.hand_id not in hands and self.answered(each) is None
            ),
            next((each for each in course().again if each not in skipped), None),
        )

    def not_right_yet(self) -> list[Asked]:
        """Return the questions of which the first answer cost something, and no later one nothing.

        Later answers are known while the page is open.
        """
        return [
            each
            for each in self.listed
            if (first := self.answered(each)) and first.loss and each not in course().right
        ]

    def answered(self, question: Asked) -> Answer | None:
        """Return the answer to a question that the viewer has given, now or at another time."""
        action, who = question.action, name()
        mine = [each for each in self.kept if each.action == action and each.who == who]
        if not mine:
            return None
        hashed = content_hash(snapshot.replayed_hand(question.hand_id).hand)
        return next((each for each in mine if each.content_hash == hashed), None)

    def place_of(self, question: Asked) -> str:
        """Return where a question stands in the list: ``3 of 10``."""
        if question not in self.listed:
            return say("a question by link")
        place = self.listed.index(question) + 1
        of_all = say("{place} of {all}", place=place, all=len(self.listed))
        return f"{self.title} · {of_all}"


@dataclass(frozen=True, slots=True)
class Page:
    """A question that is shown."""

    here: Here
    question: Asked
    replayed: Replay
    """The whole hand, of which nothing may be shown before the answer."""
    moment: Moment
    known: Known
    names: list[str]


def name() -> str:
    """Return the name that the viewer answers under; empty without one."""
    return " ".join(str(st.session_state.get(NAME) or "").split())


def button(
    label: str,
    key: str,
    do: Callable[..., None],
    *given: object,
    **looks: Any,  # noqa: ANN401 - as Streamlit has it
) -> None:
    """Show a button of the page that calls ``do`` with what is given."""
    st.button(label, key=f"practice-{key}", on_click=do, args=given, **looks)


# --- Going from question to question


def open_question(question: Asked) -> None:
    """Put a question into the address; one that is asked again begins without an answer."""
    if question in course().again:
        course().given.pop(question, None)
    parameters.put(urls.HAND, question.hand_id)
    parameters.put(urls.ACTION, str(question.action))


def leave_question() -> None:
    """Go on to the next question of the list."""
    for key in (urls.HAND, urls.ACTION):
        parameters.put(key)


def skip(*questions: Asked) -> None:
    """Pass questions over; one of action -1 stands for all of a hand that is remembered."""
    course().skipped.update(questions)
    leave_question()


def forget_skipped() -> None:
    """Ask again what was passed over."""
    course().skipped.clear()
    leave_question()


def begin_again(questions: list[Asked]) -> None:
    """Ask questions again, each until its answer costs nothing."""
    course().again = questions
    leave_question()


def note_cost(question: Asked, cost: int | None) -> None:
    """Note what an answer cost: if it is asked again and cost something, it comes once more."""
    again = course().again
    if question in again:
        again.remove(question)
        if cost:
            again.append(question)
        else:
            course().right.add(question)


def address_of(question: Asked) -> str:
    """Return the whole address of a question, without its answer."""
    here = urlsplit(st.context.url or "")
    query = urlencode({urls.HAND: question.hand_id, urls.ACTION: question.action})
    return f"{here.scheme}://{here.netloc}/{urls.PRACTICE_PATH}?{query}"


# --- Answers


def keep(answer: Answer) -> None:
    """Keep an answer in the file of what users write."""
    try:
        userdata.keep_answer(snapshot.user_folder(), answer)
    except UserDataError as error:
        st.session_state[TROUBLE] = str(error)


def take_back(question: Asked) -> None:
    """Remove the viewer's answer to a question, here and in the file."""
    course().given.pop(question, None)
    try:
        hashed = content_hash(snapshot.hand(question.hand_id))
        userdata.forget_answer(snapshot.user_folder(), hashed, question.action, name())
    except (UserDataError, LookupError) as error:
        st.session_state[TROUBLE] = str(error)


# --- How far one has come


def show_progress(here: Here) -> None:
    """Show how many questions of the list are answered, and what the answers cost in the mean."""
    found = [here.answered(each) for each in here.listed]
    answers = [each for each in found if each is not None]
    if not answers:
        return
    looks = {0: "tl-marked tl-one", None: ""}
    boxes = "".join(
        f'<i class="{looks.get(each.loss, "tl-marked tl-two") if each else "tl-few"}"></i>'
        for each in found
    )
    told = say("{answered} of {all} answered", answered=len(answers), all=len(found))
    own_costs = [each.loss for each in here.kept if each.who == name()]
    if streak := len([*takewhile(lambda loss: loss == 0, reversed(own_costs))]):
        told += " · " + say_counted(
            "the last one cost nothing", "{count} in a row cost nothing", streak
        )
    costs = [
        (each.loss, each.table_loss)
        for each in answers
        if each.loss is not None and each.table_loss is not None and each.unit == "points"
    ]
    mean = ""
    if costs:
        own, table = map(fmean, zip(*costs, strict=True))
        said = say(
            "{free} cost nothing. In the mean your answers cost {own} points with all cards open, "
            "what was played at the table {table} (n = {count}).",
            free=sum(each.loss == 0 for each in answers),
            own=number(own, 1),
            table=number(table, 1),
            count=len(costs),
        )
        mean = f"<p>{said}</p>"
    st.html(f'<div class="tl-known"><p>{told}</p><div class="tl-squares">{boxes}</div>{mean}</div>')
