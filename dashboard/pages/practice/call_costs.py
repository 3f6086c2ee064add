"""What calls and suits named were worth, asked for by a click: each as if it were the last call."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

import streamlit as st

from tricklog.core import Replay
from tricklog.core.study import Refused
from tricklog.core.study.contracts import CallWorth, CallWorths, call_worths
from tricklog.core.study.ledger import in_tenths
from tricklog.core.study.questions.moments import Kind, Moment
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.solving import solver_for
from tricklog.dashboard.pages.practice.phrases import played_tag, you_tag
from tricklog.dashboard.text.escaping import as_html, sentence_html
from tricklog.dashboard.text.refusals import why_not
from tricklog.schemas.actions import parse_action
from tricklog.schemas.languages.messages import message_in, say, say_counted, say_in
from tricklog.schemas.languages.numbers import localised

_SMALL: Final = 0.05
"""What is less is shown as nothing."""
_NO_CONTRACT: Final = message_in(
    "why there is no value", "none of these calls leads to a contract with a number"
).text
_BY_INDEX: Final[snapshot.StandsFor] = {Moment: lambda moment: moment.index}


def can_be_worked_out(moment: Moment) -> bool:
    """Return whether a question is one whose choices have such a worth."""
    return moment.kind in (Kind.CALL, Kind.TRUMP)


def worths(replayed: Replay, moment: Moment) -> CallWorths | str:
    """Return what the choices were worth, or as a sentence why nobody can say."""
    with st.spinner(say("Playing every contract out")):
        found = _worths(replayed, moment)
    return why_not(found) if isinstance(found, str) else found


@st.cache_resource(max_entries=200, show_spinner=False, hash_funcs=snapshot.OF_HAND | _BY_INDEX)
def _worths(replayed: Replay, moment: Moment) -> CallWorths | str:
    actions = [parse_action(f"{moment.seat} {each.text}") for each in moment.options]
    try:
        with solver_for(replayed) as solver:
            found = call_worths(replayed, moment.index, actions, solver=solver)
    except Refused as refused:
        return str(refused)
    return found if found.calls else _NO_CONTRACT


def costs_html(found: CallWorths, moment: Moment, answer: str, played: str) -> str:
    """Return a table of the calls, and what the figures mean."""
    texts = {parse_action(f"{moment.seat} {each.text}"): each for each in moment.options}
    rows = []
    told_apart = [parse_action(f"{moment.seat} {text}") for text in (answer, played)]
    for alike in _alike(found.calls, told_apart):
        first, last = (texts[each.action] for each in (alike[0], alike[-1]))
        words = first.words
        if len(alike) > 1:
            words = say("{least} to {most}", least=first.words, most=last.words)
        names = {texts[each.action].text for each in alike}
        tags = you_tag() if answer in names else ""
        tags += played_tag() if played in names else ""
        rows.append(
            f"<tr><td>{sentence_html(words)} {tags}</td>"
            f"<td>{_with_reach(in_tenths(alike[0].value), alike[0].reach, signed=True)}</td>"
            f"<td><b>{_cost(alike[0])}</b></td></tr>"
        )
    title = as_html(say("What the calls were worth"))
    unit = say("score, own side") if found.unit == "score" else say("points, own side")
    heads = (say_in("column of a table", "call"), unit, say_in("column of a table", "cost"))
    return (
        f'<table class="tl-figures" aria-label="{title}"><thead><tr>'
        f"{''.join(f'<th>{each}</th>' for each in heads)}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table><p class='tl-quiet'>{_meaning(found, moment)}</p>"
    )


def _alike(calls: Sequence[CallWorth], apart: Sequence[object]) -> list[list[CallWorth]]:
    """Return calls one after the other that come to the same, but for those shown by themselves."""
    numbered = enumerate(calls)
    found = groupby(
        numbered,
        key=lambda each: (
            each[1].action.verb,
            each[1].value,
            each[1].cost,
            each[0] if each[1].action in apart else -1,
        ),
    )
    return [[call for _, call in group] for _, group in found]


def cost_shown(call: CallWorth) -> Fraction:
    """Return what a call cost as it is shown: what the best one is shown with, less its own."""
    return in_tenths(call.value + call.cost) - in_tenths(call.value)


def _cost(call: CallWorth) -> str:
    cost = cost_shown(call)
    return _with_reach(cost, call.cost_reach) if cost else "0"


def _with_reach(value: Fraction, reach: float, *, signed: bool = False) -> str:
    text = f"{float(value):{'+' if signed and value else ''}.1f}"
    off = f" ±{localised(f'{reach:.1f}')}" if reach >= _SMALL else ""
    return as_html(f"{localised(text).replace('-', '−')}{off}")


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
