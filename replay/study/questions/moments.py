"""A decision of a recorded hand, stopped before it: nothing that came later is part of it.

The record is cut off there and replayed, so that neither the cards played later nor what the engine
takes from them can show through.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import comb
from typing import Final

from msgspec.structs import replace

from tricklog.core.compiled.study_lines import earlier_moment
from tricklog.core.engine import engine
from tricklog.core.engine.rules.table import Legal, within_limits
from tricklog.core.judging.replayer import Replay, replay
from tricklog.core.model import View
from tricklog.core.render.sentences import in_order
from tricklog.core.solver.answer import CARD
from tricklog.core.study.elsewhere import bare
from tricklog.schemas.actions import TRUMP_CODES, VERB_NAMES, Action, Verb, bid_name, trump_name
from tricklog.schemas.cards import card_name, cards_in, mask_of, pretty_card
from tricklog.schemas.languages.messages import message, message_in, say
from tricklog.schemas.render import trump_sign, trump_words


class Kind(StrEnum):
    """What a question asks for."""

    CARD = "card"
    """A card to play, or to have the hidden trump shown first."""
    CALL = "call"
    TRUMP = "trump"
    CARDS = "cards"
    """Cards to lay off, give, bury or take."""


MOST_TO_CHOOSE_AMONG: Final = 16
"""Cards of a question for a set of them: who robs the stock of some games sees more than that."""
_WITH_CALLS: Final = frozenset(
    {Verb.BID, Verb.PASS, Verb.DITTO, Verb.TENNY, Verb.DOUBLE, Verb.REDOUBLE, Verb.SUPER}
)
_OF_CARDS: Final = frozenset({Verb.DISCARD, Verb.DISCARD_UP, Verb.GIVE, Verb.BURY, Verb.ROB})
_CALL_WORDS: Final = {
    Verb.PASS: message_in("a call to choose", "Pass"),
    Verb.DITTO: message_in("a call to choose", "Hold the bid"),
    Verb.TENNY: message("All tricks on four cards"),
    Verb.DOUBLE: message_in("a call to choose", "Double"),
    Verb.REDOUBLE: message_in("a call to choose", "Redouble"),
    Verb.SUPER: message("Raise once more"),
}
ASK: Final = "ask"
"""The option to have the hidden trump shown before a card is chosen."""


@dataclass(frozen=True, slots=True)
class Option:
    """One of several things the player may do."""

    text: str
    """As a log writes it, without the seat: ``play 8D``."""
    words: str
    """In the language of the viewer."""
    card: int = -1


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision as its player met it."""

    replayed: Replay
    """The record up to here and no further."""
    view: View
    seat: int
    kind: Kind
    options: tuple[Option, ...]
    """All of them; of a set of cards none."""
    legal: Legal

    @property
    def index(self) -> int:
        """Index of the action that is asked for."""
        return self.view.index

    @property
    def verb(self) -> Verb:
        """What is done with a set of cards."""
        return next(each for each in Verb if self.legal.verbs >> each & 1)

    def cards_to_choose(self) -> list[int]:
        """Return the cards of a question for a set of them, as a player sorts them."""
        trump = self.view.trump if self.view.trump_public else None
        return in_order(self.replayed.rules, trump, self.legal.may)

    def allows(self, cards: int) -> bool:
        """Return whether a set of cards is one that the player may choose."""
        count, legal = cards.bit_count(), self.legal
        fits = not cards & ~legal.may and not legal.must & ~cards
        return fits and legal.least <= count <= legal.most and within_limits(legal, cards)

    def text_of(self, cards: int) -> str:
        """Return a set of cards as an answer: ``discard 7D 2C``."""
        return " ".join([VERB_NAMES[self.verb], *map(card_name, cards_in(cards))])

    def sets(self, most: int) -> list[int] | None:
        """Return all sets of cards the player may choose; ``None`` for more than ``most``."""
        free = cards_in(self.legal.may & ~self.legal.must)
        held = self.legal.must.bit_count()
        sizes = range(max(self.legal.least - held, 0), self.legal.most - held + 1)
        if sum(comb(len(free), size) for size in sizes) > most:
            return None
        chosen = (each for size in sizes for each in combinations(free, size))
        return [*filter(self.allows, (self.legal.must | mask_of(each) for each in chosen))]


def moment_at(replayed: Replay, index: int) -> Moment | None:
    """Return the decision that action ``index`` of a record is; ``None`` where nobody had a choice.

    Also where the record hides what the player held, or a question cannot offer what was done.
    """
    if not 0 <= index < replayed.played:
        return None
    action, hand = replayed.actions[index], replayed.hand
    so_far = replace(bare(hand), scores=hand.scores, actions=hand.actions[:index])
    cut = replay(so_far, ruleset=replayed.ruleset)
    view = cut.at(len(cut))
    seat = view.turn
    if seat is None or seat != action.seat or view.unknown[seat]:
        return None
    legal = engine.legal(cut.state_at(len(cut)), cut.rules, seat)
    kind = _kind_of(legal, action)
    options = _options(kind, cut, view, legal)
    moment = Moment(cut, view, seat, kind, options, legal) if kind else None
    return moment if moment and _has_choice(moment, answer_of(action)) else None


def first_action(replayed: Replay, action: int, *, showed: bool) -> int:
    """Return where a decision that ends with ``action`` begins; ``showed``: with the showing."""
    return earlier_moment(replayed.workspace, CARD, replayed.actions[action].seat, showed, action)


def answer_of(action: Action) -> str:
    """Return what was done as an answer: ``play 8D``, ``ask``, ``discard 7D 2C``."""
    name = VERB_NAMES[Verb(action.verb)]
    if action.verb == Verb.BID:
        return f"{name} {bid_name(action.amount)}"
    if action.verb == Verb.TRUMP:
        return f"{name} {trump_name(action.amount)}"
    return " ".join([name, *map(card_name, cards_in(action.cards))])


def _kind_of(legal: Legal, action: Action) -> Kind | None:
    verbs = {each for each in Verb if legal.verbs >> each & 1}
    if Verb.PLAY in verbs and not verbs - {Verb.PLAY, Verb.ASK}:
        return Kind.CARD
    if verbs and verbs <= _WITH_CALLS:
        return Kind.CALL
    if verbs == {Verb.TRUMP}:
        return Kind.TRUMP
    if len(verbs) == 1 and verbs <= _OF_CARDS and action.verb in verbs:
        return Kind.CARDS
    return None


def _options(kind: Kind | None, cut: Replay, view: View, legal: Legal) -> tuple[Option, ...]:
    if kind == Kind.CARD:
        trump = view.trump if knows_trump(view, view.turn) else None
        cards = in_order(cut.rules, trump, legal.may)
        asks = [Option(ASK, say("Have the trump shown"))] if legal.verbs >> Verb.ASK & 1 else []
        plays = [Option(f"play {card_name(each)}", pretty_card(each), each) for each in cards]
        return (*plays, *asks)
    if kind == Kind.CALL:
        return _calls(view, legal)
    if kind == Kind.TRUMP:
        codes = [code for code in TRUMP_CODES.values() if code >= 0 and legal.trumps >> code & 1]
        return tuple(
            Option(f"trump {trump_name(code)}", f"{trump_sign(code)} {trump_words(code)}")
            for code in codes
        )
    return ()


def _calls(view: View, legal: Legal) -> tuple[Option, ...]:
    amounts = list(range(legal.low, legal.high + 1)) if legal.low else []
    amounts += view.choice.other_bids
    bids = [Option(f"bid {bid_name(each)}", bid_name(each)) for each in amounts]
    others = [
        Option(VERB_NAMES[verb], str(words))
        for verb, words in _CALL_WORDS.items()
        if legal.verbs >> verb & 1
    ]
    return (*others, *bids)


def _has_choice(moment: Moment, played: str) -> bool:
    if moment.kind != Kind.CARDS:
        return len(moment.options) > 1 and any(each.text == played for each in moment.options)
    few = moment.legal.may.bit_count() <= MOST_TO_CHOOSE_AMONG
    named = " ".join(played.split()[:1]) == VERB_NAMES[moment.verb]
    sets = moment.sets(1)
    return few and named and (sets is None or len(sets) > 1)


def knows_trump(view: View, seat: int | None) -> bool:
    """Return whether a seat knows what is trumps; not while there are none."""
    if view.trump is None:
        return False
    return view.trump_public or (seat == view.maker and not view.under)
