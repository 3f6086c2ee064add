"""The replay of one hand: lay out the cards, carry out the actions, close, check the claims.

There is one loop for both speeds. ``tricklog.core.judging`` runs it on one record and then explains
the faults that were found; the compiled driver runs it on scanned lines and keeps those that
``prove_valid`` accepts. Everything here runs in plain Python and compiled.

Cards come in one flat list with the bounds of each part, as a log lists them; -1 is a card that the
record does not name. Sources: 0.deal, 0.record; S74.
"""

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from tricklog.core.engine import engine
from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import Discard, OddCard, Phase, Rob
from tricklog.core.engine.records import Rules, State, union
from tricklog.core.engine.rules import history
from tricklog.core.engine.rules.discard import gives_after_discard
from tricklog.core.engine.rules.game_end import Result, fill_result, settle_scores
from tricklog.core.engine.rules.history import History
from tricklog.core.engine.rules.scoring import CALLS as STAKE_CALLS
from tricklog.core.engine.rules.table import all_seats, partner_of
from tricklog.schemas.actions import TRUMP_NOT_RECORDED, Verb
from tricklog.schemas.scan.actions import AnyAction
from tricklog.schemas.scan.line import ScannedLine

ANY_FAULT = -1
"""Every fault: a hand with one is not valid, and nothing more needs to be known of it."""
_LEFT_OUT = int(Fault.PLAYED_WHEN_OUT)
"""The fault of a play that goes to no trick."""

BROKEN_OFF, OPEN, CLOSED, CONFIRMED = range(4)
"""How far ``carry_on`` gets: to a fault that ends it, to the last action, to the end of the hand,
and all that is claimed of it is right."""

GOES_TO_TRICK = 1 << Verb.PLAY | 1 << Verb.BURY
FROM_STOCK = 1 << Verb.DRAW | 1 << Verb.ROB
SHOWS_EXCHANGE = engine.DISCARDS | FROM_STOCK | 1 << Verb.GIVE | 1 << Verb.FOLD
"""Verbs of the exchange that prove something of what their seat held, or meant, before."""
SHOWS_AHEAD = GOES_TO_TRICK | SHOWS_EXCHANGE
"""Verbs that prove so, those of the play among them."""

SPLIT_MOST = 63
"""Of so many lay-offs by a seat it is noted which go on; nobody makes more than a few."""


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
    """Lay the cards, note what ``count`` actions show; return if all are there, and none twice."""
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
    # Later packets are dealt once trumps are named: not to a tenny, nor to a deal thrown in before.
    undealt = short and listed == left_undealt(rules)
    if undealt and any(workspace.actions[index].verb == Verb.TRUMP for index in range(count)):
        undealt = False
    for seat in range(seats):
        first, last = bounds[seat], bounds[seat + 1]
        size = last - first if dealt and (undealt or not short) else rules.dealt
        odd = odd_cards(rules) if seat == state.dealer else 0
        fits = undealt or size in (rules.dealt, rules.dealt + odd)
        wanted[seat] = last - first if fits else rules.dealt
        right = right and fits
        together |= deal_seat(state, rules, seat, cards, first, last, size)
    first, last = bounds[seats], bounds[seats + 1]
    wanted[seats] = rules.kitty_size if line.kitty_start >= 0 else 0
    right = right and last - first == wanted[seats]
    lay_kitty(state, rules, cards, first, last if line.kitty_start >= 0 else first - 1)
    together |= state.kitty
    first, last = bounds[seats + 1], bounds[seats + 2]
    left = left_undealt(rules) if undealt else stock_size(state, rules)
    wanted[seats + 1] = left if line.stock_start >= 0 else 0
    right = right and last - first == wanted[seats + 1]
    together |= lay_stock(state, rules, cards, first, last, left, together)
    if together.bit_count() < last:
        right = right and each_once(cards, last)
    right = right and together & ~rules.pack == 0
    look_ahead(state, rules, workspace.actions, count)
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


# --- The first state: cards dealt, laid aside and left over, and what is shown later


def odd_cards(rules: Rules) -> int:
    """Return how many cards are over when the pack has been dealt, for the dealer to take (S74)."""
    over = rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
    return over if rules.odd_card == OddCard.DEALER and over < rules.seats else 0


def deal_seat(
    state: State, rules: Rules, seat: int, cards: Sequence[int], first: int, last: int, size: int
) -> int:
    """Give a seat its first packet now and the later ones to come; return the cards it is dealt.

    ``cards[first:last]`` are listed; up to ``size`` the seat was dealt others, not listed. A card
    written twice in one packet stands for some other card the second time.
    """
    end = min(last, first + size)
    middle = min(end, first + rules.packet)
    now = known_cards(cards, first, middle)
    later = known_cards(cards, middle, end)
    state.holding[seat] = now
    state.unknown[seat] = min(size, rules.packet) - now.bit_count()
    state.reserve[seat] = later
    state.reserve_unknown[seat] = max(0, size - rules.packet) - later.bit_count()
    if rules.seventh_card and 2 <= size == rules.dealt:
        place = first + size - 2
        state.last_but_one[seat] = cards[place] if place < last else -1
    return now | later


def known_cards(cards: Sequence[int], first: int, last: int) -> int:
    """Return the cards of ``cards[first:last]`` that the record names, as a set."""
    return union(1 << cards[place] for place in range(first, last) if cards[place] >= 0)


def lay_kitty(state: State, rules: Rules, cards: Sequence[int], first: int, last: int) -> None:
    """Lay the kitty aside; a ``last`` below ``first`` says that it is not listed."""
    size = rules.kitty_size if last < first else last - first
    state.kitty = known_cards(cards, first, last)
    state.kitty_unknown = size - state.kitty.bit_count()


def stock_size(state: State, rules: Rules) -> int:
    """Return how many cards are left over; the odd card may be listed with the dealer's (S74)."""
    size = rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
    dealer = state.dealer
    listed = state.reserve[dealer].bit_count() + state.reserve_unknown[dealer]
    return size - odd_cards(rules) if listed > rules.dealt - rules.packet else size


def lay_stock(
    state: State, rules: Rules, cards: Sequence[int], first: int, last: int, size: int, others: int
) -> int:
    """Lay the stock of ``size`` cards, maybe those not ``others``; return those listed there."""
    state.stock_size = size
    named, together = 0, 0
    for place in range(min(size, last - first)):
        card = cards[first + place]
        if card >= 0:
            state.stock[place] = card
            together |= 1 << card
            named += 1
    state.stock_set = together if named == size else rules.pack & ~others
    return together


def left_undealt(rules: Rules) -> int:
    """Return how many cards are left over after the first packet."""
    return rules.pack_size - rules.seats * rules.packet - rules.kitty_size


def look_at_play(state: State, rules: Rules, actions: Sequence[AnyAction], count: int) -> int:
    """Note what is put to tricks and held until then, trumps and the stake; return the verbs."""
    verbs, named = 0, False
    for index in range(count):
        action = actions[index]
        verb, seat = action.verb, action.seat
        verbs |= 1 << verb
        if verb == Verb.REVEAL and state.will_show == TRUMP_NOT_RECORDED:
            state.will_show = action.amount
        if named:
            state.will_raise += STAKE_CALLS >> verb & 1
        named = named or verb == Verb.TRUMP
        if seat >= rules.seats or not GOES_TO_TRICK >> verb & 1:
            continue
        state.will_play[seat] |= action.cards
        if verb == Verb.BURY:
            state.buries_ahead[seat] += 1
        elif action.card < 0:
            state.hidden_plays[seat] += 1
    return verbs


def look_at_stock(state: State, rules: Rules, actions: Sequence[AnyAction], count: int) -> None:
    """Note what the actions show of draws in several goes, and of a rob before any lay-off."""
    drawer, laid_off = -1, 0
    clears_first = rules.discard != Discard.ANY and rules.rob in (Rob.ALL_TRUMPS, Rob.WHOLE_STOCK)
    for index in range(count):
        verb, seat = actions[index].verb, actions[index].seat
        if seat >= rules.seats or not SHOWS_AHEAD >> verb & 1:
            continue
        if verb == Verb.DRAW and drawer == seat:
            state.redraws[seat] += 1
        if drawer == seat or verb == Verb.ROB:
            drawer = -1
        if verb == Verb.DRAW:
            drawer = seat
        elif verb == Verb.ROB:
            state.rob_ahead = 1
        elif seat == state.dealer and 1 << verb & engine.DISCARDS and not laid_off:
            laid_off = 1
            state.robs_first = 1 if state.rob_ahead and clears_first else 0
    if drawer >= 0 and actions[count - 1].verb == Verb.DRAW:
        state.cut_draw = drawer


def look_ahead(state: State, rules: Rules, actions: Sequence[AnyAction], count: int) -> None:
    """Note what the first ``count`` actions show of what each seat holds and means to do."""
    # Without an action it is no record yet, and anything may follow.
    if count:
        state.will_raise = 0
    verbs = look_at_play(state, rules, actions, count)
    if verbs & FROM_STOCK:
        look_at_stock(state, rules, actions, count)
    if verbs & SHOWS_EXCHANGE:
        look_at_exchange(state, rules, actions, count)


def look_at_exchange(state: State, rules: Rules, actions: Sequence[AnyAction], count: int) -> None:
    """Note what the first ``count`` actions show of laying off, giving, folding and the rob.

    A lay-off may be recorded in several actions. It ends where its seat does something else, or is
    given cards; what is laid off after a draw or the rob is another one, and so it is after a gift
    where surplus is given only after the discard.
    """
    going_on, ended, begun, drawn, robbed = 0, 0, 0, 0, 0
    for index in range(count):
        action = actions[index]
        verb, seat = action.verb, action.seat
        if seat >= rules.seats or not SHOWS_EXCHANGE >> verb & 1:
            continue
        if engine.DISCARDS >> verb & 1:
            if drawn >> seat & 1:
                # Hands come down to size again: nobody still lays off what they were dealt.
                going_on = 0
                ended = all_seats(rules)
            before = state.discards_ahead[seat] + state.late_discards[seat]
            if going_on >> seat & 1 and 0 < before < SPLIT_MOST:
                state.split_discards[seat] |= 1 << before - 1
            state.discards_ahead[seat] += 1 - (ended >> seat & 1)
            state.late_discards[seat] += ended >> seat & 1
            going_on |= 1 << seat
            begun |= 1 << seat
        elif verb == Verb.GIVE:
            partner = partner_of(rules, seat)
            if robbed and seat == state.dealer:
                state.late_gift = 1
            else:
                state.gifts_ahead |= 1 << seat
                state.given_ahead[seat] += action.size
            # Where surplus is given after the discard, its giver comes down with what follows.
            through = 1 << seat if gives_after_discard(rules) else 0
            going_on &= ~(through | 1 << partner)
            ended |= through | 1 << partner & begun
        elif verb == Verb.FOLD:
            state.folds_ahead |= 1 << seat
        elif verb == Verb.DRAW:
            going_on &= ~(1 << seat)
            ended |= 1 << seat
            drawn |= 1 << seat
        elif verb == Verb.ROB:
            going_on = 0
            ended = all_seats(rules)
            robbed = 1
