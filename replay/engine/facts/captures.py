"""What became of a point card: on whose lead, in which place of the trick, over or under a trump.

A capture is an entry of ``History``. Sources: 1.points, 4.play,
14.ask.
"""

from __future__ import annotations

from typing import Final

from tricklog.core.engine.facts.tricks import first_play, is_trump, leader_of
from tricklog.core.engine.policies import TrumpCall
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.history import History

NOBODY: Final = -1
NOT_PLAYED: Final = -1


def trick_of(history: History, capture: int) -> int:
    """Return the trick that brought a card home; the number of tricks where none did."""
    return min(history.capture_trick[capture] - 1, history.tricks)


def play_of(history: History, capture: int) -> int:
    """Return by which play a card came to its trick; ``NOT_PLAYED`` for one laid off or left."""
    trick = trick_of(history, capture)
    if trick == history.tricks:
        return NOT_PLAYED
    for play in range(first_play(history, trick), first_play(history, trick + 1)):
        if history.play_card[play] == history.capture_card[capture]:
            return play
    return NOT_PLAYED


def led_by(history: History, capture: int) -> int:
    """Return the seat that led to the trick of a card, ``NOBODY`` where no trick took it."""
    trick = trick_of(history, capture)
    return NOBODY if trick == history.tricks else leader_of(history, trick)


def place_in_trick(history: History, capture: int) -> int:
    """Return as which card of its trick a card was played, from 1; 0 when it was not played."""
    play = play_of(history, capture)
    if play == NOT_PLAYED:
        return 0
    return play - history.first_play[trick_of(history, capture)] + 1


def is_under_trump(state: State, rules: Rules, history: History, suit: int, capture: int) -> bool:
    """Was a trump played to a trick in which a higher trump lay already, so that it could not win?

    Not in a trick before secret trumps are shown (14.ask), nor thrown before that where such a one
    is none (O83); ranks may be reversed (O37 to O40).
    ``suit`` is the trump suit of the hand, or ``NO_TRUMPS``.
    """
    play, card = play_of(history, capture), history.capture_card[capture]
    trick = trick_of(history, capture)
    if (
        play == NOT_PLAYED
        or not is_trump(rules, suit, card)
        or is_before_trumps(state, rules, trick)
        or state.dead >> card & 1
    ):
        return False
    sign = -1 if state.reversed else 1
    own = sign * rules.strength[suit][card]
    for before in range(history.first_play[trick], play):
        other = history.play_card[before]
        is_live = is_trump(rules, suit, other) and not state.dead >> other & 1
        if is_live and sign * rules.strength[suit][other] > own:
            return True
    return False


def is_before_trumps(state: State, rules: Rules, trick: int) -> bool:
    """Was a trick over before secret trumps were shown?"""
    if rules.trump_call != TrumpCall.SECRET:
        return False
    return state.reveal_trick == 0 or trick + 1 < state.reveal_trick
