"""Worlds: whole deals, with all that happened in them, that fit what a seat knows.

A world fits when the engine carries out every action without a fault, and the same seat is then to
act, with as many cards in every hand. All are equally likely, each with its history: cards are
shared out over the places nobody sees by counting the ways (``shares``), the history is filled in
backwards, and a deal with a fault is given up. Only in hands with gifts that the seat did not see,
or with cards taken out of discards, is that not exact: trumps that were kept are weighed there by
what each player held at the first trick. ``docs/solver.md`` says what that means.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product, takewhile
from math import comb
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace as with_fields

from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import NO_TRUMPS, Rules, State, union
from tricklog.core.engine.rules.table import hand_count, partner_of
from tricklog.core.judging.setup import carrier_of
from tricklog.core.study.knowledge import Known, Leave
from tricklog.core.study.shares import Share, Shares
from tricklog.schemas.actions import TRUMP_HIDDEN, Action, Verb, action_text
from tricklog.schemas.cards import card_name, cards_in, mask_of, names_in
from tricklog.schemas.hand import Hand, Player, RulesRef

TRIES: Final = 2_000
"""Deals that are drawn and given up before the next world counts as not to be found."""


# --- Where the cards may be that a seat has not seen: hands, discards, the rest of the stock


@dataclass(frozen=True, slots=True)
class Placed:
    """What nobody but its owner sees, as shared out."""

    held: dict[int, int]
    gone: dict[int, int]
    """By action that put cards away: which."""
    rest: int
    """Left in the stock; with discards that may have been taken up, all of both."""
    under: int


class Branch:
    """Ways that have in common which players kept nothing but trumps when they laid off some."""

    def __init__(self, known: Known, full: Sequence[Leave]) -> None:
        self._known = known
        # Places that may have the same cards are drawn for together, and shared out by chance.
        groups: dict[object, list[_Spot]] = {}
        for spot in _places(known, full):
            key: object = spot.name if spot.weight else spot.may & known.unseen
            groups.setdefault(key, []).append(spot)
        self._groups = [*groups.values()]
        shares = [
            Share(sum(each.size for each in group), group[0].may & known.unseen, group[0].weight)
            for group in self._groups
        ]
        self._shares = Shares(known.unseen, trumps_of(known), shares)
        self.ways = self._shares.ways

    def draw(self, chance: random.Random) -> Placed:
        """Return one of the ways, each as likely as another."""
        found: dict[Spot, int] = {}
        for spots, cards in zip(self._groups, self._shares.draw(chance), strict=True):
            pile = cards_in(cards)
            if len(spots) > 1:
                chance.shuffle(pile)
            for spot in spots:
                found[spot.name] = mask_of(pile[: spot.size])
                del pile[: spot.size]
        held = {seat: found["held", seat] for seat in self._known.hidden}
        gone = {at: cards for (kind, at), cards in found.items() if kind == "gone"}
        return Placed(held, gone, found["rest", 0], found.get(("under", 0), 0))


Spot = tuple[Literal["held", "gone", "under", "rest"], int]
"""A hand, with its seat; cards put away, with the action; the seventh card; the stock."""


class _Spot(NamedTuple):
    name: Spot
    size: int
    may: int
    weight: Callable[[int], float] | None = None


def trumps_of(known: Known) -> int:
    """Return the trumps as far as the seat knows what trumps are."""
    return 0 if known.trump is None else known.rules.trump_cards[known.trump]


def branches_of(known: Known) -> Iterator[Branch]:
    """Yield the ways with each set of players who may have kept nothing but trumps."""
    trumps = trumps_of(known)
    able = [
        each
        for each in known.leaves
        if each.may_when_full
        and not each.robbed
        and known.shown.get(each.seat, 0) & ~trumps == 0
        and known.hidden[each.seat] < (known.unseen & trumps).bit_count()
    ]
    for chosen in product((False, True), repeat=len(able)):
        yield Branch(known, [each for each, is_full in zip(able, chosen, strict=True) if is_full])


def _places(known: Known, full: Sequence[Leave]) -> list[_Spot]:
    """Return where cards may be, with the number of trumps in some of them weighed."""
    trumps = trumps_of(known)
    kept_all = {each.seat for each in full}
    spots = []
    for seat, size in known.hidden.items():
        may = known.may_hold[seat]
        may &= trumps if seat in kept_all else -1
        if seat in known.kept and seat not in known.drew:
            may &= known.kept[seat][1]
        spots.append(_Spot(("held", seat), size, may, _hand_weight(known, seat)))
    for each in known.leaves:
        if each.robbed:
            continue
        is_full = each in full
        may = each.may_when_full if is_full else each.may
        for card, loose in known.loose.items():
            fits = loose.seat == each.seat and loose.since < each.action
            may &= -1 if fits else ~(1 << card)
        weight = _leave_weight(known, each) if is_full else None
        spots.append(_Spot(("gone", each.action), each.size, may, weight))
    if known.under:
        loose_cards = sum(1 << card for card in known.loose)
        spots.append(_Spot(("under", 0), 1, known.rules.pack & ~loose_cards))
    spots.append(_Spot(("rest", 0), known.rest, known.may_rest))
    return spots


def _hand_weight(known: Known, seat: int) -> Callable[[int], float] | None:
    """Return how often a hand counts by its trumps not seen: as they may have been kept."""
    if known.trump is None:
        return None
    trumps = trumps_of(known)
    seen = (known.shown.get(seat, 0) & trumps).bit_count()
    least = known.needs_trump >> seat & 1
    kept, may_keep = known.kept.get(seat, (0, known.rules.pack))
    keeps_trumps = seat in known.drew and may_keep == known.rules.pack & trumps
    had = known.had_trump >> seat & 1
    put_aside = seat == known.secret_maker
    given, certain = known.given.get(seat, (0, 0))
    fixed = certain.bit_count()
    had += given if had else 0
    if not (least or keeps_trumps or had or put_aside or given):
        return None

    def weight(unseen: int) -> float:
        count = seen + unseen
        if unseen < least or count < had:
            return 0.0
        ways = comb(count, kept) if keeps_trumps else 1
        ways *= comb(max(0, count - fixed), given - fixed)
        return float(ways * count if put_aside else ways)

    return weight


def _leave_weight(known: Known, leave: Leave) -> Callable[[int], float]:
    """Return how often cards count that a player with nothing but trumps laid off, trumps too."""
    trumps = trumps_of(known)
    kept, may_keep = known.kept.get(leave.seat, (0, 0))
    held = known.hidden[leave.seat] + known.shown.get(leave.seat, 0).bit_count()
    drew_before = leave.seat in known.drew and known.drew[leave.seat] < leave.action
    weighs = drew_before and may_keep == known.rules.pack & trumps

    def weight(count: int) -> float:
        if count == 0:
            return 0.0
        return comb(held + count, kept) / comb(held, kept) if weighs else 1.0

    return weight


# --- What happened from the deal to the moment, filled in backwards once the cards are placed


_RECEIVES: Final = (Verb.DRAW, Verb.ROB, Verb.KITTY)
_PUTS_AWAY: Final = (Verb.DISCARD, Verb.DISCARD_UP, Verb.FOLD)


class History:
    """Fills in what happened from the moment back to the deal."""

    def __init__(self, known: Known, placed: Placed, chance: random.Random) -> None:
        self._known = known
        self._rules: Rules = known.rules
        self._placed = placed
        self._chance = chance
        self._hands: dict[int, int] = dict(placed.held)
        self._gone = dict(placed.gone)
        self._rest = placed.rest
        self._stock: list[list[int]] = []
        self._put_aside = -1
        self.seats = known.rules.seats
        self.actions = list(known.actions)
        self.kitty = 0
        self.stock: list[int] = []

    def fill(self) -> bool:
        """Fill everything in; return whether it comes out right."""
        known = self._known
        for index, action in reversed([*enumerate(self.actions)]):
            if action.seat != known.seat and not self._undo(index, action):
                return False
            if action.seat == known.seat:
                self._undo_own(action)
        if self._placed.under:
            self._hands[known.maker] |= self._placed.under
        rest = cards_in(self._rest | known.rest_seen)
        self._chance.shuffle(rest)
        self.stock = [card for batch in reversed(self._stock) for card in batch] + rest
        return self._name_trumps() and self._right_sizes()

    def _undo_own(self, action: Action) -> None:
        verb = action.verb
        if verb == Verb.GIVE:
            self._hands[partner_of(self._rules, action.seat)] &= ~action.cards
        elif verb == Verb.KITTY:
            self.kitty = action.cards
        elif verb in (Verb.DRAW, Verb.ROB):
            self._stock.append(cards_in(action.cards & ~self._laid_off()))

    def _laid_off(self) -> int:
        before = takewhile(lambda each: each.verb != Verb.ROB, self.actions)
        return union(each.cards for each in before if each.verb in _PUTS_AWAY)

    def _undo(self, index: int, action: Action) -> bool:
        """Give back what somebody else did; return whether there is a way."""
        verb, seat = action.verb, action.seat
        hands = self._hands
        if verb in (Verb.PLAY, Verb.BURY):
            hands[seat] |= action.cards
        elif verb in _PUTS_AWAY:
            cards = self._gone.get(index, action.cards)
            hands[seat] |= cards
            if verb != Verb.FOLD:
                self._name(index, cards)
        elif verb == Verb.CLAIM:
            claimed = 1 << action.card
            hands[seat] = hands[seat] & ~claimed | action.cards & ~claimed
        elif verb == Verb.GIVE:
            return self._undo_gift(index, action)
        elif verb == Verb.ROB and self._known.pooled:
            return self._undo_pool(index, action)
        elif verb in _RECEIVES:
            return self._undo_receipt(index, action)
        return True

    def _undo_receipt(self, index: int, action: Action) -> bool:
        """Take out of a hand what it drew, or the kitty: any of its cards that need not be kept."""
        seat, kitty = action.seat, action.verb == Verb.KITTY
        held = self._hands[seat]
        _, may_keep = self._known.kept.get(seat, (0, self._rules.pack))
        kept = self._drawn(held if kitty else held & may_keep, held.bit_count() - action.size)
        if kept is None:
            return False
        batch = self._take(index, held & ~kept)
        if kitty:
            self.kitty = batch
        else:
            self._stock.append(cards_in(batch))
        return True

    def _undo_gift(self, index: int, action: Action) -> bool:
        """Take a gift, of trumps, from who was given it, and put it into the hand of the giver."""
        giver, taker = action.seat, partner_of(self._rules, action.seat)
        if taker == self._known.seat:
            self._hands[giver] |= action.cards
            return True
        held = self._hands[taker]
        certain = self._known.given[taker][1] & held
        others = held & trumps_of(self._known) & ~certain
        more = self._drawn(others, action.size - certain.bit_count())
        if more is None:
            return False
        self._hands[giver] |= self._take(index, certain | more, taker)
        return True

    def _undo_pool(self, index: int, action: Action) -> bool:
        held = self._hands[action.seat]
        laid_off = self._laid_off()
        certain = held & laid_off
        more = self._drawn(held & ~certain, action.size - certain.bit_count())
        if more is None:
            return False
        batch = self._take(index, certain | more)
        pool = cards_in((self._rest | batch) & ~laid_off)
        self._chance.shuffle(pool)
        for each in self._known.leaves:
            if each.robbed:
                self._gone[each.action] = mask_of(pool[: each.size])
                del pool[: each.size]
                if self._gone[each.action] & ~(each.may | each.may_when_full):
                    return False
        self._rest = mask_of(pool) & ~batch
        self._stock.append([card for card in pool if batch >> card & 1])
        return True

    def _drawn(self, cards: int, count: int) -> int | None:
        among = cards_in(cards)
        if not 0 <= count <= len(among):
            return None
        return mask_of(self._chance.sample(among, count))

    def _take(self, index: int, cards: int, seat: int | None = None) -> int:
        self._hands[self.actions[index].seat if seat is None else seat] &= ~cards
        self._name(index, cards)
        return cards

    def _name(self, index: int, cards: int) -> None:
        action = self.actions[index]
        if action.cards != cards:
            first = cards_in(cards)[0] if cards else -1
            self.actions[index] = replace(action, card=first, cards=cards)

    def _name_trumps(self) -> bool:
        known, rules = self._known, self._rules
        if known.secret_maker < 0:
            return True
        dealt = self._hands[known.secret_maker]
        if known.trump is not None:
            # The number of them was weighed where nothing else has changed hands since the deal.
            dealt &= trumps_of(known)
        if not dealt:
            return False
        card = self._put_aside = self._chance.choice(cards_in(dealt))
        for index, action in enumerate(self.actions):
            if action.verb == Verb.TRUMP and action.amount == TRUMP_HIDDEN:
                suit = rules.suit[NO_TRUMPS][card] if known.trump is None else known.trump
                self.actions[index] = replace(action, amount=suit)
        return True

    def _right_sizes(self) -> bool:
        rules, known = self._rules, self._known
        dealt, odd = rules.dealt, rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
        if known.first_only:
            dealt, odd = rules.packet, 0
        return all(
            hand.bit_count() in (dealt, dealt + odd * (seat == known.dealer))
            for seat, hand in self._hands.items()
        )

    def dealt(self, seat: int) -> list[int]:
        """Return the cards dealt to a seat in the order in which they were."""
        known = self._known
        if seat == known.seat:
            first, later = known.dealt
            cards = [*cards_in(first), *cards_in(later)]
            under = known.last_but_one
        else:
            cards = cards_in(self._hands[seat])
            self._chance.shuffle(cards)
            cards.sort(key=lambda card: card != self._put_aside)
            under = -1
            if seat == known.maker:
                under = (self._placed.under | known.shown_under).bit_length() - 1
        if under in cards:
            cards.remove(under)
            cards.insert(len(cards) - 1, under)
        return cards


# --- The worlds


@dataclass(frozen=True, slots=True)
class World:
    """A deal that fits what a seat knows."""

    record: Hand
    """The deal and all there was until the moment, every card named; it has no findings."""
    state: State
    """The moment itself."""


class Worlds:
    """The worlds a seat can think of."""

    def __init__(self, known: Known, chance: random.Random) -> None:
        """Count the ways to share out unseen cards, to be drawn with ``chance``.

        Raises ``shares.TooMany`` where there are too many kinds of cards to count.
        """
        self.known = known
        self._chance = chance
        self._branches = [each for each in branches_of(known) if each.ways > 0]
        self._hand = Hand(
            format="tricklog/1",
            id="world",
            rules=RulesRef(known.ruleset.id),
            players=[Player(id=str(seat)) for seat in range(known.rules.seats)],
            dealer=known.dealer,
            actions=[],
        )

    def draw(self) -> World | None:
        """Return the next world; ``None`` when none is found in ``TRIES`` deals."""
        if not self._branches:
            return None
        weights = [branch.ways for branch in self._branches]
        for _ in range(TRIES):
            (branch,) = self._chance.choices(self._branches, weights)
            world = self._fill(branch.draw(self._chance))
            if world is not None:
                return world
        return None

    def _fill(self, placed: Placed) -> World | None:
        history = History(self.known, placed, self._chance)
        if not history.fill():
            return None
        record = with_fields(
            self._hand,
            # As dealt, packet by packet.
            deal=[" ".join(map(card_name, history.dealt(seat))) for seat in range(history.seats)],
            kitty=names_in(history.kitty),
            stock=" ".join(map(card_name, history.stock)),
            actions=[*map(action_text, history.actions)],
        )
        state = _carried_out(self.known, record)
        return None if state is None else World(record, state)


def _carried_out(known: Known, record: Hand) -> State | None:
    rules = known.rules
    carrier = carrier_of(record, rules)
    if not carrier.lay_out() or not carrier.carry_out():
        return None
    state = carrier.state
    if state.phase < Phase.PLAY:
        if engine.go_on_to(state, rules, Action(known.seat, Verb.PLAY)):
            return None
        while state.phase == Phase.SOLO:
            engine.enter(state, rules)
    if state.phase != Phase.PLAY or state.doubt or engine.to_act(state) != known.seat:
        return None
    return state if _same_counts(known, state) else None


def _same_counts(known: Known, state: State) -> bool:
    for seat, unseen in known.hidden.items():
        out = not state.active >> seat & 1
        is_in = known.in_hand >> seat & 1
        if out == is_in or (is_in and hand_count(state, seat) != unseen):
            return False
    return True
