"""What players with some card sense do, of what the engine says is legal, and hands they play.

They see only what a player sees: their own cards, the auction, the cards played, trumps once known.
What is done is written into an action; whether anything is, is returned. Fractions are added up one
after the other, so that the same cards are worth the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, TypeAlias

from tricklog.core.engine import engine, hand_replay
from tricklog.core.engine.policies import Phase, PlainFollow, Refill
from tricklog.core.engine.records import NO_TRUMPS, Rules, State, lowest_first, union
from tricklog.core.engine.rules import table
from tricklog.core.engine.rules.game_end import fill_result, settle_scores
from tricklog.core.engine.rules.play import beats, best_on_table
from tricklog.core.engine.rules.scoring import RAISES, put_by, strongest
from tricklog.core.engine.rules.table import Legal, hand_count, live_trump, named_trump, side_of
from tricklog.schemas.actions import NO_TRUMP, SEVENTH_CARD, Verb
from tricklog.schemas.cards import CARD_COUNT, cards_in
from tricklog.schemas.scan.actions import ScannedAction

FEATURES = 7
ALL_SUITS = 15
_COMMAND = (20, 16, 13, 10, 8)
"""What the highest trumps are worth in command of the suit, in twentieths."""
_OTHER_COMMAND = 5


@dataclass(slots=True)
class Mind:
    """How one player judges and plays."""

    weights: list[float] = field(default_factory=lambda: [0.0] * FEATURES)
    """By feature."""
    reach: float = 0.0
    """How much more than what it expects to take it bids, as a share of all points."""
    careless: float = 0.0
    """Chance to play any legal card, of ``1 << 53``."""


class Features(NamedTuple):
    """What is seen of the cards held, with a suit as trumps."""

    one: float
    """Always 1."""
    highest: float
    """1 with the highest trump."""
    second: float
    """1 with the second highest."""
    command: float
    """What the trumps are worth in command of the suit."""
    trumps: float
    points: float
    """The share of all points that they bring."""
    sides: float
    """Plain cards that will win."""


def features_of(rules: Rules, held: int, trump: int) -> Features:
    """Return what is seen of the cards ``held`` with ``trump`` as trumps."""
    command = 0.0
    place, highest, second = 0, 0, 0
    left = rules.trump_cards[trump]
    while left:
        card = strongest(rules, trump, left, 1)
        left &= ~(1 << card)
        if held >> card & 1:
            command += (_COMMAND[place] if place < len(_COMMAND) else _OTHER_COMMAND) / 20
            highest |= 1 if place == 0 else 0
            second |= 1 if place == 1 else 0
        place += 1
    points = rules.points[trump]
    all_points = sum(points[card] for card in range(CARD_COUNT))
    own_points = sum(points[card] for card in lowest_first(held))
    sides = 0.0
    plain = held & ~rules.trump_cards[trump]
    while plain:
        card = first_in(plain)
        plain &= ~(1 << card)
        over = stronger(rules, trump, rules.suit_cards[trump][rules.suit[trump][card]], card)
        if over == 0:
            sides += 1.0
        elif over == 1:
            sides += 0.4
    trumps = (held & rules.trump_cards[trump]).bit_count()
    share = own_points / max(1, all_points)
    return Features(1.0, highest / 1, second / 1, command, trumps / 1, share, sides)


def stronger(rules: Rules, trump: int, cards: int, card: int) -> int:
    """Return how many of some cards are stronger than ``card``."""
    strength = rules.strength[trump]
    return sum(1 for other in lowest_first(cards) if strength[other] > strength[card])


def share_of(mind: Mind, seen: Features) -> float:
    """Return the share of all points that the side may expect, 0 to 1."""
    weights = mind.weights
    found = weights[0] * seen.one
    found += weights[1] * seen.highest
    found += weights[2] * seen.second
    found += weights[3] * seen.command
    found += weights[4] * seen.trumps
    found += weights[5] * seen.points
    found += weights[6] * seen.sides
    return min(1.0, max(0.0, found))


def best_trump(rules: Rules, mind: Mind, held: int, codes: int) -> int:
    """Return the suit among those of ``codes``, a set, with the largest share expected."""
    best = -1
    share = -1.0
    for trump in range(4):
        if codes >> trump & 1:
            expected = share_of(mind, features_of(rules, held, trump))
            if expected > share:
                best, share = trump, expected
    return best


def worth(rules: Rules, mind: Mind, held: int) -> int:
    """Return the bid that the cards are worth to this player."""
    trump = best_trump(rules, mind, held, ALL_SUITS)
    share = share_of(mind, features_of(rules, held, trump)) + mind.reach
    return int(share * rules.all_points)


def sure_tricks(rules: Rules, held: int) -> int:
    """Return how many tricks without trumps no cards of the others can take."""
    sure = 0
    for suit in range(4):
        own = held & rules.suit_cards[NO_TRUMPS][suit]
        outside = rules.suit_cards[NO_TRUMPS][suit] & ~held
        top = sum(1 for card in lowest_first(own) if stronger(rules, NO_TRUMPS, outside, card) == 0)
        certain = top >= min(own.bit_count(), outside.bit_count())
        sure += own.bit_count() if certain else top
    return sure


_SUITS = 5
_RANKS = 13
_OF_SUIT = (1 << _RANKS) - 1


def first_in(cards: int) -> int:
    """Return the first card of a set: the lowest suit there is, its highest card; -1 without."""
    for suit in range(_SUITS):
        found = cards >> _RANKS * suit & _OF_SUIT
        if found:
            return _RANKS * suit + found.bit_length() - 1
    return -1


def card_at(cards: int, place: int) -> int:
    """Return the card of a set at a place, from 0, in that order."""
    for _ in range(place):
        cards &= ~(1 << first_in(cards))
    return first_in(cards)


# --- Choices


Array: TypeAlias = Any
"""An array of numpy, or a list."""

UNASKED = RAISES | 1 << Verb.PAIR | 1 << Verb.TENNY | 1 << Verb.SOLO | 1 << Verb.CLAIM
"""What a player may do without anybody waiting for it."""
_ENOUGH_SURE = 3
"""With so many sure tricks a hand does without trumps."""
_LONG = 2
WITH_CARDS = (
    *(Verb.KITTY, Verb.GIVE, Verb.DISCARD_UP, Verb.DISCARD, Verb.DRAW, Verb.ROB, Verb.SHOW),
    Verb.BURY,
)
"""What a player does with cards, in the order in which it is looked for."""
_POINT = 1 << 16
_TRUMP = 1 << 15
"""Points count first, then whether a card is a trump, then its strength."""
_FAR = 1 << 40


class Luck(NamedTuple):
    """Numbers drawn at random, of 32 bits each, which are used one after the other."""

    words: Array
    used: Array
    """One number: how many have been used."""


class Drawn:
    """Numbers of 32 bits, drawn from a generator when they are asked for."""

    def __init__(self, chance: Random) -> None:
        self._chance, self._words = chance, list[int]()

    def __getitem__(self, place: int) -> int:
        """Return a number; those before it come first."""
        while place >= len(self._words):
            self._words.append(self._chance.getrandbits(32))
        return self._words[place]


def volunteer(
    state: State, rules: Rules, options: Legal, mind: Mind, seat: int, done: ScannedAction
) -> bool:
    """Declare a pair, and raise the stake or play alone with the cards for it."""
    verbs = options.verbs
    held = state.holding[seat]
    if verbs >> Verb.PAIR & 1:
        return say(done, seat, Verb.PAIR, 0)
    alone = verbs & (1 << Verb.TENNY | 1 << Verb.SOLO)
    if alone and sure_tricks(rules, held) == hand_count(state, seat):
        return say(done, seat, Verb.TENNY if verbs >> Verb.TENNY & 1 else Verb.SOLO, 0)
    if verbs >> Verb.CLAIM & 1:
        return claim(state, rules, options, seat, done)
    if verbs >> Verb.DOUBLE & 1 and worth(rules, mind, held) > state.high_bid:
        return say(done, seat, Verb.DOUBLE, 0)
    for verb in (Verb.REDOUBLE, Verb.SUPER):
        if verbs >> verb & 1 and worth(rules, mind, held) > state.high_bid + rules.all_points // 5:
            return say(done, seat, verb, 0)
    return False


def decide(
    state: State,
    rules: Rules,
    options: Legal,
    mind: Mind,
    luck: Luck,
    seat: int,
    done: ScannedAction,
) -> bool:
    """Do what this player does in turn; nothing where that is allowed and as good."""
    verbs = options.verbs
    if verbs & (1 << Verb.REVEAL | 1 << Verb.ASK) and wants_to_know(state, rules, verbs, seat):
        if verbs >> Verb.REVEAL & 1:
            return say(done, seat, Verb.REVEAL, table.trump_code(state))
        return say(done, seat, Verb.ASK, 0)
    if verbs >> Verb.PLAY & 1:
        card = card_to_play(state, rules, options, mind, luck, seat)
        return show(done, seat, Verb.PLAY, 1 << card)
    if verbs & (1 << Verb.BID | 1 << Verb.PASS):
        return call(state, rules, options, mind, seat, done)
    if verbs >> Verb.TRUMP & 1:
        code = trump_to_name(rules, mind, state.holding[seat], options.trumps)
        return say(done, seat, Verb.TRUMP, code)
    for verb in (Verb.FOLD, Verb.THROW_IN):
        if verbs >> verb & 1:
            return say(done, seat, verb, 0)
    for verb in WITH_CARDS:
        if verbs >> verb & 1:
            cards = pick(state, rules, options)
            return show(done, seat, verb, cards) if cards else False
    return False


def say(done: ScannedAction, seat: int, verb: int, amount: int) -> bool:
    """Write down an action without cards."""
    done.seat, done.verb, done.amount = seat, verb, amount
    done.card, done.cards, done.size = -1, 0, 0
    return True


def show(done: ScannedAction, seat: int, verb: int, cards: int) -> bool:
    """Write down an action with cards."""
    say(done, seat, verb, 0)
    done.card, done.cards, done.size = first_in(cards), cards, cards.bit_count()
    return True


# --- Calls


def call(
    state: State, rules: Rules, options: Legal, mind: Mind, seat: int, done: ScannedAction
) -> bool:
    """Bid, hold the bid, or pass."""
    bid = bid_of(state, rules, options, mind, seat)
    if bid:
        return say(done, seat, Verb.BID, bid)
    may_hold = options.verbs >> Verb.DITTO & 1 and not is_partners(state, rules, seat)
    if may_hold and worth(rules, mind, state.holding[seat]) >= state.high_bid:
        return say(done, seat, Verb.DITTO, 0)
    return say(done, seat, Verb.PASS, 0)


def bid_of(state: State, rules: Rules, options: Legal, mind: Mind, seat: int) -> int:
    """Return a bid, or 0 to pass. Far below what a hand is worth it goes half of the way."""
    if not options.high:
        return 0
    if not options.verbs >> Verb.PASS & 1:
        return options.low
    wanted = min(options.high, worth(rules, mind, state.holding[seat]))
    if is_partners(state, rules, seat):
        wanted -= max(1, rules.all_points // 10)
    if wanted < options.low:
        return 0
    if options.low * 2 < rules.all_points:
        return options.low + (wanted - options.low) // 2
    return options.low


def is_partners(state: State, rules: Rules, seat: int) -> bool:
    """Is the standing bid this player's own side's?"""
    return state.maker >= 0 and side_of(rules, state.maker) == side_of(rules, seat)


def trump_to_name(rules: Rules, mind: Mind, held: int, codes: int) -> int:
    """Return the trump to name: a suit; no trumps with the high cards for it; or by chance.

    A short hand leaves it to the seventh card.
    """
    best = best_trump(rules, mind, held, codes)
    if codes >> NO_TRUMP & 1 and sure_tricks(rules, held) >= _ENOUGH_SURE:
        return NO_TRUMP
    longest = (held & rules.trump_cards[best]).bit_count()
    return SEVENTH_CARD if codes >> SEVENTH_CARD & 1 and longest < _LONG else best


def wants_to_know(state: State, rules: Rules, verbs: int, seat: int) -> bool:
    """Is the trump to be seen now? Where nobody has to ask, for the sake of points."""
    if not verbs >> Verb.PLAY & 1:
        return True
    if not any(rules.points[NO_TRUMPS][card] for card in lowest_first(state.on_table)):
        return False
    winner = put_by(state, rules, best_on_table(state, rules, live_trump(state, rules)))
    return side_of(rules, winner) != side_of(rules, seat)


# --- Cards


def value_of(rules: Rules, trump: int, card: int) -> int:
    """Return a number by which cards are ordered: points, whether a trump, strength."""
    is_trump = rules.trump_cards[trump] >> card & 1
    return rules.points[trump][card] * _POINT + is_trump * _TRUMP + rules.strength[trump][card]


def best_of(rules: Rules, trump: int, cards: int, sign: int, weak: int) -> int:
    """Return the card of a set that is worth most, with ``sign`` -1 least.

    With ``weak`` only points count, and of as many the weakest card; with -1 the strongest.
    """
    best, value = -1, -_FAR
    while cards:
        card = first_in(cards)
        cards &= ~(1 << card)
        found = value_of(rules, trump, card)
        if weak:
            found = rules.points[trump][card] * _POINT - rules.strength[trump][card]
        if sign * found > value:
            best, value = card, sign * found
    return best


def claim(state: State, rules: Rules, options: Legal, seat: int, done: ScannedAction) -> bool:
    """Take the best trump out of the discards, for the least plain card if there is one."""
    trump = named_trump(state)
    card = best_of(rules, trump, options.may, 1, 0)
    plain = state.holding[seat] & ~rules.trump_cards[trump]
    cards = 1 << card
    if plain:
        cards |= 1 << best_of(rules, trump, plain, -1, 0)
    show(done, seat, Verb.CLAIM, cards)
    done.card = card
    return True


def pick(state: State, rules: Rules, options: Legal) -> int:
    """Return the set of cards to lay off, draw, rob or bury: what must, then what is least.

    Plain cards that new ones come for all go, and the dealer takes the best there is.
    """
    trump = named_trump(state)
    chosen = options.must
    limited = (chosen & options.limited).bit_count()
    takes = options.verbs & (1 << Verb.ROB | 1 << Verb.DRAW) != 0
    most_of_it = options.verbs & (1 << Verb.ROB | 1 << Verb.GIVE)
    wanted = options.most if most_of_it else options.least
    if state.phase == Phase.DISCARD and rules.refill != Refill.NOBODY:
        plain = options.may & ~rules.trump_cards[trump]
        wanted = min(options.most, max(wanted, (options.must | plain).bit_count()))
    spare = options.may & ~options.must
    while spare and chosen.bit_count() < wanted:
        card = best_of(rules, trump, spare, 1 if takes else -1, 0)
        spare &= ~(1 << card)
        if options.limited >> card & 1:
            if limited >= options.limit:
                continue
            limited += 1
        chosen |= 1 << card
    return chosen


def card_to_play(
    state: State, rules: Rules, options: Legal, mind: Mind, luck: Luck, seat: int
) -> int:
    """Return the card to play."""
    cards = options.may
    count = cards.bit_count()
    if count == 1:
        return first_in(cards)
    fraction = chance_of(luck)
    if fraction < mind.careless:
        return card_at(cards, number_below(luck, count))
    if state.played == 0:
        return card_to_lead(state, rules, cards, seat)
    return card_to_follow(state, rules, cards, seat)


def chance_of(luck: Luck) -> int:
    """Return a number below ``1 << 53``, drawn at random as Python draws a fraction."""
    high: int = luck.words[luck.used[0]] >> 5
    low: int = luck.words[luck.used[0] + 1] >> 6
    luck.used[0] += 2
    return high << 26 | low


def number_below(luck: Luck, count: int) -> int:
    """Return a number below ``count``, drawn at random as Python chooses one of so many."""
    shift = 32 - count.bit_length()
    number: int = count
    while number >= count:
        number = luck.words[luck.used[0]] >> shift
        luck.used[0] += 1
    return number


def card_to_lead(state: State, rules: Rules, cards: int, seat: int) -> int:
    """Lead the best card that is out when it is ours, otherwise something cheap."""
    trump = live_trump(state, rules)
    out = unseen(state, rules, seat)
    masters = sum(
        1 << card for card in lowest_first(cards) if not is_beaten_by_suit(rules, trump, out, card)
    )
    trumps = masters & rules.trump_cards[trump]
    if trumps:
        return strongest(rules, trump, trumps, 1)
    if masters and rules.plain_follow != PlainFollow.ANY:
        return best_of(rules, trump, masters, 1, 0)
    return best_of(rules, trump, cards, -1, 0)


def is_beaten_by_suit(rules: Rules, trump: int, out: int, card: int) -> bool:
    """Is a card of the same suit, and stronger, still out?"""
    suit, strength = rules.suit[trump], rules.strength[trump]
    return any(
        suit[other] == suit[card] and strength[other] > strength[card]
        for other in lowest_first(out)
    )


def unseen(state: State, rules: Rules, seat: int) -> int:
    """Return the cards that may still be in another hand, as this player knows."""
    gone = union(
        state.at_play[other] & ~state.holding[other] & ~state.discarded[other]
        for other in range(rules.seats)
    )
    return rules.pack & ~(gone | state.holding[seat] | state.discarded[seat])


def card_to_follow(state: State, rules: Rules, cards: int, seat: int) -> int:
    """Put points on a trick that is ours, win it cheaply if it is worth it, else duck."""
    trump = live_trump(state, rules)
    best = best_on_table(state, rules, trump)
    best_seat = put_by(state, rules, best)
    winners = sum(
        1 << card for card in lowest_first(cards) if beats(state, rules, trump, card, best)
    )
    last = state.pending == 1 << seat
    ours = side_of(rules, best_seat) == side_of(rules, seat)
    if ours and (last or not is_threatened(state, rules, best, trump, seat)):
        losers = cards & ~winners
        return best_of(rules, trump, losers or cards, 1, 1)
    if winners and not ours:
        return best_of(rules, trump, winners, 1 if last else -1, 1)
    return best_of(rules, trump, cards, -1, 0)


def is_threatened(state: State, rules: Rules, best: int, trump: int, seat: int) -> bool:
    """Could a card still out beat the best card of the trick?"""
    suit = rules.suit[trump][best]
    return any(
        rules.suit[trump][card] in (suit, trump) and beats(state, rules, trump, card, best)
        for card in lowest_first(unseen(state, rules, seat))
    )


# --- One hand, from the deal to its end


NO_MAKER = -1
ILLEGAL = -1
"""In place of how many actions there are: a player did something illegal, which is a bug."""


class Seats(NamedTuple):
    """What a hand is played with."""

    states: Array
    """One state, new but for its dealer."""
    results: Array
    """One ``Result``, to be filled."""
    cards: Array
    """The pack as dealt: hand after hand, then kitty, then stock."""
    minds: Array
    """By seat: a ``Mind``."""
    luck: Luck
    before: Array
    """By side: the score before the hand."""
    done: Array
    """What the players do: a ``ScannedAction`` each."""


def play_hand(seats: Seats, rules: Rules, maker: int) -> int:
    """Play a hand; return how many actions there are, or ``ILLEGAL``.

    ``maker``: the seat that has the contract for the lowest bid without an auction, or
    ``NO_MAKER``.
    """
    state, result = seats.states[0], seats.results[0]
    deal(state, rules, seats.cards, seats.done)
    engine.start(state, rules)
    if maker != NO_MAKER:
        state.maker = maker
        state.high_bid = rules.min_bid
        engine.enter(state, rules)
    count = 0
    while state.phase != Phase.OVER:
        done = seats.done[count]
        if next_action(state, rules, seats.minds, seats.luck, done):
            if engine.apply(state, rules, done):
                return ILLEGAL
            count += 1
        else:
            engine.pass_over(state, rules)
    engine.finish(state, rules)
    fill_result(state, rules, result)
    settle_scores(rules, seats.before, result)
    return count


def shuffled(rules: Rules, chance: Random) -> list[int]:
    """Return the pack dealt at random, packet by packet: hand after hand, then kitty and stock."""
    cards = cards_in(rules.pack)
    chance.shuffle(cards)
    hands: list[list[int]] = [[] for _ in range(rules.seats)]
    for packet in (rules.packet, rules.dealt - rules.packet):
        for seat in range(rules.seats):
            hands[seat] += cards[:packet]
            del cards[:packet]
    return [*(card for each in hands for card in each), *cards]


def deal(state: State, rules: Rules, cards: Sequence[int], nothing: Array) -> None:
    """Deal the pack; ``nothing``: actions, of which none is looked at."""
    together = 0
    first = 0
    for seat in range(rules.seats):
        last = first + rules.dealt
        together |= hand_replay.deal_seat(state, rules, seat, cards, first, last, rules.dealt)
        first = last
    hand_replay.lay_kitty(state, rules, cards, first, first + rules.kitty_size)
    together |= state.kitty
    first += rules.kitty_size
    left = hand_replay.stock_size(state, rules)
    hand_replay.lay_stock(state, rules, cards, first, rules.pack_size, left, together)
    hand_replay.look_ahead(state, rules, nothing, 0)


def next_action(state: State, rules: Rules, minds: Array, luck: Luck, done: ScannedAction) -> bool:
    """Write down what happens next; return ``False`` when a turn passes without anything."""
    for seat in range(rules.seats):
        mind: Mind = minds[seat]
        if volunteer(state, rules, engine.legal(state, rules, seat), mind, seat, done):
            return True
        if volunteer(state, rules, engine.legal_aside(state, rules, seat), mind, seat, done):
            return True
    turn = engine.to_act(state)
    if turn < 0:
        return False
    options = engine.legal(state, rules, turn)
    return decide(state, rules, options, minds[turn], luck, turn, done)
