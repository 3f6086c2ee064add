"""A legal hand to put faults into, and a fault put into it."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.at_table import begun
from tests.kit.random_play import walk_on
from tests.reference_engine.game import Game
from tests.reference_engine.table import Table
from tricklog import Hand, ruleset_of
from tricklog.core.engine import engine
from tricklog.core.engine.faults import FATAL
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.schemas.actions import parse_action

STOPS = ("decided", "concede")
ENDS = (*STOPS, "throw-in")
"""How a hand ends whose cards were not played out."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A hand with one fault: its first finding has this code, place and seat."""

    kind: str
    hand: Hand
    code: str
    """Code of the finding; "incomplete" for a record cut short, which is none."""
    pointer: str
    seat: int | None
    alone: bool
    """Whether the fault leaves all that follows sound, so that nothing else may be found."""


class Subject:
    """A legal hand, with the table before each of its actions and at the end."""

    def __init__(self, hand: Hand, tables: list[Table], chance: random.Random) -> None:
        self.hand = hand
        self.tables = tables
        self.chance = chance
        self.game: Game = tables[0].game
        self.actions: list[tuple[int, str, list[str]]] = []
        for table, text in zip(tables, hand.actions, strict=False):
            seat, verb, *rest = text.split(" ")
            if verb == "pass" and not table.in_auction():
                verb = "leave"
            self.actions.append((int(seat), verb, rest))
        self.kind = ""

    @property
    def end(self) -> Table:
        return self.tables[-1]

    def shuffled(self, items: range | list[int]) -> list[int]:
        mixed = list(items)
        self.chance.shuffle(mixed)
        return mixed

    def places(self, *verbs: str) -> list[int]:
        """Return the indexes of all actions with one of `verbs`, in random order."""
        return self.shuffled(
            [index for index, (_, verb, _) in enumerate(self.actions) if verb in verbs]
        )

    def others(self, seat: int) -> list[int]:
        """Return all other seats in random order."""
        return self.shuffled([each for each in self.tables[0].seats if each != seat])

    def pick(self, cards: frozenset[str] | set[str]) -> str:
        return self.chance.choice(sorted(cards))

    # --- The hand with other actions

    def instead(self, index: int, *texts: str, count: int = 1) -> Hand:
        """Return the hand with `texts` in the place of `count` actions, and no claims."""
        actions = self.hand.actions
        return replace(
            self.hand, actions=[*actions[:index], *texts, *actions[index + count :]], claimed=UNSET
        )

    def played_on(self, index: int, *texts: str) -> Hand | None:
        """Return the hand with `texts` after `index` actions, then played on legally at random.

        Nothing when the fault leaves no defined state.
        """
        ruleset = ruleset_of(self.hand)
        rules = ruleset.rules(self.game.seats)
        state = begun(self.hand, ruleset)
        actions = [*self.hand.actions[:index], *texts]
        for text in actions:
            pass_over_for(state, rules, text)
            if engine.apply(state, rules, parse_action(text)) & FATAL:
                return None
        try:
            for _, _, text in walk_on(state, rules, self.chance):
                actions.append(text)
        except AssertionError as error:
            raise AssertionError(f"{error}, after {actions}") from None
        return replace(self.hand, actions=actions, claimed=UNSET)

    # --- Faults

    def fault(
        self, code: str, index: int, hand: Hand, *, alone: bool = True, seat: int | None = None
    ) -> Mutation:
        """Return the mutation whose fault is action `index` of `hand`.

        Of a hand that was stopped because it was decided, or thrown in, nothing is said about the
        rest: the fault may have taken the cause away.
        """
        if hand.actions[-1].endswith(ENDS) and hand.actions[-1] == self.hand.actions[-1]:
            alone = alone and index == len(hand.actions) - 1
        if seat is None:
            seat = int(hand.actions[index][0])
        return Mutation(self.kind, hand, code, f"/actions/{index}", seat, alone)

    def faulty(
        self, code: str, index: int, text: str, *, sound: bool = False, count: int = 1
    ) -> Iterator[Mutation]:
        """Yield the hand with `text` in the place of `count` actions from `index` on.

        The rest stays as recorded, or everybody plays on legally from there, which leaves the
        fault alone. `sound` says that the rest as recorded does so, too.
        """
        if not sound and self.chance.random() < 0.5:
            hand = self.played_on(index, text)
            if hand is not None:
                yield self.fault(code, index, hand)
        yield self.fault(code, index, self.instead(index, text, count=count), alone=sound)

    def added(self, code: str, index: int, text: str) -> Iterator[Mutation]:
        """Yield the hand with `text` before action `index`, where it must not stand.

        The rest stays as recorded, or everybody plays on legally from there.
        """
        hand = self.played_on(index, text) if self.chance.random() < 0.5 else None
        if hand is not None:
            yield self.fault(code, index, hand)
        yield self.fault(code, index, self.instead(index, text, count=0), alone=False)

    def fatal(self, code: str, index: int, text: str, *, count: int = 0) -> Iterator[Mutation]:
        """Yield the hand with a fault after which no state is defined."""
        yield self.fault(code, index, self.instead(index, text, count=count))


def pass_over_for(state: State, rules: Rules, text: str) -> None:
    """Let those who might still lay cards off do nothing, once others go on to draw or play."""
    if text.split(" ")[1] in ("draw", "rob", "show", "bury", "play"):
        while state.phase == Phase.DISCARD and engine.may_pass_over(state, rules):
            engine.pass_over(state, rules)


Maker = Callable[[Subject], Iterator[Mutation]]
KINDS: dict[str, Maker] = {}
"""Every way to put a fault into a hand, by name."""


def kind(maker: Maker) -> Maker:
    """Enter a way to put a fault into a hand."""
    KINDS[maker.__name__.replace("_", " ")] = maker
    return maker


def mutation_of(name: str, subject: Subject) -> Mutation | None:
    """Return the hand with a fault of a kind, if it has a place for it."""
    subject.kind = name
    return next(KINDS[name](subject), None)
