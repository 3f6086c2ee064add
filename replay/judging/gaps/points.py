"""The points of a record with gaps: what each side took, and what they come to together.

Sources: 1.points and 1.exchange, and the same sections of each system; 0.record.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec import UNSET

from replay.engine.policies import (
    Discard,
    DiscardedPoints,
    EarlyEnd,
    Fold,
    GamePoint,
    OddCard,
    Rob,
    Solo,
    Surplus,
)
from replay.engine.records import NO_TRUMPS, Rules
from replay.engine.rules.table import side_of
from replay.judging.gaps import limits
from replay.judging.gaps.contracts import Contract
from replay.judging.gaps.limits import count_finding, finding, need_of, pair_sides
from replay.model import Fact, Finding
from schemas.hand import Claimed
from schemas.languages.messages import message
from schemas.render import versus

if TYPE_CHECKING:
    from replay.judging.gaps.running import GapReplay

Points = list[int | None]
"""Points by side; ``None`` where they are not known."""
_NOTHING: Final = Claimed()
_FINDS_ALL_TRUMPS: Final = (Rob.ALL_TRUMPS, Rob.WHOLE_STOCK, Rob.WHOLE_STOCK_FIRST)


def points_of(replayed: GapReplay, contract: Contract) -> Points:
    """Return the points each side is known to have taken: as claimed, or as the result says."""
    hand, rules = replayed.hand, replayed.rules
    claimed = hand.claimed or _NOTHING
    points: Points = [None] * rules.side_count
    if claimed.points is not UNSET and len(claimed.points) == rules.side_count:
        points = list(claimed.points)
    if (
        claimed.by is not UNSET
        and contract.maker is not None
        and limits.is_margin_possible(rules, contract, claimed)
    ):
        side = side_of(rules, contract.maker)
        needs = {need_of(rules, contract, pair) for pair in pair_sides(rules, contract)}
        if points[side] is None and len(needs) == 1:
            points[side] = needs.pop() + (claimed.by if claimed.result == "made" else -claimed.by)
    known = [value for value in points if value is not None]
    is_whole = are_all_played(rules, contract) and not contract.is_open
    if is_whole and len(known) == rules.side_count - 1:
        points[points.index(None)] = rules.all_points - sum(known)
    return points


def least_points(replayed: GapReplay) -> list[int]:
    """Return the points that each side has at least, by the tricks that are recorded.

    Where something is wrong with these, they bound nothing.
    """
    least = [0] * replayed.rules.side_count
    for capture in () if replayed.findings else replayed.captures:
        least[capture.side] += capture.points
    return least


def findings_of(
    replayed: GapReplay, contract: Contract, points: Points, least: Sequence[int]
) -> list[Finding]:
    """No side takes less than in the tricks recorded, and together they take what a hand has.

    Where points may stay out of play they may take less.
    """
    rules = replayed.rules
    claimed = (replayed.hand.claimed or _NOTHING).points
    if claimed is UNSET:
        return []
    if len(claimed) != rules.side_count:
        return [count_finding(replayed, "points", len(claimed))]
    known = [value for value in points if value is not None]
    total = sum(known)
    is_whole = len(known) == rules.side_count
    short = is_whole and total < rules.all_points and are_all_due(replayed, contract)
    short = short and not (contract.is_open and total == 0)
    said = versus(claimed)
    if min(known, default=0) >= 0 and total <= rules.all_points and not short:
        return _least_findings(replayed, points, least, said)
    sentence = message(
        "The record claims {claimed} as the points taken, {sum} together; a hand has {total}.",
        claimed=said,
        sum=total,
        total=rules.all_points,
    )
    facts: dict[str, Fact] = {"claimed": said.replace(" : ", " "), "total": rules.all_points}
    return [finding(replayed, "claimed-points", "points", facts, "", "points", sentence)]


def _least_findings(
    replayed: GapReplay, points: Points, least: Sequence[int], said: str
) -> list[Finding]:
    """Return a finding where the tricks recorded have more points than are claimed of them."""
    total = replayed.rules.all_points
    held = sum(each if value is None else value for value, each in zip(points, least, strict=True))
    short = any(
        value is not None and value < each for value, each in zip(points, least, strict=True)
    )
    if not short and held <= total:
        return []
    sentence = message(
        "The record claims {claimed} as the points taken, but the tricks that it has bring "
        "{recorded} of {total}.",
        claimed=said,
        recorded=versus(least),
        total=total,
    )
    facts: dict[str, Fact] = {"claimed": said.replace(" : ", " "), "least": list(least)}
    return [finding(replayed, "claimed-points", "points", facts, "", "points", sentence)]


# --- Are all points taken?


def are_all_played(rules: Rules, contract: Contract) -> bool:
    """Is every card of the pack played, so that the points are all whatever anybody did?

    Where cards are laid off a mistake that is not recorded may have cost points.
    """
    if _may_be_alone(rules, contract) or rules.discard != Discard.NOTHING:
        return False
    return have_all_points(rules)


def are_all_due(replayed: GapReplay, contract: Contract) -> bool:
    """Does somebody score every point of this hand, if it was played by the rules?

    Not in a hand played alone, of which the partner's cards are not played; nor where the record
    has a point card laid off that nobody scores, which has its own finding.
    """
    is_broken_off = replayed.hand.status in ("abandoned", "in_progress")
    if is_broken_off or _may_be_alone(replayed.rules, contract) or _has_lost_points(replayed):
        return False
    may_lack_trumps = contract.trump is None and replayed.rules.no_trump
    return have_all_points(replayed.rules, NO_TRUMPS if may_lack_trumps else contract.trump)


def _may_be_alone(rules: Rules, contract: Contract) -> bool:
    """May one player have undertaken all tricks, which a bid that was played out rules out?"""
    if contract.alone or contract.bid is not None:
        return contract.alone is not None
    return rules.solo != Solo.NONE or rules.tenny == 1


def have_all_points(rules: Rules, trump: int | None = None) -> bool:
    """Is every point of a hand scored under these rules, whichever cards were dealt?

    ``trump`` is the code of the trumps, where it is known.
    """
    if rules.early_end != EarlyEnd.NEVER or rules.game_point == GamePoint.COUNT:
        return False
    if trump == NO_TRUMPS and sum(rules.points[trump]) != sum(rules.points[0]):
        return False
    all_dealt = _are_all_dealt(rules)
    if rules.discard == Discard.NOTHING:
        return all_dealt and rules.hand_size == rules.dealt and rules.kitty_size == 0
    finds = rules.rob in _FINDS_ALL_TRUMPS
    finds |= rules.rob == Rob.TO_SIZE and rules.rob_keeps_points == 1
    # A dealer who has folded plays none of what they take.
    finds = finds and rules.fold == Fold.NEVER
    return (all_dealt or finds) and _are_kept(rules)


def _are_all_dealt(rules: Rules) -> bool:
    """Does every card of the pack come into somebody's hand without a stock?"""
    left = rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
    return left == 0 or (left == 1 and rules.odd_card == OddCard.DEALER)


def _are_kept(rules: Rules) -> bool:
    """Must every card with points be kept before play, or counted where it is laid off?

    It need not where anything may go, where a card may be taken from discards for another, or where
    a hand may hold more cards with points than it may keep.
    """
    if rules.discard == Discard.ANY or rules.discards_claimed:
        return False
    if rules.point_cards[0] & ~rules.trump_cards[0]:
        return False
    fits = rules.point_cards[0].bit_count() <= rules.hand_size
    return fits or rules.surplus != Surplus.DISCARD


def _has_lost_points(replayed: GapReplay) -> bool:
    """Does the record name a card with points that was laid off and counts for nobody?"""
    rules, state = replayed.rules, replayed.workspace.state
    if rules.discarded_points != DiscardedPoints.NOBODY:
        return False
    trumps = range(4) if state.trump < 0 else (state.trump,)
    points = 0
    for trump in trumps:
        points |= rules.point_cards[trump] if 0 <= trump < len(rules.point_cards) else 0
    return any(state.discarded[seat] & points for seat in range(rules.seats))
