"""A trick on the table, without the hand around it: what is legal, who wins, what it scores.

A dispute names a few cards: what somebody held, what lay on the table. ``position`` takes just
that, and the rule functions of the engine answer, as they do when a whole hand is replayed. What
is not said stays unknown, and every answer says whether that could change it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from replay.position.answers import (
    LegalPlays,
    PlayRuling,
    Position,
    ScoringCard,
    TrickPoints,
    TrickWinner,
)
from replay.position.layout import Asked, rules_named, table_of
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
