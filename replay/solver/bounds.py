"""What the makers get at the least and at the most from the beginning of a trick, at a glance.

Nothing here is a guess: each bound is proved by play that the side can follow whatever the others
do. The search is the quicker for them and its values are the same without.
"""

from tricklog.core.engine.policies import Ask, PlainFollow, PlainVoid
from tricklog.core.engine.records import Rules, lowest_first
from tricklog.core.solver import position
from tricklog.core.solver.moves import above, closing, may_yet_pair, weight_of
from tricklog.core.solver.position import NO_RANKS, POINTS, SHOWN, Board, Position, down_to_lowest


def points_in(board: Board, cards: int) -> int:
    """Return the points of a set of cards."""
    return weight_of(board, cards & board.with_points) & POINTS


def easy_limits(board: Board, at: Position) -> tuple[int, int]:
    """Return the least and the most that there can be."""
    low = 0
    high = (at.weight & POINTS) + (at.stake & POINTS) + board.last_points + board.by_count
    if may_yet_pair(board, at):
        if board.makers >> board.pair_holder & 1:
            high += max(0, board.pair_for_makers)
        else:
            low -= max(0, board.pair_for_others)
    return low, high


def limits(board: Board, rules: Rules, at: Position, edge: int) -> tuple[int, int, int]:
    """Return the least and the most that the makers get from the beginning of a trick.

    Thirdly the ranks that this rests on. Narrower limits are looked for until they say whether the
    makers get as much as ``edge``.
    """
    if at.waiting == 0:
        gain = closing(board, at)
        return gain, gain, NO_RANKS
    low, high = easy_limits(board, at)
    is_known = low >= edge or high < edge
    if is_known or not board.switches & position.USE_BOUNDS or not are_sound(board, rules, at):
        return low, high, NO_RANKS
    if board.only_trumps_count:
        trumps = at.left & board.trumps
        if trumps & ~board.makers_cards == 0:
            return high, high, NO_RANKS
        if trumps & board.makers_cards == 0:
            return 0, 0, NO_RANKS
    low, high, safe, ranks = with_tops(board, at, low, high)
    if low >= edge or high < edge:
        return low, high, ranks
    return with_cash(board, rules, at, low, high, safe, ranks)


def are_sound(board: Board, rules: Rules, at: Position) -> bool:
    """Do the bounds hold in this position?

    Not while somebody may bury points, nor where a trick counts by itself or ranks turn round, nor
    where a hidden trump may stay hidden or change what its owner holds.
    """
    if not board.bounded:
        return False
    if at.flags & position.FIRST_TRICK and board.buries:
        for seat in range(board.seats):
            if (board.own[seat] & at.left).bit_count() > board.hand_size:
                return False
    if at.flags & SHOWN:
        return True
    return rules.ask == Ask.MUST and rules.plain_follow == PlainFollow.FOLLOW and not board.seventh


def with_tops(board: Board, at: Position, low: int, high: int) -> tuple[int, int, int, int]:
    """Return limits that the highest trumps make narrower, and the ranks that they rest on.

    Thirdly, if they are the leader's side's, these trumps.
    """
    trumps = at.left & board.trumps
    ours, theirs = trumps & board.makers_cards, trumps & ~board.makers_cards
    lead_is_ours = board.makers >> at.leader & 1
    if ours > theirs:
        run = above(ours, theirs)
        low += points_in(board, run)
        return low, high, run if lead_is_ours else 0, down_to_lowest(board, run)
    if theirs:
        run = above(theirs, ours)
        high -= points_in(board, run)
        return low, high, 0 if lead_is_ours else run, down_to_lowest(board, run)
    return low, high, 0, NO_RANKS


def with_cash(
    board: Board, rules: Rules, at: Position, low: int, high: int, safe: int, ranks: int
) -> tuple[int, int, int]:
    """Return narrower limits: by what the leader can take at once, ``safe`` included."""
    must_trump = rules.plain_void in (PlainVoid.MUST_TRUMP, PlainVoid.MUST_TRUMP_ONCE_KNOWN)
    more, rests = 0, NO_RANKS
    if board.only_trumps_count:
        more, rests = by_trumps(board, at)
    elif rules.plain_follow == PlainFollow.FOLLOW and not must_trump:
        more, rests = by_long_suits(board, at)
    cash = points_in(board, safe | more)
    # A pair of the others may still cost the makers, and one of their own still gain.
    least, most = easy_limits(board, at)
    if board.makers >> at.leader & 1:
        low = max(low, least + cash)
    else:
        high = min(high, most - cash)
    return low, high, ranks | rests


def by_trumps(board: Board, at: Position) -> tuple[int, int]:
    """Return the cards that the leader's side gets by leading trumps, and the ranks this rests on.

    The leader leads those that only the partner can beat while the partner has small ones to play
    to them, then those that nobody beats. With small ones to spare on both sides the partner goes
    on.
    """
    trumps = at.left & board.trumps
    mine = board.own[at.leader] & trumps
    mate = board.partner[at.leader]
    mates = board.own[mate] & trumps if mate != at.leader else 0
    enemies = trumps & ~mine & ~mates
    run = above(mine, trumps & ~mine)
    rounds = run.bit_count()
    masters = above(mine, enemies).bit_count()
    if mates:
        mates_masters = above(mates, enemies).bit_count()
        small = mates.bit_count() - mates_masters
        rounds += min(small, masters - rounds)
        if masters <= small and mates_masters and mine.bit_count() > masters:
            rounds = masters + mates_masters
    elif mate != at.leader:
        rounds = masters
    masters_of_side = above(mine | mates, enemies)
    ranks = down_to_lowest(board, masters_of_side) if masters_of_side else NO_RANKS
    return run | drawn(board, at, trumps, rounds), ranks


def drawn(board: Board, at: Position, cards: int, rounds: int) -> int:
    """Return the cards of a suit that fall to so many leads of it which its leader's side wins.

    Who has no more of them than that has to play them all. When that is true of every enemy, the
    side has got what there was, and all that is left of a suit in which alone points lie is its.
    """
    fallen = 0
    everything = rounds > 0 and board.only_trumps_count
    side = board.makers if board.makers >> at.leader & 1 else ~board.makers
    for seat in range(board.seats):
        held = board.own[seat] & cards
        if seat == at.leader or not held:
            continue
        if held.bit_count() <= rounds:
            fallen |= held
        elif not side >> seat & 1:
            everything = False
    return cards if everything else fallen


def by_long_suits(board: Board, at: Position) -> tuple[int, int]:
    """Return the cards that the leader gets by leading what nobody can beat, and the ranks for it.

    A plain suit goes on only while every enemy who has trumps follows to it, and a partner with
    trumps has other cards to throw: one without any has to ruff and takes the lead.
    """
    trumps = at.left & board.trumps
    mine = board.own[at.leader] & at.left
    run = above(mine & trumps, trumps & ~mine)
    rounds = run.bit_count()
    taken = run | drawn(board, at, trumps, rounds)
    ranks = down_to_lowest(board, run) if run else NO_RANKS
    side = board.makers if board.makers >> at.leader & 1 else ~board.makers
    ruffers = 0
    spare = board.cards
    for seat in range(board.seats):
        held = board.own[seat] & at.left
        if seat == at.leader or (held & trumps).bit_count() <= rounds:
            continue
        if side >> seat & 1:
            spare = min(spare, (held & ~trumps).bit_count())
        else:
            ruffers |= 1 << seat
    for suit in range(len(board.suit_set)):
        cards = at.left & board.suit_set[suit] & ~trumps
        if cards & mine and spare > 0:
            best = above(cards & mine, cards & ~mine)
            leads = min(spare, best.bit_count())
            for seat in lowest_first(ruffers):
                # Who has trumps follows that often.
                leads = min(leads, (board.own[seat] & cards).bit_count())
            spare -= leads
            led = position.highest(best, leads)
            taken |= led | drawn(board, at, cards, leads)
            if leads and cards != best:
                ranks |= down_to_lowest(board, led)
    return taken, ranks
