"""The history of a hand as it is carried out: calls, plays, complete tricks, where points went.

The figures are kept in a record of integers and lists like state and rules, so that a hand is
written down by the same functions in plain Python and compiled. Sources: 0.record, 0.auction,
1.auction, 1.points, 4.drop-out, 5.auction, 6.auction, 11.auction, 14.auction; O04, O07, O23, O52,
O54, O65, O70, S10, S16, S18, S61, S95.
"""

from dataclasses import dataclass, field

from tricklog.core.engine.policies import LowTo
from tricklog.core.engine.records import Rules, State, lowest_first, union, zeros
from tricklog.core.engine.rules import auction, discard, scoring
from tricklog.core.engine.rules.table import Legal, named_trump, next_seat, side_of
from tricklog.schemas.actions import Verb
from tricklog.schemas.limits import MAX_ACTIONS
from tricklog.schemas.scan.actions import AnyAction

CALLS = 1 << Verb.BID | 1 << Verb.PASS | 1 << Verb.DITTO | 1 << Verb.TENNY
AUCTION = -1
"""In place of the number of a trick: the auction goes on."""
NOBODY = -1
MAX_TRICKS = 64
MAX_CAPTURES = 64
_per_action = zeros(MAX_ACTIONS)
_per_trick = zeros(MAX_TRICKS)
_per_capture = zeros(MAX_CAPTURES)


@dataclass(slots=True)
class History:
    """What was done in a hand, in order. Of each list only the first entries count."""

    calls: int = 0
    call_action: list[int] = field(default_factory=_per_action)
    """Calls of the auction: index of the action that made each; seat and verb are its own."""
    call_amount: list[int] = field(default_factory=_per_action)
    """Amount of each call: 0 for a pass, for a ditto the bid it holds."""
    call_standing: list[int] = field(default_factory=_per_action)
    """By call: the seat whose bid stood before it: who bid it or, after a ditto, who held it (O54);
    ``NOBODY`` without a bid."""
    call_lowest: list[int] = field(default_factory=_per_action)
    """By call: the lowest number the seat might have bid, in points; 0 for none."""
    call_choice: list[int] = field(default_factory=_per_action)
    """By call: 1 when the seat had more than one legal call, or might have kept silent."""
    plays: int = 0
    """Plays to complete tricks."""
    on_table: int = 0
    """Plays to the trick on the table; they follow those to complete tricks."""
    play_action: list[int] = field(default_factory=_per_action)
    play_seat: list[int] = field(default_factory=_per_action)
    play_card: list[int] = field(default_factory=_per_action)
    tricks: int = 0
    """Complete tricks."""
    first_play: list[int] = field(default_factory=_per_trick)
    """By trick: where its plays begin; they end where those of the next one begin."""
    trick_winner: list[int] = field(default_factory=_per_trick)
    """By trick: its winner, -1 when no card of it is recorded."""
    trick_points: list[int] = field(default_factory=_per_trick)
    """By trick: card points that went to the winner's side."""
    buried: int = 0
    """Set of cards put under the first trick as surplus."""
    captures: int = 0
    """Cards that scored points."""
    capture_card: list[int] = field(default_factory=_per_capture)
    capture_points: list[int] = field(default_factory=_per_capture)
    capture_trick: list[int] = field(default_factory=_per_capture)
    """Number of the trick; the trick that would have come next for cards never played."""
    capture_from: list[int] = field(default_factory=_per_capture)
    capture_by: list[int] = field(default_factory=_per_capture)
    """Who won the card; for a two that scores for its holder, the holder; for a card laid off that
    scores for the other side, the maker or the next opponent."""


def note_options(state: State, history: History, options: Legal) -> None:
    """Write down what a seat may call, before its action of the auction is carried out.

    Bids above all numbers (O04, 11.auction) are no lowest number; out of turn there is none, but
    who was passed over may still bid. A forced bid is no choice where one number is right, nor a
    pass where nothing can be bid (O65, S10, S16); nobody has to call tenny first (S95).
    """
    call = history.calls
    history.call_standing[call] = state.maker if state.high_bid else NOBODY
    history.call_lowest[call] = options.low
    history.call_choice[call] = 1 if auction.leaves_a_choice(options) else 0


def record_action(
    state: State, rules: Rules, history: History, index: int, action: AnyAction, before: int
) -> None:
    """Write down action ``index``; ``before``: the trick on the table before it, or ``AUCTION``."""
    verb = action.verb
    if verb == Verb.PLAY:
        place = history.plays + history.on_table
        history.play_action[place] = index
        history.play_seat[place] = action.seat
        history.play_card[place] = state.trick_cards[action.seat]
        history.on_table += 1
    elif before == AUCTION and CALLS >> verb & 1:
        history.call_action[history.calls] = index
        history.call_amount[history.calls] = state.high_bid if verb == Verb.DITTO else action.amount
        history.calls += 1
    # It may take the showing of the trump to end a trick.
    if state.trick > 1 and state.trick > before and history.on_table:
        close_trick(state, rules, history)


def close_trick(state: State, rules: Rules, history: History) -> None:
    """Write down the trick just completed and where its points went."""
    number = history.tricks
    if number == 0:
        history.buried = union(state.buried[seat] for seat in range(rules.seats))
    history.first_play[number] = history.plays
    history.trick_winner[number] = state.winner
    history.trick_points[number] = state.trick_points
    history.tricks += 1
    scoring_cards = scoring.cards_that_count(state, rules)
    for play in range(history.plays, history.plays + history.on_table):
        card = history.play_card[play]
        if card >= 0 and scoring_cards >> card & 1:
            note_capture(state, rules, history, card, history.play_seat[play], state.winner)
        if number == 0 and history.buried and state.winner >= 0:
            seat = history.play_seat[play]
            for under in lowest_first(state.buried[seat]):
                note_capture(state, rules, history, under, seat, state.winner)
    history.plays += history.on_table
    history.on_table = 0


def note_capture(
    state: State, rules: Rules, history: History, card: int, seat: int, winner: int
) -> None:
    """Write down where the points of a card went that ``seat`` had, if it has any."""
    worth = scoring.worth_of(state, rules, card)
    if not worth:
        return
    owner = winner
    if rules.low_to != LowTo.WINNER and card == rules.low_card[named_trump(state)]:
        owner = state.low_seat if state.low_seat >= 0 else seat
    enter_capture(history, card, worth, seat, owner)


def enter_capture(history: History, card: int, worth: int, seat: int, owner: int) -> None:
    """Enter a card that ``seat`` had and ``owner`` scores ``worth`` points for."""
    place = history.captures
    history.capture_card[place] = card
    history.capture_points[place] = worth
    history.capture_trick[place] = max(history.tricks, 1)
    history.capture_from[place] = seat
    history.capture_by[place] = owner
    history.captures += 1


def close(state: State, rules: Rules, history: History, alone: int, left: int) -> None:
    """Write down what scores without a trick, at the end of a complete hand.

    The one player ``alone`` in the hand takes the cards ``left`` in their holding (4.drop-out); a
    two of trumps that is not in play may score for who laid it off, or has the lowest trump (S61,
    O85), other points laid off may score for others (O07, O23).
    """
    history.tricks += 1
    if alone >= 0 and not state.holding[alone]:
        for card in lowest_first(left):
            note_capture(state, rules, history, card, alone, alone)
    holder = state.low_seat
    low = rules.low_card[named_trump(state)]
    unplayed = state.taken[side_of(rules, holder)] & ~state.seen if holder >= 0 else 0
    if low >= 0 and unplayed >> low & 1:
        note_capture(state, rules, history, low, holder, holder)
    note_discards(state, rules, history)
    history.tricks -= 1


def note_discards(state: State, rules: Rules, history: History) -> None:
    """Write down points laid off that score (S18), for the maker or the next opponent."""
    trump = named_trump(state)
    for seat in range(rules.seats):
        for card in lowest_first(state.discarded[seat] & state.credited):
            owner = next_seat(rules, seat)
            if discard.scorer_of_discard(state, rules, seat, card) == side_of(rules, state.maker):
                owner = state.maker
            enter_capture(history, card, rules.points[trump][card], seat, owner)
