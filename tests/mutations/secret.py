"""Faults around the hidden trump of Twenty-Nine: asking, showing, king and queen."""

from collections.abc import Iterator

from tests.mutations.kinds import Mutation, Subject, kind
from tests.reference_engine.following import can_follow, choices
from tests.reference_engine.moves import is_hidden, is_time_for_pair, must_speak, shown_word
from tests.reference_engine.table import Table


def must_ask(subject: Subject) -> bool:
    return subject.game.secret and subject.game.has("ask", "must")


def same_without_showing(subject: Subject, index: int) -> bool:
    """Would the trick of action `index` have the same winner, had the trump stayed hidden?

    Then leaving out that it was shown there changes nothing that is recorded after it, unless an
    off jack has to follow another suit by that (O88).
    """
    if subject.game.values["off_jack"]:
        return False
    if any(verb == "pair" for _, verb, _ in subject.actions) or subject.end.seventh:
        return False
    if not subject.game.has("plain_follow", "follow"):
        return False
    number = subject.tables[index].number
    if number > len(subject.end.tricks):
        return False
    trick = subject.end.tricks[number - 1]
    led = trick.plays[0][1][1]
    rivals = [play for play in trick.plays if play[1][1] == led]
    return trick.winner == max(rivals, key=lambda play: subject.game.height(play[1], ""))[0]


def goes_on(subject: Subject, index: int) -> bool:
    """Is a card played with action `index`, and not the hand stopped?"""
    return subject.actions[index][1] == "play"


# --- Asking
@kind
def trump_not_asked_for(subject: Subject) -> Iterator[Mutation]:
    """Who cannot follow plays on without asking, and nothing is shown."""
    for index in subject.places("ask"):
        if must_ask(subject) and goes_on(subject, index + 2):
            hand = subject.instead(index, count=2)
            sound = same_without_showing(subject, index)
            yield subject.fault("not-asked", index, hand, alone=sound)


@kind
def trump_asked_for_without_cause(subject: Subject) -> Iterator[Mutation]:
    """A seat that can follow asks, or anybody once the trump is known."""
    if not subject.game.secret:
        return
    for index in subject.places("play"):
        table, seat = subject.tables[index], subject.actions[index][0]
        if table.asked >= 0 or (seat == table.maker and table.alone < 0):
            continue
        never = subject.game.has("ask", "end-of-trick") or not is_hidden(table)
        if never or not table.trick or can_follow(table, seat):
            hand = subject.instead(index, f"{seat} ask", count=0)
            yield subject.fault("ask-without-cause", index, hand)


@kind
def trump_not_played_by_who_asked(subject: Subject) -> Iterator[Mutation]:
    """Who has the trump shown plays another suit with a trump in hand (O48)."""
    for index in subject.places("play"):
        table, seat = subject.tables[index], subject.actions[index][0]
        rest = table.hands[seat] - choices(table, seat)
        if table.must_trump != seat or not rest or can_follow(table, seat):
            continue
        if subject.game.has("plain_void", "any"):
            yield from subject.faulty("not-trumped", index, f"{seat} play {subject.pick(rest)}")


# --- Showing
@kind
def trump_not_shown_when_asked_for(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("ask"):
        if goes_on(subject, index + 2):
            hand = subject.instead(index + 1)
            yield subject.fault("not-shown", index + 1, hand, alone=must_ask(subject))


@kind
def trump_not_shown_by_a_void_maker(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("reveal"):
        table, seat = subject.tables[index], subject.actions[index][0]
        void = table.asked < 0 and is_hidden(table) and must_speak(table, seat)
        if void and goes_on(subject, index + 1):
            # Had the seventh card still lain under the pile, it could not have been played.
            hidden_card = table.seventh and f"{seat} play {table.seventh}" in subject.hand.actions
            sound = same_without_showing(subject, index) and not hidden_card
            # Until it is shown, the off jack is of its printed suit (O88).
            sound = sound and not subject.game.values["off_jack"]
            if not (table.seventh and subject.actions[index + 1][2] == [table.seventh]):
                hand = subject.instead(index)
                yield subject.fault("not-shown", index, hand, alone=sound)


@kind
def trump_shown_without_cause(subject: Subject) -> Iterator[Mutation]:
    """The maker shows the trump though they can follow, or a second time."""
    for index in subject.places("play"):
        table, seat = subject.tables[index], subject.actions[index][0]
        if not table.game.secret or table.alone >= 0 or table.asked >= 0 or table.unsaid:
            continue
        never = subject.game.has("ask", "end-of-trick")
        free = never or seat != table.maker or not table.trick or can_follow(table, seat)
        text = f"{table.maker} reveal {shown_word(table)}"
        if table.shown:
            hand = subject.instead(index, text, count=0)
            yield subject.fault("reveal-without-cause", index, hand)
        elif free:
            yield from subject.added("reveal-without-cause", index, text)


@kind
def trump_shown_by_another(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("reveal"):
        table, (seat, _, rest) = subject.tables[index], subject.actions[index]
        hand = subject.instead(index, f"{subject.others(seat)[0]} reveal {rest[0]}")
        sound = must_ask(subject) or table.unsaid
        yield subject.fault("reveal-by-other", index, hand, alone=sound)


@kind
def another_trump_shown(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("reveal"):
        seat, _, rest = subject.actions[index]
        other = subject.chance.choice([suit for suit in "SHDC" if suit != rest[0]])
        yield from subject.fatal("reveal-differs", index, f"{seat} reveal {other}", count=1)


@kind
def seventh_card_played_before_it_is_shown(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        table, seat = subject.tables[index], subject.actions[index][0]
        if table.seventh and is_hidden(table) and seat == table.maker and table.hands[seat]:
            text = f"{seat} play {table.seventh}"
            yield from subject.faulty("seventh-card-hidden", index, text)


# --- King and queen of trumps
def pair_of(table: Table) -> set[str]:
    return {"K" + table.trump, "Q" + table.trump} if table.trump else set()


@kind
def pair_at_the_wrong_time(subject: Subject) -> Iterator[Mutation]:
    """Before the trump is known, during a trick, after others' tricks, without trumps, again."""
    if subject.game.has("pair", "none"):
        return
    for index in subject.places("play"):
        table = subject.tables[index]
        seat = subject.chance.choice(list(table.seats))
        time = bool(table.live()) and is_time_for_pair(table, subject.game.side(seat))
        if not time and table.asked < 0:
            hand = subject.instead(index, f"{seat} pair", count=0)
            yield subject.fault("pair-not-now", index, hand)


@kind
def pair_not_held(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        table = subject.tables[index]
        for seat in subject.shuffled(list(table.seats)):
            time = bool(table.live()) and is_time_for_pair(table, subject.game.side(seat))
            if time and not pair_of(table) <= table.hands[seat]:
                hand = subject.instead(index, f"{seat} pair", count=0)
                yield subject.fault("pair-not-held", index, hand)


@kind
def pair_declared_again(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("pair"):
        seat = subject.actions[index][0]
        hand = subject.instead(index + 1, f"{seat} pair", count=0)
        yield subject.fault("pair-not-now", index + 1, hand)


@kind
def pair_where_there_is_none(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        if subject.game.has("pair", "none"):
            seat = subject.actions[index][0]
            yield from subject.fatal("not-now", index, f"{seat} pair")
