"""The result of a record with gaps: what follows from what it says, and what cannot be.

Points that are not recorded may be any that a hand has, a contract or a stake that is not recorded
any that the rules have. What comes out the same in every case is known; claims that no case brings
together are a finding, and so is what no hand can meet. Sources: 1.points, 1.exchange, and the same
sections of each system; the score and game sections of each; 0.record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec import UNSET, UnsetType

from tricklog.core.engine import policies
from tricklog.core.engine.policies import Rob
from tricklog.core.engine.records import NO_TRUMPS, Rules, State
from tricklog.core.engine.rules import auction, game_end, scoring
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.findings import cite, player_name
from tricklog.core.judging.gaps import ways
from tricklog.core.judging.gaps.contracts import Contract, finding
from tricklog.core.judging.gaps.readings import CALLS, IN_PLAY, NOBODY
from tricklog.core.judging.gaps.ways import Case, Claims, Game
from tricklog.core.judging.result_claims import claim_finding
from tricklog.core.judging.standing import RESULTS, RESULTS_SAID
from tricklog.core.model import Fact, Finding, KnownOutcome, Outcome
from tricklog.schemas.actions import Verb
from tricklog.schemas.hand import Claimed
from tricklog.schemas.languages.messages import (
    Listing,
    Message,
    either,
    mark,
    mark_counted,
    message,
    message_counted,
    message_of,
)
from tricklog.schemas.render import versus

if TYPE_CHECKING:
    from tricklog.core.judging.replayer import GapReplay, Replay

_Value = TypeVar("_Value")
_NOTHING: Final = Claimed()


def judge(replayed: GapReplay, contract: Contract) -> tuple[KnownOutcome, list[Finding]]:
    """Return what is known of the outcome, and findings for claims that cannot be right."""
    whole = replayed.outcome
    if whole is not None:
        known = KnownOutcome(**{name: getattr(whole, name) for name in KnownOutcome.__slots__})
        wrong = _result_findings(replayed, contract, [_case_of(whole)])
        return known, [*wrong, *winner_findings(replayed)]
    if replayed.hand.status == "thrown_in":
        return _thrown_in(replayed), list(count_findings(replayed))
    points = points_of(replayed, contract)
    # What each side has at least, by the tricks recorded; a fault in these bounds nothing.
    least = [0] * replayed.rules.side_count
    for capture in () if replayed.findings else replayed.captures:
        least[capture.side] += capture.points
    findings = [
        *_points_findings(replayed, contract, points, least),
        *count_findings(replayed),
        *_margin_findings(replayed, contract),
        *winner_findings(replayed),
    ]
    said = _said(replayed, points, least)
    every: list[Case] = []
    cases: list[Case] = []
    rules, due = replayed.rules, are_all_due(replayed, contract)
    hidden = all(each.verb != Verb.REVEAL for each in replayed.actions)
    game = Game(
        replayed.ruleset.hash,
        rules.seats,
        rules,
        is_void_possible=hidden,
        are_all_due=due,
        may_be_thrown_in=may_be_thrown_in(replayed, contract),
    )
    if not findings and not ways.are_open(game, contract, points):
        if contract.is_known:
            # A mistake that nobody noted may have cost points: who took how many is not known then.
            sure = replace(game, are_all_due=are_all_played(rules, contract))
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
    ending, need = RESULTS.index(outcome.result), outcome.need or 0
    added = outcome.change, outcome.scores, outcome.winner_side
    return Case(ending, need, outcome.stake, outcome.points, *added)


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
            claimed=RESULTS_SAID[claimed.result],
            taken=either(taken, commas=False),
            needs=either(needs, commas=False),
            found=RESULTS_SAID[min(ends)],
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
        result=RESULTS_SAID[claimed.result],
        by=claimed.by,
        taken=either(taken, commas=False),
        needs=either(needs, commas=False),
        margins=either(sorted(margins), commas=False),
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
    rows = zip(said.before, said.change, said.scores, strict=True)
    for side, (old, more, new) in enumerate(rows):
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
    replayed: Replay, key: str, claimed: ways.Some, cases: Sequence[tuple[int, ...]], keys: str
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


def _thrown_in(replayed: GapReplay) -> KnownOutcome:
    """Return what is known of a deal that was thrown in: it brings nobody anything."""
    sides, claimed = replayed.rules.side_count, replayed.hand.whole_claims or None
    change, scores = (claimed.change, claimed.scores) if claimed else (UNSET, UNSET)
    return KnownOutcome(
        result="thrown_in",
        no_contract=False,
        change=_one_a_side(change, sides) or (0,) * sides,
        scores=_one_a_side(scores, sides) or _one_a_side(replayed.hand.whole_scores, sides),
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


def _listed(values: Sequence[int | None]) -> str:
    return " ".join("?" if value is None else str(value) for value in values)


Points = list[int | None]
"""Points by side; ``None`` where they are not known."""
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
    elif rules.pair != policies.Pair.NONE:
        sides = range(-1, rules.side_count)
    maker, bid = contract.maker or 0, contract.bid or 0
    states = [State(maker=maker, high_bid=bid, pair_side=side) for side in sides]
    return [scoring.points_needed(state, rules) for state in states]


# --- Claims that no hand can meet


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
    short = short and not (total == 0 and may_be_thrown_in(replayed, contract))
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
    told = points is not UNSET and (len(points) <= side or points[side] is not None)
    if told or any(claimed.by in each for each in margins):
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
    if _may_be_alone(rules, contract) or rules.discard != policies.Discard.NOTHING:
        return False
    return have_all_points(rules)


def may_be_thrown_in(replayed: GapReplay, contract: Contract) -> bool:
    """May the deal have been thrown in: passed out, or for its cards (O61, O62, O81)?"""
    rules = replayed.rules
    by_cards = policies.ThrowIn.THROWN_IN in (
        rules.weak_defence,
        rules.bare_seventh,
        rules.four_jacks,
    )
    played = any(each.verb in IN_PLAY for each in replayed.actions)
    return contract.is_open or (by_cards and not played)


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
    return rules.solo != policies.Solo.NONE or rules.tenny == 1


def have_all_points(rules: Rules, trump: int | None = None) -> bool:
    """Is every point scored, whichever cards were dealt? ``trump``: its code, where it is known."""
    if rules.early_end != policies.EarlyEnd.NEVER or rules.game_point == policies.GamePoint.COUNT:
        return False
    if trump == NO_TRUMPS and sum(rules.points[trump]) != sum(rules.points[0]):
        return False
    # Every card of the pack comes into somebody's hand without a stock.
    left = rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
    all_dealt = left == 0 or (left == 1 and rules.odd_card == policies.OddCard.DEALER)
    if rules.discard == policies.Discard.NOTHING:
        return all_dealt and rules.hand_size == rules.dealt and rules.kitty_size == 0
    finds = rules.rob in _FINDS_ALL_TRUMPS
    finds |= rules.rob == Rob.TO_SIZE and rules.rob_keeps_points == 1
    # A dealer who has folded plays none of what they take.
    finds = finds and rules.fold == policies.Fold.NEVER
    return (all_dealt or finds) and _are_kept(rules)


def _are_kept(rules: Rules) -> bool:
    """Must every card with points be kept before play, or counted where it is laid off?

    It need not where anything may go, where a card may be taken from discards for another, or where
    a hand may hold more cards with points than it may keep.
    """
    if rules.discard == policies.Discard.ANY or rules.discards_claimed:
        return False
    if rules.point_cards[0] & ~rules.trump_cards[0]:
        return False
    fits = rules.point_cards[0].bit_count() <= rules.hand_size
    return fits or rules.surplus != policies.Surplus.DISCARD


def _has_lost_points(replayed: GapReplay) -> bool:
    rules, state = replayed.rules, replayed.workspace.state
    if rules.discarded_points != policies.DiscardedPoints.NOBODY:
        return False
    trumps = range(4) if state.trump < 0 else (state.trump,)
    points = 0
    for trump in trumps:
        points |= rules.point_cards[trump] if 0 <= trump < len(rules.point_cards) else 0
    return any(state.discarded[seat] & points for seat in range(rules.seats))
