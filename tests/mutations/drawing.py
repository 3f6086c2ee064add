"""Faults in drawing from the stock and in robbing it."""

from collections.abc import Iterator

from tests.mutations.exchange import DISCARDS, cards_text
from tests.mutations.kinds import Mutation, Subject, kind


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
def rest_of_the_stock_left(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("rob"):
        seat = subject.actions[index][0]
        takes_all = subject.game.has("rob", "whole-stock", "whole-stock-first")
        following = subject.actions[index + 1 : index + 2]
        # What the dealer does next they may do with a card that they have taken.
        if takes_all and any(verb == "play" and who != seat for who, verb, _ in following):
            # Cards of the stock, played later, would show that the dealer took them unrecorded.
            hand = subject.played_on(index, subject.hand.actions[index + 1])
            if hand is not None:
                yield subject.fault("not-robbed", index, hand, alone=False, seat=seat)


@kind
def laid_off_only_after_robbing(subject: Subject) -> Iterator[Mutation]:
    """The dealer takes the rest of the stock with plain cards that had to go before."""
    for index in subject.places("rob"):
        seat = subject.actions[index][0]
        own = [
            place
            for place, (who, verb, _) in enumerate(subject.actions)
            if who == seat and verb == "discard"
        ]
        plays = [place for place, (_, verb, _) in enumerate(subject.actions) if verb == "play"]
        if not subject.game.has("rob", "whole-stock") or not own or own[0] > index or not plays:
            continue
        if len(subject.tables[plays[0]].hands[seat]) != subject.game.values["hand_size"]:
            # After robbing the dealer comes down to a hand, and no further.
            continue
        game, before = subject.game, subject.tables[own[0]]
        if not game.plain(before.hands[seat], before.trump):
            continue
        kept = [place for place in range(len(subject.actions)) if place not in own]
        at = kept.index(index) + 1
        cards = [card for place in own for card in subject.actions[place][2]]
        if game.trumps(cards, before.trump):
            # Laying these off is the first fault then.
            continue
        actions = [subject.hand.actions[place] for place in kept]
        actions.insert(at, cards_text(seat, "discard", cards))
        hand = subject.instead(0, *actions, count=len(subject.actions))
        yield subject.fault("discard-out-of-turn", at, hand, alone=False)


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
