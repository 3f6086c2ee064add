"""Claims that no hand can meet, whatever a record with gaps leaves out.

A margin beyond the points of a hand, numbers for more sides than there are, winners of more tricks
than are played. Sources: the score section of each system; 0.record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET

from replay.engine.policies import Pair
from replay.engine.records import Rules, State
from replay.engine.rules import scoring
from replay.engine.rules.table import side_of
from replay.judging.findings import player_name
from replay.judging.gaps.contracts import Contract
from replay.judging.gaps.readings import NOBODY
from replay.model import Fact, Finding, Replayed
from replay.rulesets.ruleset import Ruleset
from schemas.hand import Claimed
from schemas.words import counted

if TYPE_CHECKING:
    from replay.judging.gaps.running import GapReplay


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
    sentence = f"The record claims {count} entries of {key} for {sides} sides."
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
    sentence = (
        f"The record says that {player_name(replayed.hand, contract.maker)}'s contract was "
        f"{claimed.result} by {claimed.by}, but with {counted(need, 'point')} to make it can only "
        f"be {claimed.result} by {least} to {most}."
    )
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
    sentence = (
        f"The record names winners of {counted(count, 'trick')}, but a hand has {tricks} of them."
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
    sentence: str,
) -> Finding:
    """Return a finding about a claim; ``cites`` are keys of the ruleset or sections."""
    ruleset = replayed.ruleset
    words = [word for each in cites.split() for word in _cited(ruleset, each)]
    rule = " ".join(dict.fromkeys(words))
    return Finding(code, None, f"/claimed/{key}", None, facts, legal, rule, sentence)


def _cited(ruleset: Ruleset, key: str) -> list[str]:
    return [key] if "." in key else ruleset.cite(key).split()
