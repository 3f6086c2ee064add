"""Who calls next, what they may call, and when the auction is over."""

from tests.reference_engine.game import Game
from tests.reference_engine.table import SPECIAL, Table


def is_over(table: Table) -> bool:
    """Has everybody spoken, or have all others passed?"""
    game, passed = table.game, table.passed()
    words = [word for _, word in table.calls]
    if passed_out(table):
        return True
    if table.maker < 0:
        # Nobody has bid: never over where somebody has to in the end.
        all_but_one = game.has("auction", "duel") and not game.has("all_pass", "thrown-in-by-all")
        return not game.binds() and len(passed) >= game.seats - all_but_one
    if game.has("top_bid", "ends") and is_the_highest(table):
        return True
    if game.has("all_pass", "first-forced") and words[: game.seats] == ["pass"] * game.seats:
        # With the bid that had to follow there is nothing more to say.
        return True
    if game.has("auction", "one-turn"):
        return len(words) == game.seats
    if game.has("auction", "duel"):
        return len(passed) >= 3
    if words[:-1] == ["pass"] * (game.seats - 1) and game.has(
        "all_pass", "dealer-forced", "dealer-at-least"
    ):
        # The bid of the last after passes of all others: where it is forced it ends the auction.
        return True
    if passes_are_final(game):
        return len(passed) == game.seats - 1
    return words[1 - game.seats :] == ["pass"] * (game.seats - 1)


def passes_are_final(game: Game) -> bool:
    return bool(game.values["pass_final"]) or game.has("auction", "duel", "challenge")


def is_the_highest(table: Table) -> bool:
    """Is the standing bid the highest that this game has?"""
    above = not table.game.has("special_bid", "none")
    return table.standing == (SPECIAL if above else table.game.values["max_bid"])


def passed_out(table: Table) -> bool:
    """Is the deal thrown in: has nobody bid, or with secret trumps none of the first three?"""
    game = table.game
    all_but_one = game.secret and game.has("all_pass", "thrown-in")
    silent = table.maker < 0 and len(table.passed()) >= game.seats - all_but_one
    return silent and game.has("all_pass", "thrown-in", "thrown-in-by-all")


def next_caller(table: Table) -> int:
    """Return whose call it is while the auction lives."""
    game = table.game
    if not table.calls or (table.maker < 0 and len(table.calls) == game.seats):
        # When all have passed, the first to speak is bound.
        return table.first_caller()
    if game.has("auction", "duel"):
        return _next_in_the_duel(table)
    if game.has("auction", "challenge"):
        # The holder opens, and answers a standing bid of the other; the other answers the holder.
        two = _two(table)
        return two[1] if table.maker == two[0] else two[0]
    out = table.passed() if game.values["pass_final"] or game.has("auction", "one-turn") else set()
    order = game.callers_from(game.next_to_call(table.calls[-1][0]))
    return next(seat for seat in order if seat not in out)


def _two(table: Table) -> list[int]:
    """Return who bid against each other now: the first two in turn who have not passed (O68)."""
    order = table.game.callers_from(table.first_caller())
    return [seat for seat in order if seat not in table.passed()][:2]


def _next_in_the_duel(table: Table) -> int:
    """The first two speak until one passes; then their partner goes on for them (O58, S100)."""
    game, passed = table.game, table.passed()
    p1, p2, p3, p4 = game.callers_from(game.next_to_call(table.dealer))
    side_a = [seat for seat in (p1, p3) if seat not in passed]
    side_b = [seat for seat in (p2, p4) if seat not in passed]
    if table.maker < 0:
        return [*side_a, *side_b][0]
    own, others = (side_a, side_b) if table.maker in (p1, p3) else (side_b, side_a)
    return [*others, *(seat for seat in own if seat != table.maker)][0]


def legal_calls(table: Table) -> set[str]:
    """Return what the next caller may say, tenny apart."""
    game, seat = table.game, next_caller(table)
    forced_bid, most = game.values["forced_bid"], game.values["max_bid"]
    calls = _special(table, seat)
    if table.forced(seat):
        numbers = {forced_bid} | (set() if game.has("slam", "nothing-extra") else {most})
        if game.has("all_pass", "dealer-at-least", "first-opens"):
            numbers |= set(range(forced_bid, most + 1))
        return calls | {f"bid {number}" for number in numbers}
    lowest = max(game.values["min_bid"], table.standing + 1)
    if may_equal(table, seat):
        lowest = table.standing
    calls |= {"pass", *(f"bid {number}" for number in range(lowest, most + 1))}
    return calls | {"ditto"} if may_ditto(table, seat) else calls


def may_equal(table: Table, seat: int) -> bool:
    """May the seat bid the number that stands once more? Never one that it has bid itself."""
    game = table.game
    at_maximum = table.standing == game.values["max_bid"]
    allowed = {
        "nobody": False,
        "dealer": seat == table.dealer,
        "dealer-at-maximum": seat == table.dealer and at_maximum,
        "anyone-at-maximum": at_maximum,
        "anyone": True,
    }
    is_number = game.values["min_bid"] <= table.standing <= game.values["max_bid"]
    own = seat in bidders_of_standing(table)
    return bool(is_number and not own and allowed[game.values["equal_bid"]])


def bidders_of_standing(table: Table) -> list[int]:
    """Return who has bid the number that stands, or held it, in order."""
    seats: list[int] = []
    number = ""
    for seat, word in table.calls:
        if word in ("ditto", number):
            seats.append(seat)
        elif word not in ("pass", "tenny"):
            seats, number = [seat], word
    return seats


def may_ditto(table: Table, seat: int) -> bool:
    """May the seat hold the number that stands? Nobody may after it was held (O54, O58, S96)."""
    game = table.game
    if not 0 < table.standing < SPECIAL or len(bidders_of_standing(table)) != 1:
        return False
    if table.maker == seat or game.has("ditto", "nobody"):
        return False
    if game.has("ditto", "anyone"):
        return True
    if game.has("ditto", "holder"):
        return seat == _two(table)[0]
    first_side = game.side(game.next_to_call(table.dealer))
    return game.side(seat) == first_side != game.side(table.maker)


def _special(table: Table, seat: int) -> set[str]:
    """Return the bid above all numbers, if the seat may make it."""
    game = table.game
    if table.standing == SPECIAL or game.has("special_bid", "none"):
        return set()
    if game.has("special_bid", "double"):
        return {f"bid {game.values['max_bid']}-double"}
    return {"bid 28-56"} if seat == table.dealer and suits_of_28_56(table, seat) else set()


def suits_of_28_56(table: Table, seat: int) -> list[str]:
    """Return the suits of which the seat holds ace, king and two (O04)."""
    return [suit for suit in "SHDC" if {"A" + suit, "K" + suit, "2" + suit} <= table.hands[seat]]
