"""Faults of the auction and of naming trumps."""

from tests.mutations.kinds import Act, Faults, on
from tests.reference_engine.auction import may_ditto, may_equal, suits_of_28_56
from tests.reference_engine.game import Game
from tests.reference_engine.table import SPECIAL

CALLS = ("bid", "pass", "ditto")


def one_turn(game: Game) -> bool:
    return game.has("auction", "one-turn")


def passes_are_final(game: Game) -> bool:
    rounds = game.has("auction", "rounds") and bool(game.values["pass_final"])
    return game.has("auction", "duel") or rounds


def only_passes_follow(act: Act) -> bool:
    later = act.subject.actions[act.index + 1 :]
    return not any(verb in ("bid", "ditto") for _, verb, _ in later)


def is_plain(act: Act) -> bool:
    """Is a number bid of which another one changes nothing that was done later?

    It may allow, or forbid, raising the stake; and one that ended the auction leaves nobody to pass
    after it (O67).
    """
    values, number = act.game.values, act.rest[0]
    ends = act.game.has("top_bid", "ends") and number == str(values["max_bid"])
    free = not act.table.forced(act.seat) and not values["auto_double"]
    return number.isdigit() and free and not ends


# --- The number
@on("bid")
def bid_below_the_minimum(act: Act) -> Faults:
    lowest, next_one = act.game.values["min_bid"], act.table.standing + 1
    number = act.chance.randint(next_one, max(next_one, lowest - 1))
    if is_plain(act) and number < lowest:
        yield act.faulty("bid-too-low", f"bid {number}", sound=True)


@on("bid")
def bid_above_the_maximum(act: Act) -> Faults:
    highest = act.game.values["max_bid"]
    if is_plain(act) and only_passes_follow(act):
        number = act.chance.choice([highest + 1, highest + 7, 999])
        yield act.faulty("bid-too-high", f"bid {number}", sound=True)


@on("bid", "pass")
def bid_not_above_the_standing_one(act: Act) -> Faults:
    standing = act.table.standing
    if 0 < standing < SPECIAL:
        number = act.chance.randint(1, standing)
        if number < standing or not may_equal(act.table, act.seat):
            # In the place of a pass it is passed over like one.
            yield act.faulty("bid-not-higher", f"bid {number}", sound=act.verb == "pass")


@on("bid", "pass")
def bid_the_game_does_not_have(act: Act) -> Faults:
    double = f"{act.game.values['max_bid']}-double"
    special = {"none": "", "dealer-28-56": "28-56", "double": double}
    own = special[act.game.values["special_bid"]]
    strange = [bid for bid in ("28-56", "83-double", "14-double") if bid != own]
    if not act.table.forced(act.seat):
        yield act.instead("bid-unknown", f"bid {act.chance.choice(strange)}")


@on("bid")
def forced_bid_changed(act: Act) -> Faults:
    game, forced = act.game, act.game.values["forced_bid"]
    if not act.table.forced(act.seat) or act.rest != [str(forced)] or game.values["auto_double"]:
        return
    numbers = [forced + 1, max(1, forced - 1), forced + 2]
    # At least the number may be bid: only a lower one is wrong.
    at_least = game.has("all_pass", "dealer-at-least", "first-opens")
    number = act.chance.choice(numbers[1:2] if at_least else numbers)
    slam = not game.has("slam", "nothing-extra") and number == game.values["max_bid"]
    if number != forced and not slam:
        yield act.faulty("forced-bid-wrong", f"bid {number}", sound=True)


@on("bid")
def forced_dealer_passes(act: Act) -> Faults:
    if act.table.forced(act.seat):
        yield act.instead("dealer-must-bid", "pass")


@on(*CALLS)
def ditto_where_it_cannot_be_said(act: Act) -> Faults:
    if not may_ditto(act.table, act.seat):
        yield act.instead("ditto-not-allowed", "ditto")


@on("bid", "pass")
def bid_of_28_56_without_the_cards(act: Act) -> Faults:
    """Only the dealer may bid 28-56, and only with ace, king and two of a suit (O04)."""
    if not act.game.has("special_bid", "dealer-28-56") or act.table.standing == SPECIAL:
        return
    able = act.seat == act.table.dealer and suits_of_28_56(act.table, act.seat)
    if not able and only_passes_follow(act):
        text = act.text("bid 28-56")
        # Played on when that makes another maker.
        hand = act.subject.played_on(act.index, text) or act.subject.instead(act.index, text)
        yield act.fault("bid-not-allowed", hand, alone=False)


@on("trump")
def another_suit_after_28_56(act: Act) -> Faults:
    """Trumps are a suit of which the bidder of 28-56 holds ace, king and two."""
    if "28-56" in dict(act.table.calls).values() and act.table.standing == SPECIAL:
        suits = suits_of_28_56(act.table, act.seat)
        other = act.chance.choice([suit for suit in "SHDC" if suit not in suits])
        yield act.faulty("bid-not-allowed", f"trump {other}")


# --- Whose turn it is
@on(*CALLS)
def second_call(act: Act) -> Faults:
    """In an auction of one turn somebody speaks again before it is over."""
    spoken = sorted(act.table.spoken())
    if one_turn(act.game) and spoken and act.index:
        call = act.chance.choice(["pass", f"bid {min(act.table.standing + 1, 999)}"])
        yield act.before("spoke-twice", call, act.chance.choice(spoken))


@on(*CALLS)
def bid_after_a_pass(act: Act) -> Faults:
    passed, values = sorted(act.table.passed()), act.game.values
    number = max(act.table.standing + 1, values["min_bid"])
    if passes_are_final(act.game) and passed and number <= values["max_bid"]:
        yield act.before("bid-after-pass", f"bid {number}", act.chance.choice(passed))


@on(*CALLS)
def pass_after_a_pass(act: Act) -> Faults:
    """A final pass is said again: it changes nothing."""
    if passes_are_final(act.game) and (passed := sorted(act.table.passed())):
        yield act.before("pass-after-pass", "pass", act.chance.choice(passed))


@on(*CALLS)
def call_before_ones_turn(act: Act) -> Faults:
    """Two seats that follow each other call the other way round; one of them passes."""
    second, other, rest = act.next
    verbs = (act.verb, other)
    if other not in CALLS or act.seat == second or "pass" not in verbs or "ditto" in verbs:
        return
    forced = act.subject.tables[act.index + 1].forced(second)
    special = other == "bid" and not all(text.isdigit() for text in rest)
    if not (forced or special or ends_early(act, second, other)):
        texts = act.subject.hand.actions[act.index : act.index + 2]
        hand = act.subject.instead(act.index, *reversed(texts), count=2)
        once = one_turn(act.game) or passes_are_final(act.game)
        sound = once and not act.game.has("auction", "duel", "challenge")
        yield act.fault("bid-out-of-turn", hand, alone=sound)


def ends_early(act: Act, seat: int, verb: str) -> bool:
    """Does this call out of turn end the auction, so that what was due before has no place?"""
    if verb != "pass" or (one_turn(act.game) and act.table.standing):
        return False
    return len(act.table.passed() | {seat}) >= act.game.seats - 1


# --- Naming trumps
@on("trump")
def trump_named_by_another(act: Act) -> Faults:
    if act.rest[0] != "seventh":
        yield act.faulty("trump-by-other", act.rest, act.other(), sound=True)


@on("trump")
def trump_the_game_does_not_have(act: Act) -> Faults:
    game = act.game
    reversed_twos = game.has("twos", "no-trump-reversed")
    strange = ["NT"] if game.has("no_trump", "never") else []
    if not game.has("no_trump", "colours") and not reversed_twos:
        strange.append("NT-reversed")
    if not game.has("twos", "suit-reversed"):
        strange += ["S-reversed", "D-reversed"]
    if not game.values["seventh_card"]:
        strange.append("seventh")
    if strange:
        yield act.instead("trump-unknown", f"trump {act.chance.choice(strange)}")
