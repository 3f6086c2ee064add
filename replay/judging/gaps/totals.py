"""The result of a record with gaps: what follows from what it says, and what cannot be.

Points that are not recorded may be any that a hand has, a stake that is not recorded any that the
rules have. What comes out the same in every case is known; a claim that comes out in no case is a
finding. Sources: the score and game sections of each system; 0.record.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec import UNSET, UnsetType

from replay.engine.constants import TRUMP_CALL_SECRET
from replay.engine.policies import Sweep, Unshown
from replay.engine.records import NO_TRUMPS, Rules, State
from replay.engine.rules import auction, game_end, scoring
from replay.engine.rules.naming import set_trump
from replay.engine.rules.result import Result, fill_result, settle_scores
from replay.engine.rules.table import side_of
from replay.judging.findings import player_name
from replay.judging.gaps import limits
from replay.judging.gaps.contracts import Contract
from replay.judging.gaps.limits import finding, need_of, pair_sides
from replay.judging.gaps.points import Points, are_all_played, points_of
from replay.judging.gaps.points import findings_of as points_findings
from replay.judging.gaps.readings import CALLS, NOBODY
from replay.judging.result_claims import claim_said
from replay.judging.standing import RESULTS, result_said
from replay.model import Fact, Finding, KnownOutcome, Outcome, Replayed
from schemas.actions import NO_TRUMP, Verb
from schemas.hand import Claimed, Hand
from schemas.languages.messages import Listing, Message, either, message

if TYPE_CHECKING:
    from replay.judging.gaps.running import GapReplay

_Value = TypeVar("_Value")
_NOTHING: Final = Claimed()
_MOST_CASES: Final = 4096


@dataclass(frozen=True, slots=True)
class Case:
    """One way in which the hand may have ended."""

    ending: int
    need: int
    stake: int
    points: tuple[int, ...]
    change: tuple[int, ...]
    scores: tuple[int, ...] | None
    winner: int | None


def judge(replayed: GapReplay, contract: Contract) -> tuple[KnownOutcome, list[Finding]]:
    """Return what is known of the outcome, and findings for claims that cannot be right."""
    whole = replayed.outcome
    if whole is not None:
        known = KnownOutcome(**{name: getattr(whole, name) for name in KnownOutcome.__slots__})
        wrong = _result_findings(replayed, contract, [_case_of(whole)])
        return known, [*wrong, *limits.winner_findings(replayed)]
    if replayed.hand.status == "thrown_in":
        known = KnownOutcome(result="thrown_in", no_contract=False)
        return known, list(limits.count_findings(replayed))
    points = points_of(replayed, contract)
    findings = points_findings(replayed, contract, points)
    findings += limits.findings_of(replayed, contract)
    cases = [] if findings else list(_cases(replayed, contract, points))
    if cases:
        findings += _result_findings(replayed, contract, cases)
        findings += _claim_findings(replayed, points, cases)
        cases = [each for each in cases if _fits(replayed.hand, each)] or cases
    findings += _sum_findings(replayed) if not findings else []
    return _told(replayed, contract, points, cases), findings


def findings_of_claims(replayed: Replayed, outcome: Outcome) -> list[Finding]:
    """Return findings for claims that only version 2 has, of a hand that came to its end."""
    contract = Contract(outcome.maker, outcome.bid or 0, outcome.trump, alone=outcome.alone)
    findings = _result_findings(replayed, contract, [_case_of(outcome)])
    claimed = replayed.hand.claimed or _NOTHING
    for key, said, found in (
        ("points", claimed.points, outcome.points),
        ("change", claimed.change, outcome.change),
        ("scores", claimed.scores, outcome.scores),
    ):
        if said is UNSET or None not in said or found is None or len(said) != len(found):
            continue
        if not _possible(said, [found], exact=True):
            cites = {"points": "points", "change": "made failed", "scores": "0.record"}[key]
            findings.append(_claim_finding(replayed, key, said, [found], cites))
    return findings


# --- Cases


def _cases(replayed: GapReplay, contract: Contract, points: Points) -> Iterator[Case]:
    """Yield how the hand may have ended: at the least and the most of what is not known.

    Nothing is yielded where it is not known who bid what.
    """
    rules, hand = replayed.rules, replayed.hand
    if contract.maker is None or (contract.bid is None and not contract.alone):
        return
    ways = itertools.product(
        _point_ways(rules, contract, points),
        pair_sides(rules, contract),
        (contract.doubles,) if contract.doubles is not None else range(rules.doubling + 1),
        (False, True) if rules.sweep == Sweep.DOUBLES or contract.alone else (False,),
        (1, 0) if _may_be_void(replayed) else (1,),
    )
    for taken, pair, doubles, swept, shown in itertools.islice(ways, _MOST_CASES):
        state = _state(rules, contract, taken, pair, doubles, swept=swept)
        state.revealed = shown
        case = _case(rules, hand, state)
        if _agrees(hand, case):
            yield case


def _may_be_void(replayed: GapReplay) -> bool:
    """May a hidden trump never have come to light, so that the hand does not count (S81)?"""
    rules = replayed.rules
    hidden = rules.trump_call == TRUMP_CALL_SECRET and rules.unshown == Unshown.VOID
    return hidden and all(each.verb != Verb.REVEAL for each in replayed.actions)


def _point_ways(rules: Rules, contract: Contract, points: Points) -> Iterator[tuple[int, ...]]:
    """Yield points by side, known ones as they are, others at the ends of what they may be.

    The makers may have taken as few or as many as make or set the contract, or miss it by far; what
    they left went to nobody or to one of the others.
    """
    maker, total = side_of(rules, contract.maker or 0), rules.all_points
    own = points[maker]
    all_played = are_all_played(rules, contract)
    for makers in _maker_points(rules, contract) if own is None else (own,):
        known = [0 if value is None else value for value in points]
        known[maker] = makers
        left = total - sum(known)
        if left < 0 and None in points:
            continue
        unknown = [side for side, value in enumerate(points) if value is None and side != maker]
        if not unknown or not all_played or left == 0:
            yield tuple(known)
        for side in unknown if left > 0 else ():
            yield tuple(value + left * (place == side) for place, value in enumerate(known))


def _maker_points(rules: Rules, contract: Contract) -> list[int]:
    needs = [need_of(rules, contract, pair) for pair in pair_sides(rules, contract)]
    half = scoring.points_bid(rules, contract.bid or 0) // 2
    ends = {0, half, half + 1, rules.all_points, *needs, *(need - 1 for need in needs)}
    return sorted(value for value in ends if 0 <= value <= rules.all_points)


def _agrees(hand: Hand, case: Case) -> bool:
    """Could it have ended so, by the result that is claimed? Points that are not known say no."""
    claimed = (hand.claimed or _NOTHING).result
    known = hand.claimed is not UNSET and hand.claimed.points is not UNSET
    return claimed is UNSET or known or RESULTS[case.ending] == claimed


def _state(
    rules: Rules, contract: Contract, points: Sequence[int], pair: int, doubles: int, *, swept: bool
) -> State:
    """Return the end of a hand with such points."""
    maker = contract.maker or 0
    state = State(maker=maker, high_bid=contract.bid or 0, doubles=doubles, pair_side=pair)
    state.no_contract = 1 if contract.bid == 0 and not contract.alone else 0
    set_trump(state, NO_TRUMP if contract.trump is None else contract.trump)
    if contract.alone:
        state.solo, state.tenny, state.trump = maker, int(contract.alone == "tenny"), NO_TRUMPS
        state.high_bid = 0
    for side, value in enumerate(points):
        state.points[side] = value
    state.tricks_won[maker] = 1
    if not swept:
        state.tricks_won[(maker + 1) % rules.seats] = 1
    return state


def _case(rules: Rules, hand: Hand, state: State) -> Case:
    result = Result()
    fill_result(state, rules, result)
    sides = rules.side_count
    before = hand.whole_scores or []
    change = tuple(result.change[:sides])
    scores = winner = None
    if len(before) == sides:
        settle_scores(rules, before, result)
        scores = tuple(result.scores[:sides])
        winner = None if result.winner == game_end.GOES_ON else result.winner
        change = tuple(result.change[:sides])
    return Case(
        result.ending,
        result.need,
        result.stake,
        tuple(state.points[:sides]),
        change,
        scores,
        winner,
    )


def _case_of(outcome: Outcome) -> Case:
    """Return the case of a hand that the record covers to its end."""
    return Case(
        RESULTS.index(outcome.result),
        outcome.need or 0,
        outcome.stake,
        outcome.points,
        outcome.change,
        outcome.scores,
        outcome.winner_side,
    )


# --- Claims


def _result_findings(
    replayed: Replayed, contract: Contract, cases: Sequence[Case]
) -> list[Finding]:
    """Was it made, or set, as the record says, and by so many points?"""
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
        keys = "made failed"
        return [finding(replayed, "claimed-result", "result", facts, min(ends), keys, sentence)]
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
    return [finding(replayed, "claimed-result", "by", facts, "", "made failed", sentence)]


def _claim_findings(replayed: GapReplay, points: Points, cases: Sequence[Case]) -> list[Finding]:
    """Change and scores have to come out in one of the cases; one cause gives one finding."""
    claimed = replayed.hand.claimed or _NOTHING
    sides = replayed.rules.side_count
    exact = None not in points
    change = [case.change for case in cases]
    scores = [case.scores for case in cases if case.scores is not None]
    if _is_counted_out(replayed.rules, claimed.scores or (), scores):
        return []
    if claimed.change is not UNSET and len(claimed.change) == sides:
        if not _possible(claimed.change, change, exact=exact):
            keys = "made failed"
            return [_claim_finding(replayed, "change", claimed.change, change, keys)]
        return []
    if claimed.scores is UNSET or not scores or len(claimed.scores) != sides:
        return []
    if not _possible(claimed.scores, scores, exact=exact):
        return [_claim_finding(replayed, "scores", claimed.scores, scores, "made failed")]
    return []


def _fits(hand: Hand, case: Case) -> bool:
    """Does a case come out at all that the record claims?"""
    claimed = hand.claimed or _NOTHING
    if claimed.result is not UNSET and RESULTS[case.ending] != claimed.result:
        return False
    for said, found in ((claimed.change, case.change), (claimed.scores, case.scores)):
        if said is UNSET or found is None or len(said) != len(found):
            continue
        if any(each not in (None, value) for each, value in zip(said, found, strict=True)):
            return False
    return True


def _is_counted_out(
    rules: Rules, claimed: Sequence[int | None], scores: Sequence[tuple[int, ...]]
) -> bool:
    """May counting have stopped at the target, which hangs on the cards?"""
    values = [*claimed, *(value for each in scores for value in each)]
    return game_end.counts_out(rules) and any(
        value is not None and value >= rules.target for value in values
    )


def _possible(
    claimed: Sequence[int | None], cases: Sequence[tuple[int, ...]], *, exact: bool
) -> bool:
    """Does a claim come out in a case, or for points not known lie between two of them?"""
    if exact:
        return any(
            all(said in (None, value) for said, value in zip(claimed, case, strict=True))
            for case in cases
        )
    for side, said in enumerate(claimed):
        values = [case[side] for case in cases]
        if said is not None and not min(values) <= said <= max(values):
            return False
    return True


def _sum_findings(replayed: GapReplay) -> list[Finding]:
    """Scores before, change and scores after have to add up, whatever was played."""
    hand, rules = replayed.hand, replayed.rules
    claimed = hand.claimed or _NOTHING
    lists = (hand.scores, claimed.change, claimed.scores)
    if any(each is UNSET or len(each) != rules.side_count for each in lists):
        return []
    assert hand.scores is not UNSET
    assert claimed.change is not UNSET
    assert claimed.scores is not UNSET
    right = list(claimed.scores)
    for side, (old, more, new) in enumerate(
        zip(hand.scores, claimed.change, claimed.scores, strict=True)
    ):
        if old is None or more is None or new is None:
            continue
        if new not in (old + more, game_end.clamped(rules, old + more)):
            right[side] = old + more
    if right == list(claimed.scores):
        return []
    facts: dict[str, Fact] = {"claimed": _listed(claimed.scores), "recomputed": _listed(right)}
    sentence = message(
        "The record claims {claimed} as the score after the hand; by the score before it and the "
        "change it is {right}.",
        claimed=_pair(claimed.scores),
        right=_pair(right),
    )
    return [finding(replayed, "claimed-score", "scores", facts, _pair(right), "0.record", sentence)]


def _claim_finding(
    replayed: Replayed,
    key: str,
    claimed: Sequence[int | None],
    cases: Sequence[tuple[int, ...]],
    cite: str,
) -> Finding:
    code = {"points": "claimed-points", "change": "claimed-change", "scores": "claimed-score"}[key]
    choices = list(dict.fromkeys(cases))
    right: Message | Listing = either([_pair(case) for case in choices[:3]], commas=False)
    if len(choices) > 3:
        right = message("{results}, or others", results=right)
    sentence = claim_said(key, _pair(claimed), right)
    facts: dict[str, Fact] = {"claimed": _listed(claimed), "recomputed": list(choices[0])}
    return finding(replayed, code, key, facts, _pair(choices[0]), cite, sentence)


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
    sure = [case.scores for case in cases if case.scores is not None]
    if _is_counted_out(replayed.rules, (), sure):
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
    calls = [each.verb for each in replayed.actions if each.verb in CALLS]
    covered = replayed.auction is None and len(calls) >= rules.seats
    return bool(replayed.workspace.state.forced) if covered else None


def _winner(
    replayed: GapReplay, contract: Contract, scores: Sequence[int] | None, ending: int | None
) -> int | None:
    """Return the side that has won the game, as far as the scores around the hand tell."""
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


def _pair(values: Sequence[int | None]) -> str:
    return " : ".join("?" if value is None else str(value) for value in values)


def _listed(values: Sequence[int | None]) -> str:
    return " ".join("?" if value is None else str(value) for value in values)
