"""The points of a record with gaps, and claims about them that no hand can meet.

What each side took, and what they come to together; a margin beyond the points of a hand, numbers
for more sides than there are, winners of more tricks than are played. Sources: 1.points and
1.exchange, and the same sections of each system; the score section of each system; 0.record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import UNSET

from tricklog.core.engine.policies import (
    Discard,
    DiscardedPoints,
    EarlyEnd,
    Fold,
    GamePoint,
    OddCard,
    Pair,
    Rob,
    Solo,
    Surplus,
)
from tricklog.core.engine.records import NO_TRUMPS, Rules, State
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.findings import player_name
from tricklog.core.judging.gaps.contracts import Contract, finding
from tricklog.core.judging.gaps.readings import NOBODY
from tricklog.core.model import Fact, Finding
from tricklog.schemas.hand import Claimed
from tricklog.schemas.languages.messages import (
    Message,
    mark,
    mark_counted,
    message,
    message_counted,
    message_of,
)
from tricklog.schemas.render import versus

if TYPE_CHECKING:
    from tricklog.core.judging.gaps.running import GapReplay
    from tricklog.core.judging.replayer import Replay

Points = list[int | None]
"""Points by side; ``None`` where they are not known."""
_NOTHING: Final = Claimed()
_FINDS_ALL_TRUMPS: Final = (Rob.ALL_TRUMPS, Rob.WHOLE_STOCK, Rob.WHOLE_STOCK_FIRST)
_COUNTS: Final = {
    "points": mark("The record claims {number} entries of points for {sides} sides."),
    "change": mark("The record claims {number} entries of change for {sides} sides."),
    "scores": mark("The record claims {number} entries of scores for {sides} sides."),
}
_MARGINS: Final = {
    "made": mark_counted(
        "The record says that {maker}'s contract was made by {by}, but with {count} point to make "
        "it can only be made by {least} to {most}.",
        "The record says that {maker}'s contract was made by {by}, but with {count} points to make "
        "it can only be made by {least} to {most}.",
    ),
    "set": mark_counted(
        "The record says that {maker}'s contract was set by {by}, but with {count} point to make "
        "it can only be set by {least} to {most}.",
        "The record says that {maker}'s contract was set by {by}, but with {count} points to make "
        "it can only be set by {least} to {most}.",
    ),
}
"""By how a contract is claimed to have ended: for a need of one point, and of any other."""


def points_of(replayed: GapReplay, contract: Contract) -> Points:
    """Return the points each side is known to have taken: as claimed, or as the result says."""
    rules = replayed.rules
    claimed = replayed.hand.claimed or _NOTHING
    points: Points = [None] * rules.side_count
    if claimed.points is not UNSET and len(claimed.points) == rules.side_count:
        points = list(claimed.points)
    if any(claimed.by in each for each in _margins(rules, contract, claimed)):
        side, needs = side_of(rules, contract.maker or 0), set(_needs(rules, contract))
        if points[side] is None and len(needs) == 1:
            by = claimed.by or 0
            points[side] = needs.pop() + (by if claimed.result == "made" else -by)
    known = [value for value in points if value is not None]
    is_whole = are_all_played(rules, contract) and not contract.is_open
    if is_whole and len(known) == rules.side_count - 1:
        points[points.index(None)] = rules.all_points - sum(known)
    return points


def _margins(rules: Rules, contract: Contract, claimed: Claimed) -> list[range]:
    """Return by how many points a contract may end as claimed, for each pair that may count.

    Nothing where no margin is claimed, or there is no number to reach.
    """
    if contract.maker is None or not contract.bid or contract.alone or claimed.by is UNSET:
        return []
    needs = sorted(set(_needs(rules, contract)))
    if claimed.result == "made":
        return [range(rules.all_points - need + 1) for need in needs]
    return [range(1, need + 1) for need in needs]


def _needs(rules: Rules, contract: Contract) -> list[int]:
    sides: Sequence[int] = (NOBODY,)
    if contract.pair_side is not None:
        sides = (contract.pair_side,)
    elif rules.pair != Pair.NONE:
        sides = range(-1, rules.side_count)
    maker, bid = contract.maker or 0, contract.bid or 0
    states = [State(maker=maker, high_bid=bid, pair_side=side) for side in sides]
    return [scoring.points_needed(state, rules) for state in states]


def least_points(replayed: GapReplay) -> list[int]:
    """Return the points that each side has at least, by the tricks that are recorded.

    Where something is wrong with these, they bound nothing.
    """
    least = [0] * replayed.rules.side_count
    for capture in () if replayed.findings else replayed.captures:
        least[capture.side] += capture.points
    return least


# --- Claims that no hand can meet


def findings_of(
    replayed: GapReplay, contract: Contract, points: Points, least: Sequence[int]
) -> list[Finding]:
    """Return findings for claims that are wrong, whatever was played where nothing is recorded."""
    return [
        *_points_findings(replayed, contract, points, least),
        *count_findings(replayed),
        *_margin_findings(replayed, contract),
        *winner_findings(replayed),
    ]


def _points_findings(
    replayed: GapReplay, contract: Contract, points: Points, least: Sequence[int]
) -> Iterator[Finding]:
    """No side takes less than in the tricks recorded, and together they take what a hand has.

    Where points may stay out of play they may take less.
    """
    rules = replayed.rules
    claimed = (replayed.hand.claimed or _NOTHING).points
    if claimed is UNSET:
        return
    if len(claimed) != rules.side_count:
        yield _count_finding(replayed, "points", len(claimed))
        return
    said = versus(claimed)
    facts: dict[str, Fact] = {"claimed": said.replace(" : ", " ")}
    known = [value for value in points if value is not None]
    total = sum(known)
    is_whole = len(known) == rules.side_count
    short = is_whole and total < rules.all_points and are_all_due(replayed, contract)
    short = short and not (contract.is_open and total == 0)
    pairs = list(zip(points, least, strict=True))
    held = sum(each if value is None else value for value, each in pairs)
    if min(known, default=0) < 0 or total > rules.all_points or short:
        facts["total"] = rules.all_points
        sentence = message(
            "The record claims {claimed} as the points taken, {sum} together; a hand has {total}.",
            claimed=said,
            sum=total,
            total=rules.all_points,
        )
    elif held > rules.all_points or any(value is not None and value < own for value, own in pairs):
        facts["least"] = list(least)
        sentence = message(
            "The record claims {claimed} as the points taken, but the tricks that it has bring "
            "{recorded} of {total}.",
            claimed=said,
            recorded=versus(least),
            total=rules.all_points,
        )
    else:
        return
    yield finding(replayed, "claimed-points", "/claimed/points", facts, "", "points", sentence)


def count_findings(replayed: Replay) -> Iterator[Finding]:
    """Yield a finding for each list of a change or a score that is not one number a side."""
    claimed = replayed.hand.claimed or _NOTHING
    for key, values in (("change", claimed.change), ("scores", claimed.scores)):
        if values is not UNSET and len(values) != replayed.rules.side_count:
            yield _count_finding(replayed, key, len(values))


def _count_finding(replayed: Replay, key: str, count: int) -> Finding:
    sides = replayed.rules.side_count
    sentence = message_of(_COUNTS[key], {"number": count, "sides": sides})
    facts: dict[str, Fact] = {"count": count, "wanted": sides}
    return finding(replayed, "score-count", f"/claimed/{key}", facts, "", "sides", sentence)


def _margin_findings(replayed: GapReplay, contract: Contract) -> Iterator[Finding]:
    rules, claimed = replayed.rules, replayed.hand.claimed or _NOTHING
    margins = [each for each in _margins(rules, contract, claimed) if each]
    if claimed.result is UNSET or claimed.by is UNSET or contract.maker is None or not margins:
        return
    side, points = side_of(rules, contract.maker), claimed.points
    if points is not UNSET and (len(points) <= side or points[side] is not None):
        return
    if any(claimed.by in each for each in margins):
        return
    least, most = min(each.start for each in margins), max(each.stop for each in margins) - 1
    bounds = {"by": claimed.by, "least": least, "most": most}
    values: dict[str, object] = {"maker": player_name(replayed.hand, contract.maker), **bounds}
    one, many = _MARGINS[claimed.result]
    sentence = Message(one, values, many=many, count=_needs(rules, contract)[0])
    facts: dict[str, Fact] = {"claimed": claimed.result, **bounds}
    code, legal = "claimed-result", f"{least}-{most}"
    yield finding(replayed, code, "/claimed/by", facts, legal, "made failed", sentence)


def winner_findings(replayed: Replay) -> Iterator[Finding]:
    """Yield a finding where winners of more tricks are named than a hand has."""
    claimed = replayed.hand.claimed or _NOTHING
    tricks = replayed.rules.hand_size
    if claimed.winners is UNSET or len(claimed.winners) <= tricks:
        return
    count = len(claimed.winners)
    facts: dict[str, Fact] = {"claimed": count, "tricks": tricks}
    sentence = message_counted(
        "The record names winners of {count} trick, but a hand has {tricks} of them.",
        "The record names winners of {count} tricks, but a hand has {tricks} of them.",
        count,
        tricks=tricks,
    )
    pointer = f"/claimed/winners/{tricks}"
    yield finding(replayed, "claimed-winner", pointer, facts, "", "0.record", sentence)


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
    # Every card of the pack comes into somebody's hand without a stock.
    left = rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
    all_dealt = left == 0 or (left == 1 and rules.odd_card == OddCard.DEALER)
    if rules.discard == Discard.NOTHING:
        return all_dealt and rules.hand_size == rules.dealt and rules.kitty_size == 0
    finds = rules.rob in _FINDS_ALL_TRUMPS
    finds |= rules.rob == Rob.TO_SIZE and rules.rob_keeps_points == 1
    # A dealer who has folded plays none of what they take.
    finds = finds and rules.fold == Fold.NEVER
    return (all_dealt or finds) and _are_kept(rules)


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
    rules, state = replayed.rules, replayed.workspace.state
    if rules.discarded_points != DiscardedPoints.NOBODY:
        return False
    trumps = range(4) if state.trump < 0 else (state.trump,)
    points = 0
    for trump in trumps:
        points |= rules.point_cards[trump] if 0 <= trump < len(rules.point_cards) else 0
    return any(state.discarded[seat] & points for seat in range(rules.seats))
