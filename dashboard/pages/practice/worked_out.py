"""What is worked out by a click once a question is answered: calls played out, and cards hidden.

A call is taken as if it were the last one, a card as far as its player could know. Neither opens
with the answer, as it takes a second or two.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from typing import Final

import streamlit as st

from tricklog.core import Replay
from tricklog.core.study import Refused
from tricklog.core.study.contracts import CallWorth, CallWorths, call_worths
from tricklog.core.study.hidden import HiddenChoice, HiddenGrade, grade
from tricklog.core.study.ledger import in_tenths
from tricklog.core.study.questions.moments import ASK, Kind, Moment
from tricklog.dashboard.address.languages import Spoken
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.hand_data import sign_of
from tricklog.dashboard.data.solving import solver_for
from tricklog.dashboard.kit.tables import Cell, Html, show_table
from tricklog.dashboard.pages.practice.at_table import option_text, tags_html
from tricklog.dashboard.text.escaping import as_html, sentence_html
from tricklog.schemas.actions import Verb, parse_action
from tricklog.schemas.cards import card_name
from tricklog.schemas.languages.messages import mark, message_in, say, say_counted, say_in
from tricklog.schemas.languages.numbers import MINUS, localised, number

WORLDS: Final = 40
"""Deals that are looked at for one decision."""
SECONDS: Final = 2.0
"""After which no more of them are begun."""
_NO_CHOICE: Final = message_in("why there is no value", "there was no choice").text
_SMALL: Final = 0.05
"""What is less is shown as nothing."""
_NO_CONTRACT: Final = message_in(
    "why there is no value", "none of these calls leads to a contract with a number"
).text
_BY_INDEX: Final[snapshot.StandsFor] = {Moment: lambda moment: moment.index}


@st.cache_resource(
    max_entries=200,
    show_spinner=Spoken(mark("Playing every contract out")),
    hash_funcs=snapshot.OF_HAND | _BY_INDEX,
)
def worths(replayed: Replay, moment: Moment) -> CallWorths | str:
    """Return what calls or suits were worth, or as a reason in English why nobody can say."""
    actions = [parse_action(f"{moment.seat} {each.text}") for each in moment.options]
    try:
        with solver_for(replayed) as solver:
            found = call_worths(replayed, moment.index, actions, solver=solver)
    except Refused as refused:
        return str(refused)
    return found if found.calls else _NO_CONTRACT


def show_calls(found: CallWorths, moment: Moment, answer: str, played: str) -> None:
    """Show a table of the calls, and what the figures mean."""
    options = {parse_action(f"{moment.seat} {each.text}"): each for each in moment.options}

    def same(numbered: tuple[int, CallWorth]) -> tuple[object, ...]:
        """Return what calls in one row have in common; the two chosen have rows of their own."""
        at, call = numbered
        is_chosen = options[call.action].text in (answer, played)
        return call.action.verb, call.value, call.cost, at if is_chosen else -1

    rows: list[list[Cell]] = []
    for _, group in groupby(enumerate(found.calls), key=same):
        calls = [call for _, call in group]
        call, alike = calls[0], [options[each.action] for each in calls]
        words = alike[0].words
        if len(alike) > 1:
            words = say("{least} to {most}", least=words, most=alike[-1].words)
        tags = tags_html([each.text for each in alike], answer, played)
        value = _with_reach(in_tenths(call.value), call.reach, signed=True)
        shown = cost_shown(call)
        cost = as_html(_with_reach(shown, call.cost_reach)) if shown else "0"
        rows.append([Html(f"{sentence_html(words)} {tags}"), value, Html(f"<b>{cost}</b>")])
    unit = say("score, own side") if found.unit == "score" else say("points, own side")
    heads = [say_in("column of a table", "call"), unit, say_in("column of a table", "cost")]
    show_table(heads, rows, name=say("What the calls were worth"))
    st.html(f"<p class='tl-quiet'>{_meaning(found, moment)}</p>")


def cost_shown(call: CallWorth) -> Fraction:
    """Return what a call cost as it is shown: what the best one is shown with, less its own."""
    return in_tenths(call.value + call.cost) - in_tenths(call.value)


def _with_reach(value: Fraction, reach: float, *, signed: bool = False) -> str:
    text = number(float(value), 1, sign=signed).replace("-", MINUS)
    return f"{text} ±{number(reach, 1)}" if reach >= _SMALL else text


def _meaning(found: CallWorths, moment: Moment) -> str:
    told = [
        say("With all cards open, own side less the others.")
        if found.unit == "score"
        else say("With all cards open, points of the own side."),
        say("The contract is played in this suit, as well as can be on both sides.")
        if moment.kind == Kind.TRUMP
        else say(
            "Each is taken as the last call: everybody passes after it, and the contract is "
            "played in the maker’s best suit, as well as can be on both sides."
        ),
    ]
    if found.stocks != 1:
        told.append(
            say_counted(
                "What comes after the auction is dealt again, {count} time; ± says how far the "
                "mean may be off, 95 % sure. The best call was found on other stocks.",
                "What comes after the auction is dealt again, {count} times; ± says how far the "
                "mean may be off, 95 % sure. The best call was found on other stocks.",
                found.stocks,
            )
        )
    if any(cost_shown(each) < 0 for each in found.calls):
        told.append(
            say(
                "A cost below 0 says that a call did better here than the one that looked best "
                "there."
            )
        )
    told.append(
        say(
            "What a call keeps others from is no part of it, so a higher bid that costs something "
            "may still be the one to make."
        )
    )
    return as_html(" ".join(told))


# --- With cards hidden


@st.cache_resource(
    max_entries=200,
    show_spinner=Spoken(mark("Thinking of deals that fit what was known")),
    hash_funcs=snapshot.OF_HAND | _BY_INDEX,
)
def hidden_grade(replayed: Replay, moment: Moment) -> HiddenGrade | str:
    """Return the grade of what was played, or as a reason in English why there is none."""
    # The decision may begin with asking.
    actions = enumerate(replayed.actions)
    action = next(at for at, each in actions if at >= moment.index and each.verb == Verb.PLAY)
    try:
        with solver_for(replayed) as solver:
            found = grade(replayed, action, worlds=WORLDS, seconds=SECONDS, solver=solver)
    except Refused as refused:
        return str(refused)
    return found or _NO_CHOICE


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
    loss = found.loss
    return say(
        "Cards hidden: what the makers take on average over {deals} deals that fit what {player} "
        "knew, each mean within ±{reach} (95 % sure); in each deal everybody plays on with all "
        "cards open. As far as {player} could know, {card} cost {cost} ±{cost_reach}. Where the "
        "cards lay made the rest of its cost of {open_cost}: {luck}.",
        deals=found.worlds,
        player=sign_of(moment.seat),
        reach=number(found.widest_reach, 1),
        card=option_text(moment, played),
        cost=number(loss.judged, 1).replace("-", MINUS),
        cost_reach=number(found.loss_reach, 1),
        open_cost=loss.open,
        # With its sign, also where it rounds to nothing.
        luck=localised(f"{loss.luck:+z.1f}").replace("-", MINUS),
    )
