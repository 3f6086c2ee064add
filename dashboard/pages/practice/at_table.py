"""A question as the card table draws it: what its player saw, and everything once it is answered.

Nothing is sent to a browser before the answer that the player did not know. Sentences have signs
for names, as in ``tricklog.dashboard.data.hand_data``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Final
from urllib.parse import urlencode

from tricklog.core import Replay
from tricklog.core.render.sentences import in_order
from tricklog.core.study import Value
from tricklog.core.study.questions.judging import Judged, cards_of
from tricklog.core.study.questions.known import Known
from tricklog.core.study.questions.moments import ASK, Kind, Moment
from tricklog.dashboard.address import urls
from tricklog.dashboard.data.hand_data import (
    Data,
    frame_of,
    makers_of,
    names_of,
    sides_of,
    sign_of,
)
from tricklog.dashboard.pages.practice.phrases import or_you
from tricklog.dashboard.pages.practice.telling import Told
from tricklog.dashboard.text.labels import call_words
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import cards_in, pretty_card
from tricklog.schemas.languages.messages import Message, mark, message, message_of, say, say_in
from tricklog.schemas.render import player_labels
from tricklog.schemas.words import cards_counted

_HIDDEN: Final = "*"
_UNNAMED: Final = ["", ""]
"""What is sent of a trump that is not known to the player."""


def asked_data(moment: Moment, known: Known, picked: Iterable[int] = ()) -> Data:
    """Return a question with the table as its player knows it.

    ``picked``: the cards that are marked and not played yet.
    """
    frame = _frame(moment, known)
    seats = [
        # Of another seat the cards lie face down.
        seat
        if at == known.seat
        else seat | {"hand": " ".join([_HIDDEN] * known.cards[at]), "unknown": 0, "off": seat["up"]}
        for at, seat in enumerate(frame["seats"])
    ]
    seats[known.seat]["off"] = names_of(known.laid_off)
    unnamed = _UNNAMED if known.trump_is_hidden and known.trump is None else frame["trump"]
    frame |= {
        "seats": seats,
        "trump": unnamed,
        "kitty": "",
        "under": "",
        "buried": names_of(chain.from_iterable(cards for _, cards in known.buried)),
    }
    asked = moment.verb if moment.kind == Kind.CARDS else moment.kind
    question = {
        "title": known.place,
        "below": say("you sit as {player}", player=sign_of(known.seat)),
        "lines": [
            f"{_before(known, moment)} <b>{_QUESTIONS[asked]}</b>".strip(),
            *filter(None, [_allowed(moment)]),
        ],
        "tone": "plain",
        "picked": names_of(picked),
        "must": names_of(cards_in(moment.legal.must)),
        "several": moment.kind == Kind.CARDS,
    }
    return _hand(moment, known, frame, question)


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
    told_data = _hand(moment, known, _frame(moment, known), question)
    steps = [{"seat": known.seat, "told": "", "chosen": cards["played"]}]
    return told_data | {"steps": steps, "study": _study(replayed, judged, answer)}


def _hand(moment: Moment, known: Known, frame: Data, question: Data) -> Data:
    replayed = moment.replayed
    return {
        "names": player_labels(replayed.hand),
        "sides": sides_of(replayed),
        "frames": [frame],
        "steps": [],
        "groups": [],
        "question": {"id": id_of(moment), "seat": known.seat, **question},
    }


def id_of(moment: Moment) -> str:
    """Return what tells a question from all others."""
    return f"{moment.replayed.hand.id} {moment.index}"


def _frame(moment: Moment, known: Known) -> Data:
    """Return the table with all cards; of the play only tricks that everybody saw are counted."""
    view = replace(moment.view, trick=known.on_table, points=known.points)
    frame = frame_of(moment.replayed, view)
    for seat in known.partners:
        frame["seats"][seat]["tags"].append(say_in("a tag of a seat", "partner"))
    own, legal = moment.view.holdings[known.seat], 0
    if moment.kind in (Kind.CARD, Kind.CARDS):
        legal = moment.legal.may
        own |= legal
    frame["seats"][known.seat]["hand"] = names_of(in_order(moment.replayed.rules, known.trump, own))
    return frame | {
        "due": "",
        "ask": False,
        "won": None,
        "legal": names_of(cards_in(legal)),
        "take": [moment.legal.least, moment.legal.most] if legal else None,
        "knows": known.seat if known.trump is not None else None,
        "number": len(known.tricks) + 1 if known.is_play else 0,
    }


# --- What is asked


_QUESTIONS: Final[dict[Kind | Verb, Message]] = {
    Kind.CARD: message("Which card do you play?"),
    Kind.CALL: message("What do you say?"),
    Kind.TRUMP: message("Which trumps do you name?"),
    Verb.DISCARD: message("Which cards do you lay off?"),
    Verb.DISCARD_UP: message("Which cards do you lay off?"),
    Verb.GIVE: message("Which cards do you give your partner?"),
    Verb.BURY: message("Which cards do you bury?"),
    Verb.ROB: message("Which cards do you take from the stock?"),
}


def _before(known: Known, moment: Moment) -> str:
    if moment.kind == Kind.CARD and known.on_table:
        told = []
        for at, (seat, card) in enumerate(known.on_table):
            values = {"player": sign_of(seat), "card": pretty_card(card)}
            told.append(str(message_of(_LAID[seat in known.partners, at == 0], values)))
        said = ", ".join(told)
        return f"{said[:1].upper()}{said[1:]}."
    if moment.kind == Kind.CARD:
        return say("You lead.")
    if moment.kind != Kind.CALL:
        return ""
    told = [f"{or_you(seat, known.seat)} {call_words(*call)}" for seat, *call in known.calls[-3:]]
    nobody = say("Nobody has spoken before you.")
    return say("Before you: {calls}.", calls=" · ".join(told)) if told else nobody


_LAID: Final = {
    (True, True): mark("your partner {player} led {card}"),
    (True, False): mark("your partner {player} played {card}"),
    (False, True): mark("{player} led {card}"),
    (False, False): mark("{player} played {card}"),
}
"""What is said of a card on the table, by whether a partner played it, and whether it was led."""


def _allowed(moment: Moment) -> str:
    legal = moment.legal
    if moment.kind == Kind.CARD:
        cards = [each.card for each in moment.options if each.card >= 0]
        if len(cards) == moment.view.holdings[moment.seat].bit_count():
            return say("Every card is allowed.")
        return say("Allowed are {cards}.", cards=" ".join(map(pretty_card, cards)))
    if moment.kind == Kind.CARDS:
        if legal.least == legal.most:
            return f"{cards_counted(legal.least)}."
        return say("{least} to {most}.", least=legal.least, most=cards_counted(legal.most))
    return ""


# --- The answer


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
