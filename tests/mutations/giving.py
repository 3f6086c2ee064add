"""Faults in giving surplus to the partner and in folding."""

from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from tests.mutations.exchange import DISCARDS, cards_text, first_discards
from tests.mutations.kinds import Mutation, Subject, kind


# --- Giving surplus to the partner
def gives_points_only(subject: Subject) -> bool:
    """Are blanks laid off before anything is given (S66)?"""
    return subject.game.has("discard", "to-size")


def for_the_partner(subject: Subject, index: int) -> set[str]:
    """Return what the seat of action `index` holds of the trumps that count for a gift."""
    game, table = subject.game, subject.tables[index]
    hand = table.hands[subject.actions[index][0]]
    counted = game.point_trumps if gives_points_only(subject) else game.trumps
    return set(counted(hand, table.trump))


@kind
def too_many_given(subject: Subject) -> Iterator[Mutation]:
    game = subject.game
    for index in subject.places("give"):
        seat, verb, cards = subject.actions[index]
        held = for_the_partner(subject, index)
        more = held - set(cards)
        surplus = len(cards) == len(held) - game.hand_size
        before_rob = all(each != "rob" for _, each, _ in subject.actions[:index])
        if game.has("surplus", "to-partner") and surplus and more and before_rob:
            text = cards_text(seat, verb, [*cards, subject.pick(more)])
            yield from subject.faulty("give-count", index, text)


@kind
def too_few_given(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("give"):
        seat, verb, cards = subject.actions[index]
        kept = subject.game.has("discard", "points-kept", "to-size")
        kept |= not subject.game.has("fold", "never")
        # A blank that is kept may still be laid off.
        blanks = subject.game.blanks(subject.tables[index].hands[seat], subject.tables[index].trump)
        laid_off = subject.game.has("discard", "points-kept") and blanks - set(cards[1:])
        # Of blanks and point cards together, it may be a point card that had to go.
        mixed = blanks & set(cards) and set(cards) - blanks
        if kept and len(cards) > 1 and not laid_off and not mixed:
            yield from subject.faulty("give-count", index, cards_text(seat, verb, cards[1:]))


def giving_times(subject: Subject) -> list[int]:
    """Return where surplus may be given: while hands as dealt are laid off."""
    if not subject.game.has("surplus", "to-partner"):
        return []
    return [index for index in first_discards(subject) if not subject.tables[index].number]


@kind
def given_without_surplus(subject: Subject) -> Iterator[Mutation]:
    """Who has no more trumps than a hand holds gives one, or gives a plain card.

    Trumps without points do not count where they are laid off first.
    """
    for index in giving_times(subject):
        table, seat = subject.tables[index], subject.actions[index][0]
        if len(for_the_partner(subject, index)) <= subject.game.hand_size:
            text = cards_text(seat, "give", [subject.pick(table.hands[seat])])
            yield from subject.added("give-not-allowed", index, text)


@kind
def point_card_given_beside_blanks_too_many(subject: Subject) -> Iterator[Mutation]:
    """Who has too many trumps, but not too many with points, gives one of these (S66)."""
    game = subject.game
    for index in giving_times(subject):
        table, seat = subject.tables[index], subject.actions[index][0]
        points = game.point_trumps(table.hands[seat], table.trump)
        trumps = game.trumps(table.hands[seat], table.trump)
        few = gives_points_only(subject) and 0 < len(points) <= game.hand_size
        if few and len(trumps) > game.hand_size:
            text = cards_text(seat, "give", [subject.pick(points)])
            yield from subject.added("give-not-allowed", index, text)


@kind
def blanks_given(subject: Subject) -> Iterator[Mutation]:
    """Who has too many trumps gives one without points instead of laying it off (S66)."""
    game = subject.game
    for index in giving_times(subject):
        table, seat = subject.tables[index], subject.actions[index][0]
        blanks = game.blanks(table.hands[seat], table.trump)
        trumps = game.trumps(table.hands[seat], table.trump)
        if gives_points_only(subject) and blanks and len(trumps) > game.hand_size:
            text = cards_text(seat, "give", [subject.pick(blanks)])
            yield from subject.added("give-not-allowed", index, text)


@kind
def blank_given_for_a_point_card(subject: Subject) -> Iterator[Mutation]:
    """A trump without points goes to the partner in the place of one with points (S66, S76)."""
    game = subject.game
    for index in subject.places("give"):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        blanks = game.blanks(table.hands[seat], table.trump)
        robbed = any(each == "rob" for _, each, _ in subject.actions[:index])
        points_only = gives_points_only(subject) or robbed
        if game.has("surplus", "to-partner") and points_only and blanks:
            text = cards_text(seat, verb, [*cards[1:], subject.pick(blanks)])
            yield from subject.faulty("give-not-allowed", index, text)


def gives_first(subject: Subject) -> bool:
    """Is surplus given before anybody lays off? Else who gets something back lays off once more."""
    phases = subject.game.values["phases"]
    return bool(phases.index("give") < phases.index("discard"))


@kind
def gift_returned(subject: Subject) -> Iterator[Mutation]:
    """Gifts go one way only (S71)."""
    game = subject.game
    for index in subject.places("give"):
        table, (seat, _, _) = subject.tables[index + 1], subject.actions[index]
        partner = (seat + 2) % 4
        trumps = game.trumps(table.hands[partner], table.trump)
        if game.has("surplus", "to-partner") and trumps and gives_first(subject):
            text = cards_text(partner, "give", [subject.pick(trumps)])
            yield from subject.added("give-not-allowed", index + 1, text)


# --- Folding
def folding_times(subject: Subject) -> list[int]:
    """Return where a seat may fold: before it lays off."""
    if subject.game.has("fold", "never"):
        return []
    return first_discards(subject)


@kind
def folded_with_trumps(subject: Subject) -> Iterator[Mutation]:
    for index in folding_times(subject):
        table, seat = subject.tables[index], subject.actions[index][0]
        if subject.game.trumps(table.hands[seat], table.trump):
            yield from subject.added("fold-with-trumps", index, f"{seat} fold")


@kind
def not_folded(subject: Subject) -> Iterator[Mutation]:
    """A seat without trumps lays off as if it played on."""
    for index in subject.places("fold"):
        table, seat = subject.tables[index], subject.actions[index][0]
        over = len(table.hands[seat]) - subject.game.hand_size
        laid_off = [place for place in subject.places(*DISCARDS) if place > index]
        # Who has not folded by the time that others draw or rob is taken to be out.
        ends = [place for place in subject.places("draw", "rob") if place > index]
        if laid_off and over > 0 and min(laid_off) < min(ends, default=min(laid_off) + 1):
            cards = subject.chance.sample(sorted(table.hands[seat]), over)
            text = cards_text(seat, "discard", cards)
            actions = list(subject.hand.actions)
            actions.insert(min(laid_off), text)
            del actions[index]
            place = actions.index(text)
            hand = replace(subject.hand, actions=actions, claimed=UNSET)
            yield subject.fault("not-folded", place, hand, alone=False)


@kind
def trumps_given_to_fold_wrongly(subject: Subject) -> Iterator[Mutation]:
    """The maker, or who holds too many trumps for it, gives one to the partner in order to fold."""
    game = subject.game
    for index in folding_times(subject):
        table, seat = subject.tables[index], subject.actions[index][0]
        trumps = game.trumps(table.hands[seat], table.trump)
        any_two = game.has("fold", "with-one-or-two") or game.two(table.trump) in trumps
        few = len(trumps) == 1 or (len(trumps) == 2 and any_two)
        if trumps and (seat == table.maker or not few) and (seat + 2) % 4 not in table.folded:
            text = cards_text(seat, "give", [subject.pick(trumps)])
            if game.has("fold", "with-one-or-two"):
                # Who has given trumps away in order to fold cannot go on.
                hand = subject.instead(index, text, count=0)
                yield subject.fault("give-not-allowed", index, hand, alone=False)
            else:
                yield from subject.added("give-not-allowed", index, text)
