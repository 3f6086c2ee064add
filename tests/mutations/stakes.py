"""Faults around the stake, playing alone, throwing in and stopping early."""

from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from tests.mutations.kinds import Mutation, Subject, kind
from tests.reference_engine.count import points_needed, points_taken
from tests.reference_engine.moves import burials
from tests.reference_engine.table import RAISES, Table


# --- Raising the stake
def defenders(table: Table) -> list[int]:
    own = table.game.side(table.maker)
    return [seat for seat in table.seats if table.game.side(seat) != own]


def makers(table: Table) -> list[int]:
    return [seat for seat in table.seats if seat not in defenders(table)]


def raised_by_itself(table: Table) -> bool:
    auto = table.game.values["auto_double"]
    return bool(0 < auto <= table.standing)


def next_raise(table: Table) -> tuple[str, list[int]]:
    """Return what may be said about the stake, and by whom; "" when it stays as it is."""
    most = ("none", "double", "redouble", "super").index(table.game.values["doubling"])
    if raised_by_itself(table):
        return ("double", defenders(table)) if table.doubles == 0 and most else ("", [])
    if table.doubles >= most:
        return "", []
    return RAISES[table.doubles], makers(table) if table.doubles == 1 else defenders(table)


@kind
def stake_raised_wrongly(subject: Subject) -> Iterator[Mutation]:
    """The wrong side, the wrong word, or one raise too many, right after what was said last."""
    if subject.game.has("doubling", "none"):
        return
    for index in subject.places("trump", *RAISES):
        table = subject.tables[index + 1]
        word, seats = next_raise(table)
        wrong = [
            f"{seat} {each}"
            for each in RAISES
            for seat in table.seats
            if each != word or seat not in seats
        ]
        hand = subject.instead(index + 1, subject.chance.choice(wrong), count=0)
        sound = not subject.end.thrown_in
        yield subject.fault("double-not-allowed", index + 1, hand, alone=sound)


@kind
def stake_raised_during_the_tricks(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        text = f"{subject.actions[index][0]} {subject.chance.choice(RAISES)}"
        if subject.game.has("doubling", "none"):
            yield from subject.fatal("not-now", index, text)
        else:
            hand = subject.instead(index, text, count=0)
            yield subject.fault("double-not-allowed", index, hand)


# --- Alone
@kind
def alone_too_late(subject: Subject) -> Iterator[Mutation]:
    """All tricks are undertaken after the first lead, or where nobody may."""
    for index in subject.places("play"):
        seat = subject.actions[index][0]
        if subject.game.has("solo", "none"):
            yield from subject.fatal("not-now", index, f"{seat} solo")
        elif subject.tables[index].trick or subject.tables[index].tricks:
            hand = subject.instead(index, f"{seat} solo", count=0)
            yield subject.fault("solo-not-allowed", index, hand)


@kind
def alone_after_one_who_comes_first(subject: Subject) -> Iterator[Mutation]:
    """Of two who would play alone it is the first in turn from the usual leader (S90)."""
    for index in subject.places("solo"):
        table, seat = subject.tables[index], subject.actions[index][0]
        order = subject.game.from_seat(usual_leader(table))
        later = order[order.index(seat) + 1 :]
        if later:
            text = f"{subject.chance.choice(later)} solo"
            hand = subject.instead(index + 1, text, count=0)
            yield subject.fault("solo-not-allowed", index + 1, hand)


def usual_leader(table: Table) -> int:
    """Return who leads when nobody plays alone."""
    twin = table.copy()
    twin.alone = -1
    return twin.first_leader()


@kind
def trump_of_a_single_hand_changed(subject: Subject) -> Iterator[Mutation]:
    """Its player names trumps again, or names some where a single hand has none (O87)."""
    for index in subject.places("play"):
        table = subject.tables[index]
        if table.alone >= 0:
            yield from subject.fatal("not-now", index, f"{table.alone} trump S")


@kind
def alone_on_a_hand_that_cannot_lose(subject: Subject) -> Iterator[Mutation]:
    values = subject.game.values
    if values["solo"] == "none" or values["certain_solo"] or values["solo_trump"]:
        return
    for index, (_, verb, _) in enumerate(subject.actions):
        table = subject.tables[index]
        if verb == "play" and table.number == 1 and not table.trick and table.alone < 0:
            for seat in table.seats:
                if cannot_lose(table, seat):
                    text = f"{seat} solo"
                    yield from subject.added("solo-not-allowed", index, text)


def cannot_lose(table: Table, seat: int) -> bool:
    """Are the top cards of each suit held as many as the seat has, or as all others have (S91)?"""
    game = table.game
    hand = table.hands[seat] | ({table.seventh} - {""} if seat == table.maker else set())
    for suit in "SHDC":
        order = [rank + suit for rank in game.order]
        own = [card for card in order if card in hand]
        top = next((place for place, card in enumerate(order) if card not in hand), len(order))
        if own and top < min(len(own), len(order) - len(own)):
            return False
    return True


@kind
def partner_of_one_alone_plays(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        table = subject.tables[index]
        seat = (table.alone + 2) % 4
        if table.alone >= 0 and table.hands[seat]:
            text = f"{seat} play {subject.pick(table.hands[seat])}"
            hand = subject.instead(index, text, count=0)
            yield subject.fault("played-when-out", index, hand)


@kind
def tenny_where_it_has_no_place(subject: Subject) -> Iterator[Mutation]:
    """After the auction, or in a game without it."""
    for index in subject.places("play", "trump"):
        table = subject.tables[index]
        if not subject.game.values["tenny"] or not table.tenny:
            seat = subject.actions[index][0]
            yield from subject.fatal("not-now", index, f"{seat} tenny")


# --- Throwing in, stopping
@kind
def thrown_in_without_cause(subject: Subject) -> Iterator[Mutation]:
    for index in subject.shuffled(range(len(subject.actions))):
        # Nobody has to wait for what might be said about the stake.
        due = subject.end.thrown_in and subject.tables[index].trump_word
        if subject.actions[index][1] != "throw-in" and not due:
            seat = subject.actions[index][0]
            hand = replace(
                subject.hand,
                actions=[*subject.hand.actions[:index], f"{seat} throw-in"],
                claimed=UNSET,
            )
            yield subject.fault("stopped-without-cause", index, hand)


@kind
def not_thrown_in(subject: Subject) -> Iterator[Mutation]:
    """The deal goes on where the cards call for throwing it in."""
    for index in subject.places("throw-in"):
        table = subject.tables[index].copy()
        if table.trump_word:
            table.ready_for("0 play ?")
            seat = table.turn
            surplus = burials(table, seat)
            cards = subject.pick(table.playable_cards(seat))
            text = subject.pick(surplus) if surplus else f"{seat} play {cards}"
        else:
            text = f"{table.first_caller()} pass"
        hand = subject.played_on(index, text)
        if hand is not None:
            yield subject.fault("not-thrown-in", index, hand)


@kind
def stopped_before_it_is_decided(subject: Subject) -> Iterator[Mutation]:
    """Play stops at the first lead, when nobody has taken anything."""
    for index in subject.places("play"):
        table, seat = subject.tables[index], subject.actions[index][0]
        word = subject.chance.choice(["decided", "concede"])
        if subject.game.has("early_end", "never") and table.alone < 0:
            yield from subject.fatal("not-now", index, f"{seat} {word}")
        elif subject.game.has("early_end", "when-decided") and is_undecided(table):
            actions = [*subject.hand.actions[:index], f"{seat} {word}"]
            hand = replace(subject.hand, actions=actions, claimed=UNSET)
            yield subject.fault("stopped-without-cause", index, hand)


def is_undecided(table: Table) -> bool:
    """Is it open before the first lead whether the contract will be made?

    The bid may be above all points there are, or points may be scored before anybody plays.
    """
    if table.tricks:
        return False
    game = table.game
    if table.alone >= 0 or table.no_contract or (game.secret and not table.shown):
        return True
    points = points_taken(table)
    left = game.all_points() - sum(points)
    taken = points[game.side(table.maker)]
    return taken < points_needed(table) <= taken + left
