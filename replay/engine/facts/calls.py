"""What was called, over whose bid, and what else might have been.

A call is an entry of ``History``, whose seat ``auction.caller`` gives. What might have been called
is noted before the call is carried out, for it depends on the moment. Sources: 0.auction,
1.auction, 5.auction, 6.auction, 11.auction, 14.auction; O04, O52, O54, O65, O70, S10, S16, S95.
"""

from __future__ import annotations

from replay.engine.hand_replay import Workspace
from replay.engine.rules.history import History


def verb_of(workspace: Workspace, call: int) -> int:
    """Return what a call was: a bid, a pass, a ditto that holds the bid, or tenny."""
    return workspace.actions[workspace.history.call_action[call]].verb


def amount_of(history: History, call: int) -> int:
    """Return what was bid, the bid that a ditto holds, or 0: in points, or a special bid."""
    return history.call_amount[call]


def standing_of(history: History, call: int) -> int:
    """Return whose bid stood before a call: who bid it or, after a ditto, who held it (O54).

    ``history.NOBODY`` when nobody had bid.
    """
    return history.call_standing[call]


def lowest_number(history: History, call: int) -> int:
    """Return the lowest number the caller might have bid, in points; 0 when it was none.

    That is the number that stands where they may take the auction with it (5.auction, 6.auction),
    else one more, at least the minimum; for a forced bidder the forced bid (1.auction, O65, O70).
    Bids above all numbers (O04, 11.auction) do not count. Out of turn it is none, but who was
    passed over may still bid.
    """
    return history.call_lowest[call]


def had_choice(history: History, call: int) -> bool:
    """Had the caller more than one legal call, or could they have kept silent?

    A forced bid is no choice where one number is right. It is one where any number will do (O65),
    or the highest (S10) or a bid above all numbers (S16) is right as well; cards that the record
    does not name may be those that 28-56 takes (O04). A pass is none where nothing can be bid. Out
    of turn nothing is legal but tenny before the auction, which nobody has to call (S95).
    """
    return history.call_choice[call] == 1
