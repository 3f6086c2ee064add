"""Moves: what may be played from a position by the rules of the engine, and what comes of it."""

from typing import Any, Final, TypeAlias

from tricklog.core.engine.policies import Ask, DropOut, Pair
from tricklog.core.engine.records import NO_TRUMPS, Rules, highest_first, union
from tricklog.core.engine.rules import hidden_trump, play, scoring
from tricklog.core.engine.rules.table import live_trump
from tricklog.core.solver import position
from tricklog.core.solver.position import NO_CARD, NOBODY, PAIR_DUE, SHOWN, Board, Position

ASKED: Final = 64
"""Added to a card: its player has the trump shown before playing it."""

StandsForState: TypeAlias = Any
"""A record with the few fields of a state that the rule functions called with it ask for."""


def top(cards: int) -> int:
    """Return the highest card of a set."""
    return cards.bit_length() - 1


def above(cards: int, others: int) -> int:
    """Return those of ``cards`` that are higher than every one of ``others``."""
    return cards >> others.bit_length() << others.bit_length()


def weight_of(board: Board, cards: int) -> int:
    """Return what a set of cards weighs."""
    return sum(board.weight[card] for card in highest_first(cards))


def standing_of(board: Board, at: Position) -> StandsForState:
    """Return what the rules want to know to compare cards with the best one of the trick."""
    dead = dead_on_table(board, at)
    return position.Standing(board.trump, at.flags & SHOWN, board.reversed, dead)


def dead_on_table(board: Board, at: Position) -> int:
    """Return the trumps on the table that count as none (O83)."""
    thrown = at.flags // position.THROWN_DEAD
    return at.table & union(board.own[seat] for seat in highest_first(thrown))


def following_of(board: Board, at: Position) -> StandsForState:
    """Return what they want to know to say what may be played; the trick is the first or not."""
    trick = 1 if at.flags & position.FIRST_TRICK else 2
    led_suit = board.suit_of[at.led] if at.led >= 0 else -1
    must_trump = at.turn if at.flags & position.OWES_TRUMP else NOBODY
    shown_for = at.turn if at.flags & position.SHOWN_NOW else NOBODY
    reveal_trick = trick if at.flags & position.SHOWN_NOW else 0
    trump, shown, played = board.trump, at.flags & SHOWN, at.table.bit_count()
    return position.Following(
        trump, shown, trick, played, at.led, led_suit, shown_for, reveal_trick, must_trump
    )


def hand_of(board: Board, at: Position, seat: int) -> int:
    """Return the cards a seat can play: not the seventh card under the pile, unless no other."""
    held = board.own[seat] & at.left
    under = held & board.seventh
    if under and not at.flags & SHOWN and held != under:
        held &= ~under
    return held


def surplus_of(board: Board, at: Position) -> int:
    """Return how many cards the seat to act has to bury before it plays."""
    if not board.buries or not at.flags & position.FIRST_TRICK:
        return 0
    return max(0, (board.own[at.turn] & at.left).bit_count() - board.hand_size)


def legal_cards(board: Board, rules: Rules, at: Position) -> int:
    """Return the cards that the seat to act may play, the trump being as it is."""
    spot = following_of(board, at)
    cards = play.playable(spot, rules, at.turn, hand_of(board, at, at.turn))
    if at.flags & position.OWES_TRUMP:
        cards = hidden_trump.owed_trumps(spot, rules, at.turn, cards)
    if at.flags & (position.LIMIT_USED << at.turn):
        cards = play.without_limited(cards, board.limited[at.turn])
    return cards


# --- The hidden trump


NOT_SHOWN, HAS_TO_SHOW, MAY_SHOW = range(3)


def showing(board: Board, rules: Rules, at: Position) -> int:
    """Say whether the seat to act must, or may, have the trump shown, or shows it by playing."""
    if not board.secret or at.flags & SHOWN or at.led < 0:
        return NOT_SHOWN
    held = hand_of(board, at, at.turn)
    if at.turn == 0 and held == board.seventh:
        return NOT_SHOWN
    # Nothing is shown so far, and nobody has asked.
    led = board.suit_of[at.led]
    spot: StandsForState = position.Asking(board.trump, 0, led, 0, NOBODY, board.seventh, 0, -1)
    if hidden_trump.of_led_suit(spot, rules, held):
        return NOT_SHOWN
    if at.turn == 0:
        if hidden_trump.shows_if_void(spot, rules):
            return HAS_TO_SHOW
        return MAY_SHOW if hidden_trump.may_show_if_void(rules) else NOT_SHOWN
    if hidden_trump.asks_if_void(spot, rules, at.turn):
        return HAS_TO_SHOW
    return MAY_SHOW if hidden_trump.may_ask_if_void(spot, rules, at.turn) else NOT_SHOWN


def show(board: Board, rules: Rules, at: Position) -> Position:
    """Show the trump at the turn of a seat: the best card of the trick may be another one now."""
    flags = at.flags | SHOWN | position.SHOWN_NOW
    if hidden_trump.asking_is_free(rules):
        flags |= position.OWES_TRUMP
    is_led = at.led >= 0
    if rules.ask == Ask.OPTIONAL_THROWN_DEAD and is_led and not board.trumps >> at.led & 1:
        flags |= thrown_by(board, at.table & board.trumps)
    shown = at._replace(flags=flags)
    shown = shown._replace(best=best_of(board, rules, shown))
    return shown._replace(flags=pair_flags(board, rules, shown, NOBODY))


def thrown_by(board: Board, dead: int) -> int:
    """Return the flags that say whose cards on the table count as no trumps."""
    return union(position.THROWN_DEAD << board.owner[card] for card in highest_first(dead))


def best_of(board: Board, rules: Rules, at: Position) -> int:
    """Return the card that takes the trick on the table so far."""
    return best_with(board, rules, at._replace(best=at.led), at.table)


def best_with(board: Board, rules: Rules, at: Position, cards: int) -> int:
    """Return the card that takes the trick so far when cards are put to it."""
    spot = standing_of(board, at)
    trump = live_trump(spot, rules)
    best = at.best
    for card in highest_first(cards):
        if best < 0 or play.beats(spot, rules, trump, card, best):
            best = card
    return best


# --- King and queen of trumps


def may_yet_pair(board: Board, at: Position) -> bool:
    """Can king and queen of trumps still be declared?"""
    if board.pair_holder < 0 or at.flags & position.PAIR_SETTLED:
        return False
    return board.pair_cards & ~at.left == 0


def pair_flags(board: Board, rules: Rules, at: Position, winner: int) -> int:
    """Return the flags once a pair may be due; ``winner``: of a trick just over, or ``NOBODY``."""
    if board.pair_holder < 0 or at.flags & position.PAIR_SETTLED:
        return at.flags
    if board.pair_cards & ~at.left:
        return at.flags | position.PAIR_SETTLED
    flags = at.flags
    if not flags & SHOWN:
        return flags
    side = board.makers if board.makers >> board.pair_holder & 1 else ~board.makers
    # Trick 2 is one after trumps were shown, which nothing of this kind comes before.
    over = 1 if winner >= 0 else 0
    won = (flags // position.WON_BY_MAKERS) & 3
    moment: StandsForState = position.Moment(
        board.trump, 1, 1 + over, 1, 1 - over, at.led, 0, winner, won, won
    )
    if rules.pair == Pair.WITH_A_RUFF:
        ruffs = at.table & rules.trump_cards[live_trump(moment, rules)]
        ruffs &= ~dead_on_table(board, at)
        by_side = any(side >> board.owner[card] & 1 for card in highest_first(ruffs))
        ruffed = at.led >= 0 and scoring.may_be_ruffed(moment, rules)
        return flags | PAIR_DUE if ruffed and by_side else flags
    due = scoring.may_pair_by_trick(moment, rules, board.pair_holder)
    return flags | PAIR_DUE if due else flags


def declared(at: Position, board: Board) -> Position:
    """Return a position in which the moment to declare is used: that is never worse."""
    mine = board.makers >> board.pair_holder & 1
    flags = at.flags & ~PAIR_DUE
    return at._replace(flags=flags | (position.PAIR_OF_MAKERS if mine else position.PAIR_OF_OTHERS))


def pair_gain(board: Board) -> int:
    """Return what declaring king and queen is worth to the makers."""
    mine = board.makers >> board.pair_holder & 1
    return board.pair_for_makers if mine else -board.pair_for_others


# --- Playing on


def begin_trick(board: Board, at: Position) -> Position:
    """Drop out who has no trump, where that is so, and find who is to play to the next trick."""
    left = at.left
    if board.drops_out == DropOut.WITHOUT_TRUMPS:
        left &= ~thrown_in(board, left)
    waiting = sum(1 << seat for seat in range(board.seats) if board.own[seat] & left)
    leader = at.leader
    if waiting:
        while not waiting >> leader & 1:
            leader = leader + 1 if leader + 1 < board.seats else 0
    begun = at_lead(at)
    return begun._replace(left=left, turn=leader, waiting=waiting, leader=leader)


def at_lead(at: Position) -> Position:
    """Return a position as it is before the trick begins."""
    return at._replace(table=0, turn=NOBODY, waiting=0, led=NO_CARD, best=NO_CARD, stake=0)


def thrown_in(board: Board, left: int) -> int:
    """Return the cards of those who have no trump left."""
    return left & union(
        board.own[seat] for seat in range(board.seats) if not board.own[seat] & left & board.trumps
    )


def thrown_in_to(board: Board, card: int, left: int) -> int:
    """Return the cards of those who have no trump for a card led, where that puts them out."""
    if board.drops_out != DropOut.WHEN_TRUMP_LED or not board.trumps >> card & 1:
        return 0
    return thrown_in(board, left)


def bury(board: Board, rules: Rules, at: Position, cards: int) -> Position:
    """Put surplus cards under the card to be played to the first trick."""
    weight = weight_of(board, cards)
    flags = at.flags
    if board.one_limited and cards & board.limited[at.turn]:
        flags |= position.LIMIT_USED << at.turn
    buried = at._replace(left=at.left & ~cards, flags=flags)
    buried = buried._replace(stake=at.stake + weight, weight=at.weight - weight)
    if rules.buried_wins:
        return buried._replace(best=best_with(board, rules, at, cards))
    return buried


def play_card(board: Board, rules: Rules, at: Position, card: int) -> Position:
    """Put a card to the trick; the last one leaves the trick on the table, for ``take_trick``."""
    seat = at.turn
    bit = 1 << card
    led = at.led
    best = best_with(board, rules, at, bit)
    left = at.left & ~bit
    waiting = at.waiting & ~(1 << seat)
    if led < 0:
        led = card
        out = thrown_in_to(board, card, left & ~board.own[seat])
        left &= ~out
        waiting &= ~sum(1 << other for other in range(board.seats) if board.own[other] & out)
    following = seat
    if waiting:
        following = seat + 1 if seat + 1 < board.seats else 0
        while not waiting >> following & 1:
            following = following + 1 if following + 1 < board.seats else 0
    weight = board.weight[card]
    flags = at.flags & ~(position.OWES_TRUMP | position.SHOWN_NOW | PAIR_DUE)
    played = at._replace(left=left, table=at.table | bit, turn=following, waiting=waiting, led=led)
    played = played._replace(best=best, stake=at.stake + weight, flags=flags)
    if not board.lone:
        played = played._replace(weight=at.weight - weight)
    if board.pair_holder >= 0 and rules.pair == Pair.WITH_A_RUFF:
        return played._replace(flags=pair_flags(board, rules, played, NOBODY))
    return played


def taker_of(board: Board, rules: Rules, at: Position) -> int:
    """Return who takes the complete trick on the table."""
    if play.falls_to_leader(rules, live_trump(standing_of(board, at), rules), at.best):
        return at.leader
    return board.owner[at.best]


def show_after_trick(board: Board, rules: Rules, at: Position) -> Position:
    """The trump comes out after a trick in which somebody did not follow, where that is so."""
    if not board.secret or at.flags & SHOWN or rules.ask != Ask.END_OF_TRICK:
        return at
    if at.table & ~rules.suit_cards[NO_TRUMPS][board.suit_of[at.led]] == 0:
        return at
    shown = at._replace(flags=at.flags | SHOWN)
    return shown._replace(best=best_of(board, rules, shown))


def take_trick(board: Board, rules: Rules, at: Position) -> Position:
    """Give a complete trick to its winner, who leads to the next one."""
    winner = taker_of(board, rules, at)
    # Where no other card of its suit was played, its rank did not matter.
    rivals = at.table & board.suit_set[board.suit_of[at.best]] & ~(1 << at.best)
    by_rank = rivals and not play.falls_to_leader(
        rules, live_trump(standing_of(board, at), rules), at.best
    )
    makers = board.makers >> winner & 1
    counted = at.stake >> position.COUNTED
    flags = at.flags & (position.LASTING | PAIR_DUE) & ~position.FIRST_TRICK
    if board.pair_holder >= 0 and flags & position.PAIR_SETTLED == 0:
        if rules.pair == Pair.AT_ONCE_WITH_A_TRICK or (
            rules.pair == Pair.AFTER_ANY_TRICK and flags & SHOWN
        ):
            flags |= position.WON_BY_MAKERS if makers else 2 * position.WON_BY_MAKERS
        flags = pair_flags(board, rules, at._replace(flags=flags), winner)
    return at_lead(at)._replace(
        leader=winner,
        best=at.best if by_rank else NO_CARD,
        weight=at.weight - (1 if board.lone else 0),
        ahead=at.ahead + (counted if makers else -counted),
        flags=flags,
    )


def trick_gain(board: Board, rules: Rules, at: Position) -> int:
    """Return what the makers get of the complete trick on the table."""
    if not board.makers >> taker_of(board, rules, at) & 1:
        return 0
    return 1 if board.lone else at.stake & position.POINTS


def shows_by_playing(board: Board, at: Position, card: int) -> bool:
    """Does the card itself show the trump, because it lay under the pile?"""
    return board.seventh == 1 << card and not at.flags & SHOWN


def declare(board: Board, at: Position) -> tuple[Position, int]:
    """Have king and queen declared if it is the moment; return what the makers gain by it."""
    if not at.flags & PAIR_DUE:
        return at, 0
    return declared(at, board), pair_gain(board)


def after(board: Board, rules: Rules, at: Position, move: int) -> tuple[Position, int]:
    """Return where a move leads, and what the makers have gained by then.

    Whoever may declare king and queen does. A move is a card, ``ASKED`` added where its player has
    the trump shown first; where surplus is due it is the set of cards to bury.
    """
    if surplus_of(board, at):
        return bury(board, rules, at, move), 0
    card = move & (ASKED - 1)
    gain = 0
    if move & ASKED or shows_by_playing(board, at, card):
        at, gain = declare(board, show(board, rules, at))
    at = play_card(board, rules, at, card)
    if at.flags & PAIR_DUE:
        at, more = declare(board, at)
        gain += more
    if at.waiting:
        return at, gain
    at = show_after_trick(board, rules, at)
    gain += trick_gain(board, rules, at)
    at, more = declare(board, take_trick(board, rules, at))
    return at, gain + more


def before_choice(board: Board, rules: Rules, at: Position) -> tuple[Position, int]:
    """Have the trump shown where that is a duty; return what the makers gain by it."""
    if not board.secret or showing(board, rules, at) != HAS_TO_SHOW:
        return at, 0
    return declare(board, show(board, rules, at))


def closing(board: Board, at: Position) -> int:
    """Return what the makers get once all is played: the last trick's points, and game."""
    gain = board.last_points if board.makers >> at.leader & 1 else 0
    return gain + (1 if board.by_count and at.ahead > 0 else 0)
