"""Faults of the play: who plays, which card, surplus, dropping out."""

from collections.abc import Iterator

from msgspec.structs import replace

from tests.mutations.kinds import Mutation, Subject, kind
from tests.reference_engine.following import choices, limited_surplus, surplus_allowance
from tests.reference_engine.table import Table
from tricklog.schemas.hand import Claimed, Hand


# --- Is what follows still sound?
def keeps_the_rules(table: Table, texts: list[str]) -> bool:
    """Do these plays follow the rules from `table` on, each card and each turn?

    Only for plays and nothing else, so that no trump is asked for or shown meanwhile.
    """
    table = table.copy()
    for text in texts:
        seat, verb, *rest = text.split(" ")
        if verb != "play" or int(seat) != table.turn:
            return False
        if rest[0] not in choices(table, table.turn):
            return False
        table.do(text)
    return table.over()


def is_open(table: Table) -> bool:
    """Do all see what is trumps, or is there nothing to see?"""
    return table.shown or table.alone >= 0


def cards_apart(table: Table, seat: int) -> frozenset[str]:
    """Return what the seat holds and may not play now for the sake of the lead."""
    if table.must_trump == seat:
        return frozenset()
    return table.hands[seat] - choices(table, seat)


# --- Which card
@kind
def two_cards_exchanged(subject: Subject) -> Iterator[Mutation]:
    """A seat plays two of its cards the other way round, where the lead did not allow it."""
    for index in subject.places("play"):
        table, (seat, _, rest) = subject.tables[index], subject.actions[index]
        barred = cards_apart(table, seat)
        if not barred:
            continue
        card = subject.pick(barred)
        later = f"{seat} play {card}"
        if later not in subject.hand.actions or limits_surplus(subject, table, seat):
            continue
        place = subject.hand.actions.index(later)
        hand = subject.instead(index, later)
        hand.actions[place] = f"{seat} play {rest[0]}"
        wrong = table.copy()
        wrong.do(later)
        sound = is_open(table) and keeps_the_rules(wrong, hand.actions[index + 1 :])
        yield subject.fault(code_of_revoke(table), index, hand, alone=sound)


@kind
def card_the_lead_does_not_allow(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        table, seat = subject.tables[index], subject.actions[index][0]
        barred = cards_apart(table, seat)
        if barred and not limits_surplus(subject, table, seat):
            text = f"{seat} play {subject.pick(barred)}"
            yield from subject.faulty(code_of_revoke(table), index, text)


def limits_surplus(subject: Subject, table: Table, seat: int) -> bool:
    """May the card to the first trick break the limit on point cards in the surplus as well?"""
    if not subject.game.has("surplus_points", "one"):
        return False
    return any(owner == seat for owner, _ in table.buried)


def code_of_revoke(table: Table) -> str:
    return "revoke" if table.trick else "plain-lead"


@kind
def card_of_another_hand(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        table, seat = subject.tables[index], subject.actions[index][0]
        for other in subject.others(seat):
            cards = table.hands[other] - table.hands[seat]
            if cards:
                text = f"{seat} play {subject.pick(cards)}"
                yield from subject.fatal("card-not-held", index, text, count=1)


@kind
def card_played_again(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        played = [text for text in subject.hand.actions[:index] if " play " in text]
        if played:
            seat = subject.actions[index][0]
            text = f"{seat} play {subject.chance.choice(played)[7:]}"
            yield from subject.fatal("card-not-held", index, text, count=1)


@kind
def second_card_to_a_trick(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        table, (seat, _, rest) = subject.tables[index], subject.actions[index]
        left = table.hands[seat] - {rest[0]}
        # Where all others are out at a lead of trumps (O84) the trick is over with it.
        following = [each for each, _, _ in subject.actions[index + 1 : index + 2]]
        if left and subject.tables[index + 1].trick and following not in ([], [seat]):
            text = f"{seat} play {subject.pick(left)}"
            yield from subject.fatal("played-twice", index + 1, text)


# --- Whose turn
def undisturbed(subject: Subject, index: int) -> bool:
    """Is action `index` a card played right after the one before it in the same trick?"""
    if index == 0 or subject.actions[index][1] != "play" or subject.actions[index - 1][1] != "play":
        return False
    return len(subject.tables[index].trick) > 1


@kind
def card_before_ones_turn(subject: Subject) -> Iterator[Mutation]:
    """Two seats that follow each other to a trick play the other way round."""
    for index in subject.places("play"):
        if undisturbed(subject, index):
            before, text = subject.hand.actions[index - 1 : index + 1]
            hand = subject.instead(index - 1, text, before, count=2)
            yield subject.fault("played-out-of-turn", index - 1, hand)


@kind
def lead_of_another(subject: Subject) -> Iterator[Mutation]:
    """Somebody leads whose lead it is not, a card that they might have led."""
    for index in subject.places("play"):
        table, seat = subject.tables[index], subject.actions[index][0]
        if table.trick or surplus_is_due(subject, table):
            continue
        for other in subject.others(seat):
            if other in table.waiting:
                text = f"{other} play {subject.pick(choices(table, other))}"
                yield from subject.faulty("wrong-leader", index, text)


def surplus_is_due(subject: Subject, table: Table) -> bool:
    return table.number == 1 and any(
        len(table.hands[seat]) > subject.game.hand_size for seat in table.waiting
    )


@kind
def trick_taken_by_another(subject: Subject) -> Iterator[Mutation]:
    """The lead goes on to a seat that did not win; the record claims that it did: one cause."""
    for index in subject.places("play"):
        table, seat = subject.tables[index], subject.actions[index][0]
        if table.trick or not table.tricks:
            continue
        for other in subject.others(seat):
            if other in table.waiting:
                text = f"{other} play {subject.pick(choices(table, other))}"
                hand = subject.played_on(index, text)
                if hand is not None:
                    yield claimed_for(subject, hand, table, other)


def claimed_for(subject: Subject, hand: Hand, table: Table, taker: int) -> Mutation:
    winners = [trick.winner for trick in table.tricks]
    winners[-1] = taker
    hand = replace(hand, claimed=Claimed(winners=winners))
    place = f"/claimed/winners/{len(winners) - 1}"
    return Mutation(subject.kind, hand, "claimed-winner", place, taker, alone=True)


# --- Surplus put to the first trick
@kind
def surplus_not_buried(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("bury"):
        hand = subject.instead(index)
        play = next(
            place for place in range(index, len(hand.actions)) if " play " in hand.actions[place]
        )
        seat = subject.actions[index][0]
        if int(hand.actions[play][0]) == seat:
            sound = not subject.game.values["buried_wins"]
            yield subject.fault("not-buried", play, hand, alone=sound)


@kind
def too_little_buried(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("bury"):
        seat, _, cards = subject.actions[index]
        if len(cards) > 1:
            text = f"{seat} bury {' '.join(cards[1:])}"
            yield from subject.faulty("bury-count", index, text)


@kind
def too_much_buried(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("bury"):
        table, (seat, _, cards) = subject.tables[index], subject.actions[index]
        game = subject.game
        left = table.hands[seat] - set(cards)
        spare = left - game.point_trumps(left, table.trump)
        if spare and game.trumps(table.hands[seat], table.trump) == table.hands[seat]:
            text = f"{seat} bury {' '.join([*cards, subject.pick(spare)])}"
            yield from subject.faulty("bury-count", index, text)


@kind
def buried_without_surplus(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        table, (seat, _, rest) = subject.tables[index], subject.actions[index]
        left = table.hands[seat] - {rest[0]}
        left -= subject.game.point_trumps(left, table.trump)
        if left and len(table.hands[seat]) <= subject.game.hand_size:
            text = f"{seat} bury {subject.pick(left)}"
            if table.number > 1 or subject.actions[index - 1][1] != "bury":
                yield from subject.added("bury-count", index, text)


@kind
def points_buried(subject: Subject) -> Iterator[Mutation]:
    """One point card too many goes to the first trick under the card that counts."""
    for index in subject.places("bury"):
        table, (seat, _, cards) = subject.tables[index], subject.actions[index]
        limited, allowed = limited_surplus(table, seat), surplus_allowance(table, seat)
        blanks = table.hands[seat] - limited
        if len(cards) <= allowed or len(blanks) < len(cards) - allowed:
            continue
        chosen = (
            subject.chance.sample(sorted(limited), allowed + 1) if len(limited) > allowed else []
        )
        rest = subject.chance.sample(sorted(blanks), max(0, len(cards) - len(chosen)))
        if len(chosen) == allowed + 1 and len(chosen) + len(rest) == len(cards):
            text = f"{seat} bury {' '.join([*chosen, *rest])}"
            yield from subject.faulty("buried-points", index, text)


@kind
def point_card_on_top_of_another(subject: Subject) -> Iterator[Mutation]:
    """With one point card among the surplus, the card that counts may not be a second one."""
    for index in subject.places("play"):
        table, seat = subject.tables[index], subject.actions[index][0]
        if table.number > 1 or not subject.game.has("surplus_points", "one"):
            continue
        limited = limited_surplus(table, seat)
        buried = {card for owner, cards in table.buried if owner == seat for card in cards}
        tops = choices(table, seat)
        if buried & limited and tops & limited and tops - limited:
            text = f"{seat} play {subject.pick(tops & limited)}"
            yield from subject.faulty("buried-points", index, text)


# --- Dropping out
@kind
def out_with_trumps(subject: Subject) -> Iterator[Mutation]:
    """A seat says that it is out and is not, by its trumps or because none was led (O84)."""
    if subject.game.has("drop_out", "never"):
        return
    for index in subject.places("play"):
        table = subject.tables[index]
        for seat in subject.shuffled(list(table.seats)):
            if seat in table.folded:
                continue
            stays = subject.game.has("drop_out", "when-trump-led") and seat not in table.out
            if stays or subject.game.trumps(table.hands[seat], table.trump):
                hand = subject.instead(index, f"{seat} out", count=0)
                yield subject.fault("out-with-trumps", index, hand)


@kind
def out_where_everybody_plays_on(subject: Subject) -> Iterator[Mutation]:
    if subject.game.has("drop_out", "never"):
        for index in subject.places("play"):
            seat = subject.actions[index][0]
            yield from subject.fatal("not-now", index, f"{seat} out")


@kind
def played_when_out(subject: Subject) -> Iterator[Mutation]:
    """A seat that is out of the hand goes on playing; what it plays does not count."""
    for index in subject.places("play"):
        table = subject.tables[index]
        for seat in subject.shuffled(sorted(table.out)):
            cards = table.discards[seat] if seat in table.folded else table.hands[seat]
            if cards and table.alone < 0:
                text = f"{seat} play {subject.pick(cards)}"
                hand = subject.instead(index, text, count=0)
                yield subject.fault("played-when-out", index, hand)
