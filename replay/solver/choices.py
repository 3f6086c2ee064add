"""The moves worth trying in a position, the best ones first as far as one can tell beforehand.

Each gets a score, and the highest comes first. A score is a sum: what the situation of the card is
worth by itself, and so much for each point, for its rank, and so on. Nothing depends on these
weights but the time that the search takes. They were found by trial: ``python -m
benchmarks.ordering`` changes some at random, and keeps what takes fewer positions.
"""

from typing import Final, NamedTuple

from tricklog.core.engine.policies import TrumplessTrick
from tricklog.core.engine.records import Rules, highest_first, union
from tricklog.core.engine.rules import play
from tricklog.core.engine.rules.table import live_trump
from tricklog.core.solver import moves, position, weights
from tricklog.core.solver.moves import ASKED, MAY_SHOW
from tricklog.core.solver.position import NO_RANKS, SHOWN, USE_LIKENESS, Board, Position, down_to

NO_SPAN: Final = 0
"""Of a move: it stands for no other one."""
HINTED: Final = 1 << 20
"""Score of the move that was best when the position was met before."""
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
    ruffs = at.flags & SHOWN and enemies & board.trumps and not trumped
    safe = 0 if ruffs or above_in_suit(board, enemies, at.best) else 1
    return Outlook(0, ours, trumped, enemies, cards & side, safe, own, mates, others)


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
            push(board, chosen, 0, NO_SPAN, position.ALL_RANKS)
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
    if board.top - first > 1 and board.switches & position.USE_ORDER:
        for index in range(first, board.top):
            card = board.moves[index] & (ASKED - 1)
            board.scores[index] = score_of(board, rules, at, outlook, card)


def is_plain(board: Board, card: int) -> bool:
    """Has a card nothing to it but rank and points?"""
    return board.traits[card] >> position.COUNTED == 0


def worth_trying(
    board: Board, rules: Rules, at: Position, outlook: Outlook, run: int
) -> tuple[int, int]:
    """Return the cards of a run to be tried, one of each kind, and the ranks that this rests on.

    Where it is certain which side takes the trick, it is one for all points: the most if it is the
    own side, else the fewest. To play another and keep this gains later at most what it loses now.
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


# --- The order in which they are tried


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
    score += given[row + weights.FOR_TRUMP] * trump
    score -= given[row + weights.FOR_RANK] * card >> RANK_SHARE
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
    cut = weights.CUT_LAST if outlook.last else weights.CUT_IN_TRICK
    return board.weights[(board.order & ROOM) + cut]


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
