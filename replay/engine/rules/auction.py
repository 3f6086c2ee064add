"""The auction, and what its winner does then: naming trumps, taking the kitty.

Two may bid against each other until one of them passes. In a duel they are the first two players,
and partners stand in for them: in the order of calls P1 sits after the dealer, P2 is the dealer's
partner, P3 the partner of P1, P4 the dealer. In a challenge the next in turn takes over: of those
who have not passed, the first in turn is the holder and the next one the challenger, who has to go
over the standing bid; the holder may be allowed to hold it.

Sources: 0.auction, 1.auction, 2.auction, 4.auction to 6.auction, 8.auction, 11.auction, 14.auction,
16.auction, 17.auction, 17.players; O58, O60, O65, O67 to O70, O77, O78, O82, S05, S10, S16, S30,
S37, S51, S52, S69, S78, S79, S85, S96, S100, S104.
"""

from tricklog.core.engine import policies
from tricklog.core.engine.faults import Fault
from tricklog.core.engine.records import NO_TRUMPS, Rules, State
from tricklog.core.engine.rules import table
from tricklog.core.engine.rules.table import Legal
from tricklog.schemas import actions
from tricklog.schemas.actions import Verb
from tricklog.schemas.scan.actions import AnyAction

CALLS = 1 << Verb.BID | 1 << Verb.PASS | 1 << Verb.DITTO
FOUR_SUITS = 0b1111
_ACE_KING_TWO = 1 << 12 | 1 << 11 | 1
"""Ace, king and two of the first suit."""


def first_caller(state: State, rules: Rules) -> int:
    """The seat after the dealer speaks first, or the dealer (O34)."""
    if rules.first_caller == policies.FirstCaller.DEALER:
        return state.dealer
    return table.next_to_call(rules, state.dealer)


def last_caller(state: State, rules: Rules) -> int:
    """Return the seat that speaks last: the dealer, or the one before a dealer who begins (S85)."""
    return (first_caller(state, rules) - rules.call_step) % rules.seats


def throws_in(rules: Rules) -> bool:
    """Is a deal on which nobody bids thrown in?"""
    return rules.all_pass in (policies.AllPass.THROWN_IN, policies.AllPass.THROWN_IN_BY_ALL)


def forces_a_bid(rules: Rules) -> bool:
    """Has somebody to bid: when all others have passed, or before all others (O78)?"""
    return not throws_in(rules) and rules.all_pass != policies.AllPass.NO_CONTRACT


def forced_caller(state: State, rules: Rules) -> int:
    """Return who has to bid when nobody else does: the last to speak, or the first (O70, O78)."""
    if rules.all_pass in (policies.AllPass.FIRST_FORCED, policies.AllPass.FIRST_OPENS):
        return first_caller(state, rules)
    return last_caller(state, rules)


def is_forced(state: State, rules: Rules, seat: int) -> bool:
    """Has this seat to bid: to open (O78), or since all others have passed (1.auction, S85)?"""
    if state.high_bid or not forces_a_bid(rules) or seat != forced_caller(state, rules):
        return False
    others = table.all_seats(rules) & ~(1 << seat)
    return rules.all_pass == policies.AllPass.FIRST_OPENS or state.passed & others == others


def legal_call(state: State, rules: Rules, seat: int) -> Legal:
    """A seat may pass, bid over the standing bid, or hold it where the rules let it (0.auction)."""
    special = special_bid(state, rules, seat)
    if is_forced(state, rules, seat):
        low, high, top = rules.forced_bid, forced_most(rules), forced_top(rules)
        return Legal(1 << Verb.BID, low=low, high=high, top=top, special=special)
    verbs = 1 << Verb.PASS | (1 << Verb.DITTO if may_ditto(state, rules, seat) else 0)
    low = lowest_bid(state, rules, seat)
    if low <= rules.max_bid:
        return Legal(verbs | 1 << Verb.BID, low=low, high=rules.max_bid, special=special)
    return Legal(verbs | 1 << Verb.BID if special else verbs, special=special)


def leaves_a_choice(options: Legal) -> bool:
    """Is there more than one legal call? Who may call tenny out of turn may keep silent."""
    if options.verbs == 1 << Verb.TENNY:
        return True
    calls = (options.verbs & ~(1 << Verb.BID)).bit_count()
    calls += options.high - options.low + 1 if options.low else 0
    return calls + (options.top > 0) + (options.special > 0) > 1


def forced_most(rules: Rules) -> int:
    """Return up to which number a forced bidder may go: the forced bid, or any (O65, O78)."""
    any_number = rules.all_pass in (policies.AllPass.DEALER_AT_LEAST, policies.AllPass.FIRST_OPENS)
    return rules.max_bid if any_number else rules.forced_bid


def forced_top(rules: Rules) -> int:
    """Return the number, for a slam (S10), that a forced bidder may choose besides; 0 for none."""
    if rules.slam == policies.Slam.NOTHING_EXTRA or forced_most(rules) == rules.max_bid:
        return 0
    return rules.max_bid


def lowest_bid(state: State, rules: Rules, seat: int) -> int:
    """Return the lowest number a seat may bid, which may be too high a number to bid."""
    if may_equal(state, rules, seat):
        return state.high_bid
    return max(rules.min_bid, state.high_bid + 1)


def may_equal(state: State, rules: Rules, seat: int) -> bool:
    """May the seat take the auction with the number of another (5.auction, 6.auction, S30, S37)?"""
    if not rules.min_bid <= state.high_bid <= rules.max_bid or state.holders >> seat & 1:
        return False
    at_maximum = state.high_bid == rules.max_bid
    if rules.equal_bid == policies.EqualBid.DEALER:
        return seat == state.dealer
    if rules.equal_bid == policies.EqualBid.DEALER_AT_MAXIMUM:
        return seat == state.dealer and at_maximum
    if rules.equal_bid == policies.EqualBid.ANYONE_AT_MAXIMUM:
        return at_maximum
    return rules.equal_bid == policies.EqualBid.ANYONE


def may_ditto(state: State, rules: Rules, seat: int) -> bool:
    """May the seat hold the number that stands by saying ditto: not after a ditto (O54, S96)?

    In a duel only the first side may, and only against the other (O58). Of two who bid against
    each other it may be only the one who comes first in turn (O68).
    """
    if state.maker < 0 or state.high_bid > actions.MAX_BID:
        return False
    if state.holders >> seat & 1 or state.holders & (state.holders - 1):
        return False
    if rules.ditto == policies.Ditto.FIRST_SIDE:
        answers = not in_first_side(state, rules, state.maker)
        return answers and in_first_side(state, rules, seat)
    if rules.ditto == policies.Ditto.HOLDER:
        return seat == holder(state, rules)
    return rules.ditto == policies.Ditto.ANYONE


def special_amount(rules: Rules) -> int:
    """Return the bid above all numbers that this game has, 0 for none (O04, 11.auction)."""
    if rules.special_bid == policies.SpecialBid.DEALER_28_56:
        return actions.BID_28_56
    return (
        actions.BID_DOUBLE + rules.max_bid if rules.special_bid == policies.SpecialBid.DOUBLE else 0
    )


def special_bid(state: State, rules: Rules, seat: int) -> int:
    """Return the bid above all numbers that the seat may make now (S16, S69), 0 for none."""
    amount = special_amount(rules)
    lacks = amount == actions.BID_28_56 and suits_of_28_56(state, rules, seat) == 0
    return 0 if lacks or amount <= state.high_bid else amount


def suits_of_28_56(state: State, rules: Rules, seat: int) -> int:
    """Return the suits of which a dealer may have been dealt ace, king and two (O04)."""
    if seat != state.dealer:
        return 0
    return sum(
        1 << suit
        for suit in range(4)
        if table.may_hold_all(state, rules, seat, _ACE_KING_TWO << 13 * suit & ~state.holding[seat])
    )


def call_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with a call."""
    seat = action.seat
    if corrects(state, action):
        return 0 if action.verb == Verb.PASS else bid_faults(state, rules, seat, action.amount)
    spoken = second_call_faults(state, rules, action)
    if spoken:
        return spoken
    in_time = seat == state.turn or state.owed >> seat & 1
    faults = 0 if in_time else Fault.BID_OUT_OF_TURN
    if action.verb == Verb.BID:
        return faults | bid_faults(state, rules, seat, action.amount)
    if action.verb == Verb.DITTO:
        return faults if may_ditto(state, rules, seat) else faults | Fault.DITTO_NOT_ALLOWED
    return faults | (Fault.DEALER_MUST_BID if is_forced(state, rules, seat) else 0)


def second_call_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with a call of somebody who has called, or passed, for good."""
    seat = action.seat
    if rules.auction == policies.Auction.ONE_TURN:
        return Fault.SPOKE_TWICE if state.spoken >> seat & 1 else 0
    if not passes_are_final(rules) or not state.passed >> seat & 1:
        return 0
    return Fault.PASS_AFTER_PASS if action.verb == Verb.PASS else Fault.BID_AFTER_PASS


def passes_are_final(rules: Rules) -> bool:
    """Is a player who has passed out of the auction (8.auction, O58, O68, S78)?"""
    return rules.pass_final == 1 or rules.auction in (
        policies.Auction.DUEL,
        policies.Auction.CHALLENGE,
    )


def bid_faults(state: State, rules: Rules, seat: int, amount: int) -> int:
    """What is wrong with the number bid."""
    special = amount > actions.MAX_BID
    if special and amount != special_amount(rules):
        return Fault.BID_UNKNOWN
    if not goes_over(state, rules, seat, amount):
        return Fault.BID_NOT_HIGHER
    if special:
        return 0 if amount == special_bid(state, rules, seat) else Fault.BID_NOT_ALLOWED
    if is_forced(state, rules, seat):
        right = rules.forced_bid <= amount <= forced_most(rules) or amount == forced_top(rules)
        return 0 if right else Fault.FORCED_BID_WRONG
    if amount < rules.min_bid:
        return Fault.BID_TOO_LOW
    return Fault.BID_TOO_HIGH if amount > rules.max_bid else 0


def do_call(state: State, rules: Rules, action: AnyAction) -> None:
    """Enter a call as recorded, one that goes over none like a pass, and pass the turn on."""
    seat = action.seat
    corrected = corrects(state, action)
    if corrected:
        take_back(state, rules)
    if seat == state.low_caller:
        state.low_caller = -1
    if action.verb == Verb.PASS:
        enter_pass(state, seat)
    elif action.verb == Verb.BID and not goes_over(state, rules, seat, action.amount):
        call_too_low(state, action)
    else:
        enter_bid(state, rules, action)
    state.spoken |= 1 << seat
    if rules.auction == policies.Auction.DUEL:
        answer_turn(state, seat, next_caller(state, rules))
    elif rules.auction == policies.Auction.CHALLENGE:
        answer_turn(state, seat, next_in_challenge(state, rules))
    elif not corrected or state.phase != policies.Phase.AUCTION:
        through = state.passed if rules.pass_final else 0
        through = state.spoken if rules.auction == policies.Auction.ONE_TURN else through
        pass_turn(state, rules, seat, table.all_seats(rules) & ~through, rules.call_step)
    nobody = state.maker < 0 and state.passed == table.all_seats(rules)
    if nobody and forces_a_bid(rules):
        # The first speaker (O70), or who passed before their turn though it is for them to bid.
        bound = forced_caller(state, rules)
        state.passed &= ~(1 << bound)
        state.spoken &= ~(1 << bound)
        state.turn = bound


def goes_over(state: State, rules: Rules, seat: int, amount: int) -> bool:
    """Does a bid go over the standing one, or take the auction with the same number?"""
    equal = amount == state.high_bid
    return amount > state.high_bid or (equal and may_equal(state, rules, seat))


def corrects(state: State, action: AnyAction) -> bool:
    """Does somebody call once more, before it is their turn, after a bid that went over none?"""
    called_low = action.seat == state.low_caller and action.seat != state.turn
    return called_low and action.verb in (Verb.PASS, Verb.BID)


def answers_low_call(state: State, rules: Rules, action: AnyAction) -> bool:
    """Does who holds the standing bid speak again after a low one, so that the table took it?"""
    speaks = action.verb in (Verb.PASS, Verb.BID) and rules.auction != policies.Auction.ONE_TURN
    called_low = state.low_caller >= 0 and state.low_caller != state.maker
    return speaks and called_low and action.seat == state.maker


def goes_on(state: State, rules: Rules, action: AnyAction) -> bool:
    """Does an auction go on that a bid too low, entered like a pass, has ended?"""
    return corrects(state, action) or answers_low_call(state, rules, action)


def let_low_call_stand(state: State, rules: Rules) -> None:
    """Take the bid that went over none for the standing one; who bid before answers it."""
    state.turn = state.maker
    state.passes = (state.maker - state.low_caller) * rules.call_step % rules.seats - 1
    settle_low_call(state, state.low_caller)
    state.passed &= ~(1 << state.maker)


def take_back(state: State, rules: Rules) -> None:
    """Take back the call that went over no bid; the turn goes on where it was, or is theirs."""
    seat = state.low_caller
    state.passed &= ~(1 << seat)
    state.spoken &= ~(1 << seat)
    if state.passes:
        state.passes -= 1
    answers = rules.auction in (policies.Auction.DUEL, policies.Auction.CHALLENGE)
    if answers or state.phase != policies.Phase.AUCTION:
        state.turn = seat


def settle_low_call(state: State, namer: int) -> None:
    """Let a call that went over no bid win, where who made it goes on as maker (0.auction)."""
    if namer == state.low_caller:
        state.maker = namer
        state.high_bid = state.low_bid
        state.holders = 1 << namer
        state.bid_suits = 0
        state.forced = 0
    state.low_caller = -1


def enter_pass(state: State, seat: int) -> None:
    """Enter a pass."""
    state.passed |= 1 << seat
    state.passes += 1


def call_too_low(state: State, action: AnyAction) -> None:
    """Enter a bid that goes over none like a pass, as long as nothing shows that it was taken."""
    enter_pass(state, action.seat)
    state.low_caller = action.seat
    state.low_bid = action.amount


def enter_bid(state: State, rules: Rules, action: AnyAction) -> None:
    """Enter a number, a special bid or a ditto: the auction is that seat's for now."""
    seat = action.seat
    state.forced = 1 if is_forced(state, rules, seat) else 0
    if action.verb == Verb.BID:
        special = action.amount == actions.BID_28_56
        state.bid_suits = suits_of_28_56(state, rules, seat) if special else 0
        if action.amount != state.high_bid:
            state.holders = 0
        state.high_bid = action.amount
    state.holders |= 1 << seat
    state.maker = seat
    state.passes = 0


def pass_turn(state: State, rules: Rules, seat: int, waiting: int, step: int) -> None:
    """Pass the turn on by ``step`` after ``seat`` has acted, ``waiting`` being who still may.

    A seat that was skipped is owed its turn: it may act late without being at fault itself, so
    that one player's haste is one finding.
    """
    if state.turn == seat and not state.owed:
        # Nobody was skipped: what follows comes to the same, but takes twice as long.
        following = (seat + step) % rules.seats
        if not waiting >> following & 1:
            following = table.next_by(rules, waiting & ~(1 << seat), seat, step)
        state.turn = following if following >= 0 else seat
        return
    if state.owed >> seat & 1:
        state.owed &= ~(1 << seat)
    else:
        passed_over = state.turn
        while passed_over >= 0 and passed_over != seat:
            if waiting >> passed_over & 1:
                state.owed |= 1 << passed_over
            passed_over = (passed_over + step) % rules.seats
        state.turn = seat
    state.owed &= waiting
    in_time = waiting & ~state.owed
    start = state.turn
    if in_time >> start & 1 and start != seat:
        return
    following = table.next_by(rules, in_time & ~(1 << seat), start, step)
    if following < 0:
        following = table.next_by(rules, waiting & ~(1 << seat), start, step)
    state.turn = following if following >= 0 else start


def auction_over(state: State, rules: Rules) -> bool:
    """Is the auction over: all have spoken, or passed (S05, S52, S78), or at the top bid (O67)?"""
    everybody = table.all_seats(rules)
    if is_passed_out(state, rules):
        return True
    if rules.top_bid == policies.TopBid.ENDS and state.high_bid == max(
        rules.max_bid, special_amount(rules)
    ):
        return True
    if rules.auction == policies.Auction.ONE_TURN:
        return state.spoken == everybody
    if rules.auction == policies.Auction.DUEL:
        # Three passes end it, unless with no bid until then somebody is forced to speak (O60).
        last_speaks = forces_a_bid(rules) or rules.all_pass == policies.AllPass.THROWN_IN_BY_ALL
        speaks_on = state.maker < 0 and last_speaks
        return not speaks_on and state.passed.bit_count() >= rules.seats - 1
    if state.maker < 0:
        return state.passed == everybody
    if state.forced and rules.all_pass != policies.AllPass.FIRST_OPENS:
        return True
    if passes_are_final(rules):
        return state.passed | 1 << state.maker == everybody
    return state.passes >= rules.seats - 1


def is_passed_out(state: State, rules: Rules) -> bool:
    """Have so many passed that the deal is thrown in, and nobody may bid any more?

    Where trumps are secret all but the last to speak are enough (O60, S104), elsewhere they may
    still bid (S52), and everywhere where the rules say so (O77).
    """
    if state.maker >= 0 or not throws_in(rules):
        return False
    enough = (
        rules.trump_call == policies.TrumpCall.SECRET
        and rules.all_pass == policies.AllPass.THROWN_IN
    )
    return state.passed.bit_count() >= (rules.seats - 1 if enough else rules.seats)


# --- Naming trumps


def legal_trump(state: State, rules: Rules) -> Legal:
    """The maker may name any suit (S03), but after 28-56 one with ace, king and two in hand (O04).

    Without any such suit the bid is at fault and not the naming. A suit that the first card led
    names is one in hand (O82).
    """
    return Legal(1 << Verb.TRUMP, trumps=suits_to_name(state, rules) or trumps_there_are(rules))


def suits_to_name(state: State, rules: Rules) -> int:
    """Return the suits, a bit mask, of which one has to be named; 0 when any may be."""
    if state.bid_suits or rules.first_lead != policies.FirstLead.NAMES_TRUMP or state.maker < 0:
        return state.bid_suits
    held, unknown = state.holding[state.maker], state.unknown[state.maker]
    suits = rules.suit_cards[NO_TRUMPS]
    return sum(1 << suit for suit in range(4) if unknown or held & suits[suit])


def is_unfit(state: State, rules: Rules, suit: int) -> bool:
    """Is this a suit that the maker may not name: not bid on with 28-56, not in hand (S16, O82)?"""
    suits = suits_to_name(state, rules)
    return suits != 0 and 0 <= suit <= 3 and not suits >> suit & 1


def is_uncertain(state: State, suit: int) -> bool:
    """Was 28-56 bid on cards of the suit named that the record leaves open?"""
    if not state.bid_suits or not 0 <= suit <= 3:
        return False
    return _ACE_KING_TWO << 13 * suit & ~state.holding[state.maker] != 0


def trumps_there_are(rules: Rules) -> int:
    """Return the trumps a maker may choose, bits by code: suits, and what the options add."""
    codes = FOUR_SUITS
    if rules.no_trump != policies.NoTrump.NEVER:
        codes |= 1 << actions.NO_TRUMP
    if rules.no_trump == policies.NoTrump.COLOURS or rules.twos == policies.Twos.NO_TRUMP_REVERSED:
        codes |= 1 << actions.NO_TRUMP_REVERSED
    if rules.twos == policies.Twos.SUIT_REVERSED:
        codes |= FOUR_SUITS << actions.SUIT_REVERSED
    if rules.seventh_card:
        codes |= 1 << actions.SEVENTH_CARD
    return codes


def trumps_to_show(rules: Rules) -> int:
    """Return the trumps that can come to light, bits by code: the seventh card shows a suit."""
    return trumps_there_are(rules) & ~(1 << actions.SEVENTH_CARD)


def trump_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with naming trumps; the suit may be one the maker does not hold (S03)."""
    if action.amount >= 0 and not trumps_there_are(rules) >> action.amount & 1:
        return Fault.TRUMP_UNKNOWN
    if action.amount < 0 and rules.trump_call == policies.TrumpCall.OPEN:
        return Fault.TRUMP_NOT_RECORDED
    return 0 if action.seat in (state.maker, state.low_caller) else Fault.TRUMP_BY_OTHER


def set_trump(state: State, code: int) -> None:
    """Take a code apart: the suit, or none, and whether ranks are reversed (O37 to O40)."""
    state.trump = suit_of(code)
    turned = actions.SUIT_REVERSED <= code < actions.SEVENTH_CARD
    state.reversed = 1 if turned or code == actions.NO_TRUMP_REVERSED else 0


def suit_of(code: int) -> int:
    """Return the trump suit a code names, ``NO_TRUMPS``, or below 0 when it does not say."""
    if code in (actions.NO_TRUMP, actions.NO_TRUMP_REVERSED):
        return NO_TRUMPS
    if code == actions.SEVENTH_CARD:
        return actions.TRUMP_HIDDEN
    return code - actions.SUIT_REVERSED if code >= actions.SUIT_REVERSED else code


def do_name(state: State, code: int) -> None:
    """Enter the trumps chosen; what the seventh card is comes to light later (O41)."""
    set_trump(state, code)
    state.seventh_called = 1 if code == actions.SEVENTH_CARD else 0


# --- The kitty


def legal_kitty(state: State) -> Legal:
    """The maker takes the whole kitty."""
    size = state.kitty.bit_count() + state.kitty_unknown
    return Legal(1 << Verb.KITTY, state.kitty, state.kitty, size, size)


def take_kitty(state: State, rules: Rules, action: AnyAction) -> int:
    """Move the kitty to the hand of the seat that takes it; return what is wrong with that."""
    strange = action.cards & ~state.kitty
    impossible = ~rules.pack | table.known_elsewhere(state, rules)
    if strange.bit_count() > state.kitty_unknown or strange & impossible:
        return Fault.CARD_NOT_IN_KITTY
    faults = 0 if action.seat in (state.maker, state.low_caller) else Fault.KITTY_BY_OTHER
    count = legal_kitty(state).least
    if action.size != count:
        faults |= Fault.KITTY_COUNT
    settle_low_call(state, action.seat)
    table.pick_up(state, action.seat, action.cards | state.kitty, count)
    state.kitty = 0
    state.kitty_unknown = 0
    return faults


# --- Between two, who bid against each other until one of them passes


def in_first_side(state: State, rules: Rules, seat: int) -> bool:
    """Does the seat belong to the side that opens the auction?"""
    opener = table.next_to_call(rules, state.dealer)
    return table.side_of(rules, seat) == table.side_of(rules, opener)


def speaker_for(state: State, rules: Rules, seat: int) -> int:
    """Return who speaks for a side: ``seat`` until it passes, then its partner, then -1."""
    if not state.passed >> seat & 1:
        return seat
    partner = table.partner_of(rules, seat)
    return -1 if state.passed >> partner & 1 else partner


def next_caller(state: State, rules: Rules) -> int:
    """Return who speaks next, -1 when nobody is left to.

    The side that does not hold the standing bid answers it, each side through its first player
    until they pass. Once both of a side have passed, the partners of the other are left (S100).
    """
    first = table.next_to_call(rules, state.dealer)
    second = table.next_to_call(rules, first)
    if state.maker < 0:
        opening = speaker_for(state, rules, first)
        return opening if opening >= 0 else speaker_for(state, rules, second)
    opponent = second if in_first_side(state, rules, state.maker) else first
    answering = speaker_for(state, rules, opponent)
    if answering >= 0:
        return answering
    return speaker_for(state, rules, table.partner_of(rules, state.maker))


def holder(state: State, rules: Rules) -> int:
    """Return the first in turn who has not passed; -1 for nobody."""
    left = table.all_seats(rules) & ~state.passed
    return table.next_by(rules, left, last_caller(state, rules), rules.call_step)


def next_in_challenge(state: State, rules: Rules) -> int:
    """Return who speaks next, -1 for nobody: the holder opens; holder and challenger answer."""
    holding = holder(state, rules)
    if holding != state.maker or holding < 0:
        return holding
    left = table.all_seats(rules) & ~(state.passed | 1 << holding)
    return table.next_by(rules, left, holding, rules.call_step)


def answer_turn(state: State, seat: int, following: int) -> None:
    """Give the turn to ``following``; a seat that was skipped may still call late."""
    if seat != state.turn and not state.owed >> seat & 1:
        state.owed |= 1 << state.turn
    state.turn = following
    waiting = ~(state.passed | 1 << seat)
    if state.turn >= 0:
        waiting &= ~(1 << state.turn)
    state.owed &= waiting
