"""Faults around the hidden trump of Twenty-Nine: asking, showing, king and queen."""

from tests.mutations.kinds import Act, Faults, at, on
from tests.reference_engine.following import can_follow, choices
from tests.reference_engine.moves import is_hidden, is_time_for_pair, must_speak, shown_word


def must_ask(act: Act) -> bool:
    return act.game.secret and act.game.has("ask", "must")


def same_without_showing(act: Act) -> bool:
    """Would the trick of the action have the same winner, had the trump stayed hidden?

    Then leaving out that it was shown there changes nothing that is recorded after it, unless an
    off jack has to follow another suit by that (O88).
    """
    game, end, number = act.game, act.subject.end, act.table.number
    paired = any(verb == "pair" for _, verb, _ in act.subject.actions)
    if game.values["off_jack"] or paired or end.seventh or number > len(end.tricks):
        return False
    trick = end.tricks[number - 1]
    led = trick.plays[0][1][1]
    rivals = [play for play in trick.plays if play[1][1] == led]
    best = max(rivals, key=lambda play: game.height(play[1], ""))[0]
    return game.has("plain_follow", "follow") and trick.winner == best


def goes_on(act: Act, by: int) -> bool:
    """Is a card played with the action `by` later, and not the hand stopped?"""
    return act.subject.actions[act.index + by][1] == "play"


# --- Asking
@on("ask")
def trump_not_asked_for(act: Act) -> Faults:
    """Who cannot follow plays on without asking, and nothing is shown."""
    if must_ask(act) and goes_on(act, 2):
        hand = act.subject.instead(act.index, count=2)
        yield act.fault("not-asked", hand, alone=same_without_showing(act))


@at(lambda subject: subject.places("play") if subject.game.secret else [])
def trump_asked_for_without_cause(act: Act) -> Faults:
    """A seat that can follow asks, or anybody once the trump is known."""
    table = act.table
    if table.asked >= 0 or (act.seat == table.maker and table.alone < 0):
        return
    never = act.game.has("ask", "end-of-trick") or not is_hidden(table)
    if never or not table.trick or can_follow(table, act.seat):
        yield act.before("ask-without-cause", "ask")


@on("play")
def trump_not_played_by_who_asked(act: Act) -> Faults:
    """Who has the trump shown plays another suit with a trump in hand (O48)."""
    rest = act.held - choices(act.table, act.seat)
    bound = act.table.must_trump == act.seat and not can_follow(act.table, act.seat)
    if bound and rest and act.game.has("plain_void", "any"):
        yield act.faulty("not-trumped", [act.pick(rest)])


# --- Showing
@on("ask")
def trump_not_shown_when_asked_for(act: Act) -> Faults:
    if goes_on(act, 2):
        hand = act.subject.instead(act.index + 1)
        yield act.fault("not-shown", hand, 1, alone=must_ask(act))


@on("reveal")
def trump_not_shown_by_a_void_maker(act: Act) -> Faults:
    table = act.table
    void = table.asked < 0 and is_hidden(table) and must_speak(table, act.seat)
    if void and goes_on(act, 1) and not (table.seventh and act.next[2] == [table.seventh]):
        # Had the seventh card still lain under the pile, it could not have been played.
        played = table.seventh and act.text(f"play {table.seventh}") in act.subject.hand.actions
        sound = same_without_showing(act) and not played
        yield act.fault("not-shown", act.subject.instead(act.index), alone=sound)


@on("play")
def trump_shown_without_cause(act: Act) -> Faults:
    """The maker shows the trump though they can follow, or a second time."""
    table = act.table
    if not table.game.secret or table.alone >= 0 or table.asked >= 0 or table.unsaid:
        return
    never = act.game.has("ask", "end-of-trick")
    free = never or act.seat != table.maker or not table.trick or can_follow(table, act.seat)
    text = f"reveal {shown_word(table)}"
    if table.shown:
        yield act.before("reveal-without-cause", text, table.maker)
    elif free:
        yield act.added("reveal-without-cause", text, table.maker)


@on("reveal")
def trump_shown_by_another(act: Act) -> Faults:
    sound = must_ask(act) or act.table.unsaid
    yield act.instead("reveal-by-other", act.rest, act.other(), alone=sound)


@on("reveal")
def another_trump_shown(act: Act) -> Faults:
    other = act.chance.choice([suit for suit in "SHDC" if suit != act.rest[0]])
    yield act.instead("reveal-differs", [other])


@on("play")
def seventh_card_played_before_it_is_shown(act: Act) -> Faults:
    table = act.table
    if table.seventh and is_hidden(table) and act.seat == table.maker and act.held:
        yield act.faulty("seventh-card-hidden", [table.seventh])


# --- King and queen of trumps
def is_time(act: Act, seat: int) -> bool:
    return bool(act.table.live()) and is_time_for_pair(act.table, act.game.side(seat))


@at(lambda subject: [] if subject.game.has("pair", "none") else subject.places("play"))
def pair_at_the_wrong_time(act: Act) -> Faults:
    """Before the trump is known, during a trick, after others' tricks, without trumps, again."""
    seat = act.chance.choice(list(act.table.seats))
    if not is_time(act, seat) and act.table.asked < 0:
        yield act.before("pair-not-now", "pair", seat)


@on("play")
def pair_not_held(act: Act) -> Faults:
    trump = act.table.trump
    pair = {f"K{trump}", f"Q{trump}"} if trump else set()
    for seat in act.seats():
        if is_time(act, seat) and not pair <= act.table.hands[seat]:
            yield act.before("pair-not-held", "pair", seat)


@on("pair")
def pair_declared_again(act: Act) -> Faults:
    yield act.before("pair-not-now", "pair", by=1)


@on("play")
def pair_where_there_is_none(act: Act) -> Faults:
    if act.game.has("pair", "none"):
        yield act.before("not-now", "pair")
