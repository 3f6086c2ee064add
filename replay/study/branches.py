"""What if: a hand played on from one of its moments in another way, by the rules of the engine.

An address tells a branch as ``18.JC.KS.4S``: the step at which it leaves the record, and what the
players do from there in order, one card after the other. Surplus cards put down together are
``2C-3D``, and ``ask`` stands for having a hidden trump shown where nobody has to. What needs no
choice comes by itself: what is asked and shown as a duty, and king and queen declared at the first
moment. A branch is kept nowhere but in its address.
"""

import re
import time
from dataclasses import dataclass
from math import inf
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import side_of, trump_code
from tricklog.core.judging.replayer import Replay, replay
from tricklog.core.study.open_cards import Solver, first_card, state_in_play
from tricklog.schemas.actions import Action, Verb, action_text
from tricklog.schemas.cards import card_name, mask_of, parse_card
from tricklog.schemas.languages.messages import say

ASK: Final = "ask"
"""The word for having the trump shown without having to."""
BUDGET: Final = 2_000_000
"""Nodes for the value of each card when best play goes on; only seven at a table come near it."""
_CARD: Final = "(?:JO|[2-9TJQKA][SHDC])"
_WORD: Final = re.compile(rf"{ASK}|{_CARD}(?:-{_CARD})*", re.ASCII)
_START: Final = re.compile(r"\d{1,3}", re.ASCII)
_MOVES: Final = (Verb.PLAY, Verb.BURY)


class NoBranch(ValueError):
    """The branch cannot be played; the message is a sentence for people, without a full stop."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A hand played on in another way."""

    start: int
    """The step at which it leaves the record."""
    words: tuple[str, ...]
    """What was chosen from there, in order."""
    places: tuple[int, ...]
    """The step of each of the words."""
    replayed: Replay
    """The record until ``start`` and what was done from there, replayed."""
    problem: str
    """Why it goes no further than that, as a sentence without a full stop; empty where it does."""

    @property
    def text(self) -> str:
        """The branch as an address tells it."""
        return ".".join((str(self.start), *self.words))


def branch_of(
    replayed: Replay, text: str, *, best: Solver | None = None, seconds: float = inf
) -> Branch:
    """Return the branch of a hand that a text tells, as far as it can be played.

    With ``best`` that solver plays it on for all; where ``seconds`` are given, until they are over
    or a value is not exact. Raises ``NoBranch`` where not one card can be played, and ``Refused``
    for what the solver does not take on.
    """
    at, *words = text.split(".")
    if not _START.fullmatch(at):
        raise NoBranch(say("the address of the branch cannot be read"))
    play = _Play(replayed, int(at))
    problem = ""
    for word in words:
        try:
            play.choose(word)
        except NoBranch as reason:
            if not play.words:
                raise
            problem = str(reason)
            break
    if best is not None:
        play.go_on(best, seconds)
    actions = [*replayed.hand.actions[: play.start], *play.texts]
    hand = replace(replayed.hand, actions=actions, claimed=UNSET, status=UNSET)
    told = replay(hand, mode=replayed.mode, ruleset=replayed.ruleset)
    return Branch(play.start, tuple(play.words), tuple(play.places), told, problem)


class _Play:
    """The table of a branch while it is played."""

    def __init__(self, replayed: Replay, start: int) -> None:
        self.rules: Rules = replayed.rules
        self.texts: list[str] = []
        self.words: list[str] = []
        self.places: list[int] = []
        self.start = start
        first = first_card(replayed)
        if first >= replayed.played or not first <= start <= replayed.played:
            raise NoBranch(
                say("a branch begins where a card is played, and there is none at this step")
            )
        self.state = state_in_play(replayed, start)
        if self.state.phase == Phase.OVER:
            raise NoBranch(say("the hand is over at this step"))
        if any(self.state.unknown[: self.rules.seats]):
            raise NoBranch(
                say("the record does not name every card in hand, so nobody knows what is legal")
            )
        self._settle()

    def choose(self, word: str) -> None:
        """Let the seat to act do what a word says."""
        if not _WORD.fullmatch(word):
            number = len(self.words) + 1
            raise NoBranch(say("card {number} of the branch cannot be read", number=number))
        seat = engine.to_act(self.state)
        if seat < 0 or self.state.phase == Phase.OVER:
            raise NoBranch(say("the branch goes on after the last card"))
        verbs = engine.legal(self.state, self.rules, seat).verbs
        if word == ASK:
            action = self._to_ask(seat, verbs)
        else:
            verb = Verb.BURY if verbs >> Verb.BURY & 1 else Verb.PLAY
            cards = [parse_card(each) for each in word.split("-")]
            action = Action(seat, verb, card=cards[0], cards=mask_of(cards), size=len(cards))
        place = self.start + len(self.texts)
        if not self._legal(action) or self._do(action):
            raise NoBranch(
                say("the rules do not allow {card} at this point of the branch", card=word)
            )
        self.words.append(word)
        self.places.append(place)
        self._settle()

    def go_on(self, solver: Solver, seconds: float) -> None:
        """Let all play on to the end as well as can be with all cards open."""
        makers = side_of(self.rules, scoring.maker_of(self.state))
        until = time.monotonic() + seconds
        while self.state.phase != Phase.OVER and time.monotonic() < until:
            choices = solver.choices(self.state, budget=BUDGET)
            if not choices or (seconds < inf and not all(each.value.is_exact for each in choices)):
                return
            if side_of(self.rules, choices[0].seat) == makers:
                best = max(choices, key=lambda each: (each.value.low, each.value.high))
            else:
                best = min(choices, key=lambda each: (each.value.high, each.value.low))
            for word in (*[ASK] * best.shows, "-".join(map(card_name, best.cards))):
                self.choose(word)

    def _to_ask(self, seat: int, verbs: int) -> Action:
        if verbs >> Verb.REVEAL & 1:
            return Action(seat, Verb.REVEAL, amount=trump_code(self.state))
        return Action(seat, Verb.ASK)

    def _legal(self, action: Action) -> bool:
        options = engine.legal(self.state, self.rules, action.seat)
        if not options.verbs >> action.verb & 1:
            return False
        if action.verb not in _MOVES:
            return True
        count = action.cards.bit_count()
        fits = count == action.size and options.least <= count <= options.most
        return fits and not action.cards & ~options.may

    def _do(self, action: Action) -> int:
        faults = engine.apply(self.state, self.rules, action)
        self.texts.append(action_text(action))
        return faults

    def _settle(self) -> None:
        while (action := self._without_choice()) is not None:
            if self._do(action):
                raise NoBranch(say("the rules do not let the hand go on from here"))

    def _without_choice(self) -> Action | None:
        state, rules = self.state, self.rules
        if state.phase == Phase.OVER:
            return self._to_ask(state.maker, 1 << Verb.REVEAL) if state.show_due == 1 else None
        for seat in range(rules.seats):
            if engine.legal(state, rules, seat).verbs >> Verb.PAIR & 1:
                return Action(seat, Verb.PAIR)
        seat = engine.to_act(state)
        verbs = engine.legal(state, rules, seat).verbs if seat >= 0 else 0
        may_show = verbs & (1 << Verb.ASK | 1 << Verb.REVEAL)
        has_choice = not may_show or any(verbs >> verb & 1 for verb in _MOVES)
        return None if has_choice else self._to_ask(seat, verbs)
