"""Faults between the auction and the tricks: kitty, laying off, claims."""

from collections.abc import Iterator

from tests.mutations.kinds import Mutation, Subject, kind
from tests.reference_engine.table import Table

DISCARDS = ("discard", "discard-up")


def cards_text(seat: int, verb: str, cards: list[str] | set[str]) -> str:
    return f"{seat} {verb} {' '.join(cards)}"


def first_discards(subject: Subject) -> list[int]:
    """Return the discards of hands as dealt: each seat's first, before the dealer robs.

    One that is followed by another, with nothing in between, is only a part of it.
    """
    found, seats = [], set()
    for index, (seat, verb, _) in enumerate(subject.actions):
        if verb == "rob":
            break
        if verb in DISCARDS and seat not in seats:
            seats.add(seat)
            if not goes_on_laying_off(subject, index):
                found.append(index)
    return subject.shuffled(found)


def goes_on_laying_off(subject: Subject, index: int) -> bool:
    """Is the next that the seat does to lay off more?"""
    own = subject.actions[index][0]
    later = [verb for seat, verb, _ in subject.actions[index + 1 :] if seat == own]
    return later[:1] in (["discard"], ["discard-up"])


def is_free_dealer(subject: Subject, table: Table, seat: int) -> bool:
    """Does the dealer choose the last cards freely in robbing, so that no clearing is due?"""
    return seat == table.dealer and subject.game.has("rob", "to-size", "stock-and-discards")


def comes_down_later(subject: Subject, table: Table, seat: int) -> bool:
    """Does the dealer come down to size only after the rob?"""
    return seat == table.dealer and not subject.game.has("rob", "nothing")


def trumps_lie_free(subject: Subject) -> bool:
    """Is laying off a trump no fault, since others may take it up (S19, S20)?"""
    return bool(subject.game.values["search_discards"] or subject.game.values["discards_claimed"])


# --- The kitty
@kind
def kitty_taken_by_another(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("kitty"):
        seat, _, cards = subject.actions[index]
        text = cards_text(subject.others(seat)[0], "kitty", cards)
        yield subject.fault("kitty-by-other", index, subject.instead(index, text), alone=False)


@kind
def kitty_taken_in_part(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("kitty"):
        seat, _, cards = subject.actions[index]
        if len(cards) > 1:
            text = cards_text(seat, "kitty", cards[1:])
            yield from subject.faulty("kitty-count", index, text, sound=True)


@kind
def card_not_in_the_kitty(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("kitty"):
        seat, _, cards = subject.actions[index]
        strange = subject.pick(subject.tables[index].hands[subject.others(seat)[0]])
        text = cards_text(seat, "kitty", [*cards[1:], strange])
        yield from subject.fatal("card-not-in-kitty", index, text, count=1)


# --- Laying off
@kind
def plain_card_kept(subject: Subject) -> Iterator[Mutation]:
    """Where all plain cards go, or all beside too many trumps, one stays."""
    game = subject.game
    for index in first_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        plain = game.plain(cards, table.trump)
        trumps = game.trumps(table.hands[seat], table.trump)
        all_go = game.has("discard", "all-plain") or (
            game.has("discard", "to-size") and len(trumps) > game.hand_size
        )
        if all_go and plain and len(cards) > 1 and not is_free_dealer(subject, table, seat):
            kept = subject.pick(plain)
            text = cards_text(seat, verb, [card for card in cards if card != kept])
            hand = subject.instead(index, text)
            yield subject.fault("kept-plain", index, hand, alone=False)


def must_keep_trumps(subject: Subject, index: int) -> bool:
    """Must the seat of a discard keep every trump it holds?"""
    game, table, seat = subject.game, subject.tables[index], subject.actions[index][0]
    trumps = game.trumps(table.hands[seat], table.trump)
    if trumps_lie_free(subject) or is_free_dealer(subject, table, seat):
        return False
    if game.has("discard", "any", "nothing"):
        return False
    return game.has("surplus", "bury") or len(trumps) <= game.hand_size


def to_size(subject: Subject) -> bool:
    return subject.game.has("discard", "to-size", "points-kept")


@kind
def trump_laid_off(subject: Subject) -> Iterator[Mutation]:
    """A trump without points goes with the plain cards, or in the place of one."""
    game = subject.game
    for index in first_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        blanks = game.blanks(table.hands[seat] - set(cards), table.trump)
        kept_all = must_keep_trumps(subject, index) and not game.has("discard", "points-kept")
        if blanks and kept_all:
            kept = cards[1:] if to_size(subject) else cards
            text = cards_text(seat, verb, [*kept, subject.pick(blanks)])
            yield from subject.faulty("discarded-trump", index, text)


@kind
def points_laid_off(subject: Subject) -> Iterator[Mutation]:
    """A point card of trumps goes with the plain cards, or in the place of one."""
    game = subject.game
    for index in first_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        points = game.point_trumps(table.hands[seat] - set(cards), table.trump)
        keeps = must_keep_trumps(subject, index) and not game.has("discarded_points", "opponents")
        if points and keeps:
            kept = cards[1:] if to_size(subject) else cards
            text = cards_text(seat, verb, [*kept, subject.pick(points)])
            yield from subject.faulty("discarded-points", index, text)


@kind
def too_few_laid_off(subject: Subject) -> Iterator[Mutation]:
    """Down to size means down to it: one plain card less stays over."""
    game = subject.game
    for index in first_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        trumps = game.trumps(table.hands[seat], table.trump)
        if to_size(subject) and len(trumps) <= game.hand_size and len(cards) > 1:
            yield from subject.faulty("discard-count", index, cards_text(seat, verb, cards[1:]))


@kind
def too_many_laid_off(subject: Subject) -> Iterator[Mutation]:
    game = subject.game
    for index in first_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        trumps = game.trumps(table.hands[seat], table.trump)
        left = game.plain(table.hands[seat] - set(cards), table.trump)
        if to_size(subject) and len(trumps) <= game.hand_size and left:
            text = cards_text(seat, verb, [*cards, subject.pick(left)])
            yield from subject.faulty("discard-count", index, text)


@kind
def surplus_not_laid_off(subject: Subject) -> Iterator[Mutation]:
    """Where surplus trumps are discarded, one of them stays."""
    game = subject.game
    for index in first_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        trumps = sorted(game.trumps(cards, table.trump))
        stays = game.trumps(table.hands[seat] - set(cards), table.trump) | {*trumps[:1]}
        comes_down = game.has("discard", "all-plain") and game.has("surplus", "discard")
        # Who lays off points besides has room for it.
        comes_down = comes_down and len(stays) > game.hand_size
        bound = not is_free_dealer(subject, table, seat)
        bound = bound and not comes_down_later(subject, table, seat)
        if comes_down and bound and trumps and len(cards) > 1 and not trumps_lie_free(subject):
            text = cards_text(seat, verb, [card for card in cards if card != trumps[0]])
            yield from subject.faulty("discard-count", index, text)


@kind
def card_of_another_laid_off(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places(*DISCARDS, "bury"):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        held = table.hands[subject.others(seat)[0]]
        if held:
            text = cards_text(seat, verb, [*cards[1:], subject.pick(held)])
            yield from subject.fatal("card-not-held", index, text, count=1)


# --- Coming down to size after the rest was taken
def last_discards(subject: Subject) -> list[int]:
    """Return the discards of a dealer who has robbed."""
    robs = [index for index, (_, verb, _) in enumerate(subject.actions) if verb == "rob"]
    return [index for index in subject.places(*DISCARDS) if robs and index > robs[0]]


@kind
def dealer_comes_down_too_little(subject: Subject) -> Iterator[Mutation]:
    game = subject.game
    for index in last_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        kept = subject.chance.choice(cards)
        plain = game.plain(table.hands[seat], table.trump)
        free = is_free_dealer(subject, table, seat) or game.has("discard", "any", "points-kept")
        all_go = kept in plain and plain <= set(cards) and not free
        left = len(table.hands[seat]) - len(cards) + 1
        # A dealer who takes the pack first may keep any number up to the hand size (O66).
        fewer = game.has("rob", "whole-stock-first") and left <= game.hand_size
        if len(cards) > 1 and not fewer:
            text = cards_text(seat, verb, [card for card in cards if card != kept])
            yield from subject.faulty("kept-plain" if all_go else "discard-count", index, text)


@kind
def dealer_comes_down_by_a_point_card(subject: Subject) -> Iterator[Mutation]:
    game = subject.game
    for index in last_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        points = game.point_trumps(table.hands[seat] - set(cards), table.trump)
        kept = not (game.has("discard", "any") or game.has("discarded_points", "opponents"))
        if points and kept:
            text = cards_text(seat, verb, [*cards[1:], subject.pick(points)])
            yield from subject.faulty("discarded-points", index, text)


# --- What has to be shown
@kind
def discard_not_shown(subject: Subject) -> Iterator[Mutation]:
    game = subject.game
    for index in subject.places("discard-up"):
        table, (seat, _, cards) = subject.tables[index], subject.actions[index]
        trumps = game.has("discards_shown", "trumps") and game.trumps(cards, table.trump)
        if game.has("discards_shown", "all") or trumps:
            text = cards_text(seat, "discard", cards)
            yield from subject.faulty("discard-not-shown", index, text, sound=True)


@kind
def rest_not_shown(subject: Subject) -> Iterator[Mutation]:
    """The dealer says nothing of trumps left in the stock, and plays."""
    for index in subject.places("show"):
        hand = subject.instead(index)
        seat = subject.actions[index][0]
        for place in range(index, len(hand.actions)):
            if subject.tables[index].number == 0 and hand.actions[place].startswith(
                f"{seat} play "
            ):
                yield subject.fault("discard-not-shown", place, hand)


# --- Claiming
def claim_times(subject: Subject) -> list[int]:
    """Return where cards may be claimed: from the first discard to the end of the exchange."""
    if not subject.game.values["discards_claimed"]:
        return []
    start = min(subject.places(*DISCARDS), default=len(subject.actions))
    ends = subject.places("rob", "play", "bury")
    draws = subject.places("draw")
    if draws and subject.game.has("rob", "whole-stock-first"):
        # What a dealer lays off who has taken the stock first, or found none, ends the exchange.
        ends += [index for index in subject.places(*DISCARDS) if index > min(draws)]
    end = min(ends, default=0)
    return [index for index in subject.places(*DISCARDS, "draw", "claim") if start < index < end]


def open_trumps(table: Table, seat: int, *, opponents: bool) -> set[str]:
    """Return the trumps among the discards of one's opponents, or of one's own side."""
    game = table.game
    cards: set[str] = set()
    for other in table.seats:
        if (game.side(other) != game.side(seat)) == opponents:
            cards |= game.trumps(table.discards[other], table.trump)
    return cards


def may_claim(table: Table, seat: int) -> bool:
    trumps = table.game.trumps(table.hands[seat], table.trump)
    return seat not in table.filled and len(trumps) < table.game.hand_size


@kind
def claimed_by_who_may_not(subject: Subject) -> Iterator[Mutation]:
    """Who has drawn, holds trumps enough, or is on the same side claims a trump."""
    for index in claim_times(subject):
        table = subject.tables[index]
        for seat in subject.shuffled(list(table.seats)):
            own_side = may_claim(table, seat)
            cards = open_trumps(table, seat, opponents=not own_side)
            plain = table.game.plain(table.hands[seat], table.trump)
            if cards:
                given = [subject.pick(plain)] if plain else []
                text = cards_text(seat, "claim", [subject.pick(cards), *given])
                yield from subject.added("claim-not-allowed", index, text)


@kind
def claimed_for_the_wrong_card(subject: Subject) -> Iterator[Mutation]:
    """A trump is given for the claimed one, or nothing in spite of a plain card in hand."""
    for index in claim_times(subject):
        table = subject.tables[index]
        for seat in subject.shuffled(list(table.seats)):
            cards = open_trumps(table, seat, opponents=True)
            plain = table.game.plain(table.hands[seat], table.trump)
            trumps = table.game.trumps(table.hands[seat], table.trump)
            if cards and plain and may_claim(table, seat):
                given = [subject.pick(trumps)] if trumps and subject.chance.random() < 0.5 else []
                text = cards_text(seat, "claim", [subject.pick(cards), *given])
                if given:
                    yield from subject.added("claim-not-allowed", index, text)
                else:
                    # The hand is one card too large from there on.
                    hand = subject.instead(index, text, count=0)
                    yield subject.fault("claim-not-allowed", index, hand, alone=False)


@kind
def plain_card_claimed(subject: Subject) -> Iterator[Mutation]:
    for index in claim_times(subject):
        table = subject.tables[index]
        for seat in subject.shuffled(list(table.seats)):
            plain = table.game.plain(table.hands[seat], table.trump)
            theirs = {
                card
                for other in table.seats
                if table.game.side(other) != table.game.side(seat)
                for card in table.game.plain(table.discards[other], table.trump)
            }
            if plain and theirs and may_claim(table, seat):
                text = cards_text(seat, "claim", [subject.pick(theirs), subject.pick(plain)])
                yield from subject.added("claim-not-allowed", index, text)


@kind
def claimed_out_of_nowhere(subject: Subject) -> Iterator[Mutation]:
    for index in claim_times(subject):
        table = subject.tables[index]
        seat = subject.chance.choice(list(table.seats))
        held = table.hands[subject.others(seat)[0]]
        if held and table.hands[seat]:
            text = cards_text(seat, "claim", [subject.pick(held), subject.pick(table.hands[seat])])
            yield from subject.fatal("card-not-in-stock", index, text)
