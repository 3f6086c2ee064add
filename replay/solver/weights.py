"""What the order of moves goes by: numbers found by trial, see ``choices``.

The weights of a set: three for cards that have lately cut, and a row for each situation.
"""

from typing import Final

CUT_LED, CUT_IN_TRICK, CUT_LAST = range(3)
"""Added for a card that has lately cut with as many cards left, half of it for the one before: for
a lead, a card put to a trick, and that of the last to play."""

FOR_POINTS, FOR_RANK, FOR_TRUMP, FOR_MATE, FOR_LEFT, FOR_OWN = range(1, 7)
"""In a row, whose first number counts for every card: for each point of the card; taken off by its
number on the board, where plain suits come before trumps; for a trump; at a lead, where a partner
can beat it; for each card that is left of the suit, and for each of them that the player holds."""
FOR_RUFFS, FOR_RISKS = range(7, 9)
"""At a plain lead: for each partner, and for each of the others, with trumps and none of it."""
FOR_OWN_TRUMPS, FOR_MATES_TRUMPS, FOR_OTHERS_TRUMPS, OF_ROW = range(9, 13)
"""For each trump that the player holds, others of their side hold, and the other side holds; after
these a row ends."""

LEADS_BEATEN_TRUMP, LEADS_HIGHEST_TRUMP, LEADS_BEATEN, LEADS_HIGHEST = range(3, 50, OF_ROW)
"""Where the row of a situation begins: a trump is led that the other side can beat, or cannot; a
plain card that they can beat in its suit, or cannot."""
TAKES_LAST, GIVES_LAST, LOSES_LAST = range(51, 80, OF_ROW)
"""The last to play takes the trick, leaves it to their side, or to the others."""
TAKES_FOR_SURE, OVERTAKES, TAKES_AT_RISK = range(87, 120, OF_ROW)
"""A card takes the lead of a trick, and the other side cannot beat it; or it can be beaten, and
takes the lead from the own side, or from the others."""
GIVES_FOR_SURE, GIVES_AT_RISK, DUCKS, OF_SET = range(123, 160, OF_ROW)
"""The trick is the own side's, and stays so; it can be beaten; it is the others'. Then a set
ends."""

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
