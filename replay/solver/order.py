"""The order in which moves are tried: each gets a score, and the highest comes first.

A score is a sum: what the situation of the card is worth by itself, and so much for each point, for
its rank, and so on. Nothing depends on these weights but the time that the search takes. They were
found by trial: ``python -m benchmarks.ordering`` changes some at random, and keeps what takes fewer
positions.
"""

from typing import Final, NamedTuple

from tricklog.core.engine.policies import TrumplessTrick
from tricklog.core.engine.records import Rules, highest_first, union
from tricklog.core.solver import weights
from tricklog.core.solver.position import SHOWN, Board, Position

RANK_SHARE: Final = 3
"""Ranks count eighths of what their weight says."""


ROOM: Final = 511
"""Where a set begins is below that. Said each time, it spares compiled code to ask for the sign."""


class Outlook(NamedTuple):
    """What the scores of all cards of one seat ask of the trick."""

    last: int
    """1 for the last to play."""
    ours: int
    """1 while the trick is the own side's."""
    trumped: int
    """1 when its best card is a trump."""
    enemies: int
    """Cards of the other side's players who are still to play to it."""
    friends: int
    """Cards of those of the own side who are still to play to it after this one."""
    safe: int
    """1 when none of the enemies' can beat the best card."""
    own_trumps: int
    """How many trumps the seat holds."""
    mates_trumps: int
    """How many the others of its side hold."""
    others_trumps: int
    """How many the other side holds."""


def outlook_of(board: Board, rules: Rules, at: Position) -> Outlook:
    """Return what the scores ask of a trick."""
    side = board.makers_cards if board.makers >> at.turn & 1 else ~board.makers_cards
    trumps = at.left & board.trumps
    own = (trumps & board.own[at.turn]).bit_count()
    mates = (trumps & side).bit_count() - own
    others = (trumps & ~side).bit_count()
    if at.led < 0:
        friends = at.left & side & ~board.own[at.turn]
        return Outlook(0, 0, 0, at.left & ~side, friends, 0, own, mates, others)
    trumped = at.flags & SHOWN & board.trumps >> at.best
    to_leader = rules.trumpless_trick == TrumplessTrick.LEADER and not trumped
    holder = at.leader if to_leader else board.owner[at.best]
    ours = 1 - ((board.makers >> holder ^ board.makers >> at.turn) & 1)
    later = at.waiting & ~(1 << at.turn)
    if later == 0:
        return Outlook(1, ours, trumped, 0, 0, 1, own, mates, others)
    cards = at.left & union(board.own[seat] for seat in highest_first(later))
    enemies = cards & ~side
    safe = 1
    if above_in_suit(board, enemies, at.best) or (
        at.flags & SHOWN and enemies & board.trumps and not trumped
    ):
        safe = 0
    return Outlook(0, ours, trumped, enemies, cards & side, safe, own, mates, others)


def score_of(board: Board, rules: Rules, at: Position, outlook: Outlook, card: int) -> int:
    """Return how early a card is to be tried."""
    trump = board.trumps >> card & 1
    suit = at.left & board.suit_set[board.suit_of[card]]
    if at.led < 0:
        row, score = lead_of(board, at, outlook, card, suit, trump)
    else:
        row, score = (board.order & ROOM) + reply_of(board, rules, at, outlook, card), 0
    given = board.weights
    score += given[row] + given[row + weights.FOR_POINTS] * board.worth[card]
    score += given[row + weights.FOR_TRUMP] * trump - (
        given[row + weights.FOR_RANK] * card >> RANK_SHARE
    )
    score += given[row + weights.FOR_LEFT] * suit.bit_count()
    score += given[row + weights.FOR_OWN] * (suit & board.own[at.turn]).bit_count()
    score += given[row + weights.FOR_OWN_TRUMPS] * outlook.own_trumps
    score += given[row + weights.FOR_MATES_TRUMPS] * outlook.mates_trumps
    score += given[row + weights.FOR_OTHERS_TRUMPS] * outlook.others_trumps
    place = 2 * at.left.bit_count()
    if board.killers[place] == card:
        return score + for_cut(board, at, outlook)
    return score + for_cut(board, at, outlook) // 2 if board.killers[place + 1] == card else score


def for_cut(board: Board, at: Position, outlook: Outlook) -> int:
    """Return what is added for a card that has lately cut with as many cards left."""
    if at.led < 0:
        return board.weights[(board.order & ROOM) + weights.CUT_LED]
    return board.weights[
        (board.order & ROOM) + (weights.CUT_LAST if outlook.last else weights.CUT_IN_TRICK)
    ]


def lead_of(
    board: Board, at: Position, outlook: Outlook, card: int, suit: int, trump: int
) -> tuple[int, int]:
    """Return where the weights of a lead begin, and what those who can beat or ruff it add."""
    beaten = above_in_suit(board, outlook.enemies, card) != 0
    if at.flags & SHOWN and trump:
        row = (board.order & ROOM) + (
            weights.LEADS_BEATEN_TRUMP if beaten else weights.LEADS_HIGHEST_TRUMP
        )
    else:
        row = (board.order & ROOM) + (weights.LEADS_BEATEN if beaten else weights.LEADS_HIGHEST)
    score = 0
    if above_in_suit(board, outlook.friends, card):
        score = board.weights[row + weights.FOR_MATE]
    if at.flags & SHOWN and trump:
        return row, score
    for seat in highest_first(at.waiting & ~(1 << at.turn)):
        held = board.own[seat] & at.left
        if not held & suit and held & board.trumps:
            other = (board.makers >> seat ^ board.makers >> at.turn) & 1
            score += board.weights[row + (weights.FOR_RISKS if other else weights.FOR_RUFFS)]
    return row, score


def reply_of(board: Board, rules: Rules, at: Position, outlook: Outlook, card: int) -> int:
    """Return where the weights of a card put to a trick begin, by what it may win."""
    wins = takes_lead(board, rules, at, outlook, card)
    if outlook.last:
        if wins:
            return weights.TAKES_LAST
        return weights.GIVES_LAST if outlook.ours else weights.LOSES_LAST
    if wins:
        if above_in_suit(board, outlook.enemies, card) == 0:
            return weights.TAKES_FOR_SURE
        return weights.OVERTAKES if outlook.ours else weights.TAKES_AT_RISK
    if outlook.ours:
        return weights.GIVES_FOR_SURE if outlook.safe else weights.GIVES_AT_RISK
    return weights.DUCKS


def takes_lead(board: Board, rules: Rules, at: Position, outlook: Outlook, card: int) -> bool:
    """Is the card the best of the trick, for the order of trying?"""
    if at.flags & SHOWN and board.trumps >> card & 1:
        return card > at.best
    if outlook.trumped or rules.trumpless_trick == TrumplessTrick.LEADER:
        return False
    return board.suit_of[card] == board.suit_of[at.best] and card > at.best


def above_in_suit(board: Board, cards: int, card: int) -> int:
    """Return those of ``cards`` that are higher in the suit of a card."""
    return cards & board.suit_set[board.suit_of[card]] & ~((2 << card) - 1)
