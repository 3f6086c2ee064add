"""The moves worth trying in a position, the best ones first as far as one can tell beforehand."""

from __future__ import annotations

from typing import Final, NamedTuple

from replay.engine.constants import TRUMPLESS_TRICK_LEADER
from replay.engine.records import Rules
from replay.engine.rules import play
from replay.engine.rules.table import live_trump
from replay.solver.moves import (
    ASKED,
    MAY_SHOW,
    above,
    hand_of,
    legal_cards,
    show,
    showing,
    standing_of,
    surplus_of,
    top,
)
from replay.solver.position import (
    COUNTED,
    SHOWN,
    USE_LIKENESS,
    USE_ORDER,
    Board,
    Position,
)
from replay.solver.ranks import ALL_RANKS, NO_RANKS, down_to

NO_SPAN: Final = 0
"""Of a move: it stands for no other one."""
HINTED: Final = 1 << 20
"""Score of the move that was best when the position was met before."""
KILLER_LED: Final = 400
KILLER: Final = 15
"""Added for a card that has lately cut with as many cards left; half of it for the one before."""


def list_moves(board: Board, rules: Rules, at: Position, hint: int) -> int:
    """Put the moves of a position on the stack of moves; return how many there are."""
    first = board.top
    if surplus_of(board, at):
        list_surplus(board, at)
        return board.top - first
    held = hand_of(board, at, at.turn)
    list_cards(board, rules, at, held, legal_cards(board, rules, at), 0)
    if board.secret and showing(board, rules, at) == MAY_SHOW:
        shown = show(board, rules, at)
        held = hand_of(board, shown, at.turn)
        list_cards(board, rules, shown, held, legal_cards(board, rules, shown), ASKED)
    if board.top - first > 1:
        for index in range(first, board.top):
            if board.moves[index] == hint:
                board.scores[index] = HINTED
    return board.top - first


def list_surplus(board: Board, at: Position) -> None:
    """Put each set that may be buried on the stack: of equal cards only the lowest ones.

    The set has just as many cards as are over, and of limited ones no more than are allowed.
    """
    seat = at.turn
    count = surplus_of(board, at)
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
    """Has every card of a set none like it, just below and held as well, that is not in the set?

    Neighbours in one suit with nobody else's card between them are like each other.
    """
    rest = chosen
    while rest:
        card = top(rest)
        rest &= ~(1 << card)
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
        push(board, top(cards) | asked, 0, NO_SPAN, NO_RANKS)
        return
    # Once trumps are known, a card on the table that is beaten never matters again.
    beaten = at.flags & SHOWN and at.led >= 0
    foreign = (at.left & ~held) | (1 << at.best if beaten else at.table)
    outlook = outlook_of(board, rules, at)
    while cards:
        card = top(cards)
        suit = board.suit_set[board.suit_of[card]]
        run = above(cards & suit, foreign & suit & ((1 << card) - 1))
        cards &= ~run
        list_run(board, rules, at, outlook, run_of(board, rules, at, outlook, run), asked)


def run_of(board: Board, rules: Rules, at: Position, outlook: Outlook, cards: int) -> Run:
    """Return what is to be tried of cards that stand together."""
    if not board.switches & USE_LIKENESS:
        return Run(NO_SPAN, cards, NO_RANKS)
    if cards & (cards - 1) == 0:
        return Run(cards, cards, NO_RANKS)
    tried, rests = worth_trying(board, rules, at, outlook, cards)
    return Run(cards, tried, rests)


class Run(NamedTuple):
    """Cards of one hand that stand together in a suit."""

    span: int
    """All of them; ``NO_SPAN`` where likeness does not count."""
    tried: int
    """Those worth trying."""
    rests: int
    """The ranks on which it rests that these stand for all."""


def list_run(
    board: Board, rules: Rules, at: Position, outlook: Outlook, run: Run, asked: int
) -> None:
    """Put the cards of a run that are worth trying on the stack."""
    ordered = board.switches & USE_ORDER
    cards = run.tried
    while cards:
        card = top(cards)
        cards &= ~(1 << card)
        score = score_of(board, rules, at, outlook, card) if ordered else 0
        push(board, card | asked, score, run.span, run.rests)


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
    while run:
        card = top(run)
        run &= ~(1 << card)
        if not kinds >> board.kind[card] & 1:
            kinds |= 1 << board.kind[card]
            tried |= 1 << card
            plain |= (1 if is_plain(board, card) else 0) << card
    if plain & (plain - 1) == 0:
        return tried, NO_RANKS
    fate, rests = fate_of(board, rules, at, outlook, top(plain))
    if fate == 0:
        return tried, NO_RANKS
    tried &= ~plain
    chosen = top(plain)
    while plain:
        card = top(plain)
        plain &= ~(1 << card)
        if (board.worth[card] - board.worth[chosen]) * fate > 0:
            chosen = card
    return tried | 1 << chosen, rests


def fate_of(
    board: Board, rules: Rules, at: Position, outlook: Outlook, card: int
) -> tuple[int, int]:
    """Say who takes the trick for certain if a card is played: 1 the own side, -1 the other, 0.

    Secondly on which ranks that rests besides those of the card that takes it in the end.
    """
    if not at.flags & SHOWN:
        return 0, NO_RANKS
    spot = standing_of(board, at)
    trump = live_trump(spot, rules)
    best, holder = card, at.turn
    if at.led >= 0 and not play.beats(spot, rules, trump, card, at.best):
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
    if at.led < 0:
        makers = board.makers >> at.turn & 1
        rivals &= ~board.makers_cards if makers else board.makers_cards
    if board.reversed or above_in_suit(board, rivals, best):
        return 0, NO_RANKS
    if rivals & board.trumps and not board.trumps >> best & 1:
        return 0, NO_RANKS
    return fate, down_to(board, best)


# --- Scores


class Outlook(NamedTuple):
    """What the scores of all cards of one seat ask of the trick."""

    last: int
    """1 for the last to play."""
    ours: int
    """1 while the trick is the own side's."""
    trumped: int
    """1 when its best card is a trump."""
    enemies: int
    """Cards of the other side's players who are still to play to it; at a lead, of all others."""
    friends: int
    """Cards of those of the own side who are still to play to it after this one."""
    safe: int
    """1 when none of these can beat the best card."""


def outlook_of(board: Board, rules: Rules, at: Position) -> Outlook:
    """Return what the scores ask of a trick."""
    if at.led < 0:
        return Outlook(0, 0, 0, at.left & ~board.own[at.turn], 0, 0)
    trumped = at.flags & SHOWN & board.trumps >> at.best
    to_leader = rules.trumpless_trick == TRUMPLESS_TRICK_LEADER and not trumped
    holder = at.leader if to_leader else board.owner[at.best]
    ours = 1 - ((board.makers >> holder ^ board.makers >> at.turn) & 1)
    if at.waiting & (at.waiting - 1) == 0:
        return Outlook(1, ours, trumped, 0, 0, 1)
    enemies = ~board.makers if board.makers >> at.turn & 1 else board.makers
    enemies &= at.waiting
    cards, friends = 0, 0
    for seat in range(board.seats):
        if enemies >> seat & 1:
            cards |= board.own[seat]
        elif at.waiting >> seat & 1 and seat != at.turn:
            friends |= board.own[seat]
    cards &= at.left
    safe = 1
    if above_in_suit(board, cards, at.best) or (
        at.flags & SHOWN and cards & board.trumps and not trumped
    ):
        safe = 0
    return Outlook(0, ours, trumped, cards, friends & at.left, safe)


def score_of(board: Board, rules: Rules, at: Position, outlook: Outlook, card: int) -> int:
    """Return how early a card is to be tried: leads and followers, each by what they may win."""
    left = at.left.bit_count()
    if at.led < 0:
        score = score_of_lead(board, at, outlook, card)
        bonus = KILLER_LED
    else:
        score = score_of_reply(board, rules, at, outlook, card)
        bonus = 0 if outlook.last else KILLER
    if board.killers[2 * left] == card:
        return score + bonus
    return score + bonus // 2 if board.killers[2 * left + 1] == card else score


def score_of_lead(board: Board, at: Position, outlook: Outlook, card: int) -> int:
    """Return the score of a lead: cards that nobody beats first, with their points."""
    points = board.worth[card]
    beaten = above_in_suit(board, outlook.enemies, card) != 0
    if at.flags & SHOWN and board.trumps >> card & 1:
        return 50 - 20 * points if beaten else 300 + 10 * points
    if board.only_trumps_count:
        return 60
    return 100 - 20 * points if beaten else 200 + 10 * points


def score_of_reply(board: Board, rules: Rules, at: Position, outlook: Outlook, card: int) -> int:
    """Return the score of a card put to a trick.

    Last to play, one takes the trick as cheaply as points allow, or gives the partner points.
    Before that one takes it for good if one can, gives points to a partner whose card stands, and
    keeps them from the others.
    """
    points = board.worth[card]
    wins = takes_lead(board, rules, at, outlook, card)
    if outlook.last:
        if wins or outlook.ours:
            return 500 + 20 * points - (card if wins else 0) - (5 if wins and outlook.ours else 0)
        return 200 - 20 * points - card
    if wins:
        if above_in_suit(board, outlook.enemies, card) == 0:
            return 450 + 10 * points - (card >> 1)
        return (200 if outlook.ours else 300) - 20 * points - card
    if outlook.ours:
        return 420 + 20 * points - card if outlook.safe else 250 + 5 * points - card
    return 200 - 20 * points - card


def takes_lead(board: Board, rules: Rules, at: Position, outlook: Outlook, card: int) -> bool:
    """Is the card the best of the trick, for the order of trying?"""
    if at.flags & SHOWN and board.trumps >> card & 1:
        return card > at.best
    if outlook.trumped or rules.trumpless_trick == TRUMPLESS_TRICK_LEADER:
        return False
    return board.suit_of[card] == board.suit_of[at.best] and card > at.best


def above_in_suit(board: Board, cards: int, card: int) -> int:
    """Return those of ``cards`` that are higher in the suit of a card."""
    return cards & board.suit_set[board.suit_of[card]] & ~((2 << card) - 1)
