"""What a choice of a draft says, in a few words: for what is taken back, and for what is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from tricklog.core.recording.draft import LEFT_OUT, NOT_TOLD, PASSED_OVER, TOLD, Draft, hand_of
from tricklog.core.recording.finishing import finished
from tricklog.core.render.sentences import side_labels
from tricklog.schemas.actions import TRUMP_CODES
from tricklog.schemas.languages.messages import message, message_in, say, say_in
from tricklog.schemas.render import describe_action, player_labels, trump_said

_PLAIN: Final = {
    "quick": message("without cards"),
    "cards": message("every card"),
    "thrown-in": message_in("what is recorded", "thrown in"),
    "rest": message("rest not noted"),
    "kitty": message("cards of the kitty"),
    "stock": message("cards of the stock"),
    "remark": message_in("what is recorded", "remark"),
}
_LEFT_OUT: Final = {
    "trumps": message("trumps not noted"),
    "exchange": message("exchange not noted"),
    "tricks": message("tricks not noted"),
}
_TAKEN_BACK: Final = {
    "thrown-in": message("no thrown in"),
    "rest": message("no rest not noted"),
    "kitty": message("no cards of the kitty"),
    "stock": message("no cards of the stock"),
    "remark": message("no remark"),
    "maker": message("no maker"),
    "bid": message_in("what is recorded", "no bid"),
    "trump": message("no trump"),
    "stake": message("no stake"),
    "alone": message("no alone"),
    "pair": message("no pair"),
    "points": message("no points"),
    "change": message("no change"),
}
_STAKES: Final = {
    "double": message_in("what is recorded", "stake double"),
    "redouble": message_in("what is recorded", "stake redouble"),
    "super": message_in("what is recorded", "stake super"),
}
_ALONE: Final = {
    "solo": message_in("what is recorded", "alone solo"),
    "tenny": message_in("what is recorded", "alone tenny"),
}


def words_of(choice: str, draft: Draft) -> str:
    """Return what a choice says: ``bid 9``, ``8 points of Ann & Cy``, ``Ann bids 9``."""
    if choice == PASSED_OVER:
        return say("nothing more here")
    word, _, rest = choice.partition(" ")
    if word == LEFT_OUT:
        return str(_LEFT_OUT[rest])
    if word not in TOLD:
        return describe_action(choice, player_labels(hand_of(draft)))
    if rest.endswith(NOT_TOLD):
        return str(_TAKEN_BACK[word])
    if word in _PLAIN:
        return str(_PLAIN[word])
    return _SAID[word](word, rest, draft)


def listed(choices: Iterable[str], draft: Draft) -> str:
    """Return what several choices say, with commas."""
    return ", ".join(words_of(choice, draft) for choice in choices)


def _of_seat(word: str, rest: str, draft: Draft) -> str:
    name = player_labels(hand_of(draft))[int(rest.split(maxsplit=1)[0])]
    if word == "deal":
        return say("cards dealt to {player}", player=name)
    if word == "pair":
        return say_in("what is recorded", "pair {player}", player=name)
    return say_in("what is recorded", "maker {player}", player=name)


def _of_side(word: str, rest: str, draft: Draft) -> str:
    side, number = rest.split()
    name = side_labels(finished(draft).replayed)[int(side)]
    if word == "points":
        return say("{number} points of {side}", number=number, side=name)
    return say("{number} in the score of {side}", number=number, side=name)


def _of_trump(_word: str, rest: str, _draft: Draft) -> str:
    return say("trumps {trump}", trump=trump_said(TRUMP_CODES[rest]))


def _of_bid(_word: str, rest: str, _draft: Draft) -> str:
    return say_in("what is recorded", "bid {bid}", bid=rest)


def _of_name(word: str, rest: str, _draft: Draft) -> str:
    return str((_STAKES if word == "stake" else _ALONE)[rest])


_SAID: Final[dict[str, Callable[[str, str, Draft], str]]] = {
    "maker": _of_seat,
    "pair": _of_seat,
    "deal": _of_seat,
    "points": _of_side,
    "change": _of_side,
    "trump": _of_trump,
    "bid": _of_bid,
    "stake": _of_name,
    "alone": _of_name,
}
