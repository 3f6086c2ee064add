"""A legal hand to put faults into, and a fault put into it."""

import random
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeAlias

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

Said: TypeAlias = str | list[str]
Seat: TypeAlias = int | None

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


Faults: TypeAlias = Iterator[Mutation]
"""Hands with a fault of one kind, of which the first is taken."""


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

    def shuffled(self, items: Iterable[int]) -> list[int]:
        mixed = list(items)
        self.chance.shuffle(mixed)
        return mixed

    def places(self, *verbs: str) -> list[int]:
        """Return the indexes of all actions with one of `verbs`, in random order."""
        return self.shuffled(
            index for index, (_, verb, _) in enumerate(self.actions) if verb in verbs
        )

    def others(self, seat: int) -> list[int]:
        """Return all other seats in random order."""
        return self.shuffled(each for each in self.tables[0].seats if each != seat)

    def pick(self, cards: AbstractSet[str]) -> str:
        return self.chance.choice(sorted(cards))

    # --- The hand with other actions

    def instead(self, index: int, *texts: str, count: int = 1) -> Hand:
        """Return the hand with `texts` in the place of `count` actions, and no claims."""
        actions = self.hand.actions
        return replace(
            self.hand, actions=[*actions[:index], *texts, *actions[index + count :]], claimed=UNSET
        )

    def ended(self, index: int, *texts: str) -> Hand:
        """Return the hand with `texts` after `index` actions, and nothing more."""
        return self.instead(index, *texts, count=len(self.actions))

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
        return self.ended(0, *actions)

    # --- Faults

    def fault(
        self, code: str, index: int, hand: Hand, *, alone: bool = True, seat: Seat = None
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

    def of_record(
        self, code: str, place: str, seat: Seat = None, *, alone: bool = True, **fields: object
    ) -> Mutation:
        """Return the hand with other `fields`, of which one at `place` is at fault; no claims."""
        hand = replace(self.hand, **{"claimed": UNSET, **fields})
        return Mutation(self.kind, hand, code, place, seat, alone)


class Act:
    """An action of a legal hand and the table before it, to put a fault in its place or beside it.

    What is said instead is given without the seat, which is the action's own unless another is
    given; a list of cards goes with the action's own verb.
    """

    def __init__(self, subject: Subject, index: int) -> None:
        self.subject, self.index = subject, index
        self.game, self.chance, self.pick = subject.game, subject.chance, subject.pick
        self.table = subject.tables[index]
        self.seat, self.verb, self.rest = subject.actions[index]
        self.held = self.table.hands[self.seat]
        self.next = next(iter(subject.actions[index + 1 :]), (-1, "", []))
        """The action after it: seat, verb and the rest."""

    def other(self) -> int:
        """Return another seat at random."""
        return self.subject.others(self.seat)[0]

    def seats(self) -> list[int]:
        """Return all seats in random order."""
        return self.subject.shuffled(self.table.seats)

    # --- Which of some cards, of those held where none are given

    def trumps(self, cards: Iterable[str] | None = None) -> set[str]:
        return self.game.trumps(self.held if cards is None else cards, self.table.trump)

    def plain(self, cards: Iterable[str] | None = None) -> set[str]:
        return self.game.plain(self.held if cards is None else cards, self.table.trump)

    def points(self, cards: Iterable[str] | None = None) -> set[str]:
        return self.game.point_trumps(self.held if cards is None else cards, self.table.trump)

    def blanks(self, cards: Iterable[str] | None = None) -> set[str]:
        return self.game.blanks(self.held if cards is None else cards, self.table.trump)

    def without(self, card: str) -> list[str]:
        """Return the cards of the action but for one."""
        return [each for each in self.rest if each != card]

    # --- Faults

    def text(self, said: Said, seat: Seat = None) -> str:
        words = said if isinstance(said, str) else f"{self.verb} {' '.join(said)}"
        return f"{self.seat if seat is None else seat} {words}"

    def fault(
        self, code: str, hand: Hand, by: int = 0, *, alone: bool = True, seat: Seat = None
    ) -> Mutation:
        """Return the mutation whose fault is this action of `hand`, or the one `by` later."""
        return self.subject.fault(code, self.index + by, hand, alone=alone, seat=seat)

    def instead(self, code: str, said: Said, seat: Seat = None, *, alone: bool = True) -> Mutation:
        """Return the hand in which something else stands in the place of the action."""
        return self.fault(
            code, self.subject.instead(self.index, self.text(said, seat)), alone=alone
        )

    def before(
        self, code: str, said: Said, seat: Seat = None, *, by: int = 0, alone: bool = True
    ) -> Mutation:
        """Return the hand in which more stands before the action, or before the one `by` later."""
        hand = self.subject.instead(self.index + by, self.text(said, seat), count=0)
        return self.fault(code, hand, by, alone=alone)

    def faulty(self, code: str, said: Said, seat: Seat = None, *, sound: bool = False) -> Mutation:
        """Return the hand in which something else stands in the place of the action.

        The rest stays as recorded, or everybody plays on legally from there, which leaves the
        fault alone. `sound` says that the rest as recorded does so, too.
        """
        if not sound and (hand := self._played_on(said, seat)):
            return self.fault(code, hand)
        return self.instead(code, said, seat, alone=sound)

    def added(self, code: str, said: Said, seat: Seat = None, *, by: int = 0) -> Mutation:
        """Return the hand in which more stands before the action, where it must not stand.

        The rest stays as recorded, or everybody plays on legally from there.
        """
        if hand := self._played_on(said, seat, by):
            return self.fault(code, hand, by)
        return self.before(code, said, seat, by=by, alone=False)

    def _played_on(self, said: Said, seat: Seat, by: int = 0) -> Hand | None:
        if self.chance.random() >= 0.5:
            return None
        return self.subject.played_on(self.index + by, self.text(said, seat))


def pass_over_for(state: State, rules: Rules, text: str) -> None:
    """Let those who might still lay cards off do nothing, once others go on to draw or play."""
    if text.split(" ")[1] in ("draw", "rob", "show", "bury", "play"):
        while state.phase == Phase.DISCARD and engine.may_pass_over(state, rules):
            engine.pass_over(state, rules)


Maker = Callable[[Subject], Faults]
KINDS: dict[str, Maker] = {}
"""Every way to put a fault into a hand, by name."""


def kind(maker: Maker) -> Maker:
    """Enter a way to put a fault into a hand."""
    KINDS[maker.__name__.replace("_", " ")] = maker
    return maker


def at(
    where: Callable[[Subject], Iterable[int]],
) -> Callable[[Callable[[Act], Faults]], Callable[[Act], Faults]]:
    """Enter a way to put a fault at one of some actions, whose indexes `where` returns."""

    def entered(maker: Callable[[Act], Faults]) -> Callable[[Act], Faults]:
        def made(subject: Subject) -> Faults:
            for index in where(subject):
                yield from maker(Act(subject, index))

        KINDS[maker.__name__.replace("_", " ")] = made
        return maker

    return entered


def on(*verbs: str) -> Callable[[Callable[[Act], Faults]], Callable[[Act], Faults]]:
    """Enter a way to put a fault at an action with one of `verbs`."""
    return at(lambda subject: subject.places(*verbs))


def mutation_of(name: str, subject: Subject) -> Mutation | None:
    """Return the hand with a fault of a kind, if it has a place for it."""
    subject.kind = name
    return next(KINDS[name](subject), None)
