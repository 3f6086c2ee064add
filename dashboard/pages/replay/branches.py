"""What if: a hand played on from one of its moments in another way, by the rules of the engine.

An address tells a branch as ``18.JC.KS.4S``: the step at which it leaves the record, and what the
players do from there in order, one card after the other. Surplus cards put down together are
``2C-3D``, and ``ask`` stands for having a hidden trump shown where nobody has to. What needs no
choice comes by itself: what is asked and shown as a duty, and king and queen declared at the first
moment. A branch is kept nowhere but in its address.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from tricklog.core import Replay, replay
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import side_of, trump_code
from tricklog.core.study import Choice, Solver
from tricklog.schemas.actions import Action, Verb, format_action
from tricklog.schemas.cards import card_name, cards_in, mask_of, parse_card
from tricklog.schemas.languages.messages import say

ASK: Final = "ask"
"""The word for having the trump shown without having to."""
MOST_WORDS: Final = 64
"""Words of one branch, more than any hand has cards to play."""
BUDGET: Final = 500_000
"""Nodes for the value of each card when best play goes on."""
_CARD: Final = "(?:JO|[2-9TJQKA][SHDC])"
_TEXT: Final = re.compile(rf"(\d{{1,3}})((?:\.(?:{ASK}|{_CARD}(?:-{_CARD})*))*)", re.ASCII)
_START: Final = re.compile(r"\d{1,3}(?=\.|\Z)", re.ASCII)
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

    @property
    def text(self) -> str:
        """The branch as an address tells it."""
        return ".".join((str(self.start), *self.words))


def is_branch(text: str) -> bool:
    """Return whether a text has the form of a branch."""
    found = _TEXT.fullmatch(text)
    return found is not None and found[2].count(".") <= MOST_WORDS


def first_move(replayed: Replay) -> int | None:
    """Return the step of the first card put on the table, ``None`` when the record shows none."""
    moves = (at for at, each in enumerate(replayed.actions) if each.verb in _MOVES)
    first = next(moves, None)
    return None if first is None or first >= replayed.played else first


def branch_of(replayed: Replay, text: str, *, best: Solver | None = None) -> Branch:
    """Return the branch of a hand that a text tells.

    With ``best`` that solver plays it on to the end, for all players as well as can be with all
    cards open. Raises ``NoBranch`` where the text is none or the rules do not allow what it says,
    and ``Refused`` for what the solver does not take on.
    """
    if not is_branch(text):
        raise NoBranch(say("the address of the branch cannot be read"))
    at, *words = text.split(".")
    start = int(at)
    play = _Play(replayed, start)
    for word in words:
        play.choose(word)
    if best is not None:
        play.go_on(best)
    hand = replace(
        replayed.hand,
        actions=[*replayed.hand.actions[:start], *play.texts],
        claimed=UNSET,
        status=UNSET,
    )
    told = replay(hand, mode=replayed.mode, ruleset=replayed.ruleset)
    return Branch(start, tuple(play.words), tuple(play.places), told)


def playable_part(replayed: Replay, text: str) -> tuple[str, str]:
    """Return the beginning of a branch that can be played, and in a sentence why it is no more.

    The first is empty where nothing can be played, the second where all can.
    """
    if not _START.match(text):
        return "", say("the address of the branch cannot be read")
    at, *words = text.split(".")
    try:
        play = _Play(replayed, int(at))
    except NoBranch as reason:
        return "", str(reason)
    for number, word in enumerate(words, 1):
        if number > MOST_WORDS or not is_branch(f"{at}.{word}"):
            unread = say("card {number} of the branch cannot be read", number=number)
            return _so_far(at, play), unread
        try:
            play.choose(word)
        except NoBranch as reason:
            return _so_far(at, play), str(reason)
    return text, ""


def _so_far(at: str, play: _Play) -> str:
    return ".".join((at, *play.words)) if play.words else ""


class _Play:
    """The table of a branch while it is played."""

    def __init__(self, replayed: Replay, start: int) -> None:
        self.rules: Rules = replayed.rules
        self.texts: list[str] = []
        self.words: list[str] = []
        self.places: list[int] = []
        self.start = start
        self.state = _state_at(replayed, start)
        self._settle()

    def choose(self, word: str) -> None:
        """Let the seat to act do what a word says."""
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

    def go_on(self, solver: Solver) -> None:
        """Let all play on to the end as well as can be with all cards open."""
        makers = side_of(self.rules, scoring.maker_of(self.state))
        while self.state.phase != Phase.OVER:
            choices = solver.choices(self.state, budget=BUDGET)
            if not choices:
                return
            for word in _words_of(_best_of(choices, self.rules, makers)):
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
        cards = list(cards_in(action.cards))
        self.texts.append(format_action(action.seat, Verb(action.verb), action.amount, cards))
        return faults

    def _settle(self) -> None:
        """Carry out what comes without a choice."""
        while (action := self._without_choice()) is not None:
            if self._do(action):
                raise NoBranch(say("the rules do not let the hand go on from here"))

    def _without_choice(self) -> Action | None:
        state, rules = self.state, self.rules
        if state.phase == Phase.OVER:
            shows = state.show_due == 1
            return self._to_ask(state.maker, 1 << Verb.REVEAL) if shows else None
        for seat in range(rules.seats):
            if engine.legal(state, rules, seat).verbs >> Verb.PAIR & 1:
                return Action(seat, Verb.PAIR)
        seat = engine.to_act(state)
        verbs = engine.legal(state, rules, seat).verbs if seat >= 0 else 0
        if any(verbs >> verb & 1 for verb in _MOVES):
            return None
        if verbs & (1 << Verb.ASK | 1 << Verb.REVEAL):
            return self._to_ask(seat, verbs)
        return None


def _state_at(replayed: Replay, start: int) -> State:
    """Return a state of the record in which somebody chooses a card, to be played on from."""
    first = first_move(replayed)
    if first is None or not first <= start <= replayed.played:
        raise NoBranch(
            say("a branch begins where a card is played, and there is none at this step")
        )
    state = copy_state(replayed.state_at(start))
    while state.phase < Phase.PLAY:
        engine.enter(state, replayed.rules)
    if state.phase == Phase.OVER:
        raise NoBranch(say("the hand is over at this step"))
    if any(state.unknown[: replayed.rules.seats]):
        raise NoBranch(
            say("the record does not name every card in hand, so nobody knows what is legal")
        )
    return state


def _best_of(choices: tuple[Choice, ...], rules: Rules, makers: int) -> Choice:
    """Return one of the choices that cost nothing, the first of them."""
    if side_of(rules, choices[0].seat) == makers:
        return max(choices, key=lambda each: (each.value.low, each.value.high))
    return min(choices, key=lambda each: (each.value.high, each.value.low))


def _words_of(choice: Choice) -> list[str]:
    return [ASK] * choice.shows + ["-".join(map(card_name, choice.cards))]
