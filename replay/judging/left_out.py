"""Exchanges of which a record says nothing, or not all: what it leaves out is no fault.

Such a record is replayed as one with gaps. What it has before the first of them is judged in full.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import Fold, Phase, Refill, Rob, Surplus
from tricklog.core.engine.rules import rob
from tricklog.core.engine.rules.discard import gives_after_discard
from tricklog.core.engine.rules.table import all_seats, hand_count, named_trump, partner_of
from tricklog.core.judging.findings import code_of
from tricklog.core.judging.gaps.running import replay_with_gaps
from tricklog.core.judging.replayer import Replay, replay
from tricklog.core.model import Finding
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import mask_of, names_in, parse_cards
from tricklog.schemas.hand import Gap

_EXCHANGE: Final = frozenset(
    {
        *(Verb.KITTY, Verb.DISCARD, Verb.DISCARD_UP, Verb.CLAIM, Verb.DRAW, Verb.ROB, Verb.GIVE),
        *(Verb.FOLD, Verb.BURY),
    }
)
_EXCHANGING: Final = {
    Phase.KITTY: {Verb.KITTY},
    Phase.FOLD: {Verb.GIVE, Verb.FOLD},
    Phase.GIVE: {Verb.GIVE},
    Phase.DISCARD: {Verb.DISCARD, Verb.DISCARD_UP},
    Phase.REFILL: {Verb.DRAW},
    Phase.ROB: {Verb.ROB},
    Phase.DEALER_GIVE: {Verb.GIVE},
    Phase.COME_DOWN: {Verb.DISCARD, Verb.GIVE},
}
"""Stages in which cards change hands, and by what."""
_BY_WHAT_IS_HELD: Final = {code_of(each) for each in (Fault.NOT_BURIED, Fault.NOT_ROBBED)}
"""Faults that only who knows all that was held can find in what is not done."""
_BY_WHAT_WENT: Final = {
    code_of(each) for each in (Fault.NOT_NOW, Fault.DRAW_OUT_OF_TURN, Fault.ROB_COUNT)
}
"""Faults that rest on what others have laid off."""
_BY_WHO_IS_DUE: Final = _BY_WHAT_WENT | {code_of(Fault.DRAW_ORDER)}
"""Faults that others bring about who are to act before and do not."""
_BY_WHAT_CAME: Final = {code_of(each) for each in (Fault.CARD_NOT_HELD, Fault.PLAYED_TWICE)}
_IN_PLAY: Final = frozenset({Verb.BURY, Verb.PLAY})
_DRAWING: Final = frozenset({Verb.DISCARD, Verb.DISCARD_UP, Verb.DRAW, Verb.ROB})
_AFTER_DISCARDS: Final = _IN_PLAY | {Verb.DRAW, Verb.ROB}
_LEAVING: Final = _IN_PLAY | {Verb.DISCARD, Verb.DISCARD_UP}
"""What shows a card that was held."""
_AFTER_GIFTS: Final = _AFTER_DISCARDS | {Verb.DISCARD, Verb.DISCARD_UP, Verb.CLAIM}


def readings(found: Replay) -> Iterator[Replay]:
    """Replay a record that leaves something of its exchange out as one with gaps there.

    What a record leaves out is not known, and no fault; what it has before that is judged.
    """
    verbs = [action.verb for action in found.actions]
    if Verb.PLAY not in verbs:
        return
    play = Gap(before=verbs.index(Verb.PLAY), missing="exchange")
    kinds: list[list[Gap]] = []
    if not _EXCHANGE.isdisjoint(verbs):
        place = _left_out_before(found, play.before)
        if place is not None:
            in_trumps = verbs[place] == Verb.TRUMP
            here = Gap(before=place, missing="trumps" if in_trumps else "exchange")
            kinds.append([here, play] if place < play.before else [play])
            if in_trumps:
                # What it leaves out after the kitty shows once that is known to be left out.
                rest = replay_with_gaps(found.hand, found.ruleset, found.mode, gaps=kinds[0])
                later = _left_out_before(rest, play.before)
                if later is not None and place < later < play.before:
                    kinds.append([here, Gap(before=later, missing="exchange"), play])
    elif _lacks_exchange(found):
        kinds.append([play])
        # A kitty is taken before trumps are named, or after.
        if Verb.TRUMP in verbs[: play.before]:
            kinds.append([Gap(before=verbs.index(Verb.TRUMP), missing="trumps"), play])
    for gaps in kinds:
        yield replay_with_gaps(found.hand, found.ruleset, found.mode, gaps=gaps)


def _left_out_before(found: Replay, play: int) -> int | None:
    """Return the action before which a record that has some of the exchange leaves some out.

    ``play``: the first card played. A record that has the deal, and all else of the exchange, is
    taken at its word: what it does not say of surplus or the rest of the stock was not done.
    """
    first = min((each.action for each in found.findings if each.action is not None), default=None)
    # Whoever records a hand as it is played can still be asked.
    if first is None or found.hand.status == "in_progress":
        return None
    codes = {each.code for each in found.findings if each.action == first}
    state, action = found.state_at(first), found.actions[first]
    has_deal = found.hand.deal is not UNSET
    named_again = state.phase != Phase.KITTY and action.verb == Verb.TRUMP
    if state.phase in _EXCHANGING and codes <= _BY_WHO_IS_DUE and not named_again:
        due = state.pending or 1 << max(state.turn, 0)
        if due & ~_seats_that(found, *_EXCHANGING[Phase(state.phase)]):
            return first
    in_play = action.verb in _IN_PLAY
    if in_play and codes & _BY_WHAT_IS_HELD and (not has_deal or _shows_robbed(found)):
        return min(first, play)
    if _leaves_out_a_gift(found, first):
        return min(first, play)
    if any(_may_have_drawn(found, each) for each in found.findings):
        return play
    if first >= play:
        return None
    if codes == {code_of(Fault.CARD_NOT_IN_STOCK)} and _may_rob_from_silent(found, first):
        return first
    if codes <= _BY_WHAT_CAME and _may_have_robbed(found, first):
        return first
    silent = all_seats(found.rules) & ~_seats_that(found, Verb.DISCARD, Verb.DISCARD_UP)
    counted = codes <= _BY_WHAT_WENT and Phase.DISCARD in found.rules.phases
    return first if silent and counted and not has_deal else None


def _shows_robbed(found: Replay) -> bool:
    """Does the dealer move a card that they can have by robbing alone, though nothing says so?"""
    last = max(found.findings, key=lambda each: -1 if each.action is None else each.action)
    is_strange = last.code in _BY_WHAT_CAME and last.action is not None
    return is_strange and _may_have_robbed(found, last.action or 0)


def _may_have_robbed(found: Replay, index: int) -> bool:
    """May what the dealer moves there have been robbed, though nothing says so?"""
    state, action = found.state_at(index), found.actions[index]
    may_rob = action.seat == state.dealer and Phase.ROB in found.rules.phases
    if not may_rob or _seats_that(found, Verb.ROB):
        return False
    came_from = -1 if found.hand.stock is UNSET else mask_of(parse_cards(found.hand.stock))
    for laid_off in state.discarded:
        came_from |= laid_off
    return action.cards & ~state.holding[action.seat] & ~came_from == 0


def _may_have_drawn(found: Replay, finding: Finding) -> bool:
    """Is it a card from the stock that a player has of whose discards and draws nothing is said?"""
    index = finding.action
    if index is None or finding.code not in _BY_WHAT_CAME or found.rules.refill == Refill.NOBODY:
        return False
    state, action = found.state_at(index), found.actions[index]
    if _seats_that(found, *_DRAWING) >> action.seat & 1:
        return False
    stock = -1 if found.hand.stock is UNSET else mask_of(parse_cards(found.hand.stock))
    elsewhere = sum(held for seat, held in enumerate(state.holding) if seat != action.seat)
    return action.cards & ~state.holding[action.seat] & (elsewhere | ~stock) == 0


def _may_rob_from_silent(found: Replay, index: int) -> bool:
    """May what the dealer robs there have been laid off by players of whom nothing is said?"""
    state, action = found.state_at(index), found.actions[index]
    if action.verb != Verb.ROB or action.seat != state.dealer:
        return False
    silent = all_seats(found.rules) & ~_seats_that(found, Verb.DISCARD, Verb.DISCARD_UP)
    everybody = found.rules.rob == Rob.STOCK_AND_DISCARDS or found.rules.search_discards
    silent &= -1 if everybody else 1 << state.dealer
    seats = [seat for seat in range(found.rules.seats) if silent >> seat & 1]
    if found.hand.deal is UNSET:
        return bool(seats)
    taken = action.cards & ~rob.open_discards(state, found.rules, action.seat)
    strange = rob.strange_to_stock(state, found.rules, taken)
    return strange & ~sum(state.holding[seat] for seat in seats) == 0


def _leaves_out_a_gift(found: Replay, first: int) -> bool:
    """Is less wrong with the record if it said that somebody gave the partner cards, or folded?"""
    rules = found.rules
    if rules.surplus != Surplus.TO_PARTNER and rules.fold == Fold.NEVER:
        return False
    if found.actions[first].seat >= rules.seats or named_trump(found.state_at(first)) < 0:
        return False
    return not _shows_twice(found) and any(
        _is_explained(found, first, place, deed)
        for place, deed in (*_gifts(found, first), *_folds(found))
    )


def _shows_twice(found: Replay) -> bool:
    """Does a card leave two hands, or one hand twice, by the record?"""
    shown = 0
    for each in found.actions:
        if each.verb in _LEAVING:
            if shown & each.cards:
                return True
            shown |= each.cards
    return False


def _is_explained(found: Replay, first: int, place: int, deed: str) -> bool:
    """Is nothing wrong with what the pair did, and less with the record, if it had this as well?"""
    actions = list(found.hand.actions)
    actions.insert(place, deed)
    hand = replace(found.hand, actions=actions, times=UNSET)
    whole = replay(hand, mode=found.mode, ruleset=found.ruleset)
    player = found.actions[first].seat
    pair = (player, partner_of(found.rules, player))
    if len(whole.findings) >= len(found.findings):
        return False
    if any(each.seat in pair for each in whole.findings):
        return False
    return all(_plays_a_hand(whole, seat) for seat in pair)


def _plays_a_hand(found: Replay, seat: int) -> bool:
    """Has who laid cards off no more to play than a hand holds, when play begins?"""
    if not _seats_that(found, Verb.DISCARD, Verb.DISCARD_UP) >> seat & 1:
        return True
    led = next(place for place, each in enumerate(found.actions) if each.verb in _IN_PLAY)
    buried = sum(each.size for each in found.actions if (each.seat, each.verb) == (seat, Verb.BURY))
    return hand_count(found.state_at(led), seat) - buried <= found.rules.hand_size


def _folds(found: Replay) -> Iterator[tuple[int, str]]:
    """Yield who may have folded: where the cards are not known, who does nothing else."""
    if found.rules.fold == Fold.NEVER or found.hand.deal is not UNSET:
        return
    stays = _seats_that(found, *_LEAVING, Verb.FOLD)
    for seat in range(found.rules.seats):
        if not stays >> seat & 1:
            yield _first_of(found, _AFTER_GIFTS, seat), f"{seat} fold"


def _gifts(found: Replay, first: int) -> Iterator[tuple[int, str]]:
    """Yield what the player of action ``first`` and the partner may have given, and when."""
    rules, player = found.rules, found.actions[first].seat
    pair = (player, partner_of(rules, player))
    if any(each.verb == Verb.GIVE and each.seat in pair for each in found.actions):
        return
    ends = [_AFTER_GIFTS]
    if gives_after_discard(rules):
        # The dealer gives what was robbed as well.
        ends = [_AFTER_DISCARDS, _IN_PLAY]
    for giver in pair:
        for place in sorted({_first_of(found, verbs, giver) for verbs in ends}):
            for cards in _cards_given(found, first, place, giver):
                yield place, f"{giver} give {cards}"


def _first_of(found: Replay, verbs: frozenset[Verb], seat: int) -> int:
    """Return the first action of these, or in which the seat folds."""
    return next(
        place
        for place, each in enumerate(found.actions)
        if each.verb in verbs or (each.verb == Verb.FOLD and each.seat == seat)
    )


def _cards_given(found: Replay, first: int, place: int, giver: int) -> Iterator[str]:
    """Yield what the seat may have given: what the partner is shown to have had of it, if known."""
    rules, state = found.rules, found.state_at(first)
    if found.hand.deal is UNSET:
        most = min(rules.hand_size if rules.fold == Fold.NEVER else 2, _room(found, place, giver))
        yield from (" ".join("?" * count) for count in range(1, most + 1))
        return
    moved = [0] * rules.seats
    for each in found.actions:
        if each.verb in _LEAVING and each.seat < rules.seats:
            moved[each.seat] |= each.cards
    held = state.holding[giver]
    if state.unknown[giver]:
        held = ~sum(each for seat, each in enumerate(state.holding) if seat != giver)
    cards = held & rules.trump_cards[named_trump(state)]
    cards &= moved[partner_of(rules, giver)] & ~moved[giver]
    if cards:
        yield names_in(cards)


def _room(found: Replay, place: int, giver: int) -> int:
    """Return how many cards the partner may have been given, by what went and a hand may hold."""
    rules, seat = found.rules, partner_of(found.rules, giver)
    if not _seats_that(found, Verb.DISCARD, Verb.DISCARD_UP) >> seat & 1:
        return rules.hand_size
    own = [each for each in found.actions[place:] if each.seat == seat]
    went = sum(each.size for each in own if each.verb in _LEAVING - {Verb.PLAY})
    came = sum(each.size for each in own if each.verb in (Verb.DRAW, Verb.ROB))
    return went + rules.hand_size - came - hand_count(found.state_at(place), seat)


def _seats_that(found: Replay, *verbs: Verb) -> int:
    """Return who did any of this, by the record."""
    return sum({1 << each.seat for each in found.actions if each.verb in verbs})


def _lacks_exchange(found: Replay) -> bool:
    """Does play begin, or are trumps named, where the rules have an exchange or a burying first?"""
    if any(each.code == code_of(Fault.NOT_BURIED) for each in found.findings):
        return True
    verbs = [action.verb for action in found.actions]
    later = [verbs.index(verb) for verb in (Verb.TRUMP, Verb.PLAY) if verb in verbs]
    return any(found.state_at(index).phase in _EXCHANGING for index in later)
