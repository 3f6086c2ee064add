"""What a question and its answer show alike: the table as the card table draws it, and short words.

Sentences have signs for names, as in ``tricklog.dashboard.data.hand_data``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tricklog.core import Trick
from tricklog.core.render.sentences import in_order
from tricklog.core.study.questions.judging import Judged, Worth, words_of
from tricklog.core.study.questions.known import Known
from tricklog.core.study.questions.moments import ASK, Kind, Moment
from tricklog.dashboard.data.hand_data import Data, frame_of, names_of, sides_of, sign_of
from tricklog.dashboard.text.escaping import name_html, sentence_html
from tricklog.schemas.cards import cards_in, pretty_card
from tricklog.schemas.languages.messages import Message, say, say_in
from tricklog.schemas.render import player_labels
from tricklog.schemas.words import points_counted, tricks_counted


def question_data(moment: Moment, known: Known, frame: Data, question: Data) -> Data:
    """Return what the card table shows: a table, and what is asked or said about it."""
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


def frame_at(moment: Moment, known: Known) -> Data:
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


# --- In a few words


def or_you(seat: int, own: int) -> str:
    """Return the sign of a seat, ``you`` for the player who is asked, who sits at ``own``."""
    return say_in("the player who is asked", "you") if seat == own else sign_of(seat)


def in_html(text: str, names: Sequence[str]) -> str:
    """Return a sentence for HTML: names for their signs, cards in the colours of their suits."""
    told = sentence_html(text)
    for seat, name in enumerate(names):
        told = told.replace(sign_of(seat), name_html(name))
    return told


def trick_told(trick: Trick, own: int) -> str:
    """Return the cards of a trick and who took it, ``you`` where that is the seat ``own``."""
    cards = " ".join(pretty_card(card) for _, card in trick.plays)
    if trick.winner is None:
        return cards
    taken = f", {trick.points}" if trick.points else ""
    return f"{cards} {or_you(trick.winner, own)}{taken}"


def option_text(moment: Moment, text: str) -> str:
    """Return an answer within a sentence."""
    return say("to have the trump shown") if text == ASK else words_of(moment, text)


def value_text(row: Worth) -> str:
    """Return what the makers take after a choice: a number, or the limits it lies within."""
    if row.value is None:
        return "–"
    if row.value.is_exact:
        return str(row.value.low)
    return say("{least} to {most}", least=row.value.low, most=row.value.high)


def tags_html(texts: Sequence[str], answer: str, played: str) -> str:
    """Return the tags of choices: which the viewer made, and which was made at the table."""
    tags = [say_in("a tag of an answer", "you")] if answer in texts else []
    tags += [say_in("a tag of an answer", "played")] if played in texts else []
    return "".join(f'<span class="tl-verdict">{each}</span>' for each in tags)


def amount_of(count: int, judged: Judged) -> Message:
    """Return a number of what the makers’ values are counted in: ``3 points``."""
    return tricks_counted(count) if judged.unit == "tricks" else points_counted(count)
