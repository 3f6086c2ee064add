"""A trick on the table, without the hand around it: what is legal, who wins, what it scores.

A dispute names a few cards: what somebody held, what lay on the table. ``position`` takes just
that, and the rule functions of the engine answer, as they do when a whole hand is replayed. What
is not said stays unknown, and every answer says whether that could change it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from replay.model import Finding
from replay.position.answers import (
    LegalPlays,
    PlayRuling,
    ScoringCard,
    TrickPoints,
    TrickWinner,
    legal_plays,
    play_ruling,
    trick_points,
    trick_winner,
)
from replay.position.layout import Asked, Table, rules_named, table_of
from replay.position.reading import PositionError, words_of
from replay.rulesets.ruleset import Ruleset

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
        return self.table.turn

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with the cards already played."""
        return self.table.findings

    def legal(self, player: str | None = None) -> LegalPlays:
        """Return what a player may play, the one whose turn it is unless another is named.

        Raises ``PositionError`` for a player who is not at the table, or has played already.
        """
        return legal_plays(self.table, player)

    def judge(self, play: str) -> PlayRuling:
        """Return whether a play such as ``bo 4H`` would be legal, and if not, by which rule.

        Raises ``PositionError`` when it cannot be read.
        """
        return play_ruling(self.table, play)

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
        return trick_winner(self.table)

    def points(self) -> TrickPoints:
        """Return what the trick scores as it lies, card by card.

        Raises ``PositionError`` when no card lies on the table.
        """
        return trick_points(self.table)


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
