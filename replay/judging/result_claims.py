"""Claimed results against recomputed ones: each difference is a finding, never a correction.

One cause gives one finding. A trick the record gives to the wrong seat explains the wrong lead
after it and the wrong count that follows from it; a wrong count explains the change made of it,
a wrong change the score. Source: 0.record.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET

from tricklog.core.engine.policies import GamePoint, LowTo
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import game_end, scoring
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.findings import cite, player_said
from tricklog.core.judging.standing import scores_after
from tricklog.core.model import Fact, Finding, Outcome, Trick
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.schemas.cards import cards_in, pretty_card
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.messages import mark, message, message_counted, message_of
from tricklog.schemas.render import versus
from tricklog.schemas.words import tricks_counted


def _takers_said(hand: Hand) -> dict[int, int | None] | None:
    """Return by the number of a trick the seat that the record gives it to, if it has any."""
    if hand.claimed is UNSET or hand.claimed.winners is UNSET:
        return None
    return dict(enumerate(hand.claimed.winners, 1))


def claimed_leader(hand: Hand, last: Trick) -> int | None:
    """Return the seat the record gave the last complete trick to, if it was the wrong one."""
    said = (_takers_said(hand) or {}).get(last.number)
    return None if last.winner in (None, said) else said


def trick_takers(
    hand: Hand, tricks: Sequence[Trick], wrong_leads: set[int | None]
) -> list[int | None]:
    """Return the seat each trick was given to at the table, as far as the record tells.

    It says so itself, or it shows: somebody took a trick and then led when the lead was another's.
    ``wrong_leads`` are the actions that were such leads.
    """
    said = _takers_said(hand)
    takers: list[int | None] = [trick.winner for trick in tricks]
    for place, trick in enumerate(tricks):
        taker = (said or {}).get(trick.number)
        if taker is not None:
            takers[place] = taker
        elif said is None and place and trick.first_action in wrong_leads:
            takers[place - 1] = trick.leader
    return takers


def winner_findings(
    hand: Hand, ruleset: Ruleset, tricks: Sequence[Trick], *, complete: bool
) -> Iterator[Finding]:
    """Yield a finding for each trick given to a wrong seat; ``complete``: all tricks are there."""
    said = _takers_said(hand) or {}
    for trick in tricks:
        claimed = said.get(trick.number)
        if trick.winner is None or claimed is None or claimed == trick.winner:
            continue
        sentence = message(
            "Trick {number} ({cards}) was given to {claimed}, but {winner} wins it.",
            number=trick.number,
            cards=", ".join(pretty_card(card) for _, card in trick.plays),
            claimed=player_said(hand, claimed),
            winner=player_said(hand, trick.winner),
        )
        facts: dict[str, Fact]
        facts = {"trick": trick.number, "claimed": claimed, "winner": trick.winner}
        code, pointer = "claimed-winner", f"/claimed/winners/{trick.number - 1}"
        rule, last, legal = ruleset.cite("trumpless_trick"), trick.last_action, str(trick.winner)
        yield Finding(code, pointer, facts, rule, sentence, action=last, seat=claimed, legal=legal)
    if complete and len(said) > len(tricks):
        facts = {"claimed": len(said), "tricks": len(tricks)}
        sentence = message_counted(
            "The record names winners of {claimed}, but {count} was played.",
            "The record names winners of {claimed}, but {count} were played.",
            len(tricks),
            claimed=tricks_counted(len(said)),
        )
        pointer = f"/claimed/winners/{len(tricks)}"
        yield Finding("claimed-winner", pointer, facts, "0.record", sentence)


Taken = Sequence[tuple[Trick, int | None]]
"""Tricks, each with the seat it was given to at the table."""


def as_taken(rules: Rules, state: State, taken: Taken) -> State:
    """Return the end of the hand if each trick had gone to the seat beside it."""
    supposed = copy_state(state)
    for trick, taker in taken:
        if taker is None or trick.winner is None or taker == trick.winner or taker >= rules.seats:
            continue
        supposed.tricks_won[trick.winner] -= 1
        supposed.tricks_won[taker] += 1
        cards = [*(card for _, card in trick.plays if card >= 0), *cards_in(trick.buried)]
        count = sum(map(scoring.game_count, cards))
        loses, gains = side_of(rules, trick.winner), side_of(rules, taker)
        supposed.points[loses] -= trick.points
        supposed.points[gains] += trick.points
        supposed.counted[loses] -= count
        supposed.counted[gains] += count
    if rules.game_point == GamePoint.COUNT:
        for each, worth in ((state, -1), (supposed, 1)):
            side = scoring.ahead_in_count(rules, each.counted)
            if side != scoring.NO_SIDE:
                supposed.points[side] += worth
    return supposed


def _change(rules: Rules, state: State) -> list[int]:
    score = scoring.score_hand(state, rules)
    return [scoring.change_of(state, rules, score, side) for side in range(rules.side_count)]


def score_findings(
    hand: Hand, ruleset: Ruleset, state: State, outcome: Outcome, taken: Taken
) -> Iterator[Finding]:
    """Yield findings for claimed points, change and scores that nothing found so far explains."""
    claimed = hand.whole_claims
    if claimed is UNSET:
        return
    pairs = (
        (claimed.points, outcome.points),
        (claimed.change, outcome.change),
        (claimed.scores, outcome.scores),
    )
    if all(said is UNSET or tuple(said) == right for said, right in pairs):
        return
    rules = ruleset.rules(len(hand.players))
    counted, change = list(outcome.points), list(outcome.change)
    nominal = _change(rules, state)
    believed = as_taken(rules, state, taken)
    if claimed.points is not UNSET:
        as_believed = [scoring.points_of(believed, side) for side in range(rules.side_count)]
        if claimed.points not in (counted, as_believed):
            rule = ruleset.cite("low_to" if rules.low_to != LowTo.WINNER else "points")
            yield _finding("points", claimed.points, counted, rule)
        if len(claimed.points) == rules.side_count:
            for side, points in enumerate(claimed.points):
                believed.points[side] = points - believed.discard_points[side]
    believed_change = _change(rules, believed)
    before = hand.whole_scores
    if claimed.change is not UNSET:
        right = [nominal, believed_change]
        if before is not UNSET and len(before) == rules.side_count:
            # What is really added, where the scores are known.
            after = _scores(rules, before, right, outcome)
            right = [[new - old for old, new in zip(before, each, strict=True)] for each in after]
        if claimed.change not in right:
            rule = cite(ruleset, ("made", "failed"))
            yield _finding("change", claimed.change, change, rule)
        believed_change = claimed.change if len(claimed.change) == rules.side_count else nominal
    if claimed.scores is not UNSET and before is not UNSET:
        after = _scores(rules, before, (nominal, believed_change), outcome)
        if claimed.scores not in after:
            yield _finding("scores", claimed.scores, after[0], "0.record")


def _scores(
    rules: Rules, before: Sequence[int], changes: Sequence[Sequence[int]], outcome: Outcome
) -> list[list[int]]:
    """Return the running scores a record may claim, the right ones first.

    Where points are counted out in order, tables also write down what follows the last to count.
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
    return Finding(code, f"/claimed/{key}", facts, rule, said, legal=legal)


def _finding(key: str, claimed: list[int], right: list[int], rule: str) -> Finding:
    facts: dict[str, Fact] = {"claimed": list(claimed), "recomputed": list(right)}
    return claim_finding(key, claimed, versus(right), facts, " ".join(map(str, right)), rule)
