"""A trick on the table, without the hand around it: what is legal, who wins, what it scores.

A dispute names a few cards: what somebody held, what lay on the table. ``position`` takes just
that, and the rule functions of the engine answer, as they do when a whole hand is replayed. What
is not said stays unknown, and every answer says whether that could change it, and has the rules it
rests on. Sources: 1.follow, 1.trick, 1.points, 14.ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tricklog.core.engine import engine
from tricklog.core.engine.policies import FirstLead, HighLow, LowTo
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import counting
from tricklog.core.engine.rules import play as plays
from tricklog.core.engine.rules.table import live_trump, named_trump, side_of
from tricklog.core.judging.findings import cite
from tricklog.core.judging.views import choice_of
from tricklog.core.model import Finding
from tricklog.core.position.layout import (
    Asked,
    PositionError,
    Table,
    play_action,
    play_of,
    rules_named,
    table_of,
    words_of,
)
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.schemas.cards import card_name, cards_in, pretty_card
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
