"""From a question to a state of the engine: who sits where, what lies on the table.

The plays are carried out one by one by the engine, so that what is wrong with one of them is found
as in a recorded hand. Sources: 0.players, 1.lead, 1.follow, 14.ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from tricklog.core.engine import engine
from tricklog.core.engine.faults import FATAL, faults_in
from tricklog.core.engine.policies import HighLow, Phase, TrumpCall
from tricklog.core.engine.records import SEATS, Rules, State, copy_state
from tricklog.core.engine.rules import naming, play
from tricklog.core.engine.rules.table import next_seat
from tricklog.core.judging import findings
from tricklog.core.model import Finding
from tricklog.core.rulesets.rules_file import RulesetError
from tricklog.core.rulesets.ruleset import Ruleset, load_rules_file, load_variant
from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.core.rulesets.variant_names import variants
from tricklog.schemas.actions import TRUMP_CODES, Action, Verb
from tricklog.schemas.cards import (
    CARD_NAMES,
    JOKER,
    SUIT_GLYPHS,
    SUIT_WORDS,
    SUITS,
    card_name,
    parse_card,
    pretty_card,
)
from tricklog.schemas.hand import FORMAT, Hand, Player, RulesRef

MIDDLE: Final = 2
"""Number of a trick of which the question does not say which one it is."""


class PositionError(ValueError):
    """A question that cannot be answered: where in it the trouble is, and what to write instead."""

    def __init__(self, where: str, message: str) -> None:
        """Keep the parts beside the sentence made of them."""
        super().__init__(f"{where}: {message}")
        self.where = where
        self.message = message


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was put; ``tricklog.core.position.position`` says what each field is."""

    ruleset: Ruleset
    trump: str | None
    hands: Mapping[str, tuple[str, ...]]
    trick: tuple[str, ...]
    players: tuple[str, ...]
    maker: str | None
    number: int | None
    last: bool
    hidden: bool
    is_before: bool = False
    """Whether hands are those before the last play of the trick, which came on top."""


@dataclass(slots=True)
class Table:
    """A question as the engine takes it."""

    hand: Hand
    """A record without actions, for what a finding needs of one."""
    ruleset: Ruleset
    rules: Rules
    names: list[str]
    """The players by seat."""
    state: State
    """After the cards of the trick."""
    played: list[tuple[int, int]] = field(default_factory=list)
    """(seat, card) in the order played."""
    found: list[Finding] = field(default_factory=list)
    """What is wrong with the cards of the trick."""

    @property
    def is_complete(self) -> bool:
        """Whether everybody who plays to the trick has played."""
        return bool(self.played) and self.state.played == 0

    def seat_of(self, name: str, where: str) -> int:
        """Return where a player sits. Raises ``PositionError``."""
        if name not in self.names:
            raise PositionError(
                where,
                f"there is no player {name!r}{did_you_mean(name, self.names)}; at the table are "
                f"{', '.join(self.names)}.",
            )
        return self.names.index(name)

    def findings_of(self, before: State, action: Action, faults: int) -> list[Finding]:
        """Return faults of an action as findings, with the state before it."""
        found = [
            findings.action_finding(self.hand, self.ruleset, self.rules, before, 0, action, fault)
            for fault in faults_in(faults)
        ]
        # There is no record for it to point into.
        return [replace(each, action=None, pointer="") for each in found]


def rules_named(rules: str | Path | Ruleset) -> Ruleset:
    """Return the rules that are meant.

    Raises ``PositionError`` for a game that does not exist and rules that cannot be used, and
    ``OSError``.
    """
    if isinstance(rules, Ruleset):
        return rules
    try:
        if isinstance(rules, Path) or rules.endswith(".toml"):
            return load_rules_file(rules)
    except RulesetError as error:
        raise PositionError("rules", str(error)) from error
    if rules not in variants():
        raise PositionError(
            "rules",
            f"there is no game {rules!r}{did_you_mean(rules, variants())}; known are "
            f"{', '.join(variants())}, and rules of your own are a file NAME.toml.",
        )
    return load_variant(rules)


def table_of(asked: Asked) -> Table:
    """Return the table of a question, its trick played. Raises ``PositionError``."""
    plays = [play_of(text, f"trick[{place}]") for place, text in enumerate(asked.trick)]
    seats = _seat_count(asked, [name for name, _ in plays])
    rules = asked.ruleset.rules(seats)
    names = _seated(asked, [name for name, _ in plays], rules)
    state = State(phase=Phase.PLAY, step=rules.phases.index(Phase.PLAY))
    hand = Hand(
        format=FORMAT,
        id="question",
        rules=RulesRef(asked.ruleset.id),
        players=[Player(name) for name in names],
        dealer=0,
        actions=[],
    )
    table = Table(hand, asked.ruleset, rules, names, state)
    _name_trumps(asked, table)
    cards = [(table.seat_of(name, f"trick[{n}]"), card) for n, (name, card) in enumerate(plays)]
    _lay_out(asked, table, cards)
    _open_trick(asked, table, cards[0][0] if cards else 0)
    for place, (seat, card) in enumerate(cards):
        _play(table, seat, card, f"trick[{place}]")
    return table


# --- Who sits where


def _seat_count(asked: Asked, playing: Sequence[str]) -> int:
    allowed: list[int] = asked.ruleset.values["players"]
    game = asked.ruleset.title
    if asked.players:
        if len(asked.players) not in allowed:
            takes = ", ".join(map(str, allowed))
            raise PositionError(
                "players", f"there are {len(asked.players)} of them, and {game} takes {takes}."
            )
        return len(asked.players)
    named = {*playing, *asked.hands} | ({asked.maker} if asked.maker else set())
    fitting = [count for count in allowed if count >= len(named)]
    if not fitting:
        raise PositionError(
            "players",
            f"{len(named)} players are named ({', '.join(sorted(named))}), and {game} is for "
            f"{max(allowed)}; name each in one way.",
        )
    return min(fitting)


def _seated(asked: Asked, playing: Sequence[str], rules: Rules) -> list[str]:
    if asked.players:
        if len(set(asked.players)) < len(asked.players):
            raise PositionError("players", "a player is named twice.")
        return list(asked.players)
    rest = [*asked.hands, *([asked.maker] if asked.maker else [])]
    order = list(dict.fromkeys([*playing, *rest]))
    while len(order) < rules.seats:
        order.append(f"player {len(order) + 1}")
    names = [""] * rules.seats
    seat = 0
    for name in order:
        names[seat] = name
        seat = next_seat(rules, seat)
    return names


# --- The cards


def _name_trumps(asked: Asked, table: Table) -> None:
    state, rules = table.state, table.rules
    is_secret = rules.trump_call == TrumpCall.SECRET
    if asked.hidden and not is_secret:
        raise PositionError("hidden", f"{table.ruleset.title} has no hidden trump; leave it out.")
    if asked.hidden and asked.maker is None:
        raise PositionError("maker", "say who chose the hidden trump, such as bo.")
    there_are = naming.trumps_to_show(rules)
    names = [name for name, code in TRUMP_CODES.items() if code >= 0 and there_are >> code & 1]
    if asked.trump is None:
        raise PositionError("trump", f"say what is trumps: {', '.join(names)}.")
    code = trump_of(asked.trump)
    if code < 0 and not asked.hidden:
        raise PositionError(
            "trump", f"only a hidden trump may be unknown; write one of {', '.join(names)}."
        )
    if code >= 0 and not there_are >> code & 1:
        game = table.ruleset.title
        raise PositionError(
            "trump", f"{game} has no {asked.trump!r}; its trumps are {', '.join(names)}."
        )
    naming.set_trump(state, code)
    state.revealed = 0 if asked.hidden else 1
    state.maker = table.seat_of(asked.maker, "maker") if asked.maker else -1


def _lay_out(asked: Asked, table: Table, plays: Sequence[tuple[int, int]]) -> None:
    """Give every seat its cards, those of the trick included; what is not named is unknown."""
    state, rules = table.state, table.rules
    number = _number(asked, rules)
    others = 0 if asked.last else rules.hand_size - number + 1
    on_table: dict[int, int] = {}
    for seat, card in plays:
        on_table[seat] = on_table.get(seat, 0) | (1 << card if card >= 0 else 0)
    places: dict[int, str] = {}
    for place, (_, card) in enumerate(plays):
        _note_place(places, card, f"trick[{place}]", rules)
    for seat, name in enumerate(table.names):
        state.holding[seat] = on_table.get(seat, 0)
        unnamed = sum(1 for other, card in plays if other == seat and card < 0)
        if name in asked.hands:
            # A hand may still show the card that has just been played.
            shown = plays[-1][1] if asked.is_before and plays and plays[-1][0] == seat else -1
            where = f"hands[{name!r}]"
            for word in asked.hands[name]:
                card = card_of(word, where)
                if card < 0:
                    unnamed += 1
                elif card != shown:
                    _note_place(places, card, where, rules)
                    state.holding[seat] |= 1 << card
        else:
            has_played = seat in on_table
            unnamed += max(0, others - has_played) or (0 if has_played else 1)
            # Nothing is known of this hand, so it may hold a trump and stays in.
            state.hidden_plays[seat] = 1
        state.unknown[seat] = unnamed
    for name in asked.hands:
        table.seat_of(name, "hands")


def _note_place(places: dict[int, str], card: int, where: str, rules: Rules) -> None:
    """Refuse a card that is in two places, or not in the pack (0.conservation)."""
    if card < 0:
        return
    if not rules.pack >> card & 1:
        raise PositionError(where, f"{card_name(card)} is not in the pack of this game.")
    if card in places:
        raise PositionError(
            where, f"{pretty_card(card)} is already in {places[card]}; take it out of one."
        )
    places[card] = where


# --- The trick


def _number(asked: Asked, rules: Rules) -> int:
    if asked.number is None:
        return rules.hand_size if asked.last else min(MIDDLE, rules.hand_size)
    if not 1 <= asked.number <= rules.hand_size:
        raise PositionError(
            "number", f"is {asked.number}; a hand of this game has tricks 1 to {rules.hand_size}."
        )
    return asked.number


def _open_trick(asked: Asked, table: Table, leader: int) -> None:
    state, rules = table.state, table.rules
    state.dealer = leader
    number = _number(asked, rules)
    play.start_play(state, rules, leader)
    state.trick = number
    if rules.high_low == HighLow.IN_PLAY:
        # Which trump is the highest in play, and which the lowest, these cards do not say.
        state.high_stand_in = state.low_stand_in = state.low_seat = -1
        state.points, state.taken = [0] * SEATS, [0] * SEATS


def _play(table: Table, seat: int, card: int, where: str) -> None:
    if table.is_complete:
        raise PositionError(where, "the trick was complete before it; leave it out.")
    action = play_action(seat, card)
    before = copy_state(table.state)
    faults = engine.apply(table.state, table.rules, action)
    found = table.findings_of(before, action, faults)
    if faults & FATAL:
        raise PositionError(where, found[-1].message if found else "cannot be played.")
    table.found += found
    table.played.append((seat, card))


def play_action(seat: int, card: int) -> Action:
    """Return the action of playing a card, known or not."""
    return Action(seat, Verb.PLAY, card=card, cards=1 << card if card >= 0 else 0, size=1)


# --- Cards, trumps and plays as people write them

_LETTERS: Final = dict(zip(SUIT_GLYPHS, SUITS, strict=True))
_TRUMPS: Final = {name.lower(): code for name, code in TRUMP_CODES.items()} | {
    word: code for code, word in enumerate(SUIT_WORDS)
}


def words_of(cards: str | Iterable[str]) -> tuple[str, ...]:
    """Return the cards of a list, or of a text with spaces or commas between them."""
    words = cards.replace(",", " ").split() if isinstance(cards, str) else cards
    return tuple(words)


def card_of(word: str, where: str) -> int:
    """Return a card written as in a log, with a glyph, in lower case, or with 10 for the ten.

    Raises ``PositionError`` for what is none.
    """
    text = "".join(_LETTERS.get(sign, sign) for sign in word.strip()).upper().replace("10", "T")
    if text in {"JOKER", CARD_NAMES[JOKER]}:
        return JOKER
    if len(text) == 2 and text[0] in SUITS and text[1] not in SUITS:
        text = text[::-1]
    try:
        return parse_card(text)
    except ValueError:
        raise PositionError(
            where,
            f"{word!r} is not a card; write rank and suit, such as AS, 10D or 5H, JO for the "
            "joker, ? for a card that is not known.",
        ) from None


def trump_of(word: str) -> int:
    """Return the code of a trump. Raises ``PositionError`` for what is none."""
    text = "".join(_LETTERS.get(sign, sign) for sign in word.strip()).lower()
    if text not in _TRUMPS:
        raise PositionError(
            "trump", f"{word!r} is no trump{did_you_mean(word, TRUMP_CODES)}; write S, H, D or C."
        )
    return _TRUMPS[text]


def play_of(text: str, where: str) -> tuple[str, int]:
    """Return who plays which card in ``ann 9S`` or ``ann: 9S``. Raises ``PositionError``."""
    name, _, card = text.strip().rpartition(" ")
    name = name.strip().removesuffix(":").rstrip()
    if not name:
        raise PositionError(
            where, f"{text!r} is no play; write a player and a card, such as ann 9S."
        )
    if any(map(_is_card, name.split()[1:])):
        raise PositionError(
            where,
            f"{text!r} names more than one card; a play is a player and a card, as ann 9S, "
            "and commas stand between plays.",
        )
    return name, card_of(card, where)


def _is_card(word: str) -> bool:
    """Return whether a word is a card by its rank and suit, and so hardly a part of a name."""
    try:
        return len(word) > 1 and card_of(word, "") not in (-1, JOKER)
    except PositionError:
        return False
