"""Who sat where: from what the user says, the headings, and the way the deal goes round."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules.table import next_seat, side_of
from tricklog.ingest.score_sheets.games import Line
from tricklog.ingest.score_sheets.grid import SheetError
from tricklog.ingest.score_sheets.headers import names_in
from tricklog.ingest.score_sheets.words import Means
from tricklog.ingest.text_form.folding import name_key

_TWO: Final = 2
"""Sides of two partners each."""
WHO_SAT: Final = (
    "Name those who play in the order of the seats, partners across: --players Ann,Bo,Cy,Dee; or "
    'players = ["Ann", "Bo", "Cy", "Dee"] in the mapping.'
)


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where in a game, and whose column is whose."""

    players: tuple[str, ...]
    sides: dict[str, int]
    """By ``of`` of a column, the side."""
    is_guessed: bool = False
    """Whether nothing but the order of the columns says which is whose."""

    def seat(self, name: str) -> int | None:
        """Return the seat of a player by name, by its beginning, or by a part of it."""
        wanted = name_key(name)
        keys = [name_key(player) for player in self.players]
        if wanted in keys:
            return keys.index(wanted)
        for fits in (str.startswith, _has_word):
            found = [seat for seat, each in enumerate(keys) if wanted and fits(each, wanted)]
            if len(found) == 1:
                return found[0]
        return None


def _has_word(name: str, word: str) -> bool:
    return word in name.split() or "".join(part[0] for part in name.split()) == word


def seat(
    said: Sequence[str], labels: Sequence[str], lines: Sequence[Line], rules: Rules
) -> Seating:
    """Return who sits where. ``said``: the players by seat, empty where the user does not say.

    Raises ``SheetError`` where the sheet does not tell, and says how to.
    """
    pairs = [names_in(label) for label in labels]
    if said and len(said) != rules.seats:
        raise SheetError(f"{len(said)} players are named, and {rules.seats} play.", WHO_SAT)
    players = tuple(said) or _players(labels, pairs, lines, rules)
    sides = _sides(players, labels, pairs, rules)
    if sides is not None:
        return Seating(players, sides)
    votes = _votes(Seating(players, {}), lines, rules)
    sides = {"1": int(votes < 0), "2": int(votes >= 0)}
    return Seating(players, sides, is_guessed=not (votes or said))


def _players(
    labels: Sequence[str], pairs: Sequence[list[str]], lines: Sequence[Line], rules: Rules
) -> tuple[str, ...]:
    dealers = [line.dealer for line in lines if line.dealer]
    makers = [line.maker for line in lines if line.maker]
    named = [name for pair in pairs for name in pair]
    if _TWO == rules.side_count < rules.seats and [len(pair) for pair in pairs] == [_TWO, _TWO]:
        (a, c), (b, d) = pairs[0], pairs[1]

        def passed_on(order: tuple[str, ...]) -> int:
            """Return how often the deal passes on as it should when they sit in this order."""
            table = Seating(order, {})
            seats = [table.seat(dealer) for dealer in dealers]
            return sum(
                old is not None and new is not None and new == next_seat(rules, old)
                for old, new in itertools.pairwise(seats)
            )

        return max([(a, b, c, d), (a, d, c, b)], key=passed_on)
    if rules.side_count == rules.seats and len(named) == rules.seats:
        turned = _by_rotation(dealers, rules)
        is_same = {name_key(each) for each in turned} == {name_key(each) for each in named}
        return turned if is_same else tuple(named)
    found = (
        _by_rotation(dealers, rules, makers)
        or _by_partners(labels, pairs, lines, rules)
        or _by_rotation(named, rules)
    )
    if not found:
        raise SheetError("The sheet does not tell who sat where.", WHO_SAT)
    return found


def _by_partners(
    labels: Sequence[str], pairs: Sequence[list[str]], lines: Sequence[Line], rules: Rules
) -> tuple[str, ...]:
    """Return an order of four with a column each by which of these say the same of a hand.

    Of those that fit as well it is the one in which they stand.
    """
    if rules.side_count != _TWO or [len(names) for names in pairs] != [1] * (_TWO * _TWO):
        return ()

    def agreed(order: Sequence[int]) -> int:
        return sum(
            numbers.get(str(one + 1)) == numbers.get(str(other + 1))
            for line in lines
            for numbers in line.sided.values()
            for one, other in (order[::2], order[1::2])
        )

    order = max(((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2)), key=agreed)
    return tuple(labels[place] for place in order)


def _by_rotation(
    dealers: Sequence[str], rules: Rules, others: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the order in which the deal goes round, where as many deal as there are seats.

    One of ``others`` may be the only player who has not dealt yet.
    """
    keys = [name_key(dealer) for dealer in dealers]
    spelled: dict[str, str] = {}
    for at, dealer in zip(keys, dealers, strict=True):
        spelled.setdefault(at, dealer)
    if len(spelled) == rules.seats - 1:
        for other in others:
            spelled.setdefault(name_key(other), other)
    if len(spelled) != rules.seats:
        return ()
    after = Counter(pair for pair in itertools.pairwise(keys) if pair[0] != pair[1])
    order = [keys[0]]
    while len(order) < rules.seats:
        left = [each for each in spelled if each not in order]
        order.append(max(left, key=lambda each: after[order[-1], each]))
    if rules.step < 0:
        order = [order[0], *reversed(order[1:])]
    return tuple(spelled[each] for each in order)


def _sides(
    players: tuple[str, ...], labels: Sequence[str], pairs: Sequence[list[str]], rules: Rules
) -> dict[str, int] | None:
    """Return the side of each column of a side: by the names over it, else by their order.

    Of two sides nothing is returned where no name stands over them.
    """
    table = Seating(players, {})
    found: dict[str, int] = {}
    for number, names in enumerate(pairs, 1):
        seats = {seat for name in names if (seat := table.seat(name)) is not None}
        sides = {side_of(rules, seat) for seat in seats}
        if len(sides) == 1 and len(seats) == len(names):
            found[str(number)] = sides.pop()
    # A team may have a name of its own, as nobody at the table has.
    are_teams = not found and all(len(names) == 1 for names in pairs) and rules.side_count == _TWO
    if any(pairs) and len(found) < len(pairs) and not are_teams:
        wrong = next(label for number, label in enumerate(labels, 1) if str(number) not in found)
        raise SheetError(
            f"The column {wrong!r} is of no side of {', '.join(players)}.",
            "Name those who play in the order of the seats, with partners across.",
        )
    if found or rules.side_count != _TWO:
        return found or {str(side + 1): side for side in range(rules.side_count)}
    return None


def _votes(table: Seating, lines: Sequence[Line], rules: Rules) -> int:
    """Return how much more speaks for column 1 as that of side 0 than for column 2.

    Who loses points in a hand were its makers, and so were those who took what was bid when the
    others did not. Of running scores the steps tell.
    """
    votes = 0
    before: dict[str, int] = {}
    for line in lines:
        scores = line.numbers(Means.SCORE)
        step = {of: score - before.get(of, 0) for of, score in scores.items()}
        before = scores or before
        seat = table.seat(line.maker) if line.maker else None
        if seat is None:
            continue
        sign = 1 if side_of(rules, seat) == 0 else -1
        change = line.numbers(Means.CHANGE) or step
        points = line.numbers(Means.POINTS) or change
        lost = {of for of, value in change.items() if value < 0}
        if len(lost) == 1 and lost <= {"1", "2"}:
            votes += sign if lost == {"1"} else -sign
        elif line.result == "made" and isinstance(line.bid, int) and len(points) == _TWO:
            reached = [of for of, value in points.items() if value >= line.bid]
            if len(reached) == 1:
                votes += sign if reached == ["1"] else -sign
    return votes
