"""What a choice of a draft says, in a few words: for what is taken back, and for what is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from replay.recording import PASSED_OVER, Draft, finished
from replay.recording.draft import LEFT_OUT, NOT_TOLD, TOLD, hand_of
from replay.render.sentences import side_labels
from schemas.actions import TRUMP_CODES
from schemas.render import describe_action, player_labels, trump_words

_PLAIN: Final = {
    "quick": "without cards",
    "cards": "every card",
    "thrown-in": "thrown in",
    "rest": "rest not noted",
    "kitty": "cards of the kitty",
    "stock": "cards of the stock",
    "remark": "remark",
}


def words_of(choice: str, draft: Draft) -> str:
    """Return what a choice says: ``bid 9``, ``8 points of Ann & Cy``, ``Ann bids 9``."""
    if choice == PASSED_OVER:
        return "nothing more here"
    word, _, rest = choice.partition(" ")
    if word == LEFT_OUT:
        return f"{rest} not noted"
    if word not in TOLD:
        return describe_action(choice, player_labels(hand_of(draft)))
    if rest.endswith(NOT_TOLD):
        return f"no {_PLAIN.get(word, word)}"
    if word in _PLAIN:
        return _PLAIN[word]
    return _SAID[word](word, rest, draft)


def listed(choices: Iterable[str], draft: Draft) -> str:
    """Return what several choices say, with commas."""
    return ", ".join(words_of(choice, draft) for choice in choices)


def _of_seat(word: str, rest: str, draft: Draft) -> str:
    name = player_labels(hand_of(draft))[int(rest.split(maxsplit=1)[0])]
    return f"cards dealt to {name}" if word == "deal" else f"{word} {name}"


def _of_side(word: str, rest: str, draft: Draft) -> str:
    side, number = rest.split()
    name = side_labels(finished(draft).replayed)[int(side)]
    what = "points" if word == "points" else "in the score"
    return f"{number} {what} of {name}"


def _of_trump(_word: str, rest: str, _draft: Draft) -> str:
    return f"trumps {trump_words(TRUMP_CODES[rest])}"


def _as_it_is(word: str, rest: str, _draft: Draft) -> str:
    return f"{word} {rest}"


_SAID: Final[dict[str, Callable[[str, str, Draft], str]]] = {
    "maker": _of_seat,
    "pair": _of_seat,
    "deal": _of_seat,
    "points": _of_side,
    "change": _of_side,
    "trump": _of_trump,
    "bid": _as_it_is,
    "stake": _as_it_is,
    "alone": _as_it_is,
}
