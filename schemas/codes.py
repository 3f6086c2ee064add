"""The short codes in which the warehouse keeps cards, actions and what came of them.

A code is ASCII text, one or two characters a fact. ``tricklog.core.engine.facts`` writes it, SQL
takes it apart with ``ord`` and ``substr``, and ``tricklog.ingest.store.record_codec`` reads it. A
*number* from 0 to 78 is ``chr(48 + number)``, ``0`` to ``~``; a *pair* is a number from 0 to 6240
in two such characters, ``number // 79`` and ``number % 79``.

========  ======================================================================================
card      its number of ``tricklog.schemas.cards``, ``0`` to ``d``; ``/`` for ``?`` and ``.`` for
``*`` deal      the cards of each seat in the order recorded, a space between two seats; a comma and
          the stock; a comma and the kitty; ``-`` for each of the three that is not recorded
deeds     the actions one after the other; only their first characters are letters from ``e`` on
details   what deeds and tricks leave open: at play, buried, calls and plays, commas between them;
          empty where all four are
at play   per seat what it held, in the order of the cards, a space between two seats
buried    the cards buried under the first trick, in the order of the cards
calls     per call the pair of its action, numbers of seat and verb, the pair of its amount
plays     per card played to a complete trick the pair of its action, number of the seat, card
tricks    per trick an integer: ``points << 6 | size << 3 | winner``, size in cards; the winner is
          7 when no card of the trick is recorded
captures  per capture an integer: ``points << 23 | under << 22 | place << 19 | leader << 16 |
          trick << 12 | card << 6 | from << 3 | by``; the leader is 7 and the place 0 where no
          trick took the card; under is 1 for a trump played under a higher one
========  ======================================================================================

Deeds. A card played is ``chr(112 + seat)`` (``p`` to ``v``) and the card; where the next action is
a card played by the next seat, clockwise, it is that card alone. Any other action is
``chr(101 + seat)`` (``e`` to ``k``), the number of the verb, and what it says: the cards; the trump
code as number ``2 + code``; the bid in digits to base 50, the highest first, no zero in front. So
``0 bid 7`` is ``e07``, ``2 trump H`` is ``g43``, ``3 rob 6H QS`` is ``h:A:``, and ``2 play AH``,
``3 play 2H``, ``1 play 9H`` is ``rI=qD``.

Details are empty where they would only repeat the deeds, as they mostly would: *at play* where each
seat held the known cards that it went on to play or bury, among the actions carried out; *calls*
where they are all bids, passes and tennies carried out, and nobody said ditto; *plays* where they
are the first cards played in the deeds, as they stand there.

Facts of calls. ``hands.call_facts`` has per call an integer: ``lowest // 64 << 27 | amount << 15 |
lowest % 64 << 9 | choice << 8 | standing << 5 | verb << 3 | seat``. The lowest number that might
have been bid is 0 for none, choice is 1 where there was one, standing is the seat whose bid stood,
7 for nobody.
"""

from typing import Final

ZERO: Final = 48
PAIR_BASE: Final = 79
FIRST_SEAT: Final = 101
"""The character of seat 0 in front of any action but a play."""
FIRST_PLAYER: Final = 112
"""The character of seat 0 in front of a card played."""
BID_BASE: Final = 50
UNKNOWN_WINNER: Final = 7
"""In place of the winner of a trick of which no card is recorded."""
NO_LEADER: Final = 7
"""In place of who led to the trick of a card that no trick took."""
NOBODY_BID: Final = 7
"""In place of the seat whose bid stood before a call."""
NOT_RECORDED: Final = "-"
"""In place of the hands, the stock or the kitty."""
IN_COLUMNS: Final = "~"
"""In the rest of a record, in place of a claim or a time that other columns give back."""
