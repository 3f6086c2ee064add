"""Claims that no hand can meet, whatever a record with gaps leaves out.

A margin beyond the points of a hand, numbers for more sides than there are, winners of more tricks
than are played. Sources: the score section of each system; 0.record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import UNSET

from replay.engine.policies import Pair
from replay.engine.records import Rules, State
from replay.engine.rules import scoring
from replay.engine.rules.table import side_of
from replay.judging.findings import cite, player_name
from replay.judging.gaps.contracts import Contract
from replay.judging.gaps.readings import NOBODY
from replay.model import Fact, Finding, Replayed
from schemas.hand import Claimed
from schemas.languages.messages import Message, mark, mark_counted, message_counted, message_of

if TYPE_CHECKING:
    from replay.judging.gaps.running import GapReplay


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


def findings_of(replayed: GapReplay, contract: Contract) -> list[Finding]:
    """Return findings for claims that are wrong without a look at what was played."""
    claimed = replayed.hand.claimed
    if claimed is UNSET:
        return []
    return [
        *count_findings(replayed),
        *_margin_findings(replayed, contract, claimed),
        *winner_findings(replayed),
    ]


# --- Numbers for each side


def count_findings(replayed: Replayed) -> Iterator[Finding]:
    """Yield a finding for each list of a change or a score that is not one number a side."""
    claimed = replayed.hand.claimed or Claimed()
    for key, values in (("change", claimed.change), ("scores", claimed.scores)):
        if values is not UNSET and len(values) != replayed.rules.side_count:
            yield count_finding(replayed, key, len(values))


def count_finding(replayed: Replayed, key: str, count: int) -> Finding:
    """Return the finding for a list that is not one number a side."""
    sides = replayed.rules.side_count
    sentence = message_of(_COUNTS[key], {"number": count, "sides": sides})
    facts: dict[str, Fact] = {"count": count, "wanted": sides}
    return finding(replayed, "score-count", key, facts, "", "sides", sentence)


# --- By how many points


def is_margin_possible(rules: Rules, contract: Contract, claimed: Claimed) -> bool:
    """Is there a contract with a number, and may it be made or set by so many points?"""
    if claimed.by is UNSET or not contract.bid or contract.alone:
        return False
    return any(claimed.by in each for each in _margins(rules, contract, claimed))


def _margins(rules: Rules, contract: Contract, claimed: Claimed) -> list[range]:
    """Return by how many points a contract may be made or set, for each pair that may count."""
    needs = sorted({need_of(rules, contract, pair) for pair in pair_sides(rules, contract)})
    if claimed.result == "made":
        return [range(rules.all_points - need + 1) for need in needs]
    return [range(1, need + 1) for need in needs]


def _margin_findings(
    replayed: GapReplay, contract: Contract, claimed: Claimed
) -> Iterator[Finding]:
    """Yield a finding for a margin that no points give; known points have their own."""
    rules = replayed.rules
    if contract.maker is None or not contract.bid or contract.alone or claimed.by is UNSET:
        return
    if claimed.result not in ("made", "set"):
        return
    side = side_of(rules, contract.maker)
    points = claimed.points
    if points is not UNSET and (len(points) <= side or points[side] is not None):
        return
    if is_margin_possible(rules, contract, claimed):
        return
    margins = [each for each in _margins(rules, contract, claimed) if each]
    if not margins:
        return
    least = min(each.start for each in margins)
    most = max(each.stop for each in margins) - 1
    need = need_of(rules, contract, pair_sides(rules, contract)[0])
    facts: dict[str, Fact] = {
        "claimed": str(claimed.result),
        "by": claimed.by,
        "least": least,
        "most": most,
    }
    values = {
        "maker": player_name(replayed.hand, contract.maker),
        "by": claimed.by,
        "least": least,
        "most": most,
    }
    one, many = _MARGINS[claimed.result]
    sentence = Message(one, values, many=many, count=need)
    legal = f"{least}-{most}"
    yield finding(replayed, "claimed-result", "by", facts, legal, "made failed", sentence)


# --- Winners of tricks


def winner_findings(replayed: Replayed) -> Iterator[Finding]:
    """Yield a finding where winners of more tricks are named than a hand has."""
    claimed = replayed.hand.claimed or Claimed()
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
    key = f"winners/{tricks}"
    yield finding(replayed, "claimed-winner", key, facts, "", "0.record", sentence)


# --- The contract and its points


def need_of(rules: Rules, contract: Contract, pair_side: int) -> int:
    """Return the points that make a contract where the pair of a side counts."""
    state = State(maker=contract.maker or 0, high_bid=contract.bid or 0, pair_side=pair_side)
    return scoring.points_needed(state, rules)


def pair_sides(rules: Rules, contract: Contract) -> Sequence[int]:
    """Return the sides whose pair may count, ``NOBODY`` for none."""
    if contract.pair_side is not None:
        return (contract.pair_side,)
    return (NOBODY,) if rules.pair == Pair.NONE else range(-1, rules.side_count)


# --- Findings


def finding(
    replayed: Replayed,
    code: str,
    key: str,
    facts: dict[str, Fact],
    legal: str,
    cites: str,
    said: Message,
) -> Finding:
    """Return a finding about a claim; ``cites`` are keys of the ruleset or sections."""
    rule = cite(replayed.ruleset, tuple(cites.split()))
    return Finding(code, None, f"/claimed/{key}", None, facts, legal, rule, said)
