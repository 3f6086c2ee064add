"""What figures count of a hand, noted where the hand is replayed, in the compiled subset.

One short function a fact: what a player held, called, led, won, lost and declared. ``note_facts``
goes through a replayed hand and puts what they say of a seat into ``SeatFacts``; what they say of a
call or a capture is written into its integer. All that comes after ``hand_replay``, which fills
state, history and result, and changes none of them.

Each function of the codes of the warehouse (``tricklog.schemas.codes``) appends one to ``out``, a
buffer with room enough, from ``at`` on and returns the place after it.

Sources: 0.deal, 1.auction, 1.play, 1.points, 1.trumps, 4.play, 14.ask, 14.auction, 14.points; O65,
O70.
"""

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Final

from tricklog.core.engine.hand_replay import Workspace
from tricklog.core.engine.policies import AllPass, TrumpCall
from tricklog.core.engine.records import NO_TRUMPS, SEATS, Rules, State, lowest_first, union, zeros
from tricklog.core.engine.rules.auction import forces_a_bid, suit_of
from tricklog.core.engine.rules.game_end import Result
from tricklog.core.engine.rules.history import NOBODY, History
from tricklog.core.engine.rules.scoring import RAISES
from tricklog.core.engine.rules.table import side_of
from tricklog.schemas import codes
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import FIVE, HIDDEN, JACK, JOKER, OFF_JACK, RANK_COUNT

NOT_KNOWN: Final = -(1 << 31)
"""In place of a number that the record leaves open."""
NOT_PLAYED: Final = -1
THIRD: Final = 2
"""The place in a trick after which one more player follows, the lead being 0."""
_none_per_seat = zeros(SEATS)


@dataclass(slots=True)
class SeatFacts:
    """What figures count of each seat. Lists have one entry per seat, in the order of the seats.

    The fields are those of column ``seat_facts`` of the warehouse, in the same order. Of a hand
    without an outcome nothing of the play is noted: what was trumps is not known there.
    """

    trumps_held: list[int] = field(default_factory=_none_per_seat)
    points_held: list[int] = field(default_factory=_none_per_seat)
    trump_ranks: list[int] = field(default_factory=_none_per_seat)
    lead_before: list[int] = field(default_factory=_none_per_seat)
    lead_after: list[int] = field(default_factory=_none_per_seat)
    turns: list[int] = field(default_factory=_none_per_seat)
    bids: list[int] = field(default_factory=_none_per_seat)
    leads: list[int] = field(default_factory=_none_per_seat)
    trump_leads: list[int] = field(default_factory=_none_per_seat)
    point_leads: list[int] = field(default_factory=_none_per_seat)
    leads_won: list[int] = field(default_factory=_none_per_seat)
    tricks_won: list[int] = field(default_factory=_none_per_seat)
    point_tricks_won: list[int] = field(default_factory=_none_per_seat)
    trumps_drawn: list[int] = field(default_factory=_none_per_seat)
    cinch_chances: list[int] = field(default_factory=_none_per_seat)
    cinches: list[int] = field(default_factory=_none_per_seat)
    own_points: list[int] = field(default_factory=_none_per_seat)
    asks: list[int] = field(default_factory=_none_per_seat)
    reveals: list[int] = field(default_factory=_none_per_seat)
    pairs: list[int] = field(default_factory=_none_per_seat)
    doubles: list[int] = field(default_factory=_none_per_seat)


def note_facts(
    workspace: Workspace, rules: Rules, facts: SeatFacts, count: int, has_outcome: int
) -> None:
    """Note what ``count`` actions show in new ``facts``; nothing of the play without outcome."""
    maker = workspace.result.maker if has_outcome else NOBODY
    suit = trump_suit(workspace.result) if has_outcome else NO_TRUMPS
    note_holdings(workspace, rules, facts, maker, suit)
    note_calls(workspace, rules, facts)
    note_declared(workspace, facts, count)
    note_standing(workspace, rules, facts, has_outcome)
    if has_outcome:
        note_tricks(workspace, rules, facts, suit)
        # The card points each seat took, in tricks or as the holder of a two.
        history = workspace.history
        for capture in range(history.captures):
            facts.own_points[history.capture_by[capture]] += history.capture_points[capture]


def trump_suit(result: Result) -> int:
    """Return the trump suit of a hand, reversed or not; ``NO_TRUMPS`` where none was named."""
    suit = suit_of(result.trump)
    return suit if result.maker != NOBODY and 0 <= suit < NO_TRUMPS else NO_TRUMPS


# --- What was held during the auction, and how strong that was


def note_holdings(
    workspace: Workspace, rules: Rules, facts: SeatFacts, maker: int, suit: int
) -> None:
    """Note the trumps held in the auction: of the suit the maker named, of others' best suits."""
    for seat in range(rules.seats):
        cards = first_packet(workspace, rules, seat)
        if cards == NOT_KNOWN:
            facts.trumps_held[seat] = facts.points_held[seat] = NOT_KNOWN
            facts.trump_ranks[seat] = NOT_KNOWN
            continue
        named = seat == maker and suit != NO_TRUMPS
        best = suit if named else best_suit(rules, cards)
        facts.trumps_held[seat] = (cards & rules.trump_cards[best]).bit_count()
        facts.points_held[seat] = trump_points_among(rules, best, cards)
        facts.trump_ranks[seat] = trump_ranks_among(rules, best, cards)


def first_packet(workspace: Workspace, rules: Rules, seat: int) -> int:
    """Return the cards a seat was dealt before the auction; ``NOT_KNOWN`` when one is not named."""
    first, cards = workspace.bounds[seat], workspace.cards
    if workspace.bounds[seat + 1] - first < rules.packet:
        return NOT_KNOWN
    if any(cards[index] < 0 for index in range(first, first + rules.packet)):
        return NOT_KNOWN
    return union(1 << cards[index] for index in range(first, first + rules.packet))


def trump_points_among(rules: Rules, suit: int, cards: int) -> int:
    """Return the card points of the trumps in a set of cards when a suit is trumps."""
    scoring = cards & rules.trump_cards[suit] & rules.point_cards[suit]
    return sum(rules.points[suit][card] for card in lowest_first(scoring))


def trump_ranks_among(rules: Rules, suit: int, cards: int) -> int:
    """Return the ranks of the trumps among cards, each at its place in ``cards.TRUMP_RANKS``."""
    trumps = cards & rules.trump_cards[suit]
    return union(1 << rank_of_trump(suit, card) for card in lowest_first(trumps))


def rank_of_trump(suit: int, card: int) -> int:
    """Return the place in ``tricklog.schemas.cards.TRUMP_RANKS`` when a suit is trumps."""
    if card == JOKER:
        return 0
    rank = card % RANK_COUNT
    is_off = card // RANK_COUNT != suit
    if is_off and rank == JACK:
        return OFF_JACK
    # The off five comes right under the five (1.trumps).
    return rank + 1 if rank < FIVE or (is_off and rank == FIVE) else rank + 2


def best_suit(rules: Rules, cards: int) -> int:
    """Return the suit with the most trumps in a set of cards, then with the most points in them."""
    best, most = 0, -1
    for suit in range(NO_TRUMPS):
        trumps = (cards & rules.trump_cards[suit]).bit_count()
        worth = (trumps << 16) + trump_points_among(rules, suit, cards)
        if worth > most:
            best, most = suit, worth
    return best


# --- Who called, and who had to; what was declared, and how the game stands


def note_calls(workspace: Workspace, rules: Rules, facts: SeatFacts) -> None:
    """Note the calls of each seat, but for a bid that all others' passes forced."""
    for call in range(workspace.history.calls):
        facts.turns[caller(workspace, call)] += 1
        facts.bids[caller(workspace, call)] += 1 if is_bid(workspace, call) else 0
    forced = forced_bidder(workspace, rules)
    if forced != NOBODY:
        facts.turns[forced] -= 1
        facts.bids[forced] -= 1


def is_bid(workspace: Workspace, call: int) -> bool:
    """Is a call anything but a pass? Holding a bid and undertaking all tricks are bids, too."""
    return workspace.actions[workspace.history.call_action[call]].verb != Verb.PASS


def caller(workspace: Workspace, call: int) -> int:
    """Return the seat that made a call."""
    return workspace.actions[workspace.history.call_action[call]].seat


def forced_bidder(workspace: Workspace, rules: Rules) -> int:
    """Return the seat whose first bid was forced; ``NOBODY`` without.

    The last to speak has to bid when all others have passed, or the first speaker, who has passed
    as well (O70) or may not (O78). Whatever they bid (O65), it was no choice of theirs to call.
    """
    opening, calls = 0, workspace.history.calls
    while opening < calls and not is_bid(workspace, opening):
        opening += 1
    if opening == calls or not forces_a_bid(rules):
        return NOBODY
    if rules.all_pass == AllPass.FIRST_OPENS:
        return caller(workspace, opening)
    heard = opening if rules.all_pass == AllPass.FIRST_FORCED else opening + 1
    spoken = union(1 << caller(workspace, call) for call in range(heard))
    return caller(workspace, opening) if spoken.bit_count() == rules.seats else NOBODY


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


def note_standing(workspace: Workspace, rules: Rules, facts: SeatFacts, has_outcome: int) -> None:
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
    return scores[side] - max(
        (scores[other] for other in range(rules.side_count) if other != side), default=0
    )


# --- Tricks, by their number among complete ones from 0; of cards not named nothing is said


def note_tricks(workspace: Workspace, rules: Rules, facts: SeatFacts, suit: int) -> None:
    """Note what each seat led, won, drew and cinched."""
    history = workspace.history
    pedros = fives(rules, suit)
    higher = trumps_above(rules, suit, pedros) if pedros else 0
    for trick in range(history.tricks):
        leader, card = leader_of(history, trick), card_led(history, trick)
        winner = history.trick_winner[trick]
        facts.leads[leader] += 1
        facts.trump_leads[leader] += 1 if is_trump(rules, suit, card) else 0
        facts.point_leads[leader] += 1 if card >= 0 and rules.points[suit][card] > 0 else 0
        facts.trumps_drawn[leader] += trumps_drawn(rules, history, suit, trick)
        if winner >= 0:
            facts.leads_won[leader] += 1 if side_of(rules, winner) == side_of(rules, leader) else 0
            facts.tricks_won[winner] += 1
            facts.point_tricks_won[winner] += 1 if history.trick_points[trick] > 0 else 0
        if can_cinch(rules, history, trick, pedros, higher):
            play = history.first_play[trick] + THIRD
            third, card = history.play_seat[play], history.play_card[play]
            facts.cinch_chances[third] += 1
            facts.cinches[third] += 1 if card >= 0 and higher >> card & 1 else 0


def first_play(history: History, trick: int) -> int:
    """Return where the plays of a trick begin; for the number of tricks, where all end."""
    return history.first_play[trick] if trick < history.tricks else history.plays


def leader_of(history: History, trick: int) -> int:
    """Return the seat that led to a trick."""
    return history.play_seat[history.first_play[trick]]


def card_led(history: History, trick: int) -> int:
    """Return the card led to a trick, below 0 when the record does not name it."""
    return history.play_card[history.first_play[trick]]


def is_trump(rules: Rules, suit: int, card: int) -> bool:
    """Is a card, which the record may not name, a trump?"""
    return card >= 0 and rules.trump_cards[suit] >> card & 1 == 1


def trumps_drawn(rules: Rules, history: History, suit: int, trick: int) -> int:
    """Return how many trumps of opponents fell when a trump was led; 0 when none was."""
    if not is_trump(rules, suit, card_led(history, trick)):
        return 0
    own = side_of(rules, leader_of(history, trick))
    return sum(
        1
        for play in range(first_play(history, trick), first_play(history, trick + 1))
        if side_of(rules, history.play_seat[play]) != own
        if is_trump(rules, suit, history.play_card[play])
    )


def fives(rules: Rules, suit: int) -> int:
    """Return the set of the pedros: fives that are trumps and have points."""
    trumps = rules.trump_cards[suit] & rules.point_cards[suit]
    return sum(1 << card for card in lowest_first(trumps) if card % RANK_COUNT == FIVE)


def trumps_above(rules: Rules, suit: int, cards: int) -> int:
    """Return the set of the trumps that beat each of a set of trumps."""
    strength = rules.strength[suit]
    return sum(
        1 << card
        for card in lowest_first(rules.trump_cards[suit])
        if all(strength[card] > strength[other] for other in lowest_first(cards))
    )


def can_cinch(rules: Rules, history: History, trick: int, pedros: int, higher: int) -> bool:
    """Could the third of four partners keep a pedro of the fourth, an opponent, from winning?

    There is one left to play that is not their own, no trump above it lies in the trick, and they
    have such a trump still to play. ``pedros``: the fives of trumps; ``higher``: the trumps above.
    """
    size = first_play(history, trick + 1) - first_play(history, trick)
    if not pedros or rules.side_count == rules.seats or size != 4:
        return False
    cards, seats, first = history.play_card, history.play_seat, history.first_play[trick]
    third = first + THIRD
    if any(cards[play] < 0 or higher >> cards[play] & 1 == 1 for play in range(first, third)):
        return False
    own = union(
        1 << cards[play]
        for play in range(third, history.plays)
        if seats[play] == seats[third] and cards[play] >= 0
    )
    played = union(1 << cards[play] for play in range(third) if cards[play] >= 0)
    return own & higher != 0 and pedros & ~own & ~played != 0


# --- Captures: what became of a point card


def trick_taken(history: History, capture: int) -> int:
    """Return the trick that brought a card home; the number of tricks where none did."""
    return min(history.capture_trick[capture] - 1, history.tricks)


def play_of(history: History, capture: int) -> int:
    """Return by which play a card came to its trick; ``NOT_PLAYED`` for one laid off or left."""
    trick = trick_taken(history, capture)
    if trick < history.tricks:
        for play in range(first_play(history, trick), first_play(history, trick + 1)):
            if history.play_card[play] == history.capture_card[capture]:
                return play
    return NOT_PLAYED


def led_by(history: History, capture: int) -> int:
    """Return the seat that led to the trick of a card, ``NOBODY`` where no trick took it."""
    trick = trick_taken(history, capture)
    return NOBODY if trick == history.tricks else leader_of(history, trick)


def place_in_trick(history: History, capture: int) -> int:
    """Return as which card of its trick a card was played, from 1; 0 when it was not played."""
    play = play_of(history, capture)
    if play == NOT_PLAYED:
        return 0
    return play - history.first_play[trick_taken(history, capture)] + 1


def is_under_trump(state: State, rules: Rules, history: History, suit: int, capture: int) -> bool:
    """Was a trump played to a trick in which a higher trump lay already, so that it could not win?

    Not in a trick before secret trumps are shown (14.ask), nor thrown before that where such a one
    is none (O83); ranks may be reversed (O37 to O40). ``suit``: of trumps, or ``NO_TRUMPS``.
    """
    play, card = play_of(history, capture), history.capture_card[capture]
    trick, cards = trick_taken(history, capture), history.play_card
    # The trick was over before secret trumps were shown.
    too_early = rules.trump_call == TrumpCall.SECRET and (
        state.reveal_trick == 0 or trick + 1 < state.reveal_trick
    )
    if play == NOT_PLAYED or too_early or not is_live_trump(state, rules, suit, card):
        return False
    sign, strength = -1 if state.reversed else 1, rules.strength[suit]
    return any(
        is_live_trump(state, rules, suit, cards[before])
        and sign * strength[cards[before]] > sign * strength[card]
        for before in range(history.first_play[trick], play)
    )


def is_live_trump(state: State, rules: Rules, suit: int, card: int) -> bool:
    """Is a card, which the record may not name, a trump that counts as one (O83)?"""
    return is_trump(rules, suit, card) and not state.dead >> card & 1


# --- The codes of the warehouse, byte by byte

Out = MutableSequence[int]
_BETWEEN_SEATS = 32
_COMMA = 44
_COMMAS = 3
_NOT_RECORDED = ord(codes.NOT_RECORDED)
_FOR_PLAY = 1 << Verb.PLAY | 1 << Verb.BURY
_PLAIN_CALLS = 1 << Verb.BID | 1 << Verb.PASS | 1 << Verb.TENNY


def write_pair(out: Out, at: int, number: int) -> int:
    """Append a number from 0 to 6240."""
    out[at] = codes.ZERO + number // codes.PAIR_BASE
    out[at + 1] = codes.ZERO + number % codes.PAIR_BASE
    return at + 2


def write_cards(out: Out, at: int, cards: Sequence[int], first: int, last: int) -> int:
    """Append the cards ``cards[first:last]``."""
    for index in range(first, last):
        out[at + index - first] = codes.ZERO + cards[index]
    return at + last - first


def write_deal(out: Out, at: int, workspace: Workspace) -> int:
    """Append the hands as dealt, the stock and the kitty, as far as recorded."""
    line, bounds, seats = workspace.line, workspace.bounds, workspace.line.seats
    if line.deal_start < 0:
        at = write_byte(out, at, _NOT_RECORDED)
    else:
        for seat in range(seats):
            if seat:
                at = write_byte(out, at, _BETWEEN_SEATS)
            at = write_cards(out, at, workspace.cards, bounds[seat], bounds[seat + 1])
    for part in (seats + 1, seats):
        at = write_byte(out, at, _COMMA)
        if (line.kitty_start if part == seats else line.stock_start) < 0:
            at = write_byte(out, at, _NOT_RECORDED)
        at = write_cards(out, at, workspace.cards, bounds[part], bounds[part + 1])
    return at


def write_byte(out: Out, at: int, byte: int) -> int:
    """Append one character."""
    out[at] = byte
    return at + 1


def write_deeds(
    out: Out, at: int, workspace: Workspace, named: Sequence[int], begin: int, end: int
) -> int:
    """Append the actions from ``begin`` to ``end``; ``named``: all cards that actions name."""
    next_player = -1
    seats = workspace.line.seats
    last = 0
    for index in range(end):
        action = workspace.actions[index]
        first = last
        last += action.size
        if index < begin:
            continue
        if action.verb == Verb.PLAY:
            if action.seat != next_player:
                at = write_byte(out, at, codes.FIRST_PLAYER + action.seat)
            at = write_byte(out, at, codes.ZERO + action.card)
            next_player = action.seat + 1 if action.seat + 1 < seats else 0
            continue
        next_player = -1
        out[at] = codes.FIRST_SEAT + action.seat
        out[at + 1] = codes.ZERO + action.verb
        at += 2
        if action.verb == Verb.BID:
            at = write_bid(out, at, action.amount)
        elif action.verb in (Verb.TRUMP, Verb.REVEAL):
            at = write_byte(out, at, codes.ZERO - HIDDEN + action.amount)
        else:
            at = write_cards(out, at, named, first, last)
    return at


def write_bid(out: Out, at: int, amount: int) -> int:
    """Append a bid: digits to the base of 50, the highest first."""
    weight = 1
    while weight * codes.BID_BASE <= amount:
        weight *= codes.BID_BASE
    while weight:
        out[at] = codes.ZERO + amount // weight
        amount %= weight
        weight //= codes.BID_BASE
        at += 1
    return at


def write_details(out: Out, at: int, workspace: Workspace, count: int) -> int:
    """Append what the ``count`` deeds and the tricks leave open: at play, buried, calls, plays."""
    first = at
    at = write_at_play(out, at, workspace, count)
    at = write_byte(out, at, _COMMA)
    at = write_set(out, at, workspace.history.buried)
    at = write_byte(out, at, _COMMA)
    at = write_calls(out, at, workspace, count)
    at = write_byte(out, at, _COMMA)
    at = write_plays(out, at, workspace, count)
    return at if at - first > _COMMAS else first


def write_calls(out: Out, at: int, workspace: Workspace, count: int) -> int:
    """Append the calls, unless they are just the bids, passes and tennies of the actions."""
    history, actions = workspace.history, workspace.actions
    plain = sum(_PLAIN_CALLS >> actions[index].verb & 1 for index in range(count))
    ditto = any(
        actions[history.call_action[call]].verb == Verb.DITTO for call in range(history.calls)
    )
    if plain == history.calls and not ditto:
        return at
    for call in range(history.calls):
        index = history.call_action[call]
        at = write_pair(out, at, index)
        out[at] = codes.ZERO + actions[index].seat
        out[at + 1] = codes.ZERO + actions[index].verb
        at = write_pair(out, at + 2, history.call_amount[call])
    return at


def write_plays(out: Out, at: int, workspace: Workspace, count: int) -> int:
    """Append the plays to complete tricks, unless they are just the first ones of the actions."""
    history = workspace.history
    if plays_as_written(workspace, count):
        return at
    for play in range(history.plays):
        at = write_pair(out, at, history.play_action[play])
        out[at] = codes.ZERO + history.play_seat[play]
        out[at + 1] = codes.ZERO + history.play_card[play]
        at += 2
    return at


def plays_as_written(workspace: Workspace, count: int) -> bool:
    """Are the plays to complete tricks the first cards played among the actions?"""
    history, play = workspace.history, 0
    for index in range(count):
        if play == history.plays:
            return True
        action = workspace.actions[index]
        if action.verb != Verb.PLAY:
            continue
        if history.play_action[play] != index or history.play_card[play] != action.card:
            return False
        play += 1
    return play == history.plays


def write_set(out: Out, at: int, cards: int) -> int:
    """Append a set of cards, in the order of the cards."""
    for card in lowest_first(cards):
        out[at] = codes.ZERO + card
        at += 1
    return at


def write_at_play(out: Out, at: int, workspace: Workspace, count: int) -> int:
    """Append what each seat held when play began, unless it is what it played and buried."""
    seats = workspace.line.seats
    if held_what_they_played(workspace, count):
        return at
    for seat in range(seats):
        if seat:
            at = write_byte(out, at, _BETWEEN_SEATS)
        at = write_set(out, at, workspace.state.at_play[seat])
    return at


def held_what_they_played(workspace: Workspace, count: int) -> bool:
    """Did every seat hold just the known cards that it went on to play or bury?"""
    at_play, seats, shown = workspace.state.at_play, workspace.line.seats, 0
    held = union(at_play[seat] for seat in range(seats))
    count_held = sum(at_play[seat].bit_count() for seat in range(seats))
    for index in range(count):
        action = workspace.actions[index]
        if _FOR_PLAY >> action.verb & 1:
            if action.cards & ~at_play[action.seat]:
                return False
            shown |= action.cards
    # Where no card is in two hands, each seat has shown all of its own.
    return shown == held and held.bit_count() == count_held


def trick_of(history: History, trick: int) -> int:
    """Return the integer of one complete trick."""
    size = first_play(history, trick + 1) - history.first_play[trick]
    winner = history.trick_winner[trick]
    winner = winner if winner >= 0 else codes.UNKNOWN_WINNER
    return history.trick_points[trick] << 6 | size << 3 | winner


def capture_of(workspace: Workspace, rules: Rules, suit: int, capture: int) -> int:
    """Return the integer of one capture; ``suit``: the trump suit of the hand, or ``NO_TRUMPS``."""
    history = workspace.history
    leader = led_by(history, capture)
    under = is_under_trump(workspace.state, rules, history, suit, capture)
    return (
        history.capture_points[capture] << 23
        | (1 << 22 if under else 0)
        | place_in_trick(history, capture) << 19
        | (codes.NO_LEADER if leader == NOBODY else leader) << 16
        | history.capture_trick[capture] << 12
        | history.capture_card[capture] << 6
        | history.capture_from[capture] << 3
        | history.capture_by[capture]
    )


def call_of(workspace: Workspace, call: int) -> int:
    """Return the integer of one call of the auction.

    It never takes more than 31 bits: seats go up to 6, the verbs of calls up to 3, numbers to bid
    up to 999, which takes 10 bits, and bids above all numbers up to 2999, which takes 12. What is
    mostly 0 stands highest, as the place of the highest bit decides how much room a column takes:
    so the lowest number is in two parts. Where bids go up to 14, a call takes 19 bits.
    """
    history = workspace.history
    standing, lowest = history.call_standing[call], history.call_lowest[call]
    return (
        lowest >> 6 << 27
        | history.call_amount[call] << 15
        | (lowest & 63) << 9
        | history.call_choice[call] << 8
        | (codes.NOBODY_BID if standing == NOBODY else standing) << 5
        | workspace.actions[history.call_action[call]].verb << 3
        | caller(workspace, call)
    )
