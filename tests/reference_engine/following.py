"""Which cards may be played to a trick."""

from tests.reference_engine.table import Table


def choices(table: Table, seat: int) -> frozenset[str]:
    """Return the cards a seat may play now, as far as the lead says so."""
    game, hand = table.game, table.playable_cards(seat)
    trump = table.live()
    trumps = frozenset(game.trumps(hand, trump))
    if table.must_trump == seat and trumps:
        return trumps
    if game.has("plain_follow", "trumps-only"):
        return trumps
    if not table.trick:
        bound = table.number <= 1 and game.has("first_lead", "trump", "names-trump")
        return trumps if bound and trumps else hand
    led = game.suit(table.trick[0][1], trump)
    if trump and led == trump:
        return trumps or hand
    if game.has("plain_follow", "any"):
        return hand
    if game.has("plain_follow", "any-plain"):
        return hand - trumps or hand
    suited = frozenset(card for card in hand if game.suit(card, trump) == led)
    if suited:
        return suited if game.has("plain_follow", "follow") else suited | trumps
    bound = game.has("plain_void", "must-trump")
    if game.has("plain_void", "must-trump-once-known"):
        bound = table.had_shown != seat
    return trumps if trumps and bound else hand


def can_follow(table: Table, seat: int) -> bool:
    """Has the seat a card of the suit led?"""
    game, trump = table.game, table.live()
    led = game.suit(table.trick[0][1], trump)
    return any(game.suit(card, trump) == led for card in table.playable_cards(seat))


def limited_surplus(table: Table, seat: int) -> frozenset[str]:
    """Return the point cards, held or buried, that may not all go to the first trick as surplus.

    With every point card in hand the two may go besides another one, where one may (8.surplus).
    """
    game = table.game
    cards = table.hands[seat] | buried_by(table, seat)
    points = game.point_trumps(cards, table.trump)
    every = points == game.point_trumps(game.pack, table.trump)
    two = game.two(table.trump)
    return frozenset(points - {two} if every and game.has("surplus_points", "one") else points)


def buried_by(table: Table, seat: int) -> frozenset[str]:
    """Return what a seat has put under the first trick."""
    return frozenset(card for owner, cards in table.buried if owner == seat for card in cards)


def surplus_allowance(table: Table, seat: int) -> int:
    """Return how many of these point cards may go: as many as it takes where others lack."""
    game = table.game
    cards = table.hands[seat] | buried_by(table, seat)
    lacking = len(cards) - game.hand_size - len(cards - limited_surplus(table, seat))
    return max(lacking, 1 if game.has("surplus_points", "one") else 0)
