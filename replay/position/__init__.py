"""A trick on the table, without the hand around it: what is legal, who wins, what it scores.

A dispute names a few cards: what somebody held, what lay on the table. ``position`` takes just
that, and the rule functions of the engine answer, as they do when a whole hand is replayed. What
is not said stays unknown, and every answer says whether that could change it, and has the rules it
rests on. Sources: 0.players, 1.lead, 1.follow, 1.trick, 1.points, 14.ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from tricklog.core.engine import engine
from tricklog.core.engine.faults import FATAL, faults_in
from tricklog.core.engine.policies import FirstLead, HighLow, LowTo, Phase, TrumpCall
from tricklog.core.engine.records import SEATS, Rules, State, copy_state
from tricklog.core.engine.rules import auction, counting, play
from tricklog.core.engine.rules import play as plays
from tricklog.core.engine.rules.table import live_trump, named_trump, next_seat, side_of
from tricklog.core.judging import findings
from tricklog.core.judging.findings import cite
from tricklog.core.judging.views import choice_of
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
    cards_in,
    parse_card,
    pretty_card,
)
from tricklog.schemas.hand import FORMAT, Hand, Player, RulesRef
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted

__all__ = [
    "LegalPlays",
    "PlayRuling",
    "Position",
    "PositionError",
    "ScoringCard",
    "TrickPoints",
    "TrickWinner",
    "position",
]


@dataclass(frozen=True, slots=True)
class LegalPlays:
    """What a player may play."""

    player: str
    cards: tuple[str, ...]
    """Of the cards that are named, those they may play."""
    verbs: tuple[str, ...]
    """What they may do: ``play``, or what comes first, such as ``bury`` or ``ask``."""
    sentence: str
    rule: str
    sure: bool
    """Whether all their cards are named."""


@dataclass(frozen=True, slots=True)
class PlayRuling:
    """Whether a play is legal."""

    play: str
    is_legal: bool
    findings: tuple[Finding, ...]
    """What is wrong with it, each with its rule and what would have been legal."""
    sentence: str
    rule: str
    sure: bool


@dataclass(frozen=True, slots=True)
class TrickWinner:
    """Who wins a trick."""

    player: str | None
    """``None`` when no card of it is named."""
    card: str | None
    """The card that wins it."""
    is_complete: bool
    """Whether nobody has still to play to it."""
    sentence: str
    rule: str
    sure: bool


@dataclass(frozen=True, slots=True)
class ScoringCard:
    """A card of a trick that counts."""

    card: str
    points: int
    player: str
    """Whose side its points count for: who wins the trick, or holds a two that counts for them."""


@dataclass(frozen=True, slots=True)
class TrickPoints:
    """What a trick scores."""

    points: int
    """Points that go to the side of the winner, those of its own two among them."""
    winner: str | None
    cards: tuple[ScoringCard, ...]
    is_complete: bool
    sentence: str
    rule: str
    sure: bool


@dataclass(frozen=True, slots=True)
class Position:
    """A trick on the table; ``position`` makes one. Cards are written as in a log: ``9S``, ``TD``.

    Every answer has a ``sentence``, ``rule`` with the citations it rests on, and ``sure``, which is
    false where a card that is not named could change it.
    """

    asked: Asked
    table: Table

    @property
    def turn(self) -> str | None:
        """Who plays next, as far as the trick tells; ``None`` when it is complete."""
        table = self.table
        seat = engine.to_act(table.state)
        return None if table.is_complete or seat < 0 else table.names[seat]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with the cards already played."""
        return tuple(self.table.found)

    def legal(self, player: str | None = None) -> LegalPlays:
        """Return what a player may play, the one whose turn it is unless another is named.

        Raises ``PositionError`` for a player who is not at the table, or has played already.
        """
        table = self.table
        if table.is_complete:
            raise PositionError("trick", "it is complete; nobody has to play to it any more.")
        seat = _seat(table, player)
        name = table.names[seat]
        if not table.state.active >> seat & 1:
            rule = cite(table.ruleset, ("drop_out",))
            sentence = one_line(f"{name} has no trump left and is out of the hand.")
            return LegalPlays(name, (), (), sentence, rule, sure=True)
        state = copy_state(table.state)
        if state.asker < 0:
            # What they may play does not wait for the others.
            state.turn = seat
        choice = choice_of(table.hand, state, table.rules, seat)
        cards = tuple(map(card_name, cards_in(choice.cards)))
        rule = cite(table.ruleset, _keys_of_choice(table.rules, state, seat, choice.verbs))
        sure = state.unknown[seat] == 0
        return LegalPlays(name, cards, choice.verbs, one_line(choice.sentence), rule, sure)

    def judge(self, play: str) -> PlayRuling:
        """Return whether a play such as ``bo 4H`` would be legal, and if not, by which rule.

        Raises ``PositionError`` when it cannot be read.
        """
        table = self.table
        name, card = play_of(play, "play")
        seat = table.seat_of(name, "play")
        if table.is_complete:
            raise PositionError("trick", "it is complete; nobody has to play to it any more.")
        state = copy_state(table.state)
        before = copy_state(state)
        action = play_action(seat, card)
        found = tuple(table.findings_of(before, action, engine.apply(state, table.rules, action)))
        if found:
            rule = " ".join(dict.fromkeys(" ".join(each.rule for each in found).split()))
            sentence = " ".join(each.message for each in found)
        else:
            before.turn = seat
            rule = cite(table.ruleset, _keys_of_choice(table.rules, before, seat, ("play",)))
            sentence = f"{name} may play {pretty_card(card)}."
        open_cards = state.doubt_cards & ~before.doubt_cards or before.unknown[seat]
        sure = bool(found) or not open_cards
        if not sure:
            sentence += " A card of theirs that is not named could forbid it."
        return PlayRuling(play, not found, found, one_line(sentence), rule, sure)

    def play(self, play: str) -> Position:
        """Return the position after a play, legal or not.

        Raises ``PositionError`` when it cannot be read, or leaves no trick to look at.
        """
        asked = replace(self.asked, trick=(*self.asked.trick, play), is_before=True)
        return Position(asked, table_of(asked))

    def winner(self) -> TrickWinner:
        """Return who wins the trick, or would if nobody played any more.

        Raises ``PositionError`` when no card lies on the table.
        """
        table = self.table
        seat = _winner(table)
        rule = cite(table.ruleset, ("trumpless_trick",))
        if seat < 0:
            sentence = "No card of the trick is named, so nobody knows who wins it."
            return TrickWinner(None, None, table.is_complete, sentence, rule, sure=False)
        card = next(card for other, card in table.played if other == seat)
        verb = "wins the trick" if table.is_complete else "is winning so far"
        unnamed = sum(card < 0 for _, card in table.played)
        sentence = f"{table.names[seat]} {verb} with {pretty_card(card)}."
        if unnamed:
            sentence += f" {counted(unnamed, 'card')} of it not named could have won it."
        sure = table.is_complete and not unnamed
        return TrickWinner(
            table.names[seat], card_name(card), table.is_complete, one_line(sentence), rule, sure
        )

    def points(self) -> TrickPoints:
        """Return what the trick scores as it lies, card by card.

        Raises ``PositionError`` when no card lies on the table.
        """
        table = self.table
        seat = _winner(table)
        rule = cite(table.ruleset, ("points", "low_to"))
        if seat < 0:
            sentence = "No card of the trick is named, so nobody knows what it scores."
            return TrickPoints(0, None, (), table.is_complete, sentence, rule, sure=False)
        state = copy_state(table.state)
        if table.is_complete:
            points = state.trick_points
        else:
            points = counting.count_trick(state, table.rules, seat)
        points += _own_low(table, state, seat)
        cards = _scoring(table, state, seat)
        sure = table.is_complete and all(card >= 0 for _, card in table.played)
        sentence = _points_words(table, seat, points, cards)
        if table.rules.high_low == HighLow.IN_PLAY:
            sure = False
            sentence += (
                " High and low are the highest and lowest trump in play, which is not known."
            )
        return TrickPoints(
            points, table.names[seat], cards, table.is_complete, one_line(sentence), rule, sure
        )


def position(  # noqa: PLR0913 - each is a part of the question
    rules: str | Path | Ruleset,
    *,
    trump: str | None = None,
    hands: Mapping[str, str | Iterable[str]] | None = None,
    trick: str | Sequence[str] = (),
    players: Sequence[str] = (),
    maker: str | None = None,
    number: int | None = None,
    last: bool = False,
    hidden: bool = False,
) -> Position:
    """Return a trick on the table, to be asked about.

    Args:
        rules: a game by name, a TOML file with rules of your own, or a ruleset.
        trump: ``S``, ``H``, ``D``, ``C``, ``NT`` and what else the game has; ``?`` where it is
            hidden and not known.
        hands: what players hold now, after the cards of the trick: ``{"bo": "8S 4H"}``; ``?`` is a
            card that is not known. Of players who are not named nothing is known.
        trick: the cards on the table in the order played, such as ``["ann 9S", "bo 4H"]``, or the
            same with commas in one text.
        players: who sits at the table, clockwise. Without it they sit in the order of the trick,
            then as ``hands`` names them, and the rest is made up.
        maker: who won the auction; needed only where the trump is hidden.
        number: which trick of the hand it is. Without it, one in the middle, to which no rule about
            the first trick applies.
        last: whether it is the last trick of the hand.
        hidden: whether the trump is still hidden, in games with a secret trump.

    Raises ``PositionError``, which says what is wrong, where, and what to write instead, and
    ``OSError`` for a file that cannot be read.
    """
    asked = Asked(
        rules_named(rules),
        trump,
        {name: words_of(cards) for name, cards in (hands or {}).items()},
        tuple(each.strip() for each in trick.split(",") if each.strip())
        if isinstance(trick, str)
        else tuple(trick),
        tuple(players),
        maker,
        number,
        last,
        hidden,
    )
    return Position(asked, table_of(asked))


# --- What is legal


def _seat(table: Table, player: str | None) -> int:
    """Return the seat that is asked about, that of the next to play unless another is named."""
    if player is None:
        return engine.to_act(table.state)
    seat = table.seat_of(player, "player")
    if any(seat == other for other, _ in table.played):
        raise PositionError("player", f"{player} has played to this trick already.")
    return seat


def _keys_of_choice(
    rules: Rules, state: State, seat: int, verbs: tuple[str, ...]
) -> tuple[str, ...]:
    if "play" not in verbs:
        return ("surplus",) if "bury" in verbs else ("ask",)
    asked = ("ask",) if "ask" in verbs or "reveal" in verbs else ()
    if state.played == 0:
        first = state.trick == 1 and rules.first_lead != FirstLead.ANY
        return ("first_lead" if first else "plain_follow", *asked)
    trump = live_trump(state, rules)
    led = state.led_suit
    follows = state.unknown[seat] or state.holding[seat] & rules.suit_cards[trump][led]
    is_void = led >= 0 and not follows
    return ("plain_void" if is_void else "plain_follow", *asked)


# --- Who wins


def _winner(table: Table) -> int:
    """Return the seat that wins the trick, or would win it as it lies; -1 when nobody knows.

    Raises ``PositionError`` when no card lies on the table.
    """
    if not table.played:
        raise PositionError("trick", "no card lies on the table; say what was played: ['ann 9S'].")
    if table.is_complete:
        return table.state.winner
    return plays.trick_winner(table.state, table.rules)


# --- What it scores


def _own_low(table: Table, state: State, winner: int) -> int:
    """Return the points of a two that counts for who has it, where that is the winner's side.

    The engine does not count it to the trick, whoever takes it (1.points).
    """
    rules = table.rules
    low = rules.low_card[named_trump(state)] if rules.low_to != LowTo.WINNER else -1
    if all(card != low for _, card in table.played if card >= 0):
        return 0
    is_own = state.taken[side_of(rules, winner)] >> low & 1
    return counting.worth_of(state, rules, low) if is_own else 0


def _scoring(table: Table, state: State, winner: int) -> tuple[ScoringCard, ...]:
    """Return the cards that count and whom for, as the engine has given them to sides."""
    rules = table.rules
    on_table = {card: seat for seat, card in table.played if card >= 0}
    cards = []
    for side in range(rules.side_count):
        for card in cards_in(state.taken[side]):
            to = winner if side == side_of(rules, winner) else on_table[card]
            worth = counting.worth_of(state, rules, card)
            cards.append(ScoringCard(card_name(card), worth, table.names[to]))
    return tuple(cards)


def _points_words(table: Table, seat: int, points: int, cards: tuple[ScoringCard, ...]) -> str:
    name = table.names[seat]
    listed = ", ".join(f"{each.card} {each.points}" for each in cards if each.player == name)
    verb = "scores" if table.is_complete else "would score"
    sentence = f"{name}'s side {verb} {counted(points, 'point')}{f' ({listed})' if listed else ''}."
    others = [each for each in cards if each.player != name]
    for each in others:
        sentence += f" {each.card} counts {each.points} for {each.player}'s side."
    return sentence


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
    there_are = auction.trumps_to_show(rules)
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
    auction.set_trump(state, code)
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
