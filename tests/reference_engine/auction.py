"""Who calls next, what they may call, and when the auction is over."""

from tests.reference_engine.game import Game
from tests.reference_engine.table import SPECIAL, Table


def first_caller(table: Table) -> int:
    game = table.game
    return table.dealer if game.has("first_caller", "dealer") else game.next_to_call(table.dealer)


def is_over(table: Table) -> bool:
    """Has everybody spoken, or have all others passed?"""
    game, passed = table.game, table.passed()
    if passed_out(table):
        return True
    if table.maker < 0:
        return _over_without_a_bid(table)
    if game.has("top_bid", "ends") and is_the_highest(table):
        return True
    first_round = [word for _, word in table.calls[: game.seats]]
    if game.has("all_pass", "first-forced") and first_round == ["pass"] * game.seats:
        # With the bid that had to follow there is nothing more to say.
        return True
    if game.has("auction", "one-turn"):
        return len(table.calls) == game.seats
    if game.has("auction", "duel"):
        return len(passed) >= 3
    last_alone = [word for _, word in table.calls[:-1]] == ["pass"] * (game.seats - 1)
    if last_alone and game.has("all_pass", "dealer-forced", "dealer-at-least"):
        # The bid of the last after passes of all others: where it is forced it ends the auction.
        return True
    if passes_are_final(game):
        return len(passed) == game.seats - 1
    return _passes_in_a_row(table) == game.seats - 1


def _over_without_a_bid(table: Table) -> bool:
    """Nobody has bid: is it over all the same? Never where somebody has to bid in the end."""
    game = table.game
    if game.binds():
        return False
    all_but_one = game.has("auction", "duel") and not game.has("all_pass", "thrown-in-by-all")
    return len(table.passed()) >= game.seats - (1 if all_but_one else 0)


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
    enough = game.seats - 1 if all_but_one else game.seats
    silent = table.maker < 0 and len(table.passed()) >= enough
    return silent and game.has("all_pass", "thrown-in", "thrown-in-by-all")


def _passes_in_a_row(table: Table) -> int:
    count = 0
    for _, word in reversed(table.calls):
        if word != "pass":
            break
        count += 1
    return count


def next_caller(table: Table) -> int:
    """Return whose call it is while the auction lives."""
    game = table.game
    if not table.calls:
        return first_caller(table)
    if table.maker < 0 and len(table.calls) == game.seats:
        # All have passed, and the first to speak is bound.
        return first_caller(table)
    if game.has("auction", "duel"):
        return _next_in_the_duel(table)
    if game.has("auction", "challenge"):
        return _next_of_two(table)
    out = table.passed() if game.values["pass_final"] or game.has("auction", "one-turn") else set()
    seat = game.next_to_call(table.calls[-1][0])
    while seat in out:
        seat = game.next_to_call(seat)
    return seat


def _two(table: Table) -> list[int]:
    """Return who bid against each other now: the first two in turn who have not passed (O68)."""
    order = table.game.callers_from(first_caller(table))
    return [seat for seat in order if seat not in table.passed()][:2]


def _next_of_two(table: Table) -> int:
    """The holder opens, and answers a standing bid of the other; the other answers the holder."""
    two = _two(table)
    return two[1] if table.maker == two[0] else two[0]


def _next_in_the_duel(table: Table) -> int:
    """The first two speak until one passes; then their partner goes on for them (O58, S100)."""
    game, passed = table.game, table.passed()
    p1, p2, p3, p4 = game.callers_from(game.next_to_call(table.dealer))
    side_a = [seat for seat in (p1, p3) if seat not in passed]
    side_b = [seat for seat in (p2, p4) if seat not in passed]
    if table.maker < 0:
        return [*side_a, *side_b][0]
    own, others = (side_a, side_b) if table.maker in (p1, p3) else (side_b, side_a)
    if others:
        return others[0]
    return next(seat for seat in own if seat != table.maker)


def legal_calls(table: Table) -> set[str]:
    """Return what the next caller may say, tenny apart."""
    game, seat = table.game, next_caller(table)
    special = _special(table, seat)
    if table.forced(seat):
        slam = not game.has("slam", "nothing-extra")
        numbers = {game.values["forced_bid"]} | ({game.values["max_bid"]} if slam else set())
        if game.has("all_pass", "dealer-at-least", "first-opens"):
            numbers |= set(range(game.values["forced_bid"], game.values["max_bid"] + 1))
        return {f"bid {number}" for number in numbers} | special
    lowest = max(game.values["min_bid"], table.standing + 1)
    if may_equal(table, seat):
        lowest = table.standing
    numbers = set(range(lowest, game.values["max_bid"] + 1))
    calls = {f"bid {number}" for number in numbers} | special | {"pass"}
    return calls | {"ditto"} if may_ditto(table, seat) else calls


def may_equal(table: Table, seat: int) -> bool:
    """May the seat bid the number that stands once more? Never one that it has bid itself."""
    game = table.game
    if not game.values["min_bid"] <= table.standing <= game.values["max_bid"]:
        return False
    if seat in bidders_of_standing(table):
        return False
    at_maximum = table.standing == game.values["max_bid"]
    allowed = {
        "nobody": False,
        "dealer": seat == table.dealer,
        "dealer-at-maximum": seat == table.dealer and at_maximum,
        "anyone-at-maximum": at_maximum,
        "anyone": True,
    }
    return bool(allowed[game.values["equal_bid"]])


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
    held = table.hands[seat]
    return [suit for suit in "SHDC" if {"A" + suit, "K" + suit, "2" + suit} <= held]
