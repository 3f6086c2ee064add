"""The replay of one hand: lay out the cards, carry out the actions, close, check the claims.

There is one loop for both speeds. ``tricklog.core.judging`` runs it on one record and then explains
the faults that were found; the compiled driver runs it on scanned lines and keeps those that
``prove_valid`` accepts. Everything here runs in plain Python and compiled. Source: 0.record.
"""

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from tricklog.core.engine import engine
from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State, union
from tricklog.core.engine.rules import history, opening
from tricklog.core.engine.rules.game_end import Result, fill_result, settle_scores
from tricklog.core.engine.rules.history import History
from tricklog.schemas.scan.actions import AnyAction
from tricklog.schemas.scan.line import ScannedLine

ANY_FAULT = -1
"""Every fault: a hand with one is not valid, and nothing more needs to be known of it."""
_LEFT_OUT = int(Fault.PLAYED_WHEN_OUT)
"""The fault of a play that goes to no trick."""

BROKEN_OFF, OPEN, CLOSED, CONFIRMED = range(4)
"""How far ``carry_on`` gets: to a fault that ends it, to the last action, to the end of the hand,
and all that is claimed of it is right."""


class Workspace(NamedTuple):
    """What one hand is read into and replayed on."""

    line: ScannedLine
    """What is listed besides cards and actions, and what is claimed."""
    cards: Sequence[int]
    """All cards listed: the hands as dealt, then kitty, then stock."""
    bounds: Sequence[int]
    """Where in ``cards`` the part of each seat, of the kitty and of the stock begins, and the end.
    A part that is not listed is empty."""
    wanted: MutableSequence[int]
    """By part, as ``lay_out`` finds it: how many cards the record should list there; where it may
    list what it does, or nothing, as many as it lists."""
    actions: Sequence[AnyAction]
    faults: MutableSequence[int]
    """By action, as far as they were carried out: its faults, as ``engine.apply`` returns them."""
    state: State
    history: History
    result: Result


def prove_valid(workspace: Workspace, rules: Rules, count: int, ending: int) -> bool:
    """Replay the first ``count`` actions of a scanned hand; return whether the hand is valid.

    It is when it is legal to the end, when every claim is right and nothing unknown could
    matter. ``workspace.state`` is new but for its dealer, ``workspace.history`` new; both are
    filled, and for a valid hand ``workspace.result`` is. ``ending``: the faults at which to stop.
    """
    right = lay_out(workspace, rules, count)
    if not right and ending == ANY_FAULT:
        return False
    sound = carry_out(workspace, rules, count, ending)
    if not sound or not right or not close(workspace, rules) or workspace.state.doubt:
        return False
    return claims_hold(rules, workspace)


def carry_on(workspace: Workspace, rules: Rules, count: int, ending: int) -> int:
    """Carry out a hand that is laid out, its faults 0, and close it; return how far that goes."""
    sound = carry_out(workspace, rules, count, ending)
    if not sound and any(workspace.faults[index] & ending for index in range(count)):
        return BROKEN_OFF
    if not close(workspace, rules):
        return OPEN
    return CONFIRMED if claims_hold(rules, workspace) else CLOSED


def carry_out(workspace: Workspace, rules: Rules, count: int, ending: int) -> bool:
    """Carry out actions up to a fault of ``ending``, and note all faults; return if all is well."""
    state, actions, faults = workspace.state, workspace.actions, workspace.faults
    written = workspace.history
    sound = True
    engine.start(state, rules)
    for index in range(count):
        action = actions[index]
        before = history.AUCTION if state.phase == Phase.AUCTION else state.trick
        if before == history.AUCTION:
            options = engine.legal_to_call(state, rules, action.seat)
            history.note_options(state, written, options)
        found = engine.apply(state, rules, action)
        faults[index] = found
        if found:
            sound = False
            if found & ending:
                break
            if found & _LEFT_OUT:
                continue
        history.record_action(state, rules, written, index, action, before)
    return sound


def close(workspace: Workspace, rules: Rules) -> bool:
    """Close a record; return whether the hand ended. Then history and result are filled."""
    state, line = workspace.state, workspace.line
    alone = state.turn
    left = state.holding[alone] if alone >= 0 else 0
    if not engine.finish(state, rules):
        return False
    history.close(state, rules, workspace.history, alone, left)
    fill_result(state, rules, workspace.result)
    if line.score_count == rules.side_count:
        settle_scores(rules, line.scores, workspace.result)
    return True


def lay_out(workspace: Workspace, rules: Rules, count: int) -> bool:
    """Lay the cards as listed and note what the first ``count`` actions show.

    Returns whether everything is there in the right number, and no card twice.
    """
    state, line, cards, bounds = workspace.state, workspace.line, workspace.cards, workspace.bounds
    wanted, seats = workspace.wanted, rules.seats
    if line.seats != seats:
        return False
    right = line.score_count in (0, rules.side_count)
    dealt = line.deal_start >= 0
    short = dealt
    for seat in range(seats):
        short = short and bounds[seat + 1] - bounds[seat] == rules.packet
    listed = bounds[seats + 2] - bounds[seats + 1] if line.stock_start >= 0 else -1
    together = 0
    undealt = short and opening.leaves_undealt(rules, workspace.actions, count, listed)
    for seat in range(seats):
        first, last = bounds[seat], bounds[seat + 1]
        size = last - first if dealt and (undealt or not short) else rules.dealt
        odd = opening.odd_cards(rules) if seat == state.dealer else 0
        fits = undealt or size in (rules.dealt, rules.dealt + odd)
        wanted[seat] = last - first if fits else rules.dealt
        right = right and fits
        together |= opening.deal_seat(state, rules, seat, cards, first, last, size)
    first, last = bounds[seats], bounds[seats + 1]
    wanted[seats] = rules.kitty_size if line.kitty_start >= 0 else 0
    right = right and last - first == wanted[seats]
    opening.lay_kitty(state, rules, cards, first, last if line.kitty_start >= 0 else first - 1)
    together |= state.kitty
    first, last = bounds[seats + 1], bounds[seats + 2]
    left = opening.undealt(rules) if undealt else opening.stock_size(state, rules)
    wanted[seats + 1] = left if line.stock_start >= 0 else 0
    right = right and last - first == wanted[seats + 1]
    together |= opening.lay_stock(state, rules, cards, first, last, left, together)
    if together.bit_count() < last:
        right = right and each_once(cards, last)
    right = right and together & ~rules.pack == 0
    opening.look_ahead(state, rules, workspace.actions, count)
    return right


def each_once(cards: Sequence[int], count: int) -> bool:
    """Is each of the first ``count`` cards that is known listed once (0.conservation)?"""
    known = union(1 << cards[index] for index in range(count) if cards[index] >= 0)
    hidden = sum(1 for index in range(count) if cards[index] < 0)
    return known.bit_count() + hidden == count


def claims_hold(rules: Rules, workspace: Workspace) -> bool:
    """Is everything the record claims of a closed hand just what the rules give?"""
    line, played, result = workspace.line, workspace.history, workspace.result
    sides = rules.side_count
    if line.winner_count > played.tricks:
        return False
    if any(line.winners[trick] != played.trick_winner[trick] for trick in range(line.winner_count)):
        return False
    # Without scores before the hand those after it are taken as they are.
    after = line.after_count if line.score_count else 0
    return (
        same(line.points, line.points_count, result.points, sides)
        and same(line.change, line.change_count, result.change, sides)
        and same(line.after, after, result.scores, sides)
    )


def same(claimed: Sequence[int], count: int, right: Sequence[int], sides: int) -> bool:
    """Are the numbers claimed, if any are, one for each side and the right ones?"""
    return count == 0 or (
        count == sides and all(claimed[side] == right[side] for side in range(sides))
    )
