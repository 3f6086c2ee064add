"""Faults of the play: who plays, which card, surplus, dropping out."""

from tests.mutations.kinds import Act, Faults, at, on
from tests.reference_engine.following import choices, limited_surplus, surplus_allowance
from tests.reference_engine.table import Table
from tricklog.schemas.hand import Claimed


# --- Which card
def keeps_the_rules(table: Table, texts: list[str]) -> bool:
    """Do these plays follow the rules from `table` on, each card and each turn?

    Only for plays and nothing else, so that no trump is asked for or shown meanwhile.
    """
    table = table.copy()
    for text in texts:
        seat, verb, *rest = text.split(" ")
        if verb != "play" or int(seat) != table.turn or rest[0] not in choices(table, table.turn):
            return False
        table.do(text)
    return table.over()


def barred(act: Act) -> frozenset[str]:
    """Return what the seat holds and may not play now for the sake of the lead."""
    if act.table.must_trump == act.seat:
        return frozenset()
    return act.held - choices(act.table, act.seat)


def limits_surplus(act: Act) -> bool:
    """May the card to the first trick break the limit on point cards in the surplus as well?"""
    buried = any(owner == act.seat for owner, _ in act.table.buried)
    return buried and act.game.has("surplus_points", "one")


def code_of_revoke(table: Table) -> str:
    return "revoke" if table.trick else "plain-lead"


@on("play")
def two_cards_exchanged(act: Act) -> Faults:
    """A seat plays two of its cards the other way round, where the lead did not allow it."""
    if not (cards := barred(act)):
        return
    later = act.text([act.pick(cards)])
    actions = act.subject.hand.actions
    if later in actions and not limits_surplus(act):
        hand = act.subject.instead(act.index, later)
        hand.actions[actions.index(later)] = actions[act.index]
        wrong = act.table.copy()
        wrong.do(later)
        # All see what is trumps, or there is nothing to see.
        is_open = act.table.shown or act.table.alone >= 0
        sound = is_open and keeps_the_rules(wrong, hand.actions[act.index + 1 :])
        yield act.fault(code_of_revoke(act.table), hand, alone=sound)


@on("play")
def card_the_lead_does_not_allow(act: Act) -> Faults:
    if (cards := barred(act)) and not limits_surplus(act):
        yield act.faulty(code_of_revoke(act.table), [act.pick(cards)])


@on("play")
def card_of_another_hand(act: Act) -> Faults:
    for other in act.subject.others(act.seat):
        if cards := act.table.hands[other] - act.held:
            yield act.instead("card-not-held", [act.pick(cards)])


@on("play")
def card_played_again(act: Act) -> Faults:
    before = act.subject.hand.actions[: act.index]
    if played := [text[7:] for text in before if " play " in text]:
        yield act.instead("card-not-held", [act.chance.choice(played)])


@on("play")
def second_card_to_a_trick(act: Act) -> Faults:
    left = act.held - set(act.rest)
    # Where all others are out at a lead of trumps (O84) the trick is over with it.
    follows = act.next[0] not in (-1, act.seat)
    if left and act.subject.tables[act.index + 1].trick and follows:
        yield act.before("played-twice", f"play {act.pick(left)}", by=1)


# --- Whose turn
@on("play")
def card_before_ones_turn(act: Act) -> Faults:
    """Two seats that follow each other to a trick play the other way round."""
    index, subject = act.index, act.subject
    if index and subject.actions[index - 1][1] == "play" and len(act.table.trick) > 1:
        before, text = subject.hand.actions[index - 1 : index + 1]
        hand = subject.instead(index - 1, text, before, count=2)
        yield act.fault("played-out-of-turn", hand, -1)


@on("play")
def lead_of_another(act: Act) -> Faults:
    """Somebody leads whose lead it is not, a card that they might have led."""
    sizes = [len(act.table.hands[seat]) for seat in act.table.waiting]
    surplus_is_due = act.table.number == 1 and max(sizes, default=0) > act.game.hand_size
    if act.table.trick or surplus_is_due:
        return
    for other in act.subject.others(act.seat):
        if other in act.table.waiting:
            card = act.pick(choices(act.table, other))
            yield act.faulty("wrong-leader", [card], other)


@on("play")
def trick_taken_by_another(act: Act) -> Faults:
    """The lead goes on to a seat that did not win; the record claims that it did: one cause."""
    table, subject = act.table, act.subject
    if table.trick or not table.tricks:
        return
    for other in subject.others(act.seat):
        if other in table.waiting:
            text = act.text([act.pick(choices(table, other))], other)
            if hand := subject.played_on(act.index, text):
                winners = [*(trick.winner for trick in table.tricks[:-1]), other]
                place, claimed = f"/claimed/winners/{len(winners) - 1}", Claimed(winners=winners)
                yield subject.of_record(
                    "claimed-winner", place, other, actions=hand.actions, claimed=claimed
                )


# --- Surplus put to the first trick
@on("bury")
def surplus_not_buried(act: Act) -> Faults:
    hand = act.subject.instead(act.index)
    later = enumerate(hand.actions[act.index :])
    by, seat = next((by, int(text[0])) for by, text in later if " play " in text)
    if seat == act.seat:
        yield act.fault("not-buried", hand, by, alone=not act.game.values["buried_wins"])


@on("bury")
def too_little_buried(act: Act) -> Faults:
    if len(act.rest) > 1:
        yield act.faulty("bury-count", act.rest[1:])


@on("bury")
def too_much_buried(act: Act) -> Faults:
    left = act.held - set(act.rest)
    spare = left - act.points(left)
    if spare and act.trumps() == act.held:
        yield act.faulty("bury-count", [*act.rest, act.pick(spare)])


@on("play")
def buried_without_surplus(act: Act) -> Faults:
    left = act.held - set(act.rest)
    left -= act.points(left)
    if left and len(act.held) <= act.game.hand_size:
        text = f"bury {act.pick(left)}"
        if act.table.number > 1 or act.subject.actions[act.index - 1][1] != "bury":
            yield act.added("bury-count", text)


@on("bury")
def points_buried(act: Act) -> Faults:
    """One point card too many goes to the first trick under the card that counts."""
    limited = limited_surplus(act.table, act.seat)
    allowed = surplus_allowance(act.table, act.seat)
    blanks, size = act.held - limited, len(act.rest)
    if size <= allowed or len(blanks) < size - allowed:
        return
    many = len(limited) > allowed
    chosen = act.chance.sample(sorted(limited), allowed + 1) if many else []
    rest = act.chance.sample(sorted(blanks), max(0, size - len(chosen)))
    if len(chosen) == allowed + 1 and len(chosen) + len(rest) == size:
        yield act.faulty("buried-points", [*chosen, *rest])


@on("play")
def point_card_on_top_of_another(act: Act) -> Faults:
    """With one point card among the surplus, the card that counts may not be a second one."""
    if act.table.number > 1 or not act.game.has("surplus_points", "one"):
        return
    limited, tops = limited_surplus(act.table, act.seat), choices(act.table, act.seat)
    buried = {card for owner, cards in act.table.buried if owner == act.seat for card in cards}
    if buried & limited and tops & limited and tops - limited:
        yield act.faulty("buried-points", [act.pick(tops & limited)])


# --- Dropping out
@at(lambda subject: [] if subject.game.has("drop_out", "never") else subject.places("play"))
def out_with_trumps(act: Act) -> Faults:
    """A seat says that it is out and is not, by its trumps or because none was led (O84)."""
    for seat in act.seats():
        if seat in act.table.folded:
            continue
        stays = act.game.has("drop_out", "when-trump-led") and seat not in act.table.out
        if stays or act.trumps(act.table.hands[seat]):
            yield act.before("out-with-trumps", "out", seat)


@at(lambda subject: subject.places("play") if subject.game.has("drop_out", "never") else [])
def out_where_everybody_plays_on(act: Act) -> Faults:
    yield act.before("not-now", "out")


@on("play")
def played_when_out(act: Act) -> Faults:
    """A seat that is out of the hand goes on playing; what it plays does not count."""
    table = act.table
    for seat in act.subject.shuffled(sorted(table.out)):
        cards = table.discards[seat] if seat in table.folded else table.hands[seat]
        if cards and table.alone < 0:
            yield act.before("played-when-out", f"play {act.pick(cards)}", seat)
