"""Faults between the auction and the tricks: kitty, laying off, drawing, robbing."""

from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

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
    """Does the dealer choose his last cards freely when he robs, so that he need not clear?"""
    return seat == table.dealer and subject.game.has("rob", "to-size", "stock-and-discards")


def comes_down_later(subject: Subject, table: Table, seat: int) -> bool:
    """Does the dealer come down to size only after he has robbed?"""
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
    end = min(subject.places("rob", "play", "bury"), default=0)
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
                yield from subject.added("claim-not-allowed", index, text)


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
        kept = subject.game.has("discard", "points-kept", "to-size") or subject.game.has(
            "fold", "without-trumps"
        )
        if kept and len(cards) > 1:
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
        if laid_off and over > 0:
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
        few = len(trumps) == 1 or (len(trumps) == 2 and game.two(table.trump) in trumps)
        if trumps and (seat == table.maker or not few) and (seat + 2) % 4 not in table.folded:
            text = cards_text(seat, "give", [subject.pick(trumps)])
            yield from subject.added("give-not-allowed", index, text)


# --- Drawing


def draws(subject: Subject) -> list[int]:
    return subject.places("draw")


def in_stock(subject: Subject, index: int) -> bool:
    """Is the stock enough for the draw at `index` and the one after it?"""
    cards = {card for _, _, each in subject.actions[index : index + 2] for card in each}
    return cards <= set(subject.tables[index].stock)


@kind
def draw_before_ones_turn(subject: Subject) -> Iterator[Mutation]:
    """Two seats are dealt their cards the other way round."""
    for index in draws(subject):
        pair = subject.actions[index : index + 2]
        all_laid_off = index > max(subject.places(*DISCARDS), default=0)
        if len(pair) == 2 and pair[1][1] == "draw" and all_laid_off and in_stock(subject, index):
            one, other = subject.hand.actions[index : index + 2]
            hand = subject.instead(index, other, one, count=2)
            yield subject.fault("draw-out-of-turn", index, hand)


@kind
def too_few_drawn(subject: Subject) -> Iterator[Mutation]:
    """One card of a draw is left out; a discard, where the stock did not do: it goes first."""
    for index in draws(subject):
        seat, verb, cards = subject.actions[index]
        stock = subject.tables[index].stock
        left_out = next((card for card in cards if card not in stock), cards[-1])
        if len(cards) > 1:
            text = cards_text(seat, verb, [card for card in cards if card != left_out])
            yield from subject.faulty("draw-count", index, text)


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
        if below and set(cards) <= set(table.stock):
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
    table, (seat, _, cards) = subject.tables[index], subject.actions[index]
    left = set(table.stock)
    if subject.game.values["search_discards"]:
        for pile in table.discards:
            left |= subject.game.trumps(pile, table.trump)
    short = len(left) + len(table.hands[seat]) < subject.game.hand_size
    return short or bool(set(cards) & table.discards[seat] and not game_is_open(subject))


def game_is_open(subject: Subject) -> bool:
    """May the dealer take discards in any case?"""
    return bool(subject.game.values["search_discards"]) or subject.game.has(
        "rob", "stock-and-discards"
    )


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
        trumps = game.trumps(cards, table.trump)
        left = game.plain(set(table.stock) - set(cards), table.trump)
        if trumps and (left or len(cards) > 1):
            dropped = subject.pick(trumps)
            taken = [card for card in cards if card != dropped]
            text = cards_text(seat, verb, [*taken, subject.pick(left)] if left else taken)
            yield from subject.faulty("rob-left-trumps", index, text)


@kind
def point_card_left_in_the_stock(subject: Subject) -> Iterator[Mutation]:
    """A dealer who chooses leaves a point trump for a card without points (S22)."""
    game = subject.game
    for index in subject.places("rob"):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        if not game.values["rob_keeps_points"] or is_short(subject, index):
            continue
        points = game.point_trumps(set(cards) & set(table.stock), table.trump)
        every = points | game.point_trumps(table.hands[seat], table.trump)
        left = game.plain(set(table.stock) - set(cards), table.trump)
        if points and left and len(every) <= game.hand_size:
            dropped = subject.pick(points)
            taken = [card for card in cards if card != dropped]
            text = cards_text(seat, verb, [*taken, subject.pick(left)])
            yield from subject.faulty("rob-left-trumps", index, text)


@kind
def card_left_of_the_whole_stock(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("rob"):
        seat, verb, cards = subject.actions[index]
        if subject.game.has("rob", "whole-stock", "whole-stock-first") and len(cards) > 1:
            yield from subject.faulty("rob-left-trumps", index, cards_text(seat, verb, cards[1:]))


@kind
def too_much_robbed(subject: Subject) -> Iterator[Mutation]:
    """A plain card more than the hand size takes."""
    game = subject.game
    for index in subject.places("rob"):
        table, (seat, verb, cards) = subject.tables[index], subject.actions[index]
        left = game.plain(set(table.stock) - set(cards), table.trump)
        if left and game.has("rob", "all-trumps"):
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
        short = is_short(subject, index) or game.has("rob", "whole-stock", "whole-stock-first")
        if plain and fits and len(cards) > 1 and not short:
            dropped = subject.pick(plain)
            text = cards_text(seat, verb, [card for card in cards if card != dropped])
            yield from subject.faulty("rob-count", index, text)


# --- What does no harm


@kind
def draw_in_two_goes(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("draw"):
        seat, _, cards = subject.actions[index]
        if len(cards) > 1:
            cut = subject.chance.randrange(1, len(cards))
            texts = [cards_text(seat, "draw", part) for part in (cards[:cut], cards[cut:])]
            yield subject.fault("draw-split", index + 1, subject.instead(index, *texts))
