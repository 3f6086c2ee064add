"""Worlds: whole deals, with all that happened in them, that fit what a seat knows.

A world has every card named, and the actions of the hand with the cards filled in that the seat did
not see. It fits when the engine carries out every action without a fault, and the same seat is then
to act, with as many cards in every hand. All worlds are equally likely, each with its history;
``docs/solver.md`` says what that means, and what is inferred of secret trumps.

Cards are shared out over all places nobody sees by counting the ways (``shares``), under what is
known of each card and by numbers of trumps; the history is then filled in backwards, and the deal
replayed. A deal with a fault is given up and another drawn, so what is left is uniform. Only in
hands with gifts that the seat did not see, or with cards taken out of discards, is that not exact:
trumps that were kept are weighed there by what each player held at the first trick.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace as with_fields

from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import State
from tricklog.core.engine.rules.table import hand_count
from tricklog.core.judging.setup import carrier_of
from tricklog.core.study.history import History
from tricklog.core.study.knowledge import Known
from tricklog.core.study.places import Placed, branches_of
from tricklog.schemas.actions import Action, Verb, action_text
from tricklog.schemas.cards import CARD_NAMES, names_in
from tricklog.schemas.hand import Hand, Player, RulesRef

TRIES: Final = 2_000
"""Deals that are drawn and given up before the next world counts as not to be found."""


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
        """Count the ways to share out what the seat has not seen.

        ``chance``: where worlds are drawn with. Raises ``shares.TooMany`` where there are too many
        kinds of cards to count.
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
            deal=[_in_order(history.dealt(seat)) for seat in range(history.seats)],
            kitty=names_in(history.kitty),
            stock=_in_order(history.stock),
            actions=[*map(action_text, history.actions)],
        )
        state = _carried_out(self.known, record)
        return None if state is None else World(record, state)


def _in_order(cards: Sequence[int]) -> str:
    return " ".join(CARD_NAMES[card] for card in cards)


def _carried_out(known: Known, record: Hand) -> State | None:
    rules = known.rules
    carrier = carrier_of(record, rules)
    if not carrier.lay_out() or not carrier.carry_out():
        return None
    state = carrier.state
    if state.phase < Phase.PLAY:
        card = Action(known.seat, Verb.PLAY)
        if engine.go_on_to(state, rules, card):
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
