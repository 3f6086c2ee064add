"""Filling a board and a position from a state of the engine, at any point of the play."""

from typing import Final

from tricklog.core.engine.policies import GamePoint, LowTo, Pair, Phase, SurplusPoints, TrumpCall
from tricklog.core.engine.records import NO_TRUMPS, TRUMPS, Rules, State, lowest_first, union
from tricklog.core.engine.rules import early_end, hidden_trump, play, scoring
from tricklog.core.engine.rules.table import named_trump, side_of
from tricklog.core.solver import position
from tricklog.core.solver.moves import at_lead, best_of, best_with, pair_flags, thrown_by, weight_of
from tricklog.core.solver.position import COUNTED, NO_CARD, NOBODY, OWES_TRUMP, Board, Position
from tricklog.core.solver.score import hand_of
from tricklog.core.solver.weights import OF_SET

GENERATIONS: Final = 1 << 16
LIMITED: Final = 1 << 30
PAIRED: Final = 1 << 31
UNDER_PILE: Final = 1 << 32
"""Above the weight of any card: what else sets cards apart."""


def place_of(board: Board, seat: int) -> int:
    """Return the number that a seat of the engine has here."""
    return (seat - board.maker) * board.step % board.seats


def seat_at(board: Board, place: int) -> int:
    """Return the seat of the engine that has a number here."""
    return (board.maker + place * board.step) % board.seats


def cards_of(state: State, seat: int) -> int:
    """Return what a seat has still to play or has on the table, the seventh card included."""
    return hand_of(state, seat) if state.active >> seat & 1 else 0


def set_up(board: Board, dense: Rules, state: State, rules: Rules) -> None:
    """Fill the board and the tables of ``dense`` with the hand of ``state``; forget another."""
    maker = scoring.maker_of(state)
    board.seats = rules.seats
    board.maker = maker
    board.step = rules.step
    board.trump = named_trump(state)
    board.makers = sum(
        1 << place_of(board, seat)
        for seat in range(rules.seats)
        if side_of(rules, seat) == side_of(rules, maker)
    )
    board.lone = 1 if state.solo >= 0 else 0
    board.secret = 1 if rules.trump_call == TrumpCall.SECRET else 0
    board.drops_out = rules.drop_out
    board.reversed = state.reversed
    board.last_points = 0 if board.lone else rules.last_trick_points
    board.by_count = 1 if rules.game_point == GamePoint.COUNT and not board.lone else 0
    board.hand_size = rules.hand_size
    number_cards(board, dense, state, rules)
    set_surplus(board, state, rules)
    set_pair(board, state, rules)
    set_kinds(board)
    set_sides(board)
    forget(board)


def number_cards(board: Board, dense: Rules, state: State, rules: Rules) -> None:
    """Number the cards in play, suit by suit and trumps last, by rank within the suit."""
    trump = board.trump
    board.cards = 0
    for seat in range(board.seats):
        cards = cards_of(state, seat) | play.buried_to_win(state, rules, seat)
        board.own[place_of(board, seat)] = 0
        for card in lowest_first(cards):
            enter(board, rules, card, place_of(board, seat))
    dense.trump_cards[NO_TRUMPS], dense.trump_cards[trump] = 0, 0
    for suit in range(4):
        dense.suit_cards[trump][suit], dense.suit_cards[NO_TRUMPS][suit] = 0, 0
    for group in range(TRUMPS):
        board.suit_set[group], board.suit_start[group], board.suit_size[group] = 0, 0, 0
    board.trumps, board.seventh = 0, 0
    for card in range(board.cards):
        number_card(board, dense, state, rules, card)


def order_of(rules: Rules, trump: int, card: int) -> int:
    """Return a number by which cards are sorted: trumps last, by rank within the suit."""
    after_trumps = (rules.suit[trump][card] - trump - 1) % TRUMPS
    return after_trumps * 256 + rules.strength[trump][card]


def enter(board: Board, rules: Rules, card: int, place: int) -> None:
    """Put a card where it belongs among those entered before."""
    order = order_of(rules, board.trump, card)
    index = board.cards
    while index > 0 and order_of(rules, board.trump, board.card_of[index - 1]) > order:
        board.card_of[index] = board.card_of[index - 1]
        board.owner[index] = board.owner[index - 1]
        index -= 1
    board.card_of[index] = card
    board.owner[index] = place
    board.cards += 1


def number_card(board: Board, dense: Rules, state: State, rules: Rules, number: int) -> None:
    """Fill the tables for one card."""
    trump = board.trump
    card = board.card_of[number]
    bit = 1 << number
    suit = rules.suit[trump][card]
    plain_suit = rules.suit[NO_TRUMPS][card]
    board.own[board.owner[number]] |= bit
    board.suit_of[number] = suit
    if board.suit_set[suit] == 0:
        board.suit_start[suit] = number
    board.suit_set[suit] |= bit
    board.suit_size[suit] += 1
    dense.suit[trump][number] = suit
    dense.suit[NO_TRUMPS][number] = plain_suit
    dense.strength[trump][number] = rules.strength[trump][card]
    dense.strength[NO_TRUMPS][number] = rules.strength[NO_TRUMPS][card]
    if suit < 4:
        dense.suit_cards[trump][suit] |= bit
    if plain_suit < 4:
        # For a hand without trumps it is the same table.
        dense.suit_cards[NO_TRUMPS][plain_suit] |= bit
    if rules.trump_cards[trump] >> card & 1:
        board.trumps |= bit
        dense.trump_cards[trump] = board.trumps
    if state.seventh >> card & 1:
        board.seventh = bit
    low = low_of(state, rules)
    worth = 0 if board.lone or card == low else scoring.worth_of(state, rules, card)
    board.worth[number] = worth
    counted = scoring.game_count(card) if board.by_count else 0
    board.weight[number] = worth | counted << COUNTED


def low_of(state: State, rules: Rules) -> int:
    """Return the card that scores for its holder or player whoever takes it, -1 without."""
    return rules.low_card[named_trump(state)] if rules.low_to != LowTo.WINNER else NO_CARD


def set_surplus(board: Board, state: State, rules: Rules) -> None:
    """Note what the rules say of the surplus of each seat."""
    board.buries = 1 if state.trick == 1 and play.buries_surplus(rules) else 0
    board.one_limited = 1 if rules.surplus_points == SurplusPoints.ONE else 0
    for place in range(board.seats):
        board.limited[place], board.allowance[place] = 0, 0
        if board.buries:
            seat = seat_at(board, place)
            board.limited[place] = numbers_of(board, play.surplus_limits(state, rules, seat))
            board.allowance[place] = play.surplus_allowance(state, rules, seat)


def set_pair(board: Board, state: State, rules: Rules) -> None:
    """Note who holds king and queen of trumps and what it is worth to declare them."""
    board.pair_cards, board.pair_holder = 0, NOBODY
    board.pair_for_makers, board.pair_for_others = 0, 0
    trump = board.trump
    if rules.pair == Pair.NONE or trump == NO_TRUMPS or state.pair_side >= 0 or board.lone:
        return
    board.pair_cards = numbers_of(board, rules.pair_cards[trump])
    if board.pair_cards.bit_count() != rules.pair_cards[trump].bit_count():
        return
    for place in range(board.seats):
        if board.pair_cards & ~board.own[place] == 0:
            board.pair_holder = place
    makers = side_of(rules, board.maker)
    others = (makers + 1) % rules.side_count
    need = scoring.points_needed(state, rules)
    board.pair_for_makers = need - early_end.need_if_paired(state, rules, makers)
    board.pair_for_others = early_end.need_if_paired(state, rules, others) - need


def set_kinds(board: Board) -> None:
    """Give the same number to cards that differ in nothing but rank."""
    limited = union(board.limited[place] for place in range(board.seats))
    paired = board.pair_cards if board.pair_holder >= 0 else 0
    for number in range(board.cards):
        traits = board.weight[number] + LIMITED * (limited >> number & 1)
        traits += PAIRED * (paired >> number & 1) + UNDER_PILE * (board.seventh >> number & 1)
        board.traits[number] = traits
        first = 0
        while board.traits[first] != traits:
            first += 1
        board.kind[number] = first


def set_sides(board: Board) -> None:
    """Note what the bounds ask for: whose cards, which have points, who is whose partner."""
    board.makers_cards = union(board.own[place] for place in lowest_first(board.makers))
    board.with_points = sum(1 << number for number in range(board.cards) if board.worth[number])
    plain = board.with_points & ~board.trumps
    board.only_trumps_count = 0 if board.lone or board.by_count or plain else 1
    board.order = 0 if board.only_trumps_count else OF_SET
    beside = board.lone or board.last_points or board.by_count or board.reversed
    pair_counts = board.only_trumps_count and board.pair_holder >= 0
    board.bounded = 0 if beside or pair_counts or (board.drops_out and plain) else 1
    pairs = board.seats == 4 and board.makers.bit_count() == 2
    for place in range(board.seats):
        board.partner[place] = (place + 2) % 4 if pairs else place


def forget(board: Board) -> None:
    """Forget all that was known of positions of another hand."""
    board.answered = 0
    board.generation += 1
    if board.generation >= GENERATIONS:
        board.generation = 1
        for index in range(len(board.known)):
            board.known[index] = 0
        for index in range(len(board.forms)):
            board.forms[index] = 0
    for index in range(len(board.killers)):
        board.killers[index] = NO_CARD


def goes_on(board: Board, state: State, rules: Rules) -> bool:
    """Is ``state``, under the same rules, a later moment of the hand on the board?

    It is when nobody has a card that they do not have there. Then all that is known of that hand
    holds for it. Not while surplus may be buried: who may bury what is a matter of the moment.
    """
    same = board.generation > 0 and board.maker == scoring.maker_of(state)
    same = same and board.trump == named_trump(state) and board.reversed == state.reversed
    same = same and board.lone == (1 if state.solo >= 0 else 0)
    if not same or (state.trick == 1 and play.buries_surplus(rules)):
        return False
    # So is the seventh card, where one lies under the pile.
    gone_on = not state.seventh & ~cards_meant(board, board.seventh) and all(
        cards_of(state, seat_at(board, place)) & ~cards_meant(board, board.own[place]) == 0
        for place in range(board.seats)
    )
    if not gone_on or state.pair_side >= 0:
        return gone_on
    # Is declaring king and queen worth what it was? They are noted afresh on the board.
    holder, ours, theirs = board.pair_holder, board.pair_for_makers, board.pair_for_others
    set_pair(board, state, rules)
    same = board.pair_for_makers == ours and board.pair_for_others == theirs
    return same and board.pair_holder == holder


# --- The position


def locate(board: Board, dense: Rules, state: State, rules: Rules) -> Position:
    """Return where ``state`` stands, a trump asked for shown; note what the makers have by then."""
    left, table, led = 0, 0, NO_CARD
    # A hand alone is over with cards left, once it has lost a trick.
    for number in range(board.cards if state.phase != Phase.OVER else 0):
        card = board.card_of[number]
        seat = seat_at(board, board.owner[number])
        if state.played and state.trick_cards[seat] == card:
            table |= 1 << number
            if seat == state.leader:
                led = number
        elif cards_of(state, seat) >> card & 1:
            left |= 1 << number
    waiting = sum(1 << place_of(board, seat) for seat in lowest_first(state.pending))
    turn = place_of(board, state.turn) if state.turn >= 0 else NOBODY
    leader = place_of(board, state.leader) if state.leader >= 0 else 0
    makers = side_of(rules, board.maker)
    # What the makers are ahead in the count called game.
    ahead = sum(
        state.counted[side] * (1 if side == makers else -1)
        for side in range(rules.side_count if board.by_count else 0)
    )
    stake, weight = weight_of(board, table) + buried_weight(board, state, rules), 0
    if board.lone:
        for place in range(board.seats):
            weight = max(weight, (board.own[place] & left).bit_count())
    else:
        weight = weight_of(board, left)
    flags = flags_of(board, state, rules, left, table)
    at = Position(left, table, turn, waiting, leader, led, led, stake, weight, ahead, flags)
    board.base = base_of(board, state, rules)
    if state.asker >= 0:
        at = at._replace(flags=pair_flags(board, dense, at, NOBODY))
    if table:
        at = at._replace(best=best_of(board, dense, at))
    # Cards buried under the trick on the table may win it (O86).
    buried = union(play.buried_to_win(state, rules, seat) for seat in range(rules.seats))
    at = at._replace(best=best_with(board, dense, at, numbers_of(board, buried)))
    put_down = state.trick == 1 and any(state.buried[seat] for seat in range(board.seats))
    return at if table or put_down else at_lead(at)


def cards_meant(board: Board, cards: int) -> int:
    """Return a set of cards with the numbers of the pack."""
    return union(1 << board.card_of[number] for number in lowest_first(cards))


def numbers_of(board: Board, cards: int) -> int:
    """Return a set of cards of the pack with the numbers of the board."""
    return sum(1 << number for number in range(board.cards) if cards >> board.card_of[number] & 1)


def buried_weight(board: Board, state: State, rules: Rules) -> int:
    """Return what the surplus put under the trick on the table weighs."""
    if state.trick != 1:
        return 0
    low = low_of(state, rules)
    buried = union(state.buried[seat] for seat in range(board.seats))
    return sum(
        (0 if card == low else scoring.worth_of(state, rules, card))
        + (scoring.game_count(card) << COUNTED if board.by_count else 0)
        for card in lowest_first(buried)
    )


def flags_of(board: Board, state: State, rules: Rules, left: int, table: int) -> int:
    """Return the flags of a position."""
    flags = 0
    if not board.secret or state.revealed or state.asker >= 0:
        flags |= position.SHOWN
        flags |= thrown_by(board, numbers_of(board, hidden_trump.dead_cards(state, rules)) & table)
    if state.trick == 1:
        flags |= position.FIRST_TRICK
    owes = state.turn >= 0 and state.must_trump == state.turn
    if owes or (state.asker >= 0 and hidden_trump.asking_is_free(rules)):
        flags |= OWES_TRUMP
    shown_here = state.shown_for == state.turn and state.reveal_trick == state.trick
    if state.asker >= 0 or (state.turn >= 0 and shown_here):
        flags |= position.SHOWN_NOW
    if board.one_limited and state.trick == 1:
        for seat in range(board.seats):
            place = place_of(board, seat)
            if state.buried[seat] & play.surplus_limits(state, rules, seat):
                flags |= position.LIMIT_USED << place
    return flags | pair_state(board, state, rules, left)


def pair_state(board: Board, state: State, rules: Rules, left: int) -> int:
    """Return the flags about king and queen of trumps."""
    if board.pair_holder < 0 or state.pair_side >= 0 or board.pair_cards & ~left:
        return position.PAIR_SETTLED if board.pair_holder >= 0 else 0
    flags, won = 0, 0
    if rules.pair == Pair.AFTER_ANY_TRICK:
        won = state.won_since_shown
    elif rules.pair == Pair.AT_ONCE_WITH_A_TRICK:
        won = state.won_any
    makers = 1 << side_of(rules, board.maker)
    flags |= position.WON_BY_MAKERS if won & makers else 0
    flags |= position.WON_BY_OTHERS if won & ~makers else 0
    if scoring.holds_pair_now(state, rules, seat_at(board, board.pair_holder)):
        flags |= position.PAIR_DUE
    return flags


def base_of(board: Board, state: State, rules: Rules) -> int:
    """Return what the makers have, a two that nobody can take included; alone their tricks."""
    if board.lone:
        return state.tricks_won[board.maker]
    makers, low = side_of(rules, board.maker), low_of(state, rules)
    base = scoring.points_of(state, makers)
    if low < 0:
        return base
    is_theirs = any(
        (cards_of(state, seat) | (state.buried[seat] if state.trick == 1 else 0)) >> low & 1
        for seat in range(board.seats)
        if side_of(rules, seat) == makers
    )
    return base + (scoring.worth_of(state, rules, low) if is_theirs else 0)
