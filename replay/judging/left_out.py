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
from tricklog.core.engine.rules import stock, table
from tricklog.core.engine.rules.discard import gives_after_discard
from tricklog.core.judging.findings import code_of
from tricklog.core.judging.gaps.crossing import shown_twice
from tricklog.core.judging.gaps.readings import CALLS
from tricklog.core.judging.replayer import Replay, replay, replay_with_gaps
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import mask_of, names_in, parse_cards
from tricklog.schemas.hand import Gap

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
_EXCHANGE: Final = frozenset({Verb.CLAIM, Verb.BURY}.union(*_EXCHANGING.values()))
_BEFORE_EXCHANGE: Final = frozenset({Phase.AUCTION, Phase.TRUMP})
_BY_WHAT_IS_HELD: Final = {code_of(each) for each in (Fault.NOT_BURIED, Fault.NOT_ROBBED)}
"""Faults that only who knows all that was held can find in what is not done."""
_BY_WHAT_WENT: Final = {*map(code_of, (Fault.NOT_NOW, Fault.DRAW_OUT_OF_TURN, Fault.ROB_COUNT))}
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
    places = [each.action for each in found.findings if each.action is not None]
    # A fault of the auction leaves out nothing, nor does it hide what is left out later.
    later = [
        place
        for place in places
        if found.state_at(place).phase not in _BEFORE_EXCHANGE
        and found.actions[place].verb not in CALLS
    ]
    first = min(later, default=None)
    # Whoever records a hand as it is played can still be asked.
    if first is None or found.hand.status == "in_progress":
        return None
    codes = {each.code for each in found.findings if each.action == first}
    state, action = found.state_at(first), found.actions[first]
    has_deal = found.hand.deal is not UNSET
    named_again = state.phase != Phase.KITTY and action.verb == Verb.TRUMP
    waits = codes & _BY_WHO_IS_DUE and codes <= _BY_WHO_IS_DUE | _BY_WHAT_IS_HELD
    if state.phase in _EXCHANGING and waits and not named_again:
        due = state.pending or 1 << max(state.turn, 0)
        if due & ~_seats_that(found, *_EXCHANGING[Phase(state.phase)]):
            return first
    undone = action.verb in _IN_PLAY and codes & _BY_WHAT_IS_HELD
    unsaid = undone and (not has_deal or _shows_taken(found))
    if unsaid or _leaves_out_a_gift(found, first):
        return min(first, play)
    if first >= play:
        return play if _shows_taken(found) else None
    robs = codes == {code_of(Fault.CARD_NOT_IN_STOCK)} and _may_rob_from_silent(found, first)
    if robs or (codes <= _BY_WHAT_CAME and _may_have_taken(found, first)):
        return first
    silent = table.all_seats(found.rules) & ~_seats_that(found, Verb.DISCARD, Verb.DISCARD_UP)
    counted = codes <= _BY_WHAT_WENT and Phase.DISCARD in found.rules.phases
    return first if silent and counted and not has_deal else None


def _shows_taken(found: Replay) -> bool:
    """Does a player move a card that came to them by a draw or a rob of which nothing is said?"""
    return any(
        _may_have_taken(found, each.action)
        for each in found.findings
        if each.action is not None and each.code in _BY_WHAT_CAME
    )


def _may_have_taken(found: Replay, index: int) -> bool:
    """May what a player moves there have been drawn or robbed, though nothing says so?"""
    state, action = found.state_at(index), found.actions[index]
    is_dealer = action.seat == state.dealer
    can_rob = Phase.ROB in found.rules.phases and found.rules.rob != Rob.NOTHING
    robs = is_dealer and can_rob and not _seats_that(found, Verb.ROB)
    is_silent = not _seats_that(found, *_DRAWING) >> action.seat & 1
    if not robs and (not is_silent or found.rules.refill == Refill.NOBODY):
        return False
    came_from = -1 if found.hand.stock is UNSET else mask_of(parse_cards(found.hand.stock))
    came_from &= ~table.laid_off_cards(state, found.rules)
    if robs and (state.phase < Phase.PLAY or _opens_discards(found)):
        came_from |= stock.open_discards(state, found.rules, action.seat)
    elsewhere = sum(held for seat, held in enumerate(state.holding) if seat != action.seat)
    return action.cards & ~state.holding[action.seat] & (elsewhere | ~came_from) == 0


def _opens_discards(found: Replay) -> bool:
    """May the dealer rob from what others have laid off?"""
    return found.rules.rob == Rob.STOCK_AND_DISCARDS or bool(found.rules.search_discards)


def _may_rob_from_silent(found: Replay, index: int) -> bool:
    """May what the dealer robs there have been laid off by players of whom nothing is said?"""
    state, action = found.state_at(index), found.actions[index]
    if action.verb != Verb.ROB or action.seat != state.dealer:
        return False
    silent = table.all_seats(found.rules) & ~_seats_that(found, Verb.DISCARD, Verb.DISCARD_UP)
    silent &= -1 if _opens_discards(found) else 1 << state.dealer
    seats = [seat for seat in range(found.rules.seats) if silent >> seat & 1]
    if found.hand.deal is UNSET:
        return bool(seats)
    taken = action.cards & ~stock.open_discards(state, found.rules, action.seat)
    strange = stock.strange_to_stock(state, found.rules, taken)
    return strange & ~sum(state.holding[seat] for seat in seats) == 0


def _leaves_out_a_gift(found: Replay, first: int) -> bool:
    """Is less wrong with the record if it said that somebody gave the partner cards, or folded?"""
    rules = found.rules
    if rules.surplus != Surplus.TO_PARTNER and rules.fold == Fold.NEVER:
        return False
    if found.actions[first].seat >= rules.seats or table.named_trump(found.state_at(first)) < 0:
        return False
    leave = [each for each in found.actions if each.verb in _LEAVING]
    deeds = () if shown_twice(leave) else (*_gifts(found, first), *_folds(found))
    return any(_is_explained(found, first, place, deed) for place, deed in deeds)


def _is_explained(found: Replay, first: int, place: int, deed: str) -> bool:
    """Is nothing wrong with what the pair did, and less with the record, if it had this as well?"""
    actions = list(found.hand.actions)
    actions.insert(place, deed)
    hand = replace(found.hand, actions=actions, times=UNSET)
    whole = replay(hand, mode=found.mode, ruleset=found.ruleset)
    player = found.actions[first].seat
    pair = (player, table.partner_of(found.rules, player))
    is_better = len(whole.findings) < len(found.findings)
    return is_better and not any(each.seat in pair for each in whole.findings)


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
    pair = (player, table.partner_of(rules, player))
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
    cards = held & rules.trump_cards[table.named_trump(state)]
    partner = table.partner_of(rules, giver)
    laid_off = _seats_that(found, Verb.DISCARD, Verb.DISCARD_UP) >> partner & 1
    # Who folds gives all trumps; the partner may have laid them off again without a word of it.
    shown = moved[partner] if laid_off or rules.fold == Fold.NEVER else -1
    cards &= shown & ~moved[giver]
    if cards:
        yield names_in(cards)


def _room(found: Replay, place: int, giver: int) -> int:
    """Return how many cards the partner may have been given, by what went and a hand may hold."""
    rules, seat = found.rules, table.partner_of(found.rules, giver)
    if not _seats_that(found, Verb.DISCARD, Verb.DISCARD_UP) >> seat & 1:
        return rules.hand_size
    own = [each for each in found.actions[place:] if each.seat == seat]
    went = sum(each.size for each in own if each.verb in _LEAVING - {Verb.PLAY})
    came = sum(each.size for each in own if each.verb in (Verb.DRAW, Verb.ROB))
    return went + rules.hand_size - came - table.hand_count(found.state_at(place), seat)


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
