"""Who called, and who had to.

Sources: 1.auction, 14.auction; O65, O70.
"""

from __future__ import annotations

from typing import Final

from tricklog.core.engine.hand_replay import Workspace
from tricklog.core.engine.policies import AllPass
from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules.auction import forces_a_bid
from tricklog.schemas.actions import Verb

NOBODY: Final = -1


def is_bid(workspace: Workspace, call: int) -> bool:
    """Is a call anything but a pass? Holding a bid and undertaking all tricks are bids, too."""
    return workspace.actions[workspace.history.call_action[call]].verb != Verb.PASS


def caller(workspace: Workspace, call: int) -> int:
    """Return the seat that made a call."""
    return workspace.actions[workspace.history.call_action[call]].seat


def opening_bid(workspace: Workspace) -> int:
    """Return which call was the first bid; the number of calls when nobody bid."""
    for call in range(workspace.history.calls):
        if is_bid(workspace, call):
            return call
    return workspace.history.calls


def forced_bidder(workspace: Workspace, rules: Rules) -> int:
    """Return the seat whose first bid was forced; ``NOBODY`` without.

    The last to speak has to bid when all others have passed, or the first speaker, who has passed
    as well (O70) or may not (O78). Whatever they bid (O65), it was no choice of theirs to call.
    """
    opening = opening_bid(workspace)
    if opening == workspace.history.calls or not forces_a_bid(rules):
        return NOBODY
    if rules.all_pass == AllPass.FIRST_OPENS:
        return caller(workspace, opening)
    heard = opening if rules.all_pass == AllPass.FIRST_FORCED else opening + 1
    spoken = 0
    for call in range(heard):
        spoken |= 1 << caller(workspace, call)
    return caller(workspace, opening) if spoken.bit_count() == rules.seats else NOBODY
