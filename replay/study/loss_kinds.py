"""The kinds of losses, as people are told them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class LossKind(StrEnum):
    """What was done where a decision cost something, as people are told it."""

    PAIR_NOT_DECLARED = "pair not declared"
    SURPLUS_PUT_DOWN = "surplus put down"
    ASKED = "asked for trumps"
    DID_NOT_ASK = "did not ask for trumps"
    PEDRO_GIVEN = "pedro given away"
    LED_TRUMPS = "led trumps"
    OPENED_SUIT = "opened a suit"
    TRUMPS_NOT_LED = "did not lead trumps"
    CINCH_MISSED = "cinch missed"
    POINT_CARD_GIVEN = "point card given away"
    TRUMP_WASTED = "trump wasted"
    TRICK_LET_GO = "trick let go"
    POINTS_KEPT_BACK = "points kept back"
    OTHER = "other"

    @property
    def definition(self) -> str:
        """One sentence that says when a loss is of this kind."""
        return _DEFINITIONS[self]


LOSS_KINDS: Final = tuple(LossKind)
"""By the numbers of ``replay.solver.losses.kind_of_loss``."""

_DEFINITIONS: Final = {
    LossKind.PAIR_NOT_DECLARED: "King and queen of trumps could be declared and were not.",
    LossKind.SURPLUS_PUT_DOWN: "Other surplus cards could be put under the first trick.",
    LossKind.ASKED: "The player had the hidden trump shown although they need not.",
    LossKind.DID_NOT_ASK: "The player could have the hidden trump shown and did not.",
    LossKind.PEDRO_GIVEN: (
        "A five of trumps went from its holder to the other side, and a card with fewer points "
        "could be played."
    ),
    LossKind.LED_TRUMPS: "A trump was led where a plain card could be led.",
    LossKind.OPENED_SUIT: "A plain suit was led that nobody had led before in the hand.",
    LossKind.TRUMPS_NOT_LED: (
        "A plain suit that had been led before was led where a trump could be led."
    ),
    LossKind.CINCH_MISSED: (
        "The third of four players did not play a trump above the fives although they could, with "
        "a five still out that the last player may have."
    ),
    LossKind.POINT_CARD_GIVEN: (
        "A card with points went from its holder to the other side, and a card with fewer points "
        "could be played."
    ),
    LossKind.TRUMP_WASTED: (
        "A trump was put on a trick that the own side was winning or that had no points so far, "
        "where a plain card or a lower trump could be played, or under a higher trump where a "
        "plain card could be played."
    ),
    LossKind.TRICK_LET_GO: (
        "The other side won the trick, and a card that takes the lead in it could be played."
    ),
    LossKind.POINTS_KEPT_BACK: (
        "The own side won the trick, and a card with more points could be put on it."
    ),
    LossKind.OTHER: "None of the others: another card of those that could be played cost less.",
}
