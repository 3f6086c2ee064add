"""The moves worth trying in a position, the best ones first as far as one can tell beforehand."""

from typing import Final

from tricklog.core.engine.records import Rules, highest_first
from tricklog.core.engine.rules import play
from tricklog.core.engine.rules.table import live_trump
from tricklog.core.solver import moves
from tricklog.core.solver.moves import ASKED, MAY_SHOW
from tricklog.core.solver.order import Outlook, above_in_suit, outlook_of, score_of
from tricklog.core.solver.position import (
    ALL_RANKS,
    COUNTED,
    NO_RANKS,
    SHOWN,
    USE_LIKENESS,
    USE_ORDER,
    Board,
    Position,
    down_to,
)

NO_SPAN: Final = 0
"""Of a move: it stands for no other one."""
HINTED: Final = 1 << 20
"""Score of the move that was best when the position was met before."""


def list_moves(board: Board, rules: Rules, at: Position, hint: int) -> int:
    """Put the moves of a position on the stack of moves; return how many there are."""
    first = board.top
    if moves.surplus_of(board, at):
        list_surplus(board, at)
        return board.top - first
    held = moves.hand_of(board, at, at.turn)
    list_cards(board, rules, at, held, moves.legal_cards(board, rules, at), 0)
    if board.secret and moves.showing(board, rules, at) == MAY_SHOW:
        shown = moves.show(board, rules, at)
        held = moves.hand_of(board, shown, at.turn)
        list_cards(board, rules, shown, held, moves.legal_cards(board, rules, shown), ASKED)
    if board.top - first > 1:
        for index in range(first, board.top):
            if board.moves[index] == hint:
                board.scores[index] = HINTED
    return board.top - first


def list_surplus(board: Board, at: Position) -> None:
    """Put each legal set that may be buried on the stack: of equal cards only the lowest ones."""
    seat = at.turn
    count = moves.surplus_of(board, at)
    held = board.own[seat] & at.left
    limited = board.limited[seat]
    may = held if board.allowance[seat] else held & ~limited
    chosen = may
    while chosen:
        fits = chosen.bit_count() == count
        fits = fits and (chosen & limited).bit_count() <= board.allowance[seat]
        if fits and (not board.switches & USE_LIKENESS or are_lowest(board, may, chosen)):
            push(board, chosen, 0, NO_SPAN, ALL_RANKS)
        chosen = (chosen - 1) & may


def are_lowest(board: Board, may: int, chosen: int) -> bool:
    """Has every card of a set none like it, just below and held as well, that is not in the set?"""
    for card in highest_first(chosen):
        below = card - 1
        if below < 0 or chosen >> below & 1 or not may >> below & 1:
            continue
        if board.suit_of[below] == board.suit_of[card] and board.kind[below] == board.kind[card]:
            return False
    return True


def push(board: Board, move: int, score: int, span: int, rests: int) -> None:
    """Put a move on the stack."""
    board.moves[board.top] = move
    board.scores[board.top] = score
    board.spans[board.top] = span
    board.rests[board.top] = rests
    board.top += 1


def list_cards(board: Board, rules: Rules, at: Position, held: int, cards: int, asked: int) -> None:
    """Put cards on the stack: of each run that stands together in the hand those worth trying."""
    if cards & (cards - 1) == 0:
        push(board, moves.top(cards) | asked, 0, NO_SPAN, NO_RANKS)
        return
    # Once trumps are known, a card on the table that is beaten never matters again.
    beaten = at.flags & SHOWN and at.led >= 0
    foreign = (at.left & ~held) | (1 << at.best if beaten else at.table)
    outlook, likeness = outlook_of(board, rules, at), board.switches & USE_LIKENESS
    first = board.top
    while cards:
        card = moves.top(cards)
        suit = board.suit_set[board.suit_of[card]]
        run = moves.above(cards & suit, foreign & suit & ((1 << card) - 1))
        cards &= ~run
        tried, rests = run, NO_RANKS
        if likeness and run & (run - 1):
            tried, rests = worth_trying(board, rules, at, outlook, run)
        for each in highest_first(tried):
            push(board, each | asked, 0, run if likeness else NO_SPAN, rests)
    if board.top - first > 1 and board.switches & USE_ORDER:
        for index in range(first, board.top):
            card = board.moves[index] & (ASKED - 1)
            board.scores[index] = score_of(board, rules, at, outlook, card)


def is_plain(board: Board, card: int) -> bool:
    """Has a card nothing to it but rank and points?"""
    return board.traits[card] >> COUNTED == 0


def worth_trying(
    board: Board, rules: Rules, at: Position, outlook: Outlook, run: int
) -> tuple[int, int]:
    """Return the cards of a run that are to be tried, and on which ranks that rests.

    They are one of each kind.

    Where it is certain which side takes the trick, whichever of them is played, it is one for all
    points: the most if it is the own side, else the fewest. To play another one and keep this
    gains later at most what it loses now.
    """
    tried, kinds, plain = 0, 0, 0
    for card in highest_first(run):
        if not kinds >> board.kind[card] & 1:
            kinds |= 1 << board.kind[card]
            tried |= 1 << card
            plain |= (1 if is_plain(board, card) else 0) << card
    if plain & (plain - 1) == 0:
        return tried, NO_RANKS
    fate, rests = fate_of(board, rules, at, outlook, moves.top(plain))
    if fate == 0:
        return tried, NO_RANKS
    tried &= ~plain
    chosen = moves.top(plain)
    for card in highest_first(plain):
        if (board.worth[card] - board.worth[chosen]) * fate > 0:
            chosen = card
    return tried | 1 << chosen, rests


def fate_of(
    board: Board, rules: Rules, at: Position, outlook: Outlook, card: int
) -> tuple[int, int]:
    """Say which side takes the trick for sure with a card, 1 for the own, and on which ranks."""
    if not at.flags & SHOWN:
        return 0, NO_RANKS
    spot = moves.standing_of(board, at)
    trump = live_trump(spot, rules)
    best, holder = card, at.turn
    if at.best >= 0 and not play.beats(spot, rules, trump, card, at.best):
        best, holder = at.best, board.owner[at.best]
    if play.falls_to_leader(rules, trump, best):
        if not outlook.last:
            return 0, NO_RANKS
        holder = at.leader
    ours = 1 - ((board.makers >> holder ^ board.makers >> at.turn) & 1)
    fate = 1 if ours else -1
    if outlook.last:
        return fate, NO_RANKS
    rivals = outlook.enemies if ours else outlook.friends
    if board.reversed or above_in_suit(board, rivals, best):
        return 0, NO_RANKS
    if rivals & board.trumps and not board.trumps >> best & 1:
        return 0, NO_RANKS
    return fate, down_to(board, best)
