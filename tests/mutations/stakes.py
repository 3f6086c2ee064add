"""Faults around the stake, playing alone, throwing in and stopping early."""

from tests.mutations.kinds import Act, Faults, at, on
from tests.reference_engine.count import points_needed, points_taken
from tests.reference_engine.moves import burials
from tests.reference_engine.table import RAISES, Table


# --- Raising the stake
def next_raise(table: Table) -> tuple[str, list[int]]:
    """Return what may be said about the stake, and by whom; "" when it stays as it is."""
    most = ("none", "double", "redouble", "super").index(table.game.values["doubling"])
    own, side = table.game.side(table.maker), table.game.side
    defenders = [seat for seat in table.seats if side(seat) != own]
    if 0 < table.game.values["auto_double"] <= table.standing:
        return ("double", defenders) if table.doubles == 0 and most else ("", [])
    if table.doubles >= most:
        return "", []
    makers = [seat for seat in table.seats if side(seat) == own]
    return RAISES[table.doubles], makers if table.doubles == 1 else defenders


@at(
    lambda subject: [] if subject.game.has("doubling", "none") else subject.places("trump", *RAISES)
)
def stake_raised_wrongly(act: Act) -> Faults:
    """The wrong side, the wrong word, or one raise too many, right after what was said last."""
    table = act.subject.tables[act.index + 1]
    word, seats = next_raise(table)
    wrong = [
        (seat, each) for each in RAISES for seat in table.seats if each != word or seat not in seats
    ]
    seat, said = act.chance.choice(wrong)
    sound = not act.subject.end.thrown_in
    yield act.before("double-not-allowed", said, seat, by=1, alone=sound)


@on("play")
def stake_raised_during_the_tricks(act: Act) -> Faults:
    never = act.game.has("doubling", "none")
    yield act.before("not-now" if never else "double-not-allowed", act.chance.choice(RAISES))


# --- Alone
@on("play")
def alone_too_late(act: Act) -> Faults:
    """All tricks are undertaken after the first lead, or where nobody may."""
    if act.game.has("solo", "none"):
        yield act.before("not-now", "solo")
    elif act.table.trick or act.table.tricks:
        yield act.before("solo-not-allowed", "solo")


@on("solo")
def alone_after_one_who_comes_first(act: Act) -> Faults:
    """Of two who would play alone it is the first in turn from the usual leader (S90)."""
    # Who leads when nobody plays alone.
    twin = act.table.copy()
    twin.alone = -1
    order = act.game.from_seat(twin.first_leader())
    if later := order[order.index(act.seat) + 1 :]:
        yield act.before("solo-not-allowed", "solo", act.chance.choice(later), by=1)


@on("play")
def trump_of_a_single_hand_changed(act: Act) -> Faults:
    """Its player names trumps again, or names some where a single hand has none (O87)."""
    if act.table.alone >= 0:
        yield act.before("not-now", "trump S", act.table.alone)


@at(lambda subject: range(len(subject.actions)))
def alone_on_a_hand_that_cannot_lose(act: Act) -> Faults:
    values, table = act.game.values, act.table
    if values["solo"] == "none" or values["certain_solo"] or values["solo_trump"]:
        return
    if act.verb == "play" and table.number == 1 and not table.trick and table.alone < 0:
        for seat in table.seats:
            if cannot_lose(table, seat):
                yield act.added("solo-not-allowed", "solo", seat)


def cannot_lose(table: Table, seat: int) -> bool:
    """Are the top cards of each suit held as many as the seat has, or as all others have (S91)?"""
    game = table.game
    hand = table.hands[seat] | ({table.seventh} - {""} if seat == table.maker else set())
    for suit in "SHDC":
        order = [rank + suit for rank in game.order]
        own = [card for card in order if card in hand]
        top = next((place for place, card in enumerate(order) if card not in hand), len(order))
        if own and top < min(len(own), len(order) - len(own)):
            return False
    return True


@on("play")
def partner_of_one_alone_plays(act: Act) -> Faults:
    seat = (act.table.alone + 2) % 4
    if act.table.alone >= 0 and (cards := act.table.hands[seat]):
        yield act.before("played-when-out", f"play {act.pick(cards)}", seat)


@on("play", "trump")
def tenny_where_it_has_no_place(act: Act) -> Faults:
    """After the auction, or in a game without it."""
    if not act.game.values["tenny"] or not act.table.tenny:
        yield act.before("not-now", "tenny")


# --- Throwing in, stopping
@at(lambda subject: subject.shuffled(range(len(subject.actions))))
def thrown_in_without_cause(act: Act) -> Faults:
    # Nobody has to wait for what might be said about the stake.
    due = act.subject.end.thrown_in and act.table.trump_word
    if act.verb != "throw-in" and not due:
        hand = act.subject.ended(act.index, act.text("throw-in"))
        yield act.fault("stopped-without-cause", hand)


@on("throw-in")
def not_thrown_in(act: Act) -> Faults:
    """The deal goes on where the cards call for throwing it in."""
    table = act.table.copy()
    if table.trump_word:
        table.ready_for("0 play ?")
        surplus = burials(table, table.turn)
        card = act.pick(table.playable_cards(table.turn))
        text = act.pick(surplus) if surplus else f"{table.turn} play {card}"
    else:
        text = f"{table.first_caller()} pass"
    if hand := act.subject.played_on(act.index, text):
        yield act.fault("not-thrown-in", hand)


@on("play")
def stopped_before_it_is_decided(act: Act) -> Faults:
    """Play stops at the first lead, when nobody has taken anything."""
    word = act.chance.choice(["decided", "concede"])
    if act.game.has("early_end", "never") and act.table.alone < 0:
        yield act.before("not-now", word)
    elif act.game.has("early_end", "when-decided") and is_undecided(act.table):
        yield act.fault("stopped-without-cause", act.subject.ended(act.index, act.text(word)))


def is_undecided(table: Table) -> bool:
    """Is it open before the first lead whether the contract will be made?

    The bid may be above all points there are, or points may be scored before anybody plays.
    """
    if table.tricks:
        return False
    game = table.game
    if table.alone >= 0 or table.no_contract or (game.secret and not table.shown):
        return True
    points = points_taken(table)
    left = game.all_points() - sum(points)
    taken = points[game.side(table.maker)]
    return taken < points_needed(table) <= taken + left
