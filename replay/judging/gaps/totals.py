"""The result of a record with gaps: what follows from what it says, and what cannot be.

Points that are not recorded may be any that a hand has, a contract or a stake that is not recorded
any that the rules have. What comes out the same in every case is known; claims that no case brings
together are a finding. Sources: the score and game sections of each system; 0.record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec import UNSET, UnsetType

from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import auction, game_end
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.findings import cite, player_name
from tricklog.core.judging.gaps import points as points_taken
from tricklog.core.judging.gaps import ways
from tricklog.core.judging.gaps.contracts import Contract, finding
from tricklog.core.judging.gaps.points import Points, are_all_due, are_all_played
from tricklog.core.judging.gaps.readings import CALLS, NOBODY
from tricklog.core.judging.gaps.ways import Case, Claims, Game
from tricklog.core.judging.result_claims import claim_finding
from tricklog.core.judging.standing import RESULTS, result_said
from tricklog.core.model import Fact, Finding, KnownOutcome, Outcome
from tricklog.schemas.actions import Verb
from tricklog.schemas.hand import Claimed
from tricklog.schemas.languages.messages import Listing, Message, either, message
from tricklog.schemas.render import versus

if TYPE_CHECKING:
    from tricklog.core.judging.gaps.running import GapReplay
    from tricklog.core.judging.replayer import Replay

_Value = TypeVar("_Value")
_NOTHING: Final = Claimed()


def judge(replayed: GapReplay, contract: Contract) -> tuple[KnownOutcome, list[Finding]]:
    """Return what is known of the outcome, and findings for claims that cannot be right."""
    whole = replayed.outcome
    if whole is not None:
        known = KnownOutcome(**{name: getattr(whole, name) for name in KnownOutcome.__slots__})
        wrong = _result_findings(replayed, contract, [_case_of(whole)])
        return known, [*wrong, *points_taken.winner_findings(replayed)]
    if replayed.hand.status == "thrown_in":
        known = KnownOutcome(result="thrown_in", no_contract=False)
        return known, list(points_taken.count_findings(replayed))
    points = points_taken.points_of(replayed, contract)
    least = points_taken.least_points(replayed)
    findings = points_taken.findings_of(replayed, contract, points, least)
    said = _said(replayed, points, least)
    every: list[Case] = []
    cases: list[Case] = []
    game = Game(
        replayed.ruleset.hash,
        replayed.rules.seats,
        replayed.rules,
        is_void_possible=all(each.verb != Verb.REVEAL for each in replayed.actions),
        are_all_due=are_all_due(replayed, contract),
    )
    if not findings and not ways.are_open(game, contract, points):
        if contract.is_known:
            # A mistake that nobody noted may have cost points: who took how many is not known then.
            sure = replace(game, are_all_due=are_all_played(replayed.rules, contract))
            every = list(ways.cases(sure, contract, said.of_points(), outer=True))
            cases = list(ways.cases(sure, contract, said, outer=True)) or every
        findings = _result_findings(replayed, contract, every)
        findings = findings or list(_joint_findings(replayed, contract, game, said, every))
    findings = findings or list(_sum_findings(replayed, said))
    return _told(replayed, contract, points, cases), findings


def _said(replayed: GapReplay, points: Points, least: Sequence[int]) -> Claims:
    claimed, rules = replayed.hand.claimed or _NOTHING, replayed.rules
    before, change, scores = (
        [None] * rules.side_count if each is UNSET or len(each) != rules.side_count else list(each)
        for each in (replayed.hand.scores, claimed.change, claimed.scores)
    )
    result = None if claimed.result is UNSET else claimed.result
    by = None if claimed.by is UNSET else claimed.by
    return Claims(before, points, least, change, scores, result, by)


def _joint_findings(
    replayed: GapReplay, contract: Contract, game: Game, said: Claims, every: Sequence[Case]
) -> Iterator[Finding]:
    """Yield a finding where change or scores come out in no way with all else that is claimed.

    One cause gives one finding; what whole changes come to is a sum. ``every`` are the ways to end
    by contract and points.
    """
    nothing = said.of_points().change
    highest = [each + game.rules.all_points for each in said.before if each is not None]
    scores = _scores_of(every) if every else highest
    if _is_counted_out(game.rules, [*said.scores, *scores]):
        return
    by_change = replace(said, scores=nothing)
    for key, values, claims, others in (
        ("change", said.change, by_change, replace(by_change, change=nothing)),
        ("scores", said.scores if None in said.change else nothing, said, by_change),
    ):
        if values == nothing or any(True for _ in ways.cases(game, contract, claims)):
            continue
        right = [getattr(case, key) for case in ways.cases(game, contract, others)]
        if right:
            yield _claim_finding(replayed, key, values, right, "made failed")
        return


def findings_of_claims(replayed: Replay, outcome: Outcome) -> list[Finding]:
    """Return findings for claims that only version 2 has, of a hand that came to its end."""
    contract = Contract(outcome.maker, outcome.bid or 0, outcome.trump, alone=outcome.alone)
    findings = _result_findings(replayed, contract, [_case_of(outcome)])
    claimed = replayed.hand.claimed or _NOTHING
    for key, said, found, keys in (
        ("points", claimed.points, outcome.points, "points"),
        ("change", claimed.change, outcome.change, "made failed"),
        ("scores", claimed.scores, outcome.scores, "0.record"),
    ):
        if said is UNSET or None not in said or found is None or len(said) != len(found):
            continue
        if _distance(said, found):
            findings.append(_claim_finding(replayed, key, said, [found], keys))
    return findings


# --- Claims


def _case_of(outcome: Outcome) -> Case:
    return Case(
        RESULTS.index(outcome.result),
        outcome.need or 0,
        outcome.stake,
        outcome.points,
        outcome.change,
        outcome.scores,
        outcome.winner_side,
    )


def _result_findings(replayed: Replay, contract: Contract, cases: Sequence[Case]) -> list[Finding]:
    hand, rules = replayed.hand, replayed.rules
    claimed = hand.claimed or _NOTHING
    if claimed.result is UNSET or contract.maker is None or not cases:
        return []
    side = side_of(rules, contract.maker)
    name = player_name(hand, contract.maker)
    ends = {RESULTS[case.ending] for case in cases}
    taken = sorted({case.points[side] for case in cases})
    needs = sorted({case.need for case in cases})
    facts: dict[str, Fact] = {"claimed": str(claimed.result), "taken": taken, "need": needs}
    if claimed.result not in ends:
        sentence = message(
            "The record says that {maker}'s contract was {claimed}, but with {taken} of {needs} "
            "points it was {found}.",
            maker=name,
            claimed=result_said(claimed.result),
            taken=_or(taken),
            needs=_or(needs),
            found=result_said(min(ends)),
        )
        pointer, legal = "/claimed/result", min(ends)
        return [finding(replayed, "claimed-result", pointer, facts, legal, "made failed", sentence)]
    margins = {abs(case.points[side] - case.need) for case in cases}
    if claimed.by is UNSET or contract.alone or claimed.by in margins or len(taken) > 1:
        return []
    facts["by"] = claimed.by
    sentence = message(
        "The record says {result} by {by}, but {taken} points of {needs} are {result} by "
        "{margins}.",
        result=result_said(claimed.result),
        by=claimed.by,
        taken=_or(taken),
        needs=_or(needs),
        margins=_or(sorted(margins)),
    )
    return [finding(replayed, "claimed-result", "/claimed/by", facts, "", "made failed", sentence)]


def _is_counted_out(rules: Rules, scores: Iterable[int | None]) -> bool:
    """May counting have stopped at the target, which hangs on the cards?"""
    return game_end.counts_out(rules) and any(
        value is not None and value >= rules.target for value in scores
    )


def _scores_of(cases: Sequence[Case]) -> list[int]:
    return [value for each in cases for value in each.scores or ()]


def _sum_findings(replayed: GapReplay, said: Claims) -> Iterator[Finding]:
    """Scores before, change and scores after have to add up, whatever was played."""
    right = list(said.scores)
    for side, (old, more, new) in enumerate(
        zip(said.before, said.change, said.scores, strict=True)
    ):
        if old is None or more is None or new is None:
            continue
        if new not in (old + more, game_end.clamped(replayed.rules, old + more)):
            right[side] = old + more
    if right == said.scores:
        return
    facts: dict[str, Fact] = {"claimed": _listed(said.scores), "recomputed": _listed(right)}
    sentence = message(
        "The record claims {claimed} as the score after the hand; by the score before it and the "
        "change it is {right}.",
        claimed=versus(said.scores),
        right=versus(right),
    )
    pointer, legal = "/claimed/scores", versus(right)
    yield finding(replayed, "claimed-score", pointer, facts, legal, "0.record", sentence)


def _claim_finding(
    replayed: Replay,
    key: str,
    claimed: Sequence[int | None],
    cases: Sequence[tuple[int, ...]],
    keys: str,
) -> Finding:
    choices = sorted(dict.fromkeys(cases), key=lambda case: _distance(claimed, case))
    right: Message | Listing = either([versus(case) for case in choices[:3]], commas=False)
    if len(choices) > 3:
        right = message("{results}, or others", results=right)
    facts: dict[str, Fact] = {"claimed": _listed(claimed), "recomputed": list(choices[0])}
    rule = cite(replayed.ruleset, tuple(keys.split()))
    return claim_finding(key, claimed, right, facts, versus(choices[0]), rule)


def _distance(claimed: Sequence[int | None], right: Sequence[int]) -> int:
    pairs = zip(claimed, right, strict=True)
    return sum(0 if said is None else abs(said - value) for said, value in pairs)


# --- What is known


def _told(
    replayed: GapReplay, contract: Contract, points: Points, cases: Sequence[Case]
) -> KnownOutcome:
    """Return what is known: what comes out in every case, else what is claimed."""
    claimed = replayed.hand.whole_claims or None
    ending = _single([case.ending for case in cases])
    result = (replayed.hand.claimed or _NOTHING).result
    scores = _single([case.scores for case in cases])
    change = _single([case.change for case in cases])
    if _is_counted_out(replayed.rules, _scores_of(cases)):
        # Where the count stopped hangs on the cards.
        scores = change = None
    if claimed is not None:
        sides = replayed.rules.side_count
        change = change or _one_a_side(claimed.change, sides)
        scores = scores or _one_a_side(claimed.scores, sides)
    told = None if ending is None else RESULTS[ending]
    if told is None and result is not UNSET:
        told = result
    known = [value for value in points if value is not None]
    no_contract = contract.bid == 0 and contract.alone is None
    return KnownOutcome(
        result=told,
        maker=contract.maker,
        forced=_forced(replayed, contract),
        bid=contract.bid or None,
        need=_single([case.need for case in cases]) if contract.bid else None,
        trump=contract.trump,
        no_contract=no_contract if contract.bid is not None or contract.alone else None,
        alone=contract.alone,
        stake=_single([case.stake for case in cases]),
        points=tuple(known) if len(known) == len(points) else None,
        change=change,
        scores=scores,
        winner_side=_winner(replayed, contract, scores, ending),
    )


def _one_a_side(values: Sequence[int] | UnsetType, sides: int) -> tuple[int, ...] | None:
    return tuple(values) if values is not UNSET and len(values) == sides else None


def _forced(replayed: GapReplay, contract: Contract) -> bool | None:
    """Was the bid forced by the passes of all others? ``None`` where it may have been.

    It was not with another number than the forced bid, nor of another seat than the one obliged.
    """
    rules, hand = replayed.rules, replayed.hand
    if contract.bid is None or contract.maker is None:
        return None
    if contract.bid != rules.forced_bid or not auction.forces_a_bid(rules):
        return False
    if hand.dealer is UNSET:
        return None
    obliged = auction.forced_caller(State(dealer=hand.dealer), rules)
    if contract.maker != obliged:
        return False
    if replayed.workspace.state.forced:
        return True
    calls = [each.verb for each in replayed.actions if each.verb in CALLS]
    return False if replayed.carrier.auction is None and len(calls) >= rules.seats else None


def _winner(
    replayed: GapReplay, contract: Contract, scores: Sequence[int] | None, ending: int | None
) -> int | None:
    rules, before = replayed.rules, replayed.hand.whole_scores or []
    if scores is None or len(scores) != rules.side_count or len(before) != rules.side_count:
        return None
    if contract.maker is None or ending is None:
        return None
    if game_end.counts_out(rules) and game_end.sides_over(rules, scores).bit_count() > 1:
        return None
    bidders = NOBODY if contract.bid == 0 else side_of(rules, contract.maker)
    winner = game_end.game_winner(rules, before, scores, bidders, ending)
    return None if winner == game_end.GOES_ON else winner


def _single(values: Sequence[_Value]) -> _Value | None:
    """Return what all values are, ``None`` where they differ or there is none."""
    return values[0] if values and all(each == values[0] for each in values) else None


# --- Words


def _or(values: Sequence[int]) -> Listing:
    return either(values, commas=False)


def _listed(values: Sequence[int | None]) -> str:
    return " ".join("?" if value is None else str(value) for value in values)
