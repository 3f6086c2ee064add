"""Faults around the hidden trump of Twenty-Nine: asking, showing, king and queen."""

from collections.abc import Iterator

from tests.mutations.kinds import Mutation, Subject, kind
from tests.second.following import can_follow
from tests.second.table import Table


def is_hidden(table: Table) -> bool:
    return table.game.secret and not table.shown and table.alone < 0 and table.number > 0


def must_ask(subject: Subject) -> bool:
    return subject.game.secret and subject.game.has("ask", "must")


def same_without_showing(subject: Subject, index: int) -> bool:
    """Would the trick of action `index` have the same winner, had the trump stayed hidden?

    Then leaving out that it was shown there changes nothing that is recorded after it.
    """
    if any(verb == "pair" for _, verb, _ in subject.actions):
        return False
    trick = subject.end.tricks[subject.tables[index].number - 1]
    led = trick.plays[0][1][1]
    rivals = [play for play in trick.plays if play[1][1] == led]
    return trick.winner == max(rivals, key=lambda play: subject.game.height(play[1], ""))[0]


# --- Asking and showing


@kind
def trump_not_asked_for(subject: Subject) -> Iterator[Mutation]:
    """Who cannot follow plays on without asking, and nothing is shown."""
    for index in subject.places("ask"):
        if must_ask(subject):
            hand = subject.instead(index, count=2)
            sound = same_without_showing(subject, index)
            yield subject.fault("not-asked", index, hand, alone=sound)


@kind
def trump_not_shown_when_asked_for(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("ask"):
        hand = subject.instead(index + 1)
        yield subject.fault("not-shown", index + 1, hand, alone=must_ask(subject))


@kind
def trump_not_shown_by_a_void_maker(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("reveal"):
        if must_ask(subject) and subject.actions[index - 1][1] != "ask":
            sound = same_without_showing(subject, index)
            yield subject.fault("not-shown", index, subject.instead(index), alone=sound)


@kind
def trump_asked_for_without_cause(subject: Subject) -> Iterator[Mutation]:
    """A seat that can follow asks, or anybody once the trump is known."""
    if not subject.game.secret or subject.game.has("ask", "end-of-trick"):
        return
    for index in subject.places("play"):
        table, seat = subject.tables[index], subject.actions[index][0]
        if table.alone >= 0 or table.asked >= 0 or seat == table.maker:
            continue
        if table.shown or not table.trick or can_follow(table, seat):
            hand = subject.instead(index, f"{seat} ask", count=0)
            yield subject.fault("ask-without-cause", index, hand)


@kind
def trump_shown_without_cause(subject: Subject) -> Iterator[Mutation]:
    """The maker shows the trump though he can follow, or a second time."""
    for index in subject.places("play"):
        table = subject.tables[index]
        if not table.game.secret or table.alone >= 0 or table.asked >= 0:
            continue
        seat = subject.actions[index][0]
        free = seat != table.maker or not table.trick or can_follow(table, seat)
        if table.shown or free:
            text = f"{table.maker} reveal {shown_word(table)}"
            if table.shown:
                hand = subject.instead(index, text, count=0)
                yield subject.fault("reveal-without-cause", index, hand)
            else:
                yield from subject.added("reveal-without-cause", index, text)


def shown_word(table: Table) -> str:
    return table.trump if table.trump_word == "seventh" else table.trump_word


@kind
def trump_shown_by_another(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("reveal"):
        seat, _, rest = subject.actions[index]
        hand = subject.instead(index, f"{subject.others(seat)[0]} reveal {rest[0]}")
        yield subject.fault("reveal-by-other", index, hand, alone=must_ask(subject))


@kind
def another_trump_shown(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("reveal"):
        seat, _, rest = subject.actions[index]
        other = subject.chance.choice([suit for suit in "SHDC" if suit != rest[0]])
        yield from subject.fatal("reveal-differs", index, f"{seat} reveal {other}", count=1)


# --- King and queen of trumps


def pair_of(table: Table) -> set[str]:
    return {"K" + table.trump, "Q" + table.trump} if table.trump else set()


@kind
def pair_before_the_trump_is_known(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        table = subject.tables[index]
        if is_hidden(table) and table.asked < 0 and not subject.game.has("pair", "none"):
            seat = subject.chance.choice(list(table.seats))
            hand = subject.instead(index, f"{seat} pair", count=0)
            yield subject.fault("pair-not-now", index, hand)


@kind
def pair_in_the_middle_of_a_trick(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        table, seat = subject.tables[index], subject.actions[index][0]
        between = subject.game.has("pair", "after-own-trick", "after-reveal", "after-any-trick")
        if between and table.trick and table.asked < 0:
            hand = subject.instead(index, f"{seat} pair", count=0)
            yield subject.fault("pair-not-now", index, hand)


@kind
def pair_after_the_trick_of_others(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        table = subject.tables[index]
        if not subject.game.has("pair", "after-own-trick") or table.trick or not table.tricks:
            continue
        for seat in subject.shuffled(list(table.seats)):
            if subject.game.side(seat) != subject.game.side(table.tricks[-1].winner):
                hand = subject.instead(index, f"{seat} pair", count=0)
                yield subject.fault("pair-not-now", index, hand)


@kind
def pair_not_held(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("play"):
        table = subject.tables[index]
        if not subject.game.has("pair", "after-own-trick") or table.trick or not table.tricks:
            continue
        if not table.shown or table.pair_side >= 0 or not table.trump or table.alone >= 0:
            continue
        winner = table.tricks[-1].winner
        for seat in (winner, (winner + 2) % 4):
            if not pair_of(table) <= table.hands[seat]:
                hand = subject.instead(index, f"{seat} pair", count=0)
                yield subject.fault("pair-not-held", index, hand)


@kind
def pair_declared_again(subject: Subject) -> Iterator[Mutation]:
    for index in subject.places("pair"):
        seat = subject.actions[index][0]
        hand = subject.instead(index + 1, f"{seat} pair", count=0)
        yield subject.fault("pair-not-now", index + 1, hand)
