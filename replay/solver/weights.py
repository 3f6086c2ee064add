"""What the order of moves goes by: numbers found by trial, see ``order``.

The weights of a set: three for cards that have lately cut, and a row for each situation.
"""

from typing import Final

CUT_LED: Final = 0
"""Added for a lead that has lately cut with as many cards left; half of it for the one before."""
CUT_IN_TRICK: Final = 1
"""The same of a card put to a trick."""
CUT_LAST: Final = 2
"""The same of the last to play."""

FOR_POINTS: Final = 1
"""In a row, whose first number counts for every card: for each point of the card."""
FOR_RANK: Final = 2
"""Taken off: by its number on the board, where plain suits come before trumps."""
FOR_TRUMP: Final = 3
"""For a trump."""
FOR_MATE: Final = 4
"""At a lead: where a partner can beat it."""
FOR_LEFT: Final = 5
"""For each card that is left of the suit."""
FOR_OWN: Final = 6
"""For each of them that the player holds."""
FOR_RUFFS: Final = 7
"""At a plain lead: for each partner who has trumps, and none of the suit."""
FOR_RISKS: Final = 8
"""The same of the others."""
FOR_OWN_TRUMPS: Final = 9
"""For each trump that the player holds."""
FOR_MATES_TRUMPS: Final = 10
"""For each that others of their side hold."""
FOR_OTHERS_TRUMPS: Final = 11
"""For each that the other side holds."""
OF_ROW: Final = 12
"""Numbers of a row."""

LEADS_BEATEN_TRUMP: Final = 3
"""A trump is led that the other side can beat."""
LEADS_HIGHEST_TRUMP: Final = LEADS_BEATEN_TRUMP + OF_ROW
"""A trump is led that they cannot beat."""
LEADS_BEATEN: Final = LEADS_HIGHEST_TRUMP + OF_ROW
"""A plain card is led that they can beat in its suit."""
LEADS_HIGHEST: Final = LEADS_BEATEN + OF_ROW
"""A plain card is led that they cannot."""
TAKES_LAST: Final = LEADS_HIGHEST + OF_ROW
"""The last to play takes the trick."""
GIVES_LAST: Final = TAKES_LAST + OF_ROW
"""The last to play leaves it to their side."""
LOSES_LAST: Final = GIVES_LAST + OF_ROW
"""The last to play leaves it to the others."""
TAKES_FOR_SURE: Final = LOSES_LAST + OF_ROW
"""A card takes the lead of a trick, and nobody of the other side can beat it."""
OVERTAKES: Final = TAKES_FOR_SURE + OF_ROW
"""It takes the lead from the own side, and can be beaten."""
TAKES_AT_RISK: Final = OVERTAKES + OF_ROW
"""It takes the lead from the others, and can be beaten."""
GIVES_FOR_SURE: Final = TAKES_AT_RISK + OF_ROW
"""The trick is the own side's, and stays so."""
GIVES_AT_RISK: Final = GIVES_FOR_SURE + OF_ROW
"""The trick is the own side's, and can be beaten."""
DUCKS: Final = GIVES_AT_RISK + OF_ROW
"""The trick is the others'."""
OF_SET: Final = DUCKS + OF_ROW
"""Numbers of a set."""

TRUMPS_COUNT: Final = (
    *(380, 95, 0),
    *(230, 0, -16, 0, 200, 0, -20, 0, 0, 0, -10, 0),
    *(470, 20, 20, 0, -200, -5, 0, 0, 0, 0, 0, 0),
    *(140, -10, -8, 0, 100, -25, -5, 0, 0, 0, 0, 0),
    *(110, 0, -8, 0, -300, 0, -30, 0, 0, 0, 0, 0),
    *(520, 15, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    *(500, 70, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    *(200, -10, 8, -200, 0, 0, -10, 0, 0, 0, 50, 0),
    *(450, 60, 8, -100, 0, 0, -25, 0, 0, 0, 0, 0),
    *(300, 15, -8, 50, 0, 0, -50, 0, 0, 0, 5, 0),
    *(100, 105, -8, 50, 0, 0, 0, 0, 0, 0, 0, 0),
    *(370, 100, 24, 200, 0, -5, 0, 0, 0, -10, -10, 0),
    *(200, 5, 8, 30, 0, 0, -10, 0, 0, 10, 0, 0),
    *(180, -150, 16, 40, 0, 0, -15, 0, 0, 0, 5, 0),
)
"""Where only trumps have points. Each row is one of the situations above, in their order."""

ALL_COUNT: Final = (
    *(280, 55, 0),
    *(30, -40, 4, 0, 0, 10, 5, 0, 0, -15, 10, 10),
    *(250, 10, 20, 0, 0, 0, 0, 0, 0, 10, -40, 35),
    *(100, -20, 0, -20, 0, 0, 0, 170, -200, 0, 0, 0),
    *(220, 20, 0, -50, 0, 0, 0, 0, -320, 0, 0, 10),
    *(500, 20, 12, 0, 0, 0, 0, 0, 0, 0, 5, 0),
    *(500, 20, 0, -50, 0, 0, -5, 0, 0, 10, 0, 0),
    *(200, -20, 8, 0, 0, 0, 0, 0, 0, -20, -50, -20),
    *(480, 20, 4, 0, 0, 5, -15, 0, 0, 0, -5, 0),
    *(300, -70, 4, 0, 0, 0, 0, 0, 0, 40, 5, 5),
    *(300, -25, 20, 0, 0, 0, 0, 0, 0, 70, 20, 10),
    *(420, 15, 28, -50, 0, 0, -5, 0, 0, 0, 5, 20),
    *(350, 20, 4, 50, 0, 0, 5, 0, 0, 5, -60, 20),
    *(150, -110, 32, -100, 0, -5, 0, 0, 0, 0, 20, -50),
)
"""Where other cards have points as well, or tricks count."""
WEIGHTS: Final = TRUMPS_COUNT + ALL_COUNT
