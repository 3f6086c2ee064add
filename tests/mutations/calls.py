"""Faults of the auction and of naming trumps."""

from collections.abc import Iterator

from tests.mutations.kinds import Mutation, Subject, kind
from tests.reference_engine.auction import may_ditto, may_equal, suits_of_28_56
from tests.reference_engine.table import SPECIAL, Table
from tricklog.schemas.hand import Hand

CALLS = ("bid", "pass", "ditto")


def one_turn(subject: Subject) -> bool:
    return subject.game.has("auction", "one-turn")


def passes_are_final(subject: Subject) -> bool:
    return subject.game.has("auction", "duel") or (
        subject.game.has("auction", "rounds") and bool(subject.game.values["pass_final"])
    )


def only_passes_follow(subject: Subject, index: int) -> bool:
    return not any(verb in ("bid", "ditto") for _, verb, _ in subject.actions[index + 1 :])


def stakes_may_change(subject: Subject) -> bool:
    """May another number allow, or forbid, what was done after the auction?"""
    return bool(subject.game.values["auto_double"])


def ended_by(subject: Subject, number: str) -> bool:
    """Did this number end the auction, so that nobody has passed after it (O67)?"""
    return subject.game.has("top_bid", "ends") and number == str(subject.game.values["max_bid"])


# --- The number
@kind
def bid_below_the_minimum(subject: Subject) -> Iterator[Mutation]:
    lowest = subject.game.values["min_bid"]
    for index in subject.places("bid"):
        table, (seat, _, rest) = subject.tables[index], subject.actions[index]
        number = subject.chance.randint(table.standing + 1, max(table.standing + 1, lowest - 1))
        plain = rest[0].isdigit() and not table.forced(seat) and not stakes_may_change(subject)
        plain = plain and not ended_by(subject, rest[0])
        if plain and number < lowest:
            yield from subject.faulty("bid-too-low", index, f"{seat} bid {number}", sound=True)


@kind
def bid_above_the_maximum(subject: Subject) -> Iterator[Mutation]:
    highest = subject.game.values["max_bid"]
    for index in subject.places("bid"):
        table, (seat, _, rest) = subject.tables[index], subject.actions[index]
        plain = rest[0].isdigit() and not table.forced(seat) and not stakes_may_change(subject)
        plain = plain and not ended_by(subject, rest[0])
        if plain and only_passes_follow(subject, index):
            number = subject.chance.choice([highest + 1, highest + 7, 999])
            yield from subject.faulty("bid-too-high", index, f"{seat} bid {number}", sound=True)


@kind
def bid_not_above_the_standing_one(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("bid", "pass"):
        table, (seat, verb, _) = subject.tables[index], subject.actions[index]
        if not 0 < table.standing < SPECIAL:
            continue
        number = subject.chance.randint(1, table.standing)
        if number < table.standing or not may_equal(table, seat):
            # In the place of a pass it is passed over like one.
            text, passes = f"{seat} bid {number}", verb == "pass"
            yield from subject.faulty("bid-not-higher", index, text, sound=passes)


@kind
def bid_the_game_does_not_have(subject: Subject) -> Iterator[Mutation]:
    special = {
        "none": "",
        "dealer-28-56": "28-56",
        "double": f"{subject.game.values['max_bid']}-double",
    }
    own = special[subject.game.values["special_bid"]]
    strange = [bid for bid in ("28-56", "83-double", "14-double") if bid != own]
    for index in subject.places("bid", "pass"):
        seat = subject.actions[index][0]
        if not subject.tables[index].forced(seat):
            text = f"{seat} bid {subject.chance.choice(strange)}"
            yield from subject.fatal("bid-unknown", index, text, count=1)


@kind
def forced_bid_changed(subject: Subject) -> Iterator[Mutation]:
    forced = subject.game.values["forced_bid"]
    slam = not subject.game.has("slam", "nothing-extra")
    for index in subject.places("bid"):
        table, (seat, _, rest) = subject.tables[index], subject.actions[index]
        if not table.forced(seat) or rest != [str(forced)] or stakes_may_change(subject):
            continue
        numbers = [forced + 1, max(1, forced - 1), forced + 2]
        # At least the number may be bid: only a lower one is wrong.
        at_least = subject.game.has("all_pass", "dealer-at-least", "first-opens")
        number = subject.chance.choice(numbers[1:2] if at_least else numbers)
        if number != forced and not (slam and number == subject.game.values["max_bid"]):
            text = f"{seat} bid {number}"
            yield from subject.faulty("forced-bid-wrong", index, text, sound=True)


@kind
def forced_dealer_passes(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("bid"):
        seat = subject.actions[index][0]
        if subject.tables[index].forced(seat):
            yield from subject.fatal("dealer-must-bid", index, f"{seat} pass", count=1)


@kind
def ditto_where_it_cannot_be_said(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places(*CALLS):
        table, seat = subject.tables[index], subject.actions[index][0]
        if not may_ditto(table, seat):
            yield from subject.fatal("ditto-not-allowed", index, f"{seat} ditto", count=1)


@kind
def bid_of_28_56_without_the_cards(subject: Subject) -> Iterator[Mutation]:
    """Only the dealer may bid 28-56, and only with ace, king and two of a suit (O04)."""
    for index in subject.places("bid", "pass"):
        table, seat = subject.tables[index], subject.actions[index][0]
        if not subject.game.has("special_bid", "dealer-28-56") or table.standing == SPECIAL:
            continue
        able = seat == table.dealer and suits_of_28_56(table, seat)
        if not able and only_passes_follow(subject, index):
            hand = bid_instead(subject, index, f"{seat} bid 28-56")
            yield subject.fault("bid-not-allowed", index, hand, alone=False)


def bid_instead(subject: Subject, index: int, text: str) -> Hand:
    """Return the hand with another bid, played on when that makes another maker."""
    hand = subject.played_on(index, text)
    return hand if hand is not None else subject.instead(index, text)


@kind
def another_suit_after_28_56(subject: Subject) -> Iterator[Mutation]:
    """Trumps are a suit of which the bidder of 28-56 holds ace, king and two."""
    for index in subject.places("trump"):
        table, seat = subject.tables[index], subject.actions[index][0]
        if ("28-56" not in dict(table.calls).values()) or table.standing != SPECIAL:
            continue
        suits = suits_of_28_56(table, seat)
        other = subject.chance.choice([suit for suit in "SHDC" if suit not in suits])
        yield from subject.faulty("bid-not-allowed", index, f"{seat} trump {other}")


# --- Whose turn it is
@kind
def second_call(subject: Subject) -> Iterator[Mutation]:
    """In an auction of one turn somebody speaks again before it is over."""
    for index in subject.places(*CALLS):
        table = subject.tables[index]
        spoken = sorted(table.spoken())
        if one_turn(subject) and spoken and index:
            higher = f"bid {min(table.standing + 1, 999)}"
            call = subject.chance.choice(["pass", higher])
            seat = subject.chance.choice(spoken)
            yield from subject.fatal("spoke-twice", index, f"{seat} {call}")


@kind
def bid_after_a_pass(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places(*CALLS):
        table = subject.tables[index]
        passed = sorted(table.passed())
        if passes_are_final(subject) and passed:
            number = max(table.standing + 1, subject.game.values["min_bid"])
            if number <= subject.game.values["max_bid"]:
                seat = subject.chance.choice(passed)
                yield from subject.fatal("bid-after-pass", index, f"{seat} bid {number}")


@kind
def pass_after_a_pass(subject: Subject) -> Iterator[Mutation]:
    """A final pass is said again: it changes nothing."""
    for index in subject.places(*CALLS):
        passed = sorted(subject.tables[index].passed())
        if passes_are_final(subject) and passed:
            text = f"{subject.chance.choice(passed)} pass"
            hand = subject.instead(index, text, count=0)
            yield subject.fault("pass-after-pass", index, hand)


@kind
def call_before_ones_turn(subject: Subject) -> Iterator[Mutation]:
    """Two seats that follow each other call the other way round; one of them passes."""
    actions = subject.hand.actions
    duel = subject.game.has("auction", "duel", "challenge")
    for index in subject.places(*CALLS):
        if index + 1 == len(actions) or subject.actions[index + 1][1] not in CALLS:
            continue
        (first, one, _), (second, other, rest) = subject.actions[index : index + 2]
        table = subject.tables[index]
        if first == second or "pass" not in (one, other) or "ditto" in (one, other):
            continue
        forced = subject.tables[index + 1].forced(second)
        early = [text for text in (rest if other == "bid" else []) if not text.isdigit()]
        if forced or early or ends_early(subject, table, second, other):
            continue
        hand = subject.instead(index, actions[index + 1], actions[index], count=2)
        sound = not duel and (one_turn(subject) or passes_are_final(subject))
        yield subject.fault("bid-out-of-turn", index, hand, alone=sound)


def ends_early(subject: Subject, table: Table, seat: int, verb: str) -> bool:
    """Does this call out of turn end the auction, so that what was due before has no place?"""
    if verb != "pass" or (one_turn(subject) and table.standing):
        return False
    return len(table.passed() | {seat}) >= subject.game.seats - 1


# --- Naming trumps
@kind
def trump_named_by_another(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("trump"):
        seat, _, rest = subject.actions[index]
        if rest[0] != "seventh":
            text = f"{subject.others(seat)[0]} trump {rest[0]}"
            yield from subject.faulty("trump-by-other", index, text, sound=True)


@kind
def trump_the_game_does_not_have(subject: Subject) -> Iterator[Mutation]:
    game = subject.game
    strange = []
    if game.has("no_trump", "never"):
        strange.append("NT")
    if not game.has("no_trump", "colours") and not game.has("twos", "no-trump-reversed"):
        strange.append("NT-reversed")
    if not game.has("twos", "suit-reversed"):
        strange += ["S-reversed", "D-reversed"]
    if not game.values["seventh_card"]:
        strange.append("seventh")
    for index in subject.places("trump"):
        if strange:
            seat = subject.actions[index][0]
            text = f"{seat} trump {subject.chance.choice(strange)}"
            yield from subject.fatal("trump-unknown", index, text, count=1)
