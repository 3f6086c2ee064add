"""The hidden trump of Twenty-Nine: asking for it, showing it, and what follows from the showing.

It may be the suit of the seventh card: until trumps are shown that one lies under the pile and is
no part of its owner's hand. Sources: 14.ask; O41, O48, O49, O71, O83; S77, S80, S88, S92, S93, C26,
T121.
"""

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import Ask, PlainFollow, TrumpCall
from tricklog.core.engine.records import NO_TRUMPS, NOT_PLAYED, Rules, State
from tricklog.core.engine.rules import auction, table
from tricklog.schemas.actions import SUIT_REVERSED
from tricklog.schemas.scan.actions import AnyAction


def is_hidden(state: State, rules: Rules) -> bool:
    """Does the maker alone know what trumps are?"""
    return rules.trump_call == TrumpCall.SECRET and state.revealed == 0


def is_to_follow(state: State, seat: int) -> bool:
    """Is it the seat's turn to follow to a trick?"""
    return state.played > 0 and (seat == state.turn or state.owed >> seat & 1 == 1)


def of_led_suit(state: State, rules: Rules, cards: int) -> bool:
    """Is one of the cards of the suit led?"""
    suits = rules.suit_cards[table.live_trump(state, rules)]
    return state.led_suit >= 0 and cards & suits[state.led_suit] != 0


def cannot_follow(state: State, rules: Rules, seat: int) -> bool:
    """Is it the seat's turn to follow, and has it, as far as recorded, no card of the suit?"""
    if state.led_suit < 0 or not is_to_follow(state, seat):
        return False
    return not of_led_suit(state, rules, cards_to_play(state, seat))


def may_be_void(state: State, rules: Rules, seat: int) -> bool:
    """May the seat be unable to follow? With the lead not recorded, nobody can tell."""
    return is_to_follow(state, seat) if state.led_suit < 0 else cannot_follow(state, rules, seat)


# --- Asking


def must_ask(state: State, rules: Rules, seat: int) -> bool:
    """Must this player ask for the trump before they play? The first who cannot follow must."""
    return asks_if_void(state, rules, seat) and cannot_follow(state, rules, seat)


def asks_if_void(state: State, rules: Rules, seat: int) -> bool:
    """Must this player ask for the trump, if they cannot follow?"""
    if rules.ask != Ask.MUST or not is_hidden(state, rules) or state.asker >= 0:
        return False
    return seat != state.maker


def may_ask(state: State, rules: Rules, seat: int) -> bool:
    """May this player ask for the trump, or just throw a card (O48)?"""
    return may_ask_if_void(state, rules, seat) and cannot_follow(state, rules, seat)


def may_ask_if_void(state: State, rules: Rules, seat: int) -> bool:
    """May this player ask for the trump, if they cannot follow (O48)?"""
    if not asking_is_free(rules) or not is_hidden(state, rules) or state.asker >= 0:
        return False
    return seat != state.maker


def asking_is_free(rules: Rules) -> bool:
    """May who cannot follow ask for the trump or let it be (O48, O83)?"""
    return rules.ask in (Ask.OPTIONAL, Ask.OPTIONAL_THROWN_DEAD)


def ask_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with asking: only who cannot follow may, and only while trumps are hidden.

    Where trumps come out at the end of a trick nobody may (O49).
    """
    waited_for = state.asker < 0 and state.pending >> action.seat & 1 == 1
    if rules.trump_call != TrumpCall.SECRET or not waited_for:
        return Fault.NOT_NOW
    cause = not state.revealed and action.seat != state.maker and rules.ask != Ask.END_OF_TRICK
    may_ask = cause and may_be_void(state, rules, action.seat)
    return 0 if may_ask else Fault.ASK_WITHOUT_CAUSE


# --- Showing


def must_show(state: State, rules: Rules, seat: int) -> bool:
    """Must this player show the trump: the maker who was asked, or who cannot follow either?

    Not a maker who cannot follow but has the seventh card in the suit led, nor one who plays it
    to the last trick, which shows it (C26, S88).
    """
    if not is_hidden(state, rules) or seat != state.maker:
        return False
    if state.asker >= 0 or waits_for_show(state):
        return True
    is_void = shows_if_void(state, rules) and cannot_follow(state, rules, seat)
    return is_void and not is_all_that_is_left(state, seat)


def shows_if_void(state: State, rules: Rules) -> bool:
    """Must a maker who cannot follow show the trump, with more to play than the seventh card?"""
    suit = trump_suit(state)
    # The card under the pile may be of the suit led: then its owner need not show it (C26).
    hides_suit = has_seventh(state) and (suit < 0 or suit == state.led_suit)
    return rules.ask == Ask.MUST and not hides_suit


def may_show_if_void(rules: Rules) -> bool:
    """May a maker who cannot follow show the trump unasked?"""
    return rules.ask != Ask.END_OF_TRICK


def may_show(state: State, rules: Rules, seat: int) -> bool:
    """May this player show the trump: the maker, asked, unable to follow, or after the trick?"""
    if rules.trump_call != TrumpCall.SECRET or seat != state.maker:
        return False
    if state.show_due or state.revealed:
        return state.show_due == 1
    return state.asker >= 0 or (may_show_if_void(rules) and may_be_void(state, rules, seat))


def show_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with showing the trump."""
    code = action.amount
    if rules.trump_call != TrumpCall.SECRET:
        return Fault.NOT_NOW
    if code >= 0 and not auction.trumps_to_show(rules) >> code & 1:
        return Fault.TRUMP_UNKNOWN
    if code < 0 and state.trump < 0:
        return Fault.TRUMP_NOT_RECORDED
    # Of a seventh card nothing but its suit can come to light.
    suit = code < SUIT_REVERSED and auction.suit_of(code) == code
    fits = code == table.trump_code(state) if state.trump >= 0 else suit or not state.seventh_called
    if code >= 0 and not fits:
        return Fault.REVEAL_DIFFERS
    if action.seat != state.maker:
        return Fault.REVEAL_BY_OTHER
    return 0 if may_show(state, rules, action.seat) else Fault.REVEAL_WITHOUT_CAUSE


def do_show(state: State, rules: Rules, action: AnyAction) -> None:
    """Trumps are known from this trick on, or the last (O49); the shower may owe one (O48)."""
    if state.trump < 0:
        auction.set_trump(state, action.amount)
    shower = state.asker if state.asker >= 0 else state.maker
    binds = asking_is_free(rules) and cannot_follow(state, rules, shower)
    after = state.show_due == 1 and state.played == 0
    if not state.revealed:
        come_to_light(state, rules, state.trick - 1 if after else state.trick)
        state.won_since_shown |= table.sides_of_last_trick(state, rules) if after else 0
        state.must_trump = shower if binds else -1
        state.shown_for = shower
    state.asker = -1
    state.show_due = 0


def come_to_light(state: State, rules: Rules, trick: int) -> None:
    """Trumps are known from a trick on, and the seventh card belongs to the hand (S88)."""
    if trick > state.perhaps_shown:
        state.won_since_shown = 0
    state.dead = dead_cards(state, rules)
    state.revealed = 1
    state.reveal_trick = trick
    state.asker = -1
    take_up_seventh(state)


def dead_cards(state: State, rules: Rules) -> int:
    """Return the trumps that count as none, as they were thrown before the showing (O83).

    Those of a trick in which trumps were led are cards of the suit led, whenever they were played.
    """
    if state.revealed or rules.ask != Ask.OPTIONAL_THROWN_DEAD:
        return state.dead
    trumps = rules.trump_cards[table.named_trump(state)]
    if state.played == 0 or state.led_card < 0 or trumps >> state.led_card & 1:
        return 0
    return state.on_table & trumps


def show_is_due(state: State, rules: Rules) -> bool:
    """Has the trump been asked for by a player who may ask?"""
    asked = state.asker >= 0 and rules.ask != Ask.END_OF_TRICK
    return asked and cannot_follow(state, rules, state.asker)


def hidden_faults(state: State, rules: Rules, seat: int, cards: int) -> int:
    """What is wrong with playing a card, a set of one or none, before the trump is shown."""
    if state.asker >= 0:
        return Fault.NOT_SHOWN if show_is_due(state, rules) else 0
    if state.revealed or state.played == 0 or (not cards and state.unknown[seat] > 0):
        return 0
    if of_led_suit(state, rules, cards) or may_hold_led_suit(state, rules, seat):
        return 0
    if must_ask(state, rules, seat):
        return Fault.NOT_ASKED
    return Fault.NOT_SHOWN if must_show(state, rules, seat) else 0


def may_hold_led_suit(state: State, rules: Rules, seat: int) -> bool:
    """May a card that the record does not name be of the suit led, without a duty to play it?"""
    return state.unknown[seat] > 0 and rules.plain_follow != PlainFollow.FOLLOW


def leaves_open(state: State, rules: Rules, seat: int, cards: int) -> bool:
    """Do cards not named leave open whether the trump had to be asked for or shown?"""
    hides_suit = state.revealed == 0 and may_hold_led_suit(state, rules, seat)
    stays_open = has_seventh(state) and trump_suit(state) < 0
    if not hides_suit and (seat != state.maker or not stays_open):
        return False
    if rules.ask != Ask.MUST or not cannot_follow(state, rules, seat):
        return False
    return not of_led_suit(state, rules, cards)


def owed_trumps(state: State, rules: Rules, seat: int, cards: int) -> int:
    """Return which of the legal cards are left to who had the trump shown: trumps (O48, S92)."""
    if state.must_trump != seat:
        return cards
    return cards & rules.trump_cards[table.live_trump(state, rules)] or cards


# --- At the end of a trick


def was_left_unfollowed(state: State, rules: Rules) -> bool:
    """Has somebody put a card of another suit to the complete trick on the table?"""
    return state.led_suit >= 0 and any(
        not of_led_suit(state, rules, 1 << state.trick_cards[seat])
        for seat in range(rules.seats)
        if state.trick_cards[seat] >= 0
    )


def show_at_the_end(state: State, rules: Rules) -> bool:
    """The trick is over: trumps come to light now if somebody could not follow to it (O49).

    The record may leave out that the maker says so, or have it behind what follows, if it says
    anywhere what trumps are. If not, the trick has to wait: return whether it does.
    """
    if not is_hidden(state, rules):
        return False
    unfollowed = was_left_unfollowed(state, rules)
    hides_card = any(NOT_PLAYED < state.trick_cards[seat] < 0 for seat in range(rules.seats))
    state.show_due = 1 if unfollowed or hides_card else 0
    if state.show_due and state.perhaps_shown == 0:
        state.perhaps_shown = state.trick
    shown = state.will_show if state.trump < 0 else -1
    if unfollowed and shown >= 0 and auction.trumps_to_show(rules) >> shown & 1:
        auction.set_trump(state, shown)
    if unfollowed and state.trump >= 0:
        come_to_light(state, rules, state.trick)
    elif unfollowed:
        state.turn = state.maker
        return True
    return False


def waits_for_show(state: State) -> bool:
    """Does a complete trick wait for the maker to say what trumps are?"""
    return state.show_due == 1 and not state.revealed and state.played > 0


# --- The seventh card: the card under the pile whose suit is trumps


def lay_seventh(state: State, rules: Rules) -> None:
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


def has_seventh(state: State) -> bool:
    """Does a card lie under the pile?"""
    return state.seventh != 0 or state.seventh_unknown != 0


def take_up_seventh(state: State) -> None:
    """The seventh card becomes an ordinary card of its owner's hand (S88)."""
    if not has_seventh(state):
        return
    maker = state.maker
    state.holding[maker] |= state.seventh
    state.unknown[maker] += state.seventh_unknown
    state.seventh = 0
    state.seventh_unknown = 0


def is_all_that_is_left(state: State, seat: int) -> bool:
    """Has the seat nothing left to play but the seventh card (O41)?"""
    return seat == state.maker and has_seventh(state) and table.hand_count(state, seat) == 0


def cards_to_play(state: State, seat: int) -> int:
    """Return the cards a seat can play: its hand, to the last trick the seventh card (O41)."""
    return state.seventh if is_all_that_is_left(state, seat) else state.holding[seat]


def is_seventh(state: State, rules: Rules, seat: int, cards: int) -> bool:
    """Is this play the seventh card? A card not named may be it when it can be no other."""
    if seat != state.maker or not has_seventh(state) or not state.pending >> seat & 1:
        return False
    nothing_else = table.hand_count(state, seat) == 0
    if cards == 0:
        return nothing_else
    if state.seventh:
        return cards == state.seventh
    if cards & table.known_elsewhere(state, rules):
        return False
    return nothing_else or state.unknown[seat] == 0


def trump_suit(state: State) -> int:
    """Return the trump suit as far as the record tells, now or later; -1 when it does not."""
    return state.trump if state.trump >= 0 else auction.suit_of(state.will_show)
