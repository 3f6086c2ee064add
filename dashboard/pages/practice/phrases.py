"""What is said about questions and answers in a few words, in the language of the viewer."""

from __future__ import annotations

from collections.abc import Sequence

from tricklog.core import Trick
from tricklog.core.study.questions.judging import Judged, Worth, words_of
from tricklog.core.study.questions.moments import ASK, Moment
from tricklog.dashboard.data.hand_data import sign_of
from tricklog.dashboard.text.escaping import name_html, sentence_html
from tricklog.schemas.cards import pretty_card
from tricklog.schemas.languages.messages import Message, say, say_in
from tricklog.schemas.words import points_counted, tricks_counted


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
