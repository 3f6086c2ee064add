"""The seventh card of Twenty-Nine: the card under the pile whose suit is trumps.

Until trumps are shown it is no part of its owner's hand. Sources: O41, S77, S88, C26, T121.
"""

from tricklog.core.engine.records import NO_TRUMPS, Rules, State
from tricklog.core.engine.rules.table import hand_count, known_elsewhere


def lay_under(state: State, rules: Rules) -> None:
    """Put the maker's last card but one, named or not, under the pile: trumps (O41, S77)."""
    if not state.seventh_called:
        return
    maker = state.maker
    card = state.last_but_one[maker]
    if card >= 0 and state.holding[maker] >> card & 1:
        state.seventh = 1 << card
        state.holding[maker] &= ~state.seventh
        state.trump = rules.suit[NO_TRUMPS][card]
    elif state.unknown[maker] > 0:
        state.seventh_unknown = 1
        state.unknown[maker] -= 1


def is_under(state: State) -> bool:
    """Does a card lie under the pile?"""
    return state.seventh != 0 or state.seventh_unknown != 0


def take_up(state: State) -> None:
    """The seventh card becomes an ordinary card of its owner's hand (S88)."""
    if not is_under(state):
        return
    maker = state.maker
    state.holding[maker] |= state.seventh
    state.unknown[maker] += state.seventh_unknown
    state.seventh = 0
    state.seventh_unknown = 0


def is_all_that_is_left(state: State, seat: int) -> bool:
    """Has the seat nothing left to play but the seventh card (O41)?"""
    return seat == state.maker and is_under(state) and hand_count(state, seat) == 0


def cards_to_play(state: State, seat: int) -> int:
    """Return the cards a seat can play: its hand, to the last trick the seventh card (O41)."""
    return state.seventh if is_all_that_is_left(state, seat) else state.holding[seat]


def is_played(state: State, rules: Rules, seat: int, cards: int) -> bool:
    """Is this play the seventh card? A card not named may be it when it can be no other."""
    if seat != state.maker or not is_under(state) or not state.pending >> seat & 1:
        return False
    nothing_else = hand_count(state, seat) == 0
    if cards == 0:
        return nothing_else
    if state.seventh:
        return cards == state.seventh
    if cards & known_elsewhere(state, rules):
        return False
    return nothing_else or state.unknown[seat] == 0


def trump_suit(state: State) -> int:
    """Return the trump suit as far as the record tells, now or later; -1 when it does not."""
    return state.trump if state.trump >= 0 else state.will_show
