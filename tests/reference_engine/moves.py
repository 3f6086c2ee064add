"""Everything that may be done next during the tricks."""

from itertools import combinations

from tests.reference_engine.following import (
    buried_by,
    can_follow,
    choices,
    limited_surplus,
    surplus_allowance,
)
from tests.reference_engine.table import Table


def moves(table: Table) -> set[str]:
    """Return all that anybody may do now, as a log writes it."""
    show = f"{table.maker} reveal {shown_word(table)}"
    found = {show} if table.unsaid else set()
    if table.over():
        return found
    found |= {f"{seat} pair" for seat in table.seats if may_pair(table, seat)}
    seat = table.turn
    if table.asked >= 0:
        return found | {show}
    if is_hidden(table) and table.trick and not can_follow(table, seat):
        if must_speak(table, seat):
            return found | ({show} if seat == table.maker else {f"{seat} ask"})
        if may_speak(table, seat):
            found |= {show} if seat == table.maker else {f"{seat} ask"}
    surplus = burials(table, seat)
    if surplus:
        return found | surplus
    return found | {f"{seat} play {card}" for card in plays(table, seat)}


def plays(table: Table, seat: int) -> frozenset[str]:
    """Return the cards a seat may play, with the limit on point cards in the surplus."""
    cards = choices(table, seat)
    buried = buried_by(table, seat)
    if not buried or table.number > 1 or not table.game.has("surplus_points", "one"):
        return cards
    limited = limited_surplus(table, seat)
    full = len(buried & limited) >= surplus_allowance(table, seat)
    return cards - limited or cards if full else cards


def burials(table: Table, seat: int) -> set[str]:
    """Return the ways to put surplus trumps to the first trick, none when there is none."""
    game, hand = table.game, table.hands[seat]
    over = len(game.trumps(hand, table.trump)) - game.hand_size
    if table.number != 1 or buried_by(table, seat) or over <= 0:
        return set()
    if not game.has("surplus", "bury", "discard-then-bury"):
        return set()
    limited, allowed = limited_surplus(table, seat), surplus_allowance(table, seat)
    return {
        f"{seat} bury {' '.join(cards)}"
        for cards in combinations(sorted(hand), over)
        if len(limited & set(cards)) <= allowed
    }


# --- The hidden trump
def is_hidden(table: Table) -> bool:
    return table.game.secret and not table.shown and table.alone < 0


def shown_word(table: Table) -> str:
    """Return how a log writes the trumps that come to light."""
    return table.trump if table.trump_word == "seventh" else table.trump_word


def must_speak(table: Table, seat: int) -> bool:
    """Must the seat, which cannot follow, ask for the trump, or show it if it is its own?

    Not for the sake of the suit of the seventh card, nor with nothing but that card (C26, S88).
    """
    if not table.game.has("ask", "must"):
        return False
    if seat != table.maker or not table.seventh:
        return True
    return table.trick[0][1][1] != table.seventh[1] and bool(table.hands[seat])


def may_speak(table: Table, seat: int) -> bool:
    """May the seat, which cannot follow, ask for the trump, or show it if it is its own?"""
    if table.game.has("ask", "end-of-trick"):
        return False
    return seat == table.maker or table.game.has("ask", "optional", "optional-thrown-dead")


# --- King and queen of trumps
def may_pair(table: Table, seat: int) -> bool:
    """May the seat declare king and queen of trumps now, and does it hold both?"""
    trump = table.live()
    held = {"K" + trump, "Q" + trump} <= table.hands[seat]
    return bool(trump) and held and is_time_for_pair(table, table.game.side(seat))


def is_time_for_pair(table: Table, side: int) -> bool:
    game = table.game
    if game.has("pair", "none") or table.pair_side >= 0 or not table.shown or table.alone >= 0:
        return False
    if game.has("pair", "with-a-ruff"):
        return has_ruffed(table, side)
    if game.has("pair", "at-once"):
        return True
    if game.has("pair", "at-once-with-a-trick"):
        return any(game.side(trick.winner) == side for trick in table.tricks)
    if table.number <= max(table.shown_in, 1):
        return False
    if game.has("pair", "after-reveal"):
        return True
    if table.trick:
        return False
    since = [trick for trick in table.tricks if trick.number >= table.shown_in]
    if game.has("pair", "after-own-trick"):
        since = since[-1:]
    return any(game.side(trick.winner) == side for trick in since)


def has_ruffed(table: Table, side: int) -> bool:
    """Has the side trumped a plain lead in the trick on the table, or the one just over?"""
    cards = table.trick or (table.tricks[-1].plays if table.tricks else ())
    number = table.number if table.trick else table.number - 1
    if not cards or number < table.shown_in or table.game.is_trump(cards[0][1], table.live()):
        return False
    return any(
        table.game.is_trump(card, table.live())
        and card not in table.dead
        and table.game.side(seat) == side
        for seat, card in cards
    )
