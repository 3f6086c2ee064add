"""What choices are worth as far as their player could know: the second grade, asked for by a click.

It is no part of what opens with the answer, as it takes a second or two.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

from tricklog.core import Replay
from tricklog.core.study import Refused
from tricklog.core.study.hidden import HiddenChoice, HiddenGrade, grade
from tricklog.core.study.questions.moments import ASK, Kind, Moment
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.hand_data import sign_of
from tricklog.dashboard.data.solving import solver_for
from tricklog.dashboard.pages.practice.phrases import option_text
from tricklog.dashboard.text.refusals import why_not
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import card_name
from tricklog.schemas.languages.messages import message_in, say
from tricklog.schemas.languages.numbers import MINUS, localised, number

WORLDS: Final = 40
"""Deals that are looked at for one decision."""
SECONDS: Final = 2.0
"""After which no more of them are begun."""
_NO_CHOICE: Final = message_in("why there is no value", "there was no choice").text


def hidden_grade(replayed: Replay, moment: Moment) -> HiddenGrade | str:
    """Return the grade of what was played, or as a sentence why there is none."""
    with st.spinner(say("Thinking of deals that fit what was known")):
        found = _graded(replayed, moment.index)
    return why_not(found) if isinstance(found, str) else found


@st.cache_resource(max_entries=200, show_spinner=False, hash_funcs=snapshot.OF_HAND)
def _graded(replayed: Replay, index: int) -> HiddenGrade | str:
    action = _card_of(replayed, index)
    try:
        with solver_for(replayed) as solver:
            found = grade(replayed, action, worlds=WORLDS, seconds=SECONDS, solver=solver)
    except Refused as refused:
        return str(refused)
    return found or _NO_CHOICE


def _card_of(replayed: Replay, index: int) -> int:
    """Return the action with the card of a decision that may begin with asking."""
    return next(
        at for at, action in enumerate(replayed.actions) if at >= index and action.verb == Verb.PLAY
    )


def can_grade(moment: Moment) -> bool:
    """Return whether a question is one of those that are graded."""
    return moment.kind == Kind.CARD


def choices_by_answer(found: HiddenGrade) -> dict[str, HiddenChoice]:
    """Return what each answer is worth; of cards after asking the one that is worth most."""
    sign = 1 if found.by_makers else -1
    listed: dict[str, HiddenChoice] = {}
    for each in sorted(found.choices, key=lambda choice: sign * choice.mean):
        if each.shows:
            listed[ASK] = each
        elif each.kind == "card" and each.cards:
            listed[f"play {card_name(each.cards[0])}"] = each
    return listed


def hidden_told(found: HiddenGrade, moment: Moment, played: str) -> str:
    """Return how the hidden column came about, and what the card at the table cost by it."""
    who = sign_of(moment.seat)
    words = {each.text: each.words for each in moment.options}
    card = option_text(moment, played, words.get(played, played))
    loss = found.loss
    return say(
        "Cards hidden: what the makers take on average over {deals} deals that fit what {player} "
        "knew, each mean within ±{reach} (95 % sure); in each deal everybody plays on with all "
        "cards open. As far as {player} could know, {card} cost {cost} ±{cost_reach}. Where the "
        "cards lay made the rest of its cost of {open_cost}: {luck}.",
        deals=found.worlds,
        player=who,
        reach=number(found.widest_reach, 1),
        card=card,
        cost=number(loss.judged, 1).replace("-", MINUS),
        cost_reach=number(found.loss_reach, 1),
        open_cost=loss.open,
        luck=_signed(loss.luck),
    )


def _signed(value: float) -> str:
    """Return a number with its sign, also where it rounds to nothing."""
    return localised(f"{value:+z.1f}").replace("-", MINUS)
