"""Cards not yet dealt, laid again in another order: the chance that is left in a hand.

*The rest*, which nobody has been dealt, is the later packets, the kitty and the stock. Every order
of it is as likely as any other. An order is drawn by the contents of the hand and a number, and
ranks the whole pack: the k-th stock is the same for every contract and choice that are compared.
"""

import hashlib
import random
from itertools import islice
from typing import Final

from tricklog.core.card_sense.choices import deal, shuffled
from tricklog.core.engine import engine, hand_replay
from tricklog.core.engine.policies import EmptyStock, Phase, Refill, Rob
from tricklog.core.engine.records import Rules, State, copy_state, union
from tricklog.core.engine.rules.stock import stock_left
from tricklog.core.judging.replayer import Replay
from tricklog.core.study.refusals import Refused
from tricklog.schemas.cards import CARD_COUNT, cards_in, mask_of

Order = tuple[int, ...]
"""By card, its place among all cards of the pack."""

_FORGOTTEN: Final = (
    *("will_play", "hidden_plays", "discards_ahead", "late_discards", "robs_first", "rob_ahead"),
    *("redraws", "cut_draw", "drawing", "split_discards", "buries_ahead", "gifts_ahead"),
    *("given_ahead", "late_gift", "folds_ahead", "will_show", "will_raise"),
)
"""Fields of a state that a record fills with what it shows later."""


def content_of(state: State, rules: Rules) -> str:
    """Return what a deal consists of, as hex digits: the cards of each seat and who deals."""
    seats = slice(rules.seats)
    cards = *state.holding[seats], *state.reserve[seats], state.kitty, state.stock_set
    text = ",".join(map(str, (rules.seats, state.dealer, *cards)))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def order_of(content: str, number: int) -> Order:
    """Return the order in which the rest of a hand comes, the ``number``-th one from 0."""
    places = list(range(CARD_COUNT))
    random.Random(f"{content}/{number}").shuffle(places)
    return tuple(places)


def start_of(replay: Replay) -> State:
    """Return a hand before its first call. Raises ``Refused`` where the record hides a card."""
    start = forget_the_record(replay.state_at(0))
    if not names_every_card(start, replay.rules):
        raise Refused(NOT_NAMED)
    return start


NOT_NAMED: Final = "the record does not name every card, so other stocks cannot be dealt"


def names_every_card(state: State, rules: Rules) -> bool:
    """Whether the record names every card in a hand, in the kitty, laid off and in the stock."""
    hidden = state.kitty_unknown + state.seventh_unknown
    for seat in range(rules.seats):
        hidden += state.unknown[seat] + state.reserve_unknown[seat] + state.discarded_unknown[seat]
    return hidden == 0 and state.stock_set.bit_count() == stock_left(state)


def the_rest(state: State, rules: Rules) -> int:
    """Return the cards that nobody has been dealt, as a set."""
    return union((state.stock_set, state.kitty, *state.reserve[: rules.seats]))


def has_chance(state: State, rules: Rules) -> bool:
    """Whether a card may still come to a hand before play that nobody can foresee."""
    places = [each for each in (*state.reserve[: rules.seats], state.kitty) if each]
    if len(places) < 2 and not stock_left(state):
        # The rest can lie in one way only.
        return rules.empty_stock == EmptyStock.DISCARDS and rules.refill != Refill.NOBODY
    ahead = rules.phases[state.step :]
    if any(state.reserve[: rules.seats]) or (state.kitty and Phase.KITTY in ahead):
        return True
    takes_odd_card = hand_replay.odd_cards(rules) > 0 and Phase.DEAL_REST in ahead
    refills = rules.refill != Refill.NOBODY and Phase.REFILL in ahead
    robs = rules.rob != Rob.NOTHING and Phase.ROB in ahead
    more = stock_left(state) > 0 or rules.empty_stock == EmptyStock.DISCARDS
    return more and (takes_odd_card or refills or robs)


def forget_the_record(state: State) -> State:
    """Return a copy of ``state`` that shows nothing of what came later in the record."""
    copy, new = copy_state(state), State()
    for name in _FORGOTTEN:
        setattr(copy, name, getattr(new, name))
    return copy


def lay_again(state: State, rules: Rules, order: Order) -> None:
    """Lay the rest in ``order``: later packets seat by seat, then the kitty, then the stock."""
    cards = iter(sorted(cards_in(the_rest(state, rules)), key=order.__getitem__))
    for seat in range(rules.seats):
        packet = [*islice(cards, state.reserve[seat].bit_count())]
        state.reserve[seat] = mask_of(packet)
        if rules.seventh_card and len(packet) > 1:
            # The seventh card is the last but one dealt (O41, S77).
            state.last_but_one[seat] = packet[-2]
    state.kitty = mask_of(islice(cards, state.kitty.bit_count()))
    stock = [*cards]
    state.stock_set = mask_of(stock)
    state.stock[state.stock_next : state.stock_size] = stock


def deal_at_random(rules: Rules, dealer: int, chance: random.Random) -> State:
    """Return a hand just dealt, with nothing said yet; every deal is as likely as any other."""
    state = State(dealer=dealer)
    deal(state, rules, shuffled(rules, chance), ())
    engine.start(state, rules)
    return state
