"""Faults of the record itself: what was dealt, who sat there, what is claimed, where it ends."""

from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from tests.mutations.kinds import Mutation, Subject, kind
from tests.reference_engine.auction import passed_out
from tricklog.schemas.hand import Claimed, Hand

ALL_CARDS = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"] + ["JO"]


def named_cards(hand: Hand) -> set[str]:
    """Return the cards that the actions name."""
    return {word for text in hand.actions for word in text.split(" ")[2:]}


def goes_to_the_dealer(subject: Subject, size: int) -> bool:
    """Is a stock of this size what is left over of the deal, and dealt to the dealer?"""
    return subject.game.has("odd_card", "dealer") and size < subject.game.seats


def unnamed_in_stock(subject: Subject) -> list[int]:
    """Return the places in the stock of cards that nobody is dealt and no action names."""
    if goes_to_the_dealer(subject, len((subject.hand.stock or "").split())):
        return []
    named = named_cards(subject.hand)
    stock = (subject.hand.stock or "").split()
    return subject.shuffled([place for place, card in enumerate(stock) if card not in named])


def of_deal(subject: Subject, code: str, hand: Hand, place: str, *, alone: bool) -> Mutation:
    last = place.rsplit("/", 1)[-1]
    seat = int(last) if last.isdigit() else None
    return Mutation(subject.kind, hand, code, place, seat, alone)


def with_deal(hand: Hand, seat: int, cards: list[str]) -> Hand:
    assert hand.deal is not UNSET
    deal = [*hand.deal[:seat], " ".join(cards), *hand.deal[seat + 1 :]]
    return replace(hand, deal=deal, claimed=UNSET)


def dealt(hand: Hand, seat: int) -> list[str]:
    assert hand.deal is not UNSET
    return hand.deal[seat].split()


# --- The deal
@kind
def card_dealt_twice(subject: Subject) -> Iterator[Mutation]:
    """A seat is dealt a card that stands in the hand of a seat before it."""
    hand = subject.hand
    seat = subject.chance.randrange(1, subject.game.seats)
    cards, before = dealt(hand, seat), dealt(hand, subject.chance.randrange(seat))
    cards[subject.chance.randrange(len(cards))] = subject.chance.choice(before)
    yield of_deal(subject, "card-twice", with_deal(hand, seat, cards), f"/deal/{seat}", alone=False)


@kind
def card_in_stock_twice(subject: Subject) -> Iterator[Mutation]:
    """A card of the stock that nobody ever sees is one that was dealt."""
    for place in unnamed_in_stock(subject):
        stock = (subject.hand.stock or "").split()
        stock[place] = subject.chance.choice(dealt(subject.hand, 0))
        hand = replace(subject.hand, stock=" ".join(stock), claimed=UNSET)
        yield of_deal(subject, "card-twice", hand, "/stock", alone=True)


@kind
def card_of_another_pack(subject: Subject) -> Iterator[Mutation]:
    """A seat is dealt a card that the pack does not have."""
    strange = [card for card in ALL_CARDS if card not in subject.game.pack]
    seat = subject.chance.randrange(subject.game.seats)
    cards = dealt(subject.hand, seat)
    if strange:
        cards[subject.chance.randrange(len(cards))] = subject.chance.choice(strange)
        hand = with_deal(subject.hand, seat, cards)
        yield of_deal(subject, "card-not-in-pack", hand, f"/deal/{seat}", alone=True)


@kind
def hand_too_small(subject: Subject) -> Iterator[Mutation]:
    """A seat is dealt one card less than the others."""
    seat = subject.chance.randrange(subject.game.seats)
    hand = with_deal(subject.hand, seat, dealt(subject.hand, seat)[:-1])
    yield of_deal(subject, "deal-size", hand, f"/deal/{seat}", alone=False)


@kind
def stock_too_small(subject: Subject) -> Iterator[Mutation]:
    stock = (subject.hand.stock or "").split()
    if stock and len(stock) - 1 in unnamed_in_stock(subject):
        hand = replace(subject.hand, stock=" ".join(stock[:-1]), claimed=UNSET)
        yield of_deal(subject, "stock-size", hand, "/stock", alone=True)


@kind
def stock_too_big(subject: Subject) -> Iterator[Mutation]:
    """The stock lists one card more, which the record does not name."""
    stock = subject.hand.stock or ""
    hand = replace(subject.hand, stock=f"{stock} ?".strip(), claimed=UNSET)
    alone = not goes_to_the_dealer(subject, len(stock.split()))
    yield of_deal(subject, "stock-size", hand, "/stock", alone=alone)


@kind
def kitty_too_big(subject: Subject) -> Iterator[Mutation]:
    """The kitty lists one card more, which the record does not name."""
    kitty = subject.hand.kitty or ""
    hand = replace(subject.hand, kitty=f"{kitty} ?".strip(), claimed=UNSET)
    size = subject.game.values["kitty_size"]
    yield of_deal(subject, "kitty-size", hand, "/kitty", alone=size == 0)


@kind
def player_at_two_seats(subject: Subject) -> Iterator[Mutation]:
    players = list(subject.hand.players)
    seat = subject.chance.randrange(1, len(players))
    players[seat] = players[subject.chance.randrange(seat)]
    hand = replace(subject.hand, players=players)
    yield of_deal(subject, "player-twice", hand, f"/players/{seat}", alone=True)


@kind
def too_many_running_scores(subject: Subject) -> Iterator[Mutation]:
    if subject.game.sides < 7:
        scores = [0] * (subject.game.sides + 1)
        hand = replace(subject.hand, scores=scores, claimed=UNSET)
        yield of_deal(subject, "score-count", hand, "/scores", alone=True)


# --- The claims
def wrong_claim(subject: Subject, key: str, code: str) -> Iterator[Mutation]:
    """One number of one side is claimed wrongly."""
    claimed = subject.hand.claimed
    assert claimed is not UNSET
    numbers = list(getattr(claimed, key))
    side = subject.chance.randrange(len(numbers))
    numbers[side] += subject.chance.choice([-5, -1, 1, 2, 10])
    hand = replace(subject.hand, claimed=replace(claimed, **{key: numbers}))
    yield Mutation(subject.kind, hand, code, f"/claimed/{key}", None, alone=True)


@kind
def wrong_points_claimed(subject: Subject) -> Iterator[Mutation]:
    return wrong_claim(subject, "points", "claimed-points")


@kind
def wrong_change_claimed(subject: Subject) -> Iterator[Mutation]:
    return wrong_claim(subject, "change", "claimed-change")


@kind
def wrong_score_claimed(subject: Subject) -> Iterator[Mutation]:
    return wrong_claim(subject, "scores", "claimed-score")


@kind
def trick_claimed_for_another(subject: Subject) -> Iterator[Mutation]:
    """The record gives one trick to a seat that did not win it, and claims nothing else."""
    winners = [trick.winner for trick in subject.end.tricks]
    for number in subject.shuffled(range(len(winners))):
        seat = subject.others(winners[number])[0]
        claims = Claimed(winners=[*winners[:number], seat, *winners[number + 1 :]])
        hand = replace(subject.hand, claimed=claims)
        yield Mutation(
            subject.kind, hand, "claimed-winner", f"/claimed/winners/{number}", seat, alone=True
        )


@kind
def one_trick_too_many_claimed(subject: Subject) -> Iterator[Mutation]:
    winners = [*(trick.winner for trick in subject.end.tricks), 0]
    hand = replace(subject.hand, claimed=Claimed(winners=winners))
    place = f"/claimed/winners/{len(winners) - 1}"
    yield Mutation(subject.kind, hand, "claimed-winner", place, None, alone=True)


# --- Where the record ends
@kind
def record_cut_short(subject: Subject) -> Iterator[Mutation]:
    """Without its last actions a record is incomplete, unless one player would take the rest."""
    for index in subject.shuffled(range(len(subject.actions))):
        table = subject.tables[index]
        alone = table.number and not table.trick and len(table.waiting) == 1
        thrown_in = subject.end.thrown_in and (table.trump_word or not index)
        if alone or table.alone >= 0 or thrown_in:
            continue
        hand = replace(subject.hand, actions=subject.hand.actions[:index], claimed=UNSET)
        yield Mutation(subject.kind, hand, "incomplete", "", None, alone=True)


@kind
def play_after_the_end(subject: Subject) -> Iterator[Mutation]:
    index = len(subject.actions)
    if subject.end.tricks:
        seat, card = subject.chance.choice(subject.end.tricks[-1].plays)
        yield from subject.fatal("after-the-end", index, f"{seat} play {card}")


@kind
def call_after_the_end(subject: Subject) -> Iterator[Mutation]:
    index = len(subject.actions)
    call = subject.chance.choice(["pass", "bid 7"])
    if passed_out(subject.end):
        # The last to speak may have passed as well.
        call = "bid 7"
    seat = subject.chance.randrange(subject.game.seats)
    yield from subject.fatal("after-the-end", index, f"{seat} {call}")


# --- Actions out of place
@kind
def nobody_at_the_seat(subject: Subject) -> Iterator[Mutation]:
    if subject.game.seats < 7:
        index = subject.chance.randrange(len(subject.actions))
        text = f"{subject.game.seats}{subject.hand.actions[index][1:]}"
        yield from subject.fatal("no-such-seat", index, text, count=1)


@kind
def card_played_in_the_auction(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("bid", "pass"):
        seat = subject.actions[index][0]
        card = subject.pick(subject.tables[index].hands[seat])
        yield from subject.fatal("not-now", index, f"{seat} play {card}")


@kind
def call_during_the_tricks(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        seat = subject.actions[index][0]
        call = subject.chance.choice(["pass", "bid 14"])
        yield from subject.fatal("not-now", index, f"{seat} {call}")


@kind
def trump_named_again(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play", "discard"):
        table = subject.tables[index]
        if table.alone < 0:
            suit = subject.chance.choice("SHDC")
            yield from subject.fatal("not-now", index, f"{table.maker} trump {suit}")


@kind
def trump_named_before_the_auction_is_over(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("bid", "pass"):
        seat = subject.actions[index][0]
        yield from subject.fatal("not-now", index, f"{seat} trump H")


@kind
def verb_that_the_game_does_not_have(subject: Subject) -> Iterator[Mutation]:
    """Asking where trumps are open, drawing and robbing where hands are not filled."""
    verbs = []
    if not subject.game.secret:
        verbs += ["ask", "reveal H"]
    if subject.game.has("refill", "nobody"):
        verbs += ["draw ?", "rob ?"]
    if subject.game.values["kitty_size"] == 0:
        verbs.append("kitty ?")
    for index in subject.places("play"):
        if verbs:
            seat = subject.actions[index][0]
            text = f"{seat} {subject.chance.choice(verbs)}"
            yield from subject.fatal("not-now", index, text)
