"""Laying off, giving and folding: what goes and what stays, what is shown, whose points it costs.

Who has no trump may have to leave the hand, who has few may give them to the partner and leave.
Seats may fold and give in any order, until they lay off; those that fold are named first, from the
dealer's left. A record need not say that a player folded who had to and who does nothing more.

Sources: 1.exchange, 2.exchange, 3.exchange, 4.exchange, 8.exchange, 9.exchange, 9.fold, 9.give,
9.surplus, 10.exchange, 10.give, 11.exchange, 11.give; S12, S17 to S20, S22, S25, S31, S32, S53, S59
to S62, S66, S71, S76; C09, C11, C12, C20; O05 to O09, O22, O23, O30, O66, O80.
"""

from tricklog.core.engine import policies
from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import Discard, Phase, Rob, Surplus
from tricklog.core.engine.records import NO_TRUMPS, Rules, State, highest_first
from tricklog.core.engine.rules import scoring, table
from tricklog.core.engine.rules.table import Legal
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction


def legal_discard(state: State, rules: Rules, seat: int, named: int) -> Legal:
    """What a seat lays off; ``named`` are cards it names out of those the record did not know.

    Cards the record does not know may be trumps too many, or plain. A dealer who takes the stock
    first lays nothing off before (O66).
    """
    if rules.rob == Rob.WHOLE_STOCK_FIRST and seat == state.dealer:
        return Legal(0)
    held = state.holding[seat] | named
    if lays_off_freely(state, rules, seat):
        return legal_free(state, rules, seat, held)
    if rules.discard in (Discard.TO_SIZE, Discard.POINTS_KEPT):
        return legal_to_size(state, rules, seat, held)
    return legal_plain(state, rules, seat, held)


def lays_off_freely(state: State, rules: Rules, seat: int) -> bool:
    """Does the seat choose what it wants: everybody, or a dealer who chooses cards later (C12)?"""
    chooses = rules.rob in (Rob.TO_SIZE, Rob.STOCK_AND_DISCARDS)
    return rules.discard == Discard.ANY or (chooses and seat == state.dealer)


def legal_free(state: State, rules: Rules, seat: int, held: int) -> Legal:
    """Any cards, or all but points that count for nobody else (O07), down to size (S25, S22)."""
    count = table.hand_count(state, seat)
    may = held
    if rules.discard != Discard.ANY:
        may &= ~table.points_to_keep(state, rules)
    least = max(0, count - rules.hand_size)
    if seat == state.dealer and rules.rob != Rob.NOTHING:
        least = 0
    most = may.bit_count() + count - held.bit_count()
    return discard_of(state, rules, 0, may, min(least, most), most)


def legal_to_size(state: State, rules: Rules, seat: int, held: int) -> Legal:
    """Down to the hand size: plain cards first, or just no point cards (S53, S66, S71).

    With more trumps than that all plain cards go, and of the trumps those that may (9.surplus).
    """
    trumps = held & rules.trump_cards[table.named_trump(state)]
    plain = held & ~trumps
    count = table.hand_count(state, seat)
    hidden = count - held.bit_count()
    may = plain | spare_trumps(state, rules, trumps, hidden)
    most = min(max(0, count - rules.hand_size), may.bit_count() + hidden)
    least = max(0, count - kept_at_most(state, rules, seat, trumps, hidden))
    plain_first = rules.discard == Discard.TO_SIZE and trumps.bit_count() > rules.hand_size
    return discard_of(state, rules, plain if plain_first else 0, may, least, most)


def legal_plain(state: State, rules: Rules, seat: int, held: int) -> Legal:
    """All plain cards, or as many as one likes of those that have room (1.exchange, S17).

    With more trumps than the hand size either none of these goes, or as many without points as
    are too many (4.exchange). Where discards can be found or claimed, any trump may go (S19, S20);
    where the others score them, those with points (O07).
    """
    trumps = held & rules.trump_cards[table.named_trump(state)]
    plain = held & ~trumps
    count = table.hand_count(state, seat)
    hidden = count - held.bit_count()
    free = trumps & table.points_that_may_go(state, rules)
    blanks, limit = spare_blanks(state, rules, seat, trumps, hidden)
    # A card not named that is a point card which may go takes no place of a blank.
    unseen = table.points_that_may_go(state, rules) & ~(held | state.discarded[seat])
    takes_place = max(0, hidden - unseen.bit_count())
    over = min(max(0, limit - takes_place), blanks.bit_count())
    most = plain.bit_count() + hidden + over + free.bit_count()
    # Beside a hand size of trumps there is no room for a plain card.
    full = trumps.bit_count() >= rules.hand_size
    if rules.search_discards or rules.discards_claimed:
        blanks, free = 0, trumps
        most = count
        # Room is made for a plain card where trumps alone would not be too many (S17).
        full = trumps.bit_count() > rules.hand_size
    must = plain if full or rules.discard == Discard.ALL_PLAIN else 0
    least = max(must.bit_count(), count - kept_at_most(state, rules, seat, trumps, hidden))
    may = plain | blanks | free
    options = discard_of(state, rules, must, may, least, most)
    return options._replace(limited=blanks, limit=limit) if free else options


def spare_blanks(
    state: State, rules: Rules, seat: int, trumps: int, hidden: int
) -> tuple[int, int]:
    """Return which of ``trumps``, but points that may go anyway, are too many, and how many go."""
    gone = state.discarded[seat] & rules.trump_cards[table.named_trump(state)]
    gone = gone if table.points_that_may_go(state, rules) else 0
    spare = spare_trumps(state, rules, trumps | gone, hidden)
    spare &= ~table.points_that_may_go(state, rules)
    over = (trumps | gone).bit_count() + hidden - rules.hand_size - (gone & spare).bit_count()
    return spare & trumps, max(0, over)


def spare_trumps(state: State, rules: Rules, trumps: int, hidden: int) -> int:
    """Return which of ``trumps`` may be laid off because there are too many.

    Those without points, and others where the opponents score them (O07); with more point cards
    than the hand size the two as well, where it may go (C20). ``hidden`` cards more may be trumps.
    """
    too_many = trumps.bit_count() + hidden > rules.hand_size
    if rules.surplus == Surplus.BURY or not (too_many or rules.discard == Discard.POINTS_KEPT):
        return 0
    trump = table.named_trump(state)
    points = trumps & rules.point_cards[trump]
    spare = trumps & ~table.points_to_keep(state, rules)
    low = rules.low_card[trump]
    point_rich = points.bit_count() + hidden > rules.hand_size
    if rules.surplus == Surplus.DISCARD_THEN_BURY and point_rich and low >= 0:
        spare |= trumps & 1 << low
    return spare


def kept_at_most(state: State, rules: Rules, seat: int, trumps: int, hidden: int) -> int:
    """Return with how many cards a seat may be left: the hand size, or trumps that cannot go.

    Point cards too many cannot be kept either where they have still to be given (S66). What is
    shown to be given later is judged then, right or wrong.
    """
    if keeps_surplus(state, rules, seat):
        return max(rules.hand_size, trumps.bit_count() + hidden)
    spare = spare_trumps(state, rules, trumps, hidden) & ~table.points_that_may_go(state, rules)
    stays = (trumps & ~spare).bit_count()
    gives = gives_later(state, rules, seat)
    # Who was given some cannot give any, since gifts go one way only (S71).
    has_given = state.gave & (1 << seat | 1 << table.partner_of(rules, seat))
    if rules.surplus == Surplus.TO_PARTNER and not gives and not has_given:
        stays = min(stays, rules.hand_size)
    given = state.given_ahead[seat] if gives else 0
    return max(rules.hand_size + given, stays + hidden)


def keeps_surplus(state: State, rules: Rules, seat: int) -> bool:
    """May trumps beyond the hand size be kept at the discard, to be buried, given or laid off?

    Who gives point cards alone keeps blanks only to lay them off once more (S66).
    """
    if rules.surplus == Surplus.BURY or (seat == state.dealer and rules.rob != Rob.NOTHING):
        return True
    if rules.surplus != Surplus.TO_PARTNER:
        return False
    if gives_after_discard(rules):
        return True
    any_go = rules.discard != Discard.TO_SIZE or state.discards_ahead[seat] > 1
    return any_go and gives_later(state, rules, seat)


def gives_later(state: State, rules: Rules, seat: int) -> bool:
    """Is the seat shown to give cards to the partner while others still lay off (S71)?"""
    return state.gifts_ahead >> seat & 1 == 1 and not gives_after_discard(rules)


def gives_after_discard(rules: Rules) -> bool:
    """Is surplus given to the partner only after the discard (O30)?"""
    for phase in rules.phases:
        if phase == Phase.GIVE:
            return False
        if phase == Phase.DISCARD:
            return True
    return False


def discard_of(state: State, rules: Rules, must: int, may: int, least: int, most: int) -> Legal:
    """Return a choice of cards to lay off, face up where such cards have to be shown."""
    trumps = may & rules.trump_cards[table.named_trump(state)]
    shown = rules.discards_shown == policies.DiscardsShown.ALL
    shown |= rules.discards_shown == policies.DiscardsShown.TRUMPS and trumps != 0
    verb = Verb.DISCARD_UP if shown else Verb.DISCARD
    return Legal(1 << verb, must, may, least, most)


def comes_down(state: State, rules: Rules, seat: int) -> bool:
    """Has the seat still to come down to the hand size, or to nothing but trumps (S17, 4.rob)?

    The dealer who has robbed, and where cards were given after the discard everybody (S76). Who
    kept too many at the discard has been found at fault there. A dealer who takes the stock first
    comes down only after that (O66).
    """
    over = table.hand_count(state, seat) > rules.hand_size or keeps_fewer_still(state, rules, seat)
    if not over or state.folded >> seat & 1 or precedes_rob(state, rules, seat):
        return False
    if state.robs_first and seat == state.dealer:
        return True
    if rules.surplus == Surplus.TO_PARTNER and gives_after_discard(rules):
        return True
    if seat != state.dealer or rules.rob == Rob.NOTHING:
        return False
    keeps_plain = rules.rob != Rob.ALL_TRUMPS or rules.discard != Discard.ALL_PLAIN
    return rules.surplus != Surplus.BURY or keeps_plain


def keeps_fewer_still(state: State, rules: Rules, seat: int) -> bool:
    """Is this the dealer who took the stock first, in the middle of a lay-off in parts (O66)?"""
    if rules.rob != Rob.WHOLE_STOCK_FIRST or seat != state.dealer:
        return False
    return state.phase == Phase.COME_DOWN and state.laid_off & state.pending & 1 << seat != 0


def precedes_rob(state: State, rules: Rules, seat: int) -> bool:
    """Is this the dealer who takes the stock first (O66), and has not taken it?"""
    if rules.rob != Rob.WHOLE_STOCK_FIRST or seat != state.dealer:
        return False
    return state.phase < Phase.ROB or (state.phase == Phase.ROB and state.rob_ahead != 0)


def legal_come_down(state: State, rules: Rules, seat: int, named: int) -> Legal:
    """Down to the hand size: plain cards first, then trumps that may go; or cards of one's choice.

    A dealer who has laid nothing off before may keep fewer of the plain cards (O66).
    ``named`` are cards the seat names out of those the record did not know. Trumps that are to be
    buried stay.
    """
    held = state.holding[seat] | named
    count = table.hand_count(state, seat)
    over = max(0, count - rules.hand_size)
    keeps_fewer = rules.rob == Rob.WHOLE_STOCK_FIRST
    if lays_off_freely(state, rules, seat):
        free = legal_free(state, rules, seat, held)
        most = min(over, free.may.bit_count() + count - held.bit_count())
        return discard_of(state, rules, 0, free.may, most, free.most if keeps_fewer else most)
    trumps = held & rules.trump_cards[table.named_trump(state)]
    plain = held & ~trumps
    hidden = count - held.bit_count()
    spare = spare_trumps(state, rules, trumps, hidden)
    stays = trumps & ~spare | trumps & table.points_that_may_go(state, rules)
    least = min(over, max(0, count - max(rules.hand_size, stays.bit_count() + hidden)))
    if keeps_fewer:
        too_many = min(max(0, trumps.bit_count() - rules.hand_size), spare.bit_count())
        must = plain if trumps.bit_count() >= rules.hand_size else 0
        most = plain.bit_count() + hidden + too_many
        return discard_of(state, rules, must, plain | spare, least, most)
    if rules.discard == Discard.POINTS_KEPT:
        most = min(over, (plain | spare).bit_count() + hidden)
        return discard_of(state, rules, 0, plain | spare, min(least, most), most)
    plain_count = plain.bit_count()
    may = plain if plain_count >= over else plain | spare
    must = plain if plain_count <= over else 0
    most = min(over, may.bit_count() + hidden)
    return discard_of(state, rules, must, may, min(least, most), most)


def discard_faults(state: State, rules: Rules, action: AnyAction, legal: Legal) -> int:
    """What is wrong with laying off; the count comes last, and of one in parts with the last."""
    seat = action.seat
    if table.cannot_hold(state, rules, seat, action.cards, action.size):
        return Fault.CARD_NOT_HELD
    if state.fold_due >> seat & 1:
        return Fault.NOT_FOLDED
    hidden = action.size - action.cards.bit_count()
    barred = action.cards & ~legal.may
    if barred & rules.point_cards[table.named_trump(state)]:
        return Fault.DISCARDED_POINTS
    too_many = (action.cards & legal.limited).bit_count() > legal.limit
    if barred or too_many or gave_up_trump(state, rules, action):
        return Fault.DISCARDED_TRUMP
    whole = not state.split_discards[seat] & 1
    if whole and (legal.must & ~action.cards).bit_count() > hidden:
        return Fault.KEPT_PLAIN
    if action.size > legal.most or (whole and action.size < legal.least):
        return Fault.DISCARD_COUNT
    return Fault.DISCARD_NOT_SHOWN if lies_hidden(state, rules, action) else 0


def extra_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with laying off once more, with nothing to lay off or too late for it."""
    seat = action.seat
    if table.cannot_hold(state, rules, seat, action.cards, action.size):
        return Fault.CARD_NOT_HELD
    if not lays_off_freely(state, rules, seat) and rules.discard != Discard.POINTS_KEPT:
        if action.cards & table.points_to_keep(state, rules):
            return Fault.DISCARDED_POINTS
        if action.cards & rules.trump_cards[table.named_trump(state)]:
            return Fault.DISCARDED_TRUMP
    return Fault.DISCARD_OUT_OF_TURN


def lies_hidden(state: State, rules: Rules, action: AnyAction) -> bool:
    """Were cards that have to be shown laid off face down (O09, O22, 9.surplus)?"""
    if action.verb != Verb.DISCARD or rules.discards_shown != policies.DiscardsShown.TRUMPS:
        return action.verb == Verb.DISCARD and rules.discards_shown == policies.DiscardsShown.ALL
    return action.cards & rules.trump_cards[table.named_trump(state)] != 0


def gave_up_trump(state: State, rules: Rules, action: AnyAction) -> bool:
    """Did a hand not fully known lay off a trump and yet keep fewer cards than it may (S32)?"""
    seat = action.seat
    free = lays_off_freely(state, rules, seat) or rules.discard == Discard.POINTS_KEPT
    if state.unknown[seat] == 0 or free or rules.search_discards or rules.discards_claimed:
        return False
    may_go = table.points_that_may_go(state, rules)
    named = action.cards & ~may_go
    size = action.size if may_go == 0 else named.bit_count()
    short = table.hand_count(state, seat) - size < rules.hand_size
    return short and named & rules.trump_cards[table.named_trump(state)] != 0


def do_discard(state: State, rules: Rules, action: AnyAction) -> None:
    """Lay the cards off; the seat is through when no more of it, and no gift, follows."""
    seat = action.seat
    laid_off = table.lay_down(state, rules, seat, action.cards, action.size)
    state.discarded[seat] |= laid_off
    state.discarded_unknown[seat] += action.size - laid_off.bit_count()
    state.laid_off |= 1 << seat
    state.fold_due &= ~(1 << seat)
    goes_on = state.split_discards[seat] & 1 == 1
    state.split_discards[seat] >>= 1
    if state.discards_ahead[seat] > 0:
        state.discards_ahead[seat] -= 1
    elif state.late_discards[seat] > 0:
        state.late_discards[seat] -= 1
    over = table.hand_count(state, seat) > rules.hand_size
    comes_again = state.phase == Phase.COME_DOWN and state.late_discards[seat] > 0
    if not (goes_on or comes_again or (over and gives_later(state, rules, seat))):
        state.pending &= ~(1 << seat)


def replaces(state: State, rules: Rules, action: AnyAction) -> bool:
    """Is this, before the seat draws, another discard in the place of the one before (O22)?"""
    seat = action.seat
    if not rules.discard_changeable or not state.laid_off >> seat & 1 or state.filled >> seat & 1:
        return False
    lacks = table.cannot_hold(state, rules, seat, action.cards, action.size)
    if action.cards & state.discarded[seat] or lacks:
        return True
    if state.phase == Phase.DISCARD:
        return not state.pending >> seat & 1
    return table.hand_count(state, seat) <= rules.hand_size


def take_back(state: State, seat: int) -> None:
    """Take up again what was laid off."""
    count = state.discarded_unknown[seat] + state.discarded[seat].bit_count()
    table.pick_up(state, seat, state.discarded[seat], count)
    state.discarded[seat] = 0
    state.discarded_unknown[seat] = 0


def discards_due(state: State, rules: Rules) -> int:
    """Return the seats that have to lay something off, or may for all is known, or are shown to."""
    due = 0
    for seat in range(rules.seats):
        legal = legal_discard(state, rules, seat, 0)
        ahead = state.discards_ahead[seat] + state.late_discards[seat]
        shown = ahead > 0 or state.unknown[seat] == 0
        if legal.least > 0 or (legal.most > 0 and shown):
            due |= 1 << seat
    return (due | state.fold_due & state.folds_ahead) & ~state.folded


def must_lay_off(state: State, rules: Rules, seat: int) -> bool:
    """Is the seat waited for: it has to lay off, or is shown to, or gives its surplus away?"""
    if not state.pending >> seat & 1:
        return False
    leaves = state.folds_ahead >> seat & 1 == 1
    if leaves or state.discards_ahead[seat] > 0 or gives_later(state, rules, seat):
        return True
    if state.robs_first and seat == state.dealer:
        return False
    if state.fold_due >> seat & 1:
        # A player who does not fold although they must is found when they play.
        return state.will_play[seat] == 0 and state.hidden_plays[seat] == 0
    begun = state.laid_off >> seat & 1 == 1
    return not begun and legal_discard(state, rules, seat, 0).least > 0


def come_downs_due(state: State, rules: Rules) -> int:
    """Return the seats that have to come down to the hand size, or may have to, or lay off late."""
    return sum(
        1 << seat
        for seat in range(rules.seats)
        if state.late_discards[seat] > 0
        or (comes_down(state, rules, seat) and legal_come_down(state, rules, seat, 0).most > 0)
    )


def count_discards(state: State, rules: Rules) -> None:
    """Credit the points of discarded cards that a side scores, when play begins (S18)."""
    trump = table.named_trump(state)
    points = rules.point_cards[trump]
    if rules.high_low == policies.HighLow.IN_PLAY and trump != NO_TRUMPS:
        # The highest and the lowest trump in play have the points of ace and two (C15).
        points &= ~(1 << scoring.ace_of(trump) | 1 << scoring.two_of(trump))
    for seat in range(rules.seats):
        for card in highest_first(state.discarded[seat] & points):
            side = scorer_of_discard(state, rules, seat, card)
            if side >= 0:
                state.credited |= 1 << card
                state.discard_points[side] += rules.points[trump][card]


def scorer_of_discard(state: State, rules: Rules, seat: int, card: int) -> int:
    """Return the side that scores a point card laid off by ``seat`` (C11, S61), -1 for nobody."""
    own = table.side_of(rules, seat)
    low = card == rules.low_card[table.named_trump(state)] and rules.low_to != policies.LowTo.WINNER
    if low and rules.surplus == Surplus.DISCARD_THEN_BURY:
        return -1
    if rules.discarded_points == policies.DiscardedPoints.OPPONENTS:
        return 1 - own
    if rules.discarded_points == policies.DiscardedPoints.MAKERS and own != table.side_of(
        rules, state.maker
    ):
        return table.side_of(rules, state.maker)
    return -1


def missing_cards(state: State, rules: Rules) -> int:
    """Return the trumps of which the record leaves open whether they lie where they must not."""
    cards = state.doubt_cards
    may_lie_off = table.laid_off_unknown(state, rules) > 0 and (
        rules.discard != Discard.ANY or rules.discarded_points != policies.DiscardedPoints.NOBODY
    )
    searched = rules.rob == Rob.ALL_TRUMPS or table.takes_whole_stock(rules)
    searched |= rules.rob_keeps_points == 1
    left = state.stock_size - state.stock_next
    may_lie_in_stock = left > 0 and (searched or rules.surplus_shown == 1)
    if may_lie_off or may_lie_in_stock:
        cards |= rules.trump_cards[table.named_trump(state)]
    return cards & ~(state.seen | state.shown | table.known_elsewhere(state, rules))


# --- Giving surplus trumps to the partner


def legal_give(state: State, rules: Rules, seat: int, named: int) -> Legal:
    """The trumps beyond the hand size, or the point cards beyond it (S71, S66).

    Blanks may be laid off instead, before the gift or after it. Point cards may not: those beyond
    the hand size are given, and no more of them than the partner may hold. ``named`` are cards the
    seat names out of those the record did not know.
    """
    trump = table.named_trump(state)
    held = state.holding[seat] | named
    given = held & rules.trump_cards[trump]
    points = given & rules.point_cards[trump]
    gone = state.discarded[seat] & rules.trump_cards[trump] & ~rules.point_cards[trump]
    if gives_points_only(state, rules):
        given, gone = points, 0
    count = table.hand_count(state, seat)
    hidden = count - held.bit_count()
    over = given.bit_count() + gone.bit_count() - rules.hand_size
    most = min(over + hidden, count - rules.hand_size)
    floor = max(0, points.bit_count() - rules.hand_size)
    # No more than a hand holds (S71).
    partners = state.holding[table.partner_of(rules, seat)] & rules.point_cards[trump]
    limit = max(0, rules.hand_size - partners.bit_count())
    if not may_give(state, rules, seat) or most <= 0 or floor > limit + hidden:
        return Legal(0)
    leaves_a_hand = has_laid_off(state, seat) and not gives_after_discard(rules)
    least = most if leaves_a_hand else max(1, floor)
    return Legal(1 << Verb.GIVE, 0, given, least, most, points, floor, limit)


def has_laid_off(state: State, seat: int) -> bool:
    """Is the seat through with laying off?"""
    return state.laid_off >> seat & 1 == 1 and state.discards_ahead[seat] == 0


def gives_points_only(state: State, rules: Rules) -> bool:
    """Are only points given: down to size, plain cards first, or by a dealer (S66, S76)?"""
    return rules.discard == Discard.TO_SIZE or state.phase == Phase.DEALER_GIVE


def may_give(state: State, rules: Rules, seat: int) -> bool:
    """May the seat give: before its partner lays off, once, one way (S71), or robbed ones (S76)?"""
    if rules.surplus != Surplus.TO_PARTNER:
        return False
    if state.phase == Phase.DEALER_GIVE:
        return seat == state.dealer and rules.rob != Rob.NOTHING
    partner = table.partner_of(rules, seat)
    if state.gave & (1 << seat | 1 << partner):
        return False
    if gives_after_discard(rules):
        waits = must_lay_off(state, rules, seat) or must_lay_off(state, rules, partner)
        return state.phase == Phase.GIVE or not waits
    return not state.laid_off >> partner & 1


def give_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with giving cards that are held to the partner."""
    legal = legal_give(state, rules, action.seat, action.cards)
    if not legal.verbs or action.cards & ~legal.may:
        return Fault.GIVE_NOT_ALLOWED
    if not legal.least <= action.size <= legal.most:
        return Fault.GIVE_COUNT
    points = (action.cards & legal.limited).bit_count()
    unnamed = action.size - action.cards.bit_count()
    return Fault.GIVE_NOT_ALLOWED if not legal.floor - unnamed <= points <= legal.limit else 0


def do_give(state: State, rules: Rules, action: AnyAction) -> None:
    """Hand the cards over; who has laid off and now holds too many has to lay off again."""
    seat = action.seat
    partner = table.partner_of(rules, seat)
    given = table.lay_down(state, rules, seat, action.cards, action.size)
    table.pick_up(state, partner, given, action.size)
    state.gave |= 1 << seat
    state.late_gift = 0 if state.phase == Phase.DEALER_GIVE else state.late_gift
    state.gifts_ahead &= ~(1 << seat)
    if has_laid_off(state, seat) or table.hand_count(state, seat) <= rules.hand_size:
        state.pending &= ~(1 << seat)
    if state.phase == Phase.DISCARD and table.hand_count(state, partner) > rules.hand_size:
        state.pending |= 1 << partner


def gives_due(state: State, rules: Rules) -> int:
    """Return the seats that may give now."""
    return sum(
        1 << seat
        for seat in range(rules.seats)
        if state.unknown[seat] == 0 and legal_give(state, rules, seat, 0).verbs
    )


# --- Folding


def must_fold(state: State, rules: Rules, seat: int) -> bool:
    """Must the seat fold: it has no trump, or has given them away (S59)?"""
    if rules.fold == policies.Fold.NEVER or (state.folded | state.laid_off) >> seat & 1:
        return False
    trumps = rules.trump_cards[table.named_trump(state)]
    if state.holding[seat] & trumps:
        return False
    if state.unknown[seat] == 0 or state.gave >> seat & 1:
        return True
    return trumps & ~table.known_elsewhere(state, rules) == 0


def few_trumps(state: State, rules: Rules, trumps: int) -> bool:
    """Are these few enough to give away: one, or two with the two (9.give), or any two (O80)?"""
    count = trumps.bit_count()
    low = rules.low_card[table.named_trump(state)]
    any_two = rules.fold == policies.Fold.WITH_ONE_OR_TWO or (low >= 0 and trumps >> low & 1 == 1)
    return count == 1 or (count == 2 and any_two)


def may_leave(state: State, rules: Rules, seat: int) -> bool:
    """May the seat give its trumps and fold: no maker, nor one whose partner has gone (S59)?"""
    partner = table.partner_of(rules, seat)
    gone = state.folded | state.laid_off | state.gave
    if rules.fold == policies.Fold.NEVER or seat == state.maker or state.laid_off >> seat & 1:
        return False
    return not gone >> partner & 1


def legal_leave(state: State, rules: Rules, seat: int) -> Legal:
    """What a seat gives to the partner before it folds: all its trumps (S59)."""
    trumps = state.holding[seat] & rules.trump_cards[table.named_trump(state)]
    if not may_leave(state, rules, seat) or not few_trumps(state, rules, trumps):
        return Legal(0)
    count = trumps.bit_count()
    return Legal(1 << Verb.GIVE, trumps, trumps, count, count)


def leave_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with giving trumps that are held to the partner to fold."""
    seat = action.seat
    trumps = (state.holding[seat] | action.cards) & rules.trump_cards[table.named_trump(state)]
    plain = action.cards & ~trumps
    possible = trumps == 0 or few_trumps(state, rules, trumps)
    if not may_leave(state, rules, seat) or plain or action.size > 2 or not possible:
        return Fault.GIVE_NOT_ALLOWED
    hidden = action.size - action.cards.bit_count()
    if (trumps & ~action.cards).bit_count() > hidden:
        return Fault.GIVE_COUNT
    # Beside all the trumps of a hand that is known, a card not named can only be plain.
    extra = trumps.bit_count() + state.unknown[seat] < action.size
    return Fault.GIVE_NOT_ALLOWED if extra else 0


def fold(state: State, rules: Rules, action: AnyAction) -> int:
    """Carry out folding; return what is wrong with it."""
    seat = action.seat
    if rules.fold == policies.Fold.NEVER or (state.folded | state.laid_off) >> seat & 1:
        return Fault.NOT_NOW
    trumps = state.holding[seat] & rules.trump_cards[table.named_trump(state)]
    do_fold(state, rules, seat)
    return Fault.FOLD_WITH_TRUMPS if trumps else 0


def do_fold(state: State, rules: Rules, seat: int) -> None:
    """The seat lays its cards down; were some of them unknown, one may have been a trump."""
    if state.unknown[seat] and not state.gave >> seat & 1:
        state.doubt_cards |= rules.trump_cards[table.named_trump(state)]
    state.discarded[seat] |= state.holding[seat]
    state.discarded_unknown[seat] += state.unknown[seat]
    state.holding[seat] = 0
    state.unknown[seat] = 0
    state.folded |= 1 << seat
    state.pending &= ~(1 << seat)
    state.fold_due &= ~(1 << seat)
    state.folds_ahead &= ~(1 << seat)


def close_folding(state: State, rules: Rules) -> None:
    """Others go on: who had to fold is out, unless shown to play on, which is found there."""
    for seat in range(rules.seats):
        if must_fold(state, rules, seat):
            plays_on = state.discards_ahead[seat] + state.hidden_plays[seat] > 0
            folds_later = state.folds_ahead >> seat & 1 == 1
            if plays_on or folds_later or state.will_play[seat]:
                state.fold_due |= 1 << seat
            else:
                do_fold(state, rules, seat)
