"""Claimed results against recomputed ones: each difference is a finding, never a correction.

One cause gives one finding. A trick the record gives to the wrong seat explains the wrong lead
after it and the wrong count that follows from it; a wrong count explains the change made of it,
a wrong change the score. Source: 0.record.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from tricklog.core.engine.policies import GamePoint, LowTo
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import counting, game_end, scoring
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.findings import cite, player_said
from tricklog.core.judging.standing import scores_after
from tricklog.core.model import Fact, Finding, Outcome, Trick
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.schemas.cards import cards_in, pretty_card
from tricklog.schemas.first_version import Claimed
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.messages import mark, message, message_counted, message_of
from tricklog.schemas.render import versus
from tricklog.schemas.words import tricks_counted


def claimed_leader(hand: Hand, tricks: Sequence[Trick]) -> int | None:
    """Return the seat the record gave the last complete trick to, if it was the wrong one."""
    if not tricks or hand.claimed is UNSET or hand.claimed.winners is UNSET:
        return None
    if tricks[-1].winner is None:
        return None
    number = tricks[-1].number
    if number > len(hand.claimed.winners):
        return None
    winner = hand.claimed.winners[number - 1]
    return winner if winner is not None and winner != tricks[-1].winner else None


def trick_takers(
    hand: Hand, tricks: Sequence[Trick], wrong_leads: set[int | None]
) -> list[int | None]:
    """Return the seat each trick was given to at the table, as far as the record tells.

    It says so itself, or it shows: somebody took a trick and then led when the lead was another's.
    ``wrong_leads`` are the actions that were such leads.
    """
    claimed = UNSET if hand.claimed is UNSET else hand.claimed.winners
    if claimed is not UNSET:
        said = dict(enumerate(claimed, 1))
        taken = [said.get(trick.number) for trick in tricks]
        return [
            trick.winner if taker is None else taker
            for trick, taker in zip(tricks, taken, strict=True)
        ]
    takers: list[int | None] = [trick.winner for trick in tricks]
    for place, trick in enumerate(tricks[1:]):
        if trick.first_action in wrong_leads:
            takers[place] = trick.leader
    return takers


def winner_findings(
    hand: Hand, ruleset: Ruleset, tricks: Sequence[Trick], *, complete: bool
) -> list[Finding]:
    """Return a finding for each trick that the record gives to another seat than the rules do.

    ``complete``: whether all tricks of the hand are there.
    """
    if hand.claimed is UNSET or hand.claimed.winners is UNSET:
        return []
    findings = []
    said = dict(enumerate(hand.claimed.winners, 1))
    for trick in tricks:
        claimed = said.get(trick.number)
        if trick.winner is None or claimed is None or claimed == trick.winner:
            continue
        cards = ", ".join(pretty_card(card) for _, card in trick.plays)
        findings.append(
            Finding(
                "claimed-winner",
                trick.last_action,
                f"/claimed/winners/{trick.number - 1}",
                claimed,
                {"trick": trick.number, "claimed": claimed, "winner": trick.winner},
                str(trick.winner),
                ruleset.cite("trumpless_trick"),
                message(
                    "Trick {number} ({cards}) was given to {claimed}, but {winner} wins it.",
                    number=trick.number,
                    cards=cards,
                    claimed=player_said(hand, claimed),
                    winner=player_said(hand, trick.winner),
                ),
            )
        )
    if complete and len(hand.claimed.winners) > len(tricks):
        findings.append(
            Finding(
                "claimed-winner",
                None,
                f"/claimed/winners/{len(tricks)}",
                None,
                {"claimed": len(hand.claimed.winners), "tricks": len(tricks)},
                "",
                "0.record",
                message_counted(
                    "The record names winners of {claimed}, but {count} was played.",
                    "The record names winners of {claimed}, but {count} were played.",
                    len(tricks),
                    claimed=tricks_counted(len(hand.claimed.winners)),
                ),
            )
        )
    return findings


def as_taken(rules: Rules, state: State, taken: Sequence[tuple[Trick, int | None]]) -> State:
    """Return the end of the hand if each trick had gone to the seat beside it."""
    supposed = copy_state(state)
    for trick, taker in taken:
        if taker is None or trick.winner is None:
            continue
        if taker >= rules.seats or taker == trick.winner:
            continue
        supposed.tricks_won[trick.winner] -= 1
        supposed.tricks_won[taker] += 1
        cards = [*(card for _, card in trick.plays if card >= 0), *cards_in(trick.buried)]
        count = sum(map(counting.game_count, cards))
        loses, gains = side_of(rules, trick.winner), side_of(rules, taker)
        supposed.points[loses] -= trick.points
        supposed.points[gains] += trick.points
        supposed.counted[loses] -= count
        supposed.counted[gains] += count
    if rules.game_point == GamePoint.COUNT:
        for each, worth in ((state, -1), (supposed, 1)):
            side = counting.ahead_in_count(rules, each.counted)
            if side != counting.NO_SIDE:
                supposed.points[side] += worth
    return supposed


def _change(rules: Rules, state: State) -> list[int]:
    score = scoring.score_hand(state, rules)
    return [scoring.change_of(state, rules, score, side) for side in range(rules.side_count)]


def score_findings(
    hand: Hand,
    ruleset: Ruleset,
    state: State,
    outcome: Outcome,
    taken: Sequence[tuple[Trick, int | None]],
) -> list[Finding]:
    """Return findings for claimed points, change and scores that nothing found so far explains.

    ``taken`` are the tricks, each with the seat it was given to at the table.
    """
    claimed = hand.whole_claims
    if claimed is UNSET or _is_right(claimed, outcome):
        return []
    rules = ruleset.rules(len(hand.players))
    findings = []
    counted, change = list(outcome.points), list(outcome.change)
    nominal = _change(rules, state)
    believed = as_taken(rules, state, taken)
    if claimed.points is not UNSET:
        as_believed = [scoring.points_of(believed, side) for side in range(rules.side_count)]
        if claimed.points not in (counted, as_believed):
            rule = ruleset.cite("low_to" if rules.low_to != LowTo.WINNER else "points")
            findings.append(_finding("points", claimed.points, counted, rule))
        if len(claimed.points) == rules.side_count:
            for side, points in enumerate(claimed.points):
                believed.points[side] = points - believed.discard_points[side]
    believed_change = _change(rules, believed)
    if claimed.change is not UNSET:
        if claimed.change not in _changes(rules, hand, (nominal, believed_change), outcome):
            rule = cite(ruleset, ("made", "failed"))
            findings.append(_finding("change", claimed.change, change, rule))
        believed_change = claimed.change if len(claimed.change) == rules.side_count else nominal
    before = hand.whole_scores
    if claimed.scores is not UNSET and before is not UNSET:
        after = _scores(rules, before, (nominal, believed_change), outcome)
        if claimed.scores not in after:
            findings.append(_finding("scores", claimed.scores, after[0], "0.record"))
    return findings


def _is_right(claimed: Claimed, outcome: Outcome) -> bool:
    return (
        (claimed.points is UNSET or tuple(claimed.points) == outcome.points)
        and (claimed.change is UNSET or tuple(claimed.change) == outcome.change)
        and (claimed.scores is UNSET or tuple(claimed.scores) == outcome.scores)
    )


def _changes(
    rules: Rules, hand: Hand, changes: Sequence[list[int]], outcome: Outcome
) -> list[list[int]]:
    """Return the changes a record may claim: what is really added where the scores are known."""
    before = hand.whole_scores
    if before is UNSET or len(before) != rules.side_count:
        return list(changes)
    scores = _scores(rules, before, changes, outcome)
    return [[new - old for old, new in zip(before, after, strict=True)] for after in scores]


def _scores(
    rules: Rules, before: Sequence[int], changes: Sequence[Sequence[int]], outcome: Outcome
) -> list[list[int]]:
    """Return the running scores a record may claim, the right ones first.

    Where points are counted out in order, tables also write down what follows the last one that
    counts.
    """
    if len(before) != rules.side_count:
        return [[old + new for old, new in zip(before, change, strict=False)] for change in changes]
    counted = [scores_after(rules, before, change, outcome) for change in changes]
    in_full = [[old + new for old, new in zip(before, change, strict=True)] for change in changes]
    return counted + in_full if game_end.counts_out(rules) else counted


_CLAIMS: Final = {
    "points": (
        "claimed-points",
        mark("The record claims {claimed} as the points taken; by the rules it is {right}."),
    ),
    "change": (
        "claimed-change",
        mark("The record claims {claimed} as the change of the score; by the rules it is {right}."),
    ),
    "scores": (
        "claimed-score",
        mark("The record claims {claimed} as the score; by the rules it is {right}."),
    ),
}


def claim_finding(
    key: str,
    claimed: Sequence[int | None],
    right: object,
    facts: dict[str, Fact],
    legal: str,
    rule: str,
) -> Finding:
    """Return the finding about points, a change or scores that are not what the rules give."""
    code, sentence = _CLAIMS[key]
    said = message_of(sentence, {"claimed": versus(claimed), "right": right})
    return Finding(code, None, f"/claimed/{key}", None, facts, legal, rule, said)


def _finding(key: str, claimed: list[int], right: list[int], rule: str) -> Finding:
    facts: dict[str, Fact] = {"claimed": list(claimed), "recomputed": list(right)}
    return claim_finding(key, claimed, versus(right), facts, " ".join(map(str, right)), rule)
