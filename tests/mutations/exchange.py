"""Faults between the auction and the tricks: kitty, laying off, drawing, robbing."""

from collections.abc import Iterator

from tests.mutations.kinds import Mutation, Subject, kind
from tests.second.table import Table

DISCARDS = ("discard", "discard-up")


def cards_text(seat: int, verb: str, cards: list[str] | set[str]) -> str:
    return f"{seat} {verb} {' '.join(cards)}"


def first_discards(subject: Subject) -> list[int]:
    """Return the discards of hands as dealt: before the refill, and not after robbing."""
    filled = [i for i, (_, verb, _) in enumerate(subject.actions) if verb == "rob"]
    end = filled[0] if filled else len(subject.actions)
    return [index for index in subject.places(*DISCARDS) if index < end]


def is_free_dealer(subject: Subject, table: Table, seat: int) -> bool:
    """Does the dealer choose his last cards freely when he robs, so that he need not clear?"""
    return seat == table.dealer and subject.game.has("rob", "to-size", "stock-and-discards")


def waits_for_the_rest(subject: Subject, table: Table, seat: int) -> bool:
    """Does the dealer come down to size only after he has taken the whole rest?"""
    return seat == table.dealer and subject.game.has("rob", "whole-stock")


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


@kind
def trump_laid_off(subject: Subject) -> Iterator[Mutation]:
    """A trump without points goes with the plain cards, or in the place of one."""
    game = subject.game
    for index in first_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        blanks = game.blanks(table.hands[seat] - set(cards), table.trump)
        if blanks and must_keep_trumps(subject, index):
            kept = cards[1:] if game.has("discard", "to-size") else cards
            text = cards_text(seat, verb, [*kept, subject.pick(blanks)])
            yield from subject.faulty("discarded-trump", index, text)


@kind
def points_laid_off(subject: Subject) -> Iterator[Mutation]:
    """A point card of trumps goes with the plain cards, or in the place of one."""
    game = subject.game
    for index in first_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        points = game.point_trumps(table.hands[seat] - set(cards), table.trump)
        if points and must_keep_trumps(subject, index):
            kept = cards[1:] if game.has("discard", "to-size") else cards
            text = cards_text(seat, verb, [*kept, subject.pick(points)])
            yield from subject.faulty("discarded-points", index, text)


@kind
def too_few_laid_off(subject: Subject) -> Iterator[Mutation]:
    """Down to size means down to it: one plain card less stays over."""
    game = subject.game
    for index in first_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        trumps = game.trumps(table.hands[seat], table.trump)
        if game.has("discard", "to-size") and len(trumps) <= game.hand_size and len(cards) > 1:
            yield from subject.faulty("discard-count", index, cards_text(seat, verb, cards[1:]))


@kind
def too_many_laid_off(subject: Subject) -> Iterator[Mutation]:
    game = subject.game
    for index in first_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        trumps = game.trumps(table.hands[seat], table.trump)
        left = game.plain(table.hands[seat] - set(cards), table.trump)
        if game.has("discard", "to-size") and len(trumps) <= game.hand_size and left:
            text = cards_text(seat, verb, [*cards, subject.pick(left)])
            yield from subject.faulty("discard-count", index, text)


@kind
def surplus_not_laid_off(subject: Subject) -> Iterator[Mutation]:
    """Where surplus trumps are discarded, one of them stays."""
    game = subject.game
    for index in first_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        trumps = sorted(game.trumps(cards, table.trump))
        comes_down = game.has("discard", "all-plain") and game.has("surplus", "discard")
        bound = not is_free_dealer(subject, table, seat)
        bound = bound and not waits_for_the_rest(subject, table, seat)
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
    first = first_discards(subject)
    return [index for index in subject.places(*DISCARDS) if index not in first]


@kind
def dealer_comes_down_too_little(subject: Subject) -> Iterator[Mutation]:
    game = subject.game
    for index in last_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        kept = subject.chance.choice(cards)
        plain = game.plain(table.hands[seat], table.trump)
        all_go = kept in plain and plain <= set(cards)
        if len(cards) > 1:
            text = cards_text(seat, verb, [card for card in cards if card != kept])
            yield from subject.faulty("kept-plain" if all_go else "discard-count", index, text)


@kind
def dealer_comes_down_by_a_point_card(subject: Subject) -> Iterator[Mutation]:
    game = subject.game
    for index in last_discards(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        points = game.point_trumps(table.hands[seat] - set(cards), table.trump)
        if points and not game.has("discard", "any", "plain-if-liked"):
            text = cards_text(seat, verb, [*cards[1:], subject.pick(points)])
            yield from subject.faulty("discarded-points", index, text)


# --- Drawing


def draws(subject: Subject) -> list[int]:
    return subject.places("draw")


@kind
def draw_before_ones_turn(subject: Subject) -> Iterator[Mutation]:
    """Two seats are dealt their cards the other way round."""
    for index in draws(subject):
        pair = subject.actions[index : index + 2]
        if len(pair) == 2 and pair[1][1] == "draw":
            one, other = subject.hand.actions[index : index + 2]
            hand = subject.instead(index, other, one, count=2)
            yield subject.fault("draw-out-of-turn", index, hand)


@kind
def too_few_drawn(subject: Subject) -> Iterator[Mutation]:
    for index in draws(subject):
        seat, verb, cards = subject.actions[index]
        if len(cards) > 1:
            yield from subject.faulty("draw-count", index, cards_text(seat, verb, cards[:-1]))


@kind
def too_many_drawn(subject: Subject) -> Iterator[Mutation]:
    for index in draws(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        if len(table.stock) > len(cards):
            text = cards_text(seat, verb, [*cards, table.stock[len(cards)]])
            yield from subject.faulty("draw-count", index, text)


@kind
def drawn_from_below(subject: Subject) -> Iterator[Mutation]:
    for index in draws(subject):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        below = table.stock[len(cards) :]
        if below:
            text = cards_text(seat, verb, [*cards[:-1], subject.chance.choice(below)])
            yield from subject.faulty("draw-order", index, text)


@kind
def drawn_from_elsewhere(subject: Subject) -> Iterator[Mutation]:
    for index in (*draws(subject), *subject.places("rob")):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        held = table.hands[subject.others(seat)[0]]
        if held:
            text = cards_text(seat, verb, [*cards[:-1], subject.pick(held)])
            yield from subject.fatal("card-not-in-stock", index, text, count=1)


# --- Robbing


def is_short(subject: Subject, index: int) -> bool:
    """Is the rest of the stock too short for the dealer's hand (S13)?"""
    table, seat = subject.tables[index], subject.actions[index][0]
    return len(table.stock) + len(table.hands[seat]) < subject.game.hand_size


@kind
def robbed_by_another(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("rob"):
        seat, verb, cards = subject.actions[index]
        if set(cards) <= set(subject.tables[index].stock):
            text = cards_text(subject.others(seat)[0], verb, cards)
            hand = subject.instead(index, text)
            yield subject.fault("rob-by-other", index, hand, alone=False)


@kind
def trump_left_in_the_stock(subject: Subject) -> Iterator[Mutation]:
    """A trump stays, and a plain card is taken for it where there is one."""
    game = subject.game
    for index in subject.places("rob"):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        if not game.has("rob", "all-trumps") or is_short(subject, index):
            continue
        trumps = game.trumps(cards, table.trump) & set(table.stock)
        left = game.plain(set(table.stock) - set(cards), table.trump)
        if trumps and (left or len(cards) > 1):
            dropped = subject.pick(trumps)
            taken = [card for card in cards if card != dropped]
            text = cards_text(seat, verb, [*taken, subject.pick(left)] if left else taken)
            yield from subject.faulty("rob-left-trumps", index, text)


@kind
def card_left_of_the_whole_stock(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("rob"):
        seat, verb, cards = subject.actions[index]
        if subject.game.has("rob", "whole-stock") and len(cards) > 1:
            yield from subject.faulty("rob-left-trumps", index, cards_text(seat, verb, cards[1:]))


@kind
def too_much_robbed(subject: Subject) -> Iterator[Mutation]:
    """A plain card more than the hand size takes."""
    game = subject.game
    for index in subject.places("rob"):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        left = game.plain(set(table.stock) - set(cards), table.trump)
        if left and game.has("rob", "all-trumps", "to-size", "stock-and-discards"):
            text = cards_text(seat, verb, [*cards, subject.pick(left)])
            yield from subject.faulty("rob-count", index, text)


@kind
def too_little_robbed(subject: Subject) -> Iterator[Mutation]:
    """A plain card less than the hand size takes."""
    game = subject.game
    for index in subject.places("rob"):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        plain = game.plain(cards, table.trump) & set(table.stock)
        fits = len(table.hands[seat]) + len(cards) == game.hand_size
        if plain and fits and len(cards) > 1 and game.has("rob", "all-trumps", "to-size"):
            dropped = subject.pick(plain)
            text = cards_text(seat, verb, [card for card in cards if card != dropped])
            yield from subject.faulty("rob-count", index, text)
