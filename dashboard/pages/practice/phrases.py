"""What is said about questions and answers in a few words, in the language of the viewer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tricklog.core import Trick
from tricklog.core.study.questions.judging import Judged, Worth, cards_of
from tricklog.core.study.questions.moments import ASK, Kind, Moment
from tricklog.dashboard.data.hand_data import sign_of
from tricklog.dashboard.text.escaping import name_html, sentence_html
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import pretty_card, pretty_cards
from tricklog.schemas.languages.messages import Message, mark, message, message_of, say, say_in
from tricklog.schemas.words import cards_counted, points_counted, tricks_counted

_QUESTIONS: Final = {
    Kind.CARD: message("Which card do you play?"),
    Kind.CALL: message("What do you say?"),
    Kind.TRUMP: message("Which trumps do you name?"),
}
_WHICH_CARDS: Final = {
    Verb.DISCARD: message("Which cards do you lay off?"),
    Verb.DISCARD_UP: message("Which cards do you lay off?"),
    Verb.GIVE: message("Which cards do you give your partner?"),
    Verb.BURY: message("Which cards do you bury?"),
    Verb.ROB: message("Which cards do you take from the stock?"),
}
_EXCHANGES: Final = {
    Verb.DRAW: (mark("you drew {cards}"), mark("{player} drew {cards}")),
    Verb.ROB: (mark("you robbed {cards}"), mark("{player} robbed {cards}")),
    Verb.KITTY: (mark("you took the kitty"), mark("{player} took the kitty")),
    Verb.GIVE: (mark("you gave {cards}"), mark("{player} gave {cards}")),
    Verb.FOLD: (mark("you folded"), mark("{player} folded")),
}
"""What the player who is asked did before the play, and what others did."""


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


def option_text(moment: Moment, text: str, words: str) -> str:
    """Return an answer within a sentence."""
    if text == ASK:
        return say("to have the trump shown")
    if moment.kind == Kind.CARDS:
        return pretty_cards(cards_of(text)) or say("no card")
    return words


def question_of(moment: Moment) -> Message:
    """Return what is asked: ``Which card do you play?``."""
    return _WHICH_CARDS[moment.verb] if moment.kind == Kind.CARDS else _QUESTIONS[moment.kind]


def exchange_words(verb: Verb, count: int, player: str, *, is_own: bool) -> str:
    """Return what somebody did before the play: ``you drew 3 cards``.

    ``player`` is who, where it is not the player who is asked.
    """
    of_own, of_others = _EXCHANGES[verb]
    values = {"player": player, "cards": cards_counted(count)}
    return str(message_of(of_own if is_own else of_others, values))


def value_text(row: Worth) -> str:
    """Return what the makers take after a choice: a number, or the limits it lies within."""
    if row.value is None:
        return "–"
    if row.value.is_exact:
        return str(row.value.low)
    return say("{least} to {most}", least=row.value.low, most=row.value.high)


def tags_html(*, is_own: bool, is_played: bool) -> str:
    """Return the tags of what the viewer has answered, and of what was done at the table."""
    tags = [say_in("a tag of an answer", "you")] if is_own else []
    tags += [say_in("a tag of an answer", "played")] if is_played else []
    return "".join(f'<span class="tl-verdict">{each}</span>' for each in tags)


def amount_of(count: int, judged: Judged) -> Message:
    """Return a number of what the makers’ values are counted in: ``3 points``."""
    return tricks_counted(count) if judged.unit == "tricks" else points_counted(count)
