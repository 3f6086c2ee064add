"""Faults of the record itself: what was dealt, who sat there, what is claimed, where it ends."""

from functools import partial

from msgspec import UNSET
from msgspec.structs import replace

from tests.mutations.kinds import KINDS, Act, Faults, Mutation, Subject, kind, on
from tests.reference_engine.auction import passed_out
from tricklog.schemas.hand import Claimed

ALL_CARDS = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"] + ["JO"]


def stock_of(subject: Subject) -> list[str]:
    return (subject.hand.stock or "").split()


def goes_to_the_dealer(subject: Subject) -> bool:
    """Is the stock what is left over of the deal, and dealt to the dealer?"""
    return subject.game.has("odd_card", "dealer") and len(stock_of(subject)) < subject.game.seats


def unnamed_in_stock(subject: Subject) -> list[int]:
    """Return the places in the stock of cards that nobody is dealt and no action names."""
    if goes_to_the_dealer(subject):
        return []
    named = {word for text in subject.hand.actions for word in text.split(" ")[2:]}
    stock = enumerate(stock_of(subject))
    return subject.shuffled(place for place, card in stock if card not in named)


def dealt(subject: Subject, seat: int) -> list[str]:
    assert subject.hand.deal is not UNSET
    return subject.hand.deal[seat].split()


def with_deal(
    subject: Subject, code: str, seat: int, cards: list[str], *, alone: bool = False
) -> Mutation:
    assert subject.hand.deal is not UNSET
    deal = [*subject.hand.deal[:seat], " ".join(cards), *subject.hand.deal[seat + 1 :]]
    return subject.of_record(code, f"/deal/{seat}", seat, deal=deal, alone=alone)


# --- The deal
@kind
def card_dealt_twice(subject: Subject) -> Faults:
    """A seat is dealt a card that stands in the hand of a seat before it."""
    seat = subject.chance.randrange(1, subject.game.seats)
    cards, before = dealt(subject, seat), dealt(subject, subject.chance.randrange(seat))
    cards[subject.chance.randrange(len(cards))] = subject.chance.choice(before)
    yield with_deal(subject, "card-twice", seat, cards)


@kind
def card_in_stock_twice(subject: Subject) -> Faults:
    """A card of the stock that nobody ever sees is one that was dealt."""
    for place in unnamed_in_stock(subject):
        stock = stock_of(subject)
        stock[place] = subject.chance.choice(dealt(subject, 0))
        yield subject.of_record("card-twice", "/stock", stock=" ".join(stock))


@kind
def card_of_another_pack(subject: Subject) -> Faults:
    """A seat is dealt a card that the pack does not have."""
    strange = [card for card in ALL_CARDS if card not in subject.game.pack]
    seat = subject.chance.randrange(subject.game.seats)
    cards = dealt(subject, seat)
    if strange:
        cards[subject.chance.randrange(len(cards))] = subject.chance.choice(strange)
        yield with_deal(subject, "card-not-in-pack", seat, cards, alone=True)


@kind
def hand_too_small(subject: Subject) -> Faults:
    """A seat is dealt one card less than the others."""
    seat = subject.chance.randrange(subject.game.seats)
    yield with_deal(subject, "deal-size", seat, dealt(subject, seat)[:-1])


@kind
def stock_too_small(subject: Subject) -> Faults:
    stock = stock_of(subject)
    if stock and len(stock) - 1 in unnamed_in_stock(subject):
        yield subject.of_record("stock-size", "/stock", stock=" ".join(stock[:-1]))


@kind
def stock_too_big(subject: Subject) -> Faults:
    """The stock lists one card more, which the record does not name."""
    stock, alone = " ".join([*stock_of(subject), "?"]), not goes_to_the_dealer(subject)
    yield subject.of_record("stock-size", "/stock", stock=stock, alone=alone)


@kind
def kitty_too_big(subject: Subject) -> Faults:
    """The kitty lists one card more, which the record does not name."""
    kitty, alone = subject.hand.kitty or "", subject.game.values["kitty_size"] == 0
    yield subject.of_record("kitty-size", "/kitty", kitty=f"{kitty} ?".strip(), alone=alone)


@kind
def player_at_two_seats(subject: Subject) -> Faults:
    players = list(subject.hand.players)
    seat = subject.chance.randrange(1, len(players))
    players[seat] = players[subject.chance.randrange(seat)]
    claimed, place = subject.hand.claimed, f"/players/{seat}"
    yield subject.of_record("player-twice", place, seat, players=players, claimed=claimed)


@kind
def too_many_running_scores(subject: Subject) -> Faults:
    if subject.game.sides < 7:
        scores = [0] * (subject.game.sides + 1)
        yield subject.of_record("score-count", "/scores", scores=scores)


# --- The claims
def wrong_claim(what: str, subject: Subject) -> Faults:
    """One number of one side is claimed wrongly."""
    claimed, key = subject.hand.claimed, {"score": "scores"}.get(what, what)
    assert claimed is not UNSET
    numbers = list(getattr(claimed, key))
    side = subject.chance.randrange(len(numbers))
    numbers[side] += subject.chance.choice([-5, -1, 1, 2, 10])
    claimed = replace(claimed, **{key: numbers})
    yield subject.of_record(f"claimed-{what}", f"/claimed/{key}", claimed=claimed)


for _what in ("points", "change", "score"):
    KINDS[f"wrong {_what} claimed"] = partial(wrong_claim, _what)


def wrong_winner(subject: Subject, number: int, seat: int | None, winners: list[int]) -> Mutation:
    place, claimed = f"/claimed/winners/{number}", Claimed(winners=winners)
    return subject.of_record("claimed-winner", place, seat, claimed=claimed)


@kind
def trick_claimed_for_another(subject: Subject) -> Faults:
    """The record gives one trick to a seat that did not win it, and claims nothing else."""
    winners = [trick.winner for trick in subject.end.tricks]
    for number in subject.shuffled(range(len(winners))):
        seat = subject.others(winners[number])[0]
        changed = [*winners[:number], seat, *winners[number + 1 :]]
        yield wrong_winner(subject, number, seat, changed)


@kind
def one_trick_too_many_claimed(subject: Subject) -> Faults:
    winners = [trick.winner for trick in subject.end.tricks]
    yield wrong_winner(subject, len(winners), None, [*winners, 0])


# --- Where the record ends
@kind
def record_cut_short(subject: Subject) -> Faults:
    """Without its last actions a record is incomplete, unless one player would take the rest."""
    for index in subject.shuffled(range(len(subject.actions))):
        table = subject.tables[index]
        alone = table.number and not table.trick and len(table.waiting) == 1
        thrown_in = subject.end.thrown_in and (table.trump_word or not index)
        if not (alone or table.alone >= 0 or thrown_in):
            actions = subject.hand.actions[:index]
            yield subject.of_record("incomplete", "", actions=actions)


def after_the_end(subject: Subject, text: str) -> Mutation:
    index = len(subject.actions)
    return subject.fault("after-the-end", index, subject.instead(index, text))


@kind
def play_after_the_end(subject: Subject) -> Faults:
    if subject.end.tricks:
        seat, card = subject.chance.choice(subject.end.tricks[-1].plays)
        yield after_the_end(subject, f"{seat} play {card}")


@kind
def call_after_the_end(subject: Subject) -> Faults:
    call = subject.chance.choice(["pass", "bid 7"])
    if passed_out(subject.end):
        # The last to speak may have passed as well.
        call = "bid 7"
    yield after_the_end(subject, f"{subject.chance.randrange(subject.game.seats)} {call}")


# --- Actions out of place
@kind
def nobody_at_the_seat(subject: Subject) -> Faults:
    if subject.game.seats < 7:
        index = subject.chance.randrange(len(subject.actions))
        text = f"{subject.game.seats}{subject.hand.actions[index][1:]}"
        yield subject.fault("no-such-seat", index, subject.instead(index, text))


@on("bid", "pass")
def card_played_in_the_auction(act: Act) -> Faults:
    yield act.before("not-now", f"play {act.pick(act.held)}")


@on("play")
def call_during_the_tricks(act: Act) -> Faults:
    yield act.before("not-now", act.chance.choice(["pass", "bid 14"]))


@on("play", "discard")
def trump_named_again(act: Act) -> Faults:
    if act.table.alone < 0:
        yield act.before("not-now", f"trump {act.chance.choice('SHDC')}", act.table.maker)


@on("bid", "pass")
def trump_named_before_the_auction_is_over(act: Act) -> Faults:
    yield act.before("not-now", "trump H")


@on("play")
def verb_that_the_game_does_not_have(act: Act) -> Faults:
    """Asking where trumps are open, drawing and robbing where hands are not filled."""
    verbs = [] if act.game.secret else ["ask", "reveal H"]
    if act.game.has("refill", "nobody"):
        verbs += ["draw ?", "rob ?"]
    if act.game.values["kitty_size"] == 0:
        verbs.append("kitty ?")
    if verbs:
        yield act.before("not-now", act.chance.choice(verbs))
