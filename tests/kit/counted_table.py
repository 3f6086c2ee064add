"""A table of four over two evenings, small enough that every figure of it is counted by hand.

All hands are the same deal of Pedro Sancho (``tests.kit.tables``) in partnerships: spades are
trumps, the first trick brings seat 0 eight points (A 5 J 2), the second brings seat 1 ten (9 T),
and the rest is plain. So the side of seats 0 and 2 takes 8 of 18 and the side of seats 1 and 3
takes 10.
The tricks are won by the seats 0 1 2 2 2 1, and led by the maker and the seats 0 1 2 2 2.

====  ====  ===============  ==========================  ======  ======  ===========  ============
hand  game  seats 0 1 2 3    calls                       maker   result  change       scores after
====  ====  ===============  ==========================  ======  ======  ===========  ============
h1    g1    ann bo cy dee    ann 7, three passes         ann     made     8   10       8  10
h2    g1    ann bo cy dee    bo 9, three passes          bo      made     8   10      16  20
h3    g1    ann bo cy dee    cy 9, three passes          cy      set     -9   10       7  30
h4    g2    ann cy bo dee    three passes, dee forced 1  dee     made     8   10       8  10
h5    g2    ann cy bo dee    cy 12, three passes         cy      set      8  -12      16  -2
h6    g2    ann cy bo dee    bo 8, three passes          bo      made     8   10      24   8
h7    g2    ann cy bo dee    dee 5, ann 6, two passes    ann     made     8   10      25   8
h8    -     ann bo cy dee    as h1, claiming 9 and 9     ann     made, irregular
p1    -     ann bo cy dee    Pedro: ann 9                ann     made     9    5
====  ====  ===============  ==========================  ======  ======  ===========  ============

A game is to 25, and nothing is counted beyond it: bo and dee win g1, ann and bo win g2.
"""

from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.sound_hands import SOUND
from tests.kit.tables import sancho
from tricklog.schemas.hand import Claimed, Hand, Player, RulesRef

_RULES = RulesRef("sancho", options={"players": [4], "sides": "partners", "target": 25})
_FIRST = ("AS", "5S", "JS", "2S")
"""What each seat plays to the first trick."""


def _hand(
    name: str, seats: str, dealer: int, calls: Sequence[str], scores: Sequence[int], day: int = 0
) -> Hand:
    """Return a hand. Calls begin after the dealer; ``-`` is a pass, the last bid the maker's."""
    callers = [(dealer + 1 + place) % 4 for place in range(4)]
    spoken = [
        f"{seat} pass" if call == "-" else f"{seat} bid {call}"
        for seat, call in zip(callers, calls, strict=True)
    ]
    maker = [seat for seat, call in zip(callers, calls, strict=True) if call != "-"][-1]
    order = [(maker + place) % 4 for place in range(4)]
    hand = sancho(4, partners=True, id=name)
    plays = [f"{seat} play {_FIRST[seat]}" for seat in order]
    return replace(
        hand,
        rules=_RULES,
        players=[Player(each, kind="bot" if each == "dee" else "human") for each in seats.split()],
        dealer=dealer,
        actions=[*spoken, f"{maker} trump S", *plays, *hand.actions[9:]],
        game=f"g{day}" if day else UNSET,
        hand=int(name[1]) - (0 if day < 2 else 3) if day else UNSET,
        started_at=f"2026-01-0{day + 1}T20:00:00Z" if day else UNSET,
        scores=list(scores),
    )


FIRST = "ann bo cy dee"
SECOND = "ann cy bo dee"
HANDS = (
    _hand("h1", FIRST, 3, ("7", "-", "-", "-"), (0, 0), 1),
    _hand("h2", FIRST, 0, ("9", "-", "-", "-"), (8, 10), 1),
    _hand("h3", FIRST, 1, ("9", "-", "-", "-"), (16, 20), 1),
    _hand("h4", SECOND, 3, ("-", "-", "-", "1"), (0, 0), 2),
    _hand("h5", SECOND, 0, ("12", "-", "-", "-"), (8, 10), 2),
    _hand("h6", SECOND, 1, ("8", "-", "-", "-"), (16, -2), 2),
    _hand("h7", SECOND, 2, ("5", "6", "-", "-"), (24, 8), 2),
    replace(_hand("h8", FIRST, 3, ("7", "-", "-", "-"), (0, 0)), claimed=Claimed(points=[9, 9])),
    replace(SOUND["pedro"](), id="p1"),
)
