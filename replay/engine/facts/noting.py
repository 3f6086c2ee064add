"""Going through a replayed hand, and noting what figures count of it.

It comes after ``hand_replay``, which fills state, history and result, and changes none of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from tricklog.core.engine.facts import auction, holding, tricks
from tricklog.core.engine.facts.seat_facts import NOT_KNOWN, SeatFacts
from tricklog.core.engine.hand_replay import Workspace
from tricklog.core.engine.records import NO_TRUMPS, Rules
from tricklog.core.engine.rules.naming import suit_of
from tricklog.core.engine.rules.result import NOBODY, Result
from tricklog.core.engine.rules.table import side_of
from tricklog.schemas.actions import Verb

RAISES = 1 << Verb.DOUBLE | 1 << Verb.REDOUBLE | 1 << Verb.SUPER


def note_facts(
    workspace: Workspace,
    rules: Rules,
    facts: SeatFacts,
    count: int,
    has_outcome: bool,  # noqa: FBT001 - compiled code has no keywords
) -> None:
    """Note the facts of a hand in ``facts``, which is new.

    ``count``: how many actions were carried out. Without an outcome the play is left out.
    """
    maker = workspace.result.maker if has_outcome else NOBODY
    suit = trump_suit(workspace.result) if has_outcome else NO_TRUMPS
    note_holdings(workspace, rules, facts, maker, suit)
    note_calls(workspace, rules, facts)
    note_declared(workspace, facts, count)
    note_standing(workspace, rules, facts, has_outcome)
    if has_outcome:
        note_tricks(workspace, rules, facts, suit)
        note_captures(workspace, facts)


def trump_suit(result: Result) -> int:
    """Return the trump suit of a hand, reversed or not; ``NO_TRUMPS`` where none was named."""
    if result.maker == NOBODY:
        return NO_TRUMPS
    suit = suit_of(result.trump)
    return suit if 0 <= suit < NO_TRUMPS else NO_TRUMPS


def note_holdings(
    workspace: Workspace, rules: Rules, facts: SeatFacts, maker: int, suit: int
) -> None:
    """Note the trumps held in the auction: of the suit the maker named, of others' best suits."""
    for seat in range(rules.seats):
        cards = holding.first_packet(workspace, rules, seat)
        if cards == NOT_KNOWN:
            facts.trumps_held[seat] = NOT_KNOWN
            facts.points_held[seat] = NOT_KNOWN
            facts.trump_ranks[seat] = NOT_KNOWN
            continue
        named = seat == maker and suit != NO_TRUMPS
        best = suit if named else holding.best_suit(rules, cards)
        facts.trumps_held[seat] = holding.trumps_among(rules, best, cards)
        facts.points_held[seat] = holding.trump_points_among(rules, best, cards)
        facts.trump_ranks[seat] = holding.trump_ranks_among(rules, best, cards)


def note_calls(workspace: Workspace, rules: Rules, facts: SeatFacts) -> None:
    """Note the calls of each seat, but for a bid that all others' passes forced."""
    for call in range(workspace.history.calls):
        seat = auction.caller(workspace, call)
        facts.turns[seat] += 1
        if auction.is_bid(workspace, call):
            facts.bids[seat] += 1
    forced = auction.forced_bidder(workspace, rules)
    if forced != auction.NOBODY:
        facts.turns[forced] -= 1
        facts.bids[forced] -= 1


def note_declared(workspace: Workspace, facts: SeatFacts, count: int) -> None:
    """Note who asked for trumps, showed them, declared king and queen, or raised the stake."""
    for index in range(count):
        action = workspace.actions[index]
        if action.verb == Verb.ASK:
            facts.asks[action.seat] += 1
        elif action.verb == Verb.REVEAL:
            facts.reveals[action.seat] += 1
        elif action.verb == Verb.PAIR:
            facts.pairs[action.seat] += 1
        elif RAISES >> action.verb & 1:
            facts.doubles[action.seat] += 1


def note_standing(
    workspace: Workspace,
    rules: Rules,
    facts: SeatFacts,
    has_outcome: bool,  # noqa: FBT001 - compiled code has no keywords
) -> None:
    """Note how far each side was ahead before the hand, and is after it."""
    is_recorded = workspace.line.score_count == rules.side_count
    for seat in range(rules.seats):
        side = side_of(rules, seat)
        facts.lead_before[seat] = NOT_KNOWN
        facts.lead_after[seat] = NOT_KNOWN
        if is_recorded:
            facts.lead_before[seat] = lead_of(rules, workspace.line.scores, side)
        if is_recorded and has_outcome:
            facts.lead_after[seat] = lead_of(rules, workspace.result.scores, side)


def lead_of(rules: Rules, scores: Sequence[int], side: int) -> int:
    """Return the running score of a side less the best of the others (0.record)."""
    best = scores[1] if side == 0 else scores[0]
    for other in range(rules.side_count):
        if other != side and scores[other] > best:
            best = scores[other]
    return scores[side] - best


def note_tricks(workspace: Workspace, rules: Rules, facts: SeatFacts, suit: int) -> None:
    """Note what each seat led, won, drew and cinched."""
    history = workspace.history
    pedros = tricks.fives(rules, suit)
    higher = tricks.trumps_above(rules, suit, pedros) if pedros else 0
    for trick in range(history.tricks):
        leader = tricks.leader_of(history, trick)
        card = tricks.card_led(history, trick)
        facts.leads[leader] += 1
        facts.trump_leads[leader] += 1 if tricks.is_trump(rules, suit, card) else 0
        facts.point_leads[leader] += 1 if tricks.has_points(rules, suit, card) else 0
        if tricks.is_won_by_leading_side(rules, history, trick):
            facts.leads_won[leader] += 1
        facts.trumps_drawn[leader] += tricks.trumps_drawn(rules, history, suit, trick)
        winner = history.trick_winner[trick]
        if winner >= 0:
            facts.tricks_won[winner] += 1
            facts.point_tricks_won[winner] += 1 if history.trick_points[trick] > 0 else 0
        if tricks.can_cinch(rules, history, trick, pedros, higher):
            third = history.play_seat[history.first_play[trick] + tricks.THIRD]
            facts.cinch_chances[third] += 1
            facts.cinches[third] += 1 if tricks.is_cinched(history, trick, higher) else 0


def note_captures(workspace: Workspace, facts: SeatFacts) -> None:
    """Note the card points each seat took, in tricks or as the holder of a two."""
    history = workspace.history
    for capture in range(history.captures):
        facts.own_points[history.capture_by[capture]] += history.capture_points[capture]
